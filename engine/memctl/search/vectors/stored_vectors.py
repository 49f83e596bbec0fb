"""Vectors as they are kept in the store: once per row and model."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memctl.base import clock
from memctl.search.index.index_rows import kind_and_id
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memctl.store.store import Store

SQL = statements.load("store/search_vectors")

Vector = NDArray[np.float32]
_BLOCK = 10_000
# Above every row of the index.
MAX_ROW = 2**62


@dataclass(frozen=True, slots=True)
class KeptModel:
    """The model of the vectors that a store keeps."""

    id: int
    name: str
    fingerprint: str
    dims: int


def kept_model(store: Store) -> KeptModel | None:
    """Return the model of the vectors of `store`, or ``None`` where there are none."""
    row = store.row(SQL.model)
    return KeptModel(**dict(row)) if row is not None else None


def replace_model(store: Store, name: str, fingerprint: str, dims: int) -> KeptModel:
    """Forget all vectors and keep the model of the new ones. Belongs inside a transaction."""
    store.execute(SQL.forget_models)
    parameters = {"name": name, "fingerprint": fingerprint, "dims": dims, "made_at": clock.now()}
    return KeptModel(store.insert(SQL.add_model, parameters), name, fingerprint, dims)


def add_vectors(store: Store, model: KeptModel, vectors: Iterable[tuple[int, int, Vector]]) -> None:
    """Keep vectors of passages, scaled to unit length. Belongs inside a transaction.

    Parameters
    ----------
    vectors
        The row of the index, the place of the passage in its text, and the vector of each.
    """
    rows = [
        {
            "model_id": model.id,
            "kind": kind_and_id(row)[0],
            "item_id": kind_and_id(row)[1],
            "passage": passage,
            "vector": unit(vector).tobytes(),
        }
        for row, passage, vector in vectors
    ]
    store.execute_many(SQL.add_vector, rows)


def unembedded(
    store: Store, model: KeptModel, limit: int, *, below: int = MAX_ROW, facts: bool
) -> list[tuple[int, str]]:
    """Return index rows under `below` that have no vector yet, the newest first, with texts."""
    asked = {"model_id": model.id, "limit": limit, "below": below, "facts": facts}
    rows = store.rows(SQL.unembedded, asked)
    return [(row["index_id"], row["text"]) for row in rows]


def nearest(store: Store, model: KeptModel, query: Vector, count: int) -> list[tuple[int, float]]:
    """Return the index rows whose best passage is nearest to `query`, with their cosines.

    The nearest come first, `count` passages at most.
    """
    best: list[tuple[float, int]] = []
    for rows, matrix in _blocks(store, model):
        cosines = matrix @ query
        top = np.argsort(-cosines, kind="stable")[:count]
        best = heapq.nlargest(count, [*best, *((float(cosines[i]), rows[i]) for i in top)])
    of_row: dict[int, float] = {}
    for cosine, row in best:
        of_row.setdefault(row, cosine)
    return list(of_row.items())


def unit(vector: Vector) -> Vector:
    """Return `vector` at length 1; a vector of zeros stays one."""
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length else vector, dtype="<f4")


def _blocks(store: Store, model: KeptModel) -> Iterator[tuple[list[int], Vector]]:
    after = 0
    while True:
        parameters = {"model_id": model.id, "after": after, "limit": _BLOCK}
        rows = store.rows(SQL.vectors, parameters)
        if not rows:
            return
        joined = b"".join(row["vector"] for row in rows)
        matrix = np.frombuffer(joined, dtype="<f4").reshape(len(rows), model.dims)
        yield [row["index_id"] for row in rows], matrix
        after = rows[-1]["id"]
