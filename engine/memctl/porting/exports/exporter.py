"""Writes the rows of a store into files that people read, edit and keep in git."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.near_words import one_of
from memctl.porting.exports.export_folder import export_folder, written_file
from memctl.porting.exports.kept_items import EVERYBODY, items_of, own_origin
from memctl.procedural.skills import Skills
from memctl.store.results import Result

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memctl.base.clock import When
    from memctl.base.scope import Scope
    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings
    from memctl.procedural.skill_records import Skill
    from memctl.store.store import Store

LAYOUTS: Mapping[str, str] = {
    "markdown": "own_layouts.write_markdown",
    "jsonl": "own_layouts.write_jsonl",
    "parquet": "own_layouts.write_parquet",
    "openclaw": "workspace_layouts.write_openclaw",
    "memoryclaw": "workspace_layouts.write_memoryclaw",
    "gui-memory": "gui_memory_layout.write",
}
"""The layouts that are written, with the function of each in `memctl.porting.exports`."""

_FILES = frozenset({"jsonl"})  # layouts that are one file
_PRESENT = frozenset({"openclaw", "memoryclaw"})  # those with no place for what holds no more

TIERS: Mapping[str, str] = {
    "turns": "turn",
    "episodes": "episode",
    "facts": "fact",
    "aliases": "alias",
    "knowledge": "knowledge",
}
"""The tiers of rows that are exported, with the kind of their rows; skills are written apart."""

STATES = ("active", "pending", "superseded", "forgotten")
"""States of rows: a fact's status; what is archived is forgotten, a skill that is a draft pending."""

_KEYS = ("tiers", "since", "until", "tags", "states")


@dataclass(frozen=True, slots=True)
class Exported(Result):
    """The answer of an export.

    Parameters
    ----------
    layout, path
        How it was written, and where.
    written
        Rows that were written, by kind.
    files
        How many files.
    """

    layout: str
    path: str
    written: dict[str, int]
    files: int


# --- which rows leave a store; named ones are profiles


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """The rows that are exported: tiers, times, tags, states; all by default."""

    tiers: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    tags: tuple[str, ...] = ()
    states: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        tiers: Sequence[str] = (),
        since: When | None = None,
        until: When | None = None,
        tags: Sequence[str] = (),
        states: Sequence[str] = (),
        *,
        zone: UserZone,
    ) -> ExportSelection:
        """Return a selection whose words and times are checked.

        Raises
        ------
        UsageError
            When a word or a time is not allowed, or the times are backwards.
        """
        _check(tiers, (*TIERS, "skills"), "tier")
        _check(states, STATES, "state")
        begin = zone.told(since, what="since").at if since is not None else None
        end = zone.told(until, what="until").at if until is not None else None
        if begin and end and begin >= end:
            raise UsageError("since is not before until", hint="swap them")
        return cls(tuple(tiers), begin, end, tuple(tags), tuple(states))

    @classmethod
    def profile(cls, name: str, profiles: str, zone: UserZone) -> ExportSelection:
        """Return a named selection of the setting ``export_profiles``.

        Raises
        ------
        UsageError
            When there is none of the name.
        """
        known = json.loads(profiles) if profiles else {}
        if name not in known:
            hint = (
                one_of(name, sorted(known)) if known else "the setting export_profiles holds none"
            )
            raise UsageError(f'there is no export profile "{name}"', hint=hint)
        try:
            return cls.of(**known[name], zone=zone)
        except TypeError as error:
            raise UsageError(
                f'the export profile "{name}" cannot be used: {error}',
                hint=f"it may hold: {', '.join(_KEYS)}",
            ) from None

    def has(self, tier: str) -> bool:
        """Return whether rows of a tier are exported."""
        if self.tiers:
            return tier in self.tiers
        # Neither bears a tag, and a skill no day: where these are asked for, it is for other rows.
        return tier != "skills" or not (self.since or self.until or self.tags)

    @property
    def asked(self) -> dict[str, Any]:
        """The parameters of the statements that read rows."""
        low = {tag.lower() for tag in self.tags}
        of_tag = (kind.category for kind in KINDS.values() if kind.tag.lower() in low)
        tags = [*self.tags, *of_tag]
        return {
            "since": self.since,
            "until": self.until,
            "states": json.dumps(self.states) if self.states else None,
            "tags": json.dumps(tags) if tags else None,
        }

    @property
    def as_json(self) -> dict[str, Any]:
        """What is chosen, as JSON has it; nothing where it is all."""
        return {key: value for key in _KEYS if (value := getattr(self, key))}


def _check(words: Sequence[str], allowed: Sequence[str], what: str) -> None:
    for word in words:
        if word not in allowed:
            raise UsageError(f'there is no {what} "{word}"', hint=one_of(word, allowed))


# --- what an export reads: the chosen rows of a store, counted as they go

_REPORTED = 500  # rows after which progress is reported
# Statuses of skills by the state that is asked for; without one, those that live.
_SKILLS = {
    "active": "active",
    "pending": "draft",
    "superseded": "archived",
    "forgotten": "rejected",
}


class ExportSource:
    """The chosen rows of one store, and how they are written; nothing is read out of the scope.

    Parameters
    ----------
    scope
        Whose facts leave it.
    chosen
        Which rows.
    progress
        Called with the number of rows that were read, now and then.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        scope: Scope | None,
        chosen: ExportSelection,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self.store = store
        self.settings = settings
        self._scope = scope.reading() if scope else EVERYBODY
        self._chosen = chosen
        self._progress = progress
        self.counts: Counter[str] = Counter()

    def write(self, path: str | os.PathLike[str], layout: str, *, force: bool = False) -> Exported:
        """Write the rows into a folder, or a file; return how many of each kind.

        All is of one moment, whatever others write meanwhile. Files are their owner's alone, and stand
        in their place when all is complete.

        Raises
        ------
        UsageError, NotFoundError
            When there is no such layout, or no store yet.
        RefusedError, FileAccessError
            When something is in the way, or it cannot be written; what was there is as it was.
        """
        if layout not in LAYOUTS:
            raise UsageError(f'there is no layout "{layout}"', hint=one_of(layout, LAYOUTS))
        if not self.store.exists:
            raise NotFoundError(f'nothing was written into "{self.store.address}" yet')
        module, _, function = LAYOUTS[layout].partition(".")
        write = getattr(import_module(f"memctl.porting.exports.{module}"), function)
        target = Path(path).expanduser()
        if layout in _PRESENT and not self._chosen.states:
            self._chosen = replace(self._chosen, states=("active",))
        with self.store.snapshot():
            if layout in _FILES:
                with written_file(target, force=force) as file:
                    write(file, self)
                return Exported(layout, str(path), dict(self.counts), 1)
            header = {"layout": layout, **self.header}
            with export_folder(target, header, force=force) as folder:
                write(folder, self)
                files = folder.finish()
        return Exported(layout, str(path), dict(self.counts), files)

    @property
    def header(self) -> dict[str, Any]:
        """What names the store, and what is chosen of it."""
        store = {"origin": own_origin(self.store), "address": str(self.store.address)}
        return {**store, **({"chosen": self._chosen.as_json} if self._chosen.as_json else {})}

    @property
    def is_whole(self) -> bool:
        """Whether no tier, time or tag was chosen, so that what has none of these goes out too."""
        return not self._chosen.as_json.keys() - {"states"}

    def items(self, tier: str) -> Iterator[dict[str, Any]]:
        """Yield the items of a tier; none where it is not chosen."""
        if not self._chosen.has(tier):
            return
        kind = TIERS[tier]
        for item in items_of(self.store, kind, self._chosen.asked, self._scope):
            self._count(kind)
            yield item

    def day(self, at: str, item: dict[str, Any]) -> str:
        """Return the user's day of a time of an item, ``2026-11-20``."""
        return self.store.zone.day(at, item.get("utc_offset"))

    def skills(self) -> Iterator[Skill]:
        """Yield the skills, in the order of their names."""
        if not self._chosen.has("skills"):
            return
        skills = Skills(self.store)
        lists = [skills.list(_SKILLS[state]) for state in self._chosen.states] or [skills.list()]
        for skill in sorted(
            (skill for some in lists for skill in some), key=lambda skill: skill.name
        ):
            self._count("skill")
            yield skill

    def _count(self, kind: str) -> None:
        self.counts[kind] += 1
        if self._progress is not None and self.counts.total() % _REPORTED == 0:
            self._progress(self.counts.total())
