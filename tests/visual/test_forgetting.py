from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from memctl.base.errors import NotFoundError, UsageError
from tests.visual.drawn import Drawn, Widget, numbered
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.match_results import Learn
    from tests.visual.conftest import Lessons, OpenMemory, Query

PAGE = numbered("Page", 15)
BANNER = Widget("Banner", 200, 280)


def learn(memory: Memory, screen: Drawn, times: int = 1) -> Learn:
    return [memory.learn(*screen.given) for _ in range(times)][-1]


@pytest.fixture
def missed(opened: OpenMemory, lessons: Lessons) -> Memory:
    """A memory that forgets at the third miss, of a page whose banner was missed twice."""

    def teach(memory: Memory) -> None:
        learn(memory, PAGE.plus(BANNER))
        learn(memory, PAGE, 2)

    return lessons(opened(forget_threshold="3"), "banner", teach)


def living(memory: Memory) -> set[str]:
    return {component.name for component in memory.components.list()}


def test_sixteen_visits_to_one_page_do_not_erase_another(opened: OpenMemory) -> None:
    memory = opened(forgetting="expected")
    one, other = numbered("One", 4), numbered("Two", 4)
    state = state_of(learn(memory, one))
    learn(memory, other, 16)
    assert memory.components.list(forgotten=True) == []
    assert state_of(memory.match(one.image)) == state
    assert {c.consecutive_misses for c in memory.components.list()} == {0}


def test_forgetting_everywhere_erases_what_sixteen_screens_did_not_show(
    opened: OpenMemory,
) -> None:
    memory = opened(forgetting="everywhere")
    one, other = numbered("One", 4), numbered("Two", 4)
    state = state_of(learn(memory, one))
    assert learn(memory, other, 14).forgotten == []
    (forgotten, *more) = learn(memory, other).forgotten
    assert (forgotten.name, forgotten.why) == ("One_a", "missed 15 times in a row")
    assert len(more) == 3
    assert living(memory) == {"Two_a", "Two_b", "Two_c", "Two_d"}
    with pytest.raises(NotFoundError, match="forgotten at"):
        memory.states.get(state)
    assert memory.match(one.image).state is None


def test_a_component_missed_too_often_is_forgotten_and_its_last_miss_is_kept(
    missed: Memory, query: Query
) -> None:
    assert missed.components.get("Banner").consecutive_misses == 2
    assert [c.name for c in missed.components.list(stale=True)] == ["Banner"]
    last = learn(missed, PAGE)
    assert [one.name for one in last.absent] == ["Banner"]
    assert [(one.name, one.why) for one in last.forgotten] == [
        ("Banner", "missed 3 times in a row")
    ]
    assert "Banner" not in living(missed)
    assert query("select count(*) from sighting where found = 0") == [(3,)]


def test_being_seen_again_forgives_all_misses(missed: Memory) -> None:
    learn(missed, PAGE.plus(BANNER))
    assert missed.components.get("Banner").consecutive_misses == 0
    assert learn(missed, PAGE, 2).forgotten == []


def test_a_match_forgets_what_it_misses_as_a_learn_does(memory: Memory, query: Query) -> None:
    memory.settings.set("forget_threshold", "3")
    page = numbered("Page", 15)
    learn(memory, page.plus(BANNER))
    assert [memory.match(page.image).forgotten for _ in range(2)] == [[], []]
    assert memory.components.get("Banner").consecutive_misses == 2
    last = memory.match(page.image)
    assert [one.name for one in last.absent] == ["Banner"]
    assert [(one.name, one.why) for one in last.forgotten] == [
        ("Banner", "missed 3 times in a row")
    ]
    assert memory.match(page.image).absent == []
    assert query("select count(*) from sighting where found = 0") == [(3,)]
    memory.components.restore("Banner")
    assert memory.match(page.plus(BANNER).image).absent == []


def test_a_match_that_finds_a_component_forgives_its_misses(missed: Memory) -> None:
    missed.match(PAGE.plus(BANNER).image)
    assert missed.components.get("Banner").consecutive_misses == 0


def test_a_match_that_is_not_recorded_counts_no_miss(opened: OpenMemory) -> None:
    memory = opened(forget_threshold="1")
    page = numbered("Page", 15)
    learn(memory, page.plus(BANNER))
    assert memory.match(page.image, record=False).forgotten == []
    assert opened(readonly=True, forget_threshold="1").match(page.image).forgotten == []
    assert memory.components.get("Banner").consecutive_misses == 0


def test_a_match_counts_no_miss_where_the_page_only_looks_alike(opened: OpenMemory) -> None:
    memory = opened(forget_threshold="1")
    page = numbered("Page", 15)
    learn(memory, page)
    alike = Drawn(page.widgets[:11]).plus(Widget("New", 20, 280))
    answer = memory.match(alike.image)
    assert answer.state is not None
    assert answer.state.similarity < 0.7
    assert len(answer.absent) == 4
    assert answer.forgotten == []
    assert {c.consecutive_misses for c in memory.components.list()} == {0}


def test_a_match_counts_no_miss_where_most_of_the_page_is_missing(opened: OpenMemory) -> None:
    memory = opened(forget_threshold="1")
    page = numbered("Page", 12)
    learn(memory, page)
    inverted = np.asarray(255 - page.image, np.uint8)
    assert memory.match(inverted).forgotten == []
    assert {c.consecutive_misses for c in memory.components.list()} == {0}


def test_a_match_counts_no_miss_when_another_process_wrote_meanwhile(
    missed: Memory, opened: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, look = opened(forget_threshold="3"), missed.visual._look

    def interrupted(*arguments: Any, **options: Any) -> Any:
        seen = look(*arguments, **options)
        other.match(PAGE.plus(BANNER).image)
        return seen

    monkeypatch.setattr(missed.visual, "_look", interrupted)
    assert missed.match(PAGE.image).forgotten == []
    assert missed.components.get("Banner").consecutive_misses == 0


def test_forgetting_everywhere_counts_on_every_screen_that_is_matched(opened: OpenMemory) -> None:
    memory = opened(forgetting="everywhere", forget_threshold="2")
    one, other = numbered("One", 4), numbered("Two", 4)
    learn(memory, one)
    learn(memory, other)
    assert len(memory.match(other.image).forgotten) == 4
    assert living(memory) == {"Two_a", "Two_b", "Two_c", "Two_d"}


@pytest.mark.parametrize("policy", ["expected", "everywhere"])
def test_a_pinned_component_is_never_forgotten(opened: OpenMemory, policy: str) -> None:
    memory = opened(forget_threshold="2", forgetting=policy)
    page = numbered("Page", 15)
    learn(memory, page.plus(BANNER))
    memory.components.pin("Banner")
    assert learn(memory, page, 5).forgotten == []
    assert memory.components.get("Banner").consecutive_misses == 5
    memory.components.unpin("Banner")
    assert [one.name for one in learn(memory, page).forgotten] == ["Banner"]


def test_what_is_forgotten_defines_no_state_and_leads_nowhere(
    opened: OpenMemory, query: Query
) -> None:
    memory = opened(forget_threshold="2", forgetting="everywhere")
    page, other = numbered("Page", 3), numbered("Other", 3)
    start, end = state_of(learn(memory, page)), state_of(learn(memory, other))
    memory.transitions.record(start, "click:Page_a", end)
    memory.transitions.commit()
    learn(memory, other, 2)
    assert memory.transitions.list() == []
    assert [state.id for state in memory.states.list()] == [end]
    assert query("select distinct state_id from state_definition") == [(end,)]
    with pytest.raises(NotFoundError, match="no component left"):
        memory.transitions.path(start, end)


def test_a_restored_component_brings_its_state_and_its_transitions_back(
    opened: OpenMemory,
) -> None:
    memory = opened(forget_threshold="2", forgetting="everywhere")
    page, other = numbered("Page", 3), numbered("Other", 3)
    start, end = state_of(learn(memory, page)), state_of(learn(memory, other))
    memory.states.rename(start, "Start")
    memory.transitions.record(start, "click:Page_a", end)
    memory.transitions.commit()
    learn(memory, other, 2)
    restored = memory.components.restore("Page_a")
    assert (restored.forgotten_at, restored.consecutive_misses) == (None, 0)
    assert memory.states.get("Start").id == start
    assert memory.transitions.path(start, end).steps[0].action == "click:Page_a"


def test_a_restored_component_whose_name_is_taken_gets_a_number(missed: Memory) -> None:
    missed.components.forget("Banner")
    (gone,) = missed.components.list(forgotten=True)
    missed.components.rename("Page_a", "banner")
    assert missed.components.restore(gone.id).name == "Banner_2"


def test_a_component_seen_once_does_not_bring_a_confirmed_state_back(opened: OpenMemory) -> None:
    memory = opened(forget_threshold="2", forgetting="everywhere")
    page, other = numbered("Page", 15), numbered("Other", 3)
    start = state_of(learn(memory, page.plus(BANNER)))
    learn(memory, page)
    learn(memory, other, 3)
    memory.components.restore("Banner")
    assert start not in {state.id for state in memory.states.list()}
    memory.components.restore("Page_a")
    assert [one.name for one in memory.states.get(start).components] == ["Page_a"]


def test_what_is_not_forgotten_cannot_be_restored(memory: Memory) -> None:
    learn(memory, numbered("Page", 3))
    with pytest.raises(UsageError, match='"Page_a" is not forgotten'):
        memory.components.restore("Page_a")


def test_a_forgotten_state_can_be_restored_only_with_a_component(opened: OpenMemory) -> None:
    memory = opened(forget_threshold="2", forgetting="everywhere")
    page, other = numbered("Page", 3), numbered("Other", 3)
    start = state_of(learn(memory, page))
    learn(memory, other, 3)
    with pytest.raises(UsageError, match="nothing living defines"):
        memory.states.restore(start)
    assert start not in {state.id for state in memory.states.list()}


def test_a_forgotten_component_that_shows_up_again_is_learned_anew(missed: Memory) -> None:
    missed.components.forget("Banner")
    answer = learn(missed, PAGE.plus(BANNER))
    assert [one.name for one in answer.learned] == ["Banner"]
    assert len(missed.components.list(forgotten=True)) == 1


def test_a_forgotten_component_is_not_looked_for(missed: Memory) -> None:
    missed.components.forget("Banner")
    screen = PAGE.plus(BANNER)
    with pytest.raises(NotFoundError, match='"Banner" is forgotten') as caught:
        missed.locate("Banner", screen.image)
    assert "components restore" in caught.value.hint
    missed.components.restore("Banner")
    assert missed.locate("Banner", screen.image).found


@pytest.mark.usefixtures("missed")
def test_sqlite_alone_says_which_components_are_stale(query: Query) -> None:
    stale = query("select name, consecutive_misses from component_health where health = 'stale'")
    assert stale == [("Banner", 2)]


def test_what_was_met_on_a_page_once_is_missed_there_and_forgotten(opened: OpenMemory) -> None:
    memory = opened(forget_threshold="2")
    page = numbered("Page", 15)
    learn(memory, page, 2)
    learn(memory, page.plus(BANNER))
    assert [one.name for one in learn(memory, page, 2).forgotten] == ["Banner"]


def test_what_was_met_on_a_page_once_is_not_forgotten_there_while_it_defines_another(
    opened: OpenMemory,
) -> None:
    memory = opened(forget_threshold="2")
    page = numbered("Page", 15)
    learn(memory, numbered("Home", 6).plus(BANNER), 2)
    learn(memory, page, 2)
    learn(memory, page.plus(BANNER))
    assert learn(memory, page, 4).forgotten == []
    assert memory.components.get("Banner").consecutive_misses == 0
