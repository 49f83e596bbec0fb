"""The MCP server: the memory tools, and the tools for screens, over standard input and output.

A tool answers with one text and nothing beside it: some hosts hand a model the text, some the
structured content, some both, and so each reads the same, once. A failure is a JSON object whose
``error`` is the code that agents of the mem0 tools know. Scope is set when the server starts; no
parameter of a tool can widen it.

Calls are read under the names of both generations of the memory tools. A parameter that no tool
knows is refused, not dropped: a call that was meant for one agent alone must not reach everybody's
facts because its ``agentId`` went unread. Schemas are as short as they can be: every agent pays for
them in every prompt. Limits, nulls and second spellings are left out: a call that breaks a limit is
refused with the reason, and one that uses a second spelling is understood.
"""

from __future__ import annotations

import functools
import json
import logging
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolResult,
    TextContent,
    Tool,
    ToolAnnotations,
    jsonrpc_message_adapter,
)
from pydantic import Field, ValidationError

from memctl.base.arguments import without_surrogates
from memctl.base.errors import FilterError, MemctlError, UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.base.steps import remarked, watched
from memctl.text.fences import escaped

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from memctl.search.vectors.embed import BackgroundVectors

_Tool = TypeVar("_Tool", bound="Callable[..., str]")
_asked_in: ContextVar[Any] = ContextVar("asked_in", default=None)
_LOG = logging.getLogger(__name__)

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
DESTROYS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


class _Progress:
    """The steps of a call, reported to its host from the thread that works on it.

    Parameters
    ----------
    context
        The request of the SDK; ``None``: nobody listens.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._steps = 0

    def __call__(self, name: str) -> None:
        """Report a step; raises in the thread of a call that was cancelled, which ends it there."""
        anyio.from_thread.check_cancelled()
        if name and self._context is not None:
            self._steps += 1
            tell = functools.partial(
                self._context.report_progress, float(self._steps), message=name
            )
            anyio.from_thread.run(tell)


class _WholeSigns:
    """The messages of a host, with half a sign replaced: JavaScript cuts a text within one.

    The SDK reads no such line, and its call would wait for an answer without end.
    """

    def __init__(self, messages: Any) -> None:
        self._messages = messages

    def __getattr__(self, name: str) -> Any:
        return getattr(self._messages, name)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        message = await anext(self._messages)
        if isinstance(message, ValidationError):
            with suppress(ValueError, RecursionError):  # it is no JSON at all
                line = json.dumps(json.loads(message.errors()[0]["input"]), ensure_ascii=False)
                read = jsonrpc_message_adapter.validate_json(
                    without_surrogates(line), by_name=False
                )
                return SessionMessage(read)
        return message


class MemoryServer(MCPServer[Any]):
    """An MCP server that knows both generations' names, and turns refusals into data.

    Parameters
    ----------
    profile
        Names of the tools that it serves.
    vectors
        Made in the background, while no tool is called.
    first
        Called before each call of a tool, in its thread.
    store
        The file of the memory behind it.

    Attributes
    ----------
    writers
        Held by calls that write: the servers of one file share it, for SQLite lets who waits starve.
    """

    def __init__(
        self,
        *,
        profile: Collection[str],
        version: str,
        instructions: str,
        vectors: BackgroundVectors,
        first: Callable[[], object] | None = None,
        store: Path,
    ) -> None:
        self.store = store
        self.writers = anyio.Lock()
        self._vectors = vectors
        self._first = first
        super().__init__(
            "memctl", version=version, instructions=instructions or None, log_level="WARNING"
        )
        self._profile = frozenset(profile)
        # Calls are answered in their order; what one waits for in its thread, the loop does not.
        self._in_turn = anyio.Lock()
        # A host asks for what is announced, and there is neither a resource nor a prompt.
        for method in ("resources/list", "resources/templates/list", "resources/read"):
            self._lowlevel_server._request_handlers.pop(method, None)  # noqa: SLF001
        for method in ("prompts/list", "prompts/get"):
            self._lowlevel_server._request_handlers.pop(method, None)  # noqa: SLF001

    @contextmanager
    def with_vectors(self) -> Iterator[Self]:
        """Make vectors inside, while nobody calls."""
        self._vectors.start()
        try:
            yield self
        finally:
            self._vectors.stop()

    def run(self, *given: Any, **named: Any) -> None:
        """Serve until the host has gone; vectors are made meanwhile."""
        with self.with_vectors():
            super().run(*given, **named)

    async def run_stdio_async(self) -> None:
        """Serve a host that talks over standard input and output."""
        async with stdio_server() as (read, write):
            options = self._lowlevel_server.create_initialization_options()
            await self._lowlevel_server.run(_WholeSigns(read), write, options)

    def tool(self, *given: Any, **named: Any) -> Callable[[_Tool], _Tool]:
        """Register a function as a tool that runs in a worker thread.

        Pings are answered meanwhile, and the steps of a long call are its progress. A
        cancelled call is no longer waited for, and ends at its next step.
        """
        named["structured_output"] = False
        reads = named["annotations"] is READS
        register = super().tool(*given, **named)

        def keep(function: _Tool) -> _Tool:
            @functools.wraps(function)
            async def in_a_thread(**arguments: Any) -> str:
                async with self._in_turn, nullcontext() if reads else self.writers:
                    work = functools.partial(self._work, function, arguments)
                    with watched(_Progress(_asked_in.get())):
                        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

            register(in_a_thread)
            return function

        return keep

    def _work(self, function: _Tool, arguments: dict[str, Any]) -> str:
        self._vectors.called()
        try:
            if self._first is not None:
                self._first()
            return function(**arguments)
        finally:
            self._vectors.called()

    async def list_tools(self) -> list[Tool]:
        """Return the tools of the profile, without padding in their schemas."""
        tools = [tool for tool in await super().list_tools() if tool.name in self._profile]
        return [
            tool.model_copy(update={"input_schema": lean_schema(tool.input_schema)})
            for tool in tools
        ]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool by one of its names."""
        _asked_in.set(context)
        try:
            call = read_call(name, arguments)
            tools = {tool.name: tool for tool in await super().list_tools()}
            served = [name for name in tools if name in self._profile]
            if call.name not in served:
                raise UsageError(
                    f'there is no tool "{call.name[:40]}"', hint=one_of(call.name, served)
                )
            refuse_unknown(call, tools[call.name].input_schema.get("properties", {}))
            remarks: list[str] = []
            with remarked(remarks):
                result = await super().call_tool(call.name, call.arguments, context)
                # A cap holds for all that is answered.
                return result if "maxTokens" in call.arguments else _remarking(result, remarks)
        except MemctlError as error:
            return _failure(error)
        except UnexpectedToolError as error:
            return _failure(_explained(error.__cause__ or error))
        except ToolError as error:
            return _failure(unusable(error))


def _remarking(result: Any, remarks: Sequence[str]) -> Any:
    """Add remarks to the answer of a tool."""
    if isinstance(result, CallToolResult):
        result.content += [TextContent(type="text", text=f"Note: {each}.") for each in remarks]
    return result


def _explained(error: BaseException) -> MemctlError:
    """Return a tool's error as memctl's own; a defect is logged with where it happened."""
    if isinstance(error, MemctlError):
        return error
    if isinstance(error, OSError):
        return MemctlError(str(error.strerror or error))
    _LOG.error("a defect in memctl", exc_info=error)
    return MemctlError(f"a defect in memctl: {type(error).__name__}", hint="please report it")


def _failure(error: MemctlError) -> CallToolResult:
    message, hint = error.message, as_tools(error.hint)
    if not isinstance(error, FilterError):  # the fields of a filter are spelt as columns are
        message, hint = as_spelt_here(message), as_spelt_here(hint)
    details = {"error": error.code, "message": message, "hint": hint}
    # A message may quote what is stored: it is data there too.
    told = {name: escaped(value) for name, value in details.items() if value}
    text = TextContent(type="text", text=json.dumps(told, ensure_ascii=False))
    return CallToolResult(content=[text], is_error=True)


class NotPlatformError(UsageError):
    """A tool of the hosted service, which works through a queue; here a call is done at once."""

    code = "not_platform"


class ToolCall(NamedTuple):
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


def read_call(name: str, arguments: dict[str, Any]) -> ToolCall:
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
        return ToolCall("memory_store", given)
    if name != "memory_delete":
        return ToolCall(name, given)
    everything = given.pop("all", None)
    if everything is not None and not isinstance(everything, bool):
        raise UsageError('"all" is neither true nor false', hint="all=true, without quotes")
    if everything and not (given.get("memoryId") or given.get("query")):
        return ToolCall("memory_delete_all", _without(given, "memoryId", "query"))
    return ToolCall("memory_forget", _without(given, "confirm"))


def refuse_unknown(call: ToolCall, known: Collection[str]) -> None:
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


UNLISTED: Any = Field(json_schema_extra={"unlisted": True})
"""Marks a parameter that is understood, and too seldom used to be listed."""

UNSAID: Any = Field(json_schema_extra={"unsaid": True})
"""Marks a parameter whose default is not told: what is only shown needs no choice."""

_PADDING = frozenset(
    {"title", "minimum", "maximum", "minItems", "maxItems", "additionalProperties"}
)


def lean_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a tool's parameters without padding."""
    listed = {
        name: _lean(one) for name, one in schema["properties"].items() if "unlisted" not in one
    }
    required = {"required": schema["required"]} if schema.get("required") else {}
    return {"type": "object", "properties": listed, **required}


def _lean(one: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one parameter, of the first type that it takes."""
    first: dict[str, Any] = next(iter(one.get("anyOf", ())), {})
    merged = {**first, **{name: value for name, value in one.items() if name != "anyOf"}}
    lean = {name: value for name, value in merged.items() if name not in _PADDING}
    unsaid = lean.pop("unsaid", False) or not lean.get("default", True)
    if unsaid or (lean.get("type") == "string" and "enum" not in lean):
        lean.pop("default", None)
    if lean.get("type") == "array":
        lean["items"] = _lean(lean["items"]) or {"type": "string"}
    return lean
