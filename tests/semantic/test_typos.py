"""A word that no fact holds is taken for one that does; and never for one of somebody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.base.scope import Scope
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts
    from memctl.store.store import Store


@each("typo", ["falcn", "faclon", "falconn", "fallcon", "Falkon"])
def test_a_typo_is_repaired(facts: Facts, typo: str) -> None:
    facts.store(["Falcon's deadline is 1 May", "Tea is served at noon"])
    found = facts.search(typo)
    assert found.corrected == {typo.lower(): "falcon"}
    assert [hit.fact.subject for hit in found] == ["Falcon"]


@each("word", ["tee", "submarine", "x1", "12345", "fa"])
def test_a_word_that_is_like_no_other_stays_unknown(facts: Facts, word: str) -> None:
    facts.store(["Falcon's deadline is 1 May", "Tea is served at noon"])
    found = facts.search(word)
    assert (list(found), found.corrected) == ([], {})
    assert found.note == f'no fact holds "{word}"'


def test_the_answer_and_the_fact_say_what_a_word_was_taken_for(facts: Facts) -> None:
    facts.store("Falcon's deadline is 1 May")
    found = facts.search("Falcn deadline")
    assert found.corrected == {"falcn": "falcon"}
    assert set(found[0].matched) == {"falcn", "deadline"}
    why = {term.term: term.why for term in found[0].explain}
    assert 'no fact holds "falcn", taken for "falcon"' in why["falcn"]
    assert "taken for" not in why["deadline"]


def test_a_subject_that_is_misspelt_is_named_all_the_same(facts: Facts) -> None:
    facts.store("Falcon's deadline is 1 May")
    assert facts.search("falcn")[0].explain[-1].term == "subject"


def test_a_repaired_answer_adds_up(facts: Facts) -> None:
    facts.store(["Falcon's deadline is 1 May", "Tea is served at noon"])
    for hit in facts.search("falcn deadlnie tea"):
        assert sum(term.value for term in hit.explain) == pytest.approx(hit.score, abs=0.002)


def test_a_known_word_is_left_alone(facts: Facts) -> None:
    facts.store(["Ann keeps a falcon", "Ann was in Balcon once"])
    found = facts.search("balcon")
    assert found.corrected == {}
    assert [hit.fact.text for hit in found] == ["Ann was in Balcon once"]


def test_a_known_word_is_left_alone_though_another_word_decides(facts: Facts) -> None:
    facts.store([f"Falcon number {i} flies" for i in range(150)], keep_both=True, related=0)
    facts.store("The falcons' keeper is Ann")
    found = facts.search("keeper of falcons flies", limit=1)
    assert found.corrected == {}


def test_a_word_that_an_alias_finds_is_no_typo(facts: Facts, store: Store) -> None:
    from memctl.text.aliases import Aliases

    facts.store(["Ann lives in Leipzig", "Ann was in Leipzic"])
    Aliases(store).add("Lipsia", "Leipzig")
    assert facts.search("Lipsia").corrected == {}


def test_an_older_word_waits_in_no_index_and_is_known(facts: Facts) -> None:
    facts.store(
        [f"Filler number {i}" for i in range(200)], keep_both=True, related=0
    )  # these are in the index
    facts.store("Falcon flies")  # this one is beside it
    assert facts.search("falcn").corrected == {"falcn": "falcon"}
    assert facts.search("fillr").corrected == {"fillr": "filler"}


def test_a_word_with_marks_is_told_with_them(facts: Facts) -> None:
    facts.store("Müller trifft sich im Café")
    assert facts.search("müler").corrected == {"müler": "müller"}


def test_no_more_than_two_words_are_repaired(facts: Facts) -> None:
    facts.store("Falcon heron osprey kestrel")
    assert len(facts.search("falcn hern ospry kestrl").corrected) == 2


def test_a_clue_in_another_script_is_not_repaired(facts: Facts) -> None:
    facts.store("用户住在北京")
    assert facts.search("北亰").corrected == {}


# -- whose words ---------------------------------------------------------------------------


def test_nothing_is_taken_for_a_word_of_anothers_facts(facts_of: Callable[[Scope], Facts]) -> None:
    facts_of(Scope(user="bob")).store("Project Aurora ships in May")
    mine = facts_of(Scope(user="ann"))
    mine.store("Tea is served at noon")
    found = mine.search("aurra")
    assert (list(found), found.corrected) == ([], {})
    assert "aurora" not in found.note.lower()


def test_a_word_that_only_others_know_is_repaired_as_if_nobody_did(
    facts_of: Callable[[Scope], Facts],
) -> None:
    facts_of(Scope(user="bob")).store("Project Auror ships in May")
    mine = facts_of(Scope(user="ann"))
    mine.store("Project Aurora ships in June")
    found = mine.search("auror")
    assert found.corrected == {"auror": "aurora"}
    assert [hit.fact.text for hit in found] == ["Project Aurora ships in June"]


def test_ones_own_word_is_found_behind_thousands_of_anothers(
    store: Store, facts_of: Callable[[Scope], Facts]
) -> None:
    mine = facts_of(Scope(user="ann"))
    mine.store("Aurora ships in June")
    others = facts_of(Scope(user="bob"))
    with store.transaction():
        for start in (0, 700):
            others.store(
                [f"Aurora part {start + i} is near" for i in range(700)], keep_both=True, related=0
            )
    assert mine.search("aurra").corrected == {"aurra": "aurora"}
    assert mine.search("aurora").corrected == {}


@pytest.mark.parametrize(
    "scope",
    [Scope(user="ann", session="s2"), Scope(agent="other"), Scope(user="")],
    ids=["another session", "another agent", "nobody in particular"],
)
def test_no_scope_hears_of_words_outside_of_it(
    facts_of: Callable[[Scope], Facts], scope: Scope
) -> None:
    facts_of(Scope(user="ann", session="s1")).store("Aurora ships in May", long_term=False)
    found = facts_of(scope).search("aurra")
    assert (list(found), found.corrected) == ([], {})


def test_a_call_that_narrows_the_scope_narrows_the_words(facts: Facts) -> None:
    facts.store("Aurora ships in May", user_id="bob")
    assert facts.search("aurra").corrected == {"aurra": "aurora"}
    assert facts.search("aurra", user_id="ann").corrected == {}


# -- which facts ---------------------------------------------------------------------------


def test_nothing_is_taken_for_a_word_that_no_filter_lets_through(facts: Facts) -> None:
    facts.store("Aurora ships in May", category="project")
    assert facts.search("aurra", categories=["identity"]).corrected == {}
    assert facts.search("aurra", categories=["project"]).corrected == {"aurra": "aurora"}


def test_a_word_that_a_filter_leaves_out_is_no_typo(facts: Facts) -> None:
    facts.store("The heron is grey", category="project")
    facts.store("The herons are grey; the heroin is not", category="technical")
    facts.store("The heroine is Ann", category="lesson")
    found = facts.search("heron", categories=["lesson"])
    assert (list(found), found.corrected) == ([], {})
    assert found.note == "no fact that matches passes the filters"


def test_words_of_a_forgotten_fact_are_not_told(facts: Facts) -> None:
    (gone,) = facts.store("Aurora ships in May").ids
    facts.forget(gone)
    assert facts.search("aurra").corrected == {}
    assert "Aurora" not in facts.search("aurra").note


def test_words_of_an_erased_fact_are_not_told(facts: Facts) -> None:
    (gone,) = facts.store("Aurora ships in May").ids
    facts.store("Tea is served at noon")
    facts.erase(gone)
    assert facts.search("aurra").corrected == {}


def test_words_of_a_waiting_fact_are_not_told(facts: Facts) -> None:
    facts.store("Aurora ships in May", confidence="low")
    assert facts.search("aurra").corrected == {}


def test_words_of_an_expired_fact_are_not_told(facts: Facts, clock: Callable[[str], None]) -> None:
    facts.store("Aurora ships in May", expires_at="2026-11-21")
    assert facts.search("aurra").corrected == {"aurra": "aurora"}
    clock("2026-12-01T00:00:00Z")
    assert facts.search("aurra").corrected == {}


def test_words_of_a_replaced_fact_are_told_of_its_time_alone(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store("Falcon's lead is Beatrice")
    clock("2026-12-01T00:00:00Z")
    facts.store("Falcon's lead is Hans")
    assert facts.search("beatrce").corrected == {}
    then = facts.search("beatrce", as_of="2026-11-25")
    assert then.corrected == {"beatrce": "beatrice"}
    assert [hit.fact.value for hit in then] == ["Beatrice"]


def test_a_word_of_a_forgotten_fact_alone_is_a_typo_of_one_that_holds(facts: Facts) -> None:
    (gone,) = facts.store("Falcn was a typo of mine").ids
    facts.store("Falcon flies in May")
    facts.forget(gone)
    assert facts.search("falcn").corrected == {"falcn": "falcon"}


# -- what it may do ------------------------------------------------------------------------


def test_nothing_is_forgotten_by_what_a_word_was_only_taken_for(facts: Facts) -> None:
    (kept,) = facts.store("Falcon's deadline is 1 May").ids
    gone = facts.forget(query="falcn deadline")
    assert gone.forgotten == ()
    assert [hit.fact.id for hit in gone.candidates] == [kept]
    assert facts.get(kept).status == "active"


def test_a_word_of_a_secret_is_neither_repaired_nor_repeated(facts: Facts) -> None:
    facts.store("The sunflowers are yellow")
    found = facts.search("my password is sunflowrs")
    assert (list(found), found.corrected) == ([], {})
    assert "sunflowrs" not in found.note


def test_a_read_only_store_repairs_too(facts: Facts, store: Store) -> None:
    from memctl.config.settings import Settings
    from memctl.semantic.facts import Facts
    from memctl.store.store import Store as Opened

    facts.store("Falcon's deadline is 1 May")
    store.close()
    with Opened(store.path, store.address, readonly=True) as opened:
        found = Facts(opened, Settings(opened)).search("falcn")
        assert found.corrected == {"falcn": "falcon"}


def test_a_query_of_known_words_asks_no_vocabulary(facts: Facts, store: Store) -> None:
    facts.store([f"Falcon number {i} is grey" for i in range(500)], keep_both=True, related=0)
    asked = statements(store)
    facts.search("falcon number 17")
    assert not [sql for sql in asked if "memctl_fact_vocabulary as" in sql]


def test_the_work_for_a_typo_does_not_grow_with_the_facts(facts: Facts, store: Store) -> None:
    facts.store("Falcon is a bird")
    counts = []
    asked = statements(store)
    for start in (0, 900, 1800):
        facts.store(
            [f"Falcon number {start + i} is grey" for i in range(900)], keep_both=True, related=0
        )
        asked.clear()
        assert facts.search("falcn nmber 17").corrected == {"falcn": "falcon", "nmber": "number"}
        counts.append(len(asked))
    assert counts[2] <= counts[1]


def statements(store: Store) -> list[str]:
    """Return a list of what is asked of the store from now on, without SQLite's own statements."""
    asked: list[str] = []

    def note(sql: str) -> None:
        if not sql.startswith("--"):
            asked.append(sql)

    store.connection().set_trace_callback(note)
    return asked


WORDS = ["falcon", "falcor", "balcon", "heron", "herbs", "kestrel", "osprey", "ospray"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    mine=st.sets(TEXTS, min_size=1, max_size=3),
    others=st.sets(TEXTS, max_size=3),
    query=st.text(alphabet="abcefhlnoprsy ", max_size=12) | TEXTS,
)
def test_whatever_is_asked_no_word_from_outside_of_the_scope_is_told(
    facts_of: Callable[[Scope], Facts], mine: set[str], others: set[str], query: str
) -> None:
    ann, bob = facts_of(Scope(user="ann")), facts_of(Scope(user="bob"))
    for one in (ann, bob):
        one.delete_all(confirm=True)
    ann.store([f"Note: {text}" for text in sorted(mine)])
    if others:
        bob.store([f"Note: {text}" for text in sorted(others)])
    found = ann.search(query)
    held = {word for text in mine for word in text.split()} | {"note", "notes"}
    asked = set(query.split())
    assert set(found.corrected.values()) <= held
    assert not {word for word in WORDS if word in found.note} - held - asked
    assert {hit.fact.user_id for hit in found} <= {"ann"}
