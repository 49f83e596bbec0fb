"""Damage copies of a store at random: who answers rightly, who says so, what comes back.

    python -m benchmarks.upkeep [--copies 1000] [--kind byte|bytes|zeroed|swapped|cut] [--seed 20]

Each copy is asked by every command of `QUESTIONS`, each in a child of this process, and recovered.
An answer is right when it is that of the undamaged store; exit 5 is damaged.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import pickle
import pkgutil
import signal
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import memctl
import memctl_cli
from benchmarks.running import arguments, keep, print_table, share
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


# -- damaging ----------------------------------------------------

KINDS = ("byte", "bytes", "zeroed", "swapped", "cut")
_PAGE = 4096


def damage(content: bytes, kind: str, random: Random) -> bytes:
    """Return `content` damaged in one place, or in the twenty of ``bytes``."""
    changed = bytearray(content)
    pages = len(content) // _PAGE
    if kind in {"byte", "bytes"}:
        for _ in range(1 if kind == "byte" else 20):
            at = random.randrange(len(changed))
            changed[at] ^= 1 << random.randrange(8)
    elif kind == "zeroed":
        _put(changed, random.randrange(pages), bytes(_PAGE))
    elif kind == "swapped":
        one, other = random.sample(range(pages), 2)
        first, second = (bytes(content[n * _PAGE : (n + 1) * _PAGE]) for n in (one, other))
        _put(changed, one, second)
        _put(changed, other, first)
    elif kind == "cut":
        del changed[random.randrange(1, len(changed)) :]
    else:
        raise ValueError(f"no such kind of damage: {kind}")
    return bytes(changed)


def _put(changed: bytearray, page: int, content: bytes) -> None:
    changed[page * _PAGE : (page + 1) * _PAGE] = content


# -- lived in ----------------------------------------------------

APP = "harbor"
SCREENS = ("login", "settings", "archive")
_PLACES = ("quay", "lighthouse", "ferry", "warehouse", "crane", "customs house", "dry dock")
_PEOPLE = ("Ann", "Bo", "Chidi", "Dana", "Emeka", "李雷")


def make_store(home: Path, turns: int = 150) -> Path:
    """Make a store with the shipped calls; return its file, closed and without a log."""
    with memctl.open(APP, home, session="monday") as memory:
        names = {shot.name for shot in bundle.shots()}
        for name in [one for one in SCREENS if one in names] * 2:
            shot = bundle.shot(name)
            memory.learn(shot.png, shot.boxes_file(), page=name)
        for state in memory.states.list():
            memory.states.rename(state.id, f"the {state.page}")
        states = [state.id for state in memory.states.list()]
        for _ in range(12):
            for one, other in zip(states, [*states[1:], states[0]], strict=True):
                memory.transitions.record(one, "click:go", other, session="monday")
                memory.transitions.commit()
        memory.skills.detect()
        for n in range(turns):
            who, where = _PEOPLE[n % len(_PEOPLE)], _PLACES[n % len(_PLACES)]
            memory.log(f"Berth {n}: {who} waits at the {where} since {n % 12} o'clock", speaker=who)
        for n in range(turns // 3):
            memory.facts.store(f"Berth {n} belongs to {_PEOPLE[n % len(_PEOPLE)]}'s company")
        for n in range(turns // 10):
            memory.remember(f"The {_PLACES[n % len(_PLACES)]} was inspected, round {n}", tags=["x"])
        memory.recall("who waits at the quay?")
        memory.journal.task("Load the ferry")
        memory.journal.decide("The crane goes first")
        memory.cache.set("berth", "7")
        memory.dream.run(apply=True)
    path = home / "apps" / f"{APP}.db"
    with memctl.open(APP, home) as memory:
        memory.vacuum()
    return path


# -- bringing back -----------------------------------------------

Rows = dict[str, Counter[tuple[object, ...]]]


def rows_of(path: Path) -> Rows:
    """Return the rows of every table of ours: what SQLite and the word index keep is left out."""
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute(
            "select name from pragma_table_list where type = 'table' and schema = 'main' "
            "and name not like 'sqlite%' and name != 'migration'"
        ).fetchall()
        return {
            name: Counter(connection.execute(f'select * from "{name}"').fetchall())  # noqa: S608
            for (name,) in tables
        }


def brought_back(sound: Rows, path: Path | None) -> dict[str, int]:
    """Count the rows of `path` that the undamaged store has too, and those that it has not."""
    try:
        found = rows_of(path) if path is not None else {}
    except sqlite3.Error:
        found = {}
    kept = sum((rows & found.get(table, Counter())).total() for table, rows in sound.items())
    other = sum((rows - sound.get(table, Counter())).total() for table, rows in found.items())
    return {"rows": sum(rows.total() for rows in sound.values()), "kept": kept, "other": other}


def recovered(home: Path, app: str, out: Path) -> Path | None:
    """Recover a store into `out`; ``None`` where nothing could be."""
    out.unlink(missing_ok=True)
    try:
        memctl.recover(app, home, out)
    except memctl.MemctlError:
        return None
    return out


# -- asking ------------------------------------------------------

T = TypeVar("T")
QUESTIONS = (
    "memory list",
    "memory search company",
    "recall quay --no-record",
    "turns list --limit 200",
    "episodes list",
    "components list",
    "states list",
    "transitions list",
    "path the~login the~archive",
    "match {screen} --no-record",
    "skills list",
    "wal get",
    "context",
    "cache list",
    "session list",
    "recalls list",
    "pending list",
    "config list",
    "dream status",
    "report health",
    "status",
    "log The~heron~flew",
    "backup {copy}",
    "doctor",
)
DAMAGED = 5
_SECONDS = 60
# What differs between two calls that say the same.
_MEASURED = frozenset({"ms", "duration_ms", "bytes", "seconds", "wal_bytes", "median_ms", "p95_ms"})


@dataclass(frozen=True, slots=True)
class Reply:
    """How a command ended, and what it said."""

    code: int
    said: Any = field(default=None)

    @property
    def line(self) -> str:
        """The code and the message, for a person."""
        error = self.said.get("error") if isinstance(self.said, dict) else None
        return f"exit {self.code} {(error or {}).get('message', '')}".strip()


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one command on one copy: right, damaged, unseen, or a failure."""

    command: str
    verdict: str
    why: str = ""


def ask(home: Path, app: str, words: str, places: dict[str, str]) -> Reply:
    """Call a command with ``--json`` in this process."""
    given = [word.replace("~", " ").format(**places) for word in words.split()]
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            memctl_cli.main(["--home", str(home), "--app", app, "--json", *given])
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
    try:
        said = json.loads(out.getvalue())
    except ValueError:
        return Reply(code, {"error": {"message": out.getvalue() + error.getvalue()}})
    return Reply(code, _plain(said))


def judge(command: str, sound: Reply, reply: Reply, *, seen_by_doctor: bool) -> Judged:
    """Judge an answer by that of the undamaged store.

    A byte of a text, a number or a picture that is another one makes a file that is whole, of
    other content: SQLite keeps no sums of its pages. Where the doctor finds nothing either, an
    answer that differs is ``unseen``; where he does, it is a failure.
    """
    if reply == sound:
        return Judged(command, "right")
    if reply.code == DAMAGED:
        return Judged(command, "damaged")
    defect = reply.code == 1 or "Traceback" in str(reply.said)
    if not seen_by_doctor and not defect:
        return Judged(command, "unseen", reply.line)
    return Judged(command, "failure", reply.line)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if key not in _MEASURED}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def load_everything() -> None:
    """Import what the commands import: a child has it then, and need not do it again."""
    import cv2
    import duckdb  # noqa: F401  (as is what follows)
    import skimage  # noqa: F401

    import memctl
    from memctl_cli.app import command_of

    cv2.setNumThreads(1)
    for found in pkgutil.walk_packages(memctl.__path__, "memctl."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    for words in QUESTIONS:
        command_of(words.split()[0])


def in_a_child(call: Callable[[], T], seconds: int = _SECONDS) -> T | str:
    """Return what `call` returns in a process of its own, or in words how that ended instead."""
    with tempfile.TemporaryFile() as told:
        child = os.fork()
        if not child:
            signal.alarm(seconds)
            try:
                told.write(pickle.dumps(call()))
                told.flush()
            except BaseException as error:  # noqa: BLE001  (it is told, and judged)
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            return f"ended by signal {status & 0x7F}" if status & 0x7F else "an exception"
        told.seek(0)
        answer: T = pickle.loads(told.read())  # noqa: S301  (our own child wrote it)
        return answer


# -- main ----------------------------------------------------

# Thousands of files are written: in memory, where there is some, none waits for the disk.
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
_MADE, _ASKED = "2026-11-20T16:33:04Z", "2026-11-20T17:00:00Z"


class Bench:
    """A store, what it answers, and copies of it in one place."""

    def __init__(
        self, folder: Path, *, turns: int = 150, questions: Sequence[str] = QUESTIONS
    ) -> None:
        self.questions = questions
        os.environ.update(MEMCTL_NOW=_MADE, MEMCTL_BUSY_TIMEOUT_MS="2000")
        self.home = folder / "home"
        self.path = make_store(self.home, turns)
        os.environ["MEMCTL_NOW"] = _ASKED
        self.content = self.path.read_bytes()
        self.rows: Rows = rows_of(self.path)
        screen = folder / "screen.png"
        screen.write_bytes(bundle.shot(SCREENS[0]).png)
        self.places = {"screen": str(screen), "copy": str(folder / "copy.db")}
        self.saved = folder / "saved.db"
        load_everything()
        self.sound = self.replies(self.content)
        self.put(self.content)
        wrong = [words for words, reply in self.sound.items() if reply.code]
        if wrong:
            raise RuntimeError(f"the undamaged store fails: {[self.sound[w].line for w in wrong]}")

    def put(self, content: bytes) -> None:
        """Put a file in the place of the store, without a log."""
        for path in (self.home / "apps").iterdir():
            path.unlink()
        Path(self.places["copy"]).unlink(missing_ok=True)
        self.path.write_bytes(content)
        self.path.chmod(0o600)

    def reply(self, content: bytes, words: str) -> Reply:
        """Return the answer of a command to a file."""
        self.put(content)
        return ask(self.home, APP, words, self.places)

    def replies(self, content: bytes) -> dict[str, Reply]:
        """Return the answers of all commands to a file, each in a child where one ends them all."""
        all_at_once = in_a_child(lambda: {one: self.reply(content, one) for one in self.questions})
        if isinstance(all_at_once, dict):
            return all_at_once
        found = {}
        for words in self.questions:
            said = in_a_child(partial(self.reply, content, words))
            found[words] = (
                said if isinstance(said, Reply) else Reply(1, {"error": {"message": said}})
            )
        return found

    def judged(self, content: bytes) -> list[Judged]:
        """Return what every command says of a file."""
        replies = self.replies(content)
        seen = replies["doctor"].code != 0
        return [
            judge(words, self.sound[words], reply, seen_by_doctor=seen)
            for words, reply in replies.items()
        ]

    def saved_by(self, content: bytes) -> dict[str, int]:
        """Count the rows that come back of a file."""
        self.put(content)
        ours = in_a_child(lambda: recovered(self.home, APP, self.saved))
        return brought_back(self.rows, ours if isinstance(ours, Path) else None)


def main(words: Sequence[str] | None = None) -> None:
    """Damage, ask, recover; print the table and keep the raw figures."""
    parser = arguments(__doc__, "upkeep")
    parser.add_argument("--copies", type=int, default=1000)
    parser.add_argument("--kind", choices=KINDS, help="one kind of damage; else each in turn")
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args(words)
    kinds = [options.kind] if options.kind else list(KINDS)
    with tempfile.TemporaryDirectory(prefix="memctl-upkeep-", dir=_MEMORY) as name:
        bench = Bench(Path(name))
        copies = []
        with suppress(KeyboardInterrupt):  # what was measured until then is kept
            for number in range(options.copies):
                kind = kinds[number % len(kinds)]
                content = damage(bench.content, kind, Random(f"{options.seed} {number}"))
                judged = bench.judged(content)
                copies.append({"kind": kind, "judged": judged, "saved": bench.saved_by(content)})
    figures = _figures(copies, bench)
    _show(figures)
    keep("upkeep", figures, options.out)


def _figures(copies: list[dict[str, Any]], bench: Bench) -> dict[str, Any]:
    kinds: dict[str, Any] = {}
    failures: Counter[str] = Counter()
    for copy in copies:
        of_kind = kinds.setdefault(copy["kind"], {"copies": 0, "answers": {}, "saved": {}})
        of_kind["copies"] += 1
        for one in copy["judged"]:
            verdicts = of_kind["answers"]
            verdicts[one.verdict] = verdicts.get(one.verdict, 0) + 1
            if one.verdict == "failure":
                failures[f"{copy['kind']}: {one.command}: {one.why[:160]}"] += 1
        for what, number in copy["saved"].items():
            of_kind["saved"][what] = of_kind["saved"].get(what, 0) + number
    return {
        "bytes": len(bench.content),
        "commands": list(bench.questions),
        "kinds": kinds,
        "failures": dict(failures.most_common()),
    }


def _show(figures: dict[str, Any]) -> None:
    verdicts = ("right", "damaged", "unseen", "failure")
    rows = [
        (
            *(kind, of_kind["copies"], *(of_kind["answers"].get(one, 0) for one in verdicts)),
            share(of_kind["saved"]["kept"], of_kind["saved"]["rows"]),
        )
        for kind, of_kind in figures["kinds"].items()
    ]
    title = f"a store of {figures['bytes']:,} bytes, {len(figures['commands'])} commands a copy"
    print_table(title, ("kind", "copies", *verdicts, "rows back"), rows)
    for line, number in figures["failures"].items():
        print(f"{number:5} x {line}")


if __name__ == "__main__":
    main()
