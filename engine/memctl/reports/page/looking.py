"""Looks into the stores: counts all of them, and reads the graphs and pictures of some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import MemctlError
from memctl.base.home import Address
from memctl.reports.answers import Skipped
from memctl.reports.page.limits import fair_shares
from memctl.reports.page.pictures import Album
from memctl.reports.page.stores import Figures, Room, StoreView, read_figures, view_of
from memctl.reports.sources import told_apart
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.reports.page.limits import Limits
    from memctl.reports.sources import Source

__all__ = ["Looked", "look_at"]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in the stores.

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


def look_at(sources: Sequence[Source], limits: Limits) -> Looked:
    """Count what stores hold and read what there is room for; one file is open at a time."""
    counted, skipped = _count(told_apart(sources))
    visual = [pair for pair in counted if pair[1].states or pair[1].components]
    visual.sort(key=lambda pair: -pair[1].observations)
    shown, unseen = visual[: limits.stores], visual[limits.stores :]
    albums = Album(limits.screen_bytes), Album(limits.crop_bytes)
    views = []
    rooms = _rooms([figures for _, figures in shown], limits)
    for number, ((source, figures), room) in enumerate(zip(shown, rooms, strict=True), 1):
        try:
            with _opened(source) as store:
                views.append(view_of(store, source.name, f"store-{number}", figures, room, albums))
        except MemctlError as error:
            skipped.append(_skipped(source, error))
    return Looked(
        names=tuple(source.name for source, _ in counted),
        figures=tuple(figures for _, figures in counted),
        views=tuple(views),
        unseen=tuple(source.name for source, _ in unseen),
        skipped=tuple(skipped),
        pictures_left_out=sum(album.left_out for album in albums),
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


def _rooms(figures: Sequence[Figures], limits: Limits) -> list[Room]:
    shares = (
        fair_shares([one.states for one in figures], limits.states),
        fair_shares([one.ways for one in figures], limits.ways),
        fair_shares([one.components + one.forgotten for one in figures], limits.components),
    )
    return [Room(*room) for room in zip(*shares, strict=True)]


def _opened(source: Source) -> Store:
    return Store(source.path, Address(source.name), readonly=True)


def _skipped(source: Source, error: MemctlError) -> Skipped:
    why = f"{error.message}; {error.hint}" if error.hint else error.message
    return Skipped(str(source.path), error.code, why)
