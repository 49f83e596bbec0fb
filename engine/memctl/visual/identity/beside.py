"""Choosing one of equal places by what stands in its row, on its card or in its group."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.visual.graph.naming import cut, folded
from memctl.visual.identity.cells import Edges, cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.reading.boxes_file import GivenBox

AT_PLACE = 0.5
"""IoU of a box and the place that it describes."""

_AROUND_WORDS = ".,;:!?()[]{}\"'\u2018\u2019\u201c\u201d\u00ab\u00bb"
_LONGEST, _MOST_TEXTS, _MOST_ROWS = 40, 4, 8  # of rows in a message


class Rows:
    """The rows that some places stand in, and every text in them.

    Rows are those that the source of the boxes names. Where it names none, or several by one
    name, a row is as high as the place in it, and as wide as its panel or, of places side by
    side, as its cell: what stands lower may be a row without such a place. Without any boxes a
    row is a cell.

    Parameters
    ----------
    places
        Equal places, such as the buttons of the rows of a table.
    given
        The boxes of the screen, from a source that knows texts; none where it has no such source.
    window
        The part of the screenshot that counts.
    """

    def __init__(
        self, frame: Frame, places: Sequence[Box], given: Sequence[GivenBox], window: Box
    ) -> None:
        self._frame = frame
        self._window = window
        self._given = given
        self._at = {place: self._box_at(place) for place in places}
        self._named = {folded(one.row) for one in given if one.row}
        self._owners = Counter(folded(one.row) for one in self._at.values() if one)

    def saying(self, text: str) -> list[Box]:
        """Return the places in whose row a text stands.

        A text is a whole box ("Ann Berg" is not "Ann Bergman"). Only where no box of the screen is
        just that text, it may be some whole words of one.
        """
        wanted = folded(text)
        whole = [one for one in self._given if wanted and folded(one.label) == wanted]
        chosen = [
            place
            for place, own in self._at.items()
            if (own and wanted and wanted in {folded(own.row), folded(own.section)})
            or self._any_in_row(place, whole)
        ]
        if chosen or whole:
            return chosen
        words = [one for one in self._given if _in_words(text, one.label)]
        return [place for place in self._at if self._any_in_row(place, words)]

    def holding(self, anchors: Iterable[Box]) -> list[Box]:
        """Return the places in whose row one of some other places stands."""
        if not self._given:
            anchors = list(anchors)
            return [at for at, cell in self._cells.items() if any(map(cell.holds_middle, anchors))]
        there = [one for one in map(self._box_at, anchors) if one]
        return [place for place in self._at if self._any_in_row(place, there)]

    def text(self, place: Box) -> str:
        """Return the texts of a place's row, from left to right: ``"Ann Berg, 12.50"``."""
        mine = [one for one in self._given if one.label and self._in_row(place, one)]
        mine.sort(key=lambda one: (one.box.x, one.box.y))
        texts = dict.fromkeys(cut(" ".join(one.label.split()), _LONGEST) for one in mine)
        own = self._at[place]
        return ", ".join([*texts][:_MOST_TEXTS]) or (own.section if own else "")

    def texts(self, places: Iterable[Box]) -> str:
        """Return the texts of several rows: ``"Ann Berg, 12.50; Bob Cole, 8.00"``."""
        ordered = sorted(places, key=lambda one: (one.y, one.x))
        said = [text for text in map(self.text, ordered) if text]
        more = f" and {len(said) - _MOST_ROWS} more" if len(said) > _MOST_ROWS else ""
        return "; ".join(said[:_MOST_ROWS]) + more

    def _any_in_row(self, place: Box, boxes: Iterable[GivenBox]) -> bool:
        return any(self._in_row(place, one) for one in boxes)

    def _in_row(self, place: Box, other: GivenBox) -> bool:
        own = self._at[place]
        if other is own or place.holds_middle(other.box):
            return False
        row = folded(own.row) if own else ""
        # What names a row has no row itself.
        told = folded(other.row) or (folded(other.label) if not other.row else "")
        if (told if told in self._named else "") != row:
            return False
        if row and self._owners[row] == 1:
            return True
        left, right = self._sides(place)
        x, y = other.box.center
        return left <= x < right and place.y <= y < place.bottom

    @cached_property
    def _cells(self) -> Mapping[Box, Box]:
        cells = cells_of(self._edges, dict(enumerate(self._at)), self._window)
        return dict(zip(self._at, cells.values(), strict=True))

    @cached_property
    def _edges(self) -> Edges:
        return Edges(self._frame.gray)

    def _sides(self, place: Box) -> tuple[int, int]:
        if len(self._at) == 1:
            return self._edges.panel(place)
        return self._cells[place].x, self._cells[place].right

    def _box_at(self, place: Box) -> GivenBox | None:
        alike = [(one.box.iou(place), one) for one in self._given]
        share, nearest = max(alike, key=lambda pair: pair[0], default=(0.0, None))
        return nearest if share > AT_PLACE else None


def _in_words(text: str, label: str) -> bool:
    """Return whether a text is some whole words of a label, in their order."""
    wanted, words = _words(text), _words(label)
    ends = range(len(wanted), len(words) + 1) if wanted else ()
    return any(words[end - len(wanted) : end] == wanted for end in ends)


def _words(text: str) -> list[str]:
    return [word.strip(_AROUND_WORDS) for word in folded(text).split()]
