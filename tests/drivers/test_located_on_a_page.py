"""Locating on pages: names of the page at hand, rows by any text, pages of Playwright's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import UsageError
from tests.browsers import needs_browser
from tests.drivers.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory

pytestmark = needs_browser

ROWS = (("Ann Berg", "12.50", "3 March"), ("Bob Cole", "8.00", "4 March"))


def page(title: str, body: str) -> str:
    return (
        f"<!doctype html><meta charset=utf-8><title>{title}</title>"
        f"<style>td {{ padding: 8px 20px }}</style><h1>{title}</h1>{body}"
    )


def table(*rows: tuple[str, ...]) -> str:
    lines = (
        f"<tr>{''.join(f'<td>{cell}' for cell in row)}<td><button>Delete</button>" for row in rows
    )
    return f"<table>{''.join(lines)}</table>"


PAGES = {
    "/": page("Guests", table(*ROWS)),
    "/orders": page("Orders", table(("Dora Ek", "Rope"), ("Finn Aas", "Anchor"))),
    "/form": page("Edit a guest", "<p>Name of the guest</p><button>Delete</button>"),
}


@pytest.fixture
def pages() -> dict[str, str]:
    return dict(PAGES)


@pytest.fixture
def url(pages: dict[str, str]) -> Iterator[str]:
    with served(pages) as root:
        yield root


@pytest.fixture
def learned(home: Path, driver: BrowserDriver, url: str) -> Iterator[Memory]:
    """A memory of two tables and of a form whose button is named exactly "Delete"."""
    with memctl.open("guests", home) as memory:
        for path in ("/", "/orders", "/form"):
            driver.goto(url + path)
            memory.learn(driver)
        assert {"Delete", "Delete_by_Bob_Cole", "Delete_by_Dora_Ek"} <= set(
            memory.components.names()
        )
        yield memory


@pytest.fixture
def shown(driver: BrowserDriver, url: str) -> BrowserDriver:
    driver.goto(url + "/")
    return driver


def show(driver: BrowserDriver, pages: dict[str, str], *rows: tuple[str, ...]) -> None:
    pages["/"] = page("Guests", table(*rows))
    driver.page.reload()


def pressed(driver: BrowserDriver, at: tuple[float, float] | None) -> str:
    """Return the text of the row that a point lies in."""
    assert at is not None
    asked = "([x, y]) => document.elementFromPoint(x, y).closest('tr').innerText"
    return " ".join(str(driver.page.evaluate(asked, list(at))).split())


def test_a_label_means_the_page_at_hand_however_many_pages_have_it(
    learned: Memory, driver: BrowserDriver, url: str
) -> None:
    for path, who in (("/", "Bob Cole"), ("/orders", "Dora Ek")):
        driver.goto(url + path)
        found = learned.locate("Delete", driver, beside=who)
        assert pressed(driver, found.center).startswith(who)
    driver.goto(url + "/form")
    assert learned.locate("delete", driver).name == "Delete"


def test_several_on_the_screen_are_named_with_what_stands_beside_each(
    learned: Memory, shown: BrowserDriver
) -> None:
    with pytest.raises(UsageError, match='2 components on this screen are called "Delete"') as told:
        learned.locate("Delete", shown)
    assert "Delete_by_Bob_Cole (beside Bob Cole, 8.00, 4 March)" in str(told.value.hint)
    assert "Dora" not in str(told.value.hint)


@pytest.mark.parametrize("text", ["8.00", "4 march", "Bob Cole", "Cole"])
def test_any_text_of_a_row_chooses_it_whole_or_in_whole_words(
    learned: Memory, shown: BrowserDriver, text: str
) -> None:
    found = learned.locate("Delete", shown, beside=text)
    assert pressed(shown, found.center).startswith("Bob Cole")


def test_a_part_of_a_word_is_not_the_word(
    learned: Memory, shown: BrowserDriver, pages: dict[str, str]
) -> None:
    show(shown, pages, ("Ann Bergman", "9"), ("Bob Cole", "8.00"))
    absent = learned.locate("Delete", shown, beside="Ann Berg")
    assert not absent
    assert absent.center is None
    assert absent.how == 'no row says "Ann Berg"; they say: Ann Bergman, 9; Bob Cole, 8.00'


def test_a_row_that_nobody_learned_is_found_by_a_cell_that_is_not_its_first(
    learned: Memory, shown: BrowserDriver, pages: dict[str, str]
) -> None:
    show(shown, pages, ("1", "Ann Berg"), ("2", "Eve Hall"), ("3", "Eve Hallström"))
    found = learned.locate("Delete", shown, beside="Eve Hall")
    assert pressed(shown, found.center).startswith("2 Eve Hall")


def test_namesakes_are_both_named_and_neither_is_given_out(
    learned: Memory, shown: BrowserDriver, pages: dict[str, str]
) -> None:
    show(shown, pages, ("Bob Cole", "8.00"), ("Ann Berg", "12.50"), ("Bob Cole", "9.00"))
    absent = learned.locate("Delete", shown, beside="Bob Cole")
    assert not absent
    assert absent.how == '2 rows say "Bob Cole": Bob Cole, 8.00; Bob Cole, 9.00'


def test_a_row_without_the_button_lends_no_other_rows(
    learned: Memory, shown: BrowserDriver, pages: dict[str, str]
) -> None:
    rows = table(("Ann Berg", "1"), ("Bob Cole", "2"), ("Cy Dunn", "3"))
    second = rows.index("<button>", rows.index("Bob Cole"))
    pages["/"] = page("Guests", rows[:second] + rows[second + len("<button>Delete</button>") :])
    shown.page.reload()
    assert not learned.locate("Delete", shown, beside="Bob Cole")
    assert learned.locate("Delete", shown, beside="Cy Dunn")


def test_a_number_beside_is_a_text_and_no_id(learned: Memory, shown: BrowserDriver) -> None:
    second = learned.components.get("Bob_Cole").id
    assert not learned.locate("Delete", shown, beside=str(second))
    assert learned.locate("Delete", shown, beside=second)


def test_a_page_of_playwrights_is_looked_at_like_a_driver(
    home: Path, driver: BrowserDriver, url: str
) -> None:
    driver.goto(url + "/")
    own = driver.page.context.new_page()
    own.goto(url + "/")
    with memctl.open("own", home) as memory:
        state = memory.learn(own).state
        again = memory.match(own)
        found = memory.locate("Delete", own, beside="8.00")
        assert state is not None
        assert again.state is not None
        assert again.state.id == state.id
        assert found.name == "Delete_by_Bob_Cole"
        assert memory.wait("Delete_by_Bob_Cole", own, timeout=1)
    assert not own.is_closed()
    own.close()


def test_an_async_page_is_refused_with_the_way_out(home: Path) -> None:
    from playwright.async_api import Page

    unlooked: Any = Page.__new__(Page)
    with (
        memctl.open("async", home) as memory,
        pytest.raises(UsageError, match="async API") as told,
    ):
        memory.match(unlooked)
    assert "await page.screenshot()" in str(told.value.hint)
