"""YAML of strangers: plain values only; anchors, aliases and tags are refused, and so is what is too large."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = 1_000_000  # characters
_FENCED = Pattern(r"\A---[ \t]*\n(.*?)(?<=\n)---[ \t]*(?:\n|\Z)", 16)  # 16: a dot is any sign
_OF_YAML = Pattern(
    r"(?:[ \t]*(?:#|- ).*|[ \t]+\S.*|[\w.-][\w .-]{0,60}:(?:[ \t].*)?|[ \t]*|[\]}][ \t]*)"
)
_PAIR = Pattern(r"([\w-]+)[ \t]*:[ \t]*(.*)")
_QUOTES = "\"'"


def front_matter(text: str, where: str) -> tuple[dict[str, Any], str]:
    """Return the properties that a Markdown text begins with, and the rest of it.

    Properties that are no YAML, as programs write that put a text behind a colon as it is, are read
    line by line. Where prose stands between two rulers, nothing is a property.

    Raises
    ------
    UnusableInputError
        When they hold an anchor, an alias or a tag, or are too large; `where` names it.
    """
    fenced = _FENCED.match(text)
    if fenced is None or not all(map(_OF_YAML.fullmatch, fenced[1].split("\n"))):
        return {}, text
    try:
        told = yaml_of(fenced[1], where)
    except _BrokenYamlError:
        told = _by_lines(fenced[1])
    return (told if isinstance(told, dict) else {}), text[fenced.end() :]


class _BrokenYamlError(UnusableInputError):
    """A text is no YAML."""


def yaml_of(text: str, where: str) -> Any:
    """Return what a YAML text holds.

    Raises
    ------
    UnusableInputError
        When it is none, too large, or holds an anchor, an alias or a tag; `where` names it.
    """
    import yaml

    if len(text) > _LARGEST:
        raise UnusableInputError(f'"{where}" is too much YAML', hint="split it")
    try:
        return yaml.load(text, _loader())  # noqa: S506  (a SafeLoader that takes less)
    except _RefusedYamlError as error:
        raise UnusableInputError(f'"{where}" holds {error}', hint="write the values out") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _BrokenYamlError(f'"{where}" is no YAML: {" ".join(str(error).split())}') from None


def yaml_text(told: Mapping[str, Any]) -> str:
    """Return properties as YAML, in their order."""
    import yaml

    return str(yaml.safe_dump(dict(told), allow_unicode=True, sort_keys=False, width=10_000))


def plain_text(value: Any) -> str:
    """Return a YAML value as text: a time as ISO-8601, nothing for null."""
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)


def texts_of(value: Any) -> tuple[str, ...]:
    """Return a list of YAML values, or texts parted by commas, as texts; those that are empty not."""
    parts = value if isinstance(value, list) else plain_text(value).split(",")
    return tuple(told for one in parts if (told := plain_text(one).strip()))


class _RefusedYamlError(Exception):
    """An anchor, an alias or a tag was met."""


@cache
def _loader() -> Any:
    import yaml

    class PlainLoader(yaml.SafeLoader):
        """Reads values, and nothing that stands for others."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]
            for what in ("anchor", "tag"):
                if getattr(event, what, None) is not None:
                    raise _RefusedYamlError(f"an {what}" if what == "anchor" else f"a {what}")
            return super().compose_node(parent, index)

    return PlainLoader


def _by_lines(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in text.split("\n"):
        pair = _PAIR.match(line)
        if pair is not None:
            value = pair[2].strip()
            listed = value.startswith("[") and value.endswith("]")
            parts = [one.strip().strip(_QUOTES) for one in value[1:-1].split(",")]
            found[pair[1]] = parts if listed else value.strip(_QUOTES)
    return found
