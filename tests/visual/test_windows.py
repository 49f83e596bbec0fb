from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from memctl.base.errors import UsageError
from tests.each import each
from tests.visual.drawn import BACKGROUND, Drawn, Widget, enlarged, named, numbered, rows
from tests.visual.graph.test_states import state_of
from tests.visual.matching.screens import paint

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from tests.visual.conftest import Query

WINDOW = (100, 60, 480, 320)


def desktop(app: Drawn, x: int, y: int, *, width: int = 800, height: int = 600) -> Pixels:
    picture = np.full((height, width, 3), BACKGROUND - 60, np.uint8)
    return paint(picture, app.image, x, y)


def shifted(app: Drawn, x: int, y: int) -> list[dict[str, object]]:
    return [one.box() for one in app.moved(x, y).widgets]


def test_positions_are_remembered_from_the_windows_corner(memory: Memory) -> None:
    app = numbered("App", 6)
    memory.learn(desktop(app, 100, 60), shifted(app, 100, 60), window=WINDOW)
    assert [(c.rel_x, c.rel_y) for c in memory.components.list()] == [
        (one.x, one.y) for one in app.widgets
    ]


@each("window", [(1, 2), (0.5, 0, 100, 100), ("a", 0, 1, 1), "1,2,3,4", 5])
def test_a_window_that_is_no_four_whole_numbers_is_refused(memory: Memory, window: Any) -> None:
    with pytest.raises(UsageError, match="is not X,Y,W,H"):
        memory.match(numbered("App", 6).image, window=window)


def test_a_window_that_moved_shows_the_same_state_at_the_same_places(memory: Memory) -> None:
    app = numbered("App", 6)
    first = memory.learn(desktop(app, 100, 60), shifted(app, 100, 60), window=WINDOW)
    answer = memory.match(desktop(app, 300, 200), window=(300, 200, 480, 320))
    assert state_of(answer) == state_of(first)
    assert {one.how for one in answer.sightings} == {"last"}
    assert named(answer.sightings)["App_a"] == (320, 220)
    assert memory.components.get("App_a").rel_x == 20


def test_three_equal_buttons_keep_their_places_when_the_window_moves(memory: Memory) -> None:
    app = rows("Top", "Title", "Help").plus(*(Widget("Delete", 320, y) for y in (80, 130, 180)))
    memory.learn(desktop(app, 100, 60), shifted(app, 100, 60), window=WINDOW)
    places = named(memory.match(desktop(app, 100, 110), window=(100, 110, 480, 320)).sightings)
    assert [places[name][1] for name in ("Delete", "Delete_2", "Delete_3")] == [190, 240, 290]


def test_a_box_outside_the_window_is_refused(memory: Memory) -> None:
    app, other = numbered("App", 3), Widget("Other", 620, 500)
    picture = paint(desktop(app, 100, 60), other.picture(), other.x, other.y)
    boxes = [*shifted(app, 100, 60), other.box(), {"x": 570, "y": 80, "w": 40, "h": 40}]
    answer = memory.learn(picture, boxes, window=WINDOW)
    assert [one.why for one in answer.refused] == ["outside the window"] * 2
    assert len(answer.learned) == 3


def test_what_matches_outside_the_window_is_not_found(memory: Memory) -> None:
    app = numbered("App", 6)
    memory.learn(*app.given)
    picture = desktop(app, 100, 60)
    assert len(memory.match(picture).sightings) == 6
    outside = memory.match(picture, window=(0, 0, 100, 600))
    assert (outside.sightings, outside.state) == ([], None)
    assert not memory.locate("App_a", picture, window=(600, 0, 200, 600)).found
    assert memory.locate("App_a", picture, window=WINDOW).found


def test_of_two_equal_ones_the_one_in_the_window_is_found(memory: Memory) -> None:
    app = numbered("App", 3)
    memory.learn(*app.given)
    picture = desktop(app, 0, 0, width=1100)
    paint(picture, app.image, 600, 200)
    places = named(memory.match(picture, window=(600, 200, 480, 320)).sightings)
    assert places["App_a"] == (620, 220)


def test_the_window_is_kept_with_the_observation(memory: Memory, query: Query) -> None:
    app = numbered("App", 3)
    memory.learn(desktop(app, 100, 60), shifted(app, 100, 60), window=WINDOW)
    memory.match(desktop(app, 100, 60))
    assert query("select window_box from observation order by id") == [
        ("[100, 60, 480, 320]",),
        (None,),
    ]


@pytest.mark.parametrize(
    "window",
    [(-1, 0, 10, 10), (0, 0, 801, 10), (0, 0, 0, 10), (0, 0, 10, -5), (700, 500, 200, 200)],
)
def test_a_window_that_is_not_on_the_screenshot_is_refused(
    memory: Memory, window: tuple[int, int, int, int]
) -> None:
    app = numbered("App", 3)
    memory.learn(*app.given)
    before = memory.store.value("select count(*) from observation")
    for call in (memory.match, memory.learn):
        with pytest.raises(UsageError, match=r"is (not inside the 800 x 600 screenshot|empty)"):
            call(desktop(app, 0, 0), window=window)
    assert memory.store.value("select count(*) from observation") == before


def test_a_screenshot_of_another_size_shows_the_same_state(memory: Memory) -> None:
    app = numbered("App", 9)
    state = state_of(memory.learn(*app.given))
    for width, height in ((700, 500), (460, 250)):
        other = Drawn(app.widgets, width, height)
        assert state_of(memory.match(other.image)) == state
    assert state_of(memory.learn(*Drawn(app.widgets, 700, 500).given)) == state


@pytest.mark.parametrize("factor", [2.0, 1.5])
def test_a_denser_display_shows_the_same_state(memory: Memory, factor: float) -> None:
    app = numbered("App", 9)
    state = state_of(memory.learn(*app.given))
    answer = memory.match(enlarged(app.image, factor))
    assert answer.image.scale == factor
    assert state_of(answer) == state
    places = named(answer.sightings)
    for one in app.widgets:
        x, y = places[one.label.replace(" ", "_")]
        assert abs(x - one.x * factor) <= 2
        assert abs(y - one.y * factor) <= 2


def test_components_get_looks_native_to_a_denser_display(memory: Memory) -> None:
    app = numbered("App", 9)
    memory.learn(*app.given)
    dense = enlarged(app.image, 2)
    boxes = [{**box, "scale": 2} for box in app.boxes]
    answer = memory.learn(dense, boxes)
    assert not answer.state_created
    assert len(memory.components.list()) == 9
    assert {
        tuple(t.scale for t in memory.components.templates(c.id)) for c in memory.components.list()
    } == {(1.0, 2.0)}
    assert {round(one.score, 3) for one in memory.match(dense).sightings} == {1.0}
    assert memory.components.get("App_a").rel_x == 20


def test_equal_buttons_in_a_window_keep_their_places_on_a_denser_display(memory: Memory) -> None:
    # The window's own offset, 50 here, must not be enlarged: it would look like one row more.
    app = Drawn(tuple(Widget("Delete", 320, y) for y in (80, 130, 180)))
    memory.learn(desktop(app, 100, 50), shifted(app, 100, 50), window=(100, 50, 480, 320))
    dense = enlarged(desktop(app, 100, 50), 2)
    answer = memory.match(dense, window=(200, 100, 960, 640))
    assert answer.image.scale == 2
    places = named(answer.sightings)
    assert [round(places[n][1] / 20) for n in ("Delete", "Delete_2", "Delete_3")] == [13, 18, 23]


def test_a_vote_outlives_what_is_learned_after_it(memory: Memory) -> None:
    memory.learn(*numbered("Home", 9).given)
    first = memory.match(enlarged(numbered("Home", 9).image, 2))
    memory.learn(*numbered("Other", 9).given)
    again = memory.match(enlarged(numbered("Home", 9).image, 2))
    assert "vote" in first.ms
    assert "vote" not in again.ms
    assert (first.image.scale, again.image.scale) == (2.0, 2.0)
    assert len(again.sightings) == len(numbered("Home", 9).widgets)


def test_a_store_learned_on_a_finer_display_knows_the_screen_on_a_coarser_one(
    memory: Memory,
) -> None:
    finer = np.asarray(
        cv2.resize(numbered("Home", 9).image, (960, 640), interpolation=cv2.INTER_CUBIC), np.uint8
    )
    learned = memory.learn(finer, [box | {"scale": 2} for box in numbered("Home", 9).boxes])
    found = memory.match(numbered("Home", 9).image)
    assert found.image.scale == 0.5
    assert found.state is not None
    assert learned.state is not None
    assert found.state.id == learned.state.id
    assert len(found.sightings) == len(numbered("Home", 9).widgets)
