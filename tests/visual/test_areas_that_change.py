"""A banner that shows something else each time, on a page that is otherwise the same.

Its area is given with one call, or kept with the state.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import memctl
from memctl.base.errors import NotFoundError, SecretRefusedError, UsageError
from memctl.store.migrations import apply
from memctl.visual.ignored_areas import IGNORED
from memctl_cli.demo import bundle
from tests.each import each
from tests.visual.drawn import Drawn, enlarged, numbered

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from tests.visual.conftest import OpenMemory, Query

BANNER = (0, 160, 480, 160)
LABELLED = (*BANNER, "banner")
PAGE = numbered("Page")
OTHER_BANNERS = ("Offer", "Advice", "Weather")


def shown(banner: str, page: Drawn = PAGE) -> Drawn:
    """Return the page with twelve things in its banner: more than on the rest of it."""
    below = numbered(banner, 9).moved(0, 150)
    return page.plus(*below.widgets)


def page_of(answer: Any) -> str | None:
    return None if answer.state is None else answer.state.page


def test_a_page_whose_banner_changes_is_known_by_the_rest(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home", ignore=[LABELLED])
    for banner in OTHER_BANNERS:
        answer = memory.match(shown(banner).image)
        assert (page_of(answer), answer.absent, answer.ignored) == ("home", [], [LABELLED])
    assert {component.consecutive_misses for component in memory.components} == {0}


def test_an_area_of_one_call_holds_for_that_call(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home")
    answer = memory.match(shown("Offer").image, ignore=[BANNER])
    assert (page_of(answer), answer.absent, answer.ignored) == ("home", [], [BANNER])
    assert page_of(memory.match(shown("Offer").image)) is None
    assert memory.states.get("home").ignored == []
    assert memory.wait("home", shown("Offer").image, ignore=[BANNER], timeout=0).found


def test_what_is_there_is_no_sighting_for_that_call(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home")
    seen = memory.match(shown("Sale").image, ignore=[BANNER])
    assert {one.name for one in seen.sightings} == {f"Page_{one}" for one in "abcdef"}
    place = memory.locate("Sale_a", shown("Sale").image, ignore=[BANNER])
    assert (place.found, place.how) == (False, IGNORED)
    assert memory.locate("Sale_a", shown("Sale").image).found


@each("forgetting", ["expected", "everywhere"])
def test_nothing_is_missed_in_an_area(opened: OpenMemory, forgetting: str) -> None:
    memory = opened(forgetting, forgetting=forgetting, forget_threshold="2")
    for _ in range(2):
        memory.learn(*shown("Sale").given, page="home")
    memory.states.ignore("home", [BANNER])
    for _ in range(3):
        assert memory.match(shown("Offer").image).forgotten == []
        assert memory.learn(*PAGE.given, page="home").forgotten == []
    assert len(memory.components) == 15


def test_a_component_that_an_area_cuts_is_looked_for_and_not_missed(memory: Memory) -> None:
    page = numbered("Page", 18)
    for _ in range(2):
        memory.learn(*page.given, page="home", ignore=[(0, 188, 480, 132)])
    answer = memory.match(page.without("Page k").image)
    assert [(one.name, one.counted) for one in answer.absent] == [("Page_k", False)]
    memory.states.ignore("home", [(0, 175, 480, 145)])
    assert memory.match(page.without("Page k").image).absent == []


def test_areas_hold_on_a_denser_display(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home", ignore=[BANNER])
    x, y, w, h = BANNER
    answer = memory.match(enlarged(shown("Offer").image, 2))
    assert (page_of(answer), answer.ignored) == ("home", [(2 * x, 2 * y, 2 * w, 2 * h)])


def test_an_area_scrolls_with_what_it_is_on(memory: Memory) -> None:
    page = numbered("Page", 18)
    memory.learn(*page.given, page="home", ignore=[(300, 200, 180, 60)])
    assert memory.match(page.moved(0, -60).image).ignored == [(300, 140, 180, 60)]
    memory.learn(page.moved(0, -60).image, [], page="home", ignore=[(0, 50, 100, 20)])
    assert memory.states.get("home").ignored == [(0, 110, 100, 20), (300, 200, 180, 60)]


def test_areas_of_a_merged_state_hold_for_its_survivor(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home", ignore=[BANNER])
    memory.learn(*numbered("Other").given, page="other")
    memory.states.merge("home", "other")
    merged = memory.states.list()
    assert [memory.states.get(one.id).ignored for one in merged] == [[BANNER]]


def test_areas_of_a_state_are_added_named_and_taken_back(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home")
    assert memory.states.ignore("home", [BANNER], add=True).ignored == [BANNER]
    clock = (400, 0, 80, 20, "clock")
    assert memory.states.ignore("home", [clock, LABELLED], add=True).ignored == [clock, LABELLED]
    assert memory.states.ignore("home", [BANNER], remove=True).ignored == [clock]
    with pytest.raises(NotFoundError, match="has no ignored area 0,160,480,160"):
        memory.states.ignore("home", [BANNER], remove=True)
    assert memory.states.ignore("home", []).ignored == []


def test_areas_are_rows_that_sql_may_change(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home")
    assert page_of(memory.match(shown("Offer").image)) is None
    state = memory.states.get("home").id
    with closing(sqlite3.connect(memory.store.path, isolation_level=None)) as file:
        insert = "insert into ignored_area values (?, 0, 160, 480, 160, 'banner')"
        file.execute(insert, (state,))
        assert page_of(memory.match(shown("Offer").image)) == "home"
        file.execute("delete from ignored_area where label = 'banner'")
    assert page_of(memory.match(shown("Offer").image)) is None


def test_what_an_area_hid_counts_again_after_the_next_look(memory: Memory) -> None:
    memory.learn(*shown("Sale").given, page="home", ignore=[BANNER])
    memory.states.ignore("home", [])
    assert page_of(memory.match(shown("Sale").image)) == "home"
    assert page_of(memory.match(shown("Offer").image)) is None


def test_a_label_that_is_a_secret_or_no_text_is_refused(memory: Memory, query: Query) -> None:
    memory.learn(*PAGE.given, page="home")
    secret = (0, 0, 40, 20, "password: hunter2-Xk49z")
    with pytest.raises(SecretRefusedError):
        memory.learn(*PAGE.given, ignore=[secret])
    with pytest.raises(SecretRefusedError):
        memory.states.ignore("home", [secret])
    no_text: Any = (0, 0, 40, 20, 7)
    with pytest.raises(UsageError, match="is no text"):
        memory.match(PAGE.image, ignore=[no_text])
    assert query("select count(*) from ignored_area") == [(0,)]


def test_nothing_in_an_area_is_a_difference(memory: Memory) -> None:
    before, after = shown("Sale").image, shown("Offer").image
    assert memory.diff(before, after).changes
    assert memory.diff(before, after, ignore=[BANNER]).changes == []
    assert memctl.diff(before, after, ignore=[BANNER]).similarity == 1.0
    memory.learn(*shown("Sale").given, page="home", ignore=[BANNER])
    assert memory.diff(before, after).changes == []
    with pytest.raises(UsageError, match="diff compares two images"):
        memory.diff("Page a", ignore=[BANNER])


MENU = (1016, 52, 240, 243)
"""All in which Harbor's dashboard differs from the same with the menu of the account open."""


@each("areas", [[], [MENU]])
def test_two_pages_that_differ_in_an_area_alone_are_not_told_apart(
    memory: Memory, areas: list[tuple[int, int, int, int]]
) -> None:
    shots = {shot.name: shot for shot in bundle.shots()}
    for name in ("dashboard", "account-menu"):
        memory.learn(shots[name].png, shots[name].boxes_file(), page=name, ignore=areas)
    for name in ("dashboard", "account-menu"):
        answer = memory.match(shots[name].png, ignore=[] if areas else [MENU])
        assert answer.state is None
        assert "nothing on it tells them apart" in answer.doubt


def test_the_frame_that_an_area_leaves_of_a_page_is_no_proof_of_it(memory: Memory) -> None:
    frame = numbered("Frame", 3)
    pages = [frame.plus(*numbered(f"Page {n}").moved(0, 80).widgets) for n in range(4)]
    below = (0, 60, 480, 260)
    memory.learn(*pages[0].given, page="home", ignore=[below])
    memory.learn(*pages[1].given, page="other")
    memory.learn(*pages[2].given, page="third")
    stranger = memory.match(pages[3].image)
    assert page_of(stranger) is None
    assert page_of(memory.match(pages[3].image, page="home")) == "home"
    assert [page_of(memory.match(pages[n].image)) for n in (1, 2)] == ["other", "third"]


def test_what_scrolls_out_of_an_area_is_no_difference() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (60, 200, 3), np.uint8)
    page = numbered("Page", 18)
    before, after = page.image, page.moved(0, -50).image
    before[200:260, 150:350] = noise
    after[200:260, 150:350] = noise[::-1]
    kinds = [one.kind for one in memctl.diff(before, after, ignore=[(150, 200, 200, 60)]).changes]
    assert kinds[0] == "scrolled"
    assert "changed" not in kinds


def test_areas_that_were_a_list_become_rows(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as file:
        apply(file, upto=6)
        file.execute(
            "insert into state (id, status, visit_count, first_seen_at, last_seen_at, img_w,"
            " img_h, ignored) values ('s_1', 'confirmed', 1, '2026-01-01T12:00:00Z',"
            " '2026-01-01T12:00:00Z', 480, 320, '[[1, 2, 3, 4], [1, 2, 3, 4], [5, -6, 7.5, 8],"
            " [1, 1, 0, 5], []]')"
        )
        apply(file)
        rows = file.execute("select * from ignored_area order by x").fetchall()
    assert rows == [("s_1", 1, 2, 3, 4, None), ("s_1", 5, -6, 7, 8, None)]


def test_areas_come_along_with_the_store_of_another_machine(opened: OpenMemory) -> None:
    with memctl.open("app", home=opened("other").store.path.parent / "home") as theirs:
        theirs.learn(*shown("Sale").given, page="home", ignore=[LABELLED])
    memory = opened("app")
    for _ in range(2):
        memory.packs.import_store(theirs.store.path)
    assert memory.states.get("home").ignored == [LABELLED]
