"""Tables in 80 columns, on a terminal and in a pipe: no name, id or time is ever broken."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

LONG = "Kind_of_configuration_that_is_immutable"
AT = "2026-11-20T16:33:04Z"


def on_a_terminal(*words: str | Path, typed: bytes = b"") -> str:
    """Call the command on a terminal of 80 columns; return what it shows, less the colours."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "memctl", *map(str, words)],
        stdin=far,
        stdout=far,
        stderr=far,
        env={**os.environ, "TERM": "xterm-256color"},
    ) as process:
        os.close(far)
        os.write(near, typed)
        shown = b""
        with suppress(OSError):  # the other end is closed
            while more := os.read(near, 65_536):
                shown += more
    os.close(near)
    assert process.returncode == 0, shown
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r\n", "\n")


@pytest.fixture
def full(home: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """A home with long names; what must be whole in the answer of which command."""
    monkeypatch.setenv("MEMCTL_NOW", AT)
    monkeypatch.setenv("COLUMNS", "80")
    source = "session:2026-11-20"
    with memctl.open("harbor", home) as memory:
        old = memory.facts.store("Falcon's deadline is 1 December", category="configuration").ids[0]
        new = memory.facts.store(
            "Falcon's deadline is 8 December", category="configuration", source=source
        ).ids[0]
        low = memory.facts.store(
            "Osprey's owner is Ann, as of 2026-11-22T08:50:46Z, if that is not a mistake of ours",
            confidence="low",
            source=source,
        ).ids[0]
        turn = memory.log(
            "Falcon was late again, said the harbour master", session=LONG, speaker="Annabelle"
        )
        memory.aliases.add(LONG, "kind")
        memory.store.connection().executescript(
            f"""
            insert into component (
                name, type, source, scale, rel_x, rel_y, w, h, confidence,
                learned_at, last_seen_at, seen_count
            )
            values ('{LONG}', 'button', 'dom', 1, 0, 0, 1900, 900, 1, '{AT}', '{AT}', 2);
            insert into state (
                id, name, status, visit_count, first_seen_at, last_seen_at, img_w, img_h, words
            )
            values ('s_one000', '{LONG}', 'confirmed', 2, '', '', 9, 9, x'');
            """
        )
    return {
        "memory list": [new, "configuration", source],
        "memory list --status any": [old, new, low, "superseded", "configuration"],
        "memory search falcon": [new, "configuration", source],
        f"memory history {old}": [AT, "SUPERSEDE", "main"],
        f"memory get {new}": [AT, new, source],
        "pending list": [low, "low"],
        "recall falcon": [f"turn:{turn}", new, "2026-11-20", "Annabelle"],
        "turns list": ["2026-11-20", LONG, "Annabelle"],
        "components list": [LONG, "1900x900"],
        "states list": [LONG, "s_one000", "confirmed"],
        "alias list": [LONG, "kind", "2026-11-20"],
        "config list": ["endpoint_embedding_model", "log_archive_days"],
        "stores": ["harbor", "apps/harbor.db"],
        "doctor": ["references", "word index"],
        "status": ["fact_history", AT],
    }


def test_no_name_id_or_time_is_broken_in_a_pipe(full: dict[str, list[str]], run: Run) -> None:
    for words, whole in full.items():
        out = run("--app", "harbor", *words.split()).out
        for name in whole:
            assert name in out, f"{words}\n{out}"


@each("words", ["memory list --status any", "config list", "memory history"])
def test_no_name_id_or_time_is_broken_on_a_terminal(
    full: dict[str, list[str]], home: Path, words: str
) -> None:
    (called,) = (one for one in full if one == words or one.startswith(f"{words} f_"))
    out = on_a_terminal("--home", home, "--app", "harbor", *called.split())
    for name in full[called]:
        assert name in out, out


def test_a_terminal_shows_the_lines_of_a_pipe(
    full: dict[str, list[str]], home: Path, run: Run
) -> None:
    assert full
    words = ["--app", "harbor", "config", "list"]
    assert on_a_terminal("--home", home, *words) == run(*words).out


def test_tables_of_facts_fit_eighty_columns(full: dict[str, list[str]], run: Run) -> None:
    for words in full:
        if words.startswith(("memory", "pending", "recall", "config", "turns")):
            lines = run("--app", "harbor", *words.split()).out.splitlines()
            assert max(map(len, lines)) <= 80, "\n".join(lines)
