"""Names of places and of firms that can be one: towns in their countries, firms and their holders.

``Bavaria`` and ``Munich, Germany`` can both be where somebody lives, ``Bavaria`` and
``Vienna, Austria`` cannot. Two towns are two places, and so are two names of which nothing is
known. An unknown name beside a known town may be a part of it (Camden, London) or a place of its
own: both may be said, because what contradicts waits for a person, and of two homes that stand the
newest comes first; who says that it changed ("now lives in") is believed.

Firms are listed that are spoken of under the name of their holder too. Any other two names are two
employers.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from memctl.semantic.sentences.word_tables import lines_in, named_lines_in

__all__ = ["may_be_one_firm", "may_be_one_place"]

_MOST_WORDS = 4


class _KnownPlace(NamedTuple):
    """The continent, country and region of a place; empty where they are not known."""

    continent: str = ""
    country: str = ""
    region: str = ""


def may_be_one_place(one: str, other: str, *, doubted: bool = True) -> bool:
    """Return whether one of two places may lie in the other, so that both may be said.

    Names are in the form of `normal.equal_key`, the narrowest first: ``munich germany``. If
    `doubted`, an unknown name may be a part of a town that is known.
    """
    if _same(one.split(), other.split()):
        return True
    (place, town), (other_place, other_town) = _read(one), _read(other)
    if any(a and b and a != b for a, b in zip(place, other_place, strict=True)):
        return False
    if not (town and other_town) or _same(town, other_town):
        return True
    return doubted and _is_town(town) is not _is_town(other_town)


def is_known_place(name: str) -> bool:
    """Return whether a name is that of a known place, and of nothing else."""
    return name in _known() or name in _towns()


@cache
def wide_words() -> frozenset[str]:
    """Return the words that are the name of a continent, a country or a region."""
    return frozenset(name for name in _known() if " " not in name) | {"states", "kingdom"}


def _is_town(words: list[str]) -> bool:
    return " ".join(words) in _towns()


@cache
def _towns() -> frozenset[str]:
    return frozenset(_names(" ".join(lines_in("towns"))))


def _same(words: list[str], others: list[str]) -> bool:
    return set(words) <= set(others) or set(others) <= set(words)


def _read(value: str) -> tuple[_KnownPlace, list[str]]:
    """Return where the names at the end of a value lie, and the words before them: the town."""
    words = value.replace(",", " ").split()
    said = _KnownPlace()
    while words:
        sizes = range(min(_MOST_WORDS, len(words)), 0, -1)
        size = next((n for n in sizes if " ".join(words[-n:]) in _known()), 0)
        if not size:
            break
        found = _known()[" ".join(words[-size:])]
        said = _KnownPlace(*(new or old for new, old in zip(found, said, strict=True)))
        words = words[:-size]
    return said, words


@cache
def _known() -> dict[str, _KnownPlace]:
    """Return every known name with where the place lies."""
    by_continent = named_lines_in("countries")
    known = {continent: _KnownPlace(continent) for continent in by_continent if continent}
    for continent, countries in by_continent.items():
        known |= {name: _KnownPlace(continent, name) for name in _names(countries)}
    for country, regions in named_lines_in("regions").items():
        within = known[country] if country else _KnownPlace()
        known |= {name: within._replace(region=name) for name in _names(regions)}
    for name, others in named_lines_in("other names of places").items():
        known |= dict.fromkeys(_names(others), known[name])
    return known


def _names(listed: str) -> list[str]:
    names = " ".join(listed.split()).split(", ")
    return [name for name in names if name]


@cache
def _held() -> frozenset[frozenset[str]]:
    """Return the pairs of a firm and one that it holds."""
    lines = (line.split(": ") for line in lines_in("firms"))
    return frozenset(
        frozenset((holder, firm)) for holder, firms in lines for firm in firms.split(", ")
    )


def may_be_one_firm(one: str, other: str) -> bool:
    """Return whether one firm may hold the other, or one is the place, so that both may be said.

    Names are in the form of `normal.equal_key`.
    """
    words, others = ({word.strip(",") for word in value.split()} for value in (one, other))
    wide = wide_words()
    return (
        words <= others
        or others <= words
        or frozenset((one, other)) in _held()
        or is_known_place(one) is not is_known_place(other)
        or bool(words & wide) is not bool(others & wide)
    )
