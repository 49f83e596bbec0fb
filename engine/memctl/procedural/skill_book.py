"""The skills of a memory with all that they can do: foreseen, run, recorded, read and written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memctl.base import clock
from memctl.base.arguments import checked_class, of_class
from memctl.base.errors import NotFoundError, UsageError
from memctl.guard import door
from memctl.procedural.calibration import calibration_of
from memctl.procedural.next_act import next_act
from memctl.procedural.parameters import checked_values
from memctl.procedural.skill_folder import read_skill, write_skill
from memctl.procedural.skills import Skills, run_of
from memctl.procedural.twin import foreseen, too_risky
from memctl.store import statements

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from memctl.config.settings import Settings
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Eyes, Look
    from memctl.procedural.calibration import Calibration
    from memctl.procedural.mining import NearHabit
    from memctl.procedural.next_act import NextAct
    from memctl.procedural.recorder import ShownAct
    from memctl.procedural.skill_records import Skill, SkillDraft, SkillRun, WatchedStep
    from memctl.procedural.twin import Twin
    from memctl.store.store import Store
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.visual import Visual

__all__ = ["SkillBook"]

SQL = statements.load("store/skill")


@checked_class
class SkillBook(Skills):
    """The skills of a memory.

    Parameters
    ----------
    store, settings
        The open store and its settings.
    visual
        Returns the visual memory, once pictures are looked at: a list of skills needs none.
    known
        Whether a text is known as a fact.
    look
        Looks at a live screen; answers nothing for a screenshot.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        visual: Callable[[], Visual],
        known: Callable[[str], bool],
        look: Callable[[Any], Look | None] = lambda _: None,
    ) -> None:
        super().__init__(store)
        self._settings = settings
        self._visual = visual
        self._known = known
        self._look = look

    def foresee(self, key: str, params: Mapping[str, str] | None = None) -> Twin:
        """Return how a run would go: each step's chance, time and evidence; nothing is done.

        Raises
        ------
        UsageError, RefusedError
            When a parameter is wrong.
        """
        skill = self.get(key)
        values = checked_values(skill, params or {})
        twin = foreseen(self._store, skill, values, clock.now())
        least = self._settings.number("skill_min_irreversible")
        risks = (too_risky(twin, step, least) for step in skill.steps)
        return replace(twin, halts=next(filter(None, risks), ""))

    def calibration(self) -> Calibration:
        """Return how well the chances that runs were given fit what happened."""
        return calibration_of(self._store)

    @door.guarded("skill", unwritten=("driver", "params"))
    def run(
        self,
        key: str,
        driver: BrowserDriver,
        params: Mapping[str, str] | None = None,
        *,
        url: str | None = None,
        tell: Callable[[str], None] = lambda _: None,
        watch: Callable[[WatchedStep], None] | None = None,
    ) -> SkillRun:
        """Run a skill in an open browser, and record how it went.

        Parameters
        ----------
        driver
            An open browser driver, at the app.
        params
            Values of its parameters: typed where they belong, kept unless they look like a secret.
        url
            What a ``goto`` is read from; the skill's own by default.
        tell
            Takes a line for people, for each step.
        watch
            Takes each step with a picture of the screen before it; nothing of that is kept.

        Raises
        ------
        UsageError, RefusedError
            When a parameter is wrong, the skill is not active, or a killed run waits.
        BusyError
            When another process runs one.
        """
        return self._run(self.get(key), driver, params or {}, url, tell, 0, watch)

    @door.guarded("skill", unwritten=("driver", "params"))
    def resume(
        self,
        run: int,
        driver: BrowserDriver,
        params: Mapping[str, str] | None = None,
        *,
        tell: Callable[[str], None] = lambda _: None,
    ) -> SkillRun:
        """Go on with a run that was killed, behind the last step that it did."""
        killed = self._killed(run)
        values = {**{k: v for k, v in killed.params.items() if v}, **(params or {})}
        self._dropped(run, "gone on with")
        return self._run(self.get(killed.skill_id), driver, values, None, tell, killed.step)

    @door.guarded("skill")
    def drop(self, run: int) -> SkillRun:
        """Give a run up that was killed; what it did stays done."""
        self._killed(run)
        return self._dropped(run, "given up")

    @door.guarded("skill", by_the_way=True)
    def detect(self, *, keep: bool = False) -> Sequence[Skill | SkillDraft]:
        """Find what is done again and again, as drafts; with `keep`, add them to the skills.

        Each has the chance of so many repeats, and how many drafts the same search finds in
        shuffled logs. What is a skill already, or was rejected, is left out.
        """
        from memctl.procedural.habits import habits

        if not self._store.exists:
            return []
        floor = self._settings.integer("skill_min_repeats")
        drafts = habits(self._store, floor=floor)
        if not keep:
            return [one for one in drafts if not self.decided(one)]
        return [
            one for one in map(self._added, drafts) if one.status not in {"rejected", "archived"}
        ]

    def near_habits(self, *, limit: int = 5) -> Sequence[NearHabit]:
        """Find what comes closest to a draft of `detect`, each with why it is none; reads only.

        Those that are skills already, or were rejected, come first, then the nearest candidates:
        how many tasks hold each, how many would by chance, the p-value, and the gate it missed.
        """
        from memctl.procedural.habits import habits, near_habits
        from memctl.procedural.mining import NearHabit

        if not self._store.exists:
            return []
        floor, known = self._settings.integer("skill_min_repeats"), "a skill already, or rejected"
        found = [
            NearHabit(
                tuple(step.words for step in one.steps),
                one.support or 0,
                one.expected or 0.0,
                one.p_value or 0.0,
                known,
            )
            for one in habits(self._store, floor=floor, shuffles=1)
            if self.decided(one)
        ]
        return [*found, *near_habits(self._store, floor=floor)][:limit]

    def _added(self, draft: SkillDraft) -> Skill:
        """Add a draft; where its name is taken by another skill, with a number."""
        names = (draft.name, *(f"{draft.name[:60]}-{number}" for number in range(2, 100)))
        free = next(name for name in names if name not in self)
        return self.add(replace(draft, name=free))

    def next(
        self,
        key: str,
        image: ImageSource | Look | Eyes,
        params: Mapping[str, str] | None = None,
        *,
        boxes: BoxesSource | None = None,
        after: int = 0,
    ) -> NextAct:
        """Return the act that follows step `after` on a screenshot, for a host's own hands.

        Parameters
        ----------
        image
            The screen as it is now: a screenshot, a URL, ``"screen"`` or an open driver.
        boxes
            What stands on a screenshot, as boxes files have it.
        """
        from memctl.procedural.running.still_body import StillBody

        seen = self._look(image)
        if seen is not None:
            sight = StillBody(seen.png, seen.learnable())
        else:  # what is not live is a screenshot
            sight = StillBody(cast("ImageSource", image), boxes)
        least = self._settings.number("skill_min_irreversible")
        skill = self.get(key)
        return next_act(
            self._store, self._visual(), skill, params or {}, sight, after=after, least=least
        )

    @door.guarded("skill", unwritten=("acts",))
    def record(
        self,
        name: str,
        acts: Sequence[ShownAct],
        *,
        url: str | None = None,
        description: str = "",
        triggers: Sequence[str] = (),
        parameters: Mapping[str, str] | None = None,
        outputs: Mapping[str, str] | None = None,
    ) -> Skill:
        """Add the draft of a demonstration, as `memctl.procedural.recorder.Recorder` describes."""
        from memctl.procedural.recorder import Recorder

        draft = Recorder(self._store, self._visual()).draft(
            name,
            acts,
            url=url,
            description=description,
            triggers=triggers,
            parameters=parameters,
            outputs=outputs,
        )
        return self.add(draft)

    def export(self, key: str, folder: str | os.PathLike[str]) -> Path:
        """Write a skill as a folder with SKILL.md and its steps as JSON; return the folder."""
        return write_skill(self.get(key), folder)

    @door.guarded("skill")
    def read(self, path: str | os.PathLike[str]) -> Skill:
        """Add the draft of an exported folder, or of its JSON file."""
        return self.add(read_skill(path, self._store))

    def _run(
        self,
        skill: Skill,
        driver: BrowserDriver,
        params: Mapping[str, str],
        url: str | None,
        tell: Callable[[str], None],
        after: int,
        watch: Callable[[WatchedStep], None] | None = None,
    ) -> SkillRun:
        from memctl.drivers.browser_body import BrowserBody
        from memctl.drivers.browser_driver import BrowserDriver
        from memctl.procedural.running.runner import run_skill

        return run_skill(
            self._store,
            self._visual(),
            BrowserBody(of_class("driver", driver, BrowserDriver)),
            skill,
            params,
            url=url or skill.url,
            after=after,
            least=self._settings.number("skill_min_irreversible"),
            known=self._known,
            tell=tell,
            watch=watch,
        )

    def _killed(self, run: int) -> SkillRun:
        row = self._store.row(SQL.run, {"id": run}) if self._store.exists else None
        if row is None:
            raise NotFoundError(f"there is no run {run}", hint="memctl skills show NAME")
        if row["status"] != "running":
            raise UsageError(f"run {run} is {row['status']}", hint="only a killed run waits")
        return run_of(row)

    def _dropped(self, run: int, why: str) -> SkillRun:
        with self._store.transaction():
            ended = {"id": run, "status": "dropped", "why": why, "now": clock.now()}
            self._store.execute(SQL.end_run, ended)
            row = self._store.row(SQL.run, {"id": run})
        assert row is not None  # noqa: S101  (read just before)
        return run_of(row)
