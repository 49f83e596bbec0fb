"""A fact is found by any name of a thing, and however it writes what is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.scope import Scope
from memctl.text.aliases import Aliases
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts
    from memctl.store.store import Store


@pytest.fixture
def aliases(store: Store) -> Aliases:
    return Aliases(store)


OFFICE, HOME = "The NYC office opens at nine", "Ann lives in New York"
NYC = {"NYC": "New York"}
LOOP = {"alpha": "beta", "beta": "gamma", "gamma": "alpha"}
SCRIPTS = {"魔都": "Shanghai", "上海市": "Shanghai", "Seoul": "서울", "granola": "Müsli"}


@pytest.mark.parametrize(
    ("stored", "named", "query", "expected"),
    [
        ([HOME, OFFICE], NYC, "nyc", [OFFICE, HOME]),
        ([HOME, OFFICE], NYC, "new york", [HOME, OFFICE]),
        ([OFFICE, "A new rule"], NYC, "new york office", [OFFICE, "A new rule"]),
        (["York has a minster", "New York has a harbour"], NYC, "NYC", ["New York has a harbour"]),
        (["The kettle is gamma"], LOOP, "alpha", ["The kettle is gamma"]),
        (["The kettle is gamma"], LOOP, "gamma", ["The kettle is gamma"]),
        (["Ann owns two automobiles"], {"car": "automobile"}, "cars", ["Ann owns two automobiles"]),
        (["Tea is served at noon"], {"tea": '" OR (', "noon": "a\u19b0b"}, "tea noon", ["Tea is served at noon"]),
        (["用户住在魔都", "It rains"], SCRIPTS, "Shanghai", ["用户住在魔都"]),
        (["Ann flew to Shanghai", "It rains"], SCRIPTS, "魔都呢", ["Ann flew to Shanghai"]),
        (["Ann flew to Shanghai", "It rains"], SCRIPTS, "上海市は?", ["Ann flew to Shanghai"]),
        (["Seoul is home", "It rains"], SCRIPTS, "서울", ["Seoul is home"]),
        (["Ann eats granola", "It rains"], SCRIPTS, "müsli", ["Ann eats granola"]),
    ],
)  # fmt: skip
def test_a_fact_is_found_by_any_name_of_a_thing(
    facts: Facts,
    aliases: Aliases,
    stored: list[str],
    named: dict[str, str],
    query: str,
    expected: list[str],
) -> None:
    facts.store(stored)
    for term, synonym in named.items():
        aliases.add(term, synonym)
    hits = facts.search(query)
    assert {hit.fact.text for hit in hits} == set(expected)
    assert hits[0].score == pytest.approx(1.0)


def test_a_removed_alias_is_forgotten(facts: Facts, aliases: Aliases) -> None:
    facts.store(HOME)
    aliases.add("NYC", "New York")
    aliases.remove("NYC")
    assert facts.search("nyc") == []


def test_the_answer_and_the_fact_say_which_alias_brought_it(facts: Facts, aliases: Aliases) -> None:
    facts.store("Ann lives in New York")
    aliases.add("NYC", "New York")
    found = facts.search("Who is in NYC?")
    assert found.aliases == {"NYC": "New York"}
    assert found[0].matched == ("nyc",)
    assert '"NYC" also means "New York"' in found[0].explain[0].why


def test_a_fact_that_holds_the_word_itself_owes_nothing_to_an_alias(
    facts: Facts, aliases: Aliases
) -> None:
    facts.store("The NYC office, in New York, opens at nine")
    aliases.add("NYC", "New York")
    found = facts.search("nyc")
    assert found.aliases == {}
    assert "also means" not in found[0].explain[0].why


def test_a_name_that_is_a_word_of_grammar_is_looked_for_as_it_is_written(
    facts: Facts, aliases: Aliases
) -> None:
    facts.store("The World Health Organization meets in Geneva")
    aliases.add("WHO", "World Health Organization")
    assert facts.search("WHO meeting")[0].matched == ("WHO", "meeting")
    assert facts.search("who is at the meeting?").aliases == {}


def test_lookup_takes_any_name_of_a_thing(facts: Facts, aliases: Aliases) -> None:
    facts.store(["Falcon's deadline is 1 May", "Osprey's deadline is 2 June"])
    aliases.add("the bird", "project F")
    aliases.add("project F", "falcon")
    for name in ("Falcon", "Project F", "bird", "THE BIRD"):
        assert [fact.text for fact in facts.lookup(name)] == ["Falcon's deadline is 1 May"]
    assert facts.lookup("project", "deadline") == []


def test_an_article_before_a_phrase_is_no_part_of_it(facts: Facts, aliases: Aliases) -> None:
    facts.store("Passwords live in Strongroom")
    aliases.add("the vault", "Strongroom")
    assert facts.search("what lives in our vault?").aliases == {"the vault": "Strongroom"}


def test_a_subject_is_named_by_its_alias(facts: Facts, aliases: Aliases) -> None:
    facts.store(["Falcon's deadline is 1 May", "The deadline of the bird project is far"])
    aliases.add("bird project", "Falcon")
    best = facts.search("deadline of the bird project", limit=2)
    named = next(hit for hit in best if hit.fact.subject == "Falcon")
    assert named.explain[-1].term == "subject"


def test_an_alias_that_only_others_facts_could_answer_is_not_told(
    facts_of: Callable[[Scope], Facts], aliases: Aliases
) -> None:
    facts_of(Scope(user="bob")).store("Aurora ships in May")
    facts_of(Scope(user="ann")).store("The secret project is on time")
    aliases.add("secret project", "Aurora")
    found = facts_of(Scope(user="ann")).search("secret project")
    assert [hit.fact.text for hit in found] == ["The secret project is on time"]
    assert found.aliases == {}
    assert "Aurora" not in str(found[0].explain)


def test_filters_hold_for_what_an_alias_brings(facts: Facts, aliases: Aliases) -> None:
    facts.store("Ann lives in New York", category="identity")
    facts.store("The New York office opens at nine", category="operational")
    aliases.add("NYC", "New York")
    found = facts.search("nyc", categories=["operational"])
    assert [hit.fact.category for hit in found] == ["operational"]


WRITTEN = [
    ("User's time zone is Europe/Lisbon", "which timezone am I in?"),
    ("User's timezone is Europe/Lisbon", "which time zone am I in?"),
    ("User's timezone is Europe/Lisbon", "time-zone"),
    ("User's e-mail is ann@example.com", "email"),
    ("User's email is ann@example.com", "what is my e-mail?"),
    ("User's home page is ann.example", "homepage"),
    ("User's homepage is ann.example", "home page"),
    ("The service is written in Node.js", "nodejs"),
    ("The service is written in NodeJS", "node.js"),
    ("The X-ray viewer crashes", "xray"),
    ("The login page is slow", "log in"),
]


@pytest.mark.parametrize(("text", "query"), WRITTEN)
def test_one_word_or_two_is_the_same(facts: Facts, text: str, query: str) -> None:
    facts.store(["Tea is served at noon", text])
    found = facts.search(query)
    assert [hit.fact.text for hit in found] == [text]
    assert found.corrected == {}
    assert found[0].score >= 1


def test_what_is_written_otherwise_is_explained(facts: Facts) -> None:
    facts.store("User's time zone is Europe/Lisbon")
    found = facts.search("timezone")
    assert found.aliases == {"timezone": "time zone"}
    assert '"timezone" is also written "time zone"' in found[0].explain[0].why


@each(
    ("text", "query"),
    [
        ("The zone is closed for some time", "timezone"),
        ("We go at noon", "goat"),
        ("The inn is land", "island"),
        ("Ask the me", "theme"),
        ("用户的狗叫小白", "什么的"),
    ],
)
def test_words_apart_words_of_grammar_and_particles_make_no_other_word(
    facts: Facts, text: str, query: str
) -> None:
    facts.store(text)
    assert list(facts.search(query)) == []


def test_a_possessive_is_no_half_of_a_word(facts: Facts) -> None:
    facts.store(["The users complain", "User's job is surgeon", "The backup job is slow"])
    assert facts.search("the user's job")[0].fact.text == "User's job is surgeon"


def test_a_compound_of_anothers_fact_is_not_told(facts_of: Callable[[Scope], Facts]) -> None:
    facts_of(Scope(user="bob")).store("Bob's time zone is Europe/Lisbon")
    found = facts_of(Scope(user="ann")).search("timezone")
    assert (list(found), found.aliases) == ([], {})


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("用户的狗叫小白，今年三岁", "狗的名字"),
        ("ユーザーの猫はタマという", "猫の名前は？"),
        ("用户喜欢喝绿茶", "喝什么"),
        ("用户住在上海浦东", "住哪儿"),
    ],
)
def test_a_word_of_one_character_is_found_in_a_question(
    facts: Facts, text: str, query: str
) -> None:
    facts.store(["Tea is served at noon", text])
    found = facts.search(query)
    assert [hit.fact.text for hit in found] == [text]
    assert 0 < found[0].score <= 1


def test_a_pair_of_characters_comes_before_one_of_them(facts: Facts) -> None:
    facts.store(["用户的名片是蓝色的", "用户的名字是安娜"])
    assert facts.search("名字")[0].fact.text == "用户的名字是安娜"


@each("query", ["Işıl", "ışıl", "IŞIL", "isil", "ISIL"])
def test_a_turkish_word_is_found_however_its_i_is_written(facts: Facts, query: str) -> None:
    facts.store(["Tea is served at noon", "Kullanıcının kızı Işıl on yaşında"])
    assert [hit.fact.text for hit in facts.search(query)] == ["Kullanıcının kızı Işıl on yaşında"]


@each(
    "ways",
    [
        ("Işık mutfakta yanıyor", "ışık mutfakta yanıyor", "IŞIK MUTFAKTA YANIYOR"),
        ("İzmir'de tatil yapar", "izmir'de tatil yapar", "İZMİR'DE TATİL YAPAR"),
    ],
)
def test_a_turkish_text_is_added_once_however_its_i_is_written(
    facts: Facts, ways: tuple[str, ...]
) -> None:
    events = [facts.store(text).written[0].event for text in ways]
    assert events == ["ADD", "SKIP", "SKIP"]


def test_a_thing_has_one_name_however_it_is_written(facts: Facts) -> None:
    facts.store("Işık's owner is Ann")
    assert [fact.value for fact in facts.lookup("IŞIK", "owner")] == ["Ann"]
