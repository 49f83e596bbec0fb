"""`skills next` tells a host what to do now, or that it must halt and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UsageError
from tests.browsers import needs_browser
from tests.procedural.stage import table

if TYPE_CHECKING:
    from memctl.procedural.next_act import NextAct
    from tests.procedural.stage import Stage

pytestmark = needs_browser

PEOPLE = ("Ann Berg", "Bob Cole", "Cy Dunn")
ASK = """<dialog id=ask><p>For ever?</p><button onclick="ask.close(); drop(on)">Yes</button></dialog>"""
BUTTON = '<button onclick="window.on = this; ask.showModal()">Delete</button>'
BOB = {"who": "Bob Cole"}


def page_of(*names: str, button: str = BUTTON) -> str:
    return ASK + table(*names, button=button)


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how somebody is deleted, with a question in between."""

    acts = ("click tr:nth-child(2) button", "click dialog button")
    theatre.show("delete", page_of(*PEOPLE), *acts, who="Ann Berg")
    return theatre


def told(stage: Stage, after: int = 0) -> NextAct:
    return stage.memory.skills.next("delete", stage.driver, BOB, after=after)


def press(stage: Stage, act: NextAct) -> None:
    """Press there, as a host would."""
    assert act.x is not None
    assert act.y is not None
    stage.page.mouse.click(act.x, act.y)


def test_a_host_is_led_through_the_whole_skill(taught: Stage) -> None:
    taught.open(page_of(*PEOPLE))
    taught.done.clear()
    first = told(taught)
    assert (first.step, first.act, first.halt) == (1, "click", "")
    press(taught, first)
    second = told(taught, after=1)
    assert (second.step, second.halt) == (2, "")
    press(taught, second)
    assert told(taught, after=2).done
    assert taught.done == ["removed Bob Cole"]


def test_it_keeps_nothing(taught: Stage) -> None:
    taught.open(page_of(*PEOPLE))
    before = taught.memory.status().rows
    told(taught)
    assert taught.memory.status().rows == before


def test_a_row_that_is_gone_halts_it(taught: Stage) -> None:
    taught.open(page_of("Ann Berg", "Bob Coleman"))
    act = told(taught)
    assert "Bob Cole" in act.halt
    assert act.x is None


def test_of_namesakes_none_is_pointed_at(taught: Stage) -> None:
    taught.open(page_of("Bob Cole", "Bob Cole"))
    assert told(taught).x is None


def test_an_act_that_changed_nothing_halts_it(taught: Stage) -> None:
    taught.open(page_of(*PEOPLE, button="<button>Delete</button>"))
    press(taught, told(taught))
    second = told(taught, after=1)
    assert second.halt
    assert second.x is None


def test_a_row_that_is_still_there_is_not_done(taught: Stage) -> None:
    taught.open(page_of(*PEOPLE))
    assert not told(taught, after=2).done


def test_an_act_that_cannot_be_undone_waits_for_proof(taught: Stage) -> None:
    taught.memory.settings.set("skill_min_irreversible", 0.5)
    try:
        taught.open(page_of(*PEOPLE))
        assert "cannot be undone" in told(taught).halt
    finally:
        taught.memory.settings.set("skill_min_irreversible", 0.2)


def test_a_screenshot_with_its_boxes_is_enough(taught: Stage) -> None:
    taught.open(page_of(*PEOPLE))
    boxes = taught.driver.look().boxes
    act = taught.memory.skills.next("delete", taught.page.screenshot(), BOB, boxes=boxes)
    assert (act.halt, act.act) == ("", "click")
    button = taught.page.locator("tr:nth-child(3) button").bounding_box()
    assert button is not None
    assert act.y is not None
    assert button["y"] < act.y < button["y"] + button["height"]


def test_a_bare_screenshot_does_not_settle_which_row_is_meant(taught: Stage) -> None:
    taught.open(page_of(*PEOPLE))
    act = taught.memory.skills.next("delete", taught.page.screenshot(), BOB)
    assert act.x is None
    assert act.halt


@pytest.mark.parametrize("after", [-1, 3])
def test_an_unknown_step_is_an_error(taught: Stage, after: int) -> None:
    with pytest.raises(UsageError, match="no step"):
        told(taught, after)


def test_an_unknown_skill_and_a_draft_are_not_followed(taught: Stage) -> None:
    with pytest.raises(NotFoundError):
        taught.memory.skills.next("delete-people", taught.driver)
    taught.memory.skills.archive("delete")
    with pytest.raises(UsageError, match="archived"):
        taught.memory.skills.next(taught.memory.skills.list("archived")[0].id, taught.driver, BOB)
    taught.memory.skills.approve(taught.memory.skills.list("archived")[0].id)
