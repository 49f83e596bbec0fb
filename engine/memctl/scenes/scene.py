"""A scene: what a page shows, as a tree of elements and texts that can be asked like a document.

A scene is read from a page's document, off-screen parts included, or made of the boxes that stand on
a screenshot. Whoever looks for a row, a label or a change asks the scene, and never the page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK = re.compile(r"\s+")
# Rows by what they are said to be; others are known by their like beside them.
_ROWS = frozenset(["tr", "li", "article", "fieldset", "details", "dd"])
_ROW_ROLES = frozenset(["row", "listitem", "option", "treeitem", "article"])
_CELLS = frozenset(["td", "th", "cell", "gridcell", "columnheader", "rowheader"])
_HEADERS = frozenset(["th"])
_HEADER_ROLES = frozenset(["columnheader", "rowheader"])


def folded(text: str) -> str:
    """Return a text for comparison: one case, one form of each letter, single blanks."""
    return _BLANK.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()


@dataclass(frozen=True, slots=True)
class Node(Result):
    """An element of a page, or a text in one.

    Parameters
    ----------
    at, parent
        Its number in the scene, and that of the element around it; -1 for none.
    tag, role, classes
        As the document has them; empty for a text.
    kind, name
        Of what can be acted on: ``button``, ``link``, ``checkbox``, ``input``, ...; its accessible
        name, without what is typed into it.
    text
        Of a text: what stands there.
    box
        x, y, width and height in CSS pixels of the viewport; parts that are scrolled away lie outside.
    state
        ``checked``, ``pressed``, ``expanded``, ``selected``, ``disabled``, ``invalid``, ``value``, ...
    flags
        Letters: i inline, h hidden, a alert, s status or toast, d dialog or menu, o overlay, F focus.
    level
        Of a heading, 1 to 6; else 0.
    scroll
        Of what scrolls: how far, the height of its content, and its own; else empty.
    drawn
        A mark of an icon's outline, to tell icons without a name apart.
    """

    at: int
    parent: int
    tag: str = ""
    role: str = ""
    classes: frozenset[str] = frozenset()
    kind: str = ""
    name: str = ""
    text: str = ""
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    state: Mapping[str, str] = field(default_factory=dict)
    flags: str = ""
    level: int = 0
    scroll: tuple[int, ...] = ()
    drawn: str = ""
    children: list[int] = field(default_factory=list)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box."""
        x, y, w, h = self.box
        return x + w / 2, y + h / 2


@dataclass(frozen=True)
class Scene(Result):
    """What a page shows at one moment.

    Parameters
    ----------
    nodes
        Elements and texts, each before what is in it.
    url, title
        Of the page.
    size
        Width and height of the viewport in CSS pixels.
    busy
        Whether it shows that it is at work: a spinner, a placeholder, an unfinished document.
    cut
        Whether the page has more than could be read.
    seconds
        How long reading it took.
    scroll
        How far the page is scrolled, the height of its content, and that of the viewport.
    """

    nodes: Sequence[Node]
    url: str = ""
    title: str = ""
    size: tuple[int, int] = (0, 0)
    busy: bool = False
    cut: bool = False
    seconds: float = 0.0
    scroll: tuple[int, ...] = ()

    @classmethod
    def read(cls, page: Mapping[str, Any], seconds: float = 0.0) -> Scene:
        """Make a scene of the page's script's answer."""
        nodes: list[Node] = []
        for at, element in enumerate(page["nodes"]):
            node = Node(
                at, element["p"], element.get("t", ""), element.get("r", ""),
                frozenset(element.get("c", "").split()), element.get("k", ""), element.get("n", ""),
                element.get("x", ""), tuple(element["b"]), element.get("s", {}), element.get("f", ""),
                element.get("l", 0), tuple(element.get("sc", ())), element.get("g", ""),
            )  # fmt: skip
            nodes.append(node)
            if node.parent >= 0:
                nodes[node.parent].children.append(at)
        busy = bool(page["busy"] or page["loading"])
        width, height = page["size"]
        return cls(
            nodes, page["url"], page["title"], (width, height), busy, bool(page["cut"]), seconds,
            tuple(page["scroll"]),
        )  # fmt: skip

    # -- the tree ------------------------------------------------------------------------

    def above(self, at: int) -> Iterator[int]:
        """Yield the elements around a node, the nearest first."""
        at = self.nodes[at].parent
        while at >= 0:
            yield at
            at = self.nodes[at].parent

    def chain(self, at: int) -> list[int]:
        """Return a node and the elements around it, the nearest first."""
        return [at, *self.above(at)]

    @cached_property
    def ends(self) -> Sequence[int]:
        """Behind the last node that is in each: what is in an element follows it without a gap."""
        ends = [node.at + 1 for node in self.nodes]
        for node in reversed(self.nodes):
            if node.parent >= 0:
                ends[node.parent] = max(ends[node.parent], ends[node.at])
        return ends

    def inside(self, at: int) -> range:
        """Return a node and all that is in it, in the document's order."""
        return range(at, self.ends[at])

    def holds(self, outer: int, node: int) -> bool:
        """Return whether a node is another, or is in it."""
        return outer <= node < self.ends[outer]

    def joint(self, node: int, other: int) -> int:
        """Return the innermost element that contains both nodes; -1 for none."""
        return next((at for at in self.chain(node) if self.holds(at, other)), -1)

    def depth(self, at: int) -> int:
        """Return how many elements are around a node."""
        return sum(1 for _ in self.above(at))

    # -- texts ---------------------------------------------------------------------------

    @cached_property
    def texts(self) -> Mapping[int, str]:
        """The whole text of each node, by its number: of a text its own, of a field its value."""
        parts: dict[int, list[str]] = {}
        for node in reversed(self.nodes):
            if node.text:
                said = node.text
            elif "value" in node.state and not node.children:
                said = f" {node.state['value']} "
            else:
                said = "".join(parts[child][0] for child in node.children)
                if "i" not in node.flags:
                    said = f" {said} "
            parts[node.at] = [said]
        return {at: _BLANK.sub(" ", said[0]).strip() for at, said in parts.items()}

    @cached_property
    def folded_texts(self) -> Mapping[str, Sequence[int]]:
        """The nodes with each text, folded; of nested ones with the same text, the innermost."""
        result: dict[str, list[int]] = {}
        for node in self.nodes:
            if (said := folded(self.texts[node.at])) and len(said) <= 400:  # noqa: PLR2004
                held = result.setdefault(said, [])
                while held and self.holds(held[-1], node.at):
                    held.pop()
                held.append(node.at)
        return result

    @cached_property
    def said(self) -> Mapping[str, str]:
        """The texts and labels of the page itself as they are written, by what they are folded."""
        result: dict[str, str] = {}
        for node in self.nodes:
            if node.at in self.passing or "value" in node.state or "h" in node.flags:
                continue
            written = node.text.strip() or (node.name if node.kind else "")
            if written:
                result.setdefault(folded(written), written)
        return result

    @cached_property
    def alerts(self) -> Mapping[str, str]:
        """The texts of alerts, folded."""
        return self._flagged_texts("a")

    @cached_property
    def toasts(self) -> Mapping[str, str]:
        """The texts of toasts and status lines, folded."""
        return self._flagged_texts("s")

    def _flagged_texts(self, flag: str) -> dict[str, str]:
        texts = (self.texts[node.at] for node in self.nodes if flag in node.flags)
        return {folded(text): text for text in texts if text}

    def pieces(self, at: int) -> list[int]:
        """Return the texts and fields' values in a node, in order."""
        return [
            inner
            for inner in self.inside(at)
            if self.nodes[inner].text.strip() or self.nodes[inner].state.get("value")
        ]

    # -- what is told of a node ------------------------------------------------------------

    def flagged(self, at: int, flags: str) -> int | None:
        """Return the innermost element around a node, or itself, with one of some flags."""
        for holder in self.chain(at):
            if any(flag in self.nodes[holder].flags for flag in flags):
                return holder
        return None

    @cached_property
    def passing(self) -> frozenset[int]:
        """The nodes of alerts and toasts: what comes and goes by itself."""
        return frozenset(
            inner
            for node in self.nodes
            if "a" in node.flags or "s" in node.flags
            for inner in self.inside(node.at)
        )

    @cached_property
    def dialogs(self) -> list[int]:
        """The dialogs, menus and overlays that are open, the outer ones first."""
        return [
            node.at for node in self.nodes if ("d" in node.flags or "o" in node.flags)
            and node.box[2] > 1 and node.box[3] > 1
        ]  # fmt: skip

    @property
    def focus(self) -> int | None:
        """The innermost element that has the focus."""
        return next((node.at for node in reversed(self.nodes) if "F" in node.flags), None)

    def is_header(self, at: int) -> bool:
        """Return whether a node heads a row or a column of a table."""
        return any(
            self.nodes[holder].tag in _HEADERS or self.nodes[holder].role in _HEADER_ROLES
            for holder in self.chain(at)[:4]
        )

    def is_row(self, at: int) -> bool:
        """Return whether an element is one of a kind: a row, an item, a card with its like beside it."""
        node = self.nodes[at]
        if not node.tag or node.parent < 0:
            return False
        if node.tag in _ROWS or node.role in _ROW_ROLES:
            return True
        return next(self._likes(at), None) is not None and not self.is_cell(at)

    def is_cell(self, at: int) -> bool:
        """Return whether an element is a part of a row: a table's cell, or one with its like in a line."""
        node = self.nodes[at]
        if node.tag in _CELLS or node.role in _CELLS:
            return True
        beside = islice(self._likes(at), 8)
        in_line = any(are_level(self.nodes[sibling].box, node.box) for sibling in beside)
        return in_line and self.is_row(node.parent)

    def like_beside(self, at: int) -> list[int]:
        """Return the elements beside one that are built as it is."""
        return list(self._likes(at))

    def _likes(self, at: int) -> Iterator[int]:
        node = self.nodes[at]
        for sibling in self.nodes[node.parent].children if node.tag and node.parent >= 0 else ():
            if sibling != at and alike(self.nodes[sibling], node):
                yield sibling


def are_level(box: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether two boxes are at one height: they share half of the lower one's height."""
    (_, top, _, high), (_, y, _, h) = box, other
    both = min(top + high, y + h) - max(top, y)
    return both > 0 and 2 * both >= min(high, h)


def alike(node: Node, other: Node) -> bool:
    """Return whether two elements have one tag and role, and most classes in common."""
    if node.tag != other.tag or node.role != other.role:
        return False
    if node.classes == other.classes:
        return True
    own, its = _plain(node.classes), _plain(other.classes)
    return 2 * len(own & its) >= len(own | its)


@lru_cache(maxsize=4096)
def _plain(classes: frozenset[str]) -> frozenset[str]:
    """Return classes without those that add to another one: ``row-odd`` beside ``row``."""
    return frozenset(
        name for name in classes
        if not any(name != base and re.match(re.escape(base) + "[-_]", name) for base in classes)
    )  # fmt: skip
