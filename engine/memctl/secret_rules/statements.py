"""Secrets that are stated: in a sentence, an assignment, a form, a table, an environment file."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.secret_rules.hit import Hit
from memctl.secret_rules.judge import (
    is_irregular,
    is_key,
    is_licence,
    is_pass_phrase,
    is_password,
    is_pin,
    is_setting,
    is_strong,
)
from memctl.secret_rules.nouns import KEYS, PASSWORDS, is_no_password, is_qualified, word_before, writes_no_spaces
from memctl.secret_rules.shapes import is_dense, letters_and_digits
from memctl.secret_rules.values import Value, read_value
from memctl.secret_rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.secret_rules.text_view import TextView

__all__ = ["statement_hits"]

_SHORTEST_KEY = 10  # after "api key", "client secret"
_SHORTEST_PLAIN = 12  # after a bare "secret" or "token", which mean many things
_SHORTEST_LOOSE = 16  # where only a space stands between name and value
_SHORTEST_BARE = 20  # after "the key" that nothing says more of
_SHORTEST_CHOSEN = 8
_SHORTEST_WIRELESS = 8  # as WPA asks for
_NAME_LENGTH = 48

_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9_]{1,60}$")
_NAME = re.compile(r"[A-Za-z0-9_]*$")
_PHRASE = re.compile(r"[a-z]{3,12}(?: [a-z]{3,12}){2,9}(?=[.!\"'\n]|$)")
_SENTENCE = 60  # characters before a name that may say what is done with it
_ARROWS = {" > ", "::"}  # of a path through menus, of a scope
_POSTAL_LENGTH = 6
_PLACE = re.compile(r"[\s,]{1,3}(?:[A-Z][a-z]|is\s|was\s|covers\s)")
_PAIR = re.compile(r"(?:[a-z_]{1,24}|[a-z]+\d|[A-Z]\d)=")
_QUESTION = re.compile(r"(?i)\b(?:what|which|wie|was|cuál|cual|quel|qual|какой)\b")
# "set the password to", "unlock it with the password"
_GIVEN = re.compile(
    r"(?i)\b(?:(?:re)?set|chang|made|make|updat|switch)\w{0,3}\s(?:\S{1,16}\s){0,4}?$"
    r"|\b(?P<way>with|using|mit|con|avec|com)\s(?:the|dem|la|le|a)\s$"
)
_INTO = {"to", "as", "auf", "en", "para", "in", "на"}
# What may follow a Latin word in a sentence of another script, if the word is all that was said.
_FOREIGN_END = re.compile(
    r"[\"'`”’»」』)\]]{0,3}(?:\s|$|[.,;:!?、。！？；，)」』—(]|です|だ|でした|である|이야|이에요|입니다|예요|야\b|임\b|就|吧|哦|啊|呢|哈|，|喔|而已|便)"
)
_SHORTEST_PIN = 4
_SHORTEST_NUMBER = 6  # for digits that stand right behind their name, without a sign
# Where a word of letters only may be the password: the remarks of these languages are known.
_WITH_WORD_LISTS = (
    "password", "pass-word", "pass word", "passphrase", "pass phrase", "pass-phrase", "passcode", "passwd", "passwort", "pass",
    "pw", "psw", "psk", "kennwort", "contrase", "senha", "palavra", "mot de", "mdp", "parola d", "парол", "кодовое",
)  # fmt: skip
_BASE32_GROUPS = re.compile(r"(?:[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}|[a-z0-9]{4}(?: [a-z0-9]{4}){3,15})(?![A-Za-z0-9])")
# The word before a "key" that people choose themselves.
_SHARED = (
    *("wifi", "fi", "wlan", "wpa", "wpa2", "wpa3", "wep", "network", "wireless", "netzwerk"),
    *("shared", "sicherheits"),
)
_SECRET = {"secret", "segreto", "secreto", "секрет", "シークレット", "시크릿"}
_BARE_KEY = {"license", "licence", "licenses", "licences", "key", "keys", "schlüssel", "ключ", "キー", "鍵", "키"}


def statement_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords and keys that are written next to their name."""
    yield from _passwords(view)
    yield from _keys(view)


def _passwords(view: TextView) -> Iterator[Hit]:
    text = view.text
    for found in PASSWORDS.stated(view):
        if is_no_password(text, found["noun"], found.start()):
            continue
        value = read_value(
            text, found.end(), since=found.end("noun"), ascii_only=writes_no_spaces(found["noun"])
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
        return is_pin(value) and not _is_place(found, value) and _is_firm_pin(found, noun, value)
    if found["loose"] is not None:
        return _is_loose_password(found, noun, value)
    counted = value.text.isdigit() and found.string[found.end("noun") : found.end("noun") + 1] in {
        "s",
        "S",
    }
    if counted:
        return False
    if not noun.isascii() and not noun.startswith(_WITH_WORD_LISTS) and not value.text.isdigit():
        return is_strong(value) or _is_foreign_word(found.string, value)
    if (found["sign"] or "") in _ARROWS or noun.startswith("wpa") or (not noun.isascii() and noun[0] > "\u024f" and not value.text.isascii()):
        return is_strong(value)
    if _is_assigned(found):
        value = replace(value, ends_clause=True)
    return is_password(value, copula=found["verb"] is not None)


def _is_assigned(found: re.Match[str]) -> bool:
    """Whether ``X_PASSWORD=value``, which a shell ends at the next space."""
    return found["sign"] == "=" and found["noun"].isupper()


def _is_firm_pin(found: re.Match[str], noun: str, value: Value) -> bool:
    """Whether a sign, a verb, a question or another word makes the number a PIN, not a pin's."""
    loose = found["loose"]
    return (
        loose is None
        or "?" in loose
        or noun.startswith("пин")
        or value.ends_clause
        or is_qualified(found.string, found.start(), "code-qualifier")
    )


def _is_place(found: re.Match[str], value: Value) -> bool:
    """Whether an Indian PIN code, which says where somebody lives: 560001, Bangalore."""
    return len(value.text) == _POSTAL_LENGTH and _PLACE.match(found.string, value.end) is not None


def _is_loose_password(found: re.Match[str], noun: str, value: Value) -> bool:
    """Judge a value that only a space, a comma, a dash or a tag parts from its name."""
    text, loose, word = found.string, found["loose"], value.text
    if not word.isascii() or _PAIR.match(word):
        return False
    if value.quoted:
        return is_strong(value) or (word.isalpha() and is_password(value, copula=True))
    if word.startswith(("-", "#", "@", "/", ".")):
        return False
    fewest = _SHORTEST_PIN if value.ends_clause else _SHORTEST_NUMBER
    if is_strong(value) or (not noun.isascii() and word.isdigit() and len(word) >= fewest):
        return True
    if "phrase" in noun and word.count("-") > 1:
        return is_password(value, copula=False)
    if not value.ends_clause or value.on_next_line or not word.isalpha():
        return False
    if is_irregular(word):
        return True
    asked = "?" in loose and _QUESTION.search(text, max(0, found.start() - _SENTENCE), found.start())
    given = _GIVEN.search(text, max(0, found.start() - _SENTENCE), found.start())
    setting = loose.split() and loose.split()[0] in _INTO
    if not (asked or (given and (setting or given["way"]) and not word.istitle())):
        return _is_latin_aside(noun, value)
    return is_password(value, copula=True)


def _is_latin_aside(noun: str, value: Value) -> bool:
    """Whether a small Latin word stands in a sentence of another script: "мой пароль biscuit"."""
    return (
        not noun.isascii()
        and noun[:1].isalpha()
        and not any("\u00c0" <= char <= "\u024f" for char in noun)
        and value.text.islower()
        and is_password(value, copula=True)
    )


def _is_foreign_word(text: str, value: Value) -> bool:
    """Whether a Latin word behind 密码是 or パスワードは is all that is said."""
    word = value.text
    return (
        word.isascii()
        and word.replace("-", "").isalpha()
        and (value.quoted or _FOREIGN_END.match(text, value.start + len(word)) is not None)
        and is_password(replace(value, ends_clause=True), copula=True)
    )


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
        qualified = " " in found["noun"] or is_qualified(text, found.start(), "key-qualifier")
        dashed = (found["loose"] or "").lstrip()[:1] not in {"", "("}
        if (dashed and not qualified) or word_before(text, found.start()) in words("key-context"):
            continue
        value = read_value(
            text, found.end(), since=found.end("noun"), ascii_only=writes_no_spaces(found["noun"])
        )
        if value is None:
            continue
        if (groups := _BASE32_GROUPS.match(text, value.start)) and _has_digits(groups.group()):
            yield Hit("otp-seed", *groups.span())
        if _is_stated_key(found, value, qualified=qualified):
            yield Hit("secret-assignment", value.start, value.end)


def _is_stated_key(found: re.Match[str], value: Value, *, qualified: bool) -> bool:
    text, noun = found.string, found["noun"].lower()
    in_setting = found["noun"].isupper() and text[: found.start()].endswith("_")
    if noun in _BARE_KEY and not qualified and not in_setting:
        # "Just the key" opens something only when it can be nothing else.
        plain = is_key(value, minimum=_SHORTEST_BARE) and is_dense(value.text)
        return (
            (plain or (is_licence(value.text) and is_key(value, minimum=_SHORTEST_PLAIN)))
            and not is_qualified(text, found.start(), "key-context")
        )
    return (
        is_key(value, minimum=_shortest(found, qualified=qualified))
        or (_names_a_setting(text, found) and is_setting(value))
        or _is_chosen(found, value, qualified=qualified)
    )


def _is_chosen(found: re.Match[str], value: Value, *, qualified: bool) -> bool:
    """Whether a person thought of the secret: "secret: anna_Rain151", "the wifi key is rain1234"."""
    word = value.text
    before = word_before(found.string, found.start())
    if found["noun"].lower() in _BARE_KEY and before.endswith(_SHARED):
        return len(word) >= _SHORTEST_WIRELESS and (is_strong(value) or word.isdigit())
    if "wi" in found["noun"].lower():
        return is_strong(value)
    if found["loose"] is not None:
        return False
    if found["noun"].lower() not in _SECRET or len(word) < _SHORTEST_CHOSEN:
        return False
    if is_strong(value):
        return word.lower() != word and letters_and_digits(word)
    return qualified and word.isalpha() and is_password(value, copula=True)


def _has_digits(groups: str) -> bool:
    return groups.isupper() or sum(any(map(str.isdigit, one)) for one in groups.split()) > 1


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
