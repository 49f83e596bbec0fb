# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""The names under which people and programs write secrets down, and how they lead to a value.

A name is followed by a sign (":", "="), a verb ("is", "lautet") or by little more than a blank;
`stated` yields each with the group that leads on. The names stand in ``tables/nouns.txt``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memctl.guard.tables.rule_tables import patterns, rows, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = [
    "beginnings",
    "is_qualified",
    "name_at",
    "names_a_thing",
    "stated",
    "word_before",
    "writes_no_spaces",
]

_SAYS = patterns("credential_nouns")

_CONTEXT = 40  # characters before a name that may qualify it

# What may stand between a name and its value: an ending, the end of quotes and brackets,
# "(admin)", "for the router", then a sign or a verb.
_SUFFIX = (
    r"(?:(?:s|m|im|em|n|en|et)(?![^\W_])|[\s_#-]{0,2}\d{1,2}(?![^\W_])|\s(?:one|two)(?=\s(?:is|was)\s)"
    r"|[_-]?(?:prod|dev|staging|test|live|local|new|old|confirm|confirmation|value|string|id|key"
    r"|base|data|base64|b64)(?![^\W_]))?"
)
_NO_BASE64 = r"(?<![A-Za-z0-9+/]{16})"
_CLOSERS = r"[\\\"'`*\])}»”」』】]{0,5}"
_ABOUT = (
    r"(?:\s?\([^()\n]{1,60}\)|\s(?:displayed|shown|printed|generated|created|issued|provided|given"
    r"|below|wi-?fi|wlan|vpn|ssh|ftp|admin|root|e-?mail|gmail|google|icloud|outlook|github|gitlab"
    r"|netflix|amazon|paypal|actual(?:mente)?|nuev[ao]|antigua|anterior|temporal|maestra|actuel"
    r"|nouveau|ancien|provisoire|atual|nova|attuale|nuova|vecchia|provvisoria)"
    r"|\s(?:for|of|to|on|at|in|al|all|de|del|dell[ao]|du|des|da|do|für|fürs|von|vom|zum|zur|im|beim"
    r"|pelo|per|pour|para|au|aux|sur|auf|nel|sul|для|от|к|на|here|van|voor|der|meiner|deiner|my|our"
    r"|your|you|we|i|she|he|they|that|which|que|der|die|den)[\s'’](?:[^\n.:=!?;\"]|[.:](?=\w)){1,48}?)?"
)
_TAGS = r"(?:\s{0,3}</?\w{1,12}[^<>]{0,60}>){"
_SIGN = (
    r"\s{0,3}(?:=>|->|→|⇒|:=|::|[:=]-|>{1,3}|=(?!=)|:(?![=/]))[ \t]{0,8}(?:[|>][+-]?(?=\n))?\n?"
    rf"[ \t]{{0,8}}{_TAGS}0,3}}"
    # The value is a field of its own: {"name": "password", "value": "..."}
    r"|[\\\"'\s,\]){}]{1,12}(?:\w{1,16}=\S{1,24}\s){0,2}[\"']?(?:value|text|content|default)[\"']?"
    r"(?:\s{0,2}[:=]\s{0,4}|\s(?=[\"']))"
)
_VERB = (
    r"\s(?:was\s|is\snow\s|has\sbeen\s|had\sbeen\s|got\s|be\s)?"
    r"(?:set|changed|updated|reset|switched|rotated|geändert|gesetzt|cambiada|changé|alterada"
    r"|cambiata)\s(?:from\s\S{1,64}\s)?(?:to|as|auf|a|en|para|in(?!\s(?:19|20)\d\d(?!\d)))\s{1,3}:?\s{0,2}"
    r"|(?:['’]s(?!\s(?:is|was|are))|,?\sc['’](?:est|était)|,?\sit['’]s|,?\sit\sis|,?\ses\sist"
    r"|\s(?:is|was|are|(?:has|had)\s(?:always\s|never\s)?been|will\sbe|used\sto\sbe|equals|reads"
    r"|remains|stays|ist|lautet|lautete|war|heißt|hieß|bleibt|es|era|será|sigue\ssiendo|est|reste"
    r"|était|sera|é|è|sarà|foi|jest|(?<=hasło\s)to|är|blir|là|είναι|(?<=salasana\s)on"
    r"|(?<=heslo\s)je|(?<=kode\s)er|(?<=koden\s)er|(?<=ordet\s)er|это|был|будет|теперь|adalah"
    r"|este|هي|है))(?:\s(?:now|currently|still|just|set\sto|changed\sto|jetzt|nun|weiterhin"
    r"|immer\snoch|ahora|siempre|toujours|sempre|maintenant|désormais|agora|adesso|ora|simply"
    r"|literally|actually|always|all\slowercase|all\suppercase|in\slowercase|all\scaps))?\s?:?\s{1,8}"
    r"|\s?[\u3040-\u30fa\u4e00-\u9fff]{0,6}?(?:不?是|还是|依然是|一直是|为|為|就是|改为|改成了?|换成了?|设为|设置[为成]|设成了?|设定为"
    r"|变更为|变成了?|改為|設為|叫做?|は、?|が|を|는|은|이|가|를|을)\s{0,2}:?\s{0,2}"
)
_LOOSE = (
    r"\s(?:field|box|input)\s(?:contains|holds|has|shows|reads|says)\s{1,3}"
    r"|\s(?:ha\ssido|fue|a\sété|foi|è\sstat[ao])\s\w{4,14}\s(?:a|à|en|para|in|por|con|su)\s{1,3}"
    r"|\s(?:to|as|from|auf|with|using|mit|con|avec|com|a|en|para|por|in|на|naar|em|al)\s{1,3}"
    r"|\?\s{0,3}\n?\s{0,4}(?:[AaRr]:|[Ii]t['’]?s)\s{1,3}"
    r"|[\"'`]?\)\.(?:send_?keys|fill|type|type_?text|set_?value|set_?text|press_sequentially)\(\s?"
    r"|\s\((?=[^()\s]{6,64}\))|(?:\s?\([^()\n]{1,60}\))?\s{1,3}"
    rf"|,\s{{0,2}}(?=[\"'])|,\s(?=[!-+\--~]{{6,64}},\s)|{_TAGS}2,4}}\s{{0,3}}"
    r"|(?<=[\u0e00-\u9fff\uac00-\ud7af])(?=[!-~])|(?<=】)"
)
_DASH = r"\s{0,3}[^\w\s\"'`()\[\]{}<>.,;:=!?%$@\\/&*+]{1,3}\s{1,3}"


def beginnings(role: str) -> tuple[str, ...]:
    """Return the pieces of text with one of which a name of this role begins."""
    return tuple(piece for piece, _ in _names(role))


def stated(view: TextView, role: str) -> Iterator[re.Match[str]]:
    """Yield each name of a role that a value may follow.

    The groups are ``noun`` and one of ``sign`` (":", "="), ``verb`` ("is") and ``loose`` (a
    blank, a dash, the bar of a table).
    """
    done = 0
    for at in spots(view, role):
        if at >= done and view.is_new(role, at) and (found := _pattern(role).match(view.text, at)):
            done = found.end()
            yield found


def spots(view: TextView, role: str) -> list[int]:
    """Return the places where a name of a role may begin, in order."""
    if role not in view.spots:
        low = view.lowered
        view.spots[role] = sorted({at for piece in beginnings(role) for at in _places(low, piece)})
    return view.spots[role]


def name_at(text: str, at: int, role: str) -> re.Match[str] | None:
    """Return the name of a role that begins here; None where there is none."""
    return _name(role).match(text, at)


def names_a_thing(text: str, start: int, end: int) -> bool:
    """Tell whether the name of a password is part of another: "password reset", "cambio de"."""
    return (
        _name("thing-behind").match(text, end) is not None
        or _name("thing-before").search(text, max(0, start - _CONTEXT), start) is not None
    )


def word_before(text: str, at: int) -> str:
    """Return the word before a name, in lower case; empty where there is none."""
    found = _SAYS.last_word.search(text, max(0, at - _CONTEXT), at)
    return found[1].lower() if found else ""


def is_qualified(text: str, at: int, section: str) -> bool:
    """Tell whether the word before a name is one of a section, or ends with one."""
    return word_before(text, at).endswith(_endings(section))


def writes_no_spaces(noun: str) -> bool:
    """Tell whether a name is in a script that writes no spaces, or hardly any."""
    return not noun.isascii() and any(
        "\u0e00" <= c <= "\u0e7f" or "\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af"
        for c in noun
    )


@cache
def _endings(section: str) -> tuple[str, ...]:
    return tuple(words(section))


@cache
def _names(role: str) -> tuple[tuple[str, str], ...]:
    """Return each beginning with the pattern of its names."""
    table = [row for row in rows("nouns.txt", 3) if row[0] == role]
    return tuple(
        (piece.replace("~", " "), source)
        for _, pieces, source in table
        for piece in pieces.split(",")
    )


@cache
def _name(role: str) -> re.Pattern[str]:
    return re.compile(f"{_NO_BASE64}(?:{_alternatives(role)})", re.IGNORECASE)


@cache
def _pattern(role: str) -> re.Pattern[str]:
    return re.compile(
        rf"{_NO_BASE64}(?P<noun>{_alternatives(role)})(?![A-Za-z0-9+/]{{32}}){_SUFFIX}{_CLOSERS}"
        rf"(?:(?P<sign>{_ABOUT}(?:{_SIGN}))|(?P<verb>{_ABOUT}(?:{_VERB}))"
        rf"|(?P<loose>{_ABOUT}{_DASH}|{_LOOSE}))",
        re.IGNORECASE,
    )


def _alternatives(role: str) -> str:
    return "|".join(dict.fromkeys(f"(?:{source})" for _, source in _names(role)))


def _places(text: str, piece: str) -> Iterator[int]:
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)
