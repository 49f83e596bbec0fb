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
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from memctl.porting.packs.app_memory import parts_of
from memctl.porting.packs.impersonal import CONTROLS, is_unlabelled, names_row, plain_page
from memctl.visual.graph.naming import folded
from memctl.visual.learning.known_boxes import is_guessed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from memctl.porting.packs.app_memory import AppMemory, Entry

_Token = tuple[str, str]
_Pair = tuple[int, int]

_ALIKE, _UNSURE = 0.6, 0.8  # least share of two screens that is the same; where few are known
_KNOWN = 4  # screens from which on it is known what is common to them
_LETTERS = 16  # bytes of the labels that two screens share and few others show; fewer prove nothing
_PICTURE = 8  # likewise, of a shared picture without a label
_FEW = 1 / 3  # share of the screens up to which a label distinguishes them
_CONTROL, _CONTENT, _HEADING, _PAGE = 1.0, 0.5, 4.0, 6.0  # weights
_BESIDE = 4  # pixels at scale 1 by which the place of one picture may be off
_FAR = 0.3  # share of the screen's size, from which on a label is at another place


@dataclass(frozen=True)
class United:
    """Groups of numbers: those of my lists, then those of the other memory's, counted on."""

    components: list[list[int]]
    states: list[list[int]]


class _Groups:
    """Numbers in growing groups; marks that a group may have only once keep two groups apart."""

    def __init__(self, marks: Iterable[set[tuple[int, str]]]) -> None:
        self.marks = dict(enumerate(marks))
        self.of = list(self.marks)
        self._members = {number: [number] for number in self.of}

    def unite(self, one: int, other: int, *, surely: bool = False) -> bool:
        """Unite the groups of two numbers, unless both have the same mark; return if they are one."""
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
        boxes = []
        for at, _, x, y in state["components"]:
            if at + shift not in self._without:
                entry = self._components[at + shift]
                w, h = entry["w"] / entry["scale"], entry["h"] / entry["scale"]
                boxes.append((bool(entry["forgotten_at"]), y + h / 2, x + w / 2, h, at + shift))
        places = []
        line, last = 0, (False, -1.0, 0.0, 0.0, 0)
        for box in sorted(boxes):
            if box[0] != last[0] or box[1] > last[1] + last[3] / 2:
                line, last = line + 1, box
            place = _Place(box[4], box[2] / state["img_w"], box[1] / state["img_h"])
            places.append((line, place.x, place))
        return [place for _, _, place in sorted(places)]

    def united(self) -> United:
        screens = self._screens()
        marks: list[set[tuple[int, str]]] = [set() for _ in self._components]
        for state, places in enumerate(self._on):
            for place in places:
                origins = _origins(self._components[place.component])
                marks[place.component] |= {(state, origin) for origin in origins}
        groups = _Groups(marks)
        groups.unite_known(self._components)
        for members in sorted(screens.all(), key=lambda ats: min(self._key(at) for at in ats)):
            for one, other in combinations(members, 2):
                self._unite_on(groups, self._on[one], self._on[other])
        for one, other in self._same_pictures(screens.all()):
            groups.unite(one, other)
        return United(groups.all(), screens.all())

    def _key(self, state: int) -> str:
        return str(min(self._states[state]["keys"]))

    # -- screens -------------------------------------------------------------------------

    def _screens(self) -> _Groups:
        groups = _Groups({(0, origin) for origin in _origins(state)} for state in self._states)
        groups.unite_known(self._states)
        while self._unite_alike(groups):
            pass
        return groups

    def _unite_alike(self, groups: _Groups) -> bool:
        """Unite screens that show the same, the most alike first; return whether any were."""
        pages: dict[int, set[str | None]] = defaultdict(set)
        for at, state in enumerate(self._states):
            pages[groups.of[at]] |= {plain_page(state["page"])} - {None}
        changed = False
        for one, other in self._alike_screens(groups.all(), pages):
            named = pages[groups.of[one]] | pages[groups.of[other]]
            if len(named) <= 1 and groups.of[one] != groups.of[other] and groups.unite(one, other):
                pages[groups.of[one]] = named
                changed = True
        return changed

    def _alike_screens(
        self, screens: list[list[int]], pages: Mapping[int, set[str | None]]
    ) -> list[_Pair]:
        """Return pairs of screens that show the same, the most alike first."""
        held = [self._evidence(place for at in one for place in self._on[at]) for one in screens]
        named = [{("page", str(page)): _PAGE for page in pages[screen[0]]} for screen in screens]
        page, whole = _Comparison(named), _Comparison(held)
        controls = _Comparison([{key: it[key] for key in it if key[0] in CONTROLS} for it in held])
        least = _ALIKE if len(held) >= _KNOWN else _UNSURE
        scored = []
        for one, other in combinations(range(len(held)), 2):
            a, b = screens[one][0], screens[other][0]
            if not held[one] and not held[other]:
                alike = float(_same_words(self._states[a], self._states[b]))
            elif whole.letters[one, other] + 2 * page.letters[one, other] < _LETTERS:
                continue
            else:
                best = (
                    controls
                    if controls.shared[one, one] and controls.shared[other, other]
                    else whole
                )
                bonus = page.shared[one, other]  # no name of a page is no difference
                alike = min(
                    _share(best.shared[one, other] + bonus, best.missing(one, other, sum)),
                    _share(whole.shared[one, other] + bonus, whole.missing(one, other, min)),
                )
            if alike >= least:
                keys = sorted(map(self._key, (a, b)))
                scored.append((-round(float(alike), 4), keys, a, b))
        return [(a, b) for _, _, a, b in sorted(scored)]

    def _evidence(self, places: Iterable[_Place]) -> dict[_Token, float]:
        """Return the labels that distinguish a screen, with their weights; else the pictures.

        The weight of what was forgotten is 0: that it is gone is no difference.
        """
        labels: dict[_Token, float] = {}
        pictures: dict[_Token, float] = {}
        for place in places:
            entry = self._components[place.component]
            kind, label = self._token(place)
            if entry.get("changing_at"):
                continue
            if not label:
                pictures |= {("", look["sha256"]): _CONTENT for look in entry["pictures"]}
                continue
            row = entry.get("row_text")
            if kind in CONTROLS and not is_guessed(entry["source"]):
                weight, data = _CONTROL, names_row(label, row)
            else:
                kind, weight = ("heading", _HEADING) if kind == "heading" else ("content", _CONTENT)
                data = bool(row) or any(sign.isdigit() for sign in label)
            if not data:
                weight = 0.0 if entry["forgotten_at"] else weight
                labels[kind, label] = max(weight, labels.get((kind, label), 0.0))
        return labels or pictures

    # -- components ----------------------------------------------------------------------

    def _unite_on(self, groups: _Groups, mine: list[_Place], theirs: list[_Place]) -> None:
        """Unite the components of two screens that are one."""
        alike: dict[_Token, tuple[list[_Place], list[_Place]]] = defaultdict(lambda: ([], []))
        for side, places in enumerate((mine, theirs)):
            for place in places:
                alike[self._token(place)][side].append(place)
        for (_, label), (ours, others) in sorted(alike.items()):
            known = {groups.of[our.component] for our in ours}
            known &= {groups.of[one.component] for one in others}
            left = [
                [p for p in part if groups.of[p.component] not in known] for part in (ours, others)
            ]
            for one, other in self._labelled(*left) if label else self._of_one_picture(*left):
                groups.unite(one, other)
        if any(ours and others for (_, label), (ours, others) in alike.items() if not label):
            for ours, others in product(self._views(mine), self._views(theirs)):
                for one, other in self._in_order(ours, others):
                    groups.unite(one, other)

    def _token(self, place: _Place) -> _Token:
        entry = self._components[place.component]
        return entry["type"], folded(entry["label"] or "")

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
            first = [our for our in ours if bool(row(our)) is with_row]
            second = [other for other in others if bool(row(other)) is without]
            yield from settle(list(zip(first, second, strict=False)))

    def _of_one_picture(self, ours: list[_Place], others: list[_Place]) -> Iterator[_Pair]:
        """Yield components without a label that share a picture, and are near each other."""
        pictures: dict[str, tuple[list[_Place], list[_Place]]] = defaultdict(lambda: ([], []))
        for side, places in enumerate((ours, others)):
            for place in places:
                for look in self._components[place.component]["pictures"]:
                    pictures[look["sha256"]][side].append(place)
        for _, (left, right) in sorted(pictures.items()):
            yield from _near(left, right)

    def _views(self, places: Iterable[_Place]) -> list[list[_Place]]:
        """Return each store's record of a screen."""
        views: dict[str, list[_Place]] = defaultdict(list)
        for place in places:
            for origin in _origins(self._components[place.component]):
                views[origin].append(place)
        return [views[origin] for origin in sorted(views)]

    def _in_order(self, *views: list[_Place]) -> Iterator[_Pair]:
        """Yield controls without a label, in reading order between labels that two stores know.

        Only where both know equally many.
        """
        shared = set.intersection(*({self._token(place) for place in places} for places in views))
        between: dict[tuple[_Token, str], tuple[list[_Place], list[_Place]]]
        between = defaultdict(lambda: ([], []))
        for side, places in enumerate(views):
            before = ("", "")
            for place in places:
                kind, label = self._token(place)
                if label and (kind, label) in shared:
                    before = kind, label
                elif is_unlabelled(self._components[place.component]):
                    between[before, kind][side].append(place)
        for _, (ours, others) in sorted(between.items()):
            if len(ours) == len(others):
                yield from _near(ours, others)

    def _same_pictures(self, screens: Iterable[list[int]]) -> Iterator[_Pair]:
        """Yield components that share a picture, kind, label and place, where none else does.

        Of theirs only such as are on no screen that I know: there, what else is on it decides.
        """
        known = {
            place.component
            for members in screens
            for at in (members if members[0] < self._first[1] else ())
            for place in self._on[at]
            if at >= self._first[1]
        }
        shared: dict[tuple[str, ...], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for at, entry in enumerate(self._components):
            if at in self._without or at in known:
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


class _Comparison:
    """What each two of some screens share, and do not.

    Attributes
    ----------
    shared
        The weight of what both show.
    letters
        Bytes of the labels that both show, and few others.
    """

    def __init__(self, held: Sequence[Mapping[_Token, float]]) -> None:
        tokens = sorted({token for evidence in held for token in evidence})
        column = {token: at for at, token in enumerate(tokens)}
        shown = np.zeros((len(held), len(tokens)))
        living = np.zeros((len(held), len(tokens)))
        for at, evidence in enumerate(held):
            columns = [column[token] for token in evidence]
            shown[at, columns], living[at, columns] = 1, [*evidence.values()]
        weights = living.max(axis=0, initial=0)
        holding = np.maximum(shown.sum(axis=0), 1)
        # What every screen shows (a menu) says little, what one shows says much. Two screens that
        # are one count as one.
        own = np.log1p(len(held) / holding) ** 2
        self.shared = (
            shown * weights * np.log1p(len(held) / np.maximum(holding - 1, 1)) ** 2
        ) @ shown.T
        self._missing = (living * own) @ (1 - shown).T
        letters = np.array([len(text.encode()) if kind else _PICTURE for kind, text in tokens])
        self.letters = (shown * letters * (holding <= max(2, len(held) * _FEW))) @ shown.T

    def missing(self, one: int, other: int, of: Callable[[tuple[float, float]], float]) -> float:
        """Return the weight of what one of two screens shows and the other does not, `of` both."""
        return of((self._missing[one, other], self._missing[other, one]))


def _share(part: float, rest: float) -> float:
    return float(part / (part + rest)) if part > 0 else 0.0


def _origins(entry: Entry) -> set[str]:
    return {parts_of(key)[0] for key in entry["keys"]}


def _same_words(entry: Entry, other: Entry) -> bool:
    return bool(entry.get("words")) and entry["words"] == other.get("words")


def _near(ours: list[_Place], others: list[_Place]) -> Iterator[_Pair]:
    """Yield some components of two screens one by one, unless some of these are far apart."""
    pairs = list(zip(ours, others, strict=False))
    if not any(_far(one, other) for one, other in pairs):
        yield from ((one.component, other.component) for one, other in pairs)


def _far(one: _Place, other: _Place) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) > _FAR
