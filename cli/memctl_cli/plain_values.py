"""Reads plain texts, numbers and paths of the command line as Typer does, without pydantic.

Typer checks the value of every option with pydantic, also of an option that was not given, and
loads it for that: 0.06 s, longer than most commands take. What is plain needs no library to be
read. Everything else (a number out of range, a word where a number belongs) goes Typer's own
way, and is accepted or refused there with Typer's words.
"""

from __future__ import annotations

import os
import re
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer._click import Command, Context, Parameter

# Digits that nobody reads otherwise: no spaces, no underscores, no "1e3", no "nan".
_WHOLE = Pattern(r"-?[0-9]{1,18}", re.ASCII)
# A number as answers name what it is of.
_NAMED = Pattern(r"(?:turn|episode|recall):([0-9]{1,18})", re.ASCII)
_DECIMAL = Pattern(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)
_PLAIN_TYPES = frozenset({str, int, float, bool, Path})


class _OddError(Exception):
    """A value that is not plain."""


def read_plain_values(command: Command) -> None:
    """Let `command`, and the commands in it, read plain values without pydantic.

    A parameter of another Typer, which keeps its reader elsewhere, is left as it is.
    """
    usual = command.get_params  # the option for help is made when it is asked for
    vars(command)["get_params"] = lambda ctx: [_reading(one) for one in usual(ctx)]
    for inner in getattr(command, "commands", {}).values():
        read_plain_values(inner)


def _reading(parameter: Parameter) -> Parameter:
    usual = getattr(parameter, "get_runtime_param", None)
    described = getattr(parameter, "type_descriptor", None)
    if usual is not None and described is not None and "get_runtime_param" not in vars(parameter):
        _PlainValues(usual, described).take_over(parameter)
    return parameter


class _PlainValues:
    """Reads the values of one parameter; stands where Typer keeps its own reader."""

    def __init__(self, usual: Callable[[], Any], described: Any) -> None:
        whole, members = described.annotation, typing.get_args(described.annotation)
        self._kind = members[0] if typing.get_origin(whole) is list else whole
        self._usual = usual
        self._limits = described.parameter_info

    def take_over(self, parameter: Parameter) -> None:
        """Read the values of `parameter` from now on, if they are of a plain type."""
        if self._kind in _PLAIN_TYPES and self._limits.parser is None:
            vars(parameter)["get_runtime_param"] = lambda: self

    def coerce(self, value: Any, param: Parameter, ctx: Context) -> Any:
        """Return the value of a word, as Typer's own reader would."""
        several = param.multiple or param.nargs == -1
        if self._kind is int and param.param_type_name == "argument" and value is not None:
            value = [_number(one) for one in value] if several else _number(value)
        if value is None:
            return () if several else None
        try:
            if several and isinstance(value, (list, tuple)):
                return [self._one(member) for member in value]
            if not several:
                return self._one(value)
        except _OddError:
            pass
        return self._usual().coerce(value, param=param, ctx=ctx)

    def _one(self, value: Any) -> Any:
        read = _READERS.get(self._kind)
        if type(value) is self._kind and self._kind in {int, float}:
            return self._within(value)  # a default
        if read is None or not isinstance(value, str):
            raise _OddError
        return self._within(read(value, self._limits))

    def _within(self, value: Any) -> Any:
        least, most = self._limits.min, self._limits.max
        if (least is not None and value < least) or (most is not None and value > most):
            raise _OddError
        return value


def _number(value: Any) -> Any:
    """Return the number of an id such as ``turn:12``; anything else as it is."""
    named = _NAMED.fullmatch(value) if isinstance(value, str) else None
    return named[1] if named else value


def _text(value: str, _limits: Any) -> str:
    return value


def _whole(value: str, _limits: Any) -> int:
    if not _WHOLE.fullmatch(value):
        raise _OddError
    return int(value)


def _decimal(value: str, _limits: Any) -> float:
    if not _DECIMAL.fullmatch(value):
        raise _OddError
    return float(value)


def _path(value: str, limits: Any) -> Path:
    """Return a path that Typer would take whatever stands there, if it may be read."""
    picky = (
        limits.exists
        or limits.writable
        or limits.resolve_path
        or limits.allow_dash
        or limits.path_type
        or not (limits.file_okay and limits.dir_okay)
    )
    # Not Path.exists: it raises where a folder may not be searched.
    there = os.path.exists(value)  # noqa: PTH110
    if picky or "\0" in value or (there and not os.access(value, os.R_OK)):
        raise _OddError
    return Path(value)


_READERS: dict[Any, Callable[[str, Any], Any]] = {
    str: _text,
    int: _whole,
    float: _decimal,
    Path: _path,
}
