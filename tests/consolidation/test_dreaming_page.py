"""The page about dreaming: its table is what the planted candidates give, its numbers those in force."""

from __future__ import annotations

from pathlib import Path

from memctl.config.dream_settings import DREAM_SETTINGS
from memctl.consolidation.scoring.profiles import PROFILES
from tests.consolidation.planted import table

PAGE = (Path(__file__).parents[2] / "docs" / "dreaming.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_is_the_one_that_is_printed() -> None:
    assert table() in PAGE


def test_the_page_names_every_profile_and_every_setting() -> None:
    for name in (*PROFILES, *(setting.key for setting in DREAM_SETTINGS)):
        assert f"`{name}`" in PAGE or f"{name} NAME" in PAGE
    for profile in PROFILES.values():
        assert profile.name == "memctl" or profile.follows in PAGE
