"""Two processes that store at once: the later of two statements knows the earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.processes import start_python

if TYPE_CHECKING:
    from pathlib import Path

STORE = """
import sys, time
from pathlib import Path
import memctl

home, own, text = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
with memctl.open("agent", home) as memory:
    memory.facts.search("warm")
    (home / f"ready-{own}").touch()
    while len(list(home.glob("ready-*"))) < 2:
        time.sleep(0.001)
    memory.facts.store(text)
"""


@pytest.mark.parametrize(
    "texts",
    [
        ("The staging server listens on port 8080", "The staging server listens on port 9090"),
        ("The rent is 900 euros", "The rent is 950 euros"),
        ("Ann moved to Lisbon", "Ann moved to Porto"),
    ],
)
def test_of_two_that_change_each_other_one_ends_or_both_are_a_pair(
    texts: tuple[str, str], tmp_path: Path
) -> None:
    for round_ in range(3):
        home = tmp_path / str(round_)
        with memctl.open("agent", home) as memory:
            memory.facts.store("The cat sleeps on the sofa")
        running = [
            start_python(STORE, home, str(number), text) for number, text in enumerate(texts)
        ]
        assert [one.wait(60) for one in running] == [0, 0]
        with memctl.open("agent", home) as memory:
            held = {fact.text for fact in memory.facts.list()} & {*texts}
            pairs = [{pair.newer.text, pair.older.text} for pair in memory.facts.undecided()]
            waiting = len(memory.facts.pending())
        assert len(held) == 1 or pairs == [{*texts}] or waiting == 1
