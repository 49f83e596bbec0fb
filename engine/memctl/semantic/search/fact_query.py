"""Terms of a query: its words, with the variants that are looked for in their place as well."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.semantic.search.fact_words import dotless, query_words, signs
from memctl.text.aliases import Aliases
from memctl.text.cleaning import cleaned_question
from memctl.text.splitting import is_unspaced, quoted
from memctl.text.typos import TRUST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.store.store import Store
    from memctl.text.aliases import Expansion
    from memctl.text.splitting import Splitter, Token

__all__ = ["QueryTerm", "QueryTermVariant", "read_query", "respelt", "with_corrections"]

_WORD = Pattern(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class QueryTermVariant:
    """One way in which a fact can hold a word of a query."""

    match: str  # its FTS5 expression
    why: str = ""  # it counts, where it is not the word itself
    phrase: str = ""  # that is written then; empty for the word itself
    alias_of: str = ""  # the phrase of the query that it is an alias of
    trust: float = 1.0  # 0 to 1: how much it counts of the word itself
    repaired: bool = False  # the word was taken for another one, which it may not be


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One word of a query, and the variants of which a fact has to hold one."""

    word: str
    variants: tuple[QueryTermVariant, ...]


def read_query(query: str, store: Store, words: Splitter) -> list[QueryTerm]:
    """Return the terms of `query`, the aliases of its phrases included.

    `words` splits as the aliases are compared; it is asked only where the store has any.
    """
    texts = query_words(query)
    terms = [QueryTerm(text, (QueryTermVariant(_own_match(text)),)) for text in texts]
    terms += [QueryTerm(sign, (QueryTermVariant(quoted(sign)),)) for sign in signs(query)]
    aliases = Aliases(store)
    if not aliases.exist:
        return terms
    tokens = words.split([cleaned_question(query)])[0]
    expansions = aliases.expand(tokens, words)
    if not expansions:
        return terms
    own = dict(zip(texts, words.split(texts), strict=True))
    for expansion in expansions:
        covered = _covered(expansion, tokens, own)
        variant = _alias_variant(expansion)
        if covered:
            terms = [_or(one, variant) if one.word in covered else one for one in terms]
        else:  # words of grammar alone
            terms.append(QueryTerm(expansion.term, (variant,)))
    return terms


def _own_match(word: str) -> str:
    """Return the FTS5 expression of a word: of a Turkish one, whichever way its i is written."""
    return quoted(word) if word.isascii() else " OR ".join(map(quoted, dotless(word) or [word]))


def with_corrections(terms: Sequence[QueryTerm], corrected: Mapping[str, str]) -> list[QueryTerm]:
    """Return the terms with the words that some of them were taken for."""
    return [
        _or(one, _correction(one.word, corrected[one.word])) if one.word in corrected else one
        for one in terms
    ]


def respelt(query: str, corrected: Mapping[str, str]) -> str:
    """Return `query` with what some of its words were taken for."""
    return _WORD.sub(lambda word: corrected.get(word[0].lower(), word[0]), query)


def _correction(word: str, taken: str) -> QueryTermVariant:
    why = f'no fact holds "{word}", taken for "{taken}": {TRUST:.0%} of its weight'
    return QueryTermVariant(quoted(taken), why, taken, trust=TRUST, repaired=True)


def _alias_variant(expansion: Expansion) -> QueryTermVariant:
    term, synonym = expansion.term, expansion.synonym
    match = " AND ".join(quoted(word) for word in query_words(synonym))
    return QueryTermVariant(match, f'"{term}" also means "{synonym}"', synonym, alias_of=term)


def _or(one: QueryTerm, variant: QueryTermVariant) -> QueryTerm:
    return one if variant in one.variants else replace(one, variants=(*one.variants, variant))


def _covered(
    expansion: Expansion, tokens: Sequence[Token], own: Mapping[str, Sequence[Token]]
) -> set[str]:
    """Return the words of the query that stand in the phrase of it that has an alias."""
    stems = {token.stem for token in tokens[expansion.first : expansion.last + 1]}
    return {
        word
        for word, cut in own.items()
        if (is_unspaced(word) and word in expansion.term)
        or (cut and {token.stem for token in cut} <= stems)
    }
