"""Write the figures of README, ``docs/figures.md`` and ``docs/fleet.md`` from ``docs/figures.toml``.

    python -m tests.docs.figures

The file has each figure with its command, and the commit and the day on which it was printed last. A
figure whose rooms of the engine have changed since is marked as older: git says so when this runs.
"""

from __future__ import annotations

import re
import sys
import tomllib
from typing import TYPE_CHECKING, Any

from benchmarks.running import ROOT, git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PAGE = ROOT / "docs" / "figures.md"
# Pages that show some figures, between two marks, by the key that such a figure has.
SHOWN = {"readme": ROOT / "README.md", "fleet": ROOT / "docs" / "fleet.md"}
_SOURCE = ROOT / "docs" / "figures.toml"
_BETWEEN = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
_OLDER = re.compile(r"; older than a change of [a-z, ]+(?= \|$|\)$)", re.MULTILINE)
_HEAD = """# Figures

Each is printed by the command beside it. DIR is a folder of your own; without data a benchmark says where
to put it and skips. All were made on {machine}: ratios are within one run, milliseconds are of that
machine. The last column has the commit and the day on which a figure was printed last, and the rooms of the
engine that have changed since. `python -m tests.docs.figures` makes this page of `docs/figures.toml`.

"""
Figure = dict[str, Any]


def read() -> dict[str, Any]:
    """Return what ``docs/figures.toml`` has: ``machine``, and each ``figure``."""
    return tomllib.loads(_SOURCE.read_text("utf-8"))


def page(source: dict[str, Any], changed: Callable[[Figure], Iterable[str]] = lambda _: ()) -> str:
    """Return the page of all figures.

    Parameters
    ----------
    changed
        The rooms of a figure that have changed since it was printed.
    """
    rows = []
    for one in source["figure"]:
        printed = f"{one['date']}, `{one['commit']}`"
        if rooms := ", ".join(changed(one)):
            printed += f"; older than a change of {rooms}"
        rows.append((one["what"], one["figure"], one["command"], printed))
    head = _HEAD.format(machine=source["machine"])
    return head + _table(("what", "figure", "command", "printed"), rows)


def with_rows(source: dict[str, Any], key: str, text: str) -> str:
    """Return a page of `SHOWN` with the rows that it shows, between its two marks."""
    rows = [(o["what"], o["figure"], o["command"]) for o in source["figure"] if o.get(key)]
    return _BETWEEN.sub(lambda _: _table(("what", "figure", "command"), rows), text)


def without_marks(text: str) -> str:
    """Return a page without what git knows: which figures are older than a change."""
    return _OLDER.sub("", text)


def main() -> None:
    """Write all pages, and print how many figures are older than a change of their rooms."""
    source = read()
    unknown = [o["commit"] for o in source["figure"] if not git("cat-file", "-t", o["commit"])]
    if unknown:
        sys.exit(f"commits that this repository lacks: {', '.join(unknown)}")
    older = {id(one): changed_rooms(one) for one in source["figure"]}
    PAGE.write_text(page(source, lambda one: older[id(one)]), "utf-8")
    for key, shown in SHOWN.items():
        shown.write_text(with_rows(source, key, shown.read_text("utf-8")), "utf-8")
    print(f"{len(older)} figures, {sum(map(bool, older.values()))} older than a change")


def changed_rooms(one: Figure) -> list[str]:
    span = f"{one['commit']}..HEAD"
    folders = {room: f"engine/memctl/{room}" for room in one["rooms"]}
    return [
        room for room, path in folders.items() if git("log", "-1", "--format=%h", span, "--", path)
    ]


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [heads, ["---" for _ in heads], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    main()
