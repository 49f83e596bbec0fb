"""Recording: what somebody did on an app becomes the steps of a draft, its screens learned by the way."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from memctl.base.errors import UsageError, WrongTypeError
from memctl.drivers.done_acts import DoneAct
from memctl.guard import door
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.skill_rows import is_irreversible, step_names
from memctl.scenes.effects import Effects, about_of, count, effects_between, page_of, path_of
from memctl.scenes.scene_boxes import scene_of_boxes
from memctl.scenes.targets import band_anchors, describe, find, in_every_row, row_of, row_text
from memctl.scenes.wording import (
    in_words,
    loosened,
    names_in_braces,
    ungrouped,
    with_names,
    without_keys,
)
from memctl.visual.graph.components import Components
from memctl.visual.graph.transitions import Transitions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.drivers.look import Look
    from memctl.scenes.scene import Scene
    from memctl.scenes.targets import Anchor, Target
    from memctl.store.store import Store
    from memctl.visual.match_results import Learn, Learned, Sighting
    from memctl.visual.visual import Visual

_TYPED = ("type", "key")
_FEW = 3  # texts in a control, at most


class _Shown(NamedTuple):
    """An act with the page before and after it, and what it was done to."""

    act: DoneAct
    scene: Scene
    node: int | None
    then: Scene
    place: Target | None
    onto: Target | None


class Recorder:
    """Makes drafts of demonstrations.

    Parameters
    ----------
    visual
        The visual memory: each screen of the demonstration is learned.
    """

    def __init__(self, store: Store, visual: Visual) -> None:
        self._store = store
        self._visual = visual
        self._learned: dict[int, Learn] = {}
        self._took: dict[int, float] = {}  # seconds of each look, with learning it
        self._scenes: dict[int, Scene] = {}  # of looks without a document

    def draft(
        self,
        name: str,
        acts: Sequence[DoneAct],
        *,
        url: str | None = None,
        parameters: Mapping[str, str] | None = None,
        outputs: Mapping[str, str | int] | None = None,
    ) -> SkillDraft:
        """Return the draft of a demonstration, as `Skills.record` describes it."""
        listed = isinstance(acts, (list, tuple))
        if not listed or not all(isinstance(act, DoneAct) for act in acts):
            raise WrongTypeError(
                '"acts" takes acts of a demonstration', hint="those that a Demonstration saw"
            )
        if not acts:
            raise UsageError("nothing was done", hint="press and type in the browser")
        if no := next((act.declined for act in acts if act.declined), ""):
            raise UsageError(
                f'the page asked "{no:.200}", and nobody agreed: it was not done',
                hint='a script agrees by page.on("dialog", lambda dialog: dialog.accept())',
            )
        values = dict(parameters or {})
        shown = _loosely([self._shown(act, values) for act in _meant(acts)], values)
        steps, sources = [], []
        for number, one in enumerate(shown, 1):
            step, transition = self._step(number, one, shown, values)
            steps.append(step)
            sources += [("transition", transition)] if transition else []
        self._refuse_unbound(steps, shown, values)
        steps = _dialogs_inherit(_over_all(steps, shown, values))
        for output, component in (outputs or {}).items():
            steps.append(self._read(len(steps) + 1, steps[-1], output, component))
        return SkillDraft(
            name=name,
            steps=tuple(steps),
            url=None if url is None else without_keys(url),
            triggers=(name.replace("-", " "),),
            parameters=values,
            sources=tuple(sources),
            **self._cost(acts),
        )

    # -- one act ---------------------------------------------------------------------------

    def _shown(self, act: DoneAct, values: Mapping[str, str]) -> _Shown:
        scene = act.scene or self._still(act.before)
        then = act.then or self._still(act.after)
        node = act.node if act.scene is not None else _node_at(scene, act.x, act.y)
        node = _control_of(scene, node) if act.kind not in {"goto", "scroll"} else None
        place = onto = None
        empty = scene if node is None else _without_value(scene, node)
        if node is not None:
            place = self._kept(describe(empty, node, values))
        if act.onto is not None:
            over, at = act.onto
            # What a drag is let go over may hold what is dragged by then: that says nothing of it.
            own = place.own_names if place is not None else frozenset()
            rest = {name: value for name, value in values.items() if name not in own}
            onto = self._kept(describe(over, _container(over, at), rest))
            if node is not None and onto.names:
                rest = {name: value for name, value in values.items() if name not in onto.names}
                place = self._kept(describe(empty, node, rest))
        if place is not None and act.kind == "hover" and place.names and not place.own_names:
            place = replace(place, name="{~}")  # the row is meant, whatever it says there
        if place is not None and node is not None and act.kind in _TYPED:
            field = "value" in scene.nodes[node].state
            if act.kind == "key" and not field and len(scene.pieces(node)) > _FEW:
                place = None  # a list that has the focus: the key is for what is chosen in it
            elif scene.focus == node:
                place = replace(place, focused=not place.name)
        return _Shown(act, scene, node, then, place, onto)

    def _step(
        self, number: int, one: _Shown, shown: Sequence[_Shown], values: dict[str, str]
    ) -> tuple[SkillStep, int | None]:
        act = one.act
        before, after = self._learn(act.before), self._learn(act.after)
        component = None if act.kind in _TYPED else self._component_at(act, before)
        detail, target, rows = self._detail(act, values), None, []
        if one.place is not None:
            target = in_words(one.place.name) or None
            rows = [in_words(each.text) for each in one.place.anchors if each.how != "inside"]
        elif component is not None:
            target = Components(self._store).get(component).name
        step = SkillStep(
            number=number,
            action=act.kind,
            component_id=component,
            target=target,
            beside=rows[0] if rows else None,
            detail=detail,
            from_state=before.state.id if before.state else None,
            to_state=after.state.id if after.state else None,
            mean_ms=round(act.seconds * 1000, 1),
            place=one.place,
            onto=one.onto,
            effects=self._effects(one, shown[:number], detail, values),
            page=path_of(one.scene.url) if one.scene.url else "",
        )
        step = replace(step, irreversible=is_irreversible(step))
        return step, self._taught(step)

    def _effects(
        self, one: _Shown, until: Sequence[_Shown], detail: str | None, values: Mapping[str, str]
    ) -> Effects:
        """Return the changes of an act, without texts that look like a secret."""
        site = urlsplit(one.scene.url).netloc
        sent = tuple(
            dict.fromkeys(
                loosened(with_names(unquote(asked.words), values), None)
                for asked in one.act.requests
                if asked.changes and urlsplit(asked.url).netloc == site
            )
        )[:6]
        if one.act.kind == "type" and one.place is not None:
            effects = self._typed(one, detail, values)
        else:
            about = _about(until, values)
            effects = effects_between(one.scene, one.then, one.node, one.place, about, values)
        asked = loosened(with_names(one.act.asked, values), None) if one.act.asked else ""
        shown, told, marks, sent = (
            tuple(text for text in texts if not self._is_secret(text))
            for texts in (effects.shown, effects.told, effects.marks, sent)
        )
        return replace(effects, shown=shown, told=told, marks=marks, sent=sent, asked=asked)

    @staticmethod
    def _typed(act_shown: _Shown, detail: str | None, values: Mapping[str, str]) -> Effects:
        """Return a field's text after typing; nothing of a field for secrets."""
        if act_shown.place is None or act_shown.act.secret or not detail:
            return Effects()
        target_found = find(act_shown.then, act_shown.place, values)
        now = (
            ""
            if target_found.node is None
            else act_shown.then.nodes[target_found.node].state.get("value", "")
        )
        if ungrouped(now) == ungrouped(act_shown.act.text):
            return Effects(state={"value": detail})
        return Effects(state={"value": with_names(now, values)}) if now else Effects()

    def _kept(self, target: Target) -> Target:
        """Return a target without texts that look like a secret: they are not kept."""
        name = target.name
        if self._is_secret(name):
            name = loosened(name, None)
            name = "{~}" if self._is_secret(name) else name
        anchors = tuple(anchor for anchor in target.anchors if not self._is_secret(anchor.text))
        heads = tuple(head for head in target.heads if not self._is_secret(head))
        return replace(target, name=name, anchors=anchors, heads=heads)

    def _is_secret(self, text: str) -> bool:
        return bool(text) and door.find_rule(self._store, text) is not None

    def _refuse_unbound(
        self, steps: list[SkillStep], shown: Sequence[_Shown], values: Mapping[str, str],
    ) -> None:  # fmt: skip
        """Refuse a parameter that no step uses: a run would do the same whatever it is given."""
        held = {name for step in steps for name in step_names(step)}
        for name in values.keys() - held:
            if name == "password":
                continue
            rows = (row_text(act.scene, act.node) for act in shown if act.node is not None)
            here = next(filter(None, rows), "")
            where = f'; what was pressed stands with "{here}"' if here else ""
            raise UsageError(
                f'"{values[name]:.80}" ({name}) was neither typed, nor does it stand with what was pressed',
                hint=f"give the whole text of a cell, as the page has it{where}",
            )

    # -- looks -----------------------------------------------------------------------------

    def _still(self, look: Look) -> Scene:
        if id(look) not in self._scenes:
            self._scenes[id(look)] = scene_of_boxes(look.learnable() or [], look.size, look.url)
        return self._scenes[id(look)]

    def _cost(self, acts: Sequence[DoneAct]) -> dict[str, Any]:
        """Return the seconds with a look first and one after each act; acts may share theirs."""
        longest = {id(acts[0].before): 0.0}
        for act in acts:
            longest[id(act.after)] = max(act.seconds, longest.get(id(act.after), 0.0))
        seconds = sum(wait + self._took.get(look, 0.0) for look, wait in longest.items())
        return {"shown_looks": len(longest), "shown_seconds": round(seconds, 3)}

    def _learn(self, look: Look) -> Learn:
        if id(look) not in self._learned:
            began = time.monotonic()
            self._learned[id(look)] = self._visual.learn(
                look.png, look.learnable(), title=look.title or None
            )
            self._took[id(look)] = look.seconds + time.monotonic() - began
        return self._learned[id(look)]

    def _component_at(self, act: DoneAct, seen: Learn) -> int | None:
        """Return the smallest component at the place of an act; ``None`` where none is known."""
        if act.x is None or act.y is None:
            return None
        x, y = act.x * act.before.scale, act.y * act.before.scale
        standing: list[Sighting | Learned] = [*seen.sightings, *seen.learned]
        there = [
            (sighting.w * sighting.h, sighting.component_id)
            for sighting in standing
            if sighting.x <= x <= sighting.x + sighting.w
            and sighting.y <= y <= sighting.y + sighting.h
        ]
        return min(there)[1] if there else None

    @staticmethod
    def _detail(act: DoneAct, values: dict[str, str]) -> str | None:
        if act.secret:
            values.setdefault("password", "")
            return "{password}"
        if act.kind == "drag" and act.to and act.x is not None and act.y is not None:
            return f"{act.to[0] - act.x:g},{act.to[1] - act.y:g}"
        if act.kind == "scroll" and act.to:
            return f"{act.to[0]:g},{act.to[1]:g}"
        if act.kind == "goto":
            return with_names(unquote(act.text), values) or None
        exact = next((name for name, value in values.items() if value and value == act.text), None)
        return f"{{{exact}}}" if exact else with_names(act.text, values) or None

    def _read(self, number: int, last: SkillStep, output: str, component: str | int) -> SkillStep:
        one = Components(self._store).living(component)
        return SkillStep(
            number, "read", one.id, one.name, from_state=last.to_state, to_state=last.to_state,
            output=output,
        )  # fmt: skip

    def _taught(self, step: SkillStep) -> int | None:
        """Let the graph know the way; return its transition."""
        if step.from_state is None or step.to_state is None:
            return None
        graph = Transitions(self._store)
        on = step.component_id  # by its id: a name may look like a secret to the guard
        action = step.action if on is None else f"{step.action}:#{on}"
        made = graph.record(step.from_state, action, step.to_state, elapsed_ms=step.mean_ms)
        (kept,) = graph.commit([made.id] if made.id else None)
        return kept.id


# -- what acts mean together ------------------------------------------------------------------


def _meant(acts: Sequence[DoneAct]) -> list[DoneAct]:
    """Return the acts that a run has to do: what is sought is scrolled to by the run itself."""
    kept = [
        act
        for act, after in zip(acts, [*acts[1:], None], strict=True)
        if act.kind != "scroll" or after is None or after.scene is None
    ]
    return kept or list(acts)


def _over_all(
    steps: list[SkillStep], shown: Sequence[_Shown], values: Mapping[str, str]
) -> list[SkillStep]:
    """Give the last step what changed since the same page was first seen: a row went or came."""
    last = shown[-1]
    page = page_of(last.then.url) if last.then.url else None
    same = (text.scene for text in shown if text.scene.url and page_of(text.scene.url) == page)
    first = next(same, None)
    if first is None:
        return steps
    counts = [
        (text, count(first, text, values), count(last.then, text, values))
        for text in _about(shown, values)
    ]
    effects = steps[-1].effects
    # Also of what went right then: a popover that repeats a row's name takes one of the two along.
    # What an act of its own brought, as in a wizard, goes again whatever becomes of the deed.
    brought = {text for step in steps[:-1] for text in step.effects.came}
    went = {text for text, had, has in counts if had > has} | (set(effects.gone) - brought)
    gone = tuple(text for text, _, _ in counts if text in went)
    came = tuple(text for text, had, has in counts if has > had)
    steps[-1] = replace(steps[-1], effects=replace(effects, gone_since=gone, came_since=came))
    return steps


def _about(shown: Sequence[_Shown], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the texts that a skill is about: of its rows, and what was typed."""
    typed = [
        with_names(act.act.text, values) for act in shown
        if act.act.kind == "type" and not act.act.secret and len(act.act.text) > 1
    ]  # fmt: skip
    given = [f"{{{name}}}" for name, value in values.items() if value.strip()]
    return about_of([act.place for act in shown], [*typed, *given])


def _dialogs_inherit(steps: list[SkillStep]) -> list[SkillStep]:
    """Mark the button of a dialog that an act which cannot be undone has opened: it does the deed."""
    for at in range(1, len(steps)):
        opener, step = steps[at - 1], steps[at]
        in_dialog = step.place is not None and step.place.dialog
        if opener.irreversible and (in_dialog or opener.effects.path):
            pressed = step.action in {"click", "double click", "key"}
            steps[at] = replace(step, irreversible=step.irreversible or pressed)
    return steps


def _loosely(shown: Sequence[_Shown], values: Mapping[str, str]) -> list[_Shown]:
    """Return acts without the other texts of a row that a value chose before.

    Another value chooses another row: of "Bob Cole: Mooring line" only "Bob Cole" is known then.
    """
    beside: set[str] = set()
    result: list[_Shown] = []
    for act in shown:
        if result and result[-1].act.kind == "hover":
            act = _under_pointer(act, result[-1].place, values)  # noqa: PLW2901
        if act.place is not None and beside:
            anchors = tuple(_loose(anchor, beside) for anchor in act.place.anchors)
            act = act._replace(place=replace(act.place, anchors=anchors))  # noqa: PLW2901
        result.append(act)
        beside |= _beside(act, values)
    return result


def _under_pointer(act: _Shown, on: Target | None, values: Mapping[str, str]) -> _Shown:
    """Return an act with the value on whose row the pointer rested: a bar may float there for any row."""
    if act.node is None or act.place is None or on is None or act.place.names & on.names:
        return act
    more = band_anchors(act.scene, act.node, on.names, values)
    return act._replace(place=replace(act.place, anchors=(*act.place.anchors, *more)))


def _loose(anchor: Anchor, beside: Iterable[str]) -> Anchor:
    text = anchor.text
    if names_in_braces(text):
        for value in sorted(beside, key=len, reverse=True):
            text = with_names(text, {"~": value})
    return replace(anchor, text=text)


def _beside(act: _Shown, values: Mapping[str, str]) -> set[str]:
    """Return the other texts of the row that a value chose for an act, without those of controls."""
    if act.node is None or act.place is None or not act.place.names:
        return set()
    scene, row = act.scene, row_of(act.scene, act.node)
    return {
        text for at in (() if row is None else scene.pieces(row))
        if len(text := scene.texts[at].strip()) > 1 and with_names(text, values) == text
        and not any(scene.nodes[up].kind for up in scene.chain(at)[:3])
    }  # fmt: skip


def _control_of(scene: Scene, node: int | None) -> int | None:
    """Return the control that a node is in, else the node: its element, where it is a text."""
    if node is None or node < 0 or node >= len(scene.nodes):
        return None
    chain = scene.chain(node)
    for number, at in enumerate(chain):
        if not scene.nodes[at].kind:
            continue
        if scene.nodes[at].tag in {"button", "a", "label"}:
            return at
        cell = next(filter(scene.is_cell, chain[:number]), None)
        if cell is not None and in_every_row(scene, cell):
            return cell
        # What takes the focus and holds rows is their list: a row of it is meant.
        rows = [row for row in chain[:number] if scene.is_row(row) and scene.like_beside(row)]
        rows = [row for row in rows if len(scene.pieces(row)) > 1 or scene.nodes[row].tag == "tr"]
        return rows[-1] if rows else at
    return node if scene.nodes[node].tag else scene.nodes[node].parent


def _container(scene: Scene, node: int) -> int:
    """Return the drop target of a drag: the innermost element with a heading or text of its own."""
    for at in scene.chain(node):
        headed = any(scene.nodes[inner].level for inner in scene.inside(at))
        if scene.nodes[at].tag and scene.pieces(at) and (headed or not scene.is_row(at)):
            return at
    return node


def _without_value(scene: Scene, node: int) -> Scene:
    """Return a scene in which a field is empty: its content does not show which field it is."""
    field = scene.nodes[node]
    if "value" not in field.state:
        return scene
    nodes = list(scene.nodes)
    nodes[node] = replace(field, state={**field.state, "value": ""})
    return replace(scene, nodes=nodes)


def _node_at(scene: Scene, x: float | None, y: float | None) -> int | None:
    if x is None or y is None:
        return None
    there = [
        (node.box[2] * node.box[3], node.at) for node in scene.nodes
        if node.tag and node.at and node.box[0] <= x <= node.box[0] + node.box[2]
        and node.box[1] <= y <= node.box[1] + node.box[3]
    ]  # fmt: skip
    return min(there)[1] if there else None
