"""A report is of one moment, whatever another process writes while it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.reports.report import make_report
from memctl.reports.sources import store_at
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path

# Turns and episodes come in pairs, a pair in each transaction.
WRITE = """
    import sys
    import memctl

    with memctl.open("harbor", sys.argv[1]) as memory:
        for number in range(1_000_000):
            with memory.store.transaction():
                memory.log(f"turn {number}", session="one")
                memory.remember(f"episode {number}")
            if not number % 20:
                print(number, flush=True)
"""


def test_tables_that_are_written_together_are_read_together(home: Path) -> None:
    writer = start_python(WRITE, home)
    assert writer.stdout is not None
    seen: list[object] = []
    try:
        for _ in range(6):
            assert writer.stdout.readline().strip().isdecimal(), writer.stderr
            report = make_report("growth", store_at("harbor", home))
            (totals,) = (answer for answer in report.answers if answer.name == "totals")
            rows = {row["table"]: row["rows"] for row in totals.records()}
            assert rows["log"] == rows["episode"]
            seen.append(rows["log"])
    finally:
        writer.kill()
        writer.communicate()
    assert len(set(seen)) > 1, "nothing was written meanwhile"
