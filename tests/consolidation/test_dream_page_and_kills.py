"""A killed run goes on, row by row; the page about dreaming gives the numbers in force."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from benchmarks.consolidation.kills import killed, rolled_back
from memctl.config.dream_settings import SCORE_SETS, ScoreSet
from memctl.config.settings import KNOWN
from tests.consolidation.planted import table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kills")


def test_a_killed_run_is_completed_row_by_row(folder: Path) -> None:
    found = killed(folder, 0)
    assert (found.different, found.again) == ((), ())


def test_a_rollback_leaves_what_somebody_changed_and_takes_the_rest(folder: Path) -> None:
    killed(folder, 100)
    assert rolled_back(folder, 0) == ()


PAGE = (Path(__file__).parents[2] / "docs" / "dreaming.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_is_the_one_that_is_printed() -> None:
    assert table() in PAGE


def test_the_page_names_every_set_with_its_numbers_and_every_setting() -> None:
    for name in (*SCORE_SETS, *(key for key in KNOWN if key.startswith("dream_"))):
        assert f"`{name}`" in PAGE or f"{name} NAME" in PAGE
    for field in fields(ScoreSet):
        values = (f"{getattr(numbers, field.name):g}" for numbers in SCORE_SETS.values())
        assert f"| `{field.name}` | {' | '.join(values)} |" in PAGE
