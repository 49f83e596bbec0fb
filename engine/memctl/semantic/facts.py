"""The facts of a store: what is true, since when, and on whose word."""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class, checked_record
from memctl.base.errors import (
    ConfirmationRequiredError,
    MissingParamError,
    UsageError,
    WrongTypeError,
)
from memctl.base.scope import Reach, Scope
from memctl.guard.door import find_rule, guarded, refuse_secrets
from memctl.search.fact_scope import Condition
from memctl.search.recall_request import RecallRequest
from memctl.semantic.fact_filters import compile_filter, with_categories
from memctl.semantic.fact_rows import FactRows, find_row
from memctl.semantic.finding import FactReading, counted, listed, note_uses
from memctl.semantic.records import Change, Fact, FactPage, ForgottenFacts, Hit, Hits, Undecided
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.text.aliases import Aliases
from memctl.text.classifier import MIN_CONFIDENCE
from memctl.text.own_words import without_host_blocks
from memctl.text.properties import attribute_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from memctl.base.clock import When
    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings
    from memctl.semantic.deciding.classifying import Classification
    from memctl.semantic.fact_input import FactInput
    from memctl.semantic.records import Stored
    from memctl.semantic.triage import Verdict
    from memctl.store.store import Store

# What writes is imported by what writes: most calls of an agent only read.

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")
FILTERS = statements.load("store/fact_filter")

# Share of the idf of a text from where on a fact is compared with it.
_NEAR = 0.3
_FORGET_CANDIDATES = 5

# Inside the class, "list" is the method.
FactList = list[Fact]
HitList = list[Hit]
ChangeList = list[Change]
UndecidedList = list[Undecided]


@checked_class
class Facts(StoreCollection[Fact]):
    """The facts of one open store, within one scope: read them and write them.

    Parameters
    ----------
    store
        The open store; read-only for a subagent.
    settings
        Its settings.
    scope
        Whose facts: set here once, narrowed by calls, widened by none.
    """

    def __init__(self, store: Store, settings: Settings, scope: Scope | None = None) -> None:
        self._store = store
        self._settings = settings
        self._scope = scope or Scope()
        if self._scope.subagent and not store.readonly:
            raise UsageError("a subagent opens its store read-only", hint="open it with readonly")

    @property
    def scope(self) -> Scope:
        """Whose facts these are."""
        return self._scope

    @property
    def zone(self) -> UserZone:
        """The zone of the store's user, for days."""
        return self._store.zone

    # -- searching -----------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        scope: Reach = "all",
        categories: Sequence[str] = (),
        filters: Mapping[str, Any] | None = None,
        as_of: When | None = None,
        max_tokens: int | None = None,
        threshold: float = 0.0,
        record: bool = True,
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
            Most facts; by default the setting ``recall_limit``.
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
        record
            Whether what is found counts as used, which keeps it from decay; never where the store
            is read-only.

        Raises
        ------
        UsageError
            When a limit, a time, a category or a filter is not allowed.
        OutOfScopeError
            When the store was opened for another user or agent.
        """
        limit = self._settings.integer("recall_limit") if limit is None else limit
        for name, number, least in (("limit", limit, 1), ("max_tokens", max_tokens or 0, 0)):
            if number < least:
                raise UsageError(f'{name} "{number}" is too small', hint=f"at least {least}")
        condition = compile_filter(with_categories(filters, categories), self._store.zone)
        within = self._scope.narrowed(user=user_id, agent=agent_id)
        reading = self._reading(within.reading(scope), condition, as_of)
        if not self._store.exists:
            return Hits(note="no fact was stored yet")
        request = RecallRequest(
            without_host_blocks(query),
            limit,
            max_tokens,
            kinds=("fact",),
            min_worth=0.0,  # `threshold` is the cut of a search
            record=False,
            zone=self._store.zone,
        )
        hits = reading.search(self._settings, request, threshold=threshold)
        if record:
            note_uses(self._store, [hit.fact for hit in hits])
        return hits

    def reading(self, as_of: When | None = None) -> FactReading:
        """Return the facts within the scope as a search reads them."""
        return self._reading(self._scope.reading(), as_of=as_of)

    def lookup(
        self, subject: str, attribute: str | None = None, *, as_of: When | None = None
    ) -> FactList:
        """Return the valid facts of one subject alone.

        Where the open session says otherwise than the long term, the session's facts answer.

        Parameters
        ----------
        subject, attribute
            The thing, by any of its names (aliases), and its property; all of its properties
            where none is named.
        as_of
            The time at which they hold; now by default.
        """
        reading = self._reading(self._scope.reading(), as_of=as_of)
        if not self._store.exists:
            return []
        facts = reading.about(Aliases(self._store).spellings(subject), attribute_key(attribute))
        note_uses(self._store, facts)
        return facts

    def standing(
        self, categories: Sequence[str], *, limit: int, scope: Reach = "long-term"
    ) -> HitList:
        """Return the valid facts of some categories, the most important first.

        Parameters
        ----------
        categories, limit
            The categories, and the most facts of all together.
        scope
            ``session``, ``long-term`` or ``all``.
        """
        if not self._store.exists or limit < 1:
            return []
        condition = compile_filter({"category": {"in": list(categories)}}, self._store.zone)
        hits = self._reading(self._scope.reading(scope), condition).most_important(limit)
        note_uses(self._store, [hit.fact for hit in hits])
        return hits

    # -- reading -------------------------------------------------------------------------

    def get(self, memory_id: str) -> Fact:
        """Return one fact, expired and forgotten ones too.

        Raises
        ------
        NotFoundError
            When there is no such fact within the scope.
        """
        fact = self._get(memory_id)
        note_uses(self._store, [fact])
        return fact

    def list(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        scope: Reach = "all",
        categories: Sequence[str] = (),
        filters: Mapping[str, Any] | None = None,
        status: str = "active",
        show_expired: bool = False,
        duplicates: bool = False,
        limit: int | None = None,
        offset: int = 0,
        after: str | None = None,
    ) -> FactPage:
        """Return every fact within the scope, the newest first, and how many there are.

        Parameters
        ----------
        user_id, agent_id, scope, categories, filters
            As for `search`.
        status
            ``active`` for what holds now, ``coming`` for what holds from a later day on,
            ``pending``, ``superseded``, ``forgotten`` or ``any``.
        show_expired
            With what expired or was archived.
        duplicates
            Only those that say what another fact of the same user, agent and session says, which
            holds: all but one, the pinned or else the oldest.
        limit, offset
            A page of them; ``None`` for all.
        after
            ``next_after`` of the page before, or empty; how many follow is not counted.
        """
        within = self._scope.narrowed(user=user_id, agent=agent_id)
        condition = compile_filter(with_categories(filters, categories), self._store.zone)
        if duplicates:
            twice = f"({condition.sql} and fact.id in ({FILTERS.said_by_another}))"
            condition = Condition(twice, condition.parameters)
        shown: dict[str, Any] = {"status": status, "show_hidden": show_expired}
        with self._store.snapshot() if self._store.exists else nullcontext():
            page: dict[str, Any] = {
                "limit": -1 if limit is None else limit,
                "offset": offset,
                "after": after,
            }
            facts = listed(self._store, within, scope, condition, **shown, **page)
            if after is None and (offset > 0 or len(facts) == limit):
                facts.total = counted(self._store, within, scope, condition, **shown)
        return facts

    def _members(self) -> Sequence[Fact]:
        return self.list()

    def _size(self) -> int:
        return self.count()

    def __contains__(self, key: object) -> bool:
        """Return whether a fact of this id is valid now, within the scope."""
        return isinstance(key, str) and bool(self.list(filters={"id": key}, limit=1))

    def count(self, *, scope: Reach = "all", status: str = "active") -> int:
        """Return how many facts `list` would return without a limit."""
        return counted(self._store, self._scope, scope, Condition(), status=status)

    def pending(self, *, limit: int | None = None) -> FactPage:
        """Return the facts that wait for a person, the newest first.

        Parameters
        ----------
        limit
            Most facts; ``None`` for all.
        """
        return self.list(status="pending", show_expired=True, limit=limit)

    def slots(self, *, limit: int | None = None) -> FactPage:
        """Return the valid facts of slots that callers named, by the slot's name.

        Each user, agent and project has slots of its own.

        Parameters
        ----------
        limit
            Most facts; ``None`` for all.
        """
        named = sorted(self._held(SQL.slots), key=lambda f: (str(f.about), f.user_id, f.project))
        return FactPage(named[:limit], total=len(named))

    def doubtful(self) -> FactList:
        """Return the facts that are to be checked, since what they rest on has changed; newest first.

        `approve` says that one holds, and so does storing it again; `reject` forgets it.
        """
        return self._held(SQL.doubtful)

    def undecided(self) -> UndecidedList:
        """Return the valid facts that may replace another valid one, the newest first.

        `approve` of the newer lets it replace the older; `reject` of it lets both hold.
        """
        pairs = self._store.rows(SQL.undecided) if self._store.exists else []
        shown = {fact.id: fact for fact in self._among({id_ for pair in pairs for id_ in pair})}
        both = [(shown.get(newer), shown.get(older)) for newer, older in pairs]
        return [Undecided(newer, older) for newer, older in both if newer and older]

    def would_replace(self, memory_id: str) -> FactList:
        """Return the valid facts that `approve` of a waiting one would end."""
        from memctl.semantic.changing import would_replace

        return would_replace(self._store, self._scope, memory_id)

    def history(self, memory_id: str) -> ChangeList:
        """Return every change of one fact, oldest first; of an erased one, without texts.

        Whose an erased fact was is not kept. Its changes are shown to who sees everybody's
        facts; within a narrower scope there never was such a fact.

        Raises
        ------
        NotFoundError
            When the id was never a fact within the scope.
        """
        rows = self._store.rows(SQL.history, {"fact_id": memory_id}) if self._store.exists else []
        erased = bool(rows) and rows[-1]["why"] == "erased"
        if not (erased and self._scope.sees_all):
            find_row(self._store, self._scope.reading(), memory_id)
        return [Change(**dict(row)) for row in rows]

    # -- advice --------------------------------------------------------------------------

    def triage(self, text: str, *, category: str | None = None) -> Verdict:
        """Return the verdict of the four gates on a text; nothing is written."""
        from memctl.semantic.policies import Policy
        from memctl.semantic.triage import judge

        plain = (without_host_blocks(text, leading=True) or text).strip()
        rule = find_rule(self._store, plain)
        policy = Policy.of(self._settings, category)
        where = partial(listed, self._store, self._scope, "all")
        reading = self._reading(self._scope.reading())

        def nearest(said: str) -> list[Fact]:
            near = reading.nearest(said, least=_NEAR) if self._store.exists else []
            return [fact for fact, _ in near]

        return judge(plain, policy, where, nearest, secret_rule=rule)

    def guide(self) -> str:
        """Return the protocol for an agent's system prompt, and the store's facts by category."""
        from memctl.semantic.policies import guide

        scope = {**self._scope.reading(), "now": clock.now()}
        rows = self._store.rows(READ.by_category, scope) if self._store.exists else []
        return guide(self._settings, {row["category"]: row["facts"] for row in rows})

    def _held(self, sql: str) -> FactList:
        """Return the valid facts in reach, of the ids that a statement selects."""
        return (
            self._among({row["id"] for row in self._store.rows(sql)}) if self._store.exists else []
        )

    def _among(self, ids: Collection[str]) -> FactList:
        """Return the valid facts in reach, of some ids."""
        among = Condition(f"(fact.id in ({FILTERS.among}))", {"among": json.dumps(sorted(ids))})
        return listed(self._store, self._scope, condition=among) if ids else []

    def _get(self, memory_id: str) -> Fact:
        row = find_row(self._store, self._scope.reading(), memory_id)
        return Fact.of_row(row, clock.now())

    def _reading(
        self,
        reading: Mapping[str, str | None],
        condition: Condition | None = None,
        as_of: When | None = None,
    ) -> FactReading:
        at = self._store.zone.told(as_of, what="as_of", last=True).at if as_of is not None else None
        return FactReading(self._store, reading, condition, now=clock.now(), as_of=at)

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
        from memctl.semantic.fact_input import FactInput

        given = FactInput(
            text=text,
            category=category,
            importance=importance,
            user_id=user_id,
            agent_id=agent_id,
            metadata=metadata,
            long_term=long_term,
            confidence=confidence,
            source=source,
            valid_from=valid_from,
            expires_at=expires_at,
            about=about,
        )
        return self._stored(given.batch(facts), replaces, keep_both=keep_both, related=related)

    @guarded("fact")
    def store_all(
        self, facts: Sequence[FactInput], *, keep_both: bool = False, related: int = 3
    ) -> Stored:
        """Store facts that each bring what `store` takes once for all, in one transaction.

        Parameters
        ----------
        facts
            One record a fact; they may be of several categories and owners.
        keep_both, related
            As for `store`.

        Raises
        ------
        MissingFactsError, UnusableInputError, UsageError, SecretRefusedError, AllNoiseError
            As `store` does.
        WrongTypeError
            When these are no records.
        """
        from memctl.semantic.fact_input import FactInput

        if not isinstance(facts, list | tuple) or not all(
            isinstance(fact, FactInput) for fact in facts
        ):
            raise WrongTypeError('"facts" takes records', hint="FactInput(text=...)")
        facts = [checked_record(fact) for fact in facts]
        for place, given in enumerate(facts):  # the door looks into texts and objects alone
            refuse_secrets(self._store, "fact", f"facts[{place}]", given.texts)
        return self._stored(facts, None, keep_both=keep_both, related=related)

    def _stored(
        self, inputs: Sequence[FactInput], replaces: str | None, *, keep_both: bool, related: int
    ) -> Stored:
        from memctl.semantic import writing
        from memctl.semantic.deciding.choices import check_choice, replaced_rows
        from memctl.semantic.deciding.doubts import ended_by
        from memctl.semantic.fact_input import prepared
        from memctl.semantic.records import Stored

        now = clock.now()
        batch = prepared(inputs, self._settings, self._scope, self._store.zone, now)
        check_choice([fact.draft for fact in batch], replaces, keep_both=keep_both)
        first = batch[0]
        with self._store.transaction():
            named = replaced_rows(self._store, first.scope.reading(), first.owner, replaces)
            writer = writing.Writer(self._store, now, open_session=self._scope.session or "")
            written = writer.write_all(batch, replaces=named, keep_both=keep_both, related=related)
            ended = [str(fact.id) for fact in written if fact.event == "SUPERSEDE"]
            self._doubt(ended_by(self._store, ended) if ended else (), now)
        (category, *others) = {fact.columns["category"] for fact in batch}
        note = "" if category or len(batch) == 1 else "no category was named for this batch"
        return Stored(None if others else category or None, tuple(written), note)

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
        """Change a fact in place; its id stays, and its history keeps the old text.

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
        from memctl.semantic import changing
        from memctl.semantic.deciding.classifying import category_columns
        from memctl.semantic.fact_input import checked_importance, checked_metadata, edited
        from memctl.semantic.policies import Policy, given_expiry

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
        with self._changing(memory_id) as rows:
            row = rows.find(memory_id)
            if category is not None:
                columns = {**category_columns(policy, row), **columns}
            weight = columns.get("importance", row["importance"])
            draft = edited(text, row, self._settings, weight) if text is not None else None
            changing.update(rows, memory_id, draft, columns)
        return self._get(memory_id)

    @guarded("fact", by_the_way=True)
    def classify(
        self, *, apply: bool = False, min_confidence: float = MIN_CONFIDENCE
    ) -> Classification:
        """Find a category for each valid fact without one, by its words.

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
        from memctl.semantic.deciding.classifying import (
            Classification,
            classified,
            give_category,
            tag_counts,
        )

        if apply and self._store.readonly:
            self._store.refuse_readonly()
        known = listed(self._store, self._scope)
        result = [classified(fact, min_confidence) for fact in known if fact.category is None]
        if apply and any(one.category for one in result):
            with self._changing() as rows:
                result = [give_category(one, rows) for one in result]
        return Classification(tuple(result), tag_counts(known, result))

    @guarded("fact")
    def restore(self, memory_id: str) -> Fact:
        """Make a forgotten, archived or expired fact valid again.

        Raises
        ------
        RefusedError
            When another fact took its place: one that says the same, or excludes it.
        """
        return self._changed("restore", memory_id)

    @guarded("fact")
    def pin(self, memory_id: str) -> Fact:
        """Pin a fact: no lifetime and no change by itself ends it."""
        return self._changed("pin", memory_id, pinned=True)

    @guarded("fact")
    def unpin(self, memory_id: str) -> Fact:
        """Let a pinned fact end again by its lifetime, or when another one contradicts it."""
        return self._changed("pin", memory_id, pinned=False)

    @guarded("fact")
    def approve(self, memory_id: str) -> Fact:
        """Make a waiting fact valid; the facts that it contradicts by then are superseded.

        A fact that holds and may replace an older one replaces it; one that is to be checked is
        sure again. Its category's lifetime is counted from now. Where another fact says the same by
        then, the waiting one is filed under it as ``superseded``, and `status_why` says so.

        Raises
        ------
        RefusedError
            When it does not wait, or the date that was given for it has passed.
        """
        return self._changed("approve", memory_id, settings=self._settings)

    @guarded("fact")
    def reject(self, memory_id: str, *, why: str = "") -> Fact:
        """Decline a waiting fact; it is not offered again, and who repeats it learns that.

        Of a fact that holds and may replace an older one, both go on to hold; one that is to be
        checked is forgotten.

        `restore` lets it hold all the same, and high confidence offers it again where it was
        declined with less.
        """
        return self._changed("reject", memory_id, why=why)

    # -- ending --------------------------------------------------------------------------

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
        UsageError
            When an id or a query is given with ``duplicates``.
        """
        if duplicates:
            if memory_id is not None or query is not None:
                raise UsageError("duplicates are all of them", hint="leave out memory_id and query")
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
        from memctl.semantic import changing

        with self._changing(doubts=False) as rows:
            page = self.list(user_id=user_id, agent_id=agent_id, duplicates=True)
            for fact in page:
                changing.forget(rows, rows.find(fact.id), "said twice")
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
        from memctl.semantic.changing import meant

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
            memory_id, candidates = meant(query or "", hits)
            if memory_id is None:
                return ForgottenFacts(candidates=candidates, found=len(candidates))
        fact = Fact.of_row(find_row(self._store, scope.reading(), memory_id), clock.now())
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
            for fact in listed(self._store, scope, status=status, show_hidden=True)
        ]
        gone = self._end(facts, erase=erase)
        return ForgottenFacts(tuple(facts), found=len(facts), erased=erase, bytes_gone=gone)

    @guarded("fact")
    def end_session(self) -> int:
        """Let the open session's own facts expire, as its end does; return how many did.

        What was stored for the long term stays, and so does what is pinned.
        """
        from memctl.semantic import changing
        from memctl.semantic.policies import given_expiry

        ending = [
            fact
            for status in ("active", "coming")
            for fact in listed(self._store, self._scope, "session", status=status)
            if not fact.pinned
        ]
        ends = given_expiry(clock.now(), self._store.zone)
        with self._changing(doubts=False) as rows:
            for fact in ending:
                changing.update(rows, fact.id, None, ends, event="EXPIRE")
        return len(ending)

    # -- in one transaction --------------------------------------------------------------

    def _changed(self, act: str, memory_id: str, **given: Any) -> Fact:
        """Do something of `memctl.semantic.changing` to one fact; return it as it is then."""
        from memctl.semantic import changing

        with self._changing(memory_id) as rows:
            getattr(changing, act)(rows, memory_id, **given)
        return self._get(memory_id)

    @contextmanager
    def _changing(self, memory_id: str | None = None, *, doubts: bool = True) -> Iterator[FactRows]:
        """Change facts in one transaction, and mark those that rest on what has changed.

        Where `memory_id` is no fact within the scope, nothing begins.
        """
        from memctl.semantic.deciding.doubts import changes_since, last_change
        from memctl.semantic.drafts import derive_edited

        if memory_id is not None:
            find_row(self._store, self._scope.reading(), memory_id)
        now = clock.now()
        with self._store.transaction():
            line = last_change(self._store)
            derive_edited(self._store)
            yield FactRows(self._store, self._scope.reading(), actor=self._scope.actor, now=now)
            self._doubt(changes_since(self._store, line) if doubts else (), now)

    def _doubt(self, changes: Sequence[sqlite3.Row], now: str) -> None:
        from memctl.semantic.deciding.doubts import raise_doubts

        if changes:
            reading = self._reading(self._scope.reading())
            raise_doubts(self._store, reading, changes, actor=self._scope.actor, now=now)

    def _end(self, facts: Sequence[Fact], *, erase: bool) -> bool:
        """Forget or erase `facts`; return whether erased bytes have left the file by now."""
        from memctl.search.erased_cells import erasing
        from memctl.semantic import changing

        with self._changing() as rows, erasing(self._store) if erase else nullcontext():
            for fact in facts:
                if erase:
                    changing.erase(rows, fact.id)
                else:
                    changing.forget(rows, rows.find(fact.id), "forgotten on request")
        return self._store.flush_deleted() if erase else True
