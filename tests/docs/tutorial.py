"""Runs docs/tutorial.md as its reader does; ``python -m tests.docs.tutorial`` writes what it prints.

Commands run in their order, in a folder of their own. A person's hands are played by a second
client of the browser that ``skills record`` opens: to the page, its presses are a person's.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.drivers.browsers import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

__all__ = ["PAGE", "Step", "as_shown", "run", "same_words", "steps"]

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
_BLOCK = re.compile(r'^```(console|python title="([^"\n]+)")\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_PORT = "8000"
_SERVING = "python3 orders.py"
_FILE = "save "
_MORE = "..."
# What a person presses after which line of the command.
_PRESSES = {
    "watching": "tr:has-text('Bob Cole') button",
    "  click Delete": "button:has-text('Yes, delete')",
}
_DONE = "  click Yes, delete"


@dataclass(frozen=True)
class Step:
    """One thing that the reader does.

    Parameters
    ----------
    command
        What is typed; of a file, ``save`` and its name.
    text
        What it printed, or what the file holds; a last line ``...`` stands for more of it.
    """

    command: str
    text: str = ""

    @property
    def serves(self) -> bool:
        """Whether it is typed in the second terminal, and goes on."""
        return self.command == _SERVING


def steps(page: str) -> list[Step]:
    """Return every step of the page, in its order."""
    found: list[Step] = []
    for _, file, text in _BLOCK.findall(page):
        if file:
            found.append(Step(_FILE + file, text))
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append(Step(command, printed.strip("\n")))
    return found


def as_shown(printed: str, shown: str) -> str:
    """Return what a command printed, cut where the page cuts it."""
    lines = shown.splitlines()
    if lines[-1:] != [_MORE]:
        return printed
    return "\n".join([*printed.splitlines()[: len(lines) - 1], _MORE])


def same_words(text: str) -> str:
    """Return a text without what differs from run to run: numbers, ids, widths."""
    text = re.sub(r"\b([a-z])_[0-9a-f]{6,12}\b", r"\1_", text)
    text = re.sub(r"\d+(?:[.,:-]\d+)*", "0", text)
    return " ".join(re.sub(r"─+", "─", text).split())


def run(todo: list[Step], folder: Path, commands: Path | None = None) -> Iterator[Step]:
    """Do the steps in a folder, and yield each with what it prints.

    The port of the page is replaced by a free one, and is put back into what is yielded. Commands of
    a folder `commands` go before the installed ones.
    """
    reader = _Reader(folder, _free_port(), commands or Path(sys.executable).parent)
    try:
        for step in todo:
            yield replace(step, text=reader.do(step))
    finally:
        reader.stop()


def _free_port() -> str:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


class _Reader:
    """Somebody with two terminals and a browser."""

    def __init__(self, folder: Path, port: str, commands: Path) -> None:
        self._port = port
        self._folder = folder
        self._server: subprocess.Popen[bytes] | None = None
        self._ended = 0
        installed = str(Path(sys.executable).parent)
        path = os.pathsep.join((str(commands), installed, os.environ["PATH"]))
        self._environment = {
            **{key: text for key, text in os.environ.items() if not key.startswith("MEMCTL_")},
            "PATH": path,
            "COLUMNS": "80",
            "PYTHONUNBUFFERED": "1",
        }

    def do(self, step: Step) -> str:
        """Do one step and return what it prints."""
        if step.command.startswith(_FILE):
            text = step.text.replace(_PORT, self._port)
            (self._folder / step.command.removeprefix(_FILE)).write_text(text, encoding="utf-8")
            return step.text
        if step.serves:
            self._serve()
            return ""
        printed = self._typed(step.command.replace(_PORT, self._port))
        folder = str(self._folder)
        return printed.replace(self._port, _PORT).replace(folder, "~/tutorial").strip("\n")

    def _typed(self, command: str) -> str:
        if found := re.fullmatch(r"mkdir (\w+) && cd \1", command):
            self._folder /= found[1]
            self._folder.mkdir()
            return ""
        if found := re.fullmatch(r"export (\w+)=\$PWD/(\w+)", command):
            self._environment[found[1]] = str(self._folder / found[2])
            return ""
        if " skills record " in command:
            return self._shown(command)
        done = subprocess.run(
            ["bash", "-c", f"(exit {self._ended}); {command}"],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self._ended = done.returncode
        return done.stdout

    def _serve(self) -> None:
        self.stop()
        words = [sys.executable, *_SERVING.split()[1:]]
        self._server = subprocess.Popen(words, cwd=self._folder, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with closing(socket.socket()) as one:
                if one.connect_ex(("127.0.0.1", int(self._port))) == 0:
                    return
            time.sleep(0.1)
        raise RuntimeError("the app of the tutorial did not start")

    def stop(self) -> None:
        """Press Ctrl+C in the second terminal."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait()

    def _shown(self, command: str) -> str:
        """Type a command that watches, and do in its browser what it is to see."""
        port = _free_port()
        browser = self._folder / "browser"
        flags = f"--headless=new --remote-debugging-port={port}"
        browser.write_text(f'#!/bin/sh\nexec "{find_browser()}" {flags} "$@"\n', encoding="utf-8")
        browser.chmod(0o700)
        with subprocess.Popen(
            ["bash", "-c", command],
            cwd=self._folder,
            env={**self._environment, "MEMCTL_BROWSER_PATH": str(browser)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as watching:
            printed = "".join(_play(watching, port))
        self._ended = watching.returncode
        return printed


def _play(watching: subprocess.Popen[str], port: str) -> Iterator[str]:
    """Press what is to be pressed when the command has said so far; yield what it says."""
    assert watching.stdin is not None
    assert watching.stdout is not None
    for line in watching.stdout:
        yield line
        for told, selector in _PRESSES.items():
            if line.startswith(told):
                with _same_page(port) as page:
                    page.locator(selector).click()
        if line.startswith(_DONE):
            watching.stdin.write("\n")
            watching.stdin.flush()


@contextmanager
def _same_page(port: str) -> Iterator[Page]:
    """Yield the page that a browser which listens on a port shows."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        yield next(page for page in browser.contexts[0].pages if "localhost" in page.url)


def _written(page: str) -> str:
    """Return the page with what its commands print now."""
    todo = steps(page)
    folder = Path(tempfile.mkdtemp(prefix="memctl-tutorial-"))
    try:
        done = list(run(todo, folder))
    finally:
        shutil.rmtree(folder)
    printed = iter(as_shown(new.text, old.text) for new, old in zip(done, todo, strict=True))

    def again(found: re.Match[str]) -> str:
        if found[2]:
            next(printed)
            return found[0]
        commands = re.findall(r"^\$ .+$", found[3], re.MULTILINE)
        lines = [line for command in commands for line in (command, next(printed)) if line]
        return "\n".join(["```console", *lines, "```"])

    return _BLOCK.sub(again, page)


if __name__ == "__main__":
    PAGE.write_text(_written(PAGE.read_text("utf-8")), encoding="utf-8")
