"""The one table of kinds: the meaning of a category of facts everywhere.

Three vocabularies meet here and cannot contradict each other: the *category* a fact is
stored under, the *tag* that notes are marked with, and the *content type* of long-term
notes. Importance and lifetime are defaults: a fact's own importance, ``expires_at``, pin or
immutability comes before this table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

Tag = Literal["PREF", "PROJ", "TECH", "LESSON", "PEOPLE", "TEMP"]
Ending = Literal["never", "expires", "archived", "superseded"]

# Of a fact without a category.
UNSORTED_IMPORTANCE = 0.5


class FactKind(NamedTuple):
    """The meaning of one category of facts."""

    category: str
    tag: Tag  # of notes
    content_type: Literal["user", "reference", "feedback", "project"] | None  # folder of long notes
    importance: float  # 0 to 1
    # ``expires``: hidden after `days`; ``archived``: put away after `days` without a recall;
    # ``superseded``: ends when another replaces it.
    ending: Ending
    days: int  # 0 where time does not end it
    covers: str  # for people and agents
    immutable: bool = False


_IDENTITY = "who the user is: name, role, zone"
_ALL = (
    FactKind("identity", "PREF", "user", 0.95, "never", 0, _IDENTITY, immutable=True),
    FactKind("configuration", "TECH", "reference", 0.95, "archived", 365, "how things are set"),
    FactKind("rule", "PREF", "feedback", 0.90, "never", 0, "what to always or never do, and why"),
    FactKind("preference", "PREF", "user", 0.85, "never", 0, "what the user likes, and why"),
    FactKind("lesson", "LESSON", "feedback", 0.85, "never", 0, "what was learned the hard way"),
    FactKind("decision", "PROJ", "project", 0.80, "superseded", 0, "what was chosen, and why"),
    FactKind("technical", "TECH", "reference", 0.80, "archived", 365, "stacks, tools, interfaces"),
    FactKind("relationship", "PEOPLE", "user", 0.75, "archived", 180, "people, and who they are"),
    FactKind("project", "PROJ", "project", 0.75, "expires", 90, "goals, dates, status of work"),
    FactKind("operational", "TEMP", None, 0.60, "expires", 7, "what matters for some days"),
)
KINDS: Mapping[str, FactKind] = {kind.category: kind for kind in _ALL}

# The category that a mark means by itself: the one that says no more than the mark.
_USUAL: Mapping[str, str] = {
    "pref": "preference",
    "proj": "project",
    "tech": "technical",
    "lesson": "lesson",
    "people": "relationship",
    "temp": "operational",
    "user": "preference",
    "feedback": "rule",
    "reference": "technical",
}


def category_of(mark: str) -> str | None:
    """Return the category of a tag, a content type or its own name; ``None`` where it is none."""
    word = mark.strip().lower()
    return word if word in KINDS else _USUAL.get(word)


def check_category(category: str) -> None:
    """Raise UsageError where a category is none of the table."""
    if category not in KINDS:
        raise UsageError(f'there is no category "{category}"', hint=one_of(category, KINDS))


def tag_of(category: str | None) -> Tag | None:
    """Return the tag of a category; ``None`` where there is none, or another memctl's."""
    kind = KINDS.get(category or "")
    return kind.tag if kind else None
