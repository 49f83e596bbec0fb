"""A check of the facts names what may be wrong by now, and changes nothing."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import UnusableInputError, UsageError
from memctl_cli.dream_schedule import schedule
from tests.cli.calling import memctl_process
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.consolidation.checking.verification import VerifiedFacts
    from memctl.memory import Memory

NIGHTLY = ["/opt/my tools/memctl", "--app", "agent", "dream", "run", "100%"]


def kinds(found: VerifiedFacts) -> list[str]:
    return [one.kind for one in found.findings]


def test_facts_that_nothing_speaks_against_are_reliable(memory: Memory) -> None:
    assert memory.dream.verify().verdict == "nothing to check"
    memory.facts.store("User prefers dark themes")
    found = memory.dream.verify()
    assert (kinds(found), found.consistency, found.verdict) == ([], 10.0, "reliable")


def test_what_rests_on_a_changed_fact_is_named(memory: Memory) -> None:
    office = {"subject": "User", "attribute": "office", "value": "Porto"}
    memory.facts.store([office])
    memory.facts.store("User takes the tram because the office is in Porto")
    memory.facts.store([{**office, "value": "Lisbon"}])
    assert kinds(memory.dream.verify()) == ["doubt"]


def test_files_are_looked_up_only_where_somebody_says_where(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").touch()
    memory.facts.store("The entry point is src/app.py and the settings are in src/gone.toml")
    assert not memory.dream.verify().findings
    (found,) = memory.dream.verify(paths=tmp_path).findings
    assert (found.kind, found.what) == ("stale path", '"src/gone.toml" is not there')


@each(
    "words",
    ["and/or", "24/7", "CI/CD", "TCP/IP", "node.js", "km/h", "he/she", "Next.js", "React/Node.js", "src/lib",
     "https://example.org/guide/start.html"],
)  # fmt: skip
def test_a_word_with_a_slash_or_a_dot_is_no_file(
    memory: Memory, tmp_path: Path, words: str
) -> None:
    memory.facts.store(f"User wants {words} for the new project")
    assert not memory.dream.verify(paths=tmp_path).findings


@each(
    "path",
    ["/srv/app/data", "./run", "../lib/x", "file:///srv/x", ".github/workflows/ci.yml", "src/App.js",
     "pyproject.toml", "test_house.py", "`setup.py`"],
)  # fmt: skip
def test_a_path_that_is_not_there_is_named(memory: Memory, tmp_path: Path, path: str) -> None:
    (fact,) = memory.facts.store(f"The settings of the project are in {path}.").ids
    (found,) = memory.dream.verify(paths=tmp_path).findings
    assert found.what == f'"{path.strip("`")}" is not there'
    memory.facts.erase(fact)


def test_a_relative_date_is_named_with_the_command_that_sets_the_day_that_is_meant(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T10:00:00Z")
    (fact,) = memory.facts.store("Ana's demo is tomorrow in the big hall").ids
    (found,) = memory.dream.verify().findings
    assert (found.kind, "2026-11-21" in found.what) == ("relative date", True)
    words = shlex.split(found.suggestion)
    assert words[:4] == ["memctl", "memory", "update", fact]
    assert words[4:] == ["Ana's demo is on 2026-11-21 in the big hall"]


def test_a_promoted_fact_whose_turns_are_gone_is_not_grounded(memory: Memory) -> None:
    turn = memory.log("Always answer me in German, please.", session="s1")
    memory.dream.run(apply=True)
    assert not memory.dream.verify().findings
    memory.turns.erase([turn])
    assert kinds(memory.dream.verify()) == ["not grounded"]


def test_a_folder_that_is_none_is_refused(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="is no folder"):
        memory.dream.verify(paths=tmp_path / "nowhere")


def test_cron_and_systemd_get_a_command_quoted_in_their_own_way() -> None:
    made = schedule(NIGHTLY, at="3:05", name="agent")
    assert made.cron == (
        "5 3 * * * '/opt/my tools/memctl' --app agent dream run 100\\%  # memctl-dream-agent"
    )
    assert 'ExecStart="/opt/my tools/memctl" --app agent dream run 100%%' in made.service
    assert "OnCalendar=*-*-* 3:05:00" in made.timer or "OnCalendar=*-*-* 03:05:00" in made.timer


def test_each_store_of_each_home_has_a_unit_of_its_own() -> None:
    places = [
        ("agent", ""),
        ("agent", "/srv/a"),
        ("agent", "/srv/b"),
        ("a.b", ""),
        ("a-b", ""),
        ("a/b", ""),
    ]
    made = [schedule(NIGHTLY, name=name, home=home) for name, home in places]
    assert len({one.unit for one in made}) == len(made)
    assert made[0].unit == "memctl-dream-agent"
    for one in made:
        assert one.cron.endswith(f"  # {one.unit}")
        assert f"# {one.unit}$" in one.uninstall[0]
        assert one.install == (f"systemctl --user enable --now {one.unit}.timer",)
        assert all(one.unit in line for line in one.uninstall)


@pytest.mark.skipif(shutil.which("grep") is None, reason="needs grep")
def test_what_uninstall_says_takes_its_own_line_alone_away() -> None:
    mine, other = (schedule(NIGHTLY, home=home) for home in ("/srv/my 100% home", ""))
    kept = subprocess.run(
        ["sh", "-c", mine.uninstall[0].split(" | ")[1]],
        input=f"{mine.cron}\n{other.cron}\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert kept.stdout == f"{other.cron}\n"


def test_the_commands_line_names_a_home_with_blanks_and_percent_signs(tmp_path: Path) -> None:
    home = tmp_path / "my 100% home"
    named = {"MEMCTL_HOME": str(home)}
    made = memctl_process("dream", "install", "--json", environment=named).data
    assert f"--home '{tmp_path}/my 100\\% home'" in made["cron"]
    assert f'--home "{tmp_path}/my 100%% home"' in made["service"]
    undone = memctl_process("dream", "uninstall", "--json", "--home", home).data["uninstall"]
    assert made["unit"] in undone[0]


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match='"25:00" is no time of the day'):
        schedule(NIGHTLY, at="25:00")
