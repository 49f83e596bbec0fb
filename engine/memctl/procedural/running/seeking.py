"""Seeking: where the target of a step is now, in view or not, and that nothing else is it, too.

What is not in the document yet is waited for; what a list draws only where one looks, or loads while
one scrolls, is scrolled to; what the pointer has to be near to is pointed at.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.scenes.effects import count
from memctl.scenes.targets import FoundTarget, find, row_text, saying
from memctl.scenes.wording import in_words, names_in_braces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.drivers.page_scenes import HeldScene
    from memctl.procedural.running.run_page import RunPage
    from memctl.scenes.scene import Scene
    from memctl.scenes.targets import Target

_LEAST, _MOST, _BUSY = 2.0, 10.0, 20.0  # seconds that a target may take to come
_APART = 0.1
_SOON = 0.6  # seconds after which what is not there yet is sought further down
_STEPS, _SECONDS = 400, 120.0  # of one search by scrolling, at most
_DRAWN = 0.8  # the share of a list's height that is there where it draws all of it
_NEAR = 4  # pixels within which two places are one


@dataclass(frozen=True, slots=True)
class Sought:
    """Where a target is, or why nowhere.

    Parameters
    ----------
    found
        The node, in `held`.
    held
        The page as it was then.
    how
        By what it was found, where that was not just by looking.
    """

    found: FoundTarget
    held: HeldScene
    how: str = ""


def seek(
    page: RunPage, target: Target, values: Mapping[str, str], *, usual: float, whole: bool
) -> Sought:
    """Return where a target is now.

    Parameters
    ----------
    usual
        Seconds that its page usually takes.
    whole
        Whether a list that may go on is read to its end first: another row could be meant as well.
    """
    began, since = time.monotonic(), time.time() - 1.0
    until = began + min(_MOST, max(_LEAST, 3 * usual))
    searched = False
    while True:
        held = page.held()
        target_found = find(held.scene, target, values)
        if (
            target_found.node is not None
            and not target_found.hidden
            and not _is_off(held.scene, target_found.node)
        ):
            return _sure(page, target, values, Sought(target_found, held), whole=whole)
        if (near := _pointed(page, held, target, values, target_found)) is not None:
            return near
        late = time.monotonic() > until
        if (
            target_found.missing
            and not searched
            and time.monotonic() - began > _SOON
            and not held.scene.busy
        ):
            searched = True
            if (further := _scrolled(page, target, values)) is not None:
                return further
        if late and not (
            (held.scene.busy or page.waits(since)) and time.monotonic() - began < _BUSY
        ):
            if target_found.node is not None:
                why = (
                    "it is shown only after something else"
                    if target_found.hidden
                    else "it is disabled"
                )
                target_found = replace(
                    target_found, node=None, why=f"{target.words(values)}: {why}"
                )
            return Sought(target_found, page.held())
        page.pause(_APART)


def _is_off(scene: Scene, node: int) -> bool:
    return scene.nodes[node].state.get("disabled") == "true"


def _pointed(
    page: RunPage,
    held: HeldScene,
    target: Target,
    values: Mapping[str, str],
    target_found: FoundTarget,
) -> Sought | None:
    """Return the target of a row that shows it only while the pointer is on it."""
    if not (target_found.hidden or (target_found.missing and target.anchors)):
        return None
    text = (
        target_found.watched[0][0]
        if target_found.watched
        else _row_text_of(held.scene, target, values)
    )
    if text is None:
        return None
    aim = held.aim(text, moving=True)
    if aim.why:
        return None
    page.hands.hover(aim.x, aim.y)
    page.pause(0.15)
    held = page.held()
    again = find(held.scene, target, values)
    if again.node is None or again.hidden or _is_off(held.scene, again.node):
        return None
    return Sought(again, held, "shown while the pointer is on its row")


def _row_text_of(scene: Scene, target: Target, values: Mapping[str, str]) -> int | None:
    """Return the one text that an anchor with a parameter wants."""
    for anchor in target.anchors:
        if names_in_braces(anchor.text) and anchor.how in {"row", "band"}:
            there = saying(scene, anchor.text, values)
            return there[0] if len(there) == 1 else None
    return None


# -- lists that do not show all of themselves ---------------------------------------------------


def _sure(
    page: RunPage, target: Target, values: Mapping[str, str], sought: Sought, *, whole: bool
) -> Sought:
    """Return the result of a look at all of a list that draws or loads only a part."""
    scene, node = sought.held.scene, sought.found.node
    assert node is not None  # noqa: S101  (found)
    if scene.focus == node and target.focused:  # chosen by the act before; to scroll would end that
        return sought
    bound = any(names_in_braces(anchor.text) for anchor in target.anchors)
    lists = [at for at in scene.above(node) if scene.nodes[at].scroll]
    partial = next((at for at in lists if _is_partial(scene, at)), None)
    on_page = scene.scroll[1] > 1.3 * scene.scroll[2] if scene.scroll else False
    if bound and partial is None and whole and (lists or on_page):
        at = lists[0] if lists else None
        if _grows(page, sought.held, at):
            return _all_of(page, target, values, at) or Sought(
                FoundTarget(why="it is gone"), page.held()
            )
        held = page.held()
        again = find(held.scene, target, values)
        return replace(sought, held=held, found=again)
    if not bound or partial is None:
        return sought
    return _all_of(page, target, values, partial) or Sought(
        FoundTarget(why="it is gone"), page.held()
    )


def _is_partial(scene: Scene, at: int) -> bool:
    """Return whether a list has fewer rows than it is high: it draws those that are seen."""
    boxes = [scene.nodes[piece].box for piece in scene.pieces(at)]
    if not boxes:
        return False
    drawn = max(y + h for _, y, _, h in boxes) - min(y for _, y, _, _ in boxes)
    _, whole, shown = scene.nodes[at].scroll
    return whole > 1.5 * shown and drawn < _DRAWN * whole


def _grows(page: RunPage, held: HeldScene, at: int | None) -> bool:
    """Return whether a list gets longer when its end is reached; it is left as it was."""
    before = held.scene.nodes[at].scroll if at is not None else held.scene.scroll
    since = time.time()
    held.scroll(at, 10_000_000)
    page.pause(0.25)
    page.quiet(since, 0.15, 5.0)
    now = page.held()
    same = _same_list(now.scene, held.scene, at)
    after = now.scene.nodes[same].scroll if same is not None else now.scene.scroll
    now.scroll(same, before[0])
    return bool(after) and after[1] > before[1] + 8


def _same_list(scene: Scene, before: Scene, at: int | None) -> int | None:
    """Return the list of a later scene in the place of another."""
    if at is None:
        return None
    was = before.nodes[at]
    there = [
        node for node in scene.nodes if node.scroll and node.tag == was.tag
        and abs(node.box[0] - was.box[0]) <= _NEAR and abs(node.box[2] - was.box[2]) <= _NEAR
    ]  # fmt: skip
    return min(there, key=lambda one: abs(one.box[1] - was.box[1])).at if there else None


def _scrolled(page: RunPage, target: Target, values: Mapping[str, str]) -> Sought | None:
    """Return a target that is found by scrolling through the lists of a page, or the page itself."""
    for at in _lists_of(page):
        if (sought := _all_of(page, target, values, at, needed=False)) is not None:
            return sought
    return None


def _lists_of(page: RunPage) -> Iterator[int | None]:
    """Yield the lists of a page that go on, each as it is by then; ``None`` for the page itself."""
    origin = page.scene()
    for node in origin.nodes:
        if goes_on(node.scroll) and (at := _same_list(page.scene(), origin, node.at)) is not None:
            yield at
    if goes_on(origin.scroll):
        yield None


def _all_of(
    page: RunPage, target: Target, values: Mapping[str, str], at: int | None, *, needed: bool = True
) -> Sought | None:
    """Return the one target of a list that is read from its beginning to its end.

    Two that fit are told with their rows; so is a list that has no end.
    """
    origin = page.scene()
    # By its place in the list: how far from its middle a row was seen, scrolled to where, its text.
    rows: dict[int, tuple[float, int, str]] = {}
    several = ""
    for held, scroll in _read_through(page, at):
        if not scroll:
            several = "the list goes on: it was not read to its end"
            break
        target_found = find(held.scene, target, values)
        if target_found.node is not None:
            at_all = held.scene.nodes[target_found.node].box[1] + scroll[0]
            place = next((row for row in rows if abs(at_all - row) <= _NEAR), at_all)
            seen = (
                _off_middle(held.scene, target_found.node),
                scroll[0],
                row_text(held.scene, target_found.node),
            )
            rows[place] = min(rows.get(place, seen), seen)
        elif not target_found.missing:
            several = target_found.why
    held = page.held()
    if several or len(rows) > 1:
        texts = "; ".join(f'"{text}"' for _, _, text in list(rows.values())[:4])
        said = in_words(target.anchors[0].text, values) if target.anchors else target.words(values)
        return Sought(FoundTarget(why=several or f'{len(rows)} rows say "{said}": {texts}'), held)
    if not rows:
        return None if not needed else Sought(find(held.scene, target, values), held)
    ((_, back, _),) = rows.values()
    held.scroll(_same_list(held.scene, origin, at), back)
    page.pause(0.15)
    held = page.held()
    return Sought(find(held.scene, target, values), held, "found by scrolling")


def _off_middle(scene: Scene, node: int) -> float:
    """Return how far a node is from the middle of the list, or of the page, that scrolls it."""
    around = next((scene.nodes[at] for at in scene.above(node) if scene.nodes[at].scroll), None)
    middle = scene.size[1] / 2 if around is None else around.middle[1]
    return abs(scene.nodes[node].middle[1] - middle)


def _read_through(page: RunPage, at: int | None) -> Iterator[tuple[HeldScene, Sequence[int]]]:
    """Yield the page at each place of a list, from its beginning to its end; then how far it is.

    One that does not end ends with an empty place.
    """
    held = page.held()
    origin, began, top = held.scene, time.monotonic(), 0
    for _ in range(_STEPS):
        held.scroll(_same_list(held.scene, origin, at), top)
        held, scroll = _drawn(page, origin, at, 0.06)
        if not scroll:
            return
        yield held, scroll
        if scroll[0] + scroll[2] >= scroll[1] - 2:
            longer = _drawn(page, origin, at, 0.3)[1]
            if not longer or longer[1] <= scroll[1] + 8:
                return
            scroll = longer
        top = scroll[0] + max(40, round(0.8 * scroll[2]))
        if time.monotonic() - began > _SECONDS:
            break
    yield page.held(), ()


def _drawn(
    page: RunPage, origin: Scene, at: int | None, seconds: float
) -> tuple[HeldScene, Sequence[int]]:
    """Return the page once a list has drawn or loaded what is seen of it, and how far it is."""
    since = time.time()
    page.pause(seconds)
    page.quiet(since, 0.05, 5.0)
    held = page.held()
    now = _same_list(held.scene, origin, at)
    return held, held.scene.nodes[now].scroll if now is not None else held.scene.scroll


def stands_further(page: RunPage, template: str, values: Mapping[str, str]) -> bool:
    """Return whether a text is in a part of the page's lists that is not drawn or loaded now."""
    return any(
        count(held.scene, template, values)
        for at in _lists_of(page)
        for held, _ in _read_through(page, at)
    )


def goes_on(scroll: Sequence[int]) -> bool:
    """Return whether there is more of a list, or of the page, than is seen."""
    return len(scroll) == 3 and scroll[1] > 1.2 * scroll[2]  # noqa: PLR2004
