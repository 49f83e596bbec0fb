"""What a prompt states outright is kept at once; questions, orders, guesses and others' words are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def kept(m: Memory, text: str, *before: tuple[str, str]) -> list[str]:
    return [one.text for one in m.at_once(text, before=before)]


# A value, a scope and an assent belong to the statement before them; a day's number ends none.
AS_IT_IS = [
    "the holdout is 15 percent and not 20",
    "never put names into the roster, use bed numbers",
    "rate limit: leave it at 300 rpm per tenant",
    "wir nehmen Port 8843, 8842 ist belegt",
    "Frau Tietjen ist jetzt für die Abrechnung zuständig",
    "la entrega es el 22 de abril, no el 15",
    "Je suis végétarienne et j'habite à Nantes",
    "mark every mail as urgent, not as high",
    "ab sofort alle rechnungen an weber per post",
    "a dona celeste fica com as entradas",
    "if in doubt ask nadia, she owns the schema",
    "release moves by two days, qa is short. 14 may",
    "die sitzung ist verlegt, jetzt am 21. mai",
    "rechnungen für Nord bzw. Süd gehen an Frau Lenz",
    "我对花生过敏。",
    "私は札幌に住んでいます。",
]


@each(
    ("text", "fact"),
    [
        ("Please keep in mind that our ward has 22 beds", "our ward has 22 beds"),
        (
            "ok, fyi the label column is called churned_90d",
            "the label column is called churned_90d",
        ),
        ("the proxy listens on 7430, change the compose file", "the proxy listens on 7430"),
        (
            "my daughter Signe starts school on 10 August",
            "User's daughter Signe starts school on 10 August",
        ),
        ("I can't eat gluten", "User can't eat gluten"),
        ("12 gb for the workers and keep the batch size", "12 gb for the workers"),
        ("told her the rent stays at 940", "the rent stays at 940"),
        *((text, text) for text in AS_IT_IS),
    ],
)
def test_what_is_stated_outright_is_kept(m: Memory, text: str, fact: str) -> None:
    assert kept(m, text) == [fact]


@each(
    "text",
    [
        "why does the kernel die after 3 minutes",
        "is the deadline on the 12th or on the 13th",
        "write a mail to Kim: I need ten copies by Tuesday",
        "if we had a GPU I'd try a transformer on it",
        "would it be crazy to move to Spark? just thinking aloud",
        "Act as opposing counsel who insists on 40,000",
        "In my story the paladin lives in Duskhaven",
        "haha the cat sat down on the scale, plus 4.2 kg",
        "my colleague says she hates the new system",
        "the loss went from 0.41 to 0.39",
        "lass die Tests nochmal laufen und zeig mir die Fehler",
        "vielleicht nehmen wir Kafka",
        "script that drops sessions we no longer use",
        "guest list draft, round tables of 8",
        "only do the second one",
        "email the florist, bloom & co, that we need 14 vases",
        "put 20 in there for now and run it",
        "the february one gets the same treatment",
        "\u5982\u679c\u6211\u4f4f\u5728\u4e1c\u4eac\uff0c\u6211\u4f1a\u517b\u732b\u3002",
        "\u3053\u306e\u30d5\u30a1\u30a4\u30eb\u3092\u958b\u3044\u3066",
        "Reply to this:\n\nI am Lone and I can only work on Tuesdays.",
        "<plugin-notes>\nThe user lives in Rome.\n</plugin-notes>\nwhat is for lunch",
        "\U0001f389",
        "",
    ],
)
def test_what_states_nothing_is_not_kept(m: Memory, text: str) -> None:
    assert kept(m, text) == []


def test_an_incomplete_statement_says_what_it_is_about(m: Memory) -> None:
    asked = ("user", "how long do we keep tracking events")
    assert kept(m, "it's 24 months now", asked) == ["tracking events: it's 24 months now"]
    said = "about the rate limit: the big tenants choke on it. Make it 450"
    assert kept(m, said)[-1].endswith("choke on it: Make it 450")


def test_what_is_told_behind_an_order_is_lent_no_subject(m: Memory) -> None:
    said = ("user", "venue is the barn, signed today")
    assert kept(m, "email the florist, bloom & co, that we are 120", said) == []


def test_a_scope_of_its_own_holds_for_the_rule_before_it(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, project="bees") as m:
        (written,) = m.at_once("always tabs, never spaces. in every repo pls")
        fact = m.facts.get(str(written.id))
        assert (fact.text, fact.project) == ("always tabs, never spaces. in every repo pls", "")


def test_what_an_assistant_suggests_is_nobodys_statement(m: Memory) -> None:
    assert kept(m, "yes", ("assistant", "I would always add a jitter of 50 ms.")) == []


@pytest.mark.parametrize(
    ("text", "project"),
    [
        ("this goes for all my repos: commit messages are one line", ""),
        ("I'm a nurse in Aarhus", ""),
        ("in this project, dates are always written out", "bees"),
        ("the dev server listens on 7421", "bees"),
        ("from now on run the linter before every commit", "bees"),
    ],
)
def test_what_is_the_users_holds_in_all_projects(tmp_path: Path, text: str, project: str) -> None:
    with memctl.open("agent", tmp_path, project="bees") as m:
        (written,) = m.at_once(text)
        assert m.facts.get(str(written.id)).project == project


def test_a_fact_has_its_turn_as_source_and_a_dream_keeps_it_once(m: Memory) -> None:
    text = "From now on answer me in German."
    turn = m.log(text, session="one")
    (written,) = m.at_once(text, turn=turn, session="one")
    assert m.facts.get(str(written.id)).source == f"turn:{turn}"
    m.dream.run(apply=True)
    assert [fact.id for fact in m.facts.list()] == [written.id]


def test_a_session_says_what_it_is_about(m: Memory) -> None:
    m.log("how long do we keep tracking events", session="one")
    turn = m.log("it's 24 months now", session="one")
    (written,) = m.at_once("it's 24 months now", turn=turn, session="one")
    assert written.text == "tracking events: it's 24 months now"


def test_the_words_of_a_day_stay_with_its_date_behind_them(m: Memory) -> None:
    assert kept(m, "we ship next Wednesday") == ["we ship next Wednesday (2026-11-25)"]
    assert kept(m, "Morgen nehmen wir uns den Mahnlauf vor.") == [
        "Morgen (2026-11-24) nehmen wir uns den Mahnlauf vor."
    ]
    said = "we keep the last 26 months, legal insists"
    assert kept(m, said) == [said]
    assert kept(m, "nightpress ships on Thursday the 12th") == [
        "nightpress ships on Thursday the 12th"
    ]
