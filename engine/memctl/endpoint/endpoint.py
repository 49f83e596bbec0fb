"""The endpoint of a store: an OpenAI-compatible server that its user has named, Ollama included.

Nothing is sent until ``endpoint_url`` is set. What is sent passes the guard, what comes back too.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from memctl.base import clock
from memctl.base.errors import BusyError, EndpointError, MemctlError, SecretRefusedError, UsageError
from memctl.config.setting import is_local
from memctl.endpoint.model_answers import json_answer, message_of, vectors_of
from memctl.guard import door
from memctl.store import statements
from memctl.store.sqlite_errors import UNWRITABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from memctl.config.settings import Settings
    from memctl.store.store import Store

T = TypeVar("T")

SQL = statements.load("store/working")

_MOST = 1_000_000  # bytes of an answer
_OF_A_VECTOR = 100_000  # bytes: 4,096 numbers as text
_TEXTS = 32  # of one request for vectors
_CACHED = 15  # seconds for which an answer answers the same question again
_TIMEOUTS = 3  # in a row, after which the endpoint is left alone
_PAUSE = 60  # seconds of that
_GRACE = 0.5  # seconds beyond the deadline that a request has to end by itself
_BAD, _MOVED = 400, 300
_OWNER = "_endpoint"  # of the rows in the cache; no session can have this name


class Endpoint:
    """A language model that answers questions and gives vectors of texts.

    One question may take `seconds`, the model of the second choice included; by default
    ``endpoint_timeout_seconds``.
    """

    def __init__(self, store: Store, settings: Settings, *, seconds: float | None = None) -> None:
        self._store = store
        self._settings = settings
        self._url = str(settings.get("endpoint_url")).rstrip("/")
        limit = settings.number("endpoint_timeout_seconds")
        self._seconds = limit if seconds is None else seconds
        self._rows = EndpointRows(store, self._url)

    @property
    def on(self) -> bool:
        """Whether an endpoint is named at all."""
        return bool(self._url)

    @door.guarded("endpoint", by_the_way=True)
    def json(self, system: str, user: str) -> Any:
        """Return the JSON object or list that a model answers to a task (`system`) and data (`user`).

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
        """Return the text that a model answers, as `json`."""
        return self._asked(system, user, str)

    @door.guarded("endpoint", by_the_way=True)
    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of texts, in their order, of ``endpoint_embedding_model``; as `json`.

        Each request, of up to 32 texts, may take the whole time.
        """
        model = str(self._settings.get("endpoint_embedding_model"))
        result: list[list[float]] = []
        for at in range(0, len(texts), _TEXTS):
            some = list(texts[at : at + _TEXTS])
            asked = {"model": model, "input": some}
            deadline = time.monotonic() + self._seconds
            body = self._posted("embeddings", asked, deadline, _OF_A_VECTOR * len(some))
            result += vectors_of(body, len(some))
        return result

    def _asked(self, system: str, user: str, read: Callable[[str], T]) -> T:
        """Return the answer of the first model that gives one that can be read."""
        deadline = time.monotonic() + self._seconds
        failed: list[EndpointError] = []
        second = str(self._settings.get("endpoint_fallback_model"))
        for model in (str(self._settings.get("endpoint_model")), *([second] if second else ())):
            try:
                return self._answer(model, system, user, read, deadline)
            except EndpointError as error:
                failed.append(error)
                if error.status != "failed":
                    break  # another model of the same server would be no faster
        raise failed[0]

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
        if not self._url:
            raise EndpointError(
                "no endpoint is named",
                hint="memctl config set endpoint_url http://localhost:11434/v1",
                status="unavailable",
            )
        self._rows.refuse_paused()
        headers = dict.fromkeys(("Content-Type", "Accept"), "application/json")
        headers["Accept-Encoding"] = "identity"
        if key := os.environ.get(str(self._settings.get("endpoint_key_variable")), "").strip():
            headers["Authorization"] = f"Bearer {key}"
        left = max(deadline - time.monotonic(), 0.001)
        body = json.dumps(asked).encode()
        try:
            answer = _post(f"{self._url}/{path}", body, headers, seconds=left, most=most)
        except EndpointError as error:
            if error.status == "timeout":
                self._rows.count_timeout()
            raise
        self._rows.forget_timeouts()
        return answer


class EndpointRows:
    """The last answers of an endpoint and its circuit breaker, in the store's cache.

    A hook or a command is a process of its own: the next one reads them there. A store that is
    read-only or was not made yet has none.
    """

    def __init__(self, store: Store, url: str) -> None:
        self._store = store
        self._breaker = f"time-outs of {url}"  # each address has its own

    def answer(self, key: str) -> str | None:
        """Return the answer that was kept under a key; ``None`` where none is, or it is old."""
        if not self._store.exists or self._store.readonly:
            return None
        asked = {"session": _OWNER, "name": key, "now": clock.now()}
        row = self._store.row(SQL.cached, asked)
        return str(row["value"]) if row is not None else None

    @door.guarded("endpoint", unwritten=("key",), by_the_way=True)
    def keep_answer(self, key: str, answer: str) -> None:
        """Keep an answer under a key for 15 seconds; a secret in it is refused."""
        self._set(key, answer, _CACHED)

    def refuse_paused(self) -> None:
        """Raise EndpointError while the breaker is open."""
        if self._timeouts() >= _TIMEOUTS:
            raise EndpointError(
                "the endpoint was late too often and is left alone for a while",
                hint=f"it is asked again within {_PAUSE} seconds",
                status="unavailable",
            )

    @door.guarded("endpoint", by_the_way=True)
    def count_timeout(self) -> None:
        """Count a time-out; the last one that is allowed opens the breaker for a while."""
        count = self._timeouts() + 1
        self._set(self._breaker, str(count), _PAUSE if count >= _TIMEOUTS else None)

    @door.guarded("endpoint", by_the_way=True)
    def forget_timeouts(self) -> None:
        """Close the breaker: an answer came in time."""
        if self._timeouts():
            self._write(SQL.remove_cached, {"session": _OWNER, "name": self._breaker})

    def _timeouts(self) -> int:
        return int(self.answer(self._breaker) or 0)

    def _set(self, name: str, value: str, seconds: int | None) -> None:
        now = clock.now()
        expires_at = clock.moved(now, seconds=seconds) if seconds else None
        kept = {"session": _OWNER, "name": name, "value": value, "now": now}
        self._write(SQL.set_cached, {**kept, "expires_at": expires_at})

    def _write(self, sql: str, given: Mapping[str, Any]) -> None:
        if not self._store.exists or not self._store.writable:
            return
        with suppress(BusyError, *UNWRITABLE), self._store.transaction():
            self._store.execute(SQL.drop_expired, {"now": clock.now()})
            self._store.execute(sql, given)


# -- the request ---------------------------------------------------------------------------


def _post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, most: int) -> bytes:
    """Send one HTTP request to a server and return the body of its answer.

    The request runs in a loop and a thread of its own: so a server that sends a byte now and then,
    in its headers too, is left at the deadline, and a caller may run in a loop itself. The deadline
    is that of name, connection and answer, which has `most` bytes.

    Raises
    ------
    EndpointError
        When the server is not reached, late, moved, answers with an error or with too much.
    UsageError
        When httpx is not installed.
    """
    import asyncio  # takes longer to load than a hook that asks no model
    from concurrent.futures import Future
    from threading import Thread

    try:
        import httpx as client
    except ImportError as error:
        hint = "pip install 'memctl-engine[llm]'"
        raise UsageError("httpx is not installed", hint=hint) from error
    answer: Future[bytes] = Future()

    def run() -> None:
        try:
            answer.set_result(asyncio.run(_received(client, url, body, headers, seconds, most)))
        except BaseException as error:  # noqa: BLE001  (it is raised where it is waited for)
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    try:
        return answer.result(seconds + _GRACE)
    except TimeoutError:
        raise EndpointError(
            f'the endpoint "{url}" gave no answer within {seconds:.3g} seconds',
            hint="memctl config set endpoint_timeout_seconds SECONDS",
            status="timeout",
        ) from None
    except client.TransportError as error:
        raise EndpointError(
            f'the endpoint "{url}" is not reached: {type(error).__name__}',
            hint="start the server, or name another: endpoint_url",
            status="unavailable",
        ) from None
    except Exception as error:  # a bad address or server breaks libraries anyhow
        if isinstance(error, MemctlError):
            raise
        raise EndpointError(
            f'the endpoint "{url}" cannot be asked: {type(error).__name__}',
            hint="memctl config get endpoint_url shows its address",
        ) from None


async def _received(
    client: ModuleType, url: str, body: bytes, headers: Mapping[str, str], seconds: float, most: int
) -> bytes:
    import asyncio

    options = {
        "timeout": None,  # of one read: the deadline is above all of them
        "follow_redirects": False,
        "trust_env": not is_local(url),  # no proxy stands before this machine
        "verify": url.startswith("https:"),  # its certificates take a tenth of a second to read
    }
    received = bytearray()
    async with (
        asyncio.timeout(seconds),
        client.AsyncClient(**options) as session,
        session.stream("POST", url, content=body, headers=dict(headers)) as response,
    ):
        _refuse_status(url, response.status_code)
        async for chunk in response.aiter_raw():
            received += chunk
            if len(received) > most:
                raise EndpointError(
                    f'the endpoint "{url}" answers with more than {most:,} bytes',
                    hint="its answers are to be short: ask another model",
                )
    return bytes(received)


def _refuse_status(url: str, status: int) -> None:
    if status >= _BAD:
        key = "put the key into the environment variable that endpoint_key_variable names"
        hint = {
            401: key,
            403: key,
            404: "look whether endpoint_url ends as the server wants it, and its model's name",
        }.get(status, "the log of the server says why")
        raise EndpointError(f'the endpoint "{url}" answers with HTTP {status}', hint=hint)
    if status >= _MOVED:
        raise EndpointError(
            f'the endpoint "{url}" sends elsewhere, which is not followed',
            hint="name the server itself: endpoint_url",
        )
