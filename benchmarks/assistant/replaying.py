"""Stories of a working life, replayed through the hooks of memctl as a host calls them.

A story is JSON lines, an event each: ``start``, ``prompt``, ``reply`` and ``end`` as a host sends
them, and ``facts``, where the facts that are held by then are looked at. ``need`` of a prompt are
parts of texts that all should be brought for it; ``must_not`` are parts that none of what is
brought may hold. ``hold`` and ``not`` are the same for facts. ``"repository": false`` at the first
start says that the projects are plain folders.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "FactsLook",
    "Outcome",
    "Replayed",
    "Story",
    "holds",
    "plain_bm25",
    "prompt_ratio",
    "read_story",
    "replayed",
]

_HOST_EVENTS = {
    "start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "reply": "Stop",
    "end": "SessionEnd",
}
_RIVAL_ROWS = 3
# A fact keeps its words in one of these, by its category.
_WORDS = ("text", "subject", "attribute", "value")
# What a turn of each kind leaves behind that must not be a fact.
_LEFT_BY = {
    **dict.fromkeys(("decision", "correction", "remember", "preference"), "stale value"),
    **dict.fromkeys(("question", "work"), "order or what if"),
}


@dataclass(frozen=True, slots=True)
class Story:
    """One life: its name, its zone, and what happened in it."""

    name: str
    events: Sequence[Mapping[str, Any]]

    @property
    def zone(self) -> str:
        """Its user's zone."""
        return str(next(event["zone"] for event in self.events if "zone" in event))

    @property
    def projects(self) -> list[str]:
        """The names of its folders."""
        return sorted({event["project"] for event in self.events if "project" in event})

    @property
    def in_git(self) -> bool:
        """Whether its folders are repositories."""
        return not any(event.get("repository") is False for event in self.events)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one prompt was given, judged.

    Parameters
    ----------
    prompt
        The event.
    given
        What was injected.
    lines
        Its single lines, one memory each.
    missing
        Those of what is needed that it lacks.
    unknown
        Those that the session has not been told before either, at its start or at a prompt.
    wrong
        What must not be there and is, with its kind.
    watched
        How many of each kind must not be there.
    """

    prompt: Mapping[str, Any]
    given: str
    lines: Sequence[str]
    missing: Sequence[str]
    unknown: Sequence[str]
    wrong: Mapping[str, str]
    watched: Mapping[str, str]

    @property
    def good(self) -> int:
        """How many lines hold something that is needed."""
        return sum(any(holds(line, part) for part in self.prompt["need"]) for line in self.lines)

    @property
    def tokens(self) -> float:
        """About how many tokens it costs."""
        return len(self.given) / 4


@dataclass(frozen=True, slots=True)
class FactsLook:
    """The facts of one moment: what should be held, what must not be, and which of them are."""

    at: str
    held: Mapping[str, bool]
    wrong: Mapping[str, bool]
    kinds: Mapping[str, str]
    facts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What hooks did in a story.

    Parameters
    ----------
    outcomes
        What each prompt was given.
    starts
        What each start of a session was given.
    looks
        The looks at the facts.
    complaints
        What hooks wrote to standard error.
    """

    outcomes: Sequence[Outcome]
    starts: Sequence[str]
    looks: Sequence[FactsLook]
    complaints: Sequence[str]


@dataclass(slots=True)
class _Told:
    """What was said so far, and what the sessions were told."""

    turns: list[Mapping[str, Any]] = field(default_factory=list)
    sessions: dict[str, str] = field(default_factory=lambda: defaultdict(str))

    def outcome(self, prompt: Mapping[str, Any], given: str, lines: Sequence[str]) -> Outcome:
        """Judge what a prompt was given."""
        session = prompt["session"]
        self.sessions[session] += f"\n{given}"
        watched = {part: self._origin(part, prompt) for part in prompt["must_not"]}
        return Outcome(
            prompt,
            given,
            lines,
            [part for part in prompt["need"] if not holds(given, part)],
            [part for part in prompt["need"] if not holds(self.sessions[session], part)],
            {part: kind for part, kind in watched.items() if any(holds(x, part) for x in lines)},
            watched,
        )

    def _origin(self, part: str, prompt: Mapping[str, Any]) -> str:
        """Return what it would be to bring a part: by where it was said."""
        said = [turn for turn in self.turns if holds(turn["text"], part)]
        if any(turn["session"] == prompt["session"] for turn in said):
            return "own words"
        here = any(turn["project"] == prompt["project"] for turn in said)
        return "stale" if here else "other project"

    def left_by(self, part: str) -> str:
        """Return what a part would be as a fact: by the turn that said it first."""
        first = next(turn for turn in self.turns if holds(turn["text"], part))
        kind = str(first.get("kind", "assistant's words"))
        return _LEFT_BY.get(kind, kind)


def read_story(file: Path) -> Story:
    """Return a story as its file tells it."""
    lines = file.read_text("utf-8").splitlines()
    return Story(file.stem, [json.loads(line) for line in lines if line.strip()])


def holds(text: str, part: str) -> bool:
    """Return whether a text holds a part, at borders of words, whatever the case."""
    wanted = r"\s+".join(map(re.escape, part.lower().split()))
    return re.search(rf"(?<![^\W_]){wanted}(?![^\W_])", text.lower()) is not None


class _Host:
    """A host that calls hooks: each a process of its own, at the time and in the zone of a story.

    Attributes
    ----------
    complaints
        What hooks wrote to standard error.
    """

    def __init__(self, story: Story, folder: Path) -> None:
        self._memctl = _beside("memctl")
        self._story, self._folder = story, folder
        self.complaints: list[str] = []
        for name in story.projects:
            self.folder(name).mkdir(parents=True)
            if story.in_git:
                subprocess.run(
                    ["git", "init", "-q"],  # noqa: S607
                    cwd=self.folder(name),
                    check=True,
                )

    def folder(self, project: str) -> Path:
        """Return the folder of a project."""
        return self._folder / "code" / project

    def hook(self, event: Mapping[str, Any]) -> str:
        """Call the hooks of an event; return what is injected."""
        kind = event["event"]
        if kind == "start" and event.get("source") == "compact":
            self._call("compact", event, "PreCompact", trigger="auto")
        fields = {
            "start": {"source": event.get("source", "startup")},
            "prompt": {"prompt": event.get("text")},
            "reply": {"stop_hook_active": False, "last_assistant_message": event.get("text")},
            "end": {"reason": "other"},
        }[kind]
        return injected(self._call(kind, event, _HOST_EVENTS[kind], **fields))

    def facts(self, at: str) -> list[str]:
        """Return the words of all active facts: the user's and each project's."""
        found: dict[str, str] = {}
        for folder in (self._folder, *map(self.folder, self._story.projects)):
            listed = ["memory", "list", "--json", "--limit", "500"]
            out = self._run(listed, at, folder, "")
            for fact in json.loads(out)["data"] if out.strip() else []:
                words = [str(fact[name]) for name in _WORDS if fact.get(name)]
                found[str(fact["id"])] = "\n".join(words)
        return list(found.values())

    def _call(self, hook: str, event: Mapping[str, Any], named: str, **fields: Any) -> str:
        folder = self.folder(event["project"])
        call = {"session_id": event["session"], "transcript_path": "", "cwd": str(folder)}
        data = json.dumps({**call, "hook_event_name": named, **fields})
        return self._run(["hook", hook], event["at"], folder, data)

    def _run(self, words: list[str], at: str, folder: Path, data: str) -> str:
        done = subprocess.run(  # noqa: S603  (the project's own command)
            [self._memctl, *words],
            input=data,
            cwd=folder,
            env=environment(self._folder, at, self._story.zone),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            preexec_fn=_without_an_alarm,
        )
        if done.stderr.strip():
            self.complaints.append(f"{at} {' '.join(words)}: {done.stderr.strip()[:200]}")
        return done.stdout


def _without_an_alarm() -> None:
    """Block the alarm at which a hook gives up: what is brought depends on no busy machine."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


def environment(folder: Path, at: str, zone: str) -> dict[str, str]:
    """Return this environment with a home and a clock of a story's own, modules compiled."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMCTL_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {
        **kept,
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "MEMCTL_HOME": str(folder / "home"),
        "MEMCTL_NOW": at,
        "TZ": zone,
    }


def injected(out: str) -> str:
    """Return what a hook's answer puts into the prompt, as a model reads it: "&", no "&amp;"."""
    if not out.strip():
        return ""
    return unescape(json.loads(out)["hookSpecificOutput"]["additionalContext"])


def replayed(story: Story, folder: Path) -> Replayed:
    """Replay a story in an empty folder."""
    host, told = _Host(story, folder), _Told()
    outcomes, starts, looks = [], [], []
    for event in story.events:
        if event["event"] == "facts":
            looks.append(_look(event, host.facts(event["at"]), told))
            continue
        given = host.hook(event)
        if event["event"] == "start":
            starts.append(given)
            before = "" if event.get("source") == "compact" else told.sessions[event["session"]]
            told.sessions[event["session"]] = f"{before}\n{given}"
        if event["event"] == "prompt":
            lines = [line for line in given.splitlines() if line.startswith("- ")]
            outcomes.append(told.outcome(event, given, lines))
        if "text" in event:
            told.turns.append(event)
    return Replayed(outcomes, starts, looks, host.complaints)


def _look(event: Mapping[str, Any], facts: list[str], told: _Told) -> FactsLook:
    def among(parts: Iterable[str]) -> dict[str, bool]:
        return {part: any(holds(fact, part) for fact in facts) for part in parts}

    kinds = {part: told.left_by(part) for part in event["not"]}
    return FactsLook(event["at"], among(event["hold"]), among(event["not"]), kinds, facts)


def plain_bm25(story: Story) -> list[Outcome]:
    """Return what a rival gives: SQLite's bm25() over the project's earlier prompts, the top 3."""
    told, outcomes = _Told(), []
    with closing(sqlite3.connect(":memory:")) as rows:
        rows.execute("create virtual table prompt using fts5(text, project unindexed)")
        for event in story.events:
            if event["event"] == "prompt":
                words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", event["text"]))
                found = rows.execute(
                    "select text from prompt where prompt match ? and project = ?"
                    " order by bm25(prompt) limit ?",
                    (words, event["project"], _RIVAL_ROWS),
                )
                lines = ["- " + " ".join(text.split()) for (text,) in found]
                outcomes.append(told.outcome(event, "\n".join(lines), lines))
                rows.execute("insert into prompt values (?, ?)", (event["text"], event["project"]))
            if "text" in event:
                told.turns.append(event)
    return outcomes


def prompt_ratio(story: Story, folder: Path, rounds: int) -> float:
    """Return the processor time of ``hook prompt`` on a replayed store, over an empty Python's.

    Each round starts both, so that a busy machine slows both; the median of the rounds counts.
    """
    at, project = story.events[-1]["at"], story.projects[0]
    call = {"session_id": "afterwards", "cwd": str(folder / "code" / project)}
    asked = {**call, "hook_event_name": "UserPromptSubmit", "prompt": "Whom do we ask about it?"}
    where = environment(folder, at, story.zone)
    hook, bare = [_beside("memctl"), "hook", "prompt"], [sys.executable, "-c", "pass"]
    pairs = [(_cost(hook, asked, where), _cost(bare, {}, where)) for _ in range(rounds + 1)]
    return statistics.median(ours / least for ours, least in pairs[1:])  # the first compiles


def _cost(command: list[str], call: Mapping[str, str], where: dict[str, str]) -> float:
    before = _used()
    subprocess.run(  # noqa: S603  (the project's own command, and an empty one)
        command, input=json.dumps(call).encode(), capture_output=True, check=True, env=where
    )
    return _used() - before


def _used() -> float:
    """Return the processor time of all processes that were started, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _beside(name: str) -> str:
    """Return the command of a name that was installed with this Python."""
    return str(Path(sys.executable).with_name(name))
