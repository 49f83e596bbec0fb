"""The component gallery and the pictures in it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.reports.page.gallery import read_gallery
from memctl.reports.page.graph import read_graph
from memctl.reports.page.graph_view import picture_of
from memctl.reports.page.pictures import CROP_SIZE, PictureBudget, PlacedCrop, screen_of_crops
from memctl.reports.page.shown_stores import Limits, fair_shares
from memctl.visual.reading.image import decode_png
from memctl.visual.recognition.shown_screen import WORD
from tests.reports.page.made import Size, fill, png_of

NO_WORDS = np.zeros(0, WORD)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from memctl.memory import Memory
    from memctl.reports.page.gallery import Gallery, Tile
    from memctl.reports.page.pictures import Picture
    from memctl_cli.demo.bundle import Shot


def gallery_of(memory: Memory, *, most: int = 100) -> Gallery:
    graph = read_graph(memory.store, most_states=10, most_transitions=10)
    living, gone = (len(memory.components.list(forgotten=each)) for each in (False, True))
    return read_gallery(
        memory.store, graph, PictureBudget(10**6), anchor="a", most=most, total=(living, gone)
    )


def pixels_of(picture: Picture | None) -> NDArray[np.uint8]:
    assert picture is not None
    data = base64.b64decode(picture.address.partition("base64,")[2])
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), -1), dtype=np.uint8)


@pytest.fixture
def filled(memory: Memory, home: Path) -> Memory:
    """Three screens and twelve components: 3, 6, 9 and 12 stale, 5 and 10 forgotten."""
    fill(home, "harbor", Size(states=3, components=12, links=2, stale=3, forgotten=5))
    return memory


def test_each_component_stands_once_by_its_screen_and_the_forgotten_last(filled: Memory) -> None:
    gallery = gallery_of(filled)
    titles = [section.title for section in gallery.sections]
    assert titles == ["screen 0", "screen 1", "screen 2", "Forgotten"]
    names = [tile.title for section in gallery.sections for tile in section.tiles]
    assert sorted(names) == sorted(f"Button_{number}" for number in range(12))
    assert [tile.title for tile in gallery.sections[-1].tiles] == ["Button_4", "Button_9"]


def test_a_component_on_several_screens_is_told_apart(filled: Memory) -> None:
    with filled.store.transaction():
        filled.store.execute("insert into state_component values ('s_000001', 1, 1, 0, 0)")
    section = gallery_of(filled).sections[3]
    assert section.title == "On several screens"
    assert [(tile.title, "on 2 screens" in tile.more) for tile in section.tiles] == [
        ("Button_0", True)
    ]


def test_stale_and_forgotten_ones_say_why(filled: Memory) -> None:
    tiles = {tile.title: tile for section in gallery_of(filled).sections for tile in section.tiles}
    assert (tiles["Button_0"].health, tiles["Button_0"].why) == ("fresh", "")
    assert tiles["Button_2"].health == "stale"
    assert tiles["Button_2"].why == "stale: missed 3 times in a row, last seen 2026-11-01"
    assert tiles["Button_4"].why == "forgotten 2026-11-01: missed 15 times"


def test_the_most_seen_are_shown_where_there_is_room_for_some(filled: Memory) -> None:
    gallery = gallery_of(filled, most=4)
    names = [tile.title for section in gallery.sections for tile in section.tiles]
    assert sorted(names) == ["Button_0", "Button_1", "Button_2", "Button_3"]
    assert gallery.left_out == 8


def test_a_crop_is_shown_as_large_as_it_is_and_never_larger_than_its_room() -> None:
    small = PictureBudget(10**6).crop(png_of(1, 96, 28))
    large = PictureBudget(10**6).crop(png_of(1, 960, 280))
    assert small is not None
    assert (small.width, small.height) == (96, 28)
    assert large is not None
    assert (large.width, large.height) == (176, 51)
    assert large.width <= CROP_SIZE[0]
    assert large.height <= CROP_SIZE[1]


def test_pictures_beyond_the_budget_are_counted_and_left_out() -> None:
    first = PictureBudget(10**6).crop(png_of(1))
    assert first is not None
    budget = PictureBudget(len(first.address) + 10)
    assert budget.crop(png_of(1)) == first
    assert budget.crop(png_of(2)) is None
    assert budget.left_out == 1


def test_a_screen_is_put_together_from_its_components_at_their_places() -> None:
    made = screen_of_crops(
        (1440, 900), [PlacedCrop(png_of(0, 400, 200), 720, 450, 400, 200)], NO_WORDS
    )
    assert made.shape == (200, 320, 4)
    assert made[110, 170, 3] == 255
    assert made[90, 140, 3] == 0  # nothing is known left of the middle
    assert np.abs(made[120, 200, :3].astype(int) - (168, 104, 0)).max() < 12


def test_a_component_that_lies_over_the_edge_is_cut_off() -> None:
    crops = [PlacedCrop(png_of(0), -40, -10, 96, 28), PlacedCrop(png_of(1), 250, 185, 96, 28)]
    made = screen_of_crops((288, 200), crops, NO_WORDS)
    assert made[5, 5, 3] == made[195, 280, 3] == 255


def test_a_kept_screenshot_is_shown_instead(memory: Memory, harbor: dict[str, Shot]) -> None:
    memory.settings.set("keep_screenshots", "3")
    learned = memory.learn(harbor["login"].png, harbor["login"].boxes_file())
    assert learned.state is not None
    shown = pixels_of(picture_of(memory.store, learned.state.id, PictureBudget(10**6)))
    kept = decode_png(harbor["login"].png)
    small = cv2.resize(kept, shown.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert shown.shape == (200, 320, 3)
    assert np.abs(shown.astype(int) - small.astype(int)).mean() < 4


def test_without_a_screenshot_the_background_stays_open(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    learned = memory.learn(harbor["login"].png, harbor["login"].boxes_file())
    assert learned.state is not None
    shown = pixels_of(picture_of(memory.store, learned.state.id, PictureBudget(10**6)))
    assert shown.shape[2] == 4
    assert (shown[..., 3] == 0).mean() > 0.5
    assert (shown[..., 3] == 255).mean() > 0.02


@given(st.lists(st.integers(0, 50), max_size=12), st.integers(0, 200))
def test_shares_use_up_the_room_and_nobody_gets_more_than_wanted(
    wanted: list[int], most: int
) -> None:
    shares = fair_shares(wanted, most)
    assert sum(shares) == min(sum(wanted), most)
    assert all(0 <= share <= want for share, want in zip(shares, wanted, strict=True))
    satisfied = [share for share, want in zip(shares, wanted, strict=True) if share < want]
    if satisfied:  # whoever goes short has at most one less than anybody else
        assert min(satisfied) >= max(shares) - 1


def test_halving_limits_ends_at_one_of_each() -> None:
    limits = Limits()
    for _ in range(30):
        limits = limits.halved()
    assert limits == limits.halved() == Limits(1, 1, 1, 1, 1, 1, 1, 1)


def tiles_of(memory: Memory) -> dict[str, Tile]:
    return {tile.title: tile for one in gallery_of(memory).sections for tile in one.tiles}


def test_a_drifted_component_is_shown_as_it_was_at_first_and_as_it_is(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    for name in ("invoices", "invoices-hover"):
        memory.learn(harbor[name].png, harbor[name].boxes_file(), page="invoices")
    (tile,) = [tile for tile in tiles_of(memory).values() if len(tile.looks) > 1]
    assert tile.title == "New_invoice"
    before, after = tile.looks
    assert (before.told[:10], after.told[:9]) == ("first look", "last look")
    first, last = (pixels_of(one.picture) for one in tile.looks)
    assert np.abs(first.astype(int) - last.astype(int)).mean() > 4


def test_a_stale_component_is_shown_with_what_stands_at_its_place_now(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    memory.settings.set("keep_screenshots", "3")
    for name in ("dashboard", "dashboard-gone"):
        memory.learn(harbor[name].png, harbor[name].boxes_file(), page="dashboard")
    (tile,) = [tile for tile in tiles_of(memory).values() if tile.health == "stale"]
    before, after = tile.looks
    assert before.told.startswith("last seen ")
    assert after.told.startswith("there on ")
    assert pixels_of(before.picture).std() > 20
    assert pixels_of(after.picture).std() < 4


def test_without_a_kept_screenshot_a_stale_component_has_no_after(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    for name in ("dashboard", "dashboard-gone"):
        memory.learn(harbor[name].png, harbor[name].boxes_file(), page="dashboard")
    (tile,) = [tile for tile in tiles_of(memory).values() if tile.health == "stale"]
    assert len(tile.looks) == 1


def test_components_that_look_alike_on_one_screen_are_one_tile_with_all_their_names(
    filled: Memory,
) -> None:
    with filled.store.transaction():
        filled.store.execute("update template set sha256 = (select sha256 from template limit 1)")
    gallery = gallery_of(filled)
    (tile,) = [tile for tile in gallery.sections[0].tiles if tile.health == "fresh"]
    assert (tile.title, tile.ids) == ("Button_0", (1, 4, 7))
    assert tile.more.endswith("2 others alike: Button_3, Button_6")
    assert gallery.sections[0].count == 3
    assert {gallery.anchors()[number] for number in tile.ids} == {tile.anchor}
