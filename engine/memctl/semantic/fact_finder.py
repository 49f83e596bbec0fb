"""Facts of one open store within a scope, to read: search, look up, list, get, history."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.categories import check_category
from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.scope import Reach, Scope
from memctl.guard.door import find_rule
from memctl.search.fact_scope import Condition
from memctl.search.recall_request import RecallRequest
from memctl.semantic.fact_rows import find_row
from memctl.semantic.records import Change, Fact, FactPage, Hit, Hits, Undecided
from memctl.semantic.search.fact_filters import compile_filter
from memctl.semantic.search.fact_reading import FactReading
from memctl.semantic.search.uses import note_uses
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.text.normal import name_key
from memctl.text.own_words import without_host_blocks
from memctl.text.properties import attribute_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.base.clock import When
    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings
    from memctl.semantic.triage import Verdict
    from memctl.store.store import Store

__all__ = ["FactFinder"]

SQL = statements.load("store/fact")
# Share of the idf of a text from where on a fact is compared with it.
_NEAR = 0.3
READ = statements.load("store/fact_read")
FILTERS = statements.load("store/fact_filter")

# Inside the class, "list" is the method.
FactList = list[Fact]
HitList = list[Hit]
ChangeList = list[Change]
UndecidedList = list[Undecided]

STATUSES = ("active", "coming", "pending", "superseded", "forgotten", "any")


@checked_class
class FactFinder(StoreCollection[Fact]):
    """The facts of one open store, within one scope, to read.

    Parameters
    ----------
    store
        The open store; read-only for a subagent.
    settings
        Its settings.
    scope
        Whose facts: set here once, narrowed by calls, widened by none.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        scope: Scope | None = None,
    ) -> None:
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
        """The zone of the store's user, whose days are told."""
        return self._store.zone

    # -- searching -----------------------------------------------------------------------

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
        if limit < 1 or (max_tokens is not None and max_tokens < 0):
            raise UsageError(f'limit "{limit}" is too small', hint="at least 1")
        condition = compile_filter(_with_categories(filters, categories), self._store.zone)
        within = self._scope.narrowed(user=user_id, agent=agent_id)
        reading = self._reading(within.reading(scope), condition, as_of)
        if not self._store.exists:
            return Hits(note="no fact was stored yet")
        request = RecallRequest(
            without_host_blocks(query),
            limit,
            max_tokens,
            kinds=("fact",),
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
        """Return the facts that hold of one subject alone.

        Where the open session says otherwise than the long term, the session's facts answer.

        Parameters
        ----------
        subject, attribute
            The thing, and its property; all of its properties where none is named.
        as_of
            The time at which they hold; now by default.
        """
        found = self._about(subject, attribute, as_of=as_of)
        note_uses(self._store, found)
        return found

    def standing(
        self, categories: Sequence[str], *, limit: int, scope: Reach = "long-term"
    ) -> HitList:
        """Return the facts of some categories that hold, the most important first.

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
        """
        within = self._scope.narrowed(user=user_id, agent=agent_id)
        condition = compile_filter(_with_categories(filters, categories), self._store.zone)
        if duplicates:
            twice = f"({condition.sql} and fact.id in ({FILTERS.said_by_another}))"
            condition = Condition(twice, condition.parameters)
        shown = {"status": status, "show_hidden": show_expired}
        with self._store.snapshot() if self._store.exists else nullcontext():
            size = -1 if limit is None else limit
            facts = self._listed(within, scope, condition, **shown, limit=size, offset=offset)
            total = offset + len(facts)
            if offset > 0 or len(facts) == limit:
                total = self._counted(within, scope, condition, **shown)
        return FactPage(facts, total=total, offset=offset)

    def _members(self) -> Sequence[Fact]:
        return self.list()

    def _size(self) -> int:
        return self.count()

    def __contains__(self, key: object) -> bool:
        """Return whether a fact of this id holds now, within the scope."""
        return isinstance(key, str) and bool(self.list(filters={"id": key}, limit=1))

    def count(self, *, scope: Reach = "all", status: str = "active") -> int:
        """Return how many facts `list` would return without a limit."""
        return self._counted(self._scope, scope, Condition(), status=status)

    def pending(self, *, limit: int | None = None) -> FactPage:
        """Return the facts that wait for a person, the newest first.

        Parameters
        ----------
        limit
            Most facts; ``None`` for all.
        """
        return self.list(status="pending", show_expired=True, limit=limit)

    def slots(self, *, limit: int | None = None) -> FactPage:
        """Return the facts that hold in a slot which a caller named, by its name.

        Each user, agent and project has slots of its own.

        Parameters
        ----------
        limit
            Most facts; ``None`` for all.
        """
        ids = [row["id"] for row in self._store.rows(SQL.slots)] if self._store.exists else []
        held = self.list(filters={"id": {"in": ids}}) if ids else FactPage((), total=0)
        named = sorted(held, key=lambda fact: (str(fact.about), fact.user_id, fact.project))
        return FactPage(named[:limit], total=len(named))

    def doubtful(self) -> FactList:
        """Return the facts that are to be checked, since what they rest on has changed; newest first.

        `approve` says that one holds, and so does storing it again; `reject` forgets it.
        """
        if not self._store.exists:
            return []
        ids = [row["id"] for row in self._store.rows(SQL.doubtful)]
        return list(self.list(filters={"id": {"in": ids}})) if ids else []

    def undecided(self) -> UndecidedList:
        """Return the facts that hold and may replace an older one that holds, the newest first.

        `approve` of the newer lets it replace the older; `reject` of it lets both hold.
        """
        if not self._store.exists:
            return []
        pairs = self._store.rows(SQL.undecided)
        ids = sorted({id_ for pair in pairs for id_ in pair})
        in_reach = self.list(filters={"id": {"in": ids}}) if ids else []
        shown = {fact.id: fact for fact in in_reach}
        return [
            Undecided(shown[pair["newer_id"]], shown[pair["older_id"]])
            for pair in pairs
            if {*pair} <= shown.keys()
        ]

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
        where = partial(self._listed, self._scope, "all")
        reading = self._reading(self._scope.reading())

        def nearest(said: str) -> list[Fact]:
            found = reading.nearest(said, least=_NEAR) if self._store.exists else []
            return [fact for fact, _ in found]

        return judge(plain, policy, where, nearest, secret_rule=rule)

    def guide(self) -> str:
        """Return the protocol for an agent's system prompt, and what the store holds by category."""
        from memctl.semantic.policies import guide

        scope = {**self._scope.reading(), "now": clock.now()}
        found = self._store.rows(READ.by_category, scope) if self._store.exists else []
        return guide(self._settings, {row["category"]: row["facts"] for row in found})

    def _get(self, memory_id: str) -> Fact:
        row = find_row(self._store, self._scope.reading(), memory_id)
        return Fact.of_row(row, clock.now())

    def _about(
        self, subject: str, attribute: str | None = None, *, as_of: When | None = None
    ) -> FactList:
        reading = self._reading(self._scope.reading(), as_of=as_of)
        if not self._store.exists:
            return []
        return reading.about(name_key(subject), attribute_key(attribute))

    def _reading(
        self,
        reading: Mapping[str, str | None],
        condition: Condition | None = None,
        as_of: When | None = None,
    ) -> FactReading:
        at = self._store.zone.told(as_of, what="as_of", last=True).at if as_of is not None else None
        return FactReading(self._store, reading, condition, now=clock.now(), as_of=at)

    def _listed(
        self,
        within: Scope,
        reach: Reach = "all",
        condition: Condition | None = None,
        *,
        limit: int = -1,
        offset: int = 0,
        **shown: Any,
    ) -> FactList:
        """Return facts by their status; `shown` is ``status`` and ``show_hidden``."""
        condition = condition or Condition()
        page = {**_asked(within, reach, condition, **shown), "limit": limit, "offset": offset}
        if page["status"] not in STATUSES:
            raise UsageError(
                f'status "{page["status"]}" is unknown', hint=one_of(page["status"], STATUSES)
            )
        if offset < 0 or limit < -1:
            raise UsageError("a page starts at 0 or later and is not negative")
        if not self._store.exists:
            return []
        rows = self._store.rows(condition.bound(READ.listed), page)
        return [Fact.of_row(row, page["now"]) for row in rows]

    def _counted(self, within: Scope, reach: Reach, condition: Condition, **shown: Any) -> int:
        if not self._store.exists:
            return 0
        asked = _asked(within, reach, condition, **shown)
        return int(self._store.value(condition.bound(READ.counted), asked))


def _asked(
    within: Scope,
    reach: Reach,
    condition: Condition,
    *,
    status: str = "active",
    show_hidden: bool = False,
) -> dict[str, Any]:
    """Return the parameters of a list of facts, as `fact_read.sql` names them."""
    hidden = {"status": status, "show_hidden": show_hidden, "now": clock.now()}
    return {**within.reading(reach), **hidden, **condition.parameters}


def _with_categories(
    filters: Mapping[str, Any] | None, categories: Sequence[str]
) -> Mapping[str, Any] | None:
    """Return a filter that `categories` pass only, as well as what it asked before."""
    if not categories:
        return filters
    for category in categories:
        check_category(category)
    wanted: Mapping[str, Any] = {"category": {"in": list(categories)}}
    return {"AND": [wanted, filters]} if filters else wanted
