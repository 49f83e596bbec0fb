"""Give hostile input to every public door: results and memctl's own errors are allowed, nothing else is.

With atheris (Linux, Python 3.11 to 3.13: the extra ``fuzz``) inputs are guided by the code that they
reach; without it they are random. A finding is anything else: another exception, a call of over ``--longest``
seconds or that takes over 400 MB, a row that cannot be read again. Each is printed with the input that repeats it.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
import traceback
import zlib
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any

from benchmarks.trust.verdict import Verdict

if TYPE_CHECKING:
    import argparse

    from benchmarks.trust.fuzz_doors import Door, Sandbox

_LONGEST, _SECONDS = 10.0, 60.0
_MOST_MB = 400
_LONGEST_INPUT = 2_048
_SHORT = 300  # signs of an input that is printed
DOORS = (
    *(
        "image",
        "boxes",
        "filters",
        "skills",
        "imports",
        "tables",
        "screens",
        "markdown",
        "packs",
        "addresses",
    ),
    *(
        "hooks",
        "hosts",
        "mcp",
        "settings",
        "times",
        "guard",
        "recall",
        "texts",
        "erasures",
        "commands",
    ),
)


def options(command: argparse.ArgumentParser) -> None:
    """Add what a run of the fuzzer takes."""
    command.add_argument(
        "--target", action="append", choices=DOORS, help="a door; all of them by default"
    )
    command.add_argument("--longest", type=float, default=_LONGEST, help="seconds of one call")
    command.add_argument(
        "--random", action="store_true", help="random inputs, though atheris is there"
    )
    command.add_argument(
        "--corpus", type=Path, help="a folder that keeps inputs which reached new code"
    )
    command.add_argument(
        "--input", help="repeat one input: its bytes as a finding shows them, or their file"
    )


def run(given: argparse.Namespace) -> Verdict:
    """Give each door its seconds of hostile input, in a process of its own."""
    if given.input is not None:
        return _repeated(given)
    guided = find_spec("atheris") is not None and not given.random and given.only is None
    rows, broken = [], []
    for name in given.target or DOORS:
        done = _slice(name, given, guided=guided)
        findings = done["findings"]
        rows.append(
            (
                name,
                done["trials"],
                f"{done['seconds']:.0f}",
                f"{done['refused']:.0%}",
                f"{done['slowest']:.2f}",
                f"{done['mb']:.0f}",
                len(findings),
            )
        )
        broken += [
            (
                one["number"],
                f"{name}: {one['what']}\n  {one['where']}\n  of {one['made']}\n  met {one['times']} times; --target {name} --input {_kept(given.out, name, one['input'])}",
            )
            for one in findings
        ]
    how = "guided by coverage" if guided else "random (the extra fuzz brings atheris, which guides)"
    heads = ("door", "inputs", "seconds", "refused", "slowest s", "MB", "findings")
    return Verdict(f"hostile input, {how}", heads, rows, broken)


def _kept(folder: Path, name: str, data: str) -> str:
    """Return how an input is given again: its bytes, or the file that a long one is put into."""
    if len(data) < _SHORT:
        return shlex.quote(data)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"fuzz-{name}-{zlib.crc32(data.encode()):08x}.txt"
    file.write_text(data, "utf-8")
    return str(file)


def _slice(name: str, given: argparse.Namespace, *, guided: bool) -> dict[str, Any]:
    """Run a slice of one door in a process of its own, which a crash of the interpreter ends alone."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        asked = {
            "name": name,
            "seed": given.seed,
            "seconds": given.seconds or _SECONDS,
            "longest": given.longest,
            "only": given.only,
            "guided": guided,
            "report": str(report),
            "corpus": str(given.corpus / name) if given.corpus else None,
        }
        work = subprocess.run(  # noqa: S603  (this file)
            [sys.executable, "-m", __name__, json.dumps(asked)],
            check=False,
            capture_output=True,
            text=True,
        )
        done: dict[str, Any] = (
            json.loads(report.read_text("utf-8"))
            if report.exists()
            else {"trials": 0, "seconds": 0, "refused": 0, "slowest": 0, "mb": 0, "findings": []}
        )
    if work.returncode:
        last = done.get("last", "")
        done["findings"].append(
            {
                "number": 0,
                "what": f"the process ended with {work.returncode}",
                "where": work.stderr[-2_000:],
                "made": "",
                "times": 1,
                "input": last,
            }
        )
    return done


def _repeated(given: argparse.Namespace) -> Verdict:
    """Give one input to one door, with the whole trace of what it comes to."""
    name = (given.target or [""])[0]
    file = Path(given.input)
    said = file.read_text("utf-8") if given.input.endswith(".txt") else given.input
    data: bytes = ast.literal_eval(said)
    with TemporaryDirectory(dir=_memory()) as folder:
        trials = Trials(name, Path(folder), given.longest)
        finding = trials.give(data, 0)
        print(f"input: {' '.join(trials.made)}\n{trials.trace or trials.answer}")
    return Verdict(
        f"one input for {name}",
        ("door", "finding"),
        [(name, finding or "none")],
        [(0, finding)] if finding else [],
    )


def _memory() -> str:
    """Return a folder in memory, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else gettempdir()  # noqa: S108  (a folder of its own is made there)


class TookTooLongError(BaseException):
    """A call that took longer than a user waits; no ``except Exception`` keeps it."""


class Trials:
    """The trials of one door, and what was found.

    Attributes
    ----------
    made, answer, trace
        What the last input came to, and how that ended.
    """

    def __init__(
        self, name: str, folder: Path, longest: float = _LONGEST, home: Path | None = None
    ) -> None:
        from benchmarks.trust.fuzz_doors import RUNS, Sandbox, stocked

        self._door: Door = RUNS[name]
        self._box: Sandbox = Sandbox(folder, home or stocked(folder))
        self._longest = 300.0
        self._findings: dict[str, dict[str, Any]] = {}
        self.count = self._refused = 0
        self._slowest = 0.0
        self.made: list[str] = []
        self.answer = self.trace = ""
        signal.signal(signal.SIGALRM, self._ring)
        self.give(b"", 0)  # makes the seeds, loads what is loaded late
        self._longest, self._slowest = longest, 0.0
        self._begun = time.monotonic()

    def give(self, data: bytes, number: int) -> str:
        """Give an input to the door; return what is wrong, empty where nothing is."""
        from benchmarks.trust.fuzz_input import Draw
        from memctl.base.errors import MemctlError

        draw = Draw(data)
        self.made, self.answer, self.trace = draw.made, "done", ""
        before, begun = _megabytes(), time.perf_counter()
        problem: BaseException | None = None
        signal.setitimer(signal.ITIMER_REAL, self._longest)
        try:
            with self._box.trial(rolls_back=self._door.rolls_back):
                self._door.run(draw, self._box)
        except MemctlError as error:
            self._refused += 1
            self.answer = f"{type(error).__name__}: {error}"
            problem = error if "a defect in memctl" in error.message else None
        except (Exception, TookTooLongError) as error:  # noqa: BLE001  (that is what is looked for)
            problem = error
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        took, grown = time.perf_counter() - begun, _megabytes() - before
        self.count += 1
        self._slowest = max(self._slowest, took)
        if problem is None and grown < _MOST_MB:
            return ""
        if problem is not None:
            self.trace = "".join(traceback.format_exception(problem))
            self._box.renew()
        return self._found(data, number, problem, grown)

    def shorten(self) -> None:
        """Cut each input that was found to the shortest beginning of it that does the same."""
        for key, kept in self._findings.items():
            data, size = ast.literal_eval(kept["input"]), 1
            while size < len(data):
                before = kept["times"]
                self.give(data[:size], kept["number"])
                if self._findings[key]["times"] > before:
                    break
                size *= 2

    def report(self) -> dict[str, Any]:
        """Return the counts, and the findings."""
        return {
            "trials": self.count,
            "seconds": time.monotonic() - self._begun,
            "refused": self._refused / max(self.count, 1),
            "slowest": self._slowest,
            "mb": _megabytes(),
            "findings": [*self._findings.values()],
        }

    def _ring(self, *_: object) -> None:
        raise TookTooLongError(f"it took longer than {self._longest:g} s")

    def _found(self, data: bytes, number: int, problem: BaseException | None, grown: float) -> str:
        """Keep a finding, once for each place in the code that it came from; return it in words."""
        what = (
            f"it took {grown:.0f} MB"
            if problem is None
            else f"{type(problem).__name__}: {problem!s:.300}"
        )
        where = ""
        if problem is not None:
            frames = traceback.extract_tb(problem.__traceback__)
            ours = [
                f for f in frames if "/engine/memctl/" in f.filename or "/memctl_cli/" in f.filename
            ] or [*frames]
            where = " < ".join(
                f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in ours[-3:][::-1]
            )
        key = f"{type(problem).__name__} {where.partition(' < ')[0]}"
        if type(problem).__name__ == "DefectError":
            key = f"{problem!s:.30}"
        kept = self._findings.setdefault(
            key,
            {
                "number": number,
                "what": what,
                "where": where,
                "made": " ".join(self.made)[:1_500],
                "times": 0,
                "input": repr(data),
            },
        )
        kept["times"] += 1
        if len(data) < len(ast.literal_eval(kept["input"])):
            kept.update(input=repr(data), made=" ".join(self.made)[:1_500], what=what)
        return what


def _megabytes() -> float:
    """Return the most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _work(asked: dict[str, Any]) -> None:
    """Give inputs to one door until its seconds are over, and write the report now and then."""
    with TemporaryDirectory(dir=_memory()) as folder:
        if asked["guided"]:
            import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

            # Open for good: memctl imports much where it is first used.
            atheris.instrument_imports(
                include=["memctl", "memctl_cli"], enable_loader_override=False
            ).__enter__()
        trials = Trials(asked["name"], Path(folder), asked["longest"])
        report = Path(asked["report"])
        end, written = time.monotonic() + asked["seconds"], time.monotonic()

        def give(data: bytes) -> None:
            nonlocal written
            trials.give(data, trials.count)
            now = time.monotonic()
            if now > end:
                trials.shorten()
            if now > end or now > written + 5:
                written = now
                report.write_text(json.dumps(trials.report()), "utf-8")
            if now > end:
                os._exit(0)  # a fuzzer never returns

        if asked["guided"]:
            import atheris

            corpus = [asked["corpus"]] if asked["corpus"] else []
            for one in corpus:
                Path(one).mkdir(parents=True, exist_ok=True)
            atheris.Setup(
                [
                    sys.argv[0],
                    f"-seed={asked['seed']}",
                    f"-max_len={_LONGEST_INPUT}",
                    "-len_control=10",
                    "-rss_limit_mb=0",
                    "-timeout=0",
                    *corpus,
                ],
                give,
            )
            atheris.Fuzz()
        if asked["only"] is not None:
            trials.give(random_bytes(asked["seed"], asked["name"], asked["only"]), asked["only"])
            report.write_text(json.dumps(trials.report()), "utf-8")
            return
        while True:
            give(random_bytes(asked["seed"], asked["name"], trials.count))


def random_bytes(seed: int, name: str, number: int) -> bytes:
    """Return the random input of a trial: the seed, its door and its number decide it."""
    random = Random(f"{seed} {name} {number}")
    return random.randbytes(random.choice((8, 32, 128, 512, _LONGEST_INPUT)))


if __name__ == "__main__":
    _work(json.loads(sys.argv[1]))
