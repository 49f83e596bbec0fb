"""Facts as they are found: within a scope, as of a time, past a filter.

Of one owner, an open session's facts stand beside those of the long term:

- A session's fact that says otherwise than a long-term one overrides it: it answers alone
  within that session, and the long-term one stays as it is for all others.
- A fact that both say is told once, as long-term.
- A fact that is then stored for the long term, in the same session, ends the session's own
  (`memctl.semantic.writing`), so that the newer holds.

Whoever asks for long-term memory alone gets it as it is; whoever has no session open sees
what each session says, beside what is long-term.
"""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import resolvable
from memctl.base.errors import MemctlError, UsageError
from memctl.base.near_words import one_of
from memctl.search.engine import search
from memctl.search.fact_scope import Condition, FactScope
from memctl.search.index.index_rows import FACT, row_of, size_of, texts_of
from memctl.search.index.index_words import IndexWords
from memctl.search.index.unindexed import index_rows_if_free, reading_unindexed, rows_with_unindexed
from memctl.search.question.concepts import idf
from memctl.semantic.records import Fact, FactPage, Hit, Hits
from memctl.store import statements
from memctl.store.pages import counting, page_after, place_after
from memctl.text.closed_words import STOP_WORDS
from memctl.text.normal import equal_key, name_key
from memctl.text.splitting import quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from memctl.base.scope import Reach, Scope
    from memctl.config.settings import Settings
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Row
    from memctl.store.store import Store

SQL = statements.load("store/fact_read")
FACT_SQL = statements.load("store/fact")
SEARCH = statements.load("store/search")

# Words of a question that may name subjects, and the words of a subject's name.
_MAX_NAMED = 40
_NAME_WORDS = 4
_MOST_NAMED = 1_000
# Whatever the size of a store, the facts near to a text are found in at most `_TELLING` lists of
# `_NEWEST` rows and `_COMPARED` texts. In a week of 60 statements each finds the one that it changes with 4 words; 6 leave room.
_TELLING = 6
_NEWEST = 40
_COMPARED = 16


@resolvable
class FactReading(FactScope):
    """The facts of one store within one scope, to read.

    Parameters
    ----------
    scope
        The scope's parameters (`Scope.reading`).
    condition
        The compiled filter.
    as_of
        Facts that held then; ``None`` for those that hold.
    """

    def __init__(
        self,
        store: Store,
        scope: Mapping[str, str | None],
        condition: Condition | None = None,
        *,
        now: str,
        as_of: str | None = None,
    ) -> None:
        self._store = store
        self._now = now
        self.condition = condition or Condition()
        self.parameters: dict[str, Any] = {
            **scope,
            **self.condition.parameters,
            "now": now,
            "as_of": as_of,
        }

    def search(self, settings: Settings, request: RecallRequest, *, threshold: float = 0.0) -> Hits:
        """Return the facts that answer a question, those of less than a score left out."""
        hits = search(self._store, settings, request, self)
        fit = [row for row in hits if row.score >= threshold]
        note = hits.note
        if hits and not fit:
            note = f"what matches scores {hits[0].score} at most: lower the threshold"
        return Hits(
            self._hits(fit),
            corrected=hits.corrected,
            aliases=hits.aliases,
            note=note,
            withheld=hits.withheld,
        )

    def nearest(self, text: str, *, least: float) -> list[tuple[Fact, float]]:
        """Return the facts that share words with a stored text, and their likeness of `least` to 1."""
        near = _near_rows(self._store, self, text, least=least)
        facts = self._facts([id_ for id_, _ in near])
        return [(facts[id_], likeness) for id_, likeness in near if id_ in facts]

    def newest(
        self, owner: Mapping[str, str], most: int, keep: Callable[[str, str], bool]
    ) -> list[Fact]:
        """Return those of the newest facts of one owner, by id and text, that are to be kept."""
        rows = self._store.rows(FACT_SQL.newest_of, {**owner, "most": most})
        ids = [row["id"] for row in rows if keep(row["id"], row["text"])]
        return list(self._facts(ids).values()) if ids else []

    def _hits(self, rows: Sequence[Row]) -> list[Hit]:
        facts = self._facts([str(row.id) for row in rows])
        return [_hit(facts[str(row.id)], row) for row in rows if row.id in facts]

    def _facts(self, ids: Sequence[str]) -> dict[str, Fact]:
        """Return the facts of some ids, by id."""
        rows = self._store.rows(SQL.by_ids, {"ids": json.dumps(ids)})
        return {cells["id"]: Fact.of_row(cells, self._now) for cells in rows}

    def most_important(self, limit: int) -> list[Hit]:
        """Return valid facts, the most important first, whatever their words."""
        rows = self._store.rows(
            self.condition.bound(SQL.holds), {**self.parameters, "limit": limit}
        )
        return [_unscored(Fact.of_row(row, self._now)) for row in self._answering(rows)]

    def about(self, names: Iterable[str], attribute_key: str | None) -> list[Fact]:
        """Return the facts about one thing, or about one property of it, the newest first.

        Parameters
        ----------
        names
            All names of the thing.
        attribute_key
            The property; ``None`` for all.
        """
        subjects = json.dumps([name_key(name) for name in names])
        keys = {"subjects": subjects, "attribute_key": attribute_key}
        rows = self._store.rows(self.condition.bound(SQL.about), {**self.parameters, **keys})
        return [Fact.of_row(row, self._now) for row in self._answering(rows)]

    def named(self, question: str, phrases: Iterable[str]) -> frozenset[int]:
        """Return the numbers of the facts whose subject a question names, or one of `phrases`."""
        asked = equal_key(question).replace("'s", "").split()[:_MAX_NAMED]
        names = [
            " ".join(asked[start : start + length])
            for length in range(1, _NAME_WORDS + 1)
            for start in range(len(asked) - length + 1)
        ]
        names += [name_key(phrase) or "" for phrase in phrases]
        named = {"names": json.dumps(names), "cap": _MOST_NAMED}
        return frozenset(json.loads(self._store.value(SQL.named_rows, named)))

    def hidden(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the facts that do not answer: overridden in a session, or given twice."""
        if not numbers:
            return frozenset()
        rows = self._store.rows(SQL.by_number, {"numbers": json.dumps(numbers)})
        return _hidden_by_session(self._store, rows, numbers, self.parameters)

    def ever_held(self, match: str) -> bool:
        """Return whether a fact in reach matches, valid or not."""
        low = row_of(FACT, 0)
        asked = {**self.parameters, "match": match, "low": low}
        return bool(self._store.value(SQL.kept, asked))

    def _answering(self, rows: Sequence[sqlite3.Row]) -> list[sqlite3.Row]:
        """Return the rows without those that an open session overrides or repeats."""
        numbers = [row["number"] for row in rows]
        left_out = _hidden_by_session(self._store, rows, numbers, self.parameters)
        return [row for row in rows if row["number"] not in left_out]


def _hit(fact: Fact, row: Row) -> Hit:
    terms = tuple(replace(term, term=term.term.removeprefix("word:")) for term in row.explain)
    return Hit(fact, row.score, row.matched, terms, row.tokens)


def _unscored(fact: Fact) -> Hit:
    from memctl.base.tokens import estimate_tokens

    return Hit(fact, 0.0, (), (), estimate_tokens(fact.text))


# -- lists -----------------------------------------------------------------------------

STATUSES = ("active", "coming", "pending", "superseded", "forgotten", "any")


def listed(
    store: Store,
    within: Scope,
    reach: Reach = "all",
    condition: Condition | None = None,
    *,
    limit: int = -1,
    offset: int = 0,
    after: str | None = None,
    **shown: Any,
) -> FactPage:
    """Return facts by their status; `shown` is ``status`` and ``show_hidden``."""
    condition = condition or Condition()
    page = {**_asked(within, reach, condition, **shown), **place_after(after), "offset": offset}
    if page["status"] not in STATUSES:
        raise UsageError(
            f'status "{page["status"]}" is unknown', hint=one_of(page["status"], STATUSES)
        )
    if offset < 0 or limit < -1:
        raise UsageError("a page starts at 0 or later and is not negative")
    if not store.exists:
        return FactPage()
    by_place = after is not None and limit > 0
    rows = store.rows(condition.bound(SQL.listed), {**page, "limit": limit + by_place})
    make = partial(Fact.of_row, now=page["now"])
    if not by_place:
        return FactPage(map(make, rows), offset=offset)
    some = page_after(rows, make, limit, lambda row: (row["updated_at"], row["id"]))
    return FactPage(some, total=some.total, next_after=some.next_after)


def counted(store: Store, within: Scope, reach: Reach, condition: Condition, **shown: Any) -> int:
    """Return how many facts `listed` would return without a limit."""
    if not store.exists:
        return 0
    whole = {"limit": -1, "offset": 0, **place_after(None)}
    asked = {**_asked(within, reach, condition, **shown), **whole}
    return int(store.value(counting(condition.bound(SQL.listed)), asked))


def _asked(
    within: Scope,
    reach: Reach,
    condition: Condition,
    *,
    status: str = "active",
    show_hidden: bool = False,
) -> dict[str, Any]:
    """Return the parameters of a list of facts, as `fact_read.sql` names them."""
    hidden = {"status": status, "show_hidden": show_hidden, "now": clock.now()}
    return {**within.reading(reach), **hidden, **condition.parameters}


# -- near to a text --------------------------------------------------------------------


def _near_rows(
    store: Store, scope: FactScope, text: str, *, least: float
) -> list[tuple[str, float]]:
    """Return the ids of the facts within a scope that share words with a text, and their likeness.

    Parameters
    ----------
    scope
        Whose facts are looked at, and of which time.
    text
        A text that is stored by now: its own row is among them.
    least
        The least likeness: the share of the text's idf that a fact holds, 0 to 1.
    """
    words = IndexWords(store)
    words.prepare()
    index_rows_if_free(store)
    with store.snapshot(), reading_unindexed(store):
        weights = _weights(store, words, text)
        total = sum(weights.values())
        telling = sorted(weights, key=lambda stem: (-weights[stem], stem))[:_TELLING]
        shares: defaultdict[int, float] = defaultdict(float)
        for stem in telling:
            for row in _newest_with(store, scope, stem):
                shares[row] += weights[stem]
        likely = sorted(shares, key=lambda row: (-shares[row], -row))[:_COMPARED]
        cells = texts_of(store, likely)
        held = words.split_as_indexed([cells[row]["index_text"] for row in likely])
    scored = []
    for row, tokens in zip(likely, held, strict=True):
        shared = sum(weights.get(stem, 0.0) for stem in {token.stem for token in tokens})
        if shared >= least * total:
            scored.append((shared / total, row))
    return [(str(cells[row]["id"]), share) for share, row in sorted(scored, reverse=True)]


def _weights(store: Store, words: IndexWords, text: str) -> Mapping[str, float]:
    """Return the idf of each word of a text that another row could share."""
    tokens = words.split_as_indexed([text])[0]
    stems = {token.stem for token in tokens if token.surface not in STOP_WORDS}
    rows = size_of(store).rows
    return {stem: idf(count, rows) for stem, count in words.counts(stems).items()}


def _newest_with(store: Store, scope: FactScope, stem: str) -> Iterable[int]:
    low, high = row_of(FACT, 1), row_of(FACT + 1, 0)
    asked: dict[str, Any] = {"match": quoted(stem), "low": low, "high": high, "most": _NEWEST}
    rows = rows_with_unindexed(
        store, scope.bound(SEARCH.facts_matching), {**asked, **scope.parameters, "ended": False}
    )
    return (int(row) for (ids,) in rows if ids for row in ids.split(","))


# -- sessions --------------------------------------------------------------------------


def _hidden_by_session(
    store: Store,
    rows: Sequence[sqlite3.Row],
    answering: Iterable[int],
    parameters: Mapping[str, Any],
) -> frozenset[int]:
    """Return the facts of an answer that do not answer: overridden, or given twice.

    Parameters
    ----------
    rows
        Facts that hold.
    answering
        The numbers of all facts that could answer, `rows` among them.
    parameters
        The scope's, the filter's and the time's, as `fact_read.sql` names them.
    """
    session = parameters["scope_session"]
    if parameters["scope_reach"] != "all" or not (session or any(r["session_id"] for r in rows)):
        return frozenset()
    by_number = {row["number"]: row for row in rows}
    wanted = {"numbers": json.dumps(list(by_number)), "scope_session": session}
    pairs = [(by_number[row["told_number"]], row) for row in store.rows(SQL.session_pairs, wanted)]
    if not pairs:
        return frozenset()
    current = _current(store, [other["number"] for _, other in pairs], parameters)
    able = frozenset(answering)
    return frozenset(
        row["number"]
        for row, other in pairs
        if other["number"] in current and _yields(row, other, able, session)
    )


def _yields(
    row: sqlite3.Row, other: sqlite3.Row, answering: Collection[int], session: str | None
) -> bool:
    """Return whether a fact gives way to another of which one is a session's, one long-term."""
    # Loaded only here: most answers hold no two facts that could.
    from memctl.semantic.conflicts import SAME, as_draft, relation

    if row["session_id"]:
        return other["number"] in answering and relation(as_draft(row), other) in SAME
    kind = relation(as_draft(other), row) if session else None
    return kind is not None and kind not in SAME


def _current(store: Store, numbers: Sequence[int], parameters: Mapping[str, Any]) -> frozenset[int]:
    """Return the valid facts within the scope, whatever filter is asked for."""
    wanted = {**parameters, "numbers": json.dumps(numbers)}
    return frozenset(row["number"] for row in store.rows(Condition().bound(SQL.valid), wanted))


# -- uses ------------------------------------------------------------------------------


def note_uses(store: Store, facts: Sequence[Fact]) -> None:
    """Note that facts were served: at most one write a day for each, and none that anybody waits for.

    It is left out where the store is read-only, another process writes, the disk is full, or the
    caller is inside a transaction.
    """
    note_served(store, [fact.id for fact in facts])


def note_served(store: Store, ids: Sequence[str]) -> None:
    """Note that the facts of these ids were served, as `note_uses` does."""
    if not ids or store.readonly or store.connection().in_transaction:
        return
    now = clock.now()
    asked = {"ids": json.dumps(list(ids)), "now": now, "today": store.zone.begin(now)}
    with suppress(MemctlError):
        if store.value(SQL.any_unnoted, asked):
            with store.at_once(), store.transaction(activity=True):
                store.execute(SQL.note_uses, asked)
