from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError, UnusableInputError, UsageError
from tests.visual.drawn import numbered
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from tests.visual.conftest import Query


@dataclass(frozen=True)
class Places:
    """A memory that knows three screens."""

    memory: Memory
    home: str
    list: str
    form: str


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The file that every test here starts from, and its three states."""
    home = tmp_path_factory.mktemp("taught")
    with memctl.open("app", home=home) as memory:
        ids = [state_of(memory.learn(*numbered(p, 3).given)) for p in ("Home", "List", "Form")]
        return memory.store.path, ids


@pytest.fixture
def places(memory: Memory, taught: tuple[Path, list[str]]) -> Places:
    file, ids = taught
    memory.store.path.parent.mkdir(parents=True)
    shutil.copy(file, memory.store.path)
    return Places(memory, *ids)


def test_an_act_is_pending_until_it_is_committed(places: Places) -> None:
    transitions = places.memory.transitions
    noted = transitions.record(places.home, "click:Home a", places.list)
    assert (noted.status, noted.count) == ("pending", 0)
    assert [one.id for one in transitions.pending()] == [noted.id]
    assert transitions.list() == []
    (done,) = transitions.commit()
    assert (done.status, done.count, done.successes, done.failures) == ("committed", 1, 1, 0)
    assert transitions.pending() == []
    assert [one.count for one in transitions.list()] == [1]


def test_the_same_act_adds_to_the_same_transition(places: Places) -> None:
    transitions = places.memory.transitions
    for elapsed in (100, 200, None):
        transitions.record(places.home, "click:Home_a", places.list, elapsed_ms=elapsed)
    transitions.commit()
    (edge,) = transitions.list()
    assert (edge.count, edge.successes, edge.mean_ms) == (3, 3, 150.0)


def test_a_failure_teaches(places: Places) -> None:
    transitions = places.memory.transitions
    for failed in (False, True, True):
        transitions.record(places.home, "click:Home_a", places.list, elapsed_ms=100)
        transitions.commit(failed=failed)
    (edge,) = transitions.list()
    assert (edge.count, edge.successes, edge.failures, edge.mean_ms) == (3, 1, 2, 100.0)


def test_one_act_that_leads_to_two_screens_is_two_transitions(places: Places) -> None:
    transitions = places.memory.transitions
    transitions.record(places.home, "click:Home_a", places.list)
    transitions.record(places.home, "click:Home_a", places.form)
    transitions.commit()
    assert {edge.to_state for edge in transitions.list()} == {places.list, places.form}


def test_the_ways_of_one_state_are_those_from_it_and_to_it(places: Places) -> None:
    transitions = places.memory.transitions
    for start, end in ((places.home, places.list), (places.list, places.form)):
        transitions.record(start, "click:Next", end)
    transitions.commit()
    assert [way.to_state for way in transitions.list(state=places.home)] == [places.list]
    assert len(transitions.list(state=places.list)) == 2
    with pytest.raises(NotFoundError):
        transitions.list(state="nowhere")


def test_what_is_discarded_teaches_nothing(places: Places) -> None:
    transitions = places.memory.transitions
    transitions.record(places.home, "click:Home_a", places.list)
    assert transitions.discard() == 1
    assert (transitions.pending(), transitions.list(), transitions.commit()) == ([], [], [])


def test_only_the_chosen_acts_are_committed(places: Places) -> None:
    transitions = places.memory.transitions
    first = transitions.record(places.home, "click:Home_a", places.list)
    second = transitions.record(places.list, "click:List_a", places.form)
    assert second.id is not None
    transitions.commit([second.id, second.id])
    assert [one.id for one in transitions.pending()] == [first.id]
    assert [edge.count for edge in transitions.list()] == [1]


def test_an_unknown_number_among_the_chosen_commits_none(places: Places) -> None:
    transitions = places.memory.transitions
    first = transitions.record(places.home, "click:Home_a", places.list)
    assert first.id is not None
    for wrong in (99, 10**17, -1):
        with pytest.raises(NotFoundError, match="is not pending"):
            transitions.commit([first.id, wrong])
        with pytest.raises(NotFoundError, match="is not pending"):
            transitions.discard([first.id, wrong])
    with pytest.raises(UsageError, match="too large"):
        transitions.commit([first.id, 10**30])
    assert [one.id for one in transitions.pending()] == [first.id]


def test_an_act_on_a_component_survives_its_renaming(places: Places) -> None:
    memory = places.memory
    memory.transitions.record(places.home, "click:home_A", places.list)
    memory.transitions.commit()
    memory.components.rename("Home_a", "Orders")
    assert [edge.action for edge in memory.transitions.list()] == ["click:Orders"]
    assert memory.transitions.path(places.home, places.list).steps[0].action == "click:Orders"


@pytest.mark.parametrize(
    "action", ["key:1", "type:2", "key:ctrl+s", "type:..|/", "wait", "click:x:y"]
)
def test_what_is_typed_is_kept_as_it_is(places: Places, action: str) -> None:
    noted = places.memory.transitions.record(places.home, action, places.list)
    assert (noted.action, noted.component_id) == (action, None)


def test_an_act_that_keeps_its_state_is_an_edge(places: Places) -> None:
    graph = places.memory.transitions
    made = graph.record(places.home, "click:Home_a", places.home)
    graph.commit([made.id] if made.id else None)
    assert [(one.from_state, one.to_state) for one in graph.list()] == [(places.home, places.home)]
    assert graph.path(places.home, places.home).steps == []


def test_acts_are_kept_in_their_order(places: Places, query: Query) -> None:
    for action in ("click:Home_a", "type:hello", "key:Enter"):
        places.memory.transitions.record(places.home, action, places.list, session="s")
    acts = query("select session, action, detail from act order by id")
    assert acts == [("s", "click", None), ("s", "type", "hello"), ("s", "key", "Enter")]


@pytest.mark.parametrize("action", ["", "  ", ":Save", "\x00", "x" * 41])
def test_an_act_without_a_name_is_refused(places: Places, action: str) -> None:
    with pytest.raises(UsageError, match="names no act"):
        places.memory.transitions.record(places.home, action, places.list)


def test_an_act_of_more_letters_than_a_label_is_refused(places: Places) -> None:
    with pytest.raises(UnusableInputError, match="1006 characters"):
        places.memory.transitions.record(places.home, "click:" + "x" * 1000, places.list)


@pytest.mark.parametrize("elapsed", [-1, float("nan"), float("inf"), 1e19, 86_400_001])
def test_a_time_that_is_none_is_refused(places: Places, query: Query, elapsed: float) -> None:
    with pytest.raises(UsageError, match="is no time"):
        places.memory.transitions.record(places.home, "wait", places.list, elapsed_ms=elapsed)
    assert query("select count(*) from transition") == [(0,)]


@pytest.mark.parametrize("key", ["s_000000", "nowhere", "", "\ud800", "'; --"])
def test_an_unknown_state_is_an_error(places: Places, key: str) -> None:
    transitions = places.memory.transitions
    for ends in ((key, places.list), (places.list, key)):
        with pytest.raises(NotFoundError, match="there is no state"):
            transitions.record(ends[0], "click:Home_a", ends[1])
        with pytest.raises(NotFoundError, match="there is no state"):
            transitions.path(*ends)
    assert transitions.pending() == []


def test_a_state_can_be_named_by_its_name(places: Places) -> None:
    memory = places.memory
    memory.states.rename(places.home, "Start")
    memory.states.rename(places.list, "Orders")
    memory.transitions.record("start", "click:Home_a", "ORDERS")
    memory.transitions.commit()
    assert memory.transitions.path("Start", "Orders").to_state == places.list


def test_a_path_from_a_state_to_itself_has_no_steps(places: Places) -> None:
    path = places.memory.transitions.path(places.home, places.home)
    assert (path.steps, path.probability) == ([], 1.0)


def test_there_is_no_path_where_nothing_leads(places: Places) -> None:
    transitions = places.memory.transitions
    transitions.record(places.home, "click:Home_a", places.list)
    with pytest.raises(NotFoundError, match="no known way"):
        transitions.path(places.home, places.list)
    transitions.commit()
    with pytest.raises(NotFoundError, match="no known way"):
        transitions.path(places.list, places.home)


def test_an_act_that_only_failed_is_no_way(places: Places) -> None:
    transitions = places.memory.transitions
    transitions.record(places.home, "click:Home_a", places.list)
    transitions.commit(failed=True)
    with pytest.raises(NotFoundError, match="no known way"):
        transitions.path(places.home, places.list)


def test_a_reliable_detour_is_preferred_to_a_direct_way_that_mostly_fails(places: Places) -> None:
    transitions = places.memory.transitions
    for failed in (False, True, True, True, True, True):
        transitions.record(places.home, "click:Home_a", places.form)
        transitions.commit(failed=failed)
    for _ in range(20):
        transitions.record(places.home, "click:Home_b", places.list)
        transitions.record(places.list, "click:List_a", places.form)
    transitions.commit()
    path = transitions.path(places.home, places.form)
    assert [step.action for step in path.steps] == ["click:Home_b", "click:List_a"]
    product = path.steps[0].probability * path.steps[1].probability
    assert path.probability == pytest.approx(product, abs=1e-6)
    assert path.steps[0].rate == 1.0


def test_the_expected_time_is_unknown_where_a_step_was_never_timed(places: Places) -> None:
    transitions = places.memory.transitions
    transitions.record(places.home, "click:Home_a", places.list, elapsed_ms=900)
    transitions.record(places.list, "click:List_a", places.form)
    transitions.commit()
    assert transitions.path(places.home, places.form).expected_ms is None


def test_an_act_recorded_on_a_state_that_is_merged_belongs_to_its_survivor(
    places: Places,
) -> None:
    memory = places.memory
    memory.transitions.record(places.list, "click:List_a", places.form)
    memory.states.merge(places.home, places.list)
    memory.transitions.commit()
    survivor = memory.states.resolve(places.list)
    assert memory.transitions.path(survivor, places.form).steps[0].from_state == survivor


def test_sqlite_alone_says_where_a_button_leads(places: Places, query: Query) -> None:
    places.memory.transitions.record(places.home, "click:Home_a", places.list, elapsed_ms=50)
    places.memory.transitions.commit()
    asked = "select to_state, success_rate, mean_ms from state_graph where component_name = ?"
    assert query(asked, "Home_a") == [(places.list, 1.0, 50.0)]
