"""Answers of the reports, each about one small store: what counts, what does not, and in which order.

Every figure is recomputed by other SQL in `test_figures`; what stands here is what the words mean.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import memctl
from memctl.base.tokens import estimate_tokens
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import stores_at
from tests.each import each
from tests.reports.conftest import NOW, write_to
from tests.reports.stored import component, fact, insert, look, recall, skill, skill_run, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.reports.answers import Answer, Report

    Cells = tuple[Any, ...]

PAST, LATER = "2026-11-02T12:00:00Z", "2026-11-11T12:00:00Z"
LEARNED = "2026-11-01T12:00:00Z"
MONDAY, TUESDAY, NEXT = PAST, "2026-11-03T12:00:00Z", "2026-11-10T12:00:00Z"
GONE = {"forgotten_at": PAST}
TEXTS = ["User likes tea", "用户喜欢茶", "short"]


def way(start: str, end: str, status: str = "committed", at: str = "") -> str:
    row = {"from_state": start, "action": "click", "to_state": end, "status": status}
    return insert("transition", {**row, "recorded_at": at, "last_used_at": ""})


def hit(number: int, item: int, **cells: object) -> str:
    row = {"recall_id": number, "rank": item, "kind": "turn", "item_id": item, "score": 1}
    return insert("recall_hit", {**row, **cells})


def turn(number: int, **cells: object) -> str:
    row = {"id": number, "session": "a", "text": f"turn {number}"}
    return insert("log", {**row, "logged_at": LEARNED, **cells})


def merged(name: str, into: str) -> str:
    return state(name, merged_into=into, merged_at=PAST)


class Case(NamedTuple):
    """What a store holds, and the rows of ``ANSWER: COLUMNS`` that it gives; `where` selects some."""

    what: str
    script: str
    answer: str
    rows: list[Cells]
    where: tuple[str, str] | None = None


ALL_OF_APP = ("grouping", "app")
CASES = [
    Case(
        "orphans are what nothing leads to",
        component(1)
        + component(2)
        + state("s_one")
        + merged("s_two", "s_one")
        + state("s_three")
        + state("s_four")
        + insert(
            "state_component",
            {"state_id": "s_two", "component_id": 1, "defining": 1, "x": 0, "y": 0},
        )
        + way("s_one", "s_two")
        + way("s_two", "s_three"),
        "health.orphans: kind total orphans first_id",
        [
            ("components in no state", 2, 1, "2"),
            ("states without a component", 3, 2, "s_four"),
            ("states without a transition", 3, 1, "s_four"),
        ],
    ),
    Case(
        "tokens are those of the engine's own estimate, and a turn gets what the settings allow",
        "".join(fact(f"f{n}", text=text, importance=n / 9) for n, text in enumerate(TEXTS))
        + insert("setting", {"key": "context_max_tokens", "value": "6", "changed_at": PAST}),
        "health.tokens: what items tokens least_id",
        [
            ("all facts that hold", 3, sum(map(estimate_tokens, TEXTS)), "f0"),
            ("facts for one turn, at most", 3, 6, None),
        ],
    ),
    Case(
        "questions that brought nothing are listed, the most asked first",
        recall(1, question="where?", hits=0)
        + recall(2, question="who?", hits=0)
        + recall(3, question="who?", hits=0, asked_at="2026-11-12T12:00:00Z")
        + recall(4, question="why?")
        + recall(5, question="where?", asked_at=LATER)
        + recall(6, question="who?", asked_at=LATER),
        "recall.empty: question times last_asked_at first_asked_at answered_at",
        [("who?", 2, "2026-11-12T12:00:00Z", NEXT, None), ("where?", 1, NEXT, NEXT, LATER)],
    ),
    Case(
        "never recalled are the living, and facts that hold",
        turn(1)
        + turn(2)
        + turn(3)
        + turn(4, archived_at=PAST, archived_why="old")
        + fact("one")
        + fact("two")
        + fact("three", status="pending")
        + recall(1)
        + hit(1, 2)
        + hit(1, 1, kind="fact"),
        "recall.never_recalled: kind memories never",
        [("fact", 2, 1), ("turn", 3, 2)],
    ),
    Case(
        "where nobody gives feedback nothing is called unused",
        turn(1) + recall(1) + recall(2) + hit(1, 1) + hit(2, 1),
        "recall.never_used: item_id",
        [],
    ),
    Case(
        "what came back again and again without helping is unused",
        turn(1) + turn(2) + recall(1) + recall(2) + hit(1, 1) + hit(2, 1) + hit(1, 2, used_at=NEXT),
        "recall.never_used: item_id text recalled",
        [("1", "turn 1", 2)],
    ),
    Case(
        "unknown words are counted by question; one that has an alias by now is none",
        recall(1, unknown_words='["quay", "mooring", "jetty"]')
        + recall(2, unknown_words='["quay", "quay"]')
        + recall(3, unknown_words="[]")
        + insert("alias", {"term": "Jetty", "synonym": "pier"}),
        "recall.unknown_words: word recalls",
        [("quay", 2), ("mooring", 1)],
    ),
    Case(
        "a word that was known when it was asked for later is not unknown",
        recall(1, question="Which quay, and what's moored?", unknown_words='["quay", "what\'s"]')
        + recall(
            2,
            question="Is the QUAY open, what's left?",
            unknown_words='["what\'s"]',
            asked_at=LATER,
        )
        + recall(3, question="Quays and jetties?", unknown_words='["jetties"]', asked_at=LATER),
        "recall.unknown_words: word",
        [("what's",), ("jetties",)],
    ),
    *(
        Case(
            f"suspect is what was found both weakly and out of place: {what}",
            component(1)
            + "".join(look(n, PAST, {1: 1}) for n in range(1, 6))
            + f"update sighting set {edit} where observation_id > {5 - times};",
            "matching.suspects: component_id finds weak out_of_place suspect",
            suspects,
        )
        for what, edit, times, suspects in (
            ("both", "score = 0.85, x = 300", 1, [(1, 5, 1, 1, 1)]),
            ("both, twice", "score = 0.85, x = 300", 2, [(1, 5, 2, 2, 2)]),
            ("weak", "score = 0.85", 1, []),
            ("weak, always", "score = 0.85", 5, []),
            ("elsewhere", "x = 300", 1, []),
            ("weak and near", "score = 0.85, x = 20", 1, []),
        )
    ),
    Case(
        "a forgotten component ends at its last sighting, not when it was forgotten",
        component(1, learned_at=LEARNED, forgotten_at="2026-11-19T12:00:00Z")
        + look(1, "2026-11-04T12:00:00Z", {1: 1})
        + look(2, "2026-11-18T12:00:00Z", {1: 0}),
        "decay.survival: days at_risk events censored",
        [(0, 1, 0, 0), (3, 1, 1, 0)],
        ALL_OF_APP,
    ),
    Case(
        "a living component is lost from sight at its last sighting",
        component(1, learned_at=LEARNED) + look(1, "2026-11-06T12:00:00Z", {1: 1}),
        "decay.survival: days at_risk events censored",
        [(0, 1, 0, 0), (5, 1, 0, 1)],
        ALL_OF_APP,
    ),
    *(
        Case(
            f"a fact lives until it holds no more: {what}",
            fact("launch", category="project", **cells),
            "decay.half_lives: subjects events half_life",
            [(1, ended, 10 if ended else None)],
            ("grouping", "type"),
        )
        for what, cells, ended in (
            ("holds", {}, 0),
            ("forgotten", {"status": "forgotten", "updated_at": LATER}, 1),
            ("replaced", {"status": "superseded", "updated_at": LATER}, 1),
            ("archived", {"archived_at": LATER}, 1),
            ("expired", {"expires_at": LATER, "expires_by": "given", "pinned": 1}, 1),
            ("spared", {"expires_at": LATER, "expires_by": "category", "pinned": 1}, 0),
            ("expires later", {"expires_at": "2026-12-24T12:00:00Z", "expires_by": "given"}, 0),
        )
    ),
    Case(
        "a fact that waits has not begun to live",
        fact("launch", status="pending"),
        "decay.half_lives: subjects",
        [],
    ),
    Case(
        "what will be forgotten is dated by the pace of its misses: five in five days",
        component(1, consecutive_misses=5, last_seen_at="2026-11-01T00:00:00Z")
        + look(1, "2026-11-06T00:00:00Z", {1: 0}),
        "decay.next_forgotten: misses_left expected_at",
        [(10, "2026-11-16T00:00:00Z")],
    ),
    Case(
        "a run saves what its demonstration took, less what it took",
        skill("send") + skill_run("send", 2, looks=1) + skill_run("send", 4),
        "lift.skills_worth: skill runs saved_looks saved_s each_s low_s",
        [("send", 2, 7, 14, 7, None)],
    ),
    *(
        Case(
            f"a run that was not done lost what it took: {status}",
            skill("send") + skill_run("send", 2) + skill_run("send", 3, status=status, looks=2),
            "lift.skills_worth: done lost saved_looks saved_s lost_s",
            [(1, 1, 2, 5, 3)],
        )
        for status in ("halted", "failed", "dropped")
    ),
    Case(
        "a run that goes on is not counted yet",
        skill("send") + skill_run("send", 3, status="running"),
        "lift.skills_worth: skill",
        [],
    ),
    Case(
        "what was never shown here has nothing to be held against",
        skill("send")
        + skill("got", origin="imported", shown_looks=None, shown_seconds=None)
        + skill_run("send", 4)
        + skill_run("got", 1)
        + skill_run("got", 2, status="halted"),
        "lift.skills_worth: skill saved_looks saved_s each_s lost_s unknown",
        [("send", 4, 6, 6, 0, 0), ("got", None, None, None, 2, 1)],
    ),
    Case(
        "a decider is counted for each act where a setting tells its seconds",
        skill("send", acts=3)
        + skill_run("send", 4)
        + insert("setting", {"key": "lift_decider_seconds", "value": "4", "changed_at": MONDAY}),
        "lift.skills_worth: saved_s shown_s acts",
        [(18, 10, 3)],
    ),
    # Mean 7, standard deviation 1.5811, and 2.7764 of Student's t with four degrees.
    Case(
        "an interval is told from five known runs on",
        skill("send") + "".join(skill_run("send", seconds) for seconds in range(1, 6)),
        "lift.skills_worth: low_s high_s",
        [(pytest.approx(7 - 1.9632, abs=0.002), pytest.approx(7 + 1.9632, abs=0.002))],
    ),
    Case(
        "weeks begin on Monday, and the sum of all stands first",
        skill("send")
        + skill_run("send", 4)
        + skill_run("send", 5, started_at="2026-11-08T23:59:59Z")
        + skill_run("send", 12, started_at=NEXT),
        "lift.weeks_worth: grouping week runs saved_s unknown",
        [
            ("all", None, 3, 9, 0),
            ("week", "2026-11-02", 2, 11, 0),
            ("week", "2026-11-09", 1, -2, 0),
        ],
    ),
    Case(
        "a match is held against the look that learned its screen first",
        state("s_inbox")
        + state("s_twin", merged_into="s_inbox", merged_at=TUESDAY)
        + state("s_got")
        + look(1, MONDAY, {}, state_id="s_inbox", duration_ms=900)
        + look(2, TUESDAY, {}, state_id="s_twin", duration_ms=500)
        + look(3, TUESDAY, {}, state_id="s_twin", kind="match", duration_ms=100)
        + look(4, NEXT, {}, state_id="s_inbox", kind="match", duration_ms=1100)
        + look(5, NEXT, {}, state_id="s_got", kind="match", duration_ms=50)
        + look(6, NEXT, {}, kind="match", duration_ms=70)
        + look(7, NEXT, {}, state_id="s_inbox", kind="locate", duration_ms=5),
        "lift.screens_worth: week matches known first_ms saved_s unknown",
        [
            (None, 4, 3, 900, pytest.approx(0.6), 1),
            ("2026-11-02", 1, 1, 900, pytest.approx(0.8), 0),
            ("2026-11-09", 3, 2, 900, pytest.approx(-0.2), 1),
        ],
    ),
]


@pytest.fixture(scope="module")
def cases_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a store for each case."""
    home = tmp_path_factory.mktemp("cases")
    for number, case in enumerate(CASES):
        write_to(home, f"case-{number}", case.script)
    return home


@pytest.fixture(scope="module")
def answers(cases_home: Path) -> dict[str, Answer]:
    """The answers about all of them together."""
    made = make_reports(REPORTS, stores_at(cases_home), now=NOW)
    return {f"{one.name}.{answer.name}": answer for one in made for answer in one.answers}


@each("number", range(len(CASES)))
def test_an_answer_counts_what_its_words_mean(number: int, answers: dict[str, Answer]) -> None:
    case = CASES[number]
    name, _, columns = case.answer.partition(": ")
    rows = [
        tuple(row[column] for column in columns.split())
        for row in answers[name].records()
        if row["store"] == f"case-{number}"
        and (case.where is None or row[case.where[0]] == case.where[1])
    ]
    assert rows == case.rows, case.what


def test_everything_is_counted_and_what_there_is_nothing_of_too(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        component(1)
        + component(2, **GONE)
        + state("s_one")
        + merged("s_two", "s_one")
        + fact("one")
        + fact("two", expires_at=PAST, expires_by="given")
        + fact("three", status="pending")
        + insert("guard_refusal", {"rule": "x", "tier": "y", "day": "2026-11-02", "refusals": 3})
    )
    counts = {row["what"]: row["count"] for row in answer("health", "summary").records()}
    assert len(counts) == 19
    assert {name: number for name, number in counts.items() if number} == {
        "components": 1,
        "components forgotten": 1,
        "states": 1,
        "facts that hold": 1,
        "facts that wait": 1,
        "facts expired": 1,
        "texts refused": 3,
    }


def test_only_what_happened_in_the_time_that_is_asked_for_is_counted(
    write: Callable[..., None], home: Path
) -> None:
    days = [f"2026-11-{day:02}" for day in range(1, 10)]
    numbers = count(1)
    write(
        "".join(
            recall(next(numbers), asked_at=f"{day}T00:00:00Z")
            + fact(day, created_at=f"{day}T12:00:00Z")
            + insert("guard_refusal", {"rule": "x", "tier": "y", "day": day, "refusals": 1})
            + skill_run("send", 4, started_at=f"{day}T12:00:00Z")
            for day in days
        )
        + skill("send")
        + component(1, learned_at=LEARNED, forgotten_at="2026-11-15T12:00:00Z")
        + look(900, "2026-11-04T12:00:00Z", {1: 1})
    )
    made = {
        one.name: one
        for one in make_reports(
            REPORTS, stores_at(home), since="2026-11-01", until="2026-11-03", now=NOW
        )
    }
    # From the first moment of since, up to and without until.
    assert made["recall"].answer("recalls").records()[0]["recalls"] == 2
    assert made["health"].answer("refusals").records()[0]["refusals"] == 2
    assert made["lift"].answer("skills_worth").records()[0]["runs"] == 2
    rows = made["growth"].answer("rows_per_day").records()
    assert {row["day"] for row in rows if row["table"] == "fact"} == {*days[:2]}
    (total,) = [row for row in made["growth"].answer("totals").records() if row["table"] == "fact"]
    assert (total["rows"], total["first_on"], total["last_on"]) == (9, days[0], days[-1])
    assert total["rows_a_day"] == 1
    # Until a day of the past it is as it was then: nothing was forgotten yet.
    assert sum(int(str(row["events"])) for row in made["decay"].answer("survival").records()) == 0


@pytest.mark.parametrize("pages", [True, False])
def test_the_parts_of_the_file_add_up_to_it(
    pages: bool, home: Path, report: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("what was said " * 2000)
        for number in range(100):
            memory.log(f"turn {number} " * 40)
        memory.store.connection().execute("delete from log where id > 50")
        size = memory.store.path
    if not pages:  # as of an SQLite that was built without dbstat
        monkeypatch.setattr("memctl.reports.loading._tells_pages", lambda _: False)
    rows = report("health").answer("sizes").records()
    parts: dict[Any, Any] = {row["part"]: row["bytes"] for row in rows}
    measured = {row["measured"] for row in rows if row["part"] in {"turns", "other"}}
    assert measured == {"pages" if pages else "contents"}
    assert (parts.pop("file"), parts.pop("write-ahead log")) == (size.stat().st_size, 0)
    assert sum(parts.values()) == size.stat().st_size
    assert parts["turns"] > len("what was said " * 2000)
    assert parts["free pages"] > 0
    growth = report("growth").answer("totals").records()
    assert sum(int(str(row["bytes"])) for row in growth) == size.stat().st_size
    assert sum(float(str(row["share"])) for row in growth) == pytest.approx(1)
