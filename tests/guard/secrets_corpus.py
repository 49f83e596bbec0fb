"""The secrets which the guard must refuse: made up, in hundreds of surroundings, never real.

Nothing here is a credential. The data files beside this module say how a secret looks, and a
seeded generator draws its random part, so that the repository holds no key, not even a false one:

``secret_keys.toml``
    keys and tokens of services, and what copying does to them.
``secret_settings.toml``
    headers, URLs, codes, settings, commands, screens.
``secret_prose.toml``
    passwords as people state them, one format a language.
``secret_surroundings.toml``
    what stands around a secret when it is pasted.

A format has ``tokens``, which give themselves away and are put into surroundings of any kind, or
``lines``, which are told by their own words and stand bare and in a frame, or both. In all of
them ``<<hex:32>>`` is a random part and ``⟦ ⟧`` encloses what must never be repeated.
"""

from __future__ import annotations

import base64
import json
import re
import string
import tomllib
from collections import Counter
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEED = 20260314
SURROUNDINGS_PER_TOKEN = 3

_FORMATS = ("secret_keys.toml", "secret_settings.toml", "secret_prose.toml")

_FIELD = re.compile(r"<<(\w+)(?::(\d+))?>>")
_OPEN, _CLOSE, _SLOT = "⟦", "⟧", "⟦⟧"
_FULL_WIDTH = {ordinal: ordinal + 0xFEE0 for ordinal in range(0x21, 0x7F)}
_ZERO_WIDTH_SPACE = "\u200b"
_WRAP_COLUMN = 40
_PEM_LINE = 64

_ALPHABETS = {
    "d": string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "a": string.ascii_lowercase + string.digits,
    "A": string.ascii_uppercase,
    "AN": string.ascii_uppercase + string.digits,
    "l": string.ascii_letters,
    "an": string.ascii_letters + string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b64": string.ascii_letters + string.digits + "+/",
    "b32": string.ascii_uppercase + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
_WORDS = (
    *("amber", "badger", "candle", "dolphin", "ember", "falcon", "ginger", "harbor"),
    *("island", "jasmine", "kettle", "lantern", "meadow", "nectar", "orchid", "pepper"),
    *("quartz", "raven", "saddle", "thunder", "umbrella", "velvet", "walnut", "zephyr"),
)
_SYLLABLES = ("wang", "xiao", "long", "ming", "chen", "bao", "jie", "hua", "lin", "feng")
_MARKS = "!#$%&*+-?@^_~"


@dataclass(frozen=True)
class SecretCase:
    """One text to refuse.

    Attributes
    ----------
    format : str
        Name of the format, as in the data files.
    text : str
        What somebody tries to store.
    secret_value : str
        The part of `text`, unchanged, that no message may repeat. Of several lines of key
        material it is the first.
    """

    format: str
    text: str
    secret_value: str


def secret_cases() -> tuple[SecretCase, ...]:
    """Return every case, in the same order and with the same text on each call."""
    surroundings = _read("secret_surroundings.toml")
    formats: dict[str, Any] = {}
    for name in _FORMATS:
        formats |= _read(name)
    return tuple(
        case for name, entry in formats.items() for case in _cases_of(name, entry, surroundings)
    )


def counts_by_format() -> dict[str, int]:
    """Return how many cases each format has."""
    return dict(Counter(case.format for case in secret_cases()))


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def _cases_of(
    name: str, entry: dict[str, Any], surroundings: dict[str, list[str]]
) -> Iterator[SecretCase]:
    # A source of its own for each format: a new format leaves the others as they were.
    rng = Random(f"{SEED}:{name}")  # noqa: S311 - repeatable on purpose, protects nothing
    turn = count(rng.randrange(len(surroundings["tokens"])))
    for token in entry.get("tokens", ()):
        for _ in range(SURROUNDINGS_PER_TOKEN):
            around = _rotate(surroundings["tokens"], turn)
            value = _DISGUISES[entry.get("disguise", "none")](_fill(token, rng))
            yield _case(name, around.replace(_SLOT, _OPEN + value + _CLOSE))
    for line in entry.get("lines", ()):
        yield _case(name, _fill(line, rng))
        yield _case(name, _framed(_fill(line, rng), _rotate(surroundings["frames"], turn)))


def _case(name: str, marked: str) -> SecretCase:
    before, _, rest = marked.partition(_OPEN)
    value, _, after = rest.partition(_CLOSE)
    return SecretCase(format=name, text=before + value + after, secret_value=value)


def _framed(line: str, frame: str) -> str:
    """Put a line into a frame, escaped where the frame is JSON."""
    if frame.startswith("{"):
        line = json.dumps(line, ensure_ascii=False)[1:-1]
    return frame.replace(_SLOT, line)


def _rotate(options: list[str], turn: Iterator[int]) -> str:
    return options[next(turn) % len(options)]


def _fill(template: str, rng: Random) -> str:
    def draw(field: re.Match[str]) -> str:
        kind, size = field[1], int(field[2] or 0)
        if kind in _ALPHABETS:
            return _draw(rng, _ALPHABETS[kind], size)
        return _MAKERS[kind](rng)

    return _FIELD.sub(draw, template)


def _draw(rng: Random, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def _strong(rng: Random) -> str:
    """Return a password as a form asks for it: letters, a digit, a mark."""
    if rng.choice((True, False)):
        word = rng.choice(_WORDS).capitalize()
        return word + _draw(rng, string.digits, 4) + rng.choice(_MARKS)
    letters = _draw(rng, _ALPHABETS["an"], 9)
    return (
        letters + rng.choice(string.digits) + rng.choice(_MARKS) + _draw(rng, _ALPHABETS["an"], 3)
    )


def _weak(rng: Random) -> str:
    """Return a password as people choose it: a word and a number."""
    return rng.choice(_WORDS) + _draw(rng, string.digits, rng.randint(2, 4))


def _pinyin(rng: Random) -> str:
    return rng.choice(_SYLLABLES) + rng.choice(_SYLLABLES) + _draw(rng, string.digits, 4)


def _url_password(rng: Random) -> str:
    return f"{_draw(rng, _ALPHABETS['an'], 8)}%40{_draw(rng, _ALPHABETS['w'], 5)}x"


def _uuid(rng: Random) -> str:
    return "-".join(_draw(rng, _ALPHABETS["hex"], size) for size in (8, 4, 4, 4, 12))


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _jwt(rng: Random) -> str:
    header = _base64('{"alg":"HS256","typ":"JWT"}')
    claims = _base64(f'{{"sub":"{_draw(rng, string.digits, 10)}","iat":1773480000}}')
    return f"{header.rstrip('=')}.{claims.rstrip('=')}.{_draw(rng, _ALPHABETS['w'], 43)}"


def _pem_in_base64(rng: Random) -> str:
    """Return a whole PEM file in base64, as a kubeconfig holds it."""
    rule, label = "-" * 5, "RSA PRIVATE KEY"
    body = _draw(rng, _ALPHABETS["b64"], _PEM_LINE)
    return _base64(f"{rule}BEGIN {label}{rule}\n{body}\n{rule}END {label}{rule}\n")


_MAKERS: dict[str, Callable[[Random], str]] = {
    "dash": lambda _: "-" * 5,
    "key": lambda _: "KEY",
    "lowerkey": lambda _: "key",
    "pem": lambda rng: _draw(rng, _ALPHABETS["b64"], _PEM_LINE),
    "strong": _strong,
    "weak": _weak,
    "pinyin": _pinyin,
    "word": lambda rng: rng.choice(_WORDS),
    "phrase": lambda rng: " ".join(rng.sample(_WORDS, 4)),
    "seed": lambda rng: " ".join(rng.sample(_WORDS, 12)),
    "fullwidth": lambda rng: _weak(rng).translate(_FULL_WIDTH),
    "urlpass": _url_password,
    "uuid": _uuid,
    "jwt": _jwt,
    "basic": lambda rng: _base64(f"{rng.choice(_WORDS)}:{_strong(rng)}"),
    "b64word": lambda rng: _base64(_strong(rng)),
    "pem64": _pem_in_base64,
}

_DISGUISES: dict[str, Callable[[str], str]] = {
    "none": lambda value: value,
    "full-width": lambda value: value.translate(_FULL_WIDTH),
    "zero-width": lambda value: value[:6] + _ZERO_WIDTH_SPACE + value[6:],
    "wrapped": lambda value: value[:_WRAP_COLUMN] + "\n" + value[_WRAP_COLUMN:],
}
