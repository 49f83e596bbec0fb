"""Finds facts within a scope: what a recall needs of them, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.categories import check_category
from memctl.base.errors import UsageError
from memctl.base.scope import Reach, Scope
from memctl.semantic.host_blocks import strip_host_blocks
from memctl.semantic.moments import moment
from memctl.semantic.records import Hits
from memctl.semantic.search.fact_filters import compile_filter
from memctl.semantic.search.fact_vocabulary import FactVocabulary
from memctl.semantic.search.searching import Searcher
from memctl.semantic.sentences.normal import name_key
from memctl.semantic.sentences.properties import attribute_key
from memctl.text.splitting import NO_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.base.clock import When
    from memctl.config.settings import Settings
    from memctl.semantic.records import Fact, Hit
    from memctl.store.store import Store
    from memctl.text.splitting import KnownWords

__all__ = ["FactFinder", "with_categories"]


@checked_class
class FactFinder:
    """The facts of one open store, within one scope, to find.

    Parameters
    ----------
    store
        The open store; read-only for a subagent.
    settings
        Its settings.
    scope
        Whose facts: set here once, narrowed by calls, widened by none.
    known_words
        The words of turns and episodes: they are no typos of a fact's.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        scope: Scope | None = None,
        *,
        known_words: KnownWords = NO_WORDS,
    ) -> None:
        self._store = store
        self._known_words = known_words
        self._settings = settings
        self._scope = scope or Scope()
        if self._scope.subagent and not store.readonly:
            raise UsageError("a subagent opens its store read-only", hint="open it with readonly")

    @property
    def scope(self) -> Scope:
        """Whose facts these are."""
        return self._scope

    def search(
        self,
        query: str,
        *,
        limit: int = 5,
        user_id: str | None = None,
        agent_id: str | None = None,
        scope: Reach = "all",
        categories: Sequence[str] = (),
        filters: Mapping[str, Any] | None = None,
        as_of: When | None = None,
        max_tokens: int | None = None,
        threshold: float = 0.0,
    ) -> Hits:
        """Return the facts that a query means, the most relevant first, each explained.

        Aliases of its words count as the words. A word that no fact within the scope holds is
        taken for one that does, where a letter or two differ; the answer says so. What the open
        session says otherwise answers alone, and what it says too is told once, as long-term.

        Parameters
        ----------
        query
            A question or words; no sign in it is an operator.
        limit
            Most facts.
        user_id, agent_id
            Only this user's or agent's, within the scope that the store was opened with.
        scope
            ``session``, ``long-term`` or ``all``.
        categories
            Only these.
        filters
            ``{"field": value}`` or ``{"field": {"op": value}}``, nested with ``AND``, ``OR`` and
            ``NOT``; operators ``eq ne gt gte lt lte in nin contains icontains``, fields as the
            attributes of a fact and ``metadata.KEY``.
        as_of
            Only facts that held at that time, or at the end of that day: ISO-8601 text, a
            `datetime`, a `date` or a `timedelta` from now.
        max_tokens
            A hard cap on the (estimated) tokens of all texts together.
        threshold
            Least score, 0 to 1.

        Raises
        ------
        UsageError
            When a limit, a time, a category or a filter is not allowed.
        OutOfScopeError
            When the store was opened for another user or agent.
        """
        if limit < 1 or (max_tokens is not None and max_tokens < 0):
            raise UsageError(f'limit "{limit}" is too small', hint="at least 1")
        condition = compile_filter(with_categories(filters, categories))
        reading = self._scope.narrowed(user=user_id, agent=agent_id).reading(scope)
        at = moment(as_of, what="as_of", last=True)
        if not self._store.exists:
            return Hits(note="no fact was stored yet")
        searcher = Searcher(self._store, reading, condition, now=clock.now(), as_of=at)
        FactVocabulary(self._store).prepare()
        with self._store.snapshot():
            return searcher.search(
                strip_host_blocks(query),
                limit=limit,
                max_tokens=max_tokens,
                threshold=threshold,
                known_words=self._known_words,
            )

    def knows(
        self, words: Sequence[str], *, as_of: When | None = None, ever: bool = False
    ) -> frozenset[str]:
        """Return those of some words that a fact within the scope holds, as they are written.

        Parameters
        ----------
        words
            The words to look for.
        as_of
            The time at which a fact holds; now by default.
        ever
            Count facts that hold at another time, too.
        """
        at = moment(as_of, what="as_of", last=True)
        if not self._store.exists:
            return frozenset()
        reading, condition = self._scope.reading(), compile_filter(None)
        searcher = Searcher(self._store, reading, condition, now=clock.now(), as_of=at)
        with self._store.snapshot():
            return searcher.known(words, ever=ever)

    def lookup(
        self, subject: str, attribute: str | None = None, *, as_of: When | None = None
    ) -> list[Fact]:
        """Return the facts that hold of one thing, and of no other.

        Where the open session says otherwise than the long term, the session's facts answer.

        Parameters
        ----------
        subject, attribute
            The thing, and its property; all of its properties where none is named.
        as_of
            The time at which they hold; now by default.
        """
        at = moment(as_of, what="as_of", last=True)
        if not self._store.exists:
            return []
        condition = compile_filter(None)
        searcher = Searcher(
            self._store, self._scope.reading(), condition, now=clock.now(), as_of=at
        )
        return searcher.about(name_key(subject), attribute_key(attribute))

    def standing(
        self, categories: Sequence[str], *, limit: int, scope: Reach = "long-term"
    ) -> list[Hit]:
        """Return the facts of some categories, the most important first.

        Parameters
        ----------
        categories, limit
            The categories, and the most facts of all together.
        scope
            ``session``, ``long-term`` or ``all``.
        """
        if not self._store.exists or limit < 1:
            return []
        condition = compile_filter({"category": {"in": list(categories)}})
        reading = self._scope.reading(scope)
        return Searcher(self._store, reading, condition, now=clock.now()).holding(limit)


def with_categories(
    filters: Mapping[str, Any] | None, categories: Sequence[str]
) -> Mapping[str, Any] | None:
    """Return a filter that `categories` pass only, as well as what it asked before.

    Raises
    ------
    UsageError
        When one of them is unknown.
    """
    if not categories:
        return filters
    for category in categories:
        check_category(category)
    wanted: Mapping[str, Any] = {"category": {"in": list(categories)}}
    return {"AND": [wanted, filters]} if filters else wanted
