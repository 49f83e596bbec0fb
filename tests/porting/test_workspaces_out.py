"""Workspaces of other systems go out and come back: typed files, their index, what is to be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

import memctl

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

TOPIC = """---
name: "写作风格: 简短 🙂"
description: "how to write: short, plain"
type: feedback
created: 2026-09-01
---

## Rule

Write plain English: short sentences 🙂.

## Why

Readers come from six countries: 中国, España.

## How to apply

Read it aloud.
"""
STATE = """# Session State

## Current Task
Ship the importer: 导入 🙂
*Updated: 2026-11-20 10:00 UTC*
## Key Context
- **branch**: folders: two of them
- **path: old**: /tmp/旧
## Recent Decisions
- **2026-11-20 10:01 UTC**: No vectors: **kwargs stay
## Pending Actions
- [ ] Write the docs
- [x] Write the reader ✓
## Blockers
- **2026-11-20 10:02 UTC**: Review is late
"""
TODOS = "# Todos\n- [ ] Renew the certificate: dock 4\n- [x] 买绿茶 🙂\n"


def facts_of(memory: Memory) -> set[tuple[Any, ...]]:
    return {
        (one.text, one.category, one.importance, str(one.valid_from)[:10], str(one.metadata))
        for one in memory.facts.list(limit=-1)
    }


def episodes_of(memory: Memory) -> set[tuple[Any, ...]]:
    return {(one.summary, one.details, one.happened_at, tuple(one.tags)) for one in memory.episodes}


def journal_of(memory: Memory, session: str) -> list[tuple[str, str, str, bool]]:
    entries = memory.journal.of(session).get().entries
    return sorted((one.kind, one.name, one.text, bool(one.done_at)) for one in entries)


def sent_on(memory: Memory, tmp_path: Path, layout: str) -> Memory:
    memory.export_to(tmp_path / "out", layout)
    other = memctl.open("other", tmp_path / "other")
    done = other.import_from(tmp_path / "out")
    assert done.refused == []
    return other


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files = {
        "MEMORY.md": "# Memory\n\n- [写作风格](memory/feedback/style.md) — how to write\n",
        "memory/feedback/style.md": TOPIC,
        "memory/user/ann.md": "---\nname: Ann\ntype: user\n---\nAnn (安) sails: every Sunday 🙂\n",
        "memory/2026-11-18.md": "# 2026-11-18\n\n- 09:30 Sent the report: at last\n"
        "- 10:00 午餐 with Carla\n  at the harbor 🙂\n",
        "SESSION-STATE.md": STATE,
        "memory/session-states/SESSION-STATE-late.md": "## Current Task\nClose the shop\n",
        "todos.md": TODOS,
    }
    for name, text in files.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(text, "utf-8")
    return tmp_path / "in"


def test_a_workspace_of_openclaw_goes_out_and_comes_back(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    memory.import_from(workspace)
    with sent_on(memory, tmp_path, "openclaw") as other:
        assert facts_of(other) == facts_of(memory)
        assert episodes_of(other) == episodes_of(memory)
        for session in ("default", "late", "todos"):
            assert journal_of(other, session) == journal_of(memory, session) != []
        other.export_to(tmp_path / "again", "openclaw")
    for one in (tmp_path / "out").rglob("*.md"):
        if "SESSION-STATE" not in one.name:  # they bear times
            again = tmp_path / "again" / one.relative_to(tmp_path / "out")
            assert again.read_text("utf-8") == one.read_text("utf-8")


def test_a_fact_is_a_typed_file_with_front_matter_and_sections(
    memory: Memory, workspace: Path, tmp_path: Path
) -> None:
    memory.import_from(workspace)
    memory.export_to(tmp_path / "out", "openclaw")
    (file,) = (tmp_path / "out" / "memory" / "feedback").iterdir()
    _, front, body = file.read_text("utf-8").split("---\n", 2)

    assert yaml.safe_load(front)["name"] == "写作风格: 简短 🙂"
    assert yaml.safe_load(front)["description"] == "how to write: short, plain"
    assert yaml.safe_load(front)["type"] == "feedback"
    assert body.strip() == TOPIC.split("---\n", 2)[2].strip()


def test_the_index_has_a_short_line_for_each_file(memory: Memory, tmp_path: Path) -> None:
    long = "The crane [at dock four] stands still on Sundays, because nobody may work then. " * 3
    memory.facts.store(long.strip(), category="lesson")
    memory.facts.store("安娜喜欢绿茶、" * 30 + "🙂", category="preference")
    memory.export_to(tmp_path / "out", "openclaw")
    index = (tmp_path / "out" / "MEMORY.md").read_text("utf-8").splitlines()
    links = [line for line in index if line.startswith("- [")]

    assert len(links) == 2
    assert max(map(len, index)) < 150
    assert all((tmp_path / "out" / one.split("](")[1].split(")")[0]).is_file() for one in links)


MARKDOWN = (
    "first\n\n## second\nthird",
    "- a point\n- another",
    "use **kwargs** <!-- not this -->",
    "Why: because\nof this",
    "# ruff: noqa\nx = 1",
    "---\nrulers\n---",
    "ends: with\ncolons:",
    "**Why:** bold",
)


def test_no_markdown_in_a_fact_changes_it_on_the_way(memory: Memory, tmp_path: Path) -> None:
    for category in ("rule", "operational", "relationship", None):
        for text in MARKDOWN:
            memory.facts.store(f"{text} {category}", category=category, importance=0.35)
    with sent_on(memory, tmp_path, "openclaw") as other:
        told = {(one.text, one.category, one.importance) for one in other.facts.list(limit=-1)}
        here = memory.facts.list(limit=-1)
        assert told == {(one.text, one.category, one.importance) for one in here}
        assert len(told) == 4 * len(MARKDOWN)


def test_a_choice_of_facts_takes_no_journal_along(memory: Memory, tmp_path: Path) -> None:
    memory.facts.store("Ann likes tea", category="preference")
    memory.journal.of("todos").pending("Buy tea")
    memory.export_to(tmp_path / "out", "openclaw", tiers=["facts"])

    assert not (tmp_path / "out" / "todos.md").exists()


def test_the_journal_of_another_user_does_not_leave(home: Path, tmp_path: Path) -> None:
    with memctl.open("harbor", home, user="ann") as hers:
        hers.journal.task("Paint the hull")
    with memctl.open("harbor", home, user="bob") as his:
        his.journal.task("Buy rope")
        his.export_to(tmp_path / "out", "openclaw")
    told = "".join(one.read_text("utf-8") for one in (tmp_path / "out").rglob("*.md"))

    assert "Buy rope" in told
    assert "Paint the hull" not in told


def test_the_tags_of_an_episode_come_back(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Met Bob", tags=("dock", "people"), happened_at="2026-11-02T09:30:00Z")
    memory.remember("Rain", happened_at="2026-11-02T10:30:00Z")
    with sent_on(memory, tmp_path, "openclaw") as other:
        assert episodes_of(other) == episodes_of(memory)


def test_a_folder_of_memoryclaw_goes_out_and_comes_back(memory: Memory, tmp_path: Path) -> None:
    memory.facts.store("Ann: likes 绿茶 🙂", category="preference")
    memory.remember(
        "午餐: with Carla", "at the harbor: 🙂", ("food", "人"), happened_at="2026-10-02"
    )
    memory.aliases.add("NYC", "New York: 纽约")
    with sent_on(memory, tmp_path, "memoryclaw") as other:
        assert [one.text for one in other.facts] == ["Ann: likes 绿茶 🙂"]
        assert episodes_of(other) == episodes_of(memory)
        assert [one.pair for one in other.aliases] == [one.pair for one in memory.aliases]


def test_an_export_of_one_tier_is_recognised(memory: Memory, tmp_path: Path) -> None:
    memory.facts.store("Ann likes tea", category="preference")
    memory.remember("Met Bob", happened_at="2026-11-02")
    for layout in ("openclaw", "memoryclaw", "markdown"):
        for tier in ("facts", "episodes"):
            memory.export_to(tmp_path / f"{layout} {tier}", layout, tiers=[tier])
            with memctl.open("other", tmp_path / f"home of {layout} {tier}") as other:
                assert other.import_from(tmp_path / f"{layout} {tier}").written == 1
