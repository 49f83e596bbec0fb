"""The fast search: cheap exact stages first, the fuzzy stage for what they leave open."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.visual.matching.assemble import assemble
from memctl.visual.matching.confirm import Account
from memctl.visual.matching.screen import Screen
from memctl.visual.matching.stage_fuzzy import propose_alike
from memctl.visual.matching.stage_hash import propose_hashed
from memctl.visual.matching.stage_last import propose_last

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.matching.findings import Findings
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.settings import Settings

__all__ = ["cascade"]

NO_LIMIT = 1 << 30


class Stopwatch:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        started = time.perf_counter()
        yield
        self.ms[name] = self.ms.get(name, 0.0) + (time.perf_counter() - started) * 1000


def cascade(frame: Frame, known: TemplateSet, area: Box, settings: Settings) -> Findings:
    """Find all templates of a set in one part of a screenshot."""
    screen = Screen(frame, area)
    account = Account(known, screen, settings)
    watch = Stopwatch()
    with watch.stage("last"):
        account.take(propose_last(known, screen), "last", NO_LIMIT)
    with watch.stage("hash"):
        complete, partial = propose_hashed(known, screen)
        account.take(complete, "hash", settings.tries)
        account.take(partial, "near", settings.tries)
    if settings.anchors:
        with watch.stage("fuzzy"):
            candidates, dropped = propose_alike(known, screen, account.missing(), settings)
            account.count("fuzzy: dropped", dropped)
            account.take(candidates, "fuzzy", settings.tries)
    with watch.stage("choose"):
        places = account.thinned()
        refusals = {known.templates[i].template_id: r for i, r in account.refusals.items()}
        findings = assemble(frame, known.roster, places, refusals, known.look_by_id)
    return replace(findings, ms=watch.ms, work=account.work)
