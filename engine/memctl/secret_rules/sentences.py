# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Passwords that stand before their name, or behind a user's name with no name of their own."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memctl.secret_rules.hit import Hit
from memctl.secret_rules.judge import is_strong
from memctl.secret_rules.nouns import PASSWORDS, is_no_password
from memctl.secret_rules.odd_words import OddWords
from memctl.secret_rules.pattern import Pattern
from memctl.secret_rules.shapes import is_scrambled, letters_and_digits
from memctl.secret_rules.values import Value
from memctl.secret_rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.secret_rules.text_view import TextView

__all__ = ["sentence_hits"]

_BEFORE = 160
_FILE_OR_PATH = Pattern(r"\.[A-Za-z]\w{1,3}$|^[\w-]+/[\w/-]+$")

# "hunter2 is my password", "use hunter2 as the password", "hunter2 als Passwort"
_LINKS = {
    "is",
    "was",
    "as",
    "ist",
    "als",
    "es",
    "est",
    "é",
    "è",
    "como",
    "comme",
    "come",
    "—",
    "это",
    "как",
    "for",
    "that's",
    "(the",
    "(my",
    "(our",
    "←",
    "<-",
    "<--",
    "(",
}
# "Password1 is a terrible password" speaks of passwords, it does not give one.
_CLASSIFIES = {"a", "an", "not", "no", "one", "ein", "un", "una", "une"}
_MOST_WORDS = 6  # between the link and the name: "as the new root wifi password"
_LAST_WORDS = Pattern(r"\S+")
_GLUED_LINK = Pattern(r"(?:作为|作為|是我的|是|が|を|을|를|이|가)[^!-~\s]{0,12}\s?$")
_GLUED_WORD = Pattern(r"[!-~]{1,128}$")
_NOT_THE_THING = Pattern(
    r"\w{0,4}[\s-]?(?:manager|policy|hash|hint|reset|field|generator|vault|store|prompt|protect)",
    re.IGNORECASE,
)
_NOUN = Pattern(r"\w{1,16}(?:\s(?:de\s)?(?:phrase|code|passe|word))?")

_WORD = r"(?P<value>(?!\w{1,24}=)[^\s\"'`|]{5,64})"
# No preposition leads to a password: "the password is stored on server41".
_ADVERB = (
    r"(?:(?!(?:in|on|at|by|with|for|from|of|to|via|as|than|under|im|am|an|auf|aus|bei|mit|von|vom|vor|zu|zum|zur|für|als|en|del?"
    r"|con|por|para|como|dans|sur|sous|avec|par|pour|comme|di|da|dal|su|sul|per|come|em|no|na|com|в|на|с|у|по|как)\s)[^\W\d]{1,12}\s)"
)
# What a sentence comes to: it is still hunter22; the same everywhere: hunter22.
_SAID_AFTER = (
    Pattern(
        rf"[^\n.:?!,;]{{0,50}}?\s(?:is|was|are|ist|lautet|war|es|era|est|était|é|è|это)\s{_ADVERB}{{1,3}}{_WORD}(?=[.!]?(?:\s*$|\n)|[,;.]\s)"
    ),
    Pattern(rf"[^\n]{{0,50}}?\b(?:still|again|namely|noch|sigue|toujours)\s{_WORD}"),
    Pattern(rf"[^\n.:?!,;]{{0,50}}:\s{_WORD}(?=[.!]?(?:\s*$|\n))"),
    Pattern(
        rf"[^\n.!]{{0,50}}?[?？]\s{{0,3}}\n?(?:[aAрR][:.]\s|answer:?\s|it['\u2019]s\s|es\sist\s)?{_WORD}(?=[.!]?(?:\s|$))"
    ),
)
_QUESTION = Pattern(r"(?i)\b(?:what|which|q|wie|was|cuál|cual|quel|qual)\b[^\n]{0,24}$")
_CAMEL = Pattern(r"(?:[A-Z][a-z]+){2,4}$")
_LABEL = Pattern(r"(?i)show|forgot|log|sign|pass|reset|remember|submit|next")
_TYPED = Pattern(
    r"(?i)\b(?:type|enter|fill|input|paste|put|write|set)\w{0,3}\s[\"'`“]?(?P<value>[^\s\"'`”]{5,64})[\"'`”]?\s(?:in|into|to|as)\s(?:the\s)?[\"'`#]?$"
)
_FORM = Pattern(
    r"(?im)^(?:user\s?name|user|login|e-?mail|id|benutzername|usuario|identifiant)[:*]?\n[^\n]{2,64}\n(?:pass(?:word|wort)|contraseña|mot\sde\spasse)[:*]?\n(?P<value>\S{5,64})(?:\n|$)"
)


def sentence_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords that the words around them give away."""
    text, low, odd = view.text, view.lowered, OddWords(view.text)
    for at in PASSWORDS.spots(view):
        # Only an odd word is ever found here.
        if not odd.is_near(at - _BEFORE, at + _BEFORE) or not view.judged.is_new("sentence", at):
            continue
        noun = _NOUN.match(text, at)
        if (
            noun
            and not _NOT_THE_THING.match(text, noun.end())
            and not is_no_password(text, noun.group()[:4], at)
        ):
            yield from _said_before(text, at)
            if not noun.group().lower().startswith("pin"):
                yield from _said_after(text, noun.end())
            yield from _typed_into(text, at)
    if "pass" in low or "contrase" in low:
        for found in _FORM.finditer(text):
            if _CAMEL.match(found["value"]) and not _LABEL.search(found["value"]):
                yield Hit("password-in-prose", *found.span("value"))


def _said_before(text: str, at: int) -> Iterator[Hit]:
    """Yield the word before the link that leads to the name at ``at``."""
    start = max(0, at - _BEFORE)
    if not text[max(0, at - 1) : at].isascii() and (
        link := _GLUED_LINK.search(text, max(0, at - 16), at)
    ):
        glued = _GLUED_WORD.search(text[start : link.start()].rstrip(" \"'`”」』"))
        if glued is not None:
            yield from _strong(glued.group(), start + glued.start())
    before = list(_LAST_WORDS.finditer(text, _words_back(text, start, at), at))
    for word, link in pairwise(before):
        link_end = link.end()
        following = text[link_end:at].split(None, 1)
        if (link.group().lower() in _LINKS or _bracketed(link.group())) and (
            not following or following[0].lower() not in _CLASSIFIES
        ):
            yield from _strong(word.group(), word.start())


def _words_back(text: str, start: int, at: int) -> int:
    """Return where the last words before a place begin, as many as may stand between."""
    words = text[start:at].rsplit(None, _MOST_WORDS + 2)
    return start + len(words[0]) if len(words) > _MOST_WORDS + 2 else start


def _bracketed(word: str) -> bool:
    """Whether "hunter22 (root password)": the name stands in brackets behind it."""
    return word.startswith("(") and word[1:].lower() not in words("predicate")


def _said_after(text: str, at: int) -> Iterator[Hit]:
    """Yield what a sentence about a password comes to in the end."""
    for pattern in _SAID_AFTER:
        if found := pattern.match(text, at):
            if letters_and_digits(found["value"]) or is_scrambled(found["value"]):
                yield from _strong(found["value"], found.start("value"))
            asked = _QUESTION.search(text, max(0, at - _BEFORE), at)
            if asked and _CAMEL.match(found["value"]):
                yield Hit("password-in-prose", *found.span("value"))


def _typed_into(text: str, at: int) -> Iterator[Hit]:
    """Yield what was typed into the field of that name."""
    start = max(0, at - _BEFORE)
    if found := _TYPED.search(text, start, at):
        yield from _strong(found["value"], found.start("value"))


def _strong(said: str, start: int) -> Iterator[Hit]:
    word = said.rstrip(".,;:)\"'`”»").lstrip("\"'`“«(")
    start += said.index(word)
    value = Value(word, start, start + len(word), quoted=False, ends_clause=True, run=said)
    joined = "-" in word and word.replace("-", "").isalpha()  # LaTeX-BibTeX
    if word.isascii() and is_strong(value) and not joined and not _FILE_OR_PATH.search(word):
        yield Hit("password-in-prose", value.start, value.end)
