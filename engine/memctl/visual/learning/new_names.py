"""Names of new components: their label, or a text near them, made unique by row and section."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.box_arrays import as_array
from memctl.visual.graph.naming import NamesInUse, component_name, folded, joined_name
from memctl.visual.identity.cells import Edges, cells_of
from memctl.visual.reading.ocr import NEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.reading.boxes_file import GivenBox

_CAPTIONS = frozenset({"text", "heading", "label"})


class Namer:
    """Names the new components of one screenshot.

    ``frame``, ``window``: the screenshot and the part of it that counts. ``texts``: bounding boxes
    on it and the labels that they bear, new ones and known ones. ``taken``: the names of the
    store's living components.
    """

    def __init__(
        self, frame: Frame, window: Box, texts: Sequence[tuple[Box, str]], taken: Iterable[str]
    ) -> None:
        self._edges = Edges(frame.gray)
        self._window = window
        self._texts = texts
        self._boxes = as_array(box for box, _ in texts)
        self._names = NamesInUse(taken)
        self._told = False

    def names(self, candidates: Sequence[GivenBox]) -> list[str]:
        """Return a name for each candidate that no other component has, in their order.

        Those that would bear the same name are told apart by their kinds (the control has the
        name, its caption ``NAME_text``), by their rows, by their sections, or else by a number.
        """
        # A source that knows rows and sections says what stands beside a thing: no guess is better.
        self._told = any(one.row or one.section for one in candidates)
        plain = _told_by_kind([self._plain(candidate) for candidate in candidates], candidates)
        alike: dict[str, list[int]] = defaultdict(list)
        for at, name in enumerate(plain):
            alike[folded(name)].append(at)
        claimed = list(plain)
        for members in alike.values():
            wanted = {at: plain[at] for at in members}
            if len(members) > 1 or plain[members[0]] in self._names:
                wanted |= self._told_apart({at: candidates[at] for at in members}, wanted)
            for at, name in wanted.items():
                claimed[at] = self._names.claim(name)
        return claimed

    def _plain(self, box: GivenBox) -> str:
        guessed = "" if box.label or self._told else self._nearest(box.box)
        nearest = box.beside or guessed or box.row
        return component_name(
            box.label, kind=box.kind, box=box.box, nearest_text=nearest, section=box.section
        )

    def _nearest(self, own: Box) -> str:
        """Return the text closest to a box, one in the same line before one above or below."""
        x, y, w, h = self._boxes.T
        across = np.maximum(x, own.x) - np.minimum(x + w, own.right)
        down = np.maximum(y, own.y) - np.minimum(y + h, own.bottom)
        some = np.flatnonzero((across <= NEAR) & (down <= NEAR)).tolist()
        near = [
            (down[at] >= 0, max(across[at], down[at], 0), text)
            for at in some
            for box, text in [self._texts[at]]
            if box != own
        ]
        return min(near, default=(True, 0, ""))[2]

    def _told_apart(
        self, alike: Mapping[int, GivenBox], plain: Mapping[int, str]
    ) -> dict[int, str]:
        """Return distinct names for components of one label, by their rows or sections."""
        rows = {at: one.row for at, one in alike.items() if one.row}
        sections = {at: one.section for at, one in alike.items() if one.section}
        if self._texts and not self._told:
            rows = self._row_texts({at: one.box for at, one in alike.items()}) | rows
        named = {at: joined_name(plain[at], "in", text) for at, text in _telling(sections).items()}
        return named | {
            at: joined_name(plain[at], "by", text) for at, text in _telling(rows).items()
        }

    def _row_texts(self, boxes: Mapping[int, Box]) -> dict[int, str]:
        """Return the first text in each box's row or card that no other row or card has."""
        cells = cells_of(self._edges, boxes, self._window)
        own = set(boxes.values())
        x, y, w, h = self._boxes.T
        across, down = x + w / 2, y + h / 2
        inside: dict[int, list[str]] = {}
        for at, cell in cells.items():
            holds = (across >= cell.x) & (across < cell.right)
            holds &= (down >= cell.y) & (down < cell.bottom)
            there = [
                (boxes[at].gap(box)[1] >= 0, box, text)
                for box, text in (self._texts[number] for number in np.flatnonzero(holds).tolist())
                if box not in own
            ]
            # What stands in one line with it comes first, from the left.
            line = sorted((box.x, text) for elsewhere, box, text in there if not elsewhere)
            rest = [text for elsewhere, _, text in there if elsewhere]
            inside[at] = [text for _, text in line] + rest
        fold = cache(folded)
        held: dict[str, int] = defaultdict(int)
        for texts in inside.values():
            for text in {fold(text) for text in texts}:
                held[text] += 1
        return {
            at: text
            for at, texts in inside.items()
            if (text := next((one for one in texts if held[fold(one)] == 1), ""))
        }


def _told_by_kind(names: Sequence[str], candidates: Sequence[GivenBox]) -> list[str]:
    """Return the names, with its kind behind a caption's where a control bears the same one."""
    pairs = list(zip(names, candidates, strict=True))
    controls = {folded(name) for name, one in pairs if one.kind not in _CAPTIONS}
    return [
        f"{name}_{pair.kind}"
        if pair.kind in _CAPTIONS and pair.label and folded(name) in controls
        else name
        for name, pair in pairs
    ]


def _telling(texts: Mapping[int, str]) -> dict[int, str]:
    """Return the texts, none where all are the same."""
    different = {folded(text) for text in texts.values()}
    return dict(texts) if len(different) > 1 or len(texts) == 1 else {}
