"""Layouts to develop with: nine, and three whose rows cannot be told apart."""

from __future__ import annotations

from benchmarks.identity.layout import Layout
from benchmarks.identity.layouts_habits import HABITS
from benchmarks.identity.layouts_kept import KEPT

__all__ = ["LAYOUTS"]

DEVELOPMENT = (
    Layout(
        "lines",
        "development",
        "people",
        "table",
        "name role status actions",
        ("Edit", "Remove"),
        "td{border-bottom:1px solid #d5d9e0}.b{border:1px solid #9aa3b2;border-radius:4px}",
        count=10,
        height=380,
    ),
    Layout(
        "zebra",
        "development",
        "files",
        "table",
        "name place time actions",
        ("Open", "[bin]"),
        "tr:nth-child(even) td{background:#eef2f7}.b{background:#dbe4f3}",
        count=11,
        height=400,
    ),
    Layout(
        "no lines, dense",
        "development",
        "orders",
        "table",
        "actions name place status",
        ("View",),
        "td{padding:3px 10px}.b{color:#2458c5;padding:1px 4px}",
        count=12,
    ),
    Layout(
        "wrapped rows",
        "development",
        "people",
        "table",
        "name about time actions",
        ("Reply",),
        "td{border-bottom:1px solid #ccc;vertical-align:top}td.about{width:230px}"
        ".b{border:1px solid #555}",
        count=9,
        font="DejaVu Serif",
    ),
    Layout(
        "icons only, dark",
        "development",
        "people",
        "table",
        "name role time actions",
        ("[pen]", "[bin]"),
        "body{background:#191c22;color:#dfe3ea}td{border-bottom:1px solid #333a46}"
        "th{background:#191c22}.b{color:#9fb0cc}",
        count=10,
        height=380,
    ),
    Layout(
        "namesakes",
        "development",
        "people",
        "table",
        "name role actions",
        ("Edit",),
        "td{border-bottom:1px solid #dadada}.b{background:#e9eef8;border-radius:4px}",
        count=9,
        namesakes=True,
    ),
    Layout(
        "cards, pictures only",
        "development",
        "people",
        "cards",
        "avatar actions",
        ("Follow",),
        ".grid{grid-template-columns:repeat(4,1fr)}.item{background:#f3f4f7;border-radius:10px;"
        "text-align:center}.b{background:#2458c5;color:#fff;border-radius:14px}",
        count=12,
    ),
    Layout(
        "list with a side bar",
        "development",
        "orders",
        "list",
        "name status actions",
        ("Details",),
        ".item{border-bottom:1px solid #ddd}.b{border:1px solid #aaa}",
        count=12,
        height=440,
        side_bar=True,
    ),
    Layout(
        "grouped",
        "development",
        "people",
        "list",
        "avatar name time actions",
        ("Call", "[mail]"),
        ".item{border-bottom:1px solid #eee}.b{background:#e6f0ea;border-radius:4px}",
        count=10,
        grouped=True,
        high=760,
    ),
    Layout(
        "no text",
        "development",
        "people",
        "list",
        "actions",
        ("Play", "[bin]"),
        ".item{border-bottom:1px solid #ddd}.b{background:#eee}",
        kind="degenerate",
    ),
    Layout(
        "two rows alike",
        "development",
        "files",
        "table",
        "name place actions",
        ("Open",),
        "td{border-bottom:1px solid #ddd}.b{border:1px solid #999}",
        kind="degenerate",
        twins=True,
    ),
    Layout(
        "one column of buttons",
        "development",
        "people",
        "cards",
        "actions",
        ("Start",),
        ".grid{grid-template-columns:1fr;width:180px}.b{background:#2458c5;color:#fff}",
        kind="degenerate",
    ),
)

LAYOUTS = DEVELOPMENT + KEPT + tuple(HABITS)
"""Layouts of both halves."""
