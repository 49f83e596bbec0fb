"""The commands of episodic memory, run as the program runs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from memctl_cli import main

if TYPE_CHECKING:
    from pathlib import Path


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(["--home", str(tmp_path), *words])
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return call


def answer(run: Run, *words: str) -> Any:
    code, out, _ = run("--json", *words)
    assert code == 0
    return json.loads(out)


def test_what_was_logged_is_recalled_as_rows(run: Run) -> None:
    logged = answer(run, "--session", "trip", "log", "The ferry leaves at noon", "--speaker", "Ann")
    envelope = answer(run, "recall", "When does the ferry leave?")
    (row,) = envelope["data"]
    assert (envelope["count"], envelope["command"]) == (1, "recall")
    assert (row["kind"], row["id"], row["thread"]) == ("turn", logged["data"]["id"], "trip")
    assert round(sum(term["value"] for term in row["explain"]), 4) == row["score"]
    assert envelope["recall"]["id"] == 1
    _, out, _ = run("recall", "ferry", "--explain")
    assert "word:ferry" in out
    assert "the sum" in out
    assert "feedback" not in run("recall", "quokka")[1]


def test_a_question_without_a_word_is_told_what_to_ask_and_not_kept(run: Run) -> None:
    run("log", "The ferry leaves at noon")
    code, out, _ = run("recall", "?!", "--no-record")
    assert (code, " ".join(out.split())) == (
        0,
        "there is no word to look for: ask with a word, a name or a date",
    )
    code, out, _ = run("recall", " ")
    assert (code, out.splitlines()) == (
        0,
        [
            "the question is empty: ask with a word, a name or a date",
            "memctl turns list, episodes list and memory list show what there is",
        ],
    )
    assert answer(run, "recall", "ferry")["recall"]["id"] == 1


def test_old_turns_are_archived_listed_and_restored(run: Run) -> None:
    run("--session", "trip", "log", "an old ferry", "--logged-at", "2026-01-01")
    run("log", "a new ferry", "--logged-at", "2026-11-19")
    assert answer(run, "turns", "archive", "--days", "400")["data"] == {"archived": 0}
    assert answer(run, "turns", "archive")["data"] == {"archived": 1}
    (archived,) = answer(run, "turns", "list", "--archived")["data"]
    assert (archived["id"], archived["archived_why"]) == (1, "older than 90 days")
    assert answer(run, "turns", "restore", "1")["data"] == {"restored": 1}
    (turn,) = answer(run, "turns", "list", "--session", "trip")["data"]
    assert (turn["id"], turn["session"]) == (1, "trip")
    assert answer(run, "turns", "archive", "2", "--why", "wrong")["data"] == {"archived": 1}
    assert [turn["id"] for turn in answer(run, "turns", "list")["data"]] == [1]
    for words, wrong in (
        (("1", "--days", "3"), "choose one of the two"),
        (("--days", "9999999"), 'days "9999999" is not allowed'),
    ):
        code, _, err = run("turns", "archive", *words)
        assert (code, wrong in err) == (2, True)


def test_a_list_that_is_cut_says_that_more_follows(run: Run) -> None:
    for i in range(3):
        run("log", f"ferry {i}")
        run("remember", f"the ferry sank {i} times")
    for command in ("turns", "episodes"):
        _, out, _ = run(command, "list", "--limit", "2")
        assert out.splitlines()[-1] == f"2 of 3 {command}, 1 more: --limit 3"
        said = answer(run, command, "list", "--limit", "2")
        assert (said["count"], said["more"], len(said["data"])) == (2, 1, 2)
        assert answer(run, command, "list")["more"] == 0


def test_an_episode_is_remembered_shown_forgotten_restored_and_erased(run: Run) -> None:
    run("remember", "Booked the ferry", "--tag", "travel", "--participant", "Ann")
    assert answer(run, "episodes", "show", "1")["data"]["tags"] == ["travel"]
    assert answer(run, "episodes", "forget", "1")["data"]["forgotten"] == 1
    assert answer(run, "episodes", "list")["count"] == 0
    assert answer(run, "episodes", "list", "--forgotten")["count"] == 1
    run("episodes", "restore", "1")
    code, out, _ = run("--json", "episodes", "erase", "1")
    assert (code, json.loads(out)["error"]["code"]) == (3, "refused")
    erased = answer(run, "episodes", "erase", "1", "--yes")["data"]
    assert erased["items"] == [["episode", 1]]
    code, _, err = run("episodes", "show", "1")
    assert (code, 'no episode "1"' in err) == (4, True)


def test_recalls_are_listed_shown_forgotten_and_restored(run: Run) -> None:
    assert answer(run, "recalls", "list")["data"] == []
    run("log", "The ferry leaves at noon")
    for question in ("ferry", "noon"):
        run("recall", question)
    (newest,) = answer(run, "recalls", "list", "--limit", "1")["data"]
    assert newest["question"] == "noon"
    assert answer(run, "recalls", "show", "1")["data"]["rows"][0]["id"] == 1
    assert "turn:1" in run("recalls", "show", "1")[1]
    run("recalls", "forget", "1")
    assert answer(run, "recalls", "list")["count"] == 1
    assert answer(run, "recalls", "list", "--forgotten")["count"] == 1
    run("recalls", "restore", "1")
    assert "2 recalls" in run("recalls", "list")[1]
    assert run("recalls", "show", "9")[0] == 4


def test_aliases_are_added_listed_and_removed(run: Run) -> None:
    run("log", "The ferry leaves at noon", "--speaker", "Priya")
    for term, synonym in (("boat", "ferry"), ("the boss", "Priya"), ("Priya", "P. Raman")):
        run("alias", "add", term, synonym)
    terms = [alias["term"] for alias in answer(run, "alias", "list")["data"]]
    assert sorted(terms) == ["Priya", "boat", "the boss"]
    assert answer(run, "recall", "boats")["recall"]["aliases"] == {"boat": "ferry"}
    listed = answer(run, "alias", "list", "--entities")["data"]
    assert listed == [{"names": ["P. Raman", "Priya", "the boss"], "kind": "person"}]
    _, out, _ = run("alias", "list", "--entities")
    assert "P. Raman, Priya, the boss  person" in out
    assert out.splitlines()[-1] == "1 entity"
    assert answer(run, "alias", "remove", "ferry")["data"] == {"removed": 1}


def test_a_recall_without_a_limit_has_as_many_rows_as_the_setting_says(run: Run) -> None:
    for hour in ("noon", "one", "two", "three"):
        run("log", f"The ferry leaves at {hour}")
    run("config", "set", "recall_limit", "2")
    assert len(answer(run, "recall", "ferry")["data"]) == 2
    assert len(answer(run, "recall", "ferry", "--limit", "3")["data"]) == 3


def test_reembedding_says_what_it_made(run: Run) -> None:
    run("log", "The ferry leaves at noon")
    run("log", "The ferry is late at noon")
    made = answer(run, "--set", "fallback=store", "reembed")["data"]
    assert (made["model"], made["rows"]) == ("store", 2)
    code, _, err = run("reembed")
    assert (code, "switched off" in err) == (2, True)
