"""`skills detect` says what came nearest where there is no draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

TASK = ("open_the_invoice_page", "fill_in_customer", "send_invoice", "close_page")


@pytest.fixture
def six(home: Path) -> None:
    """Six sessions of the same four calls: one too few."""
    for number in range(6):
        with memctl.open("bills", home, session=f"s{number}") as memory:
            for tool in TASK:
                memory.tool_calls.add(tool, {}, session=f"s{number}", ok=True)


@pytest.mark.usefixtures("six")
def test_the_nearest_candidates_are_shown_in_80_columns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = run("skills", "detect", "--app", "bills").out
    assert shown.startswith("no drafts\n")
    assert all(act in shown for act in TASK)
    assert "too few tasks" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.usefixtures("six")
def test_json_holds_the_near_ones(run: Run) -> None:
    answer = run("skills", "detect", "--app", "bills", "--json").envelope
    assert answer["data"] == []
    (near,) = answer["near"]
    assert (near["names"], near["count"]) == ([*TASK], 6)
    assert near["p_value"] < 1e-6


def test_acts_of_one_task_alone_are_explained(run: Run, home: Path) -> None:
    with memctl.open("bills", home) as memory:
        for tool in TASK * 8:
            memory.tool_calls.add(tool, {}, session="one", ok=True)
    shown = run("skills", "detect", "--app", "bills").out
    assert "a habit needs 7 tasks" in shown
    assert "a pause of ten minutes begins another" in shown
