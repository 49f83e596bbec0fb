"""Rows of a store, written out as SQL: what a test says of them, the rest as it usually is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def component(number: int, /, **cells: object) -> str:
    """Return the insert of a component, whose cells are those of a button unless told."""
    row = {
        "id": number,
        "name": f"Button_{number}",
        "type": "button",
        "source": "dom",
        "scale": 1,
        "rel_x": 0,
        "rel_y": 0,
        "w": 20,
        "h": 10,
        "confidence": 1,
        "learned_at": "2026-11-01T12:00:00Z",
        "last_seen_at": "2026-11-01T12:00:00Z",
        "seen_count": 2,
        **cells,
    }
    if row.get("forgotten_at"):
        row["forgotten_why"] = "missed"
    return insert("component", row)


def state(name: str, /, **cells: object) -> str:
    """Return the insert of a state."""
    seen = "2026-11-01T12:00:00Z"
    row = {"status": "confirmed", "visit_count": 1, "first_seen_at": seen, "last_seen_at": seen}
    return insert("state", {"id": name, **row, "img_w": 9, "img_h": 9, "words": b"", **cells})


def look(number: int, observed_at: str, sightings: dict[int, int], **cells: object) -> str:
    """Return the inserts of an observation and its sightings: component and whether found."""
    row = {
        "id": number,
        "kind": "learn",
        "observed_at": observed_at,
        "img_sha256": "",
        "img_w": 9,
        "img_h": 9,
        "scale": 1,
        "found": sum(sightings.values()),
        "absent": len(sightings) - sum(sightings.values()),
        "duration_ms": 10,
        **cells,
    }
    seen = [
        insert(
            "sighting",
            {
                "observation_id": number,
                "component_id": one,
                "found": found,
                "x": 5,
                "y": 5,
                "w": 20,
                "h": 10,
                "score": 1,
                "how": "hash",
            },
        )
        for one, found in sightings.items()
    ]
    return insert("observation", row) + "".join(seen)


def recall(number: int, /, **cells: object) -> str:
    """Return the insert of a recall."""
    row = {"asked_at": "2026-11-10T12:00:00Z", "question": "when?", "hits": 1, "duration_ms": 5}
    return insert("recall", {"id": number, **row, **cells})


def insert(table: str, row: Mapping[str, object]) -> str:
    """Return an insert statement with its values written out."""
    return f"insert into {table} ({', '.join(row)}) values ({', '.join(map(_said, row.values()))});"


def _said(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return (
        str(value) if isinstance(value, (int, float)) else "'" + str(value).replace("'", "''") + "'"
    )


def fact(name: str, /, **cells: object) -> str:
    """Return the insert of a fact: its id is its name."""
    written = "2026-11-01T12:00:00Z"
    row = {"text": f"The {name}", "created_at": written, "updated_at": written}
    return insert("fact", {"id": name, "valid_from": written, **row, **cells})


def skill(name: str, /, acts: int = 3, **cells: object) -> str:
    """Return the inserts of a skill that was shown in four looks and ten seconds, and of its acts."""
    row = {
        "id": name,
        "name": name,
        "status": "active",
        "origin": "recorded",
        "shape": name,
        "shown_looks": 4,
        "shown_seconds": 10,
        "created_at": "2026-11-01T12:00:00Z",
        **cells,
    }
    steps = [
        insert("skill_step", {"skill_id": name, "number": number, "action": action})
        for number, action in enumerate([*["click"] * acts, "read"], 1)
    ]
    return insert("skill", row) + "".join(steps)


def skill_run(name: str, seconds: float, /, **cells: object) -> str:
    """Return the insert of a run of a skill, which was done unless told."""
    row = {"skill_id": name, "status": "done", "started_at": "2026-11-02T12:00:00Z"}
    return insert("skill_run", {**row, "seconds": seconds, **cells})
