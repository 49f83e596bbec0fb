"""The MCP server: the memory tools, and the tools for screens, over standard input and output.

A tool answers with a text to read and with the same as data (``structured_content``). A
failure is data too: its ``error`` is the code that agents of the mem0 tools know. Scope is
set when the server starts; no parameter of a tool can widen it.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from memctl.base.errors import FilterError, MemctlError, UsageError
from memctl_cli.mcp.calls import as_spelt_here, read_call, refuse_unknown, unusable
from memctl_cli.output.envelope import jsonable

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["CHANGES", "DESTROYS", "READS", "MemoryServer", "answer", "parsed"]

_LOG = logging.getLogger(__name__)

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
DESTROYS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


def answer(text: str, **details: Any) -> CallToolResult:
    """Return a tool's answer: a text, and the same as data."""
    plain = {name: jsonable(value) for name, value in details.items()}
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=json.loads(json.dumps(plain, default=str)),
    )


def parsed(value: Mapping[str, Any] | str | None, what: str) -> Mapping[str, Any] | None:
    """Return an object that may have been handed over as JSON text.

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


class MemoryServer(MCPServer[Any]):
    """An MCP server that knows both generations' names, and turns refusals into data."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool by one of its names."""
        try:
            call = read_call(name, arguments)
            for tool in await self.list_tools():
                if tool.name == call.name:
                    refuse_unknown(call, tool.input_schema.get("properties", {}))
            return await super().call_tool(call.name, call.arguments, context)
        except MemctlError as error:
            return _failure(name, error)
        except UnexpectedToolError as error:
            return _failure(name, _explained(error.__cause__ or error))
        except ToolError as error:
            return _failure(name, unusable(error))


def _explained(error: BaseException) -> MemctlError:
    """Return a tool's error as memctl's own; a defect is logged with where it happened."""
    if isinstance(error, MemctlError):
        return error
    if isinstance(error, OSError):
        return MemctlError(str(error.strerror or error))
    _LOG.error("a defect in memctl", exc_info=error)
    return MemctlError(f"a defect in memctl: {type(error).__name__}", hint="please report it")


def _failure(name: str, error: MemctlError) -> CallToolResult:
    message, hint = error.message, error.hint
    if not isinstance(error, FilterError):  # the fields of a filter are spelt as columns are
        message, hint = as_spelt_here(message), as_spelt_here(hint)
    details = {"error": error.code, "message": message, "hint": hint}
    told = f"{message} ({hint})" if hint else message
    return CallToolResult(
        content=[TextContent(type="text", text=f"{name} failed: {told}")],
        structured_content=details,
        is_error=True,
    )
