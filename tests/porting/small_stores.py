"""Small stores of one app, made by the shipped API, and what they say, to be compared."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import memctl
from memctl.porting.packs.app_memory import read_memory
from tests.visual.drawn import Drawn, Widget, rows

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.store.store import Store

MENU = rows("Home", "Orders", "Settings")
HOME = MENU.plus(*rows("Search", "Print", "Export", top=90).widgets)
ORDERS = MENU.plus(*rows("New order", "Filter", "Archive", "Sort", top=90).widgets)
SETTINGS = MENU.plus(*rows("Save", "Reset", "Language", top=90).widgets)
# The same words on other buttons, where others stand elsewhere.
OTHER = MENU.plus(replace(rows("Save", top=200).widgets[0], look="quite another Save"))

Learned = tuple[tuple[str, Drawn], ...]
SCREENS: dict[str, Learned] = {
    "a": (("home", HOME), ("orders", ORDERS), ("home", HOME)),
    "b": (("orders", ORDERS), ("settings", SETTINGS), ("orders", ORDERS)),
    "c": (("home", HOME), ("other", OTHER)),
}
ACTS = {
    "a": [("home", "click:Orders", "orders")] * 2,
    "b": [("orders", "click:Settings", "settings"), ("settings", "click:Save", "settings")],
    "c": [("home", "click:Save", "other")],
}


def made(home: Path, name: str) -> Memory:
    """Return a store that has learned some screens and acts."""
    memory = memctl.open("harbor", home / name)
    for page, screen in SCREENS[name]:
        memory.learn(*screen.given, page=page)
    for start, action, end in ACTS[name]:
        memory.transitions.record(start, action, end, elapsed_ms=200)
    memory.transitions.commit()
    return memory


def said(store: Store, level: Any = "store") -> str:
    """Return all that a store says of its app, as text."""
    return json.dumps(read_memory(store, level).lists, default=repr, sort_keys=True)


def copied(memory: Memory, path: Path) -> Path:
    """Return a copy of a store's file, closed."""
    memory.close()
    shutil.copy(memory.store.path, path)
    return path


__all__ = ["ACTS", "HOME", "MENU", "ORDERS", "SCREENS", "Widget", "copied", "made", "said"]
