"""Text templates: texts that a screen must show, with places for values and for what changes by itself.

``{who}`` stands for a parameter's value, ``{#}`` for a number, ``{*}`` for a word and ``{~}`` for
anything. Texts are compared whole and folded (letters' case, forms and blanks), never in part: "Ann
Berg" is not "Ann Bergman", nor "Ann Berg Larsen".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memctl.scenes.scene import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PLACE = re.compile(r"\{(#|\*|~|[a-z][a-z0-9_]{0,39})\}")
_WILD = {"#": r"[\d][\d.,:' ]*", "*": r"\S+", "~": r".*?"}
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# A text that a clock or a counter writes: no name of anything.
_CHANGING = re.compile(
    r"^[\W\d]*$|^\(?\d+\)?\+?$"
    r"|^\W*(?:\d+|an?|one)?\s*(?:s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|mo|month|y|year)s?"
    r"\s*ago\W*$|^(?:just now|now|today|yesterday|gestern|heute)$"
    r"|^\W*(?:vor \d+ \w+)\W*$|^\d{1,2}:\d{2}(?:\s*[ap]m)?$|^[\d.,]+\s*(?:[kmgt]i?b|b|bytes|%)$"
)
# What stands beside a number and goes with it: another row has another size, day or half of it.
_UNIT = re.compile(
    r"[ap]\.?m\.?|[kmgt]?i?b|bytes?|(?:sec|second|min|minute|hour|day|week|month|year)s?|ago"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|may|june?|july?"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
)

# A part of a URL that is a key: whoever reads it could use it.
_KEY = re.compile(
    r"(?i)(?<=[?&#;])(?!(?:next|page)_?token=)(?:[\w.-]*(?:token|secret|passw(?:or)?d|pwd|api_?key"
    r"|access_?key|jwt|signature|credentials?)|pass|auth|sig|session_?id)=[^&#\s{][^&#\s]*&?"
)
_USER = re.compile(r"\w://[^\s/?#\"'<>]*@")


def carries_key(text: str) -> bool:
    """Return whether a URL in a text gives a user or a key away."""
    return _KEY.search(text) is not None or _USER.search(text) is not None


def without_keys(url: str) -> str:
    """Return a URL without the parts of its query that are keys."""
    return _KEY.sub("", url).rstrip("?&#") if _KEY.search(url) else url


def _is_parted(value: str) -> bool:
    return value.isdecimal() and len(value) > 3  # noqa: PLR2004


def _pattern_of(value: str) -> str:
    """Return the pattern of a word of a value; a page may part the thousands of a number."""
    if not _is_parted(value):
        return re.escape(value)
    head = len(value) % 3 or 3
    groups = [value[:head], *(value[at : at + 3] for at in range(head, len(value), 3))]
    return r"[,.'\u2019\s]?".join(groups)


@lru_cache(maxsize=4096)
def _compiled(template: str, values: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    held, parts, at = dict(values), [], 0
    for place in _PLACE.finditer(template):
        parts.append(re.escape(folded_inside(template[at : place.start()])))
        name = place[1]
        if name in _WILD:
            parts.append(_WILD[name])
        else:
            parts.append(_pattern_of(folded(held.get(name, place[0]))))
        at = place.end()
    parts.append(re.escape(folded_inside(template[at:])))
    return re.compile(r"\s*" + "".join(parts) + r"\s*", re.DOTALL)


def folded_inside(text: str) -> str:
    """Return a part of a text folded, with the blanks at its ends."""
    plain = folded(text)
    return (
        (" " if text[:1].isspace() else "") + plain + (" " if plain and text[-1:].isspace() else "")
    )


def says(text: str, template: str, values: Mapping[str, str]) -> bool:
    """Return whether a text is what a template asks for, with these values."""
    pattern = _compiled(template, tuple(sorted(values.items())))
    return pattern.fullmatch(folded(text)) is not None


def is_plain(template: str, values: Mapping[str, str]) -> bool:
    """Return whether a template makes one text alone with these values, which can be looked up."""
    places = [place[1] for place in _PLACE.finditer(template)]
    return not any(one in _WILD or _is_parted(values.get(one, "")) for one in places)


def filled(text: str | None, values: Mapping[str, str]) -> str | None:
    """Return a text with the values of its parameters; a name in braces without one stays."""
    if text is None:
        return None
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), text)


def names_in_braces(text: str | None) -> tuple[str, ...]:
    """Return the names of the parameters in a text, in order."""
    if not text:
        return ()
    return tuple(place[1] for place in _PLACE.finditer(text) if place[1] not in _WILD)


def in_words(template: str, values: Mapping[str, str] | None = None) -> str:
    """Return a template for people: what may be anything is three dots."""
    text = filled(template, values or {}) or ""
    return re.sub(r"(?:\{[#*~]\}[\s.…]*)+", "… ", text).strip()


def with_names(text: str, values: Mapping[str, str]) -> str:
    """Return a text with the names of parameters in place of their values, as whole words.

    The longest values come first; an empty value stands nowhere.
    """
    given = sorted((v, name) for name, v in values.items() if v.strip())
    given.sort(key=lambda match: -len(match[0]))
    if not given:
        return text
    # At once, places included: a value that is the name of another parameter is none in its braces.
    whole = "|".join("(" + r"\s+".join(map(_pattern_of, value.split())) + ")" for value, _ in given)
    pattern = re.compile(rf"{_PLACE.pattern}|(?<!\w)(?<!\w-)(?:{whole})(?!-?\w)", re.IGNORECASE)
    return pattern.sub(
        lambda match: match[0] if match[1] else f"{{{given[(match.lastindex or 2) - 2][1]}}}", text
    )


def loosened(template: str, known: Iterable[str] | None) -> str:
    """Return a template whose changing parts are places: numbers with units, words that its like lack.

    Parameters
    ----------
    known
        Texts that stand on its like in other rows; ``None`` where there are none: words stay.
    """
    like = None if known is None else [set(folded(text).split()) for text in known]
    words, parts = template.split(), []
    for at, word in enumerate(words):
        beside = "".join(words[max(0, at - 1) : at] + words[at + 1 : at + 2])
        if _PLACE.search(word):
            parts.append(word)
        elif _UNIT.fullmatch(folded(word).strip(".,:;()")) and re.search(r"\d", beside):
            parts.append("{*}")
        elif like is None or _is_common(folded(word), like):
            parts.append(_NUMBER.sub("{#}", word))
        else:
            parts.append("{#}" if _NUMBER.fullmatch(word) else "{*}")
    return " ".join(parts)


def _is_common(word: str, like: list[set[str]]) -> bool:
    return 3 * sum(word in words for words in like) >= 2 * len(like) if like else True


def ungrouped(text: str) -> str:
    """Return a text for comparison, its numbers without what parts their thousands: 1,500 is 1500."""
    return re.sub(r"(?<=\d)[,.'\u2019\s](?=\d{3}(?!\d))", "", folded(text))


def is_changing(text: str) -> bool:
    """Return whether a text is what a clock or a counter writes."""
    return bool(_CHANGING.match(folded(text)))
