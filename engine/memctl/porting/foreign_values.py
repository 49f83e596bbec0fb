"""Values of strangers' JSON: of the kind that is due, within bounds, or left out.

A file or picture that cannot be used is an `UnusableInputError`.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UnusableInputError, UsageError
from memctl.porting.foreign_records import PictureFile
from memctl.porting.safe_files import is_within, json_of
from memctl.visual.reading.input_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_PICTURE = 64 * 1024 * 1024
_FAR = 1_000_000_000


def object_in(path: Path, folder: Path) -> Mapping[str, Any]:
    """Return the object of a JSON file in a folder, nothing where there is no file."""
    if not path.exists():
        return {}
    if not is_within(path, folder.resolve()):
        raise UnusableInputError(f'"{path}" leads out of its folder', hint="copy the file there")
    content = json_of(path)
    if not isinstance(content, dict):
        raise UnusableInputError(
            f'"{path}" holds a {type(content).__name__} where an object is due',
            hint="it is none of this format, or damaged",
        )
    return content


def text_of_value(value: object) -> str:
    """Return a text, a number as text; nothing for anything else."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def strings_of(value: object) -> tuple[str, ...]:
    """Return the texts of a list; a text alone is a list of one."""
    listed = value if isinstance(value, list) else [value]
    return tuple(text for text in map(text_of_value, listed) if text)


def number_of(value: object, default: float | None = None) -> float | None:
    """Return a finite number of at most 9 digits, or the default."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return default
    return float(value) if abs(value) <= _FAR else default  # nor is NaN


def whole(value: object, default: int, *, least: int = 0) -> int:
    """Return a whole number of at least `least`, or the default."""
    number = number_of(value)
    return default if number is None or number < least else int(number)


def time_of(value: object) -> str | None:
    """Return a time, one without a zone as UTC; ``None`` for what is none."""
    try:
        return clock.parse_time(value) if isinstance(value, str) and value else None
    except UsageError:
        return None


def size_of(value: object) -> tuple[int, int] | None:
    """Return a width and a height, both at least 1; ``None`` for anything else."""
    sides = [whole(side, 0) for side in value] if isinstance(value, list) else []
    return (sides[0], sides[1]) if len(sides) == 2 and min(sides) > 0 else None  # noqa: PLR2004


def middle_of(region: object) -> tuple[float, float] | None:
    """Return the middle of a region: [x, y, w, h], or an object of these."""
    if isinstance(region, dict):
        region = [region.get(key) for key in "xywh"]
    sides = [number_of(side) for side in region] if isinstance(region, list) else []
    if len(sides) != 4 or None in sides:  # noqa: PLR2004
        return None
    x, y, w, h = (side or 0.0 for side in sides)
    return x + w / 2, y + h / 2


def picture_in(folder: Path, name: object, *, scale: float = 1.0) -> PictureFile:
    """Return a picture of a folder by its name there."""
    if not isinstance(name, str) or not name:
        raise UnusableInputError("no picture is named")
    try:
        path = Path(os.path.realpath(folder / name))
        inside = path.is_relative_to(folder.resolve())
    except (OSError, ValueError):
        raise UnusableInputError("its picture has an impossible name") from None
    if not inside:
        raise UnusableInputError("its picture lies outside of the folder")
    data = read_limited(path, most=_MOST_PICTURE, what="a picture")
    return PictureFile(path, hashlib.sha256(data).hexdigest(), scale)
