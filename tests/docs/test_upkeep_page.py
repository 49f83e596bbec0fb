"""Every example of docs/upkeep.md runs, in the order that it stands in."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from memctl_cli import main

TEXT = (Path(__file__).parents[2] / "docs" / "upkeep.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMCTL_HOME", str(tmp_path / "home"))
    for line in block("sh").splitlines():
        with pytest.raises(SystemExit) as left:
            main(shlex.split(line)[1:])
        assert left.value.code == 0, line
    assert (tmp_path / "harbor-saved.db").exists()


def test_the_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMCTL_HOME", str(tmp_path))
    exec(block("python"), {})  # noqa: S102  (our own page)
    kept, lost = capsys.readouterr().out.split()
    assert (int(kept) > 0, lost) == (True, "0")
