"""Drafts of facts: texts with subject, attribute and value, before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.store import statements
from memctl.text.normal import (
    folded,
    name_key,
    read_opening,
    same_key,
    without_opening,
    without_reason,
)
from memctl.text.properties import PropertyStatement, attribute_key

if TYPE_CHECKING:
    from memctl.store.store import Store

SQL = statements.load("store/fact")


class Draft(NamedTuple):
    """A fact that is fit to be written, if the rules agree."""

    text: str  # as it was given, without the block of a host that it began with
    statement: PropertyStatement | None
    outright: bool  # the caller named subject, attribute and value
    equal_key: str
    bare_key: str  # the same without the reason that the text gives
    subject_key: str | None
    attribute_key: str | None
    since: str | None  # the date that the text opens with; it is no part of what is said

    @property
    def columns(self) -> dict[str, str]:
        """The columns of its table; ``""`` is null."""
        statement = self.statement
        return {
            "text": self.text,
            "subject": statement.subject if statement else "",
            "attribute": statement.attribute if statement else "",
            "value": statement.value if statement else "",
            "equal_key": self.equal_key,
            "subject_key": self.subject_key or "",
            "attribute_key": self.attribute_key or "",
            "folded": folded(self.text) or "",
        }

    @property
    def keys(self) -> dict[str, str | None]:
        """The keys by which related facts are found, as SQL has them."""
        return {
            "equal_key": self.equal_key,
            "bare_key": self.bare_key,
            "subject_key": self.subject_key,
            "attribute_key": self.attribute_key,
        }

    @classmethod
    def of(cls, text: str, statement: PropertyStatement | None, *, outright: bool = False) -> Draft:
        """Return the draft of a text and what it states, if that is known."""
        since, said = read_opening(text)
        key, bare = same_key(said), without_reason(said)
        return cls(
            text,
            statement,
            outright,
            key,
            key if bare == said else same_key(bare),
            name_key(statement.subject) if statement else None,
            attribute_key(statement.attribute) if statement else None,
            since,
        )


def derive_edited(store: Store) -> None:
    """Fill in the keys of facts whose text was typed or edited by hand."""
    for row in store.rows(SQL.underived):
        derived = {
            "number": row["number"],
            "equal_key": same_key(without_opening(row["text"])),
            "subject_key": name_key(row["subject"]),
            "attribute_key": attribute_key(row["attribute"]),
            "folded": folded(row["text"]),
        }
        store.execute(SQL.derive, derived)
