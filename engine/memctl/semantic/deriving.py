"""Fills in what memctl derives from a fact's text, where a hand or an older memctl did not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.semantic.incoming import claim_of
from memctl.semantic.sentences.normal import folded, name_key, same_key, without_opening
from memctl.semantic.sentences.properties import attribute_key
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.store.store import Store

__all__ = ["derive_edited"]

SQL = statements.load("store/fact")


def derive_edited(store: Store) -> None:
    """Fill in what is derived from a fact's text where somebody edited it by hand."""
    for row in store.rows(SQL.underived):
        claim = claim_of(row["text"], row["subject"])
        derived = {
            "number": row["number"],
            "claim_key": claim.key if claim else None,
            "ended_key": claim.ended_key if claim else None,
        }
        if row["equal_key"] is not None:
            store.execute(SQL.derive_claim, derived)  # an older memctl derived the rest
            continue
        store.execute(
            SQL.derive,
            {
                **derived,
                "equal_key": same_key(without_opening(row["text"])),
                "subject_key": name_key(row["subject"]),
                "attribute_key": attribute_key(row["attribute"]),
                "folded": folded(row["text"]),
            },
        )
