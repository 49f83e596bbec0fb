"""The lists that the guard is held to, named by what they hold.

Six were written without a look at the rules; those of the house before the rules of today, in
other habits, by who wrote them.

A list is a file of ``tests/guard/lists``. ``⟦ ⟧`` stands around a secret that must never be
repeated. One text a line; ``=== kind`` names what follows, ``⏎`` breaks a line and ``<<hex:32>>``
is drawn at test time (`tests.guard.drawn`). ``<<5 times>>`` before a line draws it five times.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.guard.drawn import fill

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRETS = ("keys", "assignments", "told_passwords", "house_secrets")
HARMLESS = ("harmless_talk", "harmless_code", "harmless_numbers", "house_harmless")
FOLDER = Path(__file__).parent / "lists"

_HEADING = "=== "
_TIMES = re.compile(r"<<(\d+) times>> ")


class Text(NamedTuple):
    """One text of a list.

    Attributes
    ----------
    kind
        Heading it stands under.
    text
        What somebody tries to store.
    secret
        The part that no message may repeat; empty in a harmless text.
    """

    kind: str
    text: str
    secret: str


def texts(name: str) -> list[Text]:
    """Return the texts of a list, the same on every call; none where the file is missing."""
    file = FOLDER / f"{name}.txt"
    if not file.exists():
        return []
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for kind, line in _lines(file):
        again = seen[kind, line]
        seen[kind, line] += 1
        # A source of its own for each line: a new line leaves the others as they were.
        key = f"{name}:{kind}:{line}:{again}" if again else f"{name}:{kind}:{line}"
        found.append(_marked(kind, fill(line, Random(key))))  # noqa: S311 - protects nothing
    return found


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    kind = file.stem
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line.startswith(_HEADING):
            kind = line.removeprefix(_HEADING)
        elif line.strip():
            times = _TIMES.match(line)
            text = line[times.end() :] if times else line
            yield from [(kind, text.replace("⏎", "\n"))] * (int(times[1]) if times else 1)


def _marked(kind: str, marked: str) -> Text:
    before, _, rest = marked.partition("⟦")
    value, _, after = rest.partition("⟧")
    return Text(kind, before + value + after, value)
