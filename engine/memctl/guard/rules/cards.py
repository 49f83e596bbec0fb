"""What pays with a card: the code on its back, and its number with a date or a code beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["CARD_SIGNS", "card_hits"]

CARD_SIGNS = Signs((
    "cvv", "cvc", "cvn", "card", "visa", "amex", "karte", "tarjeta", "carte", "carta", "prüf", "cryptogramme", "卡", "カード", "карт",
))  # fmt: skip
_RULE = "payment-card"
_NEAR = 60  # characters from the number of a card to its date and code
_DIGITS = range(13, 20)
# The number that the documentation of every payment service shows.
_SHOWN = "4242424242424242"

_CODE = Pattern(
    r"(?<![A-Za-z0-9])(?:(?:cvv|cvc)2?|cvn|card\s(?:verification|security)\s(?:code|value|number)|security\scode(?=\s(?:\d{3,4}\s)?(?:of|on|for)\s(?:\w{1,8}\s){0,2}?(?:card|visa|amex|master))"
    r"|(?:karten)?prüf(?:nummer|ziffer)|cryptogramme(?:\svisuel)?|código\sde\sseguridad(?=\sde\s(?:la|mi)\starjeta)|セキュリティコード|卡背面\w{0,6}码)"
    r"(?:[\s(]{1,2}(?:code|number|nummer|on|the|back|of|for|my|our|card|credit|debit|visa|mastercard|amex|is|was|ist|lautet|es|est|é|è|de|la|mi|tarjeta|auf|der|rückseite|,|:)){0,9}\)?"
    r"\s?(?:[:=#]|は|是)?\s?(\d{3,4})(?![\w-]|\s?(?:digits|stell|dígitos|chiffres))",
)
_YEAR = Pattern(r"(?:19|20)\d\d$")
_NUMBER = Pattern(
    r"(?<![\w.-])(?:\d{4}(?:[ -]\d{4}){3}|\d{4}[ -]\d{6}[ -]\d{5}|\d{13,19})(?![\w-])"
)
_DATE_OR_CODE = Pattern(
    r"(?<![\d/])(?:0[1-9]|1[0-2])\s?[/-]\s?(?:20)?[2-4]\d(?![\d/])|(?<!\w)(?:cvv|cvc)2?\b"
)


def card_hits(view: TextView) -> Iterator[Hit]:
    """Yield the codes on the back of cards, and numbers that come with a date or a code."""
    low = view.lowered
    for found in _CODE.finditer(low):
        if _YEAR.match(found[1]) is None:
            yield Hit(_RULE, *found.span(1))
    for found in _NUMBER.finditer(low):
        around = (
            low[max(0, found.start() - _NEAR) : found.start()]
            + low[found.end() : found.end() + _NEAR]
        )
        if _is_card_number(found.group()) and _DATE_OR_CODE.search(around):
            yield Hit(_RULE, *found.span())


def _is_card_number(said: str) -> bool:
    """Whether the last digit checks the others as Luhn's formula asks (ISO/IEC 7812-1)."""
    digits = [int(digit) for digit in said if digit.isdigit()]
    if len(digits) not in _DIGITS or "".join(map(str, digits)) == _SHOWN:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
