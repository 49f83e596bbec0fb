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
    from pathlib import Path

    from memctl.store.store import Store

SQL = statements.load("store/store")

Source = Literal["flag", "environment", "store", "settings.toml", "default"]


_NOT_STORED = "A flag, the environment or settings.toml may set it, a store may not."
_PROFILE = (
    "Numbers of the score and its gates: memctl, openclaw or never-forget, then those that differ"
    ' ("openclaw min_score=.8"; docs/dreaming.md lists them).'
)
_ZONE = (
    "Zone whose days are yours, such as Asia/Tokyo; empty: this machine's, and where that is UTC "
    "the offset that comes with a time."
)
_PROJECT = (
    "Project of what hooks and MCP keep: auto, the repository or folder that the agent works in; "
    "none, one memory for all; or a name."
)
_BROWSER = (
    "Program of the browser that opens URLs; empty: an installed Chromium, Chrome or Edge. "
    f"{_NOT_STORED}"
)
_URL = (
    "Address of an OpenAI-compatible server, http://localhost:11434/v1; empty: none is asked. "
    "A store may name one on this machine only, a flag or the environment any."
)
_KEY = f"Name of the environment variable that holds the endpoint's key. {_NOT_STORED}"
_ENCRYPTION = "let the folder of the home be encrypted: docs/encryption.md says how, and why"
_DOWNLOAD = f"Whether a named model that is not on this machine may be downloaded. {_NOT_STORED}"
_COMMANDS = f"Let a skill's checks run a command of yours. {_NOT_STORED}"
_BOOT = "Files of instructions, one a line: their statements are no news of a person's."
_PATTERNS = "Regular expressions, one a line: a text that matches is refused as a secret."
_PROFILES = "Named selections of an export, as JSON: tiers, since, until, tags, states of each."
# Key, default, bounds and meaning.
_NUMBERS: tuple[tuple[str, float, float, float, str], ...] = (
    ("forget_threshold", 15, 1, 10_000, "Misses in a row after which a component is forgotten."),
    ("state_match", 0.66, 0, 1, "Same state above this similarity of the words."),
    ("state_merge", 0.85, 0, 1, "Merge states above this similarity."),
    (
        "keep_screenshots",
        0,
        0,
        100_000,
        "Full screenshots to keep per store, the newest; 0 keeps none.",
    ),
    ("max_pixels", 40_000_000, 1, 1_000_000_000, "Pixels beyond which an image is not decoded."),
    ("max_boxes", 10_000, 1, 1_000_000, "Boxes beyond which a boxes file is refused."),
    ("recall_limit", 5, 1, 1_000, "Most rows of a recall without a limit."),
    ("recall_min_worth", 0.3, 0, 1, "Chance to answer, below which recall leaves a row out."),
    (
        "min_primary_results",
        2,
        1,
        100,
        "Rows to cover the question; with fewer the fallback is asked.",
    ),
    (
        "primary_coverage",
        0.2,
        0,
        1,
        "Share of the question's weight (idf) with which a row covers it.",
    ),
    ("context_max_tokens", 800, 0, 100_000, "Tokens of the context of a prompt."),
    ("context_rows", 5, 0, 100, "Rows of memory that a prompt is given at most."),
    ("context_min_worth", 0.1, 0, 1, "Chance to answer, below which a prompt is not given a row."),
    (
        "session_silence_hours",
        12,
        1,
        8_760,
        "Hours of silence after which the next start ends a session.",
    ),
    ("log_archive_days", 90, 1, 100_000, "Days after which a turn is archived."),
    ("max_batch", 1_000, 1, 100_000, "Facts beyond which one call is refused."),
    ("max_fact", 4_000, 50, 1_000_000, "Characters beyond which a fact is refused."),
    ("importance_threshold", 0.0, 0, 1, "Importance below which a fact is not kept."),
    ("endpoint_timeout_seconds", 15.0, 0.25, 120, "Seconds to wait for an answer of the endpoint."),
    (
        "skill_min_repeats",
        7,
        3,
        1_000,
        "Sequences of equal acts that may be a skill; chance is tested, too.",
    ),
    (
        "skill_min_irreversible",
        0.2,
        0,
        1,
        "Least chance (lower bound) at which a skill does what cannot be undone.",
    ),
    (
        "lift_decider_seconds",
        0.0,
        0,
        3_600,
        "Seconds to decide on an act anew, for the report lift.",
    ),
    ("dream_due_hours", 24, 0, 10_000, "Hours after a dream until the next one is due."),
    ("dream_due_turns", 20, 1, 1_000_000, "Unread turns, for a dream to be due."),
    (
        "dream_due_sessions",
        0,
        0,
        1_000_000,
        "Sessions with unread turns, for a dream to be due; 0: any.",
    ),
    ("dream_due_memories", 0, 0, 1_000_000, "Facts in force, for a dream to be due; 0: any."),
)
# Key, words, the default first, and meaning.
_CHOICES = (
    (
        "forgetting",
        "expected everywhere",
        "Count a miss where the component was expected, or on every screen of the app.",
    ),
    (
        "fallback",
        "none store model endpoint",
        "Vectors to ask where few rows have the words: none, the store's, a model's, the endpoint's.",
    ),
    (
        "fallback_blend",
        "fused primary_first",
        "How a model's vectors count: fused into each score, or behind the rows of words.",
    ),
    (
        "recall_strategy",
        "smart always manual off",
        "Answer prompts from memory: as a prompt asks, always, on request alone (manual), or not.",
    ),
    (
        "active_mode",
        "escalate always off",
        "Let Active Memory ask the endpoint where recall is unsure, always, or never.",
    ),
    (
        "active_in_hooks",
        "off message recent full",
        "Give prompts the line of Active Memory instead of the context: off, or what it looks at.",
    ),
    (
        "domain",
        "general companion",
        "What the facts are about: work in general, or the life of a person accompanied.",
    ),
)
_ALL = (
    *(Setting(key, default, text, low, high) for key, default, low, high, text in _NUMBERS),
    *(
        Setting(key, words.split()[0], text, choices=tuple(words.split()))
        for key, words, text in _CHOICES
    ),
    Setting("fallback_download", default=False, help=_DOWNLOAD, check_stored=never_stored),
    Setting(
        "fallback_model",
        "",
        "Folder or name of a sentence-transformers model, for fallback = model.",
    ),
    Setting(
        "dream_auto",
        default=True,
        help="Dream in the background when a hook starts a session and one is due.",
    ),
    Setting("dream_profile", "memctl", _PROFILE, check=wrong_score_set),
    Setting("skill_commands", default=False, help=_COMMANDS, check_stored=never_stored),
    Setting(
        "app_version", "", "Version of the app on screenshots, for reports.", check=version_name
    ),
    Setting("timezone", "", _ZONE, check=unknown_zone),
    Setting("project", "auto", _PROJECT, check=project_name),
    Setting("browser_path", "", _BROWSER, check_stored=never_stored),
    Setting("endpoint_url", "", _URL, check=web_address, check_stored=local_address),
    Setting("endpoint_key_variable", "MEMCTL_ENDPOINT_KEY", _KEY, check_stored=never_stored),
    Setting("endpoint_model", "", "Name of the endpoint's model."),
    Setting("endpoint_fallback_model", "", "Name of the model to ask where the first one fails."),
    Setting(
        "endpoint_embedding_model",
        "",
        "Name of the endpoint's model of vectors, for fallback = endpoint.",
    ),
    Setting("boot_files", "", _BOOT, check_stored=never_stored),
    Setting("include_rules", "", "Phrases, split by ';': a text with one is always worth keeping."),
    Setting("exclude_rules", "", "Phrases, split by ';': a text with one is never kept."),
    Setting("secret_patterns", "", _PATTERNS, check=lines_of_patterns),
    Setting("export_profiles", "", _PROFILES, check=named_objects),
)
KNOWN: Mapping[str, Setting] = {setting.key: setting for setting in _ALL}
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
