"""Several processes and threads at one file; the processes are real ones."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import BusyError, MemctlError
from tests.visual.drawn import Drawn, Widget, numbered
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from memctl.memory import Memory
    from tests.visual.conftest import OpenMemory, Query

ROOT = Path(__file__).parents[2]
PAGES = [numbered("One", 4), numbered("Two", 4)]

LEARNER = """
import sys, memctl
from tests.visual.drawn import numbered
with memctl.open("app", home=sys.argv[1]) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(5):
        for prefix in ("One", "Two"):
            memory.learn(*numbered(prefix, 4).given)
"""


def many(count: int) -> Drawn:
    """Draw a screen full of different small buttons."""
    places = ((5 + 64 * (at % 25), 5 + 28 * (at // 25)) for at in range(count))
    return Drawn(tuple(Widget(f"cell {x} {y}", x, y, 54, 22) for x, y in places), 1610, 500)


def start(code: str, home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, str(home)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(code: str, home: Path) -> Any:
    """Run a process to its end; return what it printed as JSON."""
    with start(code, home) as process:
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return json.loads(out)


def test_two_learners_at_once_lose_nothing_and_duplicate_nothing(
    memory: Memory, tmp_path: Path, query: Query
) -> None:
    learners = [start(LEARNER, tmp_path) for _ in range(2)]
    for learner in learners:
        assert learner.stdout is not None
        assert learner.stdout.readline() == "ready\n"
    for learner in learners:
        assert learner.stdin is not None
        learner.stdin.write("go\n")
        learner.stdin.flush()
    for learner in learners:
        _, errors = learner.communicate(timeout=60)
        assert learner.returncode == 0, errors
    assert query("select learn_count from store") == [(20,)]
    assert query("select count(*) from observation") == [(20,)]
    assert sorted(c.name for c in memory.components.list()) == [
        f"{page}_{letter}" for page in ("One", "Two") for letter in "abcd"
    ]
    assert {c.seen_count for c in memory.components.list()} == {10}
    assert [state.visit_count for state in memory.states.list()] == [10, 10]
    assert query("select count(*) from template") == [(8,)]
    assert query("pragma integrity_check") == [("ok",)]


WRITER = """
import json, sys, threading, memctl
written = 0
with memctl.open("app", home=sys.argv[1]) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.readline(), over.set()), daemon=True).start()
    while not over.wait(0.02):
        written += 1
        memory.facts.store(f"the depot number {written} opens at {written} o'clock")
print(json.dumps(written))
"""


def test_a_learn_of_many_boxes_lets_another_process_write(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: Query
) -> None:
    memory.learn(*PAGES[0].given)
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "250")
    screen = many(100)
    with start(WRITER, tmp_path) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        writer.stdin.write("go\n")
        writer.stdin.flush()
        answer = memory.learn(*screen.given)
        out, errors = writer.communicate("over\n", timeout=60)
    assert writer.returncode == 0, errors
    assert len(answer.learned) == 100
    assert query("select count(*) from fact") == [(json.loads(out),)]
    assert query("pragma foreign_key_check") == []


def test_an_act_recorded_here_is_seen_and_committed_by_another_process(
    memory: Memory, tmp_path: Path
) -> None:
    one, two = (state_of(memory.learn(*page.given)) for page in PAGES)
    memory.transitions.record(one, "click:One_a", two, elapsed_ms=120)
    code = """
import sys, json, memctl
with memctl.open("app", home=sys.argv[1]) as memory:
    pending = [edge.action for edge in memory.transitions.pending()]
    print(json.dumps([pending, [edge.count for edge in memory.transitions.commit()]]))
"""
    assert run(code, tmp_path) == [["click:One_a"], [1]]
    assert memory.transitions.pending() == []
    assert memory.transitions.path(one, two).expected_ms == 120.0


def test_a_component_erased_while_a_screenshot_is_learned_is_not_learned_anew(
    opened: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = opened(), opened()
    memory.learn(*PAGES[0].given)
    look = memory.visual._look

    def interrupted(*arguments: Any, **options: Any) -> Any:
        monkeypatch.setattr(memory.visual, "_look", look)
        seen = look(*arguments, **options)
        other.components.erase("One_a")
        return seen

    monkeypatch.setattr(memory.visual, "_look", interrupted)
    answer = memory.learn(*PAGES[0].given)
    assert answer.learned == []
    assert [one.why[:16] for one in answer.refused] == ["erased by you on"]
    assert memory.store.rows("pragma foreign_key_check") == []


def test_a_component_deleted_while_a_screenshot_is_matched_leaves_no_trace(
    opened: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = opened(), opened()
    memory.learn(*PAGES[0].given)
    look = memory.visual._look

    def interrupted(*arguments: Any, **options: Any) -> Any:
        seen = look(*arguments, **options)
        other.components.erase("One_a")
        return seen

    monkeypatch.setattr(memory.visual, "_look", interrupted)
    answer = memory.match(PAGES[0].image)
    assert {one.name for one in answer.sightings} == {"One_b", "One_c", "One_d"}
    assert memory.store.rows("pragma foreign_key_check") == []
    counted = memory.store.value("select count(*) from sighting where observation_id = 2")
    assert counted == 3


def test_a_memory_that_another_process_holds_is_busy_and_unchanged(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: Query
) -> None:
    memory.learn(*PAGES[0].given)
    memory.close()
    monkeypatch.setenv("MEMCTL_BUSY_TIMEOUT_MS", "30")
    code = """
import sys, memctl
with memctl.open("app", home=sys.argv[1]) as memory, memory.store.transaction():
    print("locked", flush=True)
    sys.stdin.readline()
"""
    with start(code, tmp_path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with closing(memctl.open("app", home=tmp_path)) as waiting:
            with pytest.raises(BusyError) as caught:
                waiting.learn(*PAGES[1].given)
            assert len(waiting.match(PAGES[0].image, record=False).sightings) == 4
        holder.communicate("done\n", timeout=30)
    assert caught.value.exit_code == 6
    assert query("select learn_count from store") == [(1,)]


def test_a_learner_that_is_killed_leaves_nothing_half_done(
    memory: Memory, tmp_path: Path, query: Query
) -> None:
    memory.learn(*PAGES[0].given)
    code = """
import os, sys, memctl
from memctl.visual import visual
from tests.visual.drawn import numbered
visual.record_look = lambda *_, **__: os._exit(9)
with memctl.open("app", home=sys.argv[1]) as memory:
    memory.learn(*numbered("Two", 4).given)
"""
    with start(code, tmp_path) as process:
        process.communicate(timeout=60)
    assert process.returncode == 9
    assert query("select learn_count from store") == [(1,)]
    assert len(memory.components.list()) == 4
    assert len(memory.states.list()) == 1
    assert query("pragma integrity_check") == [("ok",)]


def test_one_memory_serves_several_threads(memory: Memory) -> None:
    for page in PAGES:
        memory.learn(*page.given)
    ids = [state_of(memory.match(page.image)) for page in PAGES]
    wrong: list[object] = []

    def look(number: int) -> None:
        for _ in range(8):
            try:
                answer = memory.match(PAGES[number].image)
            except MemctlError as error:
                wrong.append(error)
                return
            if answer.state is None or answer.state.id != ids[number]:
                wrong.append(answer)

    threads = [threading.Thread(target=look, args=(number % 2,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert {c.seen_count for c in memory.components.list()} == {1 + 1 + 16}
