"""The examples run as they stand, on the real packages, and type checkers are content with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from examples import every_name as read_by_mypy  # with this module, in the run of the linters
from tests.browsers import needs_browser
from tests.docs import every_name

EXAMPLES = Path(__file__).parents[1] / "examples"
# .ci/run installs a virtual screen and sets this: then a test without one fails.
needs_desktop = pytest.mark.skipif(
    not os.environ.get("DESKTOP_REQUIRED")
    and not (shutil.which("xvfb-run") and find_spec("tkinter")),
    reason="no virtual screen: install xvfb and tkinter, or run .ci/run as root",
)


def printed(home: Path, *words: str) -> list[str]:
    """Run an example in an interpreter of its own, in a home of its own; return what it prints."""
    environment = {**os.environ, "MEMCTL_HOME": str(home), "OPENAI_AGENTS_DISABLE_TRACING": "1"}
    done = subprocess.run(
        words,
        cwd=EXAMPLES,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_langchain_makes_tools_of_a_memory(home: Path) -> None:
    (recalled,) = printed(home, sys.executable, "langchain_tool.py")
    assert recalled.endswith("] Ann lives in Porto")


def test_the_agents_sdk_makes_tools_of_a_memory_for_asyncio(home: Path) -> None:
    stored, recalled = printed(home, sys.executable, "agents_tool.py")
    assert stored.startswith("f_")
    assert recalled == "Ann lives in Porto"


def test_pytest_gives_each_test_a_memory(home: Path) -> None:
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    assert "2 passed" in printed(home, *pytest_, "test_with_a_memory.py")[-1]


@needs_browser
def test_a_page_of_playwrights_is_clicked_where_memctl_sees_the_button(home: Path) -> None:
    assert "'Buy'" in printed(home, sys.executable, "playwright_page.py")[0]


@needs_desktop
def test_a_desktop_app_is_clicked_where_it_stands_now_and_the_change_is_proved(home: Path) -> None:
    screen = ["xvfb-run", "-a", "-s", "-screen 0 800x600x24"]
    assert printed(home, *screen, sys.executable, "desktop_loop.py")[0] == "proved:"


def test_an_example_misses_no_public_name() -> None:
    written = Path(read_by_mypy.__file__).read_text(encoding="utf-8")
    assert written == every_name.example(), "python -m tests.docs.every_name"


def test_pyright_is_content_with_the_examples() -> None:
    checker = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*checker, EXAMPLES],
        cwd=EXAMPLES.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
