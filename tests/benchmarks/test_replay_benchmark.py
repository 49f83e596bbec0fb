"""The replay sees every change that users would, and none that is not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks.replay
from benchmarks.replay.checkouts import Side
from benchmarks.replay.comparing import changed_lines, difference, masked
from benchmarks.replay.recorded import Call, Expected, expected_in, groups_in
from tests.each import each

FOLDER = Path(benchmarks.replay.__file__).parent
CALLS = """
== two ways
$ memctl
$ memctl log "the launch is on 3 March"
old $ memctl turns list
new $ memctl episodes list
! memctl turns list --json | head -c 20
>>> memctl.open("agent").facts.store("Falcon's owner is Tom", category="project")
>>> memctl.open("agent").facts.get("{f1}").text
"""
EXPECTED = """
[[change]]
call = "*memctl turns list  =>*"
reason = "another list"
"""


def envelope(**data: object) -> str:
    return json.dumps({"status": "ok", "duration_ms": 1.5, "data": data}) + "\n"


def test_every_recorded_call_can_be_read_and_is_made_once_in_its_group() -> None:
    groups = groups_in(FOLDER / "calls")
    assert sum(map(len, groups.values())) > 500
    assert all(groups.values())
    expected_in(FOLDER / "expected.toml")


def test_durations_sizes_and_versions_are_masked() -> None:
    one = envelope(ms={"load": 1.0}, bytes=4096, schema_version=1, name="Save")
    other = envelope(ms={"load": 2.0}, bytes=8192, schema_version=2, name="Save")
    assert masked((one, "", 0), "/a") == masked((other, "", 0), "/a")


@each(
    ("one", "other"),
    [
        ((envelope(name="Save"), "", 0), (envelope(name="Safe"), "", 0)),
        ((envelope(ms={"load": 1.0}), "", 0), (envelope(ms={"read": 1.0}), "", 0)),
        (("", "memctl: no\n", 4), ("", "memctl: no.\n", 4)),
        (("done\n", "", 0), ("done\n", "", 1)),
        (("done\n", "", 0), ("", "done\n", 0)),
        ((" id   ms\n 1   420\n", "", 0), (" id   ms\n 1   421\n", "", 0)),
    ],
)
def test_everything_else_is_compared(
    one: tuple[str, str, int], other: tuple[str, str, int]
) -> None:
    assert masked(one, "/a") != masked(other, "/a")


def test_a_table_of_durations_is_compared_but_for_them() -> None:
    fast = "\n stage  looks  median  p95\n ─────\n load       2     0.5  0.7\n hash       3     1.0  2.0\n"
    slow = "\n stage  looks  median     p95\n ──────\n hash       3   100.0  2000.0\n load       2     0.5     0.7\n"
    more = fast.replace("3", "4")
    assert masked((fast, "", 0), "/a") == masked((slow, "", 0), "/a")
    assert masked((fast, "", 0), "/a") != masked((more, "", 0), "/a")


def test_an_expected_change_allows_only_the_lines_that_it_names() -> None:
    call = Call("$", "memctl a delete X", "memctl a forget X")
    lines = changed_lines(difference("deleted X\nall\n", "forgotten X\nall\n"))
    assert lines == ["deleted X", "forgotten X"]
    assert Expected("$ * delete *", "renamed").allows(call, lines)
    assert Expected("$ * delete *", "renamed", "deleted|forgotten").allows(call, lines)
    assert not Expected("$ * delete *", "renamed", "deleted").allows(call, lines)
    assert not Expected("$ * rename *", "renamed").allows(call, lines)


@pytest.mark.parametrize("line", ["memctl stores", "new $ memctl stores", "$"])
def test_a_line_that_is_no_call_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "calls.txt").write_text(f"== a\n{line}\n", "utf-8")
    with pytest.raises(ValueError, match=r"calls\.txt, line 2 is no call"):
        groups_in(tmp_path)


def test_a_group_that_ends_early_is_an_error_and_not_equal(tmp_path: Path) -> None:
    side = Side(FOLDER.parents[1], tmp_path / "side")
    with pytest.raises(RuntimeError, match='not played: memctl log "an open quote'):
        side.answers(
            [("$", "memctl stores"), ("$", 'memctl log "an open quote')], tmp_path / "group"
        )


def test_a_checkout_against_itself_differs_in_what_is_asked_differently_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / "calls").mkdir()
    (tmp_path / "calls" / "few.txt").write_text(CALLS, "utf-8")
    (tmp_path / "expected.toml").write_text(EXPECTED, "utf-8")
    root = FOLDER.parents[1]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.replay", "--show", "--against", str(root)),
            *("--calls", str(tmp_path / "calls"), "--expected", str(tmp_path / "expected.toml")),
            *("--out", str(tmp_path)),
        ],
        cwd=root,
        env={name: value for name, value in os.environ.items() if name != "MEMCTL_NOW"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads((tmp_path / "replay.json").read_text("utf-8"))["figures"]
    assert figures["groups"] == {"two ways": {"equal": 5, "expected": 1, "changed": 0}}
    (change,) = figures["differences"]
    assert change["reason"] == "another list"
    assert "the launch is on 3 March" in change["diff"]
