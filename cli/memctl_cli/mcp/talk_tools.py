"""The MCP tools recall, feedback, log, remember, journal and context."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import Field, WithJsonSchema

from memctl.base.errors import MissingParamError, UsageError
from memctl.base.near_words import one_of
from memctl.text.fences import escaped
from memctl_cli.mcp.answers import cut, fenced_within, paged, within
from memctl_cli.mcp.server import CHANGES, READS, UNLISTED, UNSAID, MemoryServer
from memctl_cli.output.words import counted

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.search.recall_results import Recalled, Row
    from memctl.working.journal import Journal

_OBSERVATIONS = 20  # the newest, that a journal is shown with
T = TypeVar("T")
_ACTIONS = (
    *("get", "task", "plan", "observe", "skill", "context", "decide", "pending", "done"),
    *("blocker", "clear", "snapshot", "snapshots", "restore"),
)
Action = Annotated[str, WithJsonSchema({"type": "string", "enum": list(_ACTIONS)}), UNSAID]
Texts = list[str] | None
Kinds = Annotated[
    Texts,
    WithJsonSchema(
        {"type": "array", "items": {"type": "string", "enum": ["turn", "episode", "fact"]}}
    ),
]


def add_recall(server: MemoryServer, memory: Memory) -> None:
    """Register recall and feedback on `server`."""

    @server.tool(annotations=CHANGES)
    def recall(
        query: str,
        limit: Annotated[int | None, Field(ge=1, le=100)] = None,
        maxTokens: Annotated[int | None, Field(ge=0)] = None,
        asOf: str | None = None,
        now: Annotated[str | None, UNLISTED] = None,
        since: str | None = None,
        until: str | None = None,
        tags: Annotated[Texts, UNLISTED] = None,
        participants: Annotated[Texts, UNLISTED] = None,
        thread: Annotated[str | None, UNLISTED] = None,
        status: Annotated[Literal["living", "archived", "all"], UNLISTED] = "living",
        kinds: Kinds = None,
        minConfidence: Annotated[float, Field(ge=0, le=1), UNLISTED] = 0.0,
        minWorth: Annotated[float | None, Field(ge=0, le=1), UNLISTED] = None,
        record: Annotated[bool, UNLISTED] = True,
    ) -> str:
        """Find what was said, happened or is true."""
        found = memory.recall(
            query,
            limit,
            maxTokens,
            asOf,
            now=now,
            since=since,
            until=until,
            tags=tags or (),
            participants=participants or (),
            thread=thread,
            status=status,
            kinds=kinds or (),
            min_confidence=minConfidence,
            min_worth=minWorth,
            record=record,
        )
        return _rows(found, max_tokens=maxTokens)

    @server.tool(annotations=CHANGES)
    def feedback(
        recall: int,
        used: Annotated[Texts, Field(description="turn:12, f_...")] = None,
        outcome: Literal["ok", "failed"] | None = None,
    ) -> str:
        """Mark which rows of a recall, by its number, helped."""
        given = memory.feedback(recall, used or (), outcome)
        return f"Recall {given.recall}: {counted(given.used, 'row')} helped."


def _rows(recalled: Recalled, *, max_tokens: int | None) -> str:
    if not recalled:
        unknown = f" Unknown: {', '.join(recalled.unknown)}." if recalled.unknown else ""
        waiting = f" ({recalled.waiting})" if recalled.waiting else ""
        return within(
            f"Nothing is known about that: {recalled.note}.{unknown}{waiting}", max_tokens
        )
    lines = [_line(row) for row in recalled]
    return fenced_within(
        lines,
        recalled.corrected,
        recalled.aliases,
        most=len(lines),
        max_tokens=max_tokens,
        remarks=_remarks(recalled),
    )


def _line(row: Row) -> str:
    details = f" | {escaped(cut(row.details))}" if row.details else ""
    who = f", {escaped(', '.join(row.who))}" if row.who else ""
    state = "earlier, undecided: newer is" if row.kind == "fact" else "replaced by"
    older = f", {state} {row.earlier_than}" if row.earlier_than else ""
    shared = f", shared in {escaped(row.shared)}" if row.shared else ""
    doubt = f", to be checked: {escaped(row.doubt)}" if row.doubt else ""
    id_ = str(row.id) if row.kind == "fact" else f"{row.kind} {row.id}"
    tag = f"{row.tag or '-'}, " if row.kind == "fact" else ""
    about = f"({tag}{row.happened_at}{who}{older}{shared}{doubt}) {min(row.score, 1):.0%}"
    return f"- [{id_}] {escaped(cut(row.text))}{details} {about}"


def _remarks(recalled: Recalled) -> list[str]:
    number = f"recall {recalled.id}, " if recalled.id is not None else ""
    unknown = f"unknown: {', '.join(recalled.unknown)}" if recalled.unknown else ""
    sure = f"{number}{recalled.confidence:.0%} sure"
    return [
        one for one in (sure, unknown, recalled.waiting, recalled.note, recalled.unrecorded) if one
    ]


def add_journal(server: MemoryServer, memory: Memory, also: Memory | None = None) -> None:
    """Register the others on `server`; the context reads along the store `also`."""

    @server.tool(annotations=CHANGES)
    def log(text: str, role: str = "user", speaker: str | None = None) -> str:
        """Keep a turn of the conversation."""
        return f"Kept: turn {memory.log(text, role, speaker)}"

    @server.tool(annotations=CHANGES)
    def remember(
        summary: str,
        details: str = "",
        tags: Annotated[Texts, UNLISTED] = None,
        participants: Texts = None,
        happenedAt: str | None = None,
    ) -> str:
        """Remember what happened."""
        episode = memory.remember(
            summary, details, tags or (), participants or (), happened_at=happenedAt
        )
        return f"Kept: episode {episode}"

    @server.tool(annotations=CHANGES)
    def journal(
        action: Action = "get",
        text: str | None = None,
        name: str | None = None,
        steps: Texts = None,
        snapshot: Annotated[int | None, UNLISTED] = None,
    ) -> str:
        """Write the task at hand before you reply. context: name and text."""
        if action == "snapshots":
            taken = [f"{one.id} {one.taken_at} {one.why}" for one in memory.journal.snapshots()]
            return paged(taken) if taken else "No snapshots."
        _act(memory.journal, action, text, name, steps, snapshot)
        return _told(memory.journal, action)

    @server.tool(annotations=READS)
    def context(
        query: str | None = None, maxTokens: Annotated[int | None, Field(ge=0)] = None
    ) -> str:
        """Return what is going on and what is known about it."""
        made = memory.context(query, maxTokens, also=also)
        empty = made.left_out[0] if made.left_out else "nothing is going on"
        return made.text or within(f"Empty: {empty}.", maxTokens)


def _act(
    book: Journal,
    action: Action,
    text: str | None,
    name: str | None,
    steps: Texts,
    snapshot: int | None,
) -> None:
    """Do an action of the journal; `get` changes nothing."""
    if action not in _ACTIONS:
        raise UsageError(f'journal has no action "{action[:40]}"', hint=one_of(action, _ACTIONS))
    if action == "plan":
        book.plan(_given(steps, "steps", action))
    elif action == "context":
        book.context(_given(name, "name", action), _given(text, "text", action))
    elif action == "snapshot":
        book.snapshot(text or "asked for")
    elif action == "restore":
        book.restore(snapshot)
    elif action == "clear":
        book.clear()
    elif action != "get":
        getattr(book, action)(_given(text, "text", action))


def _given(value: T | None, name: str, action: str) -> T:
    """Return a parameter. Raises MissingParamError where an action needs it."""
    if value is None:
        raise MissingParamError(f'journal: "{action}" needs "{name}"', hint=f"give {name}")
    return value


def _told(book: Journal, action: str) -> str:
    """Return the whole journal where it was asked for or changed as a whole; else what is open."""
    from memctl.working.entries import as_markdown

    state = book.get()
    if action in {"get", "clear", "restore"}:
        seen = [entry.id for entry in state.entries if entry.kind == "observation"]
        old = set(seen[:-_OBSERVATIONS])
        recent = tuple(entry for entry in state.entries if entry.id not in old)
        told = paged(as_markdown(replace(state, entries=recent)).splitlines())
        return told + (f"\n{len(old)} earlier observations are left out" if old else "")
    return f"Kept. {counted(len(state.open), 'item')} open."
