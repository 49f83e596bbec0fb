"""`skills next` tells a host what to do now, or that it must halt and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import NotFoundError, UsageError
from tests.drivers.serving import served
from tests.procedural.orders import DELETE, ORDERS, SIGN_IN, orders

if TYPE_CHECKING:
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory


BOB = {"who": "Bob Cole"}


def pressed(driver: BrowserDriver, x: int | None, y: int | None) -> str:
    """Press there, as a host would, and return what the page says of it."""
    assert x is not None
    assert y is not None
    driver.page.mouse.click(x, y)
    return driver.page.inner_text("#msg")


def test_a_host_is_led_through_the_whole_skill(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        first = learned.skills.next(DELETE, driver, BOB)
        assert (first.step, first.act, first.halt) == (1, "click", "")
        pressed(driver, first.x, first.y)
        second = learned.skills.next(DELETE, driver, BOB, after=1)
        assert (second.step, second.halt) == (2, "")
        assert pressed(driver, second.x, second.y) == "Deleted Bob Cole"
        assert learned.skills.next(DELETE, driver, BOB, after=2).done


def test_a_bare_screenshot_is_enough(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        told = learned.skills.next("search-orders", driver.page.screenshot(), {"what": "ropes"})
        assert (told.act, told.halt) == ("click", "")
        assert told.x is not None


def test_it_keeps_nothing(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        before = learned.status().rows
        learned.skills.next(DELETE, driver, BOB, after=1)
        assert learned.status().rows == before


def test_a_row_that_is_gone_halts_it(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": orders("Ann Berg", "Cy Dunn")}) as url:
        driver.goto(url + "/")
        told = learned.skills.next(DELETE, driver, BOB)
        assert "Bob Cole" in told.halt
        assert told.x is None


def test_an_act_that_led_elsewhere_halts_it(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": SIGN_IN}) as url:
        driver.goto(url + "/")
        assert "led elsewhere" in learned.skills.next(DELETE, driver, BOB, after=1).halt


def test_an_act_that_cannot_be_undone_waits_for_proof(
    learned: Memory, driver: BrowserDriver
) -> None:
    learned.settings.set("skill_min_irreversible", 0.5)
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        assert "cannot be undone" in learned.skills.next(DELETE, driver, BOB).halt


def test_a_draft_is_not_followed(learned: Memory, driver: BrowserDriver) -> None:
    with learned.store.transaction():
        learned.store.connection().execute("update skill set status = 'draft'")
    with pytest.raises(UsageError, match="draft"):
        learned.skills.next(DELETE, driver, BOB)


@pytest.mark.parametrize("after", [-1, 3])
def test_an_unknown_step_is_an_error(learned: Memory, driver: BrowserDriver, after: int) -> None:
    with pytest.raises(UsageError, match="no step"):
        learned.skills.next(DELETE, driver, BOB, after=after)


def test_an_unknown_skill_is_an_error(learned: Memory, driver: BrowserDriver) -> None:
    with pytest.raises(NotFoundError):
        learned.skills.next("delete-orders", driver)
