"""How records are laid out on a page."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Layout"]


@dataclass(frozen=True, slots=True)
class Layout:
    """How records are laid out.

    Parameters
    ----------
    shape
        table, cards, list, or sections: a heading, and below it rows as any other has them.
    columns
        What a record shows, in this order; ``actions`` stands for its buttons, ``start`` for
        those that come first where they are on both sides.
    buttons
        Words, icons in square brackets, or ``check`` and ``switch``.
    height
        Of the scroller; 0 where the window scrolls.
    state
        Whether one record's control is on, checked or open.
    same
        Columns that say the same of all records.
    tiny
        Pixels of an icon's side.
    dark
        Rules of a second look, which is learned as well.
    kind
        ``rows``, or ``degenerate`` where some rows cannot be told apart.
    """

    name: str
    half: str
    noun: str
    shape: str
    columns: str
    buttons: tuple[str, ...]
    css: str
    count: int = 8
    height: int = 0
    kind: str = "rows"
    header: bool = True
    side_bar: bool = False
    grouped: bool = False
    namesakes: bool = False
    twins: bool = False
    font: str = "DejaVu Sans"
    state: bool = False
    same: str = ""
    tiny: int = 16
    dark: str = ""
    wide: int = 1000
    high: int = 660
