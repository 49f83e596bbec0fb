"""What every look at a screen keeps, and what a browser's and a site's file hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import SecretRefusedError, UsageError
from tests.processes import as_another_user
from tests.visual.drawn import Drawn, Widget, numbered, rows
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from tests.visual.conftest import OpenMemory, Query


SCREEN = numbered("Page", 15)
BANNER = Widget("Banner", 200, 280)


def test_a_learn_and_a_match_are_kept_as_observations(memory: Memory, query: Query) -> None:
    state = state_of(memory.learn(*SCREEN.given, page="inbox"))
    memory.match(SCREEN.image)
    assert query(
        "select kind, state_id, page, img_w, img_h, scale, found, absent, learned from observation"
    ) == [
        ("learn", state, "inbox", 480, 320, 1.0, 0, 0, 15),
        ("match", state, None, 480, 320, 1.0, 15, 0, 0),
    ]


def test_what_was_found_is_kept_with_place_score_and_stage(memory: Memory, query: Query) -> None:
    memory.learn(*SCREEN.given)
    memory.match(SCREEN.moved(5, 5).image)
    asked = "select x, y, w, h, score, how from sighting where observation_id = ? and found = 1"
    first = query(asked + " order by component_id limit 1", 2)
    assert first == [(25, 25, 90, 28, 1.0, "hash")]
    assert query("select count(*) from sighting where observation_id = 2") == [(15,)]


def test_what_was_expected_and_absent_is_kept_with_the_reason(memory: Memory, query: Query) -> None:
    memory.learn(*SCREEN.plus(BANNER).given)
    (absent,) = memory.match(SCREEN.image).absent
    assert absent.name == "Banner"
    assert query("select component_id, how from sighting where found = 0") == [
        (absent.component_id, absent.why)
    ]
    assert query("select absent from observation") == [(0,), (1,)]


def test_sightings_add_up_to_what_the_components_say(memory: Memory, query: Query) -> None:
    for screen in (SCREEN, SCREEN.plus(BANNER), SCREEN, SCREEN.moved(0, -40)):
        memory.learn(*screen.given)
        memory.match(screen.image)
    wrong = query(
        "select name from component where seen_count <> (select count(*) from sighting "
        "where component_id = component.id and found = 1)"
    )
    assert wrong == []
    assert query("select name, consecutive_misses from component where consecutive_misses > 0") == [
        ("Banner", 4)
    ]


def test_the_time_of_each_stage_is_kept(memory: Memory, query: Query) -> None:
    memory.learn(*SCREEN.given)
    answer = memory.match(SCREEN.image)
    ((stages, duration),) = query("select stages, duration_ms from observation where id = 2")
    assert {"decode", "identify", "last"} <= set(json.loads(stages))
    assert set(json.loads(stages)) <= set(answer.ms)
    assert duration > 0


def test_a_match_that_is_not_recorded_changes_nothing(memory: Memory) -> None:
    memory.learn(*SCREEN.given)
    before = list(memory.store.connection().iterdump())
    answer = memory.match(SCREEN.image, record=False)
    assert answer.observation_id is None
    assert len(answer.sightings) == 15
    assert list(memory.store.connection().iterdump()) == before


def test_a_locate_changes_nothing(memory: Memory) -> None:
    memory.learn(*SCREEN.given)
    before = list(memory.store.connection().iterdump())
    assert memory.locate("Page_a", SCREEN.image).found
    assert not memory.locate("Page_a", numbered("Other").image).found
    assert list(memory.store.connection().iterdump()) == before


def test_times_are_those_of_the_clock(
    opened: OpenMemory, query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = opened()
    for time in ("2026-01-02T03:04:05Z", "2026-02-03T04:05:06Z"):
        monkeypatch.setenv("MEMCTL_NOW", time)
        memory.learn(*SCREEN.given)
    assert query("select distinct learned_at, last_seen_at from component") == [
        ("2026-01-02T03:04:05Z", "2026-02-03T04:05:06Z")
    ]
    assert query("select first_seen_at, last_seen_at from state") == [
        ("2026-01-02T03:04:05Z", "2026-02-03T04:05:06Z")
    ]


def test_the_same_calls_make_the_same_memory(
    opened: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-01-02T03:04:05Z")
    dumps = []
    for app in ("one", "two"):
        memory = opened(app)
        for screen in (SCREEN, numbered("Other", 4), SCREEN.plus(BANNER)):
            memory.learn(*screen.given)
        tables = ("component", "template", "state", "state_component", "sighting")
        dumps.append(
            [[tuple(row) for row in memory.store.rows(f"select * from {t}")] for t in tables]
        )
    assert dumps[0] == dumps[1]


def test_the_version_of_the_app_is_kept_where_somebody_tells_it(
    opened: OpenMemory, query: Query
) -> None:
    with opened(app_version="5.2 beta") as memory:
        memory.learn(*SCREEN.given)
        memory.match(SCREEN.image)
    with opened() as memory:
        memory.match(SCREEN.image)
    assert query("select app_version from observation") == [("5.2 beta",), ("5.2 beta",), (None,)]


def test_a_version_that_looks_like_a_secret_ends_the_call(opened: OpenMemory, query: Query) -> None:
    with opened(app_version="ghp_" + "a1B2c3D4e5F6" * 3) as memory:
        with pytest.raises(SecretRefusedError, match="app_version"):
            memory.learn(*SCREEN.given)
        with pytest.raises(SecretRefusedError, match="app_version"):
            memory.match(SCREEN.image)
    assert query("select count(*) from observation") == [(0,)]


def test_a_version_has_the_shape_of_one(opened: OpenMemory) -> None:
    for version in ("5\n2", "x" * 61, "5.2; drop"):
        with pytest.raises(UsageError, match='setting "app_version"'):
            opened(app_version=version)


def test_a_match_where_nothing_can_be_written_answers_and_says_why_it_is_not_kept(
    shared: Path,
) -> None:
    with memctl.open("app", shared) as memory:
        memory.learn(*SCREEN.given)
    for each in (shared, *shared.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)

    def look() -> tuple[int, int | None, str, str]:
        with memctl.open("app", shared) as memory:
            found = memory.match(SCREEN.image)
            unkept = memory.match(SCREEN.image, record=False)
        return len(found.sightings), found.observation_id, found.unrecorded, unkept.unrecorded

    sightings, observation, why, silent = as_another_user(look)
    assert (sightings, observation, silent) == (15, None, "")
    assert "may not be written" in why


CHROME = rows("Back", "Reload", "Bookmarks", top=4)


def page(*labels: str) -> Drawn:
    return rows(*labels, top=120)


def with_chrome(site: Drawn) -> Drawn:
    return CHROME.plus(*site.widgets)


def test_the_browsers_own_buttons_are_kept_out_of_the_sites_file(opened: OpenMemory) -> None:
    opened("firefox").learn(*CHROME.given)
    site = opened("firefox/shop.example")
    answer = site.learn(*with_chrome(page("Basket", "Offers", "Account")).given)
    assert {one.why for one in answer.refused} == {"part of the browser, not of the site"}
    assert [c.name for c in site.components.list()] == ["Basket", "Offers", "Account"]
    assert len(opened("firefox").components.list()) == 3


def test_without_a_memory_of_the_browser_its_buttons_are_the_sites(opened: OpenMemory) -> None:
    site = opened("firefox/shop.example")
    site.learn(*with_chrome(page("Basket", "Offers", "Account")).given)
    assert len(site.components.list()) == 6


def test_learning_a_site_changes_nothing_in_the_browsers_file(opened: OpenMemory) -> None:
    browser = opened("firefox")
    browser.learn(*CHROME.given)
    before = browser.store.rows("select * from component"), browser.store.path.read_bytes()
    site = opened("firefox/shop.example")
    site.learn(*with_chrome(page("Basket", "Offers", "Account")).given)
    site.match(with_chrome(page("Basket", "Offers", "Account")).image)
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
