"""Facts of other memories: mem0's history and exports, notes of basic-memory."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from tests.porting.foreign_chats import json_file

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

COLUMNS_NOW = "id, memory_id, old_memory, new_memory, event, created_at, updated_at, is_deleted, actor_id, role"
COLUMNS_ONCE = "id, memory_id, prev_value, new_value, event, timestamp, is_deleted"
COLUMNS_OF_TYPESCRIPT = (
    "id, memory_id, previous_value, new_value, action, created_at, updated_at, is_deleted"
)


def mem0_history(path: Path, columns: str = COLUMNS_NOW, table: str = "history") -> Path:
    """Make a history: one memory was changed, one deleted, one stands as it was added."""
    names = columns.split(", ")
    old, new, event, when = names[2], names[3], names[4], names[5]
    rows = [
        ("1", "a", None, "Ann lives in Porto", "ADD", "2026-01-01T10:00:00+00:00"),
        ("2", "b", None, "Bo likes tea", "ADD", "2026-01-02T10:00:00+00:00"),
        (
            "3",
            "a",
            "Ann lives in Porto",
            "Ann lives in Faro",
            "UPDATE",
            "2026-01-03T10:00:00+00:00",
        ),
        ("4", "b", "Bo likes tea", None, "DELETE", "2026-01-04T10:00:00+00:00"),
        ("5", "c", None, "Cy 在里斯本工作", "ADD", "2026-01-05T10:00:00+00:00"),
    ]
    connection = sqlite3.connect(path)
    connection.execute(f"create table {table} ({columns})")
    connection.executemany(
        f"insert into {table} (id, memory_id, {old}, {new}, {event}, {when}) values (?, ?, ?, ?, ?, ?)",
        rows,
    )
    if columns == COLUMNS_NOW:
        connection.execute(
            "create table messages (id, session_scope, role, content, name, created_at)"
        )
        connection.execute(
            "insert into messages values ('m', 'user_id=ann', 'user', 'I moved to Faro', 'ann', '2026-01-03T10:00:00+00:00')"
        )
    connection.commit()
    connection.close()
    return path


MEM0: list[dict[str, Any]] = [
    {
        "id": "m-1",
        "memory": "Ann prefers tea because coffee keeps her up",
        "hash": "0a",
        "user_id": "ann",
        "metadata": {"category": "preference", "importance": 0.7},
        "categories": None,
        "created_at": "2026-02-01T08:00:00-08:00",
        "expiration_date": None,
    },
    {
        "id": "m-2",
        "memory": "Bo works on the harbor project",
        "agent_id": "planner",
        "categories": ["work", "project"],
        "created_at": "2026-02-02T08:00:00Z",
    },
]


def basic_memory(folder: Path) -> Path:
    """Make a folder of notes with each part that a note may have."""
    (folder / "coffee").mkdir(parents=True)
    (folder / "coffee" / "Coffee Brewing.md").write_text(
        "---\ntitle: 'Coffee: Brewing'\ntype: note\ntags:\n- coffee\n- morning\n"
        "permalink: coffee/coffee-brewing\n---\n\n# Coffee Brewing\n\nHow we brew.\n\n"
        "## Observations\n- [method] Pour over is the clearest #brewing\n"
        "- [decision] Grind at 30 clicks (measured twice) #grind #brewing\n- [ ] buy filters\n\n"
        "## Relations\n- relates_to [[Bean Origins]]\n- requires [[Grinding]] (fresh)\n- [[Tea]]\n",
        encoding="utf-8",
    )
    (folder / "plain.md").write_text("Water is soft here.\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("columns", "table"),
    [
        (COLUMNS_NOW, "history"),
        (COLUMNS_ONCE, "history"),
        (COLUMNS_OF_TYPESCRIPT, "memory_history"),
    ],
)
def test_a_memory_of_a_history_comes_in_as_it_stands(
    memory: Memory, tmp_path: Path, columns: str, table: str
) -> None:
    imported = memory.import_from(mem0_history(tmp_path / "history.db", columns, table))
    assert imported.source == "mem0"
    assert {fact.text: fact.valid_from for fact in memory.facts.list()} == {
        "Ann lives in Faro": "2026-01-01T10:00:00Z",
        "Cy 在里斯本工作": "2026-01-05T10:00:00Z",
    }
    assert imported.remarks == ["history.db: 1 deleted memories left out"]
    said = [(turn.session, turn.speaker, turn.text) for turn in memory.turns.list()]
    assert said == ([("user_id=ann", "ann", "I moved to Faro")] if columns == COLUMNS_NOW else [])


@pytest.mark.parametrize("value", [5, b"a\xff"])
def test_a_memory_that_is_no_text_is_refused_alone(
    memory: Memory, tmp_path: Path, value: object
) -> None:
    path = mem0_history(tmp_path / "history.db")
    connection = sqlite3.connect(path)
    connection.execute("update history set new_memory = ? where id = '3'", (value,))
    connection.commit()
    connection.close()
    imported = memory.import_from(path)
    assert [(one.where, one.why[:24]) for one in imported.refused] == [
        ("history.db:a", '"text" takes text, or No')
    ]
    assert [fact.text for fact in memory.facts.list()] == ["Cy 在里斯本工作"]


@pytest.mark.parametrize("shape", ["array", "results", "memories"])
def test_memories_of_an_export_keep_whose_they_are(
    memory: Memory, tmp_path: Path, shape: str
) -> None:
    given = MEM0 if shape == "array" else {shape: MEM0}
    imported = memory.import_from(json_file(tmp_path / "mem0.json", given))
    assert (imported.source, imported.taken) == ("mem0", {"fact": 2})
    ann, bo = sorted(memory.facts.list(), key=lambda fact: fact.text)
    assert (ann.category, ann.importance, ann.user_id) == ("preference", 0.7, "ann")
    assert ann.valid_from == "2026-02-01T16:00:00Z"
    assert (bo.category, bo.agent_id) == ("project", "planner")


def test_a_note_is_a_fact_for_each_thing_that_it_says(memory: Memory, tmp_path: Path) -> None:
    imported = memory.import_from(basic_memory(tmp_path / "notes"))
    assert (imported.source, imported.refused) == ("basic-memory", [])
    facts = {fact.text: fact for fact in memory.facts.list()}
    assert set(facts) == {
        "Coffee: Brewing: How we brew.",
        "Coffee: Brewing: Pour over is the clearest",
        "Coffee: Brewing: Grind at 30 clicks (measured twice)",
        "Coffee: Brewing relates to Bean Origins",
        "Coffee: Brewing requires Grinding (fresh)",
        "Coffee: Brewing relates to Tea",
        "plain: Water is soft here.",
    }
    assert [one.text for one in memory.journal.of("todos").get().pending] == ["buy filters"]
    decided = facts["Coffee: Brewing: Grind at 30 clicks (measured twice)"]
    assert decided.category == "decision"
    assert decided.metadata == {
        "note": "coffee/coffee-brewing",
        "type": "note",
        "observation": "decision",
        "tags": ["coffee", "morning", "grind", "brewing"],
    }


def test_anchors_tags_and_links_out_of_the_folder_are_refused(
    memory: Memory, tmp_path: Path
) -> None:
    notes = basic_memory(tmp_path / "notes")
    for name, head in (("anchor", "a: &x [1]\nb: *x"), ("tag", "a: !!python/object:os.system x")):
        (notes / f"{name}.md").write_text(f"---\n{head}\n---\ntext\n", encoding="utf-8")
    (tmp_path / "secret.md").write_text("out of it\n", encoding="utf-8")
    (notes / "link.md").symlink_to(tmp_path / "secret.md")
    imported = memory.import_from(notes)
    assert [one.where for one in imported.refused] == ["anchor.md", "tag.md"]
    assert all("holds a" in one.why for one in imported.refused)
    assert imported.taken == {"fact": 7, "journal entry": 1}
