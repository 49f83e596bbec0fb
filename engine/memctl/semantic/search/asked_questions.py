"""Erasure of questions that were asked of recall, where they tell of a fact that was erased."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.semantic.search.fact_filters import Condition
from memctl.semantic.search.fact_words import content_words
from memctl.semantic.search.unindexed_facts import FactVocabulary, read_unindexed
from memctl.semantic.search.word_rows import WordRows
from memctl.store import statements
from memctl.text.splitting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memctl.store.store import Store
    from memctl.text.splitting import KnownWords

__all__ = ["erase_questions"]

SQL = statements.load("store/fact")

# Questions that are read at once.
_PAGE = 1_000


def erase_questions(store: Store, texts: Iterable[str], known_words: KnownWords) -> None:
    """Erase the questions that hold a word which the erased texts alone had held.

    A word that another fact, a turn or an episode (`known_words`) holds tells of that one as well,
    and stays; so does a misspelling, which holds no word of the texts. The rows of the texts are
    gone already.
    """
    words = {word for text in texts for word in content_words(text)}
    gone = {word for word in _unheld(store, words) if not known_words.holds(word)}
    if not gone:
        return
    vocabulary = FactVocabulary(store)
    stems = frozenset[str]().union(*_stems(vocabulary, gone).values())
    for page in _pages(store):
        asked = {number: content_words(question) for number, question in page}
        known = _stems(vocabulary, {word for one in asked.values() for word in one})
        found = [
            number
            for number, one in asked.items()
            if any(not stems.isdisjoint(known[word]) for word in one)
        ]
        if found:
            store.execute(SQL.erase_questions, {"ids": json.dumps(found)})


def _unheld(store: Store, words: set[str]) -> set[str]:
    """Return those of some words that no fact holds, whoever's."""
    with read_unindexed(store) as unindexed:
        rows = WordRows(store, {}, Condition(), unindexed)
        return {word for word in words if not rows.count(quoted(word))}


def _stems(vocabulary: FactVocabulary, words: Iterable[str]) -> dict[str, frozenset[str]]:
    listed = sorted(words)
    cut = vocabulary.split(listed)
    return {
        word: frozenset(token.stem for token in tokens)
        for word, tokens in zip(listed, cut, strict=True)
    }


def _pages(store: Store) -> Iterator[list[tuple[int, str]]]:
    after = -1
    while page := store.rows(SQL.questions, {"after": after, "most": _PAGE}):
        yield [(row[0], row[1]) for row in page]
        after = page[-1][0]
