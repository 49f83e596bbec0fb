"""Homes of many stores, for tests of a fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from pathlib import Path


def a_home(home: Path, *addresses: str) -> Path:
    """Return a home with stores that know one fact each, and a turn that a dream reads."""
    for address in addresses:
        with memctl.open(address, home) as memory:
            memory.facts.store(f"Ann likes {address}")
            memory.log(f"Remember that I prefer the night train to {address}.", session="s")
    return home


def files_of(folder: Path, *names: str) -> str:
    """Return the pattern of files that are empty: for tasks that open none."""
    for name in names:
        (folder / f"{name}.db").touch()
    return str(folder / "*.db")
