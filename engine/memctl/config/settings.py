"""The settings that there are, and their values in force.

Flag > environment (``MEMCTL_<KEY>``, where it is not empty) > store > the home's
``settings.toml`` > default. Bad values are refused wherever they come from, unknown keys where
they are given. Flags and environment are read when a store is opened, store and home anew
whenever somebody has changed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from memctl.base.arguments import checked_class
from memctl.base.clock import now
from memctl.base.errors import UsageError
from memctl.base.near_words import meant
from memctl.base.packaged import table_in
from memctl.base.user_zone import unknown_zone
from memctl.config.dream_settings import wrong_score_set
from memctl.config.setting import (
    Setting,
    Value,
    lines_of_patterns,
    local_address,
    named_objects,
    never_stored,
    project_name,
    version_name,
    web_address,
)
from memctl.guard.door import guarded, settings_of_call
from memctl.store import statements
from memctl.store.home_settings import HomeSettings, write_home_setting
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.store.store import Store

SQL = statements.load("store/store")

Source = Literal["flag", "environment", "store", "settings.toml", "default"]

_ENCRYPTION = "let the folder of the home be encrypted: docs/encryption.md says how, and why"
# What a value must be beyond its type and bounds: anywhere, and in a store.
_CHECKS: Mapping[str, Callable[[str], str]] = {
    "dream_profile": wrong_score_set,
    "app_version": version_name,
    "timezone": unknown_zone,
    "project": project_name,
    "endpoint_url": web_address,
    "secret_patterns": lines_of_patterns,
    "export_profiles": named_objects,
}
_STORED_CHECKS: Mapping[str, Callable[[str], str]] = {
    "browser_path": never_stored,
    "endpoint_url": local_address,
    "endpoint_key_variable": never_stored,
    "boot_files": never_stored,
    "fallback_download": never_stored,
    "skill_commands": never_stored,
}


def _settings() -> Iterator[Setting]:
    """Read ``settings.txt``: key, default, bounds or choices, and meaning of each."""
    table = table_in(__package__, "settings.txt")
    for key, text in table["numbers"].items():
        default, bounds, meaning = text.split(" | ")
        low, high = map(_number, bounds.split(" to "))
        yield Setting(key, _number(default), meaning, low, high)
    for key, text in table["choices"].items():
        words, meaning = text.split(" | ")
        choices = tuple(words.split())
        yield Setting(key, choices[0], meaning, choices=choices)
    for key, text in table["yes or no"].items():
        default, meaning = text.split(" | ")
        yield Setting(key, default == "yes", meaning, check_stored=_STORED_CHECKS.get(key))
    for key, text in table["texts"].items():
        default, meaning = text.split("| ")
        yield Setting(
            key,
            default.strip(),
            meaning,
            check=_CHECKS.get(key),
            check_stored=_STORED_CHECKS.get(key),
        )


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


KNOWN: Mapping[str, Setting] = {setting.key: setting for setting in _settings()}
_IN_STORE = "in the store"
_VARIABLES = {key: f"MEMCTL_{key.upper()}" for key in KNOWN}


@dataclass(frozen=True, slots=True)
class SettingValue(Result):
    """A setting as it is in force, and where its value comes from."""

    key: str
    value: Value
    source: Source
    default: Value
    help: str
    where: str = ""  # the variable, the store's file, the line of the home's ``settings.toml``


@checked_class
class Settings:
    """The settings of one open store: ``settings["forget_threshold"]``; walked through by key.

    `flags` win over everything else, for as long as the store is open.
    """

    def __init__(self, store: Store, flags: Mapping[str, Value | None] | None = None) -> None:
        self._store = store
        self._flags = {key: _known(key).parse(value) for key, value in (flags or {}).items()}
        # The guard, which is below the settings, asks the store for the patterns in force.
        store.flags = {key: str(value) for key, value in self._flags.items()}
        # What was answered last, and by which reading of what the store holds.
        self._answered: dict[
            tuple[str, ...], tuple[Mapping[str, str] | None, HomeSettings, Mapping[str, Value]]
        ] = {}

    def __repr__(self) -> str:
        return f"<memctl settings of {self._store.address}, {len(self._flags)} given when opened>"

    def __len__(self) -> int:
        return len(KNOWN)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(KNOWN))

    def __contains__(self, key: object) -> bool:
        return key in KNOWN

    def __getitem__(self, key: str) -> Value:
        return self.get(key)

    def get(self, key: str) -> Value:
        """Return the value in force. Raises UsageError for an unknown key."""
        return self.describe(key).value

    def integer(self, key: str) -> int:
        """Return the value in force of a whole-number setting."""
        return int(self.get(key))

    def number(self, key: str) -> float:
        """Return the value in force of a number setting."""
        return float(self.get(key))

    def several(self, *keys: str) -> Mapping[str, Value]:
        """Return the values in force of `keys`, read at one moment: a call's at its beginning."""
        stored, home = settings_of_call(self._store)
        known = self._answered.get(keys)
        if known is None or known[0] is not stored or known[1] is not home:
            _refuse_bad(home)
            values = {key: self._in_force(_known(key), stored, home)[0] for key in keys}
            known = self._answered[keys] = stored, home, values
        return known[2]

    def describe(self, key: str) -> SettingValue:
        """Return the value in force and where it comes from."""
        self.check_home()
        return self._described(_known(key), *self._said())

    def list(self) -> list[SettingValue]:
        """Return every setting, in the order of their keys.

        Raises
        ------
        UsageError
            When a value in force is not allowed, or the store or its home says an unknown key.
        """
        self.check_home()
        said = self._said()
        for key in said[0]:
            _known(key, _IN_STORE, f"memctl config unset {key} removes it")
        return [self._described(setting, *said) for _, setting in sorted(KNOWN.items())]

    def check_home(self) -> None:
        """Read the home's ``settings.toml``.

        Raises UsageError or FileAccessError when it cannot be read, or has an unknown key or a bad
        value.
        """
        _refuse_bad(self._store.home_settings())

    @guarded("setting")
    def set(self, key: str, value: Value | None, *, home_wide: bool = False) -> SettingValue:
        """Keep `value`, or the text of one, in the store.

        Parameters
        ----------
        key, value
            The setting; of which type the value is, the setting says.
        home_wide
            Write it into the home's ``settings.toml`` instead, for all stores that say nothing
            of it; comments and other lines stay.

        Returns
        -------
        SettingValue
            What is in force now: a flag, a variable or the store may win over what was written.

        Raises
        ------
        UsageError
            When the key is unknown, the value is not allowed, the store is in no home, or its
            ``settings.toml`` is broken; nothing is written.
        WrongTypeError
            When it is neither text, a number nor True or False.
        """
        setting = _known(key)
        parsed = setting.parse(value, stored=not home_wide)
        if home_wide:
            write_home_setting(self._home(), key, parsed)
            return self._described(setting, *self._said())
        with self._store.transaction():
            self._store.execute(
                SQL.set_setting, {"key": key, "value": str(parsed), "changed_at": now()}
            )
            self._store.forget_settings()
        return self.describe(key)

    @guarded("setting")
    def unset(self, key: str, *, home_wide: bool = False) -> SettingValue:
        """Remove the store's value of `key`, so that the home's value or the default is in force.

        Parameters
        ----------
        key
            The setting, or any other key that stands there: a misspelt one, an earlier memctl's.
        home_wide
            Remove it from the home's ``settings.toml`` instead.
        """
        stored, home = self._said()
        stands = key in (home.values if home_wide else stored)
        unknown = key not in KNOWN and stands
        setting = Setting(key, "", "There is no such setting.") if unknown else _known(key)
        if home_wide:
            write_home_setting(self._home(), key, None)
        elif self._store.exists:
            with self._store.transaction():
                self._store.execute(SQL.unset_setting, {"key": key})
                self._store.forget_settings()
        return self._described(setting, *self._said())

    def _home(self) -> Path:
        if self._store.home is None:
            raise UsageError(
                f'"{self._store.path}" is in no home', hint="set it without home_wide, in the store"
            )
        return self._store.home

    def _said(self) -> tuple[Mapping[str, str], HomeSettings]:
        return self._store.stored_settings(), self._store.home_settings()

    def _described(
        self, setting: Setting, stored: Mapping[str, str], home: HomeSettings
    ) -> SettingValue:
        value, source = self._in_force(setting, stored, home)
        where = ""
        if source == "environment":
            where = _VARIABLES[setting.key]
        elif source == "store":
            where = str(self._store.path)
        elif source == "settings.toml":
            where = home.place(setting.key)
        return SettingValue(setting.key, value, source, setting.default, setting.help, where)

    def _in_force(
        self, setting: Setting, stored: Mapping[str, str], home: HomeSettings
    ) -> tuple[Value, Source]:
        if setting.key in self._flags:
            return self._flags[setting.key], "flag"
        variable = _VARIABLES.get(setting.key, "")
        if given := self._store.environment.get(variable):
            return _parsed(setting, given, variable), "environment"
        if setting.key in stored:
            return _parsed(setting, stored[setting.key], _IN_STORE), "store"
        if setting.key in home.values:
            return _of_home(home, setting.key), "settings.toml"
        return setting.default, "default"


@lru_cache(maxsize=8)
def _refuse_bad(home: HomeSettings) -> None:
    """Refuse a misspelt key or a bad value of a ``settings.toml``, whatever is asked for."""
    for key in home.values:
        _of_home(home, key)


def _of_home(home: HomeSettings, key: str) -> Value:
    setting = _known(key, home.place(key), f"memctl config unset {key} --home-wide removes it")
    try:
        return setting.parse(home.values[key])
    except UsageError as error:
        raise UsageError(f"{error.message} ({home.place(key)})", hint=error.hint) from None


def _parsed(setting: Setting, text: str, where: str) -> Value:
    try:
        return setting.parse(text, stored=where == _IN_STORE)
    except UsageError as error:
        raise UsageError(f"{error.message} ({where})", hint=error.hint) from None


def _known(key: str, where: str = "", hint: str = "memctl config list shows all") -> Setting:
    """Return a setting by its key; `where` is its place, `hint` that of no near key."""
    if key in KNOWN:
        return KNOWN[key]
    place = f" ({where})" if where else ""
    if key.casefold().startswith("encrypt"):
        raise UsageError(f"memctl encrypts no file itself{place}", hint=_ENCRYPTION)
    raise UsageError(f'there is no setting "{key}"{place}', hint=meant(key, KNOWN, hint))
