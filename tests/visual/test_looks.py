"""A page is recognised in every look, and no page is taken for another."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

import memctl
from memctl.visual.recognition.shown_screen import unpacked_look
from tests.visual.drawn import enlarged
from tests.visual.written import DARK, STARK, Written, desktop, popup

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.visual.match_results import Match
    from tests.visual.conftest import OpenMemory, Query

PAGES = {name: Written(seed) for seed, name in enumerate(("Home", "Bills", "People", "Help"))}
HOME = PAGES["Home"]
STRANGER = Written(seed=50)

LOOKS = {
    "scrolled": HOME.but(scrolled=68).image,
    "dark": HOME.but(**DARK).image,
    "high contrast": HOME.but(**STARK).image,
    "a wider window": HOME.but(size=(1400, 640)).image,
    "a lower window": HOME.but(size=(1000, 480)).image,
    "scale 1.5": enlarged(HOME.image, 1.5),
    "scale 3": enlarged(HOME.image, 3),
    "dark at scale 2": enlarged(HOME.but(**DARK).image, 2),
    "under a popup": popup(HOME.image),
    "dimmed under a popup": popup(HOME.image, dimmed=True),
    "a window on a desktop": desktop(HOME.image, 333, 210),
}


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that has learned the pages once, for tests to copy."""
    with memctl.open("app", home=tmp_path_factory.mktemp("taught")) as memory:
        for name, page in PAGES.items():
            memory.learn(*page.given, page=name)
    return memory.store.path


@pytest.fixture
def taught(learned: Path, opened: OpenMemory, tmp_path: Path) -> Memory:
    """A memory of its own that knows the pages."""
    (tmp_path / "apps").mkdir()
    shutil.copy(learned, tmp_path / "apps")
    return opened()


def shown(answer: Match) -> str | None:
    return None if answer.state is None else answer.state.page


def test_a_page_is_recognised_in_every_look(taught: Memory) -> None:
    assert {name: shown(taught.match(look, record=False)) for name, look in LOOKS.items()} == (
        dict.fromkeys(LOOKS, "Home")
    )


def test_a_page_never_learned_is_not_taken_for_a_known_one(taught: Memory) -> None:
    strange = [
        STRANGER.image,
        STRANGER.but(**DARK).image,
        popup(STRANGER.image, dimmed=True),
        desktop(STRANGER.image, 333, 210),
    ]
    assert [taught.match(image, record=False).state for image in strange] == [None] * len(strange)


def test_a_page_of_which_a_scroll_left_the_chrome_alone_is_no_other_page(taught: Memory) -> None:
    empty = HOME.but(scrolled=2000).image
    assert shown(taught.match(empty)) in {None, "Home"}
    assert shown(taught.match(STRANGER.but(lines=0, scrolled=2000).image)) is None


def test_what_a_popup_covers_is_absent_for_that_reason_and_no_miss(
    taught: Memory, query: Query
) -> None:
    answer = taught.learn(popup(HOME.image), [])
    assert shown(answer) == "Home"
    covered = [one for one in answer.absent if one.why.startswith("covered by something at")]
    assert len(covered) >= 2
    assert {one.counted for one in covered} == {False}
    assert query("select sum(consecutive_misses) from component") == [(0,)]


def test_what_is_dimmed_is_absent_for_that_reason_and_no_miss(taught: Memory) -> None:
    answer = taught.match(popup(HOME.image, dimmed=True))
    assert answer.absent
    assert all(one.why.startswith("covered") for one in answer.absent)
    assert any("dimmed" in one.why for one in answer.absent)


def test_two_monitors_show_a_state_each(taught: Memory) -> None:
    answer = taught.match(np.hstack([PAGES["Bills"].image, HOME.image]))
    assert {shown(answer), *(one.page for one in answer.also)} == {"Bills", "Home"}


def test_a_window_that_moved_is_found_with_its_components_where_they_are_now(
    taught: Memory,
) -> None:
    answer = taught.match(desktop(HOME.image, 333, 210))
    overview = next(one for one in answer.sightings if one.name == "Overview")
    assert (overview.x, overview.y) == (14 + 333, 42 + 210)
    assert answer.absent == []


def test_a_state_without_components_outlives_the_forgetting_of_others(memory: Memory) -> None:
    (words,) = [memory.learn(HOME.image, []).state]
    memory.learn(*STRANGER.given)
    for component in memory.components.list():
        memory.components.forget(component.id)
    assert words is not None
    assert [state.id for state in memory.states.list()] == [words.id]


def test_states_of_an_earlier_memctl_are_described_once(opened: OpenMemory, query: Query) -> None:
    memory = opened()
    for name, page in PAGES.items():
        memory.learn(*page.given, page=name)
    with memory.store.transaction():
        memory.store.execute("update state set words = null, look = null")
    assert shown(memory.match(HOME.image)) == "Home"
    counts = "select words_whole, count(*) from state where words is not null group by 1 order by 1"
    assert query(counts) == [(0, 3), (1, 1)]
    assert shown(memory.match(HOME.but(**DARK).image)) == "Home"


def test_pages_of_one_frame_whose_words_differ_are_not_merged(opened: OpenMemory) -> None:
    memory = opened(state_merge="0.5")
    pages = [Written(seed, lines=8) for seed in range(3)]
    for page in pages * 3:
        assert memory.learn(page.image, page.boxes[:6]).states_merged == []
    assert len(memory.states.list()) == 3


def test_an_erased_component_takes_its_words_along(taught: Memory, query: Query) -> None:
    sizes = "select page, length(words) from state order by page"
    before = dict(query(sizes))
    taught.components.erase("Overview")
    assert all(before[page] - size >= 32 for page, size in query(sizes))


def test_an_erased_component_takes_its_look_along(taught: Memory, query: Query) -> None:
    place = taught.components.get("Overview")
    taught.components.erase("Overview")
    for width, height, look in query("select img_w, img_h, look from state"):
        cells = unpacked_look(look, (width, height))
        assert cells is not None
        assert not cells[place.rel_y // 8, place.rel_x // 8 : (place.rel_x + place.w) // 8].any()
