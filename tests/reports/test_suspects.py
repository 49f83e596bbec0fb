"""A component is suspect where it was found weakly, away from where it mostly is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.reports.report import make_report
from memctl.reports.sources import store_at

if TYPE_CHECKING:
    from pathlib import Path

# (x, correlation) of each find of a component 20 pixels long.
HOME, AWAY = 100, 300


def suspects(home: Path, finds: list[tuple[int, float]]) -> list[tuple[object, object, object]]:
    """Return finds, those out of place and those suspect, of a component found like this."""
    with memctl.open("harbor", home) as memory:
        with memory.store.transaction():
            pass
        connection = memory.store.connection()
        connection.execute(
            "insert into component (id, name, type, source, scale, rel_x, rel_y, w, h, confidence,"
            " learned_at, last_seen_at, seen_count) values (1, 'Save', 'button', 'dom', 1, 0, 0,"
            " 20, 10, 1, '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', 9)"
        )
        for number, (x, score) in enumerate(finds, 1):
            connection.execute(
                "insert into observation (id, kind, observed_at, img_sha256, img_w, img_h, scale,"
                " found, absent, duration_ms)"
                " values (?, 'match', '2026-11-02T00:00:00Z', '', 9, 9, 1, 1, 0, 1)",
                (number,),
            )
            connection.execute(
                "insert into sighting (observation_id, component_id, found, x, y, w, h, score, how)"
                " values (?, 1, 1, ?, 5, 20, 10, ?, 'hash')",
                (number, x, score),
            )
    report = make_report("matching", store_at("harbor", home))
    (answer,) = (one for one in report.answers if one.name == "suspects")
    return [(row["finds"], row["out_of_place"], row["suspect"]) for row in answer.records()]


def test_weak_finds_elsewhere_are_suspect(home: Path) -> None:
    assert suspects(home, [(HOME, 1.0), (AWAY, 0.82), (HOME, 1.0)]) == [(3, 1, 1)]


def test_a_place_between_two_is_nobodys_usual_one(home: Path) -> None:
    finds = [(HOME, 1.0), (AWAY, 0.82), (HOME, 1.0), (AWAY, 0.82)]
    assert suspects(home, finds) == [(4, 2, 2)]


@pytest.mark.parametrize(
    "finds",
    [
        [(HOME, 1.0), (AWAY, 1.0), (HOME, 1.0)],
        [(HOME, 0.82), (HOME, 0.82), (HOME + 20, 0.82)],
    ],
    ids=["moved, to the pixel", "weak, and where it always is"],
)
def test_one_of_both_alone_is_no_suspicion(finds: list[tuple[int, float]], home: Path) -> None:
    assert suspects(home, finds) == []
