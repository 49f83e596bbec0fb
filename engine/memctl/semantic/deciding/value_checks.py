"""Values that cannot be: an e-mail address without an @, a date that no calendar has, port 99999."""

from __future__ import annotations

import ipaddress
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memctl.base.pattern import Pattern
from memctl.text.statement import read

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["doubt_about", "no_day_in"]

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_MOST_PORTS = 65_535
_ADDRESS = Pattern(r"[^\s@<>()\[\],;:]+@[^\s@.]+(?:\.[^\s@.]+)*")
# A whole date with its day: 2027-02-30, 30 February, 30th of Feb. 2027, February 30, 2027.
_DATE = Pattern(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?[A-Za-z]{3,9}\.?,?(?:\s+\d{4})?"
    r"|[A-Za-z]{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?(?:\s+\d{4})?"
)
_LEAP_YEAR = datetime(2000, 1, 1)  # noqa: DTZ001  (a bare date, in which 29 February exists)


def doubt_about(attribute: str, value: str) -> str:
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
    return f'"{value[:40]}" is no day of the calendar' if _is_no_day(value) else ""


def no_day_in(text: str) -> str:
    """Return why a date that a text names is none of the calendar; empty where each may be."""
    for value in read(text).values:
        month, _, day = value.said.partition("-")
        if value.kind == "date" and month.isdecimal() and day.isdecimal():
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


def _is_no_day(value: str) -> bool:
    if not _DATE.fullmatch(value):
        return False
    from dateutil.parser import ParserError, parse

    try:
        parse(value, default=_LEAP_YEAR)
    except ParserError as error:
        # "Unknown string format" is another matter: words that are no date.
        return "must be in" in str(error) or "out of range" in str(error)
    except OverflowError:
        return True
    return False


_CHECKS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("email", "mail"), _is_email),
    "port": _is_port,
    **dict.fromkeys(("url", "website", "homepage"), _is_url),
    "ip": _is_ip,
}
_NAMES = {"email": "e-mail address", "mail": "e-mail address", "ip": "IP address", "url": "URL"}
