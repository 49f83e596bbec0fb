"""Which value is in force, where it comes from, and what is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memctl
from memctl.base.errors import ReadOnlyError, UsageError, WrongTypeError
from memctl.config.settings import KNOWN
from tests.each import each

if TYPE_CHECKING:
    from memctl.config.setting import Setting, Value
    from memctl.memory import Memory


def in_force(memory: Memory, key: str = "forget_threshold") -> tuple[object, str]:
    found = memory.settings.describe(key)
    return found.value, found.source


def test_without_any_word_the_default_holds_and_no_store_is_made(memory: Memory) -> None:
    assert in_force(memory) == (15, "default")
    assert not memory.store.exists


def test_unset_before_the_first_write_makes_no_store(memory: Memory) -> None:
    memory.settings.unset("forgetting")
    assert not memory.store.exists


def test_an_unknown_key_is_refused_everywhere_with_the_near_one(memory: Memory, home: Path) -> None:
    for attempt in (
        lambda: memory.settings.get("forgeting"),
        lambda: memory.settings.set("forgeting", "1"),
        lambda: memory.settings.unset("forgeting"),
        lambda: memctl.open("harbor", home, settings={"forgeting": "1"}),
    ):
        with pytest.raises(UsageError, match='no setting "forgeting"') as raised:
            attempt()
        assert "forgetting" in raised.value.hint
    assert not memory.store.exists


@pytest.mark.parametrize("home_wide", [True, False])
def test_asking_for_encryption_says_that_there_is_none_and_where_it_is_had(
    home_wide: bool, memory: Memory, home: Path
) -> None:
    with pytest.raises(UsageError, match="encrypts no file itself") as raised:
        memory.settings.set("encryption", "keyring", home_wide=home_wide)
    assert raised.value.exit_code == 2
    page = raised.value.hint.partition("docs/")[2].partition(" ")[0]
    assert (Path(__file__).parents[2] / "docs" / page).is_file()
    assert not [*home.rglob("*.db"), *home.rglob("settings.toml")]


@pytest.mark.parametrize(
    ("key", "given_value", "kept"),
    [
        ("forget_threshold", 20, 20),
        ("forget_threshold", "20", 20),
        ("primary_coverage", 1, 1.0),
        ("primary_coverage", 0.25, 0.25),
        ("dream_auto", True, True),
        ("dream_auto", " ON ", True),
        ("dream_auto", "Yes", True),
        ("dream_auto", False, False),
        ("fallback", False, "none"),
        ("fallback", None, "none"),
        ("recall_strategy", False, "off"),
        ("domain", "companion", "companion"),
        ("app_version", 4.2, "4.2"),
    ],
)
def test_a_setting_takes_values_of_python(
    key: str, given_value: Any, kept: Value, memory: Memory, home: Path
) -> None:
    assert memory.settings.set(key, given_value).value == kept
    assert type(memory.settings[key]) is type(kept)
    with memctl.open("other", home, settings={key: given_value}) as other:
        assert in_force(other, key) == (kept, "flag")


@each(
    ("key", "wrong"),
    [("forget_threshold", True), ("forget_threshold", 2.5), ("dream_auto", 2), ("fallback", True)],
)
def test_a_value_that_means_nothing_to_a_setting_is_refused(
    key: str, wrong: Value, memory: Memory
) -> None:
    with pytest.raises(UsageError, match=f'setting "{key}" cannot be'):
        memory.settings.set(key, wrong)


@each("wrong", [[1], {"a": 1}, b"20", None, object()])
def test_a_value_of_no_plain_type_is_a_type_error(wrong: Value, memory: Memory) -> None:
    with pytest.raises(WrongTypeError, match='setting "forget_threshold" takes no'):
        memory.settings.set("forget_threshold", wrong)
    assert not memory.store.exists


def test_settings_are_walked_through_counted_and_asked_by_key(memory: Memory) -> None:
    settings = memory.settings
    assert list(settings) == sorted(KNOWN)
    assert len(settings) == len(KNOWN)
    assert "fallback" in settings
    assert "nothing" not in settings
    assert {key: settings[key] for key in settings} == {k: s.default for k, s in KNOWN.items()}
    with pytest.raises(UsageError, match='no setting "nothing"'):
        settings["nothing"]
    assert repr(settings) == "<memctl settings of harbor, 0 given when opened>"


@each(
    ("key", "bad", "hint"),
    [
        ("forgetting", "", "it takes one of expected, everywhere"),
        ("forgetting", "sometimes", "it takes one of expected, everywhere"),
        (
            "forgetting",
            "Expected",
            'it takes one of expected, everywhere; did you mean "expected"?',
        ),
        (
            "fallback",
            "stores",
            'it takes one of none, store, model, endpoint; did you mean "store"?',
        ),
        ("dream_auto", "ture", 'it takes true or false; did you mean "true"?'),
        ("forget_threshold", "20000", "it takes 1 to 10000; the nearest is 10000"),
        ("forget_threshold", "2.8", "it takes a whole number, 1 to 10000; the nearest is 3"),
        ("forget_threshold", "many", "it takes a whole number, 1 to 10000"),
        ("primary_coverage", "-0.5", "it takes 0 to 1; the nearest is 0"),
        ("primary_coverage", "nan", "it takes 0 to 1"),
        ("primary_coverage", "1e999", "it takes 0 to 1"),
        ("forget_threshold", "9" * 5000, "it takes a whole number, 1 to 10000"),
        ("forget_treshold", "3", 'did you mean "forget_threshold"?'),
        ("colour", "red", "memctl config list shows all"),
    ],
)
def test_what_is_refused_is_told_with_what_is_allowed_and_the_nearest_of_it(
    key: str, bad: str, hint: str, memory: Memory
) -> None:
    with pytest.raises(UsageError) as raised:
        memory.settings.set(key, bad)
    assert not memory.store.exists
    assert raised.value.hint.removesuffix("?").startswith(hint.removesuffix("?"))


def test_a_bad_variable_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_FORGET_THRESHOLD", "soon")
    with (
        memctl.open("harbor", home) as memory,
        pytest.raises(UsageError, match="MEMCTL_FORGET_THRESHOLD"),
    ):
        memory.settings.get("forget_threshold")


def test_a_bad_value_typed_into_the_store_is_named_and_can_be_set_right(memory: Memory) -> None:
    memory.settings.set("forget_threshold", "20")
    with closing(sqlite3.connect(memory.store.path)) as by_hand, by_hand:
        by_hand.execute("update setting set value = 'soon'")
    with pytest.raises(UsageError, match="in the store"):
        memory.settings.get("forget_threshold")
    assert memory.settings.set("forget_threshold", "21").value == 21


def test_a_setting_of_an_earlier_memctl_is_named_and_can_be_removed(memory: Memory) -> None:
    memory.settings.set("forget_threshold", "20")
    with closing(sqlite3.connect(memory.store.path)) as by_hand, by_hand:
        by_hand.execute("update setting set key = 'match_effort', value = 'fast'")
    assert memory.settings["forget_threshold"] == 15
    with pytest.raises(UsageError, match=r'no setting "match_effort" \(in the store\)') as raised:
        memory.settings.list()
    assert raised.value.hint == "memctl config unset match_effort removes it"
    memory.settings.unset("match_effort")
    assert memory.settings.list()


def test_a_read_only_memory_reads_settings_and_cannot_change_them(
    memory: Memory, home: Path
) -> None:
    memory.settings.set("forget_threshold", "20")
    with memctl.open("harbor", home, readonly=True) as reader:
        assert in_force(reader) == (20, "store")
        with pytest.raises(ReadOnlyError):
            reader.settings.set("forget_threshold", "30")
        with pytest.raises(ReadOnlyError):
            reader.settings.unset("forget_threshold")
    assert in_force(memory) == (20, "store")


def test_a_default_is_one_of_the_values_that_are_allowed() -> None:
    for setting in KNOWN.values():
        assert setting.parse(str(setting.default)) == setting.parse(setting.default)
        assert setting.parse(setting.default) == setting.default


BOUNDED = [one for one in KNOWN.values() if one.low is not None and one.high is not None]


def test_every_number_has_bounds() -> None:
    numbers = [one for one in KNOWN.values() if type(one.default) in {int, float}]
    assert numbers == BOUNDED


@given(st.sampled_from(BOUNDED))
def test_the_bounds_are_allowed_and_what_lies_beyond_is_not(setting: Setting) -> None:
    assert setting.low is not None
    assert setting.high is not None
    for bound, step in ((setting.low, -1), (setting.high, 1)):
        assert setting.parse(f"{bound}") == bound
        with pytest.raises(UsageError):
            setting.parse(f"{bound + step}")


def test_settings_are_listed_in_order_with_help(memory: Memory) -> None:
    listed = memory.settings.list()
    assert [one.key for one in listed] == sorted(KNOWN)
    assert all(one.help.endswith(".") for one in listed)
    assert all(one.default == KNOWN[one.key].default for one in listed)


def test_a_setting_of_the_environment_is_named_after_its_key(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {key: one.choices[-1] if one.choices else one.default for key, one in KNOWN.items()}
    for key, value in values.items():
        monkeypatch.setenv(f"MEMCTL_{key.upper()}", str(value))
    with memctl.open("harbor", home) as memory:
        found = {one.key: (one.value, one.source) for one in memory.settings.list()}
    assert found == {
        key: (value, "environment" if str(value) else "default") for key, value in values.items()
    }


@given(st.sampled_from(sorted(KNOWN)), st.text())
def test_any_text_is_a_value_or_a_usage_error_and_a_value_reads_back(key: str, text: str) -> None:
    try:
        value = KNOWN[key].parse(text)
    except UsageError:
        return
    assert type(value) is type(KNOWN[key].default)
    assert KNOWN[key].parse(str(value)) == value


@each(
    ("key", "value"),
    [("fallback_download", True), ("skill_commands", True), ("boot_files", "a.md")],
)
def test_a_store_that_somebody_gave_switches_nothing_on_beyond_itself(
    key: str, value: Value, memory: Memory, home: Path
) -> None:
    with pytest.raises(UsageError, match=f'"{key}" cannot be'):
        memory.settings.set(key, value)
    with memory.store.transaction():
        row = (key, str(value), "2026-01-01T00:00:00Z")
        memory.store.connection().execute("insert into setting values (?, ?, ?)", row)
    with memctl.open("harbor", home) as given, pytest.raises(UsageError, match="in the store"):
        given.settings.get(key)
    with memctl.open("harbor", home, settings={key: value}) as asked:
        assert asked.settings[key] == value
