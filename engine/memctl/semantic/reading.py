"""Reads facts within a scope; the half of `Facts` that a subagent has too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl import clock, queries
from memctl.arguments import checked_class
from memctl.errors import UsageError
from memctl.guard import find_rule
from memctl.scope import Reach, Scope
from memctl.semantic.changing import find
from memctl.semantic.claims import read_claim, relation_of
from memctl.semantic.filters import Condition, compile_filter
from memctl.semantic.guide import guide
from memctl.semantic.incoming import Policy, moment
from memctl.semantic.noise import strip_host_blocks
from memctl.semantic.normal import equal_key, name_key
from memctl.semantic.records import Change, Fact, Hit
from memctl.semantic.searching import Searcher
from memctl.semantic.statements import read_statement
from memctl.semantic.triage import Gate, Verdict, judge
from memctl.semantic.turns import TurnRecall, recall_for_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.settings import Settings
    from memctl.store import Store

__all__ = ["FactReader"]

SQL = queries.load("store/fact")
READ = queries.load("store/fact_read")

# Inside the class, "list" is the method.
HitList = list[Hit]
FactList = list[Fact]
ChangeList = list[Change]

_SAYS = {
    "repeats": "says the same as",
    "says more": "says more than",
    "ends": "changes",
    "contradicts": "contradicts",
}
STATUSES = ("active", "pending", "superseded", "forgotten", "any")


@checked_class
class FactReader:
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
    def empty(self) -> bool:
        """Whether the store has no fact at all, whoever's; one row is looked at."""
        return not self._store.exists or self._store.row(READ.any_fact) is None

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
    ) -> HitList:
        """Return the facts that a query means, the most relevant first, each explained.

        Parameters
        ----------
        scope
            ``session``, ``long-term`` or both.
        categories
            Only these.
        filters
            See `memctl.semantic.filters`.
        as_of
            What held at the end of that day, or at that time.
        max_tokens
            A hard cap on what the texts cost.
        threshold
            Least score, 0 to 1.
        """
        if limit < 1 or (max_tokens is not None and max_tokens < 0):
            raise UsageError(f'limit "{limit}" is too small', hint="at least 1")
        condition = compile_filter(_with_categories(filters, categories))
        reading = self._scope.narrowed(user=user_id, agent=agent_id).reading(scope)
        at = moment(as_of, what="as_of", last=True)
        if not self._store.exists:
            return []
        searcher = Searcher(self._store, reading, condition, now=clock.now(), as_of=at)
        with self._store.snapshot():
            return searcher.search(
                strip_host_blocks(query), limit=limit, max_tokens=max_tokens, threshold=threshold
            )

    def lookup(
        self, subject: str, attribute: str | None = None, *, as_of: str | None = None
    ) -> FactList:
        """Return what holds of one thing, and of no other: its `attribute`, or all of them."""
        at = moment(as_of, what="as_of", last=True)
        if not self._store.exists:
            return []
        condition = compile_filter(None)
        searcher = Searcher(
            self._store, self._scope.reading(), condition, now=clock.now(), as_of=at
        )
        return searcher.about(name_key(subject), name_key(attribute))

    def get(self, memory_id: str) -> Fact:
        """Return one fact, expired and forgotten ones too.

        Raises
        ------
        NotFoundError
            When there is no such fact within the scope.
        """
        return Fact.of_row(find(self._store, self._scope.reading(), memory_id), clock.now())

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
        limit: int | None = None,
        offset: int = 0,
    ) -> FactList:
        """Return every fact within the scope, the newest first.

        Parameters
        ----------
        status
            ``active``, ``pending``, ``superseded``, ``forgotten`` or ``any``.
        show_expired
            With what expired or was archived.
        limit, offset
            A page of them; ``None`` for all.
        """
        within = self._scope.narrowed(user=user_id, agent=agent_id)
        return list(
            self._listed(
                within,
                scope,
                condition=compile_filter(_with_categories(filters, categories)),
                status=status,
                show_hidden=show_expired,
                limit=-1 if limit is None else limit,
                offset=offset,
            )
        )

    def count(self, *, scope: Reach = "all", status: str = "active") -> int:
        """Return how many facts `list` would return without a limit."""
        if not self._store.exists:
            return 0
        condition = compile_filter(None)
        parameters = self._reading(self._scope, scope, status=status, show_hidden=False)
        return int(self._store.value(condition.bound(READ.counted), parameters))

    def pending(self) -> FactList:
        """Return the facts that wait for a person."""
        return self.list(status="pending", show_expired=True)

    def history(self, memory_id: str) -> ChangeList:
        """Return every change of one fact, oldest first; of an erased one, without texts.

        Raises
        ------
        NotFoundError
            When the id was never a fact within the scope.
        """
        rows = self._store.rows(SQL.history, {"fact_id": memory_id}) if self._store.exists else []
        erased = bool(rows) and rows[-1]["why"] == "erased"
        if not erased:
            find(self._store, self._scope.reading(), memory_id)
        return [Change(**dict(row)) for row in rows]

    def standing(self, categories: Sequence[str], *, limit: int) -> HitList:
        """Return what holds of some categories, the most important first."""
        if not self._store.exists or limit < 1:
            return []
        condition = compile_filter({"category": {"in": list(categories)}})
        reading = self._scope.reading("long-term")
        return Searcher(self._store, reading, condition, now=clock.now()).holding(limit)

    def for_turn(
        self,
        prompt: str,
        *,
        strategy: str | None = None,
        trigger: str = "",
        max_tokens: int | None = None,
    ) -> TurnRecall:
        """Return the fenced facts that a prompt should be answered with; see `turns`."""
        return recall_for_turn(
            self,
            self._settings,
            prompt,
            strategy=strategy,
            trigger=trigger,
            max_tokens=max_tokens,
        )

    def triage(self, text: str, *, category: str | None = None) -> Verdict:
        """Return what the four gates say of a text; nothing is written."""
        policy = Policy.of(self._settings, category)
        plain = strip_host_blocks(text).strip()
        rule = find_rule(self._store, plain)
        return judge(plain, policy, known=self._novelty(plain), secret_rule=rule)

    def guide(self) -> str:
        """Return the protocol for an agent's system prompt."""
        return guide(self._settings)

    def _novelty(self, text: str) -> Gate:
        name = "novelty"
        same = Condition("(fact.equal_key = :equal_key)", {"equal_key": equal_key(text)})
        for fact in self._listed(self._scope, condition=same):
            return Gate(name, passed=False, why=f"known already as {fact.id}")
        statement = read_statement(text)
        known = self.lookup(statement.subject, statement.attribute) if statement else []
        if statement and known:
            if name_key(known[0].value) == name_key(statement.value):
                return Gate(name, passed=False, why=f"says the same as {known[0].id}")
            return Gate(name, passed=True, why=f"changes {known[0].id}: {known[0].value}")
        return self._claimed(text) or Gate(name, passed=True, why="not known")

    def _claimed(self, text: str) -> Gate | None:
        """Return what a plain sentence is to the facts that claim something of the same."""
        claim = read_claim(text)
        if claim is None:
            return None
        alike = Condition(
            "(fact.claim_key in (:claim_key, :former_key, :former_place)"
            " or fact.ended_key = :claim_key)",
            dict(claim.keys),
        )
        for fact in self._listed(self._scope, condition=alike):
            relation = relation_of(claim, read_claim(fact.text))
            if relation:
                why = f"{_SAYS[relation]} {fact.id}"
                return Gate("novelty", passed=relation != "repeats", why=why)
        return None

    def _listed(
        self,
        within: Scope,
        reach: Reach = "all",
        *,
        condition: Condition | None = None,
        status: str = "active",
        show_hidden: bool = False,
        limit: int = -1,
        offset: int = 0,
    ) -> Iterator[Fact]:
        if status not in STATUSES:
            raise UsageError(f'status "{status}" is unknown', hint=f"one of {', '.join(STATUSES)}")
        if offset < 0 or limit < -1:
            raise UsageError("a page starts at 0 or later and is not negative")
        condition = condition or Condition()
        parameters = self._reading(within, reach, status=status, show_hidden=show_hidden)
        page = {**parameters, **condition.parameters, "limit": limit, "offset": offset}
        if self._store.exists:
            for row in self._store.rows(condition.bound(READ.listed), page):
                yield Fact.of_row(row, parameters["now"])

    def _reading(
        self, within: Scope, reach: Reach, *, status: str, show_hidden: bool
    ) -> dict[str, Any]:
        hidden = {"status": status, "show_hidden": show_hidden}
        return {**within.reading(reach), **hidden, "now": clock.now()}


def _with_categories(
    filters: Mapping[str, Any] | None, categories: Sequence[str]
) -> Mapping[str, Any] | None:
    if not categories:
        return filters
    wanted: Mapping[str, Any] = {"category": {"in": list(categories)}}
    return {"AND": [wanted, filters]} if filters else wanted
