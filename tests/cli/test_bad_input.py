"""Every command with every kind of bad input: one envelope, an exit code of the design, no defect.

The commands and their parameters are read from the program: a new one is tested from its
first day.
"""

from __future__ import annotations

import io
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import MemctlError
from memctl_cli.hooks import EVENTS
from tests.cli.test_help import EVERY, command_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

# These serve until somebody ends them, or take long.
LONG = {("mcp",), ("demo",), ("browse",), ("ui",), ("watch",)}
# A hook never fails: it would block its host (tests/cli/hooks).
HOOKS = {("hook", event) for event in EVENTS}
# What nobody can mean: nothing, control characters and no Unicode, a number too large.
JUNK = ["", "\x1b[31m\udcff", "9" * 30]
# And what is mistyped: a word, or too small a number.
MISTYPED = ["nope", "-1"]

ANSWERING = [words for words in EVERY if words not in LONG | HOOKS]
_PYTHON = re.compile(
    r"Input should|Value error|\[Errno|codec|\bNone\b|\bTrue\b|\bFalse\b|object at|\w+Error\b"
    r"|\bint\b|\bstr\b|\bNoneType\b|\b(?!s_|f_)[a-z]+_[a-z_]+(?==| is| takes| \")"
)


def exit_codes() -> dict[str, int]:
    """Return the exit code of every error that there is, by its code in the envelope."""
    known: dict[str, int] = {}
    rest: list[type[MemctlError]] = [MemctlError]
    while rest:
        kind = rest.pop()
        known[kind.code] = kind.exit_code
        rest += kind.__subclasses__()
    return known


@cache
def parameters(words: tuple[str, ...]) -> list[Any]:
    return [one for one in command_at(words).params if one.name != "help"]


def needed(words: tuple[str, ...], value: str) -> list[str]:
    """Return a value for every argument that the command cannot do without."""
    return [
        value
        for one in parameters(words)
        if one.param_type_name == "argument" and (one.required or words == ("memory", "forget"))
        for _ in range(max(one.nargs, 1))
    ]


def is_flag(parameter: Any) -> bool:
    return bool(getattr(parameter, "is_flag", False))


def wrong_usage(words: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield calls that no command may take."""
    yield [*words, "--no-such-option"]
    yield [*words, *needed(words, "x"), *["x"] * 5, "--no-such-option=1"]
    for one in parameters(words):
        if one.param_type_name == "option" and not is_flag(one):
            yield [*words, *needed(words, "x"), one.opts[0]]  # its value is missing
            if one.bare_type() in {"int", "float"}:
                yield [*words, *needed(words, "1"), one.opts[0], "soon"]
    if needed(words, "x") and words != ("memory", "forget"):
        yield [*words]


def junk(words: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield calls of the right shape with values that nobody can mean."""
    values = [*JUNK, *MISTYPED]
    for value in values:
        yield [*words, "--", *needed(words, value)]
    options = [
        one for one in parameters(words) if one.param_type_name == "option" and not is_flag(one)
    ]
    for at, one in enumerate(options):
        yield [*words, f"{one.opts[0]}={values[at % len(values)]}", "--", *needed(words, "1")]


def check(answer: Answer, call: list[str]) -> dict[str, Any]:
    """Return the envelope of an answer that has one, after a look at its parts."""
    assert answer.error == "", call
    envelope = answer.envelope
    if envelope["status"] == "ok":
        # doctor says 5 of a store that it has examined, a fleet 1 where one of its stores failed.
        assert answer.code in ({0, 1, 5} if call[0] == "fleet" else {0, 5}), call
        return envelope
    error = envelope["error"]
    assert "a defect in memctl" not in error["message"], (call, error)
    assert answer.code == exit_codes()[error["code"]], (call, error)
    assert error["message"], call
    told = f"{error['message']} ({error['hint']})"
    assert not _PYTHON.search(told), f"{' '.join(call)}: {told}"
    return envelope


@pytest.fixture(autouse=True)
def nobody_types(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # some options name a file to write
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))


def test_wrong_usage_is_one_envelope_before_and_behind(run: Run, home: Path) -> None:
    for words in EVERY:
        for at, call in enumerate(wrong_usage(words)):
            given = ["--json", *call] if at % 2 else [*call, "--json"]
            envelope = check(run(*given), given)
            assert envelope["error"]["code"] == "usage", given
            assert envelope["command"] == " ".join(words), given
            assert envelope["error"]["hint"], given
    assert not home.exists()


def test_junk_is_one_envelope_in_a_store_that_is_there(run: Run, known: Path) -> None:
    store = known / "apps" / "harbor.db"
    whole = store.read_bytes()
    for words in ANSWERING:
        for call in junk(words):
            check(run("--json", "--app", "harbor", *call), call)
        if store.read_bytes() != whole:
            for file in store.parent.glob("harbor.db*"):
                file.unlink()
            store.write_bytes(whole)


def test_where_there_is_no_store_an_answer_is_one_envelope_and_a_failure_makes_none(
    run: Run, home: Path
) -> None:
    for words in ANSWERING:
        call = [*words, *needed(words, "1"), "--json"]
        answer = run("--app", "nobody", *call)
        check(answer, call)
        made = [file for file in home.rglob("*") if "nobody" in file.name]
        assert answer.code == 0 or not made, call
        for file in made:
            file.unlink()


def test_a_file_that_is_no_store_is_damage_to_every_command_that_opens_it(
    run: Run, home: Path
) -> None:
    file = home / "apps" / "harbor.db"
    file.parent.mkdir(parents=True)
    file.write_text("my notes")
    for words in ANSWERING:
        call = [*words, *needed(words, "1"), "--json"]
        envelope = check(run("--app", "harbor", *call), call)
        if envelope["status"] == "error":
            assert envelope["error"]["code"] != "error", call
        assert file.read_text() == "my notes", call


def test_without_json_a_failure_is_one_line_on_standard_error(run: Run) -> None:
    for words in EVERY:
        answer = run(*words, "--no-such-option")
        assert (answer.code, answer.out) == (2, ""), words
        assert answer.error.startswith("memctl: ")
        assert answer.error.count("\n") == 1
