"""Proposals of a language model: its prompt, and its answer checked before anything is done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.categories import KINDS
from memctl.base.errors import UnusableInputError
from memctl.base.packaged import text_in
from memctl.text.closed_words import word_heads

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST = 10
_LONGEST = 500
_GROUNDED = 0.5  # more of its words than that stand in the text
_CONFIDENCE = 0.7
_KEYS = frozenset({"text", "category", "confidence"})


class ProposedFact(NamedTuple):
    """A fact that a model proposes, and the number of the sentence that is nearest to it."""

    text: str
    category: str
    confidence: float
    nearest: int
    why_not: str  # it is not grounded; empty where it is


def prompt() -> str:
    """Return the system prompt of an extraction, with the shape of the answer."""
    kinds = "\n".join(f"- {kind.category}: {kind.covers}" for kind in KINDS.values())
    return text_in("memctl.extraction", "prompt.md").replace("{categories}", kinds)


def proposed(
    ask: Callable[[str, str], Any], sentences: Sequence[str], *, said_at: str
) -> list[ProposedFact]:
    """Ask a model for the facts of some sentences, none of them skipped by a rule.

    Raises UnusableInputError when the answer is no list of at most ten facts, each with a text and
    a known category.
    """
    answer = ask(prompt(), f"Said on {said_at[:10]}:\n\n" + "\n".join(sentences))
    if isinstance(answer, Mapping) and set(answer) == {"facts"}:
        answer = answer["facts"]
    if not isinstance(answer, list):
        raise _unusable(f"is {type(answer).__name__}, no list of facts")
    if len(answer) > _MOST:
        raise _unusable(f"has {len(answer)} facts, more than {_MOST}")
    words = [word_heads(sentence) for sentence in sentences]
    return [_proposal(number, one, words) for number, one in enumerate(answer, 1)]


def _proposal(number: int, one: Any, sentences: Sequence[set[str]]) -> ProposedFact:
    if not isinstance(one, Mapping) or not set(one) <= _KEYS:
        raise _unusable(
            f'has a fact {number} that is no object of "text", "category", "confidence"'
        )
    text, category = one.get("text"), one.get("category")
    if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST:
        raise _unusable(f"has a fact {number} whose text is none of 1 to {_LONGEST} characters")
    if not isinstance(category, str) or category not in KINDS:
        raise _unusable(f'has a fact {number} of the category "{category!s:.30}"')
    confidence = one.get("confidence", _CONFIDENCE)
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)):
        raise _unusable(f"has a fact {number} whose confidence is no number")
    if not 0 <= confidence <= 1:
        raise _unusable(f"has a fact {number} whose confidence is not within 0 and 1")
    words = word_heads(text) - {"user"}
    nearest = max(range(len(sentences)), key=lambda n: len(words & sentences[n]))
    held = len(words & set().union(*sentences))
    grounded = bool(words) and held > _GROUNDED * len(words)
    why_not = "" if grounded else "most of its words do not stand in the text"
    return ProposedFact(" ".join(text.split()), category, float(confidence), nearest, why_not)


def _unusable(how: str) -> UnusableInputError:
    return UnusableInputError(
        f"the model's answer {how}", hint="nothing was kept; extract works without a model, too"
    )
