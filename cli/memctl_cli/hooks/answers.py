"""Hooks of a host: what is kept of each event, and what is put into the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import MemctlError, ReadOnlyError, StoreError
from memctl.recall.recalls import mark_used
from memctl.text.fences import block, escaped, with_lines
from memctl.working.entries import LAST_PROMPT
from memctl.working.recall_policy import read_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.memory import Memory
    from memctl.semantic.records import Written
    from memctl.working.context import Context, Occasion
    from memctl_cli.hooks.host_calls import HostCall

# Claude Code moves longer contexts into a file.
_MOST_CHARACTERS = 9_000
_REMEMBERED = 500  # characters of a prompt in the journal
_ASKED = 2_000  # characters of a prompt that is answered; a longer one is a file that was pasted
# What takes a context: Cursor's and Codex's other outputs have no room for one.
_TAKING = ("SessionStart", "UserPromptSubmit")


def answer_hook(memory: Memory, call: HostCall) -> tuple[dict[str, Any] | None, Exception | None]:
    """Keep what a host sends; return the answer, and the first thing that went wrong.

    Of a text that is refused (it holds a secret) the rest goes on. Where the store cannot be
    written, nothing else is tried: a host waits.

    Returns
    -------
    answer
        An object for JSON; ``None`` for silence.
    problem
        What could not be kept, or read.
    """
    answering = _Answering(memory, call)
    problem: Exception | None = None
    for act in answering.acts:
        try:
            act()
        except (MemctlError, TimeoutError) as error:
            problem = problem or error
            if isinstance(error, (OSError, StoreError, ReadOnlyError)):
                break
    text = answering.text
    return (_injected(call, text) if text else None), problem


class _Answering:
    """One call: what is done for it, and what comes into the prompt."""

    def __init__(self, memory: Memory, call: HostCall) -> None:
        self._memory = memory
        self._call = call
        self._said = call.text.strip()
        self._context: Context | None = None
        self._line = ""
        self._turn: int | None = None
        self._kept: list[str] = []

    @property
    def acts(self) -> Sequence[Callable[[], object]]:
        """What is done, in its order.

        Read before anything is written: a prompt is no memory of itself, and a store that cannot be
        written answers.
        """
        memory, session, said = self._memory, self._call.session, self._said
        acts: dict[str, Sequence[Callable[[], object]]] = {
            "prompt": [self._bring, self._told, self._last_prompt, self._log, self._keep],
            "reply": [self._log, self._used],
            "tool": [self._tool] if self._call.tool else [],
            "compact": [memory.compacted],
            "start": [self._bring, self._told, lambda: memory.sessions.start(session)],
            "end": [lambda: memory.sessions.end(session)],
        }
        return acts[self._call.event] if said or self._call.event not in {"prompt", "reply"} else ()

    @property
    def text(self) -> str:
        """What comes into the prompt: the context, or Active Memory's line, and what was kept."""
        made = self._context.text if self._context is not None else self._line
        kept = [f"Kept of this message: {'; '.join(self._kept)}"] if self._kept else []
        return with_lines(made, kept)

    def _bring(self) -> None:
        mode = str(self._memory.settings.get("active_in_hooks"))
        if mode != "off" and self._call.event == "prompt":
            self._line = _line_of(self._memory, self._said[:_ASKED], mode)
        else:
            self._context = _memory_of(self._memory, self._said[:_ASKED])

    def _told(self) -> None:
        if self._context is not None:
            self._memory.injected(self._context, self._call.event)

    def _last_prompt(self) -> None:
        self._memory.journal.context(LAST_PROMPT, self._said[:_REMEMBERED])

    def _log(self) -> None:
        call = self._call
        self._turn = self._memory.log(call.text, role=call.role, session=call.session)
        call.done.add("logged")

    def _keep(self) -> None:
        call = self._call
        if call.role == "user":
            written = self._memory.at_once(call.text, turn=self._turn, session=call.session)
            self._kept += filter(None, map(_kept, written))

    def _used(self) -> None:
        mark_used(self._memory.store, self._call.session, self._said)

    def _tool(self) -> None:
        call = self._call
        self._memory.tool_calls.add(
            call.tool, call.input, session=call.session, ok=call.ok, told=call.told
        )


def _kept(written: Written) -> str:
    """Describe the fate of a statement by ids: its words are in the prompt itself."""
    if written.event in {"ADD", "PROMOTE"}:
        older = next((f"[{near.id}]" for near in written.related if near.may_replace), "")
        undecided = f", which may replace {older} (memctl pending list)" if older else ""
        return f"[{written.id}]{undecided}"
    if written.event == "SUPERSEDE":
        return f"[{written.id}] in place of [{written.other}]"
    if written.event == "PENDING":
        return f"[{written.id}] beside [{written.other}], undecided (memctl pending list)"
    return ""


def _memory_of(memory: Memory, prompt: str) -> Context:
    """Return the context of a prompt, or without one of a session that starts."""
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
