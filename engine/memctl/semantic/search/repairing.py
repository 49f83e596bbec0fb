"""Takes a word that no fact holds for one that a fact holds, where a letter or two differ.

Only facts that the search may answer with count: a word that stands in others' facts alone,
or in one that is forgotten, expired or waits, is as good as unknown, and nothing is ever
taken for it. Whoever asks learns no word that is not in a fact of theirs, as it stands there.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from memctl.text.splitting import Token, quoted
from memctl.text.typos import as_written, is_repairable, longer_names, repairs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.semantic.search.fact_query import Sought
    from memctl.semantic.search.fact_vocabulary import FactVocabulary
    from memctl.semantic.search.word_rows import WordRows
    from memctl.text.splitting import KnownWords

__all__ = ["corrections"]

# Words of one query, and spellings of one word, that are looked for.
_MAX_REPAIRS = 2
_MAX_SPELLINGS = 20
# Facts that hold a spelling, which are read to see how they write it.
_MAX_READ = 20


def corrections(
    unseen: Iterable[Sought],
    rows: WordRows,
    vocabulary: FactVocabulary,
    known_words: KnownWords,
) -> dict[str, str]:
    """Return words of a query that no fact holds, and what they were taken for.

    Parameters
    ----------
    unseen
        What is looked for and was found in no fact that answers.
    known_words
        The words of turns and episodes: they are no typos of a fact's.
    """
    found: dict[str, str] = {}
    tried = 0
    for one in unseen:
        folded = _folded(one.word, vocabulary)
        if not is_repairable(folded):
            continue
        # A word that a filter leaves out is no typo.
        if any(rows.stands(form.match, filtered=False) for form in one.forms):
            continue
        if tried == _MAX_REPAIRS:
            break
        tried += 1
        taken = None if known_words.holds(one.word) else _taken(folded, rows, vocabulary)
        if taken is not None:
            found[one.word] = taken
    return found


def _taken(word: str, rows: WordRows, vocabulary: FactVocabulary) -> str | None:
    """Return a word as a fact writes it; the whole of a name that begins so, where it is one."""
    for token in islice(repairs(word, vocabulary), _MAX_SPELLINGS):
        texts = rows.texts(quoted(token.surface), most=_MAX_READ)
        written = as_written(word, token, texts, vocabulary)
        if written is not None:
            return written
    longer = [
        (stem, texts)
        for stem in longer_names(word, vocabulary)[:_MAX_SPELLINGS]
        if (texts := rows.texts(quoted(stem), most=_MAX_READ))
    ]
    if len(longer) != 1:
        return None
    ((stem, texts),) = longer
    return as_written(word, Token(stem, stem), texts, vocabulary)


def _folded(word: str, vocabulary: FactVocabulary) -> str:
    """Return a word without the marks that the index leaves out; empty where it is no single one."""
    if word.isascii():
        return word.lower()
    tokens = vocabulary.split([word])[0]
    return tokens[0].surface if len(tokens) == 1 else ""
