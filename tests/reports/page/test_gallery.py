"""The component gallery and the pictures in it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from memctl.reports.page.graph import read_graph
from memctl.reports.page.pictures import CROP_SIZE, Pictures
from memctl.reports.page.stores import read_gallery
from memctl.visual.reading.image import decode_png
from tests.reports.page.made import Size, fill, png_of

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from memctl.memory import Memory
    from memctl.reports.page.pictures import Picture
    from memctl.reports.page.stores import GallerySection, Tile
    from memctl_cli.demo.bundle import Shot


def sections_of(memory: Memory, *, most: int = 100) -> tuple[GallerySection, ...]:
    graph = read_graph(memory.store, most_states=10, most_transitions=10)
    return read_gallery(memory.store, graph, Pictures(10**6), anchor="a", most=most)


def tiles_of(memory: Memory, *, most: int = 100) -> dict[str, Tile]:
    return {tile.title: tile for one in sections_of(memory, most=most) for tile in one.tiles}


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
    sections = sections_of(filled)
    titles = [section.title for section in sections]
    assert titles == ["screen 0", "screen 1", "screen 2", "Forgotten"]
    names = [tile.title for section in sections for tile in section.tiles]
    assert sorted(names) == sorted(f"Button_{number}" for number in range(12))
    assert [tile.title for tile in sections[-1].tiles] == ["Button_4", "Button_9"]


def test_a_component_on_several_screens_has_a_section_of_its_own(filled: Memory) -> None:
    with filled.store.transaction():
        filled.store.execute("insert into state_component values ('s_000001', 1, 1, 0, 0)")
    section = sections_of(filled)[3]
    assert section.title == "On several screens"
    assert [(tile.title, "on 2 screens" in tile.more) for tile in section.tiles] == [
        ("Button_0", True)
    ]


def test_stale_and_forgotten_ones_say_why(filled: Memory) -> None:
    tiles = tiles_of(filled)
    assert (tiles["Button_0"].health, tiles["Button_0"].why) == ("fresh", "")
    assert tiles["Button_2"].health == "stale"
    assert tiles["Button_2"].why == "stale: missed 3 times in a row, last seen 2026-11-01"
    assert tiles["Button_4"].why == "forgotten 2026-11-01: missed 15 times"


def test_the_most_seen_are_shown_where_there_is_room_for_some(filled: Memory) -> None:
    names = sorted(tiles_of(filled, most=4))
    assert names == ["Button_0", "Button_1", "Button_2", "Button_3", "Button_4"]


def test_components_that_look_alike_on_one_screen_are_one_tile_with_all_their_names(
    filled: Memory,
) -> None:
    with filled.store.transaction():
        filled.store.execute("update template set sha256 = (select sha256 from template limit 1)")
    section = sections_of(filled)[0]
    (tile,) = [tile for tile in section.tiles if tile.health == "fresh"]
    assert (tile.title, tile.ids) == ("Button_0", (1, 4, 7))
    assert tile.more.endswith("2 others alike: Button_3, Button_6")
    assert section.count == 3


def test_a_crop_is_shown_as_large_as_it_is_and_never_larger_than_its_room() -> None:
    small, large = (Pictures(10**6).crop(png_of(1, *size)) for size in ((96, 28), (960, 280)))
    assert small is not None
    assert (small.width, small.height) == (96, 28)
    assert large is not None
    assert (large.width, large.height) == (CROP_SIZE[0], 51)


def test_pictures_beyond_the_limit_are_counted_and_left_out() -> None:
    first = Pictures(10**6).crop(png_of(1))
    assert first is not None
    pictures = Pictures(len(first.address) + 10)
    assert pictures.crop(png_of(1)) == first
    assert pictures.crop(png_of(2)) is None
    assert pictures.left_out == 1


def test_a_screen_is_put_together_from_its_components_at_their_places(
    memory: Memory, home: Path
) -> None:
    fill(home, "harbor", Size(states=1, components=2, links=0))
    with memory.store.transaction():
        memory.store.execute(
            "update state_component set x = iif(component_id = 1, 640, -40), y = 400"
        )
        memory.store.execute("update component set w = 400, h = 200")
    shown = pixels_of(Pictures(10**6).screen(memory.store, "s_000000"))
    assert shown.shape == (200, 320, 4)
    assert shown[110, 170, 3] == shown[110, 5, 3] == 255  # the second lies over the edge
    assert shown[90, 140, 3] == 0  # nothing is known left of the middle
    assert np.abs(shown[120, 200, :3].astype(int) - (168, 104, 0)).max() < 12


def test_what_does_not_count_is_hatched(memory: Memory, harbor: dict[str, Shot]) -> None:
    login = harbor["login"]
    memory.settings.set("keep_screenshots", "1")
    memory.learn(login.png, login.boxes_file(), page="login")
    for kept, channel in ((True, 0), (False, 3)):
        pictures = []
        for areas in ([], [(0, 0, login.width // 2, login.height)]):
            state = memory.states.ignore("login", areas)
            screen = Pictures(10**6).screen(memory.store, state.id, kept=kept)
            pictures.append(pixels_of(screen)[..., channel].astype(int))
        differs = np.abs(pictures[0] - pictures[1]) > 24
        middle = differs.shape[1] // 2
        assert 0.05 < differs[:, :middle].mean() < 0.6
        assert differs[:, middle + 8 :].mean() < 0.01


def test_a_kept_screenshot_is_shown_instead(memory: Memory, harbor: dict[str, Shot]) -> None:
    learned = memory.learn(harbor["login"].png, harbor["login"].boxes_file())
    assert learned.state is not None
    shown = pixels_of(Pictures(10**6).screen(memory.store, learned.state.id))
    assert shown.shape[2] == 4
    assert (shown[..., 3] == 0).mean() > 0.5
    assert (shown[..., 3] == 255).mean() > 0.02
    memory.settings.set("keep_screenshots", "3")
    memory.learn(harbor["login"].png, harbor["login"].boxes_file())
    shown = pixels_of(Pictures(10**6).screen(memory.store, learned.state.id))
    kept = decode_png(harbor["login"].png)
    small = cv2.resize(kept, shown.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert shown.shape == (200, 320, 3)
    assert np.abs(shown.astype(int) - small.astype(int)).mean() < 4


def test_a_changed_component_is_shown_as_it_was_at_first_and_as_it_is(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    for name in ("invoices", "invoices-hover"):
        memory.learn(harbor[name].png, harbor[name].boxes_file(), page="invoices")
    (tile,) = [tile for tile in tiles_of(memory).values() if len(tile.looks) > 1]
    assert tile.title == "New_invoice"
    before, after = tile.looks
    assert (before.when[:10], after.when[:9]) == ("first look", "last look")
    first, last = (pixels_of(one.picture) for one in tile.looks)
    assert np.abs(first.astype(int) - last.astype(int)).mean() > 4


@pytest.mark.parametrize("kept", [0, 3])
def test_a_stale_component_is_shown_with_what_stands_at_its_place_now(
    memory: Memory, harbor: dict[str, Shot], kept: int
) -> None:
    memory.settings.set("keep_screenshots", str(kept))
    for name in ("dashboard", "dashboard-gone"):
        memory.learn(harbor[name].png, harbor[name].boxes_file(), page="dashboard")
    (tile,) = [tile for tile in tiles_of(memory).values() if tile.health == "stale"]
    assert [look.when.rpartition(" ")[0] for look in tile.looks] == (
        ["last seen", "there on"] if kept else [""]
    )
    assert pixels_of(tile.looks[0].picture).std() > 20
    assert not kept or pixels_of(tile.looks[1].picture).std() < 4
