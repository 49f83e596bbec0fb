"""Kill commands at random moments: nothing that was acknowledged is lost, nothing is half done.

Each command that writes runs in a fork of a process that has imported everything, and is killed by SIGKILL:
before a change of its files or a statement of SQLite, or after some time. Then the stores are whole, and as
they were before or as they are after the command; the same command ends as if nobody had been killed; and
no unfinished file is left that the next command or the doctor does not take away.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import memctl
import memctl_cli
from benchmarks.trust.commands import APP, IN_STEPS, WRITING, make_world, missing
from benchmarks.trust.damage import load_everything, rows_of
from benchmarks.trust.many import many
from benchmarks.trust.verdict import Verdict
from memctl.base.whole_file import leftovers
from memctl_cli.app import command_of
from tests.processes import in_a_child

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

_NOW = "2026-11-20T17:00:00Z"
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  (no disk is waited for)
_CHANGES = {
    "os.rename",
    "os.remove",
    "os.link",
    "os.mkdir",
    "os.rmdir",
    "os.truncate",
    "os.chmod",
    "shutil.rmtree",
}
_TOO_LONG = 60
_RANDOM = re.compile(r"[0-9a-f]{8,}")
_PLACE = re.compile(rb"[\w/]*memctl-kills-\w+/[\w-]+")
# The triggers of the schema have a clock of their own.
_REAL = re.compile(rf"{datetime.now(UTC):%Y-%m-%d}T[0-9:.]+Z".encode())
_KINDS = ("killed", "before", "after", "between", "ended")


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this trial."""
    parser.add_argument("--kills", type=int, default=10_000)
    parser.add_argument("--command", default="", help="only those that begin so")


# -- what a folder holds -------------------------------------------------------------------


class _State(NamedTuple):
    """All that the stores and files of a folder hold: rows by table, digests by file."""

    rows: dict[str, list[tuple[Any, ...]]]
    files: dict[str, str]

    @classmethod
    def of(cls, folder: Path) -> _State:
        rows, files = dict[str, list[tuple[Any, ...]]](), dict[str, str]()
        for path in sorted(folder.rglob("*")):
            name = _named(path, folder)
            if not path.is_file() or name.startswith(("in/", "tmp/")) or _is_beside(name):
                continue
            if path.suffix == ".db":
                for table, some in rows_of(path).items():
                    if table not in {"seal", "store"}:
                        listed = (_plain(row) for row in some.elements())
                        rows[f"{name}:{table}"] = sorted(listed, key=repr)
            else:
                files[name] = hashlib.sha256(_same(path.read_bytes())).hexdigest()
        return cls(rows, files)


def _is_beside(name: str) -> bool:
    return name.endswith(("-wal", "-shm", "stdout", "stderr", "events")) or ".memctl-" in name


def _paths(folder: Path) -> set[str]:
    return {_named(path, folder) for path in folder.rglob("*")}


def _named(path: Path, folder: Path) -> str:
    name = _same(path.relative_to(folder).as_posix().encode()).decode()
    return _RANDOM.sub("#", name)


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_same(c.encode()).decode() if isinstance(c, str) else c for c in row)


def _same(content: bytes) -> bytes:
    """Return a content without the name of its folder, and without times by the real clock."""
    return _REAL.sub(b"then", _PLACE.sub(b".", content))


def _state_of(folder: Path) -> _State:
    """Return the state of a folder, read in a fork: this process opens no store that others copy."""
    return in_a_child(lambda: None, lambda: _State.of(folder))


class _Mask:
    """What differs between runs that nobody killed: random ids, milliseconds, what is made of them."""

    def __init__(self, runs: Sequence[_State]) -> None:
        self._columns, self._files = defaultdict[str, set[int]](set), set[str]()
        self._counted = set[str]()
        first = runs[0]
        for other in runs[1:]:
            for name, some in first.rows.items():
                theirs = other.rows.get(name, [])
                if len(some) != len(theirs):
                    self._counted.add(name)
                for at in range(len(some[0]) if some else 0):
                    if Counter(row[at] for row in some) != Counter(row[at] for row in theirs):
                        self._columns[name].add(at)
            self._files |= {
                name for name in first.files if other.files.get(name) != first.files[name]
            }
        for other in runs[1:]:
            self._counted |= {n for n in first.rows if self._rows(n, first) != self._rows(n, other)}

    def _rows(self, name: str, state: _State) -> object:
        some = state.rows.get(name, [])
        masked = self._columns.get(name, ())
        if name in self._counted:
            return len(some)
        return sorted(
            repr([cell for at, cell in enumerate(row) if at not in masked]) for row in some
        )

    def digests(self, state: _State) -> dict[str, str]:
        """Return a digest of each table and file, without what differs anyway; none of an empty table."""
        result = {
            name: hashlib.sha256(repr(self._rows(name, state)).encode()).hexdigest()[:12]
            for name, some in state.rows.items()
            if some
        }
        return result | {
            name: "" if name in self._files else sha for name, sha in state.files.items()
        }


# -- one command -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Tried:
    """A command on a folder of its own, and what it makes of it, once and twice."""

    line: str
    words: list[str]
    given: str
    base: Path
    code: int = 0
    events: int = 0
    seconds: float = 0
    mask: Any = None
    states: list[dict[str, str]] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)


class _Ended(NamedTuple):
    """How a command ended: its exit code (negative: the signal), what it printed, how long it took."""

    code: int
    out: str
    seconds: float


def _call(folder: Path, tried: _Tried, *, event: int = 0, after: float | None = None) -> _Ended:
    """Run a command in a fork; kill it before the event of that number, or after some seconds."""
    (folder / "stdout").unlink(missing_ok=True)  # of a command before
    began = time.monotonic()
    child = os.fork()
    if not child:
        try:
            _begin(folder, tried.given, event)
            memctl_cli.main(["--home", "home", "--app", APP, "--json", *tried.words])
        except SystemExit as left:
            _end(left.code if isinstance(left.code, int) else 1)
        except BaseException as error:  # noqa: BLE001  (it is told, and judged)
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            _end(70)
        _end(0)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    out = (folder / "stdout").read_text("utf-8", "replace") if (folder / "stdout").exists() else ""
    return _Ended(os.waitstatus_to_exitcode(status), out, time.monotonic() - began)


def _begin(folder: Path, given: str, event: int) -> None:
    os.chdir(folder)
    os.environ["HOME"] = str(folder / "user")  # what a hook is written into is never the user's own
    out = os.open("stdout", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    os.dup2(out, 1)
    os.dup2(os.open("stderr", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), 2)
    os.dup2(os.open(given or os.devnull, os.O_RDONLY), 0)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.stdin = os.fdopen(0)
    tempfile.tempdir = str(folder / "tmp")
    signal.alarm(_TOO_LONG)
    seen = 0

    def count(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == event:
            os.kill(os.getpid(), signal.SIGKILL)

    def heard(name: str, about: tuple[Any, ...]) -> None:
        makes = name == "open" and isinstance(about[2], int) and about[2] & os.O_CREAT
        if makes or name in _CHANGES:
            count()

    def connected(*given: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*given, **named)
        connection.set_trace_callback(count)
        return connection

    if event:
        connect = sqlite3.connect
        sqlite3.connect = connected  # type: ignore[assignment]
        sys.addaudithook(heard)
        _EVENTS.append(lambda: seen)


_EVENTS: list[Callable[[], int]] = []


def _end(code: int) -> None:
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    if _EVENTS:
        Path("events").write_text(str(_EVENTS[0]()), "utf-8")
    os._exit(code)


# -- the trial -------------------------------------------------------------------------------


class _Kill(NamedTuple):
    """One kill: the command, whether it came in time, what it left, and what is wrong."""

    line: str
    kind: str
    wrong: tuple[str, ...] = ()


def run(given: argparse.Namespace) -> Verdict:
    """Kill commands, and return what broke."""
    if names := missing():
        raise RuntimeError(f"in neither list of commands.py: {sorted(names)}")
    with tempfile.TemporaryDirectory(prefix="memctl-kills-", dir=_MEMORY) as folder:
        trial = _Trial(Path(folder).resolve(), given.seed, given.command, given.jobs)
        numbers = [given.only] if given.only is not None else range(given.kills)
        began = time.monotonic()
        kills = many(trial.kill, numbers, jobs=given.jobs, seconds=given.seconds)
        rate = len(kills) / (time.monotonic() - began)
    counts = defaultdict[str, Counter[str]](Counter)
    for kill in kills.values():
        counts[kill.line] += Counter([kill.kind, *["killed"] * (kill.kind != "ended")])
        counts[kill.line]["broken"] += bool(kill.wrong)
    broken = [(n, f"{kill.line}: {wrong}") for n, kill in kills.items() for wrong in kill.wrong]
    heads = (*_KINDS, "broken")
    rows = [(line, *(some[kind] for kind in heads)) for line, some in sorted(counts.items())]
    total = sum(counts.values(), Counter[str]())
    return Verdict(
        f"{total['killed']} kills", ("command", *heads), [*rows, (), ("all", *(total[k] for k in heads))],
        broken, f"{rate:.1f} a second; before, after, between: what the killed command left",
    )  # fmt: skip


class _Trial:
    """All commands on their folders, made ready to be killed."""

    def __init__(self, folder: Path, seed: int, only: str, jobs: int) -> None:
        os.environ.update(MEMCTL_NOW=_NOW, MEMCTL_BUSY_TIMEOUT_MS="5000", MEMCTL_DREAM_AUTO="false")
        load_everything()
        self._folder, self._seed = folder, seed
        world = folder / "world"
        self._places = make_world(world)
        lines = [
            line
            for line in WRITING.strip().splitlines()
            if line.startswith(only) or f"; {only}" in line
        ]
        made = many(
            lambda n: self._prepared(lines[n], world, folder / f"base-{n}"),
            range(len(lines)),
            jobs=jobs,
        )
        self.tried = [tried for tried in made.values() if tried]

    def _prepared(self, line: str, world: Path, base: Path) -> _Tried | None:
        *before, last = line.split(" ; ")
        command_of(last.split()[0])
        if before:
            shutil.copytree(world, base)
            for words in before:
                done = _call(base, self._tried(words, base))
                if done.code:
                    print(
                        f"{words}: exit {done.code} {done.out[:300]} {(base / 'stderr').read_text()[:300]}"
                    )
                    return None
        tried = self._tried(last, base if before else world)
        runs = list[tuple[_State, _State]]()
        for number in range(2):
            place = base.with_name(f"{base.name}-tried-{number}")
            shutil.copytree(tried.base, place)
            done = _call(place, tried, event=-number)
            if number == 0 and done.code:
                print(
                    f"{line}: exit {done.code} {done.out[:300]} {(place / 'stderr').read_text()[:300]}"
                )
            tried.code, tried.seconds = done.code, done.seconds
            if number == 1:
                tried.events = int((place / "events").read_text())
                (place / "events").unlink()
            (place / "stdout").unlink(missing_ok=True)
            once = _state_of(place)
            tried.paths |= _paths(place)
            _call(place, tried)
            runs.append(
                (
                    once,
                    _state_of(place),
                )
            )
            tried.paths |= _paths(place)
            shutil.rmtree(place)
        shutil.copytree(tried.base, place)
        first = _state_of(place)
        shutil.rmtree(place)
        for state in (0, 1):
            mask = _Mask([run[state] for run in runs])
            tried.mask = [*(tried.mask or []), mask]
        tried.states = [tried.mask[0].digests(first), tried.mask[0].digests(runs[0][0])]
        tried.states.append(tried.mask[1].digests(runs[0][1]))
        return tried

    def _tried(self, words: str, base: Path) -> _Tried:
        words, _, given = words.partition(" < ")
        listed = [word.replace("~", " ").format(**self._places) for word in words.split()]
        return _Tried(words, listed, given.strip(), base)

    def kill(self, number: int) -> _Kill:
        """Kill a command once; the number says which and when."""
        chance = Random(f"{self._seed} {number}")
        tried = self.tried[number % len(self.tried)]
        place = self._folder / f"kill-{number}"
        shutil.copytree(tried.base, place)
        try:
            if chance.random() < 0.6:
                ended = _call(place, tried, event=chance.randint(1, max(1, tried.events)))
            else:
                ended = _call(place, tried, after=chance.uniform(0, tried.seconds * 1.1))
            kind, wrong = in_a_child(lambda: None, lambda: self._look(place, tried, ended))
            if ended.code != -signal.SIGKILL:
                kind = "ended"
            return _Kill(tried.line, kind, tuple(wrong))
        finally:
            shutil.rmtree(place)

    def _look(self, place: Path, tried: _Tried, ended: _Ended) -> tuple[str, list[str]]:
        copy = place.with_name(f"{place.name}-copy")
        shutil.copytree(place, copy)
        try:
            wrong = self._whole(copy)
            found = tried.mask[0].digests(_State.of(copy))
        except (sqlite3.Error, memctl.MemctlError) as error:
            return "broken", [f"a store is not whole: {error}"]
        finally:
            shutil.rmtree(copy)
        before, after, twice = tried.states
        kind = "after" if found == after else "before" if found == before else "between"
        if before == after:
            kind = "before"
        if _acknowledged(ended.out) and kind != "after" and before != after:
            wrong.append(f"acknowledged, and lost: {_difference(found, after)}")
        again = _call(place, tried)
        if again.code < 0 or again.code in {1, 5, 6, 70}:
            said = again.out[-300:] + (place / "stderr").read_text("utf-8")[-300:]
            wrong.append(f"again: exit {again.code} {said}")
        wanted, mask = (twice, tried.mask[1]) if kind == "after" else (after, tried.mask[0])
        ends = mask.digests(_State.of(place))
        if ends != wanted and not (kind == "between" and tried.line.startswith(IN_STEPS)):
            wrong.append(f"again, from {kind}: {_difference(ends, wanted)}")
        return kind, [*wrong, *self._litter(place, tried)]

    def _whole(self, place: Path) -> list[str]:
        wrong = []
        for path in (place / "home").glob("apps/**/*.db"):
            with memctl.open(path) as memory:
                bad = [check for check in memory.doctor() if not check.ok]
            wrong += [f"{path.name}: {check.check}: {check.detail}" for check in bad]
        return wrong

    def _litter(self, place: Path, tried: _Tried) -> list[str]:
        """Return what is left after the command was repeated, and the doctor mended."""
        left = {
            path
            for folder in [place, *place.rglob("*")]
            if folder.is_dir()
            for path in leftovers(folder)
        }
        if left:
            tempfile.tempdir = str(place / "tmp")
            with memctl.open(place / "home" / "apps" / f"{APP}.db") as memory:
                memory.doctor(fix=True)
        odd = [p for p in _paths(place) - tried.paths if not p.endswith(("-wal", "-shm", "events"))]
        return [f"litter: {', '.join(sorted(odd)[:5])}"] if odd else []


def _acknowledged(out: str) -> bool:
    """Return whether a command had printed its whole answer, and that all went well."""
    try:
        return bool(json.loads(out).get("status") == "ok")
    except (ValueError, AttributeError):
        return False


def _difference(found: dict[str, str], wanted: dict[str, str]) -> str:
    names = sorted(
        name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)
    )
    return ", ".join(names[:6]) or "nothing"
