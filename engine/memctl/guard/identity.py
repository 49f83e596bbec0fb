"""Cards and personal numbers: a row of digits that its own check digit and the words around give away.

A number alone is none: an order, a barcode and a card may share their digits. A card's number needs
a word of cards, an expiry date or a check code near it; the number of a person needs its name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.decoding import SecretSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = ["identity_spans"]

_NEAR = 80  # characters around a card's number in which its context stands
_LED = 48  # characters before the number of a person in which its name stands
_CARD = Pattern(r"(?<![A-Za-z0-9_.,/+-])(?=[2-6])\d(?:[ -]?\d){12,18}(?![A-Za-z0-9_]|[.,]\d|-\d)")
_CARD_LENGTHS = {"2": (16, 19), "3": (14, 16), "4": (13, 19), "5": (16, 16), "6": (16, 19)}
_OF_CARDS = Pattern(
    r"(?i)\bcards?\b|\bcard[_-]?n|\bcc[-_ ]?n|credit|debit|visa|master-?card|\bamex\b|american express|maestro|karte\b"
    r"|kartennummer|tarjeta|\bcarte\b|\bcarta\b|карт|卡|カード|카드|\bcvv|\bcvc|\bcsc|expir|\bexp\b|exp\.|valid|gültig|caduca"
    r"|\b(?:0?[1-9]|1[0-2])\s?[/-]\s?(?:20)?[2-4]\d\b"
)
_NO_CARD = Pattern(
    r"(?i)\b(?:imei|isbn|ean|gtin|barcode|tracking|order|invoice|serial|test[\s-]?(?:card|number)s?)\b[^\n]{0,12}$"
)


def identity_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield the numbers of cards and of persons."""
    text = view.text
    for found in _CARD.finditer(text):
        if _is_card(re.sub(r"\D", "", found.group())) and _near_cards(text, found):
            yield SecretSpan("card-number", *found.span())
    for rule, number, name, is_right in _PERSONS:
        for found in number.finditer(text):
            named = name.search(text, max(0, found.start() - _LED), found.start())
            if named and is_right(re.sub(r"[\s.-]", "", found.group())):
                yield SecretSpan(rule, *found.span())


def _near_cards(text: str, found: re.Match[str]) -> bool:
    around = text[max(0, found.start() - _NEAR) : found.start()], text[found.end() :][:_NEAR]
    return _NO_CARD.search(around[0]) is None and any(map(_OF_CARDS.search, around))


def _is_card(digits: str) -> bool:
    least, most = _CARD_LENGTHS[digits[0]]
    doubled = [int(digit) for digit in digits[::-1]]
    doubled[1::2] = [2 * digit - 9 * (digit > 4) for digit in doubled[1::2]]  # noqa: PLR2004
    return least <= len(digits) <= most and sum(doubled) % 10 == 0 and len(set(digits)) > 1


def _is_ssn(digits: str) -> bool:
    return digits[:3] not in {"000", "666"} and digits[0] != "9" and int(digits[3:5]) > 0


def _is_tax_id(digits: str) -> bool:
    """Return whether the last of eleven digits is right (ISO 7064, mod 11, 10)."""
    product = 10
    for digit in digits[:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def _is_chinese_id(digits: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))
    return "10X98765432"[total % 11] == digits[-1].upper()


def _is_spanish_id(number: str) -> bool:
    digits = number[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1].upper()


def _is_snils(digits: str) -> bool:
    total = sum(int(digit) * (9 - at) for at, digit in enumerate(digits[:9]))
    return total % 101 % 100 == int(digits[9:])


# A rule, what the number looks like, the words before it, and its check
_PERSONS = tuple(
    (rule, Pattern(rf"(?<![A-Za-z0-9_-])(?:{number})(?![A-Za-z0-9_-])"), Pattern(name), is_right)
    for rule, number, name, is_right in (
        (
            "social-security",
            r"\d{3}-\d\d-\d{4}|\d{3} \d\d \d{4}|\d{9}",
            r"(?i)\bssn|_ssn|social[\s_-]?security|sozialversicherung|seguro social",
            _is_ssn,
        ),
        (
            "personal-id",
            r"\d{2} ?(?:\d{3} ?){3}",
            r"(?i)steuer-?(?:id|num)|tax[\s-]?id",
            _is_tax_id,
        ),
        ("personal-id", r"\d{17}[\dXx]", "", _is_chinese_id),
        ("personal-id", r"[XYZxyz\d]\d{7}-?[A-Za-z]", r"(?i)\bdni|\bni[ef]\b", _is_spanish_id),
        ("personal-id", r"\d{3}-\d{3}-\d{3} \d\d|\d{11}", r"(?i)снилс", _is_snils),
    )
)
