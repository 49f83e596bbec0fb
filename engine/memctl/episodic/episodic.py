"""The face of episodic memory: turns and episodes, their recall, retention and vectors.

Each part is loaded by the first call that needs it: a command needs one.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked, checked_class, hands_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.config.settings import Settings
    from memctl.episodic.episodes import Episodes
    from memctl.episodic.log import Log
    from memctl.episodic.recall_records import Feedback
    from memctl.episodic.recall_results import Recalled
    from memctl.episodic.retention import Retention
    from memctl.episodic.vectors.embed import Reembedded
    from memctl.store.store import Store
    from memctl.text.aliases import Aliases

__all__ = ["Episodic"]


@checked_class
class Episodic:
    """The turns and episodes of one store, and their recall.

    Parameters
    ----------
    store, settings
        An open store and its settings.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    @cached_property
    def turns(self) -> Log:
        """The raw turns: add, list, get."""
        from memctl.episodic.log import Log

        return Log(self._store)

    @cached_property
    def episodes(self) -> Episodes:
        """The episodes: add, list, get."""
        from memctl.episodic.episodes import Episodes

        return Episodes(self._store)

    @cached_property
    def aliases(self) -> Aliases:
        """Words that mean the same: add, list, remove."""
        from memctl.text.aliases import Aliases

        return Aliases(self._store)

    @cached_property
    def retention(self) -> Retention:
        """The retention of rows: archive, restore, erase."""
        from memctl.episodic.retention import Retention

        return Retention(self._store, self._settings)

    @hands_on
    def log(self, text: Any, *more: Any, **named: Any) -> int:
        """Add one raw turn to its thread; return its id. Takes the parameters of `Log.add`."""
        return self.turns.add(text, *more, **named)

    @hands_on
    def remember(self, summary: Any, *more: Any, **named: Any) -> int:
        """Remember one episode; return its id. Takes the parameters of `Episodes.add`."""
        return self.episodes.add(summary, *more, **named)

    def recall(
        self, query: Any, limit: int = 5, max_tokens: int | None = None, **narrowing: Any
    ) -> Recalled:
        """Return the turns and episodes that answer `query`, each with its explanation.

        The parameters are those of `memctl.episodic.recall_request.RecallRequest`.
        """
        from memctl.episodic.recall_request import RecallRequest
        from memctl.episodic.search.recall import recall_turns

        request = checked(RecallRequest)(query, limit, max_tokens, **narrowing)
        return recall_turns(self._store, self._settings, request)

    def holds(self, word: str) -> bool:
        """Return whether a word stands in a turn or an episode."""
        from memctl.episodic.search.turn_words import TurnWords
        from memctl.episodic.unindexed import reading_unindexed

        if not self._store.exists:
            return False
        with self._store.snapshot(), reading_unindexed(self._store):
            return TurnWords(self._store).any_occurs([word])

    def feedback(
        self, recall: int, used: Iterable[int | str] = (), outcome: str | None = None
    ) -> Feedback:
        """Mark which rows of a recall helped, and how it went. See `give_feedback`."""
        from memctl.episodic.recall_records import give_feedback

        return give_feedback(self._store, recall, used=used, outcome=outcome)

    def reembed(self) -> Reembedded:
        """Compute the fallback's vectors again, of every turn and episode."""
        from memctl.episodic.vectors.embed import Embedder

        return Embedder(self._store, self._settings).reembed()
