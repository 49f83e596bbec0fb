"""A page of sixty elements, each drawn as one of a pair in a frame that would hold the other."""

from __future__ import annotations

import random
from html import escape
from typing import TYPE_CHECKING

from benchmarks.identity.icons import ICONS, icon
from benchmarks.identity.pages import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.identity.pairs import Pair
    from benchmarks.identity.styles import Style

__all__ = ["ONE", "OTHER", "Cell", "board", "moved"]

ONE, OTHER = 0, 1
Cell = tuple[int, int]
"""Which pair stands in a cell, and which of its two."""

NUDGES = {
    "": "",
    "transform": ".board>*{transform:translate(.5px,.5px)}",
    "margin": ".board>*{margin:.5px 0 0 .5px}",
    "ring": ".board>*{outline:2px solid #1a73e8;outline-offset:-2px}",
    "selected": ".board>*{background:#3584e4!important;color:#fff!important}",
    "pressed": ".board>*{background:#c4c8cf!important;color:#101418!important}",
}
"""Ways to shift every element by half a pixel, or to dress it."""


def board(
    style: Style,
    pairs: Sequence[Pair],
    cells: Sequence[Cell],
    *,
    nudge: str = "",
    dpr: float = 1.0,
    other_theme: bool = False,
    title: str = "Elements",
) -> Page:
    """Return the page that shows these cells in this order."""
    inside = "".join(_element(style, pairs[number], number, which) for number, which in cells)
    sheet = style.sheet(other=other_theme) + NUDGES[nudge]
    html = (
        f"<!doctype html><meta charset=utf-8><style>{sheet}</style>"
        f'<h1>{title}</h1><div class="board">{inside}</div>'
    )
    return Page(f"{style.name}: {title}", html, height=620, dpr=dpr)


def moved(count: int, seed: int = 1) -> list[int]:
    """Return an order in which no pair keeps its cell."""
    order = list(range(count))
    shuffle = random.Random(seed)
    while True:
        shuffle.shuffle(order)
        for i in [i for i, n in enumerate(order) if n == i]:
            other = (i + 1) % count
            order[i], order[other] = order[other], order[i]
        if all(i != n for i, n in enumerate(order)):
            return order


def _element(style: Style, pair: Pair, number: int, which: int) -> str:
    shown, hidden = (pair.one, pair.other)[:: 1 if which == ONE else -1]
    return (
        f'<span class="{pair.kind}" data-box="button" data-record="{number}" '
        f'data-name="{which}" data-label="{escape(shown)}"><span><span>{_drawn(style, shown)}'
        f'</span><span class="ghost">{_drawn(style, hidden)}</span></span></span>'
    )


def _drawn(style: Style, label: str) -> str:
    return icon(label, style.icon) if label in ICONS else escape(label)
