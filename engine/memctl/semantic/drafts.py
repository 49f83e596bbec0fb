"""Drafts of facts: what a caller hands in, checked and read before anything is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.errors import MissingFactsError, MixedBatchError, UnusableInputError, UsageError
from memctl.base.near_words import one_of
from memctl.guard.door import MAX_NAME, clean
from memctl.store import statements
from memctl.text.normal import (
    folded,
    name_key,
    read_opening,
    same_key,
    without_opening,
    without_reason,
)
from memctl.text.own_words import without_host_blocks
from memctl.text.properties import PropertyStatement, attribute_key, property_of

if TYPE_CHECKING:
    from memctl.semantic.policies import Policy
    from memctl.store.store import Store

__all__ = [
    "Draft",
    "checked_about",
    "checked_confidence",
    "checked_importance",
    "checked_metadata",
    "derive_edited",
    "drafts",
    "handed_in",
    "named_category",
]

SQL = statements.load("store/fact")

_ITEM_KEYS = frozenset({"text", "subject", "attribute", "value", "category"})
_MAX_METADATA = 10_000
CONFIDENCES = ("low", "medium", "high")


class Draft(NamedTuple):
    """A fact that is fit to be written, if the rules agree."""

    text: str  # as it was given, without the block of a host that it began with
    statement: PropertyStatement | None
    outright: bool  # the caller named subject, attribute and value
    equal_key: str
    bare_key: str  # the same without the reason that the text gives
    subject_key: str | None
    attribute_key: str | None
    since: str | None  # the date that the text opens with; it is no part of what is said

    @property
    def columns(self) -> dict[str, str]:
        """The columns of the table that hold it; ``""`` stands for null."""
        statement = self.statement
        return {
            "text": self.text,
            "subject": statement.subject if statement else "",
            "attribute": statement.attribute if statement else "",
            "value": statement.value if statement else "",
            "equal_key": self.equal_key,
            "subject_key": self.subject_key or "",
            "attribute_key": self.attribute_key or "",
            "folded": folded(self.text) or "",
        }

    @property
    def keys(self) -> dict[str, str | None]:
        """The keys by which related facts are found, as SQL has them."""
        return {
            "equal_key": self.equal_key,
            "bare_key": self.bare_key,
            "subject_key": self.subject_key,
            "attribute_key": self.attribute_key,
        }

    @classmethod
    def of(cls, text: str, statement: PropertyStatement | None, *, outright: bool = False) -> Draft:
        """Return the draft of a text and what it states, if that is known."""
        since, said = read_opening(text)
        return cls(
            text,
            statement,
            outright,
            same_key(said),
            same_key(without_reason(said)),
            name_key(statement.subject) if statement else None,
            attribute_key(statement.attribute) if statement else None,
            since,
        )


def derive_edited(store: Store) -> None:
    """Fill in the keys of facts whose text was edited by hand or written by an older memctl."""
    for row in store.rows(SQL.underived):
        derived = {
            "number": row["number"],
            "equal_key": same_key(without_opening(row["text"])),
            "subject_key": name_key(row["subject"]),
            "attribute_key": attribute_key(row["attribute"]),
            "folded": folded(row["text"]),
        }
        store.execute(SQL.derive, derived)


def drafts(items: Sequence[str | Mapping[str, Any]], policy: Policy) -> list[Draft]:
    """Return a draft for each of `items`: texts, or objects with text or subject and so on.

    A batch is refused that is empty, too large or of more than one category, and so is a text that
    is empty or too long.
    """
    if not items:
        raise MissingFactsError("there are no facts to store", hint="give facts or text")
    if len(items) > policy.max_batch:
        raise UnusableInputError(
            f"a batch of {len(items)} facts is too large",
            hint=f"at most {policy.max_batch} a call; the setting max_batch raises it",
        )
    _check_mixed(items, policy.category)
    return [_draft(item, policy) for item in items]


def named_category(items: Sequence[str | Mapping[str, Any]], category: str | None) -> str | None:
    """Return the category of a batch: the call's, or the one that all its items name."""
    if category is not None:
        return category
    named = {item.get("category") for item in items if isinstance(item, Mapping)} - {None}
    if len(named) == 1 and all(_names_one(item) for item in items):
        return str(named.pop())
    return None


def checked_metadata(metadata: Mapping[str, Any] | None) -> str:
    """Return `metadata`, an object that JSON can hold, as JSON text."""
    if metadata is None:
        return "{}"
    if not isinstance(metadata, Mapping):
        raise UsageError("metadata is an object", hint='{"team": "billing"}')
    try:
        text = json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"metadata cannot be written as JSON: {error}") from error
    return clean(text, what="metadata", limit=_MAX_METADATA)


def handed_in(
    facts: Sequence[str | Mapping[str, Any]] | str, text: str | None
) -> Sequence[str | Mapping[str, Any]]:
    """Return the items of a batch: `facts`, or `text` where there are none."""
    if isinstance(facts, str):
        return [facts]
    # The door has looked into lists; what can be read only once it could not look into.
    if not isinstance(facts, Sequence):
        raise UsageError("facts is a list of texts", hint='["...", "..."]')
    if facts or text is None:
        return list(facts)
    return [text]


def checked_importance(given: float | None, default: float) -> float:
    """Return an importance of 0 to 1: the given one, or the default."""
    if given is None:
        return default
    if not 0 <= given <= 1:
        raise UsageError(f'importance "{given}" is not between 0 and 1', hint="0.5, for example")
    return float(given)


def checked_about(about: str | None, count: int) -> str:
    """Return the name of a slot as it is compared; empty where there is none.

    A slot holds one fact of a user: a batch of several cannot name one.
    """
    if about is None:
        return ""
    named = name_key(clean(about, what="about", limit=MAX_NAME).strip())
    if not named:
        raise UsageError("about is empty", hint="name what the fact is about: user.home")
    if count != 1:
        raise UsageError(f"{count} facts are about one slot", hint="store each alone")
    return named


def checked_confidence(given: str) -> str:
    """Return a confidence that is known: low, medium or high."""
    if given not in CONFIDENCES:
        raise UsageError(f'confidence "{given}" is unknown', hint=one_of(given, CONFIDENCES))
    return given


def _check_mixed(items: Sequence[str | Mapping[str, Any]], category: str | None) -> None:
    groups: dict[str | None, int] = {}
    for item in items:
        plain = type(item) is str  # as most are; to ask what a mapping is costs more
        own = item.get("category") if not plain and isinstance(item, Mapping) else None
        groups[own or category] = groups.get(own or category, 0) + 1
    if len(groups) > 1:
        parts = ", ".join(f"{name or 'none'} ({count})" for name, count in groups.items())
        raise MixedBatchError(
            f"the batch mixes categories: {parts}", hint="make one call for each category"
        )


def _draft(item: str | Mapping[str, Any], policy: Policy) -> Draft:
    if isinstance(item, str):
        return _of_text(item, policy)
    if not isinstance(item, Mapping):
        raise UsageError("a fact is a text or an object", hint='{"text": "..."}')
    unknown = [key for key in item if key not in _ITEM_KEYS]
    if unknown:
        raise UsageError(
            f'a fact has an unknown field "{unknown[0]}"',
            hint=one_of(str(unknown[0]), sorted(_ITEM_KEYS)),
        )
    statement = _statement(item)
    text = item.get("text")
    if text is None and statement:
        text = f"{statement.subject} {statement.attribute}: {statement.value}"
    if not isinstance(text, str):
        raise MissingFactsError("a fact has no text", hint="give text, or subject to value")
    return _of_text(text, policy, statement=statement)


def _of_text(text: str, policy: Policy, *, statement: PropertyStatement | None = None) -> Draft:
    # Where a host's block is all there is, it is judged as it stands: noise.
    said = without_host_blocks(text, leading=True) or text
    kept = clean(said, what="a fact", limit=policy.max_fact).strip()
    if not kept:
        raise MissingFactsError("a fact is empty", hint="write one sentence")
    outright = statement is not None
    if statement is None:
        statement = property_of(kept)
    return Draft.of(kept, statement, outright=outright)


def _statement(item: Mapping[str, Any]) -> PropertyStatement | None:
    parts = {name: item.get(name) for name in ("subject", "attribute", "value")}
    given = {name: part for name, part in parts.items() if part is not None}
    if not given:
        return None
    if len(given) < len(parts):
        raise UsageError("subject, attribute and value come together", hint="give all three")
    for name, part in given.items():
        if not isinstance(part, str) or not part.strip():
            raise UsageError(f"{name} is a text")
    return PropertyStatement(
        clean(given["subject"], what="subject", limit=MAX_NAME * 2).strip(),
        clean(given["attribute"], what="attribute", limit=MAX_NAME * 2).strip(),
        clean(given["value"], what="value").strip(),
    )


def _names_one(item: str | Mapping[str, Any]) -> bool:
    return isinstance(item, Mapping) and item.get("category") is not None
