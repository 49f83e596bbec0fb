"""The whole call: `memctl.open(...).match(...)` on a real store, everything it does included."""

from __future__ import annotations

import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import memctl
from benchmarks.matching.oracle import passes
from benchmarks.matching.speed import beside
from benchmarks.matching.stores import APP, learned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.matching.shots import Crop, Shot

__all__ = ["WHOLE_HEADER", "WholeRow", "whole_calls"]

ROUNDS = 3
"""Every screenshot is matched so often, never twice in a row: an equal one is not searched."""


@dataclass
class WholeRow:
    """One line: so many components in the store, screenshots of one width."""

    n: int
    width: int
    ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    brute_cpu_ms: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)
    sightings: int = 0
    wrong: int = 0
    named: int = 0

    @property
    def ratio(self) -> float:
        """Median time of brute force over median time of the call, in processor time."""
        return float(np.median(self.brute_cpu_ms) / np.median(self.cpu_ms))

    def as_json(self) -> dict[str, Any]:
        """Return the raw figures."""
        return {**asdict(self), "ratio": self.ratio}

    def lines(self) -> str:
        """Return the row of the table, and below it the stages that take most."""
        stages = {name: float(np.median(some)) for name, some in self.stages.items()}
        most = sorted(stages.items(), key=lambda item: -item[1])[:8]
        return (
            f"{self.n:5}{self.width:6}{np.median(self.ms):9.1f}{np.percentile(self.ms, 95):8.1f}"
            f"{np.median(self.cpu_ms):8.1f}{self.ratio:8.0f}x{self.sightings:10}{self.wrong:7}"
            f"{self.named:7}/{len(self.ms)}\n        "
            + "  ".join(f"{name} {ms:.1f}" for name, ms in most)
        )


WHOLE_HEADER = (
    f"{'N':>5}{'width':>6}{'median':>9}{'p95':>8}{'cpu':>8}{'ratio':>9}"
    f"{'sightings':>10}{'wrong':>7}{'state':>9}"
)
"""``wrong`` are sightings that do not pass the definition of a verified hit; ``state`` is how
often the screen was named; the second line has the stages, in wall milliseconds."""


def whole_calls(searched: Sequence[Shot], memory: Sequence[Crop], wanted: int) -> WholeRow:
    """Time `match` of decoded screenshots, recording included, in a store of so many components."""
    with tempfile.TemporaryDirectory() as home:
        crops = learned(Path(home), memory, wanted)
        frames = [shot.frame for shot in searched]
        some = list(crops.values())
        row = WholeRow(len(crops), frames[0].width)
        with memctl.open(APP, home=home) as store:
            for frame in frames:
                store.match(frame.bgr)
            for frame in frames * ROUNDS:
                cpu, wall = time.thread_time(), time.perf_counter()
                found = store.match(frame.bgr)
                wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
                row.ms.append(wall * 1000)
                row.cpu_ms.append(cpu * 1000)
                row.brute_cpu_ms.append(len(crops) * beside(frame, some))
                row.named += found.state is not None
                row.sightings += len(found.sightings)
                row.wrong += sum(
                    not passes(frame.bgr, crops[one.component_id].bgr, (one.x, one.y))
                    for one in found.sightings
                )
                for name, ms in found.ms.items():
                    row.stages.setdefault(name, []).append(ms)
    return row
