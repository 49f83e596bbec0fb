"""One screen is one state, whoever found the boxes on it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from memctl_cli.demo import bundle
from tests.visual.drawn import Widget, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_a_screen_learned_with_boxes_and_then_without_is_one_state(memory: Memory) -> None:
    shot = bundle.shot("invoices")
    memory.learn(shot.png, shot.boxes_file())
    again = memory.learn(shot.png)
    assert again.learned == []
    assert not again.state_created
    assert len(memory.states.list()) == 1


def test_a_guess_on_a_part_of_the_page_that_was_never_seen_is_learned(memory: Memory) -> None:
    shot = bundle.shot("customers")
    memory.learn(shot.png, shot.boxes_file())
    below = memory.learn(bundle.shot("customers-scrolled").png)
    assert below.learned
    assert not below.state_created


def test_a_box_of_another_source_with_another_margin_is_the_same_component(memory: Memory) -> None:
    screen = numbered("Page")
    memory.learn(*screen.given)
    wider = [
        {**box, "x": box["x"] - 5, "w": box["w"] + 10, "source": "detector"} for box in screen.boxes
    ]
    assert memory.learn(screen.image, wider).learned == []


def test_a_part_of_a_component_is_no_component_for_another_source(memory: Memory) -> None:
    screen = numbered("Page")
    memory.learn(*screen.given)
    halves = [
        {**box, "w": box["w"] // 2, "label": "", "source": "detector"} for box in screen.boxes
    ]
    answer = memory.learn(screen.image, halves)
    assert answer.learned == []
    assert {one.why for one in answer.refused} >= {"part of Page_a", "part of Page_f"}


def test_a_button_on_a_card_of_the_same_source_is_a_component_of_its_own(memory: Memory) -> None:
    card = Widget("Card", 20, 20, 240, 120, type="card")
    button = Widget("Buy", 40, 80)
    screen = numbered("Page", 6).moved(0, 200).plus(card, button)
    memory.learn(screen.image, [box for box in screen.boxes if box["label"] != "Buy"])
    assert [one.name for one in memory.learn(*screen.given).learned] == ["Buy"]


def _parted(memory: Memory) -> None:
    """Make two states of one screen."""
    screen = numbered("Page")
    memory.learn(*screen.given, page="here")
    memory.learn(*screen.given, page="there")
    with closing(sqlite3.connect(memory.store.path)) as connection, connection:
        connection.execute("update state set page = null")


def test_states_of_one_screen_are_shown_before_they_are_merged(memory: Memory) -> None:
    _parted(memory)
    assert len(memory.states.list()) == 2
    planned = memory.visual.merge_states()
    assert len(planned.merged) == 1
    assert len(memory.states.list()) == 2
    assert memory.visual.merge_states(apply=True).merged[0].into == planned.merged[0].into
    assert len(memory.states.list()) == 1
    assert memory.visual.merge_states().merged == []


def test_states_of_different_pages_are_never_merged_by_themselves(memory: Memory) -> None:
    screen = numbered("Page")
    memory.learn(*screen.given, page="here")
    memory.learn(*screen.given, page="there")
    assert memory.visual.merge_states().merged == []


def test_a_guessed_fragment_is_forgotten_with_the_merge_and_can_be_restored(memory: Memory) -> None:
    screen = numbered("Page")
    halves = [{**box, "w": 40, "label": "", "source": "proposer"} for box in screen.boxes[:2]]
    memory.learn(screen.image, halves, page="here")
    memory.learn(*screen.given, page="there")
    with closing(sqlite3.connect(memory.store.path)) as connection, connection:
        connection.execute("update state set page = null")
    gone = memory.visual.merge_states(apply=True).forgotten
    assert {one.why for one in gone} == {"part of Page_a", "part of Page_b"}
    assert memory.components.restore(gone[0].component_id).forgotten_at is None
