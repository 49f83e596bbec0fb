"""Facts are found by the aliases of the store, both ways, and the answer says which helped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.scope import Scope
from memctl.text.aliases import Aliases

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts
    from memctl.store.store import Store


@pytest.fixture
def aliases(store: Store) -> Aliases:
    return Aliases(store)


def test_an_alias_works_both_ways(facts: Facts, aliases: Aliases) -> None:
    facts.store(["Ann lives in New York", "The NYC office opens at nine"])
    aliases.add("NYC", "New York")
    for query in ("nyc", "new york"):
        texts = {hit.fact.text for hit in facts.search(query)}
        assert texts == {"Ann lives in New York", "The NYC office opens at nine"}


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


def test_an_alias_of_several_words_needs_all_of_them(facts: Facts, aliases: Aliases) -> None:
    facts.store(["York has a minster", "New York has a harbour"])
    aliases.add("NYC", "New York")
    assert [hit.fact.text for hit in facts.search("NYC")] == ["New York has a harbour"]


def test_a_fact_that_holds_an_alias_covers_every_word_of_the_phrase(
    facts: Facts, aliases: Aliases
) -> None:
    facts.store(["The NYC office opens at nine", "A new rule"])
    aliases.add("NYC", "New York")
    best = facts.search("new york office")[0]
    assert best.fact.text == "The NYC office opens at nine"
    assert best.score == pytest.approx(1.0)


def test_an_alias_loop_ends(facts: Facts, aliases: Aliases) -> None:
    facts.store("The kettle is gamma")
    for term, synonym in (("alpha", "beta"), ("beta", "gamma"), ("gamma", "alpha")):
        aliases.add(term, synonym)
    assert facts.search("alpha")[0].fact.text == "The kettle is gamma"
    assert facts.search("gamma")[0].fact.text == "The kettle is gamma"


def test_inflected_words_have_aliases_too(facts: Facts, aliases: Aliases) -> None:
    facts.store("Ann owns two automobiles")
    aliases.add("car", "automobile")
    assert facts.search("cars")[0].fact.text == "Ann owns two automobiles"


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("Shanghai", "用户住在魔都"),
        ("魔都呢", "Ann flew to Shanghai"),
        ("上海市は?", "Ann flew to Shanghai"),
        ("서울", "Seoul is home"),
        ("müsli", "Ann eats granola"),
    ],
)
def test_aliases_join_scripts(facts: Facts, aliases: Aliases, query: str, fact: str) -> None:
    facts.store([fact, "Something else entirely"])
    for synonym in ("魔都", "上海市"):
        aliases.add("Shanghai", synonym)
    aliases.add("Seoul", "서울")
    aliases.add("granola", "Müsli")
    assert [hit.fact.text for hit in facts.search(query)] == [fact]


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


def test_a_fact_is_about_the_thing_that_an_alias_names(facts: Facts, aliases: Aliases) -> None:
    facts.store(["Brugmann Ferries writes to us in German", "The crew writes reports"])
    aliases.add("BF", "Brugmann Ferries")
    best = facts.search("In what language does BF write to us?")
    assert best[0].fact.text == "Brugmann Ferries writes to us in German"


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


def test_a_removed_alias_is_forgotten(facts: Facts, aliases: Aliases) -> None:
    facts.store("Ann lives in New York")
    aliases.add("NYC", "New York")
    aliases.remove("NYC")
    assert facts.search("nyc") == []


def test_any_text_of_an_alias_is_words(facts: Facts, aliases: Aliases) -> None:
    facts.store("Tea is served at noon")
    aliases.add("tea", '" OR (')
    aliases.add("noon", "a\u19b0b")
    assert [hit.fact.text for hit in facts.search("tea noon")] == ["Tea is served at noon"]
