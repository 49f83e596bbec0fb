"""Checks the shape of what a pack says, value by value, before any of it is used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.guard.door import MAX_LABEL, MAX_NAME, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Check = Callable[[Any, str], object]

__all__ = ["check_memory", "one_of_keys"]

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_KEY = re.compile(r"[0-9a-f]{32}:(?:[1-9][0-9]{0,17}|s_[0-9a-f]{1,64}(?:_[0-9]{1,6})*)")
_ORIGIN = re.compile(r"[0-9a-f]{32}")
_SHA = re.compile(r"[0-9a-f]{64}")
_MOST = 1_000_000_000_000
_SIDE = 100_000  # pixels


def _wrong(where: str, what: str) -> UnusableInputError:
    return UnusableInputError(f"the pack is broken: {where} is no {what}", hint="get it again")


def _text(limit: int) -> Check:
    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or len(value) > limit or clean(value, what=where) != value:
            raise _wrong(where, f"text of at most {limit} characters")

    return check


def _like(pattern: re.Pattern[str], what: str) -> Check:
    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise _wrong(where, what)

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) is not int or not least <= value <= most:
            raise _wrong(where, f"number from {least} to {most}")

    return check


def _real(least: float, most: float) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) not in {int, float} or not least <= value <= most:
            raise _wrong(where, f"number from {least} to {most}")

    return check


def _or_null(check: Check) -> Check:
    return lambda value, where: None if value is None else check(value, where)


def _list(check: Check, *, most: int = 1_000_000, least: int = 0) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise _wrong(where, f"list of {least} to {most}")
        for at, one in enumerate(value):
            check(one, f"{where}[{at}]")

    return each


def _row(*checks: Check) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) != len(checks):
            raise _wrong(where, f"list of {len(checks)}")
        for at, (check, one) in enumerate(zip(checks, value, strict=True)):
            check(one, f"{where}[{at}]")

    return each


def _counts(key: Check, check: Check, *, least: int = 1) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, dict) or len(value) < least:
            raise _wrong(where, "object")
        for name, one in value.items():
            key(name, where)
            check(one, f"{where}.{name:.80}")

    return each


def _object(**checks: Check) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, dict) or value.keys() != checks.keys():
            raise _wrong(where, f"object of {', '.join(checks)}")
        for name, check in checks.items():
            check(value[name], f"{where}.{name}")

    return each


def one_of_keys(value: Any, where: str, names: Iterable[str]) -> None:
    """Refuse what is no object with these texts."""
    if not isinstance(value, dict) or not all(isinstance(value.get(name), str) for name in names):
        raise _wrong(where, f"object of {', '.join(names)}")


_FLAG = _whole(0, 1)
_AT = _like(_TIME, "time")
_LENGTH = _whole(-_SIDE, _SIDE)
_SIZE = _whole(1, _SIDE)
_COUNT = _whole(0, _MOST)
_KEYS = _counts(_like(_KEY, "key"), _COUNT)
_PLACE = _whole(0, _MOST)
_NAME = _text(MAX_NAME)
_LABEL = _text(MAX_LABEL)

_LOOK = _object(
    sha256=_like(_SHA, "digest"), w=_SIZE, h=_SIZE, scale=_real(0.1, 16), learned_at=_AT,
    blank_left=_or_null(_PLACE), blank_right=_or_null(_PLACE),
)  # fmt: skip
_COMPONENT = _object(
    keys=_KEYS, name=_or_null(_NAME), type=_NAME, source=_NAME, label=_or_null(_LABEL),
    page=_or_null(_LABEL), scale=_real(0.1, 16), rel_x=_LENGTH, rel_y=_LENGTH, w=_SIZE, h=_SIZE,
    confidence=_real(0, 1), cut=_FLAG, field=_FLAG, twins=_or_null(_PLACE), learned_at=_AT,
    last_seen_at=_AT, forgotten_at=_or_null(_AT), pictures=_list(_LOOK, least=1, most=1000),
)  # fmt: skip
_STATE = _object(
    keys=_KEYS, name=_or_null(_NAME), page=_or_null(_LABEL),
    status=_like(re.compile("provisional|confirmed"), "status"), first_seen_at=_AT,
    last_seen_at=_AT, img_w=_SIZE, img_h=_SIZE,
    known_by=_like(re.compile("components|words"), "kind of screen"),
    components=_list(_row(_PLACE, _FLAG, _LENGTH, _LENGTH), least=1),
)  # fmt: skip
_EDGE = _object(
    **{"from": _PLACE}, to=_PLACE, action=_NAME, component=_or_null(_PLACE),
    detail=_or_null(_LABEL), recorded_at=_AT, last_used_at=_AT,
    shares=_counts(_like(_ORIGIN, "origin"), _row(_COUNT, _COUNT, _COUNT, _COUNT)),
)  # fmt: skip
_STEP = _object(
    number=_SIZE, action=_NAME, component=_or_null(_PLACE), target=_or_null(_LABEL),
    beside=_or_null(_LABEL), detail=_or_null(_LABEL), from_state=_or_null(_PLACE),
    to_state=_or_null(_PLACE), output=_or_null(_NAME), irreversible=_FLAG,
    mean_ms=_or_null(_real(0, _MOST)),
)  # fmt: skip
_SKILL = _object(
    name=_NAME, description=_text(1024), triggers=_list(_LABEL, most=100), facts=_list(_LABEL, most=0),
    url=_or_null(_LABEL), steps=_list(_STEP, least=1, most=200),
    parameters=_counts(_NAME, _text(0), least=0),
)  # fmt: skip
_MEMORY = _object(
    components=_list(_COMPONENT), states=_list(_STATE), transitions=_list(_EDGE),
    skills=_list(_SKILL),
    forgotten=_list(_object(keys=_KEYS, forgotten_at=_AT, last_seen_at=_AT)),
)  # fmt: skip
_ORIGINS = _counts(_like(_ORIGIN, "origin"), _NAME)


def check_memory(told: Any, origins: Any, pictures: Mapping[str, object]) -> None:
    """Refuse what a pack cannot say.

    Parameters
    ----------
    told
        Its lists, as JSON holds them.
    origins
        Origins whose counts are in it, with their addresses.
    pictures
        Digests of the pictures that came along.

    Raises
    ------
    UnusableInputError
        With the place of what is wrong: ``components[3].w``.
    """
    _ORIGINS(origins, "origins")
    _MEMORY(told, "memory")
    for name, origin in _origins_of(told):
        if origin not in origins:
            raise _wrong(name, "thing of a known origin")
    for at, entry in enumerate(told["components"]):
        for look in entry["pictures"]:
            if look["sha256"] not in pictures:
                raise _wrong(f"components[{at}].pictures", "list of pictures that came along")
    sizes = len(told["components"]), len(told["states"])
    for where, place, size in _places(told, *sizes):
        if place is not None and place >= size:
            raise _wrong(where, "place in a list")


def _origins_of(told: Any) -> Iterable[tuple[str, str]]:
    for kind in ("components", "states", "forgotten"):
        for at, entry in enumerate(told[kind]):
            for key in entry["keys"]:
                if (":s_" in key) != (kind == "states"):
                    raise _wrong(f"{kind}[{at}].keys", "key of its kind")
                yield f"{kind}[{at}]", key.partition(":")[0]
    for at, edge in enumerate(told["transitions"]):
        for origin in edge["shares"]:
            yield f"transitions[{at}]", origin


def _places(told: Any, components: int, states: int) -> Iterable[tuple[str, int | None, int]]:
    for at, state in enumerate(told["states"]):
        for place in state["components"]:
            yield f"states[{at}].components", place[0], components
    for at, edge in enumerate(told["transitions"]):
        yield f"transitions[{at}].component", edge["component"], components
        yield f"transitions[{at}].from", edge["from"], states
        yield f"transitions[{at}].to", edge["to"], states
    for at, skill in enumerate(told["skills"]):
        for step in skill["steps"]:
            yield f"skills[{at}].steps", step["component"], components
            yield f"skills[{at}].steps", step["from_state"], states
            yield f"skills[{at}].steps", step["to_state"], states
