"""The skills of a memory: added as drafts, decided by a person, foreseen, run, and repaired."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

from memctl.base import clock
from memctl.base.arguments import checked_class, of_class
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.near_words import meant, one_of
from memctl.guard import door
from memctl.procedural import skill_rows as rows
from memctl.procedural.intents import chosen, matching
from memctl.procedural.parameters import checked_values
from memctl.procedural.skill_checking import (
    checked_draft,
    checked_name,
    described,
    listed,
    refuse_address,
    texts_of,
)  # fmt: skip
from memctl.procedural.skill_folder import known_here, read_draft, write_skill
from memctl.procedural.skill_records import SkillDraft
from memctl.procedural.twin import calibration_of, foreseen, too_risky
from memctl.procedural.verifying import checked_checks
from memctl.scenes.targets import Target
from memctl.scenes.wording import in_words
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, read_page

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Page

    from memctl.config.settings import Settings
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration
    from memctl.drivers.done_acts import DoneAct
    from memctl.drivers.look import Eyes, Look
    from memctl.procedural.intents import SkillMatch
    from memctl.procedural.mining import NearHabit
    from memctl.procedural.next_act import NextAct
    from memctl.procedural.skill_records import Skill, SkillRun, SkillRunStep, WatchedStep
    from memctl.procedural.twin import Calibration, Twin
    from memctl.store.store import Store
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.visual import Visual

SQL = statements.load("store/skill")
_LIVING = ("draft", "active")
_SETTLES = 1.0  # seconds for the last act of a watched script
_ALL = (*_LIVING, "rejected", "archived")


@checked_class
class Skills(StoreCollection["Skill"]):
    """The skills of a memory, each known by its id, name or alias.

    Parameters
    ----------
    store, settings
        The open store and its settings; without settings a skill is neither foreseen nor run.
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
        settings: Settings | None = None,
        visual: Callable[[], Visual] | None = None,
        known: Callable[[str], bool] = lambda _: False,
        look: Callable[[Any], Look | None] = lambda _: None,
    ) -> None:
        self._store = store
        self._given = settings
        self._visual_of = visual
        self._known = known
        self._look = look

    @property
    def _settings(self) -> Settings:
        assert self._given is not None  # noqa: S101  (those of a memory have them)
        return self._given

    def _visual(self) -> Visual:
        assert self._visual_of is not None  # noqa: S101  (likewise)
        return self._visual_of()

    # -- kept ----------------------------------------------------------------------------

    @door.guarded("skill")
    def add(self, draft: SkillDraft) -> Skill:
        """Add a draft; one that does the same as a skill that is there, or was rejected, is that one.

        Raises
        ------
        UsageError
            When it has no step, a field is too long or of another type, its name is none, or is taken
            by a skill that does otherwise.
        RefusedError
            When something of it looks like a secret, or it opens what is no web page.
        """
        draft = checked_draft(of_class("draft", draft, SkillDraft))
        name, shape = draft.name, rows.shape_of(draft.steps)
        door.refuse_secrets(self._store, "skill", "the skill", texts_of(draft))
        with self._store.transaction():
            known = self._store.row(SQL.of_shape, {"shape": shape})
            if known is not None:
                return self.get(known["id"])
            if self._store.row(SQL.named, {"key": name}) is not None:
                raise UsageError(f'there is a skill "{name}" already', hint="give another name")
            skill = rows.insert(self._store, draft, name, shape)
        return self.get(skill)

    def decided(self, draft: SkillDraft) -> bool:
        """Return whether a skill that does the same is there, or was rejected."""
        shape = rows.shape_of(of_class("draft", draft, SkillDraft).steps)
        return self._store.row(SQL.of_shape, {"shape": shape}) is not None

    def list(self, status: str | None = None, *, limit: int | None = None) -> ListPage[Skill]:
        """Return the living skills, or those of a status, the newest first.

        Parameters
        ----------
        status
            ``draft``, ``active``, ``rejected`` or ``archived``; drafts and active ones by default.
        limit
            Most skills; ``None`` for all.
        """
        if status is not None and status not in _ALL:
            raise UsageError(f'there is no status "{status}"', hint=one_of(status, _ALL))
        if not self._store.exists:
            return ListPage()
        chosen_ones = _LIVING if status is None else (status,)
        asked = {"statuses": json.dumps(chosen_ones)}
        with self._store.snapshot():
            ids = read_page(self._store, SQL.listed, asked, itemgetter("id"), limit)
            details = self._store.rows(SQL.details, {"ids": json.dumps(ids)})
            skills = {row["id"]: rows.read(self._store, row) for row in details}
        return ids.of(skills)

    def get(self, key: str) -> Skill:
        """Return a skill by its id or name.

        Raises
        ------
        NotFoundError
            When there is none.
        """
        row = self._store.row(SQL.named, {"key": key}) if self._store.exists else None
        if row is None:
            names = [skill.name for skill in self.list()]
            hint = meant(key, names, "memctl skills list")
            raise NotFoundError(f'there is no skill "{key:.64}"', hint=hint)
        return rows.read(self._store, row)

    @door.guarded("skill")
    def approve(self, key: str, url: str | None = None) -> Skill:
        """Let a draft be used at its URL's site alone; a rejected or archived one comes back.

        Parameters
        ----------
        url
            Where it is used from now on; its own by default.
        """
        if url is not None:
            refuse_address(door.clean(url, what="url", limit=door.MAX_LABEL))
        return self._decided(key, "active", "", url)

    @door.guarded("skill")
    def reject(self, key: str, *, why: str = "") -> Skill:
        """Let a skill not be used, and not be proposed again."""
        return self._decided(key, "rejected", why)

    @door.guarded("skill")
    def archive(self, key: str, *, why: str = "") -> Skill:
        """Put a skill away; it may be proposed again."""
        return self._decided(key, "archived", why)

    @door.guarded("skill")
    def update(
        self,
        key: str,
        *,
        name: str | None = None,
        description: str | None = None,
        triggers: Sequence[str] | None = None,
        verify: Sequence[Mapping[str, Any] | str] | None = None,
        aliases: Sequence[str] | None = None,
    ) -> Skill:
        """Change a skill's name, description, phrases and checks.

        Parameters
        ----------
        verify
            Checks apart from the screen: ``"reload"``, ``"none"``, or mappings with their ``kind``:
            ``{"kind": "http", "url": ..., "contains": ...}``, ``{"kind": "sql", "file": ...,
            "query": ..., "equals": ...}``, ``{"kind": "command", "command": ...}``.
        aliases
            Other names that it is found by.
        """
        skill = self.get(key)
        changed = {
            "id": skill.id,
            "name": skill.name if name is None else checked_name(name),
            "description": skill.description if description is None else described(description),
            "triggers": listed(skill.triggers if triggers is None else triggers),
            "aliases": listed(skill.aliases if aliases is None else aliases),
            "verify": json.dumps(list(skill.verify if verify is None else checked_checks(verify))),
        }
        with self._store.transaction():
            taken = self._store.row(SQL.named, {"key": changed["name"]})
            if taken is not None and taken["id"] != skill.id:
                raise UsageError(f'there is a skill "{name}" already', hint="give another name")
            self._store.execute(SQL.change, changed)
        return self.get(skill.id)

    def match(self, question: str, *, limit: int = 5) -> Sequence[SkillMatch]:
        """Return the active skills that a text may ask for, the likeliest first."""
        return matching(question, self.list("active"), limit=limit)

    def meant(self, question: str) -> SkillMatch | None:
        """Return the active skill that a text asks for; ``None`` where two are as likely."""
        return chosen(self.match(question))

    def told(self, question: str, *, limit: int = 3) -> Sequence[str]:
        """Return a line of each active skill that a text asks for, as a prompt has it."""
        return [rows.line_of(skill.skill) for skill in self.match(question, limit=limit)]

    def runs(self, key: str, limit: int = 20) -> Sequence[SkillRun]:
        """Return the runs of a skill, the newest first; -1 for all."""
        asked = {"skill": self.get(key).id, "limit": limit}
        return [rows.run_of(row) for row in self._store.rows(SQL.runs, asked)]

    def trace(self, run: int) -> Sequence[SkillRunStep]:
        """Return the steps of a run, as they went.

        Raises
        ------
        NotFoundError
            When there is no such run.
        """
        self._run_row(run)
        return [rows.run_step_of(row) for row in self._store.rows(SQL.run_steps, {"run": run})]

    def _members(self) -> Sequence[Skill]:
        return self.list()

    def _decided(self, key: str, status: str, why: str, url: str | None = None) -> Skill:
        skill = self.get(key)
        with self._store.transaction():
            if status == "active":
                other = self._store.row(SQL.named, {"key": skill.name})
                if other is not None and other["id"] != skill.id:
                    raise UsageError(
                        f'another skill is called "{skill.name}" by now', hint="rename that one"
                    )
            decided = {"id": skill.id, "status": status, "why": why, "url": url, "now": clock.now()}
            self._store.execute(SQL.decide, decided)
        return self.get(skill.id)

    # -- done ----------------------------------------------------------------------------

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

    @door.guarded("skill", unwritten=("driver", "params", "tools"))
    def run(
        self,
        key: str,
        driver: BrowserDriver | None = None,
        params: Mapping[str, str] | None = None,
        *,
        url: str | None = None,
        opens: bool = False,
        tools: str = "",
        tell: Callable[[str], None] = lambda _: None,
        watch: Callable[[WatchedStep], None] | None = None,
    ) -> SkillRun:
        """Run a skill in an open browser, and record how it went.

        Parameters
        ----------
        driver
            An open browser driver, at the app; none is needed where every step is done by a tool.
        params
            Values of its parameters: typed where they belong, kept unless they look like a secret.
        url
            Where the app is, at the site that it was approved for; the skill's own by default.
        opens
            Whether the app is opened there first, once all is checked.
        tools
            A command that does the steps of tools: it is started with a tool's name, gets the input
            as JSON on standard input, and ends with 0 where that was done.
        tell
            Takes a line for people, for each step.
        watch
            Takes each step with a picture of the screen before it; nothing of that is kept.

        Raises
        ------
        UsageError, RefusedError
            When a parameter is wrong, the skill is not active, `url` is of another site than it was
            approved for, or a killed run waits.
        BusyError
            When another process runs one.
        """
        skill, given = self.get(key), params or {}
        return self._run(skill, driver, given, opens, url=url, tools=tools, tell=tell, watch=watch)

    @door.guarded("skill", unwritten=("driver", "params", "tools"))
    def resume(
        self,
        run: int,
        driver: BrowserDriver | None = None,
        params: Mapping[str, str] | None = None,
        *,
        url: str | None = None,
        opens: bool = False,
        tools: str = "",
        tell: Callable[[str], None] = lambda _: None,
    ) -> SkillRun:
        """Go on with a run that was killed, behind the last step that it did; options as for `run`."""
        killed = self._killed(run)
        given = {**{k: v for k, v in killed.params.items() if v}, **(params or {})}
        skill = self.get(killed.skill_id)
        return self._run(skill, driver, given, opens, killed, url=url, tools=tools, tell=tell)

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
        kept = [self.add(replace(draft, name=rows.free_name(draft.name, self))) for draft in drafts]
        return [one for one in kept if one.status in _LIVING]

    def near_habits(self, *, limit: int = 5) -> Sequence[NearHabit]:
        """Find what comes closest to a draft of `detect`, each with why it is none; reads only."""
        from memctl.procedural.habits import habits, near_habits
        from memctl.procedural.mining import NearHabit

        if not self._store.exists:
            return []
        floor, known = self._settings.integer("skill_min_repeats"), "a skill already, or rejected"
        result = [
            NearHabit(
                tuple(step.words for step in habit.steps),
                habit.support or 0,
                habit.expected or 0,
                habit.p_value or 0,
                known,
            )
            for habit in habits(self._store, floor=floor, shuffles=1)
            if self.decided(habit)
        ]
        return [*result, *near_habits(self._store, floor=floor)][:limit]

    def next(
        self,
        key: str,
        image: ImageSource | Look | Eyes | None = None,
        params: Mapping[str, str] | None = None,
        *,
        boxes: BoxesSource | None = None,
        after: int = 0,
    ) -> NextAct:
        """Return the act that follows step `after` on a screenshot, for a host's own hands.

        Parameters
        ----------
        image
            The screen as it is now: a screenshot, a URL, ``"screen"`` or an open driver; none is
            needed for the tools of a host.
        boxes
            What stands on a screenshot, as boxes files have it.
        """
        from memctl.procedural.next_act import next_act, still_look

        seen = self._look(image)
        if seen is None and image is not None:
            seen = still_look(cast("ImageSource", image), boxes)
        least = self._settings.number("skill_min_irreversible")
        skill = self.get(key)
        return next_act(
            self._store, self._visual(), skill, params or {}, seen, after=after, least=least
        )

    # -- shown ---------------------------------------------------------------------------

    @door.guarded("skill", unwritten=("acts",))
    def record(
        self,
        name: str,
        acts: Sequence[DoneAct],
        *,
        url: str | None = None,
        description: str = "",
        triggers: Sequence[str] = (),
        parameters: Mapping[str, str] | None = None,
        outputs: Mapping[str, str] | None = None,
        verify: Sequence[Mapping[str, Any] | str] = (),
    ) -> Skill:
        """Add the draft of a demonstration; the graph learns its acts, too.

        Parameters
        ----------
        acts
            Those that a `Demonstration` saw.
        parameters
            Names, each with the value that it had: it is sought in what was typed, in what was
            pressed, in all that stands in its row, card or section, and in the URL.
        outputs
            Names under which a component's text is read at the end.
        verify
            Checks apart from the screen, as `update` takes them.

        Raises
        ------
        UsageError
            When nothing was done, a question was not agreed to, or a value stands nowhere that could
            bind it.
        """
        from memctl.procedural.recorder import Recorder

        checks = checked_checks(verify)
        recorder = Recorder(self._store, self._visual())
        draft = recorder.draft(name, acts, url=url, parameters=parameters, outputs=outputs)
        triggers = tuple(triggers) or draft.triggers
        draft = replace(draft, description=description, triggers=triggers, verify=checks)
        return self.add(draft)

    @door.guarded("skill", unwritten=("page",))
    def watch(
        self, page: Page | BrowserDriver, name: str, /, **parameters: str
    ) -> AbstractContextManager[Demonstration]:
        """Record what is done with a Playwright page while the ``with`` block lasts, as a draft.

        Parameters
        ----------
        page
            An open page of your own script, or a browser driver.
        parameters
            The values of this time, by name: ``who="Ann Berg"``.

        Examples
        --------
        >>> with memory.skills.watch(page, "delete-an-order", who="Ann Berg"):  # doctest: +SKIP
        ...     page.get_by_role("row", name="Ann Berg").get_by_text("Delete").click()
        """
        return self._watched(page, checked_name(name), parameters)

    @contextmanager
    def _watched(
        self, page: Page | BrowserDriver, name: str, parameters: Mapping[str, str]
    ) -> Iterator[Demonstration]:
        from memctl.drivers.browser_driver import BrowserDriver
        from memctl.drivers.demonstration import Demonstration

        driver = page if isinstance(page, BrowserDriver) else BrowserDriver.over(page)
        url = driver.page.url
        with Demonstration(driver) as seen:
            yield seen
            seen.wait(_SETTLES)
        self.record(name, seen.acts, url=url, parameters=parameters)

    @door.guarded("skill")
    def draft_last(self, name: str, *, acts: int = 20, session: str | None = None) -> Skill:
        """Add a draft of the last acts in the journal of transitions: those of one task.

        Parameters
        ----------
        acts
            Most acts; a pause of ten minutes ends the task.
        session
            Whose acts; those done last, whoever did them, by default.

        Raises
        ------
        UsageError
            When no act is known.
        """
        from memctl.procedural.habits import last_acts

        known = self._store.exists
        draft = last_acts(self._store, name, most=acts, session=session) if known else None
        if draft is None:
            raise UsageError(
                "no act is known that could be drafted",
                hint="memctl transitions record notes what an agent does",
            )
        return self.add(draft)

    def export(self, key: str, folder: str | os.PathLike[str]) -> Path:
        """Write a skill as a folder with SKILL.md and its steps as JSON; return the folder."""
        return write_skill(self.get(key), folder)

    @door.guarded("skill")
    def read(self, path: str | os.PathLike[str]) -> Skill:
        """Add the draft of an exported folder, or of its JSON file."""
        return self.add(known_here(read_draft(path), self._store))

    # -- mended --------------------------------------------------------------------------

    @door.guarded("skill")
    def feedback(self, run: int, verdict: str) -> SkillRun:
        """Say whether a run was ``right`` or ``wrong``; a wrong one lowers the skill's chance."""
        if verdict not in {"right", "wrong"}:
            raise UsageError(
                f'"{verdict:.40}" is no verdict', hint=one_of(verdict, ("right", "wrong"))
            )
        self._run_row(run)
        with self._store.transaction():
            self._store.execute(SQL.set_feedback, {"id": run, "feedback": verdict})
        return rows.run_of(self._run_row(run))

    @door.guarded("skill")
    def repair(self, run: int) -> Skill:
        """Take over what a halted run proposes: the new label or place of the step that halted.

        Raises
        ------
        UsageError
            When the run proposes nothing.
        """
        step = next((one for one in self.trace(run) if one.proposal), None)
        if step is None or step.proposal is None:
            raise UsageError(
                f"run {run} proposes nothing", hint="only a run that found one other thing does"
            )
        skill = self.get(self._run_row(run)["skill_id"])
        new = Target.read(step.proposal["new"])
        onto = next(one.onto for one in skill.steps if one.number == step.number)
        place = {
            "place": rows.target_json(new),
            "onto": rows.target_json(onto),
            "target": in_words(new.name),
        }
        with self._store.transaction():
            self._store.execute(SQL.set_place, {**place, "skill": skill.id, "number": step.number})
        return self.get(skill.id)

    def _run(
        self,
        skill: Skill,
        driver: BrowserDriver | None,
        params: Mapping[str, str],
        opens: bool,
        killed: SkillRun | None = None,
        *,
        url: str | None,
        tools: str,
        tell: Callable[[str], None],
        watch: Callable[[WatchedStep], None] | None = None,
    ) -> SkillRun:
        from memctl.drivers.browser_driver import BrowserDriver
        from memctl.procedural.running.runner import checked_run, run_skill

        if driver is not None:
            of_class("driver", driver, BrowserDriver)
        values = checked_run(skill, params, url, tools=tools, screen=driver is not None)
        url = url or skill.url
        if opens and driver is not None:
            if url is None:
                raise UsageError(f'"{skill.name}" names no page', hint="give a URL")
            driver.goto(url)
        after = 0
        if killed is not None:
            after = self._dropped(killed.id, "gone on with").step
        settings, known = self._settings, self._known
        return run_skill(
            self._store, driver, skill, values, url=url, after=after, tools=tools,
            settings=settings, known=known, tell=tell, watch=watch,
        )  # fmt: skip

    def _killed(self, run: int) -> SkillRun:
        row = self._run_row(run)
        if row["status"] != "running":
            raise UsageError(f"run {run} is {row['status']}", hint="only a killed run waits")
        return rows.run_of(row)

    def _run_row(self, run: int) -> Any:
        row = self._store.row(SQL.run, {"id": run}) if self._store.exists else None
        if row is None:
            raise NotFoundError(f"there is no run {run}", hint="memctl skills show NAME")
        return row

    def _dropped(self, run: int, why: str) -> SkillRun:
        with self._store.transaction():
            ended = {"id": run, "status": "dropped", "why": why, "now": clock.now()}
            self._store.execute(SQL.end_run, ended)
        return rows.run_of(self._run_row(run))
