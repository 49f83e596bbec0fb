"""Hooks of a host: what is kept of each event, and what is put into the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import MemctlError, ReadOnlyError, StoreError
from memctl.text.fences import block, escaped
from memctl.working.entries import LAST_PROMPT
from memctl.working.recall_policy import read_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.memory import Memory
    from memctl.working.assembler import Occasion
    from memctl.working.context import Context
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

    brought: list[Context] = []

    def context() -> str:
        mode = str(memory.settings.get("active_in_hooks"))
        if mode != "off" and call.event == "prompt":
            return _line_of(memory, text[:_ASKED], mode)
        brought.append(_memory_of(memory, text[:_ASKED]))
        return brought[0].text

    def told() -> None:
        for made in brought:
            memory.injected(made, call.event)

    def keep() -> None:
        memory.journal.context(LAST_PROMPT, text[:_REMEMBERED])

    def log() -> None:
        memory.log(call.text, role=call.role, session=session)
        call.done.add("logged")

    def tool() -> None:
        memory.tool_calls.add(call.tool, call.input, session=session, ok=call.ok, told=call.told)

    def start() -> None:
        memory.sessions.start(session)

    def end() -> None:
        memory.sessions.end(session)

    # Read before anything is written: a prompt is no memory of itself, and a store that cannot be
    # written answers.
    acts: dict[str, list[Callable[[], str | None]]] = {
        "prompt": [context, told, keep, log] if text else [],
        "reply": [log] if text else [],
        "tool": [tool] if call.tool else [],
        "compact": [memory.compacted],
        "start": [context, told, start],
        "end": [end],
    }
    return acts[call.event]


def _memory_of(memory: Memory, prompt: str) -> Context:
    """Return what a prompt is told, or without one a session that starts."""
    occasion: Occasion = "prompt" if prompt else "start"
    made, tokens = memory.context(prompt or None, occasion=occasion), _MOST_CHARACTERS // 3
    while len(made.text) > _MOST_CHARACTERS:  # most texts hold more characters a token
        made = memory.context(prompt or None, tokens, occasion=occasion)
        tokens //= 2
    return made


def _line_of(memory: Memory, prompt: str, mode: str) -> str:
    """Return the line of Active Memory for a prompt, in the fence that a context has."""
    strategy = str(memory.settings.get("recall_strategy"))
    if read_prompt(prompt, strategy).skipped:
        return ""
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
