"""Rules of a store's own: a name and a pattern, checked before they are ever run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern
from memctl.guard.decoding import SecretSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

_NAME = Pattern(r"[a-z0-9][a-z0-9-]{0,39}")
_LONGEST_PATTERN = 400
_WINDOW = 256  # characters a pattern sees at once; windows overlap by half
_MOST_OPEN_REPEATS = 2  # so that a window costs at most 256**3 / 6 = 2.8 million steps
_WIDE = 16  # a repeat of at most this many is not counted as open
_TOKEN = Pattern(
    r"(?P<repeat>[*+?]|\{(?P<low>\d*)(?P<comma>,?)(?P<high>\d*)(?<!\{)\})[?+]?"
    r"|(?P<group>\((?!\?[aiLmsux]+\))(?:\?(?:P?<[A-Za-z_]\w*>|P[=>]\w+|<?[=!]|[>:]|[aiLmsux-]+:))?)"
    r"|\(\?[aiLmsux]+\)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.",
    re.DOTALL,
)


@dataclass(frozen=True)
class CustomRule:
    """A pattern that a store refuses besides the built-in rules.

    Its name (lower-case letters, digits and hyphens, at most 40) is shown and counted; its
    pattern is a regular expression of Python's ``re``, at most 400 characters.

    Raises
    ------
    UsageError
        The name or the pattern cannot be used: broken syntax, a pattern that matches
        everything, a repeat inside a repeat, more than two open repeats.

    Notes
    -----
    A pattern sees the text in windows of 256 characters, so a secret of up to 128 is always
    seen whole, and the work grows linearly with the text.
    """

    name: str
    pattern: str

    def __post_init__(self) -> None:
        """Refuse what cannot be run safely."""
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                f'the rule name "{self.name}" cannot be used',
                hint="use lower-case letters, digits and hyphens, at most 40",
            )
        for why, hint in self._faults():
            raise UsageError(f'the pattern of rule "{self.name}" cannot be used: {why}', hint=hint)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern as ``re`` runs it."""
        return re.compile(self.pattern)

    def _faults(self) -> Iterator[tuple[str, str]]:
        if len(self.pattern) > _LONGEST_PATTERN:
            yield f"it is longer than {_LONGEST_PATTERN} characters", "split it into several rules"
        try:
            empty = re.compile(self.pattern).search("")
        except (re.error, RecursionError, OverflowError) as error:
            yield str(error), "check it with Python's re.compile"
            return
        nested, open_repeats = _repeats(self.pattern)
        if empty is not None:
            yield "it matches the empty text", "ask for at least one character"
        if nested:
            hint = "repeat one character class instead, like [a-z0-9]{8,40}"
            yield "a repeat inside a repeated group can take forever", hint
        if open_repeats > _MOST_OPEN_REPEATS:
            hint = rf"bound them, like \s{{0,3}} for \s* (up to {_WIDE} is not counted)"
            yield f"it has {open_repeats} open repeats, {_MOST_OPEN_REPEATS} are allowed", hint


def custom_spans(view: TextView, rule: CustomRule) -> Iterator[SecretSpan]:
    """Yield what a store's own rule finds."""
    text = view.text
    for start in range(0, max(len(text) - _WINDOW // 2, 1), _WINDOW // 2):
        for found in rule.compiled.finditer(text, start, start + _WINDOW):
            if found.end() > found.start():
                yield SecretSpan(rule.name, *found.span())


def _repeats(pattern: str) -> tuple[bool, int]:
    """Return whether a repeated group holds a repeat or a choice, and the number of open repeats."""
    groups = [False]  # the pattern and each open group: does it hold a repeat or a choice
    closed_varies, nested, open_repeats = False, False, 0
    for token in _TOKEN.finditer(pattern):
        varies, closed_varies = closed_varies, False
        if token["repeat"]:
            if not token["low"] or token["comma"]:  # not a fixed number of times
                nested = nested or varies
                open_repeats += _is_open(token)
                groups = [True] * len(groups)
        elif token["group"]:
            groups.append(False)
        elif token.group() == ")" and len(groups) > 1:
            closed_varies = groups.pop()
        elif token.group() == "|":
            groups[-1] = True
    return nested, open_repeats


def _is_open(repeat: re.Match[str]) -> bool:
    """Return whether the repeat may run over more than a few characters."""
    if repeat["repeat"] == "?":
        return False
    low, high = repeat["low"], repeat["high"]
    return not high or int(high) - int(low or 0) > _WIDE
