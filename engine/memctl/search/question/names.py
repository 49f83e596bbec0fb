"""People that a question names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.store import statements
from memctl.text.closed_words import STOP_WORDS
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from memctl.store.store import Store

__all__ = ["find_names", "name_words"]

SQL = statements.load("store/search")

_WORD = Pattern(r"[^\W_]+")
# "Maria del Carmen Ruiz": longer names are found by their first words.
_MAX_WORDS = 4
# Questions longer than this are texts; a text is not searched for every name.
_MAX_QUESTION_WORDS = 200


def name_words(name: str) -> list[str]:
    """Return the words of a name, in lower case."""
    return [word.lower() for word in _WORD.findall(name)]


def find_names(store: Store, question: str) -> tuple[str, ...]:
    """Return the known participants that `question` names, in the order it names them.

    A person is named by the whole name or by its first word, whatever the case;
    ``Ann's`` names Ann.
    """
    words = _WORD.findall(question)[:_MAX_QUESTION_WORDS]
    grams = [
        " ".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, _MAX_WORDS + 1)
        if start + length <= len(words)
    ]
    grams = [gram for gram in grams if gram.lower() not in STOP_WORDS or gram[0].isupper()]
    spellings = set(grams)
    # SQLite compares names without case for ASCII alone, so other spellings are asked as well.
    foreign = [gram for gram in grams if not gram.isascii()]
    spellings |= {form for gram in foreign for form in (gram.title(), gram.upper())}
    spellings |= {gram[:-1] for gram in grams if gram.endswith("s") and len(gram) > 3}  # noqa: PLR2004  (Anns)
    parameters = {
        "spellings": json.dumps(sorted(spellings)),
        "question": question if is_unspaced(question) else None,
    }
    found = [row["name"] for row in store.rows(SQL.names_in_question, parameters)]
    places = {name: _place(name, words, question) for name in found}
    named = [name for name in found if places[name] >= 0 and name_words(name)]
    return tuple(sorted(named, key=lambda name: (places[name], name)))


def _place(name: str, words: list[str], question: str) -> int:
    """Return where `question` names somebody, counted in words; -1 if it does not."""
    parts = name_words(name)
    lowered = [word.lower() for word in words]
    for place, word in enumerate(lowered):
        if parts and word in {parts[0], parts[0] + "s"}:
            return place
    return len(words) if name in question else -1
