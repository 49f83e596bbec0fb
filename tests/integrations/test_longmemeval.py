"""The memory of LongMemEval-V2's harness: trajectories are kept, questions get what answers them."""

from __future__ import annotations

import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from integrations.longmemeval import memctl_memory
from integrations.longmemeval.memctl_memory import MemctlMemory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The shape of the harness's own module: a base class with the parameters, and a register.
_HARNESS = """
TYPES = {}
class Memory:
    def __init__(self, memory_params):
        self.memory_params = dict(memory_params)
def register_memory(kind):
    TYPES[kind.memory_type] = kind
    return kind
"""


def _trajectory(name: str, goal: str, *states: tuple[str, str]) -> dict[str, Any]:
    return {
        "id": name,
        "domain": "web",
        "environment": "shop",
        "goal": goal,
        "start_url": "http://shop.test/",
        "outcome": "success",
        "states": [
            {
                "state_index": number,
                "url": f"http://shop.test/{number}",
                "action": action,
                "thought": None,
                "accessibility_tree": tree,
                "screenshot": f"screenshots/{name}/{number}.png",
            }
            for number, (action, tree) in enumerate(states)
        ],
    }


TRAJECTORIES = [
    _trajectory(
        "t1",
        "Refund the order of Ann Moss",
        ("click('Sales')", "menu 'Sales' links 'Orders', 'Credit memos'"),
        ("click('Credit memos')", "table 'Credit memos' button 'New refund' column 'Grand total'"),
    ),
    _trajectory("t2", "Change the shop's banner", ("click('Content')", "menu links 'Blocks'")),
]


@pytest.fixture
def memory() -> Iterator[MemctlMemory]:
    made = MemctlMemory({"max_tokens": 200})
    for trajectory in TRAJECTORIES:
        made.insert(trajectory)
    yield made
    made.close()


def test_a_question_gets_the_state_that_shows_it(memory: MemctlMemory) -> None:
    found = memory.query("Which column has the table of credit memos?")
    assert found[0]["type"] == "text"
    assert found[0]["value"].startswith("[t1, state 1]")
    assert "Grand total" in found[0]["value"]


def test_a_question_about_what_was_never_seen_gets_nothing(memory: MemctlMemory) -> None:
    assert memory.query("Who sells zeppelins?", query_image="question.png") == []


def test_a_question_may_come_in_another_thread(memory: MemctlMemory) -> None:
    with ThreadPoolExecutor(1) as other:
        found = other.submit(memory.query, "banner of the shop").result()
    assert any("banner" in item["value"] for item in found)


def test_a_secret_of_a_page_is_masked_and_the_rest_of_it_kept(memory: MemctlMemory) -> None:
    key = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    memory.insert(_trajectory("t3", "Set up payments", ("fill('key')", f"heading Gateway {key}")))
    [item] = [one for one in memory.query("heading Gateway") if "t3, state" in one["value"]]
    assert "Gateway" in item["value"]
    assert key not in item["value"]


def test_what_was_saved_is_loaded_by_another(memory: MemctlMemory, tmp_path: Path) -> None:
    memory._save_backend(tmp_path)
    other = MemctlMemory({})
    other._load_backend(tmp_path)
    assert other.query("refund the order")
    other.close()


def test_the_harness_finds_it_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory_modules").mkdir()
    (tmp_path / "memory_modules" / "memory.py").write_text(_HARNESS)
    monkeypatch.syspath_prepend(tmp_path)
    again = importlib.reload(memctl_memory)
    try:
        kind = sys.modules["memory_modules.memory"].TYPES["memctl"]
        assert kind is again.MemctlMemory
        made = kind({"max_tokens": 50})
        assert made.memory_params == {"max_tokens": 50}
        made.close()
    finally:
        monkeypatch.undo()
        del sys.modules["memory_modules"], sys.modules["memory_modules.memory"]
        importlib.reload(memctl_memory)
