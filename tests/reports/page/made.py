"""Stores that were filled by hand: as many screens, transitions and components as a test asks for."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

import memctl

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_AT = "2026-11-01T10:00:00Z"
_PALETTE = ((168, 104, 0), (20, 74, 184), (90, 121, 0), (122, 64, 150), (80, 80, 80))


@dataclass(frozen=True, slots=True)
class Size:
    """How much a store holds; every ``stale``-th component is stale, ``forgotten``-th forgotten."""

    states: int = 6
    components: int = 30
    links: int = 8
    stale: int = 7
    forgotten: int = 11


def png_of(number: int, width: int = 96, height: int = 28) -> bytes:
    """Return the picture of a button that differs from number to number."""
    made = np.full((height, width, 3), 245, np.uint8)
    colour = _PALETTE[number % len(_PALETTE)]
    cv2.rectangle(made, (1, 1), (width - 2, height - 2), colour, -1)
    for bit in range(12):
        if number >> bit & 1:
            cv2.rectangle(made, (6 + bit * 7, 8), (10 + bit * 7, height - 9), (255, 255, 255), -1)
    return cv2.imencode(".png", made)[1].tobytes()


def fill(home: Path, address: str, size: Size, *, names: str = "screen {}") -> None:
    """Write a store with screens in a tree of transitions, some further transitions, and their components.

    Parameters
    ----------
    names
        What screens are called, with ``{}`` for their number.
    """
    chance = random.Random(size.states)  # noqa: S311  (the same store every time)
    with memctl.open(address, home) as memory, memory.store.transaction():
        connection = memory.store.connection()
        _states(connection, size, names)
        _components(connection, size)
        _ways(connection, size, chance)


def _states(connection: sqlite3.Connection, size: Size, names: str) -> None:
    connection.executemany(
        """
        insert into state (
            id, name, status, visit_count, first_seen_at, last_seen_at, img_w, img_h, words
        )
        values (?, ?, 'confirmed', ?, ?, ?, 1280, 800, ?)
        """,
        [
            (
                f"s_{n:06x}",
                names.format(n),
                size.states - n + 1,
                f"{_AT[:17]}{n % 60:02}Z",
                _AT,
                b"",
            )
            for n in range(size.states)
        ],
    )


def _components(connection: sqlite3.Connection, size: Size) -> None:
    for n in range(size.components):
        stale = 3 if n % size.stale == size.stale - 1 else 0
        gone = n % size.forgotten == size.forgotten - 1
        connection.execute(
            """
            insert into component (
                id, name, type, source, label, scale, rel_x, rel_y, w, h, confidence,
                learned_at, last_seen_at, seen_count, consecutive_misses, forgotten_at,
                forgotten_why
            )
            values (?, ?, 'button', 'dom', ?, 1, ?, ?, 96, 28, 1, ?, ?, ?, ?, ?, ?)
            """,
            (
                *(n + 1, f"Button_{n}", f"Button {n}", 20 + n % 10 * 120, 20 + n // 10 % 18 * 42),
                *(_AT, _AT, size.components - n + 1, stale),
                *((_AT, "missed 15 times") if gone else (None, None)),
            ),
        )
        connection.execute(
            """
            insert into template (component_id, png, sha256, w, h, scale, learned_at)
            values (?, ?, ?, 96, 28, 1, ?)
            """,
            (n + 1, png_of(n), f"{n:064x}", _AT),
        )
        if size.states:
            connection.execute(
                "insert into state_component values (?, ?, 1, ?, ?)",
                (f"s_{n % size.states:06x}", n + 1, 20 + n % 10 * 120, 20 + n // 10 % 18 * 42),
            )


def _ways(connection: sqlite3.Connection, size: Size, chance: random.Random) -> None:
    ends = [(chance.randrange(max(1, n // 2)), n) for n in range(1, size.states)]
    ends = ends[: size.links]
    while len(ends) < size.links and size.states > 1:
        start, end = chance.sample(range(size.states), 2)
        ends.append((start, end))
    connection.executemany(
        """
        insert into transition (
            from_state, action, detail, to_state, status, successes, failures, total_ms, timed,
            recorded_at, last_used_at
        )
        values (?, 'click', ?, ?, 'committed', ?, ?, 900, 3, ?, ?)
        """,
        [
            (
                *(f"s_{start:06x}", f"Item {number}", f"s_{end:06x}"),
                *(chance.randrange(1, 20), chance.randrange(3), _AT, _AT),
            )
            for number, (start, end) in enumerate(ends)
        ],
    )
