"""Every benchmark keeps its raw figures in one shape, and without this machine's folders."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from benchmarks.running import keep

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_figures_are_kept_with_what_made_them(tmp_path: Path) -> None:
    file = keep("writes", {"ratio": 2.5}, tmp_path / "new folder")
    kept = json.loads(file.read_text())
    assert file == tmp_path / "new folder" / "writes.json"
    assert kept["figures"] == {"ratio": 2.5}
    about = {"made_at", "command", "commit", "changed", "machine", "versions"}
    assert set(kept) == about | {"figures"}
    assert {"python", "sqlite", "memctl-engine"} <= set(kept["versions"])
    assert kept["machine"]["cores"] >= 1


def test_the_command_names_the_benchmark_and_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "screens"
    monkeypatch.setattr(sys, "argv", ["-c", "--screens", str(data), "--shots", "2"])
    file = keep("screens-pages", [], tmp_path)
    kept = json.loads(file.read_text())
    assert kept["command"] == "python -m benchmarks.screens --screens screens --shots 2"
    assert str(tmp_path) not in file.read_text()


def test_a_second_run_replaces_the_first(tmp_path: Path) -> None:
    keep("facts", 1, tmp_path)
    assert json.loads(keep("facts", 2, tmp_path).read_text())["figures"] == 2
