"""Type every line of README in a fresh folder, and print what each step of a newcomer takes.

    python -m benchmarks.first_hour

Nothing is there but README, an empty home and the environment that this runs in.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.running import arguments, keep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# -- typed lines -------------------------------------------------

README = Path(__file__).parents[1] / "README.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INSTALLING = "## Two commands"
_PORT = "8000"
_PATH = "/usr/local/bin:/usr/bin:/bin"
# Where nobody has installed the shell of SQLite: CI has only Python.
_SHELL = """#!{python}
import sqlite3, sys
for row in sqlite3.connect(sys.argv[-2]).execute(sys.argv[-1]):
    print(*row, sep="|")
"""
_SECONDS = 600  # the longest that all of it may take


@dataclass(frozen=True, slots=True)
class Wanted:
    """What README says to type, and what it shows of the answer.

    Parameters
    ----------
    text
        The line; of Python the whole block.
    language
        ``console``, ``sh`` or ``python``.
    shown
        Lines of the answer, as they stand there.
    """

    text: str
    language: str
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that was typed: how it ended, what it printed, and how long it took."""

    wanted: Wanted
    code: int
    out: str
    error: str
    seconds: float


def wanted_lines(page: str) -> list[Wanted]:
    """Return what a page says to type, in its order.

    What installs memctl is run by ``.ci/run``: of the lines above the first heading nothing, of the
    two commands what the first does when memctl is there.
    """
    return [
        line
        for found in _BLOCK.finditer(page)
        for line in _lines(found[1], found[2], page[: found.start()])
    ]


def _lines(language: str, block: str, before: str) -> Iterator[Wanted]:
    if language == "console":
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, *shown = part.splitlines()
            yield Wanted(line, language, tuple(shown))
    elif language == "sh" and "\n## " not in before:
        return
    elif language == "sh" and before.rsplit("\n## ", 1)[-1].startswith(_INSTALLING[3:]):
        yield Wanted(block.splitlines()[0].rsplit(" && ", 1)[-1], language)
    elif language == "sh":
        yield from (Wanted(line, language) for line in block.splitlines())
    elif language == "python":
        yield Wanted(block, language)


def type_all(lines: list[Wanted], folder: Path, memctl: Path | None = None) -> list[Typed]:
    """Type lines into one shell, in a fresh folder, as somebody whose home is empty.

    Parameters
    ----------
    lines
        What is typed; all of it, whatever fails.
    folder
        An empty folder. ``.venv`` leads to the environment that this runs in. A free port stands
        for 8000.
    memctl
        A command that is run for ``memctl``, in place of the installed one.
    """
    port = _free_port()
    kept, place = folder / "typed", folder / "place"
    for made in (kept, place, folder / "home"):
        made.mkdir()
    (place / ".venv").symlink_to(sys.prefix)
    parts = [f"cd {place}"]
    if memctl is not None:
        parts.append(f'memctl() {{ {memctl} "$@"; }}')
    if shutil.which("sqlite3", path=_PATH) is None:
        shell = folder / "home" / "sqlite3"
        shell.write_text(_SHELL.format(python=sys.executable), "utf-8")
        shell.chmod(0o700)
        parts.append(f"PATH=$PATH:{folder / 'home'}")
    for number, line in enumerate(lines):
        text = line.text.replace(_PORT, str(port))
        if line.language == "python":
            (kept / f"{number}.py").write_text(text, "utf-8")
            text = f"python {kept / f'{number}.py'}"
        parts += [
            "began=$EPOCHREALTIME",
            f"{{ {text}\n}} > {kept}/{number}.out 2> {kept}/{number}.error < /dev/null",
            f"echo $? $began $EPOCHREALTIME > {kept}/{number}.code",
        ]
    script = folder / "script"
    script.write_text("\n".join([*parts, ""]), "utf-8")
    _run(script, folder / "home")
    return [_typed(line, kept / str(number)) for number, line in enumerate(lines)]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _run(script: Path, home: Path) -> None:
    """Run a script with bash, in an environment that holds nothing; end all that it began."""
    environment = {"HOME": str(home), "PATH": _PATH, "COLUMNS": "80"}
    shell = subprocess.Popen(  # noqa: S603  (the project's own page)
        ["/bin/bash", str(script)], env=environment, start_new_session=True
    )
    try:
        shell.wait(_SECONDS)
    finally:
        with suppress(ProcessLookupError):  # nothing goes on
            os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()


def _typed(line: Wanted, kept: Path) -> Typed:
    code, began, ended = kept.with_suffix(".code").read_text("utf-8").split()
    out, error = (kept.with_suffix(end).read_text("utf-8") for end in (".out", ".error"))
    return Typed(line, int(code), out, error, float(ended) - float(began))


# -- steps -------------------------------------------------------


class Step(NamedTuple):
    """A wish, the beginning of the line that fulfils it, and a piece of the answer that shows it."""

    what: str
    begins: str
    shows: str


STEPS = (
    Step("see what it is", ".venv/bin/memctl demo", "Harbor is a small invoicing app"),
    Step("learn a page of an app that is served", "memctl learn http:", "Add_guest"),
    Step("find a button on it", "memctl locate Delete http:", "Delete_by_Bob_Cole: x "),
    Step("run a skill", "memctl skills run add-a-guest --url", "done after step 3"),
    Step("log what was said", "memctl log ", "turn 1"),
    Step("ask", "memctl recall ", "Ann moved the launch to 3 March"),
    Step("store a fact", "memctl memory store ", "ADD f_"),
    Step("store what it has changed to", "memctl memory store ", "SUPERSEDE f_"),
    Step("read the report", "memctl --app harbor report", "HEALTH  harbor"),
)


def step_lines(lines: Sequence[Wanted]) -> list[int]:
    """Return the place of each step's line: the first behind the step before.

    Raises
    ------
    LookupError
        When README says no such line there.
    """
    found: list[int] = []
    for step in STEPS:
        behind = found[-1] + 1 if found else 0
        places = [at for at in range(behind, len(lines)) if lines[at].text.startswith(step.begins)]
        if not places:
            raise LookupError(f'README has no line "{step.begins}" to {step.what}')
        found.append(places[0])
    return found


# -- main ----------------------------------------------------


def main(words: Sequence[str] | None = None) -> None:
    """Type the lines, print the newcomer's steps with their seconds, and keep all of them."""
    parser = arguments(__doc__, "first_hour")
    options = parser.parse_args(words)
    lines = wanted_lines(README.read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="memctl-first-hour-") as folder:
        typed = type_all(lines, Path(folder))
    for step, at in zip(STEPS, step_lines(lines), strict=True):
        print(f"{typed[at].seconds:6.1f} s  {step.what:40} {lines[at].text.split('   # ')[0]}")
    whole = sum(one.seconds for one in typed)
    failed = [one.wanted.text for one in typed if one.code]
    print(f"{whole:6.1f} s  all {len(typed)} lines, {len(failed)} failed")
    figures = {
        "steps": [
            {"what": step.what, "line": lines[at].text, "seconds": typed[at].seconds}
            for step, at in zip(STEPS, step_lines(lines), strict=True)
        ],
        "lines": len(typed),
        "failed": failed,
        "seconds": whole,
    }
    keep("first_hour", figures, options.out)


if __name__ == "__main__":
    main()
