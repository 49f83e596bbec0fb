"""What a method takes is checked before it begins; a wrong type is one clear error."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sqlite3
import sys
from contextlib import closing
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import memctl
from memctl.base.arguments import checked
from memctl.base.errors import MemctlError, UsageError
from memctl.consolidation.runs import Runs
from memctl.endpoint.endpoint import Endpoint, EndpointRows
from memctl.extraction.extractor import Extractor
from memctl.porting.importer import Importer
from memctl.porting.restoring import Restorer
from memctl.search.vectors.embed import Embedder
from memctl.upkeep.eraser import Eraser
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from memctl.base.clock import When
    from memctl.memory import Memory


@checked
def takes(
    text: str = "",
    count: int = 0,
    share: float | None = None,
    yes: bool = False,
    tags: Iterable[str] = (),
    ids: Sequence[int] | None = None,
    metadata: Mapping[str, Any] | None = None,
    when: When | None = None,
    long: timedelta | None = None,
    anything: Any = None,
) -> dict[str, Any]:
    return dict(locals())


@each(
    ("name", "value"),
    [
        ("text", 5),
        ("text", None),
        ("text", b"bytes"),
        ("count", "5"),
        ("count", 5.5),
        ("count", True),
        ("count", None),
        ("count", 2**63),
        ("share", "half"),
        ("share", False),
        ("yes", 1),
        ("yes", "no"),
        ("tags", 5),
        ("tags", None),
        ("tags", [5]),
        ("tags", {"a": 1}),
        ("tags", b"ab"),
        ("ids", "12"),
        ("ids", iter(["12"])),
        ("ids", ["12"]),
        ("ids", [-(2**63) - 1]),
        ("metadata", "{}"),
        ("metadata", [1]),
    ],
)
def test_a_wrong_type_is_refused_by_the_parameters_name(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=f'"{name}"') as caught:
        takes(**{name: value})  # type: ignore[arg-type]
    assert caught.value.hint
    assert isinstance(caught.value, TypeError) or "too large" in caught.value.message


@each(
    ("name", "value"),
    [
        ("text", "5"),
        ("count", -3),
        ("share", 1),
        ("share", 0.5),
        ("share", None),
        ("tags", ["a", "b"]),
        ("tags", {"a"}),
        ("ids", None),
        ("metadata", {"a": [1]}),
        ("anything", object),
    ],
)
def test_a_right_type_is_handed_on_as_it_is(name: str, value: object) -> None:
    assert takes(**{name: value})[name] is value  # type: ignore[arg-type]


def test_numbers_of_another_library_become_pythons_own() -> None:
    given = takes(count=np.int64(3), share=np.float32(0.5))  # type: ignore[arg-type]
    assert (type(given["count"]), type(given["share"])) == (int, float)


def test_what_can_be_read_once_is_read_once() -> None:
    assert takes(tags=(word for word in ("a", "b")))["tags"] == ("a", "b")
    assert takes(ids=map(int, "12"))["ids"] == (1, 2)  # type: ignore[arg-type]


def test_times_and_durations_are_taken_where_they_are_named() -> None:
    day, week = date(2026, 11, 20), timedelta(days=7)
    assert takes(when=day)["when"] is day
    assert takes(when=week, long=week)["long"] is week
    for wrong in ({"long": day}, {"text": day}, {"when": 5}):
        with pytest.raises(UsageError, match=next(iter(wrong))):
            takes(**wrong)


def test_what_is_no_unicode_is_replaced() -> None:
    given = takes(text="caf\udcff", tags=["a", "\udcff"])
    assert (given["text"], given["tags"]) == ("caf\ufffd", ("a", "\ufffd"))


def test_a_text_alone_is_a_list_of_one() -> None:
    assert takes(tags="travel")["tags"] == ("travel",)


def test_positions_are_checked_as_names_are() -> None:
    with pytest.raises(UsageError, match='"count"'):
        takes("text", "five")  # type: ignore[arg-type]


# -- the face --------------------------------------------------------------------------------

WRONG = (5, 5.5, True, None, b"x", "x", ["x"], [5], [None], {"a": 1}, object(), 10**30)
PARTS: dict[str, Callable[[Memory], Any]] = {
    "memory": lambda m: m,
    "turns": lambda m: m.turns,
    "episodes": lambda m: m.episodes,
    "aliases": lambda m: m.aliases,
    "recalls": lambda m: m.recalls,
    "facts": lambda m: m.facts,
    "components": lambda m: m.components,
    "states": lambda m: m.states,
    "transitions": lambda m: m.transitions,
    "settings": lambda m: m.settings,
    "visual": lambda m: m.visual,
    "journal": lambda m: m.journal,
    "sessions": lambda m: m.sessions,
    "cache": lambda m: m.cache,
    "tool_calls": lambda m: m.tool_calls,
    "extractor": lambda m: Extractor(m.store, m.facts),
    "endpoint": lambda m: Endpoint(m.store, m.settings),
    "dream": lambda m: m.dream,
    "runs": lambda m: Runs(m.store),
    "skills": lambda m: m.skills,
    "importer": lambda m: Importer(m.store, m.settings),
    "eraser": lambda m: Eraser(m.store, m.settings),
    "packs": lambda m: m.packs,
}
# Words of the engine's own among public methods.
INNER = {("aliases", "expand"), ("memory", "close")}


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    monkeypatch.chdir(tmp_path)  # some of the values are names of files
    with memctl.open("agent", tmp_path) as opened:
        opened.log("Ann takes the ferry", speaker="Ann")
        opened.facts.store("Falcon's deadline is 1 December")
        yield opened


def dump(memory: Memory) -> list[str]:
    """Return every row of the store as SQL, but those that recall keeps."""
    with closing(sqlite3.connect(memory.store.path)) as connection:
        return [line for line in connection.iterdump() if '"recall' not in line]


def public(part: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, function in inspect.getmembers(type(part), inspect.isfunction):
        if not name.startswith("_"):
            yield name, function


def fitting(parameter: inspect.Parameter) -> Any:
    """Return a value of the right type for a parameter that needs one."""
    kind = str(parameter.annotation)
    if parameter.name in {"image", "boxes"}:
        return b"no image"
    if "Sequence[int]" in kind or "Iterable" in kind:
        return ()
    return 1 if kind == "int" else "x"


@each("part", PARTS)
def test_no_wrong_type_gets_past_a_public_method(part: str, memory: Memory) -> None:
    target = PARTS[part](memory)
    for name, function in public(target):
        if (part, name) in INNER:
            continue
        parameters = [
            one
            for one in list(inspect.signature(function).parameters.values())[1:]
            if one.kind not in {one.VAR_POSITIONAL, one.VAR_KEYWORD}
        ]
        needed = {
            one.name: fitting(one) for one in parameters if one.default is inspect.Parameter.empty
        }
        placed = [one.name for one in parameters if one.kind is one.POSITIONAL_ONLY]
        for one in parameters:
            for value in WRONG:
                given = {**needed, one.name: value}
                in_order = [given.pop(place) for place in placed]
                try:
                    getattr(target, name)(*in_order, **given)
                except MemctlError:
                    continue
                except Exception as error:  # noqa: BLE001  (what this test looks for)
                    pytest.fail(f"{part}.{name}({one.name}={value!r}): {error!r}")


@each(
    ("call", "named"),
    [
        (lambda m: m.log("x", speaker=5), "speaker"),
        (lambda m: m.log("x", logged_at=20261120), "logged_at"),
        (lambda m: m.remember("x", tags=5), "tags"),
        (lambda m: m.remember("x", turns=["1"]), "turns"),
        (lambda m: m.recall("x", limit="5"), "limit"),
        (lambda m: m.recall("x", max_tokens=1.5), "max_tokens"),
        (lambda m: m.recall("x", kinds=3), "kinds"),
        (lambda m: m.feedback("1"), "recall"),
        (lambda m: m.transitions.record("a", "click", "b", elapsed_ms="x"), "elapsed_ms"),
        (lambda m: m.transitions.commit("1"), "ids"),
        (lambda m: m.facts.store("x", importance="high"), "importance"),
        (lambda m: m.facts.store("x", metadata="{}"), "metadata"),
        (lambda m: m.facts.update("f_1", 5), "text"),
        (lambda m: m.facts.delete_all(confirm="yes"), "confirm"),
        (lambda m: m.components.pin(2.5), "key"),
        (lambda m: m.settings.set(5, "expected"), "key"),
    ],
)
def test_the_parameter_is_named_and_nothing_is_written(
    call: Callable[[Memory], object], named: str, memory: Memory
) -> None:
    before = dump(memory)
    with pytest.raises(UsageError, match=f'"{named}"'):
        call(memory)
    assert dump(memory) == before


@each(("name", "value"), [("address", 5), ("readonly", "yes"), ("settings", []), ("user", 1)])
def test_opening_checks_what_it_takes(name: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f'"{name}"'):
        memctl.open(**{"home": tmp_path, name: value})  # type: ignore[arg-type]


def test_every_class_that_the_face_hands_out_is_checked(memory: Memory) -> None:
    for part in PARTS.values():
        for name, function in public(part(memory)):
            assert getattr(function, "checked", False), f"{type(part(memory)).__name__}.{name}"


def test_no_class_of_the_face_is_forgotten_here(memory: Memory) -> None:
    known = {type(part(memory)) for part in PARTS.values()}
    known |= {base for cls in known for base in cls.__mro__}
    for module in pkgutil.walk_packages(memctl.__path__, "memctl."):
        if not module.name.startswith(("memctl.schema", "memctl.sql", "memctl.__main__")):
            importlib.import_module(module.name)
    guarded = {
        cls
        for cls in _all_classes()
        if any(hasattr(member, "guarded") for member in vars(cls).values())
    }
    # The engine's own: they take no argument of a caller.
    assert guarded - known == {Embedder, EndpointRows, Restorer}


def _all_classes() -> set[type]:
    return {
        member
        for name, module in list(sys.modules.items())
        if name.startswith("memctl.")
        for member in vars(module).values()
        if inspect.isclass(member) and member.__module__.startswith("memctl.")
    }
