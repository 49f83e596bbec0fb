"""The families of rules, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.guard.carriers import carried_spans
from memctl.guard.decoding import decoded, joined_lines
from memctl.guard.judge import judged_spans
from memctl.guard.private_keys import private_key_spans
from memctl.guard.vendor_formats import format_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import SecretSpan, TextView

__all__ = ["FAMILIES", "built_in_spans"]

FAMILIES = (private_key_spans, format_spans, carried_spans, judged_spans)


def built_in_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield every secret that a built-in rule finds, its span carried back to the source."""
    for one in (view, decoded(view)):
        if one is not None:
            for family in FAMILIES:
                yield from map(one.original, family(one))
            if (joined := joined_lines(one)) is not None:
                yield from map(joined.original, format_spans(joined))
