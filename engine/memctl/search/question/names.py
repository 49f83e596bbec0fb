"""People that a question names."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.text.closed_words import STOP_WORDS
from memctl.text.normal import ARTICLES
from memctl.text.splitting import WORD, is_unspaced, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.store.store import Store
    from memctl.text.aliases import Expansion

SQL = statements.load("store/search")

# "Maria del Carmen Ruiz": longer names are found by their first words.
_MAX_WORDS = 4
# Questions longer than this are texts; a text is not searched for every name.
_MAX_QUESTION_WORDS = 200


@dataclass(frozen=True, slots=True)
class Name:
    """Somebody whom a question names.

    Parameters
    ----------
    name
        A participant that the memory knows.
    spellings
        All names that rows may have for the same person: `name`, and its aliases.
    expansions
        The aliases of the phrase that names it.
    """

    name: str
    spellings: frozenset[str]
    expansions: tuple[Expansion, ...] = ()

    @property
    def words(self) -> set[str]:
        """The words of all spellings, in lower case."""
        return {word for spelling in self.spellings for word in name_words(spelling)}

    @property
    def match(self) -> str:
        """The FTS5 expression of the rows that have one of the spellings whole."""
        wholes = (
            " AND ".join(map(quoted, name_words(spelling))) for spelling in sorted(self.spellings)
        )
        return " OR ".join(f"({whole})" for whole in wholes)


def name_words(name: str) -> list[str]:
    """Return the words of a name, in lower case, without an article before them."""
    words = [word.lower() for word in WORD.findall(name)]
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words


def find_names(
    store: Store, question: str, expansions: Sequence[Expansion] = ()
) -> tuple[Name, ...]:
    """Return the known participants that `question` names, in the order it names them.

    A person is named by the whole name or by its first word, whatever the case;
    ``Ann's`` names Ann. An alias of a phrase of the question names whom the phrase means.
    """
    texts = [question, *(expansion.synonym for expansion in expansions)]
    parameters = {
        "spellings": json.dumps(sorted(set().union(*map(_asked, texts)))),
        "question": question if is_unspaced(question) else None,
    }
    by_phrase: dict[str, list[tuple[int, str]]] = {}  # by the phrase that names somebody
    for row in store.rows(SQL.names_in_question, parameters):
        name = row["name"]
        place = _place(name, question)
        via = next((e for e in expansions if _begins(name, e.synonym, e.term)), None)
        if place < 0 and via is not None:
            place = _place(via.term, question)
        if place >= 0 and name_words(name):
            by_phrase.setdefault(via.term if via else name, []).append((place, name))
    ordered = sorted(by_phrase.items(), key=lambda named: min(named[1]))
    return tuple(_named(phrase, names, expansions) for phrase, names in ordered)


def _named(phrase: str, names: list[tuple[int, str]], expansions: Sequence[Expansion]) -> Name:
    via = tuple(expansion for expansion in expansions if expansion.term == phrase)
    aliases = {phrase, *(e.synonym for e in via)} if via else set()
    return Name(min(names)[1], frozenset(aliases.union(name for _, name in names)), via)


def _begins(name: str, *phrases: str) -> bool:
    """Return whether a name is one of some phrases, or one of both is the beginning of the other."""
    words = name_words(name)
    said = map(name_words, phrases)
    return any(phrase and words[: len(phrase)] == phrase[: len(words)] for phrase in said)


def _asked(text: str) -> set[str]:
    """Return the possible names in a text: its runs of up to four words, and their spellings."""
    words = WORD.findall(text)[:_MAX_QUESTION_WORDS]
    grams = [
        " ".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, _MAX_WORDS + 1)
        if start + length <= len(words)
    ]
    grams = [gram for gram in grams if gram.lower() not in STOP_WORDS or gram[0].isupper()]
    # SQLite compares names without case for ASCII alone, so other spellings are asked as well.
    foreign = [gram for gram in grams if not gram.isascii()]
    shorter = [gram[:-1] for gram in grams if gram.endswith("s") and len(gram) > 3]  # noqa: PLR2004  (Anns)
    return {*grams, *shorter, *(f for g in foreign for f in (g.title(), g.upper()))}


def _place(name: str, text: str) -> int:
    """Return where `text` names somebody, counted in words; -1 if it does not."""
    parts = name_words(name)
    words = [word.lower() for word in WORD.findall(text)[:_MAX_QUESTION_WORDS]]
    for place, word in enumerate(words):
        if parts and word in {parts[0], parts[0] + "s"}:
            return place
    return len(words) if name in text else -1
