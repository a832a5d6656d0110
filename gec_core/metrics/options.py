"""The options of a metric: a frozen dataclass that is parsed from `key=value` and written into the signature.

    @dataclass(frozen=True)
    class Options(options.Options):
        beta: float = option(0.5, "weight of recall; below 1, precision counts more", least=0, most=100)

The help of the command line and the forms of the dashboard are made from the fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from math import isfinite
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints

from gec_core.errors import OptionError
from gec_core.formatting import similar


def option(
    default: Any, help: str, *, least: float | None = None, most: float | None = None, unsaid: bool = False
) -> Any:
    """Define a field of an options dataclass.

    Args:
        default: The default value.
        help: What the option does.
        least: The smallest number allowed.
        most: The largest number allowed.
        unsaid: Whether signatures leave the option out, as another part of them names what it does.
    """
    return field(default=default, metadata={"help": help, "least": least, "most": most, "unsaid": unsaid})


@dataclass(frozen=True)
class OptionSpec:
    """The description of one option, for forms and help texts."""

    name: str
    kind: type | tuple[str, ...]
    """bool, int, float or str; or the tuple of values to choose from."""
    default: Any
    help: str
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Options:
    """The base class of the options of every metric; it has no fields."""

    @classmethod
    def specs(cls) -> tuple[OptionSpec, ...]:
        """Describe the options, in the order of the fields."""
        hints = get_type_hints(cls)
        return tuple(
            OptionSpec(
                name=item.name,
                kind=get_args(hints[item.name]) if get_origin(hints[item.name]) is Literal else hints[item.name],
                default=None if item.default is MISSING else item.default,
                help=item.metadata.get("help", ""),
                least=item.metadata.get("least"),
                most=item.metadata.get("most"),
            )
            for item in fields(cls)
        )

    @classmethod
    def parse(cls, texts: Mapping[str, str], *, owner: str) -> Self:
        """Parse options from text, as typed on a command line.

        Args:
            texts: The values by name.
            owner: The id of the metric, for error messages.

        Raises:
            OptionError: An option is unknown, or its value is not allowed.
        """
        specs = {spec.name: spec for spec in cls.specs()}
        for name in texts:
            if name not in specs:
                known = ", ".join(specs) or "none"
                raise OptionError(f"{owner} has no option {name!r}. It has: {known}.{similar(name, specs)}")
        return cls(**{name: _value(specs[name], text, owner) for name, text in texts.items()})

    def parts(self) -> Iterator[str]:
        """`name:value` of the options, as in signatures."""
        for item in fields(self):
            value = getattr(self, item.name)
            if item.metadata.get("unsaid"):
                continue
            yield f"{item.name}:{str(value).lower() if isinstance(value, bool) else value}"

    def changed(self) -> list[str]:
        """`name=value` of the options that differ from the usual ones, as they are typed."""
        usual = set(type(self)().parts())
        return [part.replace(":", "=", 1) for part in self.parts() if part not in usual]


def _value(spec: OptionSpec, text: str, owner: str) -> Any:
    where = f"{owner}.{spec.name}={text}"
    if isinstance(spec.kind, tuple):
        if text not in spec.kind:
            raise OptionError(f"{where}: choose one of {', '.join(spec.kind)}.")
        return text
    if spec.kind is bool:
        if text.lower() not in ("true", "false"):
            raise OptionError(f"{where}: write true or false.")
        return text.lower() == "true"
    try:
        value = spec.kind(text)
    except ValueError:
        kind = "a whole number" if spec.kind is int else "a number"
        raise OptionError(f"{where}: {text!r} is not {kind}.") from None
    if spec.kind is float and not isfinite(value):
        raise OptionError(f"{where}: {text!r} is not a finite number.")
    if spec.least is not None and value < spec.least:
        raise OptionError(f"{where}: must be at least {spec.least:,}.")
    if spec.most is not None and value > spec.most:
        raise OptionError(f"{where}: must be at most {spec.most:,}.")
    return value
