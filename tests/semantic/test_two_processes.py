"""Two processes that store at once: the later of two statements knows the earlier one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import memctl
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path

STORE = """
import json, sys, time
from pathlib import Path
import memctl

home, own, texts = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
with memctl.open("agent", home) as memory:
    memory.facts.search("warm")
    for number, text in enumerate(texts):
        (home / f"ready-{number}-{own}").touch()
        while len(list(home.glob(f"ready-{number}-*"))) < 2:
            time.sleep(0.0005)
        memory.facts.store(text)
"""

PAIRS = [
    ("The staging server listens on port 8080", "The staging server listens on port 9090"),
    ("The rent is 900 euros", "The rent is 950 euros"),
    ("Ann moved to Lisbon", "Ann moved to Porto"),
    ("The daily standup is at 9:30", "The daily standup is at 10:00"),
    ("Kestrel runs on Python 3.10", "Kestrel runs on Python 3.12"),
]


def test_of_two_that_change_each_other_one_ends_or_both_are_a_pair(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("The cat sleeps on the sofa")
    sides = [json.dumps(side) for side in zip(*PAIRS, strict=True)]
    running = [start_python(STORE, tmp_path, str(i), side) for i, side in enumerate(sides)]
    for one in running:
        _, error = one.communicate(timeout=60)
        assert one.returncode == 0, error
    with memctl.open("agent", tmp_path) as memory:
        held = {fact.text for fact in memory.facts.list()}
        pairs = [{pair.newer.text, pair.older.text} for pair in memory.facts.undecided()]
    beside = [pair for pair in PAIRS if held >= {*pair} and {*pair} not in pairs]
    assert beside == []
