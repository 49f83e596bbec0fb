"""``--json --help`` describes a command in JSON, with every word that it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.app import command_of
from memctl_cli.command import described, pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


def test_every_commands_help_in_json_is_its_page(run: Run) -> None:
    for page in pages(described(command_of())):
        answer = run("--json", *page.command.split()[1:], "--help")
        assert (answer.code, answer.error) == (0, ""), page.command
        assert answer.envelope["command"] == "help"
        data = answer.data
        assert data["command"] == page.command
        assert data["summary"]
        assert [one["name"] for one in data["options"]] == [one.name for one in page.options]
        assert [one["command"] for one in data["commands"]] == [
            one.command for one in page.commands
        ]
        assert all(one["help"] for one in (*data["arguments"], *data["options"]))


def test_json_may_stand_behind_help_or_before_it(run: Run) -> None:
    assert run("learn", "--help", "--json").data == run("--json", "learn", "-h").data


def test_a_page_says_types_ranges_choices_and_defaults(run: Run) -> None:
    options = {one["name"]: one for one in run("wait", "--help", "--json").data["options"]}
    assert options["--timeout"]["type"] == "number"
    assert (options["--timeout"]["minimum"], options["--timeout"]["maximum"]) == (0, 86_400)
    assert options["--timeout"]["default"] == 10.0
    assert options["--record"]["spellings"] == ["--record", "--no-record"]
    phases = {one["name"]: one for one in run("dream", "run", "--help", "--json").data["options"]}
    assert "deep" in phases["--phase"]["choices"]


def test_help_that_stands_for_a_value_is_no_question(run: Run) -> None:
    assert run("--json", "log", "hello", "--details", "--help").data["kind"] == "turn"
