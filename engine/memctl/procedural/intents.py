"""Intents: the skills that a person may ask for, by the words that their triggers share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from memctl.procedural.skill_records import Skill
from memctl.store.results import Result
from memctl.text.closed_words import word_heads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_LEAST = 0.5  # of the weight of a trigger's words, that a question holds
_APART = 0.1  # between the best and the next one, so that the best is meant


@dataclass(frozen=True, slots=True)
class SkillMatch(Result):
    """A skill that a text may ask for.

    ``trigger`` is its trigger, or its name, that is nearest. ``score`` is the share of its words, by
    idf over all skills, that the question holds, 0 to 1; ``terms`` are the shared words with their
    weights.
    """

    skill: Skill
    trigger: str
    score: float
    terms: tuple[tuple[str, float], ...]


def matching(question: str, skills: Sequence[Skill], *, limit: int = 5) -> list[SkillMatch]:
    """Find the skills that a question may ask for, the likeliest first.

    A word weighs ln((n + 1) / (skills that hold it + .5)), as in recall: a word of every skill says
    nothing.
    """
    asked = word_heads(question)
    texts = [(one, [*one.triggers, one.name.replace("-", " ")]) for one in skills]
    held = Counter(head for _, some in texts for head in set().union(*map(word_heads, some)))
    weight = {head: log((len(skills) + 1) / (count + 0.5)) + 0.1 for head, count in held.items()}
    best = (
        max((_match(skill, text, asked, weight) for text in some), key=lambda one: one.score)
        for skill, some in texts
    )
    result = [one for one in best if one.score >= _LEAST]
    result.sort(key=lambda one: (-one.score, -len(one.terms), one.skill.name))
    return result[:limit]


def chosen(matchs: Sequence[SkillMatch]) -> SkillMatch | None:
    """Return the match that is meant; ``None`` where there is none, or two are as likely."""
    if not matchs or (len(matchs) > 1 and matchs[0].score - matchs[1].score < _APART):
        return None
    return matchs[0]


def _match(skill: Skill, text: str, asked: set[str], weight: Mapping[str, float]) -> SkillMatch:
    words = word_heads(text)
    whole = sum(weight[word] for word in words)
    shared = sorted(words & asked, key=lambda word: (-weight[word], word))
    score = sum(weight[word] for word in shared) / whole if whole else 0.0
    terms = tuple((word, round(weight[word], 3)) for word in shared)
    return SkillMatch(skill, text, round(score, 3), terms)
