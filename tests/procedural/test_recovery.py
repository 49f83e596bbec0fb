"""A run mends by itself what is known and can be undone, and halts at the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import memctl
from tests.drivers.serving import served
from tests.procedural.orders import DELETE, ORDERS, Demonstrated, message, orders

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory

# A second page that leads back, and one that covers the orders until it is closed.
AWAY = """<!doctype html><meta charset=utf-8><title>Reports</title>
<style>body{font:16px sans-serif;margin:0} a{position:absolute;left:40px;top:90px}
header{background:#722;color:#fff;padding:12px}</style><header>Reports of the year</header>
<p style="margin:160px 40px">Twelve ships were late.</p><a href="/">Back to orders</a>"""
POPUP = """<style>#news{position:fixed;inset:0;background:#fffbe6;z-index:9;font:18px sans-serif}
#news h2{margin:60px} #news button{margin:60px}</style>
<div id=news><h2>News of the harbor this week</h2><p style="margin:60px">The pier is open again.</p>
<button onclick="news.remove()">Close the news</button></div>"""


def test_a_known_way_back_is_walked(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": ORDERS, "/away": AWAY}) as url:
        driver.goto(url + "/away")
        shown = Demonstrated(driver)
        shown.click("a")
        back = learned.skills.record("back", shown.acts)
        learned.skills.approve(back.id)
        driver.goto(url + "/away")
        ended = learned.skills.run("search-orders", driver, {"what": "ropes"})
        assert (ended.status, message(driver)) == ("done", "Searched ropes")
        assert "walked back" in learned.skills.trace(ended.id)[0].why


def test_a_popup_with_a_known_way_out_is_closed(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": ORDERS, "/news": ORDERS + POPUP}) as url:
        driver.goto(url + "/news")
        shown = Demonstrated(driver)
        shown.click("#news button")
        learned.skills.approve(learned.skills.record("close-the-news", shown.acts).id)
        driver.goto(url + "/news")
        ended = learned.skills.run(DELETE, driver, {"who": "Cy Dunn"})
        assert (ended.status, message(driver)) == ("done", "Deleted Cy Dunn")


def test_an_unknown_popup_halts_it(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": ORDERS + POPUP}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Cy Dunn"})
        assert (ended.status, message(driver)) == ("halted", "")


def test_a_component_that_has_moved_is_found(learned: Memory, driver: BrowserDriver) -> None:
    moved = ORDERS.replace("<header>", "<p style='margin:40px'>A notice.</p><header>")
    with served({"/": moved}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Ann Berg"})
        assert (ended.status, message(driver)) == ("done", "Deleted Ann Berg")


def test_a_new_version_of_another_look_is_known_by_its_labels(
    learned: Memory, driver: BrowserDriver
) -> None:
    restyled = ORDERS.replace("16px sans-serif", "19px serif").replace(
        "padding:4px 14px", "padding:9px 22px;background:#124;color:#fff;border-radius:9px"
    )
    with served({"/": restyled}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Dee Ford"})
        assert (ended.status, message(driver)) == ("done", "Deleted Dee Ford")
        assert any("looks otherwise" in step.why for step in learned.skills.trace(ended.id))


def test_a_new_version_that_calls_it_otherwise_halts_it(
    learned: Memory, driver: BrowserDriver
) -> None:
    renamed = ORDERS.replace(">Delete<", ">Archive<")
    with served({"/": renamed}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Dee Ford"})
        assert (ended.status, ended.step, message(driver)) == ("halted", 0, "")


def test_of_two_equal_rows_none_is_acted_on(learned: Memory, driver: BrowserDriver) -> None:
    with served({"/": orders("Ann Berg", "Bob Cole", "Bob Cole")}) as url:
        driver.goto(url + "/")
        ended = learned.skills.run(DELETE, driver, {"who": "Bob Cole"})
        assert (ended.status, message(driver)) == ("halted", "")


def test_a_process_that_is_killed_leaves_a_run_that_can_go_on(
    learned: Memory, driver: BrowserDriver, tmp_path: Path
) -> None:
    slow = ORDERS.replace("d.showModal()", "setTimeout(() => d.showModal(), 1500)")
    with served({"/": slow}) as url:
        # The dialog comes late: the process is killed while it waits, behind its first act.
        command = [sys.executable, "-m", "memctl", "--home", str(tmp_path), "--app", "orders"]
        command += ["skills", "run", DELETE, "--url", url + "/", "--param", "who=Ann Berg"]
        with subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            said = process.stderr.readline()
            os.killpg(process.pid, signal.SIGKILL)
        assert said.startswith(b"1. click"), said
        killed = learned.skills.runs(DELETE)[0]
        assert (killed.status, killed.step) == ("running", 1)
        driver.goto(url + "/")
        driver.page.click("tr:nth-child(1) .del")
        time.sleep(2)
        with memctl.open("orders", tmp_path) as again:
            ended = again.skills.resume(killed.id, driver)
        assert (ended.status, message(driver)) == ("done", "Deleted Ann Berg")


def test_a_button_is_told_from_the_title_that_says_the_same(
    learned: Memory, driver: BrowserDriver
) -> None:
    titled = ORDERS.replace(
        "<dialog id=d>", "<dialog id=d><h3 role=button tabindex=0>Yes, delete</h3>"
    )
    coloured = titled.replace("<header>", "<style>button{color:#fff;background:#135}</style><header>")
    with served({"/": titled, "/coloured": coloured}) as url:
        driver.goto(url + "/")
        shown = Demonstrated(driver)
        shown.click("tr:nth-child(2) .del")
        shown.click("#yes")
        made = learned.skills.record("delete-titled", shown.acts, parameters={"who": "Bob Cole"})
        learned.skills.approve(made.id)
        driver.goto(url + "/coloured")
        ended = learned.skills.run(made.name, driver, {"who": "Cy Dunn"})
        assert (ended.status, message(driver)) == ("done", "Deleted Cy Dunn")
