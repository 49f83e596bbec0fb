"""How sure an answer is, steps switched off, and rivals that search the same words."""

from __future__ import annotations

import math
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from benchmarks.retrieval.calibration import (
    Asked,
    calibration_error,
    curve,
    refused,
    run_confidence,
    swapped,
)
from benchmarks.retrieval.conversations import Conversation, Question, Turn
from benchmarks.retrieval.growing import exact_store
from benchmarks.retrieval.ladder import LADDER, constants, switched
from benchmarks.retrieval.measures import area_under_curve, interval
from benchmarks.retrieval.tantivy_search import tantivy_search

if TYPE_CHECKING:
    from pathlib import Path

_AT = "2024-03-01T00:00:00Z"


def _asked(confidence: float, *, right: bool, answerable: bool = True) -> Asked:
    return Asked(
        "BEAM",
        "1",
        fitted=True,
        label="any",
        answerable=answerable,
        right=right,
        confidence=confidence,
    )


def _talk() -> Conversation:
    turns = [
        Turn("1", "s", "I bought a violin", _AT, speaker="Ann"),
        Turn("2", "s", "I sold my boat", _AT, speaker="Bo"),
    ]
    questions = [
        Question("What did Ann buy?", "single-hop", frozenset({"1"})),
        Question("Did Ann sell what Bo sold?", "single-hop", frozenset({"2"})),
        Question("Who would like music?", "open-domain", frozenset({"1"})),
    ]
    return Conversation("LoCoMo", "43", turns, questions)


def test_a_right_one_above_all_others_has_the_whole_area() -> None:
    assert area_under_curve([0.9, 0.8, 0.1], [True, True, False]) == 1
    assert area_under_curve([0.5, 0.5], [True, False]) == 0.5
    assert math.isnan(area_under_curve([0.5], [True]))


def test_an_interval_of_equal_values_has_no_width() -> None:
    assert interval([1.0, 1.0, 1.0]) == (1.0, 1.0)
    low, high = interval([0.0, 1.0] * 20)
    assert 0.3 < low < 0.5 < high < 0.7


def test_bins_tell_what_was_said_and_what_was_so() -> None:
    asked = [_asked(0.95, right=True), _asked(0.95, right=False), _asked(1.0, right=True)]
    [(said, so, count)] = curve(asked)
    assert (round(said, 3), round(so, 3), count) == (0.967, 0.667, 3)
    assert calibration_error(asked) == pytest.approx(0.3)


def test_unanswerable_questions_are_refused_below_a_tenth_of_the_others() -> None:
    asked = [_asked(n / 10, right=True) for n in range(1, 11)]
    asked += [_asked(c, right=False, answerable=False) for c in (0.05, 0.1, 0.9)]
    assert refused(asked) == pytest.approx(2 / 3)
    assert math.isnan(refused(asked[:10]))


def test_a_question_about_one_of_two_is_asked_about_the_other() -> None:
    [question] = swapped(_talk())
    assert (question.text, question.answerable) == ("What did Bo buy?", False)


def test_an_engine_without_confidence_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        asked = run_confidence([_talk()])
    except SystemExit as ended:
        assert "no confidence" in str(ended)  # noqa: PT017  (either is right)
    else:
        assert len(asked) == 4
        assert "calibration error" in capsys.readouterr().out


def test_constants_are_set_for_a_while_only() -> None:
    module = ModuleType("constants")
    module.__dict__.update(BONUS=0.5, PENALTY=-0.1)
    with switched(module, {"BONUS": 0.0}):
        assert (module.__dict__["BONUS"], module.__dict__["PENALTY"]) == (0.0, -0.1)
    assert module.__dict__["BONUS"] == 0.5
    with pytest.raises(AttributeError), switched(module, {"BONUS": 0.0, "BONNUS": 0.0}):
        pass
    assert module.__dict__["BONUS"] == 0.5


def test_every_step_of_the_ladder_names_constants() -> None:
    try:
        module = constants()
    except SystemExit as ended:
        pytest.skip(str(ended))
    for _, values in LADDER:
        with switched(module, values):
            pass


def test_tantivy_finds_the_row_that_holds_the_words(tmp_path: Path) -> None:
    pytest.importorskip("tantivy")
    exact = exact_store(tmp_path)
    exact.executemany("insert into turn (words) values (?)", [("a violin",), ("two boats",)])
    for _ in range(2):  # made, then read
        search = tantivy_search(tmp_path, exact, 2)
        assert search is not None
        assert search("Which boat?") == [2]
    exact.close()
