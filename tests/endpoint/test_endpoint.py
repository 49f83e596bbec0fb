"""An endpoint answers well, late, badly or not at all; nothing is asked that nobody has named."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import EndpointError, SecretRefusedError, UsageError
from memctl.endpoint.endpoint import Endpoint
from tests.endpoint.model_server import ModelServer, dripping, hanging, send
from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
Answer = Callable[[Any, Any], str | None]


def endpoint(memory: Memory, **settings: Any) -> Endpoint:
    for key, value in settings.items():
        memory.settings.set(key, value)
    return Endpoint(memory.store, memory.settings)


def refused(asked: Endpoint, user: str = "hello") -> EndpointError:
    with pytest.raises(EndpointError) as caught:
        asked.text("Answer.", user)
    assert caught.value.hint
    return caught.value


def test_a_question_is_sent_and_its_answer_returned(memory: Memory, server: ModelServer) -> None:
    server.says("the answer")
    assert endpoint(memory).text("Be short.", "hello") == "the answer"
    (asked,) = server.asked
    assert asked["model"] == "first"
    assert [message["content"] for message in asked["messages"]] == ["Be short.", "hello"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            (text, {"facts": ["a"]})
            for text in (
                '{"facts": ["a"]}',
                '```json\n{"facts": ["a"]}\n```',
                'Here:\n```\n{"facts": ["a"]}\n```',
            )
        ),
        *(
            (text, None)
            for text in ("Sure, I can!", "42", '"text"', "", '{"a": ', "```json\nno\n```")
        ),
    ],
)
def test_json_is_taken_from_the_answer_and_prose_is_none(
    memory: Memory, server: ModelServer, text: str, value: Any
) -> None:
    server.says(text)
    if value is not None:
        assert endpoint(memory).json("Extract.", "a") == value
        return
    with pytest.raises(EndpointError, match="JSON") as caught:
        endpoint(memory).json("Extract.", "a")
    assert caught.value.status == "failed"


@pytest.mark.parametrize(
    "head",
    [None, b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-Slow: "],
    ids=["hangs", "drips its body", "drips its headers"],
)
def test_an_endpoint_that_hangs_or_drips_is_left_at_the_deadline(
    memory: Memory, server: ModelServer, head: bytes | None
) -> None:
    server.answer = hanging(server) if head is None else dripping(server, head)
    assert refused(endpoint(memory, endpoint_timeout_seconds=0.3)).status == "timeout"


def sent_raw(data: bytes) -> Answer:
    def send_raw(handler: Any, _: Any) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return send_raw


def elsewhere(handler: Any, _: Any) -> None:
    handler.send_response(307)
    handler.send_header("Location", "http://example.invalid/")
    handler.end_headers()


def sent_json(body: Any, code: int = 200) -> Answer:
    return lambda handler, _: send(handler, body, code)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (sent_json({"error": "secret detail"}, 500), "500"),
        (lambda _, __: "x" * 5_000_000, "1,000,000 bytes"),
        (lambda _, __: f"the token is {SECRET}", ""),
        (elsewhere, "elsewhere"),
        (sent_json({"choices": []}), ""),
        (sent_json([]), ""),
        (sent_json(5), ""),
        (sent_json({"choices": [{"message": {"content": None}}]}), ""),
        (sent_raw(b"no answer at all\r\n\r\n"), ""),
        (sent_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"), ""),
        (sent_raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 100_000), ""),
        (sent_raw(b"HTTP/1.1 200 OK\r\n\r\n\xff\xfe\x00"), ""),
    ],
    ids=[
        *("error", "5 MB", "secret", "redirect", "no choice", "list", "number", "null"),
        *("noise", "cut off", "deep", "no text"),
    ],
)
def test_whatever_is_sent_is_one_clear_error_and_is_not_kept(
    memory: Memory, server: ModelServer, answer: Answer, said: str
) -> None:
    memory.log("hello")
    server.answer = answer
    error = refused(endpoint(memory))
    assert error.status in {"failed", "unavailable"}
    assert said in error.message
    assert "detail" not in error.message
    assert SECRET not in error.message
    assert not memory.store.rows("select * from cache")


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("http://127.0.0.1:9/v1", "unavailable"),
        ("http://localhost:99999/v1", "failed"),
        ("http://127.0.0.1:9/\u00fc", "unavailable"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_clear_error(
    tmp_path: Path, url: str, status: str
) -> None:
    with memctl.open("agent", tmp_path, settings={"endpoint_url": url}) as memory:
        assert refused(Endpoint(memory.store, memory.settings)).status == status
        for wrong in ("ftp://x", "http://ann:pw@x/v1", "localhost:11434", "http://"):
            with pytest.raises(UsageError, match="endpoint_url"):
                memory.settings.set("endpoint_url", wrong)


def test_a_secret_in_a_question_is_refused_and_not_sent(
    memory: Memory, server: ModelServer
) -> None:
    with pytest.raises(SecretRefusedError):
        endpoint(memory).text("Answer.", f"my token is {SECRET}")
    assert server.asked == []


def test_the_second_model_is_asked_where_the_first_fails(
    memory: Memory, server: ModelServer
) -> None:
    def by_model(handler: Any, asked: dict[str, Any]) -> str | None:
        if asked["model"] == "second":
            return "from the second"
        send(handler, {}, 404)
        return None

    server.answer = by_model
    asked = endpoint(memory, endpoint_fallback_model="second")
    assert asked.text("Answer.", "hello") == "from the second"
    server.answer = lambda _, asked: "prose" if asked["model"] == "first" else "[1]"
    assert asked.json("Answer.", "again") == [1]


def test_the_breaker_opens_after_three_time_outs_and_closes_after_its_pause(
    memory: Memory, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answer = hanging(server)
    asked = endpoint(memory, endpoint_timeout_seconds=0.25)
    assert [refused(asked, f"n{n}").status for n in range(4)] == [*["timeout"] * 3, "unavailable"]
    assert len(server.asked) <= 3
    server.says("back")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:59Z")
    assert "left alone" in refused(asked).message
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:01:00Z")
    assert asked.text("Answer.", "hello") == "back"


def test_an_answer_in_time_begins_the_count_anew(memory: Memory, server: ModelServer) -> None:
    asked = endpoint(memory, endpoint_timeout_seconds=0.25)
    for n in range(4):
        server.answer = hanging(server)
        assert refused(asked, f"late {n}").status == "timeout"
        server.says("in time")
        assert asked.text("Answer.", f"in time {n}") == "in time"


def test_the_same_question_is_answered_from_the_cache_for_15_seconds(
    memory: Memory, server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server.says("one", "two")
    assert endpoint(memory).text("Answer.", "hello") == "one"
    assert memory.cache.list() == []  # no session can see it
    assert memory.store.value("select count(*) from cache") == 1
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:14Z")
    with memctl.open("agent", tmp_path) as another:  # a process of its own would see the same
        assert endpoint(another).text("Answer.", "hello") == "one"
    assert len(server.asked) == 1
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:15Z")
    assert endpoint(memory).text("Answer.", "hello") == "two"


def test_a_read_only_store_asks_and_keeps_nothing(
    memory: Memory, server: ModelServer, tmp_path: Path
) -> None:
    server.says("one", "two")
    with memctl.open("agent", tmp_path, readonly=True) as opened:
        asked = Endpoint(opened.store, opened.settings)
        assert [asked.text("Answer.", "hello") for _ in range(2)] == ["one", "two"]
    assert not memory.store.rows("select * from cache")


def test_the_key_is_read_from_the_environment_and_never_told(
    memory: Memory, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_ENDPOINT_KEY", "the-key-itself")
    server.answer = lambda handler, _: send(handler, {}, 401)
    error = refused(endpoint(memory))
    assert server.headers[0]["Authorization"] == "Bearer the-key-itself"
    assert "the-key-itself" not in error.message + error.hint
    assert "the-key-itself" not in str(memory.settings.list())


@pytest.mark.parametrize(
    ("key", "value"),
    [("endpoint_url", "https://models.example/v1"), ("endpoint_key_variable", "HOME")],
)
def test_a_store_may_not_send_texts_to_another_machine_or_name_a_key(
    memory: Memory, server: ModelServer, tmp_path: Path, key: str, value: str
) -> None:
    with pytest.raises(UsageError, match=key) as caught:
        memory.settings.set(key, value)
    assert "environment" in caught.value.hint or "MEMCTL_" in caught.value.hint
    with closing(sqlite3.connect(memory.store.path)) as file, file:
        file.execute("insert or replace into setting values (?, ?, '2026')", (key, value))
    with pytest.raises(UsageError, match="in the store"):
        endpoint(memory).text("Answer.", "hello")
    with memctl.open("agent", tmp_path, settings={key: value}) as opened:
        assert opened.settings[key] == value
    assert server.asked == []


def test_an_endpoint_that_is_off_is_unavailable(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        off = Endpoint(memory.store, memory.settings)
        assert not off.on
        assert refused(off).status == "unavailable"
        assert not memory.store.exists


def test_the_summary_of_a_session_is_the_endpoints_sentence(
    memory: Memory, server: ModelServer
) -> None:
    server.says("The ferry to Bornholm was booked.")
    journal = memory.journal.of("s1")
    journal.task("Book the ferry to Bornholm")
    memory.sessions.end("s1")
    (episode,) = memory.episodes.list()
    assert episode.summary == "The ferry to Bornholm was booked."
    assert "<memctl-memory" in server.asked[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    "text", ["", "two\nlines", "x" * 301, f"token {SECRET}", "[turn 3] recalled"]
)
def test_a_bad_sentence_is_no_summary(memory: Memory, server: ModelServer, text: str) -> None:
    server.says(text)
    memory.journal.of("s1").task("Book the ferry to Bornholm")
    memory.sessions.end("s1")
    (episode,) = memory.episodes.list()
    assert episode.summary == "Book the ferry to Bornholm"


def test_a_caller_may_run_in_a_loop_itself(memory: Memory, server: ModelServer) -> None:
    server.says("one")

    async def call() -> str:
        return endpoint(memory).text("Answer.", "hello")

    assert asyncio.run(call()) == "one"


def test_without_httpx_the_extra_is_named(tmp_path: Path) -> None:
    printed = python(
        """
    import sys
    sys.modules["httpx"] = None
    import memctl
    from memctl.endpoint.endpoint import Endpoint

    given = {"endpoint_url": "http://localhost:9/v1"}
    with memctl.open("agent", sys.argv[1], settings=given) as memory:
        try:
            Endpoint(memory.store, memory.settings).text("Answer.", "hello")
        except memctl.UsageError as error:
            print(error, error.hint)
    """,
        tmp_path,
    )
    assert printed == "httpx is not installed pip install 'memctl-engine[llm]'"
