"""The facts of a store that end: forgotten, erased, or over with their session."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import ConfirmationRequiredError, MissingParamError
from memctl.guard.door import guarded
from memctl.search.erasure.erased_cells import erasing
from memctl.semantic.changing import Changer
from memctl.semantic.deciding.doubts import changes_since, last_change, raise_doubts
from memctl.semantic.fact_finder import FactFinder
from memctl.semantic.fact_rows import find_row
from memctl.semantic.policies import given_expiry
from memctl.semantic.records import Fact, ForgottenFacts, Hit
from memctl.text.closed_words import STOP_WORDS
from memctl.text.normal import equal_key
from memctl.text.statement import denies

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

__all__ = ["EndingFacts"]

# Forgetting by query: how many are looked at, and from where on a hit may be meant.
_FORGET_CANDIDATES = 5
_FAIR_SCORE = 0.5


@checked_class
class EndingFacts(FactFinder):
    """The facts of one open store, within one scope: read them and end them."""

    @guarded("fact")
    def forget(
        self,
        memory_id: str | None = None,
        *,
        query: str | None = None,
        duplicates: bool = False,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> ForgottenFacts:
        """Forget a fact by its id, the one fact that a query clearly means, or all duplicates.

        A forgotten fact is hidden and can be restored. Where the query could mean several, or
        denies what the fact says, nothing is forgotten and they are returned as candidates.

        Parameters
        ----------
        memory_id, query
            The fact's id, or a text that means it; the id wins.
        duplicates
            Instead: every fact that ``list(duplicates=True)`` returns; what it says goes on to
            hold. It can be restored once the fact that says the same is forgotten.
        user_id, agent_id
            Only this user's or agent's, within the scope.

        Raises
        ------
        MissingParamError
            When nothing says which.
        NotFoundError
            When there is no such id within the scope.
        """
        if duplicates and memory_id is None and query is None:
            return self._forget_duplicates(user_id, agent_id)
        return self._forget_one(memory_id, query, user_id, agent_id, erase=False)

    @guarded("fact")
    def erase(
        self,
        memory_id: str | None = None,
        *,
        query: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> ForgottenFacts:
        """Remove a fact from the file, by its id or by a query as in `forget`.

        The texts of its history go with it, and questions of `recall` that hold a word of it
        which nothing else holds. ``bytes_gone`` is false while another process reads the file.

        Parameters
        ----------
        memory_id, query, user_id, agent_id
            As for `forget`.

        Raises
        ------
        MissingParamError
            When neither is given.
        NotFoundError
            When there is no such id within the scope.
        """
        return self._forget_one(memory_id, query, user_id, agent_id, erase=True)

    def _forget_duplicates(self, user_id: str | None, agent_id: str | None) -> ForgottenFacts:
        with self._store.transaction():  # nothing that rests on them is in doubt
            changer = self._changer()
            page = self.list(user_id=user_id, agent_id=agent_id, duplicates=True)
            for fact in page:
                changer.forget(changer.row(fact.id), "said twice")
        return ForgottenFacts(tuple(page), found=len(page))

    def _forget_one(
        self,
        memory_id: str | None,
        query: str | None,
        user_id: str | None,
        agent_id: str | None,
        *,
        erase: bool,
    ) -> ForgottenFacts:
        scope = self._scope.narrowed(user=user_id, agent=agent_id)
        if memory_id is None and not (query and query.strip()):
            raise MissingParamError("nothing says which fact", hint="give memory_id or query")
        if memory_id is None:
            hits = self.search(
                query or "",
                limit=_FORGET_CANDIDATES,
                user_id=user_id,
                agent_id=agent_id,
                record=False,
            )
            # What grammar alone brought means no fact.
            hits[:] = [hit for hit in hits if not STOP_WORDS.issuperset(hit.matched)]
            # What a repaired word brought is shown, never forgotten unasked; nor what is denied.
            if (
                hits.corrected
                or not _clear(query or "", hits)
                or denies(query or "") != denies(hits[0].fact.text)
            ):
                return ForgottenFacts(candidates=tuple(hits), found=len(hits))
            memory_id = hits[0].fact.id
        row = find_row(self._store, scope.reading(), memory_id)
        fact = Fact.of_row(row, clock.now())
        gone = self._end([fact], erase=erase)
        return ForgottenFacts((fact,), found=1, erased=erase, bytes_gone=gone)

    @guarded("fact")
    def delete_all(self, *, confirm: bool = False, user_id: str | None = None) -> ForgottenFacts:
        """Forget every fact within the scope; each can be restored.

        Raises
        ------
        ConfirmationRequiredError
            Without ``confirm=True``.
        """
        return self._forget_all(confirm, user_id, erase=False)

    @guarded("fact")
    def erase_all(self, *, confirm: bool = False, user_id: str | None = None) -> ForgottenFacts:
        """Remove every fact within the scope from the file, whatever its status.

        Raises
        ------
        ConfirmationRequiredError
            Without ``confirm=True``.
        """
        return self._forget_all(confirm, user_id, erase=True)

    def _forget_all(self, confirm: bool, user_id: str | None, *, erase: bool) -> ForgottenFacts:
        scope = self._scope.narrowed(user=user_id)
        if confirm is not True:
            raise ConfirmationRequiredError(
                f"all facts would be {'erased' if erase else 'forgotten'}",
                hint="say so with confirm",
            )
        if not self._store.exists:
            return ForgottenFacts(erased=erase)
        statuses = ("any",) if erase else ("active", "coming", "pending")
        facts = [
            fact
            for status in statuses
            for fact in self._listed(scope, status=status, show_hidden=True)
        ]
        gone = self._end(facts, erase=erase)
        return ForgottenFacts(tuple(facts), found=len(facts), erased=erase, bytes_gone=gone)

    @guarded("fact")
    def end_session(self) -> int:
        """Let the open session's own facts expire, as its end does; return how many did.

        What was stored for the long term stays, and so does what is pinned.
        """
        ending = [
            fact
            for status in ("active", "coming")
            for fact in self._listed(self._scope, "session", status=status)
            if not fact.pinned
        ]
        with self._store.transaction():
            changer = self._changer()
            for fact in ending:
                changer.update(
                    fact.id, None, given_expiry(clock.now(), self._store.zone), event="EXPIRE"
                )
        return len(ending)

    @contextmanager
    def _checking_dependents(self) -> Iterator[None]:
        """Mark, behind a write, the facts that rest on what it has changed."""
        line = last_change(self._store)
        yield
        self._doubt(changes_since(self._store, line))

    def _doubt(self, changes: Sequence[sqlite3.Row]) -> None:
        if changes:
            reading = self._reading(self._scope.reading())
            actor, now = self._scope.actor, clock.now()
            raise_doubts(self._store, reading, changes, actor=actor, now=now)

    def _changer(self) -> Changer:
        return Changer(self._store, self._scope.reading(), actor=self._scope.actor, now=clock.now())

    def _end(self, facts: Sequence[Fact], *, erase: bool) -> bool:
        """Forget or erase `facts`; return whether erased bytes have left the file by now."""
        going = erasing(self._store) if erase else nullcontext()
        with self._store.transaction(), going, self._checking_dependents():
            changer = self._changer()
            for fact in facts:
                if erase:
                    changer.erase(fact.id)
                else:
                    changer.forget(changer.row(fact.id), "forgotten on request")
        return self._store.flush_deleted() if erase else True


def _clear(query: str, hits: Sequence[Hit]) -> bool:
    """Return whether a query means one fact: the only fair hit, or the one that says just that."""
    fair = [hit for hit in hits if hit.score >= _FAIR_SCORE]
    if len(fair) == 1:
        return True
    said = equal_key(query)
    return sum(equal_key(hit.fact.text) == said for hit in fair) == 1 and (
        equal_key(hits[0].fact.text) == said
    )
