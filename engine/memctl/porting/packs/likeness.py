"""Likeness: which components and screens of two memories are the same thing.

Screens come first: two are one where their labelled controls are, and most of what else can be read
on the poorer one. What says nothing is left out of that comparison: look-alikes on one screen count
once, what stands on many screens counts little, data of rows and pictures of nothing known not at
all. Components come second, within united screens: by kind and label, in a table by the text of the
row, without a label by picture; what nothing tells apart is paired in reading order. On different
screens a component is the same only with the same picture, label and place.

Neither memory comes first, and what a third one joins is joined, so the order of merges makes no
difference. What one machine held apart on a screen stays apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from memctl.porting.packs.app_memory import parts_of
from memctl.porting.packs.impersonal import CONTROLS, names_row, plain_page
from memctl.visual.graph.naming import folded
from memctl.visual.learning.known_boxes import is_guessed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from memctl.porting.packs.app_memory import AppMemory, Entry

_Token = tuple[str, str]
_Pair = tuple[int, int]

_ALIKE = 0.6  # least share of two screens that is the same
_LEAST = 3  # labels or pictures that two screens share and few others show; fewer prove nothing
_FEW = 1 / 3  # share of a memory's screens up to which a label distinguishes them
_CONTROL, _HEADING, _CONTENT = 1.0, 4.0, 0.5  # weights
_BESIDE = 4  # pixels at scale 1 by which the place of one picture may be off
_FAR = 0.35  # share of the screen's size, from which on a label is at another place


@dataclass(frozen=True)
class United:
    """Groups of numbers: those of my lists, then those of the other memory's, counted on."""

    components: list[list[int]]
    states: list[list[int]]


class _Groups:
    """Numbers in growing groups; what a group may hold only once keeps two groups apart."""

    def __init__(self, marks: Iterable[set[tuple[int, str]]]) -> None:
        self.marks = dict(enumerate(marks))
        self.of = list(self.marks)
        self._members = {number: [number] for number in self.of}

    def unite(self, one: int, other: int, *, surely: bool = False) -> bool:
        """Unite the groups of two numbers, unless both hold the same mark; return if they are one."""
        kept, gone = sorted((self.of[one], self.of[other]))
        if kept == gone:
            return True
        if not surely and not self.marks[kept].isdisjoint(self.marks[gone]):
            return False
        self.marks[kept] |= self.marks.pop(gone)
        self._members[kept] += self._members[gone]
        for number in self._members.pop(gone):
            self.of[number] = kept
        return True

    def unite_known(self, entries: Sequence[Entry]) -> None:
        """Unite what has a key in common."""
        first: dict[str, int] = {}
        for number, entry in enumerate(entries):
            for key in entry["keys"]:
                self.unite(number, first.setdefault(key, number), surely=True)

    def all(self) -> list[list[int]]:
        return [sorted(members) for _, members in sorted(self._members.items())]


class _Place(NamedTuple):
    """A component on a screen, and its middle as shares of the screen's width and height."""

    component: int
    x: float
    y: float


def united(mine: AppMemory, theirs: AppMemory, without: Collection[int] = ()) -> United:
    """Return which components and screens of two memories are one.

    Parameters
    ----------
    without
        Places in their list of components that are nowhere, as they were erased here.
    """
    return _Uniting(mine, theirs, without).united()


class _Uniting:
    def __init__(self, mine: AppMemory, theirs: AppMemory, without: Collection[int]) -> None:
        self._first = len(mine.components), len(mine.states)
        self._without = {at + self._first[0] for at in without}
        self._components: list[Entry] = [*mine.components, *theirs.components]
        self._states: list[Entry] = [*mine.states, *theirs.states]
        self._on = [
            self._places(state, self._first[0] if at >= self._first[1] else 0)
            for at, state in enumerate(self._states)
        ]

    def _places(self, state: Entry, shift: int) -> list[_Place]:
        """Return the places on a screen in reading order, those of forgotten components last."""
        places = []
        for at, _, x, y in state["components"]:
            if at + shift in self._without:
                continue
            entry = self._components[at + shift]
            middle = x + entry["w"] / entry["scale"] / 2, y + entry["h"] / entry["scale"] / 2
            shares = middle[0] / state["img_w"], middle[1] / state["img_h"]
            places.append(((bool(entry["forgotten_at"]), y, x), _Place(at + shift, *shares)))
        return [place for _, place in sorted(places)]

    def united(self) -> United:
        screens = self._screens()
        marks: list[set[tuple[int, str]]] = [set() for _ in self._components]
        for state, places in enumerate(self._on):
            for place in places:
                origins = _origins(self._components[place.component])
                marks[place.component] |= {(screens.of[state], origin) for origin in origins}
        groups = _Groups(marks)
        groups.unite_known(self._components)
        for members in sorted(screens.all(), key=lambda ats: min(self._key(at) for at in ats)):
            for one, other in combinations(members, 2):
                self._unite_on(groups, self._on[one], self._on[other])
        for one, other in self._same_pictures():
            groups.unite(one, other)
        return United(groups.all(), screens.all())

    def _key(self, state: int) -> str:
        return str(min(self._states[state]["keys"]))

    # -- screens -------------------------------------------------------------------------

    def _screens(self) -> _Groups:
        groups = _Groups({(0, origin) for origin in _origins(one)} for one in self._states)
        groups.unite_known(self._states)
        pages: dict[int, set[str | None]] = defaultdict(set)
        for at, state in enumerate(self._states):
            pages[groups.of[at]].add(plain_page(state["page"]))
        for one, other in self._alike_screens():
            named = pages[groups.of[one]] | pages[groups.of[other]]
            if len(named - {None}) <= 1 and groups.unite(one, other):
                pages[groups.of[one]] = named
        return groups

    def _alike_screens(self) -> list[_Pair]:
        """Return pairs of screens that show the same, the most alike first."""
        held = [self._evidence(places) for places in self._on]
        worth = {token: weight for evidence in held for token, weight in evidence.items()}
        column = {token: at for at, token in enumerate(sorted(worth))}
        shown = np.zeros((len(held), len(column)), np.float32)
        for at, evidence in enumerate(held):
            shown[at, [column[token] for token in evidence]] = 1
        weights = np.array([worth[token] for token in sorted(worth)], np.float32)
        mine, theirs = shown[: self._first[1]], shown[self._first[1] :]
        few = [part.sum(axis=0) <= max(1, len(part) * _FEW) for part in (mine, theirs)]
        common = (shown * (few[0] & few[1])) @ shown.T
        # What every screen shows (a menu) says little, what one shows says much.
        weights *= np.log1p(len(held) / np.maximum(shown.sum(axis=0), 1)) ** 2
        controls = _Shares(shown, weights * [token[0] in CONTROLS for token in sorted(worth)])
        whole = _Shares(shown, weights)
        scored = []
        for one, other in combinations(range(len(held)), 2):
            best = controls if controls.either(one, other) else whole
            alike = min(best.of_both(one, other), whole.of_poorer(one, other))
            page = {self._states[at]["page"] for at in (one, other)}
            least = 1 if len(page) == 1 and None not in page else _LEAST
            if not held[one] and not held[other]:
                alike = float(_same_words(self._states[one], self._states[other]))
            elif common[one, other] < least:
                continue
            if alike >= _ALIKE:
                keys = sorted(map(self._key, (one, other)))
                scored.append((-round(alike, 4), keys, one, other))
        return [(one, other) for _, _, one, other in sorted(scored)]


    def _evidence(self, places: Iterable[_Place]) -> dict[_Token, float]:
        """Return what tells a screen from others, with its weight."""
        found: dict[_Token, float] = {}
        for place in places:
            entry = self._components[place.component]
            label, row = folded(entry["label"] or ""), entry.get("row_text")
            control = self._is_control(place)
            if entry["forgotten_at"] or entry.get("changing_at"):
                continue
            if not label:
                found |= {("", look["sha256"]): _CONTENT for look in entry["pictures"]}
            elif control and not names_row(label, row):
                found[entry["type"], label] = _CONTROL
            elif not control and not row and not any(sign.isdigit() for sign in label):
                heading = entry["type"] == "heading"
                found["heading" if heading else "content", label] = _HEADING if heading else _CONTENT
        return found

    # -- components ----------------------------------------------------------------------

    def _unite_on(self, groups: _Groups, mine: list[_Place], theirs: list[_Place]) -> None:
        """Unite the components of two screens that are one."""
        alike: dict[_Token, tuple[list[_Place], list[_Place]]] = defaultdict(lambda: ([], []))
        for side, places in enumerate((mine, theirs)):
            for place in places:
                entry = self._components[place.component]
                alike[entry["type"], folded(entry["label"] or "")][side].append(place)
        for (_, label), (ours, others) in sorted(alike.items()):
            known = {groups.of[one.component] for one in ours}
            known &= {groups.of[one.component] for one in others}
            left = [[p for p in part if groups.of[p.component] not in known] for part in (ours, others)]
            pairs = self._labelled(*left) if label else self._nameless(*left)
            for one, other in pairs:
                groups.unite(one, other)

    def _labelled(self, ours: list[_Place], others: list[_Place]) -> Iterator[_Pair]:
        """Yield components of one label: by the text of their row, else in reading order."""
        if len(ours) == len(others) == 1 and _far(ours[0], others[0]):
            return

        def row(place: _Place) -> str:
            return folded(self._components[place.component].get("row_text") or "")

        def settle(wanted: Iterable[tuple[_Place, _Place]]) -> Iterator[_Pair]:
            for one, other in wanted:
                if one in ours and other in others:
                    ours.remove(one)
                    others.remove(other)
                    yield one.component, other.component

        in_row = {row(other): other for other in reversed(others) if row(other)}
        yield from settle([(one, in_row[row(one)]) for one in ours if row(one) in in_row])
        for with_row, without in ((True, False), (False, True), (False, False)):
            first = [one for one in ours if bool(row(one)) is with_row]
            second = [other for other in others if bool(row(other)) is without]
            yield from settle(list(zip(first, second, strict=False)))

    def _nameless(self, ours: list[_Place], others: list[_Place]) -> Iterator[_Pair]:
        """Yield components without a label: of one picture, else controls where each has as many."""
        pictures: dict[str, tuple[list[_Place], list[_Place]]] = defaultdict(lambda: ([], []))
        for side, places in enumerate((ours, others)):
            for place in places:
                for look in self._components[place.component]["pictures"]:
                    pictures[look["sha256"]][side].append(place)
        for _, (left, right) in sorted(pictures.items()):
            for one, other in zip(left, right, strict=False):
                if one in ours and other in others:
                    ours.remove(one)
                    others.remove(other)
                    yield one.component, other.component
        views = [self._by_origin(filter(self._is_control, part)) for part in (ours, others)]
        sizes = [{len(places): places for places in reversed(view)} for view in views]
        for size in sorted(sizes[0].keys() & sizes[1].keys()):
            pairs = zip(sizes[0][size], sizes[1][size], strict=True)
            yield from ((one.component, other.component) for one, other in pairs)

    def _is_control(self, place: _Place) -> bool:
        entry = self._components[place.component]
        return entry["type"] in CONTROLS and not is_guessed(entry["source"])

    def _by_origin(self, places: Iterable[_Place]) -> list[list[_Place]]:
        found: dict[str, list[_Place]] = defaultdict(list)
        for place in places:
            for origin in _origins(self._components[place.component]):
                found[origin].append(place)
        return [found[origin] for origin in sorted(found)]

    def _same_pictures(self) -> Iterator[_Pair]:
        """Yield components that share a picture, kind, label and place, where none else does."""
        shared: dict[tuple[str, ...], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for at, entry in enumerate(self._components):
            if at in self._without:
                continue
            texts = (entry["type"], entry["label"] or "", entry.get("row_text") or "")
            for look in entry["pictures"]:
                shared[look["sha256"], *map(folded, texts)][at >= self._first[0]].append(at)
        for _, (ours, others) in sorted(shared.items()):
            pairs = [(a, b) for a in ours for b in others if self._beside(a, b)]
            choices = Counter(number for pair in pairs for number in pair)
            yield from (pair for pair in pairs if max(choices[number] for number in pair) == 1)

    def _beside(self, one: int, other: int) -> bool:
        first, second = self._components[one], self._components[other]
        return all(
            abs(first[side] / first["scale"] - second[side] / second["scale"]) <= _BESIDE
            for side in ("rel_x", "rel_y")
        )


class _Shares:
    """How much of what screens show is the same, by weights."""

    def __init__(self, shown: np.ndarray, weights: np.ndarray) -> None:
        self._whole = shown @ weights
        self._shared = (shown * weights) @ shown.T

    def either(self, one: int, other: int) -> bool:
        """Return whether both show something that has a weight."""
        return bool(min(self._whole[one], self._whole[other]) > 0)

    def of_both(self, one: int, other: int) -> float:
        shared = self._shared[one, other]
        union = self._whole[one] + self._whole[other] - shared
        return float(shared / union) if union > 0 else 0.0

    def of_poorer(self, one: int, other: int) -> float:
        poorer = min(self._whole[one], self._whole[other])
        return float(self._shared[one, other] / poorer) if poorer > 0 else 0.0


def _origins(entry: Entry) -> set[str]:
    return {parts_of(key)[0] for key in entry["keys"]}


def _same_words(one: Entry, other: Entry) -> bool:
    return bool(one.get("words")) and one["words"] == other.get("words")


def _far(one: _Place, other: _Place) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) > _FAR
