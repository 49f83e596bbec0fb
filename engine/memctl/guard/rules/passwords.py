# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Passwords that are stated: in a sentence, an assignment, a form, a table, a settings file."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.judge import is_pass_phrase, is_password, is_pin, is_strong, is_word_row
from memctl.guard.rules.loose import is_loose_password
from memctl.guard.rules.nouns import (
    PASSWORDS,
    is_definition,
    is_no_password,
    is_qualified,
    writes_no_spaces,
)
from memctl.guard.rules.sayings import Saying
from memctl.guard.rules.shapes import letters_and_digits
from memctl.guard.rules.stories import is_of_story
from memctl.guard.rules.values import Value, read_value
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["password_hits"]


_PHRASE = Pattern(r"[a-z]{3,12}(?: [a-z]{3,12}){2,9}(?=[.!\"'\n]|$)")
_LONGEST_NAME = 48  # characters of a setting's name
_SETTING = Pattern(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9_]{3,}$")
_ARROWS = {" > ", "::"}  # of a path through menus, of a scope
_POSTAL_LENGTH = 6
_IN_URL = frozenset("@/:")  # behind "<password>" of a template
_NAME_BEFORE = Pattern(r",\s?$")
_INSTEAD = Pattern(
    r"[\"'`”」]?[\s,、;/(]{1,3}(?:而?是|but|now|new(?:\sone)?|neu|sondern|jetzt|nueva|sino|ahora|nouveau|mais|maintenant|新)(?:(?:\s?:)?\s|\s?:|(?<=是))",
    re.IGNORECASE,
)
# "is tiger followed by 8348"
_SPELT = Pattern(
    r"(?i)\s?([A-Za-z]{3,20},?\s(?:followed\sby|and\sthen|then|plus|gefolgt\svon|und\sdann|plus|seguid[oa]\s(?:de|por)|suivi\s(?:de|par)|puis|più)\s(?:the\snumbers?\s|the\sdigits\s)?\d{2,8})(?=\s*(?:$|[.,;!)\n]))"
)
# "is heather with a capital H", "capital K, small a, nine nine"
_LETTERS = Saying(
    r"\s?(?:([a-z]{3,20}),?\s(?:with|mit|con|avec|all|in|alles)\s[^\n.]{0,24}?<spelt>|((?:capital|upper\s?case|big|small|lower\s?case|großes?|kleines?)\s[a-z],?\s[^\n]{3,60}))"
)
_PLACE_NAMED = Pattern(r"\s(?:of|for)\s[A-Z][a-z]+\sis\s")
_PLACE = Pattern(r"[\s,(]{1,3}(?:[A-Z][a-z]|is\s|was\s|covers\s)")
# What may follow a Latin word in a sentence of another script, if the word is all that was said.
_FOREIGN_END = Pattern(
    r"[\"'`”’»」』)\]]{0,3}(?:\s|$|[.,;:!?、。！？；，)」』—(]|です|だ|でした|である|이야|이에요|입니다|예요|야\b|임\b|就|吧|哦|啊|呢|哈|，|喔|而已|便)"
)
_NAME_OF = Pattern(r"(?i)\b(?:hash|huella|id|identificador|commit|suma|uuid)\s[^\n.:]{0,16}$")
# In Spanish also what matters, "la clave es la paciencia"; in German the word of the day.
_OF_MANY_MEANINGS = {"clave", "losung"}
# Where a word of letters only may be the password: the remarks of these languages are known.
_WITH_WORD_LISTS = (
    "password", "pass-word", "pass word", "passphrase", "pass phrase", "pass-phrase", "passcode", "passwd", "passwort", "pass",
    "pw", "psw", "psk", "kennwort", "contrase", "senha", "palavra", "mot de", "mdp", "parola d", "palabra", "phrase ", "frase ", "парол", "кодовое",
)  # fmt: skip


def password_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords, PINs and pass phrases that are written next to their name."""
    text = view.text
    for found in PASSWORDS.stated(view):
        if is_no_password(text, found["noun"], found.start()):
            continue
        value = read_value(
            text, found.end(), since=found.end("noun"), ascii_only=writes_no_spaces(found["noun"])
        )
        for spelt in filter(
            None, (_SPELT.match(text, found.end()), _LETTERS.match(text, found.end()))
        ):
            if (spelt[1] or "").lower() not in words("predicate"):
                yield Hit("password-in-prose", *spelt.span(spelt.lastindex or 0))
        if value is None:
            continue
        rule = "password-assignment" if "=" in (found["sign"] or "") else "password-in-prose"
        if _is_stated_password(found, value) and not _is_known_to_all(found, value):
            yield Hit(rule, value.start, value.end)
            yield from _corrected(text, value)
        elif _may_be_phrase(found) and (phrase := _PHRASE.match(text, value.start)):
            yield from _pass_phrase(phrase)


def _corrected(text: str, value: Value) -> Iterator[Hit]:
    """Yield what stands behind a password in its stead: "not rain12, but Rain1951", "new: Rain1951"."""
    if instead := _INSTEAD.match(text, value.start + len(value.text)):
        other = read_value(text, instead.end(), since=instead.end(), ascii_only=True)
        if other is not None and is_strong(other):
            yield Hit("password-in-prose", other.start, other.end)


def _is_stated_password(found: re.Match[str], value: Value) -> bool:
    noun = found["noun"].lower()
    if _is_no_statement(found, noun, value):
        return False
    if noun.startswith(("pin", "пин", "핀")) and not noun.startswith("ping"):
        return is_pin(value) and not _is_place(found, value) and _is_firm_pin(found, noun, value)
    if found["loose"] is not None:
        return is_loose_password(found, noun, value)
    if not noun.isascii() and not noun.startswith(_WITH_WORD_LISTS) and not value.text.isdigit():
        return is_strong(value) or _is_foreign_word(found.string, value)
    if (
        (found["sign"] or "") in _ARROWS
        or noun.startswith("wpa")
        or noun in _OF_MANY_MEANINGS
        or (not noun.isascii() and noun[0] > "\u024f" and not value.text.isascii())
    ):
        row = value.text.isdigit() or (noun in _OF_MANY_MEANINGS and value.text.count("-") > 1)
        return is_strong(value) or (row and is_password(value, copula=False))
    if "value" in (found["sign"] or "").lower():
        value = replace(value, ends_clause=True, on_next_line=False)
    if _is_assigned(found):
        value = replace(value, ends_clause=True)
    return is_password(value, copula=found["verb"] is not None)


def _is_no_statement(found: re.Match[str], noun: str, value: Value) -> bool:
    """Whether a count, the name of a key in a table, or what opens a heart."""
    said = (found["verb"] or "").lower().split()
    return (
        _is_counted(found, value)
        or _is_unpacked(found, value)
        or (found.string[found.start() - 1 : found.start()] == "<" and value.text[:1] in _IN_URL)
        or is_definition(found)
        or (noun in _OF_MANY_MEANINGS and _is_name_of_key(found))
        or not words("opened-by-no-password").isdisjoint(said)
    )


def _is_unpacked(found: re.Match[str], value: Value) -> bool:
    """Whether "user, password = split": one of several names that a program fills."""
    return (
        found["sign"] is not None
        and "=" in found["sign"]
        and _NAME_BEFORE.search(found.string, max(0, found.start() - 2), found.start()) is not None
        and not value.quoted
        and not letters_and_digits(value.text)
    )


def _is_counted(found: re.Match[str], value: Value) -> bool:
    """Whether "passwords: 12", "pins: 40" say how many there are."""
    plural = found.string[found.end("noun") : found.end("noun") + 1] in {"s", "S"}
    return plural and value.text.isdigit()


def _is_known_to_all(found: re.Match[str], value: Value) -> bool:
    return _is_documented_default(found, value) or is_of_story(
        found.string, found.start(), value.start, value.end
    )


def _is_documented_default(found: re.Match[str], value: Value) -> bool:
    """Whether ``POSTGRES_PASSWORD=postgres``: what the name says already is no secret.

    So do compose files that everybody copies; a password that was changed names no program.
    """
    name = _SETTING.search(found.string, max(0, found.start() - _LONGEST_NAME), found.end("noun"))
    word = value.text.lower()
    return name is not None and (
        word in name.group().lower().split("_") or word in words("documented-default")
    )


def _is_name_of_key(found: re.Match[str]) -> bool:
    """Whether "el hash de la clave es", "el id de la clave es"."""
    return _NAME_OF.search(found.string, max(0, found.start() - 32), found.start()) is not None


def _is_assigned(found: re.Match[str]) -> bool:
    """Whether ``X_PASSWORD=value``, which a shell ends at the next space."""
    return found["sign"] == "=" and found["noun"].isupper()


def _is_firm_pin(found: re.Match[str], noun: str, value: Value) -> bool:
    """Whether a sign, a verb, a question or another word makes the number a PIN, not a pin's."""
    loose = found["loose"]
    return (
        loose is None
        or "?" in loose
        or noun.startswith("пин")
        or value.ends_clause
        or is_qualified(found.string, found.start(), "code-qualifier")
    )


def _is_place(found: re.Match[str], value: Value) -> bool:
    """Whether an Indian PIN code, which says where somebody lives: 560001, Bangalore."""
    if len(value.text) != _POSTAL_LENGTH:
        return False
    named = _PLACE_NAMED.match(found.string, found.end("noun"))
    return named is not None or _PLACE.match(found.string, value.end) is not None


def _is_foreign_word(text: str, value: Value) -> bool:
    """Whether a Latin word behind 密码是 or パスワードは is all that is said, or a row of words."""
    word = value.text
    return (
        word.isascii()
        and word.rstrip("!?%$&").replace("-", "").replace("_", "").isalpha()
        and (
            value.quoted
            or is_word_row(word)
            or _FOREIGN_END.match(text, value.start + len(word)) is not None
        )
        and is_password(replace(value, ends_clause=True), copula=True)
    )


def _may_be_phrase(found: re.Match[str]) -> bool:
    """Whether several words may follow: after a sign, or when the name itself says phrase."""
    noun = found["noun"].lower()
    return noun.startswith(_WITH_WORD_LISTS) and (
        found["sign"] is not None or "phrase" in noun or "frase" in noun
    )


def _pass_phrase(phrase: re.Match[str]) -> Iterator[Hit]:
    if is_pass_phrase(phrase.group().split()):
        yield Hit("pass-phrase", *phrase.span())
