"""Earlier."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from math import log
from typing import NamedTuple

from memctl.consolidation.changes import updates as U
from memctl.consolidation.changes.slots import prose_of, slots_of, words_of

FLOOR = int(os.environ.get("FLOOR", "0"))
UPD = float(os.environ.get("UPD", "3"))


class Statement(NamedTuple):
    id: int
    text: str


class Change(NamedTuple):
    old: int
    kind: str
    score: float
    words: str


class Earlier:
    def __init__(self) -> None:
        self._df = Counter()
        self._told = []

    def add(self, one):
        text = prose_of(one.text)
        self._df.update({w.text for w in words_of(text)})
        self._told.append((one.id, text, slots_of(text), U.names(text)))

    def changes(self, text, *, most=3):
        text = prose_of(text)
        n = max(FLOOR, len(self._told))

        def idf(w):
            return max(0.0, log((n + 1) / (self._df[w] + 0.5)))

        new = slots_of(text)
        vals = {(s.kind, s.value) for s in new}
        nn = U.names(text)
        best = {}
        for slot in new:
            if slot.past:
                continue
            same = 0.0
            found = []
            for id_, otext, oslots, on in self._told:
                ovals = {(s.kind, s.value) for s in oslots}
                has = (slot.kind, slot.value) in ovals
                for old in oslots:
                    if old.kind != slot.kind or (old.past and not has):
                        continue
                    if has and old.value != slot.value:
                        continue
                    sc = U.score(slot, text, old, otext, idf, vals, nn, on)
                    if has:
                        same = max(same, sc)
                    else:
                        found.append((sc, id_, old))
            for sc, id_, old in found:
                if "same" not in U.OFF and same >= sc / 2:
                    continue
                if sc > best.get(id_, (0,))[0]:
                    best[id_] = (sc, f"{slot.shown} for {old.shown}: {slot.unit} {old.unit} {slot.before}")
        got = [Change(i, "update", s, w) for i, (s, w) in best.items() if s >= UPD]
        return sorted(got, key=lambda c: -c.score)[:most]
