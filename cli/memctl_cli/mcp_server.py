"""The MCP server: the memory tools, and the tools for screens, over standard input and output.

A tool answers with a text to read and with the same as data (``structured_content``). A
failure is data too: its ``error`` is the code that agents of the mem0 tools know. Scope is
set when the server starts; no parameter of a tool can widen it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from memctl.errors import MemctlError, UsageError
from memctl_cli.output import jsonable

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["CHANGES", "DESTROYS", "READS", "MemoryServer", "answer", "parsed"]

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
        known = _renamed(name, {_CAMEL.get(key, key): value for key, value in arguments.items()})
        try:
            return await super().call_tool(known.name, known.arguments, context)
        except UnexpectedToolError as error:
            if isinstance(error.__cause__, MemctlError):
                return _failure(name, error.__cause__)
            raise
        except ToolError as error:
            return _failure(name, _unusable(error))


@dataclass(frozen=True, slots=True)
class _Call:
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
}


def _renamed(name: str, arguments: dict[str, Any]) -> _Call:
    """Return the call as this generation names it: memory_add and memory_delete are understood."""
    if name == "memory_add":
        return _Call("memory_store", arguments)
    if name == "memory_delete":
        if arguments.pop("all", False) and not (
            arguments.get("memoryId") or arguments.get("query")
        ):
            kept = {k: v for k, v in arguments.items() if k in {"confirm", "userId"}}
            return _Call("memory_delete_all", kept)
        arguments.pop("confirm", None)
        return _Call("memory_forget", arguments)
    return _Call(name, arguments)


def _failure(name: str, error: MemctlError) -> CallToolResult:
    hint = f" ({error.hint})" if error.hint else ""
    details = {"error": error.code, "message": error.message, "hint": error.hint}
    return CallToolResult(
        content=[TextContent(type="text", text=f"{name} failed: {error.message}{hint}")],
        structured_content=details,
        is_error=True,
    )


def _unusable(error: ToolError) -> UsageError:
    """Return what is wrong with a call's parameters, without repeating their values."""
    lines = str(error).splitlines()
    said = [line.split(" [type=")[0].strip() for line in lines if not line.startswith("    For ")]
    return UsageError("; ".join(said)[:500], hint="see the tool's parameters")
