"""``memctl dream verify`` prints commands that run as they stand."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


def test_a_printed_suggestion_runs_and_mends_what_was_found(run: Run) -> None:
    run("memory", "store", "Ana's demo is tomorrow in the big hall")
    line = next(
        one for one in run("dream", "verify").out.splitlines() if one.startswith("  memctl")
    )
    assert run(*shlex.split(line)[1:]).code == 0
    assert run("--json", "dream", "verify").data["findings"] == []


def test_what_was_found_keeps_to_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    run("memory", "store", f"Ana's demo is tomorrow in the {'big ' * 30}hall")
    told = run("dream", "verify").out.splitlines()
    assert max(len(line) for line in told if not line.startswith("  memctl")) <= 80


def test_a_store_without_facts_is_not_called_reliable(run: Run) -> None:
    run("log", "Thanks a lot!")
    assert run("dream", "verify").out.splitlines()[-1] == "no facts checked: nothing to check"
    assert run("--json", "dream", "verify").data["verdict"] == "nothing to check"


def test_the_report_says_why_a_fact_needs_a_person(run: Run, tmp_path: Path) -> None:
    run("memory", "store", "用户住在柏林")
    run("memory", "store", "用户搬到了慕尼黑")
    older = next(one["id"] for one in run("--json", "memory", "list").data if "柏林" in one["text"])
    run("dream", "verify", "--out", str(tmp_path))
    (file,) = (tmp_path / "verify").iterdir()
    waits = file.read_text("utf-8").partition("## Needs a person")[2].partition("##")[0]
    assert f"may replace {older}" in waits.replace("\\", "")
