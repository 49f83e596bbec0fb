"""Reads subject, attribute and value out of a plain statement, where its form is plain.

``Falcon's deadline is 1 December`` says what Falcon's deadline is; a later
``Falcon's deadline is 8 December`` says that it changed, and one about Osprey says
nothing about Falcon. Only forms that name both a thing and one of its properties are
read: ``User is a vegetarian`` leaves room for ``User is in Berlin`` and stays free text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.claim_forms import without_reason
from memctl.semantic.sentences.normal import equal_key, name_key
from memctl.semantic.sentences.openings import without_opening
from memctl.semantic.sentences.properties import kind_of, may_be_several, role_of
from memctl.semantic.sentences.statement_forms import forms_for
from memctl.semantic.sentences.value_sorts import SURE, measures, same_amount, sort_of

if TYPE_CHECKING:
    from memctl.semantic.sentences.properties import Kind
    from memctl.semantic.sentences.statement_forms import Form, How

__all__ = ["Statement", "read_statement", "reason_of", "replaces", "same_value"]


class Statement(NamedTuple):
    """A property of a thing, and what it is; how that was said (`statement_forms.Form`)."""

    subject: str
    attribute: str
    value: str
    how: How = "is"


# Of properties that have one value at a time: the sorts that are one, beside those of `SURE`.
_SORTS_OF: dict[Kind | None, set[str]] = {
    "state": {"word", "words", "quality", "name", "state"},
    "tool": {"word", "name"},
    "sure": {"word", "words"},
}
# A plain statement is short; what is longer stays free text.
_LONGEST = 400
# What a value begins with that a property has no longer.
_NO_LONGER = "no longer "
# "It is the best of breed" names no thing; neither do questions' words and pronouns.
_NO_SUBJECT = frozenset(
    "it this that there here what who which he she they we i you one some many most all".split()  # noqa: SIM905  (a list of words reads best as words)
)
# Who chooses or uses something may speak for himself.
_SPEAKERS = {"i": "User", "we": "We"}
# "Moved to Berlin for work" and "went with Ann for lunch" tell of no role.
_NO_ROLE = frozenset(
    "work school love family fun good lunch dinner breakfast coffee free study studies now health".split()  # noqa: SIM905
)
_DEEDS = frozenset({"chosen", "placed", "picked", "used"})
_POSSESSIVE = Pattern(r"^(?:the|our|their|his|her|my|your|its)\s+", re.IGNORECASE)


def read_statement(text: str) -> Statement | None:
    """Return what `text` states of a property, or ``None`` for free text."""
    if len(text) > _LONGEST:
        return None
    plain = without_opening(text.strip())
    for form in forms_for(plain):
        found = form.pattern.match(plain)
        if found and (statement := _statement(found, form)):
            return statement
    return None


def replaces(new: Statement, old_value: str) -> bool:
    """Whether a statement that was read gives its property another value in place of the old.

    A choice for a role replaces what was in it, and one that is used beside it does not. Else
    a value takes the place of one of its own sort: ``Ann's talk is on 5 May`` says nothing
    against ``Ann's talk is 20 minutes long``. In doubt both stay.
    """
    old = without_reason(old_value)
    if new.how == "ended":
        return same_value(new.value.removeprefix(_NO_LONGER), old)
    if new.how == "used":
        return False
    one, other = _sorts(new.attribute, new.value, old.removeprefix(_NO_LONGER))
    if new.how in {"chosen", "picked"}:
        return one == other or not (measures(one) or measures(other))
    return _are_alike(kind_of(new.attribute), one, other)


def same_value(one: str, other: str) -> bool:
    """Whether two values are one, whatever is said of why."""
    return name_key(without_reason(one)) == name_key(without_reason(other))


def reason_of(text: str) -> str:
    """Return why something is so, as `text` gives it, normalised; empty where it does not."""
    plain = without_opening(text.strip()).rstrip(" .!\u3002\uff01")
    return equal_key(plain[len(without_reason(plain)) :])


def _sorts(attribute: str, *values: str) -> list[str | None]:
    timed = kind_of(attribute) != "person" and not attribute.casefold().endswith("name")
    return [sort_of(value, timed=timed) for value in values]


def _are_alike(kind: Kind | None, one: str | None, other: str | None) -> bool:
    """Whether a property of a kind is replaced where its values are of these sorts."""
    if one is None or other is None:
        return False
    if one == other and (one in SURE or same_amount(one, other)):
        return True
    return {one, other} <= _SORTS_OF.get(kind, set()) or (
        kind == "amount" and same_amount(one, other)
    )


def _statement(found: re.Match[str], form: Form) -> Statement | None:
    parts = form.pattern.compiled.groupindex
    how = form.how
    subject = _subject(found["subject"], how) if "subject" in parts else "User"
    value = without_reason(found["value" if how != "ended" or found["value"] else "former"].strip())
    value = value.rstrip(".\u3002")
    attribute = _attribute(found, value)
    if not (subject and attribute and value) or may_be_several(attribute):
        return None
    if how == "became" and not _is_told(attribute, value):
        return None
    if how == "chosen" and attribute.casefold() in _NO_ROLE and (found["moved"] or found["went"]):
        return None
    return Statement(subject, attribute, _NO_LONGER + value if how == "ended" else value, how)


def _subject(written: str, how: How) -> str | None:
    """Return what a statement is about; ``None`` for what names nothing."""
    subject = _without(_POSSESSIVE, written.strip())
    known = subject.casefold()
    if known not in _NO_SUBJECT:
        return subject
    return _SPEAKERS.get(known) if how in _DEEDS else None


def _attribute(found: re.Match[str], value: str) -> str:
    parts = found.re.groupindex
    if "deed" in parts:
        return f"{found['deed']} {found['what']} {found['where']}"
    if "attribute" not in parts:
        return role_of(value) or ""
    given = found["attribute"] or found["known"]
    return _without(_POSSESSIVE, given.strip())


def _is_told(attribute: str, value: str) -> bool:
    """Whether what something moved or changed to is the property's value: no team's new town."""
    return kind_of(attribute) is not None or measures(sort_of(value))


def _without(opening: Pattern, text: str) -> str:
    """Return `text` without what it opens with; `sub` would look at every place of it."""
    found = opening.match(text)
    return text[found.end() :] if found else text
