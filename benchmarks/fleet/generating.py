"""A fleet of stores, varied on purpose, made fast: a few stores are made, the others are copies.

A copy has an origin, an address and a first fact of its own; what differs between stores is their
size (skewed: most are small, some have thousands of rows), language, time zone, user, whether they
know screens and skills, and whether something of them was erased.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING
from unittest import mock

import memctl
from benchmarks.corpus import texts
from benchmarks.trust import damage
from memctl.base.home import parse_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

NOW = "2026-11-20T09:00:00Z"  # when all of it was written
# Rows of a store, with how many of a hundred are of that size.
SIZES = {0: 4, 1: 12, 8: 30, 40: 34, 200: 15, 1000: 4, 3000: 1}
_SCREENS = 6  # of a hundred: a store of the demo's screens, skills and turns
_ERASED = 20  # of a hundred: something was erased
_DREAMS = 40
_MACHINE_STORES = 100  # of one machine's home
_ZONES = ("", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
_USERS = (None, None, "ann", "bo", "chen")
_APPS = ("agent", "ledger", "harbor", "mail", "chromium", "firefox", "desk", "notes")
_SYLLABLES = (
    "ba",
    "ce",
    "dro",
    "fi",
    "gu",
    "hel",
    "jo",
    "kra",
    "lum",
    "ne",
    "pol",
    "tis",
    "vor",
    "zu",
)
# What is said, by language; those of English are the house's corpus.
_SAID = {
    "de": (
        "Der Liefertermin von {} ist auf Freitag verschoben",
        "{} braucht eine neue Freigabe der Buchhaltung",
        "Ann hat die Rechnung von {} geprüft und nichts gefunden",
    ),
    "fr": (
        "La livraison de {} est repoussée à vendredi",
        "{} attend une validation du service comptable",
        "Ann a vérifié la facture de {} hier soir",
    ),
    "es": (
        "La entrega de {} se aplaza hasta el viernes",
        "{} necesita otra firma de contabilidad",
        "Ana revisó la factura de {} y está bien",
    ),
    "ja": (
        "{}の納期は金曜日に変更されました",
        "{}の請求書を経理が確認しています",
        "{}の倉庫は港の近くにあります",
    ),
    "ru": (
        "Срок поставки {} перенесён на пятницу",
        "{} ждёт согласования бухгалтерии",
        "Анна проверила счёт {} и ничего не нашла",
    ),
    "ar": (
        "تأجل موعد تسليم {} إلى يوم الجمعة",
        "ينتظر {} موافقة قسم المحاسبة",
        "راجعت آنا فاتورة {} مساء أمس",
    ),
}
_LANGUAGES = ("en", "en", "en", *_SAID)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one store of a fleet is to be."""

    number: int
    address: str
    kind: str  # of the store that it is copied from
    thing: str  # what its own fact is about
    zone: str
    user: str | None
    origin: str

    @property
    def rows(self) -> int:
        """How many turns it has."""
        return next((int(word) for word in self.kind.split() if word.isdigit()), 0)

    @property
    def question(self) -> str:
        """What only this store can answer."""
        return f"Where is the {self.thing} kept?"

    def file(self, folder: Path) -> Path:
        """Return its file, in the home of its machine."""
        home = folder / f"machine-{self.number // _MACHINE_STORES:03}"
        return parse_address(self.address).path(home)


def drawn(count: int, seed: int = 1) -> list[Drawn]:
    """Return what each of so many stores is to be; a seed draws the same ones."""
    dice = random.Random(seed)
    return [_draw(number, dice) for number in range(count)]


def _draw(number: int, dice: random.Random) -> Drawn:
    rows = dice.choices(list(SIZES), list(SIZES.values()))[0]
    language = dice.choice(_LANGUAGES) if rows < 1000 else "en"
    erased = rows >= 8 and dice.randrange(100) < _ERASED
    kind = f"{language} {rows}{' erased' if erased else ''}" if rows else "empty"
    if dice.randrange(100) < _SCREENS:
        kind = "screens"
    app = dice.choice(_APPS)
    site = app in {"chromium", "firefox"}
    return Drawn(
        number,
        f"{app}/{_name(dice)}{number}.example" if site else f"{app}-{number}",
        kind,
        f"{_name(dice)}{number}",
        dice.choice(_ZONES),
        dice.choice(_USERS),
        f"{dice.getrandbits(128):032x}",
    )


def _name(dice: random.Random) -> str:
    return "".join(dice.choices(_SYLLABLES, k=3))


def generate(folder: Path, fleet: Sequence[Drawn], *, dreamed: bool = True) -> None:
    """Make stores below `folder`, in homes of a hundred; `dreamed`: a dream finds nothing new."""
    with mock.patch.dict(os.environ, {"MEMCTL_NOW": NOW}):
        kinds = sorted({store.kind for store in fleet})
        models = {kind: _model(folder / "models", kind, dreamed=dreamed) for kind in kinds}
        for store in fleet:
            _copy(models[store.kind], store, folder)
    shutil.rmtree(folder / "models")


def _model(folder: Path, kind: str, *, dreamed: bool) -> Path:
    """Make the store that those of a kind are copied from; return its file, without a log."""
    home = folder / kind.replace(" ", "-")
    if kind == "screens":
        damage.make_store(home)
    language, rows, *more = kind.split() if " " in kind else ("en", "0")
    with memctl.open(damage.APP if kind == "screens" else "model", home) as memory:
        memory.store.connection(create=True)
        said = list(_said(language, int(rows)))
        memory.turns.add_many(_turn(number, text) for number, text in enumerate(said))
        memory.episodes.add_many([{"summary": f"{text}."} for text in said[::10]])
        for text in said[::20]:
            memory.facts.store(f"{text}.")
        for _ in range(_DREAMS if dreamed else 0):  # a run promotes only so much
            if not memory.dream.run(apply=True).diary:
                break
        if more:
            memory.erase("turn:1", confirm=True)
    return memory.store.path


def _said(language: str, count: int) -> Iterator[str]:
    if language == "en":
        yield from texts(count)
        return
    dice = random.Random(language)
    for sentence in islice(cycle(_SAID[language]), count):
        yield sentence.format(_name(dice).title())


def _turn(number: int, text: str) -> Mapping[str, object]:
    day = f"2026-{1 + number // 280 % 10:02}-{1 + number // 10 % 28:02}"
    return {
        "text": text,
        "role": ("user", "assistant")[number % 2],
        "speaker": ("Ann", "Bo", "Chen")[number % 3],
        "session": f"session {number // 40}",
        "logged_at": f"{day}T{8 + number % 10:02}:00:00Z",
    }


def _copy(model: Path, store: Drawn, folder: Path) -> None:
    """Make one store of its model: another origin and address, and what it alone knows."""
    path = store.file(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        own = {"id": store.origin, "address": store.address}
        connection.execute("update origin set id = :id, address = :address where own = 1", own)
        connection.execute("update store set address = :address", own)
    with memctl.open(path, user=store.user) as memory:
        if store.zone:
            memory.settings.set("timezone", store.zone)
        if store.kind != "empty":
            memory.facts.store([f"The {store.thing} is kept in shed {store.number}."])
