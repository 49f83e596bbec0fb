"""Checks of a skill on its way in, whoever made it: the type and size of each field, names, addresses."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Any, NoReturn, TypeVar, cast, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

from memctl.base.arguments import shown
from memctl.base.errors import RefusedError, SecretRefusedError, UnusableInputError, UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.guard import door
from memctl.procedural.parameters import KINDS
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.verifying import checked_checks
from memctl.scenes.wording import carries_key

# As the open format of SKILL.md wants a name: at most 64 small letters, digits and hyphens.
_NAME = Pattern(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_PARAMETER = Pattern(r"[a-z][a-z0-9_]{0,39}")
_LONGEST = {"description": 1_024, "detail": 10_000}  # characters; of others `door.MAX_LABEL`
_MEMBERS, _SOURCES = 200, 1_000_000  # of a list of a skill at most, its steps among them
_SAID = {str: "text", bool: "true or false", int: "whole number", float: "number"}
T = TypeVar("T")


def fitted(value: Any, kind: type[T], where: str = "") -> T:
    """Make a record of ours from its plain form, or check one that was made.

    Texts lose their control characters; lists may stand for tuples.

    Raises
    ------
    UnusableInputError
        With the field, ``step 3, place, name``, that is missing, unknown, too long or of another type.
    """
    origin, args = get_origin(kind), get_args(kind)
    made: Any = value
    if origin is UnionType:
        made = None if value is None else fitted(value, args[0], where)
    elif origin is tuple:
        made = _listed(value, args, where)
    elif origin is Mapping:
        if not isinstance(value, Mapping) or len(value) > _MEMBERS:
            _refuse(where, f"object of at most {_MEMBERS}", value)
        names = {key: fitted(key, str, where) for key in value}
        made = {
            names[key]: fitted(member, args[1], f"{where} {names[key]:.40}")
            for key, member in value.items()
        }
    elif is_dataclass(kind):
        made = _record(value, kind, where)
    elif kind is str and isinstance(value, str):
        limit = _LONGEST.get(where.rpartition(", ")[2], door.MAX_LABEL)
        made = door.clean(value, what=where or "a name", limit=limit)
    elif kind in _SAID and not _is_plain(value, kind):
        _refuse(where, _SAID[kind], value)
    return cast("T", made)


def _is_plain(value: Any, kind: Any) -> bool:
    if kind is float:
        return type(value) in {int, float} and math.isfinite(value)
    return type(value) is kind and not (kind is int and abs(value) >= 2**63)


def _listed(value: Any, args: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        _refuse(where, "list", value)
    endless = args[-1] is Ellipsis
    most = (_SOURCES if where == "sources" else _MEMBERS) if endless else len(args)
    if len(value) > most or (not endless and len(value) < most):
        raise UnusableInputError(f"{where} has {len(value)} entries", hint=f"{most} at most")
    kinds, named = args[:1] * len(value) if endless else args, "step" if where == "steps" else where
    return tuple(
        fitted(member, of, f"{named} {number}")
        for number, (member, of) in enumerate(zip(value, kinds, strict=True), 1)
    )


def _record(value: Any, kind: Any, where: str) -> Any:
    hints, inside = _hints(kind), f"{where}, " if where else ""
    if isinstance(value, kind):
        value = {name: getattr(value, name) for name in hints}
    elif not isinstance(value, Mapping):
        _refuse(where or "a skill", "object", value)
    for name in value:
        if name not in hints:
            raise UnusableInputError(f"{inside}{name!r:.40} is not known", hint=", ".join(hints))
    given = {name: fitted(member, hints[name], inside + name) for name, member in value.items()}
    for field in fields(kind):
        if field.default is field.default_factory is MISSING and field.name not in given:
            raise UnusableInputError(f"{inside}{field.name} is missing")
    return kind(**given)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _refuse(where: str, what: str, value: Any) -> NoReturn:
    raise UnusableInputError(f"{where} is no {what}: {shown(value)}")


def checked_draft(draft: SkillDraft) -> SkillDraft:
    """Return a draft as it may be kept.

    Raises
    ------
    UsageError
        When it has no step, or a field is missing, unknown, too long or of another type.
    RefusedError
        When it opens what is no web page, or a URL gives a user or a key away.
    """
    plain = fitted(draft, SkillDraft)
    if not plain.steps:
        raise UsageError(f'"{plain.name}" has no step', hint="record one: memctl skills record")
    checked_name(plain.name)
    for text in texts_of(plain):
        refuse_carried(text)
    for name in (*plain.parameters, *plain.specs):
        if not _PARAMETER.fullmatch(name):
            raise UsageError(
                f'"{name:.40}" is no name of a parameter', hint="small letters, digits and _"
            )
    for name, spec in plain.specs.items():
        if spec.kind not in KINDS:
            raise UsageError(
                f'"{name}" is of no kind "{spec.kind:.40}"', hint=one_of(spec.kind, KINDS)
            )
    if plain.url:
        refuse_address(plain.url)
    steps = tuple(replace(one, number=at) for at, one in enumerate(plain.steps, 1))
    for step in steps:
        _check_step(step)
    return replace(plain, url=plain.url or None, steps=steps, verify=checked_checks(plain.verify))


def _check_step(step: SkillStep) -> None:
    where = f"step {step.number}"
    if not (step.action.strip() or step.tool.strip()):
        raise UsageError(f"{where} has no action", hint="such as click")
    if step.tool and step.detail:
        try:
            json.loads(step.detail)
        except (ValueError, RecursionError):
            raise UsageError(f'{where}: the input of "{step.tool:.80}" is no JSON') from None
    scheme = urlsplit(step.detail or "").scheme if step.action == "goto" else ""
    if scheme not in {"", "http", "https"}:
        raise RefusedError(f'{where} opens a page of "{scheme:.20}"', hint="http and https are")


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text of a record of ours, with the names in its mappings: all pass the guard."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from texts_of(pair)
    elif isinstance(value, (list, tuple)):
        for member in value:
            yield from texts_of(member)
    elif is_dataclass(value):  # of a draft's sources the ids are no texts, and their kinds are ours
        for field in fields(value):
            yield from texts_of(getattr(value, field.name) if field.name != "sources" else ())


# -- names and addresses -------------------------------------------------------------------


def checked_name(name: str) -> str:
    """Return a name of a skill, or refuse it.

    Raises
    ------
    UsageError
        When it is none.
    """
    if not _NAME.fullmatch(name) or "--" in name:
        raise UsageError(
            f'"{name:.64}" is no name of a skill', hint="small letters, digits, hyphens, at most 64"
        )
    return name


def described(text: str) -> str:
    """Return a description without control characters, or refuse one that is too long."""
    return door.clean(text, what="description", limit=_LONGEST["description"]).strip()


def listed(texts: Iterable[str]) -> str:
    """Return texts as a JSON list, each once."""
    plain = [door.clean(text, what="text", limit=door.MAX_LABEL).strip() for text in texts]
    return json.dumps(list(dict.fromkeys(filter(None, plain))), ensure_ascii=False)


def refuse_carried(text: str) -> None:
    """Refuse a text with a URL that gives a user or a key away.

    Raises
    ------
    SecretRefusedError
        When it does.
    """
    if carries_key(text):
        raise SecretRefusedError(
            "a URL with a user or a key in it is not kept; nothing was written",
            hint="leave them out of the URL",
        )


def refuse_address(url: str, own: str | None = None) -> None:
    """Refuse a URL that is no web page, gives a key away, or is of another origin than a skill's own.

    Raises
    ------
    RefusedError
        With the reason.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise RefusedError(
            f'"{url:.80}" is no address of a web page', hint="http and https are opened"
        )
    refuse_carried(url)
    if own and origin_of(url) != origin_of(own):
        raise RefusedError(
            f'"{origin_of(url)}" is another site than the skill\'s, "{origin_of(own)}"',
            hint=f"memctl skills approve NAME --url {origin_of(url)}/ lets it be used there",
        )


def origin_of(url: str) -> str:
    """Return the scheme, host and port of a URL; a port that is the scheme's own is left out."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    return f"{parts.scheme}://{host.removesuffix(':443' if parts.scheme == 'https' else ':80')}"
