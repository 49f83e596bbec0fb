"""All the rules, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.guard.rules.accounts import ACCOUNT_SIGNS, account_hits
from memctl.guard.rules.answers import ANSWER_SIGNS, answer_hits
from memctl.guard.rules.cards import CARD_SIGNS, card_hits
from memctl.guard.rules.carriers import CARRIER_SIGNS, carrier_hits
from memctl.guard.rules.code_rows import ROW_SIGNS, row_hits
from memctl.guard.rules.codes import CODE_SIGNS, code_hits
from memctl.guard.rules.commands import command_hits
from memctl.guard.rules.formats import format_hits
from memctl.guard.rules.gate import FLAGS
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.keys import key_hits
from memctl.guard.rules.nearby import nearby_hits
from memctl.guard.rules.nouns import CODES, KEYS, PASSWORDS
from memctl.guard.rules.opened import OPENED_SIGNS, opened_hits
from memctl.guard.rules.passwords import password_hits
from memctl.guard.rules.phrases import PHRASE_SIGNS, phrase_hits
from memctl.guard.rules.private_keys import private_key_hits
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.spoken import SPOKEN_SIGNS, spoken_hits
from memctl.guard.rules.suspects import suspect_hits
from memctl.guard.rules.text_view import TextView, joined_lines, unescaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["FAMILIES", "hits"]


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


# Each with the signs of which one must stand in the text, lest it be asked in vain; None: it sees
# for itself.
FAMILIES: tuple[tuple[Callable[[TextView], Iterator[Hit]], Signs | None], ...] = (
    (private_key_hits, None),
    (format_hits, None),
    (carrier_hits, CARRIER_SIGNS),
    (command_hits, FLAGS),
    (password_hits, PASSWORDS.needles),
    (key_hits, KEYS.needles),
    (code_hits, Signs(CODES.needles | CODE_SIGNS)),
    (row_hits, ROW_SIGNS),
    (card_hits, CARD_SIGNS),
    (suspect_hits, PASSWORDS.needles),
    (phrase_hits, PHRASE_SIGNS),
    (spoken_hits, SPOKEN_SIGNS),
    (answer_hits, ANSWER_SIGNS),
    (account_hits, ACCOUNT_SIGNS),
    (opened_hits, OPENED_SIGNS),
    (nearby_hits, PASSWORDS.needles),
)


def _direct_hits(view: TextView) -> Iterator[Hit]:
    held = view.signs
    for family_hits, signs in FAMILIES:
        if signs is None or not signs.isdisjoint(held):
            yield from family_hits(view)
