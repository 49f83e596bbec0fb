"""What a statement of a property replaces, and what it leaves as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.semantic.sentences.plain_statements import read_statement
from memctl.semantic.sentences.properties import sort_of

if TYPE_CHECKING:
    from memctl.semantic.facts import Facts


def both(facts: Facts, first: str, second: str, category: str | None = None) -> str:
    facts.store(first, category=category)
    return facts.store(second, category=category).written[0].event


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("User uses Slack for work", "User uses Teams for work"),
        ("User uses Python for scripting", "User is using Rust for scripting"),
        ("My wife's birthday is 3 May", "My wife's birthday is on a Sunday"),
        ("The cost of Falcon is 100 euros", "The cost of Falcon is high"),
        ("Ann's talk is 20 minutes long", "Ann's talk is on 5 May"),
        ("Falcon's API is 3 times faster", "Falcon's API is at version 2"),
        ("The price of Falcon is 100 euros", "The price of Falcon is 120 dollars"),
        ("Falcon's database is PostgreSQL", "Falcon's database is slow"),
        ("Ann's manager is Bob", "Ann's manager is Irish"),
        ("Ann's manager is Bob", "Ann's manager is a friend of Carl"),
        ("Falcon's owner is Ann", "Falcon's owner is on holiday"),
        ("User's editor is Vim", "User's editor is well configured"),
        ("Ann's yoga class is on Monday", "Ann's yoga class is on Thursday"),
        ("We decided on PostgreSQL for billing", "We use MySQL for billing"),
        ("We decided on Berlin for the offsite", "We decided on 5 May for the offsite"),
        ("User decided to run the tests on Fridays", "User decided to run the tests on Jenkins"),
        ("Ann's team is Falcon", "Ann's team moved to Berlin"),
        ("Falcon's deadline is 1 December", "Falcon's deadline is not 1 December"),
        ("Falcon's deadline is 1 December", "Falcon's deadline is no longer 5 December"),
        ("User moved to Berlin for work", "User moved to Teams for work"),
        ("User's diet is vegan", "User's diet is expensive"),
        ("The main database of Falcon is SQLite", "The main database of Falcon is in Graz"),
        ("Ann's address is Main Street 4", "Ann's address is a@b.example"),
        ("用户的时区是上海", "用户的时区是很重要的"),
        ("我的公司是腾讯", "我的公司是在深圳"),
        ("用户的爱好是游泳", "用户的爱好是跑步"),
    ],
)
def test_what_says_nothing_of_a_change_leaves_both(facts: Facts, first: str, second: str) -> None:
    assert both(facts, first, second) == "ADD"
    assert len(facts.list()) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Falcon's deadline is 1 December", "Falcon's deadline moved to 8 December"),
        ("Falcon's deadline is 1 December", "Falcon's deadline has been changed to 8 December"),
        ("Falcon's deadline is 1 December", "The deadline of Falcon moved from 1 to 8 December"),
        ("Falcon's deadline is 1 December", "Falcon's deadline is not 1 December any more."),
        ("Falcon's deadline is 1 December", "Falcon's deadline is no longer 1 December"),
        ("Falcon's deadline is no longer 1 December", "Falcon's deadline is 8 December"),
        ("The cost of Falcon is 100 euros", "The cost of Falcon is about €120"),
        ("The budget of Falcon is 40,000", "The budget of Falcon is 50,000 euros"),
        ("Ann's talk is 20 minutes long", "Ann's talk is 30 minutes long"),
        ("Ann's talk is on 5 May", "Ann's talk is on 2026-05-06"),
        ("Falcon's status is in progress", "Falcon's status is done"),
        ("User's theme is dark", "User's theme is light"),
        ("User's editor is vim", "User's editor is Emacs"),
        ("User's car is a Volvo", "User's car is a Tesla"),
        ("James' email is a@b.example", "James' email is d@b.example"),
        ("My email is a@b.example", "My email changed to d@b.example"),
        ("User's timezone is Europe/Lisbon", "User's time zone is UTC+2"),
        ("Ann's email is a@b.example", "Ann's e-mail is d@b.example"),
        ("Ann's e-mail address is a@b.example", "Ann's email address is d@b.example"),
        ("Ann's phone is 555-1234", "Ann's phone number is 555-9999"),
        ("We use MySQL for billing", "We decided on PostgreSQL for billing"),
        ("User chose Slack for work", "User switched to Teams for work"),
        ("User decided to use pnpm for the site", "User decided to use bun for the site"),
        ("用户时区是上海", "用户时区是北京"),
        ("用户的时区是上海", "用户时区改为北京"),
        ("Falcon的截止日期是12月1日", "Falcon的截止日期改到12月8日"),
    ],
)
def test_a_changed_value_replaces_the_old(facts: Facts, first: str, second: str) -> None:
    assert both(facts, first, second) == "SUPERSEDE"
    assert [fact.text for fact in facts.list()] == [second]


def test_a_person_has_one_manager_and_several_friends(facts: Facts) -> None:
    kind = "relationship"
    assert both(facts, "Ann's manager is Bob", "Ann's manager is Carl", kind) == "SUPERSEDE"
    assert both(facts, "Ann's friend is Bob", "Ann's friend is Carl", kind) == "ADD"
    assert both(facts, "Ann's mentor is Bob", "Ann's mentor is Carl", kind) == "ADD"


def test_a_property_is_looked_up_under_any_of_its_names(facts: Facts) -> None:
    facts.store("Ann's e-mail address is a@b.example")
    assert len(facts.lookup("Ann", "email")) == len(facts.lookup("ann", "E-Mail")) == 1


def test_a_use_that_ended_is_replaced_though_others_may_go_on(facts: Facts) -> None:
    facts.store(["User uses Slack for work", "User uses Teams for work"])
    assert facts.store("User no longer uses Slack for work").written[0].event == "SUPERSEDE"
    assert "User uses Teams for work" in [fact.text for fact in facts.list()]


def test_a_switch_ends_the_use_of_what_it_left(facts: Facts) -> None:
    facts.store("User uses npm")
    facts.store("User switched from npm to pnpm")
    assert [fact.text for fact in facts.list()] == ["User switched from npm to pnpm"]


def test_every_value_that_is_replaced_ends(facts: Facts) -> None:
    facts.store(["Ann's talk is 20 minutes long", "Ann's talk is on 5 May"])
    whole = {"text": "Ann gives no talk", "subject": "Ann", "attribute": "talk", "value": "none"}
    facts.store([whole])
    assert [fact.text for fact in facts.list()] == ["Ann gives no talk"]


# -- reasons -------------------------------------------------------------------------------------


def test_a_reason_is_not_lost_to_the_bare_value(facts: Facts) -> None:
    why = "User's editor is Vim because of speed"
    assert both(facts, why, "User's editor is Vim") == "SKIP"
    assert [(fact.text, fact.value) for fact in facts.list()] == [(why, "Vim")]
    assert facts.triage("User's editor is Vim").failed == ("novelty",)


def test_a_reason_that_was_missing_says_more(facts: Facts) -> None:
    facts.store("User's editor is Vim")
    (written,) = facts.store("User's editor is Vim because of speed").written
    assert (written.event, written.why) == ("SUPERSEDE", "says more")


def test_two_reasons_for_one_value_both_stay_until_it_changes(facts: Facts) -> None:
    first, second = (f"User's editor is Vim because {why}" for why in ("of speed", "it is small"))
    assert both(facts, first, second) == "ADD"
    assert facts.store(first).written[0].event == "SKIP"
    facts.store("User's editor is Emacs because of the team")
    assert [fact.value for fact in facts.list()] == ["Emacs"]


# -- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "sort"),
    [
        ("3 May", "date"),
        ("on 2026-05-03", "date"),
        ("Q3 2026", "date"),
        ("5月1日", "date"),
        ("on a Sunday", "weekday"),
        ("at 10:30", "clock"),
        ("about 100 euros", "amount:euro"),
        ("€100", "amount:euro"),
        ("20 minutes long", "amount:duration"),
        ("8080", "amount:"),
        ("Ann Lee, agreed with Bob", "name"),
        ("PostgreSQL 16", "name"),
        ("a Volvo", "name"),
        ("eu-west-1", "name"),
        ("a@b.example", "email"),
        ("dark", "word"),
        ("overloaded", "quality"),
        ("in progress", "state"),
        ("a mess", None),
        ("the platform team", None),
    ],
)
def test_the_sort_of_a_value_is_told(value: str, sort: str | None) -> None:
    assert sort_of(value) == sort


@pytest.mark.parametrize(
    "text",
    [
        "Falcon's deadline is not 1 December",
        "Ann's team moved to Berlin",
        "The user went with her friend for lunch",
        "User decided to use Postgres",
        "我是项目负责人",
    ],
)
def test_what_names_no_property_stays_free_text(text: str) -> None:
    assert read_statement(text) is None
