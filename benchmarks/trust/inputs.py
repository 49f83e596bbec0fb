"""Pictures of every size and kind at every door that takes one: seconds, memory, outcome.

Each trial is a process of its own, forked from one that has loaded memctl. A picture is done in 2 seconds of
the processor and 400 MB above what that process had, or refused before it is decoded. Learning adds 3 ms
for each component that is new; nothing takes more than 1,000 of them off a picture.
"""

from __future__ import annotations

import io
import json
import os
import resource
import struct
import tempfile
import time
import zlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

import memctl
from benchmarks.trust.verdict import Verdict
from memctl.visual.reading.image import load_frame
from memctl.visual.reading.proposals import propose

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from memctl.visual.frame import Pixels

SIZES = (1.0, 4.0, 8.0, 16.0, 20.4, 24.0, 40.0)  # megapixels
SECONDS, MEGABYTES = 2.0, 400.0
EACH = 0.003  # seconds of a component that is learned
HEADS = ("door", "picture", "MP", "s", "MB", "outcome")
_WORDS = ("Save", "Open", "Delete", "Settings", "Invoice", "Log out", "Cancel", "Report")


def options(parser: argparse.ArgumentParser) -> None:
    """Add what this trial can be told."""
    parser.add_argument("--sizes", type=float, nargs="+", default=SIZES, help="megapixels")
    parser.add_argument("--pictures", nargs="+", choices=[*DRAWN, *PACKED], help="only these")


def run(options: argparse.Namespace) -> Verdict:
    """Put every picture through every door; one that costs more than was promised is a broken promise."""
    names = options.pictures or [*DRAWN, *PACKED]
    cases = [
        (name, size) for name in names for size in (options.sizes if name in DRAWN else (4.0,))
    ]
    rows: list[tuple[object, ...]] = []
    broken: list[tuple[int, str]] = []
    end = time.monotonic() + (options.seconds or float("inf"))
    for number, (name, size) in enumerate(cases):
        if time.monotonic() > end or options.only not in {None, number}:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "picture")
            _forked(partial(_packed, name, size, options.seed, path))
            for door, enter in DOORS.items():
                seconds, megabytes, said, new = _forked(partial(_entered, enter, folder, path))
                rows.append((door, name, size, f"{seconds:.2f}", f"{megabytes:.0f}", said))
                if seconds > SECONDS + EACH * new or megabytes > MEGABYTES or "!" in said:
                    broken.append((number, f"{door} of {name} at {size} MP: {rows[-1][3:]}"))
    return Verdict("Pictures at every door", HEADS, rows, broken, __doc__.partition("\n\n")[2])


# -- doors ------------------------------------------------------------------------------------


def _learn(folder: str, path: Path) -> tuple[str, int]:
    with memctl.open("app", home=folder) as memory:
        new = len(memory.learn(path).learned)
    return f"{new} learned", new


def _learn_given(folder: str, path: Path) -> tuple[str, int]:
    places = [(x, y) for y in range(6, 600, 26) for x in range(6, 1000, 80)]
    boxes = [{"x": x, "y": y, "w": 73, "h": 21, "type": "button"} for x, y in places]
    with memctl.open("given", home=folder) as memory:
        new = len(memory.learn(path, boxes).learned)
    return f"{new} learned", new


def _match(folder: str, path: Path) -> tuple[str, int]:
    with memctl.open("app", home=folder) as memory:
        return f"{len(memory.match(path).sightings)} found", 0


def _locate(folder: str, path: Path) -> tuple[str, int]:
    with memctl.open("app", home=folder) as memory:
        first = next(iter(memory.components.list(limit=1)), None)
        if first is None:
            return "nothing to ask for", 0
        return "found" if memory.locate(first.id, path) else "absent", 0


def _diff(folder: str, path: Path) -> tuple[str, int]:
    with memctl.open("app", home=folder) as memory:
        return f"{len(memory.diff(path, path).changes)} changes", 0


def _screenshots(folder: str, path: Path) -> tuple[str, int]:
    with memctl.open("many", home=folder) as memory:
        answers = list(memory.screenshots.learn(path))
    return "; ".join(one.why or one.status for one in answers), answers[0].learned


def _propose(_: str, path: Path) -> tuple[str, int]:
    return f"{len(propose(load_frame(path)))} boxes", 0


DOORS: Mapping[str, Callable[[str, Path], tuple[str, int]]] = {
    "propose": _propose,
    "learn": _learn,
    "learn with boxes": _learn_given,
    "match": _match,
    "locate": _locate,
    "diff": _diff,
    "screenshots": _screenshots,
}


def _entered(
    enter: Callable[[str, Path], tuple[str, int]], folder: str, path: Path
) -> list[object]:
    before, began = _megabytes(), time.process_time()
    try:
        said, new = enter(folder, path)
    except memctl.MemctlError as error:
        said, new = f"refused: {error.message.replace(str(path), 'it')}", 0
    except Exception as error:  # noqa: BLE001  (that is what is looked for)
        said, new = f"! {type(error).__name__}: {error}", 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    return [time.process_time() - began, peak - before, said, new]


def _megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _forked(call: Callable[[], object]) -> Any:
    """Return what a call returns in a process of its own; one that dies broke a promise."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, json.dumps(call()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else [0.0, 0.0, "! the process died", 0]


# -- pictures ---------------------------------------------------------------------------------


def _packed(name: str, size: float, seed: int, path: Path) -> None:
    width = round((size * 16e6 / 9) ** 0.5)
    if name in DRAWN:
        picture = DRAWN[name](width, round(size * 1e6 / width), np.random.default_rng(seed))
        path.write_bytes(_png(picture))
    else:
        path.write_bytes(PACKED[name](_page(2667, 1500, np.random.default_rng(seed))))


def _png(picture: Pixels) -> bytes:
    return cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


def _page(width: int, height: int, random: np.random.Generator) -> Pixels:
    """Draw cards of small print, each with a button."""
    picture = np.full((height, width, 3), 255, np.uint8)
    for top in range(20, height - 260, 280):
        for left in range(20, width - 400, 420):
            cv2.rectangle(picture, (left, top), (left + 400, top + 260), (215, 215, 215), 1)
            for line in range(7):
                text = " ".join(
                    [*random.choice([*"abcdefghijklmno"], 6), str(random.integers(9999))]
                )
                _write(picture, text, left + 12, top + 28 + line * 24)
            cv2.rectangle(
                picture, (left + 12, top + 210), (left + 112, top + 242), (200, 120, 40), -1
            )
            _write(picture, str(random.choice(_WORDS)), left + 26, top + 231)
    return picture


def _write(picture: Pixels, text: str, x: int, y: int) -> None:
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (40, 40, 40), 1, cv2.LINE_AA)


def _widgets(width: int, height: int, _: np.random.Generator) -> Pixels:
    picture = np.full((height, width, 3), 245, np.uint8)
    for y in range(6, height - 24, 26):
        for x in range(6, width - 76, 80):
            cv2.rectangle(picture, (x, y), (x + 72, y + 20), (150, 150, 150), 1)
            _write(picture, f"{_WORDS[x % 8]}{x * y % 997}", x + 4, y + 14)
    return picture


def _noise(width: int, height: int, random: np.random.Generator) -> Pixels:
    return random.integers(0, 256, (height, width, 3), dtype=np.uint8)


def _photo(width: int, height: int, random: np.random.Generator) -> Pixels:
    picture = np.zeros((height, width, 3), np.float32)
    for step in (8, 32, 128):
        few = random.random((height // step + 2, width // step + 2, 3), dtype=np.float32)
        picture += 85 * np.asarray(cv2.resize(few, (width, height), interpolation=cv2.INTER_CUBIC))
    return picture.clip(0, 255).astype(np.uint8)


def _dots(width: int, height: int, random: np.random.Generator) -> Pixels:
    tile = np.full((18, 18, 3), 255, np.uint8)
    tile[:10, :10][random.random((10, 10)) > 0.5] = 20
    return np.tile(tile, (height // 18 + 1, width // 18 + 1, 1))[:height, :width].copy()


def _chequers(width: int, height: int, _: np.random.Generator) -> Pixels:
    tile = np.array([[0, 255], [255, 0]], np.uint8)[:, :, None].repeat(3, axis=2)
    return np.tile(tile, (height // 2 + 1, width // 2 + 1, 1))[:height, :width].copy()


def _grid(width: int, height: int, _: np.random.Generator) -> Pixels:
    picture = np.full((height, width, 3), 255, np.uint8)
    picture[::20] = picture[:, ::60] = 90
    return picture


def _flat(width: int, height: int, _: np.random.Generator) -> Pixels:
    return np.full((height, width, 3), 200, np.uint8)


DRAWN: Mapping[str, Callable[[int, int, np.random.Generator], Pixels]] = {
    "page": _page,
    "widgets": _widgets,
    "photo": _photo,
    "dots": _dots,
    "noise": _noise,
    "chequers": _chequers,
    "grid": _grid,
    "flat": _flat,
}


def _saved(picture: Pixels, mode: str, kind: str, **how: Any) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(picture[:, :, ::-1]).convert(mode).save(out, kind, **how)
    return out.getvalue()


def _frames(picture: Pixels) -> bytes:
    from PIL import Image

    return _saved(
        picture, "RGB", "PNG", save_all=True, append_images=[Image.new("RGB", (2667, 1500))] * 30
    )


def _sized(width: int, height: int, picture: Pixels) -> bytes:
    """Return a PNG whose header names another size."""
    data = _png(picture)
    head = b"IHDR" + struct.pack(">II", width, height) + data[24:29]
    return data[:12] + head + struct.pack(">I", zlib.crc32(head)) + data[33:]


def _chunked(picture: Pixels) -> bytes:
    """Return a PNG with 60 MB of text in it."""
    data, body = _png(picture), b"tEXtComment\0" + b"x" * 60_000_000
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return data[:33] + chunk + data[33:]


PACKED: Mapping[str, Callable[[Pixels], bytes]] = {
    "strip of 100,000 x 400": lambda _: _png(np.full((400, 100_000, 3), 255, np.uint8)),
    "16-bit": lambda picture: cv2.imencode(".png", picture.astype(np.uint16) * 257)[1].tobytes(),
    "transparent": lambda picture: _saved(picture, "RGBA", "PNG"),
    "palette": lambda picture: _saved(picture, "P", "PNG"),
    "grey": lambda picture: _saved(picture, "L", "PNG"),
    "cmyk progressive": lambda picture: _saved(picture, "CMYK", "JPEG", progressive=True),
    "exif rotated": lambda picture: _saved(picture, "RGB", "JPEG", exif=_turned()),
    "tiff": lambda picture: _saved(picture, "RGB", "TIFF"),
    "webp": lambda picture: _saved(picture, "RGB", "WEBP"),
    "huge profile": lambda picture: _saved(picture, "RGB", "JPEG", icc_profile=b"x" * 1_000_000),
    "31 frames": _frames,
    "60 MB of text": _chunked,
    "bomb": partial(_sized, 60_000, 60_000),
    "header too small": partial(_sized, 30, 30),
    "header too large": partial(_sized, 4000, 4000),
    "cut off": lambda picture: _png(picture)[:-5000],
}


def _turned() -> bytes:
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6
    return exif.tobytes()
