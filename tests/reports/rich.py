"""A store with something of every sort: what was learned by the engine, and rows of all fates."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl_cli.demo import bundle
from tests.reports.stored import component, fact, insert, look, recall, skill, skill_run, state

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-20T12:00:00Z"
SETTINGS = {
    "keep_screenshots": 2,
    "context_max_tokens": 60,
    "context_rows": 3,
    "forget_threshold": 15,
    "lift_decider_seconds": 2,
}


def fill(home: Path) -> Path:
    """Make the store "harbor" in a home and return its file; the clock is stopped meanwhile."""
    with pytest.MonkeyPatch.context() as clock:
        clock.setenv("MEMCTL_NOW", "2026-11-09T09:00:00Z")
        with memctl.open("harbor", home) as memory:
            for key, value in SETTINGS.items():
                memory.settings.set(key, value)
            _live(memory, clock)
            memory.store.connection().executescript(_rows())
            memory.store.connection().execute("vacuum")
            memory.store.connection().executescript("delete from log where id between 300 and 500")
            return memory.store.path


def _live(memory: memctl.Memory, clock: pytest.MonkeyPatch) -> None:
    """Learn, match, say, remember, ask: on several days."""
    shots = {shot.name: shot for shot in bundle.shots()}
    for number, name in enumerate(["login", "dashboard", "invoices", "dashboard", "login"], 10):
        clock.setenv("MEMCTL_NOW", f"2026-11-{number}T09:00:00Z")
        memory.learn(shots[name].png, shots[name].boxes_file(), page=name)
        memory.log(f"Ann asked about {name} on day {number}", session="office", speaker="Ann")
    clock.setenv("MEMCTL_NOW", "2026-11-16T10:30:00Z")
    memory.match(shots["invoices"].png)
    memory.match(shots["settings"].png)
    memory.remember("Ann called about the invoice", tags=["call"], source="Ann")
    memory.facts.store("Falcon deadline is 2026-12-01", category="project", source="Ann")
    memory.facts.store("Falcon deadline is 2026-12-24", category="project", source="Ann")
    memory.facts.store("Ann lives in Porto")
    for question in ("what did Ann ask?", "the quay?", "what did Ann ask?", "invoice"):
        memory.recall(question)


def _rows() -> str:
    return _screens() + _looks() + _facts() + _words() + _skills()


def _screens() -> str:
    gone = {"forgotten_at": "2026-11-15T08:00:00Z"}
    merged = {"merged_at": "2026-11-12T12:00:00Z"}
    part = {"defining": 1, "x": 0, "y": 0}
    picture = {"png": b"123", "w": 1, "h": 1, "scale": 1, "learned_at": "2026-11-02T09:00:00Z"}
    way = {"action": "click", "status": "committed", "successes": 3}
    times = {"recorded_at": "2026-11-03T09:00:00Z", "last_used_at": "2026-11-03T09:00:00Z"}
    ways: list[tuple[str, str, dict[str, object]]] = [
        ("s_a", "s_b", {}),
        ("s_a2", "s_b", {}),  # the same way, by a merged state
        ("s_f", "s_f2", {}),  # within what is one state by now
        ("s_c", "s_gone", {}),
        ("s_c", "s_d", {"component_id": 902}),  # by a component that is gone
        ("s_a", "s_b", {"action": "type", "status": "pending"}),
        ("s_a3", "s_e", {"action": "key", "status": "pending"}),
        ("s_b", "s_c", {"status": "discarded"}),
    ]
    return (
        component(901, label="Save", page="x", consecutive_misses=3)
        + component(902, **gone, page="x", learned_at="2026-11-02T12:00:00Z")
        + component(903, consecutive_misses=14, type="icon", seen_count=1)
        + component(904, consecutive_misses=1, pinned=1, page="x")
        + component(905, learned_at="2026-11-04T12:00:00Z", last_seen_at="2026-11-18T12:00:00Z")
        + component(906, **gone, last_seen_at="2026-11-01T12:00:00Z")
        + component(1000, name="Late", learned_at="2026-11-19T12:00:00Z", last_seen_at=NOW)
        + state("s_a", name="inbox", first_seen_at="2026-11-05T08:00:00Z")
        + state("s_a2", name="old inbox", merged_into="s_a", **merged)
        + state("s_a3", merged_into="s_a2", **merged, first_seen_at="2026-11-06T08:00:00Z")
        + state("s_b", page="basket")
        + state("s_b2", name="by name", merged_into="s_b", **merged)
        + state("s_c")
        + state("s_d")
        + state("s_e")
        + state("s_f")
        + state("s_f2", merged_into="s_f", **merged)
        + state("s_gone", **gone, forgotten_why="nothing defines it")
        + "".join(
            insert("state_component", {"state_id": one, "component_id": key, **part})
            for one, key in [("s_a3", 901), ("s_b", 902), ("s_gone", 905), ("s_c", 904)]
        )
        + "".join(
            insert(
                "template", {"component_id": key, "sha256": sha, "feature_version": 0, **picture}
            )
            for key, sha in [(901, "p"), (903, "p"), (901, "q"), (903, "q"), (904, "r"), (902, "r")]
        )
        + "".join(
            insert("transition", {**way, "from_state": a, "to_state": b, **times, **more})
            for a, b, more in ways
        )
    )


def _looks() -> str:
    by_version = [
        look(
            900 + day,
            f"2026-11-{day:02}T18:00:00Z",
            {901: int(day % 5 > 0), 903: int(day < 9), 904: int(day != 8), 905: 1},
            state_id="s_a3" if day % 2 else "s_a",
            kind="match",
            app_version="2" if day > 7 else "1",
            duration_ms=day * 3.5,
            stages=json.dumps({"decode": day, "hash": day * 2.5}),
        )
        for day in range(7, 16)
    ]
    return (
        look(700, "2026-11-05T08:00:00Z", {901: 1}, state_id="s_a")  # it created the state
        + look(701, "2026-11-05T08:00:00Z", {901: 1}, state_id="s_a")  # and this one knew it
        + look(702, "2026-11-06T08:00:00Z", {901: 1}, state_id="s_a2")  # created, then merged
        + look(703, "2026-11-06T09:00:00Z", {}, kind="match", stages=None)
        + look(704, "2026-11-06T10:00:00Z", {903: 0}, kind="locate")
        + look(705, "2026-11-06T11:00:00Z", {901: 1, 903: 1}, state_id="s_gone", kind="match")
        + "".join(by_version)
        + look(950, "2026-11-16T08:00:00Z", {901: 1, 903: 1, 905: 1}, state_id="s_a", scale=2)
        + look(951, "2026-11-17T08:00:00Z", {901: 1}, window_box="[100, 50, 400, 400]")
        + "update sighting set x = 200 where component_id = 905;"
        + "update sighting set x = 2 * x, y = 10, w = 40, h = 20 where observation_id = 950;"
        + "update sighting set score = 0.85 where (observation_id, component_id) = (950, 905);"
        + "update sighting set score = 0.8, x = 300"
        " where (observation_id, component_id) in (values (950, 901), (912, 903), (913, 902));"
        + "update sighting set x = 105, y = 55, score = 0.85 where observation_id = 951;"
    )


def _facts() -> str:
    past, later = "2026-11-10T12:00:00Z", "2026-12-10T12:00:00Z"
    fates: dict[str, dict[str, object]] = {
        "holds": {"category": "rule", "source": "Ann", "importance": 0.2},
        "pinned": {"pinned": 1, "importance": 0.1},
        "same": {"equal_key": "tea", "text": "Tea is green"},
        "again": {"equal_key": "tea", "text": "tea is Green"},
        "other user": {"equal_key": "tea", "user_id": "ann"},
        "other session": {"equal_key": "tea", "session_id": "one"},
        "expired": {"expires_at": past, "expires_by": "given", "pinned": 1},
        "expires": {"expires_at": later, "expires_by": "given", "category": "rule"},
        "ended by kind": {"expires_at": past, "expires_by": "category", "category": "project"},
        "spared": {"expires_at": past, "expires_by": "category", "immutable": 1},
        "spared later": {"expires_at": later, "expires_by": "category", "pinned": 1},
        "to come": {"valid_from": later, "category": "rule"},
        "waits": {"status": "pending", "status_why": "low confidence", "category": "rule"},
        "forgotten": {"status": "forgotten", "updated_at": past},
        "never came": {"status": "forgotten", "updated_at": past, "valid_from": later},
        "archived": {"archived_at": past},
        "replaced": {"status": "superseded", "valid_to": past, "updated_at": past},
        "replaced later": {"status": "superseded", "valid_to": later, "category": "rule"},
        "replaced, archived": {"status": "superseded", "valid_to": past, "archived_at": past},
        "replaced by hand": {"status": "superseded", "updated_at": past},
        "at its end": {"valid_to": past},
    }
    return "".join(fact(name, **cells) for name, cells in fates.items())


def _words() -> str:
    told = {"outcome_at": "2026-11-10T13:00:00Z"}
    episode = {"summary": "Ann called", "happened_at": "2026-11-02T12:00:00Z"}
    put_away = {"archived_at": "2026-11-03T12:00:00Z", "archived_why": "long ago"}
    turn = {"session": "a", "logged_at": "2026-11-01T12:00:00Z"}
    recalls = [
        recall(n + 600, hits=n % 3, duration_ms=n * 1.5, asked_at=f"2026-11-{n:02}T23:30:00Z")
        for n in range(2, 19)
    ]
    hits: list[tuple[int, str, int, dict[str, object]]] = [
        (900, "turn", 800, {}),
        (901, "turn", 800, {}),
        (900, "episode", 800, {}),
        (901, "episode", 800, {}),
        (900, "turn", 801, {}),  # archived since
        (901, "turn", 801, {}),
        (900, "turn", 802, {"used_at": "2026-11-10T13:00:00Z"}),
        (901, "turn", 802, {"fallback": 1}),
        (903, "turn", 803, {"fallback": 1, "used_at": "2026-11-10T13:00:00Z"}),
    ]
    refused = [("token", "fact", 1, 5), ("token", "fact", 12, 2), ("card", "turn", 20, 1)]
    return (
        "".join(insert("log", {"id": n, "text": f"turn {n} " * 9, **turn}) for n in range(300, 500))
        + insert("log", {"id": 800, "text": "a turn", **turn})
        + insert("log", {"id": 801, "text": "archived", **turn, **put_away})
        + insert("log", {"id": 802, "text": "helped", **turn})
        + insert("log", {"id": 803, "text": "by its vector", **turn})
        + insert("episode", {"id": 800, **episode, "tags": '["a"]', "source": "Ann"})
        + insert("episode", {"id": 801, **episode})
        + insert("episode", {"id": 802, **episode, "happened_at": "2026-11-03T12:00:00Z"})
        + insert("episode", {"id": 803, **episode, **put_away})
        + "".join(recalls)
        + recall(900, unknown_words='["quay", "pier"]', outcome="ok", **told)
        + recall(901, unknown_words='["quay", "quay"]', outcome="failed", **told)
        + recall(902, hits=0, question="forgotten", forgotten_at="2026-11-11T12:00:00Z")
        + recall(903, hits=2, fallback="store")
        + recall(904, hits=0, fallback="store", question="where?")
        + recall(905, hits=0, question="where?")
        + insert("alias", {"term": "Pier", "synonym": "dock"})
        + "".join(
            insert(
                "injection",
                {
                    "id": number,
                    "session": "a",
                    "hook": hook,
                    "tokens": 40 * number,
                    "injected_at": f"2026-11-1{number % 3}T12:00:00Z",
                },
            )
            for number, hook in enumerate(("start", "prompt", "prompt", "prompt"), 1)
        )
        + "".join(
            insert("injected_row", {"injection_id": one, "name": name, "used_at": used})
            for one, name, used in (
                (1, "turn:802", None),
                (2, "turn:802", "2026-11-12T12:00:00Z"),
                (2, "episode:800", None),
                (4, "turn:800", None),
            )
        )
        + "".join(
            insert(
                "recall_hit",
                {"recall_id": one, "rank": rank, "kind": kind, "item_id": item, "score": 1, **more},
            )
            for rank, (one, kind, item, more) in enumerate(hits, 1)
        )
        # Two recalls brought a fact, too: reports name it as its commands do.
        + "insert into recall_hit (recall_id, rank, kind, item_id, score)"
        " select recall.id, 50, 'fact', number, 1 from fact, recall"
        " where fact.id = 'holds' and recall.id in (900, 901);"
        + "".join(
            insert(
                "guard_refusal",
                {"rule": rule, "tier": tier, "day": f"2026-11-{day:02}", "refusals": times},
            )
            for rule, tier, day, times in refused
        )
    )


def _skills() -> str:
    return (
        skill("send")
        + skill("got", origin="imported", shown_looks=None, shown_seconds=None)
        + skill("slow", shown_seconds=1, acts=1)
        + "".join(
            skill_run("send", n + 0.5, looks=n % 2, started_at=f"2026-11-{n + 1:02}T23:00:00Z")
            for n in range(1, 8)
        )
        + skill_run("send", 3, status="halted", looks=2)
        + skill_run("send", 9, status="running")
        + skill_run("got", 2)
        + skill_run("got", 1, status="failed")
        + skill_run("got", 1, status="uncertain")
        + skill_run("slow", 30, started_at="2026-11-12T12:00:00Z")
        + "insert into skill_run_step (run_id, number, outcome, look)"
        " select id, 1, 'recovered', 'full' from skill_run where status = 'done' and looks = 1;"
    )
