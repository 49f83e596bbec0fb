"""A word that no fact holds is taken for one that does, as weaker evidence, and never for one of somebody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tries
from hypothesis import strategies as st

from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store
from memctl.text.aliases import Aliases
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable


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


@pytest.mark.parametrize(
    ("stored", "query", "corrected"),
    [
        (["Ann keeps a falcon", "Ann was in Balcon once"], "balcon", {}),
        (["Ann lives in Leipzig", "Ann was in Leipzic"], "Lipsia", {}),  # an alias
        (["用户住在北京"], "北亰", {}),
        (["Ben is here"], "bern", {}),  # three letters only where one is doubled
        (["Max is here"], "maxx", {"maxx": "max"}),
        (["Ann cooks"], "booked", {}),  # a short word keeps its first letter
        (["A heron"], "hrnn", {}),  # two letters need a long word
        (["Deadlines slip"], "deadnile", {"deadnile": "deadlines"}),
        (["The team meets"], "meetng", {"meetng": "meets"}),
        (["Falcon flies", "A falcan", "Two falcan"], "falcn", {"falcn": "falcan"}),
        (["PostgreSQL is the database", "PostgresPro is another"], "postgres", {}),
        (["User decided to use PostgreSQL"], "postgres", {"postgres": "postgresql"}),
        (["Müller trifft sich im Café"], "müler", {"müler": "müller"}),
        (
            ["Falcon heron osprey kestrel"],
            "falcn hern ospry kestrl",
            {"falcn": "falcon", "ospry": "osprey"},
        ),
    ],
)
def test_a_word_is_taken_for_the_one_that_it_may_be(
    facts: Facts, store: Store, stored: list[str], query: str, corrected: dict[str, str]
) -> None:
    facts.store(stored)
    Aliases(store).add("Lipsia", "Leipzig")
    assert facts.search(query).corrected == corrected


def test_a_known_word_is_left_alone_though_another_word_decides(facts: Facts) -> None:
    facts.store([f"Falcon number {i} flies" for i in range(150)], keep_both=True, related=0)
    facts.store("The falcons' keeper is Ann")
    found = facts.search("keeper of falcons flies", limit=1)
    assert found.corrected == {}


def test_an_older_word_waits_in_no_index_and_is_known(facts: Facts) -> None:
    facts.store(
        [f"Filler number {i}" for i in range(200)], keep_both=True, related=0
    )  # these are in the index
    facts.store("Falcon flies")  # this one is beside it
    assert facts.search("falcn").corrected == {"falcn": "falcon"}
    assert facts.search("fillr").corrected == {"fillr": "filler"}


# -- whose words ---------------------------------------------------------------------------


def test_a_word_that_only_others_know_is_repaired_as_if_nobody_did(
    facts_of: Callable[[Scope], Facts],
) -> None:
    facts_of(Scope(user="bob")).store("Project Auror ships in May")
    mine = facts_of(Scope(user="ann"))
    mine.store("Project Aurora ships in June")
    found = mine.search("auror")
    assert found.corrected == {"auror": "aurora"}
    assert [hit.fact.text for hit in found] == ["Project Aurora ships in June"]


@pytest.mark.parametrize(
    "scope",
    [Scope(user="ann", session="s2"), Scope(user="bob"), Scope(agent="other"), Scope(user="")],
    ids=["another session", "another user", "another agent", "nobody in particular"],
)
def test_no_scope_hears_of_words_outside_of_it(
    facts_of: Callable[[Scope], Facts], scope: Scope
) -> None:
    facts_of(Scope(user="ann", session="s1")).store("Aurora ships in May", long_term=False)
    found = facts_of(scope).search("aurra")
    assert (list(found), found.corrected) == ([], {})
    assert "aurora" not in found.note.lower()


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


@pytest.mark.parametrize("state", ["forgotten", "erased", "waiting", "expired"])
def test_words_of_a_fact_that_does_not_hold_are_not_told(
    facts: Facts, clock: Callable[[str], None], state: str
) -> None:
    facts.store("Tea is served at noon")
    (fact,) = facts.store(
        "Aurora ships in May",
        expires_at="2026-11-21",
        confidence="low" if state == "waiting" else "medium",
    ).ids
    if state == "expired":
        clock("2026-12-01T00:00:00Z")
    elif state != "waiting":
        (facts.erase if state == "erased" else facts.forget)(fact)
    found = facts.search("aurra")
    assert found.corrected == {}
    assert "Aurora" not in found.note


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
    facts.store("Falcon's deadline is 1 May")
    store.close()
    with Store(store.path, store.address, readonly=True) as opened:
        assert Facts(opened, Settings(opened)).search("falcn").corrected == {"falcn": "falcon"}


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


@tries(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


STORED = [
    "User has a wife called Eva",
    "User reads a book a week",
    "The house has a red door",
    "User rents a flat",
    "User lives in Lisbon",
    "User prefers dark mode because of migraines",
    "The lab takes 60 requests per minute",
    "The server is called Atlas",
]


@each("word", ["wifi", "boot", "horse", "flag", "like", "pets", "cable", "loves"])
def test_a_real_word_is_not_taken_for_another(facts: Facts, word: str) -> None:
    facts.store(STORED)
    found = facts.search(word)
    assert (list(found), found.corrected) == ([], {})
    assert found.note == f'no fact holds "{word}"'


def test_a_question_with_a_real_word_that_nobody_holds_keeps_its_order(facts: Facts) -> None:
    facts.store(STORED)
    found = facts.search("what theme does the user like?")
    assert found.corrected == {}
    assert {hit.matched for hit in found} == {("user",)}


def test_a_fact_that_a_repair_alone_found_never_has_the_full_score(facts: Facts) -> None:
    facts.store(["Osprey flies in May", "Tea is served at noon"])
    (hit,) = facts.search("ospry")
    assert hit.score == pytest.approx(0.5)
    assert "50% of the question's weight; " in hit.explain[0].why
    assert "50% of its weight" in hit.explain[0].why


def test_a_repaired_word_counts_half_of_what_it_would_as_asked(facts: Facts) -> None:
    facts.store(["Note 1 is about tea", "Osprey flies in May"])
    found = facts.search("ospry tea")
    assert found.corrected == {"ospry": "osprey"}
    assert [hit.matched for hit in found] == [("tea",), ("ospry",)]
    assert found[1].score == pytest.approx(found[0].score / 2, abs=0.001)


def test_others_facts_do_not_push_a_repaired_one_back(facts_of: Callable[[Scope], Facts]) -> None:
    mine = facts_of(Scope(user="ann"))
    mine.store("Osprey flies in May")
    facts_of(Scope(user="bob")).store("Tea is served at noon")
    (hit,) = mine.search("ospry tea")
    assert "others do" not in hit.explain[0].why


def test_a_longer_name_of_anothers_is_not_told(facts_of: Callable[[Scope], Facts]) -> None:
    facts_of(Scope(user="bob")).store("PostgresPro is what Bob uses")
    mine = facts_of(Scope(user="ann"))
    mine.store("PostgreSQL is what Ann uses")
    assert mine.search("postgres").corrected == {"postgres": "postgresql"}


BIRDS = ["falcon", "heron", "kestrel", "osprey", "harrier", "buzzard"]


@tries(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(
        st.lists(st.sampled_from(BIRDS), min_size=1, max_size=3), min_size=1, max_size=8
    ),
    asked=st.lists(st.sampled_from(BIRDS), min_size=1, max_size=3, unique=True),
    broken=st.sampled_from(BIRDS),
)
def test_whatever_is_misspelt_the_terms_of_a_score_add_up_to_it(
    facts: Facts, texts: list[list[str]], asked: list[str], broken: str
) -> None:
    facts.delete_all(confirm=True)
    facts.store([f"Note {i}: {' '.join(words)}" for i, words in enumerate(texts)])
    typo = broken[:2] + broken[3:]
    found = facts.search(" ".join([typo, *(word for word in asked if word != broken)]), limit=50)
    repaired = [set(hit.matched) == {typo} for hit in found]
    assert all(hit.score < 1 for hit, alone in zip(found, repaired, strict=True) if alone)
    for hit in found:
        assert sum(term.value for term in hit.explain) == pytest.approx(hit.score, abs=0.003)
