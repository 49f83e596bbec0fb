"""Plays the demo's story: an agent meets the app Harbor, and memctl remembers it."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import memctl
from memctl_cli.demo import bundle
from memctl_cli.demo.keeping import APP, DemoHome
from memctl_cli.demo.talking import SKILL, WALKS, Asked, Calendar, questions, talk
from memctl_cli.output.words import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.reports.answers import Finding
    from memctl.visual.graph.transitions import Path as Way
    from memctl.visual.graph.transitions import Transition
    from memctl.visual.match_results import Learn, Match


@dataclass(frozen=True, slots=True)
class Scene:
    """One screenshot of the story and what memctl made of it; ``ms`` is the whole call's time.

    ``verdict`` says what memctl took the screen for, and how alike it is (0 to 1).
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
    """The story as it went, what is asked about it, and where everything that it made is.

    Parameters
    ----------
    told_before
        When the story was told here already: nothing was written then; ``None`` for a new one.
    asked
        Commands that ask the store about what happened.
    findings
        What the reports find, each with the command that mends it.
    next
        Lines to type next: ``here`` in this home, ``own`` for an app of one's own.
    """

    home: str
    told_before: str | None
    next: dict[str, list[str]]
    scenes: Sequence[Scene] = ()
    transitions: Sequence[Transition] = ()
    way: Way | None = None
    asked: Sequence[Asked] = ()
    findings: Sequence[Finding] = ()
    store: str = ""
    picture: str = ""
    page: str = ""


def tell(home: Path | None, *, progress: bool) -> Told:
    """Play the story in a home.

    Parameters
    ----------
    home
        Kept there; in a fresh folder of the platform's temporary one when ``None``. Where the
        story was told before, it is not told again.
    progress
        Show a progress bar on standard error.

    Raises
    ------
    UsageError
        When the home holds a store ``harbor`` or a folder ``demo`` that is not the demo's.
    """
    kept = DemoHome.chosen(home)
    if kept.told_at is not None:
        return Told(str(kept.path), kept.told_at, kept.next_lines())
    states: dict[str, str] = {}
    calendar = Calendar()
    story = bundle.story()
    with memctl.open(APP, kept.path) as memory:
        looks = sum(step.times for step in story)
        with progress_bar("learning Harbor", looks, visible=progress) as advance:
            passed = iter([(look + 1) / looks for look in range(looks)])

            @contextmanager
            def looking() -> Iterator[None]:
                with calendar.at(next(passed)):
                    yield
                advance()

            scenes = [_play(memory, step, states, looking) for step in story]
        way = practise(memory, states, calendar)
        talk(memory, calendar)
        kept.lay_out()
        picture = kept.folder / "last-screen.png"
        picture.write_bytes(_picture(memory, story[-1]))
        page, findings = _reported(kept)
        told = Told(
            home=str(kept.path),
            told_before=None,
            next=kept.next_lines(),
            scenes=scenes,
            transitions=list(memory.transitions.list()),
            way=way,
            asked=questions(memory),
            findings=findings,
            store=str(memory.store.path),
            picture=str(picture),
            page=str(page),
        )
    kept.sign()
    return told


def _play(
    memory: Memory,
    step: bundle.Step,
    states: dict[str, str],
    looking: Callable[[], AbstractContextManager[None]],
) -> Scene:
    """Look at a screenshot as often as the story demands, each time in a `looking`."""
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
        return "new"
    return f"known {answer.state.similarity:.2f}"


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
    return ""


def _moved(step: bundle.Step, answer: Match) -> str:
    new = bundle.shot(step.shot).box(step.target).pixels
    for sighting in answer.sightings:
        if (sighting.x, sighting.y) == new[:2]:
            return f"{sighting.name} is now at {sighting.x},{sighting.y}"
    return f"{step.target} not found"


def _reported(kept: DemoHome) -> tuple[Path, Sequence[Finding]]:
    """Write the reports' page about the demo's store, and return it with what they find."""
    from memctl.reports.page.page import write_page
    from memctl.reports.questions import REPORTS
    from memctl.reports.report import make_reports
    from memctl.reports.sources import store_at

    sources = [store_at(APP, kept.path)]
    reports = make_reports(REPORTS, sources)
    page = write_page(reports, sources, kept.folder / "report.html")
    return page, [finding for report in reports for finding in report.findings]


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


def practise(memory: Memory, states: dict[str, str], calendar: Calendar) -> Way:
    """Plan a way and walk it, once in vain; keep the habit as a skill, return what the way is worth.

    `states` holds the state of each screenshot, by its name.
    """
    start, goal = (states[shot] for shot in bundle.path_ends())
    for walk in range(WALKS):
        with calendar.at((walk + 1) / WALKS):
            _walk(memory, start, goal, failing=walk == WALKS // 2)
    for drafted in memory.skills.detect(keep=True):
        kept = memory.skills.update(
            drafted.name,
            name=SKILL,
            description="Opens the dialog that asks whether an invoice is to be deleted",
            triggers=("delete an invoice",),
        )
        memory.skills.approve(kept.name)
    return memory.transitions.path(start, goal)


def _walk(memory: Memory, start: str, goal: str, *, failing: bool) -> None:
    for number, step in enumerate(memory.transitions.path(start, goal).steps):
        noted = memory.transitions.record(
            step.from_state, step.action, step.to_state, elapsed_ms=280 + 20 * number
        )
        failed = failing and number == 1
        memory.transitions.commit([noted.id] if noted.id else None, failed=failed)
