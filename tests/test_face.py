"""The Python face: the inputs that Python programmers have, collections, reprs, help."""

from __future__ import annotations

import inspect
import io
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

import memctl
from memctl.base.errors import NotFoundError, RefusedError, UsageError
from tests.each import each
from tests.visual.drawn import numbered

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory

SCREEN = numbered("Page", 15)
pytestmark = pytest.mark.usefixtures("fixed_clock")

NOON = datetime(2026, 11, 19, 12, tzinfo=UTC)


# ---- times


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (NOON, "2026-11-19T12:00:00Z"),
        (datetime(2026, 11, 19, 12), "2026-11-19T12:00:00Z"),  # noqa: DTZ001  (naive is UTC)
        (NOON.astimezone(timezone(timedelta(hours=9))), "2026-11-19T12:00:00Z"),
        (date(2026, 11, 19), "2026-11-19T00:00:00Z"),
        (timedelta(days=-1), "2026-11-19T16:33:04Z"),
    ],
)
def test_every_kind_of_time_is_stored_as_utc(memory: Memory, given: Any, stored: str) -> None:
    assert memory.turns.get(memory.log("x", logged_at=given)).logged_at == stored
    assert memory.episodes.get(memory.remember("x", happened_at=given)).happened_at == stored
    (fact,) = memory.facts.store("Tea is served at noon", valid_from=given).ids
    assert memory.facts.get(fact).valid_from == stored


def test_a_day_that_ends_something_counts_to_its_end(memory: Memory) -> None:
    (fact,) = memory.facts.store("Tea is served at noon", expires_at=date(2026, 11, 30)).ids
    assert memory.facts.get(fact).expires_at == "2026-12-01T00:00:00Z"
    assert memory.facts.update(fact, expires_at=timedelta(days=1)).expires_at == (
        "2026-11-21T16:33:04Z"
    )


def test_recall_and_facts_are_narrowed_by_times(memory: Memory) -> None:
    memory.log("the ferry was late", logged_at=NOON)
    memory.facts.store("Falcon's deadline is 1 December", valid_from=NOON)
    day, week = timedelta(days=1), timedelta(days=-7)
    assert len(memory.recall("ferry", since=week, until=date(2026, 11, 19), now=NOON)) == 1
    assert not memory.recall("ferry", since=NOON + day)
    assert not memory.recall("ferry", as_of=NOON - day)
    assert len(memory.facts.search("Falcon", as_of=NOON)) == 1
    assert not memory.facts.search("Falcon", as_of=date(2026, 11, 18))
    assert memory.facts.lookup("Falcon", as_of=NOON - day) == []
    assert len(memory.facts.list(filters={"valid_from": {"gte": NOON - day}})) == 1


def test_reports_and_retention_take_times(memory: Memory) -> None:
    memory.log("the ferry was late", logged_at=timedelta(days=-40))
    assert memory.turns.archive_old(timedelta(days=30)) == 1
    assert memory.report("recall", since=date(2026, 11, 1)).since == "2026-11-01T00:00:00Z"
    assert memctl.report("recall", memory.store.path.parents[1], until=NOON).until is not None


def test_a_time_out_of_the_calendar_is_refused(memory: Memory) -> None:
    with pytest.raises(UsageError, match="no time"):
        memory.log("x", logged_at=timedelta.max)


# ---- screenshots


def sources() -> dict[str, Callable[[], Any]]:
    picture = Image.fromarray(SCREEN.image[:, :, ::-1])
    packed = io.BytesIO()
    picture.save(packed, "PNG")
    return {
        "a PIL image": lambda: picture,
        "a PIL image of a file": lambda: Image.open(io.BytesIO(packed.getvalue())),
        "an open file": lambda: io.BytesIO(packed.getvalue()),
        "bytes": packed.getvalue,
    }


@pytest.mark.parametrize("source", sources())
def test_a_screenshot_may_come_as(memory: Memory, source: str) -> None:
    memory.learn(*SCREEN.given)
    assert len(memory.match(sources()[source]()).sightings) == 15
    assert memory.locate(1, sources()[source]()).found


def test_an_array_may_be_rgb(memory: Memory) -> None:
    image, boxes = SCREEN.given
    turned = np.ascontiguousarray(image[:, :, ::-1])
    memory.learn(turned, boxes, channels="rgb")
    assert len(memory.match(image).sightings) == 15
    assert memory.locate(1, turned, channels="rgb").score == 1
    opaque = np.dstack([turned, np.full(turned.shape[:2], 255, np.uint8)])
    assert len(memory.match(opaque, channels="rgb").sightings) == 15


def test_other_channels_are_refused(memory: Memory) -> None:
    with pytest.raises(UsageError, match='channels "hsv" is unknown'):
        memory.match(SCREEN.image, channels="hsv")


def test_boxes_may_be_a_generator_of_tuples(memory: Memory) -> None:
    image, boxes = SCREEN.given
    learned = memory.learn(image, ((b["x"], b["y"], b["w"], b["h"], b["label"]) for b in boxes))
    assert {one.name for one in learned.learned} == {
        one["label"].replace(" ", "_") for one in boxes
    }


def test_the_apps_version_is_kept_with_each_look(memory: Memory) -> None:
    memory.learn(*SCREEN.given, app_version="2.1")
    memory.match(SCREEN.image, app_version="2.2")
    memory.match(SCREEN.image)
    with closing(sqlite3.connect(memory.store.path)) as connection:
        kept = connection.execute("select app_version from observation order by id").fetchall()
    assert kept == [("2.1",), ("2.2",), (None,)]
    with pytest.raises(UsageError, match="app_version"):
        memory.learn(*SCREEN.given, app_version="x" * 100)


# ---- a file of its own


def test_a_path_is_opened_as_that_very_file(tmp_path: Path) -> None:
    with memctl.open(tmp_path / "notes.db") as made:
        made.log("said")
        assert (str(made.address), made.store.path) == ("notes", tmp_path / "notes.db")
        assert made.report("recall").stores == ("notes",)
    (tmp_path / "notes.db").rename(tmp_path / "Moved here.db")
    with memctl.open(tmp_path / "Moved here.db", readonly=True) as moved:
        assert (str(moved.address), len(moved.turns)) == ("notes", 1)


def test_the_path_of_a_site_in_a_home_has_its_browser_around_it(home: Path) -> None:
    with memctl.open("chromium/united.com", home) as site:
        site.log("said")
        path = site.store.path
    with memctl.open(path) as again:
        assert str(again.address) == "chromium/united.com"
        assert again._chrome is not None


def test_a_path_needs_no_home_and_a_name_that_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="home"):
        memctl.open(tmp_path / "notes.db", tmp_path)
    with pytest.raises(UsageError, match="not allowed"):
        memctl.open(tmp_path / "My notes.db")


@each("readonly", [False, True])
def test_a_folder_is_no_store(tmp_path: Path, readonly: bool) -> None:
    with pytest.raises(memctl.FileAccessError, match="is a folder"):
        memctl.open(tmp_path, readonly=readonly)


def test_a_path_as_text_is_told_how_to_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a path") as raised:
        memctl.open(f"{tmp_path}/notes.db")
    assert "pathlib.Path" in raised.value.hint


# ---- what a store holds


@pytest.fixture
def full(memory: Memory) -> Memory:
    memory.learn(*SCREEN.given)
    memory.log("the ferry was late", session="trip")
    memory.remember("Ann took the ferry")
    memory.facts.store("Falcon's deadline is 1 December")
    memory.aliases.add("NYC", "New York")
    memory.recall("ferry")
    return memory


COUNTS = {"components": 15, "states": 1, "transitions": 0, "turns": 1, "episodes": 1}
COUNTS |= {"facts": 1, "aliases": 1, "recalls": 1}


@each("name", COUNTS)
def test_a_collection_is_counted_walked_through_and_shown(full: Memory, name: str) -> None:
    collection = getattr(full, name)
    assert len(collection) == len(list(collection)) == COUNTS[name]
    assert f" of harbor: {COUNTS[name]}>" in repr(collection)


def test_a_member_is_in_by_its_id_or_name_while_it_lives(full: Memory) -> None:
    fact = full.facts.list()[0].id
    state = full.states.list()[0].id
    assert "PAGE_A" in full.components
    assert 1 in full.components
    assert state in full.states
    assert all((1 in full.turns, 2 in full.episodes, 1 in full.recalls, fact in full.facts))
    assert "nyc" in full.aliases
    full.turns.archive([1])
    full.episodes.forget([2])
    full.components.forget("Page_a")
    full.facts.forget(fact)
    full.recalls.forget(1)
    assert not any((1 in full.turns, 2 in full.episodes, 1 in full.recalls, fact in full.facts))
    assert "Page_a" not in full.components


@each("name", COUNTS)
def test_what_is_no_key_is_in_no_collection(full: Memory, name: str) -> None:
    for key in (None, 2.5, True, "no such thing", 10**30, ["x"], object()):
        assert key not in getattr(full, name)


@each("name", COUNTS)
def test_a_store_that_does_not_exist_holds_nothing(memory: Memory, name: str) -> None:
    collection = getattr(memory, name)
    assert (len(collection), list(collection), 1 in collection) == (0, [], False)
    assert not memory.store.path.exists()


def test_a_memory_says_what_it_holds(full: Memory, home: Path) -> None:
    told = "15 components, 1 states, 1 turns, 1 episodes, 1 facts"
    assert repr(full) == f"<memctl.Memory harbor, {told}>"
    assert repr(memctl.open("other", home)) == "<memctl.Memory other, empty>"


def test_a_broken_store_has_a_repr_too(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("x")
        path = memory.store.path
    path.write_bytes(b"no store" * 1000)
    with memctl.open("harbor", home) as broken:
        assert repr(broken) == "<memctl.Memory harbor, ForeignStoreError>"
        assert repr(broken.turns) == "<memctl.Log of harbor: ForeignStoreError>"
        assert "ForeignStoreError" in broken.turns._repr_html_()


def test_status_doctor_and_the_stores_of_a_home(full: Memory, home: Path) -> None:
    assert full.status().rows["log"] == 1
    assert all(finding.ok for finding in full.doctor())
    assert all(finding.ok for finding in full.doctor(fix=True))
    (store,) = memctl.stores(home)
    assert (store.app, store.path) == ("harbor", str(full.store.path))
    assert store.bytes > 0


def test_the_version_is_that_of_the_distribution() -> None:
    assert memctl.__version__ == version("memctl-engine")
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = memctl.no_such_name  # type: ignore[attr-defined]


# ---- one word for one act


def test_a_component_is_forgotten_and_restored_by_a_person(memory: Memory) -> None:
    alone = numbered("Only", 15)
    state = memory.learn(*alone.given).state
    assert state is not None
    for component in memory.components:
        gone = memory.components.forget(component.id, why="redesigned")
        assert gone.forgotten_why == "redesigned"
    assert len(memory.states) == 0
    assert not memory.match(alone.image).sightings
    with pytest.raises(NotFoundError, match="is forgotten"):
        memory.components.forget("Only_a")
    for component in memory.components.list(forgotten=True):
        memory.components.restore(component.id)
    assert state.id in memory.states


def test_recalls_are_listed_shown_forgotten_and_restored(full: Memory) -> None:
    (kept,) = full.recalls
    assert (kept.question, kept.hits, kept.forgotten_at) == ("ferry", 2, None)
    hits = full.recalls.hits(kept.id)
    assert {(hit.kind, hit.text) for hit in hits} == {
        ("turn", "the ferry was late"),
        ("episode", "Ann took the ferry"),
    }
    assert full.recalls.forget(kept.id).forgotten_at is not None
    assert full.recalls.list() == []
    assert full.recalls.list(forgotten=True) == [full.recalls.get(kept.id)]
    assert full.recalls.restore(kept.id) == kept
    with pytest.raises(UsageError, match="is not forgotten"):
        full.recalls.restore(kept.id)
    with pytest.raises(NotFoundError, match='no recall "9"'):
        full.recalls.get(9)


def test_a_fact_out_of_reach_is_not_told_by_a_recall(home: Path) -> None:
    with memctl.open("harbor", home, user="ann") as ann:
        ann.facts.store("Falcon's deadline is 1 December")
        recall = ann.recall("Falcon").id
        assert ann.recalls.hits(recall or 0)[0].text == "Falcon's deadline is 1 December"
    with memctl.open("harbor", home, user="bob") as bob, pytest.raises(memctl.NotFoundError):
        bob.recalls.hits(recall or 0)


@pytest.mark.usefixtures("full")
def test_a_reader_forgets_no_recall(home: Path) -> None:
    with memctl.open("harbor", home, readonly=True) as reader:
        assert len(reader.recalls.hits(1)) == 2
        with pytest.raises(RefusedError):
            reader.recalls.forget(1)


# ---- help


def headings(told: str) -> set[str]:
    """Return the names under the heading "Parameters"."""
    listed = told.partition("Parameters\n----------\n")[2].split("\n\n")[0].splitlines()
    return {one.strip() for line in listed if line[:1] != " " for one in line.split(",")}


@each("part", ["", *COUNTS])
def test_help_tells_the_parameters_itself(memory: Memory, part: str) -> None:
    told_of = type(getattr(memory, part)) if part else memctl.Memory
    for name, method in inspect.getmembers(told_of, inspect.isfunction):
        told = inspect.getdoc(method) or ""
        taken = set(inspect.signature(method).parameters) - {"self"}
        if not name.startswith("_"):
            assert "ee `memctl." not in told, name
            same = "As `memctl.Memory." in told  # help on the memory has them
            assert same or len(taken) < 3 or headings(told) == taken, name


DOCUMENTED = ("learn", "match", "locate", "log", "remember", "recall", "feedback", "report")


@each("name", DOCUMENTED)
def test_help_tells_the_errors_itself(name: str) -> None:
    assert "Raises\n------" in (inspect.getdoc(getattr(memctl.Memory, name)) or "")
