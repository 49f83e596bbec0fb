"""Selection of what is erased: by ids, words, a person, a time, or a thing on a screen."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.base.errors import MissingParamError, NotFoundError, UsageError
from memctl.episodic.episodes import Episodes
from memctl.episodic.log import Log
from memctl.search.erasure import table_sql
from memctl.search.index.index_rows import kind_and_id
from memctl.search.index.unindexed import index_rows
from memctl.semantic.fact_rows import find_row
from memctl.store import statements
from memctl.text.closed_words import content_words
from memctl.text.splitting import quoted
from memctl.visual.graph.components import Components
from memctl.visual.graph.states import States

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.base.scope import Scope
    from memctl.store.store import Store

SQL = statements.load("store/erasure")
STATES = statements.load("store/state")

PLAIN_KINDS: Mapping[str, str] = {
    "recall": "recall",
    "journal": "journal",
    "snapshot": "journal_snapshot",
    "call": "tool_call",
    "skill": "skill",
}
"""Kinds whose rows go by their id alone, with what refers to them, and their tables."""

_FACT = re.compile(r"(?:fact:)?(f_[0-9a-z_]+(?:\.\d+)*)")
_STATE = re.compile(r"(?:state:)?(s_[0-9a-f]+)")
_SKILL = re.compile(r"(?:skill:)?(k_[0-9a-f]+)")
_NUMBERED = re.compile(r"(turn|episode|component|recall|journal|snapshot|call):(\d{1,18})")


@dataclass(slots=True)
class Selection:
    """Rows that are to be erased, by kind, and the texts by which they were asked for."""

    rows: dict[str, dict[int | str, None]] = field(default_factory=dict)
    asked: tuple[str, ...] = ()

    def add(self, kind: str, ids: Iterable[int | str]) -> None:
        """Add rows of a kind, each once."""
        self.rows.setdefault(kind, {}).update(dict.fromkeys(ids))

    @property
    def count(self) -> int:
        """How many rows there are."""
        return sum(map(len, self.rows.values()))


class Selector:
    """Chooses rows of one store within one scope. In a transaction."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._scope = scope
        self._components = Components(store)
        self._states = States(store)

    def choose(
        self,
        ids: Iterable[str],
        *,
        query: str | None,
        component: str | None,
        state: str | None,
        participant: str | None,
        before: str | None,
    ) -> Selection:
        """Return the rows that are meant.

        Raises
        ------
        MissingParamError
            When nothing says what.
        UsageError
            When several things do; a person and a time may stand together.
        NotFoundError
            When one of them is not there, or nothing is found.
        """
        chosen = Selection()
        ids = list(ids)
        ways = [bool(ids), query is not None, component is not None, state is not None]
        ways.append(participant is not None or before is not None)
        if not any(ways):
            raise MissingParamError("nothing says what to erase", hint="give ids, or --query")
        if sum(ways) > 1:
            raise UsageError(
                "several ways to choose are given", hint="one at a time; each may erase more"
            )
        for one in ids:
            self._add_id(chosen, one)
        if component is not None:
            chosen.add("component", [self._components.get(component).id])
        if state is not None:
            chosen.add("state", [self._state(state)])
        if query is not None:
            self._add_matching(chosen, query)
        if participant is not None or before is not None:
            self._add_said(chosen, participant, before)
        if not chosen.count:
            raise NotFoundError("nothing is there to erase", hint="nothing was erased")
        return chosen

    def _add_id(self, chosen: Selection, name: str) -> None:
        if found := _FACT.fullmatch(name):
            chosen.add("fact", [find_row(self._store, self._scope.reading(), found[1])["id"]])
        elif found := _STATE.fullmatch(name):
            chosen.add("state", [self._state(found[1])])
        elif found := _SKILL.fullmatch(name):
            chosen.add("skill", [self._existing("skill", found[1])])
        elif found := _NUMBERED.fullmatch(name):
            kind, number = found[1], int(found[2])
            if kind == "turn":
                Log(self._store).get(number)
            elif kind == "episode":
                Episodes(self._store).get(number)
            elif kind == "component":
                self._components.get(f"#{number}")
            else:
                self._existing(kind, number)
            chosen.add(kind, [number])
        else:
            chosen.add("component", [self._components.get(name.removeprefix("component:")).id])

    def _existing(self, kind: str, key: int | str) -> int | str:
        if self._store.row(table_sql.has_id(PLAIN_KINDS[kind]), {"id": key}) is None:
            raise NotFoundError(f'there is no {kind} "{key}"', hint="nothing was erased")
        return key

    def _state(self, key: str) -> str:
        row = self._store.row(STATES.any_state, {"id": key})
        return str(row["id"]) if row is not None else self._states.resolve(key)

    def _add_matching(self, chosen: Selection, query: str) -> None:
        """Add the turns, episodes and facts that hold every word of a query, whatever their mark."""
        words = content_words(query)
        if not words:
            raise UsageError(
                f'"{query:.40}" holds no word that finds something', hint="name what is rare in it"
            )
        index_rows(self._store)
        match = " AND ".join(map(quoted, words))
        facts: list[int] = []
        for row in self._store.rows(SQL.matching, {"match": match}):
            kind, number = kind_and_id(row["index_row"])
            if kind == "fact":
                facts.append(number)
            else:
                chosen.add(kind, [number])
        self._add_facts(chosen, self._ids_of(facts))
        chosen.asked = (query,)

    def _add_said(self, chosen: Selection, participant: str | None, before: str | None) -> None:
        asked = {"participant": participant, "before": before}
        chosen.add("turn", self._column(SQL.turns_of, asked))
        chosen.add("episode", self._column(SQL.episodes_of, asked))
        self._add_facts(chosen, self._column(SQL.facts_of, asked))
        if participant is not None:
            chosen.asked = (participant,)
            return
        chosen.add("recall", self._column(SQL.recalls_before, asked))
        chosen.add("journal", self._column(SQL.entries_before, asked))
        chosen.add("snapshot", self._column(SQL.snapshots_before, asked))
        chosen.add("call", self._column(SQL.calls_before, asked))

    def _add_facts(self, chosen: Selection, ids: Iterable[int | str]) -> None:
        """Add those of some facts that are within the scope."""
        for one in ids:
            try:
                find_row(self._store, self._scope.reading(), str(one))
            except NotFoundError:
                continue
            chosen.add("fact", [one])

    def _ids_of(self, numbers: list[int]) -> list[int | str]:
        return self._column(SQL.fact_ids, {"numbers": json.dumps(numbers)})

    def _column(self, sql: str, parameters: Mapping[str, object]) -> list[int | str]:
        return [row[0] for row in self._store.rows(sql, parameters)]
