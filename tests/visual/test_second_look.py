"""The second look: a component at its own place in another dress, and what is not one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from memctl.visual.match_results import Sighting
    from tests.visual.conftest import Lessons

Look = tuple[tuple[int, int, int], tuple[int, int, int]]
"""The colours of paper and ink."""

LABELS = ("Archive", "Send", "Refresh", "Options", "Folders", "Help")
PLACE = (30, 70, 110, 30)  # of "Send"
PLAIN = ((255, 255, 255), (30, 30, 30))
BLUE = ((228, 132, 53), (255, 255, 255))
DARK = ((30, 26, 24), (235, 230, 228))


def menu(
    labels: Sequence[str] = LABELS,
    *,
    page: tuple[int, int, int] = (255, 255, 255),
    look: Look = PLAIN,
    second: Look | None = None,
) -> Pixels:
    """Draw a column of entries; the second one may look otherwise."""
    picture = np.full((280, 420, 3), page, np.uint8)
    for at, line in enumerate(("Letters", "of the", "harbour", "office", "by day")):
        place = 240, 60 + 36 * at
        cv2.putText(picture, line, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, look[1], 1, cv2.LINE_AA)
    for at, label in enumerate(labels):
        paper, ink = second if second and at == 1 else look
        x, y, w, h = PLACE[0], PLACE[1] + 34 * (at - 1), *PLACE[2:]
        cv2.rectangle(picture, (x, y), (x + w - 1, y + h - 1), paper, -1)
        cv2.putText(
            picture, label, (x + 14, y + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA
        )
    return picture


@pytest.fixture
def taught(memory: Memory, lessons: Lessons) -> Memory:
    x, y, w, h = PLACE
    boxes = [
        {"x": x, "y": y + 34 * (at - 1), "w": w, "h": h, "label": label}
        for at, label in enumerate(LABELS)
    ]
    return lessons(memory, "menu", lambda teacher: teacher.learn(menu(), boxes))


def with_caret(picture: Pixels) -> Pixels:
    picture[76:95, 100:102] = 0
    return picture


def with_ring(picture: Pixels) -> Pixels:
    x, y, w, h = PLACE
    cv2.rectangle(picture, (x, y), (x + w - 1, y + h - 1), (232, 115, 26), 2)
    return picture


def with_dot(picture: Pixels) -> Pixels:
    cv2.circle(picture, (120, 85), 5, (40, 30, 220), -1, cv2.LINE_AA)
    return picture


def with_pointer(picture: Pixels) -> Pixels:
    corners = [(0, 0), (0, 16), (4, 13), (6, 18), (9, 17), (6, 12), (11, 12)]
    arrow = np.array(corners) + 84
    cv2.fillPoly(picture, [arrow], (255, 255, 255))
    cv2.polylines(picture, [arrow], isClosed=True, color=(0, 0, 0), thickness=1)
    return picture


@each(
    ("picture", "how"),
    [
        (menu(second=BLUE), "recoloured"),
        (menu(page=DARK[0], look=DARK), "recoloured"),
        (with_ring(menu()), "changed beside"),
        (with_dot(menu()), "changed beside"),
        (with_caret(menu()), "caret"),
        (with_pointer(menu()), "pointer"),
    ],
)
def test_a_component_in_another_dress_is_found_and_says_what_differs(
    taught: Memory, picture: Pixels, how: str
) -> None:
    for found in (taught.locate("Send", picture), seen(taught, picture)["Send"]):
        assert (found.x, found.y, found.how) == (*PLACE[:2], how)
        assert found.changed


def test_what_looks_as_it_was_learned_has_nothing_changed(taught: Memory) -> None:
    assert {one.changed for one in taught.match(menu()).sightings} == {""}


def test_who_asks_for_the_learned_look_alone_gets_no_other(taught: Memory) -> None:
    answer = taught.match(menu(second=BLUE), as_learned=True)
    assert [one.name for one in answer.absent] == ["Send"]
    assert answer.absent[0].why == "recoloured: its colours"
    assert not taught.locate("Send", menu(second=BLUE), as_learned=True)


@pytest.mark.parametrize("word", ["Lend", "Sand", "Sent", "Save"])
@pytest.mark.parametrize("look", [PLAIN, BLUE, DARK])
def test_another_label_in_another_dress_is_another(taught: Memory, word: str, look: Look) -> None:
    labels = [word if one == "Send" else one for one in LABELS]
    assert "Send" not in seen(taught, menu(labels, second=look))
    assert not taught.locate("Send", menu(labels, second=look))


def test_what_is_pale_is_refused_as_perhaps_disabled(taught: Memory) -> None:
    pale = menu(second=((255, 255, 255), (170, 170, 170)))
    assert taught.locate("Send", pale).how.startswith("perhaps disabled")
    (gone,) = taught.match(pale).absent
    assert (gone.name, gone.counted) == ("Send", False)


@each("more", ["s", "l", "er"])
def test_a_label_that_goes_on_is_another(taught: Memory, more: str) -> None:
    labels = [one + more if one == "Send" else one for one in LABELS]
    assert "Send" not in seen(taught, menu(labels, second=BLUE))


def seen(memory: Memory, picture: Pixels) -> dict[str, Sighting]:
    return {one.name: one for one in memory.match(picture, record=False).sightings}
