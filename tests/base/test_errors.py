from __future__ import annotations

import copy
import errno
import pickle
import traceback
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base import errors
from memctl.base.errors import FileAccessError, MemctlError
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = [
    kind
    for kind in vars(memctl).values()
    if isinstance(kind, type) and issubclass(kind, MemctlError)
]
# The classes of Python that the tree names in its third column, and the errors beneath them.
OF_PYTHON = {
    ValueError: (memctl.UsageError,),
    TypeError: (memctl.WrongTypeError,),
    LookupError: (memctl.NotFoundError,),
    OSError: (memctl.BusyError, memctl.DiskFullError, FileAccessError, memctl.StaleStoreError),
}


def _drawn() -> dict[str, str]:
    tree = (errors.__doc__ or "").split("::")[1].split("The third column")[0]
    lines = [line.strip(" │├└─") for line in tree.splitlines() if "Error" in line]
    return {line.split()[0]: line for line in lines}


def test_every_error_is_exported_by_memctl() -> None:
    of_memctl = {one for one in _below(MemctlError) if one.__module__.startswith("memctl.")}
    # A private one is caught where it is raised, or is its public base for everybody else.
    public = {kind.__name__ for kind in of_memctl if kind.__name__[0] != "_"}
    assert public <= {kind.__name__ for kind in KINDS}


@each("kind", KINDS)
def test_the_tree_draws_each_error_with_its_exit_code(kind: type[MemctlError]) -> None:
    line = _drawn()[kind.__name__]
    assert f"exit {kind.exit_code} " in line
    named = [base for base in OF_PYTHON if base.__name__ in line]
    assert all(issubclass(kind, base) for base in named)


@each("kind", KINDS)
def test_python_catches_an_error_by_the_class_that_people_expect(kind: type[MemctlError]) -> None:
    for base, mine in OF_PYTHON.items():
        assert issubclass(kind, base) == issubclass(kind, mine)
        if issubclass(kind, base):
            with pytest.raises(base):
                raise kind("said")


@each("kind", KINDS)
@each("copied", [copy.copy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
def test_a_copied_error_says_the_same(
    kind: type[MemctlError], copied: Callable[[MemctlError], MemctlError]
) -> None:
    error = copied(kind('"x" is wrong', hint="mend it"))
    assert type(error) is kind
    assert (error.message, error.hint, error.args) == ('"x" is wrong', "mend it", (error.message,))
    assert str(error) == '"x" is wrong'
    assert (error.code, error.exit_code) == (kind.code, kind.exit_code)


@each("kind", KINDS)
@each("copied", [lambda one: one, copy.copy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
def test_a_traceback_ends_with_the_hint_once(
    kind: type[MemctlError], copied: Callable[[MemctlError], MemctlError]
) -> None:
    first = kind('"x" is wrong', hint="mend it")
    first.add_note("while reading a.png")
    error = copied(first)
    lines = "".join(traceback.format_exception(error)).splitlines()
    assert [line for line in lines if "mend it" in line] == ["hint: mend it"]
    assert "while reading a.png" in lines
    error.hint = "mend that"
    assert error.__notes__ == ["while reading a.png", "hint: mend that"]
    if error is not first:
        assert first.__notes__ == ["hint: mend it", "while reading a.png"]


def test_an_error_without_a_hint_has_no_note() -> None:
    assert not hasattr(memctl.NotFoundError("said"), "__notes__")


def test_errors_of_the_system_have_its_number() -> None:
    numbers = [kind("said").errno for kind in (memctl.BusyError, memctl.DiskFullError)]
    assert numbers == [errno.EBUSY, errno.ENOSPC]
    assert memctl.StaleStoreError("said").errno == errno.ESTALE
    denied = PermissionError(errno.EACCES, "Permission denied")
    error = pickle.loads(pickle.dumps(FileAccessError("said", cause=denied)))  # noqa: S301
    assert (error.errno, error.strerror, str(error)) == (errno.EACCES, "Permission denied", "said")


def _below(kind: type[MemctlError]) -> set[type[MemctlError]]:
    return {one for sub in kind.__subclasses__() for one in {sub, *_below(sub)}}
