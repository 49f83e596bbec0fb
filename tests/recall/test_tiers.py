"""One recall over turns, episodes and facts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memctl
from memctl.base.errors import BusyError, NotFoundError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.search.recall_results import Recalled


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A store with two turns, two episodes and three facts about Falcon and a ferry."""
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")
    with memctl.open("agent", tmp_path) as opened:
        opened.log("Where is the Falcon deadline written down?", speaker="Ann", session="board")
        opened.log("Bo moved the deadline of Falcon on the board", speaker="Bo", session="work")
        opened.remember("Booked the ferry to Bornholm", tags=["travel"], participants=["Ann"])
        opened.remember("Talked about the budget", happened_at="2026-11-01")
        opened.facts.store(["Falcon's deadline is 1 December"], category="project")
        opened.facts.store(["Ann prefers the window seat on a ferry"], category="preference")
        opened.facts.store(["The quokka is the mascot of Falcon"])
        yield opened


def kinds(found: Recalled) -> list[str]:
    return [row.kind for row in found]


def query(memory: Memory, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(memory.store.path)) as connection:
        return connection.execute(sql, values).fetchall()


def test_what_is_true_is_recalled_beside_what_was_said_and_what_happened(memory: Memory) -> None:
    assert set(kinds(memory.recall("ferry"))) == {"episode", "fact"}
    assert set(kinds(memory.recall("Falcon deadline"))) == {"turn", "fact"}


def test_a_fact_that_answers_comes_before_talk_about_it(memory: Memory) -> None:
    first = memory.recall("What is the deadline of Falcon?")[0]
    assert (first.kind, first.text) == ("fact", "Falcon's deadline is 1 December")


@each("question", ["Falcon deadline", "Ann ferry", "the quokka of Falcon", "what did Ann prefer?"])
def test_the_printed_terms_add_up_to_the_score_of_every_kind(memory: Memory, question: str) -> None:
    found = memory.recall(question, 20)
    assert "fact" in kinds(found)
    for row in found:
        assert row.score == pytest.approx(sum(term.value for term in row.explain), abs=1e-9)
    assert [row.score for row in found] == sorted((row.score for row in found), reverse=True)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    words=st.lists(
        st.sampled_from(["falcon", "deadline", "ferry", "ann", "quokka", "board", "the", "moved"])
    ),
    limit=st.integers(1, 6),
    budget=st.integers(0, 60) | st.none(),
)
def test_limit_and_budget_hold_over_all_kinds_together(
    memory: Memory, words: list[str], limit: int, budget: int | None
) -> None:
    found = memory.recall(" ".join(words), limit, budget, record=False)
    assert len(found) <= limit
    assert budget is None or sum(row.tokens for row in found) <= budget
    assert len({(row.kind, row.id) for row in found}) == len(found)


@each("kind", ["turn", "episode", "fact"])
def test_one_kind_alone_can_be_asked_for(memory: Memory, kind: str) -> None:
    found = memory.recall("Falcon deadline ferry Ann", 20, kinds=[kind], min_worth=0)
    assert set(kinds(found)) == {kind}


def test_several_kinds_can_be_asked_for_and_one_that_is_none_is_refused(memory: Memory) -> None:
    found = memory.recall("Falcon deadline ferry", 20, kinds=("episode", "fact"), min_worth=0)
    assert set(kinds(found)) == {"episode", "fact"}
    with pytest.raises(UsageError, match='kind "skill"'):
        memory.recall("Falcon", kinds=["skill"])


@each(
    "narrower",
    [
        {"tags": ["travel"]},
        {"participants": ["Ann"]},
        {"thread": "work"},
        {"since": "2026-11-01"},
        {"until": "2026-11-30"},
    ],
)
def test_a_filter_that_no_fact_can_pass_leaves_facts_out(
    memory: Memory, narrower: dict[str, Any]
) -> None:
    found = memory.recall("Falcon deadline ferry", 20, min_worth=0, **narrower)
    assert found
    assert "fact" not in kinds(found)
    none = memory.recall("Falcon deadline ferry", 20, kinds=["fact"], **narrower)
    assert not none
    assert next(iter(narrower)) in none.note


def test_as_of_asks_for_what_held_then(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-25T12:00:00Z")
    memory.facts.store(["Falcon's deadline is 5 January"], category="project")
    (now,) = memory.recall("Falcon deadline", 1, kinds=["fact"])
    (then,) = memory.recall("Falcon deadline", 1, as_of="2026-11-21", kinds=["fact"])
    assert (now.text, then.text) == (
        "Falcon's deadline is 5 January",
        "Falcon's deadline is 1 December",
    )


def test_a_recall_is_kept_with_the_facts_that_it_brought(memory: Memory) -> None:
    found = memory.recall("Falcon deadline", 20)
    kept = query(
        memory, "select kind, score from recall_hit where recall_id = ? order by rank", found.id
    )
    assert kept == [(row.kind, row.score) for row in found]
    assert query(memory, "select hits from recall where id = ?", found.id) == [(len(found),)]


@pytest.mark.parametrize("spelling", ["{}", "fact:{}"])
def test_feedback_marks_a_fact_as_used(memory: Memory, spelling: str) -> None:
    found = memory.recall("Falcon deadline", 20)
    fact = next(row.id for row in found if row.kind == "fact")
    memory.feedback(found.id or 0, [spelling.format(fact)], "ok")
    used = query(
        memory,
        "select fact.id from recall_hit join fact on fact.number = recall_hit.item_id"
        " where recall_hit.kind = 'fact' and used_at is not null",
    )
    assert used == [(fact,)]
    assert query(memory, "select count(*) from recall_hit where used_at is not null") == [(1,)]


def test_feedback_on_a_fact_that_was_not_brought_is_refused(memory: Memory) -> None:
    found = memory.recall("Falcon deadline", 20)
    (other,) = [fact.id for fact in memory.facts.list() if "window" in fact.text]
    for item in (other, "f_000000000000"):
        with pytest.raises(NotFoundError, match="did not bring"):
            memory.feedback(found.id or 0, [item])


@each("item", ["f_", "fact:3", "skill:3", "turn:x", "9" * 30, "", ":"])
def test_feedback_on_what_is_no_row_is_refused(memory: Memory, item: str) -> None:
    found = memory.recall("Falcon deadline")
    with pytest.raises(UsageError, match="is no row"):
        memory.feedback(found.id or 0, [item])


def test_an_erased_fact_leaves_no_trace_in_recalls(memory: Memory) -> None:
    found = memory.recall("quokka", kinds=["fact"])
    memory.facts.erase(str(found[0].id))
    assert query(memory, "select count(*) from recall_hit where kind = 'fact'") == [(0,)]
    memory.facts.store(["A new fact takes the number"])
    with pytest.raises(NotFoundError):
        memory.feedback(found.id or 0, [str(memory.facts.list()[0].id)])


def test_a_turn_that_lacks_what_a_fact_holds_stands_behind_it(memory: Memory) -> None:
    memory.log("Falcon Falcon Falcon")
    found = memory.recall("quokka mascot Falcon", 20, min_worth=0)
    assert found[0].kind == "fact"
    turn = next(row for row in found if row.kind == "turn")
    assert turn.matched == ("falcon",)
    assert turn.score < found[0].score / 2


def test_a_word_that_no_row_holds_takes_its_share_of_every_score(memory: Memory) -> None:
    whole, half = memory.recall("mascot"), memory.recall("mascot zorblax")
    assert half[0].score < whole[0].score
    assert '"zorblax"' in next(term.why for term in half[0].explain if term.term == "unheld")


def test_a_store_of_facts_alone_answers(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as opened:
        opened.facts.store("The mascot is a quokka")
        assert kinds(opened.recall("Which mascot?")) == ["fact"]
        assert "nothing was remembered" not in opened.recall("zorblax").note


def test_where_nothing_was_written_nothing_is_made(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as opened:
        for chosen in ((), ("fact",)):
            assert opened.recall("anything", kinds=chosen).note == "nothing was remembered yet"
        assert not opened.store.path.exists()


def test_facts_that_cover_the_question_leave_no_need_for_vectors(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, settings={"fallback": "store"}) as opened:
        for text in ("The boat sails at noon", "A boat is a ship", "Ships and boats sail"):
            opened.log(text)
        assert opened.recall("mascot").fallback == "store"
        opened.facts.store(["The mascot is a quokka", "The mascot wears a hat"])
        found = opened.recall("mascot")
        assert found.fallback is None
        assert kinds(found) == ["fact", "fact"]


def test_rows_by_vectors_stand_behind_facts_that_hold_the_words(tmp_path: Path) -> None:
    chosen = {"fallback": "store", "min_primary_results": "3"}
    with memctl.open("agent", tmp_path, settings=chosen) as opened:
        for text in ("The boat sails at noon", "A boat is a ship", "Ships and boats sail"):
            opened.log(text)
        opened.facts.store("One of many colours of the sailing boat is blue")
        found = opened.recall("boat blue", 10)
        marks = [row.fallback for row in found]
        assert marks == sorted(marks)
        assert not next(row for row in found if row.kind == "fact").fallback


@pytest.mark.parametrize("of", [(), ("fact",)], ids=["all", "facts"])
def test_a_secret_in_the_question_is_neither_kept_nor_told(memory: Memory, of: Any) -> None:
    secret = "hunter2" + "Xk9"
    found = memory.recall(f"quokka, my password is {secret}!", kinds=of, min_worth=0)
    kept = "".join(map(str, memory.store.row("select question, unknown_words from recall") or ()))
    assert found
    assert secret.lower() not in (kept + found.note + "".join(found.unknown)).lower()


def test_a_question_is_kept_clean_and_short(memory: Memory) -> None:
    found = memory.recall("quokka \ud800\x00" + "x" * 100_000)
    kept = memory.store.value("select question from recall where id = :id", {"id": found.id})
    assert kept.startswith("quokka \ufffdx")
    assert len(kept) <= 2000


@each("blank", ["", "  "])
def test_a_blank_question_is_not_kept(memory: Memory, blank: str) -> None:
    assert memory.recall(blank).id is None


@pytest.mark.parametrize("of", [(), ("fact",), ("turn",)], ids=["all", "facts", "turns"])
def test_what_cannot_be_kept_is_found_all_the_same(
    memory: Memory, of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: Any) -> int:
        raise BusyError("locked", hint="try again")

    monkeypatch.setattr("memctl.recall.recalls.record", busy)
    found = memory.recall("Falcon", kinds=of)
    assert found
    assert found.id is None


# -- aliases and typos ---------------------------------------------------------------------


def test_a_typo_is_repaired_among_facts_and_the_answer_says_so(memory: Memory) -> None:
    found = memory.recall("quoka mascot")
    assert found[0].kind == "fact"
    assert found.corrected == {"quoka": "quokka"}
    assert found.unknown == ()
    assert any('taken for "quokka"' in term.why for term in found[0].explain)


def test_a_fact_is_recalled_by_an_alias_and_the_answer_says_so(memory: Memory) -> None:
    memory.aliases.add("marsupial", "quokka")
    found = memory.recall("Which marsupial?")
    assert [(row.kind, row.matched) for row in found] == [("fact", ("marsupial",))]
    assert found.aliases == {"marsupial": "quokka"}


def test_a_word_that_a_turn_holds_is_no_typo_of_a_facts(memory: Memory) -> None:
    memory.log("The quakka is a drink")
    found = memory.recall("quakka")
    assert (kinds(found), found.corrected) == (["turn"], {})


def test_a_secret_that_is_like_a_word_of_a_fact_is_neither_echoed_nor_kept(memory: Memory) -> None:
    memory.facts.store("The sunflowers are yellow")
    found = memory.recall("my password is sunflowrs")
    assert found.corrected == {}
    assert "sunflowrs" not in found.note
    kept = query(memory, "select question, unknown_words from recall")
    assert kept
    assert "sunflowrs" not in str(kept)


# -- why nothing came back -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("filters", "name"),
    [({"participants": ["Ann"]}, "participants"), ({"tags": ["travel"]}, "tags")],
)
def test_a_filter_that_facts_do_not_know_is_said_where_there_are_only_facts(
    tmp_path: Path, filters: dict[str, Any], name: str
) -> None:
    with memctl.open("agent", tmp_path) as opened:
        opened.facts.store("The mascot is a quokka")
        assert opened.recall("mascot", **filters).note == (
            "no turn or episode was remembered yet; "
            f'facts have no such thing as "{name}": leave that filter out'
        )
        assert "no fact is archived" in opened.recall("mascot", status="archived").note


def test_a_budget_too_small_says_what_the_shortest_row_takes(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as opened:
        opened.facts.store("The mascot is a quokka")
        found = opened.recall("mascot", max_tokens=2)
        assert found.note == "what matches does not fit: the shortest row takes 5 tokens"
        assert opened.recall("mascot", max_tokens=5).note == ""


def test_an_empty_question_is_told_so(memory: Memory) -> None:
    assert memory.recall("").note == "the question is empty: ask with a word, a name or a date"
    assert memory.recall("?!").note.startswith("there is no word to look for")


@pytest.mark.parametrize(
    "question", ["When does Katarzyna work?", "Which days does Katarzyna work"]
)
def test_a_row_of_whom_a_question_names_is_given_that_holds_the_general_word_beside(
    memory: Memory, question: str
) -> None:
    memory.remember("Lunch by the harbour", participants=["Katarzyna Nowak"])
    facts = ["Katarzyna Nowak is our paralegal; she works Mon-Thu.", "Drafts take 2 working days"]
    memory.facts.store(facts)
    assert any("paralegal" in row.text for row in memory.recall(question))


def test_what_somebody_said_of_other_things_answers_no_question_about_them(memory: Memory) -> None:
    memory.log("Wind tore the tarpaulin", speaker="Bo")
    found = memory.recall("What can Bo not eat?")
    assert (list(found), found.unknown) == ([], ("eat",))
