"""The further lists: each a folder of texts that the rules were not made on.

``secrets_*.txt``
    texts to refuse, with ``⟦ ⟧`` around what must never be repeated.
``tokens.txt``
    keys that give themselves away, one a line; each is put into `PLACES_PER_TOKEN` of
    ``carriers.txt``, where ``⟦⟧`` is its place.
``ordinary_*.txt``
    texts to let through.

One text a line; ``=== kind`` names what follows, ``⏎`` breaks a line and ``<<hex:32>>`` is drawn
at test time (`tests.guard.drawn`).
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.guard.drawn import fill

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTS = ("second", "third", "fourth", "fifth")
PLACES_PER_TOKEN = 2

_HEADING = "=== "
_OPEN, _CLOSE, _PLACE = "⟦", "⟧", "⟦⟧"


class Text(NamedTuple):
    """One text of a list.

    Attributes
    ----------
    kind
        Heading it stands under.
    text
        What somebody tries to store.
    secret
        The part that no message may repeat; empty in an ordinary text.
    """

    kind: str
    text: str
    secret: str


def secrets(name: str) -> list[Text]:
    """Return the texts to refuse of the list `name`, the same on every call."""
    return [
        _marked(kind, fill(line, _source(name, kind, line)))
        for kind, line in (*_lines(name, "secrets_*.txt"), *_carried(name))
    ]


def ordinary(name: str) -> list[Text]:
    """Return the texts to let through of the list `name`, the same on every call."""
    return [
        Text(kind, fill(line, _source(name, kind, line)), "")
        for kind, line in _lines(name, "ordinary_*.txt")
    ]


def _carried(name: str) -> Iterator[tuple[str, str]]:
    carriers = [line for _, line in _lines(name, "carriers.txt")]
    turn = count()
    for kind, token in _lines(name, "tokens.txt"):
        for _ in range(PLACES_PER_TOKEN):
            carrier = carriers[next(turn) % len(carriers)]
            yield kind, carrier.replace(_PLACE, _OPEN + token + _CLOSE)


def _lines(name: str, pattern: str) -> Iterator[tuple[str, str]]:
    for file in sorted((Path(__file__).parent / name).glob(pattern)):
        kind = file.stem
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line.startswith(_HEADING):
                kind = line.removeprefix(_HEADING)
            elif line.strip():
                yield kind, line.replace("⏎", "\n")


def _source(name: str, kind: str, line: str) -> Random:
    # A source of its own for each line: a new line leaves the others as they were.
    return Random(f"{name}:{kind}:{line}")  # noqa: S311 - repeatable, protects nothing


def _marked(kind: str, marked: str) -> Text:
    before, _, rest = marked.partition(_OPEN)
    value, _, after = rest.partition(_CLOSE)
    return Text(kind, before + value + after, value)
