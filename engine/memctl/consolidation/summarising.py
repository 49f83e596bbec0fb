"""Provisional."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memctl.consolidation.scoring.concept_tags import concept_tags


def summary_of(sentences: Sequence[str], *, most: int) -> str:
    return " ".join(sentences)[:most]


def tags_of(texts: Iterable[str], *, most: int) -> list[str]:
    return list(concept_tags(" ".join(texts)))[:most]
