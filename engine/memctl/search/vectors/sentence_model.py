"""Vectors from a model: a local one of sentence-transformers (extra ``embed``), or the endpoint's."""

from __future__ import annotations

import base64
import os
from contextlib import contextmanager
from functools import cache
from logging import WARNING, getLogger
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memctl.base.errors import EndpointError, UsageError
from memctl.endpoint.endpoint import Endpoint
from memctl.guard.door import masked
from memctl.search.vectors.stored_vectors import Vector, unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store


PROBE = "The ferry leaves at noon."
# Two machines round differently; another model is nowhere near.
_SAME = 0.999
_BATCH = 64
_loaded: set[tuple[str, bool]] = set()


class SentenceModel:
    """A sentence model, loaded when it is first used.

    Parameters
    ----------
    name
        Its folder, or its name.
    download
        Whether a name that is not on this machine may be fetched; the user's word only.
    """

    def __init__(self, name: str, *, download: bool = False) -> None:
        if not name:
            raise UsageError(
                "no model is named for the fallback", hint="memctl config set fallback_model FOLDER"
            )
        self.name = str(Path(name).expanduser().resolve()) if _is_folder(name) else name
        self._download = download

    @property
    def is_loaded(self) -> bool:
        """Whether this process has loaded the model already."""
        return (self.name, self._download) in _loaded

    def encode(self, texts: Sequence[str]) -> Vector:
        """Return the ``(len(texts), dims)`` float32 vectors of `texts`, of unit length.

        Raises
        ------
        UsageError
            When sentence-transformers or the model is not on this machine.
        """
        return _encoded(_load(self.name, self._download), texts)

    def fingerprint(self) -> str:
        """Return the fingerprint of the model: its vector of one sentence."""
        return _fingerprint(_load(self.name, self._download))


def fingerprint_of(vector: Vector) -> str:
    """Return a model's vector of `PROBE` as it is kept."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def same_model(fingerprint: str, other: str) -> bool:
    """Return whether two fingerprints are of the same model."""
    if fingerprint == other:
        return True
    try:
        first, second = (
            np.frombuffer(base64.b64decode(x), dtype="<f4") for x in (fingerprint, other)
        )
    except ValueError:
        return False
    return first.shape == second.shape and float(first @ second) >= _SAME


def _is_folder(name: str) -> bool:
    """Tell a folder from a name; ``sentence-transformers/all-MiniLM-L6-v2`` is a name."""
    return (
        name.startswith((os.sep, "~", "."))
        or name.count("/") > 1
        or ("/" in name and Path(name).is_dir())
    )


def _encoded(model: Any, texts: Sequence[str]) -> Vector:
    vectors = model.encode(
        list(texts), batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True
    )
    return np.stack([unit(vector) for vector in np.asarray(vectors, dtype=np.float32)])


@cache  # a loaded model stays what it is: no question pays for its probe again
def _fingerprint(model: Any) -> str:
    return fingerprint_of(_encoded(model, [PROBE])[0])


@cache
def _load(name: str, download: bool) -> Any:
    folder = Path(name).is_absolute()
    if folder and not Path(name).is_dir():
        raise _missing(name)
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise UsageError(
            "sentence-transformers is not installed", hint="pip install 'memctl-engine[embed]'"
        ) from error
    try:
        with _silent():
            model = SentenceTransformer(name, device="cpu", local_files_only=not download)
    except Exception as error:  # whatever a half-copied file makes of the library
        if folder or not isinstance(error, (OSError, ValueError)):
            raise _unloadable(name, error) from error
        raise _missing(name) from error
    _loaded.add((name, download))
    return model


@contextmanager
def _silent() -> Iterator[None]:
    """Keep the library from drawing a progress bar and from logging: the engine never prints."""
    from transformers.utils import logging

    log = getLogger("sentence_transformers")
    level, drawn = log.level, logging.is_progress_bar_enabled()
    log.setLevel(WARNING)
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        log.setLevel(level)
        if drawn:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _missing(name: str) -> UsageError:
    return UsageError(
        f'there is no model "{name}" on this machine',
        hint="give the folder of one, or allow it: memctl config set fallback_download true --home-wide",
    )


def _unloadable(name: str, error: Exception) -> UsageError:
    said = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return UsageError(
        f'the model "{name}" cannot be loaded: {said[:200]}',
        hint="copy its folder anew, all files of it",
    )


_LARGEST = 1e9  # of a number in a vector: its square still is a float32
_LONGEST = 8_000  # characters of a text: models refuse what is beyond their window


class EndpointModel(SentenceModel):
    """A model of vectors on a server, known by the vector of one sentence as others are.

    Parameters
    ----------
    store, settings
        The store whose texts are embedded, and the endpoint that its settings name.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        model = str(settings.get("endpoint_embedding_model"))
        if not model:
            raise UsageError(
                "no model of vectors is named for the endpoint",
                hint="memctl config set endpoint_embedding_model NAME",
            )
        self.name = f"endpoint:{model}"
        self._store = store
        self._endpoint = Endpoint(store, settings)

    def encode(self, texts: Sequence[str]) -> Vector:
        """Return the ``(len(texts), dims)`` float32 vectors of `texts`, of unit length.

        Secrets that the rules of today find in older rows are masked before they are sent.

        Raises
        ------
        EndpointError, UsageError
            As `Endpoint.embed`.
        """
        sent = [masked(self._store, text[:_LONGEST]) for text in texts]
        vectors = self._endpoint.embed(sent)
        largest = max((abs(x) for vector in vectors for x in vector), default=0.0)
        if len({len(vector) for vector in vectors}) > 1 or not largest < _LARGEST:
            raise EndpointError(
                f'the model "{self.name}" answers with what is no vector',
                hint="name another one: memctl config set endpoint_embedding_model NAME",
            )
        return np.stack([unit(np.asarray(vector, dtype=np.float32)) for vector in vectors])

    def fingerprint(self) -> str:
        """Return the fingerprint of the model that the server has now."""
        return fingerprint_of(self.encode([PROBE])[0])
