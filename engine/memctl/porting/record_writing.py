"""Writes records of other systems into the tiers, each kind by the tier's own door."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UsageError
from memctl.porting.foreign_records import (
    AliasRecord,
    ComponentRecord,
    EpisodeRecord,
    FactRecord,
    ForeignRecord,
    JournalRecord,
    RecordingRecord,
    ScreenSkillRecord,
    SkillRecord,
    StateRecord,
    TransitionRecord,
    TurnRecord,
)
from memctl.procedural.skill_folder import known_here

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.base.scope import Scope
    from memctl.config.settings import Settings
    from memctl.episodic.episodes import Episodes
    from memctl.episodic.log import Log
    from memctl.porting.screen_writing import ScreenWriter
    from memctl.procedural.skills import Skills
    from memctl.semantic.facts import Facts
    from memctl.store.store import Store
    from memctl.text.aliases import Aliases
    from memctl.working.journal import Journal

# Kinds of records, as answers and the table `imported` name them.
KINDS: dict[type[ForeignRecord], str] = {
    TurnRecord: "turn",
    EpisodeRecord: "episode",
    FactRecord: "fact",
    AliasRecord: "alias",
    JournalRecord: "journal entry",
    SkillRecord: "skill",
    ComponentRecord: "component",
    StateRecord: "state",
    TransitionRecord: "transition",
    ScreenSkillRecord: "skill",
    RecordingRecord: "recording",
}
_TURN = ("text", "role", "speaker", "session", "logged_at", "details")
_EPISODE = (
    "summary", "details", "tags", "participants", "happened_at", "confidence", "thread",
)  # fmt: skip


class RecordWriter:
    """Writes batches of records of one kind, inside the caller's transaction.

    Parameters
    ----------
    source
        The format that they come from: of episodes and facts, it is their source.
    """

    def __init__(self, store: Store, settings: Settings, scope: Scope | None, source: str) -> None:
        self._tier = _Tiers(store, settings, scope)
        self._source = source

    def write(self, records: Sequence[ForeignRecord]) -> list[str | None]:
        """Write records of one kind, all or none; return what each became, where it has an id.

        Raises
        ------
        RefusedError, UsageError
            When one of them is refused.
        """
        methods: dict[type[ForeignRecord], Callable[[Any], list[str | None]]] = {
            TurnRecord: self._turns,
            EpisodeRecord: self._episodes,
            FactRecord: self._facts,
            AliasRecord: self._aliases,
            JournalRecord: self._journal,
            SkillRecord: self._skills,
        }
        kind = type(records[0])
        return methods[kind](records) if kind in methods else self._tier.screens.write(records)

    def note(self, record: ForeignRecord, item: str | None) -> None:
        """Note what a record became, now or in an earlier import: others after it name it."""
        if isinstance(record, (ComponentRecord, StateRecord)):
            self._tier.screens.note(record, item)

    def _turns(self, records: Sequence[TurnRecord]) -> list[str | None]:
        if len(records) == 1:  # alone, it is named as what it is
            self._tier.log.add(**_given(records[0], _TURN))
        else:
            self._tier.log.add_many([_given(one, _TURN) for one in records])
        return [None] * len(records)

    def _episodes(self, records: Sequence[EpisodeRecord]) -> list[str | None]:
        return [
            str(self._tier.episodes.add(**_given(one, _EPISODE), source=self._source))
            for one in records
        ]

    def _facts(self, records: Sequence[FactRecord]) -> list[str | None]:
        """Store facts beside what is known: an import ends nothing that holds here."""
        facts = [_fact(one, self._source) for one in records]
        stored = self._tier.facts.store_all(facts, keep_both=True, related=0)
        if any(one.event == "NOISE" for one in stored.written):
            raise UsageError("one of the texts is not worth keeping")  # alone, it is named
        return [one.id for one in stored.written]

    def _aliases(self, records: Sequence[AliasRecord]) -> list[str | None]:
        for one in records:
            self._tier.aliases.add(one.term, one.synonym)
        return [None] * len(records)

    def _journal(self, records: Sequence[JournalRecord]) -> list[str | None]:
        for one in records:
            journal = self._tier.journal(one.session)
            if one.entry == "context":
                journal.context(one.name, one.text)
            elif one.entry == "done":
                journal.done(journal.pending(one.text).id)
            else:
                getattr(journal, one.entry)(one.text)
        return [None] * len(records)

    def _skills(self, records: Sequence[SkillRecord]) -> list[str | None]:
        store = self._tier.store
        return [self._tier.skills.add(known_here(one.draft, store)).id for one in records]


class _Tiers:
    """The tiers' collections, each made when a record of its kind is met."""

    def __init__(self, store: Store, settings: Settings, scope: Scope | None) -> None:
        self.store = store
        self._given = (store, settings, scope)

    @cached_property
    def log(self) -> Log:
        from memctl.episodic.log import Log

        return Log(self._given[0])

    @cached_property
    def episodes(self) -> Episodes:
        from memctl.episodic.episodes import Episodes

        return Episodes(self._given[0])

    def journal(self, session: str) -> Journal:
        from memctl.working.journal import Journal

        return Journal(self._given[0], session)

    @cached_property
    def facts(self) -> Facts:
        from memctl.semantic.facts import Facts

        return Facts(*self._given)

    @cached_property
    def aliases(self) -> Aliases:
        from memctl.text.aliases import Aliases

        return Aliases(self._given[0])

    @cached_property
    def screens(self) -> ScreenWriter:
        from memctl.porting.screen_writing import ScreenWriter

        return ScreenWriter(*self._given[:2])

    @cached_property
    def skills(self) -> Skills:
        from memctl.procedural.skills import Skills

        return Skills(self._given[0])


def _given(record: ForeignRecord, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _fact(record: FactRecord, source: str) -> FactRecord:
    """Return a fact as it is stored; what its source leaves empty is not said."""
    if not (record.text or record.value):
        raise UsageError("the fact is empty")
    parts = ("text", "subject", "attribute", "value")
    said: dict[str, Any] = {name: getattr(record, name) or None for name in parts}
    return replace(record, source=record.source or source, **said)
