from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UsageError
from tests.visual.drawn import Drawn, Widget, rows
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.visual.conftest import OpenMemory

CHROME = rows("Back", "Reload", "Bookmarks", top=4)


def page(*labels: str) -> Drawn:
    return rows(*labels, top=120)


def shown(site: Drawn) -> Drawn:
    return CHROME.plus(*site.widgets)


def test_the_browsers_own_buttons_are_kept_out_of_the_sites_file(opened: OpenMemory) -> None:
    opened("firefox").learn(*CHROME.given)
    site = opened("firefox/shop.example")
    answer = site.learn(*shown(page("Basket", "Offers", "Account")).given)
    assert {one.why for one in answer.refused} == {"part of the browser, not of the site"}
    assert [c.name for c in site.components.list()] == ["Basket", "Offers", "Account"]
    assert len(opened("firefox").components.list()) == 3


def test_without_a_memory_of_the_browser_its_buttons_are_the_sites(opened: OpenMemory) -> None:
    site = opened("firefox/shop.example")
    site.learn(*shown(page("Basket", "Offers", "Account")).given)
    assert len(site.components.list()) == 6


def test_learning_a_site_changes_nothing_in_the_browsers_file(opened: OpenMemory) -> None:
    browser = opened("firefox")
    browser.learn(*CHROME.given)
    before = browser.store.rows("select * from component"), browser.store.path.read_bytes()
    site = opened("firefox/shop.example")
    site.learn(*shown(page("Basket", "Offers", "Account")).given)
    site.match(shown(page("Basket", "Offers", "Account")).image)
    after = browser.store.rows("select * from component"), browser.store.path.read_bytes()
    assert [tuple(row) for row in after[0]] == [tuple(row) for row in before[0]]
    assert after[1] == before[1]


def test_a_site_is_not_created_by_a_browsers_components_alone(opened: OpenMemory) -> None:
    opened("firefox").learn(*CHROME.given)
    answer = opened("firefox/shop.example").learn(*CHROME.given)
    assert (answer.learned, answer.state) == ([], None)


def test_a_url_is_the_memory_of_its_site(opened: OpenMemory, tmp_path: Path) -> None:
    screen = page("Basket", "Offers", "Account")
    state = state_of(opened("firefox/https://www.shop.example/basket?x=1").learn(*screen.given))
    assert state_of(opened("firefox/shop.example").match(screen.image)) == state
    assert (tmp_path / "apps/firefox/sites/shop.example.db").exists()


@pytest.mark.parametrize(
    "address", ["..", "../x", "A/B C", "firefox/..", "firefox/../../etc", "a|b", "con", ""]
)
def test_an_unsafe_name_is_refused_and_no_file_is_made(tmp_path: Path, address: str) -> None:
    with pytest.raises(UsageError, match=r"is not allowed|is reserved|is a path"):
        memctl.open(address, home=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_the_browser_that_a_box_only_touches_stays_with_the_site(
    opened: OpenMemory,
) -> None:
    opened("firefox").learn(*CHROME.given)
    wide = Widget("Wide banner", 0, 28, w=240, h=60)
    screen = Drawn((wide, *CHROME.widgets))
    answer = opened("firefox/shop.example").learn(screen.image, [wide.box()])
    assert [one.name for one in answer.learned] == ["Wide_banner"]
