"""Rows of memory for a prompt: few, each worth its place, none given twice.

Context, hooks, MCP and Active Memory all choose their rows here. A row that the session said
itself is at the model's hand already, a question is no answer, and a turn whose facts were replaced
gives way to what replaced them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.text.closed_words import GENERAL_WORDS, STOP_WORDS
from memctl.text.sentence_kinds import may_state
from memctl.working.recall_policy import asks, asks_memory

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from memctl.search.recall_results import Recalled, Row
    from memctl.store.store import Store

SQL = statements.load("store/prompt")

COMPACTION = "before a compaction"
"""Why a snapshot of a journal is taken when the host compacts its session."""

# The share of a prompt that one word may cover by itself.
_NEARLY_ALL = 0.9


@dataclass(frozen=True, slots=True)
class Demand:
    """The least that a row must reach to be given to a prompt."""

    covers: float  # share of the prompt's weight, 0 to 1, that its words have
    words: int = 1  # of the prompt, words of general meaning aside; or one that is nearly all of it
    gap: float = 0.5  # share of the best row's score
    rows: int = 5  # at most
    # Whether an assistant's words and what was pasted may answer, too, and what was ordered where
    # nothing else does.
    all_said: bool = True


class SessionView:
    """The rows that a session has at hand already, since its last compaction; none without one."""

    def __init__(self, store: Store, session: str | None) -> None:
        self._store = store
        self._session = session
        self._since = ""
        if session is not None and store.exists:
            asked = {"session": session, "why": COMPACTION}
            self._since = store.value(SQL.compacted_at, asked) or ""

    def said(self, session: object, at: str) -> bool:
        """Return whether this session's conversation has the turns of `session` at a time."""
        return session == self._session and session is not None and at > self._since

    def own_facts(self, facts: Sequence[str]) -> set[str]:
        """Return those of some facts that were read from this session's turns."""
        if not facts or not self._store.exists:
            return set()
        rows = self._store.rows(SQL.turns_of_facts, {"facts": json.dumps(list(facts))})
        return {row["fact"] for row in rows if self.said(row["session"], row["logged_at"])}

    def facts_of(self, turns: Sequence[int]) -> Mapping[int, Sequence[sqlite3.Row]]:
        """Return the facts that were read from turns, by turn, with their status and successor."""
        result: dict[int, list[sqlite3.Row]] = {}
        if turns and self._store.exists:
            for row in self._store.rows(SQL.facts_of_turns, {"turns": json.dumps(list(turns))}):
                result.setdefault(row["turn"], []).append(row)
        return result

    def newer_of(self, facts: Sequence[str]) -> Mapping[str, str]:
        """Return the newest fact that may replace each of some facts, by the older one."""
        if not facts or not self._store.exists:
            return {}
        rows = self._store.rows(SQL.newer_of, {"facts": json.dumps(list(facts))})
        return {row["older"]: row["newer"] for row in rows}


def chosen_rows(
    recalled: Recalled,
    demand: Demand,
    view: SessionView,
    *,
    past: bool = False,
    told: Collection[str] = (),
    known: Iterable[str] = (),
    fact: Callable[[str], Row | None] = lambda _: None,
) -> list[Row]:
    """Choose the rows of a recall that a prompt is given, best first.

    Parameters
    ----------
    recalled
        Turns, episodes and facts in one ranking.
    demand, view
        The least that a row must reach, and the session of the prompt.
    past
        Whether the prompt asks how something was: then a turn that it finds by its day stays, though
        its facts were replaced.
    told
        Names of the rows that the session was given already.
    known
        Texts without news: the prompt, and what was just said.
    fact
        Makes the row of a fact that replaced another.
    """
    # A row that the session said itself is at the model's hand already.
    rows = [row for row in recalled if not view.said(row.thread, row.happened_at)]
    own = view.own_facts([str(row.id) for row in rows if row.kind == "fact"])
    rows = [row for row in rows if row.name not in own]
    rows = _newest(_current(rows, view, fact, past=past), view, fact)
    said = {text.strip() for text in known}
    rows = [row for row in rows if not _is_no_answer(row) and row.text.strip() not in said]
    stating = [
        row
        for row in rows
        if (past or not _is_order(row))
        and (demand.all_said or row.kind != "turn" or ("user" in row.who and not row.details))
    ]
    worth = _worth(stating, recalled, demand)
    # Without another answer, what was ordered is one.
    if not worth and demand.all_said:
        worth = _worth(rows, recalled, demand)[:1]
    return [row for row in worth if row.name not in told][: demand.rows]


def _worth(rows: Sequence[Row], recalled: Recalled, demand: Demand) -> list[Row]:
    """Return the rows that reach what is demanded."""
    words = {row.name: _meant(row, recalled.corrected) for row in rows}
    by_day = demand.all_said and not any(words.values())
    best = max((row.score for row in rows if by_day or words[row.name]), default=0.0)
    return [row for row in rows if _is_worth(row, words[row.name], demand, best, by_day=by_day)]


def _current(
    rows: Sequence[Row], view: SessionView, fact: Callable[[str], Row | None], *, past: bool
) -> list[Row]:
    """Replace turns by their facts, or by what replaced these.

    A turn that has more words of the question than any of its facts stays in their place, unless a
    newer fact may have replaced one.
    """
    held = view.facts_of([int(row.id) for row in rows if row.kind == "turn"])
    covers = {row.name: row.covers for row in rows if row.kind == "fact"}
    current: dict[str, Row] = {row.name: row for row in rows}
    for row in rows:
        facts = held.get(int(row.id), ()) if row.kind == "turn" else ()
        if not facts or (past and _is_dated(row)):
            continue
        holding = [one["fact"] for one in facts if one["status"] == "active"]
        says_more = row.covers > max((covers.get(id_, 0.0) for id_ in holding), default=1.0)
        if says_more and not any(one["undecided"] for one in facts):
            for id_ in holding:
                current.pop(id_, None)
            continue
        del current[row.name]
        newer = [one["superseded_by"] for one in facts if one["status"] != "active"]
        for id_ in [*holding, *filter(None, newer)]:
            stands = fact(id_) if id_ not in current else None
            if stands is not None and stands.name not in current:
                current[stands.name] = replace(
                    stands, score=row.score, matched=row.matched, covers=row.covers
                )
    return sorted(current.values(), key=lambda row: -row.score)


def _newest(rows: Sequence[Row], view: SessionView, fact: Callable[[str], Row | None]) -> list[Row]:
    """Replace the older of an undecided pair of facts by the newer, and mark it as such."""
    newer = view.newer_of([str(row.id) for row in rows if row.kind == "fact"])
    current: dict[str, Row] = {}
    for row in rows:
        other = newer.get(row.name)
        stands = fact(other) if other else None
        if stands is None:
            current.setdefault(row.name, row)
            continue
        # It answers by its own words, or by those of the older one: by what is found first.
        mine = next((one for one in rows if one.name == other and one.score >= row.score), None)
        found = mine or replace(stands, score=row.score, matched=row.matched, covers=row.covers)
        current[found.name] = replace(found, doubt=f"may replace {row.name}")
    return sorted(current.values(), key=lambda row: -row.score)


def _is_worth(row: Row, words: Sequence[str], demand: Demand, best: float, *, by_day: bool) -> bool:
    """Return whether a row with some words of the prompt is given; `by_day`: none has a word."""
    if row.score < demand.gap * best:
        return False
    if row.fallback or (by_day and _is_dated(row)):
        return demand.all_said
    least = demand.covers if len(words) >= demand.words else _NEARLY_ALL
    return bool(words) and row.covers >= least


def _meant(row: Row, corrected: Mapping[str, str]) -> list[str]:
    """Return the words that a row shares with a prompt, without general ones and repaired ones.

    What only a repaired word brought is a guess, and nobody asked for it.
    """
    idle = GENERAL_WORDS | STOP_WORDS | corrected.keys()
    words = (word for word in row.matched if word not in idle)
    return [word for word in words if len(word) > 1 or not word.isascii()]


def _is_dated(row: Row) -> bool:
    """Return whether a question found a row by its day."""
    return any(term.term == "date" for term in row.explain)


def _is_no_answer(row: Row) -> bool:
    """Return whether a row answers nothing: a question, a machine's text, the sum of a session.

    A session's turns answer for themselves.
    """
    if row.kind == "episode":
        return "session" in row.tags
    if row.kind != "turn":
        return False
    return "system" in row.who or row.text.rstrip().endswith(("?", "\uff1f")) or asks(row.text)


def _is_order(row: Row) -> bool:
    """Return whether a row is only an order."""
    return (
        row.kind == "turn"
        and "user" in row.who
        and not row.details
        and (asks_memory(row.text) or not may_state(row.text))
    )
