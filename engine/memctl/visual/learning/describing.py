"""Describes the states of an earlier memctl, which kept no words, from their components."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.reading.image import decode_png
from memctl.visual.reading.word_shapes import WORD, boxes_of, outside, words_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.store.store import Store

__all__ = ["words_of_components"]

TEMPLATES = statements.load("store/template")


def words_of_components(store: Store, places: Mapping[int, Box]) -> bytes:
    """Return the words in the pictures of components, each at its place.

    Components nest: a word that two pictures show is described once, from the larger one.

    Parameters
    ----------
    places
        Component id to its place on the screen, at device-pixel ratio 1.
    """
    found = np.zeros(0, WORD)
    for key, place in sorted(places.items(), key=lambda item: -item[1].area):
        variants = store.rows(TEMPLATES.variants_of, {"component_id": key})
        if not variants:
            continue
        picture = decode_png(store.value(TEMPLATES.pixels, {"id": variants[0]["id"]}))
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if gray.shape != (place.h, place.w):
            gray = cv2.resize(gray, (place.w, place.h), interpolation=cv2.INTER_AREA)
        words = words_in(np.asarray(gray, np.uint8))
        words["x"] += place.x
        words["y"] += place.y
        known = (Box(*box) for box in boxes_of(found).tolist())
        found = np.concatenate([found, outside(words, known)])
    return found.tobytes()
