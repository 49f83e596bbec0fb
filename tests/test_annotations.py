"""Every annotation of the public API resolves at run time, though importing memctl loads few types."""

from __future__ import annotations

import inspect
import typing
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from tests.each import each
from tests.processes import python
from tests.public import public_classes, public_functions, results

if TYPE_CHECKING:
    from memctl.memory import Memory

ARRAYS = {"ComparedPictures", "Frame"}  # numpy's, which pydantic does not know


def test_the_walk_reaches_what_the_memory_hands_out() -> None:
    names = {kind.__name__ for kind in public_classes()}
    assert {"Components", "States", "Facts", "Skills", "Packs", "Journal", "Dream"} <= names
    assert {"Match", "Location", "Row", "ScoreTerm", "Report", "DecayReport", "Twin"} <= names
    assert len(public_functions()) > 400


@each(("name", "function"), public_functions().items())
def test_the_annotations_of_every_public_function_resolve(name: str, function: Any) -> None:
    hints = typing.get_type_hints(function)
    named = set(inspect.signature(function).parameters) - {"self", "cls"}
    assert named <= hints.keys(), name


@each("kind", public_classes())
def test_the_annotations_of_every_public_class_resolve(kind: type) -> None:
    typing.get_type_hints(kind)


@each("kind", [kind for kind in results() if kind.__name__ not in ARRAYS])
def test_pydantic_makes_a_schema_of_every_result(kind: type) -> None:
    assert TypeAdapter(kind).json_schema()["title"] == kind.__name__


def test_a_bound_method_and_a_signature_resolve_too(memory: Memory) -> None:
    assert typing.get_type_hints(memory.recall)["limit"] == int | None
    signature = inspect.signature(memory.components.list, eval_str=True)
    assert signature.parameters["limit"].annotation == int | None


@pytest.mark.parametrize(
    "read", ["typing.get_type_hints(it)", "inspect.signature(it, eval_str=True)"]
)
def test_a_type_of_an_extra_that_is_not_installed_is_any_type(read: str) -> None:
    answer = python(
        f"""
        import inspect, sys, typing
        sys.modules["playwright"] = None
        import memctl

        it = memctl.Memory.learn
        loaded = "numpy" in sys.modules
        print(loaded, "Page" in str({read}), "ndarray" in str({read}))
        """
    )
    assert answer.split() == ["False", "False", "True"]


def test_types_that_need_such_an_extra_only_at_work_are_read_without_it() -> None:
    answer = python(
        """
        import sys, typing
        sys.modules["playwright"] = None
        from memctl.procedural.skills import Skills

        print(*(typing.get_type_hints(it)["return"] for it in (Skills.watch, Skills.next)))
        """
    )
    assert "drivers.demonstration.Demonstration" in answer
    assert "procedural.next_act.NextAct" in answer
