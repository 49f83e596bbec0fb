from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.identity.__main__ import Count, count, plainly
from benchmarks.identity.asking import ABSENT, MISSED, RIGHT, WRONG, Answer, Asked, Given, judge
from benchmarks.identity.drawing import (
    LAYOUTS,
    PAIRS,
    STYLES,
    Layout,
    draw,
    look_alike,
    make,
    moved,
)
from benchmarks.identity.pages import Box, Place, studio
from benchmarks.identity.questions import CHANGES, changed, learned_records
from memctl.drivers.browsers import find_browser
from tests.browsers import needs_browser
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

ASKED = Asked(
    "rows", "development", "page", "sorted", "rows", "all boxes", "page", "Edit", ("a", "Edit")
)


def button(record: str, y: int, shown: float = 1.0) -> Box:
    return Box("button", record, "Edit", "Edit", (100, y, 40, 20), shown)


def outcome(place: Place | None, boxes: list[Box]) -> Answer:
    return judge(ASKED, Given("match", place), boxes)


def test_what_is_found_in_its_own_row_is_right() -> None:
    answer = outcome((101, 51, 40, 20), [button("b", 10), button("a", 50)])
    assert (answer.outcome, answer.there) == (RIGHT, True)


def test_what_is_found_in_another_row_is_wrong_and_named() -> None:
    answer = outcome((100, 10, 40, 20), [button("b", 10), button("a", 50)])
    assert (answer.outcome, answer.met) == (WRONG, "Edit of b")


@each(
    ("boxes", "expected"),
    [
        ([button("a", 50)], (MISSED, True)),
        ([button("b", 50)], (ABSENT, False)),
        ([button("a", 50, shown=0.0)], (ABSENT, False)),
        ([button("a", 50, shown=0.6)], (ABSENT, None)),
    ],
)
def test_finding_nothing_is_a_miss_only_where_it_can_be_seen(
    boxes: list[Box], expected: tuple[str, bool | None]
) -> None:
    answer = outcome(None, boxes)
    assert (answer.outcome, answer.there) == expected


def test_the_counts_are_those_of_answers_made_by_hand() -> None:
    here, elsewhere, there, gone = (
        (100, 50, 40, 20),
        (100, 10, 40, 20),
        button("a", 50),
        button("b", 10),
    )
    answers = [
        outcome(here, [there, gone]),
        outcome(elsewhere, [there, gone]),
        outcome(None, [there]),
        outcome(elsewhere, [gone]),
        outcome(None, [gone]),
    ]
    assert count(answers) == Count(asked=5, wrong=2, there=3, right=1, gone=2, absent=1)


def test_no_label_stands_twice_in_a_half_and_no_pair_is_of_one_label() -> None:
    for pairs in PAIRS.values():
        labels = [label for pair in pairs for label in (pair.one, pair.other)]
        assert len(pairs) == 60
        assert len(set(labels)) == len(labels)


def test_the_halves_share_no_style_and_no_layout() -> None:
    for some in (STYLES, LAYOUTS):
        names = [(one.half, one.name) for one in some]
        assert len({name for _, name in names}) == len(names)
        assert {half for half, _ in names} == {"development", "report"}


def test_a_moved_page_leaves_nothing_in_its_cell() -> None:
    assert all(at != number for at, number in enumerate(moved(60)))
    assert sorted(moved(60)) == list(range(60))


@each("noun", ["people", "files", "orders", "settings"])
def test_a_look_alike_is_another_record_whose_name_differs_in_one_letter(noun: str) -> None:
    for record in make(noun, 8, "development", seed=1):
        other = look_alike(record)
        assert other.ident != record.ident
        assert sum(a != b for a, b in zip(record.name, other.name, strict=True)) == 1


@each("one", LAYOUTS)
def test_every_change_changes_what_it_says(one: Layout) -> None:
    before = {record.ident for record in learned_records(one)}
    after = {change: {record.ident for record in changed(one, change)} for change in CHANGES}
    assert after["unchanged"] == after["sorted"] == after["status"] == before
    assert len(before - after["removed"]) == len(before - after["look-alike name"]) == 1
    assert len(after["inserted"] - before) == 1
    assert not after["page 2"] & before
    assert changed(one, "sorted") != learned_records(one)


def test_a_template_that_is_there_is_found_by_the_plain_rival_and_another_is_not() -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    assert plainly(pixels, pixels[10:30, 20:50]) == (20, 10, 30, 20)
    assert plainly(pixels, pixels[10:30, 20:50][::-1]) is None


@needs_browser
def test_a_page_of_two_rows_is_drawn_once_with_its_boxes(tmp_path: Path) -> None:
    layout = replace(LAYOUTS[0], height=90)
    page = draw(layout, make("people", 2, "development", seed=1))
    with studio(find_browser(), tmp_path) as drawing:
        shot = drawing.shoot(page)
        drawn = shot.path.stat().st_mtime_ns
        again = drawing.shoot(page)
    buttons = {box.key: box for box in shot.boxes if box.role == "button"}
    assert list(buttons) == [("r0", "Edit"), ("r0", "Remove"), ("r1", "Edit"), ("r1", "Remove")]
    assert again.boxes == shot.boxes
    assert again.path.stat().st_mtime_ns == drawn
    assert buttons["r0", "Edit"].shown == 1.0
    assert buttons["r1", "Edit"].shown < 1.0
    assert shot.crop(buttons["r0", "Edit"].place).std() > 5
    assert shot.bgr.shape == (layout.high, layout.wide, 3)
