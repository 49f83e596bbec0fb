"""Reads the calls of agents, under the names of both generations of the memory tools.

A parameter that no tool knows is refused, not dropped: a call that was meant for one agent
alone must not reach everybody's facts because its ``agentId`` went unread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Collection


class NotPlatformError(UsageError):
    """A tool of the hosted service, which works through a queue; here a call is done at once."""

    code = "not_platform"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, under the names of this generation."""

    name: str
    arguments: dict[str, Any]


# Parameters are spelt as the mem0 tools spell them; Python's spelling is understood.
_CAMEL = {
    "memory_id": "memoryId",
    "user_id": "userId",
    "agent_id": "agentId",
    "long_term": "longTerm",
    "as_of": "asOf",
    "max_tokens": "maxTokens",
    "valid_from": "validFrom",
    "expires_at": "expiresAt",
    "show_expired": "showExpired",
    "from_state": "fromState",
    "to_state": "toState",
    "keep_both": "keepBoth",
    "happened_at": "happenedAt",
    "min_confidence": "minConfidence",
    "min_worth": "minWorth",
}


_HOSTED = frozenset({"memory_event_list", "memory_event_status"})
_SPELT = Pattern(r"\b(?:" + "|".join(_CAMEL) + r")\b")


# Commands that a hint names, and the tool that does the same; a person runs the others.
_TOOLS = {
    "components restore": "a person restores it",
    "components": "components",
    "states": "states",
    "transitions list": "path",
    "transitions record": 'transitions, action="record"',
    "transitions": "transitions",
    "recalls": "recall answers with its number",
    "recall": "recall",
    "episodes": "recall",
    "turns": "recall",
    "pending": "pending",
    "wal snapshots": 'journal, action="snapshots"',
    "wal": "journal",
    "memory": "memory_list",
}
_COMMAND = Pattern(r'(?:see )?"?memctl (?P<words>[a-z]+(?: [a-z]+)?)(?P<rest>[^"]*)"?')


def as_tools(hint: str) -> str:
    """Return a hint that names a tool where it named a command that an agent cannot run."""

    def tool(found: re.Match[str]) -> str:
        words = found["words"]
        named = _TOOLS.get(words) or _TOOLS.get(words.split()[0])
        return named or f"a person runs: memctl {words}{found['rest']}"

    return _COMMAND.sub(tool, hint)


def as_spelt_here(text: str) -> str:
    """Return a message or hint with the parameters' names as the tools spell them."""
    return _SPELT.sub(lambda found: _CAMEL[found[0]], text)


def read_call(name: str, arguments: dict[str, Any]) -> Call:
    """Return the call as this generation names it: memory_add and memory_delete are understood.

    Raises
    ------
    UsageError
        When ``all`` of a memory_delete is neither true nor false.
    NotPlatformError
        When it is a tool of the hosted service alone.
    """
    if name in _HOSTED:
        raise NotPlatformError(
            f"{name} belongs to the hosted service; here every call is done when it answers",
            hint="memory_history shows the changes of a fact",
        )
    given = {_CAMEL.get(key, key): value for key, value in arguments.items()}
    if name == "memory_add":
        return Call("memory_store", given)
    if name != "memory_delete":
        return Call(name, given)
    everything = given.pop("all", None)
    if everything is not None and not isinstance(everything, bool):
        raise UsageError('"all" is neither true nor false', hint="all=true, without quotes")
    if everything and not (given.get("memoryId") or given.get("query")):
        return Call("memory_delete_all", _without(given, "memoryId", "query"))
    return Call("memory_forget", _without(given, "confirm"))


def refuse_unknown(call: Call, known: Collection[str]) -> None:
    """Refuse a call that names a parameter which its tool does not have.

    Raises
    ------
    UsageError
        With the parameters that there are.
    """
    for name in call.arguments:
        if name not in known:
            raise UsageError(
                f'{call.name} has no parameter "{name[:40]}"',
                hint=one_of(name, known) if known else "it takes none",
            )


def unusable(error: Exception) -> UsageError:
    """Return an error that names the wrong parameters of a call, without their values."""
    wrong = error.__cause__
    if not isinstance(wrong, ValidationError):
        return UsageError(str(error)[:200], hint="see the tools that are listed")
    said: dict[str, list[str]] = {}
    for one in wrong.errors(include_url=False, include_context=False, include_input=False):
        reasons = said.setdefault(str(one["loc"][0]), [])
        if one["msg"] not in reasons:
            reasons.append(one["msg"])
    lines = [f'"{name}": {", or ".join(reasons)}' for name, reasons in said.items()]
    return UsageError("; ".join(lines), hint="see the tool's parameters")


def _without(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in arguments.items() if key not in names}
