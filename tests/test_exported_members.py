"""The public names are those of ``__init__.py``, and each can be read about."""

from __future__ import annotations

import inspect

import memctl


def test_the_public_names_are_listed_once_and_in_order() -> None:
    assert memctl.__all__ == sorted(set(memctl.__all__), key=lambda name: (name.islower(), name))


def test_every_public_name_is_there_and_no_other_looks_public() -> None:
    modules = {name for name, value in vars(memctl).items() if inspect.ismodule(value)}
    public = {name for name in vars(memctl) if not name.startswith("_")} - modules
    assert public | {"fleet"} == set(memctl.__all__)  # a module, loaded when it is asked for
    assert inspect.ismodule(memctl.fleet)


def test_every_public_name_is_described() -> None:
    for name in memctl.__all__:
        assert inspect.getdoc(getattr(memctl, name)), name


def test_errors_share_one_root_and_have_a_code_each() -> None:
    public = [getattr(memctl, name) for name in memctl.__all__]
    kinds = [
        kind for kind in public if isinstance(kind, type) and issubclass(kind, memctl.MemctlError)
    ]
    assert len({kind.code for kind in kinds}) == len(kinds)


def test_every_public_method_is_described() -> None:
    for name, method in inspect.getmembers(memctl.Memory):
        if not name.startswith("_"):
            assert inspect.getdoc(method), name
