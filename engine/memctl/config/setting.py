"""One setting: its purpose, and the values that it may have."""

from __future__ import annotations

import json
import re
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.arguments import without_surrogates
from memctl.base.errors import UsageError, WrongTypeError
from memctl.base.near_words import meant
from memctl.base.pattern import Pattern
from memctl.guard.door import own_rules

if TYPE_CHECKING:
    from collections.abc import Callable

Value = bool | int | float | str

_ADDRESS = Pattern(r"https?://(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?(?:/[^\s?#@]*)?", re.ASCII)
_LONGEST_PROJECT = 120
_VERSION = Pattern(r"[\w .+-]{0,60}", re.ASCII)


class Setting(NamedTuple):
    """One setting; ``settings.txt`` has them all."""

    key: str  # the environment variable is ``MEMCTL_`` and the key in capitals
    default: Value  # its type is the setting's type
    help: str  # one line for people, with the unit
    low: float | None = None  # bounds of a number, both allowed
    high: float | None = None
    choices: tuple[str, ...] = ()  # of a text; empty for any
    check: Callable[[str], str] | None = None  # returns the error in a text, empty for none
    # The same of a value in a store: a file that somebody gave decides less than its user.
    check_stored: Callable[[str], str] | None = None

    def parse(self, given: Value | None, *, stored: bool = False) -> Value:
        """Return a value, or the text of one, as this setting's type; `stored` for one of a store.

        ``False`` and ``None`` mean the choice "none" or "off", where there is one.

        Raises
        ------
        UsageError
            When it is no value of this type, out of range or none of the choices.
        WrongTypeError
            When it is neither text, a number nor True or False.
        """
        text = self._text(given)
        value = self._typed(text.strip())
        if self.choices and value not in self.choices:
            raise self._error(text, f"one of {', '.join(self.choices)}", meant(text, self.choices))
        if isinstance(value, (int, float)) and not self._in_range(value):
            raise self._error(text, self._range(), self._nearest(text))
        checks = (self.check, self.check_stored if stored else None)
        for wrong in (check(str(value)) for check in checks if check):
            if wrong:
                raise self._error(text, wrong)
        return value

    def _text(self, given: object) -> str:
        if isinstance(given, str):
            return without_surrogates(given)
        none = next((word for word in self.choices if word in {"none", "off"}), None)
        if none is not None and (given is None or given is False):
            return none
        if not isinstance(given, Real):  # True and False are numbers to Python
            raise WrongTypeError(
                f'setting "{self.key}" takes no "{type(given).__name__}"',
                hint=f"give it a value like {self.default!r}",
            )
        return spelt(given)

    def _typed(self, text: str) -> Value:
        if isinstance(self.default, bool):
            words = {"1": True, "true": True, "yes": True, "on": True}
            words |= {"0": False, "false": False, "no": False, "off": False}
            if text.lower() not in words:
                raise self._error(text, "true or false", meant(text, words))
            return words[text.lower()]
        try:
            return type(self.default)(text)
        except ValueError:
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            raise self._error(text, f"{kind}, {self._range()}", self._nearest(text)) from None

    def _in_range(self, value: float) -> bool:
        # "nan" compares false with every bound, so it is in no range.
        above = self.low is None or value >= self.low
        below = self.high is None or value <= self.high
        return above and below and value == value  # noqa: PLR0124  (refuses nan)

    def _range(self) -> str:
        return f"{_plain(self.low or 0)} to {_plain(self.high or 0)}"

    def _nearest(self, text: str) -> str:
        """Return the allowed number that is nearest to another; empty where it is no number."""
        try:
            value = float(text)
        except ValueError:
            return ""
        if value != value or self.low is None or self.high is None:  # noqa: PLR0124  (nan)
            return ""
        value = min(max(value, self.low), self.high)
        return f"the nearest is {_plain(round(value) if isinstance(self.default, int) else value)}"

    def _error(self, text: str, allowed: str, nearest: str = "") -> UsageError:
        hint = f"it takes {allowed}{nearest and f'; {nearest}'}"
        return UsageError(f'setting "{self.key}" cannot be "{text}"', hint=hint)


def spelt(value: object) -> str:
    """Return a value as it is written in a command or a file: ``true`` for Python's True."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(number: float) -> str:
    return f"{number:.15g}"


def lines_of_patterns(text: str) -> str:
    """Return the error in a list of regular expressions, one a line; empty for none."""
    try:
        own_rules(text)
    except UsageError as error:
        return f"safe regular expressions, one a line: {error.message}"
    return ""


def version_name(text: str) -> str:
    """Return the error in the name of a version; empty for none, and for no name."""
    return "" if _VERSION.fullmatch(text) else "up to 60 letters, digits, blanks and . _ + -"


def project_name(text: str) -> str:
    """Return the error in the name of a project; empty for none."""
    fits = 0 < len(text) <= _LONGEST_PROJECT and text.isprintable()
    return "" if fits else f"auto, none, or a name of up to {_LONGEST_PROJECT} characters"


def named_objects(text: str) -> str:
    """Return the error in a JSON object of objects; empty for none, and for no text."""
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError) as error:
        return f"JSON: {error}"
    fits = isinstance(found, dict) and all(isinstance(one, dict) for one in found.values())
    return "" if fits else 'an object of objects: {"work": {"tiers": ["facts"]}}'


def web_address(text: str) -> str:
    """Return the error in the address of a server; empty for none, and for no address."""
    found = not text or _ADDRESS.fullmatch(text)
    return "" if found else "http:// or https://, a host, a path; neither a name nor a password"


def local_address(text: str) -> str:
    """Return the error in an address that a store names; empty for a server on this machine."""
    local = "a server on this machine in a store; MEMCTL_ENDPOINT_URL names another"
    return "" if not text or is_local(text) else local


def never_stored(_: str) -> str:
    """Return the error of a setting that is not allowed in a store."""
    return "no value in a store: a flag, the environment or the home's settings.toml says it"


def is_local(url: str) -> bool:
    """Return whether an address names this machine: ``localhost``, 127.0.0.1, ::1."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
