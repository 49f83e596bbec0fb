"""Which of two known states a screen shows: what differs between them decides, or nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.visual.written import SIDEBAR, Written

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from memctl.visual.match_results import Match
    from tests.visual.conftest import OpenMemory

PAGE = Written(seed=3, lines=14)


def page_of(answer: Match) -> str | None:
    return answer.state.page if answer.state else None


def highlighted(line: int) -> Pixels:
    """Return the page with the paper of one line coloured; its words are the same."""
    image = PAGE.image
    top = 70 + 34 * line
    rest = image[top : top + 30, SIDEBAR + 20 : 900]
    rest[np.all(rest == PAGE.paper, axis=2)] = (250, 225, 200)
    return image


def noted(text: str) -> Pixels:
    """Return the page with one word in its corner."""
    image = PAGE.image
    cv2.putText(image, text, (860, 610), cv2.FONT_HERSHEY_SIMPLEX, 0.5, PAGE.ink, 1, cv2.LINE_AA)
    return image


def jpeg(image: Pixels) -> Pixels:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def with_bar(image: Pixels) -> Pixels:
    """Return a page with a bar to find things in, over its right top corner."""
    made = image.copy()
    made[60:110, 600:980] = (235, 235, 235)
    made[[60, 109], 600:980] = 120
    made[60:110, [600, 979]] = 120
    for at, word in enumerate(("Find", "Next", "Close")):
        place = (620 + 120 * at, 92)
        cv2.putText(made, word, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
    return made


def learned(memory: Memory, **pages: Pixels) -> None:
    for name, image in pages.items():
        memory.learn(image, [], page=name)


def test_states_that_differ_in_a_fill_alone_are_told_apart_by_their_cells(memory: Memory) -> None:
    learned(memory, second=highlighted(1), seventh=highlighted(6))
    assert page_of(memory.match(jpeg(highlighted(1)))) == "second"
    assert page_of(memory.match(jpeg(highlighted(6)))) == "seventh"


def test_what_fits_neither_of_two_states_that_differ_in_a_fill_is_unknown(memory: Memory) -> None:
    learned(memory, second=highlighted(1), seventh=highlighted(6))
    both = np.where(highlighted(1) == PAGE.image, highlighted(6), highlighted(1))
    assert memory.match(both).state is None


def test_states_that_differ_in_one_word_are_told_apart_by_it(memory: Memory) -> None:
    learned(memory, saved=noted("Saved"), edited=noted("Edited"))
    assert page_of(memory.match(jpeg(noted("Saved")))) == "saved"
    assert page_of(memory.match(jpeg(noted("Edited")))) == "edited"


def test_a_screen_without_what_tells_two_states_apart_is_unknown(memory: Memory) -> None:
    learned(memory, saved=noted("Saved"), edited=noted("Edited"))
    assert memory.match(PAGE.image).state is None


def test_one_screen_under_two_names_is_unknown_until_the_page_is_named(memory: Memory) -> None:
    learned(memory, one=PAGE.image, two=PAGE.image)
    assert memory.match(PAGE.image).state is None
    assert page_of(memory.match(PAGE.image, page="two")) == "two"


def test_a_page_with_a_bar_opened_is_not_the_page_without(memory: Memory) -> None:
    learned(memory, plain=PAGE.image, finding=with_bar(PAGE.image))
    assert page_of(memory.match(PAGE.image)) == "plain"
    assert page_of(memory.match(with_bar(PAGE.image))) == "finding"


def test_a_clock_does_not_decide(opened: OpenMemory) -> None:
    memory = opened()
    learned(memory, editor=noted("10:24"), other=Written(seed=4).image)
    assert page_of(memory.match(noted("23:51"))) == "editor"


def test_a_scroll_excuses_only_the_region_that_moved(memory: Memory) -> None:
    page = Written(seed=5)
    learned(memory, page=page.image)
    scrolled = page.but(scrolled=102).image
    assert page_of(memory.match(scrolled)) == "page"
    # Another menu beside the same text is another page, however far the text has moved.
    other = scrolled.copy()
    other[:, :SIDEBAR] = page.paper
    for at in range(15):
        text = f"Chapter {'abcdefghiklmnop'[at] * 6}"
        place = (14, 40 + 40 * at)
        cv2.putText(other, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.55, page.ink, 2, cv2.LINE_AA)
    assert page_of(memory.match(page.but(scrolled=102).image)) == "page"
    alike = [memory.match(image).state for image in (scrolled, other)]
    assert alike[0] is not None
    assert alike[1] is None or alike[1].similarity < alike[0].similarity


@pytest.mark.parametrize("fill", [0, 128, 255])
def test_a_screen_of_one_colour_is_no_state(memory: Memory, fill: int) -> None:
    learned(memory, page=PAGE.image)
    plain = np.full_like(PAGE.image, fill)
    assert memory.match(plain).state is None
    assert memory.learn(plain, []).state is None


def test_a_state_without_a_look_gets_one_when_it_is_met_as_it_stood(memory: Memory) -> None:
    learned(memory, page=PAGE.image)
    with memory.store.transaction():
        memory.store.execute("update state set look = null")
    assert page_of(memory.match(PAGE.image)) == "page"
    assert memory.store.value("select look is not null from state") == 1


def test_in_a_window_of_another_size_a_page_is_known_by_its_labels(memory: Memory) -> None:
    pages = {name: Written(seed) for seed, name in enumerate(("Home", "Bills", "People"), start=7)}
    for name, page in pages.items():
        memory.learn(*page.given, page=name)
    # Another font: no word has the shape that it had.
    narrow = np.full((900, 520, 3), 250, np.uint8)
    boxes = []
    for at, box in enumerate(pages["Bills"].boxes):
        place = {"x": 20, "y": 20 + 40 * at, "w": 300, "h": 34}
        text = (26, 46 + 40 * at)
        cv2.putText(narrow, box["label"], text, cv2.FONT_HERSHEY_COMPLEX, 0.8, (20, 20, 20), 2)
        boxes.append(box | place)
    assert memory.match(narrow, record=False).state is None
    answer = memory.visual.match(narrow, boxes=boxes, record=False)  # as a browser hands them over
    assert page_of(answer) == "Bills"


def test_an_unknown_screen_is_told_with_what_it_looks_like(memory: Memory) -> None:
    learned(memory, saved=noted("Saved"), edited=noted("Edited"))
    doubt = memory.match(PAGE.image).doubt
    assert "saved" in doubt
    assert "edited" in doubt
    assert memory.match(noted("Saved")).doubt == ""
