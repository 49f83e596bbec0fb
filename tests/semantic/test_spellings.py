"""A fact is found however it writes what is asked: as one word or two, by characters, dotted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

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


def test_two_words_that_stand_apart_are_no_compound(facts: Facts) -> None:
    facts.store("The zone is closed for some time")
    assert list(facts.search("timezone")) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [("We go at noon", "goat"), ("The inn is land", "island"), ("Ask the me", "theme")],
)
def test_words_of_grammar_make_no_compound(facts: Facts, text: str, word: str) -> None:
    facts.store(text)
    assert list(facts.search(word)) == []


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


def test_a_particle_finds_nothing(facts: Facts) -> None:
    facts.store("用户的狗叫小白")
    assert list(facts.search("什么的")) == []


@pytest.mark.parametrize("query", ["Işıl", "ışıl", "IŞIL", "isil", "ISIL"])
def test_a_turkish_word_is_found_however_its_i_is_written(facts: Facts, query: str) -> None:
    facts.store(["Tea is served at noon", "Kullanıcının kızı Işıl on yaşında"])
    assert [hit.fact.text for hit in facts.search(query)] == ["Kullanıcının kızı Işıl on yaşında"]


def test_every_way_of_writing_an_i_is_found_at_once(facts: Facts) -> None:
    facts.store(["Işık mutfakta yanıyor", "Bahçede ışık var", "BAHÇEDE IŞIK YOK"])
    assert len(facts.search("ışık")) == 3
