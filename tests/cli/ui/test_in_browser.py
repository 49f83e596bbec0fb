"""The pages as people have them: in Chromium, by keyboard, on a phone, in both themes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl_cli.demo import bundle
from tests.browsers import chromium, needs_browser
from tests.each import each
from tests.processes import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = needs_browser

WIDE, PHONE = (1280, 900), (390, 844)
LONG = "W" * 300


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("pages")
    with memctl.open(home=home) as memory:
        fill(memory)
    return home


def fill(memory: memctl.Memory) -> None:
    memory.facts.store(
        ["The backup runs on the Atlas server", f"The long word is {LONG}"], category="technical"
    )
    place = {"subject": "Ann", "attribute": "home"}
    memory.facts.store([{**place, "value": "Porto"}], category="relationship")
    memory.facts.store([{**place, "value": "Lisbon"}], category="relationship", confidence="low")
    memory.log(f"Ann wants a table by the window {LONG}", speaker="Ann", session="a thread")
    memory.remember("We moved the backup", tags=["backup"], participants=["Ann"])
    shot = next(shot for shot in bundle.shots() if shot.name == "login")
    memory.learn(shot.png, boxes=shot.boxes_file(), page="login")
    memory.skills.add(SkillDraft("sign-in", (SkillStep(1, "click", 1, "Harbor"),)))


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    """The address that the command prints, its token included."""
    with serving("--home", home, "--app", "agent", "ui", "--no-open") as (address, _):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def tab(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(120_000)  # a busy machine is no failure
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(f"{said.type}: {said.text} {page.url}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    assert "token" not in page.url
    yield page
    context.close()
    assert complaints == []


def shown(tab: Page, path: str, size: tuple[int, int] = WIDE, theme: str = "light") -> Page:
    tab.set_viewport_size({"width": size[0], "height": size[1]})
    tab.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    tab.goto(re.sub(r"(//[^/]+).*", rf"\1/agent/{path}", tab.url))
    return tab


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.innerText"))


def test_a_fact_is_corrected_by_keyboard_alone(tab: Page, home: Path) -> None:
    page = shown(tab, "facts")
    press(page, "/")
    assert focused(page) == "search"
    page.keyboard.type("backup server")
    press(page, "Enter")
    page.locator("[data-row]").nth(1).wait_for(state="detached")
    press(page, "ArrowDown", "Enter")
    page.wait_for_url("**/facts/f_*")
    while focused(page) != "text":
        press(page, "Tab")
    press(page, "Control+a")
    page.keyboard.type("The backup runs on the Borealis server")
    while focused(page) != "save":
        press(page, "Tab")
    press(page, "Enter")
    notice = page.get_by_role("status")
    notice.get_by_text("Corrected: The backup runs on the Borealis server").wait_for()
    assert focused(page) == "save"
    with memctl.open(home=home) as memory:
        assert "The backup runs on the Borealis server" in [fact.text for fact in memory.facts]
    press(page, *["Shift+Tab"] * 12)
    while focused(page) != "undo":
        press(page, "Tab")
    press(page, "Enter")
    notice.get_by_text("Corrected: The backup runs on the Atlas server").wait_for()


def test_a_pair_is_approved_by_keyboard_alone(tab: Page, home: Path) -> None:
    page = shown(tab, "waiting")
    press(page, "Tab")
    assert focused(page) == "Skip to the page"
    press(page, "Enter")
    page.wait_for_url("**#main")
    press(page, "j")
    while not focused(page).startswith("approve-"):
        press(page, "Tab")
    press(page, "Enter")
    page.get_by_text("Nothing waits.").wait_for()
    assert "Approved: Ann home: Lisbon" in page.get_by_role("status").inner_text()
    with memctl.open(home=home) as memory:
        assert [fact.value for fact in memory.facts.lookup("Ann")] == ["Lisbon"]
        memory.facts.store(
            [{"subject": "Ann", "attribute": "home", "value": "Faro"}], confidence="low"
        )


def test_a_component_is_renamed_by_keyboard_alone(tab: Page, home: Path) -> None:
    page = shown(tab, "components")
    press(page, "/")
    page.keyboard.type("sign in")
    press(page, "Enter")
    page.wait_for_url("**/components?q=sign+in")
    press(page, "ArrowDown", "Enter")
    page.wait_for_url("**/components/*")
    while focused(page) != "name":
        press(page, "Tab")
    press(page, "Control+a")
    page.keyboard.type("Enter_the_app")
    press(page, "Enter")
    page.get_by_role("status").get_by_text("is now Enter_the_app").wait_for()
    with memctl.open(home=home) as memory:
        assert memory.components.get("Enter_the_app").page == "login"


def test_a_forgotten_row_leaves_the_focus_at_its_neighbour(tab: Page) -> None:
    page = shown(tab, "facts")
    rows = page.locator("[data-row]")
    before = rows.count()
    rows.nth(1).get_by_role("button", name="Forget").press("Enter")
    page.get_by_role("button", name="Undo").wait_for()
    assert rows.count() == before - 1
    assert page.evaluate("document.activeElement.closest('[data-row]') !== null")
    page.get_by_role("button", name="Undo").press("Enter")
    page.get_by_text("Restored:").wait_for()
    assert rows.count() == before


PAGES = (
    *("", "facts", "facts/one", "waiting", "timeline", "turns/1", "episodes/2", "erase/turn:1"),
    *("recall?q=backup&row=turn:1", "settings", "settings/timezone", "settings/recall_limit"),
    *("screens", "screens/login", "components", "components/1"),
    *("skills", "skills/sign-in", "report"),
)


@each("path", PAGES)
@each(("size", "theme"), [(WIDE, "dark"), (PHONE, "light")])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    tab: Page, home: Path, path: str, size: tuple[int, int], theme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with memctl.open(home=home, readonly=True) as memory:
        path = path.replace("/one", f"/{next(iter(memory.facts)).id}")
    page = shown(tab, path, size, theme)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    faults = Axe().run(page).response["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in faults] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_the_same_forms_work(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.goto(page.url + "facts")
    page.get_by_role("button", name="Pin").first.click()
    page.get_by_text("Pinned:").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Unpinned:").wait_for()
    context.close()
