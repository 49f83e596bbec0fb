"""Update, forget, erase, restore; history and questions as of a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import (
    AllNoiseError,
    ConfirmationRequiredError,
    MissingFactsError,
    MissingParamError,
    NotFoundError,
    RefusedError,
    UsageError,
)
from memctl.base.home import Address
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store.store import Store
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_an_update_keeps_the_id_and_the_history(facts: Facts, clock: Callable[[str], None]) -> None:
    (made,) = facts.store("User drinks tea in the morning").ids
    clock("2026-11-22T08:00:00Z")
    updated = facts.update(made, "User drinks coffee in the morning")
    assert (updated.id, updated.text) == (made, "User drinks coffee in the morning")
    changes = facts.history(made)
    assert [(change.event, change.old_text, change.new_text) for change in changes] == [
        ("ADD", None, "User drinks tea in the morning"),
        ("UPDATE", "User drinks tea in the morning", "User drinks coffee in the morning"),
    ]
    assert changes[1].changed_at == "2026-11-22T08:00:00Z"


def test_an_update_does_not_make_two_facts_of_one(facts: Facts) -> None:
    facts.store(["User drinks tea", "Falcon's deadline is May 1"])
    (made,) = facts.store("User drinks milk").ids
    for text in ("user drinks tea.", "Falcon's deadline is May 8"):
        with pytest.raises(RefusedError, match="about the same"):
            facts.update(made, text)
    assert facts.get(made).text == "User drinks milk"
    assert facts.history(made)[-1].event == "ADD"


def test_what_is_past_is_not_given_another_text(facts: Facts, clock: Callable[[str], None]) -> None:
    old = facts.store("Falcon's deadline is May 1").ids[0]
    clock("2026-11-25T08:00:00Z")
    new = facts.store("Falcon's deadline is May 8").ids[0]
    with pytest.raises(RefusedError, match=f'was replaced by "{new}"'):
        facts.update(old, "User drinks tea")
    facts.forget(new)
    with pytest.raises(RefusedError, match="forgotten on request") as refused:
        facts.update(new, "User drinks tea")
    assert "restore" in refused.value.hint
    assert facts.get(new).text == "Falcon's deadline is May 8"


@pytest.mark.parametrize("text", ["ok thanks", "Budget talks are at noon"])
def test_an_update_keeps_no_text_that_would_not_be_stored(
    text: str, facts: Facts, settings: Settings
) -> None:
    settings.set("exclude_rules", "budget")
    (made,) = facts.store("User drinks tea in the morning").ids
    with pytest.raises(AllNoiseError) as stored:
        facts.store(text)
    with pytest.raises(AllNoiseError) as updated:
        facts.update(made, text)
    assert str(updated.value) == str(stored.value)
    assert facts.get(made).text == "User drinks tea in the morning"


def test_history_says_what_else_changed_and_from_what(facts: Facts) -> None:
    (made,) = facts.store("User drinks tea in the morning", metadata={"team": "a"}).ids
    facts.update(made, importance=0.9, metadata={"team": "b"}, expires_at="2026-12-01T08:00:00Z")
    facts.update(made, expires_at="never")
    facts.update(made, "User drinks milk in the morning", importance=0.9)
    first, second, third = (change.why.split("; ") for change in facts.history(made)[1:])
    assert first == [
        "importance: 0.5 -> 0.9",
        'metadata: {"team": "a"} -> {"team": "b"}',
        "expires_at: never -> 2026-12-01T08:00:00Z",
    ]
    assert second == ["expires_at: 2026-12-01T08:00:00Z -> never"]
    assert third == [""]  # the text has columns of its own, and the importance is as it was


def test_as_of_a_day_answers_with_what_held_then(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    (made,) = facts.store("User drinks tea in the morning").ids
    facts.store("Falcon's deadline is 1 December 2026")
    clock("2026-11-25T08:00:00Z")
    facts.update(made, "User drinks coffee in the morning")
    facts.store("Falcon's deadline is 8 December 2026")
    then = facts.search("what does the user drink in the morning", as_of="2026-11-24")
    assert [hit.fact.text for hit in then] == ["User drinks tea in the morning"]
    assert facts.search("Falcon deadline", as_of="2026-11-24")[0].fact.value == "1 December 2026"
    assert facts.search("Falcon deadline", as_of="2026-11-25")[0].fact.value == "8 December 2026"
    assert facts.search("Falcon deadline", as_of="2026-11-19") == []


def test_forgetting_hides_keeps_the_text_in_history_and_is_reversible(facts: Facts) -> None:
    (made,) = facts.store("User owns a red bicycle").ids
    facts.forget(made)
    assert facts.list() == []
    assert facts.search("bicycle") == []
    assert facts.history(made)[-1].event == "DELETE"
    assert facts.history(made)[-1].old_text == "User owns a red bicycle"
    facts.restore(made)
    assert facts.search("bicycle")[0].fact.id == made


def test_what_is_forgotten_is_not_recalled_as_of_then_either(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store("Falcon's deadline is May 1")
    clock("2026-11-22T08:00:00Z")
    (made,) = facts.store("Falcon's deadline is May 8").ids
    clock("2026-11-24T08:00:00Z")
    facts.update(made, "Falcon's deadline is May 9")
    facts.forget(made)
    for day in ("2026-11-21", "2026-11-23", "2026-11-25"):
        assert facts.search("Falcon deadline", as_of=day) == []
    facts.restore(made)
    assert [
        facts.search("Falcon deadline", as_of=day)[0].fact.value
        for day in ("2026-11-21", "2026-11-23", "2026-11-25")
    ] == ["May 1", "May 8", "May 9"]


@each(
    ("query", "forgotten", "candidates"),
    [
        ("deadline", [], 2),
        ("falcon or osprey", [], 2),
        ("quarterly budget review bicycle meeting minutes", [], 1),
        ("submarine", [], 0),
        ("the", [], 0),
        ("on the", [], 0),
        ("?", [], 0),
        ("red bicycle", ["User owns a red bicycle"], 0),
    ],
)
def test_forgetting_by_a_query_forgets_the_one_that_is_clearly_meant(
    facts: Facts, query: str, forgotten: list[str], candidates: int
) -> None:
    facts.store(["User owns a red bicycle", "User's car is parked on the hill"])
    facts.store(["Falcon's deadline is May 1", "Osprey's deadline is May 2"])
    asked = facts.forget(query=query)
    assert [fact.text for fact in asked.forgotten] == forgotten
    assert len(asked.candidates) == candidates
    assert facts.count() == 4 - len(forgotten)


NOT_A_NUMBER: Any = {"x": float("nan")}
A_LIST: Any = ["x"]
A_NUMBER: Any = 1


@each(
    ("call", "error", "words"),
    [
        (lambda facts: facts.store("User owns a car", metadata=A_LIST), UsageError, "metadata"),
        (lambda facts: facts.store("User owns a car", metadata=NOT_A_NUMBER), UsageError, "metadata"),
        (lambda facts: facts.get(A_NUMBER), UsageError, '"memory_id"'),
        (lambda facts: facts.forget(), MissingParamError, "which fact"),
        (lambda facts: facts.forget(query="  "), MissingParamError, "which fact"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_meant_is_refused(
    facts: Facts, call: Callable[[Facts], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call(facts)


@each("when", ["yesterday", "2026-13-01", "20/11/2026", "2026-02-30"])
def test_a_date_in_the_wrong_form_is_refused(facts: Facts, when: str) -> None:
    with pytest.raises(UsageError):
        facts.store("The trial runs", expires_at=when)
    with pytest.raises(UsageError):
        facts.store("The trial runs", valid_from=when)
    with pytest.raises(UsageError):
        facts.search("trial", as_of=when)


def assert_no_bytes_of(store: Store, *words: bytes) -> None:
    content = b"".join(path.read_bytes() for path in store.path.parent.iterdir()).lower()
    assert not [word for word in words if word in content]


def test_erasing_removes_the_bytes_with_older_versions_and_history(
    facts: Facts, store: Store, clock: Callable[[str], None]
) -> None:
    (made,) = facts.store("User lives in Zanzibarstreet").ids
    clock("2026-11-22T08:00:00Z")
    facts.update(made, "User lives in Xylophonelane")
    assert facts.erase(made).bytes_gone
    assert_no_bytes_of(store, b"zanzibar", b"xylophone")
    changes = facts.history(made)
    assert changes[-1].event == "DELETE"
    assert {change.old_text for change in changes} == {None}
    with pytest.raises(NotFoundError, match="erased"):
        facts.get(made)


def test_erasing_all_leaves_no_text_of_any_version(facts: Facts, store: Store) -> None:
    facts.store("Falcon's deadline is Zanzibarday")
    facts.store("Falcon's deadline is Xylophoneday")
    facts.store("Osprey's deadline is Quagmireday", confidence="low")
    assert facts.erase_all(confirm=True).found == 3
    assert facts.list(status="any", show_expired=True) == []
    assert_no_bytes_of(store, b"zanzibar", b"xylophone", b"quagmire")


def test_deleting_all_asks_first(facts: Facts) -> None:
    facts.store(["User owns a red bicycle", "User owns a blue car"])
    with pytest.raises(ConfirmationRequiredError):
        facts.delete_all()
    assert len(facts.list()) == 2
    assert facts.delete_all(confirm=True).found == 2
    assert facts.list() == []


def test_what_was_replaced_is_not_restored_beside_its_successor(facts: Facts) -> None:
    old = facts.store("Falcon's deadline is May 1").ids[0]
    facts.store("Falcon's deadline is May 8")
    with pytest.raises(RefusedError, match="was replaced"):
        facts.restore(old)


def test_an_id_of_another_store_means_nothing_here(facts: Facts, tmp_path: Path) -> None:
    with Store(tmp_path / "other.db", Address("other")) as other:
        there = Facts(other, Settings(other)).store("User owns a red bicycle").ids[0]
    here = facts.store("User owns a red bicycle").ids[0]
    assert here != there
    for call in (facts.get, facts.history, facts.forget, facts.restore, facts.approve):
        with pytest.raises(NotFoundError):
            call(there)
    assert facts.get(here).status == "active"


def test_the_same_calls_make_the_same_store(facts: Facts, tmp_path: Path) -> None:
    made = facts.store(["User owns a red bicycle", "User owns a blue car"]).ids
    with Store(tmp_path / "again" / "agent.db", Address("agent")) as again:
        assert (
            Facts(again, Settings(again))
            .store(["User owns a red bicycle", "User owns a blue car"])
            .ids
            == made
        )


@each("batch", [[], "", ["  "], [""], [{"text": " "}], ["User owns a red bicycle", ""]])
def test_a_batch_with_nothing_in_it_is_refused_whole(facts: Facts, batch: list[str]) -> None:
    with pytest.raises(MissingFactsError):
        facts.store(batch)
    assert facts.list() == []


@each(
    ("batch", "size"),
    [
        ([f"Part {i} is in shelf {i}" for i in range(10_000)], "10000"),
        ("word " * 209_715 + "x", "1048576 characters"),
    ],
)
def test_too_many_facts_or_too_long_a_one_are_refused(
    facts: Facts, batch: list[str], size: str
) -> None:
    with pytest.raises(UsageError, match=size):
        facts.store(batch)
    assert facts.list() == []


def test_every_row_bears_source_and_age(facts: Facts, clock: Callable[[str], None]) -> None:
    (made,) = facts.store("User owns a red bicycle", source="mail:7").ids
    clock("2026-11-30T12:00:00Z")
    assert (facts.get(made).source, facts.get(made).age_days) == ("mail:7", 10)


@pytest.mark.parametrize(
    "scope", [Scope(user="bob"), Scope(agent="other"), Scope(user="ann", session="s1")]
)
def test_an_erased_fact_never_was_within_a_narrower_scope(
    facts: Facts, facts_of: Callable[[Scope], Facts], scope: Scope
) -> None:
    (gone,) = facts_of(Scope(user="ann")).store("Tea is served at noon").ids
    facts.erase(gone)
    for ask in (facts_of(scope).history, facts_of(scope).get):
        with pytest.raises(NotFoundError, match="there is no fact"):
            ask(gone)
    assert [change.event for change in facts.history(gone)] == ["ADD", "DELETE"]
