"""A conversation: what is said in it names nothing, and it stays one screen while it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels

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


def names(memory: Memory) -> set[str]:
    return {one.name.replace("_", " ") for one in memory.components}


@pytest.mark.parametrize("source", ["ocr", "dom"])
def test_what_is_said_becomes_no_component(memory: Memory, source: str) -> None:
    memory.learn(*chat(7, source))
    memory.learn(*chat(9, source))
    sentences = {said for said, _ in SAID if len(said.split()) > 2}
    assert not names(memory) & sentences
    assert {"Search", "Bob", "Send", "Family"} <= names(memory)


def test_an_icon_beside_a_message_is_not_named_after_it(memory: Memory) -> None:
    image, boxes = chat(7)
    for at in range(7):
        image[84 + 60 * at : 100 + 60 * at, 860:876] = (0, 160, 0)
        image[88 + 60 * at : 96 + 60 * at, 864:872] = 255
    icons = [{"x": 860, "y": 84 + 60 * at, "w": 16, "h": 16, "type": "icon"} for at in range(7)]
    for icon, (said, _) in zip(icons, SAID, strict=False):
        icon["row"] = said
    memory.learn(image, [*boxes, *icons])
    assert not any("cake" in name for name in names(memory))


def test_words_as_long_as_a_sentence_elsewhere_are_labels(memory: Memory) -> None:
    image, boxes = chat(7)
    boxes = [box for box in boxes if ":" not in box["label"]]
    memory.learn(image, boxes)
    assert "The one with cherries" in names(memory)


def test_looks_at_a_chat_that_goes_on_are_one_state(memory: Memory) -> None:
    looks = [memory.learn(*chat(until)) for until in (7, 8, 9, 10)]
    assert [one.state_created for one in looks] == [True, False, False, False]
    assert len(memory.states) == 1
