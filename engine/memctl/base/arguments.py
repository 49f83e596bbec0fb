"""Annotations of the public functions: arguments of a wrong type are refused, naming the parameter.

Python's own complaint would come from somewhere inside, about something else, perhaps after half
of the work. The annotations decide: texts, numbers, yes or no, times, lists and mappings of those
are checked; anything else (an image, a box) is left to the method.

Annotations resolve when somebody reads them, though ``import memctl`` loads few types. A module
imports most types below ``if TYPE_CHECKING``: for mypy, and not at run time. `typing.get_type_hints`,
and the makers of tools that call it, would end in a NameError. So reading the annotations of a public
function runs those imports first.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import operator
import os
import re
import reprlib
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from numbers import Integral, Real
from threading import RLock
from types import CodeType, FunctionType, NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin

from memctl.base.clock import When
from memctl.base.errors import UsageError, WrongTypeError

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

# The types that are checked, in words, and a value of each. bool is an int to Python alone.
_KINDS: Mapping[Any, tuple[str, str]] = {
    str: ("text", '"..."'),
    int: ("a whole number", "5"),
    float: ("a number", "0.5"),
    bool: ("True or False", "True"),
    date: ("a date or time", '"2026-11-20"'),
    timedelta: ("a timedelta", "timedelta(days=7)"),
    os.PathLike: ("a path", 'Path("...")'),
    Mapping: ("an object", '{"key": "value"}'),
    NoneType: ("None", "None"),
}
_LISTS = (Iterable, Sequence, Collection, list, tuple)
_NO_LISTS = (bytes, bytearray, memoryview, Mapping)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# SQLite keeps whole numbers in 64 bits.
_TOO_LARGE = 2**63
_MOST_SHOWN = 40  # signs of a value that a message quotes


class _Other:
    """Any type that is left to the method."""

    def __class_getitem__(cls, _: object) -> type[_Other]:
        return cls


class _Names(dict[str, Any]):
    """The names that annotations are read with: most modules import theirs for mypy alone."""

    def __missing__(self, _: str) -> type[_Other]:
        return _Other


_NAMES = _Names({kind.__name__: kind for kind in (str, int, float, bool, timedelta, *_LISTS)})
_NAMES.update(Mapping=Mapping, dict=Mapping, When=When, os=os)


def checked_class(cls: type[T]) -> type[T]:
    """Check the arguments of every public method of a class; see `checked`.

    A guarded method is left as it is: its door checks them, once it has looked for secrets.
    """
    for name, member in list(vars(cls).items()):
        public = inspect.isfunction(member) and not name.startswith("_")
        if public and not hasattr(member, "checked"):
            setattr(cls, name, checked(member))
    return resolvable(cls)


def _read(hint: Any, names: dict[str, Any]) -> Any:
    """Return an annotation as types, those that are not checked as `_Other`."""
    return eval(hint, names, _NAMES) if isinstance(hint, str) else hint  # noqa: S307  (our source)


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
    def taken() -> dict[str, tuple[bool, _Takes | None]]:
        # Read by the first call: a command calls few of the methods that it loads.
        inner: Any = inspect.unwrap(function)
        hints, code, names = as_written(inner), inner.__code__, parameters_of(inner)
        return {
            name: (at < code.co_argcount, _Takes.of(_read(hints.get(name, "_"), inner.__globals__)))
            for at, name in enumerate(names)
        }

    @functools.wraps(function)
    def begin(*args: Any, **kwargs: Any) -> Any:
        takes = taken()
        for (name, (placed, take)), at in zip(takes.items(), range(len(args)), strict=False):
            if placed and take is not None and (used := take.use(name, args[at])) is not args[at]:
                args = (*args[:at], used, *args[at + 1 :])
        for name, value in kwargs.items():
            take = takes.get(name, (True, None))[1]
            if take is not None:
                kwargs[name] = take.use(name, value)
        return function(*args, **kwargs)

    begin.__dict__["checked"] = True
    resolve_lazily(begin)
    return begin  # type: ignore[return-value]  # it takes and returns the same


def checked_record(record: T) -> T:
    """Return a record whose values are of the types that its fields name, as `checked` does.

    Raises
    ------
    WrongTypeError
        When a value has a wrong type.
    """
    changed = {}
    for name, take in _takes_of_fields(type(record)).items():  # type: ignore[arg-type]  # a class has a hash
        value = getattr(record, name)
        if (used := take.use(name, value)) is not value:
            changed[name] = used
    return dataclasses.replace(record, **changed) if changed else record  # type: ignore[type-var]


@functools.cache
def _takes_of_fields(kind: type) -> dict[str, _Takes]:
    takes = {part.name: _Takes.of(_read(part.type, {})) for part in dataclasses.fields(kind)}
    return {name: take for name, take in takes.items() if take is not None}


class _Takes(NamedTuple):
    """The types that a parameter takes, and those of the members of a list."""

    kinds: tuple[Any, ...]
    members: _Takes | None = None

    @classmethod
    def of(cls, hint: Any) -> _Takes | None:
        """Return a check of an annotation; ``None`` where its type is not checked."""
        kinds: list[Any] = []
        members = None
        for part in get_args(hint) if isinstance(hint, UnionType) else (hint,):
            kind = NoneType if part is None else get_origin(part) or part
            inside = {get_arg for get_arg in get_args(part) if get_arg is not ...}
            if kind in _LISTS and len(inside) == 1 and (inner := cls.of(inside.pop())):
                members = inner
            elif kind in _KINDS:
                kinds.append(kind)
            else:
                return None
        return cls(tuple(kinds), members)

    def use(self, name: str, value: Any) -> Any:
        """Return `value` in the form that methods use; refuse it where it is of none of the types."""
        if isinstance(value, str) and str in self.kinds:
            return without_surrogates(value)
        number = isinstance(value, Real) and not isinstance(value, bool)
        if number and {int, float} & {*self.kinds} and isinstance(value, Integral):
            whole = int(value)
            if str not in self.kinds and not -_TOO_LARGE <= whole < _TOO_LARGE:
                raise UsageError(f'"{name}" is too large', hint="a number of up to 18 digits")
            return whole
        if number and float in self.kinds:
            return float(value)
        if not number and isinstance(value, tuple(kind for kind in self.kinds if kind is not int)):
            return value
        if self.members is not None and not isinstance(value, _NO_LISTS):
            if isinstance(value, str) and str in self.members.kinds:
                return (without_surrogates(value),)  # a text alone, where a list is taken
            if isinstance(value, Iterable) and not isinstance(value, str):
                given = value if isinstance(value, (list, tuple, set, frozenset)) else tuple(value)
                used = tuple(self.members.use(name, member) for member in given)
                return given if all(map(operator.is_, given, used)) else used
        raise WrongTypeError(
            f'"{name}" takes {self.words}, not "{type(value).__name__}"',
            hint=f"write {name}={self.example}",
        )

    @property
    def words(self) -> str:
        """The types in words."""
        words = [_KINDS[kind][0] for kind in self.kinds if kind is not NoneType]
        words += [f"a list of {self.members.words}"] if self.members else []
        return ", or ".join([*words, *(["None"] if NoneType in self.kinds else [])])

    @property
    def example(self) -> str:
        """A value of these types, as Python writes it."""
        return f"[{self.members.example}]" if self.members else _KINDS[self.kinds[0]][1]


def shown(value: object) -> str:
    """Return a value as a message quotes it: one line of ASCII, short however deep the value is."""
    text = reprlib.repr(value).encode("ascii", "backslashreplace").decode()
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def of_class(name: str, value: object, kind: type[T]) -> T:
    """Return an argument that must be an object of a class of ours; refuse another."""
    if isinstance(value, kind):
        return value
    raise WrongTypeError(
        f'"{name}" takes {kind.__name__}, not "{type(value).__name__}"',
        hint=f"write {name}={kind.__name__}(...)",
    )


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which cannot be written: a bad byte of a shell."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


# -- annotations that resolve ---------------------------------------------------------------------

_bringing = RLock()  # a thread that waits finds the names there
_WORD = re.compile(r"[^\W\d]\w*")


class LazyAnnotations(dict[str, Any]):
    """The annotations of a function or class; whoever reads one can resolve it."""

    def __init__(self, annotated: Callable[..., Any]) -> None:
        self.written = annotated.__annotations__
        super().__init__(self.written)
        self._module = annotated.__module__

    def bring(self) -> None:
        """Resolve the types that are named."""
        written = " ".join(hint for hint in self.written.values() if isinstance(hint, str))
        bring_types(self._module, _WORD.findall(written))


def _resolved(read: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of dictionaries that brings the types first."""

    def method(self: LazyAnnotations, *given: Any) -> Any:
        self.bring()
        return read(self, *given)

    return method


for _name in ("__iter__", "__getitem__", "get", "keys", "items", "values"):
    setattr(LazyAnnotations, _name, _resolved(getattr(dict, _name)))


def resolve_lazily(function: Callable[..., Any]) -> None:
    """Let the annotations of a function, and of those that it wraps, resolve when they are read."""
    inner: Any = inspect.unwrap(function)
    hints = inner.__annotations__
    hints = hints if isinstance(hints, LazyAnnotations) else LazyAnnotations(inner)
    wrapper: Any = function
    while isinstance(wrapper, FunctionType):
        wrapper.__annotations__ = hints
        wrapper = getattr(wrapper, "__wrapped__", None)


def parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's parameters, those by keyword last, without ``*`` and ``**``."""
    inner: Any = inspect.unwrap(function)
    code: CodeType = inner.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def as_written(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a function as its source has them; loads no types."""
    hints = function.__annotations__
    return hints.written if isinstance(hints, LazyAnnotations) else hints


def resolvable(cls: type[T]) -> type[T]:
    """Let the annotations of a class, its methods and properties resolve when they are read."""
    resolve_members(cls)
    if "__annotations__" in vars(cls):
        cls.__annotations__ = LazyAnnotations(cls)
    return cls


def resolve_members(cls: type) -> None:
    """Let the annotations of a class's methods and properties resolve when they are read."""
    for member in vars(cls).values():
        if inspect.isfunction(function := function_of(member)):
            resolve_lazily(function)


def function_of(member: Any) -> Any:
    """Return the function of a method or property of a class."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    return getattr(member, "__func__", member)


def bring_types(module: str, names: Iterable[str]) -> None:
    """Run the imports that a module has for type checkers alone, as far as they bring these names."""
    with _bringing:
        here, statements = vars(sys.modules[module]), _for_checkers(module)
        for name in names:
            if name in statements and name not in here:
                _run(module, statements[name])


@functools.cache
def _for_checkers(module: str) -> dict[str, ast.stmt]:
    """Return the statements below ``if TYPE_CHECKING`` of a module, by the names that they bind."""
    bound: dict[str, ast.stmt] = {}
    try:
        source = inspect.getsource(sys.modules[module])
    except OSError:  # only compiled files are installed: the names stay names
        return bound
    for block in ast.parse(source).body:
        checked_only = isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for statement in block.body if isinstance(block, ast.If) and checked_only else ():
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                names = [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
            else:  # an alias of types
                names = _WORD.findall(ast.unparse(statement).partition("=")[0])
            bound |= dict.fromkeys(names, statement)
    return bound


def _run(module: str, statement: ast.stmt) -> None:
    """Run a statement of a module; a type of an extra that is not installed becomes `Any`."""
    here = vars(sys.modules[module])
    if not isinstance(statement, (ast.Import, ast.ImportFrom)):
        bring_types(module, _WORD.findall(ast.unparse(statement)[1:]))
    # A line of the module's own source, which only waited until it is needed.
    line = compile(ast.Module([statement], []), "<annotations>", "exec")
    try:
        exec(line, here)  # noqa: S102
    except ImportError:
        names = [alias.name for alias in getattr(statement, "names", ())]
        theirs = str(getattr(statement, "module", ""))
        if theirs.startswith("memctl.") and theirs in sys.modules:
            # Another module has it for type checkers alone, too.
            bring_types(theirs, names)
            exec(line, here)  # noqa: S102
        else:
            here.update(dict.fromkeys(names, Any))
