"""Sifting: what of a screenshot may be remembered.

Boxes may become components, or are refused with a reason. One reason is a text that comes and goes:
a time, a counter, progress, a message, by the rules of dynamic_text.txt. A clock learned as a
component is missed on the next screenshot, and its digits turn up in the names of states.

The contents of fields are somebody's data and change with every visit: they are painted over
before anything is kept. What a person erased is found again by a keyed digest, without being kept.
"""

from __future__ import annotations

import hmac
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from memctl.base.packaged import text_in
from memctl.guard import door
from memctl.visual.boxes import Box, PlaceIndex, lies_in
from memctl.visual.frame import Frame, is_learnable
from memctl.visual.match_results import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from memctl.visual.frame import Pixels
    from memctl.visual.reading.boxes_file import GivenBox


INSIDE_FIELD = 0.7
"""Share of a box that lies in a field from which on it is a part of the contents."""

_RIM = 3  # pixels: a frame as browsers and desktops draw it
_PLAIN = 24  # gray levels by which the pixels along one side of a frame differ at most


def emptied(frame: Frame, fields: Iterable[Box]) -> Frame:
    """Return a screenshot with the contents of fields painted in each field's commonest colour.

    A field's frame stays, unless something is written across it.

    ``frame``: the screenshot; it is not changed. ``fields``: bounding boxes of fields, inside the
    screenshot.
    """
    fields = list(fields)
    if not fields:
        return frame
    pixels = frame.bgr.copy()
    for box in fields:
        crop = pixels[box.y : box.bottom, box.x : box.right]
        rim = 0 if min(box.w, box.h) <= 2 * _RIM or not _framed(frame.crop(box)) else _RIM
        inside = crop[rim : box.h - rim, rim : box.w - rim]
        inside[:] = _commonest(inside)
    return replace(frame, bgr=pixels, derived={})


def in_field(box: Box, fields: Iterable[Box]) -> bool:
    """Return True if a box lies in one of these fields, and is not the field itself."""
    return any(
        box.overlap(field) > INSIDE_FIELD * box.area and box.iou(field) < INSIDE_FIELD
        for field in fields
    )


def _framed(crop: Pixels) -> bool:
    """Return True if nothing but a frame is drawn along the sides of a crop."""
    sides = (
        crop[:_RIM],
        crop[-_RIM:],
        crop[:, :_RIM].swapaxes(0, 1),
        crop[:, -_RIM:].swapaxes(0, 1),
    )
    # Round corners are no writing.
    lines = (line[2 * _RIM : -2 * _RIM].astype(np.int16) for side in sides for line in side)
    return all(int(np.ptp(line, axis=0).max()) <= _PLAIN for line in lines if len(line))


def _commonest(pixels: Pixels) -> Pixels:
    packed = pixels.reshape(-1, 3).astype(np.uint32) @ np.array([1, 256, 65536], np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    value = int(values[counts.argmax()])
    return np.array([value & 255, value >> 8 & 255, value >> 16], np.uint8)


_MARK = 0xFFFF  # the bits of a mark

Sums = NDArray[np.uint32]
"""Sums modulo 2 ** 32: a mark needs no more of them."""


def fingerprint(bgr: Pixels, key: bytes) -> tuple[int, bytes]:
    """Return a picture's mark (16 bits) and its HMAC-SHA-256 under a key.

    The mark is a keyed sum of its gray values: it can be computed for every place of a
    screenshot at once, and only where it agrees is the digest.
    """
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint32)
    sums, squares = (np.asarray([one.sum(dtype=np.uint32)]) for one in (gray, gray * gray))
    return int(_mark(sums, squares, key)[0]), _digest(bgr, key)


class GraySums:
    """Sums of gray values and of their squares, of every window of a screenshot."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        sums, squares = cv2.integral2(frame.gray, sdepth=cv2.CV_64F)
        self._sums = np.asarray(sums, np.uint64).astype(np.uint32)
        self._squares = np.asarray(squares, np.uint64).astype(np.uint32)

    def places_of(self, w: int, h: int, key: bytes, mark: int, digest: bytes) -> list[Box]:
        """Return the places of a picture of this size, mark and digest, image pixels."""
        if w > self._frame.width or h > self._frame.height:
            return []
        sums, squares = _windows(self._sums, w, h), _windows(self._squares, w, h)
        found = _mark(sums, squares, key) == mark
        # All of a flat ground may have the mark.
        found[found] = sums[found] * sums[found] != squares[found] * np.uint32(w * h)
        boxes = [Box(int(x), int(y), w, h) for y, x in np.argwhere(found)]
        return [box for box in boxes if _digest(self._frame.crop(box), key) == digest]


def _windows(integral: Sums, w: int, h: int) -> Sums:
    return integral[h:, w:] - integral[:-h, w:] - integral[h:, :-w] + integral[:-h, :-w]


def _mark(sums: Sums, squares: Sums, key: bytes) -> Sums:
    factor = np.uint32(int.from_bytes(key[:2], "big") | 1)
    return np.asarray((sums * factor + squares) & np.uint32(_MARK), np.uint32)


def _digest(bgr: Pixels, key: bytes) -> bytes:
    height, width = bgr.shape[:2]
    return hmac.digest(key, f"{width}x{height}:".encode() + bgr.tobytes(), "sha256")


_KEPT = 4096  # texts: one is asked about again and again while its box is learned

_LONGEST_LABEL = 200
"""Characters; what is longer is prose, and no pattern is tried on it."""


@lru_cache(maxsize=_KEPT)
def dynamic_rule(text: str) -> str | None:
    """Return the name of the first rule that a text falls under, or None for an ordinary label.

    Case, full-width forms and kinds of dashes make no difference.
    """
    normal = re.sub(r"[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", text))
    normal = " ".join(normal.replace("\u2019", "'").split())
    if len(normal) > _LONGEST_LABEL:
        return "prose"
    return next((name for name, rule in _rules().items() if rule.fullmatch(normal)), None)


@cache
def _rules() -> Mapping[str, re.Pattern[str]]:
    """Return the rules by their names, in the order in which they are asked."""
    known: dict[str, str] = {}
    lines: dict[str, list[str]] = {}
    for line in text_in("memctl.visual.reading", "dynamic_text.txt").splitlines():
        if line.startswith("    "):
            lines[next(reversed(lines))].append(line[4:])
        elif line and not line.startswith("#"):
            lines[line] = []
    for header, alternatives in lines.items():
        name, _, words = header.partition(" ")
        listed = re.split(r"(?<!\\) ", " ".join(alternatives)) if words else alternatives
        pattern = "|".join(f"(?i:{word})" for word in listed) if words else "|".join(listed)
        pattern = re.sub(r"<([A-Z_]+)>", lambda found: known[found[1]], pattern)
        known[name] = f"(?:{pattern})"
    return {name: re.compile(pattern) for name, pattern in known.items() if name.islower()}


CONTENTS = "contents of a field"
IGNORED = "ignored by you"

# A crop of more than a quarter of the screen is a layout, not a component: it would be found
# only where everything in it is unchanged.
_MAX_SHARE = 0.25

# A number on a thing to press is its label (a calculator's keys, pages of a list), no counter.
# What is said to a button ("Thanks, bye") is its label, too.
_PRESSED = frozenset({"button", "key", "tab", "checkbox", "radio", "option"})
_OF_PRESSED = frozenset({"count", "message"})

# What stands among the times and speakers of a conversation and is as long as a sentence is said
# in it, if it is nothing to press. A clock in a bar is alone.
_SAID = frozenset({"text", "element", "label", "paragraph", "listitem"})
_OF_TALK = frozenset({"time", "message"})
_SENTENCE = re.compile(r"\S+(?: \S+){2,}|\S+ .*[.!?\u2026]|(?:.*[\u3040-\u9fff\uac00-\ud7af]){5}.*")
_FEW = 3
_NEAR = 8  # heights of the text

# "Save as..." on a command says that it asks for more; elsewhere, dots stand for what is cut off.
_COMMANDS = _PRESSED | {"menuitem"}
_ELLIPSES = ("...", "\u2026")

# A crop would show what covers it.
_MOST_COVERED = 0.2


@dataclass(frozen=True, slots=True)
class Sifted:
    """The boxes that may be learned, the refused ones, and those whose text looks like a secret.

    The texts of ``candidates`` are cleaned; ``foreign`` are another store's places, ``fields``
    the fields whose contents may be in the screenshot. ``secrets`` are, once the page is
    recognised, also the places that a person erased.
    """

    candidates: list[GivenBox]
    refused: list[Refused]
    secrets: list[Box]
    foreign: Sequence[Box] = ()
    fields: Sequence[Box] = ()

    @property
    def hidden(self) -> list[Box]:
        """The boxes that nothing may be remembered of."""
        return [*self.secrets, *self.foreign, *self.fields]


def sift(
    frame: Frame,
    boxes: Sequence[GivenBox],
    window: Box,
    foreign: Sequence[Box],
    is_secret: Callable[[str], object] = door.secret_rule,
) -> Sifted:
    """Split boxes into candidates and refused ones.

    ``frame``: the screenshot. ``boxes``: boxes of any source, clipped to the screenshot.
    ``window``: only boxes inside it are learned. ``foreign``: places of another store's components
    (the browser around a site); they stay there. ``is_secret``: says of a text whether it holds a
    secret, by whatever rules the store has.
    """
    said = _said(boxes)
    # Kind and source are stored as the label is: whoever sends the boxes fills in all three.
    secrets = [
        one.box
        for one in boxes
        if any(text and is_secret(text) for text in (one.label, one.kind, one.source))
    ]
    secret = np.zeros((frame.height, frame.width), dtype=np.bool_)
    for box in secrets:
        secret[box.y : box.bottom, box.x : box.right] = True
    fields = [one.box for one in boxes if one.field]
    kept: list[GivenBox] = []
    refused: list[Refused] = []
    places = PlaceIndex()
    # Of two boxes at one place the one with a label is kept.
    for given in sorted(boxes, key=lambda one: (not one.label, -one.confidence)):
        why = (
            _misplaced(given.box, window, foreign, secret)
            or (IGNORED if lies_in(given.box, frame.ignored) else None)
            or (CONTENTS if in_field(given.box, fields) else None)
            or _unfit(given, frame, window, said)
            or ("another box is at the same place" if places.owner(given.box) is not None else None)
        )
        if why:
            refused.append(Refused(given.box.xywh, why))
        else:
            places.add(given.box, len(kept))
            kept.append(_candidate(given, is_secret, said))
    kept.sort(key=lambda candidate: (candidate.box.y, candidate.box.x))
    typed = [one.box for one in boxes if one.field and not one.emptied]
    return Sifted(kept, refused, secrets, foreign, typed)


def _misplaced(
    box: Box, window: Box, foreign: Iterable[Box], secret: NDArray[np.bool_]
) -> str | None:
    if not box.inside(window):
        return "outside the window"
    if lies_in(box, foreign):
        return "part of the browser, not of the site"
    if secret[box.y : box.bottom, box.x : box.right].any():
        return "shows text that looks like a secret"
    return None


def _said(boxes: Sequence[GivenBox]) -> frozenset[str]:
    """Return the messages of a conversation, known by the times and speakers around them."""
    labels = [box for box in boxes if box.label]
    talk = [one.box for one in labels if dynamic_rule(one.label) in _OF_TALK]
    if len(talk) < _FEW:
        return frozenset()
    return frozenset(
        label.label
        for label in labels
        if label.kind in _SAID
        and _SENTENCE.fullmatch(label.label)
        and sum(label.box.gap(other)[1] <= _NEAR * label.box.h for other in talk) >= _FEW
    )


def _unfit(given: GivenBox, frame: Frame, window: Box, said: Container[str]) -> str | None:
    if given.covered > _MOST_COVERED:
        return f"covered by something else: {given.covered:.0%} of it"
    rule = dynamic_rule(given.label) or ("message" if given.label in said else None)
    named = given.kind in _PRESSED and rule in _OF_PRESSED
    if rule and not (named or (given.field and rule == "prose")):  # a placeholder is a sentence
        return f"dynamic text: {rule}"
    if given.box.area > _MAX_SHARE * window.area:
        return "covers more than a quarter of the screen"
    return is_learnable(frame.crop(given.box))


def _candidate(
    given: GivenBox, is_secret: Callable[[str], object], said: Container[str]
) -> GivenBox:
    def lent(text: str) -> str:
        """Return a text that lends a name; an empty one where it would not be the same tomorrow."""
        if not text or text in said or is_secret(text) or dynamic_rule(text):
            return ""
        return _cleaned(text, door.MAX_LABEL)

    may_be_cut = given.kind not in _COMMANDS and not given.field  # a placeholder may end in dots
    return replace(
        given,
        label=_cleaned(given.label, door.MAX_LABEL),
        kind=_cleaned(given.kind, door.MAX_NAME) or "element",
        source=_cleaned(given.source, door.MAX_NAME) or "given",
        beside=lent(given.beside),
        row=lent(given.row),
        section=lent(given.section),
        cut=given.cut or (may_be_cut and given.label.endswith(_ELLIPSES)),
    )


def _cleaned(text: str, limit: int) -> str:
    return door.clean(text[:limit], what="text").strip()
