"""Cut the power: writes that were not synced are left out or torn, and the store is whole.

The calls of `steps` are recorded with strace, each acknowledged by a mark. A cut is a moment of the
recording: what was synced before it is there, of the rest a random part. Then every store must be whole
and as it was after one of the calls, and what was promised to outlive a cut must be there.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import memctl
from benchmarks.running import ROOT
from benchmarks.trust.damage import load_everything, rows_of
from benchmarks.trust.disk import CALLS, Call, Disk, recorded
from benchmarks.trust.many import many
from benchmarks.trust.verdict import Verdict
from memctl_cli.demo import bundle
from tests.processes import in_a_child

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator


_APP, _GUEST = "harbor", "quay"
_STORES = (f"apps/{_APP}.db", f"apps/{_GUEST}.db")


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this trial."""
    parser.add_argument("--cuts", type=int, default=2000)


class Step(NamedTuple):
    """A call that is recorded, and what it promises.

    Parameters
    ----------
    lasts
        Whether it is there from then on, whatever happens.
    file
        A file of the home that is there from then on, as it is.
    gone
        A text that no row has from then on.
    """

    name: str
    act: Callable[[], object]
    lasts: bool = False
    file: str = ""
    gone: str = ""


def steps(home: Path) -> Iterator[Step]:
    """Return the calls, as a user makes them; each opens the store and closes it."""
    shot = bundle.shot("login")

    def within(act: Callable[[memctl.Memory], object], app: str = _APP) -> Callable[[], None]:
        def call() -> None:
            with memctl.open(app, home, session="monday") as memory:
                act(memory)

        return call

    yield Step("journal", within(lambda m: m.journal.decide("First of all")), lasts=True)
    for turn in range(3):
        text = f"Berth {turn}: Bo waits at the ferry"
        yield Step("log", within(lambda m, text=text: m.log(text)))  # type: ignore[misc]
    yield Step("learn", within(lambda m: m.learn(shot.png, shot.boxes_file(), page="login")))
    yield Step("journal", within(lambda m: m.journal.decide("The crane")), lasts=True)
    said = list[int]()
    yield Step("log", within(lambda m: said.append(m.log("Xylotown is where Zorro lives"))))
    yield Step("fact", within(lambda m: m.facts.store("Ann lives in Porto")))
    yield Step("remember", within(lambda m: m.remember("The quay was inspected")))
    backup, pack, lines = (home / name for name in ("one.db", "one.pack", "lines.jsonl"))
    yield Step("backup", within(lambda m: m.backup(backup)), file="one.db")
    yield Step(
        "erase",
        within(lambda m: m.erase(f"turn:{said.pop()}", confirm=True)),
        gone="Xylotown",
        lasts=True,
    )
    yield Step("pack", within(lambda m: m.packs.export_pack(pack)), file="one.pack")
    yield Step("export", within(lambda m: m.export_to(lines, "jsonl")), file="lines.jsonl")
    yield Step("export", within(lambda m: m.export_to(home / "notes")), file="notes")
    take = within(lambda m: m.packs.import_pack(pack, unsigned=True, force=True), _GUEST)
    yield Step("import", take)
    held = list[memctl.Memory]()
    yield Step("open", lambda: held.append(memctl.open(_APP, home, session="tuesday")))
    for turn in range(3):
        text = f"Decision {turn}"
        yield Step("journal", lambda text=text: held[0].journal.decide(text), lasts=True)  # type: ignore[misc]
        yield Step("log", lambda text=text: held[0].log(f"After {text}"))  # type: ignore[misc]
    yield Step("vacuum", lambda: memctl.Memory.vacuum(held[0]))
    yield Step("log", lambda: said.append(held[0].log("Yonderville is where Quux lives")))
    erase = Step("erase", lambda: held[0].erase(f"turn:{said.pop()}", confirm=True), lasts=True)
    yield erase._replace(gone="Yonderville")
    yield Step("close", lambda: held.pop().close())


def perform(root: str) -> None:
    """Make all calls below a folder, and mark in a file where each begins and is acknowledged."""
    with Path(root, "marks").open("a", buffering=1, encoding="utf-8") as marks:
        for step in steps(Path(root, "home")):
            marks.write(f"begin {step.name}\n")
            step.act()
            marks.write(f"done {step.name}\n")
            marks.flush()


def run(given: argparse.Namespace) -> Verdict:
    """Record the calls, cut the power at random moments, and return what broke."""
    if shutil.which("strace") is None:
        print("strace is not installed: nothing can be recorded", file=sys.stderr)
        sys.exit(2)
    with tempfile.TemporaryDirectory(prefix="memctl-power-") as folder:
        trial = _Trial(Path(folder), given.seed)
        numbers = [given.only] if given.only is not None else range(given.cuts)
        ends = many(trial.cut, numbers, jobs=given.jobs, seconds=given.seconds)
    at = Counter(end.during for end in ends.values())
    earlier = Counter(end.during for end in ends.values() if end.earlier)
    broken = [(number, f"{e.during}: {wrong}") for number, e in ends.items() for wrong in e.wrong]
    bad = Counter(end.during for end in ends.values() if end.wrong)
    rows = [(name, count, earlier[name], bad[name]) for name, count in sorted(at.items())]
    total = (len(ends), earlier.total(), bad.total())
    return Verdict(
        f"{len(ends)} power cuts", ("during", "cuts", "store is earlier", "broken"),
        [*rows, (), ("all", *total)], broken,
        f"{len(trial.calls):,} calls of the file system recorded",
    )  # fmt: skip


class _End(NamedTuple):
    """What a cut left: during which call, whether a store is an earlier one, and what is wrong."""

    during: str
    earlier: bool
    wrong: tuple[str, ...]


class _Trial:
    """The recording, and the state of every file after each call where no power is cut."""

    def __init__(self, folder: Path, seed: int) -> None:
        load_everything()
        self.folder, self._seed = folder, seed
        root = folder / "recorded"
        root.mkdir()
        self.root = str(root.resolve())
        self.calls = list[Call]()
        self._steps = list(steps(Path("home")))
        self.states: list[dict[str, str]] = []
        self._marks: list[int] = []
        disk = Disk(self.root)
        for call in self._record():
            before = len(disk.marks)
            if not disk.take(call):
                continue
            self.calls.append(call)
            if len(disk.marks) > before:
                self._marks.append(len(self.calls) - 1)
                if not disk.marks[-1].startswith("begin") or not self.states:
                    self.states.append(self._state(disk))
        if len(self.states) != len(self._steps) + 1:
            raise RuntimeError("the recording is not whole")

    def _record(self) -> list[Call]:
        trace = self.folder / "trace"
        code = f"from benchmarks.trust.power import perform; perform({self.root!r})"
        words = ["strace", "-f", "--seccomp-bpf", "-xx", "-s", "16777216", "-o", str(trace)]
        words += ["-e", f"trace={CALLS}", sys.executable, "-c", code]
        subprocess.run(words, check=True, cwd=ROOT)  # noqa: S603  (our own interpreter)
        return recorded(trace)

    def _state(self, disk: Disk) -> dict[str, str]:
        place = self.folder / "whole"
        disk.after(place)
        state = {name: _digest(place / "home" / name) for name in _STORES}
        files = {step.file for step in self._steps if step.file}
        return state | {name: _bytes(place / "home" / name) for name in files}

    def cut(self, number: int) -> _End:
        """Cut the power once; the number decides when, and what is left."""
        chance = Random(f"{self._seed} {number}")
        moment = chance.randrange(self._marks[0], len(self.calls))
        if chance.random() < 0.3:  # as soon as it was acknowledged
            moment = chance.choice(self._marks)
        disk = Disk(self.root)
        for call in self.calls[: moment + 1]:
            disk.take(call)
        place = self.folder / f"cut-{number}"
        disk.after(place, chance)
        done = sum(mark.startswith("done") for mark in disk.marks)
        try:
            earlier, wrong = in_a_child(lambda: None, lambda: self._look(place / "home", done))
        finally:
            shutil.rmtree(place)
        during = (
            disk.marks[-1].partition(" ")[2] if disk.marks[-1].startswith("begin") else "between"
        )
        return _End(during, earlier, tuple(wrong))

    def _look(self, home: Path, done: int) -> tuple[bool, list[str]]:
        wrong, earlier = [], False
        promised = self._steps[:done]
        for name in _STORES:
            lasting = [n for n, step in enumerate(promised, 1) if step.lasts]
            least = lasting[-1] if lasting and name == _STORES[0] else 0
            possible = [state[name] for state in self.states[least : done + 2]]
            found, said = self._opened(home, name)
            wrong += said
            if found not in possible:
                known = [n for n, state in enumerate(self.states) if state[name] == found]
                wrong.append(f"{name} is of call {known or 'none'}, not of {least} to {done + 1}")
            earlier |= found != self.states[done][name]
        for step in [step for step in self._steps if step.file]:
            found, whole = _bytes(home / step.file), self.states[-1].get(step.file)
            if found not in {whole, "" if step not in promised else whole}:
                wrong.append(f"{step.file} of {step.name} is not whole")
        for text in (step.gone.encode() for step in promised if step.gone):
            files = [home / (name + ending) for name in _STORES for ending in ("", "-wal")]
            wrong += [f"{text!r} is in {f.name}" for f in files if text in _content(f)]
        return earlier, wrong

    def _opened(self, home: Path, name: str) -> tuple[str, list[str]]:
        path = home / name
        if not path.exists():
            return "", []
        try:
            warnings.simplefilter("ignore")  # a log that lost something is told, as it should be
            with memctl.open(path.stem, home) as memory:
                bad = [check for check in memory.doctor() if not check.ok]
        except memctl.MemctlError as error:
            return "", [f"{name}: {error.message}"]
        return _digest(path), [f"{name}: {check.check}: {check.detail}" for check in bad]


def _digest(path: Path) -> str:
    """Return the digest of all rows of a store; empty where there is none, or nothing in it."""
    if not path.exists():
        return ""
    rows = {name: sorted(map(repr, some)) for name, some in rows_of(path).items() if name != "seal"}
    if not any(some for name, some in rows.items() if name not in {"store", "origin"}):
        return ""
    return hashlib.sha256(repr(sorted(rows.items())).encode()).hexdigest()[:12]


def _content(path: Path) -> bytes:
    """Return the bytes of a file, or of all files of a folder; none where nothing is there."""
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return b"".join(file.name.encode() + file.read_bytes() for file in files)


def _bytes(path: Path) -> str:
    return hashlib.sha256(_content(path)).hexdigest()[:12] if path.exists() else ""
