"""Receipt of a recall: all that its answer depended on, so that it can be replayed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from memctl.search.index.index_rows import IndexSize, Marks
from memctl.search.past import Past
from memctl.search.ranking.ranking_constants import RANKING
from memctl.search.recall_request import RecallRequest
from memctl.search.recall_results import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings
    from memctl.search.recall_results import Recalled

__all__ = ["Receipt", "digest_of", "receipt_of", "settings_of"]

_SETTINGS = ("fallback", "fallback_model", "min_primary_results", "primary_coverage", "timezone")
_DEFAULTS = {
    field.name: field.default
    for field in fields(RecallRequest)
    if field.name not in ("query", "record", "zone")
}
# All that a row tells but its explanation, which adds up to its score, and its day, which is its time.
_of_row = attrgetter(*(field.name for field in fields(Row) if field.name not in ("reasons", "day")))


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an answer depended on beside its question.

    Parameters
    ----------
    ranking
        The version of the ranking.
    request
        Limits, filters and the moment that "yesterday" is counted from; those that were given.
    scope
        Whose facts were read; empty where none were.
    settings
        The settings that change an answer, by name.
    past
        The state of the store.
    answer
        A digest of the rows: kinds, ids, scores, texts.
    """

    ranking: int
    request: dict[str, Any]
    scope: dict[str, Any]
    settings: dict[str, Any]
    past: Past
    answer: str

    @classmethod
    def read(cls, text: str) -> Receipt:
        """Return a receipt from its JSON."""
        given = json.loads(text)
        rows, mean, *marks, changes, aliases, first, last, seen_at = given["past"]
        size = IndexSize(rows, mean, Marks(*marks), changes, aliases)
        return cls(
            given["ranking"],
            given["request"],
            given["scope"],
            given["settings"],
            Past(size, tuple(given["names"]), (first, last), seen_at),
            given["answer"],
        )

    def asked(self, question: str, zone: UserZone) -> RecallRequest:
        """Return the request that was made, of a question."""
        return RecallRequest(question, **self.request, record=False, zone=zone)


def receipt_of(
    request: RecallRequest, settings: Settings, scope: Mapping[str, Any], found: Recalled
) -> str | None:
    """Return the receipt of an answer as JSON; ``None`` where nothing was searched."""
    if found.basis is None:
        return None
    size, names, years, seen_at = found.basis
    receipt = {
        "ranking": RANKING,
        "request": _given(request),
        "scope": {name: value for name, value in scope.items() if value is not None},
        "settings": settings_of(settings),
        "names": names,
        "past": [
            size.rows,
            size.mean_words,
            *size.marks,
            size.changes,
            size.aliases,
            *years,
            seen_at,
        ],
        "answer": digest_of(found),
    }
    return json.dumps(receipt, ensure_ascii=False)


def settings_of(settings: Settings) -> dict[str, Any]:
    """Return the settings that change an answer, by name."""
    return dict(settings.several(*_SETTINGS))


def digest_of(rows: Iterable[Row]) -> str:
    """Return a digest of an answer: equal answers have equal ones, byte for byte."""
    plain = [_of_row(row) for row in rows]
    return hashlib.blake2b(repr(plain).encode(), digest_size=16).hexdigest()


def _given(request: RecallRequest) -> dict[str, Any]:
    """Return the parameters of a request that were given, and its moment."""
    given = {
        name: value
        for name, default in _DEFAULTS.items()
        if (value := getattr(request, name)) != default
    }
    return {**given, "now": request.moment}
