"""Calls of a host's hooks: the host known by its fields, the event in one shape for all."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from memctl.base.errors import UnusableInputError
from memctl.working.session_names import as_name
from memctl_cli.hooks import EVENTS

# No host sends as much; what is longer is not read to its end.
_MOST_BYTES = 10_000_000
_HOSTS = ("claude-code", "codex", "cursor", "openclaw")
# Where hosts write a prompt, a reply, and the answer of a tool.
_TEXTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(EVENTS, ()),
    "prompt": ("prompt",),
    "reply": ("last_assistant_message", "text"),
}
_RESPONSES = ("tool_response", "tool_output", "result_json", "output")
_SUBAGENT = ("agent_id", "isSidechain", "parent_conversation_id")
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # JSON's escape of half a character


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
    folder
        Where the agent works; empty where that is unknown.
    text
        The prompt or the reply; empty for the others.
    tool, input, ok, told
        The tool that was called, with what, how it went, and what it answered.
    subagent
        Whether an agent that another agent has started sent it: its prompt is no user's word.
    done
        What was done of it: ``logged`` once its turn is in the store.
    """

    host: str
    event: str
    named: str
    session: str
    folder: str = ""
    text: str = ""
    tool: str = ""
    input: Mapping[str, Any] | None = None
    ok: bool | None = None
    told: str = ""
    subagent: bool = False
    done: set[str] = field(default_factory=set)

    @property
    def role(self) -> str:
        """The role of its text: ``user``, ``assistant``, or ``system`` for the order of a subagent."""
        if self.event == "reply":
            return "assistant"
        return "system" if self.subagent else "user"


def read_host_call(event: str, data: bytes) -> HostCall:
    """Return the call that a host has sent.

    Parameters
    ----------
    event
        One of `EVENTS`, as the hook was installed for it.
    data
        The bytes of standard input: a JSON object, at most 10 MB.

    Raises
    ------
    UnusableInputError
        When it is no object of JSON, of no known host or of no session.
    """
    given = _object(data)
    host = _host(given)
    session = _session(given.get("session_id") or given.get("conversation_id"))
    if host is None or session is None:
        raise UnusableInputError(
            "the input names no host and session that memctl knows", hint=", ".join(_HOSTS)
        )
    response = next((given[key] for key in _RESPONSES if key in given), None)
    return HostCall(
        host,
        event,
        _said(given.get("hook_event_name")),
        session,
        _folder(given),
        next((_words(given[key]) for key in _TEXTS[event] if key in given), ""),
        _said(given.get("tool_name")) or ("shell" if "command" in given else ""),
        _tool_input(given),
        _ok(given, response),
        _text(response),
        _of_subagent(given),
    )


def _object(data: bytes) -> Mapping[str, Any]:
    """Return the JSON object that bytes are, without halves of characters."""
    if len(data) > _MOST_BYTES:
        raise UnusableInputError("the input is longer than 10 MB", hint="nothing of it was kept")
    try:
        given = json.loads(data.decode("utf-8-sig", "replace"))
        if _HALF.search(data):
            given = json.loads(json.dumps(given, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError) as error:
        raise UnusableInputError("the input is no JSON", hint="a host writes it") from error
    if not isinstance(given, Mapping):
        raise UnusableInputError("the input is no JSON object", hint="a host writes it")
    return given


def _tool_input(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read the input of a tool; some hosts write an object, some its JSON."""
    value = given.get("tool_input", {"command": given.get("command")})
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    return value if isinstance(value, Mapping) else {"value": _text(value)}


def _host(given: Mapping[str, Any]) -> str | None:
    """Return the host whose fields these are."""
    if given.get("host") == "openclaw":
        return "openclaw"
    if "conversation_id" in given:
        return "cursor"
    if not isinstance(given.get("hook_event_name"), str):
        return None
    return "codex" if "turn_id" in given else "claude-code"


def _folder(given: Mapping[str, Any]) -> str:
    """Return the folder that the agent works in."""
    roots = given.get("workspace_roots")
    named = [given.get("cwd"), *(roots if isinstance(roots, list) else ())]
    return next((one for one in named if isinstance(one, str) and one), "")


def _session(name: object) -> str | None:
    """Return a host's session as a name; ``None`` where it has none."""
    return as_name(name) if isinstance(name, str) else None


def _of_subagent(given: Mapping[str, Any]) -> bool:
    """Whether a subagent has sent this: a host leaves these fields out of the user's own."""
    named = _said(given.get("hook_event_name")).lower()
    return named.startswith("subagent") or any(given.get(key) for key in _SUBAGENT)


def _words(value: object) -> str:
    """Return the words of a text, or of a list of blocks as in chat APIs, without pictures."""
    if not isinstance(value, list):
        return _said(value)
    texts = (_said(block.get("text")) for block in value if isinstance(block, Mapping))
    return "\n".join(filter(None, texts))


def _said(value: object) -> str:
    """Return a text as it is, anything else as an empty one."""
    return value if isinstance(value, str) else ""


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _ok(given: Mapping[str, Any], response: object) -> bool | None:
    """Return whether a call of a tool went well; ``None`` where that is unknown."""
    if "error" in given or given.get("hook_event_name") == "PostToolUseFailure":
        return False
    if isinstance(response, Mapping):
        for key, good in (("success", True), ("is_error", False), ("isError", False)):
            if isinstance(response.get(key), bool):
                return response[key] is good
    return None
