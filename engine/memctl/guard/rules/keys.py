"""Keys, tokens and shared secrets that are stated next to their name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.judge import is_key, is_licence, is_password, is_setting, is_strong
from memctl.guard.rules.nouns import (
    KEYS,
    is_definition,
    is_qualified,
    word_before,
    writes_no_spaces,
)
from memctl.guard.rules.shapes import is_dense, is_scrambled, letters_and_digits
from memctl.guard.rules.values import Value, read_value
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["key_hits"]

_SHORTEST_KEY = 10  # after "api key", "client secret"
_SHORTEST_PLAIN = 12  # after a bare "secret" or "token", which mean many things
_SHORTEST_LOOSE = 16  # where only a space stands between name and value
_SHORTEST_BARE = 20  # after "the key" that nothing says more of
_SHORTEST_CHOSEN = 8
_SHORTEST_WIRELESS = 8  # as WPA asks for
_NAME_LENGTH = 48
_BRAND_LENGTH = 28  # characters, with the word before it
_SENTENCE = 64  # characters before a name that may say of what it is
_BEFORE = 200  # characters: a key and some words

_NETWORK = Pattern(
    r"(?i)\b(?:(?:guest|home|wi-?fi|wlan|our|my)\s(?:network|netz)|ssid|wi-?fi|wlan|hotspot)\b[^\n.]*$"
)
_UUID = Pattern(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}")
# "the tenant id next to the client secret is"
_ID = Pattern(r"(?i)\bid\b[^\n.:;=]{1,40}$")
_ENVIRONMENT = Pattern(r"[A-Z][A-Z0-9_]{1,60}$")
_MARK = Pattern(r"[!#$%^&*?@]")
# "my Deepl key": a name in the middle of a sentence
_BRAND = Pattern(r"(?:\b(?:my|our|the|mein|unser|der|mi|la|ma|notre)\s)(?-i:[A-Z][\w.]{2,20})\s$")
# "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf" names one
_ARN = Pattern(r"\barn:[\w:/-]{0,80}:$")
_PUBLIC = Pattern(r"(?i)public(?:[_-]?key[_-]?|[\s-](?:\w{1,12}[\s-])?)$")
_NAME = Pattern(r"[A-Za-z0-9_]*$")
_BASE32_GROUPS = Pattern(
    r"(?:[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}|[a-z0-9]{4}(?: [a-z0-9]{4}){3,15})(?![A-Za-z0-9])"
)
# The word before a "key" that people choose themselves.
_SHARED = (
    *(
        "wifi",
        "fi",
        "wlan",
        "fritzbox",
        "router",
        "hotspot",
        "wpa",
        "wpa2",
        "wpa3",
        "wep",
        "network",
        "wireless",
        "netzwerk",
    ),
    *("shared", "sicherheits", "暗号化"),
)
# A sentence that gives the key in brackets or between commas: our production key (...) was rotated.
_ASIDE = Pattern(r"\w{0,6}(?:,\s|\s?[(\[])[\"'`]?([\w.+/=~-]{20,256})[\"'`]?[,)\]]")
# "9f86... is my weather API key": the value before the name.
_VALUE_BEFORE = Pattern(
    r"(?<![\w.+/=~-])([\w.+/=~-]{20,256})[\"'`”»」)]{0,3}\s(?:(?:is|was|as|=|—|-|ist|als|es|est|é|è|como|comme|come)\s(?:\S{1,16}\s){0,5})?\S{0,16}$"
)
_SECRET = {"secret", "segreto", "secreto", "секрет", "シークレット", "시크릿"}
_BARE_KEY = {
    *("license", "licence", "licenses", "licences"),
    *("cookie", "key", "keys", "schlüssel", "ключ", "キー", "鍵", "키"),
}


def key_hits(view: TextView) -> Iterator[Hit]:
    """Yield keys, tokens and shared secrets that are written next to their name."""
    text = view.text
    yield from _beside(view)
    for found in KEYS.stated(view):
        qualified = (
            " " in found["noun"]
            or is_qualified(text, found.start(), "key-qualifier")
            or _BRAND.search(text, max(0, found.start() - _BRAND_LENGTH), found.start()) is not None
        )
        if is_definition(found) or _is_public(found):
            continue
        dashed = (found["loose"] or "").lstrip()[:1] not in {"", "("}
        if (dashed and not qualified) or word_before(text, found.start()) in words("key-context"):
            continue
        value = read_value(
            text, found.end(), since=found.end("noun"), ascii_only=writes_no_spaces(found["noun"])
        )
        if value is None or _ARN.search(
            text, max(0, found.start() - _NAME_LENGTH * 2), found.start()
        ):
            continue
        if (groups := _BASE32_GROUPS.match(text, value.start)) and _has_digits(groups.group()):
            yield Hit("otp-seed", *groups.span())
        if _is_stated_key(found, value, qualified=qualified):
            yield Hit("secret-assignment", value.start, value.end)


def _beside(view: TextView) -> Iterator[Hit]:
    """Yield the key in brackets or between commas behind its name, or said before what it is."""
    for at in KEYS.spots(view):
        if not view.judged.is_new("beside key", at):
            continue
        if not is_qualified(view.text, at, "key-qualifier"):
            continue
        before = _VALUE_BEFORE.search(view.text, max(0, at - _BEFORE), at)
        for found in filter(None, (_ASIDE.match(view.text, at), before)):
            word = found[1]
            value = Value(word, *found.span(1), quoted=False, ends_clause=True, run=word)
            if is_key(value, minimum=_SHORTEST_BARE):
                yield Hit("secret-assignment", value.start, value.end)


def _is_stated_key(found: re.Match[str], value: Value, *, qualified: bool) -> bool:
    text, noun = found.string, found["noun"].lower()
    if _UUID.match(value.text) and _ID.search(
        text, max(0, found.start() - _SENTENCE), found.start()
    ):
        return False
    in_setting = found["noun"].isupper() and text[: found.start()].endswith("_")
    if noun in _BARE_KEY and not qualified and not in_setting:
        if _is_of_network(found, value):
            return True
        # "Just the key" opens something only when it can be nothing else.
        plain = is_key(value, minimum=_SHORTEST_BARE) and is_dense(value.text)
        return (
            plain or (is_licence(value.text) and is_key(value, minimum=_SHORTEST_PLAIN))
        ) and not is_qualified(text, found.start(), "key-context")
    return (
        is_key(value, minimum=_shortest(found, qualified=qualified))
        or (_names_a_setting(text, found) and is_setting(value))
        or (in_setting and qualified and "=" in (found["sign"] or "") and _is_marked(value))
        or _is_chosen(found, value, qualified=qualified)
    )


def _is_public(found: re.Match[str]) -> bool:
    """Whether "publicKeyToken", "public signing key": of what everybody may read."""
    return _PUBLIC.search(found.string, max(0, found.start() - 22), found.start()) is not None


def _is_of_network(found: re.Match[str], value: Value) -> bool:
    """Whether "our guest network is Linden and the key is maplesyrup20"."""
    start = max(0, found.start() - _SENTENCE)
    return (
        len(value.text) >= _SHORTEST_WIRELESS
        and letters_and_digits(value.text)
        and is_strong(value)
        and found["loose"] is None
        and _NETWORK.search(found.string, start, found.start()) is not None
    )


def _is_marked(value: Value) -> bool:
    """Whether letters, digits and a mark, or both cases and digits, as a form asks for."""
    word = value.text
    cased = word.lower() != word != word.upper() and len(word) >= _SHORTEST_PLAIN
    return (
        is_setting(value)
        and letters_and_digits(word)
        and (cased or _MARK.search(value.run) is not None)
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
        return word.lower() != word and (letters_and_digits(word) or is_scrambled(word))
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
