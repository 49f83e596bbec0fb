"""An app as many machines show it: drawn here, so that a store learns it from pixels and boxes.

What differs from machine to machine is what differs between people's desks: the font, the density,
the theme, the width of the window, roles that see a control more, whose names stand in the rows,
whether the host names pages, and how exactly it measures boxes. What is the same is the app.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

import memctl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.visual.frame import Pixels

APP = "ledger"
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)
PEOPLE = [
    "Ann",
    "Bob",
    "Cem",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hana",
    "Ivo",
    "Jun",
    "Kofi",
    "Lea",
    "Mona",
    "Nils",
    "Olga",
    "Pia",
    "Quin",
    "Rosa",
]
ICONS = ("cross", "bars", "ring", "arrow", "dots", "box")

MENU = ("Overview", "Invoices", "Customers", "Payments", "Reports", "Settings")
TABS = ("General", "Users", "Billing")


@dataclass(frozen=True)
class Page:
    """A screen of the app.

    Parameters
    ----------
    menu, tab
        The item of the menu, and of the settings' tabs, that is lit here.
    table
        Columns of its table; rows hold data. `acts` are buttons in each row.
    boxes
        How many check boxes without a label but "Done" are on it: nothing tells them apart.
    icons
        Buttons without a label.
    """

    heading: str
    menu: str = ""
    tab: str = ""
    buttons: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    boxes: int = 0


PAGES: dict[str, Page] = {
    "overview": Page(
        "What is due", "Overview", buttons=("Add a widget", "Refresh"), icons=("ring", "bars"),
        texts=("Open amounts by month", "Newest entries"),
    ),
    "invoices": Page(
        "Invoices", "Invoices", buttons=("New invoice", "Import", "Send reminders"),
        table=("Number", "Customer", "Due"), acts=("Open", "Pay"), icons=("arrow", "dots"),
    ),
    "invoice": Page(
        "Invoice", "Invoices", buttons=("Save draft", "Send", "Discard"),
        fields=("Customer name", "Amount", "Due date"), boxes=2,
    ),
    "customers": Page(
        "Customers", "Customers", buttons=("New customer", "Merge duplicates"),
        table=("Name", "Town"), acts=("Open",), icons=("arrow", "dots"),
    ),
    "customer": Page(
        "Customer", "Customers", buttons=("Save customer", "Block", "Write a mail"),
        fields=("First name", "Last name", "Street", "Town"), icons=("cross",),
    ),
    "payments": Page(
        "Payments", "Payments", buttons=("Match automatically", "Upload statement"),
        table=("Payer", "Sum"), acts=("Match",), boxes=3,
    ),
    "reports": Page(
        "Reports", "Reports", buttons=("Profit and loss", "Balance sheet", "Cash flow", "Print"),
        icons=("bars", "ring", "box"),
    ),
    "general": Page(
        "Settings", "Settings", "General",
        buttons=("Apply", "Cancel", "Reset to defaults", "Back up now"),
        fields=("Company", "Currency", "Language"), boxes=2,
    ),
    "users": Page(
        "Settings", "Settings", "Users", buttons=("Invite", "Copy a link"),
        table=("Member", "Role"), acts=("Remove", "Change role"), texts=("Who may sign in",),
    ),
    "billing": Page(
        "Settings", "Settings", "Billing", buttons=("Change plan", "Get receipts", "End the plan"),
        fields=("Card number", "Tax number"), texts=("You pay monthly",),
    ),
    "delete": Page(
        "Delete this invoice?", buttons=("Delete", "Keep it", "Archive instead", "Cancel"),
        texts=("It cannot be undone",),
    ),
    "leave": Page(
        "Leave without saving?", buttons=("Leave", "Save first", "Go on editing", "Cancel"),
        texts=("Your changes are lost",),
    ),
}  # fmt: skip

WAYS = [
    *((page, f"click:{item}", target) for page in ("overview", "invoices", "reports")
      for item, target in (("Invoices", "invoices"), ("Customers", "customers"), ("Reports", "reports"))
      if page != target),
    ("invoices", "click:New invoice", "invoice"), ("customers", "click:New customer", "customer"),
    ("general", "click:Users", "users"), ("users", "click:Billing", "billing"),
    ("invoice", "click:Discard", "leave"), ("leave", "click:Leave", "invoices"),
]  # fmt: skip


def seeded(seed: int | str) -> Random:
    """Return what draws by chance, and the same each time."""
    return Random(seed)  # noqa: S311  (nothing secret)


@dataclass(frozen=True)
class Machine:
    """How one machine shows the app.

    Parameters
    ----------
    reads_rows
        Whether its boxes say which row they are in.
    inexact
        Pixels by which its boxes are too large.
    """

    number: int
    font: int
    size: float
    density: float
    gap: int
    width: int
    ink: tuple[int, int, int]
    paper: int
    names_pages: bool
    reads_rows: bool
    inexact: int
    admin: bool
    noise: int

    @classmethod
    def of(cls, number: int) -> Machine:
        """Return the machine of a number, by chance."""
        chance = seeded(number)
        return cls(
            number,
            font=chance.choice(FONTS),
            size=chance.choice((0.45, 0.5, 0.6)),
            density=chance.choice((1.0, 1.0, 1.25, 1.5)),
            gap=chance.choice((10, 16, 24)),
            width=chance.choice((1000, 1120, 1280)),
            ink=chance.choice(((30, 30, 30), (90, 40, 20), (20, 60, 20))),
            paper=chance.choice((250, 242, 232)),
            names_pages=chance.random() < 0.6,
            reads_rows=chance.random() < 0.7,
            inexact=chance.choice((0, 0, 1)),
            admin=chance.random() < 0.3,
            noise=chance.choice((0, 0, 2)),
        )

    def shown(self, name: str, visit: int = 0) -> tuple[Pixels, list[dict[str, Any]]]:
        """Return a screenshot of a page as this machine shows it on a visit, and its boxes."""
        return _Canvas(self, seeded(f"{self.number}-{name}-{visit}")).page(PAGES[name])


class _Canvas:
    def __init__(self, machine: Machine, chance: Random) -> None:
        self._m = machine
        self._chance = chance
        self._k = machine.density
        self._picture = np.full(
            (round(620 * self._k), round(machine.width * self._k), 3), machine.paper, np.uint8
        )
        self._boxes: list[dict[str, Any]] = []

    def page(self, page: Page) -> tuple[Pixels, list[dict[str, Any]]]:
        """Draw a page from the top; return its picture and its boxes, in any order."""
        if page.menu:
            self._row(MENU, 12, 10, "link", page.menu)
            self._icon("dots", self._m.width - 40, 10)
        self._put(page.heading, 16, 60, "heading", size=1.3)
        y = 110
        if page.tab:
            self._row(TABS, 16, y, "tab", page.tab)
            y += 24 + self._m.gap
        extra = ("Audit log",) if self._m.admin and page.table else ()
        x = self._row((*page.buttons, *extra), 16, y, "button")
        for icon in page.icons:
            x += self._icon(icon, x, y) + self._m.gap
        y = self._column(page.fields, y + 30 + self._m.gap, "textbox", 26, w=260)
        y = self._column(page.texts, y, "text", 22)
        y = self._column(["Done"] * page.boxes, y, "checkbox", 20)
        if page.table:
            self._table(page, y)
        if self._m.noise:
            noise = np.random.default_rng(self._m.number)
            grain = noise.integers(0, self._m.noise + 1, self._picture.shape)
            self._picture = np.clip(self._picture - grain, 0, 255).astype(np.uint8)
        self._chance.shuffle(self._boxes)
        return self._picture, self._boxes

    def _row(self, labels: Sequence[str], x: int, y: int, kind: str, lit: str = "") -> int:
        for label in labels:
            x += self._put(label, x, y, kind, lit=label == lit) + self._m.gap
        return x

    def _column(self, labels: Sequence[str], y: int, kind: str, step: int, w: int = 0) -> int:
        for label in labels:
            self._put(label, 16, y, kind, w=w)
            y += step + self._m.gap
        return y

    def _table(self, page: Page, y: int) -> None:
        step = 150
        for at, column in enumerate(page.table):
            self._put(column, 16 + at * step, y, "text")
        for who in self._chance.sample(PEOPLE, self._chance.randint(2, 4)):
            y += 26 + self._m.gap // 2
            row = f"{who} {self._chance.randint(100, 999)}"
            for at in range(len(page.table)):
                text = row if at == 0 else str(self._chance.randint(1000, 9999))
                self._put(text, 16 + at * step, y, "text", row=row)
            x = 16 + len(page.table) * step
            for act in page.acts:
                x += self._put(act, x, y, "button", row=row) + 12

    def _put(
        self, label: str, x: int, y: int, kind: str, *, lit: bool = False, row: str = "",
        w: int = 0, size: float = 1.0,
    ) -> int:  # fmt: skip
        """Draw a label and keep its box; return its width at density 1."""
        k, m = self._k, self._m
        scale = m.size * size * k
        (wide, high), below = cv2.getTextSize(label, m.font, scale, max(round(k), 1))
        w = w or round(wide / k) + 14
        h = max(22, round((high + below) / k) + 8)
        left, top, width, height = (round(v * k) for v in (x, y, w, h))
        shade = (225, 225, 225) if kind in {"button", "tab"} else None
        shade = (200, 220, 250) if lit else shade
        if shade:
            cv2.rectangle(self._picture, (left, top), (left + width, top + height), shade, -1)
        if kind in {"button", "textbox", "checkbox"}:
            cv2.rectangle(self._picture, (left, top), (left + width, top + height), m.ink, 1)
        base = top + (height + high) // 2
        cv2.putText(
            self._picture, label, (left + round(7 * k), base), m.font, scale, m.ink,
            max(round(k), 1), cv2.LINE_AA,
        )  # fmt: skip
        self._box(left, top, width, height, kind, label, row)
        return w

    def _icon(self, shape: str, x: int, y: int) -> int:
        k, ink = self._k, self._m.ink
        left, top, side = round(x * k), round(y * k), round(22 * k)
        right, bottom, mid = left + side, top + side, (left + side // 2, top + side // 2)
        cv2.rectangle(self._picture, (left, top), (right, bottom), (225, 225, 225), -1)
        thick = max(round(k), 1)
        if shape == "cross":
            cv2.line(self._picture, (left + 4, top + 4), (right - 4, bottom - 4), ink, thick)
            cv2.line(self._picture, (right - 4, top + 4), (left + 4, bottom - 4), ink, thick)
        elif shape == "ring":
            cv2.circle(self._picture, mid, side // 3, ink, thick, cv2.LINE_AA)
        elif shape == "arrow":
            cv2.arrowedLine(self._picture, (left + 3, bottom - 4), (right - 3, top + 4), ink, thick)
        elif shape == "box":
            cv2.rectangle(self._picture, (left + 4, top + 4), (right - 4, bottom - 4), ink, thick)
        else:
            for at in (1, 2, 3):
                at_y = top + at * side // 4
                end = right - 4 if shape == "bars" else left + 6
                cv2.line(self._picture, (left + 4, at_y), (end, at_y), ink, thick + 1)
        self._box(left, top, side, side, "button", "", "")
        return 22

    def _box(self, x: int, y: int, w: int, h: int, kind: str, label: str, row: str) -> None:
        more = self._m.inexact
        box = {"x": x - more, "y": y - more, "w": w + 1 + 2 * more, "h": h + 1 + 2 * more,
               "type": kind, "source": "dom"}  # fmt: skip
        box |= {"label": label} if label else {}
        box |= {"row": row} if row and self._m.reads_rows else {}
        self._boxes.append(box)


def learned(home: Path, number: int, pages: Sequence[str] = tuple(PAGES)) -> Memory:
    """Return the open store of a machine that has learned some pages, and ways between them."""
    machine = Machine.of(number)
    memory = memctl.open(APP, home / f"machine-{number}")
    order = [*pages]
    seeded(number).shuffle(order)
    states = {}
    for name in order:
        picture, boxes = machine.shown(name)
        answer = memory.learn(picture, boxes, page=name if machine.names_pages else None)
        assert answer.state is not None
        states[name] = answer.state.id
    for start, act, end in WAYS:
        if start in states and end in states:
            memory.transitions.record(states[start], act, states[end], elapsed_ms=100)
    memory.transitions.commit()
    return memory


def give(memory: Memory, folder: Path, name: object) -> None:
    """Write the pack of a store, and a copy of it."""
    memory.packs.export_pack(folder / f"{name}.pack", replace=True)
    (folder / f"{name}.store").unlink(missing_ok=True)
    memory.store.connection().execute("vacuum into ?", (str(folder / f"{name}.store"),))


def take(memory: Memory, folder: Path, way: str, name: object) -> None:
    """Take in what `give` wrote, as a ``pack`` or a ``store``."""
    if way == "pack":
        memory.packs.import_pack(folder / f"{name}.pack", unsigned=True)
    else:
        memory.packs.import_store(folder / f"{name}.store")


def counted(memory: Memory) -> tuple[int, int, int]:
    """Return how many components, states and transitions a store knows."""
    return len(memory.components), len(memory.states), len(list(memory.transitions))
