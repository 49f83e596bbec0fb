"""Refuses arguments of a wrong type before a method begins, naming the parameter.

Python's own complaint would come from somewhere inside, about something else, perhaps
after half of the work. What a method takes is read from its annotations: text, numbers,
yes or no, times, lists and mappings of those; anything else (an image, a box) is left to it.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeVar

from memctl.base.errors import UsageError, WrongTypeError

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_SAID = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "time": "a date or time",
    "duration": "a timedelta",
    "path": "a path",
    "None": "None",
}
_EXAMPLES = {
    "str": '"..."',
    "int": "5",
    "float": "0.5",
    "bool": "True",
    "mapping": '{"key": "value"}',
    "None": "None",
}
# Names of types that stand for several: `memctl.base.clock.When`.
_NAMED = {
    "When": frozenset({"str", "time", "duration"}),
    "timedelta": frozenset({"duration"}),
    "os.PathLike[str]": frozenset({"path"}),
}
_LISTS = frozenset({"Iterable", "Sequence", "Collection", "list", "tuple"})
_MAPPINGS = frozenset({"Mapping", "dict"})
_GENERIC = re.compile(r"(\w+)\[(.*)\]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# SQLite keeps whole numbers in 64 bits.
_TOO_LARGE = 2**63


def checked_class(cls: type[T]) -> type[T]:
    """Check the arguments of every public method of a class; see `checked`.

    A guarded method is left as it is: its door checks them, once it has looked for secrets.
    """
    for name, member in list(vars(cls).items()):
        public = inspect.isfunction(member) and not name.startswith("_")
        if public and not hasattr(member, "checked"):
            setattr(cls, name, checked(member))
    return cls


def hands_on(method: F) -> F:
    """Say that a method does nothing but call one that is checked, with the same parameters."""
    method.__dict__["checked"] = True
    return method


def of_class(name: str, value: object, kind: type[T]) -> T:
    """Return an argument that must be an object of a class of ours.

    Raises
    ------
    WrongTypeError
        When it is another thing.
    """
    if not isinstance(value, kind):
        raise WrongTypeError(
            f'"{name}" takes {kind.__name__}, not "{type(value).__name__}"',
            hint=f"write {name}={kind.__name__}(...)",
        )
    return value


def checked(function: F) -> F:
    """Let a function begin only with arguments of the types that its annotations name.

    Lone surrogates in a text become U+FFFD, as everywhere that memctl writes; a whole number
    of another library becomes Python's own. Where a list is taken, so is every iterable, as a
    tuple: a generator can be read only once.

    Raises
    ------
    WrongTypeError
        By the function that is returned, when an argument has a wrong type.
    """

    @functools.cache
    def taken() -> tuple[
        list[str], dict[str, _Takes], dict[str, frozenset[type]], list[frozenset[type] | None]
    ]:
        # Read by the first call: a command calls few of the methods that it loads.
        parameters = [
            one
            for one in inspect.signature(function).parameters.values()
            if one.kind not in {one.VAR_POSITIONAL, one.VAR_KEYWORD}
        ]
        read = ((one.name, _read(str(one.annotation))) for one in parameters)
        takes = {name: one for name, one in read if one is not None}
        names = [one.name for one in parameters]
        plain = {name: one.plain for name, one in takes.items()}
        return names, takes, plain, [plain.get(name) for name in names]

    @functools.wraps(function)
    def begin(*args: Any, **kwargs: Any) -> Any:
        names, takes, plain, in_order = taken()
        for name, value in kwargs.items():
            if not _is_plain(value, plain.get(name)):
                kwargs[name] = takes[name].use(name, value)
        if all(map(_is_plain, args, in_order)):  # as mostly
            return function(*args, **kwargs)
        given = [
            value if _is_plain(value, plain.get(name)) else takes[name].use(name, value)
            for name, value in zip(names, args, strict=False)
        ]
        return function(*given, *args[len(names) :], **kwargs)

    begin.__dict__["checked"] = True
    return begin  # type: ignore[return-value]  # it takes and returns the same


class _Takes(NamedTuple):
    """The kinds that a parameter takes, and those of a list; mappings are looked at no deeper."""

    kinds: frozenset[str]
    members: _Takes | None = None

    def use(self, name: str, value: Any) -> Any:
        """Return `value`, or what it stands for; refuse it where it is of no kind of these."""
        kind = _kind(value)
        if kind in self.kinds or (kind == "int" and "float" in self.kinds):
            return self._plain(name, value, kind)
        if self.members is None or kind not in {"other", "str"}:
            raise self._refused(name, value)
        if kind == "str" and "str" in self.members.kinds:
            return (without_surrogates(value),)  # a text alone, where a list of texts is taken
        if kind == "other" and isinstance(value, Iterable):
            whole = value if isinstance(value, (list, tuple, set, frozenset)) else tuple(value)
            used = [self.members.use(name, member) for member in whole]
            same = all(one is member for one, member in zip(used, whole, strict=True))
            return whole if same else tuple(used)
        raise self._refused(name, value)

    def _refused(self, name: str, value: object) -> WrongTypeError:
        return WrongTypeError(
            f'"{name}" takes {self.said}, not "{type(value).__name__}"',
            hint=f"write {name}={self.example}",
        )

    @property
    def plain(self) -> frozenset[type]:
        """The types whose values are used as they are; a text where it is ASCII."""
        exact: dict[str, type] = {
            "str": str,
            "bool": bool,
            "float": float,
            "None": type(None),
        }
        return frozenset(exact[kind] for kind in self.kinds & exact.keys())

    @property
    def example(self) -> str:
        """A value of these kinds, as Python writes it."""
        if self.members is not None:
            return f"[{self.members.example}]"
        return next(shown for kind, shown in _EXAMPLES.items() if kind in self.kinds)

    @property
    def said(self) -> str:
        """The kinds in words."""
        words = [_SAID[kind] for kind in _SAID if kind in self.kinds and kind != "None"]
        words += ["an object"] if "mapping" in self.kinds else []
        words += [f"a list of {self.members.said}"] if self.members else []
        return ", or ".join([*words, *(["None"] if "None" in self.kinds else [])])

    def _plain(self, name: str, value: Any, kind: str) -> Any:
        if kind == "str":
            return without_surrogates(value)
        if kind not in {"int", "float"}:
            return value
        if kind == "float":
            return float(value)
        if "str" not in self.kinds and not -_TOO_LARGE <= value < _TOO_LARGE:
            raise UsageError(f'"{name}" is too large', hint="a number of up to 18 digits")
        return int(value)


def _is_plain(value: Any, kinds: frozenset[type] | None) -> bool:
    """Return whether a value is of exactly a type that is taken, as most are."""
    kind = type(value)
    return kinds is None or (kind in kinds and (kind is not str or value.isascii()))


def without_surrogates(text: str) -> str:
    """Return a text without lone surrogates, which no file can hold: a bad byte of a shell."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    for kind, types in _TYPES:
        if isinstance(value, types):
            return kind
    return "other"


# bool comes first: to Python it is an int as well. Bytes are a list to Python, and to nobody else.
_TYPES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("str", (str,)),
    ("bool", (bool,)),
    ("int", (int, Integral)),
    ("float", (float, Real)),
    ("bytes", (bytes, bytearray, memoryview)),
    ("mapping", (Mapping,)),
    ("time", (date,)),
    ("duration", (timedelta,)),
    ("path", (os.PathLike,)),
)


def _read(annotation: str) -> _Takes | None:
    """Return the kinds that an annotation names; ``None`` where it names another type as well."""
    kinds: set[str] = set()
    members: _Takes | None = None
    for part in _split(annotation):
        generic = _GENERIC.fullmatch(part)
        if part in _SAID:
            kinds.add(part)
        elif generic and generic[1] in _MAPPINGS:
            kinds.add("mapping")
        elif part in _NAMED:
            kinds |= _NAMED[part]
        elif generic and generic[1] in _LISTS and (inside := _read(generic[2])) is not None:
            members = inside
        else:
            return None
    return _Takes(frozenset(kinds), members)


def _split(annotation: str) -> list[str]:
    """Split a union at its bars, those within brackets left alone."""
    parts, depth = [""], 0
    for character in annotation:
        depth += (character == "[") - (character == "]")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
