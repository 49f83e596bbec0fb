"""An OpenClaw workspace comes in: facts with their categories, what happened, and the open journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.porting.importer import Imported
    from memctl.semantic.records import Fact

FILES = {
    "MEMORY.md": """# Memory

## [PREF] Communication
- Ann prefers answers of one line
## [PROJ] Falcon
- Deadline is 2026-12-01
- [TECH] CI runs on three machines | 中文 🙂

## Index
- [Style](memory/feedback/style.md) — how to write
- [Gone](memory/feedback/gone.md) — always read the logs first

## Promoted From Short-Term Memory (2026-10-02)
<!-- openclaw-memory-promotion:memory:memory/2026-10-01.md:3:3 -->
- The staging server moves to Frankfurt [score=0.812 signals=4 recalls=2 avg=0.700 source=memory/2026-10-01.md:3-3] <!-- trigger: staging, server --> <!-- importance: 8 -->
""",
    "memory/2026-11-18.md": """# 2026-11-18

## [PROJ] memctl
- Decided to keep one SQLite file per app

## Log
- 09:30 Sent the quarterly report to Bob
- Lunch with Carla
  at the harbor
<!-- openclaw:dreaming:light:start -->
- a dream that must not come back
<!-- openclaw:dreaming:light:end -->
""",
    "memory/feedback/style.md": """---
name: style
description: how to write
type: feedback
created: 2026-09-01
---
## Rule
Write plain English.
## Why
Readers come from six countries.
""",
    "memory/palace/timeline.md": "# Timeline\n- a view that is made of the rest\n",
    "knowledge/project-tracker.md": "# Tracker\n- Falcon waits for the security review\n",
    "SESSION-STATE.md": """# Session State
## Current Task
Ship the importer
*Updated: 2026-11-20 10:00 UTC*
## Key Context
- **branch**: texts *(2026-11-20 10:00 UTC)*
## Recent Decisions
- **2026-11-20 10:01 UTC**: No vectors here
## Pending Actions
- [ ] Write the docs
- [x] Write the reader ✓
## Blockers
[None]
""",
    "USER.md": "# User\n- **Name:** Ann Berg\n- **Pronouns:**\n- Dislikes long meetings\n",
    "SOUL.md": "# Soul\nSay when you do not know.\n",
    "HEARTBEAT.md": "# Heartbeat\n- Check the mail queue every morning\n",
    "DREAMS.md": "# Dreams\n## 2026-11-17\nI walked through the staging server.\n",
    "todos.md": "- [ ] Renew the certificate\n",
}


def written(folder: Path) -> Path:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return written(tmp_path / "workspace")


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Imported, Memory]]:
    """What an import of the workspace took, and the store."""
    folder = tmp_path_factory.mktemp("openclaw")
    with memctl.open("harbor", folder / "home") as memory:
        yield memory.import_from(written(folder / "workspace")), memory


@pytest.fixture(scope="module")
def facts(taken: tuple[Imported, Memory]) -> dict[str, Fact]:
    return {fact.text: fact for fact in taken[1].facts.list(limit=-1)}


def test_the_workspace_is_recognised_and_read_whole(taken: tuple[Imported, Memory]) -> None:
    imported, _ = taken
    assert imported.source == "openclaw"
    assert imported.refused == []
    assert imported.remarks == ["memory/palace: it is made of the rest, and is left out"]
    assert imported.taken == {"fact": 12, "episode": 3, "journal entry": 6}


def test_tags_are_categories_and_titles_stand_before_what_they_are_of(
    facts: dict[str, Fact],
) -> None:
    assert {
        "Communication: Ann prefers answers of one line": "preference",
        "Falcon: Deadline is 2026-12-01": "project",
        "Falcon: CI runs on three machines | 中文 🙂": "technical",
        "memctl: Decided to keep one SQLite file per app": "project",
        "Say when you do not know.": "rule",
        "Dislikes long meetings": "preference",
        "Name: Ann Berg": "identity",
    }.items() <= {text: fact.category for text, fact in facts.items()}.items()
    assert facts["memctl: Decided to keep one SQLite file per app"].valid_from[:10] == "2026-11-18"


def test_a_promoted_fact_keeps_its_day_and_importance_without_its_score(
    facts: dict[str, Fact],
) -> None:
    fact = facts["The staging server moves to Frankfurt"]
    assert (fact.importance, fact.valid_from[:10]) == (0.8, "2026-10-02")
    assert fact.metadata == {"promoted from": "memory/2026-10-01.md:3-3"}


def test_what_is_not_tagged_in_a_daily_note_is_an_episode(taken: tuple[Imported, Memory]) -> None:
    days = {one.summary: (one.happened_at, one.details) for one in taken[1].episodes}
    assert days["Sent the quarterly report to Bob"] == ("2026-11-18T09:30:00Z", "")
    lunch = ("2026-11-18T00:00:00Z", "Lunch with Carla\nat the harbor")
    assert days["Lunch with Carla"] == lunch
    assert not any("dream that" in summary for summary in days)


def test_a_link_of_the_index_is_no_fact_where_its_file_is_read(facts: dict[str, Fact]) -> None:
    style = facts["Write plain English.\nWhy: Readers come from six countries."]
    assert (style.category, style.valid_from[:10]) == ("rule", "2026-09-01")
    assert "Gone: always read the logs first" in facts
    assert not any(text.startswith("Style") for text in facts)


def test_the_state_of_a_session_becomes_its_journal(taken: tuple[Imported, Memory]) -> None:
    entries = taken[1].journal.of("default").get().entries
    assert [(one.kind, one.name, one.text) for one in entries if not one.done_at] == [
        ("task", "", "Ship the importer"),
        ("context", "branch", "texts"),
        ("decision", "", "No vectors here"),
        ("pending", "", "Write the docs"),
    ]
    assert [one.text for one in entries if one.done_at] == ["Write the reader"]


def test_importing_again_adds_nothing_and_a_secret_is_refused_by_its_place(
    memory: Memory, workspace: Path
) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    (workspace / "memory" / "2026-11-19.md").write_text(f"- The token is {key}\n- Rain\n", "utf-8")
    first = memory.import_from(workspace)
    second = memory.import_from(workspace)

    assert [one.where for one in first.refused] == ["memory/2026-11-19.md:1"]
    assert second.written == 0
    assert second.known == first.written


def test_a_link_out_of_the_folder_is_not_followed(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside.md").write_text("- what is outside\n", "utf-8")
    (workspace / "memory" / "trap.md").symlink_to(tmp_path / "outside.md")
    (workspace / "SOUL.md").unlink()
    (workspace / "SOUL.md").symlink_to(tmp_path / "outside.md")
    memory.import_from(workspace)

    assert not any("outside" in fact.text for fact in memory.facts.list(limit=-1))


def test_a_password_by_its_name_in_a_state_is_refused(memory: Memory, tmp_path: Path) -> None:
    state = "# Session State\n\n## Key Context\n- password: quartz41\n- port: 5433\n"
    (tmp_path / "SESSION-STATE.md").write_text(state)
    done = memory.import_from(tmp_path)
    assert len(done.refused) == 1
    assert [(one.name, one.text) for one in memory.journal.of("default").get().context] == [
        ("port", "5433")
    ]
