"""What people read: help with examples, tables that fit a pipe, completion that stays silent."""

from __future__ import annotations

import io
import re
import sqlite3
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest

from memctl_cli import main
from memctl_cli.app import GROUPS, command_of
from memctl_cli.command import described, pages
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]
    Helps = dict[tuple[str, ...], str]


def commands() -> Iterator[tuple[str, ...]]:
    """Walk the program: the words of every command."""
    root = command_of()
    for name, command in vars(root)["commands"].items():
        inner = vars(command).get("commands")
        for leaf in inner or [None]:
            yield (name,) if leaf is None else (name, leaf)


def command_at(words: tuple[str, ...]) -> Any:
    """Walk down to a command of the program."""
    command: Any = command_of()
    for word in words:
        command = vars(command)["commands"][word]
    return command


EVERY = sorted(commands())


def plain(text: str) -> str:
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


@pytest.fixture(scope="module")
def helps() -> dict[tuple[str, ...], str]:
    """The help of every command, printed once for all tests."""
    printed: dict[tuple[str, ...], str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        for words in EVERY:
            out, error = io.StringIO(), io.StringIO()
            with redirect_stdout(out), redirect_stderr(error), pytest.raises(SystemExit) as left:
                main([*words, "--help"])
            assert (left.value.code, error.getvalue()) == (0, ""), words
            printed[words] = out.getvalue()
    return printed


def test_every_command_has_help_with_an_example_of_itself(helps: Helps) -> None:
    for words, out in helps.items():
        example = re.search(r"Example: memctl (.*)", plain(out))
        assert example is not None, words
        assert " ".join(words) in example[1]
        assert re.findall(r"<(?!\w+\|).*?>", out) == [], "no type of Python's is named"


def test_every_argument_and_option_says_what_it_is() -> None:
    for words in EVERY:
        for parameter in command_at(words).params:
            if parameter.name != "help":
                assert getattr(parameter, "help", None), f"{' '.join(words)}: {parameter.name}"


def test_help_fits_eighty_columns_without_escape_codes(helps: Helps) -> None:
    for words, out in helps.items():
        assert "\x1b" not in out, words
        assert max(len(line) for line in out.splitlines()) <= 80, words


def test_the_help_spells_arguments_as_the_errors_do(helps: Helps) -> None:
    for page in pages(described(command_of())):
        if not page.commands:
            _, *words = page.command.split()
            usage = helps[tuple(words)].split(page.command, 1)[1]
            assert [one.name for one in page.arguments if one.name not in usage] == [], words


def test_a_hand_edited_name_cannot_command_the_terminal(run: Run, known: Path) -> None:
    connection = sqlite3.connect(known / "apps" / "harbor.db")
    connection.execute("update component set name = 'Save' || char(27) || '[2J' || char(8238)")
    connection.commit()
    connection.close()
    out = run("--app", "harbor", "components", "list").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "Save\\x1b[2J" in out


def test_help_is_the_same_by_its_short_name(run: Run) -> None:
    assert run("config", "-h").out == run("config", "--help").out


def test_the_program_lists_every_command(run: Run) -> None:
    shown = run("--help").out
    for name in {words[0] for words in EVERY}:
        assert re.search(rf"│ {name} ", shown), name


def test_no_words_at_all_shows_the_help_and_is_wrong_usage(run: Run) -> None:
    answer = run()
    assert answer.code == 2
    assert "Usage: memctl" in answer.out


@each("noun", sorted(GROUPS))
def test_a_noun_alone_shows_its_help(noun: str, run: Run) -> None:
    answer = run(noun)
    assert answer.code == 2
    assert f"Usage: memctl {noun}" in answer.out
    assert run(noun, "--json").envelope["error"]["code"] == "usage"


@each("words", [["--version"], ["--version", "status"]])
def test_the_version_is_printed_whatever_else_is_asked(words: list[str], run: Run) -> None:
    answer = run(*words)
    assert (answer.code, answer.out) == (0, f"{version('memctl-engine')}\n")


@each("words", [["--json", "--version"], ["--version", "--json"]])
def test_the_version_is_one_envelope_where_one_is_asked_for(words: list[str], run: Run) -> None:
    answer = run(*words)
    assert (answer.code, answer.data) == (0, {"version": version("memctl-engine")})


def test_what_stands_in_square_brackets_is_not_taken_for_markup(run: Run) -> None:
    assert "memctl-engine[ocr]" in plain(run("learn", "--help").out)


def test_a_program_of_one_command_is_the_same_to_that_command() -> None:
    whole = command_of()
    for name in {words[0] for words in EVERY}:
        alone = command_of(name)
        assert list(vars(alone)["commands"]) == [name]
        of_all = vars(whole)["commands"][name]
        mine = vars(alone)["commands"][name]
        assert [one.name for one in mine.params] == [one.name for one in of_all.params]
