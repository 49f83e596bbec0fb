"""The lists that the guard is held to, and what it did when it first met each."""

from __future__ import annotations

from typing import NamedTuple

from tests.guard.harmless_corpus import HARMLESS
from tests.guard.lists import LISTS, ordinary, secrets
from tests.guard.secrets_corpus import secret_cases

Labelled = list[tuple[str, str]]


class Contact(NamedTuple):
    """How a list fared before anybody read what was missed.

    Attributes
    ----------
    secrets, refused
        How many secrets it had, and how many of them were refused.
    ordinary, falsely_refused
        The same of its ordinary texts.
    """

    secrets: int
    refused: int
    ordinary: int
    falsely_refused: int


# Each list was written by somebody who had not read the rules, and met them once before its
# misses were read and the rules mended by principle. These rows are what a list that nobody has seen can expect.
# The eleventh, thirteenth, fourteenth and fifteenth were written by somebody who had, to find what
# sentences they did not know: the thirteenth and fifteenth before the rules were mended, the
# fourteenth met them mended. The seventeenth's row is without its classes, which were written after.
FIRST_CONTACT = {
    "second": Contact(794, 650, 1379, 7),
    "third": Contact(680, 620, 1166, 10),
    "fourth": Contact(448, 422, 510, 9),
    "fifth": Contact(127, 121, 187, 2),
    "sixth": Contact(520, 514, 933, 4),
    "seventh": Contact(502, 497, 1070, 2),
    "eighth": Contact(437, 425, 920, 4),
    "ninth": Contact(233, 231, 284, 2),
    "tenth": Contact(483, 467, 884, 1),
    "eleventh": Contact(723, 564, 778, 14),
    "twelfth": Contact(531, 491, 849, 2),
    "thirteenth": Contact(165, 58, 277, 13),
    "fourteenth": Contact(204, 199, 349, 19),
    "fifteenth": Contact(781, 545, 995, 42),
    "sixteenth": Contact(437, 431, 889, 5),
    "seventeenth": Contact(487, 483, 955, 7),
    "eighteenth": Contact(342, 340, 883, 1),
}


def own_lists() -> dict[str, tuple[Labelled, Labelled]]:
    """Return the secrets and the ordinary texts of each list, with their kinds."""
    first = ([(case.format, case.text) for case in secret_cases()], list(HARMLESS))
    further = {
        name: (
            [(one.kind, one.text) for one in secrets(name)],
            [(one.kind, one.text) for one in ordinary(name)],
        )
        for name in LISTS
    }
    return {"first": first, **further}
