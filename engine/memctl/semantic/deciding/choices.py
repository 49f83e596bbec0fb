"""Choices of a caller about a text, and values that cannot be.

What a text replaces, that both hold; an e-mail address without an @, a date that no calendar has, port 99999.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memctl.base.errors import RefusedError, UnusableInputError, UsageError
from memctl.base.pattern import Pattern
from memctl.semantic.fact_rows import find_row
from memctl.text.statement import dates_in

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

    from memctl.semantic.drafts import Draft
    from memctl.store.store import Store

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_MOST_PORTS = 65_535
_ADDRESS = Pattern(r"[^\s@<>()\[\],;:]+@[^\s@.]+(?:\.[^\s@.]+)*")


def check_choice(batch: Sequence[Draft], replaces: str | None, *, keep_both: bool) -> None:
    """Refuse a choice that cannot be meant.

    Raises
    ------
    UsageError
        When several texts replace one fact, or one is replaced and kept.
    """
    if replaces is not None and len(batch) != 1:
        raise UsageError(
            f"{len(batch)} facts replace one", hint="store the one that replaces it alone"
        )
    if replaces is not None and keep_both:
        raise UsageError("replaces and keep_both exclude each other", hint="give one of them")


def doubt_of(draft: Draft) -> str:
    """Return why the value of a draft cannot be; empty where it may be.

    Raises
    ------
    UnusableInputError
        When the caller named subject, attribute and value: then the call is refused.
    """
    if draft.statement is None:
        return _no_day_in(draft.text)
    doubt = _doubt_about(draft.statement.attribute, draft.statement.value) or _no_day_in(draft.text)
    if doubt and draft.outright:
        raise UnusableInputError(doubt, hint="give the value as it is")
    return doubt


def replaced_rows(
    store: Store, scope: Mapping[str, str | None], owner: Mapping[str, str], replaces: str | None
) -> tuple[sqlite3.Row, ...]:
    """Return the row that a text replaces, where there is one.

    Raises
    ------
    NotFoundError
        When there is no such fact within the scope.
    RefusedError
        When it does not hold, or is of another user, agent or project than the text.
    """
    if replaces is None:
        return ()
    row = find_row(store, scope, replaces)
    if row["status"] != "active":
        by = f" by {row['superseded_by']}" if row["superseded_by"] else ""
        raise RefusedError(
            f'fact "{replaces}" does not hold: it is {row["status"]}{by}',
            hint="name the fact that holds",
        )
    if any(row[name] != owner[name] for name in ("user_id", "agent_id", "project")):
        raise RefusedError(
            f'fact "{replaces}" is of another user, agent or project',
            hint="name the same user_id, agent_id",
        )
    return (row,)


def _doubt_about(attribute: str, value: str) -> str:
    """Return why a value cannot be one of its property; empty where it may be.

    Parameters
    ----------
    attribute
        The property; its last word says the kind: e-mail, mail, port, url, website, ip.
    value
        A date with a day and a month is checked whatever the property.
    """
    value = value.strip().rstrip(".")
    words = attribute.casefold().replace("-", "").split()
    kind = next((word for word in reversed(words) if word not in {"address", "number"}), "")
    check = _CHECKS.get(kind)
    if check is not None and not check(value):
        return f'"{value[:40]}" is no {_NAMES.get(kind, kind)}'
    return f'"{value[:40]}" is no day of the calendar' if _no_day_in(value) else ""


def _no_day_in(text: str) -> str:
    """Return why a date that a text names is none of the calendar; empty where each may be."""
    for said in dates_in(text):
        month, _, day = said.partition("-")
        if month.isdecimal() and day.isdecimal():
            days = _DAYS[int(month) - 1] if 0 < int(month) <= len(_DAYS) else 0
            if not 0 < int(day) <= days:
                return f"day {day} of month {month} is no day of the calendar"
    return ""


def _is_email(value: str) -> bool:
    return _ADDRESS.fullmatch(value) is not None


def _is_port(value: str) -> bool:
    return not value.isdecimal() or 0 < int(value) <= _MOST_PORTS


def _is_url(value: str) -> bool:
    try:
        parts = urlsplit(value if "//" in value else f"//{value}")
        return bool(parts.hostname) and " " not in value and parts.port != 0
    except ValueError:
        return False


def _is_ip(value: str) -> bool:
    try:
        ipaddress.ip_interface(value)
    except ValueError:
        return not Pattern(r"[\d.]+|[\da-fA-F:]+").fullmatch(value)
    return True


_CHECKS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("email", "mail"), _is_email),
    "port": _is_port,
    **dict.fromkeys(("url", "website", "homepage"), _is_url),
    "ip": _is_ip,
}
_NAMES = {"email": "e-mail address", "mail": "e-mail address", "ip": "IP address", "url": "URL"}
