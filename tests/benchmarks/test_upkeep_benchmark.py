"""The benchmark of damaged stores: the suite keeps ten copies of it."""

from __future__ import annotations

import os
from random import Random

import pytest

from benchmarks.upkeep import KINDS, Bench, Reply, damage, judge

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


@pytest.mark.parametrize("number", range(10))
def test_a_damaged_copy_is_answered_rightly_or_said_to_be_damaged(
    number: int, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T17:00:00Z")
    content = damage(bench.content, KINDS[number % len(KINDS)], seeded(number))
    assert [one for one in bench.judged(content) if one.verdict == "failure"] == []


def test_the_same_seed_damages_the_same_bytes() -> None:
    content = seeded(1).randbytes(16 * 4096)
    for kind in KINDS:
        assert damage(content, kind, seeded(3)) == damage(content, kind, seeded(3)) != content


def test_only_what_the_doctor_misses_too_may_be_another_answer() -> None:
    sound, other, defect = Reply(0, "a"), Reply(0, "b"), Reply(1, "Traceback")
    assert judge("x", sound, sound, seen_by_doctor=True).verdict == "right"
    assert judge("x", sound, Reply(5, "c"), seen_by_doctor=False).verdict == "damaged"
    assert judge("x", sound, other, seen_by_doctor=False).verdict == "unseen"
    assert judge("x", sound, other, seen_by_doctor=True).verdict == "failure"
    assert judge("x", sound, defect, seen_by_doctor=False).verdict == "failure"
