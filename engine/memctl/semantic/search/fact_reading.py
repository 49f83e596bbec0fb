"""Facts as a search reads them: within a scope, as of a time, past a filter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.search.engine import search
from memctl.search.fact_scope import Condition, FactScope
from memctl.search.index.index_rows import FACT as FACT_KIND
from memctl.search.index.index_rows import row_of
from memctl.semantic.records import Fact, FactScoreTerm, Hit, Hits
from memctl.semantic.search.near_rows import near_rows
from memctl.semantic.search.sessions import hidden_by_session
from memctl.store import statements
from memctl.text.normal import equal_key, name_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Row
    from memctl.store.store import Store

__all__ = ["FactReading"]

SQL = statements.load("store/fact_read")
FACT_SQL = statements.load("store/fact")

# Words of a question that may name subjects, and the words of a subject's name.
_MAX_NAMED = 40
_NAME_WORDS = 4
_MOST_NAMED = 1_000


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
        found = search(self._store, settings, request, self)
        fit = [row for row in found if row.score >= threshold]
        note = found.note
        if found and not fit:
            note = f"what matches scores {found[0].score} at most: lower the threshold"
        return Hits(
            self._hits(fit),
            corrected=found.corrected,
            aliases=found.aliases,
            note=note,
            withheld=found.withheld,
        )

    def nearest(self, text: str, *, least: float) -> list[tuple[Fact, float]]:
        """Return the facts that share words with a stored text, and their likeness of `least` to 1."""
        found = near_rows(self._store, self, text, least=least)
        facts = self._facts([id_ for id_, _ in found])
        return [(facts[id_], likeness) for id_, likeness in found if id_ in facts]

    def newest(
        self, owner: Mapping[str, str], most: int, keep: Callable[[str, str], bool]
    ) -> list[Fact]:
        """Return those of the newest facts of one owner, by id and text, that are to be kept."""
        found = self._store.rows(FACT_SQL.newest_of, {**owner, "most": most})
        ids = [row["id"] for row in found if keep(row["id"], row["text"])]
        return list(self._facts(ids).values()) if ids else []

    def _hits(self, rows: Sequence[Row]) -> list[Hit]:
        facts = self._facts([str(row.id) for row in rows])
        return [_hit(facts[str(row.id)], row) for row in rows if row.id in facts]

    def _facts(self, ids: Sequence[str]) -> dict[str, Fact]:
        """Return the facts of some ids, by id."""
        found = self._store.rows(SQL.by_ids, {"ids": json.dumps(ids)})
        return {cells["id"]: Fact.of_row(cells, self._now) for cells in found}

    def most_important(self, limit: int) -> list[Hit]:
        """Return facts that hold, the most important first, whatever their words."""
        rows = self._store.rows(
            self.condition.bound(SQL.holds), {**self.parameters, "limit": limit}
        )
        return [_unscored(Fact.of_row(row, self._now)) for row in self._answering(rows)]

    def about(self, subject_key: str | None, attribute_key: str | None) -> list[Fact]:
        """Return the facts about one thing, or about one property of it, the newest first."""
        keys = {"subject_key": subject_key, "attribute_key": attribute_key}
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
        """Return those of some facts that do not answer: overridden in a session, or told twice."""
        if not numbers:
            return frozenset()
        rows = self._store.rows(SQL.by_number, {"numbers": json.dumps(numbers)})
        return hidden_by_session(self._store, rows, numbers, self.parameters)

    def ever_held(self, match: str) -> bool:
        """Return whether a fact in reach matches, at whatever time it holds."""
        low = row_of(FACT_KIND, 0)
        asked = {**self.parameters, "match": match, "low": low}
        return bool(self._store.value(SQL.kept, asked))

    def _answering(self, rows: Sequence[sqlite3.Row]) -> list[sqlite3.Row]:
        """Return the rows without what an open session overrides, or says too."""
        numbers = [row["number"] for row in rows]
        left_out = hidden_by_session(self._store, rows, numbers, self.parameters)
        return [row for row in rows if row["number"] not in left_out]


def _hit(fact: Fact, row: Row) -> Hit:
    terms = tuple(
        FactScoreTerm(term.term.removeprefix("word:"), term.value, term.why) for term in row.explain
    )
    return Hit(fact, row.score, row.matched, terms, row.tokens)


def _unscored(fact: Fact) -> Hit:
    from memctl.base.tokens import estimate_tokens

    return Hit(fact, 0.0, (), (), estimate_tokens(fact.text))
