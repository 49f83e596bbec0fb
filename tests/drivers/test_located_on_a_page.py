"""Locating on pages: names of the page at hand, rows by any text, labels that are cut."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import UsageError
from tests.browsers import needs_browser
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.memory import Memory

    Opened = Callable[..., BrowserDriver]

pytestmark = needs_browser

DELETE = "<td><button>Delete</button>"
BOB, ANN = ("Bob Cole", "8.00", "4 March"), ("Ann Berg", "12.50", "3 March")
CSV, MD, TXT = (f"report-2026-november-13.{ending}" for ending in ("csv", "md", "txt"))


def page(title: str, body: str) -> str:
    style = """<style>td { padding: 8px 20px } li button { width: 130px; overflow: hidden;
        text-overflow: ellipsis; white-space: nowrap; display: block; margin: 12px }</style>"""
    return f"<title>{title}</title>{style}<h1>{title}</h1>{body}"


def guests(*rows: tuple[str, ...]) -> str:
    lines = (f"<tr>{''.join(f'<td>{cell}' for cell in row)}{DELETE}" for row in rows)
    return page("Guests", f"<table>{''.join(lines)}</table>")


def files(*names: str) -> str:
    items = "".join(f"<li><button>{name}</button>" for name in names)
    return page("Files", f"<button>Upload</button><button>Refresh</button><ul>{items}</ul>")


ORDERS = page(
    "Orders", f"<table><tr><td>Dora Ek<td>Rope{DELETE}<tr><td>Finn Aas<td>Tar{DELETE}</table>"
)
FORM = page("Edit a guest", "<p>Name of the guest</p><button>Delete</button>")


@pytest.fixture(scope="module")
def taught(opened: Opened, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that knows two tables, a form whose button is named exactly "Delete", and files."""
    home = tmp_path_factory.mktemp("taught")
    with memctl.open("guests", home) as memory:
        for html in (guests(ANN, BOB), ORDERS, FORM, files(CSV, MD)):
            memory.learn(opened(html))
        known = {"Delete", "Delete_by_Bob_Cole", "Delete_by_Dora_Ek"}
        assert known <= set(memory.components.names())
    return home


@pytest.fixture
def learned(taught: Path, home: Path) -> Iterator[Memory]:
    """A memory of its own with what is known there."""
    shutil.copytree(taught, home)
    with memctl.open("guests", home) as memory:
        yield memory


def pressed(driver: BrowserDriver, at: tuple[float, float] | None) -> str:
    """Return the text of the row that a point lies in."""
    assert at is not None
    asked = "([x, y]) => document.elementFromPoint(x, y).closest('tr').innerText"
    return " ".join(str(driver.page.evaluate(asked, list(at))).split())


def test_a_label_means_the_page_at_hand_however_many_pages_have_it(
    learned: Memory, opened: Opened
) -> None:
    driver = opened(ORDERS)
    found = learned.locate("Delete", driver, beside="Dora Ek")
    assert pressed(driver, found.center).startswith("Dora Ek")
    assert learned.locate("delete", opened(FORM)).name == "Delete"
    with pytest.raises(UsageError, match='2 components on this screen are called "Delete"') as told:
        learned.locate("Delete", opened(guests(ANN, BOB)))
    assert "Delete_by_Bob_Cole (beside Bob Cole, 8.00, 4 March)" in str(told.value.hint)
    assert "Dora" not in str(told.value.hint)


def test_any_text_of_a_row_chooses_it_whole_or_in_whole_words(
    learned: Memory, opened: Opened
) -> None:
    driver = opened(guests(ANN, BOB))
    look = driver.look()
    for text in ("8.00", "4 march", "Bob Cole", "Cole"):
        found = learned.locate("Delete", look, beside=text)
        assert pressed(driver, found.center).startswith("Bob Cole"), text


@each(
    ("rows", "beside", "how"),
    [
        (
            (("Ann Bergman", "9"), ("Bob Cole", "8.00")),
            "Ann Berg",
            'no row says "Ann Berg"; they say: Ann Bergman, 9; Bob Cole, 8.00',
        ),
        (
            (BOB[:2], ANN, ("Bob Cole", "9.00")),
            "Bob Cole",
            '2 rows say "Bob Cole": Bob Cole, 8.00; Bob Cole, 9.00',
        ),
    ],
)
def test_a_row_that_is_not_settled_is_not_found_and_the_rows_are_named(
    learned: Memory, opened: Opened, rows: tuple[tuple[str, ...], ...], beside: str, how: str
) -> None:
    absent = learned.locate("Delete", opened(guests(*rows)), beside=beside)
    assert not absent
    assert (absent.center, absent.how) == (None, how)


def test_a_row_that_nobody_learned_is_found_by_a_cell_that_is_not_its_first(
    learned: Memory, opened: Opened
) -> None:
    driver = opened(guests(("1", "Ann Berg"), ("2", "Eve Hall"), ("3", "Eve Hallström")))
    found = learned.locate("Delete", driver, beside="Eve Hall")
    assert pressed(driver, found.center).startswith("2 Eve Hall")


def test_a_row_without_the_button_lends_no_other_rows(learned: Memory, opened: Opened) -> None:
    rows = guests(("Ann Berg", "1"), ("Bob Cole", "2"), ("Cy Dunn", "3"))
    look = opened(rows.replace(f"Bob Cole<td>2{DELETE}", "Bob Cole<td>2")).look()
    assert not learned.locate("Delete", look, beside="Bob Cole")
    assert learned.locate("Delete", look, beside="Cy Dunn")


def test_a_number_beside_is_a_text_and_no_id(learned: Memory, opened: Opened) -> None:
    second = learned.components.get("Bob_Cole").id
    look = opened(guests(ANN, BOB)).look()
    assert not learned.locate("Delete", look, beside=str(second))
    assert learned.locate("Delete", look, beside=second)


# -- labels that are cut to one text on the screen: the page says which is which ------------------


def test_a_cut_label_is_found_where_the_page_says_it_and_pixels_alone_settle_none(
    learned: Memory, opened: Opened
) -> None:
    look = opened(files(CSV, MD)).look()
    upper, lower = (learned.locate(name, look) for name in (CSV, MD))
    assert upper.y is not None
    assert lower.y is not None
    assert upper.y < lower.y
    assert not learned.locate(CSV, look.png).found
    assert learned.locate("Upload", look.png).found
    changed = opened(files(MD, CSV)).look()
    for name, was in ((MD, upper), (CSV, lower)):
        now = learned.locate(name, changed)
        assert not now.found or now.y == was.y


def test_a_file_that_is_gone_is_not_found_at_another(learned: Memory, opened: Opened) -> None:
    driver = opened(files(TXT, MD))
    look = driver.look()
    assert not learned.locate(CSV, look).found
    assert learned.locate(MD, look).found
    assert CSV not in {one.name for one in learned.match(look).sightings}
    assert not learned.wait(CSV, driver, timeout=0).found


# -- pages of Playwright's ------------------------------------------------------------------------


def test_a_page_of_playwrights_is_looked_at_like_a_driver(learned: Memory, opened: Opened) -> None:
    driver = opened(guests(ANN, BOB))
    own = driver.page.context.new_page()
    own.goto(driver.page.url)
    here, there = learned.match(driver).state, learned.match(own).state
    assert here is not None
    assert there is not None
    assert here.id == there.id
    assert learned.locate("Delete", own, beside="8.00").name == "Delete_by_Bob_Cole"
    assert learned.wait("Delete_by_Bob_Cole", own, timeout=1)
    assert not own.is_closed()
    own.close()


def test_an_async_page_is_refused_with_the_way_out(memory: Memory) -> None:
    from playwright.async_api import Page

    unlooked: Any = Page.__new__(Page)
    with pytest.raises(UsageError, match="async API") as told:
        memory.match(unlooked)
    assert "await page.screenshot()" in str(told.value.hint)
