"""The runner of a skill: step by step, with halts instead of guesses, each step recorded."""

from __future__ import annotations

import json
import os
import platform
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import BusyError, MemctlError, NotFoundError, UsageError
from memctl.guard.door import masked
from memctl.procedural.parameters import checked_values, filled
from memctl.procedural.running.arrivals import Arrivals
from memctl.procedural.running.doing import act
from memctl.procedural.running.targets import Targets
from memctl.procedural.skill_records import SkillStep, WatchedStep
from memctl.procedural.skills import is_irreversible, run_of
from memctl.procedural.twin import foreseen, refuse_inactive, too_risky
from memctl.store import statements
from memctl.visual.graph.components import Components
from memctl.visual.graph.transitions import Transitions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memctl.drivers.look import Look
    from memctl.procedural.running.body import Body
    from memctl.procedural.running.targets import Target
    from memctl.procedural.skill_records import Skill, SkillRun
    from memctl.procedural.twin import Twin
    from memctl.store.store import Store
    from memctl.visual.match_results import StateMatch
    from memctl.visual.visual import Visual

__all__ = ["run_skill"]

SQL = statements.load("store/skill")
_WAYS = 2  # ways back that one step may take
_WALKED = {"click", "key", "double click", "hover"}  # acts of a way back


class _HaltError(Exception):
    """The run stops here; `failed` where something was done that did not lead where it should."""

    def __init__(self, why: str, seen: Look | None = None, *, failed: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.seen = seen
        self.failed = failed


@dataclass(slots=True)
class _Going:
    """A run at work."""

    id: int
    skill: Skill
    twin: Twin
    values: Mapping[str, str]
    url: str | None
    began: float
    step: int = 0
    looks: int = 0
    outputs: dict[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)  # the values, but for secrets
    shot: tuple[bytes, float | None, float | None] | None = None


def run_skill(
    store: Store,
    visual: Visual,
    body: Body,
    skill: Skill,
    given: Mapping[str, str],
    *,
    url: str | None = None,
    after: int = 0,
    least: float,
    known: Callable[[str], bool],
    tell: Callable[[str], None] = lambda _: None,
    watch: Callable[[WatchedStep], None] | None = None,
) -> SkillRun:
    """Run a skill on an open app, and record it.

    Parameters
    ----------
    store
        The open store.
    visual, body
        The visual memory, and the app.
    given
        Values of its parameters.
    url
        Where the app is open; what a ``goto`` is read from.
    after
        Steps that an earlier run has done.
    least
        The lower bound of the chance below which an act that cannot be undone is not done, 0 to 1.
    known
        Whether a text is known as a fact: preconditions are asked so.
    tell
        Takes a line for people, for each step.
    watch
        Takes each step with a picture, however it went.

    Raises
    ------
    UsageError, RefusedError
        When a parameter is wrong, or the skill is not active: nothing is done.
    BusyError
        When another process runs one.
    """
    runner = _Runner(store, visual, body, least=least, known=known, tell=tell, watch=watch)
    return runner(skill, given, url=url, after=after)


class _Runner:
    """Runs a skill on an open app."""

    def __init__(
        self,
        store: Store,
        visual: Visual,
        body: Body,
        *,
        least: float,
        known: Callable[[str], bool],
        tell: Callable[[str], None],
        watch: Callable[[WatchedStep], None] | None,
    ) -> None:
        self._store = store
        self._graph = Transitions(store)
        self._body = body
        self._targets = Targets(Components(store), visual, body)
        self._arrivals = Arrivals(store, visual, body, self._targets)
        self._least = least
        self._known = known
        self._tell = tell
        self._watch = watch

    def __call__(
        self, skill: Skill, given: Mapping[str, str], *, url: str | None = None, after: int = 0
    ) -> SkillRun:
        """Run a skill from behind a step."""
        refuse_inactive(skill)
        values = checked_values(skill, given)
        twin = foreseen(self._store, skill, values, clock.now())
        going = self._begun(skill, twin, values, url, after)
        status, why = "done", ""
        try:
            self._prepare(skill)
            for step in skill.steps[after:]:
                self._step(going, step)
        except _HaltError as halt:
            status, why = ("failed" if halt.failed else "halted"), halt.why
        except MemctlError as error:
            status, why = "failed", error.message
        except BaseException:
            self._close(going, "halted", "it was interrupted")
            raise
        return self._close(going, status, why)

    # -- one step ------------------------------------------------------------------------

    def _prepare(self, skill: Skill) -> None:
        missing = next((fact for fact in skill.facts if not self._known(fact)), None)
        if missing is not None:
            raise _HaltError(f'it is not known that "{missing}"')

    def _step(self, going: _Going, step: SkillStep) -> None:
        began, going.shot = time.monotonic(), None
        if why := too_risky(going.twin, step, self._least):
            raise _HaltError(why)
        target, ways = self._settled(going, step)
        if self._watch is not None:
            going.shot = self._shot(target)
        try:
            read = act(self._body, step, target.point, going.values, going.url)
            if step.output:
                going.outputs[step.output] = read
            came = self._awaited(going, step)
        except _HaltError as halt:
            self._record(
                going, step, "failed", halt.why, began, target.look, target.seen, halt.seen
            )
            self._learn(step, None, time.monotonic() - began)
            raise
        self._learn(step, step.to_state, time.monotonic() - began)
        mended = "; ".join(filter(None, [target.why, *ways, came]))
        outcome = "recovered" if mended else "done"
        going.step = step.number
        self._record(going, step, outcome, mended, began, target.look, None, None)
        self._tell(f"{step.number}. {filled(step.words, going.said)}: {mended or outcome}")

    def _shot(self, target: Target) -> tuple[bytes, float | None, float | None]:
        """Return the screen before an act, and the place of the act on it."""
        png, scale = self._body.glance()
        return (
            (png, None, None) if (at := target.point) is None else (png, at.x * scale, at.y * scale)
        )

    def _settled(self, going: _Going, step: SkillStep) -> tuple[Target, list[str]]:
        """Find the target of a step; where another screen is there, walk to its own first."""
        ways: list[str] = []
        began = time.monotonic()
        for left in reversed(range(_WAYS)):
            target = self._targets.find(step, going.values)
            going.looks += target.look == "full"
            if target.found:
                return target, ways
            state, seen = self._arrivals.here(target.seen)
            if not left or state is None or self._arrivals.same(state.id, step.from_state):
                break
            if not self._walked(state, step.from_state):
                break
            ways.append(f"walked back from {state.name or state.id}")
        self._record(going, step, "halted", target.why, began, target.look, None, seen)
        raise _HaltError(f"{_named(going, step)}: {target.why}", seen)

    def _awaited(self, going: _Going, step: SkillStep) -> str:
        """Wait for what a step leads to; return what was mended, where something was."""
        rest = going.skill.steps[step.number :]
        arrival = self._arrivals.wait(step, rest[0] if rest else None)
        going.looks += arrival.looks
        if arrival.came:
            return ""
        # From the screen before, the way on is this act again: what was sent would be sent twice.
        unmoved = self._arrivals.unmoved(step, arrival.state)
        if arrival.state and not unmoved and self._walked(arrival.state, step.to_state):
            return f"{arrival.why}; walked on from there"
        why = f"{_named(going, step)}: {arrival.why}"
        raise _HaltError(why, arrival.seen, failed=True)

    def _walked(self, state: StateMatch, goal: str | None) -> bool:
        """Walk from a screen to another on known ways that can be undone; return whether it is there."""
        if goal is None:
            return False
        try:
            path = self._graph.path(state.id, goal)
        except NotFoundError:
            return False
        if not path.steps:  # it is there, and what was expected on it is not
            return False
        for number, edge in enumerate(path.steps, 1):
            kind, _, detail = edge.action.partition(":")
            step = SkillStep(
                number, kind, edge.component_id, detail or None, None,
                None if edge.component_id else detail or None,
                edge.from_state, edge.to_state, mean_ms=edge.mean_ms,
            )  # fmt: skip
            if kind not in _WALKED or is_irreversible(step) or not self._stepped(step):
                return False
        return True

    def _stepped(self, step: SkillStep) -> bool:
        """Do one act of a way, where its target is there; return whether it led where it should."""
        target = self._targets.find(step, {})
        if target.found:
            act(self._body, step, target.point, {}, None)
        return target.found and self._arrivals.wait(step, None).came

    # -- records -------------------------------------------------------------------------

    def _begun(
        self, skill: Skill, twin: Twin, values: Mapping[str, str], url: str | None, after: int
    ) -> _Going:
        with self._store.transaction():
            going = self._store.row(SQL.going)
            if going is not None:
                self._refuse(going["id"], going["owner"], going["step"])
            begun = {
                "skill": skill.id,
                "params": json.dumps(_keepable(self._store, values), ensure_ascii=False),
                "predicted": twin.chance_after(after),
                "owner": f"{platform.node()} {os.getpid()}",
                "now": clock.now(),
            }
            number = self._store.insert(SQL.begin_run, begun)
        said = {name: value for name, value in _keepable(self._store, values).items() if value}
        return _Going(number, skill, twin, values, url, time.monotonic(), step=after, said=said)

    def _refuse(self, run: int, owner: str, step: int) -> None:
        host, _, pid = owner.rpartition(" ")
        if host == platform.node() and not _lives(int(pid or 0)):
            raise UsageError(
                f"run {run} was killed after step {step}",
                hint=f"memctl skills resume {run}, or memctl skills drop {run}",
            )
        raise BusyError(f"run {run} is at work in process {pid} on {host}", hint="wait for it")

    def _record(
        self,
        going: _Going,
        step: SkillStep,
        outcome: str,
        why: str,
        began: float,
        look: str,
        before: Look | None,
        after: Look | None,
    ) -> None:
        row = {
            "run": going.id,
            "number": step.number,
            "outcome": outcome,
            "why": why[:500],
            "seconds": round(time.monotonic() - began, 3),
            "look": look,
            "before_png": before.png if before else None,
            "after_png": after.png if after else None,
        }
        with self._store.transaction():
            self._store.execute(SQL.add_run_step, row)
            self._advance(going)
        if self._watch is not None:
            png, x, y = going.shot or (after.png if after else b"", None, None)
            words = filled(step.words, going.said) or ""
            self._watch(
                WatchedStep(step.number, words, outcome, row["why"], row["seconds"], png, x, y)
            )

    def _learn(self, step: SkillStep, to_state: str | None, seconds: float) -> None:
        """Teach the graph how a step went; its values stay out of it."""
        if step.from_state is None or step.to_state is None:
            return
        action = step.action if step.target is None else f"{step.action}:{step.target}"
        ms = min(seconds * 1000, 3_600_000.0)
        made = self._graph.record(step.from_state, action, step.to_state, elapsed_ms=ms)
        if made.id is not None:
            self._graph.commit([made.id], failed=to_state is None)

    def _advance(self, going: _Going) -> None:
        advanced = {
            "id": going.id,
            "step": going.step,
            "looks": going.looks,
            "seconds": round(time.monotonic() - going.began, 3),
            "outputs": json.dumps(going.outputs, ensure_ascii=False),
        }
        self._store.execute(SQL.advance, advanced)

    def _close(self, going: _Going, status: str, why: str) -> SkillRun:
        with self._store.transaction():
            self._advance(going)
            ended = {"id": going.id, "status": status, "why": why[:500], "now": clock.now()}
            self._store.execute(SQL.end_run, ended)
            row = self._store.row(SQL.run, {"id": going.id})
        assert row is not None  # noqa: S101  (begun above)
        return run_of(row)


def _named(going: _Going, step: SkillStep) -> str:
    return f"step {step.number} ({filled(step.words, going.said)})"


def _keepable(store: Store, values: Mapping[str, str]) -> dict[str, str]:
    """Return values as a run keeps them: a password, or what looks like a secret, is not kept."""
    return {
        name: "" if name.startswith("password") or masked(store, value) != value else value
        for name, value in values.items()
    }


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return pid > 0
