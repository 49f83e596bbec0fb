"""Secrets that are stated: in a sentence, an assignment, a form, a table, an environment file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.secret_rules.hit import Hit
from memctl.secret_rules.judge import (
    is_code_secret,
    is_key,
    is_pass_phrase,
    is_password,
    is_pin,
    is_setting,
    is_strong,
)
from memctl.secret_rules.nouns import CODES, KEYS, PASSWORDS, is_qualified, word_before
from memctl.secret_rules.values import Value, read_value, spaced_digits
from memctl.secret_rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.secret_rules.text_view import TextView

__all__ = ["statement_hits"]

_SHORTEST_KEY = 10  # after "api key", "client secret"
_SHORTEST_PLAIN = 12  # after a bare "secret" or "token", which mean many things
_SHORTEST_LOOSE = 16  # where only a space stands between name and value
_NAME_LENGTH = 48

_ENTER = re.compile(
    r"(?:enter|type|use|with|confirm|input)\s(?:the\s|this\s|your\s)?(?:following\s)?$",
    re.IGNORECASE,
)
_LINK_CODE = re.compile(r"[\"'`*]{0,2}[A-Z0-9]{3,5}-[A-Z0-9]{3,5}(?![\w-])")
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9_]{1,60}$")
_NAME = re.compile(r"[A-Za-z0-9_]*$")
_PHRASE = re.compile(r"[a-z]{3,12}(?: [a-z]{3,12}){2,9}(?=[.!\"'\n]|$)")
_SHORTEST_NUMBER = 6  # for digits that stand right behind their name, without a sign
# Where a word of letters only may be the password: the remarks of these languages are known.
_WITH_WORD_LISTS = (
    "password", "pass-word", "pass word", "passphrase", "pass phrase", "pass-phrase", "passcode", "passwd", "passwort", "pass",
    "pw", "psw", "psk", "kennwort", "contrase", "senha", "palavra", "mot de", "mdp", "parola d", "парол", "кодовое",
)  # fmt: skip
_BASE32_GROUPS = re.compile(r"[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}(?![A-Za-z0-9])")
_BARE_KEY = {"key", "keys", "schlüssel", "ключ", "キー", "鍵", "키"}
_BARE_CODE = {"code", "codes", "コード", "코드"}


def statement_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords, keys and codes that are written next to their name."""
    yield from _passwords(view)
    yield from _keys(view)
    yield from _codes(view)


def _passwords(view: TextView) -> Iterator[Hit]:
    text = view.text
    for found in PASSWORDS.stated(view):
        if found["noun"].lower() == "pass" and word_before(text, found.start()) in words(
            "pass-context"
        ):
            continue
        value = read_value(
            text, found.end(), since=found.end("noun"), ascii_only=_writes_no_spaces(found["noun"])
        )
        if value is None:
            continue
        rule = "password-assignment" if "=" in (found["sign"] or "") else "password-in-prose"
        if _is_stated_password(found, value):
            yield Hit(rule, value.start, value.end)
        elif _may_be_phrase(found) and (phrase := _PHRASE.match(text, value.start)):
            yield from _pass_phrase(phrase)


def _is_stated_password(found: re.Match[str], value: Value) -> bool:
    noun = found["noun"].lower()
    if noun.startswith(("pin", "пин")) and not noun.startswith("ping"):
        return is_pin(value) and (
            found["loose"] is None
            or noun.startswith("пин")
            or is_qualified(found.string, found.start(), "code-qualifier")
        )
    if found["loose"] is not None:
        glued_number = (
            not noun.isascii()
            and not found["loose"].strip()
            and value.text.isdigit()
            and len(value.text) >= _SHORTEST_NUMBER
        )
        return (
            (is_strong(value) or glued_number)
            and value.text.isascii()
            and not value.text.startswith(("-", "#", "@", "/", "."))
        )
    if not noun.startswith(_WITH_WORD_LISTS) and not value.text.isdigit():
        return is_strong(value)
    counted = value.text.isdigit() and found.string[found.end("noun") : found.end("noun") + 1] in {
        "s",
        "S",
    }
    return not counted and is_password(value, copula=found["verb"] is not None)


def _may_be_phrase(found: re.Match[str]) -> bool:
    """Whether several words may follow: after a sign, or when the name itself says phrase."""
    noun = found["noun"].lower()
    return noun.startswith(_WITH_WORD_LISTS) and (found["sign"] is not None or "phrase" in noun)


def _pass_phrase(phrase: re.Match[str]) -> Iterator[Hit]:
    if is_pass_phrase(phrase.group().split()):
        yield Hit("pass-phrase", *phrase.span())


def _keys(view: TextView) -> Iterator[Hit]:
    text = view.text
    for found in KEYS.stated(view):
        if (found["loose"] or "").lstrip()[:1] not in {"", "("}:
            continue
        qualified = " " in found["noun"] or is_qualified(text, found.start(), "key-qualifier")
        if not _opens_something(text, found, qualified=qualified):
            continue
        value = read_value(
            text, found.end(), since=found.end("noun"), ascii_only=_writes_no_spaces(found["noun"])
        )
        if value is None:
            continue
        if groups := _BASE32_GROUPS.match(text, value.start):
            yield Hit("otp-seed", *groups.span())
        random = is_key(value, minimum=_shortest(found, qualified=qualified))
        if random or (_names_a_setting(text, found) and is_setting(value)):
            yield Hit("secret-assignment", value.start, value.end)


def _opens_something(text: str, found: re.Match[str], *, qualified: bool) -> bool:
    """Whether the name is not "the sort key", "the next page token" or just "the key"."""
    if word_before(text, found.start()) in words("key-context"):
        return False
    in_setting = found["noun"].isupper() and text[: found.start()].endswith("_")
    return qualified or in_setting or found["noun"].lower() not in _BARE_KEY


def _shortest(found: re.Match[str], *, qualified: bool) -> int:
    if found["loose"]:
        return _SHORTEST_LOOSE
    return _SHORTEST_KEY if qualified else _SHORTEST_PLAIN


def _names_a_setting(text: str, found: re.Match[str]) -> bool:
    """Whether ``X_SECRET=`` of an environment file, where any value is a real one."""
    if "=" not in (found["sign"] or "") or found["noun"].lower() in _BARE_KEY:
        return False
    name = _NAME.search(text[max(0, found.start() - _NAME_LENGTH) : found.end("noun")])
    return name is not None and _ENVIRONMENT.match(name.group()) is not None


def _codes(view: TextView) -> Iterator[Hit]:
    text = view.text
    for found in CODES.stated(view):
        bare = found["noun"].lower() in _BARE_CODE
        if (
            bare
            and not is_qualified(text, found.start(), "code-qualifier")
            and not _is_asked_for(text, found)
        ):
            continue
        value = spaced_digits(text, found.end()) or read_value(
            text, found.end(), since=found.end("noun"), ascii_only=_writes_no_spaces(found["noun"])
        )
        if value and is_code_secret(value, firm=found["loose"] is None):
            yield Hit("one-time-code", value.start, value.end)


def _is_asked_for(text: str, found: re.Match[str]) -> bool:
    """Whether "enter the code ABCD-EFGH", as a device shows it that wants to be linked."""
    return (
        _ENTER.search(text, max(0, found.start() - 24), found.start()) is not None
        and _LINK_CODE.match(text, found.end()) is not None
    )


def _writes_no_spaces(noun: str) -> bool:
    """Whether the name is in a script that writes no spaces, or hardly any."""
    return any(
        "\u0e00" <= c <= "\u0e7f" or "\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af"
        for c in noun
    )
