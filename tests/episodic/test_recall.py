"""A question brings the rows that answer it, with the reasons; a word that no row holds is repaired or named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UsageError
from memctl.base.home import parse_address
from memctl.memory import Memory
from memctl.store.store import Store
from tests.each import each

if TYPE_CHECKING:
    from memctl.search.recall_results import Recalled


def texts(found: Recalled) -> list[str]:
    return [row.text for row in found]


def terms(found: Recalled, place: int = 0) -> dict[str, float]:
    return {term.term: term.value for term in found[place].explain}


def test_a_store_that_is_not_there_yet_answers_that_nothing_was_remembered(
    memory: Memory, store: Store
) -> None:
    assert memory.recall("ferry").note == "nothing was remembered yet"
    assert not store.exists


@each(
    ("question", "first"),
    [
        ("Which ferry was late?", "The ferry to Bornholm was late again"),
        ("sleeping", "Where will you sleep?"),
        ("When did she buy it?", "She bought a violin"),
        ("ice cream", "We sold icecream all day"),
        ("ferry " + "lorem ipsum " * 90_000, "The ferry to Bornholm was late again"),
    ],
)
def test_the_row_that_holds_the_words_comes_first(
    kitchen: Memory, question: str, first: str
) -> None:
    kitchen.log("She bought a violin")
    kitchen.log("We sold icecream all day")
    found = kitchen.recall(question)
    assert found[0].text == first
    assert len(found.unknown) < 10


def test_the_answer_to_a_matching_question_comes_before_other_rows(kitchen: Memory) -> None:
    found = kitchen.recall("sleep")
    assert texts(found)[:2] == ["Where will you sleep?", "In a tent behind the lighthouse"]
    assert terms(found, 1)["answers"] > 0.4


def test_neighbours_lend_score_within_their_thread_only(kitchen: Memory) -> None:
    found = kitchen.recall("saffron", min_worth=0)
    assert {row.thread for row in found} == {"food"}
    assert "neighbour" in terms(found, 1)


def test_the_one_person_that_is_named_is_preferred_not_required(kitchen: Memory) -> None:
    found = kitchen.recall("What does Bo cook?", min_worth=0)
    assert found[0].who == ("Bo",)
    assert ("Ann",) in {row.who for row in found}


@each(
    ("question", "names", "term", "value"),
    [
        *((f"does {bo} cook noodles", ("Bo",), "participant", 0.5) for bo in ("bo", "BO", "Bo's")),
        ("Did Ann and Bo eat paella?", ("Ann", "Bo"), "participant", 0.1),
        ("When did Ann make paella?", ("Ann",), "when", 0.25),
        ("What happened on 1 July 2026?", (), "date", 0.6),
        ("Was there a ferry on 30 February 2026?", (), "date", None),
    ],
)
def test_names_and_times_in_a_question_are_reasons(
    kitchen: Memory, question: str, names: tuple[str, ...], term: str, value: float | None
) -> None:
    found = kitchen.recall(question, min_worth=0)
    assert (found.names, terms(found).get(term)) == (names, value)


def test_a_first_name_stands_for_the_whole(memory: Memory) -> None:
    memory.log("noodles", speaker="José Miguel Ruiz")
    assert memory.recall("What did josé cook?").names == ("José Miguel Ruiz",)
    assert memory.recall("Did miguel ruiz cook?").names == ()


def test_of_equals_the_newest_comes_first(memory: Memory) -> None:
    old = memory.remember("a zebra", happened_at="2024-01-01")
    new = memory.remember("a zebra", happened_at="2025-01-01")
    newest = memory.remember("a zebra", happened_at="2025-01-01")
    assert [row.id for row in memory.recall("zebra")] == [newest, new, old]


def test_a_word_that_occurs_nowhere_is_named_and_nothing_is_made_up(kitchen: Memory) -> None:
    found = kitchen.recall("quokka")
    assert (len(found), found.unknown) == (0, ("quokka",))
    assert found.note == 'no row holds "quokka"'


@each("typo", ["lighthuose", "lighthous", "lightthouse", "lighthoyse"])
def test_a_misspelt_word_is_repaired_and_said_to_be(kitchen: Memory, typo: str) -> None:
    found = kitchen.recall(f"the {typo}")
    assert found[0].text == "In a tent behind the lighthouse"
    assert found.corrected == {typo: "lighthouse"}
    assert f'no row holds "{typo}", taken for "lighthouse"' in found[0].explain[0].why


def test_two_wrong_letters_are_repaired_in_a_long_word_and_a_short_one_keeps_its_first(
    kitchen: Memory,
) -> None:
    kitchen.log("Ask her about it, there and with her form")
    assert kitchen.recall("lighthoixe").corrected == {"lighthoixe": "lighthouse"}
    assert kitchen.recall("gent herd iwth").unknown == ("gent", "herd", "iwth")
    kitchen.log("the lighthous of the north")
    assert kitchen.recall("lighthous").corrected == {}


@pytest.fixture
def notes(memory: Memory) -> Memory:
    memory.log("Your wife called at noon", speaker="Ann")
    memory.log("60 requests per minute is the limit", speaker="Ben")
    memory.log("We went to Rome in spring", speaker="Ann")
    memory.log("The database is PostgreSQL", speaker="Ben")
    memory.log("My time zone is Lisbon's; write me an e-mail", speaker="Ann")
    return memory


def test_the_column_of_a_word_is_named(memory: Memory) -> None:
    memory.remember("Met", details="by the harbour", tags=["sailing"], participants=["Ann Lee"])
    whys = [memory.recall(word)[0].explain[0].why for word in ("harbour", "sail")]
    assert whys[0].startswith('"harbour" in details')
    assert whys[1].startswith('"sailing" in tags')


def test_a_limit_is_kept_and_a_wrong_one_refused(kitchen: Memory) -> None:
    assert len(kitchen.recall("Ann ferry tent saffron", 2)) == 2
    for limit in (0, -1, 1001):
        with pytest.raises(UsageError, match=f'limit "{limit}"'):
            kitchen.recall("ferry", limit)


@pytest.mark.usefixtures("kitchen")
def test_a_read_only_store_answers_and_records_nothing(store: Store) -> None:
    with Store(store.path, parse_address("agent"), readonly=True) as readonly:
        found = Memory(readonly).recall("ferry")
    assert (found[0].thread, found.id) == ("trip", None)
    assert store.value("select count(*) from recall") == 0


@each(
    "query",
    [
        "",
        " ",
        "what is it",
        'NEAR(ferry, 2) AND "tent" OR NOT {text}: ferry* ^late',
        '"',
        "'",
        "*",
        "(",
        ")",
        "text:ferry",
        "-ferry",
        "ferry AND",
        "🎉🎉",
        "ferry 🎉",
        "fer\u200bry",
        "fer\x00ry",
        "\ud800 ferry",
        "ferry\u202e",
        "a" * 5000,
        "%_%",
        "\\",
        "; drop table log",
        "2026-99-99 ferry",
        "9999 years ago",
        "on 0000-00-00",
    ],
)
def test_nothing_in_a_query_is_an_operator_or_an_error(kitchen: Memory, query: str) -> None:
    found = kitchen.recall(query)
    assert len(found) <= 5
    if "fer" in query:
        assert found[0].text == "The ferry to Bornholm was late again"


@pytest.mark.parametrize("endless", ["\u5f00" + "\u670d\u52a1" * 3_000, "a" + "\xf8" * 5_000])
def test_a_text_without_spaces_is_cut_at_no_characters_middle(memory: Memory, endless: str) -> None:
    memory.log("zebra " + endless)
    memory.log("the ferry leaves")
    assert memory.recall("ferry")[0].text == "the ferry leaves"
    assert memory.recall("zebra " + endless)[0].text.startswith("zebra")
    assert memory.recall("zebra")[0].text.startswith("zebra")


def test_a_name_that_is_a_regular_expression_is_a_name(memory: Memory) -> None:
    memory.log("my own words", speaker="(Ann|Bo)+.*")
    memory.log("other words", speaker="Ann")
    found = memory.recall("What words did Ann say?")
    assert found.names == ("Ann",)
    only = memory.recall("words", participants=["(Ann|Bo)+.*"])
    assert texts(only) == ["my own words"]


def test_hand_made_rows_of_five_megabytes_are_found(memory: Memory, store: Store) -> None:
    memory.log("first")
    store.connection().execute(
        "insert into episode (summary, details, happened_at) values ('big', ?, '2026-01-01')",
        ("needle " + "hay " * 1_250_000,),
    )
    assert memory.recall("needle")[0].text == "big"


def test_what_an_episode_is_about_counts_more_than_its_details(memory: Memory) -> None:
    memory.remember("A week at sea", details="We slept in a tent", tags=["ferry"])
    memory.remember("The ferry was late", details="We slept in a tent")
    memory.remember("We ate cake", details="It was on the ferry")
    found = memory.recall("ferry")
    assert [row.text for row in found][-1] == "We ate cake"
    lowered = [row.text for row in found if "details" in {term.term for term in row.explain}]
    assert lowered == ["We ate cake"]


@each("word", ["wifi", "pets", "ware", "limb"])
def test_a_real_word_is_not_taken_for_another(notes: Memory, word: str) -> None:
    found = notes.recall(word)
    assert (list(found), found.corrected, found.unknown) == ([], {}, (word,))


@each(
    ("question", "corrected"),
    [
        ("reqeusts", {"reqeusts": "requests"}),
        ("minutse", {"minutse": "minute"}),
        # A short word is repaired where a row holds what else is asked.
        ("who went to Romk?", {"romk": "rome"}),
        ("what about Romk and the limit?", {}),
    ],
)
def test_a_word_is_taken_for_one_as_a_turn_writes_it(
    notes: Memory, question: str, corrected: dict[str, str]
) -> None:
    assert notes.recall(question).corrected == corrected


def test_a_name_cut_short_is_taken_for_the_whole(notes: Memory) -> None:
    found = notes.recall("why postgres?")
    assert found.corrected == {"postgres": "postgresql"}
    assert found[0].text == "The database is PostgreSQL"
    notes.log("PostgresPro is another")
    assert notes.recall("why postgres?").corrected == {}


@each(("query", "apart"), [("which timezone am I in?", "time zone"), ("email", "e mail")])
def test_one_word_finds_what_is_written_as_two(notes: Memory, query: str, apart: str) -> None:
    found = notes.recall(query)
    assert found[0].text == "My time zone is Lisbon's; write me an e-mail"
    assert (set(found.aliases.values()), found.corrected) == ({apart}, {})
