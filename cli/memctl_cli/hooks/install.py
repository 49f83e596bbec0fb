"""Lines that a host's configuration needs for memctl's hooks and its MCP server."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of

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
NEXT = {
    "codex": "Codex runs new hooks once you trust them: /hooks shows them.",
    "openclaw": "OpenClaw needs the plugin: openclaw plugins install --link ./integrations/openclaw",
}
"""What is left to be done by hand, by host."""
# Where each host keeps its MCP servers, in a file of its own or in the same.
_SERVERS = {
    "claude-code": ("mcpServers", "memctl"),
    "codex": ("mcp_servers", "memctl"),
    "cursor": ("mcpServers", "memctl"),
    "openclaw": ("mcp", "servers", "memctl"),
}
# Hosts that start a server in the folder that is worked in, so that it can tell the project.
_IN_FOLDER = ("claude-code", "codex")


@dataclass(frozen=True, slots=True)
class HostLines:
    """The lines of a host's file: `text` is JSON, to be merged with what is there."""

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


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a host's configuration.

    Parameters
    ----------
    file
        The file, of JSON or of TOML.
    path
        The names that lead to the place.
    value
        The new value.
    how
        ``put`` in place of what is there, ``add`` to a list, ``ensure`` where nothing is there.
    """

    file: Path
    path: tuple[str, ...]
    value: Any
    how: str = "put"


def changes_for(host: str, command: str = "memctl") -> list[Change]:
    """Return the changes of a host's files by which it calls memctl's hooks and its MCP server.

    Parameters
    ----------
    host, command
        As for `lines_for`.

    Raises
    ------
    UsageError
        When the host is unknown.
    """
    loads: dict[str, Any] = json.loads(lines_for(host, command).text)
    where, servers = _places(host)
    words = shlex.split(command)
    if host in _IN_FOLDER and "--project" not in words:
        words += ["--project", "auto"]
    words.append("mcp")
    server: dict[str, Any] = {"command": words[0], "args": words[1:]}
    if host == "claude-code":
        server = {"type": "stdio", **server}
    made: list[Change] = []
    if host == "openclaw":
        plugins = loads["plugins"]
        made += [
            Change(where, ("plugins", "slots", "memory"), plugins["slots"]["memory"]),
            Change(where, ("plugins", "entries", "memctl"), plugins["entries"]["memctl"]),
        ]
    for name, value in loads.items():
        if name == "hooks":
            made += [
                Change(where, (name, event), item, "add")
                for event, items in value.items()
                for item in items
            ]
        elif name != "plugins":
            made.append(Change(where, (name,), value, "ensure" if name == "version" else "put"))
    return [*made, Change(servers, _SERVERS[host], server)]


def scope_of(host: str, project: str | None) -> str:
    """Return in a sentence which project the memory of a host is of."""
    if project == "none":
        return "One memory for all projects: what is told in one is offered in all."
    if project and project != "auto":
        return (
            f'All that {host} tells is kept in the project "{project}", whatever folder it is in.'
        )
    return (
        "Each repository, or folder, is a project of its own; what is told of the user is offered in "
        "all. --project none keeps one memory, --project NAME another."
    )


def _places(host: str) -> tuple[Path, Path]:
    """Return the files of a host's hooks and of its MCP servers, where this user has them."""
    home = Path.home()
    if host == "claude-code":
        said = os.environ.get("CLAUDE_CONFIG_DIR")
        folder = Path(said) if said else home / ".claude"
        return folder / "settings.json", (folder if said else home) / ".claude.json"
    if host == "codex":
        folder = Path(os.environ.get("CODEX_HOME") or home / ".codex")
        return folder / "hooks.json", folder / "config.toml"
    if host == "cursor":
        return home / ".cursor" / "hooks.json", home / ".cursor" / "mcp.json"
    file = Path(os.environ.get("OPENCLAW_CONFIG_PATH") or home / ".openclaw" / "openclaw.json")
    return file, file


def _openclaw(command: str) -> dict[str, Any]:
    """Return the configuration of the plugin in ``integrations/openclaw``, which calls the hooks."""
    entry = {
        "enabled": True,
        # Without the second, OpenClaw keeps the replies from a plugin that it was not shipped with.
        "hooks": {"allowPromptInjection": True, "allowConversationAccess": True},
        "config": {"command": shlex.split(command)},
    }
    return {"plugins": {"slots": {"memory": "none"}, "entries": {"memctl": entry}}}
