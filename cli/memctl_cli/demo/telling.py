"""Plays the demo's story: an agent meets the app Harbor, and memctl remembers it."""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import memctl
from memctl.base.errors import UsageError
from memctl_cli.demo import bundle
from memctl_cli.demo.calendar import Calendar
from memctl_cli.demo.talking import talk
from memctl_cli.output.envelope import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from memctl.memory import Memory
    from memctl.visual.graph.transitions import Path as Way
    from memctl.visual.graph.transitions import Transition
    from memctl.visual.match_results import Learn, Match

__all__ = ["Scene", "Told", "tell"]

APP = "harbor"
_WALKS = 12


@dataclass(frozen=True, slots=True)
class Scene:
    """One screenshot of the story and what memctl made of it; ``ms`` is the whole call's time.

    ``verdict`` says what memctl took the screen for.
    """

    act: str
    shot: str
    says: str
    state: str | None
    verdict: str
    found: int
    learned: int
    absent: int
    ms: float
    note: str


@dataclass(frozen=True, slots=True)
class Told:
    """The story as it went, and where everything that it made is."""

    scenes: list[Scene]
    transitions: list[Transition]
    way: Way
    store: str
    picture: str
    page: str
    sql: str


def tell(folder: Path | None, *, progress: bool) -> Told:
    """Play the story in a home of its own.

    Parameters
    ----------
    folder
        A new or empty folder; a fresh one in the platform's temporary folder when ``None``.
    progress
        Show a progress bar on standard error.

    Raises
    ------
    UsageError
        When the folder has something in it.
    """
    home = _home(folder)
    states: dict[str, str] = {}
    calendar = Calendar()
    story = bundle.story()
    with memctl.open(APP, home) as memory:
        looks = sum(step.times for step in story)
        with progress_bar("learning Harbor", looks, shown=progress) as advance:
            passed = iter([(look + 1) / looks for look in range(looks)])

            @contextmanager
            def looking() -> Iterator[None]:
                with calendar.at(next(passed)):
                    yield
                advance()

            scenes = [_play(memory, step, states, looking) for step in story]
        way = _practised(memory, states, calendar)
        talk(memory, calendar)
        picture = home / "last-screen.png"
        picture.write_bytes(_picture(memory, story[-1]))
        return Told(
            scenes=scenes,
            transitions=list(memory.transitions.list()),
            way=way,
            store=str(memory.store.path),
            picture=str(picture),
            page=str(_page(home)),
            sql=_sql(memory),
        )


def _play(
    memory: Memory,
    step: bundle.Step,
    states: dict[str, str],
    looking: Callable[[], AbstractContextManager[None]],
) -> Scene:
    """Look at a screenshot as often as the story says, each time in a `looking`."""
    shot = bundle.shot(step.shot)
    before = memory.states.list() if memory.store.exists else []
    started = time.perf_counter()
    answer: Match | Learn
    for look in range(step.times):
        with looking():
            if step.act == "meet":
                answer = memory.match(shot.png)
            else:
                answer = memory.learn(shot.png, shot.boxes_file(), page=shot.page)
            if look == 0 and answer.state is not None:
                _name(memory, answer.state.id, shot, known={state.id for state in before})
                states[shot.name] = answer.state.id
                _record_click(memory, step, states)
    ms = (time.perf_counter() - started) * 1000 / step.times
    return Scene(
        act=step.act,
        shot=step.shot,
        says=step.says,
        state=memory.states.get(answer.state.id).name if answer.state else None,
        verdict=_verdict(answer),
        found=len(answer.sightings),
        learned=len(getattr(answer, "learned", ())),
        absent=len(answer.absent),
        ms=round(ms, 1),
        note=_note(memory, step, answer),
    )


def _verdict(answer: Match) -> str:
    if answer.state is None:
        return "never seen"
    if getattr(answer, "state_created", False):
        return "a new screen"
    return f"known, {answer.state.similarity:.2f} alike"


def _name(memory: Memory, state_id: str, shot: bundle.Shot, *, known: set[str]) -> None:
    if state_id not in known:
        name = shot.page if shot.look == "base" else shot.name
        memory.states.rename(state_id, name)


def _record_click(memory: Memory, step: bundle.Step, states: dict[str, str]) -> None:
    click = step.click
    if click is None or click.from_shot not in states:
        return
    start, end = states[click.from_shot], states[step.shot]
    if start != end:
        action = f"click:{click.label or click.element}"
        noted = memory.transitions.record(start, action, end, elapsed_ms=300)
        memory.transitions.commit([noted.id] if noted.id is not None else None)


def _note(memory: Memory, step: bundle.Step, answer: Match) -> str:
    """Return a note on the one component that a scene is about."""
    if step.act == "moved":
        return _moved(step, answer)
    if step.act == "gone":
        gone = memory.components.list(forgotten=True)
        return "forgotten: " + ", ".join(c.name for c in gone) if gone else "nothing forgotten"
    if step.act == "meet" and answer.state is None:
        return f"unknown screen; {len(answer.sightings)} known components on it"
    return ""


def _moved(step: bundle.Step, answer: Match) -> str:
    new = bundle.shot(step.shot).box(step.target).pixels
    for one in answer.sightings:
        if (one.x, one.y) == new[:2]:
            return f"{one.name} found at {one.x},{one.y}, by {one.how}"
    return f"{step.target} not found"


def _practised(memory: Memory, states: dict[str, str], calendar: Calendar) -> Way:
    """Plan the way, walk it a dozen times, once in vain, and return what it is worth then."""
    start, goal = (states[shot] for shot in bundle.path_ends())
    for walk in range(_WALKS):
        with calendar.at((walk + 1) / _WALKS):
            _walk(memory, start, goal, failing=walk == _WALKS // 2)
    return memory.transitions.path(start, goal)


def _walk(memory: Memory, start: str, goal: str, *, failing: bool) -> None:
    for number, step in enumerate(memory.transitions.path(start, goal).steps):
        noted = memory.transitions.record(
            step.from_state, step.action, step.to_state, elapsed_ms=280 + 20 * number
        )
        failed = failing and number == 1
        memory.transitions.commit([noted.id] if noted.id else None, failed=failed)


def _page(home: Path) -> Path:
    """Write the reports' page about the demo's store."""
    from memctl.reports import REPORTS, make_reports, stores_at
    from memctl.reports.page import write_page

    sources = stores_at(home)
    return write_page(make_reports(REPORTS, sources), sources, home / "report.html")


def _picture(memory: Memory, step: bundle.Step) -> bytes:
    from memctl.visual.boxes import Box
    from memctl_cli.drawing.marks import Mark, draw_marks

    shot = bundle.shot(step.shot)
    answer = memory.match(shot.png, record=False)
    marks = [Mark(Box(s.x, s.y, s.w, s.h), "", "found") for s in answer.sightings]
    marks += [
        Mark(Box(c.rel_x, c.rel_y, c.w, c.h), f"{c.name}: forgotten", "absent")
        for c in memory.components.list(forgotten=True)
    ]
    return draw_marks(shot.png, marks, title=f"Harbor: {step.shot}")


def _sql(memory: Memory) -> str:
    question = "select name, health, seen_count, forgotten_why from component_health limit 8"
    return f'sqlite3 -box "{memory.store.path}" "{question}"'


def _home(folder: Path | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="memctl-demo-"))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f'"{folder}" is not an empty folder', hint="name one that does not exist")
    return folder
