"""What leaves a store comes back: texts, ids, history, in Markdown and in JSON Lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import memctl
from memctl.store.schema_text import columns, insertion, travelling

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

TEXTS = (
    "---\ntitle: a: b\ntags: [x]\n---\nfront matter with colons",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "# no heading\n- no item\n\n\n  indented\nends with a blank ",
    "你好, 世界 🙂 café",
    '<!-- {"id": "f_1"} -->\n\\s is no blank, C:\\temp\\',
    "two\n\nparagraphs",
    "above\n---\nbelow",
    " blanks at its ends ",
    "\n\nempty lines above\t\n",
    "id: f_1",
    "a line with blanks  \nand more",
    "\u00ad\u200d\ufeff\u2028 signs that nobody sees \U0001f9f3",
    '"quoted": [no, list',
)


def full_store(memory: Memory) -> None:
    """Fill a store with a row of each tier, and facts with a history."""
    for number, text in enumerate(TEXTS):
        memory.log(text, role="user", session=f"thread {number}", details=text)
        memory.remember(text, text, ("a | b", "标签"), ("Ann",), f"2026-03-{number + 1:02}")
    for text in ("Ann likes tea | 中文 🙂", "The gate code of Falcon is in the vault: ask\n- Bob"):
        memory.facts.store(text, category="preference", metadata={"a>b": ["-->", 1]})
    changed = memory.facts.store("The Falcon deadline is 2026-12-01", category="project").ids[0]
    memory.facts.update(changed, "The Falcon deadline is 2026-12-09")
    memory.facts.pin(changed)
    forgotten = memory.facts.store("Carla works in Porto", category="relationship").ids[0]
    memory.facts.forget(forgotten)
    memory.facts.store("The Falcon deadline is 2027-01-09", confidence="low")
    memory.aliases.add("NYC", "New York")
    memory.facts.store("Bob works in Oslo", source="a letter")
    memory.facts.store("Bob works in Oslo", source="a call")
    fact = memory.facts.store("Falcon shipped", category="project").ids[0]
    with memory.store.transaction():
        memory.store.execute(
            "insert into knowledge (kind, subject, title, body, made_at) "
            "values ('tracker', 'falcon', 'Falcon', '# Falcon\n\n- shipped', :now)",
            {"now": "2026-11-20T10:00:00Z"},
        )
        memory.store.execute("insert into knowledge_source values (1, :fact)", {"fact": fact})


def rows_of(memory: Memory, path: Path) -> list[str]:
    """Return the lines of a store's JSON Lines, without the one that names the store."""
    memory.export_to(path, "jsonl")
    return sorted(path.read_text("utf-8").splitlines()[1:])


def test_all_rows_come_back_by_markdown(memory: Memory, tmp_path: Path) -> None:
    full_store(memory)
    memory.export_to(tmp_path / "one")
    with memctl.open("other", tmp_path / "home2") as other:
        imported = other.import_from(tmp_path / "one")

        assert imported.refused == []
        assert rows_of(other, tmp_path / "two") == rows_of(memory, tmp_path / "rows")


def test_json_lines_come_back_to_the_byte(memory: Memory, tmp_path: Path) -> None:
    full_store(memory)
    memory.export_to(tmp_path / "one.jsonl", "jsonl")
    with memctl.open("other", tmp_path / "home2") as other:
        imported = other.import_from(tmp_path / "one.jsonl")
        other.export_to(tmp_path / "two.jsonl", "jsonl")

    one, two = ((tmp_path / name).read_text("utf-8") for name in ("one.jsonl", "two.jsonl"))
    assert imported.refused == []
    assert one.split("\n", 1)[1] == two.split("\n", 1)[1]


KINDS = {
    "text": "some words",
    "time": "2026-11-20T10:00:00Z",
    "number": 0.25,
    "whole": 7,
    "offset": -90,
    "flag": 1,
    "list": '["a", "b"]',
    "object": '{"a": 1}',
}
# Where a check of the schema allows a few words alone.
CHECKED = {
    "confidence": "low",
    "status": "superseded",
    "expires_by": "given",
    "id": {"log": 7, "episode": 8, "fact": "f_abcdefabcdef"},
    "fact_id": "f_abcdefabcdef",
    "log_id": 7,
    "episode_id": 8,
    "knowledge_id": 1,
    "kind": "tracker",
    "synonym": "other words",
}
TABLES = ("log", "episode", "fact", "alias", "knowledge", "fact_history", "fact_support")


def test_every_column_that_is_exported_comes_back_in_json_lines(
    memory: Memory, tmp_path: Path
) -> None:
    with memory.store.transaction():
        for table in (*TABLES, "episode_source", "knowledge_source"):
            names = travelling(table, "export")
            row = {name: CHECKED.get(name, KINDS[columns()[table][name].kind]) for name in names}
            for name, value in row.items():
                row[name] = value[table] if isinstance(value, dict) else value
            memory.store.execute(insertion(table, names), row)
    memory.export_to(tmp_path / "one.jsonl", "jsonl")
    with memctl.open("other", tmp_path / "home2") as other:
        assert other.import_from(tmp_path / "one.jsonl").refused == []
        for table in (*TABLES, "episode_source", "knowledge_source"):
            asked = f"select {', '.join(travelling(table, 'export'))} from {table}"
            there = [tuple(row) for row in other.store.rows(asked)]
            assert there == [tuple(row) for row in memory.store.rows(asked)], table
            assert len(there) == 1


def test_what_came_back_is_found(memory: Memory, tmp_path: Path) -> None:
    full_store(memory)
    memory.export_to(tmp_path / "one")
    with memctl.open("other", tmp_path / "home2") as other:
        other.import_from(tmp_path / "one")

        assert [hit.fact.text for hit in other.facts.search("tea")] == ["Ann likes tea | 中文 🙂"]
        for question in ("世界", "paragraphs"):
            asked = [(row.kind, row.id) for row in memory.recall(question, limit=20)]
            assert [(row.kind, row.id) for row in other.recall(question, limit=20)] == asked
        assert asked
        assert other.store.value("select count(*) from memory_waiting") <= 63


def test_a_skill_comes_back_as_a_draft(memory: Memory, tmp_path: Path) -> None:
    from memctl.procedural.skill_records import SkillDraft, SkillStep

    steps = (SkillStep(1, "click", target="Send", detail="{to}"),)
    memory.skills.approve(memory.skills.add(SkillDraft("send-it", steps, "发送 🙂")).id)
    memory.export_to(tmp_path / "one")
    memory.export_to(tmp_path / "one.jsonl", "jsonl")
    for path in ("one", "one.jsonl"):
        with memctl.open("other", tmp_path / f"home of {path}") as other:
            other.import_from(tmp_path / path)
            (skill,) = other.skills.list()

            assert (skill.name, skill.description, skill.status) == ("send-it", "发送 🙂", "draft")
            assert [one.words for one in skill.steps] == ["click Send {to}"]


def test_rows_of_another_store_get_ids_of_their_own_and_come_once(
    memory: Memory, tmp_path: Path
) -> None:
    turn = memory.log("from harbor", session="a")
    memory.remember("made of a turn", happened_at="2026-11-01", thread="t")
    memory.episodes.add("with its turn", turns=[turn])
    memory.export_to(tmp_path / "one")
    with memctl.open("other", tmp_path / "home2") as other:
        other.log("mine", session="a")
        first = other.import_from(tmp_path / "one")
        again = other.import_from(tmp_path / "one")
        (episode,) = [one for one in other.episodes if one.summary == "with its turn"]
        (source,) = other.episodes.turns_of(episode.id)

        assert (first.written, again.written) == (3, 0)
        assert other.turns.get(source).text == "from harbor"
        assert {one.text for one in other.turns.list()} == {"mine", "from harbor"}


def test_what_comes_back_from_another_store_is_not_doubled(memory: Memory, tmp_path: Path) -> None:
    for text in ("said once", "said twice", "said twice"):
        memory.log(text, session="a", logged_at="2026-11-20T10:00:00Z")
        memory.remember(text, tags=("标签",), happened_at="2026-11-20")
    gone = memory.remember("to be erased", tags=("标签",), happened_at="2026-11-20")
    memory.export_to(tmp_path / "one")
    with memctl.open("other", tmp_path / "home2") as other:
        other.import_from(tmp_path / "one")
        other.log("new there", session="a")
        other.export_to(tmp_path / "two")
    memory.episodes.erase([gone])
    first = memory.import_from(tmp_path / "two")

    assert (first.taken, first.known) == ({"turn": 1}, 6)
    assert ["was erased here" in one.why for one in first.refused] == [True]
    assert memory.import_from(tmp_path / "two").written == 0


def test_an_erased_fact_does_not_come_back_by_an_old_export(memory: Memory, tmp_path: Path) -> None:
    fact = memory.facts.store("Carla works in Porto").ids[0]
    memory.export_to(tmp_path / "one")
    memory.facts.erase(fact)
    imported = memory.import_from(tmp_path / "one")

    assert imported.written == 0
    assert "was erased here" in imported.refused[0].why


def test_a_secret_in_a_history_is_refused(memory: Memory, tmp_path: Path) -> None:
    memory.facts.store("Carla works in Porto")
    memory.export_to(tmp_path / "one.jsonl", "jsonl")
    head, line = (tmp_path / "one.jsonl").read_text("utf-8").splitlines()
    item = json.loads(line)
    item["history"][0]["new_text"] = "the key is ghp_" + "a1B2c3D4e5F6" * 3
    (tmp_path / "one.jsonl").write_text(f"{head}\n{json.dumps(item)}\n", "utf-8")
    with memctl.open("other", tmp_path / "home2") as other:
        imported = other.import_from(tmp_path / "one.jsonl")

        assert imported.written == 0
        assert "looks like a secret" in imported.refused[0].why


def test_values_that_cannot_be_are_refused_and_named(memory: Memory, tmp_path: Path) -> None:
    changes: list[dict[str, object]] = [
        {"status": "glad"},
        {"importance": 7},
        {"valid_to": "1999-01-01T00:00:00Z"},
        {"created_at": "yesterday"},
        {"history": [1]},
        {"metadata": []},
        {"no such key": 1},
    ]
    memory.facts.store("Carla works in Porto")
    memory.export_to(tmp_path / "one.jsonl", "jsonl")
    head, line = (tmp_path / "one.jsonl").read_text("utf-8").splitlines()
    good = {**json.loads(line), "id": "f_000000000001", "text": "Bob works in Oslo"}
    bad = [{**json.loads(line), **change} for change in changes]
    lines = [head, *map(json.dumps, [*bad, good])]
    (tmp_path / "one.jsonl").write_text("\n".join(lines), "utf-8")
    with memctl.open("other", tmp_path / "home2") as other:
        imported = other.import_from(tmp_path / "one.jsonl")

        assert [one.where for one in imported.refused] == [
            f"one.jsonl:{number}" for number in range(2, len(changes) + 2)
        ]
        assert [fact.text for fact in other.facts] == ["Bob works in Oslo"]
