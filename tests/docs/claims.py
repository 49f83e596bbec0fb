"""Write ``docs/reliability.md`` from ``docs/claims.toml``, and hold every claim in it to its checks.

    python -m tests.docs.claims                  the page anew
    python -m tests.docs.claims --check REPORT   exit 1 where a claim is not held

REPORT is what ``pytest --junitxml`` wrote of the whole suite. A claim is held when every test that it names
has passed there (one that was skipped or left out holds nothing) and its slice, a benchmark of a few seconds,
ends with exit 0. `.ci/run` checks all claims so.
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections import defaultdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from benchmarks.running import ROOT, git
from tests.docs import figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

PAGE = ROOT / "docs" / "reliability.md"
SOURCE = ROOT / "docs" / "claims.toml"
# What is known of the run that printed a figure: all of it, or nothing.
WHOLE_RUN = {"figure", "command", "commit", "date", "rooms"}
_LONGEST = 300  # seconds of one slice: it hangs
_BENCHMARK = re.compile(r"python -m (benchmarks\.\w+)")
_HEAD = """# Reliability

What memctl promises about what it keeps, and what holds each promise. A claim is of `docs/claims.toml`; a build fails
where one has no test, a test of one fails or is skipped, or its slice (a small run of the benchmark) breaks a promise.
The figure is of the whole run, by the command beside it. What is not promised stands in `SECURITY.md`, in the root of
the project; how good recall and recognition are in [the figures](figures.md).
`python -m tests.docs.claims` makes this page.
"""
Claim = dict[str, Any]


def read(source: Path = SOURCE) -> list[Claim]:
    """Return every claim of the file."""
    claims: list[Claim] = tomllib.loads(source.read_text("utf-8"))["claim"]
    return claims


def page(claims: Sequence[Claim], changed: Callable[[Claim], Iterable[str]] = lambda _: ()) -> str:
    """Return the page of all claims, by what they are about.

    Parameters
    ----------
    changed
        The rooms of a whole run that have changed since.
    """
    parts = [_HEAD]
    for about in dict.fromkeys(claim["about"] for claim in claims):
        parts.append(f"\n## {about}\n")
        for claim in claims:
            if claim["about"] == about:
                parts += [f"\n{claim['claim']}\n\n", *_checks(claim, changed)]
    return "".join(parts)


def _checks(claim: Claim, changed: Callable[[Claim], Iterable[str]]) -> Iterator[str]:
    if "figure" in claim:
        printed = f"{claim['date']}, `{claim['commit']}`"
        if rooms := ", ".join(changed(claim)):
            printed += f"; older than a change of {rooms}"
        yield f"- **{claim['figure']}**: `{claim['command']}` ({printed})\n"
    if "slice" in claim:
        yield f"- In each build: `{claim['slice']}`\n"
    for file, names in _by_file(claim.get("tests", ())).items():
        yield f"- `{file}`: {'; '.join(name.replace('_', ' ') for name in names)}\n"


def _by_file(tests: Iterable[str]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        file, _, name = test.partition("::")
        named[file].append(name.removeprefix("test_"))
    return named


def faults(claims: Iterable[Claim], root: Path = ROOT) -> list[str]:
    """Return what no run is needed for to say: claims without a check, tests and benchmarks that do not exist."""
    wrong = []
    for claim in claims:
        said = claim["claim"]
        if not claim.get("tests") and "slice" not in claim:
            wrong.append(f"no check: {said}")
        for test in claim.get("tests", ()):
            file, _, name = test.partition("::")
            if name not in _defined(root / file):
                wrong.append(f"no such test: {test} of: {said}")
        for command in (claim[key] for key in ("slice", "command") if key in claim):
            benchmark = _BENCHMARK.match(command)
            if benchmark is None or find_spec(benchmark[1]) is None:
                wrong.append(f"no such benchmark: {command} of: {said}")
        if WHOLE_RUN & claim.keys() not in ({*()}, WHOLE_RUN):
            wrong.append(f"a figure needs {', '.join(sorted(WHOLE_RUN - claim.keys()))}: {said}")
    return wrong


@cache
def _defined(file: Path) -> set[str]:
    if not file.is_file():
        return set()
    tree = ast.parse(file.read_text("utf-8"))
    return {part.name for part in tree.body if isinstance(part, ast.FunctionDef)}


def outcomes(report: Path) -> dict[str, set[str]]:
    """Return how each test of a pytest report ended, by file and name, for each set of its parameters."""
    ends: dict[str, set[str]] = defaultdict(set)
    # The report is our own run's.
    for case in ET.parse(report).iter("testcase"):  # noqa: S314
        file = case.get("classname", "").replace(".", "/") + ".py"
        name = case.get("name", "").partition("[")[0]
        kinds = {part.tag for part in case} & {"failure", "error", "skipped"}
        ends[f"{file}::{name}"] |= kinds or {"passed"}
    return ends


def unheld(claims: Iterable[Claim], ends: Mapping[str, set[str]]) -> list[str]:
    """Return which claims a run of the suite does not hold, and why."""
    return [
        f"{', '.join(sorted(ends.get(test, {'not run'})))}: {test} of: {claim['claim']}"
        for claim in claims
        for test in claim.get("tests", ())
        if ends.get(test) != {"passed"}
    ]


def failed_slices(claims: Iterable[Claim]) -> list[str]:
    """Run each slice once; return those that broke a promise, with the end of what they printed."""
    failed = []
    for command in dict.fromkeys(claim["slice"] for claim in claims if "slice" in claim):
        print(f"== {command}", flush=True)
        words = shlex.split(command)
        if words[0] == "python":
            words[0] = sys.executable
        try:
            done = subprocess.run(
                words, cwd=ROOT, capture_output=True, text=True, timeout=_LONGEST, check=False
            )
        except subprocess.TimeoutExpired:
            failed.append(f"not done after {_LONGEST} s: {command}")
            continue
        if done.returncode:
            failed.append(
                f"exit {done.returncode}: {command}\n{(done.stdout + done.stderr)[-3000:]}"
            )
    return failed


def main(words: Sequence[str] | None = None) -> None:
    """Write the page; or check every claim, and exit 1 where one is not held."""
    parser = argparse.ArgumentParser(prog="python -m tests.docs.claims")
    parser.add_argument("--check", type=Path, metavar="REPORT", help="of pytest --junitxml")
    options = parser.parse_args(words)
    claims = read()
    wrong = faults(claims)
    if options.check:
        wrong += unheld(claims, outcomes(options.check)) + failed_slices(claims)
    else:
        commits = {claim["commit"] for claim in claims if "commit" in claim}
        wrong += [f"no such commit: {name}" for name in commits if not git("cat-file", "-t", name)]
    if wrong:
        sys.exit("\n".join(wrong))
    if not options.check:
        PAGE.write_text(page(claims, figures.changed_rooms), "utf-8")
    print(f"{len(claims)} claims, each with its checks")


if __name__ == "__main__":
    main()
