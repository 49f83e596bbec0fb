"""The health report: what there is, what is lacking, what waits, what it weighs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import memctl
from memctl.base.tokens import estimate_tokens
from tests.reports.stored import component, fact, insert, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from memctl.reports.answers import Answer


def records(answer: Answer, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in answer.records()]


def test_everything_is_counted(write: Callable[..., None], answer: Callable[..., Answer]) -> None:
    write(
        component(1)
        + component(2, forgotten_at="2026-11-02T12:00:00Z")
        + state("s_one")
        + state("s_two", merged_into="s_one", merged_at="2026-11-02T12:00:00Z")
        + fact("one")
        + fact("two", expires_at="2026-11-02T12:00:00Z", expires_by="given")
        + fact("three", status="pending")
        + insert("guard_refusal", {"rule": "x", "tier": "y", "day": "2026-11-02", "refusals": 3})
    )
    found: dict[Any, Any] = dict(records(answer("health", "summary"), "what", "count"))
    assert {name: count for name, count in found.items() if count} == {
        "components": 1,
        "components forgotten": 1,
        "states": 1,
        "facts that hold": 1,
        "facts that wait": 1,
        "facts expired": 1,
        "texts refused": 3,
    }


def test_what_there_is_nothing_of_is_counted_too(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write()
    counts = records(answer("health", "summary"), "what", "count")
    assert len(counts) == 19
    assert {count for _, count in counts} == {0}


def test_coverage_says_how_many_lack_what(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    template = {"png": b"x", "sha256": "x", "w": 1, "h": 1, "scale": 1, "learned_at": ""}
    write(
        component(1, seen_count=1, label="Save")
        + component(2)
        + component(3, forgotten_at="2026-11-02T12:00:00Z")
        + insert("template", {"component_id": 1, "feature_version": 1, **template})
        + insert("template", {"component_id": 2, "feature_version": 2, **template})
        + state("s_one")
        + state("s_two", name="inbox")
        + fact("one", source="Ann")
        + fact("two", category="rule")
        + insert("episode", {"summary": "x", "happened_at": "2026-11-02T12:00:00Z"})
    )
    found = answer("health", "coverage")
    assert records(found, "kind", "lack", "total", "lacking", "first_id") == [
        ("components", "a label", 2, 1, "2"),
        ("components", "seen again", 2, 1, "1"),
        ("episodes", "a source", 1, 1, "1"),
        ("episodes", "a tag", 1, 1, "1"),
        ("facts", "a category", 2, 1, "one"),
        ("facts", "a source", 2, 1, "two"),
        ("looks", "newest features", 2, 1, "1"),
        ("states", "a name", 2, 1, "s_one"),
    ]


def test_stale_are_the_living_that_were_missed_the_worst_first(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        component(1, consecutive_misses=2)
        + component(2, consecutive_misses=5, pinned=1)
        + component(3)
        + component(4, consecutive_misses=16, forgotten_at="2026-11-02T12:00:00Z")
    )
    found = answer("health", "stale")
    assert records(found, "component_id", "misses", "pinned") == [(2, 5, "yes"), (1, 2, "no")]


def test_one_picture_of_several_components_is_ambiguous(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    look = {"png": b"x", "w": 1, "h": 1, "scale": 1, "learned_at": ""}
    write(
        component(1, name="Delete")
        + component(2, name="Delete_2", seen_count=9)
        + component(3, name="Save")
        + component(4, name="Gone", forgotten_at="2026-11-02T12:00:00Z")
        + insert("template", {"component_id": 1, "sha256": "bin", **look})
        + insert("template", {"component_id": 2, "sha256": "bin", **look})
        + insert("template", {"component_id": 3, "sha256": "disk", **look})
        + insert("template", {"component_id": 4, "sha256": "disk", **look})
    )
    found = answer("health", "ambiguous")
    assert records(found, "components", "names", "ids") == [(2, "Delete_2, Delete", "2, 1")]


def test_duplicates_are_facts_that_hold_and_episodes_that_say_the_same(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    episode = {"summary": "Ann called", "happened_at": "2026-11-02T12:00:00Z"}
    write(
        fact("one", text="Tea is green", equal_key="tea")
        + fact("two", text="tea is Green.", equal_key="tea")
        + fact("three", text="Tea is green", equal_key="tea", status="superseded")
        + insert("episode", episode)
        + insert("episode", episode)
    )
    assert records(answer("health", "duplicates"), "kind", "copies", "text", "ids") == [
        ("episode", 2, "Ann called", "1, 2"),
        ("fact", 2, "Tea is green", "one, two"),
    ]


def test_orphans_are_what_nothing_leads_to(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    part = {"state_id": "s_two", "component_id": 1, "defining": 1, "x": 0, "y": 0}
    way = {"from_state": "s_one", "action": "click", "to_state": "s_two", "status": "committed"}
    write(
        component(1)
        + component(2)
        + state("s_one")
        + state("s_two", merged_into="s_one", merged_at="2026-11-02T12:00:00Z")
        + state("s_three")
        + state("s_four")
        + insert("state_component", part)
        + insert("transition", {**way, "recorded_at": "", "last_used_at": ""})
        + insert(
            "transition",
            {
                **way,
                "from_state": "s_two",
                "to_state": "s_three",
                "recorded_at": "",
                "last_used_at": "",
            },
        )
    )
    assert records(answer("health", "orphans"), "kind", "total", "orphans", "first_id") == [
        ("components in no state", 2, 1, "2"),
        ("states without a component", 3, 2, "s_four"),
        ("states without a transition", 3, 1, "s_four"),
    ]


def test_facts_are_counted_by_category_and_status(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        fact("one", category="rule", pinned=1)
        + fact("two", category="rule", status="superseded")
        + fact("three", category="rule", status="forgotten")
        + fact("four", category="rule", archived_at="2026-11-02T12:00:00Z")
        + fact("five", category="rule", expires_at="2026-11-02T12:00:00Z", expires_by="given")
        + fact("six")
        + fact("seven", status="pending")
    )
    found = {row["category"]: row for row in answer("health", "facts_by_kind").records()}
    columns = ("held", "pending", "replaced", "forgotten", "archived", "expired", "spared", "tag")
    assert [found["rule"][name] for name in columns] == [1, 0, 1, 1, 1, 1, 1, "PREF"]
    assert [found["-"][name] for name in columns] == [1, 1, 0, 0, 0, 0, 0, None]


def test_tokens_are_those_of_the_engines_own_estimate(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    texts = ["User likes tea", "用户喜欢茶", "short"]
    write("".join(fact(f"f{n}", text=text, importance=n / 9) for n, text in enumerate(texts)))
    (row,) = [
        row for row in answer("health", "tokens").records() if row["what"] == "all facts that hold"
    ]
    assert (row["items"], row["tokens"]) == (3, sum(map(estimate_tokens, texts)))
    assert row["least_id"] == "f0"


def test_a_turn_gets_no_more_than_the_settings_allow(
    write: Callable[..., None], answer: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_CONTEXT_MAX_TOKENS", "6")
    write(fact("one", text="x" * 400))
    found = {row["what"]: row["tokens"] for row in answer("health", "tokens").records()}
    assert found["facts for one turn, at most"] == 6
    assert found["all facts that hold"] == 67


def test_what_waits_are_facts_and_acts(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    act = {"from_state": "s_one", "action": "click", "to_state": "s_two", "status": "pending"}
    write(
        fact("one", status="pending", status_why="low confidence")
        + state("s_one")
        + state("s_two")
        + insert("transition", {**act, "recorded_at": "2026-10-01T12:00:00Z", "last_used_at": ""})
    )
    assert records(answer("health", "pending"), "kind", "id", "text", "why") == [
        ("act", "1", "s_one click s_two", "not confirmed"),
        ("fact", "one", "The one", "low confidence"),
    ]


def test_refusals_are_summed_by_rule_within_the_time(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    refusal = {"rule": "token", "tier": "fact"}
    write(
        insert("guard_refusal", {**refusal, "day": "2026-10-01", "refusals": 5})
        + insert("guard_refusal", {**refusal, "day": "2026-11-02", "refusals": 2})
        + insert("guard_refusal", {**refusal, "day": "2026-11-03", "refusals": 1})
    )
    found = answer("health", "refusals", since="2026-11-01")
    assert records(found, "rule", "refusals", "last_on") == [("token", 3, "2026-11-03")]


def test_ages_tell_the_living_from_what_was_put_away(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        component(1, learned_at="2026-01-01T00:00:00Z", forgotten_at="2026-01-02T00:00:00Z")
        + component(2, learned_at="2026-02-01T00:00:00Z")
        + fact("one")
        + insert("log", {"session": "a", "text": "x", "logged_at": "2026-03-01T00:00:00Z"})
    )
    assert records(answer("health", "ages"), "kind", "living", "put_away", "oldest_at") == [
        ("component", 1, 1, "2026-02-01T00:00:00Z"),
        ("fact", 1, 0, "2026-11-01T12:00:00Z"),
        ("turn", 1, 0, "2026-03-01T00:00:00Z"),
    ]


def test_the_parts_of_the_file_add_up_to_it(home: Path, answer: Callable[..., Answer]) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("what was said " * 2000)
        for number in range(100):
            memory.log(f"turn {number} " * 40)
        memory.store.connection().execute("delete from log where id > 50")
        path = memory.store.path
    found: dict[Any, Any] = dict(records(answer("health", "sizes"), "part", "bytes"))
    assert found.pop("file") == path.stat().st_size
    assert found.pop("write-ahead log") == 0
    assert sum(found.values()) == path.stat().st_size
    assert found["turns"] > len("what was said " * 2000)
    assert found["word index"] > 0
    assert found["free pages"] > 0


def test_the_parts_add_up_where_sqlite_does_not_tell_pages(
    home: Path, answer: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("what was said " * 2000)
        path = memory.store.path
    monkeypatch.setattr("memctl.reports.loading._tells_pages", lambda _: False)
    rows = answer("health", "sizes").records()
    found: dict[Any, Any] = {row["part"]: row["bytes"] for row in rows}
    assert {row["measured"] for row in rows if row["part"] in {"turns", "other"}} == {"contents"}
    assert found["turns"] >= len("what was said " * 2000)
    assert sum(found.values()) == 2 * path.stat().st_size, "the parts, and the file itself"
    growth = answer("growth", "totals").records()
    assert sum(int(str(row["bytes"])) for row in growth) == path.stat().st_size
