"""The page as a reader has it: opened in Chromium, pointed at, typed into, without a network.

All tests share one tab; who types or presses loads the small page anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.browsers import needs_browser
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    Load = Callable[..., Page]
    Theme = Literal["light", "dark"]

pytestmark = needs_browser

WIDE, PHONE = (1280, 900), (390, 844)
OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"


@dataclass
class Opened:
    """An open page, what it complained of and what it asked of anybody but its own file."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def opened_in(browser: Browser, path: Path, **options: Any) -> Opened:
    context = browser.new_context(
        viewport={"width": WIDE[0], "height": WIDE[1]}, reduced_motion="reduce", **options
    )
    context.set_default_timeout(120_000)  # a busy machine is no failure
    one = Opened(context.new_page())
    one.page.on("console", lambda said: one.complaints.append(f"{said.type}: {said.text}"))
    one.page.on("pageerror", lambda error: one.complaints.append(str(error)))
    one.page.on("request", lambda asked: one.requests.append(asked.url))
    one.page.goto(path.as_uri())
    return one


@pytest.fixture(scope="module")
def tab(browser: Browser, shown_small: Path) -> Iterator[Opened]:
    """A tab in which the small page was opened."""
    opened = opened_in(browser, shown_small)
    yield opened
    opened.page.context.close()


@pytest.fixture
def small(tab: Opened, shown_small: Path) -> Iterator[Load]:
    """Load the small page anew, for those who type and press: the tab alone is shared."""

    def load(size: tuple[int, int] = WIDE, theme: Theme = "light", place: str = "") -> Page:
        tab.page.set_viewport_size({"width": size[0], "height": size[1]})
        tab.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        tab.page.goto("about:blank")  # from "#answer" the same address would load nothing
        tab.page.goto(shown_small.as_uri() + place)
        return tab.page

    yield load
    tab.page.evaluate("localStorage.clear()")  # the page keeps its theme there


@pytest.fixture(scope="module")
def whole(browser: Browser, shown: Path) -> Iterator[Page]:
    """The page about all stores, for those who leave it as it is."""
    page = opened_in(browser, shown).page
    yield page
    page.context.close()


def boxes_of(elements: Locator) -> list[list[float]]:
    """Return left, top, width and height of each, on the screen."""
    script = """all => all.map(one => {
        const box = one.getBoundingClientRect();
        return [box.x, box.y, box.width, box.height];
    })"""
    return list(elements.evaluate_all(script))


def table_of(page: Page, answer: str) -> Locator:
    """Open an answer's table and return it."""
    page.evaluate(f"location.hash = 'answer-{answer}'")
    return page.locator(f"#answer-{answer} table")


def rows_of(page: Page, answer: str) -> list[str]:
    return page.locator(f"#answer-{answer} tbody tr:visible th").all_inner_texts()


def test_it_asks_nothing_of_anybody_and_complains_of_nothing(
    small: Load, tab: Opened, shown_small: Path
) -> None:
    page = small()
    page.locator("#theme").click()
    page.locator("#filter").fill("invoices")
    page.locator(".zoom").first.click()
    page.locator(".open-all").first.click()
    own = {"about:blank", shown_small.as_uri()}
    assert {url for url in tab.requests if not url.startswith("data:")} <= own
    assert tab.complaints == []


def test_every_plot_is_drawn_in_lines_and_letters(whole: Page) -> None:
    names = {each.get_attribute("aria-labelledby") for each in whole.locator(".plot").all()}
    assert names >= {f"{name}-title" for name in ("survival-all", "growth", "time-per-screen")}
    assert names >= {"latency-1-title", "hit-rate-1-title", "drift-1-title"}
    plots = whole.locator(".plot > svg")
    assert all(width > 200 and height > 30 for _, _, width, height in boxes_of(plots))
    for inside in ("text", "path", ".hit > title"):
        script = f"all => all.map(one => one.querySelectorAll('{inside}').length)"
        assert min(plots.evaluate_all(script)) >= 1


def test_every_screen_of_a_graph_stands_there_and_on_no_other(whole: Page) -> None:
    sizes = []
    for graph in whole.locator("svg.states").all():
        nodes = boxes_of(graph.locator(".node rect"))
        sizes.append(len(nodes))
        assert all(w > 60 and h > 60 for _, _, w, h in nodes)
        assert graph.locator(".node use, .node .nothing").count() == len(nodes)
        for (x, y, w, h), (x2, y2, w2, h2) in combinations(nodes, 2):
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
    assert sorted(sizes) == [6, 9, 40]


def test_every_picture_can_be_decoded(whole: Page) -> None:
    widths = whole.evaluate("""() => Promise.all(
        [...document.querySelectorAll("img, symbol image")].map(async one => {
            const picture = new Image();
            picture.src = one.getAttribute("src") ?? one.getAttribute("href");
            await picture.decode();
            return picture.naturalWidth;
        }))""")
    assert len(widths) > 300
    assert min(widths) > 0


@each("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_window(whole: Page, width: int) -> None:
    whole.set_viewport_size({"width": width, "height": 800})
    whole.evaluate(OPEN_ALL)
    assert whole.evaluate("document.documentElement.scrollWidth") <= width
    whole.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})


def test_a_screen_that_has_the_focus_shows_all_its_arrows(whole: Page) -> None:
    graph = whole.locator("svg.states").last
    started = graph.locator(".arrow").first.get_attribute("data-from")
    node = graph.locator(f'.node[data-node="{started}"]')
    node.focus()
    assert graph.locator(f'.arrow.lit[data-from="{started}"]').count() >= 1
    node.evaluate("one => one.blur()")
    assert graph.locator(".arrow.lit").count() == 0


def test_typing_into_the_filter_leaves_what_matches_and_opens_the_tables_that_hold_it(
    small: Load,
) -> None:
    page = small()
    closed = page.locator("details:not([open])").count()
    page.locator("#filter").press_sequentially("button_7")
    page.locator("#matches:not(:empty)").wait_for()
    left = page.locator(".tiles li:visible").all_inner_texts()
    assert len(left) > 0
    assert all("button_7" in text.lower() for text in left)
    assert page.locator("#matches").inner_text().split(" of ")[0] == str(
        page.locator("[data-filter]:not([hidden]), .tiles li:not([hidden])").count()
    )
    assert page.locator(".node.dim").count() > 0
    page.locator("#filter").fill("parking")
    rows = page.locator("#answer-recall-unknown_words tbody tr:visible").all_inner_texts()
    assert rows
    assert all("parking" in text for text in rows)
    page.locator("#filter").fill("zebra crossing")
    page.get_by_text("No component matches the filter.").first.wait_for()
    assert page.locator("#matches").inner_text().startswith("0 of ")
    page.locator("#filter").fill("")
    page.locator("#matches:empty").wait_for(state="attached")
    assert page.locator("details:not([open])").count() == closed


def test_a_click_on_a_column_sorts_by_it_as_numbers_and_a_second_one_turns_it(small: Load) -> None:
    page = small()
    table = table_of(page, "growth-totals")
    head = table.locator("thead th").nth(3)
    for direction in ("ascending", "descending"):
        head.get_by_role("button").click()
        cells = table.locator("tbody tr td:nth-child(4)")
        values = cells.evaluate_all("all => all.map(one => Number(one.dataset.value))")
        assert values == sorted(values, reverse=direction == "descending")
        assert len(set(values)) > 3
        assert head.get_attribute("aria-sort") == direction


def test_a_column_is_filtered_by_words_and_by_numbers_and_the_address_brings_it_back(
    small: Load,
) -> None:
    page = small()
    table = table_of(page, "growth-totals")
    everything = len(rows_of(page, "growth-totals"))
    table.get_by_label("Only rows whose table holds").fill("temp")
    assert 0 < len(rows_of(page, "growth-totals")) < everything
    assert "2 of" in page.locator("#answer-growth-totals > summary").inner_text()
    table.get_by_label("Only rows whose rows holds").fill("> 5")
    table.get_by_role("button", name="rows", exact=True).click()
    left = rows_of(page, "growth-totals")
    assert left
    assert all(
        int(text.replace(",", "")) > 5
        for text in table.locator("tbody tr:visible td:nth-child(3)").all_inner_texts()
    )
    page.reload()
    assert rows_of(page, "growth-totals") == left
    assert page.locator('#answer-growth-totals th[aria-sort="ascending"]').inner_text() == "rows"
    page = small(place="#?q=parking")
    assert page.locator("#filter").input_value() == "parking"
    assert page.locator("#matches").inner_text().split(" of ")[0] != "0"


def test_what_is_typed_above_a_column_is_a_part_of_it_or_a_bound(small: Load) -> None:
    page = small()
    table = table_of(page, "growth-totals")
    for column, typed, some in (
        ("share", "> 50%", True),
        ("share", "<1", True),
        ("share", "=0.5", False),
        ("first on", ">= 2026-11-01", True),
        ("share", "nothing", False),
    ):
        field_ = table.get_by_label(f"Only rows whose {column} holds")
        field_.fill(typed)
        assert bool(rows_of(page, "growth-totals")) is some, typed
        field_.fill("")
    table = table_of(page, "health-coverage")
    column_ = table.get_by_label("Only rows whose since at holds")
    place = table.locator("thead th").all_inner_texts().index("since at") + 1
    time = table.locator(f"tbody td:nth-child({place})[data-value^='2']").first.inner_text()
    for letters in (10, 16):  # a day or a minute is all of its times
        for sign, some in (("=", True), ("<=", True), (">=", True), ("<", False)):
            column_.fill(f"{sign} {time[:letters]}")
            left = table.locator(f"tbody tr:visible td:nth-child({place})").all_inner_texts()
            assert any(each[:letters] == time[:letters] for each in left) is some


def test_a_row_shows_what_it_is_about_and_leads_to_its_place_among_the_components(
    small: Load,
) -> None:
    page = small()
    table = table_of(page, "health-stale")
    picture = table.locator("tbody img").first
    picture.evaluate("one => one.decode()")
    assert picture.evaluate("one => one.naturalWidth") > 0
    link = table.locator("tbody a").first
    name = link.inner_text()
    link.click()
    tile = page.locator("li.target")
    tile.wait_for()
    assert tile.locator("b").inner_text() == name
    assert tile.is_visible()


def test_a_plot_tells_what_is_pointed_at_and_leads_to_its_table(small: Load) -> None:
    page = small()
    hit = page.locator(".plot .hit").first
    text = hit.locator("title").text_content()
    hit.hover()
    assert page.locator(".tip-box:visible").inner_text() == text
    page.locator("#findings-title").hover()
    assert page.locator(".tip-box:visible").count() == 0
    page.locator(".plot a").first.click()
    page.locator("#answer-decay-survival[open]").wait_for()


def test_on_a_phone_the_graph_is_a_list_that_leads_to_the_components(small: Load) -> None:
    page = small(PHONE)
    assert page.locator("svg.states:visible").count() == 0
    for steps in page.locator(".steps").all():
        ((left, _, width, _),) = boxes_of(steps)
        assert 0 <= left <= left + width <= PHONE[0]
    assert page.locator(".steps > li").count() == page.locator("svg.states .node").count()
    assert "screen 0" in page.locator(".steps > li").nth(1).inner_text()
    page.locator(".steps a").first.click()
    page.locator(".gallery-section.target[open]").wait_for()


@pytest.mark.parametrize("place", ["#nowhere", "#%", "#?%=%&answer-x.y=%"])
def test_an_address_that_leads_nowhere_leaves_the_page_as_it_works(
    small: Load, tab: Opened, place: str
) -> None:
    page = small(place=place)
    page.locator(".zoom").first.click()
    page.locator(".graph.full").wait_for()
    assert tab.complaints == []


def test_the_page_follows_the_system_until_its_button_is_pressed(small: Load) -> None:
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}
    paper = "getComputedStyle(document.body).backgroundColor"
    line = "getComputedStyle(document.querySelector('.plot path.line.s1')).stroke"
    strokes = set()
    for theme, other in (("light", "dark"), ("dark", "light")):
        page = small(theme=theme)
        assert page.evaluate(paper) == colours[theme]
        strokes.add(page.evaluate(line))
        page.get_by_role("button", name=f"{other.title()} theme").click()
        assert page.evaluate(paper) == colours[other]
        page.get_by_role("button", name=f"{theme.title()} theme").click()
        assert page.evaluate(paper) == colours[theme]
        page.evaluate("localStorage.clear()")
    assert len(strokes) == 2


@pytest.mark.parametrize(("size", "theme"), [(WIDE, "light"), (PHONE, "dark")])
def test_contrast_names_and_roles_pass_axe(
    small: Load, size: tuple[int, int], theme: Theme
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = small(size, theme)
    # One thing of each kind: the others are made by the same lines.
    page.evaluate("""() => {
        const kept = new Set(["store-2-transitions", "answer-health-coverage", "answer-health-stale",
            "store-2-section-1"]);
        for (const one of document.querySelectorAll(".answer, .gallery-section"))
            if (kept.has(one.id)) one.open = true; else one.remove();
        for (const one of document.querySelectorAll(".plot ~ .plot ~ .plot")) one.remove();
        document.querySelector("#answer-health-coverage .columns").open = true;
    }""")
    found = Axe().run(page)
    assert [
        (rule["id"], rule["nodes"][0]["html"][:200]) for rule in found.response["violations"]
    ] == []
    assert {rule["id"] for rule in found.response["passes"]} >= {
        *("color-contrast", "label", "image-alt", "button-name", "heading-order", "region"),
        *("landmark-unique", "duplicate-id-aria", "aria-roles"),
    }


def test_the_first_tab_leads_past_the_contents_and_a_slash_to_the_filter(small: Load) -> None:
    page = small()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "filter"


def test_what_moves_stays_still_for_those_who_asked_for_it(small: Load) -> None:
    duration = "getComputedStyle(document.querySelector('.arrow')).transitionDuration"
    page = small()
    assert page.evaluate(duration) == "0s"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(duration).startswith("0.12s")


def test_without_scripts_everything_can_still_be_read(browser: Browser, shown_small: Path) -> None:
    page = opened_in(browser, shown_small, java_script_enabled=False).page
    for screen in page.locator(".gallery-section > summary").all():
        screen.click()
    assert page.locator(".tiles li:visible").count() > 10
    assert page.locator("#filter:visible, #theme:visible, .copy:visible").count() == 0
    page.locator("#answer-growth-totals > summary").click()
    assert page.locator("#answer-growth-totals tbody tr:visible").count() > 3
    page.context.close()
