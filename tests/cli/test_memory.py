"""``memctl memory`` and ``memctl pending``, as the shell sees them."""

from __future__ import annotations

import io
import itertools
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl_cli import main
from tests.cli.test_narrow_tables import on_a_terminal
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

DEC_1 = "Falcon's deadline is 1 December"
DEC_8 = "Falcon's deadline is 8 December"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("MEMCTL_HOME", str(tmp_path))
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")

    def call(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(list(words))
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return call


def data(run: Run, *words: str) -> Any:
    code, out, _ = run("memory", *words, "--json")
    envelope = json.loads(out)
    assert (code, envelope["status"]) == (0, "ok"), envelope
    return envelope["data"]


def test_a_repeat_says_what_became_of_its_metadata(run: Run) -> None:
    run("memory", "store", DEC_1, "-c", "project")
    words = ("memory", "store", DEC_1, "-c", "lesson", "--importance", "0.9")
    _, out, _ = run(*words)
    assert "known already; updated importance; left category as it is" in out
    (again,) = data(run, *words[1:])["written"]
    assert (again["updated"], again["left"]) == ([], ["category"])


@pytest.mark.parametrize(("typed", "forgotten"), [(b"2\n", 1), (b"\n", 0), (b"7\n", 0)])
def test_on_a_terminal_it_asks_which_of_several_is_meant(
    run: Run, tmp_path: Path, typed: bytes, forgotten: int
) -> None:
    data(run, "store", "User's red bicycle has a bell", "User sold the red bicycle")
    with suppress(AssertionError):  # that none was forgotten is an exit code of its own
        on_a_terminal("memory", "forget", "--query", "red bicycle", typed=typed)
    with memctl.open("agent", tmp_path) as memory:
        assert len(memory.facts.list(status="forgotten")) == forgotten


def test_a_fact_is_stored_found_and_shown(run: Run) -> None:
    (made,) = data(run, "store", DEC_1, "-c", "project")["written"]
    (hit,) = data(run, "search", "falcon deadline")
    assert hit["fact"]["id"] == made["id"]
    assert hit["explain"][0]["term"] in {"falcon", "deadline"}
    code, out, _ = run("memory", "search", "falcon deadline", "--explain")
    assert code == 0
    assert made["id"] in out
    assert "of the question's weight" in " ".join(out.split())


def test_a_change_is_seen_in_list_get_history_and_as_of(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (old,) = data(run, "store", DEC_1)["written"]
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-25T12:00:00Z")
    data(run, "store", DEC_8)
    assert [fact["text"] for fact in data(run, "list")] == [DEC_8]
    assert data(run, "get", old["id"])["status"] == "superseded"
    assert [one["event"] for one in data(run, "history", old["id"])] == ["ADD", "SUPERSEDE"]
    (hit,) = data(run, "search", "falcon deadline", "--as-of", "2026-11-21")
    assert hit["fact"]["text"] == DEC_1


def test_a_list_says_what_is_to_come_and_until_when_the_present_holds(run: Run) -> None:
    data(run, "store", DEC_1)
    data(run, "store", DEC_8, "--valid-from", "2027-02-01")
    _, out, _ = run("memory", "list", "--status", "any")
    come, present = (line.split() for line in out.splitlines() if line.strip().startswith("f_"))
    assert "coming" in come
    assert ("to", "2027-02-01") in itertools.pairwise(present)


def test_words_without_quotes_are_not_stored_as_a_fact_each(run: Run) -> None:
    code, _, error = run("memory", "store", "Ann", "likes", "tea")
    assert code == 3
    assert "A sentence in quotes is one fact" in error
    assert run("memory", "store", "Ann", "likes", "tea", "--yes")[0] == 0
    assert run("memory", "store", "Bob rows.", "Cy dives.")[0] == 0


def test_a_query_that_forgets_nothing_is_no_success(run: Run) -> None:
    assert run("memory", "store", "Ann likes tea")[0] == 0
    code, out, _ = run("memory", "forget", "--query", "submarines")
    assert (code, out) == (4, "nothing was forgotten\n")


def test_a_text_that_begins_with_a_dash_is_not_repeated(run: Run) -> None:
    code, out, error = run("memory", "store", "-- the code is 4711")
    assert (code, out, "4711" in error) == (2, "", False)
    assert 'memory store -- TEXT"' in error
    assert run("memory", "store", "--", "-- the code is on the door")[0] == 0


def test_facts_are_read_a_line_from_standard_input(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("User owns a car\n\nUser owns a boat\n"))
    assert len(data(run, "store", "-")["written"]) == 2


def test_pending_facts_are_listed_approved_and_rejected(run: Run) -> None:
    data(run, "store", "User's name is Chris", "-c", "identity")
    (robin,) = data(run, "store", "User's name is Robin", "-c", "identity")["written"]
    (kafka,) = data(run, "store", "Osprey uses Kafka", "--confidence", "low")["written"]
    code, out, _ = run("pending", "list", "--json")
    told = json.loads(out)
    assert (code, told["count"], len(told["undecided"])) == (0, 1, 1)
    assert run("pending", "approve", robin["id"])[0] == 0
    assert run("pending", "reject", kafka["id"], "--why", "no")[0] == 0
    assert [fact["text"] for fact in data(run, "list")] == ["User's name is Robin"]


def test_update_pin_forget_and_restore(run: Run) -> None:
    (made,) = data(run, "store", "User drinks tea")["written"]
    assert data(run, "update", made["id"], "User drinks coffee")["text"] == "User drinks coffee"
    assert data(run, "update", made["id"], "--importance", "0.9")["importance"] == 0.9
    assert data(run, "pin", made["id"])["pinned"] is True
    assert data(run, "unpin", made["id"])["pinned"] is False
    data(run, "forget", "--query", "drinks coffee")
    assert data(run, "list") == []
    assert data(run, "restore", made["id"])["status"] == "active"


def test_erasing_asks_and_then_leaves_no_byte(run: Run, tmp_path: Path) -> None:
    (made,) = data(run, "store", "User lives in Zanzibarstreet")["written"]
    assert run("memory", "erase", made["id"])[0] == 3
    assert run("memory", "erase", made["id"], "--yes")[0] == 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert b"zanzibar" not in b"".join(path.read_bytes() for path in files).lower()


def test_all_facts_are_forgotten_or_erased_once_that_is_confirmed(run: Run) -> None:
    data(run, "store", "User drinks tea", "User lives in Porto", "--user", "ann")
    data(run, "store", "User drinks coffee", "--user", "bob")
    assert run("memory", "delete-all")[0] == 3
    assert data(run, "delete-all", "--user", "ann", "--yes")["count"] == 2
    assert len(data(run, "list", "--status", "forgotten")) == 2
    assert run("memory", "erase", "--all")[0] == 3
    assert run("memory", "erase", "--all", "--query", "tea", "--yes")[0] == 2
    assert len(data(run, "erase", "--all", "--yes")["forgotten"]) == 3
    assert data(run, "list", "--status", "any") == []


def test_what_holds_of_one_thing_is_looked_up(run: Run) -> None:
    data(run, "store", "Falcon's deadline is 1 December", "Osprey's deadline is 2 December")
    (fact,) = data(run, "lookup", "falcon", "deadline")
    assert fact["value"] == "1 December"
    assert data(run, "lookup", "Falcon", "--as-of", "2020-01-01") == []
    assert "Falcon's deadline" in run("memory", "lookup", "Falcon")[1]


def test_triage_names_the_gate(run: Run) -> None:
    verdict = data(run, "triage", "thanks a lot!")
    assert [gate["gate"] for gate in verdict["gates"] if not gate["passed"]] == ["future utility"]
    assert "future utility" in run("memory", "triage", "thanks a lot!")[1]


def test_the_guide_is_printed_whole(run: Run) -> None:
    _, out, _ = run("memory", "guide")
    assert "four gates" in out
    assert data(run, "guide")["guide"].startswith("# Remembering")


@each(
    ("words", "code", "error"),
    [
        (["store"], 2, "missing_facts"),
        (["store", "User paints", "-c", "hobby"], 2, "usage"),
        (["store", "The wifi password is sunflower42"], 3, "secret_refused"),
        (["store", "thanks"], 3, "all_noise"),
        (["store", "x" * 5000], 2, "unusable_input"),
        (["store", "User paints", "--importance", "3"], 2, "usage"),
        (["store", "User paints", "--expires-at", "soon"], 2, "usage"),
        (["store", "User paints", "--metadata", "[1]"], 2, "usage"),
        (["store", "User paints", "--session-only"], 2, "usage"),
        (["search", "x", "--filters", "{bad"], 2, "usage"),
        (["search", "x", "--filters", '{"colour": 1}'], 2, "bad_filter"),
        (["search", "x", "--filters", '{"OR": []}'], 2, "bad_filter"),
        (["search", "x", "--filters", '{"category": {"in": []}}'], 2, "bad_filter"),
        (["search", "x", "-c", "nope"], 2, "usage"),
        (["list", "-c", "nope"], 2, "usage"),
        (["search", "x", "--scope", "mine"], 2, "usage"),
        (["list", "--status", "gone"], 2, "usage"),
        (["get", "f_000000000000"], 4, "not_found"),
        (["forget"], 2, "missing_param"),
        (["forget", "f_000000000000"], 4, "not_found"),
        (["delete-all"], 3, "refused"),
        (["update", "f_000000000000"], 2, "missing_param"),
        (["history", "f_000000000000"], 4, "not_found"),
    ],
)
def test_a_failure_has_its_code_and_says_what_to_do(
    run: Run, words: list[str], code: int, error: str
) -> None:
    left, out, _ = run("memory", *words, "--json")
    failure = json.loads(out)["error"]
    assert (left, failure["code"]) == (code, error)
    assert failure["hint"]
    assert "sunflower42" not in out


def test_a_page_says_how_many_there_are_and_how_to_see_more(run: Run) -> None:
    data(run, "store", *(f"Part {i} lies in shelf {i}" for i in range(5)), "-c", "technical")
    data(run, "store", "User likes tea", "-c", "preference")
    _, out, _ = run("memory", "list", "-c", "technical", "--limit", "2")
    assert out.splitlines()[-1] == "2 of 5 facts, 3 more: --limit 5"
    _, out, _ = run("memory", "list", "-c", "technical", "--limit", "2", "--offset", "4")
    assert out.splitlines()[-1] == "1 of 5 facts"
    _, out, _ = run("memory", "list")
    assert out.splitlines()[-1] == "6 facts"
    _, out, _ = run("memory", "list", "--limit", "1", "--offset", "2", "--json")
    envelope = json.loads(out)
    assert [envelope[name] for name in ("count", "total", "next_offset")] == [1, 6, 3]
    _, out, _ = run("memory", "list", "--offset", "9", "--json")
    envelope = json.loads(out)
    assert [envelope[name] for name in ("count", "total", "next_offset")] == [0, 6, None]


def test_facts_of_any_status_say_which_and_hits_say_their_source(run: Run) -> None:
    data(run, "store", DEC_1, "--source", "mail:7")
    data(run, "store", DEC_8, "--source", "mail:9")
    _, out, _ = run("memory", "list", "--status", "any")
    assert "status" in out
    assert "superseded" in out
    assert "active" in out
    _, out, _ = run("memory", "search", "falcon")
    assert "source" in out
    assert "mail:9" in out


def test_a_secret_is_refused_in_one_line_that_does_not_repeat_it(run: Run) -> None:
    code, out, err = run("memory", "store", "The wifi password is sunflower42")
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "sunflower42" not in err


def test_a_session_keeps_its_own_facts(run: Run) -> None:
    run("--session", "s1", "memory", "store", "Falcon review is at noon", "--session-only")
    run("--session", "s2", "memory", "store", "Osprey review is at dusk", "--session-only")
    (fact,) = data(run, "list", "--session", "s1")
    assert fact["session_id"] == "s1"
    assert len(data(run, "list")) == 2


def test_a_search_says_how_it_read_the_query(run: Run) -> None:
    data(run, "store", DEC_1)
    run("alias", "add", "raptor", "Falcon")
    _, out, _ = run("memory", "search", "raptor deadlnie")
    assert out.splitlines()[-2:] == [
        '"deadlnie" was taken for "deadline"',
        '"raptor" also means "Falcon"',
    ]
    _, out, _ = run("memory", "search", "raptor deadlnie", "--json")
    assert json.loads(out)["query"] == {
        "corrected": {"deadlnie": "deadline"},
        "aliases": {"raptor": "Falcon"},
        "note": "",
    }


def test_a_search_that_finds_nothing_says_why_and_what_to_do(run: Run) -> None:
    data(run, "store", DEC_1)
    _, out, _ = run("memory", "search", "falcon", "--max-tokens", "0")
    assert "the shortest fact takes" in out
    _, out, _ = run("memory", "search", "")
    assert out.splitlines() == [
        "the question is empty: ask with a word, a name or a date",
        "memctl memory list shows every fact",
    ]
