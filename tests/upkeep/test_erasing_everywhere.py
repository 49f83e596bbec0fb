"""What is erased is in no byte of the store's files, whatever column held it, in any order."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

import memctl
from memctl.search.erased_cells import rules
from tests.upkeep.planted import MEMORIES, plant, rows_of

if TYPE_CHECKING:
    from memctl.memory import Memory

# A needle says which column it was planted in; words of several scripts, and signs between.
STEMS = ("Qzneedle{}", "Nädelqz{}", "qz.needle/{}", "qz{} 针线{}活儿")
# How each memory may be chosen; {} is the needle of a column.
WAYS: dict[str, tuple[tuple[str, str], ...]] = {
    "log": (("id", "turn:1"), ("query", "text"), ("participant", "speaker"), ("before", "")),
    "episode": (("id", "episode:1"), ("query", "summary"), ("participant", "participants")),
    "fact": (("id", "f_1"), ("query", "value"), ("participant", "subject")),
    "component": (("id", "component:1"), ("component", "name")),
    "state": (("id", "s_1"), ("state", "")),
}


@st.composite
def plans(draw: st.DrawFn) -> tuple[str, list[tuple[str, tuple[str, str]]], list[int]]:
    """Draw a needle's form, the order and way of erasing, and what each trace repeats."""
    order = draw(st.permutations(MEMORIES))
    chosen = [(table, draw(st.sampled_from(WAYS[table]))) for table in order]
    return draw(st.sampled_from(STEMS)), chosen, draw(st.lists(st.integers(0, 6), min_size=9))


@settings(max_examples=2)
@given(plans())
def test_needles_in_every_column_are_gone_or_listed_and_the_rest_is_as_it_was(
    plan: tuple[str, list[tuple[str, tuple[str, str]]], list[int]],
) -> None:
    stem, chosen, picks = plan
    needles: dict[tuple[str, str], str] = {}

    def needle(table: str, column: str) -> str:
        return needles.setdefault((table, column), stem.replace("{}", f"{len(needles)}x"))

    sources = [("log", "text"), ("log", "speaker"), ("episode", "details"), ("fact", "value"),
               ("component", "label"), ("component", "row_text"), ("state", "title")]  # fmt: skip

    def quote(table: str, column: str) -> str:
        at = picks[len(table + column) % len(picks)]
        return f"told of {needle(*sources[at])} as {column}"

    with tempfile.TemporaryDirectory() as folder, memctl.open("agent", Path(folder)) as memory:
        memory.store.connection(create=True)
        plant(memory.store.path, needle, quote)
        kept = rows_of(memory.store.path, "kept ")
        before = content(memory)
        assert all(stands(word, before) for word in needles.values())
        quoting = dict.fromkeys(
            name
            for table, (way, column) in chosen
            for name in erase(memory, table, way, column, needles)
        )
        for name in quoting:
            with suppress(memctl.NotFoundError):  # it went with another
                assert memory.erase(name, confirm=True).done
        left = content(memory)
        assert [where for where, word in needles.items() if stands(word, left)] == []
        after = rows_of(memory.store.path, "kept ")
        assert {
            table: rows - after[table] for table, rows in kept.items() if rows - after[table]
        } == {}


def erase(
    memory: Memory, table: str, way: str, column: str, needles: dict[Any, str]
) -> tuple[str, ...]:
    """Erase a memory; return the rows that quote it."""
    asked = {"before": "2026-01-02", "state": "s_1"}.get(way) or needles.get((table, column), "")
    if memory.store.value(f"select count(*) from {table}") == 1:
        return ()  # it went with another
    if way == "id":
        receipt = memory.erase(column, confirm=True)
    else:
        receipt = memory.erase(confirm=True, **{way: asked})  # type: ignore[arg-type]
    assert receipt.proof is not None
    assert receipt.proof.found == ()
    assert receipt.proof.proven
    return receipt.still_said


def content(memory: Memory) -> bytes:
    """Return the bytes of all files of a store."""
    return b"".join(p.read_bytes() for p in memory.store.path.parent.glob("agent.db*"))


def stands(word: str, content: bytes) -> bool:
    forms = {word, word.lower(), json.dumps(word)[1:-1]}
    return any(form.encode() in content for form in forms)


def test_every_column_of_text_or_bytes_has_a_rule(memory: Memory) -> None:
    memory.store.connection(create=True)
    columns = memory.store.rows(
        "select t.name, f.name, f.type from pragma_table_list as t "
        "join pragma_table_info(t.name) as f where t.schema = 'main' and t.type = 'table' "
        "and t.name not glob 'sqlite_*'"
    )
    texts = {(table, name) for table, name, kind in columns if kind in ("TEXT", "BLOB")}
    assert texts == {(table, name) for table, found in rules().items() for name in found}
    assert {table for table, _, _ in columns} == set(rules())
