from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from memctl.base.errors import (
    ForeignStoreError,
    MemctlError,
    NotFoundError,
    ReadOnlyError,
    StoreDamagedError,
    UnusableInputError,
    WrongTypeError,
)
from memctl.visual.reading.image import encode_png
from tests.each import each
from tests.visual.drawn import numbered
from tests.visual.graph.test_states import state_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory
    from tests.visual.conftest import OpenMemory

SCREEN = numbered("Page", 3)
PNG = encode_png(SCREEN.image)


BAD_IMAGES = {
    "text": b"this is no image",
    "half a PNG": PNG[: len(PNG) // 2],
    "floats": np.zeros((20, 20, 3), np.float32),
    "a number": 5,
    "a folder": "/",
}

GOOD_BOX = {"x": 20, "y": 20, "w": 90, "h": 28}
BAD_BOXES = {
    "not a number": {**GOOD_BOX, "x": float("nan")},
    "no width": {**GOOD_BOX, "w": 0},
    "outside": {**GOOD_BOX, "x": 5000},
    "without a height": {"x": 1, "y": 2, "w": 3},
    "a list": [20, 20, 90, 28],
}


def refused(memory: Memory, kind: type[MemctlError], image: Any, boxes: Any = None) -> MemctlError:
    """Learn what cannot be learned; return the error once the store proved to be unchanged."""
    before = dump(memory)
    with pytest.raises(kind) as caught:
        memory.learn(image, boxes)
    assert "\n" not in caught.value.message
    assert dump(memory) == before
    return caught.value


def dump(memory: Memory) -> list[str]:
    if not memory.store.path.exists():
        return []
    return list(memory.store.connection().iterdump())


def kind_of(name: str) -> type[MemctlError]:
    """Return the error of a bad image: a number is a value of a wrong type."""
    return WrongTypeError if name == "a number" else UnusableInputError


def test_what_is_no_image_is_refused_and_changes_nothing(memory: Memory) -> None:
    memory.learn(*SCREEN.given)
    for name, image in BAD_IMAGES.items():
        assert refused(memory, kind_of(name), image).exit_code == 2, name


@each("name", BAD_BOXES)
def test_one_wrong_box_among_good_ones_changes_nothing(memory: Memory, name: str) -> None:
    error = refused(memory, UnusableInputError, SCREEN.image, [GOOD_BOX, BAD_BOXES[name]])
    assert error.exit_code == 2
    assert "box 1 " in error.message
    assert not memory.store.path.exists()


def test_a_match_of_no_image_records_nothing(memory: Memory) -> None:
    memory.learn(*SCREEN.given)
    before = dump(memory)
    for name, image in BAD_IMAGES.items():
        with pytest.raises(kind_of(name)):
            memory.match(image)  # type: ignore[arg-type]
        assert dump(memory) == before, name


def test_pixels_beyond_the_setting_are_refused(opened: OpenMemory) -> None:
    memory = opened(max_pixels="1000")
    error = refused(memory, UnusableInputError, SCREEN.image)
    assert "at most 1,000" in error.message


def test_more_boxes_than_the_setting_are_refused(opened: OpenMemory) -> None:
    memory = opened(max_boxes="2")
    refused(memory, UnusableInputError, *SCREEN.given)
    assert not memory.store.path.exists()


def encoded(picture: Image.Image, kind: str) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind)
    return file.getvalue()


def other_encodings() -> dict[str, bytes]:
    picture = Image.fromarray(SCREEN.image[:, :, ::-1])
    deep = Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 257)
    return {
        "alpha": encoded(picture.convert("RGBA"), "PNG"),
        "16 bit": encoded(deep, "PNG"),
        "JPEG": encoded(picture, "JPEG"),
    }


@pytest.mark.parametrize("name", other_encodings())
def test_a_screenshot_in_another_encoding_is_learned(memory: Memory, name: str) -> None:
    data = other_encodings()[name]
    state = state_of(memory.learn(data, SCREEN.boxes))
    assert state_of(memory.match(data)) == state


def test_a_page_name_that_is_too_long_is_refused(memory: Memory) -> None:
    with pytest.raises(UnusableInputError, match="page has 81 characters"):
        memory.learn(*SCREEN.given, page="x" * 81)
    assert not memory.store.path.exists()


@each("call", ["match", "locate", "list", "states", "transitions"])
def test_asking_a_memory_that_does_not_exist_makes_no_file(memory: Memory, call: str) -> None:
    asks: dict[str, Callable[[], object]] = {
        "match": lambda: memory.match(SCREEN.image),
        "locate": lambda: memory.locate("Page_a", SCREEN.image),
        "list": memory.components.list,
        "states": memory.states.list,
        "transitions": memory.transitions.list,
    }
    with pytest.raises(NotFoundError, match="no store") as caught:
        asks[call]()
    assert caught.value.exit_code == 4
    assert not memory.store.path.exists()


def test_a_file_that_is_no_store_is_left_alone(memory: Memory) -> None:
    memory.store.path.parent.mkdir(parents=True)
    memory.store.path.write_bytes(b"my diary" * 100)
    with pytest.raises(ForeignStoreError) as caught:
        memory.learn(*SCREEN.given)
    assert caught.value.exit_code == 5
    assert memory.store.path.read_bytes() == b"my diary" * 100


def test_half_a_store_is_refused_and_left_alone(opened: OpenMemory) -> None:
    memory = opened()
    memory.learn(*SCREEN.given)
    memory.close()
    whole = memory.store.path.read_bytes()
    half = whole[: len(whole) // 2]
    memory.store.path.write_bytes(half)
    with pytest.raises(StoreDamagedError) as caught:
        opened().learn(*SCREEN.given)
    assert caught.value.exit_code == 5
    assert memory.store.path.read_bytes() == half


def test_a_home_that_is_a_file_is_one_clear_error(opened: OpenMemory, tmp_path: Path) -> None:
    (tmp_path / "apps").write_text("in the way")
    with pytest.raises(MemctlError) as caught:
        opened().learn(*SCREEN.given)
    assert caught.value.exit_code == 1
    assert "\n" not in caught.value.message


def test_a_read_only_memory_answers_and_writes_nothing(opened: OpenMemory) -> None:
    memory = opened()
    memory.learn(*SCREEN.given)
    memory.close()
    before = memory.store.path.read_bytes()
    reader = opened(readonly=True)
    answer = reader.match(SCREEN.image)
    assert answer.observation_id is None
    assert len(answer.sightings) == 3
    assert reader.locate("Page_a", SCREEN.image).found
    writes: list[Callable[[], object]] = [
        lambda: reader.learn(*SCREEN.given),
        lambda: reader.components.rename("Page_a", "x"),
        lambda: reader.components.erase("Page_a"),
        lambda: reader.components.pin("Page_a"),
        lambda: reader.states.rename(state_of(answer), "x"),
        reader.transitions.commit,
    ]
    for write in writes:
        with pytest.raises(ReadOnlyError) as caught:
            write()
        assert caught.value.exit_code == 3
    assert memory.store.path.read_bytes() == before
