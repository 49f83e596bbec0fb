"""Finds facts within a scope: what a recall needs of them, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.categories import check_category
from memctl.base.errors import UsageError
from memctl.base.scope import Reach, Scope
from memctl.semantic.fences import strip_host_blocks
from memctl.semantic.records import Hits
from memctl.semantic.search.fact_filters import compile_filter
from memctl.semantic.search.searching import Searcher
from memctl.semantic.search.unindexed_facts import FactVocabulary
from memctl.semantic.sentences.normal import name_key
from memctl.semantic.sentences.properties import attribute_key
from memctl.semantic.times import moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.semantic.records import Fact, Hit
    from memctl.store.store import Store

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
    elsewhere
        Whether a word that no fact holds is known all the same, and so is no typo.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        scope: Scope | None = None,
        *,
        elsewhere: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._store = store
        self._elsewhere = elsewhere
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
        as_of: str | None = None,
        max_tokens: int | None = None,
        threshold: float = 0.0,
    ) -> Hits:
        """Return the facts that a query means, the most relevant first, each explained.

        Aliases of its words count as the words. A word that no fact within the scope holds is
        taken for one that does, where a letter or two differ; the answer says so. What the open
        session says otherwise answers alone, and what it says too is told once, as long-term.

        Parameters
        ----------
        scope
            ``session``, ``long-term`` or both.
        categories
            Only these.
        filters
            See `memctl.semantic.search.fact_filters`.
        as_of
            What held at the end of that day, or at that time.
        max_tokens
            A hard cap on what the texts cost.
        threshold
            Least score, 0 to 1.
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
                elsewhere=self._elsewhere,
            )

    def knows(
        self, words: Sequence[str], *, as_of: str | None = None, ever: bool = False
    ) -> frozenset[str]:
        """Return those of some words that a fact within the scope holds, as they are written.

        With `ever` a fact counts that holds at another time alone.
        """
        at = moment(as_of, what="as_of", last=True)
        if not self._store.exists:
            return frozenset()
        reading, condition = self._scope.reading(), compile_filter(None)
        searcher = Searcher(self._store, reading, condition, now=clock.now(), as_of=at)
        with self._store.snapshot():
            return searcher.known(words, ever=ever)

    def lookup(
        self, subject: str, attribute: str | None = None, *, as_of: str | None = None
    ) -> list[Fact]:
        """Return what holds of one thing, and of no other: its `attribute`, or all of them.

        What the open session says otherwise than is known for the long term answers alone.
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
        """Return what holds of some categories, the most important first."""
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
