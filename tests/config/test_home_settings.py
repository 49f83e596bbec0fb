"""The settings of all stores of a home: where they count, and how the file is read and written."""

from __future__ import annotations

import os
import stat
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as rules
from hypothesis import strategies as st

import memctl
from memctl.base.errors import FileAccessError, SecretRefusedError, UsageError
from memctl.reports.loading import SETTING_TABLE, engine, load
from memctl.reports.sources import store_at
from memctl.store.home_settings import read_home_settings, write_home_setting
from tests.each import each
from tests.processes import python, start_python

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def file(home: Path) -> Path:
    """The home's settings.toml, not written yet."""
    home.mkdir(exist_ok=True)
    return home / "settings.toml"


def in_force(memory: Memory, key: str = "forget_threshold") -> tuple[object, str, str]:
    found = memory.settings.describe(key)
    return found.value, found.source, found.where


def test_flag_beats_environment_beats_store_beats_home_beats_default(
    home: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("harbor", home) as memory:
        assert in_force(memory) == (15, "default", "")
        file.write_text("# ours\nforget_threshold = 20\n")
        assert in_force(memory) == (20, "settings.toml", f"{file}:2")
        memory.settings.set("forget_threshold", 30)
        assert in_force(memory) == (30, "store", str(memory.store.path))
    monkeypatch.setenv("MEMCTL_FORGET_THRESHOLD", "40")
    with memctl.open("harbor", home) as memory:
        assert in_force(memory) == (40, "environment", "MEMCTL_FORGET_THRESHOLD")
    with memctl.open("harbor", home, settings={"forget_threshold": 50}) as memory:
        assert in_force(memory) == (50, "flag", "")


@pytest.mark.parametrize("address", ["agent", "chromium/united.com"])
def test_every_store_of_the_home_obeys_however_it_is_opened(
    address: str, home: Path, file: Path, tmp_path: Path
) -> None:
    file.write_text("forget_threshold = 20\n")
    with memctl.open(address, home) as memory:
        memory.settings.set("forgetting", "everywhere")
        path = memory.store.path
        assert memory.settings["forget_threshold"] == 20
    with memctl.open(path, readonly=True) as memory:
        assert memory.settings["forget_threshold"] == 20
    elsewhere = tmp_path / "copy.db"
    elsewhere.write_bytes(path.read_bytes())
    with memctl.open(elsewhere) as memory:
        assert in_force(memory) == (15, "default", "")
        with pytest.raises(UsageError, match="is in no home"):
            memory.settings.set("forget_threshold", 20, home_wide=True)


def test_it_may_say_what_no_store_may(file: Path, memory: Memory) -> None:
    file.write_text('endpoint_url = "https://models.example/v1"\n')
    assert memory.settings["endpoint_url"] == "https://models.example/v1"
    memory.settings.set("endpoint_key_variable", "OUR_KEY", home_wide=True)
    assert memory.settings["endpoint_key_variable"] == "OUR_KEY"


def test_a_secret_pattern_of_the_home_is_refused_by_every_store(file: Path, memory: Memory) -> None:
    memory.log("The code is BOAT-1234.")
    file.write_text('secret_patterns = "BOAT-[0-9]{4}"\n')
    with pytest.raises(SecretRefusedError, match="own-1"):
        memory.log("The code is BOAT-1234.")


def test_a_report_obeys_the_home_of_a_site(home: Path, file: Path) -> None:
    with memctl.open("chromium/united.com", home) as site:
        site.log("The report asks whom it forgets.")
        file.write_text("lift_decider_seconds = 7\n")
        with engine() as duck:
            load(duck, [store_at(str(site.address), home)], {SETTING_TABLE: ("key", "value")})
            asked = f"select value from {SETTING_TABLE} where key = 'lift_decider_seconds'"
            assert duck.sql(asked).fetchall() == [(7.0,)]


# -- what is refused ----------------------------------------------------------------------

BROKEN = {
    'forget_threshold = 3\ndomain = "general\n': r"no TOML: .*line 2, column \d+",
    "forget_threshold 3": r"no TOML: .*line 1, column \d+",
    "x = 1\nx = 2": r"no TOML: .*line 2",
    b"# caf\xe9\n": "no UTF-8 .*line 1, column 6",
    "[" * 5_000: "no TOML",
    "# a\n\nforget_treshold = 3": r'no setting "forget_treshold" \(.*settings.toml:3\)',
    'match_effort = "fast"': r'no setting "match_effort" \(.*settings.toml:1\)',
    "forget_threshold = 0": r'"forget_threshold" cannot be "0" \(.*settings.toml:1\)',
    "forget_threshold = 0x" + "f" * 9_000: "cannot be a number of more than 64 bits",
    'domain = "work"': 'cannot be "work"',
    "forget_threshold = true": 'cannot be "true"',
    "[dream]\nlimit = 3": r"cannot be a table \(.*:1\)",
    "boot_files = ['a']": "cannot be a list",
    "domain = 2026-11-24": "cannot be a date or time",
    'domain = """\n# forgetting =\n"""\nforgetting = 3': r"settings.toml:1|settings.toml:4",
}


@pytest.mark.parametrize(("text", "said"), BROKEN.items())
def test_a_broken_file_is_refused_by_line_and_nothing_is_lost(
    text: str | bytes, said: str, file: Path, memory: Memory
) -> None:
    content = text if isinstance(text, bytes) else text.encode()
    memory.log("This was said before.")
    before = [turn.text for turn in memory.turns.list()]
    file.write_bytes(content)
    for attempt in (
        lambda: memory.settings["max_batch"],
        lambda: memory.recall("what was said?"),
        lambda: memory.settings.several("max_fact", "max_batch"),
    ):
        with pytest.raises(UsageError, match=said):
            attempt()
    bad = next(one for one in memory.doctor() if not one.ok)
    assert bad.check == "settings"
    assert str(file) in bad.detail
    assert file.read_bytes() == content
    file.unlink()
    assert [turn.text for turn in memory.turns.list()] == before


@pytest.mark.parametrize("kind", ["folder", "huge", "pipe"])
def test_what_is_no_file_is_not_read(kind: str, file: Path, memory: Memory) -> None:
    if kind == "folder":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.write_text("#" * 1_000_001)
    with pytest.raises(FileAccessError, match=r"where a file has to be|cannot be read"):
        memory.settings.get("domain")


# -- writing ------------------------------------------------------------------------------

OURS = """\
# What we agreed on.
domain = "companion"  # not work

  forget_threshold = 30 # days? no: misses
max_fact = 500"""


def test_what_is_written_leaves_comments_and_other_lines(file: Path, memory: Memory) -> None:
    file.write_text(OURS)
    found = memory.settings.set("forget_threshold", "31", home_wide=True)
    assert (found.value, found.source, found.where) == (31, "settings.toml", f"{file}:4")
    assert file.read_text() == OURS.replace("30", "31")
    memory.settings.unset("max_fact", home_wide=True)
    memory.settings.set("fallback_download", value=True, home_wide=True)
    assert file.read_text().startswith(OURS.replace("30", "31").removesuffix("max_fact = 500"))
    assert tomllib.loads(file.read_text()) == {
        "domain": "companion",
        "forget_threshold": 31,
        "fallback_download": True,
    }
    assert not memory.store.exists


def test_the_file_is_private_and_a_link_in_the_home_stays_a_link(
    file: Path, memory: Memory
) -> None:
    memory.settings.set("domain", "companion", home_wide=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = file.with_name("dotfiles.toml")
    file.rename(kept)
    file.symlink_to(kept)
    memory.settings.set("forgetting", "everywhere", home_wide=True)
    assert file.is_symlink()
    assert "everywhere" in kept.read_text()
    names = {path.name for path in file.parent.iterdir()}
    assert names == {"settings.toml", "settings.lock", "dotfiles.toml"}


def test_a_link_out_of_the_home_is_read_and_never_written(
    file: Path, memory: Memory, tmp_path: Path
) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text('domain = "companion"\n')
    file.parent.mkdir(exist_ok=True)
    file.symlink_to(kept)
    assert memory.settings["domain"] == "companion"
    with pytest.raises(FileAccessError, match="out of") as raised:
        memory.settings.set("forgetting", "everywhere", home_wide=True)
    assert raised.value.hint
    assert kept.read_text() == 'domain = "companion"\n'


def test_a_bad_line_can_be_set_right_or_removed(file: Path, memory: Memory) -> None:
    file.write_text("forget_treshold = 3\nforget_threshold = 0\n")
    memory.settings.set("forget_threshold", 4, home_wide=True)
    memory.settings.unset("forget_treshold", home_wide=True)
    assert file.read_text() == "forget_threshold = 4\n"
    assert memory.settings["forget_threshold"] == 4
    with pytest.raises(UsageError, match='no setting "forget_treshold"'):
        memory.settings.unset("forget_treshold", home_wide=True)


@each(
    ("key", "value", "before"),
    [("forget_treshold", 3, ""), ("forget_threshold", 0, ""), ("domain", "companion", "a = ")],
)
def test_what_is_refused_leaves_the_file_as_it_was(
    key: str, value: str | int, before: str, file: Path, memory: Memory
) -> None:
    file.write_text(before)
    with pytest.raises(UsageError):
        memory.settings.set(key, value, home_wide=True)
    assert file.read_text() == before


def test_a_secret_is_not_written(file: Path, memory: Memory) -> None:
    with pytest.raises(SecretRefusedError):
        memory.settings.set("exclude_rules", "password: hunter2-Xk49z", home_wide=True)
    assert not file.exists()


@given(st.text().filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)))
@example("\r\n")
@example("a\nb\r\nc")
@example("\n")
@example("\x1b")
@rules(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_reads_back_as_it_was_written(tmp_path: Path, text: str) -> None:
    write_home_setting(tmp_path, "domain", text)
    assert read_home_settings(tmp_path).values == {"domain": text}


WRITER = """
    import sys
    import memctl

    keys = [key for key in memctl.open("harbor", sys.argv[1]).settings if key.startswith("dream_")]
    with memctl.open("harbor", sys.argv[1]) as memory:
        for key in keys[int(sys.argv[2])::2]:
            memory.settings.set(key, memory.settings[key], home_wide=True)
    print(len(keys))
"""


def test_two_processes_lose_none_of_each_others_keys(home: Path, file: Path) -> None:
    both = [start_python(WRITER, home, half) for half in "01"]
    told = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert len(tomllib.loads(file.read_text())) == int(told[0][0])


def test_without_a_file_no_reader_of_toml_is_loaded(home: Path) -> None:
    script = """
        import sys
        import memctl

        with memctl.open("harbor", sys.argv[1]) as memory:
            memory.settings["domain"]
        print(sorted({"tomllib", "tomlkit"} & set(sys.modules)))
    """
    assert python(script, home) == "[]"
