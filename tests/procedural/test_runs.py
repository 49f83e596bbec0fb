"""Skills are recorded once, and run again: on the right row, or they halt and say why."""

from __future__ import annotations

import os
import subprocess
import sys
from copy import copy
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import RefusedError, UsageError
from tests.drivers.serving import served
from tests.procedural.orders import DELETE, ORDERS, SIGN_IN, message, orders

if TYPE_CHECKING:
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory


@pytest.mark.parametrize("who", ["Ann Berg", "Bob Cole", "Dee Ford"])
def test_the_row_that_is_named_is_acted_on(
    learned: Memory, driver: BrowserDriver, who: str
) -> None:
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": who})
        assert (ended.status, ended.why, message(driver)) == ("done", "", f"Deleted {who}")
        assert ended.looks == 0


def test_rows_in_another_order_are_told_apart(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": orders("Dee Ford", "Zoe Lund", "Ann Berg", "Bob Cole")}) as url:
        driver.goto(url + "/")
        assert learned.skills.run(DELETE, driver, {"who": "Ann Berg"}).status == "done"
        assert message(driver) == "Deleted Ann Berg"


def test_rows_that_nobody_knew_are_no_obstacle(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": orders("Ann Berg", "Zoe Lund", "Eve Hall")}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Ann Berg"})
        assert (ended.status, message(driver)) == ("done", "Deleted Ann Berg")


def test_where_the_row_is_gone_nothing_is_pressed(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": orders("Ann Berg", "Cy Dunn")}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Bob Cole"})
        assert (ended.status, ended.step, message(driver)) == ("halted", 0, "")
        assert "Bob Cole" in ended.why


def test_what_is_typed_is_the_parameter(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        assert learned.skills.run("search-orders", driver, {"what": "ropes"}).status == "done"
        assert message(driver) == "Searched ropes"


def test_a_page_that_asks_for_a_login_halts_it(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": SIGN_IN}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run("search-orders", driver, {"what": "ropes"})
        assert (ended.status, ended.step) == ("halted", 0)


def test_an_act_that_cannot_be_undone_waits_for_proof(
    learned: Memory, driver: BrowserDriver
) -> None:
    learned.settings.set("skill_min_irreversible", 0.5)
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Ann Berg"})
        assert ended.status == "halted"
        assert "cannot be undone" in ended.why
        assert message(driver) == ""


def test_what_must_be_known_is_asked_first(learned: Memory, driver: BrowserDriver) -> None:
    with learned.store.transaction():
        learned.store.connection().execute("""update skill set facts = '["Ann agreed"]'""")
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        assert "Ann agreed" in learned.skills.run(DELETE, driver, {"who": "Ann Berg"}).why
        learned.facts.store("Ann agreed")
        assert learned.skills.run(DELETE, driver, {"who": "Ann Berg"}).status == "done"


def test_a_step_whose_component_was_deleted_halts(learned: Memory, driver: BrowserDriver) -> None:
    step = learned.skills.get("search-orders").steps[0]
    assert step.component_id is not None
    learned.components.forget(step.component_id)
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run("search-orders", driver, {"what": "ropes"})
        assert (ended.status, "forgotten" in ended.why) == ("halted", True)


def test_a_run_teaches_the_twin(learned: Memory, driver: BrowserDriver) -> None:
    before = learned.skills.foresee("search-orders", {"what": "ropes"})
    with served({"/": ORDERS}) as url:
        for _ in range(3):
            driver.goto(url + "/")
            learned.skills.run("search-orders", driver, {"what": "ropes"})
    after = learned.skills.foresee("search-orders", {"what": "ropes"})
    assert after.probability > before.probability
    assert learned.skills.get("search-orders").done == 3


def test_a_browser_that_is_gone_fails_the_run(learned: Memory, driver: BrowserDriver) -> None:
    lost = copy(driver)
    lost.page = driver.page.context.new_page()
    lost.page.close()
    ended = learned.skills.run("search-orders", lost, {"what": "ropes"})
    assert ended.status == "failed"
    assert "page" in ended.why


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({}, UsageError),
        ({"who": "Ann", "when": "now"}, UsageError),
        ({"who": "../../etc/passwd"}, RefusedError),
        ({"who": "<script>alert(1)</script>"}, RefusedError),
    ],
)
def test_a_wrong_parameter_is_refused_before_anything_is_done(
    learned: Memory, driver: BrowserDriver, params: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        learned.skills.run(DELETE, driver, params)
    assert learned.skills.runs(DELETE) == []


def test_a_value_that_looks_like_a_secret_is_typed_and_not_kept(
    learned: Memory, driver: BrowserDriver
) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run("search-orders", driver, {"what": secret})
        assert message(driver) == f"Searched {secret}"
    assert ended.params == {"what": ""}


def test_a_killed_run_says_where_it_stood_and_goes_on(
    learned: Memory, driver: BrowserDriver
) -> None:
    with learned.store.transaction():
        learned.store.connection().execute(
            "insert into skill_run (skill_id, status, step, params, owner, started_at)"
            " values (?, 'running', 1, '{\"what\": \"ropes\"}', ?, '2026-01-01T00:00:00Z')",
            (learned.skills.get("search-orders").id, f"{os.uname().nodename} {_dead()}"),
        )
    with served({"/": ORDERS}) as url:
        driver.goto(url + "/")
        with pytest.raises(UsageError, match="killed after step 1"):
            learned.skills.run("search-orders", driver, {"what": "ropes"})
        driver.page.click("#q")
        assert learned.skills.resume(1, driver).status == "done"
        assert message(driver) == "Searched ropes"


def test_a_killed_run_is_given_up(learned: Memory) -> None:
    with learned.store.transaction():
        learned.store.connection().execute(
            "insert into skill_run (skill_id, status, owner, started_at)"
            " values (?, 'running', ?, '2026-01-01T00:00:00Z')",
            (learned.skills.get(DELETE).id, f"{os.uname().nodename} {_dead()}"),
        )
    assert learned.skills.drop(1).status == "dropped"


def _dead() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid
