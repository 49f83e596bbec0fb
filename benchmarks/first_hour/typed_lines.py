"""Reads the lines of README that are typed, and types them in a fresh folder, in their order."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["README", "Typed", "Wanted", "type_all", "wanted_lines"]

README = Path(__file__).parents[2] / "README.md"
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

    Of the two commands that install memctl, which ``.ci/run`` runs, only what the first does when
    memctl is there.
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
