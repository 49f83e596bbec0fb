"""Hooks of a host: what is kept of each event, and what is put into the prompt."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memctl.base.errors import MemctlError
from memctl.text.fences import block, escaped

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl_cli.hooks.host_calls import HostCall

__all__ = ["answer_hook"]

# Claude Code moves longer contexts into a file.
_MOST_CHARACTERS = 9_000
_LAST = "last prompt"
_REMEMBERED = 500  # characters of a prompt in the journal


def answer_hook(memory: Memory, call: HostCall) -> dict[str, Any] | None:
    """Keep what a host tells of, and return its answer as an object for JSON; ``None`` for silence.

    What cannot be kept is left out without a word to the host: a prompt with a secret, a busy or
    full store. A hook never fails a host.
    """
    act = {
        "prompt": _prompt,
        "reply": _reply,
        "tool": _tool,
        "compact": _compact,
        "start": _start,
        "end": _end,
    }[call.event]
    text = act(memory, call)
    return _injected(call, text) if text else None


def _prompt(memory: Memory, call: HostCall) -> str:
    if not call.text.strip():
        return ""
    text = ""
    with suppress(MemctlError):
        # Before the turn is logged: a prompt is no memory of itself.
        if memory.settings["recall_strategy"] != "off":
            text = _memory_of(memory, call.text)
    with suppress(MemctlError):
        memory.journal.context(_LAST, call.text.strip()[:_REMEMBERED])
    with suppress(MemctlError):
        memory.log(call.text, role="user", session=call.session)
    return text


def _memory_of(memory: Memory, prompt: str) -> str:
    """Return the context of a prompt, or the line of Active Memory in the same fence."""
    mode = str(memory.settings.get("active_in_hooks"))
    if mode == "off":
        return memory.context(prompt).text
    line = memory.active(prompt, mode=mode).text
    return block([escaped(line)]) if line else ""


def _reply(memory: Memory, call: HostCall) -> str:
    if call.text.strip():
        with suppress(MemctlError):
            memory.log(call.text, role="assistant", session=call.session)
    return ""


def _tool(memory: Memory, call: HostCall) -> str:
    if call.tool:
        with suppress(MemctlError):
            memory.tool_calls.add(
                call.tool, call.input, session=call.session, ok=call.ok, told=call.told
            )
    return ""


def _compact(memory: Memory, _: HostCall) -> str:
    with suppress(MemctlError):
        memory.journal.snapshot("before a compaction")
    return ""


def _start(memory: Memory, call: HostCall) -> str:
    with suppress(MemctlError):
        memory.sessions.start(call.session)
    with suppress(MemctlError):
        return memory.context().text
    return ""


def _end(memory: Memory, call: HostCall) -> str:
    with suppress(MemctlError):
        memory.sessions.end(call.session)
    return ""


def _injected(call: HostCall, text: str) -> dict[str, Any] | None:
    """Return a text in the shape in which a host takes it; ``None`` where it takes none."""
    if len(text) > _MOST_CHARACTERS:
        return None
    if call.host == "openclaw":
        return {"prependContext": text}
    if call.host == "cursor":
        # A prompt of Cursor takes no context, only its session's start does.
        return {"additional_context": text} if call.event == "start" else None
    return {"hookSpecificOutput": {"hookEventName": call.named, "additionalContext": text}}
