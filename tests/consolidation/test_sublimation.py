"""Three or more related facts become an entry of knowledge that cites each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
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


def test_a_project_of_three_facts_gets_a_tracker_that_cites_them(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    (entry,) = busy.dream.knowledge
    assert (entry.title, len(entry.sources)) == ("Project: Falcon", 3)
    assert all(f"[{fact}]" in entry.body for fact in entry.sources)


def test_a_project_that_is_done_gets_a_post_mortem(busy: Memory) -> None:
    falcon(busy, status="done")
    busy.dream.sublimate(apply=True)
    assert "Post-mortem: Falcon" in titles(busy)


def test_two_facts_are_too_few(memory: Memory) -> None:
    falcon(memory, deadline="2026-12-01", owner="Ann")
    assert not memory.dream.sublimate().proposed


def test_a_preview_writes_nothing(busy: Memory) -> None:
    assert len(busy.dream.sublimate().proposed) == 1
    assert not busy.dream.knowledge


def test_a_second_run_makes_nothing_new(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    assert not busy.dream.sublimate(apply=True).proposed


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


def test_what_has_expired_makes_no_entry(ruled: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-22T10:00:00Z")
    assert not ruled.dream.sublimate().proposed


def test_what_is_to_come_is_in_no_entry_yet(ruled: Memory) -> None:
    ruled.facts.store("Never deploy in May", category="rule", valid_from="2027-04-01")
    (entry,) = ruled.dream.sublimate().proposed
    assert "in May" not in entry.body


def test_a_text_is_no_markdown_in_an_entry(ruled: Memory) -> None:
    (entry,) = ruled.dream.sublimate().proposed
    assert r"\[Fridays\](x)" in entry.body


def test_an_erased_fact_takes_its_entry_along(busy: Memory) -> None:
    busy.dream.sublimate(apply=True)
    (entry,) = busy.dream.knowledge
    busy.facts.erase(entry.sources[0])
    assert not busy.dream.knowledge


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
