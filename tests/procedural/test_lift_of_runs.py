"""What a skill's demonstration took is known, and the report on lift agrees with a count by hand."""

from __future__ import annotations

import sqlite3
import statistics
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.drivers.demonstration import Demonstration
from memctl.reports import make_report, store_at
from tests.drivers.serving import served

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.reports import Report

SEARCH = "search-orders"
ORDERS = """<!doctype html><meta charset=utf-8><title>Orders</title><h1>Orders of the harbor</h1>
<input aria-label="Search orders" id=q onkeydown="if (event.key === 'Enter') msg.textContent = 'Searched'"><p id=msg></p>"""
SIGN_IN = "<!doctype html><title>Sign in</title><h1>Please sign in</h1><button>Sign in</button>"
# Of four degrees of freedom, as tables of Student's t have it.
STUDENT = 2.7764
SKILLS = """
select
    skill.origin,
    count(*),
    sum(skill_run.status = 'done'),
    sum(skill_run.status <> 'done'),
    sum(looks),
    avg(seconds),
    total(iif(skill_run.status = 'done', 0, seconds)),
    shown_looks,
    shown_seconds,
    (select sum(outcome = 'recovered') from skill_run_step as step
        join skill_run as its on its.id = step.run_id where its.skill_id = skill.id)
from skill join skill_run on skill_run.skill_id = skill.id
group by skill.id
order by skill.origin desc
"""
FIGURES = (
    "origin", "runs", "done", "lost", "run_looks", "run_s", "lost_s", "shown_looks", "shown_s",
    "recovered",
)  # fmt: skip


@pytest.fixture(scope="module")
def home(driver: BrowserDriver, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a skill that was shown, ran four times and halted; then again as a file."""
    folder = tmp_path_factory.mktemp("worth")
    pages = {"/": ORDERS, "/sign-in": SIGN_IN}
    with (
        pytest.MonkeyPatch.context() as patch,
        served(pages) as url,
        memctl.open("orders", folder) as memory,
    ):

        def run(path: str = "/") -> None:
            driver.goto(url + path)
            memory.skills.run(SEARCH, driver, {"what": "ropes"})

        driver.goto(url + "/")
        with Demonstration(driver) as shown:
            driver.page.click("#q")
            shown.wait(0)
            driver.page.keyboard.type("anchors")
            shown.wait(0)
            driver.page.keyboard.press("Enter")
            shown.wait(0)
        first = memory.skills.record(SEARCH, shown.acts, parameters={"what": "anchors"})
        memory.skills.approve(first.id)
        exported = memory.skills.export(first.id, folder)
        for day in ("2026-11-05", "2026-11-05", "2026-11-12", "2026-11-12"):
            patch.setenv("MEMCTL_NOW", day)
            run()
        memory.match(driver.look())
        run("/sign-in")
        memory.skills.archive(first.id)
        memory.skills.approve(memory.skills.read(exported).id)
        run()
    return folder


@pytest.fixture(scope="module")
def lift(home: Path) -> Report:
    return make_report("lift", store_at("orders", home))


def rows_of(home: Path, sql: str) -> list[tuple[Any, ...]]:
    (file,) = home.glob("apps/orders.db")
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(sql).fetchall()


def test_a_demonstration_took_a_look_before_it_and_one_after_each_act(home: Path) -> None:
    ((looks, seconds, waited),) = rows_of(
        home,
        "select shown_looks, shown_seconds, (select sum(mean_ms) / 1000 from skill_step"
        " where skill_id = skill.id) from skill where origin = 'recorded'",
    )
    assert looks == 4
    learned = rows_of(home, "select sum(duration_ms) / 1000 from observation where kind = 'learn'")
    # The app, and the looks with what was learned from them; the rest is what a look itself takes.
    assert seconds > waited + learned[0][0]


def test_the_report_agrees_with_sums_over_the_rows(home: Path, lift: Report) -> None:
    counted = rows_of(home, SKILLS)
    assert [one[0] for one in counted] == ["recorded", "imported"]
    for row, by_hand in zip(lift.answer("skills_worth").records(), counted, strict=True):
        told = list(by_hand)
        told[4] = by_hand[4] / by_hand[1]
        assert [row[name] for name in FIGURES] == pytest.approx(told)


def test_what_was_saved_agrees_with_the_runs_one_by_one(home: Path, lift: Report) -> None:
    runs = rows_of(
        home,
        "select iif(skill_run.status = 'done', shown_seconds, 0) - seconds,"
        " iif(skill_run.status = 'done', shown_looks, 0) - looks, substr(started_at, 1, 10)"
        " from skill_run join skill on skill.id = skill_id where origin = 'recorded'",
    )
    saved = [seconds for seconds, _, _ in runs]
    shown, imported = lift.answer("skills_worth").records()
    overall, *weeks = lift.answer("weeks_worth").records()
    half = STUDENT * statistics.stdev(saved) / len(saved) ** 0.5
    mean = statistics.mean(saved)
    for row in (shown, overall):
        assert row["saved_s"] == pytest.approx(sum(saved))
        assert row["saved_looks"] == sum(looks for _, looks, _ in runs)
        interval = (row["each_s"], row["low_s"], row["high_s"])
        assert interval == pytest.approx((mean, mean - half, mean + half), abs=0.01)
    assert (imported["saved_s"], imported["saved_looks"]) == (None, None)
    assert (imported["unknown"], overall["unknown"], overall["runs"]) == (1, 1, 6)
    by_week = {"2026-11-02": 0.0, "2026-11-09": 0.0}
    for seconds, _, day in runs:
        by_week["2026-11-02" if day < "2026-11-09" else "2026-11-09"] += seconds
    assert {row["week"]: row["saved_s"] for row in weeks} == pytest.approx(by_week)


def test_known_screens_agree_with_their_first_looks(home: Path, lift: Report) -> None:
    ((count, saved),) = rows_of(
        home,
        """
        with first as (select min(look.id) as id, root from observation as look
            join state_root on state_root.id = look.state_id where kind = 'learn' group by root)
        select count(*), sum(learned.duration_ms - look.duration_ms) / 1000
        from observation as look join state_root as its on its.id = look.state_id
        join first on first.root = its.root join observation as learned on learned.id = first.id
        where look.kind = 'match'
        """,
    )
    overall = lift.answer("screens_worth").records()[0]
    assert count >= 1
    assert overall["known"] == count
    assert overall["saved_s"] == pytest.approx(saved)
