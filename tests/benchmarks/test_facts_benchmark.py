"""The benchmark of facts runs the shipped calls and counts what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.corpus import make_facts, make_questions
from benchmarks.facts.speed import Memctl, measure

if TYPE_CHECKING:
    from pathlib import Path


def test_the_same_seed_makes_the_same_facts() -> None:
    assert make_facts(50) == make_facts(50)
    assert make_facts(50) != make_facts(50, seed=8)
    assert len({fact for fact, _ in make_facts(500)}) == 500


def test_every_fact_is_added_and_the_right_one_comes_first(tmp_path: Path) -> None:
    cases = make_facts(60)
    engine, batched = Memctl(tmp_path / "one by one"), Memctl(tmp_path / "in batches")
    figures = measure(engine, batched, cases, make_questions(cases, 20))
    assert (figures["facts"], figures["right first"]) == (60, 1.0)
    assert sorted(batched.search("project", 100)) == sorted(fact for fact, _ in cases)
    engine.close()
    batched.close()
