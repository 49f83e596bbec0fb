"""What is wrong is said once a cause, and the command handed out mends all of it."""

from __future__ import annotations

import inspect
import json
import shlex
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from memctl.reports import report_findings
from memctl.reports.answers import SEVERITIES
from memctl.reports.questions import REPORTS, questions_of
from memctl.reports.report import make_report, make_reports
from memctl.reports.sources import files_in, store_at, stores_at
from memctl.visual.reading.image import encode_png, pixels_digest
from memctl_cli import main
from tests.each import each
from tests.reports.conftest import NOW, write_to
from tests.reports.stored import component, fact, insert, look, recall, skill, skill_run, state
from tests.reports.test_answers import hit, turn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.reports.answers import Finding, Report
    from memctl.reports.sources import Source

NOISE = np.random.default_rng(7).integers(0, 256, (16, 16, 3), np.uint8)
LOOK = {
    "png": encode_png(NOISE),
    "w": 1,
    "h": 1,
    "scale": 1,
    "learned_at": "2026-11-01T12:00:00Z",
    "sha256": pixels_digest(NOISE),
}
LONG_AGO = "2026-11-02T12:00:00Z"
EPISODE = {"summary": "Ann called", "happened_at": LONG_AGO}
SOON = {"expires_at": "2026-11-22T12:00:00Z", "expires_by": "category"}
MISSED = "".join(component(number, consecutive_misses=1) for number in range(1, 21))
SCREEN = state("s_one", name="inbox")


def part(name: str, *components: int, defining: int = 1) -> str:
    """Return the inserts that make components part of a state."""
    row = {"state_id": name, "defining": defining, "x": 0, "y": 0}
    return "".join(insert("state_component", row | {"component_id": one}) for one in components)


def act(recorded_at: str) -> str:
    """Return the inserts of an act that nobody has confirmed, and of its screens."""
    row = {"from_state": "s_one", "action": "click", "to_state": "s_two", "status": "pending"}
    times = {"recorded_at": recorded_at, "last_used_at": recorded_at}
    return SCREEN + state("s_two", name="two") + insert("transition", row | times)


def looked(number: int, day: str, found: int) -> str:
    """Return the inserts of a look at the inbox that found all twenty components, or none."""
    seen = dict.fromkeys(range(1, 21), found)
    return look(number, f"2026-11-{day}T12:00:00Z", seen, state_id="s_one")


# What is wrong with a store: the subject of what has to be found then, and its cases.
WRONG: dict[str, tuple[str, int]] = {
    "stale components": (
        "".join(component(n, consecutive_misses=n) for n in range(1, 6))
        + component(6, consecutive_misses=14, pinned=1)
        + component(7, seen_count=1)
        + state("s_kept", name="kept", known_by="components")
        + state("s_gone", name="gone", known_by="components")
        + part("s_kept", 1, 2, 6)
        # With what defines it goes the state, and what is left on it is no finding.
        + part("s_gone", 3, 4, 5)
        + part("s_gone", 7, defining=0),
        3,
    ),
    "nameless states": (state("s_one") + state("s_two", page="two"), 1),
    "outdated looks": (component(1) + insert("template", {"component_id": 1, **LOOK}), 1),
    "duplicate facts": (
        "".join(fact(name, equal_key="x") for name in ("one", "two"))
        + fact("three", equal_key="x", pinned=1)
        + fact("four", equal_key="x", user_id="ann"),
        2,
    ),
    "duplicate episodes": (
        insert("episode", EPISODE) * 3
        + insert("episode", EPISODE | {"happened_at": NOW})
        + insert("episode", EPISODE | {"details": "about the ferry"}),
        2,
    ),
    "components in no state": (component(1) + component(2), 2),
    "facts that wait": (fact("one", status="pending"), 1),
    "unconfirmed acts": (act(LONG_AGO), 1),
    "kept screenshots": (
        look(1, NOW, {}) + insert("screenshot", {"observation_id": 1, "png": b"x" * 2_000_000}),
        1,
    ),
    "nearly expired": (
        fact("one", **SOON) + fact("two", **SOON, pinned=1) + fact("three", **SOON, immutable=1),
        1,
    ),
    "drift": (SCREEN + MISSED + looked(1, "01", 1) + looked(2, "02", 0), 1),
    "empty recalls": ("".join(recall(n, hits=0, fallback="store") for n in range(1, 11)), 10),
    "unknown words": (
        "".join(recall(n, unknown_words='["it\'s"]') for n in (1, 2))
        + recall(3, unknown_words='["once"]'),
        1,
    ),
    "suspicious finds": (
        component(1)
        + "".join(look(n, NOW, {1: 1}) for n in range(1, 11))
        + "update sighting set score = 0.82, x = 400 where observation_id in (3, 4)",
        1,
    ),
    "unknown screens": ("".join(look(n, NOW, {}) for n in range(1, 11)), 10),
    "costly skills": (
        "".join(
            skill(name) + "".join(skill_run(name, seconds) for seconds in (14, 15, 16, 15, 15))
            for name in ("k_slow", "k_slower")
        ),
        2,
    ),
}
# Whose list has a row for each case.
LISTED = {
    "nameless states",
    "components in no state",
    "facts that wait",
    "nearly expired",
    "empty recalls",
    "suspicious finds",
}
MENDED = {
    "stale components",
    "outdated looks",
    "duplicate facts",
    "duplicate episodes",
    "unconfirmed acts",
    "costly skills",
}
# A component without a screen is one more finding, which is not what these are about.
WELL_BUT_ALONE = {"components in no state"}
WELL = {
    "nothing": "",
    "missed twice": component(1, consecutive_misses=2),
    "pinned": component(1, consecutive_misses=14, pinned=1),
    "many facts": "".join(fact(f"f{n}") for n in range(201)),
    "expires as given": fact("one", **{**SOON, "expires_by": "given"}),
    "expires later": fact("one", expires_at="2027-11-22T12:00:00Z", expires_by="category"),
    "facts of two": fact("one", equal_key="x") + fact("two", equal_key="x", user_id="ann"),
    "known by words": state("s_one", name="inbox", known_by="words"),
    "a fresh act": act("2026-11-14T12:00:00Z"),
    "drift that ended": SCREEN
    + MISSED
    + looked(1, "01", 1)
    + looked(2, "02", 0)
    + looked(3, "03", 1),
    "drift forgotten": SCREEN
    + MISSED
    + looked(1, "01", 1)
    + looked(2, "02", 0)
    + f"update component set forgotten_at = '{NOW}', forgotten_why = 'gone'",
    "few recalls": "".join(recall(n, hits=0) for n in range(1, 10)),
    "answered since": "".join(
        recall(n, hits=0, question="who?", fallback="store") for n in range(1, 11)
    )
    + recall(11, hits=1, question="who?"),
    "recalled": turn(1) + recall(1) + hit(1, 1),
    "runs that may save": skill("s") + "".join(skill_run("s", n) for n in (9, 9, 9, 9, 16)),
}


def app(what: str) -> str:
    """Return the name of the app whose store has this about it."""
    return what.replace(" ", "-")


@pytest.fixture(autouse=True)
def _stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", NOW)


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a store for everything that is wrong, and for everything that is well."""
    home = tmp_path_factory.mktemp("it's a ward")
    scripts = WELL | {what: script for what, (script, _) in WRONG.items()}
    for what, script in scripts.items():
        write_to(home, app(what), script)
    return home


def findings_in(*sources: Source) -> dict[str, dict[str, Finding]]:
    """Return every finding of every report: by its store, and its subject."""
    found: dict[str, dict[str, Finding]] = {}
    for report in make_reports(REPORTS, sources, now=NOW):
        for one in report.findings:
            of_store = found.setdefault(one.store, {})
            assert one.subject not in of_store, "one finding a cause and store"
            of_store[one.subject] = one
    return found


@pytest.fixture(scope="module")
def findings(ward: Path) -> dict[str, dict[str, Finding]]:
    """The findings of the ward before anything is mended."""
    return findings_in(*stores_at(ward))


def rows_of(home: Path, name: str) -> list[str]:
    """Return all that stands in a store, as SQL."""
    with closing(sqlite3.connect(home / "apps" / f"{name}.db")) as connection:
        return list(connection.iterdump())


def pasted(command: str) -> int:
    """Run a command as it was printed; return how it exits."""
    program, *words = shlex.split(command)
    assert program == "memctl"
    with pytest.raises(SystemExit) as left:
        main(words)
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.mark.parametrize("what", WRONG)
def test_a_finding_is_shown_and_mended_by_its_commands_and_nothing_else_gets_worse(
    what: str,
    ward: Path,
    findings: dict[str, dict[str, Finding]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = findings[app(what)][what]
    assert (found.total, len(found.worst) <= 3) == (WRONG[what][1], True)
    assert bool(found.mend) == (what in MENDED)
    before = rows_of(ward, app(what))
    if found.show:
        # What the doctor finds wrong, it says by its exit as well.
        assert pasted(f"{found.show} --json") in ({5} if what == "outdated looks" else {0})
        shown = json.loads(capsys.readouterr().out)
        assert what not in LISTED or shown["count"] == found.total
        assert rows_of(ward, app(what)) == before
    if found.mend:
        assert pasted(found.mend) == 0
        left = findings_in(store_at(app(what), ward)).get(app(what), {})
        assert what not in left
        for subject, other in left.items():
            assert other.total <= findings[app(what)][subject].total


@each("what", WELL)
def test_what_is_well_is_not_complained_of(
    what: str, ward: Path, findings: dict[str, dict[str, Finding]]
) -> None:
    assert app(what) in {source.name for source in stores_at(ward)}
    assert findings.get(app(what), {}).keys() <= WELL_BUT_ALONE


def test_every_rule_has_a_case_and_is_about_an_answer() -> None:
    rules = report_findings._RULES
    assert rules.keys() <= {one.name for name in REPORTS for one in questions_of(name)}
    # Facts and episodes are found twice by one rule.
    assert inspect.getsource(report_findings).count("yield store.finding(") + 1 == len(WRONG)
    assert {*MENDED, *LISTED} <= WRONG.keys()


def test_commands_hold_no_word_that_somebody_has_to_fill_in(
    findings: dict[str, dict[str, Finding]], ward: Path
) -> None:
    begin = ["memctl", "--home", str(ward), "--app"]
    for store, found in findings.items():
        for command in (c for one in found.values() for c in (one.show, one.mend) if c):
            words = shlex.split(command)
            assert words[:5] == [*begin, store]
            assert not [word for word in words[5:] if word.isupper() and not word.startswith("#")]


def test_the_highest_severity_comes_first(
    write: Callable[..., None], report: Callable[..., Report]
) -> None:
    write(SCREEN + MISSED + looked(1, "01", 1) + looked(2, "02", 0) + fact("one", **SOON))
    assert [one.severity for one in report("decay").findings] == ["high", "low"]
    assert list(SEVERITIES) == ["high", "medium", "low"]


def test_a_finding_tells_its_extent_since_when_and_the_worst_three(
    write: Callable[..., None], report: Callable[..., Report]
) -> None:
    write("".join(component(n, consecutive_misses=n) for n in range(3, 8)))
    (found,) = [one for one in report("health").findings if one.subject == "stale components"]
    assert found.worst == tuple(f'"Button_{n}" ({n} times)' for n in (7, 6, 5))
    assert found.since_at == "2026-11-01T12:00:00Z"
    assert found.text.startswith("5 components were not seen where expected")
    assert found.text.endswith(f"since 2026-11-01, worst: {', '.join(found.worst)}")


@pytest.mark.parametrize("place", ["harbor.db", "copy.db"])
def test_a_file_of_a_folder_has_commands_where_an_address_leads_to_it(
    place: str, write: Callable[..., None], home: Path
) -> None:
    write(component(1, consecutive_misses=5))
    path = home / "apps" / "harbor.db"
    path.rename(home / "apps" / place)
    (found,) = [
        one
        for one in make_report("health", files_in(home), now=NOW).findings
        if one.subject == "stale components"
    ]
    begin = f"memctl --home {home} --app harbor components forget --missed 3"
    commands = (f"{begin} --dry-run", f"{begin} --yes") if place == "harbor.db" else ("", "")
    assert (found.show, found.mend) == commands
