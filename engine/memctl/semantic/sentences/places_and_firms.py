"""Names of places and of firms that can be one: towns in their countries, firms and their holders.

``Bavaria`` and ``Munich, Germany`` can both be where somebody lives, ``Bavaria`` and
``Vienna, Austria`` cannot. Continents, countries and some regions are known, with what they
lie in; of towns, those that are much lived in. Two towns are two places, and so are two names
of which nothing is known. A name of which nothing is known beside a town that is known may be
a part of it (Camden, London) or a place of its own: both may be said. The other mistake would
be worse: what contradicts waits, so where somebody lives would not be known until a person has
looked, whereas of two homes that stand the newest comes first; and who says that it changed
("now lives in") is believed.

Firms are too many to know who holds whom; those are listed that are spoken of under both names.
Any other two names are two employers: who changes from one firm to another, and memctl said
nothing, would be told of at the old one for good.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

__all__ = ["is_known_place", "may_be_one_firm", "may_be_one_place", "wide_words"]

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
# Towns, as they are called in the languages that are read; none of these lies in another.
_TOWNS = """
london, manchester, birmingham, leeds, liverpool, bristol, sheffield, glasgow, edinburgh, cardiff, belfast,
newcastle, nottingham, oxford, cambridge, brighton, york, dublin, cork, galway,
paris, lyon, marseille, toulouse, nice, nantes, bordeaux, lille, strasbourg, rennes, montpellier, grenoble,
berlin, hamburg, munich, münchen, cologne, köln, frankfurt, stuttgart, düsseldorf, dortmund, essen, leipzig,
dresden, bremen, hannover, hanover, nuremberg, nürnberg, bonn, karlsruhe, mannheim, freiburg, münster,
vienna, wien, graz, linz, salzburg, innsbruck, zurich, zürich, geneva, genève, genf, basel, bern, lausanne,
madrid, barcelona, valencia, seville, sevilla, bilbao, málaga, malaga, zaragoza, granada, lisbon, lisboa,
porto, rome, roma, milan, milano, naples, napoli, turin, torino, florence, firenze, bologna, venice, palermo,
amsterdam, rotterdam, the hague, utrecht, eindhoven, brussels, antwerp, ghent, copenhagen, aarhus, stockholm,
gothenburg, malmö, oslo, bergen, helsinki, tampere, reykjavik, tallinn, riga, vilnius, warsaw, krakow, kraków,
gdansk, wroclaw, poznan, prague, prag, brno, bratislava, budapest, ljubljana, zagreb, belgrade, sarajevo, sofia,
bucharest, athens, thessaloniki, istanbul, ankara, izmir, kyiv, kiev, lviv, odessa, moscow, saint petersburg,
new york, new york city, nyc, los angeles, chicago, houston, philadelphia, phoenix, san diego, dallas, austin,
san francisco, san jose, seattle, denver, boston, portland, atlanta, miami, detroit, minneapolis, nashville,
las vegas, baltimore, pittsburgh, cleveland, orlando, tampa, charlotte, new orleans, washington,
salt lake city, sacramento, oakland, toronto, montreal, montréal, vancouver, calgary, ottawa, edmonton, québec,
mexico city, guadalajara, monterrey, havana, bogotá, bogota, medellín, medellin, lima, quito, santiago,
buenos aires, córdoba, montevideo, são paulo, sao paulo, rio de janeiro, brasília, caracas,
cairo, lagos, abuja, nairobi, accra, dakar, casablanca, tunis, algiers, addis ababa, johannesburg, cape town,
durban, kampala, tel aviv, jerusalem, beirut, amman, dubai, abu dhabi, doha, riyadh, tehran, baghdad,
mumbai, delhi, new delhi, bangalore, bengaluru, hyderabad, chennai, kolkata, pune, karachi, lahore, dhaka,
colombo, kathmandu, bangkok, chiang mai, hanoi, ho chi minh city, kuala lumpur, jakarta, manila, hong kong,
taipei, beijing, shanghai, shenzhen, guangzhou, chengdu, hangzhou, wuhan, nanjing, seoul, busan,
tokyo, osaka, kyoto, nagoya, yokohama, sapporo, fukuoka, kobe, sydney, melbourne, brisbane, perth, adelaide,
canberra, auckland, wellington, christchurch,
北京, 上海, 深圳, 广州, 成都, 杭州, 武汉, 南京, 柏林, 慕尼黑, 伦敦, 巴黎, 纽约, 东京,
東京, 大阪, 京都, 名古屋, 横浜, 札幌, 福岡, 神戸
"""
_MOST_WORDS = 4


class _Place(NamedTuple):
    """What is known of where something lies; empty where nothing is."""

    continent: str = ""
    country: str = ""
    region: str = ""


def may_be_one_place(one: str, other: str, *, doubted: bool = True) -> bool:
    """Whether one of two places may lie in the other, so that both may be said.

    Parameters
    ----------
    one, other
        Names in the form of `normal.equal_key`, the narrowest first: ``munich germany``.
    doubted
        Whether a name of which nothing is known may be a part of a town that is known.
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
    """Whether a name is that of a known place, and of nothing else."""
    return name in _known() or name in _towns()


@cache
def wide_words() -> frozenset[str]:
    """Return the words that are the name of a continent, a country or a region."""
    return frozenset(name for name in _known() if " " not in name) | {"states", "kingdom"}


def _is_town(words: list[str]) -> bool:
    return " ".join(words) in _towns()


@cache
def _towns() -> frozenset[str]:
    return frozenset(_names(_TOWNS))


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
    names = " ".join(listed.split()).split(", ")
    return [name for name in names if name]


_HOLDS = """
alphabet: google, youtube, deepmind, google deepmind, waymo, verily, fitbit, mandiant
google: youtube, deepmind, google deepmind, fitbit, mandiant
meta: facebook, instagram, whatsapp, oculus
facebook: instagram, whatsapp, oculus
microsoft: linkedin, github, xbox, activision, bethesda, skype, mojang
amazon: aws, twitch, audible, whole foods, imdb, zappos, ring
apple: beats
salesforce: slack, tableau, heroku, mulesoft
ibm: red hat
oracle: netsuite
cisco: webex, splunk, meraki, duo
bytedance: tiktok
tencent: wechat, riot games, supercell
alibaba: taobao, lazada, ant group, alipay
disney: pixar, marvel, lucasfilm, espn, hulu
walt disney: pixar, marvel, lucasfilm, espn, hulu
volkswagen: audi, porsche, škoda, skoda, seat, bentley, lamborghini, cariad, man
vw: audi, porsche, škoda, skoda, seat, bentley, lamborghini, cariad, man
bmw: mini, rolls-royce
stellantis: fiat, chrysler, jeep, peugeot, citroën, opel, alfa romeo, maserati
hyundai: kia
toyota: lexus
geely: volvo, polestar
tata: tcs, jaguar, land rover
telekom: t-mobile, t-systems
deutsche telekom: t-mobile, t-systems
lufthansa: eurowings, swiss, austrian airlines
iag: british airways, iberia, vueling
nestlé: nespresso, purina
unilever: ben & jerry's, knorr
lvmh: louis vuitton, dior, sephora, tiffany
inditex: zara, massimo dutti
roche: genentech
johnson & johnson: janssen
allianz: pimco
siemens: healthineers
schwarz group: lidl, kaufland
schwarz gruppe: lidl, kaufland
block: square, cash app
booking holdings: booking, kayak, agoda
match group: tinder, hinge, okcupid
"""


@cache
def _held() -> frozenset[frozenset[str]]:
    """Return the pairs of a firm and one that it holds."""
    lines = (line.split(": ") for line in _HOLDS.strip().split("\n"))
    return frozenset(
        frozenset((holder, firm)) for holder, firms in lines for firm in firms.split(", ")
    )


def may_be_one_firm(one: str, other: str) -> bool:
    """Whether one firm may hold the other, or one is the place, so that both may be said.

    Parameters
    ----------
    one, other
        Names in the form of `normal.equal_key`.
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
