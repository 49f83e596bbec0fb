"""The forms of plain English and German sentences that claims are read from.

Each form spans the whole sentence, so that nothing of it is left out; its groups are ``subject``,
``verb``, ``value`` (or ``datum``), and where it has them ``former``, ``negation`` and ``change``.
The verbs stand in ``words.txt``. The reason that may follow is taken off before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.datum import either, ends_in_datum
from memctl.semantic.sentences.opposites import ends_in_state
from memctl.semantic.sentences.word_tables import lines_in, named_lines_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["DATA_VERBS", "ENDED", "FORMS", "OPEN_WORDS", "TRAILING", "VERBS", "ClaimForm"]


class ClaimForm(NamedTuple):
    """One form of sentence."""

    pattern: Pattern  # the whole sentence
    signs: frozenset[str]  # it holds one of these words
    predicate: str  # of its claim; empty where the verb tells
    fits: Callable[[str], bool] | None  # cheap, and false for most that it cannot match


def _verbs_in(section: str) -> dict[str, tuple[str, str, bool]]:
    """Return the predicate of each verb, its first form, and whether it denies itself: hates."""
    found: dict[str, tuple[str, str, bool]] = {}
    for name, listed in named_lines_in(section).items():
        predicate = name.removeprefix("not ")
        for words in listed.split("|"):
            first, *others = (word.replace("_", " ") for word in words.split())
            found |= dict.fromkeys((first, *others), (predicate, first, predicate != name))
    return found


def _data_verbs_in(section: str) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """Return the predicates of each verb that a datum follows, with the kinds of their data."""
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for line in lines_in(section):
        predicate, kinds, verbs = line.split(":")
        for verb in verbs.split():
            sense = (predicate, frozenset(kinds.split()))
            found.setdefault(verb.replace("_", " "), []).append(sense)
    return found


_ENGLISH, _GERMAN = _verbs_in("verbs"), _verbs_in("german verbs")
_SWITCHES = _verbs_in("verbs of switching")
_ENGLISH_DATA, _GERMAN_DATA = (
    _data_verbs_in(f"{language}verbs of data") for language in ("", "german ")
)
VERBS = _ENGLISH | _GERMAN | _SWITCHES
DATA_VERBS = _ENGLISH_DATA | _GERMAN_DATA

# At the end of a value: it was otherwise before.
TRAILING = Pattern(
    r"\s+(?:now|(?:once )?again|any ?more|any longer|these days|nowadays|jetzt|wieder)\Z"
)
# Denials that say so too.
ENDED = frozenset({"no longer", "nicht mehr"})
# A value with one of these is more than one thing, or not quite that one.
OPEN_WORDS = Pattern(
    r"[,;:?!\n\u2026]|\.\s|"
    r"\b(?:and|or|but|nor|neither|not|no|none|nothing|never|except|unless|if|when|whenever|while|"
    r"who|that|yet|only|und|oder|aber|nicht|kein\w{0,2}|nichts|wenn|außer)\b",
    re.IGNORECASE,
)


def _form(
    signs: Iterable[str],
    *parts: str,
    predicate: str = "",
    fits: Callable[[str], bool] | None = None,
) -> ClaimForm:
    words = frozenset(word for sign in signs for word in sign.split()[:1])
    return ClaimForm(Pattern("".join(parts)), words, predicate, fits)


def _either(verbs: Iterable[str]) -> str:
    return f"(?P<verb>{either(verbs)})"


# A person, or a thing in a few words: the billing service, our daily sync, Dark mode.
_NAME = r"[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff][\w.'-]*"
_NAMES = rf"{_NAME}(?:\s+{_NAME}){{0,2}}"
_WORDS = r"(?:\s+(?!(?:is|are|was|were|can|will)\b)[\w-]+)"
_EN = rf"(?P<subject>I|(?:[Tt]he\s+)?[Uu]ser|[Tt]he(?:\s+[\w-]+){{1,3}}?|{_NAMES})"
_EN_THING = (
    rf"(?P<subject>I|(?:[Tt]he\s+)?[Uu]ser(?:'s{_WORDS}{{1,2}}?)?|"
    rf"(?:[Tt]he|[Oo]ur|[Mm]y){_WORDS}{{1,4}}?|{_NAME}{_WORDS}{{0,2}}?)"
)
_DE = rf"(?P<subject>[Ii]ch|(?:(?:[Dd](?:er|ie|as)|[Uu]nsere?|[Mm]eine?)\s+)?{_NAMES})\s+"

_EN_HOW = (
    r"\s+(?:(?P<change>now|again)\s+|(?:currently|still|also|really|always|already|actually)\s+)*"
)
_EN_DOES = rf"{_EN_HOW}(?:(?P<negation>do not|does not|don't|doesn't|never|no longer)\s+)?"
_EN_IS = (
    r"(?:\s+|(?='m))(?P<verb>'m|am|is|are|was|were)(?P<negation>n't|\s+not|\s+no longer)?"
    rf"{_EN_HOW}(?:(?P<denied>not|no longer)\s+)?"
)
_DE_HOW = r"\s+(?:(?P<change>jetzt|nun|inzwischen|wieder)\s+|(?:derzeit|immer noch|noch)\s+)?"
_DE_NOT = r"(?:(?P<negation>nicht mehr|nicht|kein(?:e|en|em)?)\s+)?"
_DATUM = r"(?P<datum>[^\n]{1,40}?)"
_AM = ("am", "is", "are", "isn't", "aren't", "i'm")
_MOVED = ("moved", "rescheduled", "postponed", "shifted", "pushed")
_DOES = [verb for verb in _ENGLISH_DATA if not verb.startswith(("is", "was", "moved"))]
_DONE = [verb.partition(" ")[2] for verb in _ENGLISH_DATA if verb.startswith(("is ", "was "))]

# A datum, or a state that excludes others, says more than that something is so: tried first.
FORMS = (
    _form(_DOES, _EN_THING, _EN_DOES, _either(_DOES), r"\s+", _DATUM, r"\Z", fits=ends_in_datum),
    _form(
        (*_AM, "was", "were"),
        _EN_THING, _EN_IS, rf"(?:(?P<done>{either(_DONE)})\s+)?", _DATUM, r"\Z",
        fits=ends_in_datum,
    ),
    _form(
        _MOVED,
        _EN_THING, r"\s+(?:(?:is|are|was|were|has been|have been|got)\s+)?(?:now\s+)?",
        rf"(?P<change>{either(_MOVED)})\s+(?:back\s+)?(?:from\s+[^\n]{{1,20}}?\s+)?",
        r"(?P<datum>to\s+[^\n]{1,30})\Z",
        fits=ends_in_datum,
    ),
    _form(
        _GERMAN_DATA,
        _DE, _either({verb.split()[0] for verb in _GERMAN_DATA}), _DE_HOW, _DE_NOT, _DATUM,
        r"(?:\s+(?P<done>statt|geboren))?\Z",
        fits=ends_in_datum,
    ),
    _form(
        _AM,
        _EN_THING, _EN_IS, r"(?:an?\s+)?(?P<value>[\w-]+)\Z",
        predicate="be", fits=ends_in_state,
    ),
    _form(
        _AM,
        _EN, _EN_IS, r"(?P<value>(?:an?\s+)?[\w'-]+(?:\s+(?:to|of|with)\s+[\w'-]+)?)\Z",
        predicate="be",
    ),
    _form(_ENGLISH, _EN, _EN_DOES, _either(_ENGLISH), r"\s+(?P<value>[^\n]{1,80})\Z"),
    _form(
        ("can", "can't", "cannot"),
        # What one cannot wait for is no ability.
        _EN, _EN_HOW, r"can(?:\s*(?P<negation>not|'t|no longer))?\s+(?!(?:bear|wait|help)\b)",
        r"(?P<value>[\w'-]+(?:\s+[\w'-]+){0,3})\Z",
        predicate="can",
    ),
    _form(
        _SWITCHES,
        _EN, _EN_HOW, r"(?:has\s+|have\s+)?", _either(_SWITCHES),
        r"\s+from\s+(?P<former>[^\n]{1,40}?)\s+to\s+(?P<value>[^\n]{1,40})\Z",
    ),
    _form(
        _GERMAN,
        _DE, _either(_GERMAN), _DE_HOW, r"(?:(?P<negation>kein(?:e|en|em)?)\s+)?",
        r"(?P<value>[^\n]{1,80}?)(?:\s+(?P<denied>nicht mehr|nicht))?\Z",
    ),
    _form(
        _SWITCHES,
        _DE, r"(?:ist|bin|hat|habe)\s+von\s+(?P<former>[^\n]{1,40}?)\s+(?:auf|zu)\s+",
        r"(?P<value>[^\n]{1,40}?)\s+", _either(_SWITCHES), r"\Z",
    ),
)  # fmt: skip
