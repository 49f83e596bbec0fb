"""Scenes of screenshots: their boxes as rows, by their texts or by their layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.scenes.scene import Node, Scene, are_level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TEXTS = frozenset(["text", "heading", "image", "icon", ""])


def scene_of_boxes(
    boxes: Sequence[Mapping[str, Any]], size: tuple[int, int], url: str = ""
) -> Scene:
    """Return a scene of boxes in the boxes-file format; those of one row or band are a row.

    Parameters
    ----------
    size
        Width and height of the screenshot in pixels.
    """
    nodes = [Node(0, -1, "body", box=(0, 0, *size))]
    for band in _bands(boxes):
        row = _add(nodes, 0, "tr", box=_around(band))
        sections: dict[str, int] = {}
        for box in band:
            label = str(box.get("label") or "")
            kind = str(box.get("type") or "")
            control = "" if kind in _TEXTS else kind
            cell = _add(
                nodes, row, "td", box=_box(box), kind=control, name=label if control else ""
            )
            if label:
                _add(nodes, cell, "", box=_box(box), text=label)
            section = str(box.get("section") or "")
            if section and section not in sections:
                sections[section] = _add(nodes, row, "caption", box=_box(box))
                _add(nodes, sections[section], "", box=_box(box), text=section)
    return Scene(nodes, url=url, size=size)


def _add(nodes: list[Node], parent: int, tag: str, **fields: Any) -> int:
    nodes.append(Node(len(nodes), parent, tag, **fields))
    nodes[parent].children.append(len(nodes) - 1)
    return len(nodes) - 1


def _box(box: Mapping[str, Any]) -> tuple[int, int, int, int]:
    scale = float(box.get("scale") or 1)
    x, y, w, h = (round(float(box[key]) * scale) for key in ("x", "y", "w", "h"))
    return x, y, w, h


def _around(boxes: Sequence[Mapping[str, Any]]) -> tuple[int, int, int, int]:
    all_of = [_box(box) for box in boxes]
    left, top = min(b[0] for b in all_of), min(b[1] for b in all_of)
    right, bottom = max(b[0] + b[2] for b in all_of), max(b[1] + b[3] for b in all_of)
    return left, top, right - left, bottom - top


def _bands(boxes: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return boxes beside each other: of one named row, else at one height on the screen."""
    named: dict[str, list[Mapping[str, Any]]] = {}
    rest = []
    for box in boxes:
        if row := str(box.get("row") or ""):
            named.setdefault(row, []).append(box)
        else:
            rest.append(box)
    bands: list[list[Mapping[str, Any]]] = []
    rest.sort(key=lambda box: (_box(box)[1], _box(box)[0]))
    for box in rest:
        for band in reversed(bands[-6:]):
            if are_level(_around(band), _box(box)):
                band.append(box)
                break
        else:
            bands.append([box])
    for row, some in named.items():
        _, top, _, high = _around(some)
        name = next((band for band in bands if any(str(b.get("label")) == row for b in band)), None)
        if name is not None and any(
            _box(b)[1] < top + high and top < _box(b)[1] + _box(b)[3] for b in name
        ):
            name.extend(some)
        else:
            bands.append(some)
    return bands
