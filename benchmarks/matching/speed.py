"""Time and recall of the shipped matcher against brute force, in one run."""

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

__all__ = ["HEADER", "Row", "beside", "measure", "truths"]

Truths = dict[str, list[Truth]]
"""By screenshot: one truth for each crop of the memory."""

REPEATS = 3
BESIDE = 8
"""Templates that brute force is timed on beside every match."""


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
    places: int = 0
    places_found: int = 0
    identical: int = 0
    identical_found: int = 0
    extra: int = 0
    outranked: int = 0
    stages: dict[str, int] = field(default_factory=dict)
    stage_ms: dict[str, list[float]] = field(default_factory=dict)

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

    def line(self) -> str:
        """Return the row of the table."""
        stages = sum(self.stages.values()) or 1
        share = " ".join(f"{k} {v / stages:.0%}" for k, v in sorted(self.stages.items()))
        return (
            f"{self.n:5} {self.setting:9}{self.warmth:5}{np.median(self.ms):8.1f}"
            f"{np.percentile(self.ms, 95):8.1f}{np.median(self.cpu_ms):8.1f}{self.ratio:8.0f}x"
            f"{self.hits / max(self.expected, 1):8.2%}"
            f"{self.found / max(self.expected, 1):9.2%} of {self.expected:<6}"
            f"{self.places_found / max(self.places, 1):8.1%}"
            f"{self.identical_found:6}/{self.identical:<6}{self.extra:5}{self.outranked:6}  {share}"
        )


HEADER = (
    f"{'N':>5} {'setting':9}{'':5}{'median':>8}{'p95':>8}{'cpu':>8}{'ratio':>9}"
    f"{'hits':>8}{'verified found':>19}{'places':>8}{'identical':>13}{'extra':>5}{'outr.':>6}"
    "  found by"
)
"""Of the templates that brute force verifies on a screenshot, ``hits`` are told to the caller;
``verified found`` counts those too that were found and verified, but lost their every place to a
look-alike that fits better (``outr.``); ``places`` are all verified places of all of them."""


def truths(listed: list[Shot], memory: list[Crop], say: Callable[[str], None]) -> Truths:
    """Ask brute force about every crop on every screenshot; minutes of work."""
    answers = {}
    for shot in listed:
        frame = shot.frame
        answers[shot.path.name] = [brute_force(frame.bgr, frame.gray, c.bgr) for c in memory]
        seconds = sum(truth.ms for truth in answers[shot.path.name]) / 1000
        say(f"  brute force, {len(memory)} templates on {shot.path.name}: {seconds:.0f} s")
    return answers


def measure(
    listed: list[Shot],
    memory: list[Crop],
    chosen: list[int],
    truth: Truths,
    setting: tuple[str, MatchSettings],
    *,
    warm: bool,
) -> Row:
    """Match some of the memory on every screenshot.

    Cold has no last places; warm has them. The time is the median of three, frame decoded,
    all stages.
    """
    row = Row(len(chosen), setting[0], "warm" if warm else "cold")
    some = [memory[index] for index in chosen]
    known = TemplateSet(templates(some, remember=warm))
    for shot in listed:
        pixels = shot.frame.bgr
        ms, cpu, findings = _best(pixels, known, setting[1])
        row.ms.append(ms)
        row.cpu_ms.append(cpu)
        row.brute_cpu_ms.append(len(chosen) * beside(Frame(pixels), some))
        expected = [truth[shot.path.name][index] for index in chosen]
        _count(row, findings, expected, some, pixels)
    return row


def _best(
    pixels: Any, known: TemplateSet, settings: MatchSettings
) -> tuple[float, float, SearchResult]:
    """Match a few times; return wall and processor milliseconds, the medians."""
    answers = []
    for _ in range(REPEATS):
        frame = Frame(pixels)
        cpu, wall = time.thread_time(), time.perf_counter()
        findings = find(frame, known, settings=settings)
        wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
        answers.append((wall * 1000, cpu * 1000, findings))
    walls, cpus = [wall for wall, _, _ in answers], [cpu for _, cpu, _ in answers]
    return float(np.median(walls)), float(np.median(cpus)), answers[0][2]


def beside(frame: Frame, some: list[Crop]) -> float:
    """Processor milliseconds of brute force for one template, the mean over a few."""
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
        row.stages[place.how] = row.stages.get(place.how, 0) + 1
    told = {hit.template_id for hit in findings.hits}
    for key, one in enumerate(expected):
        spots = got.get(key, set())
        wanted = one.verified | one.identical
        row.expected += bool(wanted)
        row.hits += bool(wanted) and key in told
        row.found += bool(wanted and spots)
        row.places += len(wanted)
        row.places_found += len(wanted & spots)
        row.identical += len(one.identical)
        row.identical_found += len(one.identical & spots)
        row.extra += sum(not passes(pixels, some[key].bgr, spot) for spot in spots - wanted)
    row.outranked += len({p.template_id for p in findings.outranked})
    for name, ms in findings.ms.items():
        row.stage_ms.setdefault(name, []).append(ms)
