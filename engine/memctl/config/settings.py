"""The settings that there are, and their values in force.

Flag > environment (``MEMCTL_<KEY>``, where it is not empty) > store > the home's
``settings.toml`` > default. Bad values are refused wherever they come from, unknown keys where
they are given. Flags and environment are read when a store is opened, store and home anew
whenever somebody has changed them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from memctl.base.arguments import checked_class
from memctl.base.clock import now
from memctl.base.errors import UsageError
from memctl.base.near_words import meant
from memctl.base.user_zone import unknown_zone
from memctl.config.dream_settings import DREAM_SETTINGS
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.store.store import Store

SQL = statements.load("store/store")

Source = Literal["flag", "environment", "store", "settings.toml", "default"]


_ALL = (
    Setting(
        "forget_threshold",
        15,
        "Consecutive misses, in learns and matches, after which a component is forgotten.",
        1,
        10_000,
    ),
    Setting(
        "forgetting",
        "expected",
        "Count a miss where the component was expected, or on every screen of the app.",
        choices=("expected", "everywhere"),
    ),
    Setting("state_match", 0.66, "Same state above this similarity of the words.", 0, 1),
    Setting("state_merge", 0.85, "Merge states above this similarity.", 0, 1),
    Setting(
        "keep_screenshots",
        0,
        "How many full screenshots to keep per store, the newest; 0 keeps none.",
        0,
        100_000,
    ),
    Setting(
        "max_pixels",
        40_000_000,
        "Pixels beyond which an image is refused before it is decoded.",
        1,
        1_000_000_000,
    ),
    Setting(
        "app_version",
        "",
        "Version of the app on the screenshots, kept with each look; reports compare versions.",
        check=version_name,
    ),
    Setting("max_boxes", 10_000, "Boxes beyond which a boxes file is refused.", 1, 1_000_000),
    Setting(
        "timezone",
        "",
        "Zone whose days are yours, such as Asia/Tokyo; empty: this machine's, and where that is UTC "
        "the offset that a time is told in.",
        check=unknown_zone,
    ),
    Setting(
        "browser_path",
        "",
        "Program of the browser that opens URLs; empty: an installed Chromium, Chrome or Edge. "
        "A flag, the environment or settings.toml may say it, a store may not.",
        check_stored=never_stored,
    ),
    # Episodic memory.
    Setting(
        "fallback",
        "none",
        "Vectors to ask when too few rows hold the words: none, the store's own text, a model, "
        "the endpoint's.",
        choices=("none", "store", "model", "endpoint"),
    ),
    Setting(
        "fallback_blend",
        "fused",
        "How a model's vectors count: fused into each score, or behind the rows of words.",
        choices=("fused", "primary_first"),
    ),
    Setting(
        "fallback_model",
        "",
        "Folder or name of a sentence-transformers model, for fallback = model.",
    ),
    Setting(
        "fallback_download",
        default=False,
        help="Whether a model that is named and not on this machine may be downloaded.",
    ),
    Setting(
        "min_primary_results",
        2,
        "Rows that must cover the question; with fewer the fallback is asked.",
        1,
        100,
    ),
    Setting(
        "primary_coverage",
        0.2,
        "Share of the question's weight (idf) that a row must hold to cover it.",
        0,
        1,
    ),
    Setting(
        "project",
        "auto",
        "Project of what hooks and MCP keep: auto, the repository or folder that the agent works "
        "in; none, one memory for all; or a name.",
        check=project_name,
    ),
    Setting(
        "session_silence_hours",
        12,
        "Hours of silence after which the next session closes one that was cut off.",
        1,
        8_760,
    ),
    Setting("context_max_tokens", 800, "Tokens of the context of a prompt.", 0, 100_000),
    Setting("context_rows", 5, "Rows of memory that a prompt is told at most.", 0, 100),
    Setting(
        "context_min_worth",
        0.1,
        "Chance that a row answers, below which a prompt is not told it.",
        0,
        1,
    ),
    Setting("log_archive_days", 90, "Days after which a turn is archived.", 1, 100_000),
    Setting("max_batch", 1_000, "Facts beyond which one call is refused.", 1, 100_000),
    Setting("max_fact", 4_000, "Characters beyond which a fact is refused.", 50, 1_000_000),
    Setting("recall_limit", 5, "Most rows of a recall without a limit.", 1, 1_000),
    Setting(
        "recall_min_worth",
        0.3,
        "Chance that a row answers, below which recall leaves it out.",
        0,
        1,
    ),
    Setting(
        "recall_strategy",
        "smart",
        "Answer prompts from memory: smart, as a prompt asks; always, as if each asked; manual, on "
        "request; off.",
        choices=("smart", "always", "manual", "off"),
    ),
    # A language model on a server.
    Setting(
        "endpoint_url",
        "",
        "Address of an OpenAI-compatible server, http://localhost:11434/v1; empty: none is asked. "
        "A store may name one on this machine only, a flag or the environment any.",
        check=web_address,
        check_stored=local_address,
    ),
    Setting("endpoint_model", "", "Name of the endpoint's model."),
    Setting("endpoint_fallback_model", "", "Name of the model to ask where the first one fails."),
    Setting(
        "endpoint_embedding_model",
        "",
        "Name of the endpoint's model of vectors, for fallback = endpoint.",
    ),
    Setting(
        "endpoint_timeout_seconds",
        15.0,
        "Seconds after which an answer of the endpoint is no longer waited for.",
        0.25,
        120,
    ),
    Setting(
        "endpoint_key_variable",
        "MEMCTL_ENDPOINT_KEY",
        "Name of the environment variable that holds the endpoint's key. "
        "A flag, the environment or settings.toml may say it, a store may not.",
        check_stored=never_stored,
    ),
    Setting(
        "active_mode",
        "escalate",
        "Let Active Memory ask the endpoint where recall is unsure, always, or never.",
        choices=("escalate", "always", "off"),
    ),
    Setting(
        "active_in_hooks",
        "off",
        "Answer a host's prompt with the line of Active Memory instead of the context: off, or "
        "what it looks at.",
        choices=("off", "message", "recent", "full"),
    ),
    Setting("importance_threshold", 0.0, "Importance below which a fact is not kept.", 0, 1),
    Setting(
        "domain",
        "general",
        "What the facts are about: work in general, or the life of a person accompanied.",
        choices=("general", "companion"),
    ),
    Setting(
        "boot_files",
        "",
        "Files of instructions, one a line: what they say already is no news of a person's.",
        check_stored=never_stored,
    ),
    Setting("include_rules", "", "Phrases, split by ';': a text with one is always worth keeping."),
    Setting("exclude_rules", "", "Phrases, split by ';': a text with one is never kept."),
    Setting(
        "secret_patterns",
        "",
        "Regular expressions, one a line: what they find is refused as a secret.",
        check=lines_of_patterns,
    ),
    *DREAM_SETTINGS,
    Setting(
        "export_profiles",
        "",
        "Named selections of an export, as JSON: tiers, since, until, tags, states of each.",
        check=named_objects,
    ),
    Setting(
        "skill_min_repeats",
        7,
        "Sequences that hold what was done, from which on it may be a skill; chance is tested, too.",
        3,
        1_000,
    ),
    Setting(
        "skill_min_irreversible",
        0.2,
        "Lower bound of the chance below which a skill's act that cannot be undone is not done.",
        0,
        1,
    ),
    Setting("skill_commands", default=False, help="Let a skill's checks run a command of yours."),
    Setting(
        "lift_decider_seconds",
        0.0,
        "Seconds that a decider takes for an act that it finds anew; the report lift counts them.",
        0,
        3_600,
    ),
)
KNOWN: Mapping[str, Setting] = {setting.key: setting for setting in _ALL}
_IN_STORE = "in the store"
_VARIABLES = {key: f"MEMCTL_{key.upper()}" for key in KNOWN}


@dataclass(frozen=True, slots=True)
class SettingValue:
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
    raise UsageError(f'there is no setting "{key}"{place}', hint=meant(key, KNOWN, hint))
