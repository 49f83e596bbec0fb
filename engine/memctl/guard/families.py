"""The families of rules, in the order in which they are asked, over the views of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.guard.carriers import carried_spans
from memctl.guard.decoding import decoded, joined_lines, unpacked
from memctl.guard.identity import identity_spans
from memctl.guard.private_keys import private_key_spans
from memctl.guard.told import told_spans
from memctl.guard.vendor_formats import format_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import SecretSpan, TextView

__all__ = ["built_in_spans"]

_FAMILIES = (private_key_spans, format_spans, carried_spans, identity_spans, told_spans)


def built_in_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield every secret that a built-in rule finds, its span carried back to the source."""
    for one in (view, decoded(view), unpacked(view)):
        if one is not None:
            for family in _FAMILIES:
                yield from map(one.original, family(one))
            if (joined := joined_lines(one)) is not None:
                for family in (format_spans, identity_spans):
                    yield from map(joined.original, family(joined))
