"""Judges a value that only a space, a comma, a dash or a tag parts from the name of a password."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.judge import (
    is_camel,
    is_irregular,
    is_password,
    is_strong,
    is_unmistakable,
    is_word_row,
)
from memctl.guard.rules.shapes import is_scrambled, letters_and_digits
from memctl.guard.rules.surroundings import is_how
from memctl.guard.rules.things import is_spoken_of

if TYPE_CHECKING:
    import re

    from memctl.guard.rules.values import Value

__all__ = ["is_loose_password"]

_SENTENCE = 60  # characters before a name that may say what is done with it
_SHORTEST_PIN = 4
_FEWEST_IN_ROW = 2
_SHORTEST_IN_ROW = 3  # letters of each word
_SHORTEST_NUMBER = 6  # for digits in the middle of a sentence
_PAIR = Pattern(r"(?:[a-z_]{1,24}\d{0,3}|[A-Z]\d)=|[A-Za-z_][\w.-]{0,40}=[{\[(\"'<$]")
_KEY_END = Pattern(r"[\"']\s?:")
_CALL_END = Pattern(r"[\"']\s?\)")
_QUESTION = Pattern(r"(?i)\b(?:what|which|wie|was|cuál|cual|quel|qual|какой)\b")
# "set the password to", "unlock it with the password"
_GIVEN = Pattern(
    r"(?i)\b(?:(?:re)?set|chang|made|make|updat|switch)\w{0,3}\s(?:\S{1,16}\s){0,4}?$"
    r"|\b(?P<way>with|using|mit|con|avec|com)\s(?:the|dem|la|le|a)\s$"
)
# "log in with password GravelOtter"
_BARE_WAY = Pattern(r"(?i)\b(?:with|using|mit|con|avec|com)\s$")
_INTO = {"to", "as", "auf", "en", "para", "in", "на"}


def is_loose_password(found: re.Match[str], noun: str, value: Value) -> bool:
    """Whether the value is a password though nothing but its place says so.

    Parameters
    ----------
    found
        The name, as `Nouns.stated` yields it.
    noun
        The name alone, in lower case.
    value
        What stands behind it.
    """
    word = value.text
    if not word.isascii() or _PAIR.match(word) or _belongs_elsewhere(found):
        return False
    if found["loose"].strip() == "(":
        return is_strong(value) and letters_and_digits(word)
    if noun == "pass" and not letters_and_digits(word):
        return is_scrambled(word)  # "pass `name` to it", "pass kind+how on"
    if value.quoted:
        return _is_quoted(found, value)
    if word.startswith(("-", "@", "/", ".")) or (
        word.lstrip("([")[:1] == "#" and not _is_no_tag(found, word)
    ):
        return False
    return _is_number_or_strong(noun, value) or _is_word(found, noun, value)


def _belongs_elsewhere(found: re.Match[str]) -> bool:
    """Whether the name is asked about, a variable's, or what something else has."""
    return (
        _is_asked_about(found) or _is_reference(found) or is_spoken_of(found.string, found.start())
    )


def _is_quoted(found: re.Match[str], value: Value) -> bool:
    """Judge a value in quotes: not the next name of an object, '"password", "code": 4012'."""
    word = value.text
    if _KEY_END.match(found.string, value.end):
        return False
    if _is_next_of_list(found, value) and not letters_and_digits(word):
        return is_scrambled(word)
    joined = word.rstrip("!?%$&").isalpha() or (
        _is_row(word) and found.string[found.end("noun")] in " )'\""
    )
    return is_strong(value) or (joined and is_password(value, copula=True))


def _is_asked_about(found: re.Match[str]) -> bool:
    """Whether "how do I reset my password in Outlook2021?" asks what to do."""
    start = found.string.rfind("\n", 0, found.start()) + 1
    end = found.string.find("\n", found.end())
    return is_how(found.string[start : end if end > 0 else None])


def _is_next_of_list(found: re.Match[str], value: Value) -> bool:
    """Whether only a comma parts two words in quotes, and they are not the two of a call."""
    if not found["loose"].startswith(","):
        return False
    text, start = found.string, found.start() - 1
    called = text[start - 1 : start] == "(" and _CALL_END.match(text, value.end) is not None
    return not called


def _is_reference(found: re.Match[str]) -> bool:
    """Whether "{password}": the name of a variable, and what follows belongs to something else."""
    text, end = found.string, found.end("noun")
    return text[found.start() - 1 : found.start()] == "{" and text[end : end + 1] == "}"


def _is_no_tag(found: re.Match[str], word: str) -> bool:
    """Whether "#Rain151" was set as a password, not a topic or the number of an issue."""
    start = max(0, found.start() - _SENTENCE)
    return letters_and_digits(word) and (
        is_unmistakable(word[1:]) or _GIVEN.search(found.string, start, found.start()) is not None
    )


def _is_number_or_strong(noun: str, value: Value) -> bool:
    fewest = _SHORTEST_PIN if value.ends_clause else _SHORTEST_NUMBER
    number = not noun.isascii() and value.text.isdigit() and len(value.text) >= fewest
    return number or is_strong(value)


def _is_word(found: re.Match[str], noun: str, value: Value) -> bool:
    """Judge a word without digits: as odd as no word is, or asked for, or set."""
    word = value.text
    if "phrase" in noun and word.count("-") > 1:
        return is_password(value, copula=False)
    if _is_row(word) and not value.on_next_line and (value.ends_clause or not noun.isascii()):
        return is_password(value, copula=False)
    if not value.ends_clause or value.on_next_line:
        return False
    if word.isdigit():
        return len(word) >= _SHORTEST_PIN and _is_asked_or_set(found, word)
    if not word.isalpha():
        return False
    return is_irregular(word) or (
        (_is_asked_or_set(found, word) or _is_latin_aside(noun, word))
        and is_password(value, copula=True)
    )


def _is_row(word: str) -> bool:
    """Whether small words joined by hyphens: "canoe-meadow-ginger"."""
    parts = word.split("-")
    return is_word_row(word) or (
        len(parts) > _FEWEST_IN_ROW
        and all(
            part.isalpha() and part.islower() and len(part) >= _SHORTEST_IN_ROW for part in parts
        )
    )


def _is_asked_or_set(found: re.Match[str], word: str) -> bool:
    """Whether "what is the password? anna", "set the password to anna", "with the password anna"."""
    loose, start = found["loose"], max(0, found.start() - _SENTENCE)
    if "?" in loose and _QUESTION.search(found.string, start, found.start()):
        return True
    given = _GIVEN.search(found.string, start, found.start())
    first = (loose.split() or [""])[0]
    if given is None:
        odd = word.isdigit() or is_camel(word)
        return odd and _BARE_WAY.search(found.string, start, found.start()) is not None
    if word.istitle():  # not "in Settings", not "with the Password Manager"
        return first in {"to", "auf"} or (bool(given["way"]) and found["noun"].islower())
    several = found.string[found.end("noun") : found.end("noun") + 1] == "s"
    return (first in _INTO and not several) or bool(given["way"])


def _is_latin_aside(noun: str, word: str) -> bool:
    """Whether a small Latin word stands in a sentence of another script: "мой пароль biscuit"."""
    latin = noun.isascii() or any("\u00c0" <= char <= "\u024f" for char in noun)
    return not latin and noun[:1].isalpha() and (word.islower() or is_camel(word))
