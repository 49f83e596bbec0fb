"""Computes the vectors of a store, once, and again when asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl import guard, queries
from memctl.episodic.waiting import index_waiting
from memctl.errors import RefusedError, UsageError

if TYPE_CHECKING:
    from memctl.episodic.vectors.kept import KeptModel, Vector
    from memctl.episodic.vectors.sentences import SentenceModel
    from memctl.settings import Settings
    from memctl.store import Store

__all__ = ["Embedder", "Reembedded", "reembed"]

SQL = queries.load("store/episodic_vectors")

_BATCH = 256
# A recall computes at most so many missing vectors by the way.
_BY_THE_WAY = 256
# Up to this size the store's own vectors are learned when they are first needed.
_LEARN_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Reembedded:
    """What made the new vectors, and how many rows have one."""

    model: str
    dims: int
    rows: int


class Embedder:
    """The vectors that a store's settings ask for.

    Raises
    ------
    UsageError
        When the settings name no model, or one that is not there.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        kind = str(settings.get("fallback"))
        if kind == "none":
            raise UsageError(
                "the fallback is switched off", hint="memctl config set fallback store"
            )
        self._own = kind == "store"
        self._settings = settings

    @property
    def name(self) -> str:
        """What the vectors are called: ``store``, or the model's."""
        if self._own:
            from memctl.episodic.vectors.own import NAME

            return NAME
        return self._sentences().name

    @guard.guarded("vectors")
    def ready(self) -> KeptModel | None:
        """Return what made the store's vectors, new rows embedded; ``None`` if there are none.

        Raises
        ------
        RefusedError
            When they are of another model.
        """
        from memctl.episodic.vectors.kept import kept_model

        model = kept_model(self._store)
        if model is None:
            if self._store.readonly or (self._own and self._rows() > _LEARN_AT_ONCE):
                return None
            return self._make(_LEARN_AT_ONCE if self._own else _BY_THE_WAY)
        self._check(model)
        if not self._store.readonly:
            with self._store.transaction():
                self._fill(model, _BY_THE_WAY)
        return model

    @guard.guarded("vectors")
    def remake(self) -> Reembedded:
        """Forget the store's vectors and compute all of them."""
        model = self._make(None)
        count = int(self._store.value(SQL.count_vectors, {"model_id": model.id}))
        return Reembedded(model.name, model.dims, count)

    def query(self, text: str, model: KeptModel) -> Vector:
        """Return the vector of a question."""
        if self._own:
            from memctl.episodic.vectors.own import OwnVectors

            return OwnVectors(self._store).query(text, model)
        vectors = self._sentences().encode([text])
        return vectors.reshape(-1)

    def _make(self, rows: int | None) -> KeptModel:
        from memctl.episodic.vectors.kept import replace_model

        if self._own:
            return self._make_own()
        fingerprint = self._sentences().fingerprint()
        dims = len(self._sentences().encode(["dims"])[0])
        with self._store.transaction():
            model = replace_model(self._store, self.name, fingerprint, dims)
            self._fill(model, rows)
        return model

    def _make_own(self) -> KeptModel:
        from memctl.episodic.vectors import own
        from memctl.episodic.vectors.kept import replace_model

        with self._store.transaction():
            index_waiting(self._store)
        vectors = own.learn(own.bags(self._store))
        with self._store.transaction():
            model = replace_model(self._store, own.NAME, own.FINGERPRINT, vectors.dims)
            words = [
                {"model_id": model.id, "word": word, "vector": vector.tobytes()}
                for word, vector in vectors.vectors.items()
            ]
            self._store.execute_many(SQL.add_word_vector, words)
            self._fill(model, None)
        return model

    def _fill(self, model: KeptModel, most: int | None) -> None:
        """Embed rows that have no vector, the newest first, `most` of them or all."""
        from memctl.episodic.vectors.kept import add_vectors, unembedded
        from memctl.episodic.vectors.own import OwnVectors

        left = most
        while left is None or left > 0:
            rows = unembedded(self._store, model, _BATCH if left is None else min(_BATCH, left))
            if not rows:
                return
            if self._own:
                add_vectors(self._store, model, OwnVectors(self._store).rows(rows, model))
            else:
                encoded = self._sentences().encode([text for _, text in rows])
                pairs = zip([row for row, _ in rows], encoded, strict=True)
                add_vectors(self._store, model, pairs)
            left = None if left is None else left - len(rows)

    def _check(self, model: KeptModel) -> None:
        from memctl.episodic.vectors.own import FINGERPRINT
        from memctl.episodic.vectors.sentences import same_model

        if self._own:
            same = model.fingerprint == FINGERPRINT
        else:
            same = same_model(model.fingerprint, self._sentences().fingerprint())
        if not same:
            raise RefusedError(
                f'the vectors of this store are of "{model.name}", not of "{self.name}"',
                hint="memctl reembed computes them again",
            )

    def _rows(self) -> int:
        from memctl.episodic.question import size_of

        return size_of(self._store).rows

    def _sentences(self) -> SentenceModel:
        from memctl.episodic.vectors.sentences import SentenceModel

        return SentenceModel(
            str(self._settings.get("fallback_model")),
            download=bool(self._settings.get("fallback_download")),
        )


def reembed(store: Store, settings: Settings) -> Reembedded:
    """Compute the vectors of every turn and episode again, as the settings say.

    Raises
    ------
    UsageError
        When the fallback is switched off, or its model is not there.
    """
    return Embedder(store, settings).remake()
