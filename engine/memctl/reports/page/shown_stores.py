"""Stores that the page shows: all of them counted, the graphs and pictures of some read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.base.errors import MemctlError
from memctl.base.home import Address
from memctl.reports.answers import Skipped
from memctl.reports.page.pictures import PictureBudget
from memctl.reports.page.stores import Figures, StoreLimits, StoreView, read_figures, view_of
from memctl.reports.sources import told_apart
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from memctl.reports.page.pictures import Picture
    from memctl.reports.sources import Source

# From so many on their pictures are made smaller.
_MANY_SCREENS, _MANY_COMPONENTS = 60, 1_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper limits of the page's contents.

    Parameters
    ----------
    stores
        Stores whose graph and components are shown: the most looked at.
    states, transitions, components
        Shown of all these stores together, the most visited, used and seen ones.
    rows
        Rows of one answer's table.
    findings
        Findings listed.
    crop_bytes, screen_bytes
        Bytes of the components' and of the screens' pictures, as text.
    """

    stores: int = 12
    states: int = 240
    transitions: int = 1_000
    components: int = 3_000
    rows: int = 100
    findings: int = 200
    crop_bytes: int = 1_200_000
    screen_bytes: int = 500_000

    def smaller(self, over: int) -> Limits:
        """Return limits for a page that is `over` bytes too large: fewer pictures, or half of all."""
        if self.crop_bytes > 2 * over:
            return replace(self, crop_bytes=self.crop_bytes - over - over // 4)
        return self.halved()

    def halved(self) -> Limits:
        """Return limits half as large, and at least one of each."""
        return Limits(*(max(getattr(self, name) // 2, 1) for name in self.__slots__))


def fair_shares(wanted: list[int], most: int) -> list[int]:
    """Divide `most` among those who want some: nobody more than wanted, the rest evenly.

    Parameters
    ----------
    wanted
        How many each wants, 0 or more.
    most
        How many there are, 0 or more.

    Returns
    -------
    list of int
        How many each gets: their sum is `most`, or that of `wanted` where it is less.

    Notes
    -----
    Max-min fairness: what a small one does not need goes to the larger ones.
    """
    shares = [0] * len(wanted)
    left = most
    waiting = sorted(range(len(wanted)), key=wanted.__getitem__)
    for place, index in enumerate(waiting):
        shares[index] = min(wanted[index], left // (len(waiting) - place))
        left -= shares[index]
    return shares


@dataclass(frozen=True, slots=True)
class ShownStores:
    """Stores of the page: their figures, their views, and those that were skipped.

    Parameters
    ----------
    names, figures
        Of every store that could be read, in the order that was asked.
    views
        What is shown, the store with the most observations first.
    unseen
        Names of stores that have screens or components and are not among `views`.
    skipped
        Stores that could not be read.
    pictures_left_out
        How many pictures there was no room for.
    """

    names: tuple[str, ...]
    figures: tuple[Figures, ...]
    views: tuple[StoreView, ...]
    unseen: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    pictures_left_out: int


def read_shown(
    sources: Sequence[Source],
    limits: Limits,
    asked: Mapping[str, Sequence[str]],
    made: dict[Hashable, Picture | None],
    progress: Callable[[str], object],
) -> ShownStores:
    """Count what stores hold and read what there is room for; one file is open at a time.

    Parameters
    ----------
    asked
        Ids of components and states that tables show pictures of, by store.
    made
        Pictures that were made before; new ones are added.
    progress
        Called with the name of each store before it is read.
    """
    counted, skipped = _count(told_apart(sources))
    visual = [pair for pair in counted if pair[1].states or pair[1].components]
    visual.sort(key=lambda pair: -pair[1].observations)
    shown, unseen = visual[: limits.stores], visual[limits.stores :]
    rooms = _rooms([figures for _, figures in shown], limits)
    budgets = (
        PictureBudget(
            limits.screen_bytes,
            coarse=sum(room.states for room in rooms) > _MANY_SCREENS,
            made=made,
        ),
        PictureBudget(
            limits.crop_bytes,
            coarse=sum(room.components for room in rooms) > _MANY_COMPONENTS,
            made=made,
        ),
    )
    views = []
    for number, ((source, figures), room) in enumerate(zip(shown, rooms, strict=True), 1):
        progress(source.name)
        try:
            with _opened(source) as store:
                anchor, wanted = f"store-{number}", asked.get(source.name, ())
                views.append(view_of(store, source.name, anchor, figures, room, budgets, wanted))
        except MemctlError as error:
            skipped.append(_skipped(source, error))
    return ShownStores(
        names=tuple(source.name for source, _ in counted),
        figures=tuple(figures for _, figures in counted),
        views=tuple(views),
        unseen=tuple(source.name for source, _ in unseen),
        skipped=tuple(skipped),
        pictures_left_out=sum(budget.left_out for budget in budgets),
    )


def _count(sources: Iterable[Source]) -> tuple[list[tuple[Source, Figures]], list[Skipped]]:
    counted: list[tuple[Source, Figures]] = []
    skipped: list[Skipped] = []
    for source in sources:
        try:
            with _opened(source) as store:
                counted.append((source, read_figures(store)))
        except MemctlError as error:
            skipped.append(_skipped(source, error))
    return counted, skipped


def _rooms(figures: Sequence[Figures], limits: Limits) -> list[StoreLimits]:
    shares = (
        fair_shares([one.states for one in figures], limits.states),
        fair_shares([one.transitions for one in figures], limits.transitions),
        fair_shares([one.components + one.forgotten for one in figures], limits.components),
    )
    return [StoreLimits(*room) for room in zip(*shares, strict=True)]


def _opened(source: Source) -> Store:
    return Store(source.path, Address(source.name), readonly=True)


def _skipped(source: Source, error: MemctlError) -> Skipped:
    why = f"{error.message}; {error.hint}" if error.hint else error.message
    return Skipped(str(source.path), error.code, why)
