"""Names instead of "I": who says a sentence, in English, with the verb that follows."""

from __future__ import annotations

import re

from memctl.base.pattern import Pattern
from memctl.extraction.sign_tables import words_in
from memctl.text.closed_words import FORMS, STOP_WORDS

__all__ = ["USER", "with_speaker"]

USER = "User"
_WORDS = "english.txt"
_ADVERBS = "|".join(
    word.replace("_", r"\s+") for word in sorted(words_in(_WORDS, "adverbs before a verb"))
)
_AUXILIARIES = "|".join(sorted(words_in(_WORDS, "auxiliaries that may stand before i")))
_I_VERB = Pattern(
    rf"(?P<asked>\b(?:(?i:{_AUXILIARIES}))(?:n?'t)?\s+)?\bI(?P<joined>'(?:m|ve|d|ll))?"
    rf"(?P<adverbs>\s+(?:(?:{_ADVERBS}|(?!fly|rely|apply|reply|supply)\w{{2,}}ly)\s+)*)(?P<verb>[a-z]+(?:'t)?)"
)
_I_JOINED = Pattern(r"\bI'(m|ve|d|ll)\b")
_JOINED = {"m": "is", "ve": "has", "d": "had", "ll": "will"}
_VERBS = {
    "am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "go": "goes",
    "was": "was", "weren't": "wasn't", "were": "was", "own": "owns", "get": "gets",
}  # fmt: skip
_AND_VERB = Pattern(
    r"(?<=\s)(?:and|but|or)\s+(?:also\s+)?(?P<verb>like|love|hate|prefer|enjoy|want|need|use|live|work|have|am|own|drink|"
    r"eat|speak|play|study|teach|run|write|read|go|do|come|know|plan|avoid)\b"
)
_MINE = {"my": "their", "mine": "theirs", "me": "them", "myself": "themselves"}
_ME = Pattern(r"\b(my|mine|me|myself|My|Mine|Me)\b")
_LONE_I = Pattern(r"\bI\b(?!')")


def with_speaker(text: str, name: str = USER) -> str:
    """Return an English sentence with a name instead of "I", "my" and "me"."""
    told = bool(_LONE_I.search(text) or _I_JOINED.search(text))
    text = _I_VERB.sub(lambda match: _agreeing(match, name), text)
    text = _I_JOINED.sub(lambda match: f"{name} {_JOINED[match[1]]}", text)
    text = _LONE_I.sub(name, text)
    said_again = re.compile(rf"\b(and|but|or) {re.escape(name)} ")
    text = re.sub(rf"{re.escape(name)}\b.*", lambda line: said_again.sub(r"\1 ", line[0]), text)
    if told:
        text = _AND_VERB.sub(
            lambda match: match[0].replace(match["verb"], _third(match["verb"])), text
        )

    first = text.find(name)

    def mine(match: re.Match[str]) -> str:
        word = match[0].lower()
        if 0 <= first < match.start():
            return _MINE[word]
        return f"{name}'s" if word in {"my", "mine"} else name

    return _ME.sub(mine, text)


def _agreeing(match: re.Match[str], name: str) -> str:
    """Return "I" and its verb with a name; behind an auxiliary ("will I go") the verb stays."""
    asked, joined, adverbs, verb = match["asked"], match["joined"], match["adverbs"], match["verb"]
    if asked:
        word = _VERBS.get(asked.strip().lower(), asked.strip())
        return f"{word.capitalize() if asked[0].isupper() else word} {name}{adverbs}{verb}"
    if joined:
        word = _JOINED[joined[1:]]
        if joined == "'d" and ("rather" in adverbs or _third(verb) != verb):
            word = "would"
        return f"{name} {word}{adverbs}{verb}"
    return f"{name}{adverbs}{_third(verb)}"


def _third(verb: str) -> str:
    """Return a verb as "she" has it; one of the past, a modal one, and what is no verb, stay."""
    if verb in _VERBS:
        return _VERBS[verb]
    forms = FORMS.get(verb, ())
    past = verb.endswith("ed") and verb not in words_in(_WORDS, "present forms that end in ed")
    if (
        verb in STOP_WORDS
        or verb in words_in(_WORDS, "verbs that never take an s")
        or past
        or (forms and forms[0] != verb)
    ):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
