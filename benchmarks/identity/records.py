"""Invented records for tables: people, files, orders and settings, and what happens to them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

__all__ = ["Record", "look_alike", "make", "other_status", "other_time"]

FIRST = {
    "development": "Ada Bruno Carla Deniz Edda Falk Gitta Hanno Ilse Jonna Karel Lotte Milan Nelly "
    "Otis Petra Quinn Rosa Silas Thea",
    "report": "Alma Birk Cora Dario Enno Fenja Gero Hilde Ivo Jette Kuno Lena Mats Nora Oda Piet "
    "Runa Sven Tilda Wanda",
}
LAST = {
    "development": "Amsel Birke Corvin Dorn Eller Falter Gruber Hasel Imker Kolm Lerche Moll "
    "Nagel Oster Pilz Rohr Sander Talmann Ulm Weber",
    "report": "Acker Bach Conrad Distel Esche Fink Garbe Heide Igel Kranich Linde Meise Nuss Olm "
    "Quell Rabe Storch Traube Uhl Wiesel",
}
ROLES = ("Owner", "Editor", "Viewer", "Auditor", "Planner", "Guest")
PLACES = ("Depot North", "Harbour", "Mill Lane", "Old Town", "Ridge", "South Gate", "Annex 2")
STATES = ("Active", "Waiting", "Suspended", "Draft")
TIMES = ("2 min ago", "14 min ago", "1 h ago", "3 h ago", "yesterday", "last week", "12 March")
STEMS = "budget minutes roster invoice layout survey manual packing route sketch ledger agenda"
ENDS = ("pdf", "csv", "odt", "png")
OPTIONS = (
    "Send a weekly digest",
    "Show hidden items",
    "Ask before leaving",
    "Keep a local copy",
    "Play a short sound",
    "Use large letters",
    "Hide the side bar",
    "Start with the last view",
    "Send a monthly digest",
    "Show shared items",
    "Ask before printing",
    "Keep a remote copy",
    "Play a long sound",
    "Use narrow columns",
    "Hide the status bar",
    "Start with a blank view",
    "Sort names by letter",
    "Mark weekends in grey",
    "Count words as I type",
    "Fold long paragraphs",
    "Join the test group",
    "Check spelling",
    "Wrap wide tables",
    "Lock after an hour",
)
ALIKE = str.maketrans("aoecnuilthrsm0123456789", "oaceunlitfnzn8714369072")


@dataclass(frozen=True, slots=True)
class Record:
    """One row; ``ident`` is what it is, whatever it is called."""

    ident: str
    name: str
    role: str
    place: str
    status: str
    time: str
    seed: int
    on: bool = False

    @property
    def number(self) -> str:
        """What a first column of ids shows."""
        return f"{self.seed % 90_000 + 10_000}"


def make(noun: str, count: int, half: str, seed: int) -> list[Record]:
    """Return records with distinct names: people, files, orders or settings."""
    pick = random.Random(seed)
    names = {
        "people": _people,
        "files": _files,
        "orders": _orders,
        "settings": _settings,
    }[noun](pick, half)
    return [
        Record(
            f"r{number}",
            name,
            pick.choice(ROLES),
            pick.choice(PLACES),
            pick.choice(STATES),
            pick.choice(TIMES),
            pick.randrange(1, 100_000),
        )
        for number, name in enumerate(names[:count])
    ]


def _people(pick: random.Random, half: str) -> list[str]:
    first, last = FIRST[half].split(), LAST[half].split()
    names = [f"{pick.choice(first)} {one}" for one in last]
    # Namesakes by half of their names: the row's name must be read to its end.
    names += [f"{name.split()[0]} {pick.choice(last)}sen" for name in names[:6]]
    names = list(dict.fromkeys(names))
    pick.shuffle(names)
    return names


def _files(pick: random.Random, _half: str) -> list[str]:
    stems = STEMS.split()
    names = [f"{pick.choice(stems)}-{pick.randrange(10, 99)}.{pick.choice(ENDS)}" for _ in "x" * 40]
    return list(dict.fromkeys(names))


def _orders(pick: random.Random, _half: str) -> list[str]:
    return [f"Order {number}" for number in pick.sample(range(41_000, 41_400), 40)]


def _settings(pick: random.Random, _half: str) -> list[str]:
    return pick.sample(OPTIONS, len(OPTIONS))


def look_alike(record: Record) -> Record:
    """Return another record whose name differs by one letter or digit."""
    stem = record.name.rsplit(".", 1)[0]
    # From the third quarter outwards: the first character that has a look-alike.
    order = sorted(range(len(stem)), key=lambda i: abs(i - len(stem) * 3 // 4))
    at = next(i for i in order if stem[i].translate(ALIKE) != stem[i])
    name = record.name[:at] + record.name[at].translate(ALIKE) + record.name[at + 1 :]
    return replace(record, ident=record.ident + "-alike", name=name, seed=record.seed + 1)


def other_time(record: Record) -> Record:
    """Return the same record with one changed cell."""
    return replace(record, time=TIMES[(TIMES.index(record.time) + 2) % len(TIMES)])


def other_status(record: Record) -> Record:
    """Return the same record with another status and time."""
    status = STATES[(STATES.index(record.status) + 1) % len(STATES)]
    return replace(other_time(record), status=status)
