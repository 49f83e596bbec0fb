"""Hooks of a host: what is kept of each event, and what is put into the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import MemctlError, ReadOnlyError, StoreError
from memctl.text.fences import block, escaped
from memctl.working.entries import LAST_PROMPT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.memory import Memory
    from memctl_cli.hooks.host_calls import HostCall

__all__ = ["answer_hook"]

# Claude Code moves longer contexts into a file.
_MOST_CHARACTERS = 9_000
_REMEMBERED = 500  # characters of a prompt in the journal
_ASKED = 2_000  # characters of a prompt that is answered; a longer one is a file that was pasted
# What takes a context: Cursor's and Codex's other outputs have no room for one.
_TAKING = ("SessionStart", "UserPromptSubmit")


def answer_hook(memory: Memory, call: HostCall) -> tuple[dict[str, Any] | None, MemctlError | None]:
    """Keep what a host tells of; return its answer, and the first thing that went wrong.

    Of a text that is refused (it holds a secret) the rest goes on. Where the store cannot be
    written, nothing else is tried: a host waits.

    Returns
    -------
    answer
        An object for JSON; ``None`` for silence.
    problem
        What could not be kept, or read.
    """
    texts: list[str] = []
    problem: MemctlError | None = None
    for act in _acts(memory, call):
        try:
            texts.append(act() or "")
        except MemctlError as error:
            problem = problem or error
            if isinstance(error, (OSError, StoreError, ReadOnlyError)):
                break
    text = "".join(texts)
    return (_injected(call, text) if text else None), problem


def _acts(memory: Memory, call: HostCall) -> Sequence[Callable[[], str | None]]:
    """Return what is done for a call, in its order; a text that comes back is for the prompt."""
    text, session = call.text.strip(), call.session

    def context() -> str:
        return _memory_of(memory, text[:_ASKED])

    def keep() -> None:
        memory.journal.context(LAST_PROMPT, text[:_REMEMBERED])

    def log() -> None:
        memory.log(call.text, role=call.role, session=session)
        call.done.add("logged")

    def tool() -> None:
        memory.tool_calls.add(call.tool, call.input, session=session, ok=call.ok, told=call.told)

    def compact() -> None:
        memory.journal.snapshot("before a compaction")

    def start() -> None:
        memory.sessions.start(session)

    def end() -> None:
        memory.sessions.end(session)

    # Read before anything is written: a prompt is no memory of itself, and a store that cannot be
    # written answers.
    acts: dict[str, list[Callable[[], str | None]]] = {
        "prompt": [context, keep, log] if text else [],
        "reply": [log] if text else [],
        "tool": [tool] if call.tool else [],
        "compact": [compact],
        "start": [context, start],
        "end": [end],
    }
    return acts[call.event]


def _memory_of(memory: Memory, prompt: str) -> str:
    """Return the context of a prompt, or the line of Active Memory in the same fence."""
    told = memory.settings.several("recall_strategy", "active_in_hooks")
    if prompt and told["recall_strategy"] == "off":
        return ""
    mode = str(told["active_in_hooks"])
    if mode == "off" or not prompt:
        made = memory.context(prompt or None).text
        tokens = _MOST_CHARACTERS // 3  # most texts hold more characters a token
        while len(made) > _MOST_CHARACTERS:
            made, tokens = memory.context(prompt or None, max_tokens=tokens).text, tokens // 2
        return made
    line = memory.active(prompt, mode=mode).text
    return block([escaped(line)]) if line else ""


def _injected(call: HostCall, text: str) -> dict[str, Any] | None:
    """Return a text in the shape in which a host takes it; ``None`` where it takes none."""
    if len(text) > _MOST_CHARACTERS:
        return None
    if call.host == "openclaw":
        # Behind the prompt: what stands before it stays in the provider's cache.
        return {"appendContext": text}
    if call.host == "cursor":
        # A prompt of Cursor takes no context, only its session's start does.
        return {"additional_context": text} if call.event == "start" else None
    if call.named not in _TAKING:
        return None
    return {"hookSpecificOutput": {"hookEventName": call.named, "additionalContext": text}}
