"""Labels that look like secrets. The one here is made up and opens nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.visual.reading.image import decode_png
from tests.visual.drawn import Drawn, Widget, enlarged, numbered
from tests.visual.test_deleting import stored_bytes

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.frame import Pixels
    from tests.visual.conftest import OpenMemory, Query

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
KEY = Widget(SECRET, 200, 200, w=140, h=30, type="text")
SCREEN = numbered("Page", 6)
WITH_KEY = SCREEN.plus(KEY)


def masked(picture: Pixels, one: Widget) -> bool:
    return not picture[one.y : one.y + one.h, one.x : one.x + one.w].any()


def kept(query: Query) -> list[Pixels]:
    return [decode_png(png) for (png,) in query("select png from screenshot order by 1")]


def test_a_label_that_looks_like_a_secret_is_not_stored_and_the_rest_is(memory: Memory) -> None:
    answer = memory.learn(*WITH_KEY.given)
    assert [(one.box, one.why) for one in answer.refused] == [
        ((200, 200, 140, 30), "shows text that looks like a secret")
    ]
    assert len(answer.learned) == 6
    assert SECRET.encode() not in stored_bytes(memory)
    assert b"ghp_" not in stored_bytes(memory)


@pytest.mark.parametrize("field", ["type", "source"])
def test_what_a_box_says_of_itself_is_looked_at_like_its_label(memory: Memory, field: str) -> None:
    box = {**KEY.box(), "label": "Copy", field: SECRET}
    answer = memory.learn(WITH_KEY.image, [*SCREEN.boxes, box])
    assert [one.why for one in answer.refused] == ["shows text that looks like a secret"]
    assert b"ghp_" not in stored_bytes(memory)


def test_a_label_that_the_stores_own_rules_call_a_secret_is_not_stored(memory: Memory) -> None:
    memory.settings.set("secret_patterns", r"BADGE-\d{6}")
    badge = Widget("BADGE-123456", 200, 200, w=140, h=30)
    answer = memory.learn(*SCREEN.plus(badge).given)
    assert [one.why for one in answer.refused] == ["shows text that looks like a secret"]
    assert b"BADGE-1" not in stored_bytes(memory)


def test_neither_its_picture_nor_one_that_overlaps_it_is_stored(
    memory: Memory, query: Query
) -> None:
    around = {"x": 190, "y": 190, "w": 170, "h": 50, "label": "Your key"}
    corner = {"x": 330, "y": 220, "w": 40, "h": 40}
    memory.learn(WITH_KEY.image, [*WITH_KEY.boxes, around, corner])
    assert query("select count(*) from template") == [(6,)]
    assert [c.name for c in memory.components.list()] == [f"Page_{x}" for x in "abcdef"]


def test_a_kept_screenshot_has_the_secret_painted_over(opened: OpenMemory, query: Query) -> None:
    memory = opened(keep_screenshots="3")
    memory.learn(*WITH_KEY.given)
    (picture,) = kept(query)
    assert masked(picture, KEY)
    assert (picture[:190] == WITH_KEY.image[:190]).all()


def test_no_picture_over_a_secret_is_taken_at_a_new_scale(memory: Memory, query: Query) -> None:
    panel = {"x": 180, "y": 180, "w": 200, "h": 80, "label": "Panel"}
    frame = Widget("Panel", 180, 180, w=200, h=80)
    screen = Drawn((*SCREEN.widgets, frame))
    memory.learn(screen.image, [*SCREEN.boxes, panel])
    dense = enlarged(screen.image, 2)
    small = {"x": 200, "y": 200, "w": 40, "h": 20, "label": SECRET}
    memory.learn(dense, [{**box, "scale": 2} for box in [*SCREEN.boxes, panel, small]])
    looks = dict(
        query(
            "select component.name, count(*) from template join component "
            "on component.id = component_id group by 1"
        )
    )
    assert looks.pop("Panel") == 1
    assert set(looks.values()) == {2}


def test_screenshots_are_not_kept_unless_asked_for(memory: Memory, query: Query) -> None:
    memory.learn(*SCREEN.given)
    memory.match(SCREEN.image)
    assert query("select count(*) from screenshot") == [(0,)]


def test_only_the_newest_screenshots_are_kept(opened: OpenMemory, query: Query) -> None:
    memory = opened(keep_screenshots="2")
    for _ in range(4):
        memory.learn(*SCREEN.given)
    assert query("select observation_id from screenshot order by 1") == [(3,), (4,)]


@pytest.mark.parametrize("label", ["Password", "Forgot password?", "API key", "Sign in"])
def test_a_label_that_only_speaks_of_secrets_is_learned(memory: Memory, label: str) -> None:
    answer = memory.learn(*SCREEN.plus(Widget(label, 200, 200)).given)
    assert label in [one.label for one in answer.learned]
