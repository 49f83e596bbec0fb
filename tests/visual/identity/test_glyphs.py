"""Labels compared stroke by stroke: the same one is known again, a sibling is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.identity.glyphs import OWN, RESIZED, GlyphRun, resized, strangeness
from tests.each import each

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels

FINE = 8
BOX = Box(10, 10, 96, 30)


def button(label: str, *, shift: float = 0.0, dark: bool = False, frame: bool = True) -> Pixels:
    """Draw a label in a frame, moved by a part of a pixel: drawn eight times as large first."""
    size = (116 * FINE, 50 * FINE)
    paper, ink = (40, 220) if dark else (235, 30)
    fine = np.full(size[::-1], paper, np.uint8)
    off = round(shift * FINE)
    left, top = BOX.x * FINE + off, BOX.y * FINE + off
    right, bottom = BOX.right * FINE + off, BOX.bottom * FINE + off
    if frame:
        cv2.rectangle(fine, (left + 12, top + 12), (right - 12, bottom - 12), ink, FINE)
    font = cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(fine, label, (left + 110, top + 165), font, 4.0, ink, 12, cv2.LINE_AA)
    return np.asarray(cv2.resize(fine, (116, 50), interpolation=cv2.INTER_AREA), np.uint8)


def crop(gray: Pixels) -> Pixels:
    return np.ascontiguousarray(gray[BOX.y : BOX.bottom, BOX.x : BOX.right])


def compared(learned: str, shown: Pixels, *, frame: bool = True) -> float:
    run = GlyphRun.of(crop(button(learned, frame=frame)))
    return strangeness(run, shown, BOX, OWN)


@each("shift", [0.0, 0.25, 0.5, 0.75])
def test_the_same_label_is_known_at_any_part_of_a_pixel(shift: float) -> None:
    assert compared("Save", button("Save", shift=shift)) <= 1


@each("frame", [True, False])
@each(
    ("learned", "shown"),
    [
        ("Save", "Sale"),
        ("Edit", "Exit"),
        ("Step 3", "Step 8"),
        ("Copy", "Cozy"),
        ("Order", "Older"),
    ],
)
def test_a_sibling_of_one_letter_is_another_label(learned: str, shown: str, frame: bool) -> None:
    for shift in (0.0, 0.5):
        assert compared(learned, button(shown, shift=shift, frame=frame), frame=frame) > 1


@each("quality", [80, 60])
def test_compression_leaves_a_label_what_it_is(quality: int) -> None:
    for shown, same in (("Save", True), ("Sale", False)):
        packed = cv2.imencode(".jpg", button(shown), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        lossy = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)
        assert (compared("Save", lossy) <= 1) is same


def test_a_paler_label_is_the_same_and_a_negative_is_not() -> None:
    shown = button("Save")
    pale = np.asarray(cv2.addWeighted(shown, 0.6, np.full_like(shown, 235), 0.4, 0), np.uint8)
    assert compared("Save", pale) <= 1
    assert compared("Save", button("Save", dark=True)) == np.inf


@each("ratio", [1.5, 2.0])
def test_at_another_scale_siblings_are_told_too(ratio: float) -> None:
    learned = crop(button("Copy"))
    run = GlyphRun.resized(learned, ratio)
    place = Box(round(BOX.x * ratio), round(BOX.y * ratio), run.size[1], run.size[0])
    for shown, same in (("Copy", True), ("Cozy", False)):
        larger = resized(button(shown), ratio)
        assert (strangeness(run, larger, place, RESIZED) <= 1) is same


def test_a_place_at_the_edge_of_the_screen_is_compared_as_well() -> None:
    learned = crop(button("Save"))
    run = GlyphRun.of(learned)
    assert strangeness(run, learned, Box(0, 0, BOX.w, BOX.h), OWN) < 0.2
