"""Every list: newest first, as many rows as fit a screen, and how many more there are."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from memctl_cli.app import command_of
from memctl_cli.output.plain_table import cell_width
from tests.cli.large_store import make_large_store
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

SCREENFUL = 20


def lists() -> Iterator[tuple[str, Any]]:
    """Walk the program: the words of every command that lists something, and the command."""
    for name, command in vars(command_of())["commands"].items():
        for leaf, one in (vars(command).get("commands") or {"": command}).items():
            if (one.help or "").startswith("List "):
                yield f"{name} {leaf}".strip(), one


COMMANDS = dict(lists())
# What a list is sorted by. The settings stand in the order of their subjects, the proposals to tidy
# facts in that of their phases, the slots and the stores of a fleet in that of their names.
TIMES = {
    "alias list": "added_at",
    "cache list": "set_at",
    "components erased": "erased_at",
    "components list": "last_seen_at",
    "dream candidates": "last_said_at",
    "dream knowledge": "made_at",
    "episodes list": "happened_at",
    "memory list": "updated_at",
    "pending list": "updated_at",
    "recalls list": "asked_at",
    "session list": "last_at",
    "skills list": "created_at",
    "states list": "last_seen_at",
    "stores": "changed_at",
    "tokens list": "added_at",
    "transitions list": "last_used_at",
    "transitions pending": "last_used_at",
    "turns list": "logged_at",
    "wal snapshots": "taken_at",
}
OTHERWISE = {"config list", "dream tidy", "fleet stores", "memory slots"}
# Those of which the store holds more than a screenful.
LONG = sorted(TIMES.keys() - {"dream knowledge", "stores", "tokens list"})
OPTIONS = {"dream candidates": ["--status", "dropped"]}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("lists")
    make_large_store(home, 1500)
    return home


@pytest.fixture
def listed(large: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call one of the lists, of a store that is full."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("MEMCTL_HOME", str(large))

    def call(name: str, *words: str) -> Answer:
        answer = run("--app", "harbor", *name.split(), *OPTIONS.get(name, []), *words)
        assert (answer.code, answer.error) == (0, "")
        return answer

    return call


def test_every_list_has_its_limit_and_its_order() -> None:
    assert TIMES.keys() | OTHERWISE == COMMANDS.keys()
    for name, command in COMMANDS.items():
        (limit,) = (one for one in command.params if "--limit" in one.opts)
        assert limit.default is None, name


@each("name", LONG)
def test_in_a_pipe_a_row_is_a_line_and_the_last_line_says_how_many_more(
    name: str, listed: Run
) -> None:
    _, *lines, blank, last = listed(name).out.splitlines()[: SCREENFUL + 3]
    told = re.fullmatch(r"20 of ([\d,]+) [a-z ]+, ([\d,]+) more: --limit (\d+)", last)
    assert told is not None, last
    total = int(told[3])
    assert (told[1], told[2]) == (f"{total:,}", f"{total - SCREENFUL:,}")
    assert (len(lines), blank) == (SCREENFUL, "")
    assert "\x1b" not in "".join(lines)
    assert (
        len(listed(name, "--limit", str(total)).out.partition("\n\n")[0].splitlines()) == total + 1
    )


@each("name", sorted(COMMANDS))
def test_json_has_everything_unless_a_limit_is_named_and_says_so(name: str, listed: Run) -> None:
    whole = listed(name, "--json").envelope
    assert (whole["count"], whole["more"]) == (whole["total"], 0)
    some = listed(name, "--json", "--limit", "2").envelope
    assert some["count"] == min(2, whole["total"])
    assert (some["total"], some["more"]) == (whole["total"], whole["total"] - some["count"])
    ids = [{k: v for k, v in one.items() if k != "age_days"} for one in whole["data"][:2]]
    assert [{k: v for k, v in one.items() if k != "age_days"} for one in some["data"]] == ids


@each("name", sorted(TIMES))
def test_the_newest_is_first(name: str, listed: Run) -> None:
    times = [one[TIMES[name]] for one in listed(name, "--json").data]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_list_fits_the_line_and_breaks_no_id(
    name: str, columns: int, listed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = listed(name, "--limit", "30").out.split("\n\n")[0].splitlines()[1:]
    monkeypatch.setenv("COLUMNS", str(columns))
    out = listed(name, "--limit", "30").out
    table, _, _ = out.strip("\n").partition("\n\n")
    for line in table.splitlines():
        assert cell_width(line) <= columns or len(line.split()) == 1, line
    for row in rows:
        assert re.search(rf"(?<!\S){re.escape(row.split()[0])}(?!\S)", out), row


_DRIVER = """
import contextlib, json, sys
from memctl_cli import main
for words in json.loads(sys.argv[1]):
    with contextlib.suppress(SystemExit):
        main(words)
"""


def test_a_terminal_without_unicode_shows_what_it_can(large: Path) -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    begin = ["--home", str(large), "--app", "harbor"]
    calls = [[*begin, *name.split(), *OPTIONS.get(name, [])] for name in COMMANDS]
    calls += [
        [*begin, "report", "health"],
        ["components", "--help"],
        [*begin, "memory", "get", "ü"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", _DRIVER, json.dumps(calls)],
        capture_output=True,
        check=False,
        env={"PATH": "", "COLUMNS": "80", **environment},
    )
    out = done.stdout.decode("ascii")
    assert "Gr??e_der_?nderung_der_?berschrift_1500" in out
    assert "1,470 more: --limit 1500" in out or "1,480 more: --limit 1500" in out
    assert "+- Options" in out
    assert "\n ---" in out
    assert '"?"' in done.stderr.decode("ascii")


def test_an_id_goes_into_the_next_command_as_it_was_printed(run: Run) -> None:
    run("log", "The ferry leaves at nine")
    run("remember", "The ferry was late")
    out = run("recall", "ferry").out
    for kind, words in (("turn", ["turns", "archive"]), ("episode", ["episodes", "show"])):
        (name,) = re.findall(rf"^ *({kind}:\d+)  ", out, re.MULTILINE)
        assert run(*words, name).code == 0
    assert run("recalls", "show", "recall:1").code == 0
