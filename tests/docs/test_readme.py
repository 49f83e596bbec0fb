"""Every line of README runs as it stands, in its order, in a fresh folder of somebody who has nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from benchmarks.first_hour import README, STEPS, Typed, step_lines, type_all, wanted_lines
from tests.browsers import needs_browser
from tests.cli.calling import memctl_process
from tests.forking import forking_command

if TYPE_CHECKING:
    from pathlib import Path

ROOT = README.parent
PAGE = README.read_text("utf-8")
LINES = wanted_lines(PAGE)


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> list[Typed]:
    command = forking_command(tmp_path_factory.mktemp("command"))
    return type_all(LINES, tmp_path_factory.mktemp("newcomer"), command)


def blurred(line: str) -> str:
    """Return a line without what differs from day to day: numbers, ids, spaces."""
    return re.sub(r"f_[0-9a-f]{12}|\d+", "0", " ".join(line.split()))


@needs_browser
def test_every_line_ends_well(typed: list[Typed]) -> None:
    failed = [(one.wanted.text, one.code, one.error) for one in typed if one.code]
    assert failed == []
    assert len(typed) > 30


@needs_browser
def test_what_the_page_shows_of_an_answer_is_answered(typed: list[Typed]) -> None:
    shown = [(one, line) for one in typed for line in one.wanted.shown]
    for one, line in shown:
        answer = [blurred(told) for told in one.out.splitlines()]
        assert blurred(line) in answer, (one.wanted.text, one.out)
    assert len(shown) >= 3


@needs_browser
def test_a_newcomer_gets_each_thing_that_is_wanted_in_the_first_hour(typed: list[Typed]) -> None:
    for step, at in zip(STEPS, step_lines(LINES), strict=True):
        assert step.shows in typed[at].out, (step.what, typed[at])


def test_the_two_commands_stand_where_ci_reads_them() -> None:
    block = PAGE.split("## Two commands")[1].split("\n## ")[0].split("```sh\n")[1].split("```")[0]
    demo, tests = block.splitlines()
    assert demo.endswith("&& .venv/bin/memctl demo --home trial")
    assert tests.endswith("&& .venv-test/bin/pytest -q -n 2")


def test_every_page_that_is_linked_is_there() -> None:
    linked = re.findall(r"\]\(((?!https?:)[^)#]+)", PAGE)
    assert linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_the_options_of_the_page_on_eyes_exist() -> None:
    page = (ROOT / "docs" / "eyes.md").read_text("utf-8")
    verbs = (["wait"], ["learn"], ["watch"], ["locate"], ["states", "ignore"])
    told = "".join(memctl_process(*verb, "--help").out for verb in verbs)
    for option in set(re.findall(r"`(?:memctl [^`]*)?(--[a-z]+)", page)) - {"--set"}:
        assert option in told


def test_a_line_and_its_answer_are_read_of_each_kind_of_block(tmp_path: Path) -> None:
    page = (
        "```console\n$ source .venv/bin/activate\n$ echo one   # two\none\n$ false\n```\n"
        "```python\nprint('hello')\n```\n"
    )
    _, told, failed, python = type_all(wanted_lines(page), tmp_path)
    assert (told.out, told.wanted.shown) == ("one\n", ("one",))
    assert (failed.code, python.code, python.out) == (1, 0, "hello\n")
