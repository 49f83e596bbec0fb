"""Boxes from whatever sees better than pixels alone: DOM, accessibility tree, detector, OCR.

::

    [{"x": 12, "y": 40, "w": 80, "h": 20, "label": "Save", "type": "button"}, ...]

``x``, ``y``, ``w`` and ``h`` are image pixels, whole or not. Optional: ``label`` (or ``text``),
``type`` (or ``kind``), ``source``, ``confidence`` (0 to 1) and ``scale``, which multiplies the
four numbers: boxes in CSS pixels fit a screenshot taken at its device pixel ratio. ``row`` and
``section`` name the row and the part of the page that the element stands in, ``beside`` a text next
to it; ``cut`` says that the
screen shows only the beginning of its label, ``field`` that a person types or chooses its contents,
``emptied`` that these contents are not in the screenshot, ``dynamic`` that its pixels change by
themselves, and ``covered`` (0 to 1) which share of it something hides. Other keys are ignored. In
a field, ``text`` is its contents and is left out; ``label`` is its name.
A needle of openQA is read, too: its areas to match are boxes, those to exclude are ignored. In Python a box may also be a tuple ``(x, y, w, h)`` or ``(x, y, w, h, label)``. One wrong
box refuses the whole list, so that nothing is learned by halves.
"""

from __future__ import annotations

import json
import math
import numbers
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from memctl.base.arguments import shown
from memctl.base.errors import UnusableInputError
from memctl.visual.boxes import Box
from memctl.visual.reading.input_files import quoted, read_limited

BoxTuple = tuple[float, float, float, float] | tuple[float, float, float, float, str]
BoxesSource = str | bytes | os.PathLike[str] | Iterable[Mapping[str, object] | BoxTuple]

DEFAULT_MAX_BOXES = 10_000
_MOST_BYTES = 64 * 1024 * 1024
# Kinds of elements whose contents a person types or chooses, as DOM and ARIA call them.
_FIELDS = frozenset(
    {"input", "textarea", "select", "textbox", "searchbox", "combobox", "spinbutton"}
)
_FIELD_WIDTH = 2
_SHAPE_HINT = 'write a JSON list: [{"x": 12, "y": 40, "w": 80, "h": 20, "label": "Save"}]'


@dataclass(frozen=True, slots=True)
class GivenBox:
    """One box that came with a screenshot, clipped to it; see the module for what is not here."""

    box: Box  # whole image pixels, at least 1 x 1, inside the image
    label: str = ""
    # kind, source: ``"button"``, ``"dom"``, ...; ``"element"`` and ``"given"`` if the source does
    # not say
    kind: str = "element"
    source: str = "given"
    confidence: float = 1.0
    clipped: bool = False  # whether a part of the element lies outside the image
    beside: str = ""
    row: str = ""
    section: str = ""
    cut: bool = False
    field: bool = False
    emptied: bool = False
    dynamic: bool = False
    covered: float = 0.0
    ignored: bool = False  # whether it is no component, but an area that is left out


def read_boxes(
    boxes: BoxesSource,
    *,
    width: int,
    height: int,
    scale: float = 1.0,
    max_boxes: int = DEFAULT_MAX_BOXES,
) -> list[GivenBox]:
    """Read and check a list of boxes.

    ``boxes``: a path to a JSON file; or JSON as text (it starts with ``[``) or bytes; or the boxes
    themselves, in any iterable, as mappings or tuples ``(x, y, w, h[, label])``. ``width``,
    ``height``: size of the image in pixels; boxes that reach over its edge are clipped. ``scale``:
    multiplies the boxes that have no ``scale`` of their own. ``max_boxes``: a longer list is
    refused. Raises UnusableInputError if it is no list of boxes, or for the first box that is
    wrong: the message has its index, counted from 0.
    """
    listed = _listed(boxes)
    if len(listed) > max_boxes:
        raise UnusableInputError(
            f"there are {len(listed):,} boxes; at most {max_boxes:,} are read",
            hint="leave out what cannot be seen",
        )
    return [_given(index, entry, width, height, scale) for index, entry in enumerate(listed)]


def _listed(boxes: object) -> Sequence[object]:
    if isinstance(boxes, str) and boxes.lstrip().startswith(("[", "{")):
        return _parsed(boxes.encode(errors="surrogatepass"), "the boxes")
    if isinstance(boxes, (bytes, bytearray)):
        return _parsed(bytes(boxes), "the boxes")
    if isinstance(boxes, (str, os.PathLike)):
        data = read_limited(boxes, most=_MOST_BYTES, what="a boxes file")
        return _parsed(data, quoted(boxes))
    if isinstance(boxes, Iterable) and not isinstance(boxes, Mapping):
        return list(boxes)
    return _list(boxes, "the boxes")


def _parsed(data: bytes, name: str) -> Sequence[object]:
    try:
        return _list(json.loads(data.decode("utf-8-sig")), name)
    except UnusableInputError:
        raise  # a ValueError too
    except json.JSONDecodeError as error:
        reason = f"{error.msg} in line {error.lineno}, column {error.colno}"
        raise UnusableInputError(f"{name} is not JSON: {reason}", hint=_SHAPE_HINT) from None
    except UnicodeDecodeError:
        raise UnusableInputError(f"{name} is not UTF-8 text", hint=_SHAPE_HINT) from None
    except (RecursionError, ValueError) as error:
        # A million brackets, or a number of more digits than Python is willing to read.
        raise UnusableInputError(f"{name} cannot be read as JSON: {error}") from None


def _list(value: object, name: str) -> Sequence[object]:
    if isinstance(value, Mapping) and isinstance(value.get("area"), list):
        return [_of_needle(area) for area in value["area"]]
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return value
    raise UnusableInputError(f"{name} should hold a list of boxes", hint=_SHAPE_HINT)


def _of_needle(area: object) -> object:
    """Return an area of a needle of openQA as a box."""
    if not isinstance(area, Mapping):
        return area
    names = {"x": "xpos", "y": "ypos", "w": "width", "h": "height"}
    box = {key: area[name] for key, name in names.items() if name in area}
    return {**box, "ignored": area.get("type") == "exclude"}


def _given(index: int, entry: object, width: int, height: int, scale: float) -> GivenBox:
    if hasattr(entry, "tolist"):  # a row of an array
        entry = tuple(entry.tolist())
    # A list in a file may mean corners as well: other detectors write these.
    if isinstance(entry, tuple):
        entry = _of_numbers(index, entry)
    if not isinstance(entry, Mapping):
        _refuse(index, "is no object with x, y, w and h")
    own_scale = _number(index, entry, "scale", scale)
    if own_scale <= 0:
        _refuse(index, f'has the "scale" {own_scale:g}; it must be above 0')
    whole = _rounded(index, entry, own_scale)
    box = _clipped(index, whole, width, height)
    kind = _text(index, entry, ("type", "kind"), "element")
    # Sources call checkboxes and colour wells inputs, too: those are no wider than high.
    is_field = kind.casefold() in _FIELDS and box.w > _FIELD_WIDTH * box.h
    field = _flag(index, entry, "field", default=is_field)
    return GivenBox(
        box,
        label=_text(index, entry, ("label",) if field else ("label", "text"), ""),
        kind=kind,
        source=_text(index, entry, ("source",), "given"),
        confidence=_share(index, entry, "confidence", 1.0),
        clipped=box != whole,
        beside=_text(index, entry, ("beside",), ""),
        row=_text(index, entry, ("row",), ""),
        section=_text(index, entry, ("section",), ""),
        cut=_flag(index, entry, "cut"),
        field=field,
        emptied=_flag(index, entry, "emptied"),
        dynamic=_flag(index, entry, "dynamic"),
        covered=_share(index, entry, "covered", 0.0),
        ignored=_flag(index, entry, "ignored"),
    )


def _of_numbers(index: int, numbers: tuple[object, ...]) -> Mapping[str, object]:
    """Return a box that is given as four numbers, perhaps with a label behind them."""
    names = ("x", "y", "w", "h", "label")
    if not len(names) - 1 <= len(numbers) <= len(names):
        _refuse(index, f"has {len(numbers)} members, not four numbers and perhaps a label")
    return dict(zip(names, numbers, strict=False))


def _rounded(index: int, entry: Mapping[str, object], scale: float) -> Box:
    x, y, w, h = (_number(index, entry, key, None) * scale for key in ("x", "y", "w", "h"))
    if w <= 0 or h <= 0:
        _refuse(index, f"has the size {w:g}x{h:g}; both sides must be above 0")
    if not all(map(math.isfinite, (x, y, x + w, y + h))):
        _refuse(index, "is larger than any screen")
    left, right = _edges(x, x + w)
    top, bottom = _edges(y, y + h)
    return Box(left, top, right - left, bottom - top)


def _edges(start: float, end: float) -> tuple[int, int]:
    """Round both edges to the nearest pixel; what would vanish keeps the pixels that it touches."""
    near = math.floor(start + 0.5), math.floor(end + 0.5)
    return near if near[0] < near[1] else (math.floor(start), math.ceil(end))


def _clipped(index: int, whole: Box, width: int, height: int) -> Box:
    left, top = max(whole.x, 0), max(whole.y, 0)
    right, bottom = min(whole.right, width), min(whole.bottom, height)
    if left >= right or top >= bottom:
        place = f"({whole.x}, {whole.y}, {whole.w}x{whole.h})"
        _refuse(index, f"at {place} lies outside the image of {width}x{height}")
    return Box(left, top, right - left, bottom - top)


def _number(index: int, entry: Mapping[str, object], key: str, default: float | None) -> float:
    value = entry.get(key)
    if value is None and default is not None:
        return default
    if value is None:
        _refuse(index, f'has no "{key}"')
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        _refuse(index, f'has a "{key}" that is no number: {shown(value)}')
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        _refuse(index, f'has a "{key}" that is not finite')
    return number


def _share(index: int, entry: Mapping[str, object], key: str, default: float) -> float:
    share = _number(index, entry, key, default)
    if not 0 <= share <= 1:
        _refuse(index, f'has the "{key}" {share:g}; it must be between 0 and 1')
    return share


def _flag(index: int, entry: Mapping[str, object], key: str, *, default: bool = False) -> bool:
    value = entry.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        _refuse(index, f'has a "{key}" that is neither true nor false: {shown(value)}')
    return value


def _text(index: int, entry: Mapping[str, object], keys: tuple[str, ...], default: str) -> str:
    for key in keys:
        value = entry.get(key)
        if value is not None and not isinstance(value, str):
            _refuse(index, f'has a "{key}" that is no text: {shown(value)}')
        if value:
            return value
    return default


def _refuse(index: int, what: str) -> NoReturn:
    raise UnusableInputError(f"box {index} {what}", hint="nothing was learned; correct the box")
