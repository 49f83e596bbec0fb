"""Time and recall of the shipped matcher against brute force in one run, and on lossy screenshots."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from benchmarks.matching.oracle import Truth, brute_force, passes
from benchmarks.matching.shots import Crop, Shot, templates
from memctl.visual.frame import Frame
from memctl.visual.matching.find import find
from memctl.visual.matching.template_set import TemplateSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.visual.match_results import MatchSettings, SearchResult

Picture = np.ndarray[Any, np.dtype[np.uint8]]
# By screenshot: one truth for each crop of the memory.
Truths = dict[str, list[Truth]]

REPEATS = 3
BESIDE = 8  # templates that brute force is timed on beside every match
HEADS = ("N", "setting", "", "ms", "p95", "cpu", "times", "hits", "found", "identical", "extra")
CAPTION = (
    "Of the templates that brute force verifies on a screenshot, hits are given to the caller; found "
    "counts those too that lost their every place to a look-alike that fits better. identical: "
    "pixel-identical places. extra: places that do not pass the definition."
)


@dataclass
class Row:
    """One line of the table: one memory size, one setting, cold or warm."""

    n: int
    setting: str
    warmth: str
    ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    brute_cpu_ms: list[float] = field(default_factory=list)
    expected: int = 0
    hits: int = 0
    found: int = 0
    identical: int = 0
    identical_found: int = 0
    extra: int = 0

    @property
    def ratio(self) -> float:
        """Median time of brute force over median time of the matcher, in processor time.

        Both are one thread of one process at the same moment; processor time leaves out
        what other processes of a shared machine take.
        """
        return float(np.median(self.brute_cpu_ms) / np.median(self.cpu_ms))

    def as_json(self) -> dict[str, Any]:
        """Return the raw figures."""
        return {**asdict(self), "ratio": self.ratio}

    def cells(self) -> tuple[object, ...]:
        """Return the row of the table."""
        times = np.median(self.ms), np.percentile(self.ms, 95), np.median(self.cpu_ms)
        of = max(self.expected, 1)
        return (
            *(self.n, self.setting, self.warmth, *(f"{ms:.1f}" for ms in times)),
            *(f"{self.ratio:.0f}x", f"{self.hits / of:.1%}", f"{self.found / of:.1%}"),
            *(f"{self.identical_found}/{self.identical}", self.extra),
        )


def truths(listed: list[Shot], memory: list[Crop]) -> Truths:
    """Ask brute force about every crop on every screenshot; minutes of work."""
    answers = {}
    for shot in listed:
        frame = shot.frame
        answers[shot.path.name] = [brute_force(frame.bgr, frame.gray, c.bgr) for c in memory]
        seconds = sum(truth.ms for truth in answers[shot.path.name]) / 1000
        print(f"brute force, {len(memory)} templates on {shot.path.name}: {seconds:.0f} s")
    return answers


def measure(
    listed: list[Shot],
    memory: list[Crop],
    truth: Truths,
    setting: tuple[str, MatchSettings],
    *,
    warm: bool,
) -> Row:
    """Match a memory on every screenshot: the median of three, frame decoded, all stages.

    Cold has no last places; warm has them.
    """
    row = Row(len(memory), setting[0], "warm" if warm else "cold")
    known = TemplateSet(templates(memory, remember=warm))
    for shot in listed:
        pixels = shot.frame.bgr
        row.brute_cpu_ms.append(len(memory) * _beside(Frame(pixels), memory))
        took = []
        for _ in range(REPEATS):
            frame = Frame(pixels)
            cpu, wall = time.thread_time(), time.perf_counter()
            findings = find(frame, known, settings=setting[1])
            wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
            took.append((wall * 1000, cpu * 1000))
        ms, cpu_ms = np.median(took, axis=0)
        row.ms.append(float(ms))
        row.cpu_ms.append(float(cpu_ms))
        _count(row, findings, truth[shot.path.name][: len(memory)], memory, pixels)
    return row


def _beside(frame: Frame, some: list[Crop]) -> float:
    """Return processor milliseconds of brute force for one template, the mean over a few."""
    sample = some[:: max(len(some) // BESIDE, 1)][:BESIDE]
    grays = [cv2.cvtColor(crop.bgr, cv2.COLOR_BGR2GRAY) for crop in sample]
    screen = frame.gray
    started = time.thread_time()
    for gray in grays:
        cv2.minMaxLoc(cv2.matchTemplate(screen, gray, cv2.TM_CCOEFF_NORMED))
    return (time.thread_time() - started) * 1000 / len(sample)


def _count(
    row: Row, findings: SearchResult, expected: list[Truth], some: list[Crop], pixels: Any
) -> None:
    got: dict[int, set[tuple[int, int]]] = {}
    for place in findings.places:
        got.setdefault(place.template_id, set()).add((place.box.x, place.box.y))
    given = {hit.template_id for hit in findings.hits}
    for key, one in enumerate(expected):
        spots = got.get(key, set())
        wanted = one.verified | one.identical
        row.expected += bool(wanted)
        row.hits += bool(wanted) and key in given
        row.found += bool(wanted and spots)
        row.identical += len(one.identical)
        row.identical_found += len(one.identical & spots)
        row.extra += sum(not passes(pixels, some[key].bgr, spot) for spot in spots - wanted)


# -- lossy screenshots -----------------------------------------------------------------------


def _jpeg(picture: Picture) -> Picture:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def _half_pixel(picture: Picture) -> Picture:
    shift = np.array([[1, 0, 0.5], [0, 1, 0.5]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


DISTURBANCES: dict[str, Callable[[Picture], Picture]] = {
    "JPEG quality 80": _jpeg,
    "half-pixel shift": _half_pixel,
}


def disturbed(
    listed: list[Shot], memory: list[Crop], truth: Truths, settings: MatchSettings
) -> list[dict[str, Any]]:
    """Count what is found cold on disturbed screenshots.

    Asked for are the templates that brute force verifies on the undisturbed screenshot;
    expected are those that it verifies on the disturbed one too.
    """
    rows = []
    for name, disturb in DISTURBANCES.items():
        row: dict[str, Any] = {"disturbance": name, "expected": 0, "found": 0, "extra": 0}
        for shot in listed:
            frame = Frame(disturb(shot.frame.bgr))
            some = [memory[i] for i, one in enumerate(truth[shot.path.name]) if one.verified]
            wanted = [brute_force(frame.bgr, frame.gray, crop.bgr).verified for crop in some]
            known = TemplateSet(templates(some, remember=False))
            places = find(frame, known, settings=settings).places
            found = {place.template_id for place in places}
            row["expected"] += sum(map(bool, wanted))
            row["found"] += sum(bool(spots) and key in found for key, spots in enumerate(wanted))
            row["extra"] += sum(
                (p.box.x, p.box.y) not in wanted[p.template_id]
                and not passes(frame.bgr, some[p.template_id].bgr, (p.box.x, p.box.y))
                for p in places
            )
        rows.append(row)
    return rows
