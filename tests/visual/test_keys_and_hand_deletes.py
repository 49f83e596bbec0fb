"""What a key means, what a label is tied to, and what a delete by hand leaves behind."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UsageError
from memctl.upkeep.doctor import examine
from tests.visual.drawn import numbered, rows

if TYPE_CHECKING:
    from memctl.memory import Memory


def calculator(memory: Memory) -> None:
    """Learn keys whose labels are numbers: "2" is the first component, "9" no component's id."""
    picture, boxes = rows("2", "1", "9").given
    memory.learn(picture, [{**box, "type": "button"} for box in boxes])


def test_a_number_that_is_a_name_and_another_ones_id_is_ambiguous(memory: Memory) -> None:
    calculator(memory)
    assert memory.components.get(1).name == "2"
    with pytest.raises(UsageError, match="the name of component 1 and the id of another"):
        memory.components.erase("2")
    assert len(memory.components.list()) == 3


def test_a_number_that_names_one_component_only_is_its_name(memory: Memory) -> None:
    calculator(memory)
    assert memory.components.get("9").id == 3


def test_a_hash_before_a_number_makes_it_an_id(memory: Memory) -> None:
    calculator(memory)
    assert [memory.components.get(key).name for key in ("#1", "#2", "#3")] == ["2", "1", "9"]


def test_an_act_is_tied_to_the_component_that_bears_the_label(memory: Memory) -> None:
    first = memory.learn(*rows("Sign in", "Help").given).state
    second = memory.learn(*numbered("Home").given).state
    assert first is not None
    assert second is not None
    noted = memory.transitions.record(first.id, "click:Sign in", second.id)
    assert noted.component_id == memory.components.get("Sign_in").id


def _deleted_in_the_shell(memory: Memory, table: str, first: str) -> None:
    """Learn two screens and a click, and delete a row after typing `first`."""
    one = memory.learn(*numbered("Page").given).state
    other = memory.learn(*numbered("Other").given).state
    assert one is not None
    assert other is not None
    memory.transitions.record(one.id, "click:Page a", other.id)
    with closing(sqlite3.connect(memory.store.path)) as shell:
        shell.execute(first)
        shell.execute(f"delete from {table} where rowid = (select min(rowid) from {table})")
        shell.commit()


TABLES = ["component", "template", "state", "observation"]


@pytest.mark.parametrize("table", TABLES)
def test_a_delete_in_the_shell_with_foreign_keys_on_leaves_no_dangling_reference(
    memory: Memory, table: str
) -> None:
    _deleted_in_the_shell(memory, table, "pragma foreign_keys = on")
    assert [one.detail for one in examine(memory.store) if not one.ok] == []


@pytest.mark.parametrize("table", TABLES)
def test_what_a_delete_in_the_shell_leaves_without_them_is_mended(
    memory: Memory, table: str
) -> None:
    _deleted_in_the_shell(memory, table, "pragma foreign_keys = off")
    assert all(one.ok for one in memory.doctor(fix=True))
    assert memory.store.rows("pragma foreign_key_check") == []
