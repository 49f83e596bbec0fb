"""The benchmark of damaged stores: the suite keeps ten copies of it."""

from __future__ import annotations

import os
from random import Random

import pytest

from benchmarks.trust.damage import BROKEN, IN_FILE, KINDS, Bench, Reply, damage, judge

QUESTIONS = ("memory list", "turns list", "components list", "path the~login the~archive", "doctor")


def seeded(number: int) -> Random:
    return Random(number)  # noqa: S311  (it has to be repeatable)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    before = dict(os.environ)
    made = Bench(tmp_path_factory.mktemp("bench"), turns=20, questions=QUESTIONS)
    os.environ.clear()
    os.environ.update(before)
    return made


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_a_damaged_copy_is_answered_rightly_or_said_to_be_damaged(
    number: int, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T17:00:00Z")
    judged = bench.judged(KINDS[number], bench.damaged(KINDS[number], seeded(number)))
    assert {words: said for words, said in judged.items() if said[0] in BROKEN} == {}


def test_the_same_seed_damages_the_same_bytes() -> None:
    content = seeded(1).randbytes(16 * 4096)
    older = seeded(2).randbytes(16 * 4096)
    for kind in IN_FILE:
        changed = damage(content, kind, seeded(3), older)
        assert damage(content, kind, seeded(3), older) == changed != content


def test_an_answer_may_only_differ_where_it_says_so() -> None:
    sound, other, defect = Reply(0, "a"), Reply(0, "b"), Reply(1, "Traceback")
    assert judge("bit", sound, sound) == "right"
    assert judge("bit", sound, Reply(5, "c")) == "exit 5"
    assert judge("bit", sound, Reply(4, "c")) == "other"
    assert judge("bit", sound, other) == "wrong"
    assert judge("bit", sound, defect) == "defect"
    assert judge("log, bit", sound, sound, all_there=False) == "untold"
    assert judge("log, bit", sound, Reply(0, "a", warned=True), all_there=False) == "told"
    assert judge("log, gone", sound, sound, all_there=False) == "no trace"
