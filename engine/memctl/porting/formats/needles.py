"""openQA needles: screenshots, and beside each a JSON file of the same name with the areas that matter.

A screenshot is learned as a page that is called by the needle's first tag. Its areas to match
become components named by that tag, those with a text to read (``ocr``) components with that label;
areas to exclude are kept with the state as areas that do not count. How alike an area must be, how
far it may move, and properties such as ``workaround`` have no place here.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from memctl.base.counting import counted
from memctl.base.errors import MemctlError, UnusableInputError
from memctl.porting.foreign_records import Format, NeedleArea, NeedleRecord, UnreadRecord
from memctl.porting.foreign_values import (
    number_of,
    object_in,
    picture_in,
    strings_of,
    text_of_value,
)
from memctl.porting.safe_files import files_in, json_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import Records

_ASKED = 50  # JSON files of a folder that are looked at
_KINDS = frozenset({"match", "ocr", "exclude"})
_ENVIRONMENT = "ENV-"  # begins tags that say where a test runs, not what is on the screen
_SIDES = ("xpos", "ypos", "width", "height")


def _recognises(path: Path) -> bool:
    """Return True for a needle, or a folder of needles."""
    if path.is_file():
        return _is_needle(path)
    return any(map(_is_needle, islice(files_in(path, ".json"), _ASKED)))


def _is_needle(path: Path) -> bool:
    if path.suffix != ".json" or not path.with_suffix(".png").is_file():
        return False
    try:
        content = json_of(path)
    except MemctlError:
        return False
    return isinstance(content, dict) and isinstance(content.get("area"), list)


def _read(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the needles of a folder, those of its folders too; name what cannot be read."""
    del options
    folder = path if path.is_dir() else path.parent
    tags, points = 0, 0
    for file in files_in(folder, ".json") if path.is_dir() else [path]:
        where = file.relative_to(folder).as_posix()
        try:
            needle = object_in(file, folder)
            areas = _areas(needle)
            screen = picture_in(folder, file.with_suffix(".png").relative_to(folder).as_posix())
        except UnusableInputError as error:
            yield UnreadRecord(where, error.message)
            continue
        named = strings_of(needle.get("tags"))
        pages = [tag for tag in named if not tag.startswith(_ENVIRONMENT)]
        tags += len(pages[1:])
        points += sum(map(_has_point, needle["area"]))
        page = pages[0] if pages else file.stem
        yield NeedleRecord(where=where, page=page, areas=areas, screen=screen)
    if tags or points:
        left = f"not kept: {counted(tags, 'further tag')}, {counted(points, 'click point')}"
        why = f"{left} (an act clicks the middle of a component)"
        yield UnreadRecord(folder.name, why, counts=False)


def _areas(needle: Mapping[str, Any]) -> tuple[NeedleArea, ...]:
    listed = needle.get("area")
    if not isinstance(listed, list):
        raise UnusableInputError("it is no needle: it has no list of areas")
    return tuple(map(_area, listed))


def _area(given: object) -> NeedleArea:
    about = given if isinstance(given, dict) else {}
    kind = text_of_value(about.get("type", "match"))
    # openQA takes what is missing for 0.
    x, y, w, h = (round(number_of(about.get(side, 0)) or 0) for side in _SIDES)
    text = text_of_value(about.get("refstr"))
    why = ""
    if not isinstance(given, dict):
        why = "is no object"
    elif kind not in _KINDS:
        why = f'is of the unknown type "{kind:.40}"'
    elif w < 1 or h < 1:
        why = "is empty"
    elif kind == "ocr" and not text:
        why = "says no text to read"
    return NeedleArea(kind, (x, y, w, h), text, why)


def _has_point(area: object) -> bool:
    """Return whether an area has a click point beside its middle."""
    point = area.get("click_point") if isinstance(area, dict) else None
    if not isinstance(area, dict) or not isinstance(point, dict):
        return False
    sides = (("xpos", "width"), ("ypos", "height"))
    apart = ((number_of(point.get(at)), number_of(area.get(side))) for at, side in sides)
    return any(abs((at or 0) - (side or 0) / 2) > 1 for at, side in apart)


FORMATS = {"needles": Format(_recognises, _read)}
