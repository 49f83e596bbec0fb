"""Whether two names of places can be one place, or lie in each other.

``Bavaria`` and ``Munich, Germany`` can both be where somebody lives, ``Bavaria`` and
``Vienna, Austria`` cannot. Continents, countries and some regions are known, with what they
lie in; any other name is taken for a town, and two towns are two places. What is not known
to lie elsewhere contradicts nothing.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

__all__ = ["may_be_one_place", "wide_words"]

# Countries by continent; those on two, or on none, stand under none.
_COUNTRIES = {
    "": """armenia, azerbaijan, cyprus, egypt, indonesia, kazakhstan, new zealand, papua new guinea,
        russia, turkey""",
    "europe": """albania, andorra, austria, belarus, belgium, bosnia, bulgaria, croatia, czechia, denmark,
        estonia, finland, france, germany, greece, hungary, iceland, ireland, italy, kosovo, latvia,
        liechtenstein, lithuania, luxembourg, malta, moldova, monaco, montenegro, netherlands, norway,
        poland, portugal, romania, serbia, slovakia, slovenia, spain, sweden, switzerland, uk, ukraine""",
    "america": """argentina, bahamas, bolivia, brazil, canada, chile, colombia, costa rica, cuba,
        dominican republic, ecuador, el salvador, guatemala, haiti, honduras, jamaica, mexico, nicaragua,
        panama, paraguay, peru, uruguay, usa, venezuela""",
    "asia": """afghanistan, bangladesh, cambodia, china, india, iran, iraq, israel, japan, jordan, korea,
        kuwait, laos, lebanon, malaysia, mongolia, myanmar, nepal, oman, pakistan, philippines, qatar,
        saudi arabia, singapore, sri lanka, syria, taiwan, thailand, uzbekistan, vietnam, yemen""",
    "africa": """algeria, angola, botswana, cameroon, ethiopia, ghana, kenya, libya, madagascar, mali,
        morocco, mozambique, namibia, nigeria, rwanda, senegal, somalia, south africa, sudan, tanzania,
        tunisia, uganda, zambia, zimbabwe""",
    "australia": "",
}
# Regions by country; those of several, or of one of several, stand under none. Names that are
# towns as well (New York, Washington, Salzburg) are left out.
_REGIONS = {
    "": "georgia, scandinavia",
    "uk": "england, scotland, wales, northern ireland",
    "germany": """baden-württemberg, bavaria, brandenburg, hesse, lower saxony, north rhine-westphalia,
        rhineland-palatinate, saarland, saxony, schleswig-holstein, thuringia""",
    "austria": "carinthia, styria, tyrol, vorarlberg",
    "switzerland": "ticino, valais",
    "france": "alsace, brittany, corsica, normandy, provence",
    "spain": "andalusia, asturias, basque country, cantabria, catalonia, galicia",
    "italy": "calabria, lombardy, piedmont, sardinia, sicily, tuscany, umbria, veneto",
    "belgium": "flanders, wallonia",
    "usa": """alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida,
        hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland,
        massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada,
        new hampshire, new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon,
        pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah, vermont,
        virginia, west virginia, wisconsin, wyoming""",
    "canada": """alberta, british columbia, manitoba, new brunswick, newfoundland, nova scotia, ontario,
        saskatchewan""",
    "india": "gujarat, karnataka, kerala, punjab, rajasthan, tamil nadu",
    "china": "guangdong, sichuan, yunnan",
    "japan": "hokkaido, okinawa",
}
_OTHER_NAMES = {
    "europe": "europa",
    "america": "north america, south america, latin america",
    "uk": "u.k, united kingdom, great britain, britain, 英国, イギリス",
    "usa": "us, u.s, u.s.a, united states, united states of america, 美国, アメリカ",
    "germany": "deutschland, alemania, allemagne, 德国, ドイツ",
    "austria": "österreich, autriche",
    "switzerland": "schweiz, suiza, suisse",
    "france": "frankreich, francia, 法国, フランス",
    "spain": "spanien, españa, espagne",
    "italy": "italien, italia, italie",
    "poland": "polen, polonia, pologne",
    "netherlands": "holland",
    "czechia": "czech republic",
    "china": "中国",
    "japan": "日本",
    "korea": "south korea",
    "bavaria": "bayern, bavière, baviera",
    "saxony": "sachsen",
    "lower saxony": "niedersachsen",
    "tyrol": "tirol",
    "styria": "steiermark",
    "brittany": "bretagne",
    "normandy": "normandie",
    "catalonia": "catalunya, cataluña",
    "andalusia": "andalucía",
    "tuscany": "toscana",
    "sicily": "sicilia",
}
_MOST_WORDS = 4


class _Place(NamedTuple):
    """What is known of where something lies; empty where nothing is."""

    continent: str = ""
    country: str = ""
    region: str = ""


def may_be_one_place(one: str, other: str) -> bool:
    """Whether one of two places may lie in the other, so that both may be said.

    Parameters
    ----------
    one, other
        Names in the form of `normal.equal_key`, the narrowest first: ``munich germany``.
    """
    if _same(one.split(), other.split()):
        return True
    (place, town), (other_place, other_town) = _read(one), _read(other)
    if any(a and b and a != b for a, b in zip(place, other_place, strict=True)):
        return False
    return not (town and other_town) or _same(town, other_town)


@cache
def wide_words() -> frozenset[str]:
    """Return the words that are the name of a continent, a country or a region."""
    return frozenset(name for name in _known() if " " not in name) | {"states", "kingdom"}


def _same(words: list[str], others: list[str]) -> bool:
    return set(words) <= set(others) or set(others) <= set(words)


def _read(value: str) -> tuple[_Place, list[str]]:
    """Return what the names at the end of a value say, and the words before them: the town."""
    words = value.replace(",", " ").split()
    said = _Place()
    while words:
        sizes = range(min(_MOST_WORDS, len(words)), 0, -1)
        size = next((n for n in sizes if " ".join(words[-n:]) in _known()), 0)
        if not size:
            break
        found = _known()[" ".join(words[-size:])]
        said = _Place(*(new or old for new, old in zip(found, said, strict=True)))
        words = words[:-size]
    return said, words


@cache
def _known() -> dict[str, _Place]:
    """Return every known name with what it says."""
    known = {continent: _Place(continent) for continent in _COUNTRIES if continent}
    for continent, countries in _COUNTRIES.items():
        known |= {name: _Place(continent, name) for name in _names(countries)}
    for country, regions in _REGIONS.items():
        within = known[country] if country else _Place()
        known |= {name: within._replace(region=name) for name in _names(regions)}
    for name, others in _OTHER_NAMES.items():
        known |= dict.fromkeys(_names(others), known[name])
    return known


def _names(listed: str) -> list[str]:
    return [name for name in " ".join(listed.split()).split(", ") if name]
