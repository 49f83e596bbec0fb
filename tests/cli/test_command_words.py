"""Errors and chances are told in the words of the command line, never in Python's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl_cli.output.words import chance, percent
from tests.cli.calling import Answer, memctl_process
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Answer]


@each(
    ("words", "told"),
    [
        ("recall x --limit=abc", "--limit takes a whole number of 1 or more"),
        ("recall x --max-tokens=-1", '--max-tokens "-1" is not allowed (it takes 0 or more)'),
        ("--app harbor recall x --since May?", '--since "May?" is not an ISO-8601 time'),
        ("recall x --limit", "--limit takes a whole number"),
        ("recall x --limt 3", 'no option "--limt" (did you mean "--limit"?)'),
        ("recal x", 'no command "recal" (did you mean "recall" or "recalls"?)'),
        ("config st x", 'no command "config st" (did you mean "set"'),
        ("report helth", '(did you mean "health"?'),
        ("dream run --phase liht", '--phase takes no "liht" (did you mean "light"? one of'),
        ("memory store x --category projekt", '(did you mean "project"?'),
        ("--app harbor components show Sav", 'no component "Sav" (did you mean "Save"?)'),
        ("--app harbor states show s_oen", 'no state "s_oen" (did you mean "s_one"'),
        ("recall", "QUERY is missing"),
        ("search tea", 'no command "search" (did you mean "memory search"?)'),
        ("add x", '(did you mean "turns add" or "alias add" or "tokens add"?)'),
        ("list", 'no command "list" ('),
        ("facts list", 'no command "facts" (did you mean "memory"?)'),
        ("journal get", 'no command "journal" (did you mean "wal"?)'),
        ("log hello there", 'no more words are taken: "there" (quote a text'),
        ("memory forget", "(give ID or --query)"),
        ("components list --json=yes", "--json takes no value"),
        ("export pack x.pack --app", "--app takes a text"),
        ("backup --nope", 'no option "--nope" (see "memctl backup --help")'),
        ("--nope", 'no option "--nope" (see "memctl --help")'),
        ("schema stat", 'has no "stat" (did you mean "state"?)'),
    ],
)
def test_an_error_names_what_was_typed_and_what_may_be_meant(
    words: str, told: str, run: Run, known: Path
) -> None:
    assert known.exists()
    answer = run(*words.split())
    assert answer.code in {2, 4}
    assert told in answer.error
    assert answer.error.count("\n") == 1


@each(
    "words",
    [
        *("log", "remember", "recall", "extract", "context", "skills match", "memory store"),
        *("memory search", "memory triage", "wal task", "wal observe", "wal decide", "wal done"),
    ],
)
def test_a_text_that_begins_with_a_dash_is_led_behind_two(words: str, run: Run) -> None:
    answer = run(*words.split(), "-Secret text")
    assert answer.code == 2
    assert f'"memctl {words} -- TEXT" for a text that begins so' in answer.error
    assert "Secret" not in answer.error


def test_a_secret_among_several_texts_is_told_by_its_number_and_not_repeated(run: Run) -> None:
    words = ("memory", "store", "tea", "ghp_abcdefghijklmnopqrstuvwxyz0123456789")
    asked, refused = run(*words), run(*words, "--yes")
    assert (asked.code, refused.code) == (3, 3)
    assert "FACTS 2 looks like a secret" in refused.error
    assert "ghp_" not in asked.error + refused.error


@each(
    ("content", "told"),
    [
        ("{}", "it has no list of steps"),
        ('{"format": "other", "steps": []}', 'its format is "other"'),
        ("[]", "it has no list of steps"),
        ('{"format": "memctl skill 1", "steps": [{"what": 1}]}', "step 1, 'what' is not known"),
    ],
)
def test_a_file_that_is_no_skill_is_refused_in_plain_words(
    content: str, told: str, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "skill.json"
    file.write_text(content)
    answer = run("--app", "harbor", "skills", "import", file)
    assert answer.code == 2
    assert f"is no skill of memctl: {told}" in answer.error


def test_a_path_to_where_one_is_has_no_step(run: Run, known: Path) -> None:
    assert known.exists()
    answer = run("--app", "harbor", "path", "s_one", "s_one")
    assert (answer.code, answer.out) == (0, "no step: that is where you are\n")


@each("noun", [(), ("components",)])
def test_a_noun_alone_is_in_json_told_as_people_are_told(noun: tuple[str, ...], run: Run) -> None:
    error = json.loads(run("--json", *noun).out)["error"]
    assert (error["code"], error["message"]) == ("usage", "nothing to do")


@each(
    "words",
    [
        *("learn", "match", "restore", "turns add", "skills import", "import pack"),
        *("import store", "import from", "dream verify --paths"),
    ],
)
def test_a_file_that_is_not_there_is_unusable_input_everywhere(words: str, run: Run) -> None:
    run("log", "so that there is a store")
    answer = run(*words.split(), "no-such-file")
    assert answer.code == 2
    assert "no-such-file" in answer.error


@each("encoding", ["ascii", "latin-1"])
def test_an_error_is_one_line_on_a_narrow_terminal_without_utf8(
    encoding: str, tmp_path: Path
) -> None:
    environment = {"PYTHONIOENCODING": encoding, "COLUMNS": "40", "LC_ALL": "C"}
    answer = memctl_process(
        "components",
        "show",
        "Größe 日本",
        environment={**environment, "MEMCTL_HOME": str(tmp_path)},
    )
    assert answer.code == 4
    assert answer.error.startswith("memctl: ")
    assert "Traceback" not in answer.error


def test_an_answer_says_which_store_it_fills_where_none_was_named(run: Run) -> None:
    assert run("log", "hello").out == 'turn 1 in "agent"\n'
    assert run("--app", "agent", "log", "hello").out == "turn 2\n"
    assert 'in the store "agent"' in run("memory", "store", "Tea is served at noon").out


@each(
    ("succeeded", "tried", "told"),
    [
        (1, 1, "1 of 1, at least 21 %"),
        (0, 3, "0 of 3, at least 0 %"),
        (99, 100, "99 of 100, at least 95 %"),
        (0, 0, "never tried"),
    ],
)
def test_a_chance_says_what_it_rests_on(succeeded: int, tried: int, told: str) -> None:
    assert chance(succeeded, tried) == told


def test_a_small_share_is_not_nothing() -> None:
    assert [percent(one) for one in (0.0, 0.0035, 0.21, 1.0)] == ["0 %", "0.35 %", "21 %", "100 %"]


def test_an_error_in_a_pipe_is_one_line_where_a_bar_would_run(tmp_path: Path) -> None:
    answer = memctl_process("--home", tmp_path, "import", "from", tmp_path / "no-such-file")
    assert answer.code == 2
    assert answer.error.startswith("memctl: ")
