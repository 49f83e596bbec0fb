"""An import that was killed goes on where it stood, and ends as if it had not been."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = 800
NOW = "2026-11-20T16:33:04Z"
IMPORT = """
    import sys
    import memctl

    with memctl.open("harbor", sys.argv[1]) as memory:
        memory.import_from(sys.argv[2], progress=lambda met: print(met, flush=True))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of turns, episodes and facts, some of them equal, some of them refused."""
    path = tmp_path_factory.mktemp("source") / "mixed.jsonl"
    rows: list[dict[str, Any]] = []
    for number in range(RECORDS):
        rows += [
            {"role": "user", "session": f"s{number % 7}", "text": f"Buoy {number} is lit"},
            {"role": "user", "session": "s", "text": "again", "logged_at": NOW},
        ][: 1 + (number % 10 == 0)]
        if number % 20 == 0:
            rows.append({"summary": f"Moved buoy {number}", "tags": ["buoy"], "happened_at": NOW})
        if number % 50 == 0:
            rows.append({"text": f"Buoy {number} belongs to pier {number % 9}"})
        if number % 500 == 0:
            rows.append({"summary": ""})
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def _rows(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row, without what is drawn by chance: ids of facts."""
    with memctl.open("harbor", home, readonly=True) as memory:
        connection = memory.store.connection()
        asked = {
            "log": "select session, seq, role, text, logged_at from log order by id",
            "episode": "select summary, tags, happened_at from episode order by id",
            "fact": "select text, valid_from, status from fact order by number",
            "imported": "select source, digest, kind from imported order by digest",
        }
        return {name: [*map(tuple, connection.execute(sql))] for name, sql in asked.items()}


@pytest.fixture(scope="module")
def uninterrupted(
    source: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[tuple[Any, ...]]]:
    home = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMCTL_NOW", NOW)
        with memctl.open("harbor", home) as memory:
            memory.import_from(source)
    return _rows(home)


def test_a_killed_import_ends_as_if_it_had_not_been(
    source: Path,
    uninterrupted: dict[str, list[tuple[Any, ...]]],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    for delay in (0.0, 0.12):
        process = start_python(IMPORT, home, source)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.kill()
        process.communicate()
    with memctl.open("harbor", home) as memory:
        finished = memory.import_from(source)
        assert finished.known > 0
        assert memory.import_from(source).written == 0
    assert _rows(home) == uninterrupted
