"""Learn screens of four real apps and meet them again: other version or data, theme, size, scale.

    python -m benchmarks.realapp [--app jupyterlab,django] [--cache DIR] [--worst 20] [--pictures DIR]

JupyterLab 4.1 and 4.6, Django's admin, sqlite-web and mlflow are installed from PyPI into
environments of their own, once, and served on loopback. Screens are learned at 1440 x 900 with and
without a page name, and met unchanged, in 4.6 or with other data, in the dark theme, at 1280 x 720
and at scale 1.5. The document of the screen is the truth.
The raw figures go to ``benchmarks/results/realapp.json``. Needs Chromium, Chrome or Edge and
the extra ``browser``.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
from PIL import Image

import memctl
from benchmarks.keeping import FOLDER, keep
from benchmarks.realapp.capture import CONDITIONS, LEARNED, Shot, shots
from benchmarks.realapp.environment import CACHE, VERSIONS, NotInstalledError
from benchmarks.realapp.meeting import Pupil
from benchmarks.realapp.report import print_learned, print_met, print_worst
from benchmarks.realapp.web_apps import WEB_APPS, web_shots
from memctl_cli.drawing.marks import draw_match

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MODES = {"with page names": True, "without page names": False}
PICTURES = (("unchanged", "notebook"), ("version 4.6", "notebook"), ("unchanged", "folder"))


def main() -> None:
    """Look at everything, learn and meet it in both modes, print, write the raw figures."""
    options = _options()
    cv2.setNumThreads(1)
    figures: dict[str, Any] = {}
    for name, (requirement, looking) in APPS.items():
        if options.app and name not in options.app.split(","):
            continue
        try:
            looks = looking(options.cache)
        except NotInstalledError as error:
            print(f"skipped: {requirement} cannot be installed from PyPI: {error}", file=sys.stderr)
            continue
        figures[name] = {"app": requirement}
        for mode, named in MODES.items():
            pictures = options.pictures if named and name == "jupyterlab" else None
            run = _run(looks, named=named, pictures=pictures)
            print_learned(f"{requirement}, learned {mode}", run)
            print_met(run["met"])
            if options.worst:
                print_worst(run["met"], options.worst)
            figures[name][mode] = run
    print(f"raw figures: {keep('realapp', figures, options.out)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.realapp")
    parser.add_argument("--app", help="only these: " + ",".join(APPS))
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    parser.add_argument("--worst", type=int, default=0, help="wrong ones to list a condition")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of what was found")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    return parser.parse_args()


def _looks(cache: Path) -> dict[str, list[Shot]]:
    """Look at all screens in all conditions before anything is measured."""
    looks = {}
    for condition in (LEARNED, *CONDITIONS):
        print(f"looking: JupyterLab {VERSIONS[condition.version]}, {condition.name}", flush=True)
        looks[condition.name] = list(shots(condition, cache))
    return looks


APPS: Mapping[str, tuple[str, Callable[[Path], dict[str, list[Shot]]]]] = {
    "jupyterlab": (f"JupyterLab {VERSIONS[LEARNED.version]}", _looks),
    **{web.app.name: (web.app.requirement, partial(web_shots, web)) for web in WEB_APPS},
}
"""App to what is installed, and to a function that looks at its screens in all conditions."""


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
        return {
            "states": len(pupil.screens),
            "steps": pupil.steps,
            "names": pupil.names(),
            "met": met,
        }


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
