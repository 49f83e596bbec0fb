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
    is_strong,
)
from memctl.secret_rules.nouns import (
    CODE_NEEDLES,
    KEY_NEEDLES,
    PASSWORD_NEEDLES,
    code_nouns,
    key_nouns,
    password_nouns,
)
from memctl.secret_rules.shapes import is_hash, is_placeholder
from memctl.secret_rules.values import Value, read_value
from memctl.secret_rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.secret_rules.text_view import TextView

__all__ = ["statement_hits"]

_SHORTEST_KEY = 10
_SHORTEST_PLAIN_SECRET = 12  # after a bare "secret" or "token", which mean many things
_WORD_BEFORE = re.compile(r"([^\W_]+)[\s_.-]{0,2}$")
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9_]{1,60}$")
_TEXT_AROUND = 48
_PHRASE = re.compile(r"[a-z]{3,12}(?: [a-z]{3,12}){2,9}(?=[.!\"'\n]|$)")

_BACKWARDS = re.compile(
    r"(?P<value>[^\s\"'`“”«»]{5,128})[\"'`”»]?,?\s(?:is|was|ist|es|est|é|è|as|als|como|comme|come|—)\s"
    r"(?:(?:my|the|our|your|his|her|their|its|a|new|current|old|mein|das|unser|neues|mi|la|su|mon|le|votre|minha|a|il|mia|root|admin|wifi|default|temporary)\s){0,4}"
    r"(?:[\w-]{2,16}\s){0,2}?(?:password|passphrase|passcode|pin|passwort|kennwort|contraseña|mot de passe|senha)"
    r"(?!\s?(?:manager|policy|hash|hint|reset|field|generator|vault|store|prompt|protect))",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"(?:log[\s-]?ins?|sign[\s-]?in|credentials?|creds|account|zugang(?:sdaten)?|anmeldung|identifiants?|credenciales|accesso|账号|帐号|账户|アカウント|계정|логин)"
    r"[^\n:=]{0,40}?(?:[:=]|\swith|\sas|\sis|\sare|\smit|\scon|\savec)\s{0,3}[\"'`]?(?P<user>[^\s/|:,\"'`]{2,64})[\"'`]?\s{0,2}[/|:,]\s{0,2}[\"'`]?(?P<value>[^\s\"'`]{4,64})",
    re.IGNORECASE,
)


def statement_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords, keys and codes that are written next to their name."""
    low = view.lowered
    if any(needle in low for needle in PASSWORD_NEEDLES):
        yield from _passwords(view.text)
        yield from _backwards(view.text)
    if any(needle in low for needle in KEY_NEEDLES):
        yield from _keys(view.text)
    if any(needle in low for needle in CODE_NEEDLES):
        yield from _codes(view.text)
    if any(needle in low for needle in _PAIR_NEEDLES):
        yield from _pairs(view.text)


_PAIR_NEEDLES = ("login", "log in", "sign", "cred", "account", "zugang", "anmeldung", "identifiant", "accesso", "账号", "帐号", "账户", "アカウント", "계정", "логин")  # fmt: skip


def _passwords(text: str) -> Iterator[Hit]:
    for found in password_nouns().finditer(text):
        value = read_value(text, found.end(), ascii_only=_writes_no_spaces(found["noun"]))
        if value is None:
            continue
        rule = "password-assignment" if "=" in (found["sign"] or "") else "password-in-prose"
        if _is_stated_password(found, value) or (
            _is_flag(text, found.start()) and is_strong(value)
        ):
            yield Hit(rule, value.start, value.end)
        elif found["sign"] and (phrase := _PHRASE.match(text, value.start)):
            yield from _pass_phrase(phrase)


def _is_stated_password(found: re.Match[str], value: Value) -> bool:
    if found["loose"] is not None:
        return is_strong(value) and value.text.isascii() and not value.text.startswith("-")
    if found["noun"].lower().startswith(("pin", "пин")):
        return is_pin(value)
    numeric_many = value.text.isdigit() and found.group().lower().rstrip(" :=").endswith("s")
    return not numeric_many and is_password(value, copula=found["verb"] is not None)


def _pass_phrase(phrase: re.Match[str]) -> Iterator[Hit]:
    if is_pass_phrase(phrase.group().split()):
        yield Hit("pass-phrase", *phrase.span())


def _keys(text: str) -> Iterator[Hit]:
    for found in key_nouns().finditer(text):
        if found["loose"] and not found["loose"].isspace():
            continue
        value = read_value(text, found.end(), ascii_only=not found["noun"].isascii())
        if value is None or _opens_nothing(text, found.start(), found["noun"]):
            continue
        if is_key(value, minimum=_shortest(found)) or _is_environment_secret(text, found, value):
            yield Hit("secret-assignment", value.start, value.end)


def _shortest(found: re.Match[str]) -> int:
    if found["loose"]:
        return 16
    plain = found["noun"].lower() in {"secret", "token", "credentials", "creds", "credential"}
    return _SHORTEST_PLAIN_SECRET if plain else _SHORTEST_KEY


def _opens_nothing(text: str, start: int, noun: str) -> bool:
    before = _WORD_BEFORE.search(text, max(0, start - _TEXT_AROUND), start)
    first = re.split(r"[\s_.-]", noun.lower(), maxsplit=1)[0]
    return (before is not None and before[1].lower() in words("key-context")) or first in words(
        "key-context"
    )


def _is_environment_secret(text: str, found: re.Match[str], value: Value) -> bool:
    """Whether ``X_SECRET=value`` of an environment file, where any value is a real one."""
    name = re.search(
        r"[A-Za-z0-9_]*$", text[max(0, found.start() - _TEXT_AROUND) : found.end("noun")]
    )
    if "=" not in (found["sign"] or "") or name is None or not _ENVIRONMENT.match(name.group()):
        return False
    word = value.text
    return (
        len(word) >= 8
        and " " not in word
        and not word.replace(".", "").isdigit()
        and not is_placeholder(word)
        and not is_hash(word)
        and is_password(value, copula=False)
    )


def _codes(text: str) -> Iterator[Hit]:
    for found in code_nouns().finditer(text):
        value = read_value(text, found.end(), ascii_only=_writes_no_spaces(found["noun"]))
        spaced = re.compile(r"[\"'`*]{0,2}(\d{2,4}(?:[ -]\d{2,4}){1,3})(?![\w-])").match(
            text, value.start if value else found.end()
        )
        if spaced:
            value = Value(spaced[1], *spaced.span(1), quoted=False, ends_clause=True, run=spaced[1])
        if value and is_code_secret(value, firm=found["loose"] is None):
            yield Hit("one-time-code", value.start, value.end)


def _backwards(text: str) -> Iterator[Hit]:
    for found in _BACKWARDS.finditer(text):
        yield from _strong_group(found)


def _pairs(text: str) -> Iterator[Hit]:
    for found in _PAIR.finditer(text):
        yield from _strong_group(found)


def _strong_group(found: re.Match[str]) -> Iterator[Hit]:
    word = found["value"].rstrip(".,;:)")
    start = found.start("value")
    value = Value(word, start, start + len(word), quoted=False, ends_clause=True, run=word)
    if is_strong(value) and word.isascii() and not re.search(r"\.\w{2,4}$|^[\w-]+/[\w/-]+$", word):
        yield Hit("password-in-prose", value.start, value.end)


def _is_flag(text: str, start: int) -> bool:
    return text[max(0, start - 2) : start] == "--"


def _writes_no_spaces(noun: str) -> bool:
    return any(
        "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\u0e00" <= char <= "\u0e7f"
        for char in noun
    )
