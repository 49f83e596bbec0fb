"""The page about dreaming: its table is what the planted candidates give, its numbers those in force."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from memctl.config.dream_settings import SCORE_SETS, ScoreSet
from memctl.config.settings import KNOWN
from tests.consolidation.planted import table

PAGE = (Path(__file__).parents[2] / "docs" / "dreaming.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_is_the_one_that_is_printed() -> None:
    assert table() in PAGE


def test_the_page_names_every_set_with_its_numbers_and_every_setting() -> None:
    for name in (*SCORE_SETS, *(key for key in KNOWN if key.startswith("dream_"))):
        assert f"`{name}`" in PAGE or f"{name} NAME" in PAGE
    for field in fields(ScoreSet):
        values = (f"{getattr(numbers, field.name):g}" for numbers in SCORE_SETS.values())
        assert f"| `{field.name}` | {' | '.join(values)} |" in PAGE
