"""Vectors from the model of an endpoint: an OpenAI-compatible server, Ollama included."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.base.errors import EndpointError, UsageError
from memctl.endpoint.endpoint import Endpoint
from memctl.guard.door import masked
from memctl.search.vectors.sentence_model import PROBE, SentenceModel, fingerprint_of
from memctl.search.vectors.stored_vectors import Vector, unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store

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
