"""Targets: what an act is done to, described so that the same thing is found again on another day.

A target has a kind and a label, and *anchors*: texts that stand with it, in its row, its card, under
its heading, over its column, or in itself. A text belongs to that of several like things with which it
shares the innermost element. An anchor may hold a parameter: then another row is meant with another
value. What fits all of it exactly once is the target; all else is a reason.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl.scenes.scene import alike, are_level, folded
from memctl.scenes.wording import (
    filled,
    in_words,
    is_changing,
    is_plain,
    loosened,
    names_in_braces,
    says,
    with_names,
)  # fmt: skip
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.scenes.scene import Node, Scene

ANY_KIND = "*"
"""The kind of a target of which only a label is known."""
_ANYTHING = "{~}"
_LONGEST = 160  # characters of a text that may name something
_LEVELS = 2  # by which the way to what holds a target and its text may differ
_KEYS = 3  # texts by which a row without a parameter is followed, at most
_PRESSED = frozenset(["button", "link", "menuitem", "tab", "option"])

_FEW = 3  # other labels, of which two may be those of a switch
_NATIVE = frozenset(["button", "a", "input", "summary", "select", "textarea"])
# What a page may make a control only while the pointer is on it, which changes its kind.
_BY_POINTER = frozenset(["", "button", "element"])


@dataclass(frozen=True, slots=True)
class Anchor(Result):
    """A text that identifies a target.

    Parameters
    ----------
    text
        A template of the whole text.
    how
        ``inside`` it, in its ``row`` (what holds both, and none of its like nearer), in its ``band``
        (as high on the page), its ``column``, under a ``heading``, or anywhere on its ``page``.
    tag, role, ups
        Of the element that holds both, and how many levels it is above the target.
    part
        Which part of a row it is: the head of its column, or how its element is built.
    """

    text: str
    how: str
    tag: str = ""
    role: str = ""
    ups: int = 0
    part: str = ""


@dataclass(frozen=True, slots=True)
class Target(Result):
    """What an act is done to.

    Parameters
    ----------
    kind, tag, classes
        How its element is built; the kind is empty for what is no control.
    name
        A template of its label.
    anchors
        What stands with it.
    dialog
        Whether it is in a dialog or menu.
    heads
        The headings that it stands under, the nearest first.
    drawn
        The outline of its icon, where it has no label.
    way
        The tags from its row down to it.
    place
        Which of how many that fit equally it was, where nothing else tells them apart; else empty.
    focused
        Whether it had the focus already.
    demands
        What told it from its like besides its anchors, and has to fit: ``head``, ``drawn``, ``built``.
    """

    kind: str
    tag: str
    name: str
    classes: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    dialog: bool = False
    heads: tuple[str, ...] = ()
    drawn: str = ""
    way: str = ""
    place: tuple[int, ...] = ()
    focused: bool = False
    demands: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Target:
        """Make a target of its plain form."""
        anchors = tuple(Anchor(**anchor) for anchor in given.get("anchors", ()))
        lists = {key: tuple(given.get(key, ())) for key in ("classes", "heads", "place", "demands")}
        return cls(**{**given, **lists, "anchors": anchors})

    def plain(self) -> dict[str, Any]:
        """Return it as plain data, without what is empty."""
        result = {key: value for key, value in asdict(self).items() if value or key in _NEEDED}
        if self.anchors:
            result["anchors"] = [
                {k: v for k, v in anchor.items() if v} for anchor in result["anchors"]
            ]  # fmt: skip
        return result

    @property
    def names(self) -> frozenset[str]:
        """The names of its parameters."""
        texts = (self.name, *(anchor.text for anchor in self.anchors))
        return frozenset(name for text in texts for name in names_in_braces(text))

    @property
    def own_names(self) -> frozenset[str]:
        """The names of the parameters in it, not beside it."""
        texts = (self.name, *(anchor.text for anchor in self.anchors if anchor.how == "inside"))
        return frozenset(name for text in texts for name in names_in_braces(text))

    def words(self, values: Mapping[str, str] | None = None) -> str:
        """Describe it: ``Delete in the row that says {who}``."""
        label = in_words(self.name, values).strip("… ")
        inside = [one for one in self.anchors if one.how == "inside"]
        if not label and inside:
            label = in_words(inside[0].text, values)
        about = [
            f"{_HOW[anchor.how]} {in_words(anchor.text, values)}" for anchor in self.anchors
            if anchor.how != "inside"
        ]  # fmt: skip
        return " ".join(filter(None, [label or f"the {self.kind or 'place'}", *about]))


_NEEDED = frozenset(["kind", "tag", "name"])
_HOW = {
    "row": "in the row that says", "band": "in the row that says", "column": "in the column",
    "heading": "under", "page": "on the page that says",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundTarget:
    """Where a target is in a scene, or why nowhere.

    Parameters
    ----------
    node
        Its number in the scene; ``None`` where it is not settled.
    why
        Why it is not.
    watched
        The nodes of its anchors, each with its text: they must say so still when it is pressed.
    missing
        Whether it, or what stands with it, is not there at all: it may come, or be further down.
    hidden
        Whether it is there and not shown, as what a pointer has to rest near to.
    near
        Nodes that fit in all but one respect, for whoever proposes a repair.
    """

    node: int | None = None
    why: str = ""
    watched: tuple[tuple[int, str], ...] = ()
    missing: bool = False
    hidden: bool = False
    near: tuple[int, ...] = ()


# -- finding --------------------------------------------------------------------------------


def find(scene: Scene, target: Target, values: Mapping[str, str]) -> FoundTarget:
    """Return where a target is in a scene: the one node that fits all that is known of it."""
    if target.focused and (at := scene.focus) is not None and _is_like(scene.nodes[at], target):
        return FoundTarget(at)
    fitting = [node for node in scene.nodes if _fits(scene, node, target, values)]
    if target.dialog or any(_in_dialog(scene, node.at) for node in fitting):
        fitting = [node for node in fitting if _in_dialog(scene, node.at) == target.dialog]
    shown = [node for node in fitting if "h" not in node.flags] or fitting
    if not shown:
        return FoundTarget(
            why=_absent(scene, target, values), missing=True, near=_nearly(scene, target, values)
        )
    kept: list[Node] = shown
    watched: list[tuple[int, int]] = []
    for anchor in target.anchors:
        pairs = _parted(scene, anchor, _anchored(scene, anchor, kept, shown, values), values)
        if not pairs:
            return FoundTarget(why=_unanchored(scene, target, anchor, values), missing=True)
        kept = [node for node in kept if any(node.at == at for at, _ in pairs)]
        watched += pairs
    for demand in target.demands:
        kept = [node for node in kept if _VIEWS[demand](scene, node, target)]
    if not kept:
        return FoundTarget(why=f"{_absent(scene, target, values)} as it was", missing=True)
    if len(kept) > 1:
        kept = _told_apart(scene, target, kept)
    if why := _unsettled(scene, target, shown, kept, values):
        near = tuple(candidate.at for candidate in kept) if len(kept) > 1 else ()
        return FoundTarget(why=why, near=near)
    at = kept[0].at
    texts = tuple((text, scene.texts[text][:80]) for candidate, text in watched if candidate == at)
    return FoundTarget(at, watched=texts, hidden="h" in kept[0].flags)


def _unsettled(
    scene: Scene,
    target: Target,
    shown: Sequence[Node],
    kept: Sequence[Node],
    values: Mapping[str, str],
) -> str:
    """Return why it is not settled which node is meant, or which row; empty where it is."""
    if len(kept) > 1:
        return _several(scene, target, kept, values)
    return _namesakes(scene, target, kept[0].at, values) if len(shown) == 1 else ""


def _namesakes(scene: Scene, target: Target, node: int, values: Mapping[str, str]) -> str:
    """Return the rows with a value that one node serves, itself in none of them; else nothing.

    What floats at a row, or stands below all of them, does not tell which row is meant.
    """
    for anchor in target.anchors:
        if not names_in_braces(anchor.text) or anchor.how == "inside":
            continue
        texts = saying(scene, anchor.text, values)
        rows = {next(filter(scene.is_row, scene.chain(at)), -1) for at in texts} - {-1}
        first = min(rows, default=0)
        apart = [at for at in rows if at == first or at in scene.like_beside(first)]
        if len(apart) > 1 and not any(scene.holds(row, node) for row in rows):
            return f'{len(apart)} rows say "{in_words(anchor.text, values)}"'
    return ""


def _parted(
    scene: Scene, anchor: Anchor, pairs: Sequence[tuple[int, int]], values: Mapping[str, str]
) -> Sequence[tuple[int, int]]:
    """Return pairs of one node, where letters' case or the part of its row that the text is settles it."""
    if len({at for at, _ in pairs}) < 2:  # noqa: PLR2004
        return pairs
    written = filled(anchor.text, values)
    pairs = [one for one in pairs if scene.texts[one[1]] == written] or pairs
    parts = [pair for pair in pairs if part_of(scene, pair[1]) == anchor.part]
    return parts if anchor.part and parts else pairs


def _fits(scene: Scene, node: Node, target: Target, values: Mapping[str, str]) -> bool:
    return _is_like(node, target) and _is_called(scene, node, target, values)


def _is_like(node: Node, target: Target) -> bool:
    if not node.tag:
        return False
    if target.kind == ANY_KIND:
        return bool(node.kind) or node.level > 0
    if target.kind and node.kind:
        same = node.kind == target.kind or (node.kind in _PRESSED and target.kind in _PRESSED)
        return same and (target.name != _ANYTHING or node.tag == target.tag)
    if node.tag != target.tag or (node.kind or target.kind) not in _BY_POINTER:
        return False
    known = frozenset(target.classes)
    shared = node.classes & known
    return node.classes == known or 2 * len(shared) >= len(node.classes | known)


def _is_called(scene: Scene, node: Node, target: Target, values: Mapping[str, str]) -> bool:
    if target.name == _ANYTHING:
        return True
    label = label_of(scene, node)
    if not label and any(
        anchor.text == target.name and anchor.how != "inside" for anchor in target.anchors
    ):
        return True  # its label stands beside it
    return says(label, target.name, values)


def label_of(scene: Scene, node: Node) -> str:
    """Return the name of a node: a control's label, anything else's text."""
    return node.name if node.kind or node.name else scene.texts[node.at]


def _in_dialog(scene: Scene, at: int) -> bool:
    return any("d" in scene.nodes[holder].flags for holder in scene.chain(at))


def saying(scene: Scene, template: str, values: Mapping[str, str]) -> list[int]:
    """Return the innermost nodes whose whole text is what a template asks for; no toast is one."""
    if is_plain(template, values):
        exact = scene.folded_texts.get(folded(filled(template, values) or ""), ())
    else:
        exact = [
            at for text, some in scene.folded_texts.items() if says(text, template, values)
            for at in some
        ]  # fmt: skip
    named = [
        node.at for node in scene.nodes
        if node.name and not node.kind and says(node.name, template, values)
    ]  # fmt: skip
    return [at for at in dict.fromkeys([*exact, *named]) if at not in scene.passing]


def _anchored(
    scene: Scene,
    anchor: Anchor,
    kept: Sequence[Node],
    rivals: Sequence[Node],
    values: Mapping[str, str],
) -> list[tuple[int, int]]:
    """Return pairs of a node and the text that identifies it as the anchor demands."""
    places = sorted(rival.at for rival in rivals)
    return [
        (node.at, text)
        for text in saying(scene, anchor.text, values)
        for near in [_nearest_place(scene, text, places)]
        for node in kept
        if _stands_with(scene, anchor, text, node, near)
    ]


def _nearest_place(scene: Scene, text: int, places: Sequence[int]) -> int:
    """Return the innermost element that contains a text, and one of some sorted nodes beside it.

    What else has the text in it too belongs to a place further away; -1 for none.
    """
    for around in scene.chain(text):
        low, high = bisect_left(places, around), bisect_left(places, scene.ends[around])
        if any(not scene.holds(places[at], text) for at in range(low, high)):
            return around
    return -1


def _stands_with(scene: Scene, anchor: Anchor, text: int, node: Node, near: int) -> bool:
    if anchor.how == "inside":
        return scene.holds(node.at, text) or scene.holds(text, node.at)
    if scene.holds(node.at, text):
        return False
    if anchor.how in _GEOMETRY:
        return _GEOMETRY[anchor.how](scene, scene.joint(text, node.at), text, node.at)
    if near >= 0 and not scene.holds(near, node.at):
        return False
    around = scene.joint(text, node.at)
    if anchor.how == "page":
        return _heading_over(scene, text)
    return _is_row_of(scene, anchor, text, node, around)


def _is_row_of(scene: Scene, anchor: Anchor, text: int, node: Node, around: int) -> bool:
    """Return whether the container of a node and a text is a row as it was, or by its kind."""
    element, ups = scene.nodes[around], scene.depth(node.at) - scene.depth(around)
    if (element.tag, element.role) == (anchor.tag, anchor.role):
        apart = abs(ups - anchor.ups)
        if not apart or (apart <= _LEVELS and _heads_alone(scene, around, text, anchor.part)):
            return True
    row = next((holder for holder in scene.above(node.at) if scene.is_row(holder)), None)
    return row is not None and scene.holds(row, text)


def _heads_alone(scene: Scene, around: int, text: int, part: str) -> bool:
    """Return whether a text is the only one of its part in an element: the element is its own."""
    if not part or part.startswith("column ") or "." not in part:
        return False
    said = {scene.texts[inner] for inner in scene.inside(around) if part_of(scene, inner) == part}
    return said - {""} == {scene.texts[text]}


def _heading_over(scene: Scene, text: int) -> bool:
    return any(scene.nodes[holder].level or scene.nodes[holder].tag in {"legend", "caption"}
               for holder in scene.chain(text)[:4])  # fmt: skip


def _in_band(scene: Scene, _: int, text: int, node: int) -> bool:
    """Return whether a text is as high on the page as a node."""
    return are_level(scene.nodes[text].box, scene.nodes[node].box)


def band_anchors(
    scene: Scene, node: int, names: Iterable[str], values: Mapping[str, str]
) -> tuple[Anchor, ...]:
    """Return anchors of those parameters whose value is as high on the page as a node."""
    return tuple(
        Anchor(f"{{{name}}}", "band") for name in sorted(names)
        if any(_in_band(scene, 0, text, node) for text in saying(scene, f"{{{name}}}", values))
    )  # fmt: skip


def _in_column(scene: Scene, _: int, text: int, node: int) -> bool:
    """Return whether a text is above a node, or below, and as far to the right."""
    heading, box = scene.nodes[text].box, scene.nodes[node].box
    cell = next(
        (scene.nodes[one].box for one in scene.chain(text)[:4] if scene.is_header(one)), heading
    )
    middle = box[0] + box[2] / 2
    wide = cell if cell[2] >= heading[2] else heading
    over = wide[1] + wide[3] <= box[1] + 2 or scene.is_header(text)
    inside = wide[0] <= middle <= wide[0] + wide[2]
    around = box[0] <= heading[0] + heading[2] / 2 <= box[0] + box[2]
    if not over or not (inside or around) or _in_band(scene, 0, text, node):
        return False
    row = row_of(scene, text)
    # What another row holds there is no heading, unless that row is the first.
    return row is None or scene.is_header(text) or row_of(scene, node) is None or not any(
        one < row for one in scene.like_beside(row)
    )  # fmt: skip


def _under_heading(scene: Scene, around: int, text: int, node: int) -> bool:
    """Return whether a node comes after a text, and before the next one built as it is."""
    if around < 0:
        return False
    branches = scene.nodes[around].children
    of = [
        next((i for i, branch in enumerate(branches) if scene.holds(branch, at)), -1)
        for at in (text, node)
    ]
    if min(of) < 0 or of[0] >= of[1]:
        return False
    head = scene.nodes[branches[of[0]]]
    if not head.tag:
        return False
    return not any(alike(scene.nodes[one], head) for one in branches[of[0] + 1 : of[1] + 1])


_GEOMETRY = {"band": _in_band, "column": _in_column, "heading": _under_heading}


def _told_apart(scene: Scene, target: Target, kept: Sequence[Node]) -> list[Node]:
    """Return the nodes under the same heading, or built as the target was.

    Rows that say the same value are not told apart so: which one is meant is not known.
    """
    nodes = [
        one
        for one in kept
        if not any(other is not one and scene.holds(one.at, other.at) for other in kept)
    ]
    bound = any(names_in_braces(anchor.text) for anchor in target.anchors)
    if bound and len({row_of(scene, one.at) for one in nodes}) > 1:
        return nodes
    for fits in _VIEWS.values():
        if len(nodes) > 1:
            nodes = [node for node in nodes if fits(scene, node, target)] or nodes
    if len(nodes) > 1 and target.place and target.place[1] == len(nodes):
        return [nodes[target.place[0]]]
    return nodes


def _is_under_head(scene: Scene, node: Node, target: Target) -> bool:
    return bool(target.heads) and heads_of(scene, node.at)[:1] == list(target.heads[:1])


def _is_drawn_so(scene: Scene, node: Node, target: Target) -> bool:
    return bool(target.drawn) and drawn_in(scene, node.at) == target.drawn


def _is_built_so(scene: Scene, node: Node, target: Target) -> bool:
    same = node.tag == target.tag and tuple(sorted(node.classes)[:6]) == target.classes
    return same and way_to(scene, node.at) == target.way


_VIEWS = {"head": _is_under_head, "drawn": _is_drawn_so, "built": _is_built_so}


# -- reasons ----------------------------------------------------------------------------------


def _absent(scene: Scene, target: Target, values: Mapping[str, str]) -> str:
    for anchor in target.anchors:
        if names_in_braces(anchor.text) and not saying(scene, anchor.text, values):
            return f'nothing says "{in_words(anchor.text, values)}"'
    if target.name == _ANYTHING or not target.name:
        return f"there is no such {target.kind or 'place'}"
    return f'there is no {target.kind or "text"} "{in_words(target.name, values)}"'


def _unanchored(scene: Scene, target: Target, anchor: Anchor, values: Mapping[str, str]) -> str:
    text = in_words(anchor.text, values)
    if not saying(scene, anchor.text, values):
        return f'nothing says "{text}"'
    label = in_words(target.name, values).strip("… ") or target.kind or "it"
    return f'no "{label}" stands with "{text}"'


def _several(scene: Scene, target: Target, kept: Sequence[Node], values: Mapping[str, str]) -> str:
    rows = "; ".join(f'"{row_text(scene, node.at)}"' for node in kept[:4])
    more = f" and {len(kept) - 4} more" if len(kept) > 4 else ""  # noqa: PLR2004
    said = next((in_words(a.text, values) for a in target.anchors if names_in_braces(a.text)), "")
    about = f' that say "{said}"' if said else ""
    return f"{len(kept)} fit{about}: {rows}{more}"


def row_text(scene: Scene, at: int) -> str:
    """Return the text of a node's row, at most 80 characters."""
    row = row_of(scene, at)
    text = scene.texts[row if row is not None else at] or scene.nodes[at].name
    return text if len(text) <= 80 else text[:79] + "…"  # noqa: PLR2004


def _nearly(scene: Scene, target: Target, values: Mapping[str, str]) -> tuple[int, ...]:
    """Return nodes that fit in all but their label."""
    loose = replace(target, name=_ANYTHING)
    nodes = [node for node in scene.nodes if _is_like(node, loose) and "h" not in node.flags
             and _in_dialog(scene, node.at) == target.dialog]  # fmt: skip
    for anchor in target.anchors:
        pairs = _anchored(scene, anchor, nodes, nodes, values)
        nodes = [node for node in nodes if any(node.at == at for at, _ in pairs)]
    heads = [node for node in nodes if heads_of(scene, node.at) == list(target.heads)]
    fits = [node.at for node in heads if way_to(scene, node.at) == target.way]
    return tuple(fits[:2])


# -- where a node stands ----------------------------------------------------------------------


def row_of(scene: Scene, at: int) -> int | None:
    """Return the row, card or item around a node, with more in it than that; ``None`` for none."""
    own = scene.texts[at]
    return next(
        (
            holder
            for holder in scene.above(at)
            if scene.is_row(holder) and scene.texts[holder] != own
        ),
        None,
    )


def heads_of(scene: Scene, at: int) -> list[str]:
    """Return the headings above a node, folded, the nearest first, at most three."""
    heads: list[str] = []
    level = 7
    for node in reversed(scene.nodes[: at + 1]):
        if node.level and node.level < level and not scene.holds(node.at, at):
            level = node.level
            heads.append(folded(scene.texts[node.at]))
    return [head for head in heads if head and len(head) <= _LONGEST][:3]


def way_to(scene: Scene, at: int) -> str:
    """Return the tags from a node's row down to it."""
    way = [scene.nodes[at].tag]
    for holder in scene.above(at):
        way.append(scene.nodes[holder].tag)
        if scene.is_row(holder) or len(way) > 5:  # noqa: PLR2004
            break
    return ">".join(reversed(way))


def drawn_in(scene: Scene, at: int) -> str:
    """Return the outline of the icon in a node; empty where it has none."""
    return next(
        (scene.nodes[inner].drawn for inner in scene.inside(at) if scene.nodes[inner].drawn), ""
    )


def part_of(scene: Scene, text: int) -> str:
    """Return which part of its row a text is: the head of its column, or how its element is built."""
    at = text if scene.nodes[text].tag else scene.nodes[text].parent
    for table in scene.above(text):
        if scene.nodes[table].tag == "table" or scene.nodes[table].role in {
            "table",
            "grid",
            "treegrid",
        }:
            x, y = scene.nodes[text].middle
            for inner in scene.inside(table):
                node = scene.nodes[inner]
                if (node.tag == "th" or node.role == "columnheader") and node.box[1] < y and (
                    node.box[0] <= x <= node.box[0] + node.box[2]
                ) and (said := folded(scene.texts[inner])):  # fmt: skip
                    return f"column {said}"[:_LONGEST]
            break
    node = scene.nodes[at]
    return ".".join([node.tag, *sorted(node.classes)[:3]])


# -- describing -------------------------------------------------------------------------------


def describe(scene: Scene, at: int, values: Mapping[str, str]) -> Target:
    """Describe a node so that `find` finds it again, and it alone, in this scene.

    Parameters
    ----------
    values
        The parameters' values as they were shown; where one stands with the node, its name takes its
        place.
    """
    node = scene.nodes[at]
    target = Target(
        kind=node.kind,
        tag=node.tag,
        name=_name_of(scene, node, values),
        classes=tuple(sorted(node.classes)[:6]),
        dialog=_in_dialog(scene, at),
        heads=tuple(heads_of(scene, at)),
        drawn=drawn_in(scene, at),
        way=way_to(scene, at),
        focused=False,
    )
    like = [other for other in scene.nodes if _fits(scene, other, target, values) and other.at != at
            and "h" not in other.flags]  # fmt: skip
    anchors = [
        anchor for name in sorted(values, key=lambda other: -len(values[other]))
        if values[name].strip() and (anchor := _bound(scene, node, like, name, values))
    ]  # fmt: skip
    target = replace(target, anchors=tuple(dict.fromkeys(anchors)))
    return _settled(scene, target, node, like, values)


def _name_of(scene: Scene, node: Node, values: Mapping[str, str]) -> str:
    """Return the template of a node's label; what changes by itself in it is a place."""
    label = label_of(scene, node)
    if not node.kind and (len(label) > _LONGEST or len(scene.pieces(node.at)) > _KEYS):
        return _ANYTHING
    pieces = [scene.texts[one] for one in scene.pieces(node.at) if scene.nodes[one].text]
    whole = folded(" ".join(pieces)) == folded(label)
    named = with_names(label, values)
    peers = _peers(scene, node)
    if named == label and (len(pieces) < 2 or not whole):  # noqa: PLR2004
        if not node.kind and row_of(scene, node.at) is not None and label and not _is_key(label):
            return _ANYTHING
        return _ANYTHING if _is_content(node, label, peers, scene) else label
    if len(pieces) < 2 or not whole:  # noqa: PLR2004
        return loosened(named, [label_of(scene, one) for one in peers] if peers else None)
    shared = [set(map(folded, (scene.texts[p] for p in scene.pieces(peer.at)))) for peer in peers]
    parts = [_part(piece, named != label, shared, values) for piece in pieces]
    return _joined(parts)


def _is_content(node: Node, label: str, peers: Sequence[Node], scene: Scene) -> bool:
    """Return whether a label is a row's own content, which other rows have otherwise, and no caption."""
    own = folded(label)
    others = [folded(label_of(scene, peer)) for peer in peers]
    if not peers or own in others or node.tag in _NATIVE or node.kind not in _BY_POINTER:
        return False
    return is_changing(label) or len(set(others)) >= max(_FEW, len(others) // 2)


def _part(piece: str, bound: bool, shared: Sequence[set[str]], values: Mapping[str, str]) -> str:
    named = with_names(piece, values)
    if named != piece:
        return named
    if is_changing(piece):
        return _ANYTHING
    common = (
        3 * sum(folded(piece) in text for text in shared) >= 2 * len(shared) if shared else False
    )
    return piece if common or not bound else _ANYTHING


def _joined(parts: Iterable[str]) -> str:
    text = ""
    for part in parts:
        if part == _ANYTHING:
            text += "" if text.endswith(_ANYTHING) else _ANYTHING
        else:
            text += part if not text or text.endswith(_ANYTHING) else f" {part}"
    return text


def _is_key(text: str) -> bool:
    return not is_changing(text) and len(text) <= _LONGEST


def _peers(scene: Scene, node: Node) -> list[Node]:
    """Return the texts of the rows beside a node's row, each in the place of its own.

    That is the same child of the same child; where rows are not built alike, what is as deep in them.
    """
    way: list[int] = []  # from the row down, by numbers of children
    for row in scene.chain(node.at)[:6]:
        beside = [] if scene.is_cell(row) else scene.like_beside(row)[:30]
        peers = [
            inner for other in beside if (inner := _led_to(scene, other, way, node)) is not None
        ]
        peers = peers or [
            scene.nodes[inner]
            for other in beside
            for inner in scene.inside(other)
            if scene.depth(inner) - scene.depth(other) == len(way)
            and _is_built_like(scene.nodes[inner], node)
        ]
        if peers and (way or len(peers) > 1):
            return peers
        parent = scene.nodes[row].parent
        if parent >= 0:
            way.insert(0, scene.nodes[parent].children.index(row))
    return []


def _led_to(scene: Scene, at: int, way: Sequence[int], like: Node) -> Node | None:
    for number in way:
        children = scene.nodes[at].children
        if number >= len(children):
            return None
        at = children[number]
    return scene.nodes[at] if _is_built_like(scene.nodes[at], like) else None


def _is_built_like(node: Node, other: Node) -> bool:
    return node.tag == other.tag and node.kind == other.kind and alike(node, other)


def in_every_row(scene: Scene, at: int) -> bool:
    """Return whether a cell shows an icon, or the same words in the rows beside its own: no content."""
    text = folded(scene.texts[at])
    if not text:
        return bool(drawn_in(scene, at))
    peers = _peers(scene, scene.nodes[at])
    return 3 * sum(folded(scene.texts[peer.at]) == text for peer in peers) >= max(1, 2 * len(peers))


def _bound(
    scene: Scene, node: Node, like: Sequence[Node], name: str, values: Mapping[str, str]
) -> Anchor | None:
    """Return the anchor by which a parameter's value identifies a node; ``None`` where it does not."""
    exact = saying(scene, f"{{{name}}}", values)
    anchor = _nearest(scene, node, like, dict.fromkeys(exact, f"{{{name}}}"))
    if anchor is not None:
        return anchor
    within = {}
    for at in scene.pieces(0) if scene.nodes else ():
        text = scene.texts[at]
        if at not in exact and at not in scene.passing and len(text) <= _LONGEST:
            named = with_names(text, values)
            if name in names_in_braces(named):
                within[at] = _loose_part(scene, at, named)
    return _nearest(scene, node, like, within)


def _loose_part(scene: Scene, text: int, named: str) -> str:
    """Return the template of a text, without the words that the same part of other rows lacks."""
    element = scene.nodes[scene.nodes[text].parent]
    peers = _peers(scene, element)
    return loosened(named, [scene.texts[peer.at] for peer in peers] if peers else None)


def _nearest(
    scene: Scene, node: Node, like: Sequence[Node], texts: Mapping[int, str]
) -> Anchor | None:
    """Return the anchor of the nearest text that identifies a node."""
    ranked = sorted(texts, key=lambda at: -scene.depth(scene.joint(at, node.at)))
    for text in ranked:
        if how := _relation(scene, text, node, like):
            around = scene.nodes[scene.joint(text, node.at)]
            ups = scene.depth(node.at) - scene.depth(around.at)
            return Anchor(texts[text], how, around.tag, around.role, ups, part_of(scene, text))
    return None


def _relation(scene: Scene, text: int, node: Node, like: Sequence[Node]) -> str:
    """Return how a text belongs to a node; empty where it belongs to another, or to nothing."""
    if scene.holds(node.at, text) or scene.holds(text, node.at):
        return "" if "value" in node.state else "inside"
    around = scene.joint(text, node.at)
    if around < 0 or _in_dialog(scene, text) != _in_dialog(scene, node.at):
        return ""
    near = _nearest_place(scene, text, [peer.at for peer in like])
    if near >= 0 and not scene.holds(near, node.at):
        return ""
    ties = [
        peer for peer in like if not scene.holds(peer.at, text) and scene.holds(around, peer.at)
    ]
    if ties:
        return _shared_relation(scene, around, text, node, ties, outside=len(ties) < len(like))
    own = like or any(scene.is_row(peer) for peer in scene.chain(around))
    if own or _in_dialog(scene, node.at) or _is_small(scene, around):
        return "row"
    return "page" if _heading_over(scene, text) else ""


def _shared_relation(
    scene: Scene, around: int, text: int, node: Node, ties: Sequence[Node], *, outside: bool
) -> str:
    """Return how a text belongs to a node and not to all of its like in the same element."""
    shared = {
        how: sum(fits(scene, around, text, tie.at) for tie in ties)
        for how, fits in _GEOMETRY.items()
        if fits(scene, around, text, node.at)
    }
    best = min(shared, key=lambda how: shared[how], default="")
    if best and shared[best] < len(ties):  # what the fewest of its like stand in, too
        return best
    return "row" if outside or scene.is_row(around) else ""


def _is_small(scene: Scene, around: int) -> bool:
    _, _, w, h = scene.nodes[around].box
    return 4 * w * h < scene.size[0] * scene.size[1] and h < 300  # noqa: PLR2004


def _settled(
    scene: Scene, target: Target, node: Node, like: Sequence[Node], values: Mapping[str, str]
) -> Target:
    """Return a target with as many more anchors as it takes to find it, and nothing else, again.

    What its like differ in besides must fit later, too: else the last of them would be taken for it.
    """
    bare = replace(
        target, heads=(), drawn="", way="", classes=target.classes if not target.kind else ()
    )
    if find(scene, bare, values).node == node.at:
        return target
    for anchor in _keys(scene, node, like):
        more = replace(bare, anchors=(*bare.anchors, anchor))
        before, after = (find(scene, variant, values) for variant in (bare, more))
        known = replace(target, anchors=more.anchors)
        # A text inside of the node that alone has the same text: classes tell which of both it is.
        if after.node == node.at or (
            after.node is not None
            and scene.holds(node.at, after.node)
            and find(scene, known, values).node == node.at
        ):
            return known
        if after.near and len(after.near) < (len(before.near) or len(scene.nodes)):
            bare = more
        if len(bare.anchors) >= _KEYS + len(target.anchors):
            break
    target = replace(target, anchors=bare.anchors)
    for demand in _VIEWS:
        more = replace(target, demands=(demand,))
        if find(scene, more, values).node == node.at:
            return more
    again = find(scene, target, values)
    if node.at in again.near and row_of(scene, node.at) is None:
        return replace(target, place=(again.near.index(node.at), len(again.near)))
    return target


def _keys(scene: Scene, node: Node, like: Sequence[Node]) -> list[Anchor]:
    """Return anchors of texts that may distinguish a node from its like, the best first."""
    row = node.at
    for holder in scene.above(node.at):
        if any(scene.holds(holder, other.at) for other in like):
            break
        row = holder
    texts = [
        at
        for at in scene.pieces(row)
        if scene.nodes[at].text and at not in scene.passing and scene.texts[at]
    ]
    texts.sort(key=lambda at: (not scene.is_header(at), not scene.nodes[scene.nodes[at].parent].level,
                               is_changing(scene.texts[at]), at))  # fmt: skip
    anchors = [_key(scene, node, like, at) for at in texts[:12]]
    heads = [at for holder in scene.above(node.at) for at in scene.nodes[holder].children
             if at < node.at and scene.texts[at] and len(scene.texts[at]) <= _LONGEST
             and scene.nodes[at].tag and not any(scene.nodes[i].kind for i in scene.inside(at))]  # fmt: skip
    anchors += [_key(scene, node, like, at) for at in heads[:40]]
    headers = [
        holder.at for holder in scene.nodes if holder.tag == "th" or holder.role == "columnheader"
    ]
    anchors += [_key(scene, node, like, at) for at in headers[:60]]
    return [anchor for anchor in anchors if anchor is not None]


def _key(scene: Scene, node: Node, like: Sequence[Node], text: int) -> Anchor | None:
    said = scene.texts[text]
    if not said or len(said) > _LONGEST:
        return None
    return _nearest(scene, node, like, {text: said})
