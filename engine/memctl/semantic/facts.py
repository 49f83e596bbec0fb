"""The facts of a store: what is true, since when, and on whose word."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.categories import KINDS
from memctl.base.errors import AllNoiseError, MissingParamError
from memctl.guard.door import guarded
from memctl.semantic.deciding.choices import check_choice, doubt_of, replaced_rows
from memctl.semantic.deciding.classifying import (
    Classification,
    category_columns,
    classified,
    give_category,
    tag_counts,
)
from memctl.semantic.deciding.doubts import ended_by
from memctl.semantic.deciding.near_facts import NearFacts, near_facts
from memctl.semantic.drafts import (
    Draft,
    checked_about,
    checked_confidence,
    checked_importance,
    checked_metadata,
    drafts,
    handed_in,
    named_category,
)
from memctl.semantic.ending_facts import EndingFacts
from memctl.semantic.fact_rows import find_row
from memctl.semantic.fact_writing import Writer
from memctl.semantic.policies import Policy, expiry, given_expiry
from memctl.semantic.records import Fact, Stored, Written
from memctl.semantic.triage import unwanted
from memctl.store import statements
from memctl.text.classifier import MIN_CONFIDENCE
from memctl.text.fences import refuse_recalled

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

    from memctl.base.clock import When
    from memctl.base.scope import Scope
    from memctl.semantic.changing import Changer
__all__ = ["Facts"]

SQL = statements.load("store/fact")

# Events after which a text holds or waits that did not before.
_NEWS = frozenset({"ADD", "SUPERSEDE", "PENDING", "PROMOTE"})


@checked_class
class Facts(EndingFacts):
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
        valid_from: When | None = None,
        expires_at: When | None = None,
        about: str | None = None,
        replaces: str | None = None,
        keep_both: bool = False,
        related: int = 3,
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
        user_id, agent_id
            Whose facts they are, within the scope that the store was opened with.
        metadata
            An object that is kept with each fact.
        long_term
            ``False`` stores under the open session. What a session says otherwise than is
            known for the long term overrides that within the session, and says so; what the
            session says that is known already is not stored. What is then stored for the long
            term ends the open session's own facts that say the same, or otherwise, unless
            one is pinned or surer.
        confidence
            ``low`` waits for a person or for a second source.
        source
            Where it comes from; the open session where nothing is said.
        valid_from
            Since when it holds, or from when on; where nothing is said, the date that the text
            opens with ("As of 2026-11-20, ..."), or now.
        expires_at
            When it is hidden, instead of the category's; a bare day counts to its end, ``never``
            lets it stay, and an empty text is none given.
        about
            The name of a slot of the caller's: ``user.home``. Of one user, agent and project the
            newer of two facts of a slot replaces the older, whatever they say.
        replaces
            Id of a fact that the text replaces, whatever the two say: the caller decides. What is
            immutable or pinned is not ended by it; the text then waits for a person.
        keep_both
            Whether the text stands beside what it would change or contradict, and beside what it
            may replace: the caller decides.
        related
            Most of the nearest facts that are named with each text that is written.

        Returns
        -------
        Stored
            What became of each text, in order.

        Raises
        ------
        MissingFactsError, MixedBatchError, UnusableInputError, UsageError
            When the batch cannot be meant, or a value cannot be; nothing is written.
        NotFoundError, RefusedError
            When there is no fact that `replaces` names, or it no longer holds.
        SecretRefusedError, RecalledTextError, AllNoiseError, ReadOnlyError
            When a rule refuses it; nothing is written but a counter.
        """
        scope = self._scope.narrowed(user=user_id, agent=agent_id)
        items = handed_in(facts, text)
        named = named_category(items, category)
        policy = Policy.of(self._settings, named)
        batch = drafts(items, policy)
        refuse_recalled([draft.text for draft in batch])
        owner = {**scope.writing(long_term=long_term), **_everywhere(named)}
        weight = checked_importance(importance, policy.importance)
        noise = [unwanted(draft.text, policy, weight) for draft in batch]
        _refuse_noise(noise)
        doubts = [doubt_of(draft) for draft in batch]
        check_choice(batch, replaces, keep_both=keep_both)
        now, zone = clock.now(), self._store.zone
        given = clock.as_text(expires_at) or None
        ends = expiry(policy, now) if given is None else given_expiry(given, zone)
        shared = {  # "" stands for null
            "category": named or "",
            "importance": weight,
            "confidence": checked_confidence(confidence),
            "source": self._source(source),
            "about": checked_about(about, len(batch)),
            "metadata": checked_metadata(metadata),
            "immutable": int(policy.immutable),
            "valid_from": zone.told(valid_from, what="valid_from").at
            if valid_from is not None
            else "",
            **{name: end or "" for name, end in ends.items()},
        }
        with self._store.transaction():
            writer = Writer(
                self._store,
                owner,
                shared,
                actor=scope.actor,
                now=now,
                open_session=scope.session or "",
            )
            replaced = replaced_rows(self._store, scope.reading(), owner, replaces)
            written = [
                Written("NOISE", draft.text, why)
                if why
                else writer.write(draft, doubt=doubt, replaces=replaced, keep_both=keep_both)
                for draft, why, doubt in zip(batch, noise, doubts, strict=True)
            ]
        decided = keep_both or bool(replaces or about)
        if related or not decided:
            written = self._with_related(
                scope,
                writer,
                batch,
                written,
                related,
                since=str(shared["valid_from"]),
                decided=decided,
            )
        if any(one.event == "SUPERSEDE" for one in written):
            self._doubt(ended_by(self._store, [str(one.id) for one in written]))
        note = "" if named or len(batch) == 1 else "no category was named for this batch"
        return Stored(named, tuple(written), note)

    @guarded("fact")
    def update(
        self,
        memory_id: str,
        text: str | None = None,
        *,
        category: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        expires_at: When | None = None,
    ) -> Fact:
        """Change a fact in place; its id stays, and what it said is kept in its history.

        What it is about, and what it says of that, is read anew out of a new text. A new category
        brings its importance, its lifetime from now on, and its immutability; a date of expiry that
        somebody gave stays.

        Parameters
        ----------
        memory_id
            The fact's id.
        text, importance, metadata
            The whole new text, importance (0 to 1) or object; what is ``None`` stays.
        category
            Another category of the table of kinds.
        expires_at
            A new time, or ``never``.

        Raises
        ------
        NotFoundError
            When there is no such fact within the scope.
        ImmutableFactError
            When it refuses to be changed.
        AllNoiseError, RecalledTextError
            When the text would not be stored as a new one.
        RefusedError
            When another fact that holds says the same, or excludes it.
        """
        policy = Policy.of(self._settings, category)
        columns: dict[str, Any] = {}
        if importance is not None:
            columns["importance"] = checked_importance(importance, 0)
        if metadata is not None:
            columns["metadata"] = checked_metadata(metadata)
        if expires_at is not None:
            columns |= given_expiry(clock.as_text(expires_at), self._store.zone)
        if text is None and category is None and not columns:
            raise MissingParamError("there is nothing to change", hint="give the new text")
        find_row(self._store, self._scope.reading(), memory_id)
        with self._checking_dependents(), self._store.transaction():
            changer = self._changer()
            row = changer.row(memory_id)
            if category is not None:
                columns = {**category_columns(policy, row), **columns}
            weight = columns.get("importance", row["importance"])
            draft = self._draft(text, row, weight) if text is not None else None
            changer.update(memory_id, draft, columns)
        return self._get(memory_id)

    @guarded("fact", by_the_way=True)
    def classify(
        self, *, apply: bool = False, min_confidence: float = MIN_CONFIDENCE
    ) -> Classification:
        """Find a category for each fact that holds and has none, by its words.

        Parameters
        ----------
        apply
            Give the facts their categories, with the importance of these; history keeps it. A
            category that was guessed neither ends a fact nor makes it immutable: `update` with a
            category does. A pinned or immutable fact is left as it is.
        min_confidence
            0 to 1: below it a fact stays without a category.

        Raises
        ------
        UsageError
            When the least confidence is out of range.
        ReadOnlyError
            When the categories are to be given in a store that is open read-only.
        """
        if apply and self._store.readonly:
            self._store.refuse_readonly()
        known = self._listed(self._scope)
        found = [classified(fact, min_confidence) for fact in known if fact.category is None]
        if apply and any(one.category for one in found):
            with self._store.transaction():
                changer = self._changer()
                found = [give_category(one, changer) for one in found]
        return Classification(tuple(found), tag_counts(known, found))

    @guarded("fact")
    def restore(self, memory_id: str) -> Fact:
        """Let a forgotten, archived or expired fact hold again.

        Raises
        ------
        RefusedError
            When another fact took its place: one that says the same, or excludes it.
        """
        return self._change(memory_id, lambda changer: changer.restore(memory_id))

    @guarded("fact")
    def pin(self, memory_id: str) -> Fact:
        """Pin a fact: no lifetime and no change by itself ends it."""
        return self._change(memory_id, lambda changer: changer.pin(memory_id, pinned=True))

    @guarded("fact")
    def unpin(self, memory_id: str) -> Fact:
        """Let a pinned fact end again by its lifetime, or when another one contradicts it."""
        return self._change(memory_id, lambda changer: changer.pin(memory_id, pinned=False))

    @guarded("fact")
    def approve(self, memory_id: str) -> Fact:
        """Let a waiting fact hold; what it contradicts by then is superseded.

        A fact that holds and may replace an older one replaces it; one that is to be checked is
        sure again. Its category's lifetime is counted from now. Where another fact says the same by
        then, the waiting one is filed under it as ``superseded``, and `status_why` says so.

        Raises
        ------
        RefusedError
            When it does not wait, or the date that was given for it has passed.
        """

        def act(changer: Changer) -> None:
            if changer.decide(memory_id, replaces=True) or changer.settle(memory_id):
                return
            policy = Policy.of(self._settings, changer.row(memory_id)["category"])
            changer.approve(memory_id, expiry(policy, clock.now()))

        return self._change(memory_id, act)

    @guarded("fact")
    def reject(self, memory_id: str, *, why: str = "") -> Fact:
        """Decline a waiting fact; whoever says the same is told so, and it is not offered again.

        Of a fact that holds and may replace an older one, both go on to hold; one that is to be
        checked is forgotten.

        `restore` lets it hold all the same, and high confidence offers it again where it was
        declined with less.
        """

        def act(changer: Changer) -> None:
            if changer.decide(memory_id, replaces=False, why=why):
                return
            row = changer.row(memory_id)
            if row["status"] == "active" and row["doubt"] is not None:
                changer.forget(row, why or "did not hold any more")
            else:
                changer.reject(memory_id, why)

        return self._change(memory_id, act)

    def nearest(self, text: str, *, least: float) -> list[tuple[Fact, float]]:
        """Return the facts that share words with a text, and their likeness of `least` to 1."""
        return self._reading(self._scope.reading()).nearest(text, least=least)

    def _with_related(
        self,
        scope: Scope,
        writer: Writer,
        batch: Sequence[Draft],
        written: Sequence[Written],
        most: int,
        *,
        since: str,
        decided: bool,
    ) -> list[Written]:
        """End what the new texts replace, mark what they may replace, and name what is near.

        Where the caller has `decided`, nothing but the nearest facts is named.
        """
        reading = self._reading(scope.reading())
        found: list[NearFacts | None] = []
        for place, (draft, one) in enumerate(zip(batch, written, strict=True)):
            if one.event not in _NEWS:
                found.append(None)
                continue
            # Of one batch, the texts behind this one are newer.
            besides = {str(other.id) for other in written[place:]}
            begun = since or draft.since or clock.now()
            near = near_facts(reading, draft, writer.owner, since=begun, besides=besides, most=most)
            found.append(near)
        with self._store.transaction() if any(found) else nullcontext():
            return [
                one if near is None else writer.related(one, near, decided=decided)
                for one, near in zip(written, found, strict=True)
            ]

    def _change(self, memory_id: str, act: Callable[[Changer], None]) -> Fact:
        find_row(self._store, self._scope.reading(), memory_id)
        with self._checking_dependents(), self._store.transaction():
            act(self._changer())
        return self._get(memory_id)

    def _draft(self, text: str, row: sqlite3.Row, importance: float) -> Draft:
        """Return the new text of a fact, by the rules by which a new fact is stored."""
        policy = Policy.of(self._settings, row["category"])
        (draft,) = drafts([text], policy)
        refuse_recalled([draft.text])
        if draft.text != row["text"]:
            _refuse_noise([unwanted(draft.text, policy, importance)])
        return draft

    def _source(self, source: str | None) -> str:
        if source is not None:
            return source
        return f"session:{self._scope.session}" if self._scope.session else ""


def _everywhere(category: str | None) -> dict[str, str]:
    """Return the owner columns that make a fact hold in all projects, where it is the user's."""
    known = KINDS.get(category or "")
    return {"project": ""} if known is not None and known.content_type == "user" else {}


def _refuse_noise(whys: Sequence[str]) -> None:
    if all(whys):
        raise AllNoiseError(f"nothing to keep: {whys[0]}", hint="triage explains each text")
