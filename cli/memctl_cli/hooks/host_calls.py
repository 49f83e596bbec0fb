"""Calls of a host's hooks: the host told by its fields, the event in one shape for all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memctl.base.pattern import Pattern

__all__ = ["EVENTS", "HostCall", "read_host_call"]

EVENTS = ("prompt", "reply", "tool", "compact", "start", "end")

# No host sends as much; what is longer is not read to its end.
_MOST_BYTES = 10_000_000
_NO_NAME = Pattern(r"[^\w.:@+-]")
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class HostCall:
    """One call of a hook.

    Parameters
    ----------
    host
        ``claude-code``, ``codex``, ``cursor`` or ``openclaw``.
    event
        One of `EVENTS`.
    named
        The event as the host names it, which its answer repeats.
    session
        The host's session, as a name.
    text
        The prompt or the reply; empty for the others.
    tool, input, ok, told
        The tool that was called, with what, how it went, and what it answered.
    source
        Why a session starts: ``startup``, ``resume``, ``compact``.
    """

    host: str
    event: str
    named: str
    session: str
    text: str = ""
    tool: str = ""
    input: Mapping[str, Any] | None = None
    ok: bool | None = None
    told: str = ""
    source: str = ""


def read_host_call(event: str, data: bytes) -> HostCall | None:
    """Return the call that a host has sent; ``None`` where it is none that is known.

    Parameters
    ----------
    event
        One of `EVENTS`, as the hook was installed for it.
    data
        What stood on standard input: JSON, at most 10 MB.
    """
    if event not in EVENTS or len(data) > _MOST_BYTES:
        return None
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, Mapping):
        return None
    host = _host(given)
    session = _session(given.get("session_id") or given.get("conversation_id"))
    if host is None or session is None:
        return None
    response = given.get("tool_response", given.get("tool_output"))
    tool_input = given.get("tool_input")
    return HostCall(
        host,
        event,
        _text(given.get("hook_event_name")),
        session,
        _text(given.get("last_assistant_message" if event == "reply" else "prompt")),
        _text(given.get("tool_name")),
        tool_input if isinstance(tool_input, Mapping) else {"value": _text(tool_input)},
        _ok(given, response),
        _text(response),
        _text(given.get("source")),
    )


def _host(given: Mapping[str, Any]) -> str | None:
    """Return the host whose fields these are."""
    if given.get("host") == "openclaw":
        return "openclaw"
    if "conversation_id" in given:
        return "cursor"
    if "hook_event_name" not in given:
        return None
    return "codex" if "turn_id" in given else "claude-code"


def _session(name: object) -> str | None:
    """Return a host's session as a name; ``None`` where it has none."""
    if not isinstance(name, str):
        return None
    return _NO_NAME.sub("-", name).lstrip("_.:@+-")[:_LONGEST_NAME] or None


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _ok(given: Mapping[str, Any], response: object) -> bool | None:
    """Return how a call of a tool went, as far as the host says."""
    if "error" in given or given.get("hook_event_name") == "PostToolUseFailure":
        return False
    if isinstance(response, Mapping):
        for key, good in (("success", True), ("is_error", False), ("isError", False)):
            if isinstance(response.get(key), bool):
                return response[key] is good
    return None
