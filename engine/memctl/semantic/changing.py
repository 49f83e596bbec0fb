"""Changes of facts that are there: update, forget, erase, restore, pin, approve, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import ImmutableFactError, RefusedError
from memctl.semantic.conflicts import (
    CONTRADICTS,
    KEPT_BESIDE,
    REJECTED,
    REPLACES,
    as_draft,
    first_same,
    is_hidden,
    is_protected,
    owner_of,
    related_facts,
)
from memctl.semantic.fact_rows import FactRows
from memctl.semantic.policies import Policy, expiry
from memctl.semantic.records import Fact
from memctl.store import statements
from memctl.store.erased_texts import note_erased
from memctl.text.closed_words import STOP_WORDS
from memctl.text.normal import equal_key
from memctl.text.statement import denies

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from memctl.base.scope import Scope
    from memctl.config.settings import Settings
    from memctl.semantic.conflicts import RelatedFacts
    from memctl.semantic.drafts import Draft
    from memctl.semantic.records import Hit, Hits
    from memctl.store.store import Store

SQL = statements.load("store/fact")
READ = statements.load("store/fact_read")

# From this score on a hit may be meant by who says what to forget.
_FAIR_SCORE = 0.5


def update(
    rows: FactRows,
    fact_id: str,
    draft: Draft | None,
    columns: Mapping[str, Any],
    *,
    event: str = "UPDATE",
) -> None:
    """Give a fact another text or other properties; its id stays, the old text is kept."""
    row = rows.find(fact_id)
    if row["immutable"] and event == "UPDATE":
        raise ImmutableFactError(
            f'fact "{fact_id}" is immutable ({row["category"] or "no category"})',
            hint="forget it and store the new one, or store it and approve the change",
        )
    changes = {**(draft.columns if draft else {}), **columns}
    if draft and draft.text != row["text"]:
        _check_current(row)
        _check_free(rows, row, draft)
        if row["status"] == "active":
            if row["valid_from"] < rows.now:  # else it held for no time that a question could name
                rows.keep_period(row, until=rows.now, why="updated")
            changes["valid_from"] = rows.now
        rows.store.execute(SQL.forget_pairs, {"id": fact_id})
        rows.change(SQL.settle_doubt, fact_id)
    elif _would_show(rows, row, columns):
        _check_place(rows, row)
    rewrite(rows, row, changes, change_text(row, columns), event=event)


def rewrite(
    rows: FactRows, row: sqlite3.Row, changes: Mapping[str, Any], why: str, *, event: str = "UPDATE"
) -> None:
    """Write other columns into a fact's row, and a line of its history."""
    rows.store.execute(SQL.rewrite, {**dict(row), **changes, "now": rows.now})
    rows.record(row["id"], event, row["text"], changes.get("text", row["text"]), why)


def forget(rows: FactRows, row: sqlite3.Row, why: str, *, event: str = "DELETE") -> None:
    """Mark a fact as forgotten, with its earlier versions; `restore` brings both back."""
    rows.status(row, "forgotten", why)
    if not _reopens(rows, row):
        for older in _older(rows, row):
            if older["status"] == "superseded":
                rows.status(older, "forgotten", f"with {row['id']}")
    rows.record(row["id"], event, row["text"], None, why)


def erase(rows: FactRows, fact_id: str) -> None:
    """Remove a fact, its older versions and their texts from the store."""
    store = rows.store
    row = store.row(READ.by_id, {**rows.scope, "id": fact_id})
    older = [version["id"] for version in store.rows(SQL.versions, {"id": fact_id})]
    if row is not None and _reopens(rows, row):
        older = []
    for gone in [fact_id, *older]:
        erased = store.rows(SQL.to_erase, {"id": gone})
        note_erased(store, "fact", erased)
        store.execute(SQL.forget_pairs, {"id": gone})
        if store.execute(SQL.erase, {"id": gone}):
            store.execute(SQL.erase_by_hand, {"fact_id": gone})
            store.execute(SQL.erase_history, {"fact_id": gone})
            for was in erased:
                replaced = {"fact_id": gone.split(".")[0], "superseded_by": was["superseded_by"]}
                store.execute(SQL.erase_from_history, {**replaced, "text": was["text"]})
            rows.record(gone, "DELETE", "", None, "erased")


def restore(rows: FactRows, fact_id: str) -> None:
    """Make a forgotten, archived or expired fact valid again, unless another took its place."""
    row = rows.find(fact_id)
    _check_not_replaced(row)
    if row["status"] == "pending":
        raise RefusedError(f'fact "{fact_id}" waits', hint="approve it, or reject it")
    _check_place(rows, row)
    keep = row["expires_at"] is None or row["expires_at"] > rows.now
    lasting = {name: row[name] if keep else None for name in ("expires_at", "expires_by")}
    rows.change(SQL.renew, fact_id, **lasting)
    rows.activate(row, row["confidence"])
    for older in _older(rows, row):
        if older["status_why"] == f"with {fact_id}":
            rows.status(older, "superseded", "restored")
    rows.same(row, "RESTORE")


def pin(rows: FactRows, fact_id: str, *, pinned: bool) -> None:
    """Pin a fact, so that neither its category's lifetime nor a change by itself ends it."""
    row = rows.find(fact_id)
    if pinned and _would_show(rows, row, {"pinned": 1}):
        _check_place(rows, row)
    rows.change(SQL.pin, fact_id, pinned=pinned)
    rows.same(row, "PIN" if pinned else "UNPIN")


def approve(rows: FactRows, fact_id: str, settings: Settings) -> None:
    """Make a waiting fact valid from now on; the facts that it contradicts are superseded.

    One that may replace an older fact replaces it, and one that is to be checked is sure again. Where
    another fact says the same by then, it is a duplicate of that one, which holds.
    """
    row = rows.find(fact_id)
    active = row["status"] == "active"
    if _decide(rows, row, replaces=True) or (
        active and rows.settle(row, "somebody said that it holds")
    ):
        return
    _check_waiting(row)
    lasting = _lasting(rows, row, expiry(Policy.of(settings, row["category"]), rows.now))
    known, ended = _beside(rows, row)
    if known is not None:
        _duplicate(rows, row, known)
        return
    for old in ended:
        _end(rows, old, row, "a person approved another", "approved")
    rows.activate(row, "high")
    if lasting:
        rows.change(SQL.renew, fact_id, **lasting)
    rows.same(row, "APPROVE", change_text(row, lasting))


def would_replace(store: Store, scope: Scope, fact_id: str) -> list[Fact]:
    """Return the facts that `approve` of a waiting one would end."""
    rows = FactRows(store, scope.reading(), actor=scope.actor, now=clock.now())
    row = rows.find(fact_id)
    ended = _beside(rows, row)[1] if row["status"] == "pending" else []
    return [Fact.of_row(other, rows.now) for other in ended]


def _beside(rows: FactRows, row: sqlite3.Row) -> tuple[sqlite3.Row | None, list[sqlite3.Row]]:
    """Return the fact that says the same as a waiting one, and those that the waiting one ends."""
    session = "" if row["session_id"] else rows.scope["scope_session"] or ""
    related = _related(rows, row, as_draft(row), open_session=session)
    own = related.of_session(row["session_id"])
    of_session = related.of_session(session).current if session else ()
    kept = row["status_why"].startswith(KEPT_BESIDE)
    ended = {
        other.row["id"]: other.row for other in (() if kept else (*own.conflicts, *of_session))
    }
    if row["conflicts_with"] and (row["status_why"].startswith(REPLACES) or row["shared_as"]):
        named = rows.store.row(READ.by_id, {**rows.scope, "id": row["conflicts_with"]})
        ended |= {named["id"]: named} if named and named["status"] == "active" else {}
    known = first_same(own.current)
    return known.row if known else None, [*ended.values()]


def reject(rows: FactRows, fact_id: str, why: str) -> None:
    """Decline a waiting fact; it is kept as forgotten, so that it is not offered again.

    One that may replace an older fact holds beside it; one that is to be checked is forgotten.
    """
    row = rows.find(fact_id)
    if _decide(rows, row, replaces=False, why=why):
        return
    if row["status"] == "active" and row["doubt"] is not None:
        forget(rows, row, why or "did not hold any more")
        return
    _check_waiting(row)
    forget(rows, row, f"{REJECTED}: {why}" if why else REJECTED, event="REJECT")


def change_text(row: sqlite3.Row, columns: Mapping[str, Any]) -> str:
    """Return the changes of some properties in words: ``name: old -> new``."""
    return "; ".join(
        f"{name}: {_told(name, row[name])} -> {_told(name, new)}"
        for name, new in columns.items()
        if name != "expires_by" and row[name] != new
    )


def _told(name: str, value: Any) -> Any:
    none = "never" if name == "expires_at" else "none"
    return none if value is None else value


def _decide(rows: FactRows, row: sqlite3.Row, *, replaces: bool, why: str = "") -> bool:
    """Decide of a fact that may replace another; return whether there was such a decision.

    Declined, it holds beside the older one; where the two cannot both hold, it is forgotten.
    """
    if row["status"] != "active" or row["may_replace"] is None:
        return False
    older = rows.store.row(READ.by_id, {**rows.scope, "id": row["may_replace"]})
    if older is None or older["status"] != "active":
        return False  # it has ended since: there is nothing to decide
    contradicts = row["status_why"].startswith(CONTRADICTS)
    if replaces:
        if is_hidden(row, rows.now):
            raise RefusedError(
                f'fact "{row["id"]}" has expired: "{older["id"]}" holds on',
                hint="reject it, or update it with a later expires_at first",
            )
        if is_protected(older) and not contradicts:
            firmly = "immutable" if older["immutable"] else "pinned"
            raise ImmutableFactError(
                f'fact "{older["id"]}" is {firmly}', hint="forget it, or unpin it, first"
            )
        if contradicts:
            rows.activate(row, "high")
        _end(rows, older, row, "a newer one", "decided")
    rows.may_replace(row["id"], None)
    if not replaces and contradicts:
        forget(rows, row, f"{REJECTED}: {why}" if why else REJECTED, event="REJECT")
        return True
    rows.same(row, "DECIDE", f"{'replaces' if replaces else 'holds beside'} {older['id']}")
    return True


def _end(rows: FactRows, old: sqlite3.Row, new: sqlite3.Row, why: str, told: str) -> None:
    until = max(rows.now, new["valid_from"])
    rows.end(old, new["id"], why, at=until, told=f"{told}: replaced by {{new}}")


def _check_not_replaced(row: sqlite3.Row) -> None:
    if row["status"] == "superseded":
        raise RefusedError(
            f'fact "{row["id"]}" was replaced by "{row["superseded_by"]}"',
            hint="update that one, or forget it and store this text anew",
        )


def _check_current(row: sqlite3.Row) -> None:
    """Refuse another text for a fact of the past: it stays as it was."""
    _check_not_replaced(row)
    if row["status"] == "forgotten":
        raise RefusedError(
            f'fact "{row["id"]}" is {row["status_why"] or "forgotten"}',
            hint="restore it first, or store the new text as a fact of its own",
        )


def _check_waiting(row: sqlite3.Row) -> None:
    if row["status"] != "pending":
        raise RefusedError(
            f'fact "{row["id"]}" does not wait: it is {row["status"]}',
            hint="pending lists those that do",
        )


def _check_free(rows: FactRows, row: sqlite3.Row, draft: Draft) -> None:
    """Refuse a text that another valid fact repeats or contradicts."""
    others = _related(rows, row, draft).of_session(row["session_id"]).current
    if others and row["status"] == "active":
        other = others[0].row
        raise RefusedError(
            f'fact "{other["id"]}" is about the same: "{other["text"]:.60}"',
            hint=f"update {other['id']}, and forget {row['id']}",
        )


def _check_place(rows: FactRows, row: sqlite3.Row) -> None:
    """Refuse a hidden fact whose place was taken by another that repeats or excludes it."""
    related = _related(rows, row, as_draft(row), itself=row)
    others = related.of_session(row["session_id"]).current
    if others and (row["status"] != "active" or is_hidden(row, rows.now)):
        other, says = others[0].row, "says the same" if others[0].same else "excludes it"
        raise RefusedError(
            f'fact "{other["id"]}" took the place of "{row["id"]}", and {says}: '
            f'"{other["text"]:.60}"',
            hint=f"forget {other['id']} first, or leave {row['id']} as it is",
        )


def _related(
    rows: FactRows,
    row: sqlite3.Row,
    draft: Draft,
    *,
    open_session: str = "",
    itself: sqlite3.Row | None = None,
) -> RelatedFacts:
    """Return the other facts of a fact's owner that are related to a text of it."""
    return related_facts(
        rows.store, draft, owner_of(row), now=rows.now, open_session=open_session, itself=itself
    ).besides(row["id"])


def _would_show(rows: FactRows, row: sqlite3.Row, columns: Mapping[str, Any]) -> bool:
    """Return whether a hidden fact would be seen again with other properties."""
    return is_hidden(row, rows.now) and not is_hidden({**dict(row), **columns}, rows.now)


def _reopens(rows: FactRows, row: sqlite3.Row) -> bool:
    """Let go on what a fact that is still to come would have ended; return whether it is one.

    What holds until then is no older version of it.
    """
    if row["status"] not in {"active", "forgotten"}:
        return False
    if row["valid_from"] <= max(rows.now, row["created_at"]):
        return False
    for older in _older(rows, row):
        if (older["superseded_by"], older["valid_to"]) == (row["id"], row["valid_from"]):
            rows.activate(older, older["confidence"])
            rows.same(older, "RESTORE", f"{row['id']} does not come")
    return True


def _older(rows: FactRows, row: sqlite3.Row) -> list[sqlite3.Row]:
    """Return the rows that ended in a fact: earlier versions of it, or of its forerunners."""
    return [
        rows.find(version["id"]) for version in rows.store.rows(SQL.versions, {"id": row["id"]})
    ]


def _lasting(
    rows: FactRows, row: sqlite3.Row, ends: Mapping[str, str | None]
) -> Mapping[str, str | None]:
    """Return the lifetime of a fact that is approved, where it is another than before."""
    if row["expires_by"] == "category":
        return ends
    if is_hidden(row, rows.now):
        raise RefusedError(
            f'fact "{row["id"]}" would be hidden: its date, {row["expires_at"]}, has passed',
            hint="update it with a later expires_at, or never, and approve it then",
        )
    return {}


def _duplicate(rows: FactRows, row: sqlite3.Row, known: sqlite3.Row) -> None:
    """File a waiting fact under the one that repeats it."""
    why = f"says the same as {known['id']}"
    rows.status(row, "superseded", why, valid_to=row["valid_from"], by=known["id"])
    rows.same(row, "APPROVE", why)


# -- forgetting by a query ---------------------------------------------------------------


def meant(query: str, hits: Hits) -> tuple[str | None, tuple[Hit, ...]]:
    """Return the id of the one fact that a query clearly means, and the hits that may be meant.

    What grammar alone brought means no fact. What a repaired word brought is shown, never forgotten
    unasked; nor what is denied.
    """
    may = tuple(hit for hit in hits if not STOP_WORDS.issuperset(hit.matched))
    fair = [hit for hit in may if hit.score >= _FAIR_SCORE]
    said = equal_key(query)
    just = [hit for hit in fair if equal_key(hit.fact.text) == said]
    clear = len(fair) == 1 or (len(just) == 1 and just[0] is may[0])
    if not clear or hits.corrected or denies(query) != denies(may[0].fact.text):
        return None, may
    return may[0].fact.id, may
