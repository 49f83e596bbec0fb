"""The endpoint of a store: an OpenAI-compatible server that its user has named, Ollama included.

Nothing is sent until ``endpoint_url`` is set. What is sent passes the guard, what comes back too.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from typing import TYPE_CHECKING, Any, Self, TypeVar

from memctl.base.errors import EndpointError, SecretRefusedError
from memctl.endpoint.endpoint_rows import EndpointRows
from memctl.endpoint.model_answers import json_answer, message_of, vectors_of
from memctl.guard import door

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store

T = TypeVar("T")

_MOST = 1_000_000  # bytes of an answer
_OF_A_VECTOR = 100_000  # bytes: 4,096 numbers as text
_TEXTS = 32  # of one request for vectors


class Endpoint:
    """A language model that answers questions and gives vectors of texts.

    Parameters
    ----------
    store
        Keeps its last answers and its circuit breaker; read-only, it keeps neither.
    settings
        Those of the store: ``endpoint_url`` and its companions.
    seconds
        The time that one question may take, the model of the second choice included;
        ``endpoint_timeout_seconds`` by default.
    """

    def __init__(self, store: Store, settings: Settings, *, seconds: float | None = None) -> None:
        self._store = store
        self._settings = settings
        self._url = str(settings.get("endpoint_url")).rstrip("/")
        limit = settings.number("endpoint_timeout_seconds")
        self._seconds = limit if seconds is None else seconds
        self._rows = EndpointRows(store, settings, self._url)

    @classmethod
    def of(cls, settings: Settings, store: Store, *, seconds: float | None = None) -> Self:
        """Return the endpoint that settings name; it may be off: see `on`."""
        return cls(store, settings, seconds=seconds)

    @property
    def on(self) -> bool:
        """Whether an endpoint is named at all."""
        return bool(self._url)

    @door.guarded("endpoint", by_the_way=True)
    def json(self, system: str, user: str) -> Any:
        """Return the JSON object or list that a model answers.

        Parameters
        ----------
        system
            The task, and the shape of the answer.
        user
            The data.

        Raises
        ------
        EndpointError
            When the endpoint is off, paused, not reached or late, or gives no such answer.
        SecretRefusedError
            When the question looks like a secret; nothing is sent.
        UsageError
            When a setting cannot be used, or httpx is not installed.
        """
        return self._asked(system, user, json_answer)

    @door.guarded("endpoint", by_the_way=True)
    def text(self, system: str, user: str) -> str:
        """Return the text that a model answers. Parameters and errors are those of `json`."""
        return self._asked(system, user, str)

    @door.guarded("endpoint", by_the_way=True)
    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of texts, in their order, of ``endpoint_embedding_model``.

        Each request, of up to 32 texts, may take the whole time. Errors are those of `json`.
        """
        model = str(self._settings.get("endpoint_embedding_model"))
        found: list[list[float]] = []
        for at in range(0, len(texts), _TEXTS):
            some = list(texts[at : at + _TEXTS])
            asked = {"model": model, "input": some}
            body = self._posted("embeddings", asked, self._deadline(), _OF_A_VECTOR * len(some))
            found += vectors_of(body, len(some))
        return found

    def _asked(self, system: str, user: str, read: Callable[[str], T]) -> T:
        """Return the answer of the first model that gives one that can be read."""
        deadline = self._deadline()
        failed: list[EndpointError] = []
        for model in self._models():
            try:
                return self._answer(model, system, user, read, deadline)
            except EndpointError as error:
                failed.append(error)
                if error.status != "failed":
                    break  # another model of the same server would be no faster
        raise failed[0]

    def _models(self) -> Iterator[str]:
        yield str(self._settings.get("endpoint_model"))
        if second := str(self._settings.get("endpoint_fallback_model")):
            yield second

    def _answer(
        self, model: str, system: str, user: str, read: Callable[[str], T], deadline: float
    ) -> T:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        key = hashlib.sha256(json.dumps([self._url, model, messages]).encode()).hexdigest()
        kept = self._rows.answer(key)
        if kept is not None:
            return read(kept)
        asked = {"model": model, "messages": messages, "temperature": 0, "stream": False}
        body = self._posted("chat/completions", asked, deadline, _MOST)
        text = door.clean(message_of(body), what="the answer")
        answer = read(text)
        try:
            self._rows.keep_answer(key, text)
        except SecretRefusedError as error:
            raise EndpointError(
                "the answer of the endpoint looks like a secret and is refused",
                hint="ask another model: endpoint_model",
            ) from error
        return answer

    def _posted(self, path: str, asked: dict[str, Any], deadline: float, most: int) -> bytes:
        from memctl.endpoint.http_post import post

        if not self._url:
            raise EndpointError(
                "no endpoint is named",
                hint="memctl config set endpoint_url http://localhost:11434/v1",
                status="unavailable",
            )
        self._rows.refuse_paused()
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        if key := os.environ.get(str(self._settings.get("endpoint_key_variable")), "").strip():
            headers["Authorization"] = f"Bearer {key}"
        left = max(deadline - time.monotonic(), 0.001)
        body = json.dumps(asked).encode()
        try:
            answer = post(f"{self._url}/{path}", body, headers, seconds=left, most=most)
        except EndpointError as error:
            if error.status == "timeout":
                self._rows.count_timeout()
            raise
        self._rows.forget_timeouts()
        return answer

    def _deadline(self) -> float:
        return time.monotonic() + self._seconds
