"""Draws records as a page: a table, cards or a list, with the same buttons for each."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from benchmarks.identity.icons import avatar, icon
from benchmarks.identity.pages import Page
from benchmarks.identity.styles import font_face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.identity.layout import Layout
    from benchmarks.identity.records import Record

__all__ = ["draw"]

BASE = """
*{box-sizing:border-box}body{margin:0;background:#fff;color:#22272e}
h1{font-size:1.3em;margin:0;padding:14px 20px}h2{font-size:1.05em;margin:0;padding:10px 12px}
main{display:flex;gap:20px;padding:0 20px}#scroller{overflow:auto;flex:1}
.all{flex:1}table{border-spacing:0;width:100%}
th{text-align:left;padding:8px 12px;position:sticky;top:0;background:#fff;z-index:1}
td{padding:8px 12px}.b{display:inline-flex;padding:4px 12px;margin-right:8px;cursor:pointer;
 white-space:nowrap;align-items:center;vertical-align:middle}.b.i{padding:5px}
.grid{display:grid;gap:14px}.cards .item{padding:12px}.cards .item>*{margin-bottom:6px}
.list .item{display:flex;align-items:center;gap:16px;padding:0 12px;min-height:40px}
.list .name{width:220px}.list .status,.list .time{width:110px}.list .actions{margin-left:auto}
.side{width:170px}.side div{height:41px;padding:11px 8px}
.check{width:15px;height:15px;border:1.5px solid #667;border-radius:3px;display:inline-block;
 vertical-align:middle}
.switch{width:34px;height:18px;border-radius:9px;background:#b4bac6;display:inline-block;
 position:relative}.switch i{position:absolute;left:2px;top:2px;width:14px;height:14px;
 border-radius:50%;background:#fff}.switch.on{background:#2a7d4f}
.switch.on i{left:18px}.check.on{background:#2458c5;box-shadow:inset 0 0 0 3px #fff}
.fold{width:0;height:0;border:5px solid transparent;border-left-color:#556;display:inline-block}
.fold.on{transform:rotate(90deg)}.t{display:inline-flex;margin-right:9px;vertical-align:middle}
svg{display:inline-block;vertical-align:middle}
"""
ICON = 16  # pixels of an icon that has a button around it
SIDE = [
    "Summary",
    "Calendar",
    "Contacts",
    "Reports",
    "Archive",
    "Settings",
    "Help",
    "Imports",
    "Exports",
    "Teams",
]
SAYS = {
    "about": "asks whether the {place} list is complete and who keeps the key for {time}",
    "body": "Shared with everybody. Nothing is due this week.",
}


def draw(
    layout: Layout,
    records: Sequence[Record],
    *,
    scroll: int = 0,
    title: str = "",
    dark: bool = False,
) -> Page:
    """Return the page that shows these records."""
    shape = {"table": _table, "sections": _sections}.get(layout.shape, _items)
    inside = shape(layout, records)
    held = f'<div id="scroller" style="height:{layout.height}px">{inside}</div>'
    content = held if layout.height else f'<div class="all">{inside}</div>'
    size = 14 if layout.font.startswith("DejaVu") else 17
    html = (
        f"<!doctype html><meta charset=utf-8><style>{font_face(layout.font)}{BASE}"
        f'body{{font:{size}px "{layout.font}"}}{layout.css}{_room(layout)}'
        f"{layout.dark if dark else ''}</style>"
        f'<body class="{layout.shape}"><h1>{_text("Page", "title", layout.noun.title())}</h1>'
        f"<main>{_side(layout)}{content}</main>"
    )
    name = f"{layout.name}: {title}"
    return Page(name, html, width=layout.wide, height=layout.high, scroll=scroll)


def _table(layout: Layout, records: Sequence[Record]) -> str:
    columns = layout.columns.split()
    head = "".join(f"<th>{_heading(column)}</th>" for column in columns)
    rows = "".join(
        "<tr>" + "".join(f'<td class="{c}">{_cell(layout, one, c)}</td>' for c in columns) + "</tr>"
        for one in records
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _sections(layout: Layout, records: Sequence[Record]) -> str:
    """Return a heading for each record, and below it rows that say the same of all."""
    return "".join(
        f"<h2>{_text(one.ident, 'name', one.name)}</h2>"
        + "".join(
            f'<div class="item"><div class="name">{button.split()[1]}</div>'
            f'<div class="actions">{_button(one, button)}</div></div>'
            for button in layout.buttons
        )
        for one in records
    )


def _heading(column: str) -> str:
    return "" if column in {"actions", "start"} else _text("Page", column, column.title())


def _items(layout: Layout, records: Sequence[Record]) -> str:
    if not layout.grouped:
        return _group(layout, records)
    roles = sorted({one.role for one in records})
    return "".join(
        f"<h2>{_text('Page', role, role)}</h2>"
        + _group(layout, [one for one in records if one.role == role])
        for role in roles
    )


def _group(layout: Layout, records: Sequence[Record]) -> str:
    items = "".join(
        '<div class="item">'
        + "".join(
            f'<div class="{column}">{_cell(layout, one, column)}</div>'
            for column in layout.columns.split()
        )
        + "</div>"
        for one in records
    )
    return f'<div class="grid">{items}</div>' if layout.shape == "cards" else items


def _cell(layout: Layout, record: Record, column: str) -> str:
    if column == "start":
        return _button(record, layout.buttons[0])
    if column == "actions":
        first = 1 if "start" in layout.columns.split() else 0
        return "".join(_button(record, one, layout.tiny) for one in layout.buttons[first:])
    if column == "avatar":
        return avatar(record.seed, 36 if layout.shape == "list" else 52)
    if column == "sheet":
        return icon("sheet lines", 34)
    if column in SAYS:
        said = SAYS[column].format(place=record.place, time=record.time)
        return said if column == "body" else _text(record.ident, column, said)
    return _text(record.ident, column, str(getattr(record, column)))


def _text(record: str, name: str, said: str) -> str:
    return f'<span data-box="text" data-record="{record}" data-name="{name}">{escape(said)}</span>'


def _button(record: Record, button: str, size: int = 16) -> str:
    marks = f'data-box="button" data-record="{record.ident}" data-name="{button}"'
    on = " on" if record.on else ""
    if button == "check":
        return f'<span class="check{on}" {marks} data-label="Select"></span>'
    if button == "switch":
        return f'<span class="switch{on}" {marks} data-label="Switch"><i></i></span>'
    if button == "fold":
        return f'<span class="fold{on}" {marks} data-label="Fold"></span>'
    if button.startswith("["):
        name = button.strip("[]")
        tiny = "t" if size < ICON else "b i"
        return f'<span class="{tiny}" {marks} data-label="{name}">{icon(name, size)}</span>'
    return f'<span class="b" {marks}>{button.split(maxsplit=1)[0]}</span>'


def _room(layout: Layout) -> str:
    """Return the rule that leaves room to scroll where the window scrolls."""
    return "" if layout.height else "main{padding-bottom:600px}"


def _side(layout: Layout) -> str:
    if not layout.side_bar:
        return ""
    return (
        '<div class="side">'
        + "".join(f"<div>{_text('Side', one, one)}</div>" for one in SIDE)
        + "</div>"
    )
