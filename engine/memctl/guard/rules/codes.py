"""Codes that open something once or at a door: sent by text message, shown by a device, dialled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.gate import has_digit
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.judge import is_code_secret
from memctl.guard.rules.nouns import CODES, is_qualified, word_before, writes_no_spaces
from memctl.guard.rules.oddness import SHORT_NUMBER, oddness
from memctl.guard.rules.sayings import Saying
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.values import Value, read_value, spaced_digits
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["CODE_SIGNS", "code_hits"]

_RULE = "one-time-code"
_NEAR = 80  # characters; about a sentence
_BARE = {"code", "codes", "コード", "코드", "код", "código", "codigo", "codice"}
# Of these codes, some are letters alone.
_WITH_LETTERS = (
    *(
        "code",
        "passcode",
        "otp",
        "totp",
        "one",
        "código",
        "codigo",
        "codice",
        "код",
        "コード",
        "코드",
        "인증",
    ),
    *"短验驗配激动设校门恢授提访分",
)
_BEFORE_NOUN = 16  # characters
_ACCESS = Pattern(r"(?i)acc[eè]s|acesso|accesso|доступ|secret|passcode")
_CODED = Saying(r"<coded>")
_YEAR = Pattern(r"(?:19|20)\d\d$")
_HAS = {"a", "in", "en"}
_LEAST_OWNED = 4  # digits behind "your code is"

_ENTER = Pattern(
    r"(?:enter|type|use|with|confirm|input)\s(?:the\s|this\s|your\s)?(?:following\s)?$",
    re.IGNORECASE,
)
_LINK_CODE = Pattern(r"\s?\d{6}(?![\w.])|[\"'`*]{0,2}[A-Z0-9]{3,5}-[A-Z0-9]{3,5}(?![\w-])")
# "the code to unlock", "code for the front door", "código de la puerta", "Code für das Tor"
_OPENS = Pattern(
    r"\w{0,8}\s(?:to|for|of|on|zum|zur|für|vom|von|der|pour|de|du|del|da|do|di|para|per|от|для|к)\s(?:\S{1,12}\s){0,3}?(?:[ld]['\u2019])?"
    r"(?:un|de)?(?:lock|link|open|enter|enters|disarm|arm|get\sin|access|pair|verify|confirm|log|sign|door|gate|safe|alarm|garage"
    r"|house|building|flat|apartment|elevator|lift|box|keypad|vault|entrance|tür|haust|tor\b|haus|tresor|safe|alarmanlage|schloss|schließfach"
    r"|porte|portail|entrée|immeuble|coffre|alarme|puerta|portal|alarma|garaje|caja|entrada|porta|portão|cofre|cancello"
    r"|portone|cassaforte|двер|подъезд|домофон|сейф|ворот|сигнализ)",
    re.IGNORECASE,
)
_OWNED = Pattern(
    r"(?i)(?:\b(?:your|ihr|dein|su|tu|votre|ton|seu|il\stuo|my|mein|mi|mon|meu)\b|ваш|твой|мой|您的|你的|我的|あなたの)(?:\s[\w.&-]{1,20}){0,3}\s?$"
)
_BEFORE = Pattern(
    r"(?<![\w.-])((?:[A-Z]{1,2}-)?\d{4,8}|\d{3}[ -]\d{3})\s(?:is|as|ist|als|es|est|è|é|—|-)\s[^\n]{1,40}$",
    re.IGNORECASE,
)
_BEFORE_OWNED = Pattern(r"(?i)\b(?:your|ihr|dein|su|tu|votre|ton|seu|il tuo)\b")
_GLUED_BEFORE = Pattern(r"(?<![\w.-])(\d{4,8})\s?(?:是|为|為|は|が|은|는|이)[^\n]{0,12}$")
_PAIRING = Pattern(
    r"(?i)(?<!wine.)(?<!food.)(?<![a-z])pair\w{0,4}[\s_-]?$|(?<![a-z])(?:pair\w{0,4}\swith|(?:device|link)(?:\swith)?)\s$|kopplungs-?$|ペアリング(?:用の?|の)?$|連携(?:用の?|の)?$|配[对對](?:用的?)?$"
)
_PAIRS = Pattern(r"(?i)appair|jumel|associ|empar|parea|abbin|сопряж|привяз|配")
# "her phone unlocks with 953380"
_UNLOCKS = Pattern(
    r"(?i)\b(?:unlock|open|disarm|entsperr|abr|ouvr)\w{0,4}\s(?:with|using|by|mit|con|avec)\s(?:the\s)?(?:pin\s|code\s)?(\d{4,8})(?![\w.])"
)
_ASKED = Pattern(
    r"(?i)\b(?:use|enter|type|submit|reply\swith|usa|usez|utilisez|introduce|digite|verwende|inserisci)\s"
    r"(?:[\w.]{1,12}\s){0,3}?(\d{4,8}|\d{3}[ -]\d{3})\s(?:to|as|when|for|para|pour|per|um|zum|come|como|comme)\s(?:\S{1,12}\s){0,3}?"
    r"(?:verif|vérif|bestätig|log|sign|confirm|auth|access|unlock|complet|reset|activ|aktiv|einlog|anmeld|connect|inici|acced)"
)
# openclaw pairing approve telegram KX7M2PQR
_APPROVED = Pattern(
    r"(?i:\bpairing\sapprove|\bapprove\s(?:the\s|this\s|a\s)?pairing(?:\srequest)?\s(?:with|using|by))\s(?:[a-z]{2,20}\s)?((?=[A-Z-]{0,9}\d|[A-Z]{8}\b|[A-Z]{4}-[A-Z]{4}\b)[A-Z0-9]{4,10}(?:-[A-Z0-9]{3,5})?)(?![\w-])"
)
# adb pair 192.168.0.23:37099 747723
_PAIR_COMMAND = Pattern(
    r"\b(?:adb|bluetoothctl|atvremote)(?:\s-\S+)?\spair\s\S{3,60}\s(\d{4,8})(?!\d)"
)
# Device pairing: enter 506690 on the TV
_PAIR_ASKED = Pattern(
    r"(?i)\b(?:enter|type|input|confirm)\s(?:(?:the\s)?(?:code|pin|number)\s)?(\d{4,8}|\d{3}[ -]\d{3})(?=[.,;)!]|\s(?:on|in|into|to|when|if)\b|\s*$)"
)
# Bluetooth-Kopplung mit 506690 bestätigen
_PAIRED_WITH = Pattern(
    r"(?i)(?:(?<![a-z])pair\w{0,4}(?:\s(?:it|this|them|the\s\w{2,12}))?|kopp(?:lung|eln)|appair\w{1,4}|empar\w{2,8}|abbina\w{0,6})\s(?:with|using|mit|avec|con|com)\s(?:code\s|pin\s)?(\d{4,8})(?![\w.])"
)
_DOOR = r"(?i)\b(?:garage|door|gate|alarm|safe|locker|lock\s?box|shed|building|entrance|intercom)\b"
# What opens, and its code behind it or before the word: the locker's, "gate: 6512 (code)".
_DOOR_CODE = Pattern(
    rf"{_DOOR}[^\n\d]{{0,24}}(?:\d{{1,3}}[^\n\d]{{0,4}})?(?:,|:|\s[-\u2013\u2014])\s(?:the\s)?(?:code|pin|combo)\s(?:is\s)?(\d{{4,6}})(?=[#*.,;)!]|\s*$|\n)"
)
_DOOR_CODE_BEHIND = Pattern(
    rf"{_DOOR}[^\n\d]{{0,24}}(\d{{4,6}})\s(?:(?:is|=)\s(?:the|its|our)\s(?:\w{{1,10}}\s)?|\()(?:code|pin|combo)\b"
)
# "PIN of my tablet 4471", "my PIN? 4471": of four digits, as a town has six.
_OWN_PIN = Pattern(
    r"(?i)\bpin(?:\?|\s(?:for|of|to|on|vom|von|fürs?|zum|de|du|del|da|do|della?)\s[^\d\n.:=]{2,24})\s(\d{4})(?=[.!]?\s*$|[.!,;]?\n|,\s)"
)
# "my pin is six zero nine three"
_PIN_IN_WORDS = Pattern(r"\b(?:pin|code|combination)[\s:]")
_IN_WORDS = Saying(
    r"\b(?:pin|code|combination|combo|kombination|combinación|combinaison)(?:\s(?:is|ist|es|est)|\s?:)\s((?:<digit-word>[\s,-]{1,2}){3,9}<digit-word>)\b"
)
_ASKED_NEEDLES = (
    "pair", "kopp", "empar", "abbina",
    "verif", "vérif", "bestätig", "log", "sign", "confirm", "auth", "access", "unlock", "complet", "reset", "activ", "aktiv",
    "open", "disarm", "entsperr", "abr", "ouvr", "anmeld", "connect", "inici", "acced",
)  # fmt: skip
_DOOR_SIGNS = Signs((
    "pin is ", "pin ist ", "pin es ", "pin est ", "pin: ", "pin", "garage", "door", "gate", "safe", "alarm", "lock", "shed", "building", "entrance", "intercom",
))  # fmt: skip
_ASKED_SIGNS = Signs(_ASKED_NEEDLES)
CODE_SIGNS = Signs(_ASKED_SIGNS | _DOOR_SIGNS)


def code_hits(view: TextView) -> Iterator[Hit]:
    """Yield codes that stand behind their name, before it, or in a request to enter them."""
    yield from _named(view)
    yield from _before_name(view)
    yield from _asked_for(view)


def _named(view: TextView) -> Iterator[Hit]:
    text = view.text
    for found in CODES.stated(view):
        value = spaced_digits(text, found.end()) or read_value(
            text, found.end(), since=found.end("noun"), ascii_only=writes_no_spaces(found["noun"])
        )
        if value is None:
            continue
        said = found["loose"] is None or found["noun"].lower() == "digicode"
        qualified = is_qualified(text, found.start(), "code-qualifier") and not (
            found["noun"].isascii() and word_before(text, found.start()) == "pin"
        )
        listed = qualified and "\n" in (found["loose"] or "")
        if (
            found["noun"].lower() in _BARE
            and not qualified
            and not _OPENS.match(text, found.end("noun"))
            and not (said and _OPENS.match(text, value.end))
            and not (said and _owned(text, found, value))
            and not _is_entered(text, found)
            and not _paired(text, found.start())
        ):
            continue
        if not qualified and _is_of_thing(text, found):
            continue
        if _YEAR.match(value.text) and (found["loose"] or "").strip() in _HAS:
            continue  # "le code a 2024 articles"
        if not has_digit(value.text) and not found["noun"].lower().startswith(_WITH_LETTERS):
            continue
        if (
            is_code_secret(value, firm=said or listed or " " in found["noun"])
            or _shared(found["noun"], value)
            or (_is_access(found["noun"]) and oddness(value.text.lstrip("!#*")) >= SHORT_NUMBER)
            or (
                (_paired(text, found.start()) or _PAIRS.search(found["noun"]))
                and _is_letters(value)
            )
        ):
            yield Hit(_RULE, value.start, value.end)


def _is_of_thing(text: str, found: re.Match[str]) -> bool:
    """Whether "the colour code of the door": a code of what a thing is, which opens nothing."""
    start = max(0, found.start() - _BEFORE_NOUN)
    return _CODED.search(text, start, found.end()) is not None


def _is_access(noun: str) -> bool:
    """Whether a code that people choose as they choose passwords: "code d'accès", "access code"."""
    return _ACCESS.search(noun) is not None


def _owned(text: str, found: re.Match[str], value: Value) -> bool:
    """Whether "your code is 482913": somebody's, and nothing but digits to its end."""
    digits = value.text.replace(" ", "").replace("-", "")
    start = max(0, found.start() - 64)
    return (
        digits.isdigit()
        and len(digits) >= _LEAST_OWNED
        and value.ends_clause
        and _OWNED.search(text[start : found.start()]) is not None
    )


def _is_entered(text: str, found: re.Match[str]) -> bool:
    """Whether "enter the code ABCD-EFGH", as a device shows it that wants to be linked."""
    return (
        _ENTER.search(text, max(0, found.start() - 24), found.start()) is not None
        and _LINK_CODE.match(text, found.end()) is not None
    )


def _shared(noun: str, value: Value) -> bool:
    """Whether the four letters and digits that open a shared folder."""
    return noun in {"提取码", "访问码", "分享码"} and bool(
        re.fullmatch(r"[A-Za-z0-9]{4}", value.text)
    )


def _paired(text: str, at: int) -> bool:
    return _PAIRING.search(text, max(0, at - _NEAR), at) is not None


def _is_letters(value: Value) -> bool:
    """Whether capitals that a device shows to be paired, not a word about the code."""
    return bool(re.fullmatch(r"[A-Z]{6,10}", value.text)) and (
        value.text.lower() not in words("predicate")
    )


def _before_name(view: TextView) -> Iterator[Hit]:
    for at in CODES.spots(view):
        start = max(0, at - _NEAR)
        before = view.text[start:at]
        found = _BEFORE.search(before)
        if found and _BEFORE_OWNED.search(found.group()):
            yield Hit(_RULE, start + found.start(1), start + found.end(1))
        elif glued := _GLUED_BEFORE.search(before):
            yield Hit(_RULE, start + glued.start(1), start + glued.end(1))


def _asked_for(view: TextView) -> Iterator[Hit]:
    low = view.lowered
    patterns: list[Pattern] = []
    if _PIN_IN_WORDS.search(low) is not None:
        patterns += (_IN_WORDS,)
    if view.holds(_ASKED_SIGNS):
        patterns += (_ASKED, _UNLOCKS, _APPROVED, _PAIRED_WITH)
        patterns += (_PAIR_ASKED, _PAIR_COMMAND) if "pair" in low else ()
    if has_digit(low) and view.holds(_DOOR_SIGNS):
        patterns += (_DOOR_CODE, _DOOR_CODE_BEHIND) if "co" in low else ()
        patterns += (_OWN_PIN,) if "pin" in low else ()
    for pattern in patterns:
        for found in pattern.finditer(view.text):
            if word_before(view.text, found.start(1)) not in words("numbered"):
                yield Hit(_RULE, *found.span(1))
