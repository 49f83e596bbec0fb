"""Claims of plain sentences about somebody: likes, prefers, uses, lives in, is, costs.

``User likes tea`` and ``User no longer likes tea`` cannot both hold; ``User likes tea`` and ``User
likes coffee`` can, and so can two homes or two employers. A datum (`memctl.semantic.sentences.datum`)
excludes another of its kind. Only whole, plain sentences in the listed forms
(`memctl.semantic.sentences.claim_forms`) are read: a list, a condition, an exception or a second
clause leaves a text free, because a contradiction that is none is worse than a missed one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from memctl.semantic.sentences.claim_forms import (
    DATA_VERBS,
    ENDED,
    FORMS,
    OPEN_WORDS,
    TRAILING,
    VERBS,
)
from memctl.semantic.sentences.datum import may_be_one, read_datum
from memctl.semantic.sentences.normal import equal_key, without_opening, without_reason
from memctl.semantic.sentences.opposites import exclude_each_other, state_class
from memctl.semantic.sentences.word_tables import words_in

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from memctl.semantic.sentences.claim_forms import ClaimForm

__all__ = ["NO_KEYS", "Claim", "Relation", "contradicts", "ends", "read_claim", "relation_of"]

Relation = Literal["repeats", "says more", "ends", "contradicts"]

_LONGEST = 200
_MAX_WORDS = 8
_USER = words_in("the user")
_NOBODY = words_in("nobody") | words_in("now and then")
_MANY_TIMES = words_in("many times")
_ARTICLES = ("der ", "die ", "das ", "our ", "unser ", "unsere ")
_FIRST_FORM = {"'m": "is", "am": "is", "are": "is", "were": "was"}
# Who says the same in all of these repeats what was said.
_SAID = ("key", "value", "negated", "former", "verb")
# Looks nothing up: a fact that claims nothing.
NO_KEYS: Mapping[str, str | None] = dict.fromkeys(("claim_key", "former_key", "former_place"))


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of a sentence about a subject.

    Two claims can contradict each other where they share a ``key``.
    """

    subject: str  # normalised; ``user`` for the first person
    predicate: str  # ``like``, ``prefer``, ``use``, ``live``, ...
    value: str  # normalised
    key: str
    negated: bool = False  # the sentence says that it is not so
    changed: bool = False  # it was otherwise before: now, no longer, switched
    former: str | None = None  # the value before: ``switched from npm to pnpm``
    verb: str = ""  # its first form: who likes something need not love it
    reason: str = ""  # as it was given; empty where nothing is said
    kind: str = ""  # of the datum that the value is (`datum`); empty where it is none

    @property
    def keys(self) -> dict[str, str | None]:
        """The keys of claims that this one could contradict, or end, as SQL has them."""
        former = ("use", "live") if self.former else ()
        ended = [f"{self.subject} {predicate} {self.former}" for predicate in former]
        return dict(zip(NO_KEYS, (self.key, *(ended or (None, None))), strict=True))

    @property
    def ended_key(self) -> str | None:
        """The key of claims that could say what this one says has ended."""
        predicate = "live" if self.predicate == "move" else "use"
        return f"{self.subject} {predicate} {self.former}" if self.former else None


def read_claim(text: str) -> Claim | None:
    """Return the claim of `text`, or ``None`` where it is no plain claim."""
    if len(text) > _LONGEST:
        return None
    plain = without_opening(text.strip()).replace("\u2019", "'").rstrip(" .!")
    said = without_reason(plain)
    for form in forms_for(said):
        # A sentence that is no datum, or no state, may be another claim.
        if (found := form.pattern.match(said)) and (claim := _claim(form, found)):
            return replace(claim, reason=equal_key(plain[len(said) :]))
    return None


def forms_for(text: str) -> Iterator[ClaimForm]:
    """Yield the forms that `text`, without its reason, may have by its words: mostly none."""
    words = set(text.lower().split())
    for form in FORMS:
        if not form.signs.isdisjoint(words) and (form.fits is None or form.fits(text)):
            yield form


def contradicts(new: Claim, old: Claim) -> bool:
    """Return whether two claims of one key, or of what the old one says has ended, cannot both hold."""
    if _says_ended(old, new):
        return not new.negated
    if new.key != old.key:
        return False
    if new.value == old.value:
        return new.negated is not old.negated
    return not (new.negated or old.negated or _may_both_hold(new, old))


def relation_of(new: Claim | None, old: Claim | None) -> Relation | None:
    """Return the relation of a new claim to an old one of its keys; ``None`` where both may hold."""
    if new is None or old is None:
        return None
    if all(getattr(new, part) == getattr(old, part) for part in _SAID):
        if new.reason in {"", old.reason}:
            return "repeats"
        return None if old.reason else "says more"
    if ends(new, old):
        return "ends"
    return "contradicts" if contradicts(new, old) else None


def ends(new: Claim, old: Claim) -> bool:
    """Return whether the new claim says itself that the old one held until now."""
    if new.former is not None and not _says_ended(old, new):
        return old.key == new.ended_key and not old.negated
    return new.changed and contradicts(new, old)


def _may_both_hold(new: Claim, old: Claim) -> bool:
    """Return whether two different values of one key, neither denied, can both be so."""
    if new.kind:
        return may_be_one(new.value, old.value)
    return not exclude_each_other(new.value, old.value)


def _says_ended(old: Claim, new: Claim) -> bool:
    """Return whether the old claim says that what the new one claims was so before: it switched."""
    return old.former is not None and (old.ended_key, old.former) == (new.key, new.value)


def _claim(form: ClaimForm, found: re.Match[str]) -> Claim | None:
    parts = found.groupdict("")
    subject = _subject(parts["subject"])
    if subject is None:
        return None
    said, trailing = TRAILING.subn("", parts.get("datum") or parts["value"])
    denied = (parts.get("negation") or parts.get("denied", "")).strip().lower()
    changed = bool(trailing or parts.get("change") or parts.get("former") or denied in ENDED)
    read = _datum(parts, subject, said) if "datum" in parts else _other(form, parts, subject, said)
    if read is None:
        return None
    return replace(read, negated=read.negated is not bool(denied), changed=changed)


def _datum(parts: dict[str, str], subject: str, said: str) -> Claim | None:
    if OPEN_WORDS.search(subject) or not _MANY_TIMES.isdisjoint(subject.split()):
        return None
    verb = parts.get("verb") or "moved"
    told = f"{_FIRST_FORM.get(verb, verb)} {parts.get('done', '')}".strip()
    for predicate, kinds in DATA_VERBS.get(told, ()):
        datum = read_datum(said, kinds)
        # Somebody is at one place after the other.
        there = subject == "user" and predicate == "be"
        if datum and not (there and datum.kind in {"clock", "weekday"}):
            key = f"{subject} {predicate} <{datum.kind}>"
            return Claim(subject, predicate, datum.value, key, verb=predicate, kind=datum.kind)
    return None


def _other(form: ClaimForm, parts: dict[str, str], subject: str, said: str) -> Claim | None:
    former = parts.get("former", "")
    for one in (said, former):
        # A list, a condition or an exception is more than one thing.
        if len(one.split()) > _MAX_WORDS or OPEN_WORDS.search(one):
            return None
    own = (form.predicate, form.predicate, False)
    predicate, verb, negated = own if form.predicate else VERBS[parts["verb"]]
    value = equal_key(said)
    key = f"{subject} {predicate} {state_class(value) if predicate == 'be' else value}"
    return Claim(
        subject, predicate, value, key, negated, former=equal_key(former) or None, verb=verb
    )


def _subject(written: str) -> str | None:
    name = equal_key(written)
    for article in _ARTICLES:
        name = name.removeprefix(article)
    if name.split()[0] in _NOBODY - _USER:
        return None
    if name in _USER:
        return "user"
    return f"user's {name[3:]}" if name.startswith("my ") else name
