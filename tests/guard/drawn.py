"""Random parts of the texts of a list: drawn at test time, so that the files hold no key."""

from __future__ import annotations

import base64
import json
import re
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_FIELD = re.compile(r"<<(\w+)(?::(\d+))?>>")

_ALPHABETS = {
    "d": string.digits,
    "nz": "123456789",
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "a": string.ascii_lowercase,
    "A": string.ascii_uppercase,
    "ad": string.ascii_lowercase + string.digits,
    "AD": string.ascii_uppercase + string.digits,
    "aA": string.ascii_letters,
    "an": string.ascii_letters + string.digits,
    "url": string.ascii_letters + string.digits + "-_",
    "b64": string.ascii_letters + string.digits + "+/",
    "b32": string.ascii_uppercase + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "any": string.ascii_letters + string.digits + "!#$%&*+-?@^_~",
    "dna": "ACGT",
}
_WORDS = (
    *("copper", "lizard", "monday", "winter", "rocket", "pirate", "sunset", "guitar", "marble"),
    *("dragon", "forest", "silver", "hammer", "coffee", "planet", "wizard", "tunnel", "castle"),
    *("cactus", "penguin", "biscuit", "thunder", "mustang", "diamond", "avocado", "giraffe"),
    *("kitchen", "volcano", "trumpet", "blanket", "panther", "compass", "liberty", "octopus"),
)
_NAMES = ("maria", "jonas", "aisha", "pedro", "yuki", "olga", "minjun", "chloe", "lars", "priya")
_FAVOURITES = [
    "arsenal",
    "fluffy",
    "pancake",
    "bulldog",
    "chelsea",
    "mango",
    "snowball",
    "pikachu",
    "gandalf",
    "saturn",
    "banana",
    "tequila",
    "skyline",
    "monkey",
    "cowboy",
    "princess",
    "sunshine",
    "maverick",
    "lasagne",
    "waffle",
    "buster",
    "peaches",
    "yankees",
    "batman",
    "nirvana",
    "orchard",
    "pumpkin",
]
_SEED_WORDS = (
    *("abandon", "ladder", "ocean", "vivid", "tomato", "rescue", "nephew", "oyster", "gospel"),
    *("famous", "double", "cradle", "kangaroo", "lottery", "mimic", "neutral", "orbit", "puzzle"),
    *("quality", "rhythm", "solid", "toddler", "unveil", "vintage", "wagon", "zebra", "acoustic"),
    *("blossom", "cluster", "demise", "elbow", "fiscal", "glimpse", "humble", "inject", "jungle"),
)
_LEET = str.maketrans("aeios", "@310$")
_MARKS = "!#$%&*?@_-+."


def fill(template: str, rng: Random) -> str:
    """Return `template` with each ``<<kind:size>>`` drawn from `rng`."""
    return _FIELD.sub(lambda field: _value(field[1], int(field[2] or 0), rng), template)


def _value(kind: str, size: int, rng: Random) -> str:
    if kind in _ALPHABETS:
        return _draw(_ALPHABETS[kind], size, rng)
    return _MAKERS[kind](rng)


def _draw(alphabet: str, size: int, rng: Random) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def _strong(rng: Random) -> str:
    """Return a password as a form asks for it, in one of the shapes that people choose."""
    word, year = rng.choice(_WORDS), str(rng.randint(1970, 2026))
    shapes = (
        word.capitalize() + year + rng.choice(_MARKS),
        word.capitalize().translate(_LEET) + _draw(string.digits, 2, rng) + rng.choice("!?#"),
        f"{rng.choice(_NAMES)}_{word.capitalize()}{_draw(string.digits, 3, rng)}",
        _draw(string.ascii_letters, 3, rng) + rng.choice(_MARKS) + _draw(_ALPHABETS["an"], 8, rng),
        rng.choice("!#") + word.capitalize() + rng.choice(_WORDS).capitalize() + year[2:],
    )
    drawn = rng.choice(shapes)
    return drawn if any(letter.isdigit() for letter in drawn) else drawn + "7"


def _chosen(rng: Random) -> str:
    """Return a password as people think of one when the form is strict, other than `_strong`."""
    first, second = rng.sample(_FAVOURITES, 2)
    digits = _draw(string.digits, rng.randint(2, 4), rng)
    return rng.choice(
        (
            first.upper() + rng.choice("!.#@") + digits,
            digits + first.capitalize() + rng.choice("!?*"),
            f"{first}.{second}.{digits}",
            f"i<3{first}{digits}".replace("<", "L"),
            f"{first.capitalize()}&{second.capitalize()}{digits[:1]}",
            first[0].upper() + first[1:].translate(_LEET) + "_" + digits,
            _draw(_ALPHABETS["any"], 11, rng) + rng.choice(string.digits) + "aZ",
            _draw(_ALPHABETS["an"], 7, rng)
            + rng.choice("-_=+")
            + _draw(_ALPHABETS["an"], 6, rng)
            + "3",
        )
    )


def _formed(rng: Random) -> str:
    """Return a password of the shapes of the sixteenth list: a mark before or behind, capitals behind."""
    first, second = rng.sample(_WORDS, 2)
    digits = _draw(string.digits, rng.randint(2, 4), rng)
    sign = rng.choice("_-.")
    return rng.choice(
        (
            first.capitalize() + digits + rng.choice("!#$%*?"),
            first + second.capitalize() + digits,
            f"{first.capitalize()}{sign}{second.capitalize()}{sign}{digits}",
            first.translate(str.maketrans("eao", "340")) + digits + rng.choice("!$#") + "KQ",
            f"{first.capitalize()}@{rng.randint(2019, 2026)}{rng.choice('!?*')}",
            rng.choice("!*") + first + digits + second.upper()[:4],
        )
    )


def _mixed(rng: Random) -> str:
    """Return a drawn password with each kind of sign, between a letter and a letter."""
    inner = [
        *_draw(string.ascii_letters, rng.randint(3, 7), rng),
        *_draw(string.digits, rng.randint(2, 4), rng),
        *_draw("!#$%&*+-_=?@", rng.randint(1, 3), rng),
    ]
    rng.shuffle(inner)
    first, last = rng.choice(string.ascii_uppercase), rng.choice(string.ascii_lowercase)
    return first + "".join(inner) + last


def _coined(rng: Random) -> str:
    """Return a password of the shapes of the eighteenth list: words, a number and a mark."""
    first, second = rng.sample(_WORDS, 2)
    digits = _draw(string.digits, rng.randint(3, 5), rng)
    return rng.choice(
        (
            first.capitalize() + second.capitalize() + digits + rng.choice("!#$*?"),
            first.translate(str.maketrans("aeio", "4310")).capitalize()
            + rng.choice("#$!_-")
            + digits,
            digits[:2] + first.capitalize() + rng.choice("!$%#") + second,
            first + second.capitalize() + rng.choice("_!#") + digits,
        )
    )


def _pem(rng: Random, lines: int = 6) -> str:
    body = [_draw(_ALPHABETS["b64"], 64, rng) for _ in range(lines)]
    return "\n".join([*body, _draw(_ALPHABETS["b64"], 22, rng) + "=="])


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _jwt(rng: Random) -> str:
    header = {"alg": rng.choice(("RS256", "ES256", "HS512")), "kid": _draw("0123456789", 4, rng)}
    claims = {"sub": rng.choice(_NAMES), "exp": rng.randint(10**9, 2 * 10**9), "aud": "web"}
    parts = [_base64(json.dumps(part)).rstrip("=") for part in (header, claims)]
    return ".".join([*parts, _draw(_ALPHABETS["url"], 86, rng)])


def _uuid(rng: Random) -> str:
    return "-".join(_draw(_ALPHABETS["hex"], size, rng) for size in (8, 4, 4, 4, 12))


def _sequence(rng: Random) -> str:
    """Return a body as people make them up: the alphabet and the digits in their order."""
    start = rng.randrange(10)
    return (string.ascii_lowercase[start:] + string.digits + string.ascii_uppercase)[:40]


_MAKERS: dict[str, Callable[[Random], str]] = {
    "strong": _strong,
    "chosen": _chosen,
    "formed": _formed,
    "mixed": _mixed,
    "coined": _coined,
    "fav": lambda rng: rng.choice(_FAVOURITES),
    "favnum": lambda rng: rng.choice(_FAVOURITES) + _draw(string.digits, rng.randint(1, 5), rng),
    "weak": lambda rng: rng.choice(_WORDS) + _draw(string.digits, rng.randint(1, 4), rng),
    "word": lambda rng: rng.choice(_WORDS),
    "name": lambda rng: rng.choice(_NAMES),
    "camel": lambda rng: "".join(word.capitalize() for word in rng.sample(_WORDS, 2)),
    "dashed": lambda rng: "-".join(rng.sample(_WORDS, 3)),
    "underlined": lambda rng: "_".join(rng.sample(_WORDS, 3)),
    "phrase": lambda rng: " ".join(rng.sample(_WORDS, 4)),
    "joined": lambda rng: "".join(rng.sample(_WORDS, 3)),
    "seed": lambda rng: " ".join(rng.sample(_SEED_WORDS, 12)),
    "seed24": lambda rng: " ".join(rng.sample(_SEED_WORDS, 24)),
    "leet": lambda rng: rng.choice(_WORDS).translate(_LEET) + _draw(string.digits, 3, rng),
    "pem": _pem,
    "jwt": _jwt,
    "uuid": _uuid,
    "sequence": _sequence,
    "basic": lambda rng: _base64(f"{rng.choice(_NAMES)}:{_strong(rng)}"),
    "dash": lambda _: "-" * 5,
    "key": lambda _: "KEY",
}
