"""Dependents: whether a fact rests on another one that has changed, by what it names.

The rule that did best of five on generated facts: a fact rests on a changed one where it names the
value that no longer holds, or the property with a reason (because, since, so), or the property of
the same subject; not where it is about another person, or tells of the past. It finds mentions, so
it says "to be checked", and never ends a fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.claim import read_claim
from memctl.semantic.sentences.normal import name_key
from memctl.text.closed_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["ChangedFact", "why_doubtful"]

_STEM = 5  # letters that forms of one word share
# An address is one word: its parts are names of other things.
_WORD = Pattern(r"[^\W_](?:[\w'@./:+-]*[^\W_])?")
_REASON = Pattern(
    r"\b(?:because|since|so that|given that|due to|thanks to|therefore|that is why)\b",
    re.IGNORECASE,
)
_PAST = Pattern(
    r"\b(?:was|were|had|used to|former(?:ly)?|previous(?:ly)?|until|no longer|back then|\w{3,}ed)\b",
    re.IGNORECASE,
)
_NOW = Pattern(r"\b(?:is|are|am|has|have|will|needs?|\w{2,}s)\b", re.IGNORECASE)
_PERSON = Pattern(r"\A(?:The |My )?([A-Z][\w-]+)(?:'s)?\b")


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact that changed: its words before, those of what holds instead, and what it is about."""

    id: str
    before: str
    after: str
    subject: str | None
    attribute: str | None
    value: str | None

    @property
    def gone(self) -> frozenset[str]:
        """The words of the value that no longer holds: names and figures, else all that went."""
        held = _stems(self.after)
        if self.value:
            return frozenset(_stems(self.value) - held)
        went = [word for word in _words_behind_the_first(self.before) if _stem(word) not in held]
        named = {_stem(word) for word in went if word[0].isupper() or any(map(str.isdigit, word))}
        return frozenset(named or ({_stem(word) for word in went} & _stems(self.before)))

    @property
    def named(self) -> bool:
        """Whether the value is a name or a figure: one word of it is enough."""
        told = self.value or self.before
        return any(
            word[0].isupper() or any(map(str.isdigit, word))
            for word in (told.split() if self.value else _words_behind_the_first(told))
            if _stem(word) in self.gone
        )

    @property
    def property_words(self) -> frozenset[str]:
        """The words of the property: those of the attribute, else those that both versions share."""
        who = _stems(self.subject or "") | {"user"}
        if self.attribute:
            return frozenset(_stems(self.attribute) - who)
        return frozenset((_stems(self.before) & _stems(self.after)) - who)


def why_doubtful(text: str, subject: str | None, changed: ChangedFact) -> str:
    """Return why a fact is to be checked after another one changed; empty where it is not.

    Parameters
    ----------
    text, subject
        The fact, and what it is about where that is known.
    changed
        The fact that changed.
    """
    if _PAST.search(text) and not _NOW.search(text):
        return ""
    held, gone, about = _stems(text), changed.gone, changed.property_words
    reason = _REASON.search(text) is not None
    whose = _whose(text, subject)
    if whose not in {_whose(changed.before, changed.subject), ""} and not reason:
        return ""
    names_value = bool(gone) and (bool(gone & held) if changed.named else gone <= held)
    if names_value:
        return f'names what no longer holds: "{changed.before:.80}"'
    if reason and about and _most(about, held):
        return f'gives a reason that has changed: "{changed.before:.80}"'
    told_by_attribute = bool(changed.attribute) and about <= held and bool(about)
    if told_by_attribute and _stems(changed.subject or "") <= held:
        return f'is about what has changed: "{changed.before:.80}"'
    return ""


def _most(about: AbstractSet[str], held: AbstractSet[str]) -> bool:
    """Return whether a text holds the property: one word of two, two of three."""
    return len(about & held) * 2 >= len(about)


def _whose(text: str, subject: str | None) -> str:
    """Return whom a fact is about, as a key; empty where nothing says."""
    if subject:
        return name_key(subject) or ""
    claim = read_claim(text)
    if claim is not None:
        return claim.subject
    found = _PERSON.match(text)
    return (name_key(found[1]) or "") if found else ""


def _words_behind_the_first(text: str) -> list[str]:
    """Return the words of a sentence but the first, which is large because it is first."""
    return _WORD.findall(text)[1:]


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(text) if word.casefold() not in STOP_WORDS}


def _stem(word: str) -> str:
    plain = word.casefold().removesuffix("'s")
    return plain[:_STEM] if plain.isalpha() else plain
