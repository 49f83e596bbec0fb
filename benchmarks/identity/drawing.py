"""What is drawn: styles of elements, layouts of rows, pairs of labels, records; data in ``pages.toml``."""

from __future__ import annotations

import base64
import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.identity.pages import Page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_name("pages.toml").read_text("utf-8"))


# -- icons -------------------------------------------------------

ICONS: Mapping[str, str] = DATA["icons"]


def icon(name: str, size: int = 16) -> str:
    """Return an icon as inline SVG, in the colour of its text."""
    return (
        f'<svg width="{size}" height="{size}" viewBox="0 0 16 16" fill="none" '
        f'stroke="currentColor" stroke-width="1.6"><path d="{ICONS[name]}"/></svg>'
    )


def avatar(seed: int, size: int = 44) -> str:
    """Return a mirrored pattern of five by five squares: a picture that stands for one person."""
    hue = seed * 47 % 360
    bits = (seed * 2654435761) & 0xFFFFFFFF
    squares = "".join(
        f'<rect x="{x}" y="{i // 3}" width="1.02" height="1.02"/>'
        for i in range(15)
        if bits >> (i + 7) & 1
        for x in {i % 3, 4 - i % 3}
    )
    return (
        f'<svg width="{size}" height="{size}" viewBox="-.5 -.5 6 6" style="background:'
        f'hsl({hue},45%,88%);border-radius:50%" fill="hsl({hue},60%,38%)">{squares}</svg>'
    )


# -- styles ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Style:
    """One look of a page of elements.

    Parameters
    ----------
    margin
        Pixels that the learned boxes are wider than the elements, on each side.
    colours, other_colours
        Page, surface, text, accent and text upon the accent; and those of its other theme.
    """

    name: str
    half: str
    font: str
    size: int
    css: str
    colours: Sequence[str]
    other_colours: Sequence[str]
    icon: int = 16
    margin: int = 0

    def sheet(self, *, other: bool = False) -> str:
        """Return the style sheet, in the usual theme or the other."""
        page, surface, text, accent, upon = self.other_colours if other else self.colours
        return (
            f"{font_face(self.font)}:root{{--page:{page};--surface:{surface};--text:{text};"
            f"--accent:{accent};--upon:{upon}}}"
            f"body{{font:{self.size}px {self.font};background:var(--page);color:var(--text)}}"
            f"{BOARD}{self.css}"
        )


BOARD = """
*{box-sizing:border-box}body{margin:0}
h1{margin:0;padding:14px 20px;font-size:1.3em}
.board{display:grid;grid-template-columns:repeat(6,158px);grid-auto-rows:46px;padding:8px 20px}
.board>*{justify-self:start;align-self:start;display:inline-grid;align-items:center;
 justify-items:center;white-space:nowrap;cursor:pointer}
.board>*>*{display:grid;justify-items:inherit;align-items:center}.board>*>*>*{grid-area:1/1;display:block}svg{display:block}.ghost{visibility:hidden}
"""

STYLES = tuple(Style(**one) for one in DATA["style"])


@cache
def font_face(font: str) -> str:
    """Return the ``@font-face`` of a font that comes with Matplotlib; else nothing."""
    import matplotlib as mpl

    file = Path(mpl.get_data_path(), "fonts", "ttf", f"{font}.ttf")
    if not file.is_file():
        return ""
    data = base64.b64encode(file.read_bytes()).decode()
    return f'@font-face{{font-family:"{font}";src:url(data:font/ttf;base64,{data})}}'


# -- layout ------------------------------------------------------


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
    buttons: Sequence[str]
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


LAYOUTS = tuple(Layout(**one) for one in DATA["layout"])


# -- pairs -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """Two labels or two icons of one element.

    Parameters
    ----------
    kind
        The element: button, line (an outlined button), link, tab, menu, chip, badge or icon.
    nearness
        far (another word), near (one letter or digit, an icon mirrored) or confusable
        (O and 0; l, I and 1; two icons that differ by a stroke).
    """

    kind: str
    one: str
    other: str
    nearness: str


def _read(text: str) -> tuple[Pair, ...]:
    """Read lines of ``kind nearness: one/other, one/other``."""
    pairs = []
    for line in text.strip().splitlines():
        head, _, listed = line.partition(":")
        kind, nearness = head.split()
        for both in listed.split(","):
            one, _, other = both.strip().partition("/")
            pairs.append(Pair(kind, one, other, nearness))
    return tuple(pairs)


PAIRS = {half: _read(lines) for half, lines in DATA["pairs"].items()}


# -- records -----------------------------------------------------

WORDS = DATA["records"]
ALIKE = str.maketrans("aoecnuilthrsm0123456789", "oaceunlitfnzn8714369072")


@dataclass(frozen=True, slots=True)
class Record:
    """One row; ``ident`` is what it is, whatever it is called."""

    ident: str
    name: str
    role: str
    place: str
    status: str
    time: str
    seed: int
    on: bool = False

    @property
    def number(self) -> str:
        """What a first column of ids shows."""
        return f"{self.seed % 90_000 + 10_000}"


def make(noun: str, count: int, half: str, seed: int) -> list[Record]:
    """Return records with distinct names: people, files, orders or settings."""
    pick = random.Random(seed)
    names = {
        "people": _people,
        "files": _files,
        "orders": _orders,
        "settings": _settings,
    }[noun](pick, half)
    return [
        Record(
            f"r{number}",
            name,
            pick.choice(WORDS["roles"]),
            pick.choice(WORDS["places"]),
            pick.choice(WORDS["states"]),
            pick.choice(WORDS["times"]),
            pick.randrange(1, 100_000),
        )
        for number, name in enumerate(names[:count])
    ]


def _people(pick: random.Random, half: str) -> list[str]:
    first, last = WORDS["first"][half].split(), WORDS["last"][half].split()
    names = [f"{pick.choice(first)} {one}" for one in last]
    # Namesakes by half of their names: the row's name must be read to its end.
    names += [f"{name.split()[0]} {pick.choice(last)}sen" for name in names[:6]]
    names = list(dict.fromkeys(names))
    pick.shuffle(names)
    return names


def _files(pick: random.Random, _half: str) -> list[str]:
    stems = WORDS["stems"].split()
    names = [
        f"{pick.choice(stems)}-{pick.randrange(10, 99)}.{pick.choice(WORDS['ends'])}"
        for _ in "x" * 40
    ]
    return list(dict.fromkeys(names))


def _orders(pick: random.Random, _half: str) -> list[str]:
    return [f"Order {number}" for number in pick.sample(range(41_000, 41_400), 40)]


def _settings(pick: random.Random, _half: str) -> list[str]:
    return pick.sample(WORDS["options"], len(WORDS["options"]))


def look_alike(record: Record) -> Record:
    """Return another record whose name differs by one letter or digit."""
    stem = record.name.rsplit(".", 1)[0]
    # From the third quarter outwards: the first character that has a look-alike.
    order = sorted(range(len(stem)), key=lambda i: abs(i - len(stem) * 3 // 4))
    at = next(i for i in order if stem[i].translate(ALIKE) != stem[i])
    name = record.name[:at] + record.name[at].translate(ALIKE) + record.name[at + 1 :]
    return replace(record, ident=record.ident + "-alike", name=name, seed=record.seed + 1)


def other_time(record: Record) -> Record:
    """Return the same record with one changed cell."""
    return replace(
        record, time=WORDS["times"][(WORDS["times"].index(record.time) + 2) % len(WORDS["times"])]
    )


def other_status(record: Record) -> Record:
    """Return the same record with another status and time."""
    status = WORDS["states"][(WORDS["states"].index(record.status) + 1) % len(WORDS["states"])]
    return replace(other_time(record), status=status)


# -- board -------------------------------------------------------

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


# -- drawing -----------------------------------------------------

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
