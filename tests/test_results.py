"""What the public methods return is plain: it is copied, pickled, tabulated, and shown short."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import os
import pickle
import types
import typing
from collections.abc import Collection, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
import pytest

import memctl
from memctl.store.store import Store
from memctl_cli.demo import bundle
from tests.each import each
from tests.public import results
from tests.visual.drawn import enlarged, numbered

if TYPE_CHECKING:
    from memctl.memory import Memory


@pytest.fixture(scope="session")
def used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory that has seen two screens of the demo and some text."""
    with memctl.open("harbor", tmp_path_factory.mktemp("results")) as memory:
        for shot in map(bundle.shot, ("login", "settings")):
            memory.learn(shot.png, shot.boxes_file(), page=shot.page)
        memory.log("the ferry was late", speaker="Ann", session="trip")
        memory.remember("Ann took the ferry", tags=["trip"])
        memory.facts.store("Falcon's deadline is 1 December")
        memory.aliases.add("NYC", "New York")
        memory.journal.pending("call Bob")
        yield memory


@pytest.fixture(scope="session")
def answers(used: Memory) -> dict[str, Any]:
    """Answers of its methods, by the calls."""
    shown, other = bundle.shot("settings"), bundle.shot("settings-edited")
    recalled = used.recall("was the ferry late, and what is Falcon's deadline?")
    return {
        "match": used.match(shown.png),
        "learn": used.learn(other.png, other.boxes_file(), page=other.page),
        "locate": used.locate("Save_changes", shown.png),
        "locate what is not there": used.locate("Sign_in", shown.png),
        "wait": used.wait("Save_changes", shown.png, timeout=0),
        "diff": used.diff(shown.png, other.png),
        "recall": recalled,
        "recall's rows": list(recalled),
        "why_not": used.why_not("ferry", "turn:1"),
        "feedback": used.feedback(recalled.id or 0),
        "components": list(used.components),
        "templates": used.components.templates(1),
        "states": used.states.list(),
        "state": used.states.get(used.states.list()[0].id),
        "turns": list(used.turns),
        "episodes": list(used.episodes),
        "facts": list(used.facts),
        "hits": used.facts.search("Falcon"),
        "history": used.facts.history(used.facts.list()[0].id),
        "triage": used.facts.triage("Falcon's budget is 400"),
        "recalls": list(used.recalls),
        "aliases": list(used.aliases),
        "journal": used.journal.get(),
        "context": used.context("ferry"),
        "active": used.active("was the ferry late?"),
        "extract": used.extract("Falcon's budget is 400 euros."),
        "report": used.report("recall"),
        "status": used.status(),
        "doctor": used.doctor(),
        "dream": used.dream.status(),
        "stores": memctl.stores(used.store.path.parents[1]),
    }


def parts_of(value: Any) -> Iterator[Any]:
    """Yield a result and all that it holds."""
    if dataclasses.is_dataclass(value):
        yield value
        for field in dataclasses.fields(value):
            yield from parts_of(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield from itertools.chain.from_iterable(map(parts_of, value.values()))
    elif isinstance(value, (list, tuple)):
        yield from itertools.chain.from_iterable(map(parts_of, value))


@pytest.fixture(scope="session")
def given(answers: dict[str, Any]) -> dict[type, Any]:
    """A result of every class that the answers hold."""
    return {type(part): part for answer in answers.values() for part in parts_of(answer)}


def sample(hint: Any) -> Any:  # noqa: PLR0911  (a return a kind)
    """Return a value of an annotation, as full as it allows."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in {types.UnionType, typing.Union}:
        return sample(inside[0])
    if origin is Literal:
        return inside[0]
    if origin in {list, Sequence, Collection}:
        return [sample(inside[0])]
    if origin in {dict, Mapping}:
        return {sample(inside[0]): sample(inside[1])}
    if origin in {tuple, frozenset}:
        return origin(sample(part) for part in inside if part is not ...)
    if origin is np.ndarray:
        return np.zeros((4, 4, 3), np.uint8)
    if dataclasses.is_dataclass(hint):
        return made(typing.cast("type", hint))
    if hasattr(hint, "_fields"):
        hints = typing.get_type_hints(hint)
        return hint(*(sample(hints[name]) for name in hint._fields))
    plain = {
        str: "UTC",  # a zone, too
        Any: "any",
        Path: Path("a"),
        os.PathLike: Path("a"),
        type(None): None,
        bytes: b"\x89PNG",
    }
    return plain[hint] if hint in plain else hint(7)


def made(kind: type) -> Any:
    """Return a result of a class, made of samples of its fields."""
    hints = typing.get_type_hints(kind)
    values = {f.name: sample(hints[f.name]) for f in dataclasses.fields(kind) if f.init}
    return kind(**values)


def equal(first: Any, second: Any) -> bool:
    if any(isinstance(part, np.ndarray) for part in vars_of(first)):  # compares each number
        return bool(pickle.dumps(first) == pickle.dumps(second))
    return bool(first == second)


def vars_of(result: Any) -> list[Any]:
    return [getattr(result, field.name) for field in dataclasses.fields(result)]


def is_plain(result: Any) -> None:
    """Check that a result is copied, pickled, taken apart and shown, and that it is not changed."""
    assert equal(copy.copy(result), result)
    assert equal(copy.deepcopy(result), result)
    assert equal(pickle.loads(pickle.dumps(result)), result)  # noqa: S301  (our own)
    assert equal(dataclasses.replace(result), result)
    assert dataclasses.asdict(result).keys() == {f.name for f in dataclasses.fields(result)}
    assert len(repr(result)) <= 100, repr(result)
    assert "\n" not in repr(result)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, dataclasses.fields(result)[0].name, None)


@each("kind", results())
def test_a_result_of_every_class_is_plain(kind: type) -> None:
    is_plain(made(kind))


def test_what_a_store_answers_is_plain(given: dict[type, Any]) -> None:
    assert len(given) > 40
    for result in given.values():
        is_plain(result)
        held = [each for each in vars_of(result) if isinstance(each, Store) or callable(each)]
        assert not held, result


@each("name", ["components", "states", "turns", "episodes", "facts", "recalls", "aliases"])
def test_a_collection_goes_into_a_data_frame(used: Memory, name: str) -> None:
    collection = getattr(used, name)
    for rows in (collection, collection.list()):
        frame = pd.DataFrame(rows)
        first = dataclasses.asdict(next(iter(collection)))
        assert len(frame) == len(collection)
        assert list(frame.columns) == list(first)


@each("name", ["recall", "hits", "journal", "components", "learn"])
def test_rows_go_into_a_data_frame(answers: dict[str, Any], name: str) -> None:
    answer = answers[name]
    rows = {"journal": lambda: answer.entries, "learn": lambda: answer.sightings}
    frame = pd.DataFrame(rows.get(name, lambda: answer)())
    assert len(frame) > 0
    assert all(isinstance(column, str) for column in frame.columns)


# ---- places


def test_what_has_a_place_has_a_box_and_a_center(answers: dict[str, Any]) -> None:
    placed = [part for part in parts_of(list(answers.values())) if hasattr(part, "box")]
    assert {type(part).__name__ for part in placed} >= {
        "Component",
        "Learned",
        "Location",
        "PictureChange",
        "Sighting",
    }
    for part in placed:
        if getattr(part, "boxes", None):
            assert part.boxes[0] == part.box
            assert [box[:2] for box in part.boxes[1:]] == part.also_at
        if part.box is None:
            assert part.center is None
            continue
        x, y, w, h = part.box
        assert part.center == (x + w / 2, y + h / 2)


def test_a_place_is_in_pixels_of_the_screenshot(memory: Memory) -> None:
    screen = numbered("Page", 6)
    memory.learn(*screen.given)
    doubled = enlarged(screen.image, 2)
    (sighting,) = [s for s in memory.match(doubled).sightings if s.name == "Page_a"]
    assert (sighting.box, sighting.center) == ((40, 40, 180, 56), (130, 68))
    assert memory.locate("Page_a", doubled).box == sighting.box
    component = memory.components.get("Page_a")
    assert (component.box, component.scale) == ((20, 20, 90, 28), 1)  # as it was learned


# ---- notebooks


class Tags(HTMLParser):
    """The tags of a page: those that are open in the end, and the pictures."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.pictures: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.pictures += filter(None, (values.get("src"), values.get("href")))
        self.open += [tag] if tag != "img" else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


SHOWN = ["match", "learn", "locate", "state", "states"]


@each("name", SHOWN)
def test_a_notebook_shows_pictures(answers: dict[str, Any], name: str) -> None:
    page = Tags(answers[name]._repr_html_())
    assert not page.open
    assert page.pictures
    assert all(picture.startswith("data:image/png;base64,") for picture in page.pictures)
    assert len(answers[name]._repr_html_()) < 600_000


def test_a_notebook_shows_components_with_their_pictures(used: Memory) -> None:
    page = Tags(used.components._repr_html_())
    assert len(page.pictures) == 20
    assert f"and {len(used.components) - 20} more" in used.components._repr_html_()
    assert len(Tags(used.components.get(1)._repr_html_()).pictures) == 1


def test_a_copy_and_a_closed_store_show_no_pictures(tmp_path: Path) -> None:
    shot = bundle.shot("login")
    with memctl.open("harbor", tmp_path) as memory:
        memory.learn(shot.png, shot.boxes_file())
        component = memory.components.get(1)
        assert Tags(component._repr_html_()).pictures
        assert not Tags(copy.copy(component)._repr_html_()).pictures
    assert not Tags(component._repr_html_()).pictures
    assert component.name in component._repr_html_()


def test_words_of_a_store_are_no_html(memory: Memory) -> None:
    memory.log("<script>alert(1)</script> & the ferry", speaker="<b>Ann</b>")
    recalled = memory.recall("ferry")
    for shown in (memory.turns, memory.turns.list(), memory.turns.get(1), recalled, recalled[0]):
        page = shown._repr_html_()
        assert "&lt;script&gt;" in page
        assert "<script" not in page
        assert "<b>Ann" not in page


def test_an_empty_collection_is_an_empty_table(memory: Memory) -> None:
    memory.log("x")
    assert not Tags(memory.facts._repr_html_()).open
    assert "Facts of harbor: 0" in memory.facts._repr_html_()
