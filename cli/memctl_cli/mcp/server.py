"""The MCP server: the memory tools, and the tools for screens, over standard input and output.

A tool answers with one text and nothing beside it: some hosts hand a model the text, some the
structured content, some both, and so each reads the same, once. A failure is a JSON object whose
``error`` is the code that agents of the mem0 tools know. Scope is set when the server starts; no
parameter of a tool can widen it.
"""

from __future__ import annotations

import functools
import json
import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations

from memctl.base.errors import FilterError, MemctlError, UsageError
from memctl.base.near_words import one_of
from memctl.base.steps import watched
from memctl.text.fences import escaped
from memctl_cli.mcp.calls import as_spelt_here, as_tools, read_call, refuse_unknown, unusable
from memctl_cli.mcp.lean import lean_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from memctl.search.vectors.embed import BackgroundVectors

_Tool = TypeVar("_Tool", bound="Callable[..., CallToolResult]")
_asked_in: ContextVar[Any] = ContextVar("asked_in", default=None)
_LOG = logging.getLogger(__name__)

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
DESTROYS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


def answer(text: str) -> CallToolResult:
    """Return a tool's answer."""
    return CallToolResult(content=[TextContent(type="text", text=text)])


def parsed(value: Mapping[str, Any] | str | None, what: str) -> Mapping[str, Any] | None:
    """Return an object that was handed over as it is, or as JSON text.

    Raises
    ------
    UsageError
        When it is no JSON, or no object.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{what} is not JSON: {error}", hint='{"field": "value"}') from error
    if not isinstance(value, dict):
        raise UsageError(f"{what} is not a JSON object", hint='{"field": "value"}')
    return value


class _Progress:
    """Tells a host the steps of its call, from the thread that works on it.

    Parameters
    ----------
    context
        The request, as the SDK hands it over; ``None``: nobody is told.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._steps = 0

    def __call__(self, name: str) -> None:
        """Tell a step; raises in the thread of a call that was cancelled, which ends it there."""
        anyio.from_thread.check_cancelled()
        if name and self._context is not None:
            self._steps += 1
            tell = functools.partial(
                self._context.report_progress, float(self._steps), message=name
            )
            anyio.from_thread.run(tell)


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
    """

    def __init__(
        self,
        *,
        profile: Collection[str],
        version: str,
        instructions: str,
        vectors: BackgroundVectors,
        first: Callable[[], object] | None = None,
    ) -> None:
        self._vectors = vectors
        self._first = first
        super().__init__("memctl", version=version, instructions=instructions or None)
        self._profile = frozenset(profile)
        # Calls are answered in their order; what one waits for in its thread, the loop does not.
        self._in_turn = anyio.Lock()
        # A host asks for what is announced, and there is neither a resource nor a prompt.
        for method in ("resources/list", "resources/templates/list", "resources/read"):
            self._lowlevel_server._request_handlers.pop(method, None)  # noqa: SLF001
        for method in ("prompts/list", "prompts/get"):
            self._lowlevel_server._request_handlers.pop(method, None)  # noqa: SLF001

    def run(self, *given: Any, **named: Any) -> None:
        """Serve until the host has gone; vectors are made meanwhile."""
        self._vectors.start()
        try:
            super().run(*given, **named)
        finally:
            self._vectors.stop()

    def tool(self, *given: Any, **named: Any) -> Callable[[_Tool], _Tool]:
        """Register a function as a tool that runs in a worker thread.

        Pings are answered meanwhile, and the steps of a long call are told as its progress. A
        cancelled call is no longer waited for, and ends at its next step.
        """
        register = super().tool(*given, **named)

        def keep(function: _Tool) -> _Tool:
            @functools.wraps(function)
            async def in_a_thread(**arguments: Any) -> CallToolResult:
                async with self._in_turn:
                    work = functools.partial(self._work, function, arguments)
                    with watched(_Progress(_asked_in.get())):
                        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

            register(in_a_thread)
            return function

        return keep

    def _work(self, function: _Tool, arguments: dict[str, Any]) -> CallToolResult:
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
            return await super().call_tool(call.name, call.arguments, context)
        except MemctlError as error:
            return _failure(error)
        except UnexpectedToolError as error:
            return _failure(_explained(error.__cause__ or error))
        except ToolError as error:
            return _failure(unusable(error))


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
