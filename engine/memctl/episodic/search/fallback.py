"""The fallback to vectors where too few rows hold the words: marked, after the keyword rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.tokens import estimate_tokens
from memctl.episodic.recall_results import Row, ScoreTerm
from memctl.episodic.search import turn_candidates
from memctl.episodic.search.turn_index import kind_and_id, prompt_text, texts_of
from memctl.episodic.unindexed import reading_unindexed

if TYPE_CHECKING:
    import sqlite3

    from memctl.config.settings import Settings
    from memctl.episodic.recall_request import RecallRequest
    from memctl.episodic.search.query_terms import TurnQuery
    from memctl.store.store import Store

__all__ = ["Fallback"]

# Nearest rows looked at, so that some are left when the filters have taken theirs.
_NEAREST = 200


class Fallback:
    """The search by vectors; off unless the settings switch it on.

    Attributes
    ----------
    asked
        The vectors that rows were looked for with; ``None`` where none were.
    waiting
        Which vectors were missing when rows were looked for, and what makes them; else empty.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self.name = str(settings.get("fallback"))
        self.asked: str | None = None
        self.waiting = ""

    def is_due(self, rows: list[Row], question: TurnQuery, primary: int = 0) -> bool:
        """Return whether fewer rows than ``min_primary_results`` cover the question.

        `primary` rows of another tier do so already.
        """
        if self.name == "none":
            return False
        primary += sum(self._covers(row, question) for row in rows)
        return primary < self._settings.integer("min_primary_results")

    def fill(self, rows: list[Row], question: TurnQuery, request: RecallRequest) -> list[Row]:
        """Return `rows` and, after them, the rows that are nearest by vectors.

        A row that covers the question is never left out for one; of the others at
        least half of `limit` stay.

        Raises
        ------
        RefusedError
            When the store's vectors are of another model.
        """
        from memctl.episodic.vectors.embed import Embedder
        from memctl.episodic.vectors.stored_vectors import nearest

        embedder = Embedder(self._store, self._settings)
        model = embedder.ready()
        self.waiting = embedder.missing()
        if model is None:
            none = "there are no vectors, and a read-only store or a full disk gets none"
            self.waiting = self.waiting or none
            return rows
        self.asked = self.name
        kept = self._kept(rows, question, request.limit)
        near = nearest(self._store, model, embedder.query(question.text, model), _NEAREST)
        cosines = {row: cosine for row, cosine in near if cosine > 0}
        shown = {(row.kind, row.id) for row in kept}
        with reading_unindexed(self._store):
            allowed = turn_candidates.read(self._store, list(cosines), {}, question, request)
        wanted = [
            row
            for row in cosines
            if row in allowed and allowed[row].wanted and kind_and_id(row) not in shown
        ]
        texts = texts_of(self._store, wanted)
        spent = sum(row.tokens for row in kept)
        for row in wanted:
            found = _row(texts[row], cosines[row], allowed[row].who, model.name)
            fits = request.max_tokens is None or spent + found.tokens <= request.max_tokens
            if fits and len(kept) < request.limit:
                kept.append(found)
                spent += found.tokens
        return kept

    def _kept(self, rows: list[Row], question: TurnQuery, limit: int) -> list[Row]:
        weak = [row for row in rows if not self._covers(row, question)]
        surplus = max(0, len(rows) - (limit - limit // 2))
        dropped = {id(row) for row in weak[len(weak) - min(surplus, len(weak)) :]}
        return [row for row in rows if id(row) not in dropped]

    def _covers(self, row: Row, question: TurnQuery) -> bool:
        """Return whether a row holds enough of the question's weight, unknown words included."""
        held = set(row.matched)
        weight = sum(concept.idf for concept in question.concepts if concept.word in held)
        total = question.weight
        return total > 0 and weight / total >= self._settings.number("primary_coverage")


def _row(cells: sqlite3.Row, cosine: float, who: tuple[str, ...], model: str) -> Row:
    why = f'no keyword brought it; similar by the vectors of "{model}"'
    return Row(
        kind=cells["kind"],
        id=cells["id"],
        text=cells["text"],
        happened_at=cells["happened_at"],
        score=round(cosine, 4),
        matched=(),
        explain=(ScoreTerm("similar", round(cosine, 4), why),),
        fallback=True,
        details=cells["details"],
        who=who,
        tags=tuple(cells["tags"].split(", ")) if cells["tags"] else (),
        thread=cells["thread"],
        seq=cells["seq"],
        tokens=estimate_tokens(prompt_text(cells)),
    )
