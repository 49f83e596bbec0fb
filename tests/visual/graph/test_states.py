from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UsageError
from memctl_cli.demo import bundle
from tests.visual.drawn import Drawn, Widget, numbered, rows

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.match_results import Match
    from tests.visual.conftest import OpenMemory, Query


def merging(opened: OpenMemory) -> Memory:
    """Open a memory that tells states apart by little, and merges them early."""
    return opened(state_match="0.95", state_merge="0.5")


def state_of(answer: Match) -> str:
    assert answer.state is not None
    return answer.state.id


def two_alike(memory: Memory) -> tuple[str, str, Drawn, Drawn]:
    """Teach two provisional states that share 6 of 8 components: plain Jaccard 0.75."""
    shared = rows("Home", "Search", "Inbox", "Draft", "Sent", "Trash")
    one = shared.plus(Widget("First", 20, 200))
    other = shared.plus(Widget("Second", 200, 200))
    return state_of(memory.learn(*one.given)), state_of(memory.learn(*other.given)), one, other


def test_a_screen_seen_for_the_first_time_has_a_provisional_state(memory: Memory) -> None:
    answer = memory.learn(*numbered("Page").given)
    assert answer.state_created
    assert answer.state is not None
    assert answer.state.status == "provisional"
    assert answer.state.id.startswith("s_")
    assert len(answer.state.id) == len("s_") + 6
    assert memory.states.get(answer.state.id).component_count == 6


def test_it_is_confirmed_when_it_is_seen_again(memory: Memory) -> None:
    screen = numbered("Page")
    first = state_of(memory.learn(*screen.given))
    again = memory.learn(*screen.given)
    assert again.state is not None
    assert (again.state.id, again.state.status) == (first, "confirmed")
    assert memory.states.get(first).visit_count == 2


def test_what_was_on_it_only_the_first_time_does_not_define_it(memory: Memory) -> None:
    stable = numbered("Page", 15)
    first = state_of(memory.learn(*stable.plus(Widget("Banner", 200, 280)).given))
    memory.learn(*stable.given)
    defining = [one.name for one in memory.states.get(first).components]
    assert "Banner" not in defining
    assert len(defining) == 15


def test_a_state_with_the_components_of_another_gets_a_longer_id(memory: Memory) -> None:
    screen = numbered("Page")
    first = state_of(memory.learn(*screen.given, page="one"))
    second = state_of(memory.learn(*screen.given, page="two"))
    third = state_of(memory.learn(*screen.given, page="three"))
    assert second[:-1] == first
    assert third[:-2] == first


def test_the_same_screen_has_the_same_id_in_another_store(opened: OpenMemory) -> None:
    ids = {state_of(opened(app).learn(*numbered("Page").given)) for app in ("one", "two")}
    assert len(ids) == 1


def test_pages_of_different_names_are_never_one_state(memory: Memory) -> None:
    screen = numbered("Page")
    one = state_of(memory.learn(*screen.given, page="one"))
    other = state_of(memory.learn(*screen.given, page="two"))
    assert one != other
    for _ in range(2):
        assert state_of(memory.learn(*screen.given, page="one")) == one
        assert state_of(memory.learn(*screen.given, page="two")) == other
    assert state_of(memory.match(screen.image, page="two")) == other


def test_a_page_named_later_names_the_state(memory: Memory) -> None:
    screen = numbered("Page")
    first = state_of(memory.learn(*screen.given))
    assert state_of(memory.learn(*screen.given, page="inbox")) == first
    assert memory.states.get(first).page == "inbox"


def test_screens_are_told_apart_and_recognised(memory: Memory) -> None:
    pages = [numbered(prefix) for prefix in ("One", "Two", "Three")]
    ids = [state_of(memory.learn(*page.given)) for page in pages]
    assert len(set(ids)) == 3
    assert [state_of(memory.match(page.image)) for page in pages] == ids
    assert memory.match(numbered("Four").image).state is None


def test_a_scrolled_page_is_the_same_state(memory: Memory) -> None:
    page, scrolled = bundle.shot("customers"), bundle.shot("customers-scrolled")
    state = state_of(memory.learn(page.png, page.boxes_file()))
    assert state_of(memory.match(scrolled.png)) == state
    answer = memory.learn(scrolled.png, scrolled.boxes_file())
    assert state_of(answer) == state
    assert not answer.state_created


def test_what_scrolled_off_the_screen_is_no_miss(memory: Memory) -> None:
    tall = numbered("Page", 15)
    memory.learn(*tall.given)
    answer = memory.learn(tall.moved(0, -60).image, [])
    assert [one.name for one in answer.absent] == []
    assert {c.consecutive_misses for c in memory.components.list()} == {0}


def test_a_page_that_was_never_seen_is_none_of_its_siblings_in_one_frame(memory: Memory) -> None:
    frame = numbered("Navigation", 15)
    users, rights, logs = (
        frame.plus(*(Widget(f"{page} {part}", 20 + 150 * part, 280) for part in range(3)))
        for page in ("Users", "Rights", "Logs")
    )
    for name, page in (("users", users), ("rights", rights)):
        memory.learn(*page.given, page=name)
    assert memory.match(logs.image).state is None
    assert [state_of(memory.match(one.image)) for one in (users, rights)] == [
        one.id for one in sorted(memory.states.list(), key=lambda one: str(one.page), reverse=True)
    ]


def test_states_that_turn_out_alike_are_merged(opened: OpenMemory) -> None:
    memory = merging(opened)
    first, second, one, other = two_alike(memory)
    assert first != second
    assert memory.learn(*one.given).states_merged == []
    (merged,) = memory.learn(*other.given).states_merged
    assert (merged.merged, merged.into) == (second, first)
    assert 0.5 < merged.similarity < 0.75
    survivor = memory.states.get(first)
    assert survivor.visit_count == 4
    assert {c.name for c in survivor.components} >= {"First", "Second"}
    assert memory.states.get(second).id == first


def test_provisional_states_are_not_merged(opened: OpenMemory) -> None:
    memory = merging(opened)
    first, _, one, _ = two_alike(memory)
    assert memory.learn(*one.given).states_merged == []
    assert len(memory.states.list()) == 2
    assert memory.states.get(first).status == "confirmed"


def test_alike_states_of_different_pages_are_not_merged(opened: OpenMemory) -> None:
    memory = merging(opened)
    shared = rows("Home", "Search", "Inbox", "Draft", "Sent", "Trash")
    for _ in range(3):
        assert memory.learn(*shared.given, page="one").states_merged == []
        assert memory.learn(*shared.given, page="two").states_merged == []
    assert len(memory.states.list()) == 2


def test_a_merge_keeps_the_sum_of_visits_and_of_transitions(memory: Memory) -> None:
    one, other, far = (state_of(memory.learn(*numbered(p).given)) for p in ("One", "Two", "Far"))
    for start in (one, other):
        for elapsed in (100, 300):
            memory.transitions.record(start, "click:Go", far, elapsed_ms=elapsed)
    memory.transitions.commit()
    memory.transitions.record(other, "click:Go", far)
    memory.transitions.commit(failed=True)
    memory.states.merge(one, other)
    survivor = memory.states.get(one)
    assert survivor.visit_count == 2
    assert survivor.component_count == 12
    (edge,) = memory.transitions.list()
    assert (edge.from_state, edge.to_state) == (survivor.id, far)
    assert (edge.count, edge.successes, edge.failures, edge.mean_ms) == (5, 4, 1, 200.0)


def test_a_merge_makes_no_transition_from_a_state_to_itself(memory: Memory) -> None:
    one, other = (state_of(memory.learn(*numbered(p).given)) for p in ("One", "Two"))
    memory.transitions.record(one, "click:Go", other)
    memory.transitions.commit()
    memory.states.merge(one, other)
    assert memory.transitions.list() == []


def test_restoring_a_merged_state_brings_everything_back(memory: Memory) -> None:
    one, other = (state_of(memory.learn(*numbered(p).given)) for p in ("One", "Two"))
    memory.transitions.record(one, "click:Go", other)
    memory.transitions.commit()
    before, edges = list(memory.states.list()), list(memory.transitions.list())
    merged = memory.states.merge(one, other)
    memory.states.restore(merged.merged)
    assert list(memory.states.list()) == before
    assert list(memory.transitions.list()) == edges


def test_a_chain_of_merges_ends_at_one_state(memory: Memory) -> None:
    ids = [state_of(memory.learn(*numbered(p).given)) for p in ("One", "Two", "Three")]
    memory.states.merge(ids[0], ids[1])
    memory.states.merge(ids[1], ids[2])
    assert len({memory.states.resolve(key) for key in ids}) == 1
    assert [state.visit_count for state in memory.states.list()] == [3]


def test_the_name_of_a_merged_state_is_its_survivors_until_it_is_restored(memory: Memory) -> None:
    one, other = (state_of(memory.learn(*numbered(p).given)) for p in ("One", "Two"))
    memory.learn(*numbered("One").given)
    memory.states.rename(other, "Orders")
    memory.states.merge(one, other)
    assert memory.states.get("orders").id == one
    assert memory.states.get(one).name == "Orders"
    answer = memory.match(numbered("One").image)
    assert answer.state is not None
    assert answer.state.name == "Orders"
    assert memory.states.restore(other).name == "Orders"
    assert memory.states.get(one).name is None


def test_a_restored_state_whose_name_is_taken_gets_a_number(memory: Memory) -> None:
    one, other, third = (
        state_of(memory.learn(*numbered(p).given)) for p in ("One", "Two", "Three")
    )
    memory.states.rename(one, "Invoices")
    memory.states.rename(other, "Orders")
    merged = memory.states.merge(one, other).merged
    name = "Invoices" if merged == one else "Orders"
    memory.states.rename(third, name)
    assert memory.states.restore(merged).name == f"{name}_2"
    assert memory.states.get(name).id == third


def test_restoring_what_is_neither_merged_nor_forgotten_is_refused(memory: Memory) -> None:
    state = state_of(memory.learn(*numbered("One").given))
    with pytest.raises(UsageError, match="neither merged nor forgotten"):
        memory.states.restore(state)
    with pytest.raises(NotFoundError, match='never was a state "s_123456"'):
        memory.states.restore("s_123456")


def test_a_state_cannot_be_merged_with_itself(memory: Memory) -> None:
    state = state_of(memory.learn(*numbered("One").given))
    with pytest.raises(UsageError, match="are the same state"):
        memory.states.merge(state, state)


@pytest.mark.parametrize("taken", ["Übersicht", "übersicht", "ÜBERSICHT"])
def test_state_names_are_unique_whatever_their_case(memory: Memory, taken: str) -> None:
    one, other = (state_of(memory.learn(*numbered(p).given)) for p in ("One", "Two"))
    memory.states.rename(one, "Übersicht")
    with pytest.raises(UsageError, match="there is already a state"):
        memory.states.rename(other, taken)
    assert memory.states.get(taken).id == one


def test_a_name_that_looks_like_an_id_is_refused(memory: Memory) -> None:
    one, other = (state_of(memory.learn(*numbered(p, 2).given)) for p in ("One", "Two"))
    for name in (other, "s_abc123"):
        with pytest.raises(UsageError, match="looks like an id"):
            memory.states.rename(one, name)


def test_sqlite_alone_says_what_defines_a_state(memory: Memory, query: Query) -> None:
    state = state_of(memory.learn(*numbered("Page", 2).given))
    assert query("select state_id, status, visit_count, components from state_summary") == [
        (state, "provisional", 1, "Page_a, Page_b")
    ]
