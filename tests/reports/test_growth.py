"""The growth report: rows and bytes, by day and by table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import memctl
from tests.reports.stored import component, fact, look, recall

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.reports.answers import Answer, Report
    from memctl_cli.demo.bundle import Shot


def test_rows_are_counted_on_the_day_they_were_written(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        component(1, learned_at="2026-11-02T00:00:00Z")
        + component(2, learned_at="2026-11-02T23:59:59Z")
        + component(3, learned_at="2026-11-03T00:00:00Z")
        + look(1, "2026-11-05T12:00:00Z", {1: 1, 2: 0})
    )
    found = [
        (row["day"], row["table"], row["rows"])
        for row in answer("growth", "rows_per_day").records()
    ]
    assert found == [
        ("2026-11-02", "component", 2),
        ("2026-11-03", "component", 1),
        ("2026-11-05", "observation", 1),
        ("2026-11-05", "sighting", 2),
    ]


def test_days_of_another_time_are_left_out_and_totals_stay(
    write: Callable[..., None], report: Callable[..., Report]
) -> None:
    write("".join(fact(f"f{n}", created_at=f"2026-11-{n:02}T12:00:00Z") for n in range(1, 10)))
    made = report("growth", since="2026-11-04", until="2026-11-06")
    days = {row["day"] for row in made.answer("rows_per_day").records() if row["table"] == "fact"}
    assert days == {"2026-11-04", "2026-11-05"}
    (total,) = [row for row in made.answer("totals").records() if row["table"] == "fact"]
    assert (total["rows"], total["first_on"], total["last_on"]) == (9, "2026-11-01", "2026-11-09")
    assert total["rows_a_day"] == 1


def test_shares_of_the_bytes_add_up(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(component(1) + recall(1, question="x" * 1000) + fact("one"))
    rows = answer("growth", "totals").records()
    assert abs(sum(float(str(row["share"])) for row in rows) - 1) < 1e-9
    sizes = [int(str(row["bytes"])) for row in rows if row["rows"]]
    assert sizes == sorted(sizes, reverse=True), "the largest first"


def test_what_a_learned_screen_writes_is_all_there(
    home: Path, harbor: dict[str, Shot], answer: Callable[..., Answer]
) -> None:
    with memctl.open("harbor", home, settings={"keep_screenshots": "1"}) as memory:
        shot = harbor["login"]
        memory.learn(shot.png, shot.boxes_file())
        known = {
            table: memory.store.value(f"select count(*) from {table}")
            for table in ("component", "template", "state", "observation", "sighting", "screenshot")
        }
        pictures = memory.store.value("select sum(length(png)) from template")
    rows = {row["table"]: row for row in answer("growth", "totals").records()}
    assert {table: row["rows"] for table, row in rows.items() if row["rows"]} == known
    assert int(str(rows["template"]["bytes"])) > pictures
