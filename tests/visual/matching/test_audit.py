from __future__ import annotations

from dataclasses import replace

import numpy as np

from memctl.visual.frame import Frame
from memctl.visual.matching import FAST, Template, TemplateSet, extract, find
from memctl.visual.matching.cascade import TILES
from tests.visual.matching.screens import draw


def without_anchors(known: TemplateSet) -> TemplateSet:
    """Take away everything that templates are proposed by."""
    memory = [replace(t, features=known.blobs[i]) for i, t in enumerate(known.templates)]
    blind = TemplateSet(memory)
    empty = np.zeros(0, np.intp)
    blind.exact = replace(blind.exact, whole=empty.astype(np.uint64), owner=empty, x=empty, y=empty)
    blind.exact.table[:] = False
    blind.fuzzy = replace(blind.fuzzy, rank=np.full(blind.fuzzy.rank.size, 99))
    return blind


def test_an_error_of_the_other_stages_does_not_persist() -> None:
    screen = draw(1)
    known = without_anchors(TemplateSet(screen.templates()[:1]))
    found = [find(Frame(screen.frame.bgr), known, scale=1.0).hits for _ in range(TILES)]
    hits = [hit for hits in found for hit in hits]
    assert {(hit.box, hit.how) for hit in hits} == {(screen.boxes[0], "audit")}


def test_a_template_that_nothing_can_propose_is_searched_at_once() -> None:
    screen = draw(1)
    known = without_anchors(TemplateSet(screen.templates()[:3]))
    known.helpless[:] = True
    hits = find(Frame(screen.frame.bgr), known, scale=1.0).hits
    assert {(hit.box, hit.how) for hit in hits} == {(box, "audit") for box in screen.boxes[:3]}


def test_the_fast_setting_audits_nothing() -> None:
    screen = draw(2)
    findings = find(screen.frame, draw(1).templates(), scale=1.0, settings=FAST)
    assert "audit: searched" not in findings.work


def test_places_can_be_remembered_without_preparing_again() -> None:
    screen = draw(1)
    memory = [
        Template(i, i, screen.crop(i), features=extract(screen.frame, box))
        for i, box in enumerate(screen.boxes)
    ]
    known = TemplateSet(memory)
    assert {hit.how for hit in find(screen.frame, known).hits} == {"hash"}
    known.remember({i: (box.x, box.y) for i, box in enumerate(screen.boxes)})
    assert {hit.how for hit in find(screen.frame, known).hits} == {"last"}
