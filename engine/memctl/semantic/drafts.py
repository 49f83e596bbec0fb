"""Drafts of facts: texts read for what they say of what, before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.semantic.sentences.claim import NO_KEYS, Claim, read_claim
from memctl.semantic.sentences.normal import (
    folded,
    name_key,
    read_opening,
    same_key,
    without_opening,
)
from memctl.semantic.sentences.plain_statements import PropertyStatement, read_statement
from memctl.semantic.sentences.properties import attribute_key
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.store.store import Store

__all__ = ["Draft", "claim_of", "derive_edited"]

SQL = statements.load("store/fact")


class Draft(NamedTuple):
    """A fact that is fit to be written, if the rules agree."""

    text: str  # as it was given, without the block of a host that it began with
    statement: PropertyStatement | None
    claim: Claim | None  # of a plain sentence that is no statement
    outright: bool  # the caller named subject, attribute and value
    equal_key: str
    subject_key: str | None
    attribute_key: str | None
    since: str | None  # the date that the text opens with; it is no part of what is said

    @property
    def columns(self) -> dict[str, str]:
        """The columns of the table that hold it; ``""`` stands for null."""
        statement, claim = self.statement, self.claim
        return {
            "text": self.text,
            "subject": statement.subject if statement else "",
            "attribute": statement.attribute if statement else "",
            "value": statement.value if statement else "",
            "equal_key": self.equal_key,
            "subject_key": self.subject_key or "",
            "attribute_key": self.attribute_key or "",
            "claim_key": claim.key if claim else "",
            "ended_key": (claim.ended_key or "") if claim else "",
            "folded": folded(self.text) or "",
        }

    @property
    def keys(self) -> dict[str, str | None]:
        """The keys by which related facts are found, as SQL has them."""
        return {
            "equal_key": self.equal_key,
            "subject_key": self.subject_key,
            "attribute_key": self.attribute_key,
            **(self.claim.keys if self.claim else NO_KEYS),
        }

    @classmethod
    def of(cls, text: str, statement: PropertyStatement | None, *, outright: bool = False) -> Draft:
        """Return the draft of a text and what it states, if that is known."""
        since, said = read_opening(text)
        return cls(
            text,
            statement,
            read_claim(said) if _may_claim(statement) else None,
            outright,
            same_key(said),
            name_key(statement.subject) if statement else None,
            attribute_key(statement.attribute) if statement else None,
            since,
        )


def _may_claim(statement: PropertyStatement | None) -> bool:
    """Return whether a text claims something beside what it states of a property: who uses what."""
    return statement is None or statement.how == "used"


def claim_of(text: str, subject: str | None) -> Claim | None:
    """Return the claim of a known fact, whose subject is known where it states something."""
    statement = read_statement(text) if subject else None
    return read_claim(text) if _may_claim(statement) and not (subject and not statement) else None


def derive_edited(store: Store) -> None:
    """Fill in the keys of facts whose text was edited by hand or written by an older memctl."""
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
        keys = {
            "equal_key": same_key(without_opening(row["text"])),
            "subject_key": name_key(row["subject"]),
            "attribute_key": attribute_key(row["attribute"]),
            "folded": folded(row["text"]),
        }
        store.execute(SQL.derive, {**derived, **keys})
