"""Damage copies of a store, and ask each 24 commands: who answers rightly, and who says so.

Each copy is damaged in one of several ways, and asked by every command of `QUESTIONS` in a child of this
process. An answer is right when it is that of the undamaged store, but for what is measured; exit 5 is
damage. Where the log of a killed process is damaged, the answer has to be that of the last transaction
before, and the loss has to be told; a log that is cut between two transactions, or gone, leaves no trace.
`--recover` also counts the rows that come back of each copy; `--cost` measures what the seal costs a recall.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import pickle
import pkgutil
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import memctl
import memctl_cli
from benchmarks.running import share, timed
from benchmarks.trust.many import many
from benchmarks.trust.verdict import Verdict
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence


# -- damaging ----------------------------------------------------

IN_FILE = (
    "bit", "bits", "zeros", "garbage", "swapped", "older", "header", "cut", "longer",
)  # fmt: skip
IN_LOG = ("log, bit", "log, zeros", "log, cut", "log, gone")
KINDS = (*IN_FILE, *IN_LOG)
_PAGE, _FRAME, _LOG_HEADER = 4096, 24, 32


class Copy(NamedTuple):
    """A store as it lies on the disk, and how many transactions of its log are whole."""

    file: bytes
    log: bytes = b""
    commits: int = 0


def damage(content: bytes, kind: str, random: Random, older: bytes = b"") -> bytes:
    """Return `content` damaged in one place, or in the twenty of ``bits``."""
    changed = bytearray(content)
    pages = len(content) // _PAGE
    if kind in {"bit", "bits", "header"}:
        for _ in range(20 if kind == "bits" else 1):
            at = random.randrange(100 if kind == "header" else len(changed))
            changed[at] ^= 1 << random.randrange(8)
    elif kind == "zeros":
        at, length = random.randrange(len(changed)), random.randrange(1, 2 * _PAGE)
        changed[at : at + length] = bytes(len(changed[at : at + length]))
    elif kind == "garbage":
        _put(changed, random.randrange(pages), random.randbytes(_PAGE))
    elif kind == "swapped":
        one, other = random.sample(range(pages), 2)
        first, second = (bytes(content[n * _PAGE : (n + 1) * _PAGE]) for n in (one, other))
        _put(changed, one, second)
        _put(changed, other, first)
    elif kind == "older":
        parts = range(min(pages, len(older) // _PAGE))
        pieces = [slice(n * _PAGE, (n + 1) * _PAGE) for n in parts]
        there = random.choice([one for one in pieces if older[one] != content[one]])
        changed[there] = older[there]
    elif kind == "cut":
        del changed[random.randrange(1, len(changed)) :]
    elif kind == "longer":
        changed += random.randbytes(random.randrange(1, 4 * _PAGE))
    else:
        raise ValueError(f"no such kind of damage: {kind}")
    return bytes(changed)


def ends_of(log: bytes) -> list[int]:
    """Return where each transaction of a log ends, the log's header first."""
    size = _FRAME + _PAGE
    frames = range(_LOG_HEADER, len(log) - size + 1, size)
    return [_LOG_HEADER, *(at + size for at in frames if any(log[at + 4 : at + 8]))]


def damage_log(copy: Copy, kind: str, random: Random) -> Copy:
    """Return a copy whose log is damaged in one place, with the transactions that are whole before."""
    if kind == "log, gone":
        return Copy(copy.file)
    at, log = random.randrange(len(copy.log)), bytearray(copy.log)
    if kind == "log, bit":
        log[at] ^= 1 << random.randrange(8)
    elif kind == "log, zeros":
        length = min(random.randrange(8, 2 * _PAGE), len(log) - at)
        if not any(log[at : at + length]):
            return copy
        log[at : at + length] = bytes(length)
    else:
        del log[at:]
    before = sum(end <= at for end in ends_of(copy.log)) - 1
    return Copy(copy.file, bytes(log), max(before, 0))


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


def live_on(home: Path, *, killed: bool) -> None:
    """Let a child write into each tier, a transaction each, and close the store or be killed."""
    child = os.fork()
    if not child:
        try:
            memory = memctl.open(APP, home, session="tuesday")
            memory.log("The ferry was loaded at noon", speaker="Ann")
            memory.facts.store("The crane is out of order since Tuesday")
            memory.remember("The customs house was closed", tags=["x"])
            memory.journal.decide("The customs house comes last")
            memory.cache.set("berth", "9")
            memory.log("Bo has the key of the warehouse", speaker="Bo")
            if not killed:
                memory.close()
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("the store could not be written")


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
    warned: bool = field(default=False, compare=False)

    @property
    def line(self) -> str:
        """The code and the message, for a person."""
        error = self.said.get("error") if isinstance(self.said, dict) else None
        return f"exit {self.code} {(error or {}).get('message', '')}".strip()


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
    warned = bool(said.pop("warnings", None))
    return Reply(code, _plain(said, places["folder"]), warned)


def judge(kind: str, wanted: Reply, reply: Reply, *, all_there: bool = True) -> str:
    """Judge an answer by that of the undamaged store, or of the transactions that its log has left."""
    if reply.code == 1 or "Traceback" in str(reply.said) or "a defect" in reply.line:
        return "defect"
    if reply == wanted:
        if all_there:
            return "right"
        return "told" if reply.warned else "no trace" if kind in IN_LOG[-2:] else "untold"
    if reply.code == DAMAGED:
        return "exit 5"
    return "other" if reply.code else "wrong"


def _plain(value: Any, folder: str) -> Any:
    if isinstance(value, dict):
        if value.get("check") == "seal" and value.get("ok"):  # a flipped count of changes breaks it
            return "whole, or not sealed"
        return {key: _plain(one, folder) for key, one in value.items() if key not in _MEASURED}
    if isinstance(value, list):
        if "write-ahead log" in value[:2]:  # a row of a report: its bytes are measured, too
            return value[:2]
        return [_plain(one, folder) for one in value]
    return value.replace(folder, "FOLDER") if isinstance(value, str) else value


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
        self.questions, self.folder = questions, folder
        load_everything()
        os.environ.update(MEMCTL_NOW=_MADE, MEMCTL_BUSY_TIMEOUT_MS="2000")
        self.move(folder / "first")
        self.older = make_store(self.home, turns).read_bytes()
        live_on(self.home, killed=False)
        self.content = self.path.read_bytes()
        self.put(Copy(self.older))
        live_on(self.home, killed=True)
        self.killed = Copy(self.older, self.path.with_name(f"{APP}.db-wal").read_bytes())
        self.ends = ends_of(self.killed.log)
        self.killed = self.killed._replace(commits=len(self.ends) - 1)
        os.environ["MEMCTL_NOW"] = _ASKED
        self.rows: Rows = rows_of_bytes(self.content, folder)
        self.sound = self.replies(Copy(self.content))
        wrong = [words for words, reply in self.sound.items() if reply.code]
        if wrong:
            raise RuntimeError(f"the undamaged store fails: {[self.sound[w].line for w in wrong]}")
        self.before = [
            self.replies(self.killed._replace(log=self.killed.log[:end])) for end in self.ends
        ]

    def move(self, folder: Path) -> None:
        """Work in another folder from now on."""
        self.home = folder / "home"
        self.path = self.home / "apps" / f"{APP}.db"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        screen = folder / "screen.png"
        screen.write_bytes(bundle.shot(SCREENS[0]).png)
        copy = folder / "copy.db"
        self.places = {"folder": str(folder), "screen": str(screen), "copy": str(copy)}
        self.saved = folder / "saved.db"

    def put(self, copy: Copy) -> None:
        """Put a copy in the place of the store."""
        for path in self.path.parent.iterdir():
            path.unlink()
        Path(self.places["copy"]).unlink(missing_ok=True)
        self.path.write_bytes(copy.file)
        self.path.chmod(0o600)
        if copy.log:
            log = self.path.with_name(f"{APP}.db-wal")
            log.write_bytes(copy.log)
            log.chmod(0o600)

    def reply(self, copy: Copy, words: str) -> Reply:
        """Return the answer of a command to a copy."""
        self.put(copy)
        return ask(self.home, APP, words, self.places)

    def replies(self, copy: Copy) -> dict[str, Reply]:
        """Return the answers of all commands to a copy, each in a child where one ends them all."""
        all_at_once = in_a_child(lambda: {one: self.reply(copy, one) for one in self.questions})
        if isinstance(all_at_once, dict):
            return all_at_once
        found = {}
        for words in self.questions:
            said = in_a_child(partial(self.reply, copy, words))
            found[words] = (
                said if isinstance(said, Reply) else Reply(1, {"error": {"message": said}})
            )
        return found

    def damaged(self, kind: str, random: Random) -> Copy:
        """Return a damaged copy of the store, or of what a killed process left of it."""
        if kind in IN_LOG:
            return damage_log(self.killed, kind, random)
        return Copy(damage(self.content, kind, random, self.older))

    def judged(self, kind: str, copy: Copy) -> dict[str, tuple[str, str]]:
        """Return the verdict on each command's answer to a copy, and the answer's line."""
        wanted = self.before[copy.commits] if kind in IN_LOG else self.sound
        all_there = kind not in IN_LOG or copy.commits == self.killed.commits
        return {
            words: (judge(kind, wanted[words], reply, all_there=all_there), reply.line)
            for words, reply in self.replies(copy).items()
        }

    def saved_by(self, copy: Copy) -> dict[str, int]:
        """Count the rows that come back of a copy."""
        self.put(copy)
        ours = in_a_child(lambda: recovered(self.home, APP, self.saved))
        return brought_back(self.rows, ours if isinstance(ours, Path) else None)

    def trial(self, number: int, seed: int, kind: str, *, recover: bool) -> dict[str, Any]:
        """Damage one copy, and ask it; called in a fork."""
        self.move(self.folder / str(os.getpid()))
        copy = self.damaged(kind, Random(f"{seed} {number}"))
        saved = self.saved_by(copy) if recover and kind not in IN_LOG else {}
        return {"kind": kind, "judged": self.judged(kind, copy), "saved": saved}


def rows_of_bytes(content: bytes, folder: Path) -> Rows:
    """Return the rows of a store's bytes."""
    path = folder / "rows.db"
    path.write_bytes(content)
    return rows_of(path)


BROKEN = ("wrong", "untold", "defect")
_VERDICTS = ("right", "exit 5", "told", "no trace", "other", *BROKEN)


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this trial."""
    parser.add_argument("--copies", type=int, default=1000)
    parser.add_argument("--kind", choices=KINDS, help="one kind of damage; else each in turn")
    parser.add_argument("--recover", action="store_true", help="count the rows that come back")
    parser.add_argument("--cost", action="store_true", help="what the seal costs a recall, instead")


def run(options: argparse.Namespace) -> Verdict:
    """Damage, ask, and judge; an answer that is wrong with exit 0, or a defect, is a broken promise."""
    with tempfile.TemporaryDirectory(prefix="memctl-damage-", dir=_MEMORY) as name:
        if options.cost:
            return _cost(Path(name))
        bench = Bench(Path(name))
        numbers = range(options.copies) if options.only is None else [options.only]

        def trial(number: int) -> dict[str, Any]:
            kind = options.kind or KINDS[number % len(KINDS)]
            return bench.trial(number, options.seed, kind, recover=options.recover)

        copies = many(trial, numbers, jobs=options.jobs, seconds=options.seconds)
        return _verdict(copies, bench)


def _verdict(copies: dict[int, dict[str, Any]], bench: Bench) -> Verdict:
    kinds: dict[str, Counter[str]] = {}
    broken: list[tuple[int, str]] = []
    others: Counter[str] = Counter()
    for number, copy in copies.items():
        counts = kinds.setdefault(copy["kind"], Counter())
        counts["copies"] += 1
        counts.update({f"rows {what}": count for what, count in copy["saved"].items()})
        for command, (verdict, line) in copy["judged"].items():
            counts[verdict] += 1
            if verdict in BROKEN:
                broken.append((number, f"{copy['kind']}: {command}: {verdict}: {line[:160]}"))
            elif verdict == "other":
                others[f"{copy['kind']}: {command}: {line[:100]}"] += 1
    total = sum(kinds.values(), Counter[str]())
    rows = [
        (kind, counts["copies"], *(counts[verdict] for verdict in _VERDICTS))
        for kind, counts in (*sorted(kinds.items()), ("all", total))
    ]
    title = f"a store of {len(bench.content):,} bytes, {len(bench.questions)} commands a copy"
    back = {
        kind: share(counts["rows kept"], counts["rows rows"])
        for kind, counts in kinds.items()
        if counts["rows rows"]
    }
    listed = [f"rows back: {', '.join(map(' '.join, back.items()))}"] if back else []
    listed += [f"{count} x {line}" for line, count in others.most_common(12)]
    caption = "\n".join(listed)
    return Verdict(title, ("kind", "copies", *_VERDICTS), rows, broken, caption)


# -- what it costs -----------------------------------------------

_SIZES = {"1 MB": 0.006, "20 MB": 0.36, "100 MB": 2.0}  # shares of the usual size of `grow`
_MOST = 0.05
_PAIRS = 15
_WITHOUT = """
import memctl.store.opening, memctl.store.store
memctl.store.opening.check_seal = memctl.store.store.seal = lambda *given: None
"""
_RECALL = "from memctl_cli import main; main()"


def _cost(folder: Path) -> Verdict:
    """Measure recalls as commands with and without the seal, in turns; medians of the pairs."""
    from benchmarks import growing

    rows, broken = [], []
    for number, (name, part) in enumerate(_SIZES.items()):
        usual, app = growing.Size(), growing.APP
        sizes = [int(part * count) for count in (usual.sightings, usual.recalls, usual.facts)]
        path = growing.grow(folder / name, growing.Size(sizes[0], sizes[1], sizes[2]))
        with memctl.open(app, folder / name) as memory:
            memory.log("Sealed from here on")
        words = ["--home", str(folder / name), "--app", app, "recall", "budget of the harbour"]
        pairs = []
        for _ in range(_PAIRS + 1):
            pair = []
            for before in ("", _WITHOUT):
                call = [sys.executable, "-c", before + _RECALL, *words]
                pair.append(
                    timed(partial(subprocess.run, call, capture_output=True, check=True))[0]
                )
            pairs.append(pair)
            with memctl.open(app, folder / name) as memory:  # the one without it broke it
                memory.log("Sealed again")
        with_it, without = ([pair[at].wall for pair in pairs[1:]] for at in (0, 1))
        more = median(one / other - 1 for one, other in zip(with_it, without, strict=True))
        cells = f"{median(with_it):.0f}", f"{median(without):.0f}", f"{more:+.1%}"
        rows.append((name, f"{path.stat().st_size:,}", *cells))
        if more > _MOST:
            broken.append((number, f"{name}: the seal costs {more:.1%} of a recall"))
        shutil.rmtree(folder / name)
    return Verdict("", ("store", "bytes", "ms", "without seal", "more"), rows, broken)
