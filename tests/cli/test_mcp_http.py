"""MCP over HTTP: who is let in, what each token reaches, many at once, and the end."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

import memctl
from tests.cli.calling import Answer, memctl_process
from tests.cli.mcp_over_http import Server, serving, transport
from tests.cli.test_mcp import Talk, only_text, talk_of
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mcp import Client

LIST = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
KEPT = "The heron of the harbour is grey"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a store of one fact, which is of no agent in particular."""
    home = tmp_path_factory.mktemp("house")
    with memctl.open("agent", home) as memory:
        memory.facts.store(KEPT)
    return home


@pytest.fixture(scope="module")
def server(house: Path) -> Iterator[Server]:
    own = {"MEMCTL_TOKEN": "the-servers-own-token", "MEMCTL_BUSY_TIMEOUT_MS": "300"}
    with serving(house, **own) as started:
        yield Server(started.url, "the-servers-own-token", started.process)


def token_of(home: Path, name: str, *options: str) -> str:
    """Make a token; return it."""
    said = memctl_process("--home", home, "--json", "tokens", "add", name, *options)
    return str(said.data["token"])


def asked(
    url: str, token: str | None = None, body: Any = LIST, seconds: float = 30, **headers: Any
) -> Any:
    """Send one request as curl would; return the answer."""
    import httpx2

    usual = {"Accept": "application/json, text/event-stream"}
    if token is not None:
        usual["Authorization"] = f"Bearer {token}"
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(url, json=body, headers=usual | given, timeout=seconds)


def calling(tool: str, **arguments: str) -> dict[str, Any]:
    return LIST | {"method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def talking_to(server: Server, token: str) -> AbstractContextManager[Talk]:
    from mcp import Client

    return talk_of(Client(transport(server.url, token)))


def listed(talk: Talk) -> list[str]:
    return [row.said.split(" (")[0] for row in talk.rows("memory_list")]


# -- who is let in -------------------------------------------------------------------------


def test_who_has_no_token_and_who_has_a_wrong_one_are_told_the_same(server: Server) -> None:
    none = asked(server.url)
    assert none.status_code == 401
    assert none.headers["www-authenticate"].startswith("Bearer ")
    for wrong in ("x", "the-servers-own-toke", "the-servers-own-token2", "ÄÖ", "a" * 10_000):
        told = asked(server.url, Authorization=f"Bearer {wrong}".encode("latin-1"))
        assert (told.status_code, told.content) == (401, none.content)
        assert told.headers["www-authenticate"] == none.headers["www-authenticate"]
    basic = asked(server.url, Authorization="Basic dGhlLXNlcnZlcnM=")
    assert (basic.status_code, basic.content) == (401, none.content)
    assert asked(server.url, server.token).status_code == 200


def test_another_origin_and_another_host_are_refused_whatever_the_token(server: Server) -> None:
    assert asked(server.url, server.token, Origin="http://evil.example").status_code == 403
    assert asked(server.url, server.token, Origin="null").status_code == 403
    assert asked(server.url, server.token, Host="evil.example").status_code == 421
    own = server.url.removesuffix("/mcp")
    assert asked(server.url, server.token, Origin=own).status_code == 200


def test_what_no_protocol_knows_is_answered(server: Server) -> None:
    import httpx2

    head = {
        "Authorization": f"Bearer {server.token}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    half = json.dumps(calling("log", text="\ud800")).encode()
    no_call = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}'
    for body in (b"", b"{", b"[]", b"\xff", no_call, half):
        told = httpx2.post(server.url, content=body, headers=head)
        assert told.status_code in {200, 400}, body
        assert "error" in told.text
    large = asked(server.url, server.token, body={"x": "y" * 5_000_000})
    assert large.status_code == 413
    assert asked(server.url, server.token).status_code == 200


# -- what a token reaches ------------------------------------------------------------------


def test_two_agents_see_only_their_own(house: Path, server: Server) -> None:
    with (
        talking_to(server, token_of(house, "kai")) as kai,
        talking_to(server, token_of(house, "lea")) as lea,
    ):
        for talk, fruit in ((kai, "pears"), (lea, "plums")):
            talk.store(f"User likes {fruit}")
            talk.text("journal", action="task", text=f"Buy {fruit}")
            talk.text("log", text=f"Where are my {fruit}?")
        for talk, own, others in ((kai, "pears", "plums"), (lea, "plums", "pears")):
            assert listed(talk) == [f"User likes {own}"]
            for tool in ("recall", "context"):
                said = talk.text(tool, query="What does the user like?")
                assert (own in said, others in said, "heron" in said) == (True, False, False)
            assert talk.error("memory_list", agentId="") == "out_of_scope"
            assert others not in talk.text("journal")


def test_a_token_reaches_one_store_and_may_only_read(house: Path, server: Server) -> None:
    with memctl.open("harbor", house) as memory:
        memory.facts.store("The crane is yellow")
    options = ("--app", "harbor", "--agent", "", "--tools", "memory", "--readonly")
    with talking_to(server, token_of(house, "clerk", *options)) as clerk:
        assert listed(clerk) == ["The crane is yellow"]
        assert clerk.error("memory_store", text="The crane is green") == "read_only"
    missing = token_of(house, "early", "--app", "nowhere", "--readonly")
    told = asked(server.url, missing)
    assert (told.status_code, told.json()["error"]) == (503, "not_found")


def test_a_session_and_a_project_are_the_tokens(house: Path, server: Server) -> None:
    def token(name: str, *before: str) -> str:
        words = (*before, "--json", "tokens", "add", name, "--agent", "ron")
        return str(memctl_process("--home", house, *words).data["token"])

    tokens = token("day", "--session", "day"), token("night", "--session", "night")
    for task, own in zip(("Sweep", "Lock up"), tokens, strict=True):
        with talking_to(server, own) as talk:
            talk.text("journal", action="task", text=task)
            talk.store(f"The key for {task} hangs here", longTerm=False)
    with talking_to(server, tokens[0]) as talk:
        assert "Sweep" in talk.text("journal")
        assert "Lock up" not in talk.text("journal") + talk.text("memory_list")
    with talking_to(server, token("falcon", "--project", "falcon")) as talk:
        (made,) = talk.store("Falcon's colour is red")
    with talking_to(server, token("osprey", "--project", "osprey")) as talk:
        assert talk.error("memory_get", memoryId=made.id) == "not_found"


def test_a_revoked_token_opens_nothing_from_the_next_request_on(
    house: Path, server: Server
) -> None:
    token = token_of(house, "gone")
    assert asked(server.url, token).status_code == 200
    assert memctl_process("--home", house, "tokens", "revoke", "gone").code == 0
    assert asked(server.url, token).content == asked(server.url).content
    again = token_of(house, "gone")
    assert asked(server.url, again).status_code == 200
    assert asked(server.url, token).status_code == 401


def test_a_token_is_shown_once_and_kept_as_its_digest(house: Path) -> None:
    def called(*words: str) -> Answer:
        return memctl_process("--home", house, *words)

    token = token_of(house, "ivy", "--user", "ann")
    file = house / "tokens" / "ivy.json"
    assert (token in file.read_text(), file.stat().st_mode & 0o777) == (False, 0o600)
    shown = called("--json", "tokens", "list")
    (row,) = [row for row in shown.data if row["name"] == "ivy"]
    assert (row["user"], row["agent"], "digest" in row) == ("ann", None, False)
    assert "ivy" in called("tokens", "list").out
    assert called("tokens", "add", "ivy").code == 2
    assert called("tokens", "add", "../ivy").code == 2
    assert called("tokens", "add", "una", "--tools", "none").code == 2
    assert called("tokens", "revoke", "nobody").code == 4
    assert called("tokens", "revoke", "ivy").code == 0
    assert not file.exists()


def test_a_server_of_one_user_and_session_gives_no_token_another(tmp_path: Path) -> None:
    others = [
        token_of(tmp_path, "bob", "--user", "bob"),
        token_of(tmp_path, "night", "--user", "ann", "--session", "night"),
    ]
    with serving(tmp_path, "--user", "ann", "--session", "day") as server:
        for token in others:
            told = asked(server.url, token)
            assert (told.status_code, told.json()["error"]) == (503, "out_of_scope")
        assert server.token == "", "with named tokens none is made"
        assert asked(server.url, "none").status_code == 401


# -- many at once --------------------------------------------------------------------------


@asynccontextmanager
async def client_of(server: Server, token: str) -> AsyncIterator[Client]:
    from mcp import Client

    async with Client(transport(server.url, token)) as client:
        yield client


def test_twenty_at_once_lose_nothing_and_each_hears_its_own(house: Path, server: Server) -> None:
    tokens = [token_of(house, f"many{i}") for i in range(10)]

    async def act(number: int) -> None:
        async with client_of(server, tokens[number % 10]) as client:
            for i in range(3):
                text = f"The crate k{number}n{i} is full"
                kept = only_text(await client.call_tool("log", {"text": text}))
                assert kept.startswith("Kept: turn ")
                said = only_text(await client.call_tool("recall", {"query": text, "limit": 1}))
                assert text in said

    async def all_of_them() -> None:
        await asyncio.gather(*(act(number) for number in range(20)))

    asyncio.run(all_of_them())
    for i in range(10):
        with memctl.open("agent", house, agent=f"many{i}") as memory:
            texts = sorted(turn.text for turn in memory.turns.list())
        assert texts == sorted(
            f"The crate k{number}n{nails} is full" for number in (i, i + 10) for nails in range(3)
        )


def test_who_leaves_in_the_middle_holds_up_nobody(house: Path, server: Server) -> None:
    import httpx2

    path = house / "apps" / "agent.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as lock:
        lock.execute("begin immediate")
        for _ in range(3):
            with pytest.raises(httpx2.ReadTimeout):
                asked(server.url, server.token, calling("log", text="Late"), seconds=0.2)
        where = urlsplit(server.url)
        half = f"POST /mcp HTTP/1.1\r\nHost: {where.netloc}\r\nAuthorization: Bearer {server.token}\r\n"
        for rest in ("Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{", ""):
            with socket.create_connection((where.hostname, where.port)) as leaving:
                leaving.sendall((half + rest).encode())
        with talking_to(server, token_of(house, "patient")) as talk:
            assert KEPT not in talk.text("memory_list")
        lock.execute("rollback")
    with talking_to(server, server.token) as talk:
        assert KEPT in talk.text("memory_list")


def test_a_store_that_is_held_is_told_as_busy(house: Path) -> None:
    with (
        serving(house, MEMCTL_BUSY_TIMEOUT_MS="50", MEMCTL_TOKEN="a-token-of-my-own") as server,  # noqa: S106
        talking_to(server, "a-token-of-my-own") as talk,
        closing(sqlite3.connect(house / "apps" / "agent.db", isolation_level=None)) as lock,
    ):
        lock.execute("begin immediate")
        assert talk.error("log", text="It is late") == "busy"
        lock.execute("rollback")
        assert talk.text("log", text="It is early").startswith("Kept")


# -- start and end -------------------------------------------------------------------------


def test_a_call_at_work_is_answered_before_the_end(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.log("The ferry leaves at nine")
    with (
        closing(sqlite3.connect(tmp_path / "apps" / "agent.db", isolation_level=None)) as lock,
        serving(tmp_path) as server,
        ThreadPoolExecutor() as threads,
    ):
        assert asked(server.url, server.token).status_code == 200
        lock.execute("begin immediate")
        at_work = threads.submit(asked, server.url, server.token, calling("log", text="It is late"))
        time.sleep(0.3)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        lock.execute("rollback")
        assert "Kept: turn 2" in at_work.result().text
        assert server.process.wait(timeout=20) == 0


def failed(home: Path, *words: str, **environment: str) -> dict[str, Any]:
    """Start a server that cannot be; return its error, and the code that it ends with."""
    said = memctl_process("--home", home, "--json", "mcp", *words, environment=environment)
    assert said.envelope["status"] == "error", said
    return {**said.envelope["error"], "exit": said.code}


def test_a_server_that_cannot_be_says_why(tmp_path: Path) -> None:
    told = failed(tmp_path, "--http", "0.0.0.0:0")
    assert (told["exit"], "--allow-remote" in told["hint"]) == (3, True)
    assert failed(tmp_path, "--http", "0", "--public-url", "memory.example")["exit"] == 2
    assert failed(tmp_path, "--public-url", "https://memory.example")["exit"] == 2
    assert failed(tmp_path, "--http", "0", MEMCTL_TOKEN="short")["exit"] == 2  # noqa: S106


@each(("mode", "text", "code"), [(0o644, "{}", "refused"), (0o600, "{", "unusable_input")])
def test_a_broken_token_is_told_at_the_start(
    tmp_path: Path, mode: int, text: str, code: str
) -> None:
    token_of(tmp_path, f"kai{mode}")
    file = tmp_path / "tokens" / f"kai{mode}.json"
    file.write_text(text)
    file.chmod(mode)
    assert failed(tmp_path, "--http", "0")["code"] == code
    file.unlink()


def test_others_are_let_in_where_that_is_allowed(tmp_path: Path) -> None:
    said = "memctl: others can reach 0.0.0.0:0 and read what is sent; put TLS before it\n"
    options = ("--allow-remote", "--public-url", "https://memory.example.com")
    with serving(tmp_path, *options, address="0.0.0.0:0", said=said) as server:
        url = f"http://127.0.0.1:{urlsplit(server.url).port}/mcp"
        proxied: dict[str, Any] = {
            "Host": "memory.example.com",
            "Origin": "https://memory.example.com",
        }
        assert asked(url, server.token, **proxied).status_code == 200
        assert asked(url, server.token, Host="other.example.com").status_code == 421
