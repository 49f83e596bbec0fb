"""Which aliases brought the rows that answer a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from memctl.episodic.recall_results import Row
    from memctl.episodic.search.query_terms import Concept
    from memctl.episodic.search.turn_words import Words
    from memctl.text.aliases import Expansion

__all__ = ["used_aliases"]


def used_aliases(words: Words, concepts: Iterable[Concept], rows: Iterable[Row]) -> dict[str, str]:
    """Return the phrases of a question that brought a row by an alias, with that alias.

    Others are not told: aliases are the store's, and may be about facts of somebody else.
    """
    aliased = [concept for concept in concepts if concept.expansions]
    if not aliased:
        return {}
    asked = {word for one in aliased for together in one.alternatives for word in together}
    stems = words.stems(asked)
    told: dict[str, str] = {}
    for held in _held(words, [row for row in rows if not row.fallback]):
        present = {word for word in asked if stems.get(word) in held}
        used = (_used(concept, present) for concept in aliased)
        told |= {one.term: one.synonym for one in used if one is not None}
    return told


def _used(concept: Concept, present: Collection[str]) -> Expansion | None:
    """Return by which alias a row holds a concept; none where it holds the word itself."""
    if any(form in present for form in concept.forms):
        return None
    return next((e for e in concept.expansions if all(w in present for w in e.words)), None)


def _held(words: Words, rows: Iterable[Row]) -> Iterator[set[str]]:
    """Yield the stems that the index holds of each row."""
    texts = ["\n".join((row.text, row.details, *row.tags, *row.who)) for row in rows]
    spaced = words.split([text for text in texts if not is_unspaced(text)])
    for tokens in [*spaced, *(words.pieces(text) for text in texts if is_unspaced(text))]:
        yield {token.stem for token in tokens}
