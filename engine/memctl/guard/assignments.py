"""Secrets that are stated beside their name: in a setting, a form, a table, a sentence.

A password is judged mildly where a sign or a verb leads to it, and must be odd where only a blank
does. A key or token must look random, the more so the less its name says of what it opens.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.guard.credential_nouns import (
    is_qualified,
    names_a_thing,
    stated,
    word_before,
    writes_no_spaces,
)
from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import patterns, words
from memctl.guard.value_judging import (
    is_key,
    is_licence,
    is_pass_phrase,
    is_password,
    is_strong,
    is_unmistakable,
    is_word_row,
)
from memctl.guard.value_reading import Value, read_value
from memctl.guard.value_shapes import is_dense, is_scrambled, letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = ["assigned_spans", "is_no_password", "is_of_story"]

_SAYS = patterns("assignments")

_SHORTEST_KEY = 10  # characters after "api key", "client secret"
_SHORTEST_PLAIN = 12  # after a bare "secret" or "token", which mean many things
_SHORTEST_LOOSE = 16  # where only a blank stands between name and value
_SHORTEST_BARE = 20  # after "the key" that nothing says more of
_SHORTEST_SETTING = 8
_PIN_LENGTHS = range(4, 9)
_DIGITS_ALONE = 6  # behind a blank
_LONGEST_ID = 32  # characters; a longer one behind a bare "key" is a key
_LONGEST_NAME = 48  # characters of a setting's name

_ARROWS = {" > ", "::"}  # of a path through menus, of a scope
_AMBIGUOUS = {"pass", "clave"}
_SECRETS = {"secret", "segreto", "secreto", "секрет", "シークレット", "시크릿"}
_BARE_KEYS = {
    *("license", "licence", "licenses", "licences", "cookie", "key", "keys"),
    *("schlüssel", "ключ", "キー", "鍵", "키"),
}


def assigned_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield passwords, PINs, keys and tokens that are stated beside their name."""
    yield from _passwords(view)
    for found in stated(view, "pin"):
        value = _value_of(found)
        if value is not None and _is_pin(found, value):
            yield SecretSpan("password-in-prose", value.start, value.end)
    yield from _keys(view)


def is_of_story(said: str) -> bool:
    """Tell whether a sentence speaks of a password in a film or a book, or of one to a heart."""
    return _SAYS.story.search(said) is not None


def is_no_password(text: str, noun: str, at: int) -> bool:
    """Tell whether a "pass" is a ticket, a verb or that of a test, a "clave" a column's."""
    if noun.lower() not in _AMBIGUOUS:
        return False
    behind = _SAYS.no_password if noun.lower() == "pass" else _SAYS.of_tables
    return (
        word_before(text, at) in words("pass-context")
        or behind.match(text, at + len(noun)) is not None
    )


def _value_of(found: re.Match[str]) -> Value | None:
    noun = found["noun"]
    return read_value(
        found.string, found.end(), since=found.end("noun"), ascii_only=writes_no_spaces(noun)
    )


def _passwords(view: TextView) -> Iterator[SecretSpan]:
    text = view.text
    for found in stated(view, "password"):
        if is_no_password(text, found["noun"], found.start()):
            continue
        value = _value_of(found)
        if value is None:
            continue
        rule = "password-assignment" if "=" in (found["sign"] or "") else "password-in-prose"
        if _is_stated_password(found, value) and not _is_documented_default(found, value):
            yield SecretSpan(rule, value.start, value.end)
        elif (
            found["sign"]
            and (phrase := _SAYS.phrase.match(text, value.start))
            and is_pass_phrase(phrase.group().split())
        ):
            yield SecretSpan("pass-phrase", *phrase.span())


def _is_stated_password(found: re.Match[str], value: Value) -> bool:
    noun, text = found["noun"].lower(), found.string
    slot = text[found.start() - 1 : found.start()] in {"<", "{"} and value.text[:1] in "@/:}"
    if slot or _is_counted(found, value) or _is_unpacked(found, value) or _is_others(found, value):
        return False
    if found["loose"] is not None:
        return _is_loose_password(found, value)
    if found["verb"] is not None and names_a_thing(text, found.start(), found.end("noun")):
        return is_unmistakable(value.text)
    foreign = not noun.isascii() and noun[0] > "\u024f"
    if foreign and not value.text.isdigit():
        return is_strong(value) or _is_foreign_word(text, value)
    if (found["sign"] or "") in _ARROWS or noun in {"clave", "losung", "wpa", "wpa2", "wpa3"}:
        row = value.text.isdigit() or is_word_row(value.text)
        return is_strong(value) or (row and is_password(value, copula=False))
    if "value" in (found["sign"] or "").lower():
        value = replace(value, ends_clause=True, on_next_line=False)
    elif found["sign"] == "=" and found["noun"].isupper():
        value = replace(value, ends_clause=True)  # a shell ends it at the next blank
    return is_password(value, copula=found["verb"] is not None)


def _is_loose_password(found: re.Match[str], value: Value) -> bool:
    """Tell whether the place of a value says that it is a password; `prose` judges odd words."""
    word, text = value.text, found.string
    listed = text[value.end : value.end + 3].strip("\"'").lstrip()[:1] in {":", ","}
    if listed or _SAYS.how.match(text, _line_start(found)):
        return False
    if is_unmistakable(word) or (value.quoted and is_strong(value)):
        return word.isascii()
    thing = found["noun"].lower() == "pass" or names_a_thing(text, *found.span("noun"))
    if thing or not value.ends_clause or value.on_next_line:
        return False
    if word.isdigit():
        foreign = writes_no_spaces(found["noun"])
        return len(word) >= (_PIN_LENGTHS.start if foreign else _DIGITS_ALONE)
    lone = value.quoted and word.isalpha() and "," not in found["loose"]
    return (lone or is_word_row(word)) and is_password(value, copula=True)


def _line_start(found: re.Match[str]) -> int:
    return max(found.string.rfind("\n", 0, found.start()) + 1, found.start() - 120)


def _is_others(found: re.Match[str], value: Value) -> bool:
    """Tell whether a film has the password, or an id or a digest beside it has the value."""
    said = found.string[_line_start(found) : found.end()]
    if _SAYS.identity.match(value.text):
        return _SAYS.id.search(said) is not None
    return "=" not in (found["sign"] or "") and is_of_story(said)


def _is_counted(found: re.Match[str], value: Value) -> bool:
    """Tell whether "passwords: 12", "pins: 40" say how many there are."""
    plural = found.string[found.end("noun") : found.end("noun") + 1] in {"s", "S"}
    arrow = "->" in (found["sign"] or "") and ")" in found.group()  # of a function's result
    return arrow or (plural and value.text.isdigit())


def _is_unpacked(found: re.Match[str], value: Value) -> bool:
    """Tell whether "user, password = split" is one of several names that a program fills."""
    return (
        "=" in (found["sign"] or "")
        and _SAYS.name_before.search(found.string, max(0, found.start() - 2), found.start())
        is not None
        and not value.quoted
        and not letters_and_digits(value.text)
    )


def _is_documented_default(found: re.Match[str], value: Value) -> bool:
    """Tell whether a setting repeats its own name: ``POSTGRES_PASSWORD=postgres``.

    Compose files that everybody copies do; a password that was changed names no program.
    """
    start = max(0, found.start() - _LONGEST_NAME)
    name = _SAYS.setting.search(found.string, start, found.end("noun"))
    return name is not None and value.text.lower() in {
        *name.group().lower().split("_"),
        *("postgres", "guest", "minioadmin"),
    }


def _is_foreign_word(text: str, value: Value) -> bool:
    """Tell whether a Latin word behind 密码是 or パスワードは is all that is said."""
    word = value.text
    bare = word.rstrip("!?%$&").replace("-", "").replace("_", "")
    ends = value.quoted or _SAYS.foreign_end.match(text, value.start + len(word)) is not None
    word_alone = word.isascii() and bare.isalpha() and (ends or is_word_row(word))
    return word_alone and is_password(replace(value, ends_clause=True), copula=True)


def _is_pin(found: re.Match[str], value: Value) -> bool:
    """Tell whether a number behind "PIN" opens something, and is no count, town or pin of a chip."""
    digits, text = value.text.strip("#*"), found.string
    if not digits.isdigit() or len(digits) not in _PIN_LENGTHS or _is_counted(found, value):
        return False
    if "code" in found["noun"].lower() and len(digits) == _DIGITS_ALONE:
        return False  # of a town in India
    if names_a_thing(text, found.start(), found.end("noun")):
        return False
    postal = len(digits) == _DIGITS_ALONE and re.match(
        r"[\s,(]{1,3}(?:[A-Z][a-z]|is\s)", text[value.end :][:8]
    )
    if postal or _SAYS.how.match(text, _line_start(found)):
        return False
    return found["loose"] is None or "?" in found["loose"] or value.ends_clause


def _keys(view: TextView) -> Iterator[SecretSpan]:
    text = view.text
    for found in stated(view, "key"):
        qualified = " " in found["noun"] or is_qualified(text, found.start(), "key-qualifier")
        if _is_public(found):
            continue
        value = _value_of(found)
        if value is None:
            continue
        if not _is_others(found, value) and _is_stated_key(found, value, qualified=qualified):
            yield SecretSpan("secret-assignment", value.start, value.end)


def _is_public(found: re.Match[str]) -> bool:
    """Tell whether a key is one that everybody may read, or a key of a table or a keyboard."""
    before = found.string[max(0, found.start() - 90) : found.start()]
    context = word_before(found.string, found.start()) in words("key-context")
    return context or _SAYS.public.search(before) is not None


def _is_stated_key(found: re.Match[str], value: Value, *, qualified: bool) -> bool:
    text, noun, loose = found.string, found["noun"].lower(), found["loose"]
    if loose is not None and loose.lstrip()[:1] not in {"", "("} and not qualified:
        return False  # a dash
    in_setting = found["noun"].isupper() and text[: found.start()].endswith("_")
    if noun in _BARE_KEYS and not qualified and not in_setting:
        # "Just the key" opens something only when it can be nothing else.
        plain = is_key(value, minimum=_SHORTEST_BARE) and is_dense(value.text)
        beside = (found["sign"] or loose or "").strip() in {"", ":", "="}
        if (
            beside
            and not _SAYS.cached.search(text[max(0, found.start() - 24) : value.start])
            and _SAYS.long_key.match(value.text)
            and is_key(value, minimum=_LONGEST_ID)
        ):
            return True
        return plain or (is_licence(value.text) and is_key(value, minimum=_SHORTEST_PLAIN))
    least = _SHORTEST_LOOSE if loose else _SHORTEST_KEY if qualified else _SHORTEST_PLAIN
    return (
        is_key(value, minimum=least)
        or _is_real_setting(found, value, qualified=qualified)
        or _is_chosen(found, value, qualified=qualified)
    )


def _is_real_setting(found: re.Match[str], value: Value, *, qualified: bool) -> bool:
    """Tell whether a variable of an environment file holds a value that somebody set."""
    word, noun = value.text, found["noun"].lower()
    name = _SAYS.environment.search(
        found.string, max(0, found.start() - _LONGEST_NAME), found.end("noun")
    )
    if name is None or "=" not in (found["sign"] or "") or len(word) < _SHORTEST_SETTING:
        return False
    real = " " not in word and not word.replace(".", "").isdigit()
    if not real or not is_password(value, copula=False):
        return False
    if noun not in _BARE_KEYS:
        return True
    cased = word.lower() != word != word.upper() and len(word) >= _SHORTEST_PLAIN
    return qualified and letters_and_digits(word) and (cased or not word.isalnum())


def _is_chosen(found: re.Match[str], value: Value, *, qualified: bool) -> bool:
    """Tell whether a person thought of the secret: "secret: anna_Rain151", "wifi key: rain1234"."""
    word, noun, text = value.text, found["noun"].lower(), found.string
    if len(word) < _SHORTEST_SETTING:
        return False
    if "wi" in noun or _SAYS.network.search(text, max(0, found.start() - 48), found.start()):
        return is_strong(value) or word.isdigit()
    if found["loose"] is not None or noun not in _SECRETS:
        return False
    if is_strong(value):
        return word.lower() != word and (letters_and_digits(word) or is_scrambled(word))
    return qualified and word.isalpha() and is_password(value, copula=True)
