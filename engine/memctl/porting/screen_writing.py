"""Writes the screens of other systems: components, states, the ways between them, recordings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.drivers.done_acts import DoneAct
from memctl.drivers.look import Look
from memctl.guard import door
from memctl.porting.foreign_records import (
    ComponentRecord,
    ForeignRecord,
    NeedleRecord,
    RecordingRecord,
    ScreenSkillRecord,
    StateRecord,
    TransitionRecord,
)
from memctl.procedural.skill_rows import free_name, skill_name
from memctl.procedural.skills import Skills
from memctl.visual.boxes import Box
from memctl.visual.graph.components import Components
from memctl.visual.graph.naming import NamesInUse, check_name
from memctl.visual.graph.states import States
from memctl.visual.graph.transitions import Transitions
from memctl.visual.learning.adopting import adopt_component, adopt_state
from memctl.visual.reading.image import load_frame
from memctl.visual.reading.input_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.config.settings import Settings
    from memctl.porting.foreign_records import PictureFile, RecordedAct
    from memctl.procedural.skill_records import SkillDraft, SkillStep
    from memctl.store.store import Store
    from memctl.visual.frame import Frame


class ScreenWriter:
    """Writes records of screens into one store, inside the caller's transaction.

    What names another record in the source is led to what that became here. What is left out of a
    record that is taken is said in `remarks`.
    """

    def __init__(self, store: Store, settings: Settings, remarks: list[str]) -> None:
        self._store = store
        self._settings = settings
        self._remarks = remarks
        self._became: dict[tuple[type[ForeignRecord], str], str] = {}
        self._states = States(store)
        self._components = Components(store)
        self._before: frozenset[str] | None = None

    def note(self, record: ForeignRecord, item: str | None) -> None:
        """Note what a component or state became, now or in an earlier import."""
        if item is not None:
            self._became[type(record), record.key] = item

    def write(self, records: Sequence[ForeignRecord]) -> list[str | None]:
        """Write records of one kind, all or none; return the ids of what they became.

        Raises
        ------
        RefusedError, UsageError
            When one of them is refused.
        """
        methods: dict[type[ForeignRecord], Callable[[Any], list[str | None]]] = {
            ComponentRecord: self._write_components,
            StateRecord: self._write_states,
            TransitionRecord: self._write_transitions,
            ScreenSkillRecord: self._write_skills,
            RecordingRecord: self._write_recordings,
            NeedleRecord: self._write_needles,
        }
        return methods[type(records[0])](records)

    def _write_components(self, records: Sequence[ComponentRecord]) -> list[str | None]:
        names = NamesInUse(component.name for component in self._components.list())
        written: list[str | None] = []
        for record in records:
            about = record.about
            self._refuse_secrets("component", about.label, about.row, about.section)
            for text in (about.name, about.type, about.source, about.page):
                self._refuse_secrets("component", text)
            about = replace(
                _shortened(about, "label", "page", "row", "section"),
                name=check_name(door.clean(about.name, what="name", limit=door.MAX_NAME)),
                type=_short(about.type) or "element",
                source=_short(about.source) or "imported",
            )
            looks = [(self._frame(look.path), look.scale) for look in record.looks]
            written.append(str(adopt_component(self._store, about, looks, names)))
        return written

    def _write_states(self, records: Sequence[StateRecord]) -> list[str | None]:
        if self._before is None:
            own = {item for (kind, _), item in self._became.items() if kind is StateRecord}
            self._before = frozenset(state.id for state in self._states.list()) - own
        written: list[str | None] = []
        for record in records:
            about = record.about
            for text in (about.name, about.title, about.page):
                self._refuse_secrets("state", text)
            about = replace(
                _shortened(about, "name", "title", "page"),
                texts=tuple(
                    door.clean(text, what="text", limit=door.MAX_LABEL)
                    for text in about.texts
                    if door.find_rule(self._store, text) is None
                ),
            )
            components = [self._component(name) for name in record.components]
            known = [key for key in components if key is not None]
            screen = None if record.screen is None else self._frame(record.screen.path)
            written.append(
                adopt_state(self._store, about, known, before=self._before, screen=screen)
            )
        return written

    def _write_transitions(self, records: Sequence[TransitionRecord]) -> list[str | None]:
        graph = Transitions(self._store)
        written: list[str | None] = []
        for record in records:
            _, _, target = record.action.partition(":")
            used = record.last_used_at
            taken = graph.take_over(
                self._state(record.from_state),
                record.action,
                self._state(record.to_state),
                component_id=self._component(target),
                successes=record.successes,
                failures=record.failures,
                last_used_at=clock.now() if used is None else clock.parse_time(used),
            )
            written.append(str(taken.id))
        return written

    def _write_skills(self, records: Sequence[ScreenSkillRecord]) -> list[str | None]:
        return [
            self._added(replace(record.draft, steps=self._steps(record.draft)))
            for record in records
        ]

    def _write_recordings(self, records: Sequence[RecordingRecord]) -> list[str | None]:
        from memctl.procedural.recorder import Recorder
        from memctl.visual.visual import Visual

        written: list[str | None] = []
        for record in records:
            self._refuse_secrets("skill", record.name, record.url, record.description)
            recorder = Recorder(self._store, Visual(self._store, self._settings))
            draft = recorder.draft(
                skill_name(record.name),
                shown_acts(record.acts),
                url=record.url,
                parameters=dict(record.parameters),
            )
            written.append(self._added(replace(draft, description=record.description)))
        return written

    def _write_needles(self, records: Sequence[NeedleRecord]) -> list[str | None]:
        from memctl.visual.visual import Visual

        visual = Visual(self._store, self._settings)
        written: list[str | None] = []
        for record in records:
            frame = self._frame(record.screen.path)
            boxes, excluded, remarks = sorted_areas(record, frame)
            learned = visual.learn(frame.bgr, boxes, page=record.page, ignore=excluded)
            names = NamesInUse(component.name for component in self._components.list())
            for new in learned.learned:
                if new.label is None and not new.new_look:
                    name = names.claim(check_name(record.page[:_LONGEST_NAME]))
                    self._components.rename(f"#{new.component_id}", name)
            remarks += [
                f"area {_place(box.box)} is no component: {box.why}" for box in learned.refused
            ]
            self._remarks += [f"{record.where}: {remark}" for remark in remarks]
            written.append(None if learned.state is None else learned.state.id)
        return written

    # -- what names in the source stand for ----------------------------------------------

    def _component(self, name: str) -> int | None:
        """Return the living component of a name in the source."""
        item = self._became.get((ComponentRecord, name))
        return int(item) if item is not None and f"#{item}" in self._components else None

    def _state(self, key: str) -> str:
        item = self._became.get((StateRecord, key))
        if item is None:
            raise UsageError(f'the state "{key:.80}" was not taken', hint="see what was refused")
        return item

    def _steps(self, draft: SkillDraft) -> tuple[SkillStep, ...]:
        return tuple(
            replace(
                _shortened(step, "target", "beside", "detail"),
                component_id=None if step.target is None else self._component(step.target),
                from_state=self._became.get((StateRecord, step.from_state or "")),
                to_state=self._became.get((StateRecord, step.to_state or "")),
            )
            for step in draft.steps
        )

    def _added(self, draft: SkillDraft) -> str:
        """Add a draft; where its name is taken by another skill, with a number."""
        skills = Skills(self._store)
        draft = replace(draft, origin="imported")
        if not skills.decided(draft):
            draft = replace(draft, name=free_name(draft.name, skills))
        return skills.add(draft).id

    def _frame(self, path: Any) -> Frame:
        return load_frame(path, max_pixels=self._settings.integer("max_pixels"))

    def _refuse_secrets(self, tier: str, *texts: str | None) -> None:
        door.refuse_secrets(self._store, tier, f"the {tier}", texts)


def _short(text: str | None) -> str | None:
    """Return a text of one line, as long as labels may be; ``None`` for nothing."""
    return door.clean(text, what="text", limit=door.MAX_LABEL).strip() or None if text else None


def _shortened(record: Any, *names: str) -> Any:
    return replace(record, **{name: _short(getattr(record, name)) for name in names})


# --- the areas of a needle

_LONGEST_NAME = 72  # of a component, before its number


def sorted_areas(
    record: NeedleRecord, frame: Frame
) -> tuple[list[dict[str, Any]], list[tuple[int, int, int, int]], list[str]]:
    """Return the boxes to learn, the areas that do not count, and why others are left out.

    Raises
    ------
    UsageError
        When no area that is to be matched can be used.
    """
    remarks: list[str] = []
    usable, excluded, screen = [], [], frame.part(None)
    for number, area in enumerate(record.areas, 1):
        box, why = Box(*area.box), area.why
        if not why and not box.overlap(screen):
            size = f"{frame.width} x {frame.height}"
            why = f"at {_place(area.box)} lies outside of the {size} picture"
        if why:
            remarks.append(f"area {number} {why}")
        elif area.kind == "exclude":
            excluded.append(box.within(screen))
        else:
            usable.append((number, box, area))
    if not usable:
        raise UsageError("; ".join(["it has no area to match", *remarks]))
    boxes: list[dict[str, Any]] = []
    for number, box, area in usable:
        if any(map(box.overlap, excluded)):
            remarks.append(f"area {number} shows what is excluded: no component is made of it")
            continue
        text = {"label": area.text, "type": "text"} if area.kind == "ocr" else {}
        boxes.append({**dict(zip("xywh", area.box, strict=True)), "source": "openqa", **text})
    return boxes, [box.xywh for box in excluded], remarks


def _place(box: Sequence[int]) -> str:
    return ",".join(map(str, box))


# --- the acts of a recording, as a demonstration shows them

_MOST_BYTES = 512 * 1024 * 1024  # of all screens of a recording, packed
_MOST_A_SCREEN = 64 * 1024 * 1024


def shown_acts(acts: Sequence[RecordedAct]) -> list[DoneAct]:
    """Return the acts with their screens; the screen after one act is the one before the next.

    Raises
    ------
    UnusableInputError
        When a screen cannot be read.
    UsageError
        When all of them are larger than 512 MB.
    """
    looks: dict[tuple[str, str], Look] = {}
    size = 0

    def look(picture: PictureFile, title: str) -> Look:
        nonlocal size
        key = picture.sha256, title
        if key not in looks:
            png = read_limited(picture.path, most=_MOST_A_SCREEN, what="a screenshot")
            size += len(png)
            if size > _MOST_BYTES:
                raise UsageError("the recording's screens are over 512 MB", hint="cut it in two")
            looks[key] = Look(png=png, title=title, scale=picture.scale)
        return looks[key]

    return [
        DoneAct(
            kind=act.kind,
            x=act.x,
            y=act.y,
            to=act.to,
            text=act.text,
            secret=act.secret,
            label="",
            field="",
            before=look(act.before, act.title_before),
            after=look(act.after, act.title_after),
            seconds=act.seconds,
        )
        for act in acts
    ]
