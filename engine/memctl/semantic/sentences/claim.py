"""Claims of plain sentences about somebody: likes, prefers, uses, lives in, is.

``User prefers dark mode`` and ``I prefer light mode`` cannot both hold; ``User likes tea``
and ``User likes coffee`` can. Only whole, plain sentences in the listed forms
(`memctl.semantic.sentences.claim_forms`) are read: a list, a condition, an exception or a second
clause leaves a text free, because a contradiction that is none is worse than a missed one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.semantic.sentences.claim_forms import (
    APART,
    ENDED,
    OPEN_WORDS,
    TOGETHER,
    TRAILING,
    without_reason,
)
from memctl.semantic.sentences.datum import ends_in_count, ends_in_datum, may_be_one, read_datum
from memctl.semantic.sentences.datum_forms import CJK_DATA, DATA, STATES
from memctl.semantic.sentences.normal import equal_key, without_opening
from memctl.semantic.sentences.opposites import (
    as_manner,
    as_meal,
    chosen,
    exclude_each_other,
    is_name,
    is_state,
    manners_differ,
    state_class,
)
from memctl.semantic.sentences.places_and_firms import may_be_one_firm, may_be_one_place
from memctl.semantic.sentences.word_tables import words_in
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from memctl.semantic.sentences.claim_forms import ClaimForm

__all__ = [
    "NO_KEYS",
    "Claim",
    "Relation",
    "contradicts",
    "ends",
    "forms_for",
    "read_claim",
    "relation_of",
    "signs_in",
]

Relation = Literal["repeats", "says more", "ends", "contradicts"]

# Of these a person has one at a time, of the rest any number; the placed ones have a name.
_SINGLE = frozenset({"live", "work", "age"})
_PLACED = frozenset({"live", "work"})
# Who drinks tea with milk drinks no tea without; who likes it so may like both.
_MEALS = frozenset({"drink", "eat"})
_MANNERS = frozenset({"manner", *_MEALS, "like"})
_DONE = ("rare", "medium", "well done", "well-done")

_LONGEST = 200
_MAX_WORDS = 8
_USER = words_in("the user")
_ARTICLES = ("der ", "die ", "das ", "el ", "la ", "los ", "las ", "le ", "les ", "our ")
# What a fact that claims nothing is looked up by.
NO_KEYS: Mapping[str, str | None] = dict.fromkeys(("claim_key", "former_key", "former_place"))
_NOBODY = words_in("nobody")
_NOW_AND_THEN = words_in("now and then")


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
        former = self.former is not None
        return {
            "claim_key": self.key,
            "former_key": _key(self.subject, "use", self.former or "") if former else None,
            "former_place": _key(self.subject, "live", "") if former else None,
        }

    @property
    def ended_key(self) -> str | None:
        """The key of claims that could say what this one says has ended."""
        if self.former is None:
            return None
        return _key(self.subject, "live" if self.predicate == "move" else "use", self.former)


def read_claim(text: str) -> Claim | None:
    """Return the claim of `text`, or ``None`` where it is no plain claim."""
    if len(text) > _LONGEST:
        return None
    plain = without_opening(text.strip()).replace("\u2019", "'").rstrip(" .!\u3002\uff01")
    signs = signs_in(plain)
    if not signs:
        return None
    said = without_reason(plain)
    for form in forms_for(signs, said):
        if found := form.pattern.match(said):
            claim = _claim(form, found, plain[len(said) :])
            # What is no datum, or no manner, may be another claim.
            if claim:
                return claim
    return None


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
    if _core(new) == _core(old):
        if new.reason in {"", old.reason}:
            return "repeats"
        return None if old.reason else "says more"
    if ends(new, old):
        return "ends"
    return "contradicts" if contradicts(new, old) else None


def ends(new: Claim, old: Claim) -> bool:
    """Return whether the new claim says itself that the old one held until now."""
    if new.former is not None and not _says_ended(old, new):
        return old.value == new.former and not old.negated
    return new.changed and contradicts(new, old)


def _may_both_hold(new: Claim, old: Claim) -> bool:
    """Return whether two different values of one key, neither denied, can both be so."""
    if new.kind:
        return may_be_one(new.kind, new.value, old.value)
    if new.predicate == "live":
        return may_be_one_place(new.value, old.value, doubted=not new.changed)
    if new.predicate == "work":
        return may_be_one_firm(new.value, old.value)
    if new.predicate == "be":
        return not exclude_each_other(new.value, old.value)
    return new.predicate in _MANNERS and not manners_differ(new.value, old.value)


def _says_ended(old: Claim, new: Claim) -> bool:
    """Return whether the old claim says that what the new one claims was so before: it switched."""
    return old.former is not None and (old.ended_key, old.former) == (new.key, new.value)


def _claim(form: ClaimForm, found: re.Match[str], reason: str) -> Claim | None:
    return _datum(form, found, reason) if form.kinds else _other(form, found, reason)


def _datum(form: ClaimForm, found: re.Match[str], reason: str) -> Claim | None:
    parts = found.groupdict()
    subject = _subject(parts["subject"])
    written, trailing = TRAILING.subn("", parts["datum"])
    datum = read_datum(written, form.kinds)
    if subject is None or datum is None or OPEN_WORDS.search(subject):
        return None
    # Somebody is at one place after the other, and may run on several days.
    if subject == "user" and form.predicate == "be" and datum.kind in {"clock", "weekday"}:
        return None
    denied = (parts.get("negation") or "").lower()
    return Claim(
        subject,
        form.predicate,
        datum.value,
        f"{subject} {form.predicate} <{datum.kind}>",
        negated=bool(denied),
        changed=bool(trailing or parts.get("change") or denied in ENDED),
        verb=form.predicate,
        reason=equal_key(reason) if reason else "",
        kind=datum.kind,
    )


def _other(form: ClaimForm, found: re.Match[str], reason: str) -> Claim | None:
    parts = found.groupdict()
    subject = _subject(parts.get("subject") or "user")
    value, trailing = TRAILING.subn("", parts["value"])
    former = parts.get("former")
    if subject is None or not all(_is_plain(one, form.predicate) for one in (value, former) if one):
        return None
    denied = parts.get("negation")
    told, shared = _shared(form, equal_key(value))
    if not shared:
        return None
    return Claim(
        subject,
        form.predicate,
        told,
        _key(subject, form.predicate, shared),
        negated=form.negated is not bool(denied),
        changed=bool(former or trailing or parts.get("change") or (denied or "").lower() in ENDED),
        former=equal_key(former) if former else None,
        verb=form.signs[0] if form.predicate == "like" else form.predicate,
        reason=equal_key(reason) if reason else "",
    )


def _shared(form: ClaimForm, value: str) -> tuple[str, str]:
    """Return a value, and the class of values that could exclude it; empty for none."""
    if form.predicate == "prefer":
        told, choice = chosen(value)
        return told, choice or told
    if form.predicate == "be":
        return value, state_class(value)
    if form.predicate == "manner":
        frame = as_manner(value)
        return value, frame and f"{form.signs[0]} {frame}"
    told_how = form.predicate in _MEALS or (form.predicate == "like" and value.endswith(_DONE))
    return value, (told_how and as_meal(value)) or value


def _core(claim: Claim) -> tuple[object, ...]:
    return (claim.key, claim.value, claim.negated, claim.former, claim.verb)


def _key(subject: str, predicate: str, value: str) -> str:
    return f"{subject} {predicate}" + ("" if predicate in _SINGLE else f" {value}")


def _subject(written: str) -> str | None:
    name = equal_key(written)
    for article in _ARTICLES:
        name = name.removeprefix(article)
    if name in _NOBODY or name.split()[0] in _NOW_AND_THEN:
        return None
    if name in _USER:
        return "user"
    return f"user's {name[3:]}" if name.startswith("my ") else name


def _is_plain(value: str, predicate: str) -> bool:
    """Return whether a value is one thing, and not a list, a condition or an exception."""
    words = equal_key(value).split()
    if not words or len(words) > _MAX_WORDS or OPEN_WORDS.search(value):
        return False
    if predicate in _PLACED and not is_unspaced(value):
        return is_name(value)
    return "," not in value


# A datum, or a state that excludes others, says more than that something is so: tried first.
_FORMS = (*DATA, *STATES, *APART)
_TOGETHER = (*CJK_DATA, *TOGETHER)
# By their sign; of some the last words are asked first whether they may end what such a form says.
_BY_GATE: dict[str, defaultdict[str, list[int]]] = {
    gate: defaultdict(list) for gate in ("", "datum", "state", "count")
}
for _number, _one in enumerate(_FORMS):
    for _sign in _one.signs:
        _BY_GATE[_one.gate][_sign].append(_number)
_SIGNS = frozenset().union(*_BY_GATE.values())
_BY_SIGN = _BY_GATE.pop("")
_GATED = frozenset().union(*_BY_GATE.values())
# Where words are not written apart, by the first character of a sign.
_BY_CHARACTER: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
for _number, _one in enumerate(_TOGETHER):
    for _sign in _one.signs:
        _BY_CHARACTER[_sign[0]].append((_sign, _number))


def signs_in(text: str) -> AbstractSet[str]:
    """Return the signs in `text` of the forms that it may have: few words, and mostly none."""
    signs = _SIGNS & set(text.lower().split())
    return signs if text.isascii() else signs | (_BY_CHARACTER.keys() & set(text))


def forms_for(signs: AbstractSet[str], text: str) -> list[ClaimForm]:
    """Return the forms that `text`, without its reason, may have by the signs that were in it."""
    numbers = {number for sign in signs if sign in _BY_SIGN for number in _BY_SIGN[sign]}
    if not signs.isdisjoint(_GATED):
        numbers |= _gated(signs, text)
    found = [_FORMS[number] for number in sorted(numbers)] if numbers else []
    if text.isascii():
        return found
    pairs = (pair for sign in signs for pair in _BY_CHARACTER.get(sign, ()))
    return found + [_TOGETHER[n] for n in sorted({n for sign, n in pairs if sign in text})]


def _gated(signs: AbstractSet[str], text: str) -> set[int]:
    """Return the numbers of the forms that the last words of `text` do not rule out."""
    numbers: set[int] = set()
    if not signs.isdisjoint(_BY_GATE["count"]) and ends_in_count(text):
        numbers |= {number for sign in signs for number in _BY_GATE["count"].get(sign, ())}
    if ends_in_datum(text):
        # The sign may have been in the reason.
        told = [sign for sign in signs if sign in text.lower()]
        numbers |= {number for sign in told for number in _BY_GATE["datum"].get(sign, ())}
    elif is_state(text[text.rfind(" ") + 1 :]):
        numbers |= {number for sign in signs for number in _BY_GATE["state"].get(sign, ())}
    return numbers
