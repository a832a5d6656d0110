"""Names of systems or metrics on one line, as the command line takes them: written and read back."""

from __future__ import annotations

import csv
from collections.abc import Iterable

from gec_core.errors import OptionError


def names(*texts: str) -> list[str]:
    """What stands between the commas; double quotes keep a comma that is part of a name."""
    rows = csv.reader(texts, skipinitialspace=True)
    try:
        return [name.strip() for row in rows for name in row if name.strip()]
    except csv.Error:
        raise OptionError(
            f"{', '.join(map(repr, texts))}: not a list of names. Write them on one line, with commas between them."
        ) from None


def listed(names: Iterable[str]) -> str:
    """Names with commas between them, as `names` reads them."""
    return ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' if set(',"') & set(name) else name for name in names)
