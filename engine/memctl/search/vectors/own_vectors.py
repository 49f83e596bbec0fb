"""Vectors from the store's own text: no model, no download, numpy alone.

Words that stand in the same and in adjacent turns are counted together, weighted by
positive pointwise mutual information and reduced by a truncated singular value
decomposition (Levy and Goldberg 2014, "Neural word embedding as implicit matrix
factorization"; Halko, Martinsson and Tropp 2011, doi:10.1137/090771806, for the
randomized decomposition). A text's vector is the idf-weighted sum of its words'.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from memctl.search.index.index_words import IndexWords
from memctl.search.question.concepts import idf
from memctl.search.vectors.stored_vectors import Vector, unit
from memctl.store import statements
from memctl.text.closed_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memctl.search.vectors.stored_vectors import KeptModel
    from memctl.store.store import Store

SQL = statements.load("store/search_vectors")

NAME = "store"
_METHOD = "ppmi-svd-1"

_DIMS = 100
# The commonest words carry the counts; the matrix is dense, 64 MB at most.
_MAX_WORDS = 4000
_MIN_ROWS = 2
# The newest rows are enough to learn what goes together.
_MAX_ROWS = 50_000
# Pairs of adjacent rows count half of pairs of one row.
_ADJACENT = 0.5
_OVERSAMPLING = 20
_POWER_STEPS = 2
_SEED = 20_111


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Vectors of stems, each already multiplied by the stem's idf."""

    vectors: Mapping[str, Vector]

    @property
    def dims(self) -> int:
        """The length of a vector."""
        return len(next(iter(self.vectors.values()), np.zeros(1)))

    def of(self, stems: Iterable[str]) -> Vector:
        """Return the unit vector of a bag of stems; zeros where none is known."""
        total = np.zeros(self.dims, dtype=np.float32)
        for stem in stems:
            vector = self.vectors.get(stem)
            if vector is not None:
                total += vector
        return unit(total)


class OwnVectors:
    """The vectors of one store's own words."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def query(self, text: str, model: KeptModel) -> Vector:
        """Return the vector of a question, from the words that are kept."""
        stems = [token.stem for token in IndexWords(self._store).split_as_indexed([text])[0]]
        return WordVectors(self._kept(model, stems) or _nothing(model)).of(stems)

    def rows(
        self, rows: Sequence[tuple[int, str]], model: KeptModel
    ) -> Iterator[tuple[int, Vector]]:
        """Yield the vectors of index rows from the words that are kept."""
        split = IndexWords(self._store).split([text for _, text in rows])
        stems = {token.stem for tokens in split for token in tokens}
        known = WordVectors(self._kept(model, stems) or _nothing(model))
        for (row, _), tokens in zip(rows, split, strict=True):
            yield row, known.of(token.stem for token in tokens)

    def _kept(self, model: KeptModel, stems: Iterable[str]) -> dict[str, Vector]:
        parameters = {"model_id": model.id, "words": json.dumps(sorted(set(stems)))}
        rows = self._store.rows(SQL.word_vectors, parameters)
        return {row["word"]: np.frombuffer(row["vector"], dtype="<f4") for row in rows}


def _nothing(model: KeptModel) -> dict[str, Vector]:
    return {"": np.zeros(model.dims, dtype=np.float32)}


def fingerprint(rows: int) -> str:
    """Return the fingerprint of vectors that were learned from so many rows."""
    return f"{_METHOD} of {rows}"


def learned_from(kept: str) -> int | None:
    """Return the row count in a fingerprint, 0 where it has none; ``None`` for another's."""
    method, _, rows = kept.partition(" of ")
    if method != _METHOD:
        return None
    return int(rows) if rows.isdecimal() else 0


def bags(store: Store) -> dict[int, list[str]]:
    """Return the stems of the newest rows of the index, by row, in the rows' order."""
    IndexWords(store).prepare()
    result: dict[int, list[str]] = defaultdict(list)
    for term, row in store.rows(SQL.postings, {"rows": _MAX_ROWS}):
        if term not in STOP_WORDS:
            result[row].append(term)
    return dict(sorted(result.items()))


def learn(texts: Mapping[int, Sequence[str]]) -> WordVectors:
    """Return the vectors of the words of a store, from the stems of its rows in their order.

    The same rows give the same vectors: the random projection is seeded.
    """
    rows = Counter(stem for stems in texts.values() for stem in set(stems))
    often = [stem for stem, count in rows.items() if count >= _MIN_ROWS]
    vocabulary = sorted(often, key=lambda stem: (-rows[stem], stem))[:_MAX_WORDS]
    if not vocabulary:
        return WordVectors({})
    number = {stem: place for place, stem in enumerate(vocabulary)}
    weighted = _ppmi(_counts(list(texts.values()), number))
    reduced = _reduce(weighted, min(_DIMS, len(vocabulary)))
    return WordVectors(
        {
            stem: np.asarray(unit(reduced[place]) * idf(rows[stem], len(texts)), dtype="<f4")
            for stem, place in number.items()
        }
    )


def _counts(bags_in_order: Sequence[Sequence[str]], number: Mapping[str, int]) -> Vector:
    """Return how often two words share a row, or (half) neighbouring rows."""
    counts = np.zeros((len(number), len(number)), dtype=np.float32)
    places = [
        np.array(sorted({number[stem] for stem in bag if stem in number}), dtype=np.intp)
        for bag in bags_in_order
    ]
    for here, following in zip(places, [*islice(places, 1, None), places[-1][:0]], strict=True):
        counts[np.ix_(here, here)] += 1
        counts[np.ix_(here, following)] += _ADJACENT
        counts[np.ix_(following, here)] += _ADJACENT
    return counts


def _ppmi(counts: Vector) -> Vector:
    """Return ``max(0, log(p(a, b) / (p(a) p(b))))``."""
    alone = counts.sum(axis=1)
    expected = np.outer(alone, alone) / counts.sum()
    with np.errstate(divide="ignore"):
        return np.asarray(np.maximum(np.log(counts / expected), 0), dtype=np.float32)


def _reduce(matrix: Vector, dims: int) -> Vector:
    """Return each row in `dims` dimensions: left singular vectors, scaled by roots."""
    generator = np.random.default_rng(_SEED)
    width = min(dims + _OVERSAMPLING, len(matrix))
    base = matrix @ generator.standard_normal((len(matrix), width), dtype=np.float32)
    for _ in range(_POWER_STEPS):
        base = matrix @ (matrix.T @ np.linalg.qr(base)[0])
    basis = np.linalg.qr(base)[0]
    left, values, _ = np.linalg.svd(basis.T @ matrix, full_matrices=False)
    return np.asarray((basis @ left)[:, :dims] * np.sqrt(values[:dims]), dtype=np.float32)
