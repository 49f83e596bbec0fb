# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Codes that open something once or at a door, and the numbers of payment cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.credential_nouns import (
    is_qualified,
    stated,
    word_before,
    writes_no_spaces,
)
from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import patterns, words
from memctl.guard.value_judging import is_code_secret
from memctl.guard.value_reading import Value, read_value, spaced_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = ["code_spans"]

_SAYS = patterns("codes")

_CODE = "one-time-code"
_CARD = "payment-card"
_NEAR = 80  # characters; about a sentence
_BESIDE_CARD = 60  # characters from the number of a card to its date and code
_CARD_DIGITS = range(13, 20)
_LEAST_OWNED = 4  # digits behind "your code is"
# The number that the documentation of every payment service shows
_SHOWN_CARD = "4242424242424242"
_BARE = {
    "code",
    "codes",
    "コード",
    "코드",
    "код",
    "código",
    "codigo",
    "codice",
    "códigos",
    "codici",
}

_DOORS = (
    r"lock|link|open|enter|disarm|arm\b|get\sin|access|pair|verify|confirm|log|sign|door|gate|safe"
    r"|alarm|garage|house|building|flat\b|apartment|elevator|box\b|keypad|vault|entrance|tür|haust"
    r"|tor\b|haus|tresor|schloss|schließ|porte|portail|entrée|immeuble|coffre|puerta|portal|caja"
    r"|entrada|porta|portão|cofre|cancello|portone|cassaforte|двер|подъезд|домофон|сейф|ворот"
)
# "the code to unlock", "code for the front door", "código de la puerta", "Code für das Tor"
_OPENS = Pattern(
    r"\w{0,8}\s(?:to|for|of|on|zum|zur|für|vom|von|der|pour|de|du|del|da|do|di|para|per|от|для|к)\s"
    rf"(?:\S{{1,12}}\s){{0,3}}?(?:[ld]['’])?(?:un|de)?(?:{_DOORS})",
    re.IGNORECASE,
)
# Values before their name, and values that are asked for: the group holds the code.
_ASKED = (
    # 482913 is your verification code
    Pattern(
        r"(?i)(?<![\w.-])((?:[A-Z]{1,2}-)?\d{4,8}|\d{3}[ -]\d{3})\s(?:is|ist|es|est|è|é|—|-)\s(?:your|"
        r"ihr|dein|su|tu|votre|ton|seu|il\stuo)\b[^\n]{0,40}?(?:code|codice|c[óo]digo|pin|otp)"
    ),
    # her phone unlocks with 953380; to unlock my phone: 6093; 7319 opens the front door
    Pattern(
        r"(?i)\b(?:unlock|open|disarm|entsperr|abr|ouvr|déverrouill|desbloque|sblocc)\w{0,4}\s"
        r"[^\n.\d]{0,24}?(?:\b(?:with|using|by|mit|con|avec)|\s?:|, tape)\s(?:the\s|man\smit\s)?"
        r"(?:pin\s|code\s)?(\d{4,8})(?![\w.])"
    ),
    Pattern(
        r"(?i)(?<![\w.-])(\d{4,8})\s(?:opens|unlocks|disarms|öffnet|abre|ouvre|apre)\s"
        rf"(?:\S{{1,12}}\s){{0,2}}?(?:{_DOORS})"
    ),
    # front door: 4821#; the safe opens with 31-07-64; PIN of my tablet 4471
    Pattern(r"(?i)(?:door|gate|entrance|lobby|tür|tor|porte|puerta|门|門)\s?[:：]\s?(\d{4,8}[#*])"),
    Pattern(
        r"(?i)\b(?:safe|vault|tresor|caja\sfuerte|coffre|locker|padlock|金庫|保险柜)\w{0,4}[^\n\d]{0,24}"
        r"(?:\b(?:is|with|code|combination|ist|mit|es|con|est|avec)\s|[:=]\s?|密码|是|は)"
        r"(\d{2}-\d{2}-\d{2})(?![\w-]|\s?[a-zA-Z厘分])"
    ),
    Pattern(
        r"(?i)\bpin(?:\?|\s(?:for|of|to|on|vom|von|fürs?|zum|de|du|del|da|do|della?)\s[^\d\n.:=]{2,24})"
        r"\s(\d{4})(?=[.!]?\s*$|[.!,;]?\n|,\s)"
    ),
    # use 482913 to verify
    Pattern(
        r"(?i)\b(?:use|enter|type|submit|reply\swith|usa|usez|utilisez|introduce|digite|verwende"
        r"|inserisci)\s(?:[\w.]{1,12}\s){0,3}?(\d{4,8}|\d{3}[ -]\d{3})\s(?:to|as|when|for|para|pour"
        r"|per|um|zum|come|como|comme)\s(?:\S{1,12}\s){0,3}?(?:verif|vérif|bestätig|log|sign|confirm"
        r"|auth|access|unlock|complet|reset|activ|aktiv|einlog|anmeld|connect|inici|acced)"
    ),
    # openclaw pairing approve telegram KX7M2PQR; adb pair 192.168.0.23:37099 747723
    Pattern(
        r"(?i:\bpairing\sapprove|\bapprove\s(?:the\s|this\s|a\s)?pairing(?:\srequest)?\s(?:with|using"
        r"|by))\s(?:[a-z]{2,20}\s)?((?=[A-Z-]{0,9}\d|[A-Z]{8}\b|[A-Z]{4}-[A-Z]{4}\b)[A-Z0-9]{4,10}"
        r"(?:-[A-Z0-9]{3,5})?)(?![\w-])"
    ),
    Pattern(r"\b(?:adb|bluetoothctl|atvremote)(?:\s-\S+)?\spair\s\S{3,60}\s(\d{4,8})(?!\d)"),
    # Bluetooth-Kopplung mit 506690; device pairing: enter 506690 on the TV
    Pattern(
        r"(?i)(?:(?<![a-z])pair(?:ed|ing)?(?![a-z]|\sheap)|kopp(?:lung|eln)|appair\w{1,4}|empar\w{2,8}|abbina\w{0,6})"
        r"[^\n.\d]{0,16}?\s(?:with|using|mit|avec|con|com|enter|type|input|confirm)\s(?:code\s|pin\s)?"
        r"(\d{4,8}|\d{3}[ -]\d{3})(?![\w.])"
    ),
    # the garage: code 4512; gate 6512 (code); keypad 1234#
    Pattern(
        r"(?i)\b(?:garage|door|gate|alarm|safe|locker|lock\s?box|shed|building|entrance|intercom)\b"
        r"[^\n\d]{0,24}(?:(?:,|:|\s[-–—])\s(?:the\s)?(?:code|pin|combo)\s(?:is\s)?(\d{4,6})"
        r"(?=[#*.,;)!]|\s*$|\n))"
    ),
    Pattern(
        r"(?i)\b(?:pin|code|combination|combo|kombination|combinación|combinaison)(?:\s(?:is|ist|es"
        r"|est)|\s?:)\s((?:(?:zero|one|two|three|four|five|six|seven|eight|nine|oh|null|eins|zwei"
        r"|drei|vier|fünf|sechs|sieben|acht|neun|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho"
        r"|nueve)\b[\s,-]{0,2}){4,10})"
    ),
)
_SPELT = ("pair", "pin ", "pin:", "code ", "code:", "comb")
_OF_CARDS = (
    "cv",
    "card",
    "visa",
    "amex",
    "kart",
    "tarjeta",
    "cart",
    "prüf",
    "crypto",
    "卡",
    "カード",
    "/",
)


def code_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield codes beside their name, codes that somebody is asked to enter, and cards."""
    for found in stated(view, "code"):
        value = spaced_digits(found.string, found.end()) or read_value(
            found.string,
            found.end(),
            since=found.end("noun"),
            ascii_only=writes_no_spaces(found["noun"]),
        )
        if value is not None and _is_stated_code(found, value):
            yield SecretSpan(_CODE, value.start, value.end)
    asked = any(map(str.isdigit, view.text)) or any(one in view.lowered for one in _SPELT)
    for pattern in _ASKED if asked else ():
        for found in pattern.finditer(view.text):
            if word_before(view.text, found.start(1)) not in words("numbered"):
                yield SecretSpan(_CODE, *found.span(1))
    if any(sign in view.lowered for sign in _OF_CARDS):
        yield from _cards(view.text)


def _is_stated_code(found: re.Match[str], value: Value) -> bool:
    text, noun = found.string, found["noun"].lower()
    before = text[max(0, found.start() - _NEAR) : found.start()]
    qualified = is_qualified(text, found.start(), "code-qualifier")
    said = found["loose"] is None or noun == "digicode"
    paired = _SAYS.pairing.search(before) is not None
    if noun.startswith("code") and word_before(text, found.start()) == "pin":
        return False  # of a town in India, or a number that is told from codes elsewhere
    if (
        not qualified
        and not paired
        and (_SAYS.of_a_thing.search(before) or _SAYS.thing_behind.match(text, found.end("noun")))
    ):
        return False
    if noun in _BARE and not (qualified or paired):
        opens = _OPENS.match(text, found.end("noun")) or (said and _OPENS.match(text, value.end))
        if not opens and not (said and _is_owned(before, value)):
            return False
    if not any(map(str.isdigit, value.text)):
        letters = re.fullmatch(r"[A-Z]{6,10}|[A-Z]{4}-[A-Z]{4}", value.text) is not None
        known = value.text.lower() in words("predicate")
        return (
            letters and not known and (paired or _SAYS.pairs.search(noun) is not None or qualified)
        )
    shared = noun in {"提取码", "访问码", "分享码"} and re.fullmatch(r"[A-Za-z0-9]{4}", value.text)
    year = _SAYS.year.match(value.text) and not said  # "le code a 2024 articles"
    return bool(shared) or (not year and is_code_secret(value, firm=said or " " in noun))


def _is_owned(before: str, value: Value) -> bool:
    """Tell whether "your code is 482913" is somebody's, and nothing but digits to its end."""
    digits = value.text.replace(" ", "").replace("-", "")
    owned = digits.isdigit() and len(digits) >= _LEAST_OWNED and value.ends_clause
    return owned and _SAYS.owned.search(before) is not None


def _cards(text: str) -> Iterator[SecretSpan]:
    """Yield the codes on the back of cards, and numbers that come with a date or a code."""
    for found in _SAYS.card_code.finditer(text):
        if _SAYS.year.match(found[1]) is None:
            yield SecretSpan(_CARD, *found.span(1))
    for found in _SAYS.card_number.finditer(text):
        start, end = found.span()
        around = text[max(0, start - _BESIDE_CARD) : start] + " " + text[end : end + _BESIDE_CARD]
        if _is_card_number(found.group()) and _SAYS.date_or_code.search(around):
            yield SecretSpan(_CARD, *found.span())


def _is_card_number(said: str) -> bool:
    """Tell whether the last digit checks the others as Luhn's formula asks (ISO/IEC 7812-1)."""
    digits = [int(digit) for digit in said if digit.isdigit()]
    if len(digits) not in _CARD_DIGITS or "".join(map(str, digits)) == _SHOWN_CARD:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
