"""Computes the vectors of a store, once, and again when asked."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakSet

from memctl.base.errors import BusyError, MemctlError, RefusedError, UsageError
from memctl.guard import door
from memctl.search.index.unindexed import index_rows
from memctl.store import statements
from memctl.store.results import Result
from memctl.store.sqlite_errors import UNWRITABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.search.vectors.sentence_model import SentenceModel
    from memctl.search.vectors.stored_vectors import KeptModel, Vector
    from memctl.store.store import Store

SQL = statements.load("store/search_vectors")

_BATCH = 256
# A recall computes at most so many missing vectors by the way.
_BY_THE_WAY = 256
_ONE_REQUEST = 32
# Up to this size the store's own vectors are learned by the way: when they are first needed, and
# again once there are more than so many times as many rows: new words have no vector until then.
_LEARN_AT_ONCE = 20_000
_OUTGROWN = 2
_SENTENCES = ("model", "endpoint")
# In the background: rows of one batch, a fifth of a second of work; how long nobody must have asked.
_AT_A_TIME = 16
_IDLE_SECONDS = 1.0
_AFTER_BUSY_SECONDS = 5.0

# Stores whose vectors a thread of this process makes: no question makes any by the way.
_in_background: WeakSet[Store] = WeakSet()


@dataclass(frozen=True, slots=True)
class Reembedded(Result):
    """The model of new vectors, and how many rows have one."""

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
        self._of_endpoint = kind == "endpoint"
        self._by_the_way = _ONE_REQUEST if self._of_endpoint else _BY_THE_WAY
        self._settings = settings

    @property
    def name(self) -> str:
        """The name of the vectors: ``store``, or the model's."""
        if self._own:
            from memctl.search.vectors.own_vectors import NAME

            return NAME
        return self._sentences.name

    @property
    def is_warm(self) -> bool:
        """Whether a question's vector takes no loading of a model, and no server."""
        return self._own or (not self._of_endpoint and self._sentences.is_loaded)

    @property
    def is_loading(self) -> bool:
        """Whether a thread of this process is about to load the model: nobody waits for it."""
        return self._store in _in_background and not (self._of_endpoint or self.is_warm)

    def load(self) -> None:
        """Load the model, where it is one of this machine.

        Raises
        ------
        UsageError
            When it is not there, or cannot be loaded.
        """
        if not (self._own or self._of_endpoint):
            self._sentences.fingerprint()

    @door.guarded("vectors", by_the_way=True)
    def catch_up(self, most: int | None = None) -> int:
        """Embed the newest rows that have no vector, `most` of them or all; return how many.

        The store's own vectors are learned when they are asked for, not here.

        Raises
        ------
        RefusedError
            When those that are kept are of another model.
        """
        from memctl.search.vectors.stored_vectors import kept_model

        if self._own or not self._store.exists:
            return 0
        model = kept_model(self._store)
        if model is None:
            model = self._begin()
        self._check(model)
        return self._fill(model, most)

    @door.guarded("vectors", by_the_way=True)
    def ready(self, *, fill: bool = True) -> KeptModel | None:
        """Return the model of the store's vectors; ``None`` if there are none.

        Parameters
        ----------
        fill
            Whether new rows are embedded first, some hundred at most.

        Raises
        ------
        RefusedError
            When they are of another model.
        """
        from memctl.search.vectors.stored_vectors import kept_model

        if not (fill and self._store.writable) or self._store in _in_background:
            return self._checked(kept_model(self._store))
        try:
            with self._store.at_once():
                return self._brought_up_to_date()
        except (BusyError, *UNWRITABLE):
            return self._checked(kept_model(self._store))

    def _checked(self, model: KeptModel | None) -> KeptModel | None:
        if model is not None:
            self._check(model)
        return model

    def _brought_up_to_date(self) -> KeptModel | None:
        from memctl.search.vectors.stored_vectors import kept_model

        if not self._own:
            self.catch_up(self._by_the_way)
            return kept_model(self._store)
        model = kept_model(self._store)
        if model is None:
            return None if self._rows() > _LEARN_AT_ONCE else self._make_own()
        self._check(model)
        if self._outgrown(model):
            return self._make_own()
        self._fill(model, self._by_the_way)
        return model

    def missing(self) -> str:
        """Return the note on vectors that are not there yet; nothing where all are, or soon will be."""
        if self._store in _in_background:
            return "its vectors are still being made"
        rows = self._rows() if self._own else 0
        if rows <= _LEARN_AT_ONCE:
            return ""
        from memctl.search.vectors.own_vectors import learned_from
        from memctl.search.vectors.stored_vectors import kept_model

        model = kept_model(self._store)
        reembed = f"{self._store.address.command(self._store.path) or 'memctl'} reembed"
        if model is None:
            return f"{rows:,} rows have no vectors yet: {reembed} computes them"
        learned = learned_from(model.fingerprint)
        if learned is None or _OUTGROWN * learned >= rows:
            return ""
        return (
            f"the vectors know the words of {learned:,} of {rows:,} rows: "
            f"{reembed} learns them anew"
        )

    @door.guarded("vectors")
    def reembed(self) -> Reembedded:
        """Forget the store's vectors and compute those of every turn and episode."""
        if self._own:
            model = self._make_own()
        else:
            model = self._begin()
            self._fill(model, None)
        count = int(self._store.value(SQL.count_vectors, {"model_id": model.id}))
        return Reembedded(model.name, model.dims, count)

    def query(self, text: str, model: KeptModel) -> Vector:
        """Return the vector of a question."""
        if self._own:
            from memctl.search.vectors.own_vectors import OwnVectors

            return OwnVectors(self._store).query(text, model)
        (vector,) = self._encoded([text], model)
        return vector

    def _encoded(self, texts: Sequence[str], model: KeptModel) -> list[Vector]:
        """Return the vectors of texts; refuse those of another length than are kept."""
        vectors = list(self._sentences.encode(texts))
        if vectors and len(vectors[0]) != model.dims:
            raise UsageError(
                f'vectors of "{model.name}" have {len(vectors[0])} numbers now, {model.dims} before',
                hint="memctl reembed computes all of them anew",
            )
        return vectors

    def _begin(self) -> KeptModel:
        from memctl.search.vectors.stored_vectors import replace_model

        fingerprint = self._sentences.fingerprint()
        dims = len(self._sentences.encode(["dims"])[0])
        with self._store.transaction():
            return replace_model(self._store, self.name, fingerprint, dims)

    def _make_own(self) -> KeptModel:
        from memctl.search.vectors import own_vectors as own
        from memctl.search.vectors.stored_vectors import replace_model

        with self._store.transaction():
            index_rows(self._store)
        rows = self._rows()
        vectors = own.learn(own.bags(self._store))
        with self._store.transaction():
            model = replace_model(self._store, own.NAME, own.fingerprint(rows), vectors.dims)
            words = [
                {"model_id": model.id, "word": word, "vector": vector.tobytes()}
                for word, vector in vectors.vectors.items()
            ]
            self._store.execute_many(SQL.add_word_vector, words)
        self._fill(model, None)
        return model

    def _fill(self, model: KeptModel, most: int | None) -> int:
        """Embed rows that have no vector, the newest first, `most` of them or all; return how many.

        A batch is computed without the write lock, which others wait for, and kept where its
        rows still say the same.
        """
        from memctl.search.vectors.stored_vectors import MAX_ROW, kept_model, unembedded

        left, below, done = most, MAX_ROW, 0
        while left is None or left > 0:
            limit = _BATCH if left is None else min(_BATCH, left)
            rows = unembedded(self._store, model, limit, below=below, facts=not self._own)
            if not rows:
                return done
            vectors = self._vectors(rows, model)
            with self._store.transaction():
                if kept_model(self._store) != model:
                    return done  # somebody has begun anew
                self._keep(model, rows, vectors)
            left = None if left is None else left - len(rows)
            below, done = rows[-1][0], done + len(rows)
        return done

    def _vectors(
        self, rows: list[tuple[int, str]], model: KeptModel
    ) -> list[tuple[int, int, Vector]]:
        """Return the vectors of rows: one each by words, one a passage by a model of sentences."""
        from memctl.search.answer.packing import passage_texts
        from memctl.search.vectors.own_vectors import OwnVectors

        if self._own:
            return [(row, 0, vector) for row, vector in OwnVectors(self._store).rows(rows, model)]
        parts = [(row, n, part) for row, text in rows for n, part in enumerate(passage_texts(text))]
        vectors = self._encoded([part for _, _, part in parts], model)
        return [(row, n, vector) for (row, n, _), vector in zip(parts, vectors, strict=True)]

    def _keep(
        self, model: KeptModel, rows: list[tuple[int, str]], vectors: list[tuple[int, int, Vector]]
    ) -> None:
        """Keep the vectors of those of `rows`, newest first, whose text has not changed."""
        from memctl.search.vectors.stored_vectors import add_vectors, unembedded

        below = rows[0][0] + 1
        now = dict(unembedded(self._store, model, len(rows), below=below, facts=not self._own))
        same = {row for row, text in rows if now.get(row) == text}
        add_vectors(self._store, model, [vector for vector in vectors if vector[0] in same])

    def _check(self, model: KeptModel) -> None:
        from memctl.search.vectors.own_vectors import learned_from
        from memctl.search.vectors.sentence_model import same_model

        if self._own:
            same = learned_from(model.fingerprint) is not None
        else:
            same = same_model(model.fingerprint, self._sentences.fingerprint())
        if not same:
            raise RefusedError(
                f'the vectors of this store are of "{model.name}", not of "{self.name}"',
                hint="memctl reembed computes them again",
            )

    def _outgrown(self, model: KeptModel) -> bool:
        """Return whether the store has grown so far that its words are worth learning again."""
        from memctl.search.vectors.own_vectors import learned_from

        learned = learned_from(model.fingerprint) or 0
        return _OUTGROWN * learned < self._rows() <= _LEARN_AT_ONCE

    def _rows(self) -> int:
        from memctl.search.index.index_rows import size_of

        return size_of(self._store).rows

    @cached_property
    def _sentences(self) -> SentenceModel:
        if self._of_endpoint:
            from memctl.search.vectors.sentence_model import EndpointModel

            return EndpointModel(self._store, self._settings)
        from memctl.search.vectors.sentence_model import SentenceModel

        return SentenceModel(
            str(self._settings.get("fallback_model")),
            download=bool(self._settings.get("fallback_download")),
        )


def missing_vectors(store: Store, settings: Settings) -> str:
    """Return the note on vectors that only `reembed` makes; empty where none are missing."""
    if settings.get("fallback") == "none":
        return ""
    return Embedder(store, settings).missing()


def embed_new(store: Store, settings: Settings) -> None:
    """Embed all rows that have no vector, where a model of sentences is configured.

    Where it cannot be asked nothing is made; whoever recalls is told why.
    """
    if settings.get("fallback") in _SENTENCES:
        with suppress(MemctlError):
            Embedder(store, settings).catch_up()


class BackgroundVectors:
    """A thread that loads the model of a long process, and embeds new rows while nobody asks.

    Parameters
    ----------
    store, settings
        An open store and its settings; without a model of sentences nothing is done.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._called_at = 0.0
        self._awake, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="memctl-vectors", daemon=True)

    def start(self) -> None:
        """Begin, where there is anything to do."""
        if self._settings.get("fallback") in _SENTENCES and self._store.writable:
            _in_background.add(self._store)
            self._thread.start()

    def called(self) -> None:
        """Note that somebody asks or writes: the next batch waits until nobody has for a while."""
        self._called_at = time.monotonic()
        self._awake.set()

    def stop(self) -> None:
        """End after the batch at hand."""
        self._over.set()
        self._awake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        try:
            embedder = Embedder(self._store, self._settings)
            embedder.load()
            while not self._over.wait(self._called_at + _IDLE_SECONDS - time.monotonic()):
                self._awake.clear()
                try:
                    more = embedder.catch_up(_AT_A_TIME)
                except BusyError:
                    more = 1
                    self._over.wait(_AFTER_BUSY_SECONDS)
                if not more:
                    self._awake.wait()
        except MemctlError:
            pass  # whoever asks is told the same
        finally:
            _in_background.discard(self._store)
