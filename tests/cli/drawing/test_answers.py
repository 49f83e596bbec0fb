"""Pictures of answers: a match drawn on its screenshot, components on one sheet."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from memctl.base.errors import UsageError
from memctl_cli.drawing.marks import draw_match
from memctl_cli.drawing.sheets import draw_sheet

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl_cli.demo.bundle import Shot


def picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_a_match_is_drawn_on_the_screenshot_and_keeps_its_width(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    login = harbor["login"]
    memory.learn(login.png, login.boxes_file())
    plain, drawn = picture(login.png), picture(draw_match(login.png, memory.match(login.png)))
    assert drawn.width == login.width
    assert drawn.crop((0, 0, *plain.size)).tobytes() != plain.tobytes()


def test_every_listed_component_has_a_place_on_the_sheet(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    invoices = harbor["invoices"]
    memory.learn(invoices.png, invoices.boxes_file())
    listed = memory.components.list()
    few, all_ = draw_sheet(memory.components, listed[:2]), draw_sheet(memory.components, listed)
    assert picture(all_).height > picture(few).height
    assert picture(few).width < picture(all_).width


def test_an_empty_list_is_not_drawn(memory: Memory) -> None:
    with pytest.raises(UsageError, match="no such component"):
        draw_sheet(memory.components, [])
