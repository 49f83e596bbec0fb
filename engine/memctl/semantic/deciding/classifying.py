"""Categories of facts that are there: found by their words, or given by a caller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.categories import KINDS, UNSORTED_IMPORTANCE, Tag
from memctl.semantic import changing
from memctl.semantic.policies import expiry
from memctl.store.results import Result
from memctl.text.classifier import classify

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.semantic.fact_rows import FactRows
    from memctl.semantic.policies import Policy
    from memctl.semantic.records import Fact

UNTAGGED = "-"


@dataclass(frozen=True, slots=True)
class ClassifiedFact(Result):
    """A fact without a category, and the one that its words speak for.

    Parameters
    ----------
    category, tag
        ``None`` where it is not sure, or the fact is left as it is; `why` says which.
    confidence
        0 to 1.
    words
        The words of its text that decided.
    applied
        Whether the fact has the category now.
    """

    id: str
    text: str
    category: str | None
    tag: Tag | None
    confidence: float
    words: tuple[str, ...]
    why: str
    applied: bool = False


@dataclass(frozen=True, slots=True)
class Classification(Result):
    """The facts without a category with the one that their words suggest, and how many facts have which tag.

    Parameters
    ----------
    facts
        The newest first.
    counts
        Facts that hold by tag, after the call; ``-`` counts those without one.
    """

    facts: tuple[ClassifiedFact, ...]
    counts: Mapping[str, int]


def classified(fact: Fact, min_confidence: float) -> ClassifiedFact:
    """Return the category that a fact's words suggest; a pinned or immutable one is left."""
    verdict = classify(fact.text, min_confidence=min_confidence)
    names = ("category", "tag", "confidence", "words", "why")
    suggested = ClassifiedFact(fact.id, fact.text, *(getattr(verdict, name) for name in names))
    if fact.pinned or fact.immutable:
        kept = "pinned" if fact.pinned else "immutable"
        return replace(suggested, category=None, tag=None, why=f"it is {kept}: left as it is")
    return suggested


def give_category(fact: ClassifiedFact, rows: FactRows) -> ClassifiedFact:
    """Give a fact the category that was found, and its importance where nobody gave another.

    What is a guess neither ends the fact nor locks it.
    """
    if fact.category is None:
        return fact
    columns: dict[str, Any] = {"category": fact.category}
    if rows.find(fact.id)["importance"] == UNSORTED_IMPORTANCE:
        columns["importance"] = KINDS[fact.category].importance
    changing.update(rows, fact.id, None, columns)
    return replace(fact, applied=True)


def tag_counts(facts: Iterable[Fact], given: Iterable[ClassifiedFact] = ()) -> dict[str, int]:
    """Return how many facts have each tag; those that were just `given` one count under it."""
    new = {one.id: one.tag for one in given if one.applied}
    counts = Counter(fact.tag or new.get(fact.id) or UNTAGGED for fact in facts)
    tags = dict.fromkeys([*(kind.tag for kind in KINDS.values()), UNTAGGED])
    return {str(tag): counts[tag] for tag in tags}


def category_columns(policy: Policy, row: sqlite3.Row) -> dict[str, Any]:
    """Return the columns of a fact that another category changes.

    Its lifetime is counted from now; a date of expiry that somebody gave stays.
    """
    columns: dict[str, Any] = {
        "category": policy.category,
        "importance": policy.importance,
        "immutable": int(policy.immutable),
    }
    lifetime = expiry(policy, clock.now()) if row["expires_by"] != "given" else {}
    return {**columns, **lifetime}
