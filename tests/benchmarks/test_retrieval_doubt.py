"""How sure an answer is, and exact rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.retrieval.exact import ask_world, fitted, run_exact
from benchmarks.retrieval.quality import calibration, curve
from benchmarks.running import interval
from memctl.search.ranking.worth import WEIGHTS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_an_interval_of_equal_values_has_no_width() -> None:
    assert interval([1.0, 1.0, 1.0]) == (1.0, 1.0)
    low, high = interval([0.0, 1.0] * 20)
    assert 0.3 < low < 0.5 < high < 0.7


def test_bins_tell_what_was_said_and_what_was_so() -> None:
    said, so = [0.95, 0.95, 1.0], [True, False, True]
    [(chance, share, count)] = curve(said, so)
    assert (round(chance, 3), round(share, 3), count) == (0.967, 0.667, 3)
    assert calibration(said, so).startswith("error 0.300")


def _world(folder: Path) -> Path:
    rows: list[dict[str, object]] = [
        {"type": "world", "now": "2026-03-19T08:00:00Z"},
        {"type": "alias", "alias": "tub", "for": "ferry"},
    ]
    for name, text in (("a", "The ferry to Rho leaves at nine"), ("b", "Rho has two bakeries")):
        fact = {"type": "fact", "fact": name, "text": text, "said_at": "2026-01-01"}
        rows.append({**fact, "project": None, "user": None})
    for asked, want in (("When does the tub leave?", ["a"]), ("Who paints the lighthouse?", [])):
        question = {"type": "question", "q": asked, "project": None, "kind": "one"}
        rows.append({**question, "want": want, "ok": []})
    file = folder / "rho.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_rows_of_a_world_are_judged_by_what_its_questions_want(tmp_path: Path) -> None:
    ferry, lighthouse = ask_world(_world(tmp_path))
    assert [(row.name, row.answers) for row in ferry.rows][:1] == [("a", True)]
    assert not any(row.answers for row in lighthouse.rows)
    assert WEIGHTS.keys() >= fitted([ferry, lighthouse]).keys() >= {"base", "words"}


def test_exact_rows_are_told_by_kind_and_weights_as_the_ranking_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.retrieval.exact.WORLDS", tmp_path)
    monkeypatch.setattr("benchmarks.retrieval.exact._ways", lambda: {"by words": None})
    _world(tmp_path)
    figures = run_exact([_world(tmp_path)], fit=True)
    assert [one["kind"] for one in figures] == ["one", "all"]
    assert figures[0]["recall"] == 1
    printed = capsys.readouterr().out
    assert "confidence of each of the first five, facts: error" in printed
    assert '    "beside the best": (' in printed
