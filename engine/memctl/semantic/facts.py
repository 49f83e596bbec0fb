"""The facts of a store: what is true, since when, and on whose word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memctl import clock
from memctl.arguments import checked_class
from memctl.errors import UsageError
from memctl.guard import guarded
from memctl.semantic.asked_before import erase_questions
from memctl.semantic.changing import Changer, find
from memctl.semantic.denial import denies
from memctl.semantic.errors import (
    AllNoiseError,
    ConfirmationRequiredError,
    MissingParamError,
    SubagentBlockedError,
)
from memctl.semantic.fences import refuse_recalled
from memctl.semantic.incoming import (
    CONFIDENCES,
    Draft,
    Policy,
    checked_metadata,
    drafts,
    expiry,
    given_expiry,
    named_category,
)
from memctl.semantic.moments import moment
from memctl.semantic.reading import FactReader
from memctl.semantic.records import Fact, Forgotten, Hit, Stored, Written
from memctl.semantic.triage import unwanted
from memctl.semantic.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memctl.scope import Scope

__all__ = ["Facts"]

# Forgetting by query: how many are looked at, and from where on a hit is a clear one.
_FORGET_CANDIDATES = 5
_CLEAR_SCORE = 0.9
_FAIR_SCORE = 0.5


@checked_class
class Facts(FactReader):
    """The facts of one open store, within one scope: read them and write them."""

    # -- writing -------------------------------------------------------------------------

    @guarded("fact")
    def store(
        self,
        facts: Sequence[str | Mapping[str, Any]] | str = (),
        *,
        text: str | None = None,
        category: str | None = None,
        importance: float | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        long_term: bool = True,
        confidence: str = "medium",
        source: str | None = None,
        valid_from: str | None = None,
        expires_at: str | None = None,
    ) -> Stored:
        """Store a batch of facts of one category, in one transaction.

        Parameters
        ----------
        facts
            Texts, or objects with ``text`` or ``subject``, ``attribute`` and ``value``.
        text
            One fact; `facts` wins over it.
        category
            One of the table of kinds; it sets importance, expiry and immutability.
        importance
            0 to 1 instead of the category's.
        long_term
            ``False`` stores under the open session.
        confidence
            ``low`` waits for a person or for a second source.
        source
            Where it comes from; the open session where nothing is said.
        valid_from
            Since when it holds; now where nothing is said.
        expires_at
            When it is hidden, instead of the category's; a bare day counts to its end, and
            ``never`` lets it stay.

        Returns
        -------
        Stored
            What became of each text, in order.

        Raises
        ------
        MissingFactsError, MixedBatchError, UnusableInputError, UsageError
            When the batch cannot be meant; nothing is written.
        SecretRefusedError, RecalledTextError, AllNoiseError, SubagentBlockedError
            When a rule refuses it; nothing is written but a counter.
        """
        scope = self._writable().narrowed(user=user_id, agent=agent_id)
        items = _items(facts, text)
        named = named_category(items, category)
        policy = Policy.of(self._settings, named)
        batch = drafts(items, policy)
        refuse_recalled([draft.text for draft in batch])
        owner = scope.writing(long_term=long_term)
        weight = _importance(importance, policy.importance)
        noise = [unwanted(draft.text, policy, weight) for draft in batch]
        if all(noise):
            raise AllNoiseError(f"nothing to keep: {noise[0]}", hint="triage explains each text")
        now = clock.now()
        expires_at, expires_by = expiry(expires_at, policy, now)
        shared = {  # "" stands for null
            "category": named or "",
            "importance": weight,
            "confidence": _confidence(confidence),
            "source": self._source(source),
            "metadata": checked_metadata(metadata),
            "immutable": int(policy.immutable),
            "valid_from": moment(valid_from, what="valid_from") or now,
            "expires_at": expires_at or "",
            "expires_by": expires_by or "",
        }
        with self._store.transaction():
            writer = Writer(self._store, owner, shared, actor=scope.actor, now=now)
            written = [
                Written("NOISE", draft.text, why) if why else writer.write(draft)
                for draft, why in zip(batch, noise, strict=True)
            ]
        note = "" if named or len(batch) == 1 else "no category was named for this batch"
        return Stored(named, tuple(written), note)

    @guarded("fact")
    def update(
        self,
        memory_id: str,
        text: str | None = None,
        *,
        importance: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        expires_at: str | None = None,
    ) -> Fact:
        """Change a fact in place; its id stays, and what it said is kept in its history.

        Parameters
        ----------
        expires_at
            A new date, or ``never``.

        Raises
        ------
        NotFoundError
            When there is no such fact within the scope.
        ImmutableFactError
            When it refuses to be changed.
        """
        scope = self._writable()
        columns: dict[str, Any] = {}
        if importance is not None:
            columns["importance"] = _importance(importance, 0)
        if metadata is not None:
            columns["metadata"] = checked_metadata(metadata)
        if expires_at is not None:
            columns |= _new_expiry(expires_at)
        if text is None and not columns:
            raise MissingParamError("there is nothing to change", hint="give the new text")
        find(self._store, scope.reading(), memory_id)
        with self._store.transaction():
            changer = self._changer()
            row = changer.row(memory_id)
            draft = self._draft(text, row["category"]) if text is not None else None
            changer.update(memory_id, draft, columns)
        return self.get(memory_id)

    @guarded("fact")
    def forget(
        self,
        memory_id: str | None = None,
        *,
        query: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        erase: bool = False,
    ) -> Forgotten:
        """Forget a fact by its id, or the one fact that a query clearly means.

        A forgotten fact is hidden and can be restored; an erased one is gone, with its
        history's texts and with questions of `recall` that hold a word of it which nothing
        else holds, from the file. Where the query could mean several, or denies what the
        fact says, nothing is forgotten and they are returned as candidates.

        Raises
        ------
        MissingParamError
            When neither is given.
        NotFoundError
            When there is no such id within the scope.
        """
        scope = self._writable().narrowed(user=user_id, agent=agent_id)
        if memory_id is None and not (query and query.strip()):
            raise MissingParamError("nothing says which fact", hint="give memory_id or query")
        if memory_id is None:
            hits = self.search(
                query or "", limit=_FORGET_CANDIDATES, user_id=user_id, agent_id=agent_id
            )
            # What a word was only taken for is shown, never forgotten unasked.
            if hits.corrected or not _clear(hits) or _turned_round(query or "", hits[0]):
                return Forgotten(candidates=tuple(hits), found=len(hits))
            memory_id = hits[0].fact.id
        row = find(self._store, scope.reading(), memory_id)
        fact = Fact.of_row(row, clock.now())
        gone = self._end([fact], erase=erase)
        return Forgotten((fact,), found=1, erased=erase, bytes_gone=gone)

    @guarded("fact")
    def delete_all(
        self, *, confirm: bool = False, user_id: str | None = None, erase: bool = False
    ) -> Forgotten:
        """Forget every fact within the scope; with `erase`, remove them from the file.

        Raises
        ------
        ConfirmationRequiredError
            Without ``confirm=True``.
        """
        scope = self._writable().narrowed(user=user_id)
        if confirm is not True:
            raise ConfirmationRequiredError(
                "all facts would be forgotten", hint="say so with confirm"
            )
        if not self._store.exists:
            return Forgotten(erased=erase)
        status = "any" if erase else "active"
        facts = list(self._listed(scope, status=status, show_hidden=True))
        if not erase:
            facts += self._listed(scope, status="pending", show_hidden=True)
        gone = self._end(facts, erase=erase)
        return Forgotten(tuple(facts), found=len(facts), erased=erase, bytes_gone=gone)

    @guarded("fact")
    def end_session(self) -> int:
        """Let the open session's own facts expire, as its end does; return how many did.

        What was stored for the long term stays, and so does what is pinned.
        """
        scope = self._writable()
        ending = [fact for fact in self._listed(scope, "session") if not fact.pinned]
        with self._store.transaction():
            changer = self._changer()
            for fact in ending:
                changer.update(fact.id, None, _new_expiry(clock.now()), event="EXPIRE")
        return len(ending)

    @guarded("fact")
    def restore(self, memory_id: str) -> Fact:
        """Let a forgotten, archived or expired fact hold again."""
        return self._change(memory_id, lambda changer: changer.restore(memory_id))

    @guarded("fact")
    def pin(self, memory_id: str, *, pinned: bool = True) -> Fact:
        """Pin a fact, or take the pin out: no lifetime and no change by itself ends it."""
        return self._change(memory_id, lambda changer: changer.pin(memory_id, pinned=pinned))

    @guarded("fact")
    def approve(self, memory_id: str) -> Fact:
        """Let a waiting fact hold; what it contradicts is superseded."""
        return self._change(memory_id, lambda changer: changer.approve(memory_id))

    @guarded("fact")
    def reject(self, memory_id: str, *, why: str = "") -> Fact:
        """Decline a waiting fact; the same with low confidence is not asked again."""
        return self._change(memory_id, lambda changer: changer.reject(memory_id, why))

    def _writable(self) -> Scope:
        if self._store.readonly:
            raise SubagentBlockedError(
                "facts are read-only here", hint="a subagent reads; its parent writes"
            )
        return self._scope

    def _changer(self) -> Changer:
        return Changer(self._store, self._scope.reading(), actor=self._scope.actor, now=clock.now())

    def _change(self, memory_id: str, act: Callable[[Changer], None]) -> Fact:
        scope = self._writable()
        find(self._store, scope.reading(), memory_id)
        with self._store.transaction():
            act(self._changer())
        return self.get(memory_id)

    def _draft(self, text: str, category: str | None) -> Draft:
        policy = Policy.of(self._settings, category)
        (draft,) = drafts([text], policy)
        refuse_recalled([draft.text])
        return draft

    def _source(self, source: str | None) -> str:
        if source is not None:
            return source
        return f"session:{self._scope.session}" if self._scope.session else ""

    def _end(self, facts: Sequence[Fact], *, erase: bool) -> bool:
        """Forget or erase `facts`; return whether erased bytes have left the file by now."""
        with self._store.transaction():
            changer = self._changer()
            texts: list[str] = []
            for fact in facts:
                if erase:
                    texts += changer.erase(fact.id)
                else:
                    changer.forget(changer.row(fact.id), "forgotten on request")
            if erase:
                changer.merge_words()
                erase_questions(self._store, texts, self._elsewhere)
        return self._store.flush_deleted() if erase else True


def _items(
    facts: Sequence[str | Mapping[str, Any]] | str, text: str | None
) -> Sequence[str | Mapping[str, Any]]:
    if isinstance(facts, str):
        return [facts]
    # The door has looked into lists; what can be read only once it could not look into.
    if not isinstance(facts, Sequence):
        raise UsageError("facts is a list of texts", hint='["...", "..."]')
    if facts or text is None:
        return list(facts)
    return [text]


def _importance(given: float | None, default: float) -> float:
    if given is None:
        return default
    if not 0 <= given <= 1:
        raise UsageError(f'importance "{given}" is not between 0 and 1', hint="0.5, for example")
    return float(given)


def _confidence(given: str) -> str:
    if given not in CONFIDENCES:
        raise UsageError(
            f'confidence "{given}" is unknown', hint=f"one of {', '.join(CONFIDENCES)}"
        )
    return given


def _new_expiry(expires_at: str) -> dict[str, str | None]:
    return dict(zip(("expires_at", "expires_by"), given_expiry(expires_at), strict=True))


def _turned_round(query: str, hit: Hit) -> bool:
    """Whether a query denies what a fact says, or says what it denies."""
    return denies(query) is not denies(hit.fact.text)


def _clear(hits: Sequence[Hit]) -> bool:
    """Whether a query means one fact: the only fair hit, or the only excellent one by far."""
    if not hits:
        return False
    if len(hits) == 1:
        return hits[0].score >= _FAIR_SCORE
    return hits[0].score > _CLEAR_SCORE >= hits[1].score
