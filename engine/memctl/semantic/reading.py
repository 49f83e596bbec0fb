"""Reads facts within a scope; the half of `Facts` that a subagent has too."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import UsageError
from memctl.guard.door import find_rule
from memctl.semantic.changing import find
from memctl.semantic.fact_finder import FactFinder, with_categories
from memctl.semantic.fences import behind_host_blocks
from memctl.semantic.guide import guide
from memctl.semantic.incoming import Policy
from memctl.semantic.records import Change, Fact, FactPage
from memctl.semantic.search.fact_filters import Condition, compile_filter
from memctl.semantic.sentences.claim import read_claim, relation_of
from memctl.semantic.sentences.normal import same_key, without_opening
from memctl.semantic.sentences.plain_statements import (
    read_statement,
    reason_of,
    replaces,
    same_value,
)
from memctl.semantic.triage import Gate, Verdict, judge
from memctl.semantic.turns import TurnRecall, recall_for_turn
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.base.scope import Reach, Scope


__all__ = ["FactReader"]

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")

# Inside the class, "list" is the method.
ChangeList = list[Change]

_SAYS = {
    "repeats": "says the same as",
    "says more": "says more than",
    "ends": "changes",
    "contradicts": "contradicts",
}
STATUSES = ("active", "coming", "pending", "superseded", "forgotten", "any")


@checked_class
class FactReader(FactFinder):
    """The facts of one open store, within one scope, to read; see `FactFinder`."""

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
    ) -> FactPage:
        """Return every fact within the scope, the newest first, and how many there are.

        Parameters
        ----------
        status
            ``active`` for what holds now, ``coming`` for what holds from a later day on,
            ``pending``, ``superseded``, ``forgotten`` or ``any``.
        show_expired
            With what expired or was archived.
        limit, offset
            A page of them; ``None`` for all.
        """
        within = self._scope.narrowed(user=user_id, agent=agent_id)
        condition = compile_filter(with_categories(filters, categories))
        with self._store.snapshot() if self._store.exists else nullcontext():
            facts = list(
                self._listed(
                    within,
                    scope,
                    condition=condition,
                    status=status,
                    show_hidden=show_expired,
                    limit=-1 if limit is None else limit,
                    offset=offset,
                )
            )
            total = offset + len(facts)
            if offset > 0 or len(facts) == limit:
                total = self._counted(
                    within, scope, condition, status=status, show_hidden=show_expired
                )
        return FactPage(facts, total=total, offset=offset)

    def count(self, *, scope: Reach = "all", status: str = "active") -> int:
        """Return how many facts `list` would return without a limit."""
        condition = compile_filter(None)
        return self._counted(self._scope, scope, condition, status=status, show_hidden=False)

    def _counted(
        self, within: Scope, reach: Reach, condition: Condition, *, status: str, show_hidden: bool
    ) -> int:
        if not self._store.exists:
            return 0
        parameters = self._reading(within, reach, status=status, show_hidden=show_hidden)
        counting = {**parameters, **condition.parameters}
        return int(self._store.value(condition.bound(READ.counted), counting))

    def pending(self) -> FactPage:
        """Return the facts that wait for a person."""
        return self.list(status="pending", show_expired=True)

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
            find(self._store, self._scope.reading(), memory_id)
        return [Change(**dict(row)) for row in rows]

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
        plain = (behind_host_blocks(text) or text).strip()
        rule = find_rule(self._store, plain)
        return judge(plain, policy, known=self._novelty(plain), secret_rule=rule)

    def guide(self) -> str:
        """Return the protocol for an agent's system prompt."""
        return guide(self._settings)

    def _novelty(self, text: str) -> Gate:
        name = "novelty"
        key = same_key(without_opening(text.strip()))
        same = Condition("(fact.equal_key = :equal_key)", {"equal_key": key})
        for fact in self._listed(self._scope, condition=same):
            return Gate(name, passed=False, why=f"known already as {fact.id}")
        return self._stated(text) or self._claimed(text) or Gate(name, passed=True, why="not known")

    def _stated(self, text: str) -> Gate | None:
        """Return what a statement is to the facts about the same property of the same thing."""
        statement = read_statement(text)
        if statement is None:
            return None
        for fact in self.lookup(statement.subject, statement.attribute):
            if same_value(statement.value, fact.value or ""):
                new = reason_of(text) not in {"", reason_of(fact.text)}
                why = f"says more than {fact.id}" if new else f"says the same as {fact.id}"
                return Gate("novelty", passed=new, why=why)
            if replaces(statement, fact.value or ""):
                return Gate("novelty", passed=True, why=f"changes {fact.id}: {fact.value}")
        return None

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
