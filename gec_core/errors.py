"""Errors whose messages say what was found and what to do about it.

Every error that a user can cause derives from `GecLensError`. The command line prints its message and exits with code
2, the dashboard shows it in a box. Any other exception is a bug and keeps its traceback.
"""


class GecLensError(Exception):
    """A problem that the user can solve; the message says how."""


class CorpusError(GecLensError):
    """A corpus, or one of its files, cannot be used."""


class UnknownMetric(GecLensError):
    """There is no metric of this id."""


class OptionError(GecLensError):
    """A metric has no such option, or the option does not take this value."""


class InputError(GecLensError, ValueError):
    """An argument of a function of the library has the wrong type, shape or length."""


class MissingInput(GecLensError):
    """The corpus or this machine lacks something that was asked for: references, judgments, packages, models."""


class ModelError(GecLensError):
    """A model cannot be used: it is damaged, of the wrong kind, or too large for this machine."""


class DownloadError(GecLensError):
    """A corpus could not be downloaded, or is not the one that was expected."""


class ScoreError(GecLensError):
    """A score or a statistic is not defined for the given values."""


class JudgingError(GecLensError):
    """A session of judging cannot be opened, or an answer does not fit it."""


class UserNotice(UserWarning):
    """A warning whose message is for the user as it stands, like that of a `GecLensError`."""


class CorpusWarning(UserNotice):
    """Something in a file of a corpus was left out. Its arguments: what is wrong, and what was done about it."""

    def __str__(self) -> str:
        return " ".join(map(str, self.args))


class PluginWarning(UserNotice):
    """A metric of another package could not be added."""
