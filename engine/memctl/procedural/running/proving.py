"""Proof of an act: the changes that were seen when it was shown are awaited, and seen again.

Confirmed is an act whose every effect is there and was not before it, whose requests were answered well,
and against which nothing speaks. Refuted is one that the app answered with an error, or that changed
nothing. All else is uncertain.
"""

from __future__ import annotations

import shlex
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.procedural.running.seeking import goes_on, stands_further
from memctl.scenes.effects import (
    LASTING,
    count,
    marked,
    page_of,
    path_of,
    row_marks,
    seen,
    stands_under,
    state_of,
)
from memctl.scenes.scene import folded
from memctl.scenes.targets import find, row_of, saying
from memctl.scenes.wording import filled, in_words, is_changing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memctl.procedural.running.acting import Acted
    from memctl.procedural.running.run_page import RunPage
    from memctl.procedural.skill_records import SkillStep
    from memctl.scenes.effects import Seen
    from memctl.scenes.scene import Scene


_MOST, _LONGEST = 10.0, 30.0  # seconds that a page at rest has, and one at work
_APART = 0.06  # seconds between two looks
_STABLE = 0.4  # seconds for which an alert has to stand
_ANEW = 4.0  # seconds for a page that was loaded anew to show what it should
_BRIEF = 0.2  # seconds after which an act that need not show anything is over
_NOT_THERE = " is not there"
_SMALL = frozenset(["hover", "scroll", "key", "type"])  # acts that may change nothing to be seen


@dataclass(frozen=True, slots=True)
class ActProof:
    """How an act ended.

    Parameters
    ----------
    outcome
        ``confirmed``, ``refuted`` or ``uncertain``.
    why
        Why it is not confirmed.
    """

    outcome: str
    why: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether it was done."""
        return self.outcome == "confirmed"


def awaited(
    page: RunPage,
    step: SkillStep,
    acted: Acted,
    values: Mapping[str, str],
    since: float,
    *,
    last: bool,
) -> ActProof:
    """Wait for the change that an act made when it was shown, and return whether it came again.

    Parameters
    ----------
    since
        When the act began, in seconds of the system's clock.
    last
        Whether no step follows, which would show by itself whether this one worked.
    """
    began, against_since = time.monotonic(), 0.0
    moved = False
    while True:
        now = page.scene()
        moved = moved or _differs(acted.before, now)
        look = seen(
            step.effects, acted.before, now, acted.node, step.place, values,
            page.first.get(page_of(now.url)),
        )  # fmt: skip
        waits, passed = page.waits(since), time.monotonic() - began
        against_since = (against_since or time.monotonic()) if look.against and not waits else 0.0
        stands = bool(against_since) and time.monotonic() - against_since > _STABLE
        if refusal := _refusal(page, since, look, stands=stands):
            return refusal
        small = _is_small(step, acted)
        if not waits and not look.against and _is_there(step, look, now, passed, small=small):
            needs = (last or step.irreversible) and not small
            return _kept(page, step, acted, values) if look.there else _unproven(needs=needs)
        works = waits or now.busy or page.just_answered(since)
        if passed > (_LONGEST if works else _MOST):
            return _in_vain(step, acted, now, look.lacking, moved=moved, waits=waits)
        page.pause(_APART)


def _refusal(page: RunPage, since: float, look: Seen, *, stands: bool) -> ActProof | None:
    """Return the app's message against an act; ``None`` without one, or where it may go again."""
    if bad := _bad(page, since):
        return ActProof("refuted", bad)
    if unwanted := page.asked(since):
        return ActProof("uncertain", f'it asks "{unwanted[0][:120]}", which nobody agreed to')
    if stands:
        return ActProof("uncertain" if look.there else "refuted", "; ".join(look.against))
    return None


def _is_small(step: SkillStep, acted: Acted) -> bool:
    """Return whether an act may change nothing to be seen: it scrolls, or readies a field."""
    field = acted.node is not None and acted.before.nodes[acted.node].kind == "input"
    return step.action in _SMALL or (step.action == "click" and field)


def _is_there(step: SkillStep, look: Seen, now: Scene, passed: float, *, small: bool) -> bool:
    """Return whether all that has to be seen is there; of small acts nothing has to."""
    small = small and not step.effects.certain
    if not step.effects.any or (small and not look.there):
        return passed > _BRIEF
    return look.there and (step.effects.certain or small or not now.busy)


def _unproven(*, needs: bool) -> ActProof:
    """Return how an act ends of which nothing is known that would show whether it worked."""
    if not needs:
        return ActProof("confirmed")
    return ActProof("uncertain", "nothing is known that would show whether it worked")


def _kept(page: RunPage, step: SkillStep, acted: Acted, values: Mapping[str, str]) -> ActProof:
    """Look again at what cannot be undone: a change that is taken back is none."""
    if not step.irreversible or not step.effects.certain:
        return ActProof("confirmed")
    page.pause(0.25)
    now = page.scene()
    first = page.first.get(page_of(now.url))
    look = seen(step.effects, acted.before, now, acted.node, step.place, values, first)
    if look.there and not look.against:
        return ActProof("confirmed")
    return ActProof("refuted", "; ".join((*look.against, *look.lacking)) + ": it was taken back")


def _bad(page: RunPage, since: float) -> str:
    """Return the first answer that is an error, to a request that the act caused."""
    for request in page.sent(since):
        if (
            (request.changes or request.kind == "Document")
            and request.bad
            and request.failed != "given up"
        ):
            return request.bad
    return ""


def _differs(before: Scene, now: Scene) -> bool:
    return (
        path_of(before.url) != path_of(now.url)
        or before.folded_texts.keys() != now.folded_texts.keys()
    )


def _in_vain(
    step: SkillStep, acted: Acted, now: Scene, lacking: tuple[str, ...], *,
    moved: bool, waits: bool,
) -> ActProof:  # fmt: skip
    why = "; ".join(lacking)
    if waits:
        return ActProof("uncertain", f"an answer is not there yet; {why}")
    if not now.texts.get(0) or len(now.nodes) < 3:  # noqa: PLR2004
        return ActProof("uncertain", "the page is blank")
    opened = len(now.dialogs) - len(acted.before.dialogs)
    if opened > max(0, step.effects.dialogs):
        asks = now.texts[now.dialogs[-1]][:120]
        return ActProof(
            "uncertain", f'a dialog came that was not there when it was shown: "{asks}"'
        )
    if not moved and now.focus in {acted.before.focus, acted.node}:  # what is pressed takes it
        return ActProof("refuted", f"nothing changed; {why}")
    return ActProof("refuted" if not step.effects.any else "uncertain", why)


# -- loaded anew --------------------------------------------------------------------------------


def loaded_anew(
    page: RunPage, step: SkillStep, acted: Acted, values: Mapping[str, str],
    again: Callable[[], None],
) -> ActProof:  # fmt: skip
    """Load the page anew and look whether what the act changed is still changed.

    Parameters
    ----------
    again
        Does once more what led to the act's view and changed nothing: a tab, a search, a folder.
    """
    if not step.effects.lasting:
        return ActProof("confirmed")
    since, shown = time.time(), page.scene()
    page.reload(page.url if not page.came_by_post() else acted.before.url)
    until = time.monotonic() + _ANEW
    while time.monotonic() < until:
        now = page.scene()
        quiet = not now.busy and not page.waits(since) and len(now.nodes) > 3  # noqa: PLR2004
        if quiet and not _lacking(page, step, acted, now, values):
            break
        page.pause(_APART * 2)
    page.quiet(since, 0.2, 3.0)
    if other := _other_view(page, step, acted, shown, values):
        again()
        page.quiet(since, 0.2, 3.0)
        other = _other_view(page, step, acted, shown, values)
    lacking = _lacking(page, step, acted, page.scene(), values)
    if any("still there" in text for text in lacking):
        return ActProof("refuted", f"after the page was loaded anew {'; '.join(lacking)}")
    unseen = [text for text in lacking if not text.endswith(_NOT_THERE)]
    if unseen or (lacking and (far := _further(page, step, values))):
        said = "; ".join(unseen) or far
        return ActProof("uncertain", f"after the page was loaded anew {said}")
    if gone := _still_somewhere(page, step, acted, values):
        return ActProof("refuted", f"after the page was loaded anew {gone}")
    if other:
        return ActProof("uncertain", f"after the page was loaded anew {other}")
    return ActProof("confirmed")


def _other_view(
    page: RunPage, step: SkillStep, acted: Acted, shown: Scene, values: Mapping[str, str]
) -> str:
    """Return why a page does not show what it would have to, if something of it were still there."""
    now = page.scene()
    fields = {one.name: one.state["value"] for one in now.nodes if "value" in one.state}
    for one in shown.nodes:
        if one.state.get("value") and not fields.get(one.name, one.state["value"]):
            return f'"{one.name or "a field"}" is empty, by which the list was filtered'
    if any(goes_on(node.scroll) for node in now.nodes) or goes_on(now.scroll):
        return ""  # it is read to its end
    for template, base in _going(page, step, acted):
        rows = {row_of(base, at) for at in saying(base, template, values)} - {None}
        beside = {text for row in rows for at in base.like_beside(row or 0)
                  if (text := _first_text(base, at)) and shown.folded_texts.get(folded(text))}  # fmt: skip
        if beside and not any(now.folded_texts.get(folded(text)) for text in beside):
            return "the list is not shown"
    return ""


def _first_text(scene: Scene, row: int) -> str:
    texts = (scene.texts[at] for at in scene.pieces(row))
    return next((text for text in texts if len(text) > 1 and not is_changing(text)), "")


def _going(page: RunPage, step: SkillStep, acted: Acted) -> list[tuple[str, Scene]]:
    """Return the texts that should be gone, each with the look against which."""
    first = page.first.get(page_of(acted.before.url), acted.before)
    here = [(text, acted.before) for text in step.effects.gone]
    return here + [(text, first) for text in step.effects.gone_since]


def _lacking(
    page: RunPage, step: SkillStep, acted: Acted, now: Scene, values: Mapping[str, str]
) -> tuple[str, ...]:
    """Return which lasting effects a page that was loaded anew does not show."""
    effects, lacking = step.effects, []
    for template, base in _going(page, step, acted):
        had = count(base, template, values)
        if had and count(now, template, values) >= had:
            lacking.append(f'"{in_words(template, values)}" is still there')
    lacking += [
        f'"{in_words(template, values)}"{_NOT_THERE}'
        for template in _not_come(page, step, now, values)
    ]
    lacking += [
        f'"{in_words(template, values)}" is not under "{in_words(under, values)}"'
        for template, under in effects.moved
        if not stands_under(now, template, under, values)
    ]
    if step.place is not None:
        lacking += _state_lacking(now, step, values)
        if effects.row_says and acted.node is not None and not lacking:
            at = find(now, step.place, values).node
            said = [] if at is None else row_marks(acted.before, acted.node, now, at)
            if not marked(effects.row_says, said, values):
                lacking.append("its row does not say what it said then")
    return tuple(lacking)


def _state_lacking(now: Scene, step: SkillStep, values: Mapping[str, str]) -> list[str]:
    wanted = {key: value for key, value in step.effects.state.items() if key in LASTING}
    if not wanted or step.place is None:
        return []
    target_found = find(now, step.place, values)
    if target_found.node is None:
        return [f"its state cannot be read: {target_found.why}"]
    result = {
        key: (state_of(now, target_found.node, key), filled(value, values) or "")
        for key, value in wanted.items()
    }
    return [
        f"it is {is_now or 'not'} and not {aim}"
        for is_now, aim in result.values()
        if folded(is_now) != folded(aim)
    ]


def _further(page: RunPage, step: SkillStep, values: Mapping[str, str]) -> str:
    """Return which text that should have come is not found by scrolling either; empty for none."""
    now = page.scene()
    for template in _not_come(page, step, now, values):
        if count(now, template, values) or not stands_further(page, template, values):
            return f'"{in_words(template, values)}"{_NOT_THERE}'
    return ""


def _not_come(
    page: RunPage, step: SkillStep, now: Scene, values: Mapping[str, str]
) -> Iterator[str]:
    """Yield the texts that should have come and are no more frequent than at the first look."""
    first = page.first.get(page_of(now.url))
    for template in dict.fromkeys((*step.effects.came, *step.effects.came_since)):
        had = 0 if first is None else count(first, template, values)
        if count(now, template, values) <= had:
            yield template


def _still_somewhere(
    page: RunPage, step: SkillStep, acted: Acted, values: Mapping[str, str]
) -> str:
    """Return the texts further down in a list that should be gone; empty for none."""
    for template, base in _going(page, step, acted):
        if count(base, template, values) == 1 and stands_further(page, template, values):
            return f'"{in_words(template, values)}" is still there'
    return ""


# -- Steps that a command of the host does -------------------------------------------------


_SECONDS = 120.0
_SAID = 300  # characters of what it prints


def called(command: str, tool: str, given: str) -> tuple[ActProof, str]:
    """Start a command with a tool's name and its input as JSON on standard input.

    Returns
    -------
    tuple
        How it went: confirmed where it ended with 0, uncertain where it was killed or took too long,
        halted where it cannot be started, else refuted; and what it printed, or else the last line of
        its errors.
    """
    try:
        done = subprocess.run(  # noqa: S603  (given by who runs the skill)
            [*shlex.split(command), tool],
            input=given.encode(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ActProof("uncertain", f'"{tool}" took more than {_SECONDS:.0f} seconds'), ""
    except (OSError, ValueError) as error:
        return ActProof("halted", f'"{command:.80}" cannot be started: {error}'), ""
    if done.returncode == 0:
        return ActProof("confirmed"), _text(done.stdout)
    said = _text(done.stderr.strip().rpartition(b"\n")[2])
    if done.returncode < 0:
        return ActProof("uncertain", f'"{tool}" was killed by signal {-done.returncode}'), said
    return ActProof("refuted", f'"{tool}" ended with {done.returncode}'), said


def _text(said: bytes) -> str:
    return said.decode("utf-8", "replace").strip()[:_SAID]
