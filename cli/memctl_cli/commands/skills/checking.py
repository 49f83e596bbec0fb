"""The option ``--verify``: checks of a skill apart from the screen, as people type them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Verify = Annotated[
    list[str] | None,
    typer.Option(
        "--verify",
        metavar="CHECK",
        help='What else must say so: reload, none, "http=URL contains=TEXT" (or lacks=TEXT), '
        '"sql=FILE query=QUERY equals=TEXT" or "command=WORDS"; several.',
    ),
]
# What the first word of a check is called in it, and what begins the others.
_FIRST = {"http": "url", "sql": "file", "command": "command"}
_PARTS = re.compile(r"\s+(?=(?:contains|lacks|query|equals)=)")
_FORMS = '"reload", "none", "http=URL contains=TEXT" or JSON'


def checks(given: Sequence[str] | None) -> list[Mapping[str, Any] | str] | None:
    """Return checks as Python takes them; ``None`` where none is given.

    Raises
    ------
    UsageError
        When one cannot be read.
    """
    return None if given is None else [_check(one.strip()) for one in given]


def _check(text: str) -> Mapping[str, Any] | str:
    if text.startswith("{"):
        try:
            told = json.loads(text)
        except ValueError as error:
            raise UsageError(f"a check is no JSON: {error}", hint=_FORMS) from None
        return dict(told)
    kind, equals, rest = text.partition("=")
    if not equals:
        return text
    if kind not in _FIRST:
        raise UsageError(f'there is no check "{kind:.40}"', hint=_FORMS)
    first, *others = _PARTS.split(rest)
    check = {"kind": kind, _FIRST[kind]: first}
    for one in others:
        key, _, value = one.partition("=")
        check |= {"contains": value, "not": "true"} if key == "lacks" else {key: value}
    return check
