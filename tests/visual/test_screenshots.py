"""Many screenshots: folders and patterns of them, their pages and boxes, and what is no screenshot."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import ReadOnlyError, UnusableInputError, UsageError
from memctl.visual.reading.image import encode_png
from memctl.visual.screenshot_files import LearnedFile, PageNames, ScreenshotFile, screenshots_of
from tests.each import each
from tests.visual.drawn import numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.memory import Memory
    from tests.visual.conftest import OpenMemory, Query

WRITER = """
import sys, time
source, target = sys.argv[1:]
data = open(source, "rb").read()
with open(target, "wb") as file:
    for part in (data[:2000], data[2000:-200], data[-200:]):
        file.write(part)
        file.flush()
        time.sleep(0.7)
"""


def put(path: Path, prefix: str, *, boxes: bool = False, count: int = 2) -> Path:
    """Write a screenshot of some buttons, with the boxes beside it."""
    image, given = numbered(prefix, count).given
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_png(image))
    if boxes:
        path.with_suffix(".json").write_text(json.dumps(list(given)))
    return path


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """A folder of three screenshots of two pages, and of what is none."""
    folder = tmp_path / "shots"
    put(folder / "orders-2.png", "Order", boxes=True)
    put(folder / "orders-10.png", "Order", boxes=True, count=3)
    put(folder / "below" / "Screenshot 2026-11-20 at 10.22.31.png", "Home", boxes=True)
    put(folder / ".hidden.png", "Hidden")
    (folder / "notes.txt").write_text("no screenshot")
    return folder


def brief(results: Iterator[LearnedFile], folder: Path) -> list[tuple[str, str, str | None]]:
    return [(Path(r.path).relative_to(folder).as_posix(), r.status, r.page) for r in results]


def test_a_folder_is_learned_in_order_with_pages_and_boxes(memory: Memory, shots: Path) -> None:
    results = list(memory.screenshots.learn(shots))
    assert brief(iter(results), shots) == [
        ("below/Screenshot 2026-11-20 at 10.22.31.png", "learned", None),
        ("orders-2.png", "learned", "orders"),
        ("orders-10.png", "learned", "orders"),
    ]
    assert [result.learned for result in results] == [2, 2, 1]
    assert {c.label for c in memory.components.list()} >= {"Order a", "Home a"}


def test_the_same_folder_again_is_known_and_changes_nothing(
    memory: Memory, shots: Path, query: Query
) -> None:
    list(memory.screenshots.learn(shots))
    before = query("select name, seen_count from component"), query("select * from observation")
    results = list(memory.screenshots.learn(shots))
    assert [result.status for result in results] == ["known"] * 3
    after = query("select name, seen_count from component"), query("select * from observation")
    assert before == after
    assert {r.status for r in memory.screenshots.learn(shots, again=True)} == {"learned"}


def test_a_picture_with_other_boxes_is_not_known(memory: Memory, tmp_path: Path) -> None:
    first = put(tmp_path / "page-1.png", "Page", boxes=True)
    boxes = json.loads(first.with_suffix(".json").read_text())
    second = put(tmp_path / "page-2.png", "Page")
    for path, part in ((first, boxes[:1]), (second, boxes[1:])):
        path.with_suffix(".json").write_text(json.dumps(part))
    results = [list(memory.screenshots.learn([first, second])) for _ in range(2)]
    assert [[one.status for one in run] for run in results] == [["learned"] * 2, ["known"] * 2]
    assert len(memory.components) == 2


def test_what_is_broken_is_named_and_the_rest_is_learned(memory: Memory, shots: Path) -> None:
    whole = (shots / "orders-2.png").read_bytes()
    (shots / "cut.png").write_bytes(whole[:-30])
    (shots / "empty.png").touch()
    (shots / "text.png").write_text("no picture")
    (shots / "link.png").symlink_to("link.png")
    put(shots / "odd.png", "Odd").with_suffix(".json").write_text('[{"x": 1}]')
    (shots / "loop").symlink_to(shots)
    results = list(memory.screenshots.learn(shots))
    why = {Path(r.path).name: r.why for r in results if r.status == "skipped"}
    assert {name: words for name, words in why.items() if name != "link.png"} == {
        "cut.png": f'"{shots}/cut.png" is damaged or cut off',
        "empty.png": f'"{shots}/empty.png" is empty',
        "text.png": f'"{shots}/text.png" is not an image',
        "odd.png": 'box 0 has no "y"',
    }
    assert "symbolic links" in why["link.png"]
    assert sum(result.status == "learned" for result in results) == 3


def test_a_pattern_chooses_files(memory: Memory, shots: Path) -> None:
    results = memory.screenshots.learn(str(shots / "*-2*"))
    assert brief(results, shots) == [("orders-2.png", "learned", "orders")]


@each("named", ["", "none/*.png", "notes.*", "empty"])
def test_nothing_to_learn_is_an_error(memory: Memory, shots: Path, named: str) -> None:
    (shots / "empty").mkdir(exist_ok=True)
    source = [] if not named else [shots / named]
    with pytest.raises(UnusableInputError, match="no screenshot"):
        memory.screenshots.learn(source)
    assert not memory.store.exists


@each(
    ("expression", "name", "page"),
    [
        (None, "IMG_1234.jpg", None),
        (None, "0f3e6b2c9d1a4e57.png", None),
        (None, "Bildschirmfoto 2026-11-20 um 10.22.31.png", None),
        (None, "index3.png", "index3"),
        (None, "orders (3).png", "orders"),
        (None, f"{'x' * 100}.png", "x" * 80),
        (r"(\w+)/", "orders/1.png", "orders"),
        (r"(?P<n>\d+)_(?P<page>\w+)", "12_cart.png", "cart"),
        (r"^[a-z]+", "cart-9.png", "cart"),
    ],
)
def test_a_page_is_named_by_the_file(expression: str | None, name: str, page: str | None) -> None:
    assert PageNames(None, expression)(ScreenshotFile(Path(name), name)) == page


@each(
    ("expression", "message"),
    [("(", "no regular expression"), (r"z(\d)", "fits none of the 3 files"), ("z?()", "fits none")],
)
def test_a_useless_expression_is_an_error(
    memory: Memory, shots: Path, expression: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        memory.screenshots.learn(shots, page_from=expression)


def test_a_file_that_the_expression_does_not_fit_is_skipped(memory: Memory, shots: Path) -> None:
    results = memory.screenshots.learn(shots, page_from=r"^(orders)-\d+")
    assert [result.status for result in results] == ["skipped", "learned", "learned"]


def test_a_read_only_store_ends_it(opened: OpenMemory, memory: Memory, shots: Path) -> None:
    memory.log("there is a store")
    with pytest.raises(ReadOnlyError):
        list(opened(readonly=True).screenshots.learn(shots))


def test_a_folder_of_thousands_is_listed_in_natural_order(tmp_path: Path) -> None:
    for number in range(2_000):
        (tmp_path / f"shot{number}.png").touch()
    names = [file.name for file in screenshots_of(tmp_path)]
    assert names == [f"shot{number}.png" for number in range(2_000)]


# -- watching ----------------------------------------------------------------------------


def watched(
    memory: Memory, folder: Path, *, until: int, patience: float = 0.5, existing: bool = False
) -> Iterator[LearnedFile]:
    """Yield the first results of a watch; one that does not end fails."""
    stop = threading.Event()
    timer = threading.Timer(60, stop.set)
    timer.start()
    watch = memory.screenshots.watch(folder, patience=patience, existing=existing, stop=stop)
    try:
        for _, result in zip(range(until), watch, strict=False):
            yield result
    finally:
        timer.cancel()


def test_what_arrives_is_learned_once_and_what_was_there_is_not(
    memory: Memory, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    put(folder / "old.png", "Old")
    results = watched(memory, folder, until=3)
    stage = put(tmp_path / "stage" / "moved.png", "Moved", boxes=True).parent
    half = put(tmp_path / "half.tmp", "Renamed")
    threading.Timer(1, lambda: half.rename(folder / "renamed.png")).start()
    threading.Timer(1, lambda: stage.rename(folder / "stage")).start()
    threading.Timer(2, lambda: put(folder / "more.png", "More")).start()
    got = {(Path(result.path).name, result.status) for result in results}
    assert got == {("renamed.png", "learned"), ("moved.png", "learned"), ("more.png", "learned")}


def test_a_file_that_is_being_written_is_waited_for(memory: Memory, tmp_path: Path) -> None:
    source = put(tmp_path / "source.png", "Slow", count=4)
    folder = tmp_path / "in"
    folder.mkdir()
    results = watched(memory, folder, until=1, patience=20)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(source), str(folder / "slow.png")]
    ) as writer:
        assert [result.status for result in results] == ["learned"]
    assert writer.returncode == 0


def test_a_file_that_stays_broken_is_named_and_learned_once_it_is_whole(
    memory: Memory, tmp_path: Path
) -> None:
    whole = put(tmp_path / "whole.png", "Late").read_bytes()
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "late.png").write_bytes(whole[:-20])
    statuses = []
    for result in watched(memory, folder, until=2, existing=True):
        statuses.append(result.status)
        (folder / "late.png").write_bytes(whole)
    assert statuses == ["skipped", "learned"]


@each("then", ["nothing", "another folder"])
def test_a_folder_that_goes_ends_the_watch(memory: Memory, tmp_path: Path, then: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    results = watched(memory, folder, until=1)

    def replace() -> None:
        time.sleep(0.5)
        folder.rename(tmp_path / "away")
        if then == "another folder":
            folder.mkdir()

    threading.Thread(target=replace).start()
    with pytest.raises(UnusableInputError, match="folder"):
        next(results)


@each("name", ["none", "file"])
def test_what_is_no_folder_cannot_be_watched(memory: Memory, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnusableInputError, match="no folder"):
        memory.screenshots.watch(tmp_path / name)
