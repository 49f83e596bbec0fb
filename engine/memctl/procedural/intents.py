"""Intents: which skill a person asks for, by the words that they share, each with its weight."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from memctl.text.content_words import word_heads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.procedural.skill_records import Skill

__all__ = ["SkillMatch", "chosen", "matching"]

_LEAST = 0.5  # of the weight of a trigger's words, that a question holds
_APART = 0.1  # between the best and the next one, so that the best is meant


@dataclass(frozen=True, slots=True)
class SkillMatch:
    """A skill that a text may ask for.

    Parameters
    ----------
    skill
        The skill.
    trigger
        The text of it that is nearest: a trigger, its name or its description.
    score
        Share of that text's words, by idf over all skills, that the question holds, 0 to 1.
    terms
        Each shared word with its weight.
    """

    skill: Skill
    trigger: str
    score: float
    terms: tuple[tuple[str, float], ...]


def matching(question: str, skills: Sequence[Skill], *, limit: int = 5) -> list[SkillMatch]:
    """Return the skills that a question may ask for, the likeliest first.

    A word weighs ln((n + 1) / (skills that hold it + .5)), as in recall: one that each skill holds
    tells nothing.
    """
    asked = word_heads(question)
    texts = {one.id: _texts(one) for one in skills}
    held = Counter(
        head for some in texts.values() for head in set().union(*map(word_heads, some.values()))
    )
    weight = {head: log((len(skills) + 1) / (count + 0.5)) + 0.1 for head, count in held.items()}
    found = []
    for skill in skills:
        best = max(
            (_scored(skill, trigger, asked, weight) for trigger in texts[skill.id].values()),
            key=lambda one: one.score,
        )
        if best.score >= _LEAST:
            found.append(best)
    found.sort(key=lambda one: (-one.score, -len(one.terms), one.skill.name))
    return found[:limit]


def chosen(found: Sequence[SkillMatch]) -> SkillMatch | None:
    """Return the match that is meant; ``None`` where there is none, or two are as likely."""
    if not found or (len(found) > 1 and found[0].score - found[1].score < _APART):
        return None
    return found[0]


def _texts(skill: Skill) -> dict[str, str]:
    """Return what tells a skill, longest texts last; one text once."""
    return {text: text for text in (*skill.triggers, skill.name.replace("-", " "))}


def _scored(skill: Skill, trigger: str, asked: set[str], weight: dict[str, float]) -> SkillMatch:
    words = word_heads(trigger)
    whole = sum(weight[word] for word in words)
    shared = sorted(words & asked, key=lambda word: (-weight[word], word))
    score = sum(weight[word] for word in shared) / whole if whole else 0.0
    terms = tuple((word, round(weight[word], 3)) for word in shared)
    return SkillMatch(skill, trigger, round(score, 3), terms)
