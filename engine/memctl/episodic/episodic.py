"""The face of episodic memory: turns and episodes, their recall, retention and vectors.

Each part is loaded by the first call that needs it: a command needs one.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked, checked_class

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.config.settings import Settings
    from memctl.episodic.episodes import Episodes
    from memctl.episodic.log import Log
    from memctl.episodic.recall_records import Feedback
    from memctl.search.recall_results import Recalled
    from memctl.search.vectors.embed import Reembedded
    from memctl.store.store import Store
    from memctl.text.aliases import Aliases


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
        """The raw turns: add, list, get, archive, restore, erase."""
        from memctl.episodic.log import Log

        return Log(self._store)

    @cached_property
    def episodes(self) -> Episodes:
        """The episodes: add, list, get, forget, restore, erase."""
        from memctl.episodic.episodes import Episodes

        return Episodes(self._store)

    @cached_property
    def aliases(self) -> Aliases:
        """Words that mean the same: add, list, remove."""
        from memctl.text.aliases import Aliases

        return Aliases(self._store)

    def log(self, text: Any, *more: Any, **named: Any) -> int:
        """Add one raw turn to its thread; return its id. Takes the parameters of `Log.add`."""
        return self.turns.add(text, *more, **named)

    def remember(self, summary: Any, *more: Any, **named: Any) -> int:
        """Remember one episode; return its id. Takes the parameters of `Episodes.add`."""
        return self.episodes.add(summary, *more, **named)

    def recall(
        self, query: Any, limit: int | None = None, max_tokens: int | None = None, **narrowing: Any
    ) -> Recalled:
        """Return the turns and episodes that answer `query`, each with its explanation.

        The parameters are those of `memctl.search.recall_request.RecallRequest`.
        """
        from memctl.episodic.recall_records import keep
        from memctl.search.engine import search
        from memctl.search.recall_request import RecallRequest

        request = checked(RecallRequest)(query, limit, max_tokens, **narrowing)
        found = search(self._store, self._settings, request)
        return keep(self._store, request, found)

    def feedback(
        self, recall: int, used: Iterable[int | str] = (), outcome: str | None = None
    ) -> Feedback:
        """Mark which rows of a recall helped, and how it went. See `give_feedback`."""
        from memctl.episodic.recall_records import give_feedback

        return give_feedback(self._store, recall, used=used, outcome=outcome)

    def reembed(self) -> Reembedded:
        """Compute the fallback's vectors again, of every turn and episode."""
        from memctl.search.vectors.embed import Embedder

        return Embedder(self._store, self._settings).reembed()
