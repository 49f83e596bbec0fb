"""README and the page of figures have what docs/figures.toml has; git alone knows what is older."""

from __future__ import annotations

import re
from importlib.util import find_spec

from benchmarks.running import ROOT
from tests.docs.figures import PAGE, README, page, read, readme, without_marks

SOURCE = read()


def test_the_page_of_figures_is_made_of_the_file() -> None:
    assert without_marks(PAGE.read_text("utf-8")) == page(SOURCE)


def test_readme_shows_some_of_them() -> None:
    text = README.read_text("utf-8")
    assert readme(SOURCE, text) == text
    assert sum(one.get("readme", False) for one in SOURCE["figure"]) == 8


def test_a_figure_whose_rooms_have_changed_is_marked() -> None:
    first = SOURCE["figure"][0]
    marked = page(SOURCE, lambda one: one["rooms"] if one is first else ())
    assert f"; older than a change of {', '.join(first['rooms'])} |" in marked
    assert marked.count("; older than a change") == 1
    assert without_marks(marked) == page(SOURCE)


def test_each_figure_names_a_benchmark_and_rooms_that_there_are() -> None:
    for one in SOURCE["figure"]:
        [name] = re.findall(r"python -m (benchmarks\.\w+)", one["command"])
        assert find_spec(name) is not None, one["command"]
        assert all((ROOT / "engine" / "memctl" / room).is_dir() for room in one["rooms"]), one
