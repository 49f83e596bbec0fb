"""The trial of bindings of an encrypted SQLite: what Python's own lacks is secrecy alone."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from benchmarks.cipher import main, run_rooms

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_pythons_own_lacks_secrecy_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sqlite3", "--rows", "20", "--out", str(tmp_path)]) == 1
    needs = [line.split() for line in capsys.readouterr().out.splitlines() if "  " in line]
    missing = [" ".join(words[:-1]) for words in needs if words[-1:] == ["no"]]
    assert missing == [
        "no word of a row is in the file or its log",
        "no row is read without the key",
    ]
    assert sqlite3.sqlite_version in (tmp_path / "cipher.json").read_text("utf-8")


def test_a_binding_that_cannot_be_loaded_does_not_pass_for_one() -> None:
    ((_, said),) = run_rooms("no_such_binding", ["tests/store/test_statements.py"])
    assert "ModuleNotFoundError" in said
