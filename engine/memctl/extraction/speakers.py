"""Rewriting of sentences so that each can be read alone: names for "I", dates for "tomorrow".

English alone is rewritten, but for the days, which are read in every language of the calendar.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memctl.base.packaged import table_in
from memctl.base.pattern import Pattern, patterns_in
from memctl.text.calendar.said_dates import with_days
from memctl.text.closed_words import FORMS, STOP_WORDS

USER = "User"
_WORDS = {
    title: frozenset(words.split())
    for title, words in table_in("memctl.extraction", "english.txt")[""].items()
}
_ADVERBS = "|".join(word.replace("_", r"\s+") for word in sorted(_WORDS["adverbs before a verb"]))
_AUXILIARIES = "|".join(sorted(_WORDS["auxiliaries that may stand before i"]))
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
_SHAPES = patterns_in("memctl.extraction", "speakers.txt")
_MINE = {"my": "their", "mine": "theirs", "me": "them", "myself": "themselves"}
_ME = Pattern(r"\b(my|mine|me|myself|My|Mine|Me)\b")
_LONE_I = Pattern(r"\bI\b(?!')")


def with_speaker(text: str, name: str = USER) -> str:
    """Return an English sentence with a name instead of "I", "my" and "me"."""
    first_person = bool(_LONE_I.search(text) or _I_JOINED.search(text))
    text = _I_VERB.sub(lambda match: _agreeing(match, name), text)
    text = _I_JOINED.sub(lambda match: f"{name} {_JOINED[match[1]]}", text)
    text = _LONE_I.sub(name, text)
    said_again = re.compile(rf"\b(and|but|or) {re.escape(name)} ")
    text = re.sub(rf"{re.escape(name)}\b.*", lambda line: said_again.sub(r"\1 ", line[0]), text)
    if first_person:
        text = _SHAPES["and verb"].sub(
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
    past = verb.endswith("ed") and verb not in _WORDS["present forms that end in ed"]
    if (
        verb in STOP_WORDS
        or verb in _WORDS["verbs that never take an s"]
        or past
        or (forms and forms[0] != verb)
    ):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


# -- standing alone ------------------------------------------------------------------------

_NOTHING = Pattern(r"(?!)")
_FRAGMENT = 2  # words before a comma that say no more than a value


class Rewritten(NamedTuple):
    """A sentence that can be read alone, or why it cannot be made one."""

    text: str
    why_not: str = ""


def rewritten(
    text: str,
    *,
    speaker: str | None,
    said_at: str,
    stated: bool = False,
    about: str = "",
    days_beside: bool = False,
) -> Rewritten:
    """Rewrite a sentence as a fact that can be read alone, or return why it cannot.

    A pronoun that means nothing before it in the sentence is refused, never resolved: words alone
    do not decide who "she" was in the sentence before.

    Parameters
    ----------
    text
        The sentence.
    speaker
        The name that "I" becomes; ``None`` for ``User``.
    said_at
        The moment that "tomorrow" is counted from, in ISO 8601.
    stated
        It is a statement or an order that lasts: "you" is who remembers it, a day that could be
        two stays as it was said.
    about
        What it is about, where it does not say so itself.
    days_beside
        The words of a day stay, and its date stands behind them.
    """
    plain = _begun(text.replace("\u2019", "'"))
    plain = _SHAPES["tied"].sub("", plain) if stated else plain
    plain = f"{about.rstrip('.!:, ')}: {plain}" if about else plain
    if _SHAPES["quoted"].search(plain):
        return Rewritten(plain, "quotes what somebody said of themselves")
    if not stated and (match := _SHAPES["you"].search(plain)):
        return Rewritten(plain, f'speaks to somebody: "{match[0]}"')
    dated = with_days(plain, said_at, beside=days_beside)
    if dated.why_not and not stated:
        return Rewritten(plain, dated.why_not)
    dangling = _dangling(dated.text, persons_alone=stated)
    if dangling is not None and not (stated and about):
        return Rewritten(dated.text, f'nothing says what "{dangling[0]}" means')
    return Rewritten(with_speaker(dated.text, speaker or USER))


def is_incomplete(text: str, said_at: str) -> bool:
    """Return whether a statement lacks its topic: "make it 450", "half-up, they insist"."""
    plain = with_days(_begun(text.replace("\u2019", "'")), said_at).text
    plain = plain[:1].lower() + plain[1:]  # "Make it 450" names nobody
    head = re.split(r"[,;]", plain, maxsplit=1)[0]
    if ":" in head:
        return False  # it has a label
    pointing = _SHAPES["thing"].search(plain)
    points = pointing is not None and not _SHAPES["something"].search(plain[: pointing.start()])
    return points or len(head.split()) <= _FRAGMENT


def _begun(text: str) -> str:
    """Cut off the word that ties a sentence to the one before."""
    rest = _SHAPES["tie"].sub("", text, count=1)
    return rest[:1].upper() + rest[1:] if rest != text and rest else text


def _dangling(text: str, *, persons_alone: bool = False) -> re.Match[str] | None:
    """Return the first pronoun that nothing before it in the sentence is meant by."""
    kinds = (
        (_SHAPES["person"], _SHAPES["somebody"]),
        (_SHAPES["pointed"], _NOTHING),
        (_SHAPES["thing"], _SHAPES["something"]),
    )
    for shape, meant in kinds[: 1 if persons_alone else None]:
        match = shape.search(text)
        if match and persons_alone and text.islower() and "," in text[: match.start()]:
            continue  # "ask nadia, she owns it": names are small here
        if match and not meant.search(_without_opening(text[: match.start()])):
            return match
    return None


def _without_opening(text: str) -> str:
    """Cut off a first word that has a capital because it is the first."""
    first, _, rest = text.partition(" ")
    no_names = STOP_WORDS | _WORDS["large words that are no names"]
    return rest if first.lower().strip(",") in no_names else text
