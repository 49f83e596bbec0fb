"""Looks of components: the newest one, or two beside each other where something changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from memctl.reports.page.pictures import Picture, PictureBudget
    from memctl.store.store import Store

SQL = statements.load("store/page")


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of what stood at a place, what it shows, and what is said of it: when it was."""

    picture: Picture
    alt: str
    told: str = ""


def looks_of(store: Store, component_id: int, budget: PictureBudget) -> tuple[Shown, ...]:
    """Return how a component looks: two pictures where it changed, one, or none."""
    row = store.row(SQL.newest_look, {"component_id": component_id})
    if row is None:
        return ()
    changed = changed_looks(
        store,
        component_id,
        row["name"],
        budget,
        missed_since=row["last_seen_at"] * (row["misses"] > 0),
    )
    picture = None if changed else budget.crop(row["png"])
    return changed or ((Shown(picture, row["name"]),) if picture else ())


def changed_looks(
    store: Store, component_id: int, name: str, budget: PictureBudget, *, missed_since: str
) -> tuple[Shown, ...]:
    """Return a component before and after it changed; nothing where no two pictures exist.

    Parameters
    ----------
    missed_since
        When a stale one was seen last: then the second picture is what stands at its place
        now, where a screenshot was kept. Empty: its first look and its last.
    """
    asked, day = {"component_id": component_id}, store.zone.day
    now = store.row(SQL.there_now, asked) if missed_since else None
    if now is not None:
        row = store.row(SQL.newest_look, asked)
        place = Box(now["x"], now["y"], now["w"], now["h"])
        there = budget.part(now["observation_id"], now["png"], place)
        told = f"last seen {day(missed_since)}", f"there on {day(now['observed_at'])}"
        return _pair(name, budget.crop(row["png"] if row else None), there, told)
    last = store.row(SQL.drifted_look, asked)
    first = store.row(SQL.first_look, asked) if last else None
    if first is None or last is None:
        return ()
    told = f"first look {day(first['learned_at'])}", f"last look {day(last['learned_at'])}"
    return _pair(name, budget.crop(first["png"]), budget.crop(last["png"]), told)


def _pair(
    name: str, before: Picture | None, after: Picture | None, told: tuple[str, str]
) -> tuple[Shown, ...]:
    if before is None or after is None:
        return ()
    return tuple(
        Shown(picture, f"{name}, {when}", when)
        for picture, when in zip((before, after), told, strict=True)
    )
