"""Whether two names of firms can be one employer: whoever works at Google works at Alphabet.

Firms are too many to know who holds whom; those are listed that are spoken of under both names.
Any other two names are two employers: who changes from one firm to another, and memctl said
nothing, would be told of at the old one for good.
"""

from __future__ import annotations

from functools import cache

from memctl.semantic.sentences.places import is_known_place, wide_words

__all__ = ["may_be_one_firm"]

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
