"""An OpenClaw workspace comes in: facts with their categories, what happened, and the open journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.working.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

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


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "workspace" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "workspace"


def facts_of(memory: Memory) -> dict[str, tuple[str | None, str]]:
    listed = memory.facts.list(limit=-1)
    return {fact.text: (fact.category, fact.valid_from[:10]) for fact in listed}


def test_the_workspace_is_recognised_and_read_whole(memory: Memory, workspace: Path) -> None:
    imported = memory.import_from(workspace)

    assert imported.source == "openclaw"
    assert imported.refused == []
    assert imported.remarks == ["memory/palace: it is made of the rest, and is left out"]
    assert imported.taken == {"fact": 12, "episode": 3, "journal entry": 6}


def test_tags_say_categories_and_titles_stand_before_what_they_are_of(
    memory: Memory, workspace: Path
) -> None:
    memory.import_from(workspace)
    found = {text: category for text, (category, _) in facts_of(memory).items()}

    assert found["Communication: Ann prefers answers of one line"] == "preference"
    assert found["Falcon: Deadline is 2026-12-01"] == "project"
    assert found["Falcon: CI runs on three machines | 中文 🙂"] == "technical"
    assert found["Say when you do not know."] == "rule"
    assert found["Dislikes long meetings"] == "preference"
    assert found["Name: Ann Berg"] == "identity"


def test_a_promoted_fact_keeps_its_day_and_importance_without_its_score(
    memory: Memory, workspace: Path
) -> None:
    memory.import_from(workspace)
    (fact,) = [one for one in memory.facts.list(limit=-1) if "Frankfurt" in one.text]

    assert fact.text == "The staging server moves to Frankfurt"
    assert (fact.importance, fact.valid_from[:10]) == (0.8, "2026-10-02")
    assert fact.metadata == {"promoted from": "memory/2026-10-01.md:3-3"}


def test_a_daily_note_is_facts_where_it_is_tagged_and_episodes_where_not(
    memory: Memory, workspace: Path
) -> None:
    memory.import_from(workspace)
    days = {one.summary: (one.happened_at, one.details) for one in memory.episodes}

    assert facts_of(memory)["memctl: Decided to keep one SQLite file per app"] == (
        "project",
        "2026-11-18",
    )
    assert days["Sent the quarterly report to Bob"] == ("2026-11-18T09:30:00Z", "")
    assert days["Lunch with Carla"] == (
        "2026-11-18T00:00:00Z",
        "Lunch with Carla\nat the harbor",
    )
    assert not any("dream that" in summary for summary in days)


def test_a_link_of_the_index_is_no_fact_where_its_file_is_read(
    memory: Memory, workspace: Path
) -> None:
    memory.import_from(workspace)
    found = facts_of(memory)

    style = "Write plain English.\nWhy: Readers come from six countries."
    assert found[style] == ("rule", "2026-09-01")
    assert "Gone: always read the logs first" in found
    assert not any(text.startswith("Style") for text in found)


def test_the_state_of_a_session_becomes_its_journal(memory: Memory, workspace: Path) -> None:
    memory.import_from(workspace)
    state = Journal(memory.store, "default").get()

    assert [(one.kind, one.name, one.text) for one in state.entries if not one.done_at] == [
        ("task", "", "Ship the importer"),
        ("context", "branch", "texts"),
        ("decision", "", "No vectors here"),
        ("pending", "", "Write the docs"),
    ]
    assert [one.text for one in state.entries if one.done_at] == ["Write the reader"]


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

    assert not any("outside" in text for text in facts_of(memory))


def test_a_password_by_its_name_in_a_state_is_refused(memory: Memory, tmp_path: Path) -> None:
    state = "# Session State\n\n## Key Context\n- password: quartz41\n- port: 5433\n"
    (tmp_path / "SESSION-STATE.md").write_text(state)
    done = memory.import_from(tmp_path)
    assert len(done.refused) == 1
    assert [(one.name, one.text) for one in memory.journal.of("default").get().context] == [
        ("port", "5433")
    ]
