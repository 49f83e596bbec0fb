"""Effects: what an act changed when it was shown, and whether the same change is there again.

Only a change proves anything: what was absent in the look right before the act, and is there after it.
What stood there before, what spins or blinks, and what an app says of itself in a toast prove nothing
where more was seen. An alert, a field marked invalid, and words of failure that nobody saw when it was
shown speak against it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, unquote_plus, urlsplit

from memctl.scenes.scene import alike, folded
from memctl.scenes.targets import drawn_in, find, label_of, row_of, saying
from memctl.scenes.wording import (
    filled,
    in_words,
    is_changing,
    loosened,
    names_in_braces,
    says,
    ungrouped,
    with_names,
    without_keys,
)  # fmt: skip
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.scenes.scene import Scene
    from memctl.scenes.targets import Target

_STATES = ("checked", "pressed", "expanded", "selected", "current", "value")
LASTING = frozenset(["checked", "pressed", "value", "drawn"])
"""Parts of a state that a page still has when it is loaded anew."""
_PIECES = 2  # texts in a control: with more of them it is a row, and its label no label
_SHOWN, _LONGEST = 8, 100  # texts that came, at most, and their characters
_FAILURE = re.compile(
    r"\b(?:errors?|fail(?:ed|ure|s)?|could not|couldn.t|cannot|can.t|unable|denied|invalid|forbidden"
    r"|not (?:allowed|possible|permitted|saved|found|deleted)|conflict|already (?:exists?|taken|in use)"
    r"|went wrong|try again|rejected|refused|must (?:be|not|have)|is required|protected|in use"
    r"|fehler|fehlgeschlagen|nicht (?:m\u00f6glich|erlaubt|gespeichert|gel\u00f6scht)|ung\u00fcltig|gesperrt|abgelehnt|bereits vergeben"
    r"|erreur|\u00e9chec|impossible|refus\u00e9e?|interdit|fallo|fall\u00f3|no se pudo|no permitido|errore|non riuscit[oa]"
    r")\b|\u5931\u8d25|\u932f\u8aa4|\u9519\u8bef|\u65e0\u6cd5|\u4e0d\u80fd|\u5df2\u5b58\u5728|\u62d2\u7edd|\u30a8\u30e9\u30fc|\u5931\u6557|\u062e\u0637\u0623",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Effects(Result):
    """What an act changed when it was shown; texts are templates.

    Parameters
    ----------
    gone, came
        Texts of the row that it was about, or of what was typed, that stood there less or more often
        after it than right before it.
    gone_since, came_since
        The same, against the first look at the same page in this run.
    moved
        Texts, each with what it stood under afterwards.
    state
        The state of its target afterwards, where it changed.
    dialogs
        By how many more dialogs or menus were open after it; negative where they closed.
    path
        Where it led to; empty where the page stayed.
    shown, told
        Other texts that came, on the page, and in alerts and toasts.
    marks
        Classes that its target got (+) or lost (-), or its row did.
    focused
        Whether a field got the focus.
    left
        Whether its target was no more.
    asked
        The question of the browser's own dialog that it raised, which was agreed to.
    sent
        Its requests that change something: ``DELETE /orders/{#}``.
    """

    gone: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    gone_since: tuple[str, ...] = ()
    came_since: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    state: Mapping[str, str] = field(default_factory=dict)
    dialogs: int = 0
    path: str = ""
    shown: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    focused: bool = False
    left: bool = False
    asked: str = ""
    sent: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Effects:
        """Make effects of their plain form."""
        lists: dict[str, Any] = {
            key: tuple(tuple(item) if isinstance(item, list) else item for item in value)
            if isinstance(value, list)
            else value
            for key, value in given.items()
        }
        return cls(**lists)

    def plain(self) -> dict[str, Any]:
        """Return them as plain data, without what is empty."""
        return {key: value for key, value in asdict(self).items() if value}

    @property
    def certain(self) -> bool:
        """Whether there is a change of its own to look for, more than texts that come and go."""
        return bool(
            self.gone or self.came or self.gone_since or self.came_since or self.moved
            or self.state or self.dialogs or self.path
        )  # fmt: skip

    @property
    def lasting(self) -> bool:
        """Whether some of it is still to be seen when the page is loaded anew."""
        return bool(
            self.gone or self.came or self.gone_since or self.came_since or self.moved
            or LASTING & self.state.keys() or self.row_says
        )  # fmt: skip

    @property
    def row_says(self) -> tuple[str, ...]:
        """Those of its marks that its row has afterwards."""
        return tuple(mark for mark in self.marks if mark.startswith(ROW_SAYS))

    @property
    def any(self) -> bool:
        """Whether anything is known that could prove it."""
        return self.certain or bool(
            self.shown or self.told or self.marks or self.focused or self.left
        )

    def words(self, values: Mapping[str, str] | None = None) -> str:
        """Say what is expected: ``"Bob Cole" goes; a dialog closes``."""
        said = [f'"{in_words(text, values)}" goes' for text in _once(self.gone, self.gone_since)]
        said += [f'"{in_words(text, values)}" comes' for text in _once(self.came, self.came_since)]
        said += [f'"{in_words(a, values)}" moves to "{in_words(b, values)}"' for a, b in self.moved]
        said += [
            f"it is {state_words(key, in_words(value, values))}"
            for key, value in self.state.items()
        ]
        if self.dialogs:
            said.append("a dialog or menu " + ("opens" if self.dialogs > 0 else "closes"))
        if self.path:
            said.append(f"the page {in_words(self.path, values)} opens")
        if not said:
            said = [
                f'"{in_words(text, values)}" comes' for text in (*self.shown[:2], *self.told[:1])
            ]
        small = ((self.left, "it is gone"), (self.marks, "it looks otherwise"),
                 (self.focused, "the field is ready"))  # fmt: skip
        said = said or [words for there, words in small if there]
        return "; ".join(said[:4])


class Seen(NamedTuple):
    """How much of the effects is there.

    Parameters
    ----------
    there
        Whether all that has to be there is.
    lacking
        What is not, in words.
    against
        What speaks against it, in words: an alert, a field marked invalid, words of failure.
    """

    there: bool
    lacking: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


def _once(*lists: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for some in lists for text in some))


def state_words(key: str, value: str) -> str:
    """Return a part of a state in words: ``not checked``."""
    if key == "drawn":
        return "as it looked afterwards"
    if key == "value":
        return f'set to "{value}"'
    return key if value == "true" else f"not {key}" if value == "false" else f"{key} {value}"


# -- told ----------------------------------------------------------------------------------


def path_of(url: str) -> str:
    """Return the path of a URL with what follows it, but no key; of a fragment only a route."""
    parts = urlsplit(without_keys(url))
    route = f"#{parts.fragment}" if parts.fragment[:1] in {"/", "!"} else ""
    query = f"?{unquote_plus(parts.query)}" if parts.query else ""
    return unquote(parts.path or "/") + query + unquote(route)


def page_of(url: str) -> str:
    """Return the path of a URL without what is asked of it: one page of an app, however filtered."""
    path = path_of(url)
    whole, sign, route = path.partition("#")
    return whole.partition("?")[0] + sign + route.partition("?")[0]


def count(scene: Scene, template: str, values: Mapping[str, str]) -> int:
    """Return how often a text is on the page itself: not in a field, a dialog or a toast."""
    return sum(
        not scene.nodes[at].state.get("value") and not _in_field(scene, at)
        for at in saying(scene, template, values)
        if scene.flagged(at, "d") is None
    )


def _in_field(scene: Scene, at: int) -> bool:
    return any("value" in scene.nodes[holder].state for holder in scene.chain(at)[:3])


def context_of(scene: Scene, template: str, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the headings above a text, the nearest first.

    That is the first text of each element around its row that is not in the row's like.
    """
    for at in saying(scene, template, values):
        if scene.flagged(at, "d") is not None or _in_field(scene, at):
            continue
        row = at if scene.is_row(at) else _row_below_heading(scene, at)
        heads: list[str] = []
        for around in list(scene.above(row))[:6]:
            first = next(
                (piece for piece in scene.pieces(around) if not _in_like(scene, piece, row)), None
            )
            text = scene.texts[first] if first is not None and first < row else ""
            if text and text not in heads and len(text) <= _LONGEST and not is_changing(text):
                heads.append(text)
        return tuple(heads)
    return ()


def _row_below_heading(scene: Scene, at: int) -> int:
    """Return the row of a node; of the only card of a column that card, and not the column."""
    row, best = row_of(scene, at), at
    for holder in scene.chain(at) if row is not None else ():
        if any(scene.nodes[head].level and head < at and not scene.holds(head, at)
               for head in scene.inside(holder)):  # fmt: skip
            break
        best = holder
        if holder == row:
            break
    return best


def _in_like(scene: Scene, at: int, row: int) -> bool:
    """Return whether a node is in a row, or in one that is built as that is."""
    return any(
        holder == row or alike(scene.nodes[holder], scene.nodes[row]) for holder in scene.chain(at)
    )


def _new(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    return {text: written for text, written in now.items() if text not in before}


def _invalid(scene: Scene) -> int:
    return sum(node.state.get("invalid") == "true" for node in scene.nodes)


# -- recorded --------------------------------------------------------------------------------


def effects_between(
    before: Scene,
    after: Scene,
    at: int | None,
    target: Target | None,
    about: Sequence[str],
    values: Mapping[str, str],
) -> Effects:
    """Return the changes between the look right before an act and the settled one after it.

    Parameters
    ----------
    at, target
        The node that it was done to, and how that is known; ``None`` for none.
    about
        Templates of the texts that the skill is about: of its rows, and of what was typed.
    values
        The parameters' values as they were shown.
    """
    stayed = page_of(before.url) == page_of(after.url)
    same = path_of(before.url) == path_of(after.url)
    counts = [(one, count(before, one, values), count(after, one, values)) for one in about]
    moved = []
    if stayed:
        for one, had, has in counts:
            if had == has == 1:
                was, now = (context_of(scene, one, values) for scene in (before, after))
                if now and was and folded(now[0]) != folded(was[0]):
                    moved.append((one, with_names(now[0], values)))
    state: dict[str, str] = {}
    marks: tuple[str, ...] = ()
    left = False
    if target is not None and at is not None:
        target_found = find(after, target, values)
        if target_found.node is not None:
            state = _changed(before.nodes[at].state, after.nodes[target_found.node].state, values)
            icon, later = drawn_in(before, at), drawn_in(after, target_found.node)
            state |= {"drawn": later} if later and icon and later != icon else {}
            marks = tuple(
                loosened(with_names(mark, values), None) if mark.startswith(ROW_SAYS) else mark
                for mark in _marks(before, at, after, target_found.node)
            )
        left = target_found.missing and same
    known = {folded(filled(one, values) or "") for one in about}
    fresh = {text: one for text, one in _new(before.said, after.said).items() if text not in known}
    focus = after.focus
    return Effects(
        gone=tuple(one for one, had, has in counts if had > has and stayed),
        came=tuple(one for one, had, has in counts if has > had),
        moved=tuple(moved),
        state=state,
        dialogs=len(_open(after)) - len(_open(before)) if same else 0,
        path="" if same else _address(path_of(after.url), values),
        shown=_told(after, fresh, values),
        told=tuple(
            loosened(with_names(text[:300], values), None)
            for text in _new(_passing(before), _passing(after)).values()
        )[:3],
        marks=marks,
        focused=focus is not None and focus != before.focus and "value" in after.nodes[focus].state,
        left=left,
    )


_WORD = re.compile(r"[a-z][a-z_.-]*|[A-Z][a-z]+")


def _address(path: str, values: Mapping[str, str]) -> str:
    """Return the template of a path: what is no plain word in it is an id, and another one later."""
    whole, sign, query = with_names(path, values).partition("?")
    parts = [
        part if not part or "{" in part or _WORD.fullmatch(part) else "{*}"
        for part in whole.split("/")
    ]
    return "/".join(parts) + sign + loosened(query, None)


def _open(scene: Scene) -> list[int]:
    """Return the dialogs and menus that are open, one of nested ones."""
    result: list[int] = []
    for at in scene.dialogs:
        if not any(scene.holds(outer, at) for outer in result):
            result.append(at)
    return result


def _changed(
    before: Mapping[str, str], after: Mapping[str, str], values: Mapping[str, str]
) -> dict[str, str]:
    return {
        key: with_names(after[key], values)
        for key in _STATES
        if key in after and after[key] != before.get(key, "" if key == "value" else "false")
    }


def _marks(before: Scene, at: int, after: Scene, then: int) -> tuple[str, ...]:
    """Return the classes that a node or its row got and lost; those of the pointer are none."""
    marks: list[str] = []
    pairs = (("", at, then), ("row ", row_of(before, at), row_of(after, then)))
    for whose, earlier, other in pairs:
        if earlier is None or other is None:
            continue
        was, now = before.nodes[earlier].classes, after.nodes[other].classes
        marks += [f"{whose}+{name}" for name in sorted(now - was) if not _POINTED.search(name)]
        marks += [f"{whose}-{name}" for name in sorted(was - now) if not _POINTED.search(name)]
    return tuple([*row_marks(before, at, after, then), *marks][:6])


ROW_SAYS = "row says "


def row_marks(before: Scene, at: int, after: Scene, then: int) -> list[str]:
    """Return the new texts in the row of a node: a status, or any number for a quantity."""
    rows = row_of(before, at), row_of(after, then)
    if None in rows:
        return []
    was, now = (
        [scene.texts[piece] for piece in scene.pieces(row or 0) if piece not in scene.passing]
        for scene, row in zip((before, after), rows, strict=True)
    )
    fresh = [piece for piece in now if piece not in was]
    result = [
        text for text in dict.fromkeys(fresh) if text.strip().isdecimal() or not is_changing(text)
    ]
    return [ROW_SAYS + piece for piece in result][:3]


def marked(templates: Iterable[str], marks: Iterable[str], values: Mapping[str, str]) -> bool:
    """Return whether one of some marks is what one of some templates asks for."""
    said = set(marks)
    return bool(said.intersection(templates)) or any(
        says(mark, template, values)
        for template in templates for mark in said
        if template.startswith(ROW_SAYS) and mark.startswith(ROW_SAYS)
    )  # fmt: skip


_POINTED = re.compile(r"hover|focus|active$|press|ripple|touch|enter|leave|animat", re.IGNORECASE)


def _passing(scene: Scene) -> dict[str, str]:
    return {**scene.alerts, **scene.toasts}


def _told(after: Scene, fresh: Mapping[str, str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the texts that came, headings and labels of controls first, as templates."""
    heads = {folded(after.texts[one.at]) for one in after.nodes if one.level}
    labels = {folded(label_of(after, one)) for one in after.nodes if one.kind}
    rows = {
        folded(node.name)
        for node in after.nodes
        if node.kind and len(after.pieces(node.at)) > _PIECES
    }
    plain = [
        text
        for text in fresh
        if text not in rows and len(text) <= _LONGEST and not is_changing(text)
    ]
    plain.sort(key=lambda text: (text not in heads, text not in labels, -min(len(text), 30)))
    return tuple(
        dict.fromkeys(loosened(with_names(fresh[one], values), None) for one in plain[:_SHOWN])
    )


# -- looked for ------------------------------------------------------------------------------


def seen(
    effects: Effects,
    before: Scene,
    now: Scene,
    at: int | None,
    target: Target | None,
    values: Mapping[str, str],
    first: Scene | None = None,
) -> Seen:
    """Return how much of an act's effects is there now, and was not right before it.

    Parameters
    ----------
    first
        The first look at the page that is shown now, in this run.
    """
    changes = [
        *_counted(effects, before, now, values, first),
        *_moved(effects, before, now, values),
    ]
    more = (_state(effects, before, now, at, target, values), _dialogs(effects, before, now),
            _path(effects, before, now, values))  # fmt: skip
    changes += [change for change in more if change is not None]
    lacking = tuple(dict.fromkeys(filter(None, changes)))
    against = _against(effects, before, now, values)
    if effects.certain and changes:
        return Seen(not lacking, lacking, against)
    fits = _hints(effects, before, now, at, target, values)
    return Seen(fits, () if fits else ("nothing changed that was seen when it was shown",), against)


def _counted(
    effects: Effects, before: Scene, now: Scene, values: Mapping[str, str], first: Scene | None
) -> list[str]:
    """Return the missing change of each text that has to go or come; empty for one that did."""
    result = []
    for key, fewer, base in (("gone", True, before), ("came", False, before),
                             ("gone_since", True, first), ("came_since", False, first)):  # fmt: skip
        if base is None:
            continue
        for template in getattr(effects, key):
            had, has = count(base, template, values), count(now, template, values)
            if fewer and not had:
                continue  # nothing that could go
            word = "is still there" if fewer else "did not come"
            changed = has < had if fewer else has > had
            result.append("" if changed else f'"{in_words(template, values)}" {word}')
    return result


def _moved(effects: Effects, before: Scene, now: Scene, values: Mapping[str, str]) -> list[str]:
    """Return the missing change of each text that has to be under another; empty for one that is."""
    result = []
    for template, under in effects.moved:
        was, there = (stands_under(scene, template, under, values) for scene in (before, now))
        words = f'"{in_words(template, values)}" is not under "{in_words(under, values)}"'
        result.append("" if there and not was else words)
    return result


def stands_under(scene: Scene, template: str, under: str, values: Mapping[str, str]) -> bool:
    """Return whether the nearest text above a text is another."""
    return any(says(heading, under, values) for heading in context_of(scene, template, values)[:1])


def _state(
    effects: Effects, before: Scene, now: Scene, at: int | None, target: Target | None,
    values: Mapping[str, str],
) -> str | None:  # fmt: skip
    """Return the parts of a target's state that are not as they should be; empty if all are, ``None`` for nothing."""
    if not effects.state or target is None or at is None:
        return None
    target_found = find(now, target, values)
    if target_found.node is None:
        return f"its state cannot be read: {target_found.why}"
    for key, value in effects.state.items():
        wanted = filled(value, values) or ""
        is_now, was = state_of(now, target_found.node, key), state_of(before, at, key)
        if ungrouped(is_now) != ungrouped(wanted) or (key != "value" and is_now == was):
            return f"it is not {state_words(key, wanted)}"
    return ""


def state_of(scene: Scene, at: int, key: str) -> str:
    """Return one part of a node's state; ``drawn`` is the outline of its icon."""
    return drawn_in(scene, at) if key == "drawn" else scene.nodes[at].state.get(key, "")


def _dialogs(effects: Effects, before: Scene, now: Scene) -> str | None:
    if not effects.dialogs:
        return None
    change = len(_open(now)) - len(_open(before))
    if effects.dialogs > 0:
        return "" if change > 0 else "no dialog or menu opened"
    return "" if change < 0 else "the dialog is still open"


def _path(effects: Effects, before: Scene, now: Scene, values: Mapping[str, str]) -> str | None:
    if not effects.path:
        return None
    here = path_of(now.url)
    if says(here, effects.path, values) and here != path_of(before.url):
        return ""
    if says(here.partition("?")[0], effects.path.partition("?")[0], values) and here != path_of(
        before.url
    ):
        return ""
    return f"the page is {here[:80]}"


def _hints(
    effects: Effects, before: Scene, now: Scene, at: int | None, target: Target | None,
    values: Mapping[str, str],
) -> bool:  # fmt: skip
    """Return whether any of the lesser changes came: texts, marks, the focus."""
    fresh, passing = _new(before.said, now.said), _new(_passing(before), _passing(now))
    came = any(says(text, template, values) for template in effects.shown for text in fresh)
    announced = any(
        says(text[:300], announcement, values) for announcement in effects.told for text in passing
    )
    focus = effects.focused and now.focus is not None and "value" in now.nodes[now.focus].state
    if came or announced or focus or target is None or at is None:
        return came or announced or focus
    target_found = find(now, target, values)
    if target_found.node is None:
        return effects.left and target_found.missing
    return marked(effects.marks, _marks(before, at, now, target_found.node), values)


def _against(
    effects: Effects, before: Scene, now: Scene, values: Mapping[str, str]
) -> tuple[str, ...]:
    """Return new evidence against the act: nobody saw it when it was shown."""
    known = (*effects.told, *effects.shown)
    given = [
        folded(message)
        for message in values.values()
        if message.strip() and _FAILURE.search(message)
    ]
    fresh = _new(before.toasts, now.toasts)
    led = page_of(before.url) != page_of(now.url) and not _path(effects, before, now, values)
    if not (led and effects.path):  # there "Errors" may be a heading like any other
        fresh |= _new(before.said, now.said)
    failing = {
        text: message for text, message in fresh.items()
        if _FAILURE.search(text) and not any(value in text for value in given)
    }  # fmt: skip
    alerts = _new(before.alerts, now.alerts)
    result = [
        f'the page says "{message[:120]}"' for message in {**alerts, **failing}.values()
        if not _is_known(message, known, values)
    ]  # fmt: skip
    if _invalid(now) > _invalid(before):
        result.insert(0, "a field is marked invalid")
    return tuple(dict.fromkeys(result))[:3]


def _is_known(text: str, known: Iterable[str], values: Mapping[str, str]) -> bool:
    return any(says(text[:300], template, values) for template in known)


def about_of(targets: Iterable[Target | None], typed: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that a skill is about: those of its targets' rows, and what was typed."""
    anchors = [part for target in targets if target is not None for part in target.anchors]
    result = [
        anchor.text for anchor in anchors
        if names_in_braces(anchor.text) or anchor.how in {"row", "band", "inside"}
    ]  # fmt: skip
    return tuple(dict.fromkeys([*result, *(part for part in typed if part)]))
