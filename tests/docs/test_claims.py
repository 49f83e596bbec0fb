"""Every claim of docs/reliability.md has checks, and one that is not held fails the build."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.running import ROOT
from tests.docs import claims, figures
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

CLAIMS = claims.read()
SUITE = """
import pytest

def test_that_passes():
    pass

def test_that_fails():
    assert 1 == 2

@pytest.mark.parametrize("number", [1, 2])
def test_that_fails_once(number):
    assert number == 1

@pytest.mark.skip(reason="no browser")
def test_that_is_skipped():
    pass

@pytest.fixture
def broken():
    raise OSError

def test_whose_fixture_fails(broken):
    pass
"""
PASSED = "tests/test_small.py::test_that_passes"


def claim(*tests: str, **more: str) -> claims.Claim:
    return {"about": "Kills", "claim": "Nothing is lost.", "tests": [*tests], **more}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose suite was run; its report is `report.xml`."""
    root = tmp_path_factory.mktemp("small")
    (root / "tests").mkdir()
    (root / "tests" / "test_small.py").write_text(SUITE)
    (root / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml")
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run([sys.executable, *words], cwd=root, env=alone, capture_output=True, check=False)
    return root


def test_every_claim_names_tests_and_benchmarks_that_exist() -> None:
    assert claims.faults(CLAIMS) == []


def test_the_page_is_made_of_the_file() -> None:
    page = figures.without_marks(claims.PAGE.read_text("utf-8"))
    assert page == claims.page(CLAIMS), "write it anew: python -m tests.docs.claims"


def test_the_tests_that_security_names_exist() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)`", ROOT.joinpath("SECURITY.md").read_text("utf-8"))
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_a_claim_whose_tests_passed_is_held(small: Path) -> None:
    assert claims.faults([claim(PASSED)], small) == []
    assert claims.unheld([claim(PASSED)], claims.outcomes(small / "report.xml")) == []


@each(
    ("name", "why"),
    [
        ("test_that_fails", "failure"),
        ("test_that_fails_once", "failure, passed"),
        ("test_that_is_skipped", "skipped"),
        ("test_whose_fixture_fails", "error"),
        ("test_that_nobody_ran", "not run"),
    ],
)
def test_a_claim_with_a_test_that_did_not_pass_is_not_held(
    small: Path, name: str, why: str
) -> None:
    test = f"tests/test_small.py::{name}"
    told = claims.unheld([claim(PASSED, test)], claims.outcomes(small / "report.xml"))
    assert told == [f"{why}: {test} of: Nothing is lost."]


@each(
    ("given", "fault"),
    [
        (
            claim("tests/test_small.py::test_nowhere"),
            "no such test: tests/test_small.py::test_nowhere",
        ),
        (claim("tests/nowhere.py::test_that_passes"), "no such test: tests/nowhere.py::"),
        (claim(), "no check: "),
        (claim(PASSED, slice="python -m benchmarks.nothing"), "no such benchmark: "),
        (claim(PASSED, slice="true"), "no such benchmark: true"),
        (claim(PASSED, figure="0 of 10,000"), "a figure needs command, commit, date, rooms: "),
    ],
)
def test_a_claim_without_a_check_is_a_fault(small: Path, given: claims.Claim, fault: str) -> None:
    (told,) = claims.faults([given], small)
    assert told.startswith(fault)


def test_a_slice_that_breaks_a_promise_fails_with_what_it_printed() -> None:
    broken = "python -c 'print(\"1 broken promise\"); raise SystemExit(1)'"
    (told,) = claims.failed_slices(
        [claim(slice=broken), claim(slice="python -c pass"), claim(PASSED)]
    )
    assert told == f"exit 1: {broken}\n1 broken promise\n"


def test_the_check_ends_with_1_and_says_which_claims_are_not_held(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "failed_slices", lambda _: [])
    with pytest.raises(SystemExit) as left:
        claims.main(["--check", str(small / "report.xml")])
    assert all(test in str(left.value) for one in CLAIMS for test in one.get("tests", ()))


def test_a_figure_is_shown_with_its_command_and_what_changed_since() -> None:
    printed = {"figure": "0 of 10,000", "command": "python -m benchmarks.guard", "rooms": ["store"]}
    given = claim(PASSED, slice="python -m benchmarks.guard", commit="abc", date="2026-11-27")
    page = claims.page([{**given, **printed}], lambda _: ["store"])
    assert (
        "- **0 of 10,000**: `python -m benchmarks.guard` (2026-11-27, `abc`; older than a change of store)\n"
        "- In each build: `python -m benchmarks.guard`\n- `tests/test_small.py`: that passes\n"
    ) in page
