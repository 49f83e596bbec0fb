"""What is wrong is said with the command that mends it, and that command exists."""

from __future__ import annotations

import shlex
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import pytest

from memctl.reports import REPORTS, files_in, make_report, make_reports, store_at, stores_at
from memctl.reports.questions import questions_of
from memctl.reports.report_findings import _RULES
from memctl.visual.reading.image import encode_png, pixels_digest
from memctl_cli import main
from tests.reports.conftest import NOW, write_to
from tests.reports.stored import component, fact, insert, look, recall, skill, skill_run, state
from tests.reports.test_recall import hit, turn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.reports import Finding, Report
    from memctl_cli.demo.bundle import Shot

NOISE = np.random.default_rng(7).integers(0, 256, (16, 16, 3), np.uint8)
LOOK = {
    "png": encode_png(NOISE),
    "w": 1,
    "h": 1,
    "scale": 1,
    "learned_at": "",
    "sha256": pixels_digest(NOISE),
}
ACT = {"from_state": "s_one", "action": "click", "to_state": "s_two", "status": "pending"}
EPISODE = {"summary": "Ann called", "happened_at": "2026-11-02T12:00:00Z"}
SOON = {"expires_at": "2026-11-22T12:00:00Z", "expires_by": "given"}

# What is wrong with a store, and the subject of what has to be found then.
WRONG: dict[str, tuple[str, str]] = {
    "stale": (component(1, consecutive_misses=2), "stale components"),
    "nearly forgotten": (component(1, consecutive_misses=13), "nearly forgotten"),
    "nameless": (state("s_one"), "nameless states"),
    "outdated": (
        component(1) + insert("template", {"component_id": 1, **LOOK}),
        "outdated looks",
    ),
    "facts twice": (
        fact("one", equal_key="x") + fact("two", equal_key="x"),
        "duplicate facts",
    ),
    "episodes twice": (insert("episode", EPISODE) * 2, "duplicate episodes"),
    "orphans": (component(1), "components in no state"),
    "empty state": (state("s_one", name="inbox"), "states without a component"),
    "too many": ("".join(fact(f"f{n}") for n in range(201)), "too many facts"),
    "too long": (fact("one", text="x" * 30_006), "too many facts"),
    "waiting fact": (fact("one", status="pending"), "facts that wait"),
    "waiting act": (
        state("s_one")
        + state("s_two")
        + insert("transition", {**ACT, "recorded_at": NOW, "last_used_at": NOW}),
        "unconfirmed acts",
    ),
    "screenshots": (
        look(1, NOW, {}) + insert("screenshot", {"observation_id": 1, "png": b"x" * 2_000_000}),
        "kept screenshots",
    ),
    "nearly expired": (fact("one", **SOON), "nearly expired"),
    "drift": (
        state("s_one", name="inbox")
        + "".join(map(component, range(1, 21)))
        + look(1, "2026-11-01T12:00:00Z", dict.fromkeys(range(1, 21), 1), state_id="s_one")
        + look(2, "2026-11-02T12:00:00Z", dict.fromkeys(range(1, 21), 0), state_id="s_one"),
        "drift by day",
    ),
    "empty recalls": ("".join(recall(n, hits=0) for n in range(1, 11)), "empty recalls"),
    "unknown words": (
        recall(1, unknown_words='["it\'s"]') + recall(2, unknown_words='["it\'s"]'),
        "unknown words",
    ),
    "suspects": (
        component(1)
        + "".join(look(n, NOW, {1: 1}) for n in range(1, 11))
        + "update sighting set score = 0.82, x = 400 where observation_id in (3, 4)",
        "suspicious finds",
    ),
    "unknown screens": ("".join(look(n, NOW, {}) for n in range(1, 11)), "unknown screens"),
    "costly": (
        skill("k_slow") + "".join(skill_run("k_slow", seconds) for seconds in (14, 15, 16, 15, 15)),
        "costly skills",
    ),
}
# What one command only begins to mend, or what it only shows.
NOT_AT_ONCE = {
    "too many",
    "too long",
    "screenshots",
    "empty recalls",
    "drift",
    "orphans",
    "empty state",
    "suspects",
    "unknown screens",
}
# A component without a screen is an orphan, which is not what these are about.
WELL_BUT_ALONE = {"components in no state"}
WELL = {
    "nothing": "",
    "pinned": component(1, consecutive_misses=14, pinned=1),
    "200 facts": "".join(fact(f"f{n}") for n in range(200)),
    "expires later": fact("one", expires_at="2027-11-22T12:00:00Z", expires_by="given"),
    "vectors are asked": "".join(recall(n, hits=0, fallback="store") for n in range(1, 11)),
    "few recalls": "".join(recall(n, hits=0) for n in range(1, 10)),
    "recalled": turn(1) + recall(1) + hit(1, 1),
    "runs that may save": skill("s") + "".join(skill_run("s", n) for n in (9, 9, 9, 9, 16)),
}


def app(what: str) -> str:
    """Return the name of the app whose store has this about it."""
    return what.replace(" ", "-")


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a store for everything that is wrong, and for everything that is well."""
    home = tmp_path_factory.mktemp("ward")
    scripts = WELL | {what: script for what, (script, _) in WRONG.items()}
    for what, script in scripts.items():
        write_to(home, app(what), script)
    return home


@pytest.fixture(scope="module")
def findings(ward: Path) -> dict[str, list[tuple[str, Finding]]]:
    """Every finding of every report by its store, beside the report's name."""
    found: dict[str, list[tuple[str, Finding]]] = defaultdict(list)
    for report in make_reports(REPORTS, stores_at(ward), now=NOW):
        for finding in report.findings:
            found[finding.store].append((report.name, finding))
    return found


def call(mend: str, picture: Path) -> int:
    """Run a command that was printed, the reader's words filled in; return how it exits."""
    said = {"NAME": "inbox", "WORD": "mooring", "IMAGE": str(picture)}
    program, *words = shlex.split(mend)
    assert program == "memctl"
    with pytest.raises(SystemExit) as left:
        main([said.get(word, word) for word in words])
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_found_and_its_command_mends_it(
    what: str,
    ward: Path,
    findings: dict[str, list[tuple[str, Finding]]],
    tmp_path: Path,
    harbor: dict[str, Shot],
) -> None:
    subject, name = WRONG[what][1], app(what)
    picture = tmp_path / "login.png"
    picture.write_bytes(harbor["login"].png)
    ((report, found),) = [one for one in findings[name] if one[1].subject == subject]
    assert found.mend.startswith(f"memctl --home {ward} --app {name} ")
    assert call(found.mend, picture) == 0
    if what not in NOT_AT_ONCE:
        left = make_report(report, store_at(name, ward), now=NOW).findings
        assert subject not in {one.subject for one in left}


@pytest.mark.parametrize("what", WELL)
def test_what_is_well_is_not_complained_of(
    what: str, ward: Path, findings: dict[str, list[tuple[str, Finding]]]
) -> None:
    assert app(what) in {source.name for source in stores_at(ward)}
    assert {one.subject for _, one in findings.get(app(what), [])} <= WELL_BUT_ALONE


def test_each_subject_is_named_once_a_store_by_its_worst_case(
    write: Callable[..., None], report: Callable[..., Report]
) -> None:
    write("".join(component(n, consecutive_misses=n) for n in range(1, 5)))
    stale = [one for one in report("health").findings if one.subject == "stale components"]
    assert [one.mend.rpartition(" ")[2] for one in stale] == ["4"]


def test_a_file_of_a_folder_is_mended_by_the_address_it_names(
    write: Callable[..., None], home: Path
) -> None:
    write(component(1, consecutive_misses=2))
    path = home / "apps" / "harbor.db"
    path.rename(home / "apps" / "copy.db")
    (found,) = [
        one
        for one in make_report("health", files_in(home), now=NOW).findings
        if one.subject == "stale components"
    ]
    assert found.mend == "memctl --app harbor components pin 1"


def test_every_rule_is_about_an_answer() -> None:
    assert set(_RULES) <= {one.name for name in REPORTS for one in questions_of(name)}
