"""The further lists: each a folder of texts that the rules were not made on, but the eleventh,
the thirteenth and the fifteenth.

``secrets_*.txt``
    texts to refuse, with ``⟦ ⟧`` around what must never be repeated.
``tokens.txt``
    keys that give themselves away, one a line; each is put into `PLACES_PER_TOKEN` of
    ``carriers.txt``, where ``⟦⟧`` is its place.
``ordinary_*.txt``
    texts to let through.

One text a line; ``=== kind`` names what follows, ``⏎`` breaks a line and ``<<hex:32>>`` is drawn
at test time (`tests.guard.drawn`). ``<<5 times>>`` before a line draws it
five times.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.guard.drawn import fill

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LISTS = (
    *("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth"),
    *("sixteenth", "seventeenth", "eighteenth"),
)
PLACES_PER_TOKEN = 2

_HEADING = "=== "
_TIMES = re.compile(r"<<(\d+) times>> ")
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
    lines = (*_lines(name, "secrets_*.txt"), *_carried(name))
    return [_marked(kind, text) for kind, text in _drawn(name, lines)]


def ordinary(name: str) -> list[Text]:
    """Return the texts to let through of the list `name`, the same on every call."""
    return [Text(kind, text, "") for kind, text in _drawn(name, _lines(name, "ordinary_*.txt"))]


def _drawn(name: str, lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield each line with its random parts filled in; a line that comes again is drawn anew."""
    seen: Counter[tuple[str, str]] = Counter()
    for kind, line in lines:
        again = seen[kind, line]
        seen[kind, line] += 1
        # A source of its own for each line: a new line leaves the others as they were.
        key = f"{name}:{kind}:{line}:{again}" if again else f"{name}:{kind}:{line}"
        yield kind, fill(line, Random(key))  # noqa: S311 - repeatable, protects nothing


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
                times = _TIMES.match(line)
                text = line[times.end() :] if times else line
                yield from [(kind, text.replace("⏎", "\n"))] * (int(times[1]) if times else 1)


def _marked(kind: str, marked: str) -> Text:
    before, _, rest = marked.partition(_OPEN)
    value, _, after = rest.partition(_CLOSE)
    return Text(kind, before + value + after, value)
