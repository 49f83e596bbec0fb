"""All the rules, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.secret_rules.accounts import account_hits
from memctl.secret_rules.cards import card_hits
from memctl.secret_rules.carriers import carrier_hits
from memctl.secret_rules.codes import code_hits
from memctl.secret_rules.commands import command_hits
from memctl.secret_rules.formats import format_hits
from memctl.secret_rules.hit import Hit
from memctl.secret_rules.keys import key_hits
from memctl.secret_rules.nearby import nearby_hits
from memctl.secret_rules.passwords import password_hits
from memctl.secret_rules.private_keys import private_key_hits
from memctl.secret_rules.suspects import suspect_hits
from memctl.secret_rules.text_view import TextView, joined_lines, unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["hits"]


def hits(view: TextView) -> Iterator[Hit]:
    """Yield every hit of the built-in rules, its span carried back to the view's source."""
    yield from (original(view, hit) for hit in _direct_hits(view))
    if (plainer := unescaped(view)) is not None:
        yield from (original(plainer, hit) for hit in _direct_hits(plainer))
    if "\n" in view.text and (joined := joined_lines(view)) is not None:
        yield from (original(joined, hit) for hit in format_hits(joined))


def original(view: TextView, hit: Hit) -> Hit:
    """Return the hit with its span in the source of the view."""
    return Hit(hit.rule, *view.original_span(hit.start, hit.end))


def _direct_hits(view: TextView) -> Iterator[Hit]:
    yield from private_key_hits(view)
    yield from format_hits(view)
    yield from carrier_hits(view)
    yield from command_hits(view)
    yield from password_hits(view)
    yield from key_hits(view)
    yield from code_hits(view)
    yield from card_hits(view)
    yield from suspect_hits(view)
    yield from account_hits(view)
    yield from nearby_hits(view)
