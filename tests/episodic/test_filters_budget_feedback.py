from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memctl.base.errors import NotFoundError, SecretRefusedError, UsageError
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.store.store import Store


@pytest.fixture
def travels(memory: Memory) -> Memory:
    for summary, tags, people, day in (
        ("Ferry to Bornholm", ["sea", "Travel"], ["Ann", "Bo"], "2026-01-10"),
        ("Ferry to Samsoe", ["sea"], ["Bo"], "2026-03-10"),
        ("Ferry timetable lost", [], ["Cid"], "2026-05-10"),
    ):
        memory.remember(summary, tags=tags, participants=people, happened_at=day, thread="trips")
    memory.log("The ferry is here", speaker="ann", session="harbour", logged_at="2026-02-01")
    return memory


def ids(memory: Memory, **filters: Any) -> set[int | str]:
    return {row.id for row in memory.recall("ferry", 10, record=False, **filters)}


@each(
    ("filters", "left"),
    [
        ({"since": "2026-02-01", "until": "2026-03-10"}, {2, 4}),
        ({"tags": ["travel", "SEA"]}, {1}),
        ({"tags": "sea"}, {1, 2}),
        ({"participants": ["Ann"]}, {1, 4}),
        ({"participants": ["cid", "ANN"]}, {1, 3, 4}),
        ({"as_of": "2026-02-01"}, {1, 4}),
        ({"thread": "harbour"}, {4}),
        ({"status": "all"}, {1, 2, 3, 4}),
        ({"since": "2030-01-01"}, set()),
    ],
)
def test_a_filter_leaves_the_rows_that_pass_it(
    travels: Memory, filters: dict[str, Any], left: set[int]
) -> None:
    assert ids(travels, **filters) == left
    note = "" if left else "no row that matches passes the filters"
    assert travels.recall("ferry", record=False, **filters).note == note


def test_as_of_shows_what_was_archived_later(
    travels: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-06-01T00:00:00Z")
    travels.episodes.forget([1], why="old")
    assert 1 not in ids(travels)
    assert 1 in ids(travels, as_of="2026-05-31")
    assert ids(travels, status="archived") == {1}
    assert ids(travels, status="all") == {1, 2, 3, 4}


@each("wrong", [{"since": "soon"}, {"as_of": "2026-02-30"}, {"status": "dead"}, {"now": "x"}])
def test_a_filter_that_is_none_is_refused(travels: Memory, wrong: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        ids(travels, **wrong)


@each("budget", [0, 10, 19, 20, 30, 50, 200])
def test_a_budget_is_never_exceeded_and_rows_stay_whole(travels: Memory, budget: int) -> None:
    found = travels.recall("ferry", 10, budget)
    assert sum(row.tokens for row in found) <= budget
    assert {row.text for row in found} <= {row.text for row in travels.recall("ferry", 10)}
    if not found:
        assert found.note.startswith("what matches does not fit: the shortest row takes ")
    with pytest.raises(UsageError, match='max_tokens "-1"'):
        travels.recall("ferry", max_tokens=-1)


def test_a_budget_prefers_what_says_something_new(memory: Memory) -> None:
    memory.remember("the copper kettle whistles", happened_at="2026-03-03")
    memory.remember("the copper kettle whistles loud", happened_at="2026-03-02")
    memory.remember("violin lesson moved", happened_at="2026-03-01")
    cost = memory.recall("violin")[0].tokens
    found = memory.recall("copper kettle violin lesson", 5, 2 * cost + 4, min_worth=0)
    assert {"violin lesson moved", "the copper kettle whistles"} == {row.text for row in found}


def test_a_recall_and_its_rows_are_kept_where_that_is_wanted(travels: Memory, store: Store) -> None:
    assert travels.recall("ferry", record=False).id is None
    assert store.value("select count(*) from recall") == 0
    found = travels.recall("ferry to nowhereville", 2)
    row = store.row("select * from recall where id = :id", {"id": found.id})
    assert row is not None
    assert (row["question"], row["hits"]) == ("ferry to nowhereville", 2)
    assert row["unknown_words"] == '["nowhereville"]'
    hits = store.rows("select rank, kind, item_id, score from recall_hit order by rank")
    assert [tuple(hit) for hit in hits] == [
        (place, row.kind, row.id, row.score) for place, row in enumerate(found, 1)
    ]


def test_feedback_marks_what_helped(travels: Memory, store: Store) -> None:
    found = travels.recall("ferry")
    assert found.id is not None
    given = travels.feedback(found.id, [found[0].id, f"turn:{4}"], "ok")
    assert (given.used, given.outcome) == (2, "ok")
    used = store.rows("select item_id from recall_hit where used_at is not null")
    assert {row["item_id"] for row in used} == {found[0].id, 4}
    assert store.value("select outcome from recall") == "ok"
    assert store.value("select sum(used) from recall_worth") == 2


def test_feedback_is_checked(travels: Memory, store: Store) -> None:
    found = travels.recall("ferry")
    assert found.id is not None
    for item in ("99", "episode:4", 99):
        with pytest.raises(NotFoundError, match="did not bring"):
            travels.feedback(found.id, [found[0].id, item])
    assert store.value("select count(*) from recall_hit where used_at is not null") == 0
    with pytest.raises(NotFoundError, match='no recall "77"'):
        travels.feedback(77, [1])
    with pytest.raises(UsageError, match='outcome "fine"'):
        travels.feedback(found.id, outcome="fine")
    with pytest.raises(UsageError, match='"x:1" is no row'):
        travels.feedback(found.id, ["x:1"])


SECRET = "my password is hunter2"  # noqa: S105  (made up)


def test_a_secret_is_refused_counted_and_not_written(memory: Memory, store: Store) -> None:
    memory.log("first")
    calls = (
        lambda: memory.log(SECRET),
        lambda: memory.log("fine", details=SECRET),
        lambda: memory.turns.add_many([{"text": "fine"}, {"text": SECRET}]),
        lambda: memory.remember(SECRET),
        lambda: memory.remember("fine", details=SECRET),
        lambda: memory.remember("fine", tags=[SECRET]),
        lambda: memory.aliases.add("word", SECRET),
        lambda: memory.turns.archive([1], why=SECRET),
        lambda: memory.turns.erase([1], why=SECRET),
    )
    for call in calls:
        with pytest.raises(SecretRefusedError) as refusal:
            call()
        assert "hunter2" not in refusal.value.message
    assert store.value("select count(*) from log") == 1
    assert store.value("select count(*) from episode") == 0
    assert store.value("select sum(refusals) from guard_refusal") == len(calls)
