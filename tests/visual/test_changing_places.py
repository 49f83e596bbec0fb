"""Places that change by themselves: a clock, a price, what is said in a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.visual.drawn import Drawn, Widget, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels


def screen(value: str, *more: Widget) -> Drawn:
    """Draw a page on which one thing without a label has a value."""
    return numbered("Page").plus(Widget("", 20, 140, look=value), *more)


def without_labels(drawn: Drawn) -> list[dict[str, Any]]:
    return [{**box, "label": ""} for box in drawn.boxes]


def learn(memory: Memory, drawn: Drawn) -> list[str]:
    return [one.name for one in memory.learn(drawn.image, without_labels(drawn)).learned]


def test_a_value_that_changes_is_one_component(memory: Memory) -> None:
    learn(memory, screen("12:00"))
    before = len(memory.components.list())
    assert [learn(memory, screen(f"12:0{n}")) for n in range(1, 5)] == [[], [], [], []]
    assert len(memory.components.list()) == before


def test_the_place_is_known_to_change_after_two_looks(memory: Memory) -> None:
    learn(memory, screen("12:00"))
    assert [c for c in memory.components.list() if c.changing_at] == []
    answer = memory.learn(screen("12:01").image, without_labels(screen("12:01")))
    assert [(c.rel_x, c.rel_y) for c in memory.components.list() if c.changing_at] == [(20, 140)]
    assert [one.why for one in answer.refused] == ["its place changes by itself"]


def test_a_place_that_changes_is_neither_expected_nor_missed(memory: Memory) -> None:
    for value in ("a", "b", "c", "d"):
        learn(memory, screen(value))
    assert memory.match(screen("e").image).absent == []
    assert {c.consecutive_misses for c in memory.components.list()} == {0}


def test_something_new_elsewhere_is_learned_all_the_same(memory: Memory) -> None:
    learn(memory, screen("a"))
    assert len(learn(memory, screen("b", Widget("", 300, 250, look="new")))) == 1


def test_another_label_is_another_thing(memory: Memory) -> None:
    memory.learn(*numbered("Page").plus(Widget("Follow", 20, 140)).given)
    answer = memory.learn(*numbered("Page").plus(Widget("Unfollow", 20, 140)).given)
    assert [one.name for one in answer.learned] == ["Unfollow"]


def test_a_page_that_is_laid_out_anew_does_not_change_by_itself(memory: Memory) -> None:
    learn(memory, numbered("Page"))
    others = Drawn(
        tuple(
            Widget("", one.x, one.y, look=one.label if at < 3 else f"other {at}")
            for at, one in enumerate(numbered("Page", 9).widgets)
        )
    )
    learn(memory, others)
    assert [c for c in memory.components.list() if c.changing_at] == []


def test_what_a_driver_saw_changing_is_one_component_from_the_first_look(memory: Memory) -> None:
    drawn = screen("a")
    given = without_labels(drawn)
    given[-1]["dynamic"] = True
    memory.learn(drawn.image, given)
    assert [c.changing_at is not None for c in sorted(memory.components, key=lambda c: c.id)] == [
        False
    ] * 6 + [True]
    assert learn(memory, screen("b")) == []


def test_a_label_that_differs_in_its_numbers_alone_is_another_value(memory: Memory) -> None:
    for number in (3, 4, 17):
        shown = numbered("Page").plus(Widget(f"Open inbox ({number})", 20, 140))
        learned = memory.learn(*shown.given).learned
        assert len(learned) == (7 if number == 3 else 0)


def test_a_text_that_reads_otherwise_at_its_place_is_another_value(memory: Memory) -> None:
    for number, said in enumerate(("Hello Ann", "See you")):
        shown = numbered("Page").plus(Widget(said, 20, 140, type="text"))
        assert len(memory.learn(*shown.given).learned) == (7 if number == 0 else 0)


FONT = ImageFont.load_default(15)
SMALL = ImageFont.load_default(12)
CONTACTS = ("Alice", "Bob", "Family", "Football team", "Work")
SAID = (
    ("Hello, are you at home?", "12:01"),
    ("Yes, just came in", "12:02"),
    ("Bring cake please", "12:03"),
    ("The one with cherries", "12:03"),
    ("Ok", "12:04"),
    ("What time does it start", "12:10"),
    ("At three I think", "12:11"),
    ("Tell the others", "12:12"),
    ("Will do", "12:15"),
    ("And the candles too", "12:20"),
)


def chat(until: int, source: str = "ocr") -> tuple[Pixels, list[dict[str, Any]]]:
    """Draw a chat whose last message is the one of this number; seven fit, new ones at the end."""
    picture = Image.new("RGB", (900, 560), "white")
    draw = ImageDraw.Draw(picture)
    boxes: list[dict[str, Any]] = []

    def write(x: int, y: int, text: str, kind: str = "text", font: Any = FONT) -> None:
        left, top, right, bottom = (round(edge) for edge in draw.textbbox((x, y), text, font=font))
        draw.text((x, y), text, fill=(30, 30, 40), font=font)
        place = {"x": left - 2, "y": top - 2, "w": right - left + 4, "h": bottom - top + 4}
        boxes.append({**place, "label": text, "type": kind, "source": source})

    draw.rectangle((0, 0, 239, 559), fill=(240, 241, 245))
    draw.rectangle((240, 0, 899, 51), fill=(228, 231, 238))
    write(20, 16, "Search")
    for at, contact in enumerate(CONTACTS):
        write(24, 70 + 62 * at, contact, "text")
    write(270, 16, "Alice")
    write(340, 18, "Online", font=SMALL)
    for at, (said, when) in enumerate(SAID[max(until - 7, 0) : until]):
        x, y = (560 if (at + until) % 2 else 262), 70 + 60 * at
        draw.rounded_rectangle((x, y, x + 300, y + 44), 12, fill=(226, 240, 255))
        write(x + 12, y + 12, said)
        write(x + 256, y + 24, when, font=SMALL)
    draw.rectangle((250, 510, 810, 550), outline=(150, 150, 150))
    draw.rectangle((826, 510, 886, 550), fill=(40, 110, 220))
    write(838, 520, "Send", "button")
    return np.ascontiguousarray(np.array(picture)[:, :, ::-1]), boxes


def spoken_names(memory: Memory) -> set[str]:
    return {one.name.replace("_", " ") for one in memory.components}


@pytest.mark.parametrize("source", ["ocr", "dom"])
def test_what_is_said_becomes_no_component(memory: Memory, source: str) -> None:
    memory.learn(*chat(7, source))
    memory.learn(*chat(9, source))
    sentences = {said for said, _ in SAID if len(said.split()) > 2}
    assert not spoken_names(memory) & sentences
    assert {"Search", "Bob", "Send", "Family"} <= spoken_names(memory)


def test_an_icon_beside_a_message_is_not_named_after_it(memory: Memory) -> None:
    image, boxes = chat(7)
    for at in range(7):
        image[84 + 60 * at : 100 + 60 * at, 860:876] = (0, 160, 0)
        image[88 + 60 * at : 96 + 60 * at, 864:872] = 255
    icons = [{"x": 860, "y": 84 + 60 * at, "w": 16, "h": 16, "type": "icon"} for at in range(7)]
    for icon, (said, _) in zip(icons, SAID, strict=False):
        icon["row"] = said
    memory.learn(image, [*boxes, *icons])
    assert not any("cake" in name for name in spoken_names(memory))


def test_words_as_long_as_a_sentence_elsewhere_are_labels(memory: Memory) -> None:
    image, boxes = chat(7)
    boxes = [box for box in boxes if ":" not in box["label"]]
    memory.learn(image, boxes)
    assert "The one with cherries" in spoken_names(memory)


def test_looks_at_a_chat_that_goes_on_are_one_state(memory: Memory) -> None:
    looks = [memory.learn(*chat(until)) for until in (7, 8, 9, 10)]
    assert [one.state_created for one in looks] == [True, False, False, False]
    assert len(memory.states) == 1
