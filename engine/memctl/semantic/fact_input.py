"""What callers hand in of facts: one record for Python, command line, MCP and imports, and its checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base import clock
from memctl.base.categories import KINDS
from memctl.base.errors import (
    AllNoiseError,
    MissingFactsError,
    MixedBatchError,
    UnusableInputError,
    UsageError,
)
from memctl.base.near_words import one_of
from memctl.guard.door import MAX_NAME, clean
from memctl.semantic.deciding.choices import doubt_of
from memctl.semantic.drafts import Draft
from memctl.semantic.policies import Policy, expiry, given_expiry
from memctl.semantic.triage import unwanted
from memctl.text.fences import refuse_recalled
from memctl.text.normal import name_key
from memctl.text.own_words import without_host_blocks
from memctl.text.properties import PropertyStatement, property_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from memctl.base.clock import When
    from memctl.base.scope import Scope
    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings

_ITEM_KEYS = frozenset({"text", "subject", "attribute", "value", "category"})
_MAX_METADATA = 10_000
# What a caller says beside the text, of which a fact that is known already is told.
_PROPERTIES = ("category", "importance", "metadata", "source", "expires_at", "about")
CONFIDENCES = ("low", "medium", "high")


@dataclass(frozen=True, kw_only=True)
class FactInput:
    """A fact as it is handed in: its text, or subject, attribute and value, and what goes with it.

    The fields mean what the parameters of `Facts.store` mean.
    """

    text: str | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    category: str | None = None
    importance: float | None = None
    user_id: str | None = None
    agent_id: str | None = None
    metadata: Mapping[str, Any] | None = None
    long_term: bool = True
    confidence: str = "medium"
    source: str | None = None
    valid_from: When | None = None
    expires_at: When | None = None
    about: str | None = None

    def batch(self, facts: Sequence[str | Mapping[str, Any]] | str) -> list[FactInput]:
        """Return the facts of one call, each with the call's own values.

        Raises
        ------
        UsageError, MissingFactsError, MixedBatchError
            When one is neither a text nor an object, there is none, or they are of several categories.
        """
        if isinstance(facts, str):
            return [replace(self, text=facts)]
        # The door has looked into lists; what can be read only once it could not look into.
        if not isinstance(facts, Sequence):
            raise UsageError("facts is a list of texts", hint='["...", "..."]')
        items = list(facts) or ([self.text] if self.text is not None else [])
        inputs = [
            replace(self, text=item) if isinstance(item, str) else self._of_object(item)
            for item in items
        ]
        _check_mixed(inputs)
        if self.about is not None and len(inputs) > 1:
            raise UsageError(f"{len(inputs)} facts are about one slot", hint="store each alone")
        return inputs

    def _of_object(self, item: object) -> FactInput:
        if not isinstance(item, Mapping):
            raise UsageError("a fact is a text or an object", hint='{"text": "..."}')
        unknown = [key for key in item if key not in _ITEM_KEYS]
        if unknown:
            raise UsageError(
                f'a fact has an unknown field "{unknown[0]}"',
                hint=one_of(str(unknown[0]), sorted(_ITEM_KEYS)),
            )
        own = {"text": None, **item, "category": item.get("category") or self.category}
        return replace(self, **own)

    @property
    def texts(self) -> Iterator[str]:
        """Every text of it that is kept, for the guard."""
        for name in ("text", "subject", "source", "user_id", "agent_id", "about"):
            if said := getattr(self, name):
                yield said
        if self.attribute or self.value:
            yield f"{self.attribute}: {self.value}"
        if self.metadata:
            yield from (f"{key}: {value}" for key, value in self.metadata.items())

    @property
    def statement(self) -> tuple[str, str, str] | None:
        """Subject, attribute and value, where the caller named them.

        Raises
        ------
        UsageError
            When one of them is missing.
        """
        parts = {name: getattr(self, name) for name in ("subject", "attribute", "value")}
        given = [part for part in parts.values() if part is not None]
        if not given:
            return None
        if len(given) < len(parts):
            raise UsageError("subject, attribute and value come together", hint="give all three")
        for name, part in parts.items():
            if not isinstance(part, str) or not part.strip():
                raise UsageError(f"{name} is a text")
        return (
            clean(parts["subject"], what="subject", limit=MAX_NAME * 2).strip(),
            clean(parts["attribute"], what="attribute", limit=MAX_NAME * 2).strip(),
            clean(parts["value"], what="value").strip(),
        )


class Prepared(NamedTuple):
    """A fact that was handed in, checked and read."""

    draft: Draft
    scope: Scope  # whose facts it is compared with, and who writes it
    owner: Mapping[str, str]  # whose it is: user_id, agent_id, project, session_id
    columns: Mapping[str, Any]  # its other columns; "" stands for null
    given: frozenset[str]  # those that the caller named
    noise: str  # why it says nothing that lasts
    doubt: str  # why its value cannot be


def prepared(
    inputs: Sequence[FactInput], settings: Settings, scope: Scope, zone: UserZone, now: str
) -> list[Prepared]:
    """Check and read the facts of a batch; nothing is written.

    Raises
    ------
    UsageError, UnusableInputError
        When a value cannot be meant, a text is recalled memory, or all texts are noise.
    """
    policies = {one: Policy.of(settings, one) for one in {given.category for given in inputs}}
    _check_size(inputs, Policy.of(settings, None).max_batch)
    scopes = {
        whose: scope.narrowed(user=whose[0], agent=whose[1])
        for whose in {(one.user_id, one.agent_id) for one in inputs}
    }
    batch = [
        _prepared(one, policies[one.category], scopes[one.user_id, one.agent_id], zone, now)
        for one in inputs
    ]
    refuse_recalled([one.draft.text for one in batch])
    _refuse_noise([one.noise for one in batch])
    doubts = [doubt_of(one.draft) for one in batch]
    return [
        one._replace(doubt=doubt) if doubt else one
        for one, doubt in zip(batch, doubts, strict=True)
    ]


def _prepared(given: FactInput, policy: Policy, scope: Scope, zone: UserZone, now: str) -> Prepared:
    draft = _draft_of(given, policy)
    owner = scope.writing(long_term=given.long_term)
    kind = KINDS.get(given.category or "")
    if kind is not None and kind.content_type == "user":  # it holds in all projects
        owner = {**owner, "project": ""}
    until = clock.as_text(given.expires_at) or None
    weight = checked_importance(given.importance, policy.importance)
    session = f"session:{scope.session}" if scope.session else ""
    since = given.valid_from
    columns = {
        "category": given.category or "",
        "importance": weight,
        "confidence": _checked_confidence(given.confidence),
        "source": session if given.source is None else given.source,
        "about": _checked_about(given.about),
        "metadata": checked_metadata(given.metadata),
        "immutable": int(policy.immutable),
        "valid_from": zone.told(since, what="valid_from").at if since is not None else "",
        **(expiry(policy, now) if until is None else given_expiry(until, zone)),
    }
    named = frozenset(name for name in _PROPERTIES if getattr(given, name) not in (None, "", {}))
    return Prepared(draft, scope, owner, columns, named, unwanted(draft.text, policy, weight), "")


def _draft_of(given: FactInput, policy: Policy) -> Draft:
    """Return the draft of a fact that was handed in; an empty text, or a too long one, is refused."""
    statement = given.statement
    text = given.text
    if text is None and statement:
        text = f"{statement[0]} {statement[1]}: {statement[2]}"
    if not isinstance(text, str):
        raise MissingFactsError("a fact has no text", hint="give text, or subject to value")
    # Where a host's block is all there is, it is judged as it stands: noise.
    said = without_host_blocks(text, leading=True) or text
    kept = clean(said, what="a fact", limit=policy.max_fact).strip()
    if not kept:
        raise MissingFactsError("a fact is empty", hint="write one sentence")
    if statement is not None:
        return Draft.of(kept, PropertyStatement(*statement), outright=True)
    return Draft.of(kept, property_of(kept))


def edited(text: str, row: sqlite3.Row, settings: Settings, importance: float) -> Draft:
    """Return the new text of a known fact, read by the rules by which a new fact is stored.

    A text that was made of subject, attribute and value is read as one again.
    """
    policy = Policy.of(settings, row["category"])
    slot = {name: row[name] for name in ("subject", "attribute")}
    before, made, value = text.partition(f"{slot['subject']} {slot['attribute']}: ")
    given = FactInput(text=text)
    if all(slot.values()) and made and not before and value.strip():
        given = replace(given, **slot, value=value)
    draft = _draft_of(given, policy)
    refuse_recalled([draft.text])
    if draft.text != row["text"]:
        _refuse_noise([unwanted(draft.text, policy, importance)])
    return draft


def _refuse_noise(whys: Sequence[str]) -> None:
    """Refuse a batch of which every text is noise."""
    if all(whys):
        raise AllNoiseError(f"nothing to keep: {whys[0]}", hint="triage explains each text")


def _check_size(inputs: Sequence[FactInput], most: int) -> None:
    """Refuse a batch that is empty or larger than `most`."""
    if not inputs:
        raise MissingFactsError("there are no facts to store", hint="give facts or text")
    if len(inputs) > most:
        raise UnusableInputError(
            f"a batch of {len(inputs)} facts is too large",
            hint=f"at most {most} a call; the setting max_batch raises it",
        )


def checked_metadata(metadata: Mapping[str, Any] | None) -> str:
    """Return `metadata`, an object of JSON's types, as JSON text."""
    if metadata is None:
        return "{}"
    if not isinstance(metadata, Mapping):
        raise UsageError("metadata is an object", hint='{"team": "billing"}')
    try:
        text = json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"metadata cannot be written as JSON: {error}") from error
    return clean(text, what="metadata", limit=_MAX_METADATA)


def checked_importance(given: float | None, default: float) -> float:
    """Return an importance of 0 to 1: the given one, or the default."""
    if given is None:
        return default
    if not 0 <= given <= 1:
        raise UsageError(f'importance "{given}" is not between 0 and 1', hint="0.5, for example")
    return float(given)


def _checked_confidence(given: str) -> str:
    """Return a confidence that is known: low, medium or high."""
    if given not in CONFIDENCES:
        raise UsageError(f'confidence "{given}" is unknown', hint=one_of(given, CONFIDENCES))
    return given


def _checked_about(about: str | None) -> str:
    """Return the name of a slot as it is compared; empty where there is none."""
    if about is None:
        return ""
    named = name_key(clean(about, what="about", limit=MAX_NAME).strip())
    if not named:
        raise UsageError("about is empty", hint="name what the fact is about: user.home")
    return named


def _check_mixed(inputs: Sequence[FactInput]) -> None:
    groups = Counter(given.category for given in inputs)
    if len(groups) > 1:
        parts = ", ".join(f"{name or 'none'} ({count})" for name, count in groups.items())
        raise MixedBatchError(
            f"the batch mixes categories: {parts}", hint="make one call for each category"
        )
