from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.guard import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def run(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    main([*arguments, "--out", str(tmp_path)])
    return capsys.readouterr().out


def test_a_list_of_your_own_is_judged_line_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets, harmless = tmp_path / "secrets.txt", tmp_path / "harmless.txt"
    secrets.write_text("my PIN is 4471\nriddle\n", "utf-8")
    harmless.write_text("see you on Friday\n", "utf-8")
    lists = ["--secrets", str(secrets), "--harmless", str(harmless)]
    printed = run(lists, tmp_path, capsys)
    assert "1 (50.0%)" in printed
    assert "0 (0.0%)" in printed
    assert "a PIN or a code beside what it opens" in printed
    assert "[secret:told-code]" in printed
    assert "4471" not in printed


def test_rows_are_judged_by_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [
        {"kind": "pin", "text": "my PIN is 4471", "secret": True},
        {"kind": "seat", "text": "my seat is 4471", "secret": False},
    ]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    printed = run(["--texts", str(file)], tmp_path, capsys)
    assert "pin" in printed
    assert "1 (100.0%)" in printed
    assert "seat" in printed
    assert "0 (0.0%)" in printed
