"""Layouts of rows: twelve and three degenerate ones to develop with, six and one for the report."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LAYOUTS", "Layout"]


@dataclass(frozen=True, slots=True)
class Layout:
    """How records are laid out.

    Parameters
    ----------
    shape
        table, cards or list.
    columns
        What a record shows, in this order; ``actions`` stands for its buttons, ``start`` for
        those that come first where they are on both sides.
    buttons
        Words, icons in square brackets, or ``check`` and ``switch``.
    height
        Of the scroller; 0 where the window scrolls.
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
    wide: int = 1000
    high: int = 660


LAYOUTS = (
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
        "borders, roomy",
        "development",
        "people",
        "table",
        "name place role actions",
        ("Approve", "Decline"),
        "td{border:1px solid #b8b8b8;padding:16px 14px}table{border-collapse:collapse}"
        ".b{background:#2f6f4f;color:#fff;border-radius:3px}",
        count=9,
        height=420,
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
        "buttons on both sides",
        "development",
        "files",
        "table",
        "start name time place actions",
        ("check", "Share"),
        "td{border-bottom:1px solid #e3e3e3}.b{border:1px solid #888;border-radius:12px}",
        count=10,
        height=360,
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
        "cards, 3 columns",
        "development",
        "files",
        "cards",
        "name place time actions",
        ("Open", "Copy"),
        ".grid{grid-template-columns:repeat(3,1fr)}.item{border:1px solid #c9ced8;"
        "border-radius:8px}.b{background:#eef1f6}",
        count=9,
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
        "settings",
        "development",
        "settings",
        "list",
        "name actions",
        ("switch",),
        ".item{border-bottom:1px solid #e5e5e5}",
        count=9,
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
    Layout(
        "ledger",
        "report",
        "orders",
        "table",
        "time name actions status place",
        ("Pay", "[dots]"),
        "td{border-bottom:1px dashed #b7ab8c}body{background:#fdf8ea}"
        ".b{border:1px solid #8a6d3b;color:#6b4f1d}",
        count=11,
        height=400,
        font="STIXGeneral",
    ),
    Layout(
        "roster",
        "report",
        "people",
        "table",
        "actions role name time",
        ("[eye]", "[user plus]"),
        "tr:nth-child(odd) td{background:#f0f4ee}td{padding:12px}",
        count=9,
        font="DejaVu Sans Condensed",
        namesakes=True,
    ),
    Layout(
        "library",
        "report",
        "files",
        "cards",
        "sheet name time actions",
        ("Borrow", "[heart]"),
        ".grid{grid-template-columns:repeat(2,1fr)}.item{display:flex;gap:12px;"
        "align-items:center;border:2px solid #333}.b{background:#ffd34d}",
        count=10,
        font="cmss10",
        high=720,
    ),
    Layout(
        "inbox, dark",
        "report",
        "people",
        "list",
        "start name about time actions",
        ("check", "Archive"),
        "body{background:#10161c;color:#cfd8e0}.item{padding:12px}"
        ".b{border:1px solid #3d4a56}.about{width:260px}",
        count=9,
        height=430,
        font="DejaVu Sans Light",
        grouped=False,
    ),
    Layout(
        "faces",
        "report",
        "people",
        "cards",
        "avatar name actions",
        ("Invite", "Mute"),
        ".grid{grid-template-columns:repeat(3,1fr)}.item{border-radius:14px;"
        "box-shadow:0 1px 4px #0003;text-align:center}.b{border:1px solid #7a5cc0;"
        "border-radius:16px;color:#5a3ca0}",
        count=9,
        font="DejaVu Serif",
    ),
    Layout(
        "options",
        "report",
        "settings",
        "list",
        "start name status",
        ("switch",),
        ".item{background:#f6f6fb;margin-bottom:6px}",
        count=10,
        grouped=False,
        side_bar=True,
        font="cmss10",
    ),
    Layout(
        "terminal table",
        "report",
        "files",
        "table",
        "name status place actions",
        ("run", "log"),
        "body{background:#0b0e0b;color:#a6dba0}th{background:#0b0e0b}"
        ".b{background:#1c261c;color:#a6dba0}td{padding:2px 12px}",
        count=12,
        height=330,
        font="DejaVu Sans Mono",
    ),
    Layout(
        "tiles",
        "report",
        "people",
        "cards",
        "actions",
        ("[star]",),
        ".grid{grid-template-columns:repeat(4,1fr)}.item{border:1px solid #ccc}",
        kind="degenerate",
    ),
)
