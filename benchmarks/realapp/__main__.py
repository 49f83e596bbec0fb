"""Learn screens of four real apps and meet them again: other version or data, theme, size, scale.

    python -m benchmarks.realapp [--app jupyterlab,django] [--cache DIR] [--pictures DIR]

JupyterLab 4.1 and 4.6, Django's admin, sqlite-web and mlflow are installed from PyPI into
environments of their own, once, and served on loopback. Screens are learned at 1440 x 900 with and
without a page name, and met unchanged, in 4.6 or with other data, in the dark theme, at 1280 x 720
and at scale 1.5. The document of the screen is the truth. Needs Chromium, Chrome or Edge and the
extra ``browser``.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import cv2
from PIL import Image

import memctl
from benchmarks.realapp.environment import CACHE, VERSIONS, NotInstalledError
from benchmarks.realapp.looking import LEARNED, Shot, lab_shots, web_shots
from benchmarks.realapp.meeting import Pupil
from benchmarks.realapp.web import WEB_APPS
from benchmarks.running import arguments, keep, listed, print_table, share
from memctl_cli.drawing.marks import draw_match

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Row = dict[str, Any]
MODES = {"with page names": True, "without page names": False}
PICTURES = (("unchanged", "notebook"), ("version 4.6", "notebook"), ("unchanged", "folder"))
# App to what is installed, and to a function that looks at its screens in all conditions.
APPS: Mapping[str, tuple[str, Callable[[Path], dict[str, list[Shot]]]]] = {
    "jupyterlab": (f"JupyterLab {VERSIONS[LEARNED.version]}", lab_shots),
    **{web.name: (web.requirement, partial(web_shots, web)) for web in WEB_APPS},
}
_CAPTION = (
    "right: its own screen; other: taken for another; unknown: for none. found: elements of the "
    "document that are known and were found at their place; absent: there and not found; wrong: "
    "components found where the document has another label, kind or row. s: median of a match."
)


def main(words: Sequence[str] | None = None) -> None:
    """Look at everything, learn and meet it in both modes, print, write the raw figures."""
    parser = arguments(__doc__, "realapp")
    parser.add_argument("--app", type=listed, default=[*APPS], help="only these")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of what was found")
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    figures: Row = {}
    for name in options.app:
        requirement, looking = APPS[name]
        try:
            looks = looking(options.cache)
        except NotInstalledError as error:
            print(f"skipped: {requirement} cannot be installed from PyPI: {error}", file=sys.stderr)
            continue
        figures[name] = {"app": requirement}
        for mode, named in MODES.items():
            pictures = options.pictures if named and name == "jupyterlab" else None
            run = _run(looks, named=named, pictures=pictures)
            _print(f"{requirement}, learned {mode}", run)
            figures[name][mode] = run
    keep("realapp", figures, options.out)


def _run(
    looks: Mapping[str, Sequence[Shot]], *, named: bool, pictures: Path | None
) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory(prefix="memctl-realapp-") as home,
        memctl.open("realapp", home=home) as memory,
    ):
        pupil = Pupil(memory, named)
        for shot in looks[LEARNED.name]:
            pupil.learn(shot)
        again = [name for name in looks if name != LEARNED.name]
        met = {name: [pupil.meet(shot) for shot in looks[name]] for name in again}
        if pictures is not None:
            _save_pictures(memory, looks, pictures)
        return {"states": len(pupil.screens), "steps": pupil.steps, "met": met}


def _print(title: str, run: Row) -> None:
    """Print what was learned, and how the screens were met again."""
    steps = run["steps"]
    learned = sum(one["learned"] for one in steps)
    print(
        f"{title}: {len(steps)} screens, {run['states']} states, {learned} components; median seconds: "
        f"look {_median(steps, 'look_s')}, learn {_median(steps, 'learn_s')}"
    )
    cells = []
    for condition, rows in run["met"].items():
        answers = Counter(row["answer"] for row in rows)
        found = sum(row["found"] for row in rows)
        absent, wrong = (sum(len(row[key]) for row in rows) for key in ("absent", "wrong"))
        known = (answers[one] for one in ("right", "other", "unknown"))
        counts = share(found, found + absent), absent, wrong
        cells.append((condition, *known, *counts, _median(rows, "match_s")))
    heads = ("met again", "right", "other", "unknown", "found", "absent", "wrong", "s")
    print_table(title, heads, cells, _CAPTION)


def _median(rows: Sequence[Row], key: str) -> str:
    return f"{median(row[key] for row in rows):.2f}"


def _save_pictures(
    memory: memctl.Memory, looks: Mapping[str, Sequence[Shot]], folder: Path
) -> None:
    """Save what matches found on some screens, in 128 colours."""
    folder.mkdir(parents=True, exist_ok=True)
    for condition, screen in PICTURES:
        look = next(one.look for one in looks[condition] if one.screen == screen)
        drawn = draw_match(look.png, memory.match(look, record=False))
        file = folder / f"jupyterlab-{condition}-{screen}.png".replace(" ", "-")
        with Image.open(io.BytesIO(drawn)) as picture:
            picture.quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
