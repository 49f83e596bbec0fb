"""Facts near to a text that was just stored, and what the text does to each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.semantic.records import NearFact
from memctl.text.normal import name_key, without_opening, without_reason
from memctl.text.properties import attribute_key
from memctl.text.relation import SURE, relation
from memctl.text.statement import read

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memctl.semantic.drafts import Draft
    from memctl.semantic.finding import FactReading
    from memctl.semantic.records import Fact
    from memctl.text.relation import Relation

# Share of a text's idf that a fact holds from where on it is named: in a week of 60 statements,
# all but 1 of 25 changes share as much (`python -m benchmarks.facts`).
_LEAST = 0.15
# From this score on a text ends an older fact that opens with its day: "As of 1 May, ...".
_DATED = 0.7
# A change in quite other words is looked for among so many of the newest facts.
_NEWEST = 40


class NearFacts(NamedTuple):
    """Facts near to a stored text.

    Parameters
    ----------
    near
        Those to be named, the nearest first.
    ended
        Those that it replaces for sure.
    older
        The one that it may replace, most likely; ``None`` for none.
    newer
        One that began later and may replace the text itself.
    """

    near: tuple[NearFact, ...] = ()
    ended: tuple[Fact, ...] = ()
    older: Fact | None = None
    newer: Fact | None = None


def near_facts(
    reading: FactReading,
    draft: Draft,
    owner: Mapping[str, str],
    *,
    since: str,
    besides: Collection[str],
    most: int,
) -> NearFacts:
    """Return the valid facts near to a stored text, and its relation to them.

    Parameters
    ----------
    draft
        The text; it is stored by now.
    owner
        ``user_id``, ``agent_id``, ``project`` and ``session_id`` of the text: nobody else's facts
        are named.
    since
        When the text begins to hold: it replaces nothing that began later.
    besides
        Ids that are not named: the text's own, and what it replaced.
    most
        Most facts that are named.
    """
    whose = (owner["user_id"], owner["agent_id"], owner["project"])
    likely = [
        (fact, likeness)
        for fact, likeness in reading.nearest(draft.text, least=_LEAST)
        if fact.id not in besides and (fact.user_id, fact.agent_id, fact.project) == whose
    ]
    if read(draft.text).change:
        known = {fact.id for fact, _ in likely} | {*besides}
        likely += [
            (fact, 0.0)
            for fact in reading.newest(
                owner,
                _NEWEST,
                lambda id_, text: id_ not in known and relation(draft.text, text).changes,
            )
        ]
    sure = _DATED if draft.since else SURE
    near: list[tuple[float, NearFact]] = []
    ended: list[Fact] = []
    later: list[Fact] = []
    older: tuple[float, Fact] | None = None
    for fact, likeness in likely:
        # What only a session says, ends nothing that is long-term, or another session's. What was
        # written under a clock that is ahead is no news of tomorrow.
        same_session = fact.session_id == owner["session_id"]
        began = min(fact.valid_from, fact.created_at)
        does = _relation(draft, fact) if same_session and began <= since else None
        may = does is not None and does.changes
        if does is not None and may and does.kind == "replaces" and does.score >= sure:
            ended.append(fact)
        elif does is not None and may and (older is None or does.score + likeness > older[0]):
            older = (does.score + likeness, fact)
        elif likeness and same_session and began > since:
            later += [fact] if relation(fact.text, draft.text).changes else []
        if likeness or may:
            weight = likeness + (does.score if does is not None and may else 0)
            named = NearFact(fact.id, fact.text, round(likeness, 2), _same_slot(draft, fact), may)
            near.append((weight, named))
    near.sort(key=lambda pair: -pair[0])
    return NearFacts(
        tuple(named for _, named in near[:most]),
        tuple(ended),
        older[1] if older else None,
        later[0] if later else None,
    )


def _relation(draft: Draft, fact: Fact) -> Relation:
    new, old = (without_reason(without_opening(text)) for text in (draft.text, fact.text))
    return relation(new, old)


def _same_slot(draft: Draft, fact: Fact) -> bool:
    """Return whether both are about one property of one thing."""
    if draft.subject_key is None:
        return False
    slot = (name_key(fact.subject or ""), attribute_key(fact.attribute or ""))
    return slot == (draft.subject_key, draft.attribute_key)
