"""Writes engine/memctl/async_memory.pyi from the code: ``python -m tests.docs.async_stub``.

Types of arguments and results come from the methods themselves: the stub names each method once.
Written out are only properties, methods with more names than they list, and those that take a memory.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import typing
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.async_memory import COLLECTIONS, IN_STEPS, collection_class
from memctl.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["STUB", "stub"]

STUB = Path(__file__).parents[2] / "engine" / "memctl" / "async_memory.pyi"
_HEAD = """\
# Written by `python -m tests.docs.async_stub`: change the code instead.
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, Unpack, overload

"""
_FACES = """
_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")

COLLECTIONS: dict[str, str]
IN_STEPS: frozenset[str]

def collection_class(name: str) -> type: ...

class _Awaited(Generic[_P, _R]):
    def __init__(self, method: Callable[Concatenate[Any, _P], _R]) -> None: ...
    def __get__(self, face: object, kind: type) -> Callable[_P, Coroutine[Any, Any, _R]]: ...

class AsyncFace: ...

class AsyncCollection(AsyncFace, Generic[_T]):
    def __aiter__(self) -> AsyncIterator[_T]: ...
    async def length(self) -> int: ...
    async def contains(self, key: object) -> bool: ...

"""
_MEMORY = """\
class AsyncMemory(AsyncFace):
    def __init__(self, opens: Callable[[], Memory], name: str) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
    async def close(self) -> None: ...
    async def run(
        self,
        function: Callable[Concatenate[Memory, _P], _R],
        /,
        *args: _P.args,
        **named: _P.kwargs,
    ) -> _R: ...
"""


def stub() -> str:
    """Return the stub of the asyncio face."""
    kinds = {name: collection_class(name) for name in COLLECTIONS}
    lines: list[str] = []
    imports = {("memctl.memory", "Memory")}
    for kind in kinds.values():
        imports.add((kind.__module__, kind.__name__))
        lines += [f"class _{kind.__name__}({_base(kind, imports)}):", *_members(kind, imports), ""]
    lines += _MEMORY.splitlines()
    lines += _members(Memory, imports)
    for name, kind in kinds.items():
        lines += ["    @property", f"    def {name}(self) -> _{kind.__name__}: ..."]
    known = re.findall(r"\w+", _HEAD)
    named = sorted(pair for pair in imports if pair[1] not in known)
    imported = [
        f"from {module} import {', '.join(name for _, name in pairs)}"
        for module, pairs in groupby(named, itemgetter(0))
    ]
    return "\n".join([_HEAD + "\n".join(imported), _FACES + "\n".join(lines), ""])


def _base(kind: type, imports: set[tuple[str, str]]) -> str:
    """Return the face of a collection, with the type of its members."""
    for base in getattr(kind, "__orig_bases__", ()):
        for member in typing.get_args(base):
            name = getattr(member, "__forward_arg__", None) or member.__name__
            imports.add((_home(kind.__module__, name), name))
            return f"AsyncCollection[{name}]"
    return "AsyncCollection[str]" if hasattr(kind, "__len__") else "AsyncFace"


def _members(kind: type, imports: set[tuple[str, str]]) -> Iterator[str]:
    for name in dir(kind):
        member = inspect.getattr_static(kind, name)
        if name.startswith("_") or name in {*IN_STEPS, *COLLECTIONS, "close"}:
            continue
        function: Any = member.fget if isinstance(member, property) else inspect.unwrap(member)
        signatures = typing.get_overloads(function) or [function]
        taken = inspect.signature(function).parameters
        named = any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken.values())
        if isinstance(member, property) or named or "also" in taken:
            for signature in signatures:
                yield from ["    @overload"] * (len(signatures) > 1)
                yield f"    async def {name}{_signature(signature, imports)}: ..."
        else:
            yield f"    {name} = _Awaited({kind.__name__}.{name})"


def _signature(function: Any, imports: set[tuple[str, str]]) -> str:
    """Return the signature of a function with its annotations as they are written."""
    signature = inspect.signature(function)
    bare = [
        parameter.replace(
            default=parameter.empty if parameter.default is parameter.empty else ...,
            annotation=parameter.empty,
        )
        for parameter in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    for name, parameter in signature.parameters.items():
        if name != "self":
            note = str(parameter.annotation).replace("Memory |", "AsyncMemory |")
            text = re.sub(rf"\b{name}\b", f"{name}: {note}", text, count=1)
    text = text.replace("=Ellipsis", " = ...")
    text = f"{text} -> {signature.return_annotation}"
    for name in re.findall(r"[A-Z]\w+", text):
        if name not in {"Any", "AsyncMemory", "None"}:
            imports.add((_home(function.__module__, name), name))
    return text


@cache
def _sources(module: str) -> dict[str, str]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {alias.name: node.module or "" for node in nodes for alias in node.names}


def _home(module: str, name: str) -> str:
    """Return the module that a name of another module comes from."""
    return _sources(module).get(name, module)


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
