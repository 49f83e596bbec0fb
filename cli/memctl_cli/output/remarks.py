"""Remarks on how a question was read: typos that were repaired, aliases that were used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def reading_remarks(corrected: Mapping[str, str], aliases: Mapping[str, str]) -> list[str]:
    """Return one line for each word that was taken for another, or that means another too."""
    return [
        *(f'"{word}" was taken for "{known}"' for word, known in corrected.items()),
        *(f'"{word}" also means "{other}"' for word, other in aliases.items()),
    ]
