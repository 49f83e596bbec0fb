"""Packs the rows of an answer into its limits: a number of rows, or a budget of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.search.recall_results import within_limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.question import Question
    from memctl.search.recall_results import Row

__all__ = ["packed"]


def packed(
    rows: Sequence[Row], question: Question, limit: int, max_tokens: int | None
) -> Sequence[Row]:
    """Return the rows that fit, in their order."""
    return within_limits(rows, limit, max_tokens)
