"""The runner of a skill: step by step, each proven before the next, with halts instead of guesses."""

from __future__ import annotations

import json
import os
import platform
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import BusyError, MemctlError, RefusedError, UsageError
from memctl.base.whole_file import process_lives
from memctl.guard.door import masked
from memctl.procedural.parameters import checked_values, tool_input
from memctl.procedural.running.acting import MissedError, act
from memctl.procedural.running.proving import ActProof, awaited, called, loaded_anew
from memctl.procedural.running.run_page import RunPage
from memctl.procedural.running.seeking import seek
from memctl.procedural.skill_checking import origin_of, refuse_address
from memctl.procedural.skill_records import SkillRun, SkillStep, WatchedStep
from memctl.procedural.skill_rows import run_of, step_names
from memctl.procedural.twin import foreseen, refuse_inactive, too_risky
from memctl.procedural.verifying import failed_check
from memctl.scenes.effects import page_of, state_of, state_words
from memctl.scenes.targets import ANY_KIND, Anchor, Target, describe, find
from memctl.scenes.wording import filled, says
from memctl.store import statements
from memctl.visual.graph.transitions import Transitions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memctl.config.settings import Settings
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.procedural.running.acting import Acted
    from memctl.procedural.running.seeking import Sought
    from memctl.procedural.skill_records import Skill
    from memctl.procedural.twin import Twin
    from memctl.store.store import Store

SQL = statements.load("store/skill")
_TRIES = 4  # of one act that something came before, so that nothing was done yet
_STATUS = {"refuted": "failed", "uncertain": "uncertain"}
_PLACELESS = frozenset(["goto", "scroll"])


class _EndError(Exception):
    """The run ends here, with a status and a reason."""

    def __init__(self, status: str, why: str, proposal: Mapping[str, Any] | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.why = why
        self.proposal = proposal


@dataclass(slots=True)
class _Going:
    """A run at work."""

    id: int
    skill: Skill
    twin: Twin
    values: Mapping[str, str]
    url: str | None
    began: float
    said: Mapping[str, str]  # the values, but for secrets
    began_at: float = field(default_factory=time.time)  # of the system's clock
    step: int = 0  # the last that was confirmed
    begun: int = 0  # the last whose act was begun
    looks: int = 0
    outputs: dict[str, str] = field(default_factory=dict)
    acted: dict[int, Acted] = field(default_factory=dict)
    shot: tuple[bytes, float | None, float | None] | None = None


def checked_run(
    skill: Skill, given: Mapping[str, str], url: str | None, *, tools: str, screen: bool
) -> Mapping[str, str]:
    """Return the values of a run, before anything is opened or done.

    Raises
    ------
    UsageError, RefusedError
        When a parameter is wrong or used by no step, the skill is not active, or was approved for
        another site than `url`, or a step can be done by nothing that is there.
    """
    refuse_inactive(skill)
    values = checked_values(skill, given)
    used = frozenset[str]().union(*(step_names(step) for step in skill.steps))
    for name in sorted(given.keys() - used):
        raise UsageError(
            f'no step of "{skill.name}" uses "{name}": it would do the same whatever that is',
            hint="record the skill anew, with the value as it stands on the page",
        )
    if where := url or skill.url:
        refuse_address(where, skill.url)
    for step in skill.steps:
        if not (screen or step.tool):
            raise UsageError(f"step {step.number} ({step.words}) needs a browser")
        if step.tool and not tools:
            raise UsageError(
                f'step {step.number} is done by the tool "{step.tool}" of a host',
                hint="--tools COMMAND, or memctl skills next tells the host what to do",
            )
    return values


def run_skill(
    store: Store,
    driver: BrowserDriver | None,
    skill: Skill,
    values: Mapping[str, str],
    *,
    url: str | None,
    after: int,
    tools: str,
    settings: Settings,
    known: Callable[[str], bool],
    tell: Callable[[str], None],
    watch: Callable[[WatchedStep], None] | None,
) -> SkillRun:
    """Run a skill on the open page of a driver, and record it.

    Parameters
    ----------
    driver
        An open browser; ``None`` where every step is done by a tool.
    values
        Of its parameters, as `checked_run` returns them.
    url
        Where the app is open; what a ``goto`` is read from.
    after
        Steps that an earlier run has done.
    tools
        The command that does the steps of tools.
    known
        Whether a text is known as a fact: preconditions are asked so.
    tell
        Takes a line for people, for each step.
    watch
        Takes each step with a picture, however it went.

    Raises
    ------
    BusyError
        When another process runs one.
    """
    page = None if driver is None else RunPage(driver)
    try:
        runner = _Runner(store, page, settings, tools=tools, known=known, tell=tell, watch=watch)
        return runner(skill, values, url, after)
    finally:
        if page is not None:
            page.close()


class _Runner:
    """Runs a skill on an open page."""

    def __init__(
        self,
        store: Store,
        page: RunPage | None,
        settings: Settings,
        *,
        tools: str,
        known: Callable[[str], bool],
        tell: Callable[[str], None],
        watch: Callable[[WatchedStep], None] | None,
    ) -> None:
        self._store = store
        self._graph = Transitions(store)
        self._paged = page
        self._tools = tools
        self._least = settings.number("skill_min_irreversible")
        self._commands = bool(settings.get("skill_commands"))
        self._known = known
        self._tell = tell
        self._watch = watch

    @property
    def _page(self) -> RunPage:
        assert self._paged is not None  # noqa: S101  (only a skill of tools alone runs without)
        return self._paged

    def __call__(
        self, skill: Skill, values: Mapping[str, str], url: str | None, after: int
    ) -> SkillRun:
        """Run a skill from behind a step."""
        twin = foreseen(self._store, skill, values, clock.now())
        going = self._begun(skill, twin, values, url, after)
        status, why = "done", ""
        try:
            with nullcontext() if self._paged is None else self._paged.errors():
                self._prepare(going)
                for step in skill.steps[after:]:
                    self._step(going, step)
                self._verify(going)
        except _EndError as end:
            status, why = end.status, end.why
        except MemctlError as error:
            status, why = ("halted" if going.begun == after else "uncertain"), error.message
        except BaseException:
            status = "halted" if going.begun == after else "uncertain"
            self._close(going, status, "it was interrupted")
            raise
        return self._close(going, status, why)

    # -- one step ------------------------------------------------------------------------

    def _prepare(self, going: _Going) -> None:
        missing = next((fact for fact in going.skill.facts if not self._known(fact)), None)
        if missing is not None:
            raise _EndError("halted", f'it is not known that "{missing}"')
        if self._paged is not None:
            self._page.scene()

    def _step(self, going: _Going, step: SkillStep) -> None:
        began, going.shot = time.monotonic(), None
        since = time.time() - 0.05
        means = step.action == "hover" and not (step.place is not None and step.place.names)
        if means and self._needless(going, step):
            going.step = step.number
            self._record(going, step, "done", "what it shows can be seen", began)
            return
        try:
            self._allow(going, step)
            if step.tool:
                self._call(going, step, began)
                return
            sought, acted = self._acted(going, step)
        except _EndError as end:
            self._record(going, step, end.status, end.why, began, proposal=end.proposal)
            raise
        going.acted[step.number] = acted
        self._page.first.setdefault(page_of(acted.before.url), acted.before)
        if step.output:
            going.outputs[step.output] = acted.read
        last = step.number == len(going.skill.steps)
        if step.action == "read":
            proof = ActProof("confirmed")
        else:
            proof = awaited(self._page, step, acted, going.values, since, last=last)
        seconds = time.monotonic() - began
        if not proof.confirmed:
            status = _STATUS[proof.outcome]
            why = f"{_named(going, step)}: {proof.why}"
            self._record(going, step, status, why, began)
            if status == "failed":
                self._learn(step, None, seconds)
            raise _EndError(status, why)
        self._learn(step, step.to_state, seconds)
        going.step = step.number
        how = sought.how if sought is not None else ""
        self._record(going, step, "recovered" if how else "done", how, began)
        self._tell(f"{step.number}. {filled(step.words, going.said)}: {how or 'done'}")

    def _needless(self, going: _Going, step: SkillStep) -> bool:
        """Return whether what a pointer was to rest on is not there, or shows nothing that is not seen.

        It is a means and no end: what the next step is done to decides.
        """
        after = next(
            (later for later in going.skill.steps if later.number == step.number + 1), None
        )
        if after is None or after.place is None or step.place is None:
            return False
        scene = self._page.scene()
        if find(scene, after.place, going.values).node is not None:
            return True
        self._page.pause(0.3)
        return find(self._page.scene(), step.place, going.values).node is None

    def _call(self, going: _Going, step: SkillStep, began: float) -> None:
        """Let a host's tool do a step; how it ends is the proof."""
        going.begun = step.number
        proof, said = called(self._tools, step.tool, tool_input(going.skill, step, going.values))
        said = masked(self._store, said)
        if proof.confirmed:
            going.step = step.number
            if step.output:
                going.outputs[step.output] = said
            self._record(going, step, "done", "", began)
            self._tell(f"{step.number}. {filled(step.words, going.said)}: done")
            return
        status = _STATUS.get(proof.outcome, "halted")
        why = ": ".join(filter(None, (_named(going, step), proof.why, said)))
        raise _EndError(status, why)

    def _allow(self, going: _Going, step: SkillStep) -> None:
        """Halt before an act that is too risky, or on a page of another site."""
        if why := too_risky(going.twin, step, self._least):
            raise _EndError("halted", why)
        own = None if step.tool else going.skill.url or going.url
        if own and _is_web(self._page.url) and origin_of(self._page.url) != origin_of(own):
            raise _EndError(
                "halted",
                f'{_named(going, step)}: the page is of "{origin_of(self._page.url)}", the skill was'
                f' approved for "{origin_of(own)}"',
            )

    def _acted(self, going: _Going, step: SkillStep) -> tuple[Sought | None, Acted]:
        """Find the target of a step and do the act; what comes between is tried around, or halts."""
        target, why = target_of(step), ""
        asked = step.effects.asked
        self._page.driver.agrees = lambda text: bool(asked) and says(text, asked, going.values)
        for attempt in range(_TRIES):
            sought = None
            if target is not None and step.action not in _PLACELESS:
                sought = self._sought(going, step, target)
                self._refuse_done(going, step, sought)
            if self._watch is not None:
                going.shot = self._shot(sought)
            try:
                going.begun = step.number  # until it is known that nothing was done
                return sought, act(self._page, step, sought, going.values, going.url)
            except MissedError as missed:
                why, going.begun = str(missed), step.number - 1
                self._page.pause(0.2 * (attempt + 1))
            except (UsageError, RefusedError) as error:
                raise _EndError("halted", f"{_named(going, step)}: {error.message}") from None
        raise _EndError(
            "halted", why if why.startswith("step") else f"{_named(going, step)}: {why}"
        )

    def _sought(self, going: _Going, step: SkillStep, target: Target) -> Sought:
        usual = (step.mean_ms or 0.0) / 1000
        sought = seek(self._page, target, going.values, usual=usual, whole=step.irreversible)
        if sought.found.node is not None:
            return sought
        scene = sought.held.scene
        blank = len(scene.nodes) < 3 or not scene.texts.get(0)  # noqa: PLR2004
        why = "the page is blank" if blank else sought.found.why
        proposal = None
        if len(sought.found.near) == 1:
            new = describe(scene, sought.found.near[0], going.values)
            if new.names >= target.names:
                x, y = scene.nodes[sought.found.near[0]].middle
                at = [x * self._page.driver.scale, y * self._page.driver.scale]
                proposal = {"old": target.plain(), "new": new.plain(), "at": at}
                why += f'; in its place stands "{new.words(going.said)}": memctl skills repair {going.id}'
        raise _EndError("halted", f"{_named(going, step)}: {why}", proposal)

    def _refuse_done(self, going: _Going, step: SkillStep, sought: Sought) -> None:
        """Halt where a switch is as it should be already: pressing it would turn it back."""
        if step.action not in {"click", "key"} or sought.found.node is None:
            return
        scene, node = sought.held.scene, sought.found.node
        for key in ("checked", "pressed", "expanded", "drawn"):
            aim = step.effects.state.get(key)
            if aim is not None and state_of(scene, node, key) == aim:
                raise _EndError(
                    "halted", f"{_named(going, step)}: it is {state_words(key, aim)} already"
                )
        marks = [one for one in step.effects.marks if one[0] in "+-"]
        got = [
            mark for mark in marks if (mark[1:] in scene.nodes[node].classes) == (mark[0] == "+")
        ]
        if marks and len(got) == len(marks) and not step.effects.certain:
            raise _EndError("halted", f"{_named(going, step)}: it looks as it should already")

    def _verify(self, going: _Going) -> None:
        """Ask the checks apart from the screen; to load the page anew is the default for a deed."""
        checks = list(going.skill.verify)
        deeds = [one for one in going.skill.steps if one.irreversible and one.effects.sent]
        if not checks and deeds:
            checks = [{"kind": "reload"}]
        last = going.skill.steps[-1].number
        step = next(
            (
                one
                for one in reversed(going.skill.steps)
                if one.effects.lasting
                and one.number in going.acted
                and (one.number == last or one.irreversible)
            ),
            None,
        )
        if deeds and step is None and not self._paged_changes(going):
            raise _EndError(
                "uncertain",
                "nothing was sent, as it was when it was shown, and nothing else proves it",
            )
        for check in checks:
            if check["kind"] == "reload" and step is not None:
                proof = loaded_anew(
                    self._page, step, going.acted[step.number], going.values,
                    partial(self._again, going, step),
                )  # fmt: skip
                if not proof.confirmed:
                    raise _EndError(_STATUS[proof.outcome], f"{_named(going, step)}: {proof.why}")
            elif check["kind"] in {"http", "sql", "command"}:
                said_no, why = failed_check(check, going.values, commands=self._commands)
                if why:
                    raise _EndError("failed" if said_no else "uncertain", why)

    def _again(self, going: _Going, deed: SkillStep) -> None:
        """Do once more what led to the view of a deed, up to what changed something or is gone."""
        for step in going.skill.steps[: deed.number - 1]:
            target = target_of(step)
            if step.irreversible or step.effects.sent or step.page != deed.page or target is None:
                return
            sought = seek(self._page, target, going.values, usual=0.0, whole=False)
            if sought.found.node is None:
                return
            since = time.time()
            try:
                act(self._page, step, sought, going.values, going.url)
            except MissedError:
                return
            self._page.quiet(since, 0.3, 3.0)

    def _paged_changes(self, going: _Going) -> bool:
        """Return whether this run has sent anything that changes something."""
        return any(request.changes for request in self._page.sent(going.began_at))

    def _shot(self, sought: Sought | None) -> tuple[bytes, float | None, float | None]:
        """Return the screen before an act, and the place of the act on it."""
        png = self._page.driver.look(settled=True).png
        if sought is None or sought.found.node is None:
            return png, None, None
        x, y = sought.held.scene.nodes[sought.found.node].middle
        scale = self._page.driver.scale
        return png, x * scale, y * scale

    # -- records -------------------------------------------------------------------------

    def _begun(
        self, skill: Skill, twin: Twin, values: Mapping[str, str], url: str | None, after: int
    ) -> _Going:
        said = _keepable(self._store, values)
        with self._store.transaction():
            going = self._store.row(SQL.going)
            if going is not None:
                self._refuse(going["id"], going["owner"], going["step"])
            begun = {
                "skill": skill.id,
                "params": json.dumps(said, ensure_ascii=False),
                "predicted": twin.chance_after(after),
                "owner": f"{platform.node()} {os.getpid()}",
                "now": clock.now(),
            }
            number = self._store.insert(SQL.begin_run, begun)
        shown = {name: value for name, value in said.items() if value}
        began = time.monotonic()
        return _Going(number, skill, twin, values, url, began, shown, step=after, begun=after)

    def _refuse(self, run: int, owner: str, step: int) -> None:
        host, _, pid = owner.rpartition(" ")
        if host == platform.node() and not process_lives(int(pid or 0)):
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
        *,
        proposal: Mapping[str, Any] | None = None,
    ) -> None:
        why, seconds = why[:500], round(time.monotonic() - began, 3)
        stopped = outcome not in {"done", "recovered"}
        png = self._picture(going) if stopped and self._paged is not None else None
        row = {
            "run": going.id,
            "number": step.number,
            "outcome": outcome,
            "why": why,
            "seconds": seconds,
            "look": "full" if png else "target" if step.place else "none",
            "before_png": None,
            "after_png": png,
            "proposal": None if proposal is None else json.dumps(proposal, ensure_ascii=False),
        }
        with self._store.transaction():
            self._store.execute(SQL.add_run_step, row)
            self._advance(going)
        if self._watch is not None:
            shot, x, y = going.shot or (png or b"", None, None)
            words = filled(step.words, going.said) or ""
            self._watch(WatchedStep(step.number, words, outcome, why, seconds, shot, x, y))

    def _picture(self, going: _Going) -> bytes | None:
        """Return the screen where a step stopped; nothing of a page that is gone."""
        try:
            going.looks += 1
            return self._page.driver.look(settled=True).png
        except MemctlError:
            return None

    def _learn(self, step: SkillStep, to_state: str | None, seconds: float) -> None:
        """Teach the graph how a step went; its values stay out of it."""
        if step.from_state is None or step.to_state is None:
            return
        action = step.action if step.component_id is None else f"{step.action}:#{step.component_id}"
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


def target_of(step: SkillStep) -> Target | None:
    """Return a step's target; without a page, by its label and its row's text."""
    if step.place is not None:
        return step.place
    if step.target is None or step.action in {"type", "key", *_PLACELESS}:
        return None
    anchors = (Anchor(step.beside, "row"),) if step.beside else ()
    name = step.target.split("_by_", 1)[0] if step.beside else step.target
    return Target(kind=ANY_KIND, tag="", name=name.replace("_", " "), anchors=anchors)


def _named(going: _Going, step: SkillStep) -> str:
    return f"step {step.number} ({filled(step.words, going.said)})"


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _keepable(store: Store, values: Mapping[str, str]) -> dict[str, str]:
    """Return values as a run keeps them: a password, or what looks like a secret, is not kept."""
    return {
        name: "" if name.startswith("password") or masked(store, value) != value else value
        for name, value in values.items()
    }
