"""Every question of docs/sql.md is answered as plain Python answers it from the tables."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.docs.page import GIVEN, canned
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    Row = dict[str, Any]

# Those that are asked of the store of the app; the others of the agent's.
OF_THE_APP = 8


class Tables:
    """The tables of a store, as rows of Python."""

    def __init__(self, file: Path) -> None:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            names = [
                row[0]
                for row in connection.execute(
                    "select name from sqlite_schema where type = 'table' and name not like '%fts%'"
                )
            ]
            self._rows = {
                name: [dict(row) for row in connection.execute(f'select * from "{name}"')]
                for name in names
            }

    def __getattr__(self, name: str) -> list[Row]:
        return self._rows[name]


def picked(rows: Iterable[Row], *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in columns) for row in rows]


def screens(t: Tables) -> list[tuple[Any, ...]]:
    roots = {one["id"]: one["merged_into"] or one["id"] for one in t.state}
    seen = {one["id"]: one["seen_count"] for one in t.component if not one["forgotten_at"]}
    found = []
    for one in t.state:
        if one["merged_into"] or one["forgotten_at"]:
            continue
        visits = sum(other["visit_count"] for other in t.state if roots[other["id"]] == one["id"])
        defining = {
            held["component_id"]
            for held in t.state_component
            if held["defining"]
            and roots[held["state_id"]] == one["id"]
            and held["component_id"] in seen
            and (one["status"] == "provisional" or seen[held["component_id"]] >= 2)
        }
        found.append(
            (one["id"], one["name"], one["status"], visits, len(defining), one["last_seen_at"])
        )
    return found


def missing_components(t: Tables) -> list[tuple[Any, ...]]:
    found = (one for one in t.component if one["consecutive_misses"] and not one["forgotten_at"])
    return picked(found, "id", "name", "type", "seen_count", "consecutive_misses", "last_seen_at")


def forgotten_components(t: Tables) -> list[tuple[Any, ...]]:
    found = (one for one in t.component if one["forgotten_at"])
    return picked(found, "id", "name", "forgotten_at", "forgotten_why")


def looked_for(t: Tables) -> list[tuple[Any, ...]]:
    seen = {one["id"]: one for one in t.observation}
    things = {one["id"]: one for one in t.component if one["name"].startswith(GIVEN["looked_for"])}
    return [
        (
            things[one["component_id"]]["name"],
            *picked([seen[one["observation_id"]]], "observed_at", "kind")[0],
            *picked([one], "found", "x", "y")[0],
            None if one["score"] is None else round(one["score"], 3),
            one["how"],
        )
        for one in t.sighting
        if one["component_id"] in things
    ]


def look_alikes(t: Tables) -> list[tuple[Any, ...]]:
    names = {one["id"]: one["name"] for one in t.component if not one["forgotten_at"]}
    alike = defaultdict(set)
    for one in t.template:
        if one["component_id"] in names:
            alike[one["sha256"]].add(one["component_id"])
    return [({names[one] for one in many}, len(many)) for many in alike.values() if len(many) > 1]


def ways(t: Tables) -> list[tuple[Any, ...]]:
    states = {one["id"]: one["name"] or one["page"] for one in t.state}
    things = {one["id"]: one["name"] for one in t.component}
    return [
        (
            states[one["from_state"]],
            one["action"],
            things.get(one["component_id"]),
            states[one["to_state"]],
            one["successes"],
            one["failures"],
            round(one["successes"] / (one["successes"] + one["failures"]), 4),
            round(one["total_ms"] / one["timed"], 1),
        )
        for one in t.transition
        if one["status"] == "committed"
    ]


def unknown_screens(t: Tables) -> list[tuple[Any, ...]]:
    found = (one for one in t.observation if one["state_id"] is None)
    return picked(found, "observed_at", "kind", "found", "absent", "img_w", "img_h")


def pictures(t: Tables) -> list[tuple[Any, ...]]:
    names = {one["id"]: one["name"] for one in t.component if not one["forgotten_at"]}
    found = ((names.get(one["component_id"], ""), one["png"]) for one in t.template)
    return [one for one in found if one[0].startswith(GIVEN["pictures"])]


def timeline(t: Tables) -> list[tuple[Any, ...]]:
    turns = [
        (one["logged_at"], "turn", one["speaker"] or one["role"], one["text"]) for one in t.log
    ]
    return turns + [
        (
            one["happened_at"],
            "episode",
            ", ".join(json.loads(one["participants"])) or None,
            one["summary"],
        )
        for one in t.episode
    ]


def holding(t: Tables, moment: datetime) -> list[Row]:
    """Facts that hold at a moment."""
    when = moment.isoformat(timespec="seconds").replace("+00:00", "Z")
    return [
        one
        for one in t.fact
        if one["status"] in {"active", "superseded"}
        and one["valid_from"] <= when
        and (one["valid_to"] or "9") > when
        and (
            (one["expires_at"] or "9") > when
            or (one["expires_by"] == "category" and (one["pinned"] or one["immutable"]))
        )
    ]


def about_one_thing(t: Tables) -> list[tuple[Any, ...]]:
    now = datetime.now(UTC)
    return [
        (
            *picked([one], "subject", "attribute", "value", "category", "source")[0],
            (now - datetime.fromisoformat(one["created_at"])).days,
        )
        for one in holding(t, now)
        if not one["archived_at"] and (one["subject"] or "").startswith(GIVEN["about_one_thing"])
    ]


def a_week_ago(t: Tables) -> list[tuple[Any, ...]]:
    found = holding(t, datetime.now(UTC) - timedelta(days=7))
    return picked(found, "text", "valid_from", "valid_to", "expires_at")


def changes(t: Tables) -> list[tuple[Any, ...]]:
    return [
        (
            one["changed_at"],
            one["event"],
            one["new_text"] or one["old_text"],
            one["why"],
            one["actor"],
        )
        for one in t.fact_history
        if GIVEN["changes"] in f"{one['old_text']} {one['new_text']}"
    ]


def waiting_facts(t: Tables) -> list[tuple[Any, ...]]:
    texts = {one["id"]: one["text"] for one in t.fact}
    return [
        (
            one["id"],
            one["text"],
            texts.get(one["conflicts_with"] or one["may_replace"]),
            one["confidence"],
            one["source"],
        )
        for one in t.fact
        if one["status"] == "pending" or (one["status"] == "active" and one["may_replace"])
    ]


def empty_recalls(t: Tables) -> list[tuple[Any, ...]]:
    return [
        (one["asked_at"], one["question"], " ".join(json.loads(one["unknown_words"])) or None)
        for one in t.recall
        if not one["hits"] and not one["forgotten_at"]
    ]


def recalled_in_vain(t: Tables) -> list[tuple[Any, ...]]:
    asked = {one["id"]: one["asked_at"] for one in t.recall}
    texts = {("turn", one["id"]): one["text"] for one in t.log}
    texts |= {("episode", one["id"]): one["summary"] for one in t.episode}
    texts |= {("fact", one["number"]): one["text"] for one in t.fact}
    hits = defaultdict(list)
    for one in t.recall_hit:
        hits[one["kind"], one["item_id"]].append(one)
    return [
        (len(many), max(asked[one["recall_id"]] for one in many), *item, texts[item])
        for item, many in hits.items()
        if not any(one["used_at"] for one in many)
    ]


def secrets_kept_out(t: Tables) -> list[tuple[Any, ...]]:
    return picked(t.guard_refusal, "day", "rule", "tier", "refusals")


ASKED = list(enumerate(canned()))


@each(("at", "one"), ASKED)
def test_an_answer_is_that_of_the_tables(at: int, one: Any, stores: Path) -> None:
    file = stores / ("harbor.db" if at < OF_THE_APP else "agent.db")
    given = dict.fromkeys(("name", "subject", "words"), GIVEN.get(one.name, ""))
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        found = connection.execute(one.sql, given).fetchall()
    if one.name == "look_alikes":  # names come in any order
        found = [(set(names.split(",")), count) for names, count in found]
    expected = globals()[one.name](Tables(file))
    assert expected
    assert len(found) == len(expected)
    assert all(row in expected for row in found)
