"""Erasure of questions that were asked of recall, where they tell of what was erased."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.search.index.index_words import IndexWords
from memctl.search.index.unindexed import index_rows
from memctl.store import statements
from memctl.text.content_words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memctl.store.store import Store

__all__ = ["erase_questions"]

SQL = statements.load("store/episodic_recording")

# Questions that are read at once.
_PAGE = 1_000


def erase_questions(store: Store, texts: Iterable[str]) -> None:
    """Erase the questions that hold a word which the erased texts alone had held.

    A word that another row holds tells of that one as well,
    and stays; so does a misspelling, which holds no word of the texts. The rows of the texts are
    gone already.
    """
    words = {word for text in texts for word in content_words(text)}
    index_rows(store)
    vocabulary = IndexWords(store)
    gone = {word for word in words if not vocabulary.any_occurs([word])}
    if not gone:
        return
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


def _stems(vocabulary: IndexWords, words: Iterable[str]) -> dict[str, frozenset[str]]:
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
