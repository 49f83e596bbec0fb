"""Related facts become knowledge that cites them; the palace shows the memory as Markdown and writes over nothing of yours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import FileAccessError, UsageError
from memctl.consolidation.views.palace import write_view

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def falcon(memory: Memory, **values: str) -> None:
    for attribute, value in values.items():
        fact = {"subject": "Falcon", "attribute": attribute, "value": value}
        memory.facts.store([fact], category="project")


@pytest.fixture
def busy(memory: Memory) -> Memory:
    falcon(memory, deadline="2026-12-01", owner="Ann", status="in progress")
    return memory


def titles(memory: Memory) -> list[str]:
    return [entry.title for entry in memory.dream.knowledge]


def test_a_project_of_three_facts_gets_a_tracker_that_cites_them(memory: Memory) -> None:
    falcon(memory, deadline="2026-12-01", owner="Ann")
    assert not memory.dream.sublimate().proposed
    falcon(memory, status="in progress")
    assert len(memory.dream.sublimate().proposed) == 1
    assert not memory.dream.knowledge  # that was a preview
    memory.dream.sublimate(apply=True)
    (entry,) = memory.dream.knowledge
    assert (entry.title, len(entry.sources)) == ("Project: Falcon", 3)
    assert all(f"[{fact}]" in entry.body for fact in entry.sources)
    assert not memory.dream.sublimate(apply=True).proposed


def test_what_changes_makes_a_new_version_and_keeps_the_one_before(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    falcon(busy, owner="Ben")
    busy.dream.sublimate(apply=True)
    (entry,) = busy.dream.knowledge
    assert "Ben" in entry.body
    rows = busy.store.rows("select retired_at, superseded_by from knowledge where id = 1")
    assert [tuple(row)[1] for row in rows] == [entry.id]


def test_rules_and_lessons_become_a_work_style_with_their_reasons(memory: Memory) -> None:
    for text in (
        "Always run the linter because the build fails without it",
        "Never push on Fridays",
        "Keep answers short",
    ):
        memory.facts.store(text, category="rule")
    (entry,) = memory.dream.sublimate(apply=True).proposed
    why = entry.body.split("## Why")[1]
    assert ("linter" in why, "Fridays" in why) == (True, False)


def test_a_dense_category_is_suggested_and_not_written(memory: Memory) -> None:
    stacks = (
        "Postgres stores it",
        "Redis caches it",
        "Nginx serves it",
        "Rust runs it",
        "Bun builds it",
    )
    for text in stacks:
        memory.facts.store(text, category="technical")
    assert [one.kind for one in memory.dream.sublimate(apply=True).proposed] == ["dense"]
    assert not memory.dream.knowledge


def test_a_run_of_sublimation_is_taken_back(busy: Memory) -> None:
    run = busy.dream.sublimate(apply=True).run
    assert run is not None
    busy.dream.rollback(run)
    assert not busy.dream.knowledge


def test_a_fact_of_a_later_version_alone_is_erased_too(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    (before,) = busy.dream.knowledge
    falcon(busy, owner="Ben")
    busy.dream.sublimate(apply=True)
    (entry,) = busy.dream.knowledge
    (new,) = set(entry.sources) - set(before.sources)
    busy.facts.erase(new)
    assert not busy.dream.knowledge


def test_the_tracker_goes_when_the_project_is_done(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    falcon(busy, status="done")
    busy.dream.sublimate(apply=True)
    assert titles(busy) == ["Post-mortem: Falcon"]


def test_a_project_in_other_letters_is_the_same_one(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    memory = busy.facts
    memory.store([{"subject": "FALCON", "attribute": "budget", "value": "9"}], category="project")
    busy.dream.sublimate(apply=True)
    assert titles(busy) == ["Project: FALCON"]


@pytest.fixture
def ruled(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T10:00:00Z")
    for text in ("Always run the linter", "Never push on [Fridays](x)"):
        memory.facts.store(text, category="rule")
    memory.facts.store("Keep answers short", category="rule", expires_at="2026-11-21T10:00:00Z")
    return memory


def test_an_entry_goes_with_the_facts_that_made_it(ruled: Memory) -> None:
    ruled.dream.sublimate(apply=True)
    (entry,) = ruled.dream.knowledge
    ruled.facts.forget(entry.sources[0])
    ruled.dream.sublimate(apply=True)
    assert not ruled.dream.knowledge


def test_an_entry_is_of_what_holds_now_and_a_text_is_no_markdown(
    ruled: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruled.facts.store("Never deploy in May", category="rule", valid_from="2027-04-01")
    (entry,) = ruled.dream.sublimate().proposed
    assert "in May" not in entry.body
    assert r"\[Fridays\](x)" in entry.body
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-22T10:00:00Z")  # one of the three has expired
    assert not ruled.dream.sublimate().proposed


def test_what_is_forgotten_is_no_longer_told(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    (gone,) = (fact.id for fact in busy.facts.list() if "Ann" in fact.text)
    busy.facts.forget(gone)
    (entry,) = busy.dream.knowledge
    assert "Ann" not in entry.body
    assert gone not in entry.sources


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("Falcon was completed on 2026-11-20.", True),
        ("We shipped Falcon last week.", True),
        ("Das Projekt Falcon ist abgeschlossen.", True),
        ("Falcon is not done yet.", False),
        ("Falcon will be finished in May.", False),
        ("Heron was completed on 2026-11-20.", False),
    ],
)
def test_a_fact_that_says_so_in_usual_words_ends_a_project(
    busy: Memory, text: str, done: bool
) -> None:
    busy.facts.store(text)
    busy.dream.sublimate(apply=True)
    assert ("Post-mortem: Falcon" in titles(busy)) == done


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


def test_a_view_tells_what_holds_under_what_it_is_about_and_a_text_is_no_markdown(
    full: Memory,
) -> None:
    full.facts.store("The backend moves to *Oracle*", category="technical", valid_from="2027-01-01")
    text = full.dream.palace("technology")
    assert (r"\*Postgres\* 16" in text, "Oracle" in text) == (True, False)
    assert text == full.dream.palace("technology")
    projects = full.dream.palace("projects")
    assert projects.index("## Falcon") < projects.index("2026-12-01")


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
