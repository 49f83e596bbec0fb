"""The public names of memctl: what is reached from ``memctl.__all__`` by what is returned."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from functools import cache
from typing import TYPE_CHECKING, Any

import memctl
from memctl.base.arguments import function_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@cache
def public_classes() -> dict[type, str]:
    """Return every class that a public function returns, or holds in what it returns, and by which."""
    reached: dict[type, str] = {}
    begin = [(name, getattr(memctl, name)) for name in memctl.__all__]
    waiting = [(kind, name) for name, kind in begin if inspect.isclass(kind)]
    waiting += [pair for name, it in begin if inspect.isfunction(it) for pair in _given(it, name)]
    while waiting:
        kind, name = waiting.pop()
        if kind in reached or not kind.__module__.startswith("memctl"):
            continue
        reached[kind] = name
        for named, function in members(kind):
            waiting += _given(function, f"{kind.__name__}.{named}")
        if dataclasses.is_dataclass(kind):
            waiting += [
                (part, f"{kind.__name__}.{key}")
                for key, hint in typing.get_type_hints(kind).items()
                for part in classes_in(hint)
            ]
    return reached


def public_functions() -> dict[str, Any]:
    """Return the public functions, methods and properties by their names."""
    found = {
        name: getattr(memctl, name)
        for name in memctl.__all__
        if inspect.isfunction(getattr(memctl, name))
    }
    for kind in public_classes():
        found |= {f"{kind.__name__}.{name}": function for name, function in members(kind)}
    return found


def results() -> list[type]:
    """Return the public dataclasses, without a live browser and what it waits for."""
    plain = [kind for kind in public_classes() if dataclasses.is_dataclass(kind)]
    live = {"BrowserDriver", "PageRequest"}
    return sorted((k for k in plain if k.__name__ not in live), key=lambda kind: kind.__name__)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class, inherited ones too, as functions."""
    for name in dir(kind):
        member = function_of(inspect.getattr_static(kind, name))
        ours = inspect.isfunction(member) and member.__module__.startswith("memctl")
        if ours and (not name.startswith("_") or name in {"__iter__", "__getitem__", "__enter__"}):
            yield name, member


def classes_in(hint: Any) -> Iterator[type]:
    """Yield the classes that an annotation names."""
    if inspect.isclass(hint):
        yield hint
    origin = typing.get_origin(hint)
    if inspect.isclass(origin):
        yield origin
    for part in typing.get_args(hint):
        yield from classes_in(part)


def _given(function: Any, name: str) -> list[tuple[type, str]]:
    try:
        hint = typing.get_type_hints(function).get("return")
    except NameError:  # a test of its own says so
        return []
    return [(kind, name) for kind in classes_in(hint)]
