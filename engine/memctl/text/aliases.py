"""Aliases: words and names that mean the same, followed both ways and through each other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.near_words import meant
from memctl.guard import door
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, page_of, read_page
from memctl.store.results import Result
from memctl.text.cleaning import cleaned
from memctl.text.closed_words import STOP_WORDS
from memctl.text.normal import ARTICLES, equal_key, name_key
from memctl.text.splitting import WORD, is_unspaced

if TYPE_CHECKING:
    from memctl.store.store import Store
    from memctl.text.splitting import Splitter, Token

SQL = statements.load("store/wording")

_HEAD = 2
_BEFORE_NAMES = tuple(f"{article} " for article in ARTICLES)


@dataclass(frozen=True, slots=True)
class Alias(Result):
    """Two words, or short phrases, that mean the same."""

    term: str
    synonym: str
    added_at: str

    @property
    def pair(self) -> tuple[str, str]:
        """Both words."""
        return self.term, self.synonym


@dataclass(frozen=True, slots=True)
class Entity(Result):
    """A person or a thing that has several names.

    Parameters
    ----------
    names
        All of them, however many aliases away from each other.
    kind
        A person said something or took part in an episode; of a thing the memory has facts.
    """

    names: tuple[str, ...]
    kind: Literal["person", "thing"]


@dataclass(frozen=True, slots=True)
class Expansion(Result):
    """A phrase of a question and another that means the same.

    Parameters
    ----------
    first, last
        Places of the phrase's first and last token in the question.
    term, synonym
        The phrase and the other one, as they were added.
    words
        The words of `synonym`, as the index splits them, without an article before them.
    spelt
        Whether it is no alias, but the same written otherwise.
    """

    first: int
    last: int
    term: str
    synonym: str
    words: tuple[str, ...]
    spelt: bool = False


@checked_class
class Aliases(StoreCollection[Alias]):
    """The aliases of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @door.guarded("alias")
    def add(self, term: str, synonym: str) -> Alias:
        """Let `term` and `synonym` find each other; adding it again changes nothing.

        Raises
        ------
        UsageError
            When one has no word, or only words of grammar in small letters, or both are the same.
        UnusableInputError
            When one is longer than a name may be.
        """
        first, other = _phrase(term), _phrase(synonym)
        if first.lower() == other.lower():
            raise UsageError(f'"{first}" is an alias of itself already', hint="name two words")
        alias = Alias(first, other, clock.now())
        with self._store.transaction():
            self._store.execute(
                SQL.add_alias, {"term": first, "synonym": other, "added_at": alias.added_at}
            )
        return alias

    @door.guarded("alias")
    def remove(self, term: str, synonym: str | None = None) -> int:
        """Remove one alias, or all of `term`, either way round; return how many.

        Raises
        ------
        NotFoundError
            When there is none.
        """
        parameters = {"term": term.strip(), "synonym": synonym.strip() if synonym else None}
        with self._store.transaction():
            removed = self._store.execute(SQL.remove_alias, parameters)
        if not removed:
            raise self._unknown(term, synonym)
        return removed

    def get(self, term: str) -> Sequence[Alias]:
        """Return the aliases of a word, either way round.

        Raises
        ------
        NotFoundError
            When there is none.
        """
        result = [alias for alias in self.list() if term.lower() in map(str.lower, alias.pair)]
        if not result:
            raise self._unknown(term)
        return result

    def _unknown(self, term: str, synonym: str | None = None) -> NotFoundError:
        known = [word for alias in self.list() for word in alias.pair]
        unknown = [alias for alias in (term, synonym) if alias and alias.strip() not in known]
        listed = "memctl alias list"
        hint = meant(unknown[0], known, listed) if unknown else listed
        missing = f'alias "{synonym}" of "{term}"' if synonym else f'alias of "{term}"'
        return NotFoundError(f"there is no {missing}", hint=hint)

    def _members(self) -> Sequence[Alias]:
        return self.list()

    @property
    def exist(self) -> bool:
        """Return whether there is any; one row is looked at."""
        return self._store.exists and self._store.row(SQL.any_alias) is not None

    def _pairs(self) -> list[tuple[str, str]]:
        return [(row["term"], row["synonym"]) for row in self._store.rows(SQL.alias_pairs)]

    def entities(self, *, limit: int | None = None) -> ListPage[Entity]:
        """Return the people and things that have several names, by their first name.

        Parameters
        ----------
        limit
            Most entities; ``None`` for all.
        """
        if not self._store.exists:
            return ListPage()
        groups = _distinct(_groups(self._pairs()))
        keys = [[phrase, name_key(phrase)] for group in groups for phrase in group]
        known = {
            row["name"]: row for row in self._store.rows(SQL.named, {"names": json.dumps(keys)})
        }
        result = [
            Entity(names, "person" if any(known[name]["acts"] for name in names) else "thing")
            for names in sorted(tuple(sorted(group)) for group in groups)
            if any(known[name]["acts"] or known[name]["told_of"] for name in names)
        ]
        return page_of(result, limit)

    def spellings(self, *names: str) -> frozenset[str]:
        """Return some names with all other names of the same people and things."""
        result, keys = {*names}, {equal_key(name) for name in names}
        for group in _distinct(_groups(self._pairs() if self._store.exists else [])):
            if not keys.isdisjoint(map(equal_key, group)):
                result |= group
        return frozenset(result)

    def expand(self, question: Sequence[Token], words: Splitter, text: str) -> list[Expansion]:
        """Return the other meanings of the phrases of a question.

        A phrase in a script without spaces is found inside of a word too: there the index
        cuts no words. A phrase of words of grammar alone is found as it was added: "WHO" is no
        "who".

        Parameters
        ----------
        question, text
            The tokens of the question, and the question.
        words
            Splits the aliases as the question was split.
        """
        pairs = self._pairs()
        if not pairs:
            return []
        near = _beginning_like(question, dict.fromkeys(phrase for pair in pairs for phrase in pair))
        placed = [
            (phrase, place)
            for phrase, tokens in zip(near, map(_telling, words.split(near)), strict=True)
            if phrase in text or any(token.surface not in STOP_WORDS for token in tokens)
            for place in _places(tokens, question)
        ]
        if not placed:
            return []
        groups = _groups(pairs)
        others = sorted({other for phrase, _ in placed for other in groups[phrase.lower()]})
        tokens_of = dict(zip(others, map(_telling, words.split(others)), strict=True))
        return [
            Expansion(first, last, phrase, other, tuple(t.surface for t in tokens_of[other]))
            for phrase, (first, last) in placed
            for other in sorted(groups[phrase.lower()] - {phrase})
            if tokens_of[other] and other.lower() != phrase.lower()
        ]

    def list(self, *, limit: int | None = None) -> ListPage[Alias]:
        """Return the aliases, what was added last first.

        Parameters
        ----------
        limit
            Most aliases; ``None`` for all.
        """
        if not self._store.exists:
            return ListPage()
        return read_page(self._store, SQL.aliases, {}, lambda row: Alias(**dict(row)), limit)


def _phrase(text: str) -> str:
    phrase = " ".join(cleaned(text, what="alias", limit=door.MAX_NAME).split())
    words = WORD.findall(phrase.lower())
    if not words:
        error = f'"{phrase}" has no word' if phrase else "an alias is empty"
        raise UsageError(error, hint='memctl alias add "NYC" "New York"')
    if phrase.lower() == phrase and STOP_WORDS.issuperset(words) and phrase.isascii():
        raise UsageError(
            f'"{phrase}" is in every other question: it can mean nothing else',
            hint=f'write a name as it is written: "{phrase.upper()}"',
        )
    return phrase


def _groups(pairs: list[tuple[str, str]]) -> dict[str, set[str]]:
    """Return the group of aliases of each phrase, in lower case, however many steps away."""
    groups: dict[str, set[str]] = {}
    for term, synonym in pairs:
        few = groups.setdefault(term.lower(), {term})
        many = groups.setdefault(synonym.lower(), {synonym})
        if few is many:
            continue
        few, many = sorted((few, many), key=len)  # each phrase moves only to groups twice as large
        many |= few
        groups.update(dict.fromkeys((phrase.lower() for phrase in few), many))
    return groups


def _distinct(groups: Mapping[str, set[str]]) -> Iterable[set[str]]:
    """Return each group once."""
    return {id(group): group for group in groups.values()}.values()


def _beginning_like(question: Sequence[Token], phrases: Iterable[str]) -> list[str]:
    """Return the phrases whose first word could be one of the question's: the others stay unread.

    Stemming never changes the first letters of a word, and articles do not count.
    """
    heads = {word[:_HEAD] for word in (*(t.surface for t in question), *_BEFORE_NAMES)}
    return [
        phrase
        for phrase in phrases
        if phrase[:_HEAD].lower() in heads
        or not (phrase[:_HEAD].isascii() and phrase[:_HEAD].isalnum())
    ]


def _telling(phrase: Sequence[Token]) -> Sequence[Token]:
    """Return the words of a phrase without the article before them: "my boss" is "the boss"."""
    return phrase[1:] if len(phrase) > 1 and phrase[0].surface in ARTICLES else phrase


def _places(phrase: Sequence[Token], question: Sequence[Token]) -> list[tuple[int, int]]:
    """Return the places in the question at which the words of a phrase follow each other."""
    if not phrase:
        return []
    if len(phrase) == 1 and is_unspaced(phrase[0].surface):
        inside = phrase[0].surface
        return [(i, i) for i, token in enumerate(question) if inside in token.surface]
    stems, size = [token.stem for token in phrase], len(phrase)
    return [
        (start, start + size - 1)
        for start in range(len(question) - size + 1)
        if [token.stem for token in question[start : start + size]] == stems
    ]
