"""`skills next` tells a host what to do now, or that it must halt and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UsageError
from tests.browsers import needs_browser
from tests.each import each
from tests.procedural.stage import PEOPLE, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.procedural.next_act import NextAct
    from tests.procedural.stage import Stage

    Told = Callable[..., NextAct]

pytestmark = needs_browser

ASK = """<dialog id=ask><p>For ever?</p><button onclick="ask.close(); drop(on)">Yes</button></dialog>"""
DELETE = '<button onclick="window.on = this; ask.showModal()">Delete</button>'
PAGE = ASK + table(*PEOPLE, button=DELETE)
BOB = {"who": "Bob Cole"}


@pytest.fixture(scope="module")
def taught(theatre: Stage) -> Stage:
    """A stage that knows how somebody is deleted, with a question in between."""
    acts = ("click tr:nth-child(2) button", "click dialog button")
    theatre.show("delete", PAGE, *acts, who="Ann Berg")
    return theatre


@pytest.fixture
def told(taught: Stage) -> Told:
    """Ask what is to be done on the open page, behind a step, to delete Bob Cole."""

    def ask(after: int = 0) -> NextAct:
        return taught.memory.skills.next("delete", taught.driver, BOB, after=after)

    return ask


def press(stage: Stage, act: NextAct) -> None:
    """Press there, as a host would."""
    assert act.x is not None
    assert act.y is not None
    stage.page.mouse.click(act.x, act.y)


def test_a_host_is_led_through_the_whole_skill(taught: Stage, told: Told) -> None:
    taught.open(PAGE)
    rows = taught.memory.status().rows
    first = told()
    assert (first.step, first.act, first.halt) == (1, "click", "")
    assert not told(2).done  # the row is still there
    press(taught, first)
    second = told(1)
    assert (second.step, second.halt) == (2, "")
    press(taught, second)
    assert told(2).done
    assert taught.done == ["removed Bob Cole"]
    assert taught.memory.status().rows == rows  # nothing is kept of it


@pytest.mark.parametrize(
    ("names", "said"),
    [(("Ann Berg", "Bob Coleman"), "Bob Cole"), (("Bob Cole", "Bob Cole"), "2 fit")],
    ids=["gone", "namesakes"],
)
def test_a_row_that_is_not_settled_halts_it(
    taught: Stage, told: Told, names: tuple[str, ...], said: str
) -> None:
    taught.open(ASK + table(*names, button=DELETE))
    act = told()
    assert said in act.halt
    assert act.x is None


def test_an_act_that_changed_nothing_halts_it(taught: Stage, told: Told) -> None:
    taught.open(table(*PEOPLE, button="<button>Delete</button>"))
    press(taught, told())
    second = told(1)
    assert second.halt
    assert second.x is None


def test_an_act_that_cannot_be_undone_waits_for_proof(taught: Stage, told: Told) -> None:
    taught.open(PAGE)
    taught.memory.settings.set("skill_min_irreversible", 0.5)
    try:
        assert "cannot be undone" in told().halt
    finally:
        taught.memory.settings.set("skill_min_irreversible", 0.2)


def test_a_screenshot_is_enough_with_its_boxes_and_alone_is_not(taught: Stage) -> None:
    taught.open(PAGE)
    boxes, png = taught.driver.look().boxes, taught.page.screenshot()
    act = taught.memory.skills.next("delete", png, BOB, boxes=boxes)
    assert (act.halt, act.act) == ("", "click")
    button = taught.page.locator("tr:nth-child(3) button").bounding_box()
    assert button is not None
    assert act.y is not None
    assert button["y"] < act.y < button["y"] + button["height"]
    bare = taught.memory.skills.next("delete", png, BOB)
    assert bare.x is None
    assert bare.halt


@each("after", [-1, 3])
def test_an_unknown_step_is_an_error(told: Told, after: int) -> None:
    with pytest.raises(UsageError, match="no step"):
        told(after)


def test_an_unknown_skill_and_one_that_is_not_active_are_not_followed(
    taught: Stage, told: Told
) -> None:
    skills = taught.memory.skills
    with pytest.raises(NotFoundError):
        skills.next("delete-people", taught.driver)
    archived = skills.archive("delete").id
    with pytest.raises(UsageError, match="archived"):
        skills.next(archived, taught.driver, BOB)
    skills.approve(archived)
    taught.open(PAGE)
    assert told().act == "click"
