"""Kills of a dream: the next run completes it, and every row is as if nobody had been killed.

A child process dreams on a copy of a small store and is killed at a random moment; a second one
completes the run. Then every table is compared with that of a run that nobody killed. A run after that
writes nothing; and when somebody has changed some facts, a rollback leaves these and takes the rest.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NIGHT = "2026-11-11T03:00:00Z"
_CHILD = """
import sys, memctl
with memctl.open("agent", sys.argv[1]) as memory:
    memory.dream.status()
    print("ready", flush=True)
    memory.dream.run(apply=True)
"""
_SAID = (
    "Always answer me in {0}, please.",
    "I work at {0} as a nurse and I like it a lot.",
    "My sister {0} moved to Porto last week.",
    "I never drink coffee after {0} in the afternoon.",
)
_NAMES = ("German", "Initech", "Clara", "four", "Acme", "Zoe", "English", "three", "Globex", "Mia")


class Killed(NamedTuple):
    """One kill: whether it came inside of the run, the tables that differ, those a second run wrote to."""

    inside: bool
    different: tuple[str, ...]
    again: tuple[str, ...] = ()


def prepared(home: Path, sessions: int = 20) -> None:
    """Make a store of some sessions, and recalls, that no dream has read."""
    for number in range(sessions):
        day = f"2026-11-{1 + number % 9:02}T10:00:00Z"
        with memctl.open("agent", home) as memory:
            said = _SAID[number % len(_SAID)].format(_NAMES[number % len(_NAMES)])
            memory.log(said, session=f"s{number}", logged_at=day)
            memory.log("Noted.", role="assistant", session=f"s{number}", logged_at=day)
            memory.recall("Who moved to Porto?")


def rows_of(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table of the store, but the word index's own."""
    with closing(sqlite3.connect(home / "apps" / "agent.db")) as file:
        named = file.execute("select name from sqlite_master where type = 'table'").fetchall()
        tables = sorted(name for (name,) in named if "_fts" not in name)
        return {name: file.execute(f"select * from {name}").fetchall() for name in tables}  # noqa: S608


def killed(folder: Path, seed: int, *, within: float = 0.6) -> Killed:
    """Kill a dream after a random moment of `within` seconds; complete it, and compare.

    Parameters
    ----------
    folder
        Where the stores are made.
    seed
        Chooses the moment.
    """
    asleep, whole = folder / "asleep", folder / "whole"
    if not asleep.exists():
        with _at("2026-11-10T10:00:00Z"):
            prepared(asleep)
        shutil.copytree(asleep, whole)
        _dreamt(whole)
    home = folder / f"killed-{seed}"
    shutil.copytree(asleep, home)
    with _child(home) as child:
        time.sleep(random.Random(seed).uniform(0, within))
        child.send_signal(signal.SIGKILL)
    before = rows_of(home)
    inside = any(run[4] == "running" for run in before["dream_run"])
    _dreamt(home)
    wanted, found = rows_of(whole), rows_of(home)
    _dreamt(home)
    later = rows_of(home)
    different = tuple(name for name in wanted if wanted[name] != found[name])
    return Killed(inside, different, tuple(name for name in found if found[name] != later[name]))


def rolled_back(folder: Path, seed: int) -> tuple[str, ...]:
    """Change some facts of a dream, take it back, and return what is wrong after that; empty for nothing."""
    chance, home = random.Random(seed), folder / f"rolled-{seed}"
    shutil.copytree(folder / "whole", home)
    wrong = []
    with _at(NIGHT), memctl.open("agent", home) as memory:
        facts = [fact.id for fact in memory.facts.list(limit=-1)]
        mine = chance.sample(facts, chance.randint(0, len(facts)))
        for fact in mine:
            change = chance.choice(["pin", "forget", "update"])
            if change == "update":
                memory.facts.update(fact, importance=0.9)
            else:
                getattr(memory.facts, change)(fact)
        before = {fact: memory.facts.get(fact) for fact in mine}
        left = memory.dream.rollback(1).left
        if set(left) != {f"fact {fact}" for fact in mine}:
            wrong.append("named")
        if any(memory.facts.get(fact) != was for fact, was in before.items()):
            wrong.append("changed")
        if any(fact.id not in mine for fact in memory.facts.list(limit=-1)):
            wrong.append("not taken back")
    return tuple(wrong)


def _child(home: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(  # noqa: S603  (our own interpreter)
        [sys.executable, "-c", _CHILD, str(home)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "MEMCTL_NOW": NIGHT},
    )
    assert child.stdout is not None  # noqa: S101  (it was asked for)
    child.stdout.readline()
    return child


def _dreamt(home: Path) -> None:
    with _child(home) as child:
        pass
    if child.returncode:
        raise RuntimeError("the dream failed")


@contextmanager
def _at(moment: str) -> Iterator[None]:
    """Let memctl's clock stand at a moment."""
    before = os.environ.get("MEMCTL_NOW")
    os.environ["MEMCTL_NOW"] = moment
    try:
        yield
    finally:
        del os.environ["MEMCTL_NOW"]
        if before is not None:
            os.environ["MEMCTL_NOW"] = before
