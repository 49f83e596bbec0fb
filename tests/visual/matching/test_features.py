from __future__ import annotations

from dataclasses import replace

import pytest

from memctl.visual.frame import Frame, Pixels
from memctl.visual.matching.find import find
from memctl.visual.matching.template import (
    HEAD,
    Template,
    extract,
    is_current,
)
from memctl.visual.matching.template_set import TemplateSet
from tests.each import each
from tests.visual.matching.screens import Screen, draw


def never() -> Pixels:
    raise AssertionError("the picture was decoded")


def learned(screen: Screen) -> list[Template]:
    return [
        replace(template, features=extract(screen.frame, box), last=None)
        for template, box in zip(screen.templates(), screen.boxes, strict=True)
    ]


@pytest.fixture(scope="module")
def screen() -> Screen:
    return draw(4)


def test_stored_blobs_match_without_decoding_any_picture(screen: Screen) -> None:
    memory = [replace(template, pixels=never) for template in learned(screen)]
    hits = find(Frame(screen.frame.bgr), memory).hits
    assert {hit.box for hit in hits} == set(screen.boxes)
    assert all(hit.identical for hit in hits)


@each(
    "damage",
    [
        lambda blob: blob[: len(blob) // 2],
        lambda blob: blob[:-1],
        lambda blob: blob[:0],
        lambda blob: blob[: HEAD.itemsize],
        lambda blob: blob[:4] + b"\xff\x00" + blob[6:],
        lambda blob: b"nope" + blob[4:],
        lambda blob: blob[:400] + bytes([blob[400] ^ 1]) + blob[401:],
    ],
)
def test_a_damaged_blob_is_made_again_and_counted(screen: Screen, damage: object) -> None:
    memory = learned(screen)
    assert callable(damage)
    memory[2] = replace(memory[2], features=damage(memory[2].features))
    known = TemplateSet(memory)
    assert list(known.rebuilt) == [2]
    assert is_current(known.rebuilt[2])
    assert len(find(Frame(screen.frame.bgr), known).hits) == len(memory)


def test_a_blob_depends_on_the_surroundings_that_decide_the_keypoints(screen: Screen) -> None:
    other = screen.frame.bgr.copy()
    box = screen.boxes[0]
    other[box.y : box.bottom, box.right : box.right + 4] = 0
    assert extract(Frame(other), box) != extract(screen.frame, box)


def test_what_is_described_of_a_box_is_the_same_whatever_was_described_before(
    screen: Screen,
) -> None:
    other, box = draw(5), screen.boxes[0]

    alone = extract(Frame(screen.frame.bgr.copy()), box)
    extract(other.frame, other.boxes[0])
    again, *_ = [extract(screen.frame, one) for one in screen.boxes]

    assert again == alone
