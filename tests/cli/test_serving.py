"""What is served over HTTP: where it listens, which requests pass, whose file a token is in."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memctl.base.errors import FileAccessError, MemctlError, RefusedError, UsageError
from memctl_cli.access_tokens import create_private, own_token
from memctl_cli.serving import Gate, check_url, listen, url_of
from tests.each import each


def answered(*headers: tuple[str, str], urls: tuple[str, ...] = ()) -> int:
    """Return the status that a request with these headers gets."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope = {"type": "http", "headers": raw}
    asyncio.run(Gate(application, *urls)(scope, receive, send))
    return int(sent[0]["status"])


@each(
    "host",
    [
        *("127.0.0.1:8765", "localhost:8765", "LocalHost", "[::1]:8765", "[::1]", "10.0.0.7:80"),
        *("localhost.:8765", "memctl.localhost:8765"),
    ],
)
def test_a_host_that_no_other_site_can_have_passes(host: str) -> None:
    assert answered(("Host", host)) == 200


@each(
    "headers",
    [
        [],
        [("Host", "")],
        [("Host", "evil.example")],
        [("Host", "evil.example:8765")],
        [("Host", "127.0.0.1.evil.example")],
        [("Host", "localhost@evil.example")],
        [("Host", "127.0.0.1:x")],
        [("Host", "[::1")],
        [("Host", "127.0.0.1"), ("Host", "evil.example")],
    ],
)
def test_another_host_is_misdirected(headers: list[tuple[str, str]]) -> None:
    assert answered(*headers) == 421


@each(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8765", "http://127.0.0.1:8765", 200),
        ("[::1]:8765", "http://[::1]:8765", 200),
        ("localhost", "http://localhost", 200),
        ("localhost:443", "https://localhost", 200),  # behind a proxy with TLS
        ("127.0.0.1:8765", "http://127.0.0.1:3000", 403),
        ("127.0.0.1:8765", "http://localhost:8765", 403),
        ("127.0.0.1:8765", "http://evil.example", 403),
        ("127.0.0.1:8765", "null", 403),
        ("127.0.0.1:8765", "", 403),
        ("127.0.0.1:8765", "file://127.0.0.1:8765", 403),
    ],
)
def test_a_page_of_another_origin_is_refused(host: str, origin: str, status: int) -> None:
    assert answered(("Host", host), ("Origin", origin)) == status


@each("host", ["memory.example.com", "memory.example.com:443", "127.0.0.1:8765"])
def test_the_name_of_a_proxy_passes_where_it_is_named(host: str) -> None:
    public = ("https://memory.example.com/agent",)
    assert answered(("Host", host), urls=public) == 200
    assert answered(("Host", host), ("Origin", "https://memory.example.com"), urls=public) == 200
    assert answered(("Host", host), ("Origin", "https://example.com"), urls=public) == 403


@each("url", ["memory.example.com", "ftp://memory.example.com", "https://", "https://[::1"])
def test_a_public_url_is_one_of_http(url: str) -> None:
    assert check_url("https://memory.example.com/") == "https://memory.example.com"
    with pytest.raises(UsageError, match="is no URL"):
        check_url(url)


@each(
    ("address", "url"),
    [
        ("0", "http://127.0.0.1:"),
        ("127.0.0.1:0", "http://127.0.0.1:"),
        ("localhost:0", "http://"),
        ("127.0.0.2:0", "http://127.0.0.2:"),
        ("[::1]:0", "http://[::1]:"),
    ],
)
def test_port_0_is_any_that_is_free_and_the_url_names_it(address: str, url: str) -> None:
    if "::" in address and not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no IPv6")
    with listen(address) as listening:
        port = listening.getsockname()[1]
        assert (port > 0, url_of(listening, "/mcp").startswith(url)) == (True, True)
        assert url_of(listening, "/mcp").endswith(f":{port}/mcp")


@each("address", ["", "x", "localhost", ":8765", "127.0.0.1:99999", "a@b:1", "::1:80", "h:1/x"])
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(UsageError, match="is no address"):
        listen(address)


def test_a_port_that_is_taken_is_told() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} cannot be listened on: Address") as told:
            listen(f"127.0.0.1:{port}")
    assert "another" in told.value.hint


def test_others_reach_it_only_where_that_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RefusedError, match="others can reach") as told:
        listen("0.0.0.0:0")
    assert "--allow-remote" in told.value.hint
    assert capsys.readouterr().err == ""
    with listen("0.0.0.0:0", allow_remote=True):
        assert "put TLS before it" in capsys.readouterr().err


# -- tokens --------------------------------------------------------------------------------


def test_the_first_start_makes_a_token_that_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "token"
    token = own_token(path)
    assert token is not None
    assert len(token) > 40
    assert own_token(path) == token == path.read_text().strip()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_environment_goes_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_TOKEN", "a-token-of-the-environment")
    assert own_token(tmp_path / "token") == "a-token-of-the-environment"
    assert not (tmp_path / "token").exists()
    for weak in ("short", "a token with spaces in it", "ein-Schlüssel-mit-Umlaut"):
        monkeypatch.setenv("MEMCTL_TOKEN", weak)
        with pytest.raises(UsageError, match="MEMCTL_TOKEN holds no token") as error:
            own_token(tmp_path / "token")
        assert weak not in error.value.message


@each("mode", [0o640, 0o604, 0o644, 0o660, 0o666])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / f"token{mode}"
    own_token(path)
    path.chmod(mode)
    with pytest.raises(RefusedError, match=f"its mode is 0{mode:o}") as told:
        own_token(path)
    assert "chmod 600" in told.value.hint


def test_what_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    own_token(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "empty").touch(0o600)
    (tmp_path / "file" / "below").parent.touch()
    for name in ("link", "dangling", "folder", "pipe", "empty", "file/below"):
        with pytest.raises(MemctlError):
            own_token(tmp_path / name)
    assert not (tmp_path / "nothing").exists()


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    create_private(tmp_path / "token", "first")
    with pytest.raises(FileAccessError, match="cannot be made: File exists"):
        create_private(tmp_path / "token", "second")
    assert (tmp_path / "token").read_text() == "first\n"
