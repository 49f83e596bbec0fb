"""Where labels and arrows go on a marked screenshot."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memctl.visual.boxes import Box
from memctl_cli.drawing.marks import Wish, around, place, route, segments

SCREEN = Box(0, 0, 640, 400)


def frames() -> st.SearchStrategy[Box]:
    return st.builds(
        Box, st.integers(-20, 620), st.integers(-20, 380), st.integers(4, 200), st.integers(4, 90)
    )


def wishes() -> st.SearchStrategy[list[Wish]]:
    one = st.builds(Wish, frames(), st.integers(5, 120), st.integers(5, 20), st.booleans())
    return st.lists(one, max_size=12)


@given(wishes(), st.lists(frames(), max_size=6))
def test_a_label_is_on_the_screen_and_never_on_what_it_labels(
    wanted: list[Wish], taken: list[Box]
) -> None:
    for wish, spot in zip(wanted, place(wanted, taken, SCREEN), strict=True):
        if spot is not None:
            assert spot.inside(SCREEN)
            assert spot.overlap(wish.frame) == 0


@given(wishes(), st.lists(frames(), max_size=6))
def test_a_label_that_is_not_needed_covers_nothing(wanted: list[Wish], taken: list[Box]) -> None:
    spots = place(wanted, taken, SCREEN)
    for at, (wish, spot) in enumerate(zip(wanted, spots, strict=True)):
        if spot is not None and not wish.needed:
            earlier = [other for other in spots[:at] if other is not None]
            assert not any(spot.overlap(other) for other in [*taken, *earlier])


def test_a_label_stands_above_its_frame_when_nothing_is_in_the_way() -> None:
    frame = Box(100, 100, 80, 30)
    assert place([Wish(frame, 50, 12, needed=False)], [frame], SCREEN) == [Box(100, 88, 50, 12)]


def test_a_label_goes_below_when_the_room_above_is_taken() -> None:
    frame, above = Box(100, 100, 80, 30), Box(0, 60, 640, 40)
    assert place([Wish(frame, 50, 12, needed=False)], [above], SCREEN) == [Box(100, 130, 50, 12)]


def test_without_room_a_label_is_left_out_unless_it_is_needed() -> None:
    frame = Box(100, 100, 80, 30)
    left_out, kept = place(
        [Wish(frame, 50, 12, needed=False), Wish(frame, 50, 12, needed=True)], [SCREEN], SCREEN
    )
    assert left_out is None
    assert kept is not None


def test_a_frame_that_fills_the_screen_has_no_label() -> None:
    assert place([Wish(SCREEN, 50, 12, needed=True)], [], SCREEN) == [None]


@given(frames(), frames())
def test_a_way_starts_and_ends_on_the_frames_in_straight_pieces(start: Box, end: Box) -> None:
    corners = route(start, end, SCREEN, 12)
    if corners:
        assert len(corners) == 4
        assert Box(*corners[0], 1, 1).overlap(around(start, 1)) == 1
        assert Box(*corners[-1], 1, 1).overlap(around(end, 1)) == 1
        assert all(x0 == x1 or y0 == y1 for (x0, y0), (x1, y1) in pairwise(corners))


def test_a_way_along_a_row_runs_below_what_stands_in_the_row() -> None:
    start, between, end = Box(500, 50, 80, 30), Box(300, 50, 80, 30), Box(20, 50, 80, 30)
    parts = segments(route(start, end, SCREEN, 12), 2)
    assert parts
    assert not any(part.overlap(between) for part in parts)


def test_a_way_along_the_bottom_of_the_screen_runs_above() -> None:
    corners = route(Box(500, 365, 80, 30), Box(20, 365, 80, 30), SCREEN, 12)
    assert corners[1] == (540, 353)


def test_a_way_down_a_column_runs_beside_it() -> None:
    assert route(Box(20, 20, 80, 30), Box(20, 300, 80, 30), SCREEN, 12)[1:3] == [
        (112, 35),
        (112, 315),
    ]


def test_a_way_down_the_right_edge_runs_on_its_left() -> None:
    assert route(Box(555, 20, 80, 30), Box(555, 300, 80, 30), SCREEN, 12)[1] == (543, 35)


def test_frames_that_almost_touch_need_no_arrow() -> None:
    assert route(Box(20, 20, 80, 30), Box(24, 26, 80, 30), SCREEN, 12) == []
