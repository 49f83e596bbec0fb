"""Lines that a host's configuration needs for memctl's hooks."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of

__all__ = ["HOSTS", "HostLines", "lines_for"]

_CLAUDE = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "PreCompact": "compact",
    "Stop": "reply",
    "SessionEnd": "end",
}
_CURSOR = {
    "sessionStart": "start",
    "beforeSubmitPrompt": "prompt",
    "afterAgentResponse": "reply",
    "afterShellExecution": "tool",
    "afterMCPExecution": "tool",
    "preCompact": "compact",
    "sessionEnd": "end",
}
# By host: its file, its names of the events, and what switches its own memory off.
_FILES: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "claude-code": ("~/.claude/settings.json", _CLAUDE, {"autoMemoryEnabled": False}),
    "codex": (
        "~/.codex/hooks.json",
        {name: event for name, event in _CLAUDE.items() if name != "SessionEnd"},
        {},
    ),
    "cursor": ("~/.cursor/hooks.json", _CURSOR, {"version": 1}),
    "openclaw": ("~/.openclaw/openclaw.json", {}, {}),
}
HOSTS = tuple(_FILES)


@dataclass(frozen=True, slots=True)
class HostLines:
    """What stands in a host's file: `text` is JSON, to be merged with what is there."""

    host: str
    file: str
    text: str


def lines_for(host: str, command: str = "memctl") -> HostLines:
    """Return the lines that a host's configuration needs.

    Parameters
    ----------
    host
        One of `HOSTS`.
    command
        The command as the host can call it, options of the store included.

    Raises
    ------
    UsageError
        When the host is unknown.
    """
    if host not in _FILES:
        raise UsageError(f'host "{host:.40}" is unknown', hint=one_of(host, HOSTS))
    file, events, beside = _FILES[host]
    if host == "openclaw":
        return HostLines(host, file, json.dumps(_openclaw(command), indent=2))
    flat = host == "cursor"
    hooks = {
        name: [
            {"command": f"{command} hook {event}"}
            if flat
            else {"hooks": [{"type": "command", "command": f"{command} hook {event}"}]}
        ]
        for name, event in events.items()
    }
    return HostLines(host, file, json.dumps({**beside, "hooks": hooks}, indent=2))


def _openclaw(command: str) -> dict[str, Any]:
    """Return the configuration of the plugin in ``integrations/openclaw``, which calls the hooks."""
    entry = {
        "enabled": True,
        # Without the second, OpenClaw keeps the replies from a plugin that it was not shipped with.
        "hooks": {"allowPromptInjection": True, "allowConversationAccess": True},
        "config": {"command": shlex.split(command)},
    }
    return {"plugins": {"slots": {"memory": "none"}, "entries": {"memctl": entry}}}
