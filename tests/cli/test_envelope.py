"""``--json``: one envelope, before or behind the command, for answers and for errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import Answer, memctl_process
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Answer]


@pytest.mark.parametrize(
    "words",
    [
        ["--json", "config", "get", "forgetting"],
        ["config", "--json", "get", "forgetting"],
        ["config", "get", "--json", "forgetting"],
        ["config", "get", "forgetting", "--json"],
    ],
)
def test_json_is_taken_anywhere(words: list[str], run: Run) -> None:
    answer = run(*words)
    assert answer.code == 0
    assert answer.data["value"] == "expected"


def test_an_answer_has_the_envelope_of_the_design(run: Run) -> None:
    envelope = run("config", "list", "--json", "--app", "harbor").envelope
    page = ["total", "more"]  # of a list
    assert list(envelope) == ["status", "command", "app", "duration_ms", "count", "data", *page]
    assert (envelope["status"], envelope["command"]) == ("ok", "config list")
    assert envelope["app"] == "harbor"
    assert envelope["count"] == len(envelope["data"])
    assert 0 < envelope["duration_ms"] < 60_000


def test_an_error_has_the_envelope_of_the_design(run: Run) -> None:
    answer = run("config", "set", "forgetting", "sometimes", "--json")
    assert answer.code == 2
    assert answer.error == ""
    assert answer.envelope == {
        "status": "error",
        "command": "config set",
        "error": {
            "code": "usage",
            "message": 'setting "forgetting" cannot be "sometimes"',
            "hint": "it takes one of expected, everywhere",
        },
    }


@each(
    ("words", "command"),
    [
        (["nonsense"], "nonsense"),
        (["config", "nonsense"], "config nonsense"),
        (["learn"], "learn"),
        (["learn", "--nonsense"], "learn"),
        (["path", "one"], "path"),
        (["transitions", "commit", "no-number"], "transitions commit"),
        (["transitions", "record", "a", "b", "c", "--ms", "soon"], "transitions record"),
        (["--app"], ""),
        (["--app", "Bad Name", "status"], "status"),
        (["--set", "nonsense", "status"], "status"),
        (["--set", "nonsense=1", "status"], "status"),
        ([], ""),
    ],
)
def test_a_usage_error_is_an_envelope_too(words: list[str], command: str, run: Run) -> None:
    answer = run("--json", *words)
    assert answer.code == 2
    assert answer.error == ""
    assert answer.envelope["command"] == command
    assert answer.envelope["error"]["code"] == "usage"
    assert answer.envelope["error"]["message"]
    assert answer.envelope["error"]["hint"]


@pytest.mark.parametrize("place", ["before", "between", "behind"])
def test_home_and_app_are_taken_anywhere(place: str, run: Run, tmp_path: Path) -> None:
    options = ["--home", str(tmp_path / "other"), "--app=harbor"]
    words = {
        "before": [*options, "config", "set", "forgetting", "everywhere"],
        "between": ["config", *options, "set", "forgetting", "everywhere"],
        "behind": ["config", "set", "forgetting", "everywhere", *options],
    }[place]
    assert run(*words).code == 0
    assert (tmp_path / "other" / "apps" / "harbor.db").is_file()


def test_behind_two_dashes_nothing_is_an_option(run: Run, known: Path) -> None:
    assert known.is_dir()
    answer = run("--app", "harbor", "components", "rename", "Save", "--", "--json")
    assert answer.code == 2
    assert 'the name "--json"' in answer.error


def test_a_url_is_named_by_its_site(run: Run) -> None:
    envelope = run("--app", "chromium/https://www.united.com/en", "stores", "--json").envelope
    assert envelope["app"] == "chromium/united.com"


def test_an_error_says_once_what_to_do(run: Run) -> None:
    for words in (["config", "get", "forgeting"], ["--json", "config", "get", "forgeting"]):
        answer = run(*words)
        assert (answer.out + answer.error).count("did you mean") == 1


def test_a_bad_address_is_refused_by_commands_that_need_no_store_too(run: Run) -> None:
    for command in ("stores", "schema", "demo"):
        assert run("--app", "../x", command, "--json").envelope["error"]["code"] == "usage"


def test_everything_printed_is_ascii(run: Run, known: Path) -> None:
    assert known.is_dir()
    answer = run(
        "--json", "--app", "harbor", "components", "rename", "Save", "Zahlung bestätigen ✓"
    )
    assert answer.out.isascii()
    assert answer.data["name"] == "Zahlung bestätigen ✓"


def test_a_process_prints_one_line_of_json_and_nothing_else(tmp_path: Path) -> None:
    answer = memctl_process("--home", tmp_path, "status", "--json")
    assert answer.code == 4
    assert answer.error == ""
    assert json.loads(answer.out)["error"]["code"] == "not_found"
