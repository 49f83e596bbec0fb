"""Layouts of other habits: ids first, headings as keys, states, tiny icons, a second look."""

from __future__ import annotations

from benchmarks.identity.layout import Layout

__all__ = ["HABITS"]

_DARK = "body,th,.item{background:#191c22!important;color:#dfe3ea}.b{color:#9fb0cc!important}"
_LINE = ".item,td{border-bottom:1px solid #ddd}.b{border:1px solid #999;border-radius:4px}"
_CARD = ".grid{grid-template-columns:repeat(3,1fr)}.item{border:1px solid #ccc}.b{background:#eee}"
_ONE = "name role place status"


def _both(name: str, noun: str, shape: str, columns: str, buttons: str, **more: object) -> None:
    """Add a layout to develop with, and one of other words, fonts and lines that is kept."""
    css = _CARD if shape == "cards" else _LINE
    said = tuple(one.replace("_", " ") for one in buttons.split())
    about = noun, shape, columns, said
    HABITS.append(Layout(name, "development", *about, css, **more))  # type: ignore[arg-type]
    kept = "DejaVu Serif", css + "body{background:#fdf8ea}.b{background:#efe4c8;border:0}.item,td"
    kept = kept[0], kept[1] + "{padding:9px 14px}.grid{grid-template-columns:repeat(2,1fr)}"
    made = Layout(f"{name}, kept", "report", *about, kept[1], font=kept[0], **more)  # type: ignore[arg-type]
    HABITS.append(made)


HABITS: list[Layout] = []
_both("ids first", "people", "table", "number name status time actions", "Edit [bin]", count=9)
_both("names first", "files", "table", "name number time status actions", "Open", count=9)
_both("panels", "files", "cards", "name body actions", "[gear] [cross]", count=9)
_both("sections", "people", "sections", "name", "Edit_Email Edit_Phone", count=5)
_both("switches", "settings", "list", "name actions", "switch", count=9, state=True)
_both("checks", "people", "table", "start name time actions", "check Share", count=9, state=True)
_both("folds", "files", "list", "start name place", "fold", count=9, state=True)
_both("tiny", "people", "list", "name time actions", "[cross] [pen]", count=9, tiny=9)
_both("two looks", "people", "table", "name role time actions", "Edit [bin]", dark=_DARK)
_both("one cell", "orders", "cards", "name number time place actions", "Pay", same=_ONE, count=9)
