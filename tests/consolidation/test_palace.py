"""The palace shows the memory as Markdown, the same each time, and writes over nothing of yours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import FileAccessError, UsageError
from memctl.consolidation.views.palace import write_view

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def full(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T10:00:00Z")
    memory.remember("Booked the ferry to Bornholm", happened_at="2026-10-02")
    memory.facts.store("We chose Postgres over MySQL", category="decision")
    deadline = {"subject": "Falcon", "attribute": "deadline", "value": "2026-12-01"}
    memory.facts.store([deadline], category="project")
    memory.facts.store("The backend runs on *Postgres* 16", category="technical")
    return memory


def test_the_timeline_tells_episodes_and_decisions_by_month(full: Memory) -> None:
    text = full.dream.palace("timeline")
    assert text.index("## 2026-10") < text.index("Booked the ferry") < text.index("## 2026-11")
    assert "We chose Postgres over MySQL [f_" in text


def test_projects_stand_under_what_they_are_about(full: Memory) -> None:
    text = full.dream.palace("projects")
    assert text.index("## Falcon") < text.index("2026-12-01")


def test_what_holds_from_a_later_day_on_is_not_told_as_if_it_held(full: Memory) -> None:
    full.facts.store("The backend moves to *Oracle*", category="technical", valid_from="2027-01-01")
    assert "Oracle" not in full.dream.palace("technology")


def test_a_text_is_no_markdown(full: Memory) -> None:
    assert r"\*Postgres\* 16" in full.dream.palace("technology")


def test_the_same_store_gives_the_same_text(full: Memory) -> None:
    assert full.dream.palace("timeline") == full.dream.palace("timeline")


def test_a_custom_view_takes_categories(full: Memory) -> None:
    assert "Postgres over MySQL" in full.dream.palace("custom", categories=["decision"])
    with pytest.raises(UsageError, match="names categories"):
        full.dream.palace("custom")
    with pytest.raises(UsageError, match='no category "x"'):
        full.dream.palace("custom", categories=["x"])


def test_an_empty_store_says_so(memory: Memory) -> None:
    assert "Nothing yet." in memory.dream.palace("projects")


def test_a_file_that_memctl_did_not_write_is_left_alone(full: Memory, tmp_path: Path) -> None:
    mine = tmp_path / "timeline.md"
    mine.write_text("# My own notes\n")
    with pytest.raises(FileAccessError, match="was not made by memctl"):
        write_view(mine, full.dream.palace("timeline"))
    assert mine.read_text() == "# My own notes\n"


def test_a_view_is_written_over_its_own_older_one(full: Memory, tmp_path: Path) -> None:
    path = tmp_path / "views" / "timeline.md"
    write_view(path, full.dream.palace("timeline"))
    write_view(path, full.dream.palace("timeline"))
    assert path.read_text().count("Booked the ferry") == 1
    assert [file.name for file in path.parent.iterdir()] == ["timeline.md"]
