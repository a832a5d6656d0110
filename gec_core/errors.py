"""Errors that tell a person what was found and what to do about it.

Everything a user can cause derives from `GecLensError`: the command line prints its message and exits
with 2, the dashboard shows it in a box. Anything else is a bug of ours and keeps its traceback.
"""


class GecLensError(Exception):
    """A problem that the message explains to the person who can mend it."""


class CorpusError(GecLensError):
    """A corpus, or one of its files, is not what it should be."""


class UnknownMetric(GecLensError):
    """A metric id that is not in the registry."""


class OptionError(GecLensError):
    """An option that a metric does not have, or a value that does not fit it."""


class InputError(GecLensError, ValueError):
    """An argument of a function of the library that is not what the function takes."""


class MissingInput(GecLensError):
    """A metric needs something that the corpus or this machine does not have."""


class ModelError(GecLensError):
    """A model is there, but cannot be used: damaged, of the wrong kind, or too large for this machine."""


class DownloadError(GecLensError):
    """A corpus could not be downloaded, or is not the one that was expected."""


class ScoreError(GecLensError):
    """A score or a statistic that is not defined for what was given."""


class PluginWarning(UserWarning):
    """A metric of another package could not be added."""
