"""Vectors beside the words: fused into the score, or behind the rows that words bring."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.errors import MemctlError
from memctl.search.index.index_rows import kind_and_id, texts_of
from memctl.search.index.unindexed import reading_unindexed
from memctl.search.ranking import row_candidates
from memctl.search.recall_results import Row, ScoreTerm
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.search.index.reader import IndexReader
    from memctl.search.question.question import RecallQuestion
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Recalled
    from memctl.search.vectors.embed import Embedder
    from memctl.store.store import Store

SQL = statements.load("store/search_vectors")

# Nearest rows looked at, so that some are left when the filters have taken theirs.
_NEAREST = 200


class Meaning(NamedTuple):
    """What is near a question in meaning: the cosine of the best passage of each row, by row."""

    cosines: dict[int, float]
    model: str = ""
    waiting: str = ""
    by: str = ""  # the setting that names it: "model", "endpoint"


class Fallback:
    """The search by vectors; off unless the settings switch it on.

    A model of sentences is fused: the cosine is one more term of the score. The store's own vectors
    find little that words do not, and stand behind the rows that words bring (``primary_first``).
    """

    def __init__(self, store: Store, settings: Settings, name: str, blend: str) -> None:
        self._store = store
        self._settings = settings
        self._name = name
        self._fused = blend == "fused" and name in ("model", "endpoint")

    def fused(self, text: str, request: RecallRequest) -> Meaning:
        """Return rows near to a question, where a model of sentences is fused into the score."""
        if not self._fused:
            return Meaning({})
        try:
            return self._near(text, patient=request.patient)._replace(by=self._name)
        except MemctlError as error:
            return Meaning({}, waiting=_not_asked(error))

    def added(self, recalled: Recalled, question: RecallQuestion, reader: IndexReader) -> Recalled:
        """Return an answer and, after its rows, those that are nearest by vectors, where it is due.

        It is due where fewer rows than ``min_primary_results`` cover the question. A row that
        covers it is never left out for one; of the others at least half of the limit stay. Where
        the vectors cannot be asked, the rows that words brought come with a remark.
        """
        request = reader.request
        if self._fused or self._name == "none" or not request.allows_turns_or_episodes:
            return recalled
        primary = sum(self._covers(row, question) for row in recalled)
        if primary >= self._settings.integer("min_primary_results"):
            return recalled
        try:
            near = self._near(question.text, patient=request.patient)
        except MemctlError as error:
            return replace(recalled, waiting=_not_asked(error))
        return self._filled(recalled, near, question, reader)

    def _near(self, text: str, *, patient: bool) -> Meaning:
        from memctl.search.vectors.embed import Embedder
        from memctl.search.vectors.stored_vectors import nearest

        embedder = Embedder(self._store, self._settings)
        if embedder.is_loading or not (patient or embedder.is_warm):
            return Meaning({}, waiting="the model of sentences is not loaded yet")
        cost = self._loaded(embedder)
        model = embedder.ready(fill=patient)
        if model is None:
            none = (
                "there are no vectors, and a read-only store, a busy one or a full disk gets none"
            )
            return Meaning({}, waiting=embedder.missing() or none)
        near = nearest(self._store, model, embedder.query(text, model), _NEAREST)
        waiting = embedder.missing() if self._name == "store" else cost
        return Meaning({row: cosine for row, cosine in near if cosine > 0}, model.name, waiting)

    def _loaded(self, embedder: Embedder) -> str:
        """Load a local model; return what that costs, until a recall by it was kept."""
        if self._name != "model" or embedder.is_warm:
            return ""
        started = time.perf_counter()
        embedder.load()
        if self._store.value(SQL.recalled_by_model):
            return ""
        return (
            f"loading the model of sentences took {time.perf_counter() - started:.1f} s, and takes it "
            "in every command: an MCP server, memctl mcp, keeps it loaded"
        )

    def _filled(
        self, recalled: Recalled, near: Meaning, question: RecallQuestion, reader: IndexReader
    ) -> Recalled:
        if not near.model:
            return replace(recalled, waiting=near.waiting)
        cosines = {row: cosine for row, cosine in near.cosines.items() if reader.sees(row)}
        request = reader.request
        kept = self._kept(recalled.rows, question, max(request.most, len(recalled)))
        shown = {(row.kind, row.id) for row in kept}
        with reading_unindexed(self._store):
            allowed = row_candidates.read(reader, list(cosines), {}, question)
        wanted = [
            row
            for row in cosines
            if row in allowed and allowed[row].wanted and kind_and_id(row) not in shown
        ]
        texts = texts_of(self._store, wanted)
        spent = sum(row.tokens for row in kept) if request.max_tokens is not None else 0
        for row in wanted:
            cells = texts[row]
            day = question.zone.day(cells["happened_at"], cells["utc_offset"])
            similar = _row(cells, cosines[row], allowed[row].who, near.model, day)
            fits = request.max_tokens is None or spent + similar.tokens <= request.max_tokens
            if fits and len(kept) < request.most:
                kept.append(similar)
                spent += similar.tokens if request.max_tokens is not None else 0
        note = recalled.note if recalled or not kept else ""
        waiting = near.waiting
        return replace(recalled, rows=tuple(kept), note=note, fallback=self._name, waiting=waiting)

    def _kept(self, rows: Sequence[Row], question: RecallQuestion, limit: int) -> list[Row]:
        weak = [row for row in rows if not self._covers(row, question)]
        surplus = max(0, len(rows) - (limit - limit // 2))
        dropped = {id(row) for row in weak[len(weak) - min(surplus, len(weak)) :]}
        return [row for row in rows if id(row) not in dropped]

    def _covers(self, row: Row, question: RecallQuestion) -> bool:
        """Return whether a row has enough of the question's weight, unknown words included."""
        held = set(row.matched)
        weight = sum(concept.weight for concept in question.concepts if concept.word in held)
        total = question.weight
        return total > 0 and weight / total >= self._settings.number("primary_coverage")


def _not_asked(error: MemctlError) -> str:
    hint = f": {error.hint}" if error.hint else ""
    return f"the fallback was not asked: {error.message}{hint}"


def _row(cells: sqlite3.Row, cosine: float, who: tuple[str, ...], model: str, day: str) -> Row:
    why = f'no keyword brought it; similar by the vectors of "{model}"'
    term = ScoreTerm("similar", round(cosine, 4), why)
    return Row(
        kind=cells["kind"],
        id=cells["id"],
        text=cells["text"],
        happened_at=cells["happened_at"],
        day=day,
        score=round(cosine, 4),
        matched=(),
        fallback=True,
        details=cells["details"],
        who=who,
        tags=tuple(cells["tags"].split(", ")) if cells["tags"] else (),
        thread=cells["thread"],
        seq=cells["seq"],
        explain=(term,),
    )
