"""Tables in a pipe: as Rich draws them where they fit, and nothing lost where they do not."""

from __future__ import annotations

import io
import re

from hypothesis import given
from hypothesis import strategies as st
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable

from memctl_cli.output.plain_table import Table, cell_width, draw, row_lines, table_lines, wrapped

WORDS = ["Ann", "moved", "the launch", "to 3 March", "東京", "café", "日本語で 書く", "…", "x" * 30]
CELLS = st.one_of(
    st.just(""),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=3).map("\n".join),
)
SMALL = st.sampled_from(["", "3.141", "turn:4", "東京", "two\nlines"])


@st.composite
def tables(draw: st.DrawFn, cells: st.SearchStrategy[str]) -> Table:
    columns = ("id", "what", "much\nmore", "score")[: draw(st.integers(1, 4))]
    rows = draw(st.lists(st.tuples(*(cells for _ in columns)), max_size=5))
    right = frozenset(draw(st.sets(st.sampled_from(columns))))
    return Table(columns, right, rows)


def drawn_by_rich(table: Table, width: int) -> list[str]:
    made = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in table.columns:
        made.add_column(name, justify="right" if name in table.right else "left")
    for cells in table.cells:
        made.add_row(*cells)
    out = io.StringIO()
    Console(file=out, width=width, markup=False, emoji=False, highlight=False).print(made)
    return [line.rstrip() for line in out.getvalue().splitlines()]


@given(tables(SMALL))
def test_a_table_that_fits_is_drawn_as_rich_draws_it(table: Table) -> None:
    assert table_lines(table, 80) == drawn_by_rich(table, 80)


@given(tables(CELLS), st.integers(40, 120))
def test_a_table_of_texts_is_as_wide_as_the_pipe_at_most(table: Table, width: int) -> None:
    of_texts = Table(table.columns, frozenset(), table.cells)
    assert max(cell_len(line) for line in table_lines(of_texts, width)) <= width


@given(tables(CELLS), st.integers(10, 120))
def test_folding_loses_nothing(table: Table, width: int) -> None:
    drawn = draw(table, width)
    shown = sorted("".join([*drawn.head, *drawn.body]).replace("─", ""))
    # A record says beside each cell, but the first, what it is.
    headings = table.columns if drawn.head else [f"{name}:" for name in table.columns[1:]]
    times = 1 if drawn.head else len(table.cells)
    content = sorted("".join([*list(headings) * times, *(c for row in table.cells for c in row)]))
    assert [c for c in shown if not c.isspace()] == [c for c in content if not c.isspace()]


def test_columns_without_names_have_no_line_of_headings() -> None:
    table = Table(("", ""), cells=[("who", "Mara"), ("thread", "first day")])
    assert table_lines(table, 80) == ["", " who     Mara", " thread  first day", ""]
    assert row_lines(table) == ["who     Mara", "thread  first day"]


@given(tables(CELLS))
def test_for_programs_a_row_is_one_line_that_holds_each_cell_whole(table: Table) -> None:
    head, *lines = row_lines(table)
    assert len(lines) == len(table.cells)
    for line, row in zip(lines, table.cells, strict=True):
        for cell in row:
            assert " ".join(cell.split()) in line
    assert head.split()[0] == table.columns[0]


def test_awk_parts_the_columns_of_a_row() -> None:
    cells: list[tuple[str, ...]] = [
        ("7", "a longer thread", "It was said, and more than once"),
        ("12", "b", "yes"),
    ]
    table = Table(
        ("id", "thread", "what"), frozenset({"id"}), cells=cells, whole=frozenset({"thread"})
    )
    assert [line.strip().split("  ", 1)[0] for line in row_lines(table)] == ["id", "7", "12"]
    assert re.split(" {2,}", row_lines(table)[1].strip()) == list(cells[0])


def test_a_name_that_is_longer_than_its_column_stands_on_a_line_of_its_own() -> None:
    cells: list[tuple[str, ...]] = [
        ("1", "Invoices_and_customers_in_one_place", "text"),
        ("2", "Save", "button"),
    ]
    table = Table(
        ("id", "name", "type"), frozenset({"id"}), cells=cells, whole=frozenset({"name", "type"})
    )
    assert table_lines(table, 30)[3:-1] == [
        "  1  Invoices_and_customers_in_one_place",
        "                       text",
        "  2  Save              button",
    ]


def test_what_does_not_fit_becomes_records_with_headings() -> None:
    cells: list[tuple[str, ...]] = [
        ("f_cd40888bf331", "configuration", "session:2026-11-20", "It is so, and was before")
    ]
    names = frozenset({"id", "category", "source"})
    table = Table(("id", "category", "source", "fact"), cells=cells, whole=names)
    assert table_lines(table, 40)[1:-1] == [
        "f_cd40888bf331  category: configuration",
        "  source: session:2026-11-20",
        "  fact: It is so, and was before",
    ]


def test_a_text_is_broken_between_words_and_a_long_word_where_it_must_be() -> None:
    table = Table(("a", "b"), frozenset(), cells=[("1", "one two threefourfive six")])
    assert table_lines(table, 20) == [
        "",
        " a  b",
        " " + "─" * 18,
        " 1  one two",
        "    threefourfive",
        "    six",
        "",
    ]
    assert table_lines(table, 12) == [
        "",
        "1",
        "  b: one two",
        "    threefou",
        "    rfive",
        "    six",
        "",
    ]


NAMES = st.sampled_from(["f_cd40888bf331", "endpoint_embedding_model", "2026-11-22T08:50:46Z"])


@given(
    st.lists(st.tuples(NAMES, st.sampled_from(WORDS), NAMES), min_size=1, max_size=4),
    st.integers(10, 120),
)
def test_no_word_of_a_whole_column_is_broken_however_narrow_the_line_is(
    cells: list[tuple[str, ...]], width: int
) -> None:
    table = Table(("id", "text", "when"), whole=frozenset({"id", "when"}), cells=cells)
    shown = "\n".join(table_lines(table, width))
    for name, _, time in cells:
        assert name in shown
        assert time in shown


@given(st.lists(st.sampled_from([*WORDS[:3], "2026-11-22T08:50:46Z"]), min_size=9))
def test_no_time_in_a_text_is_broken_while_there_is_room_for_it(words: list[str]) -> None:
    table = Table(("text", "what"), cells=[(" ".join(words), " ".join(reversed(words)))])
    shown = "\n".join(table_lines(table, 50))
    assert shown.count("2026-11-22T08:50:46Z") == 2 * words.count("2026-11-22T08:50:46Z")


def test_a_long_word_is_cut_behind_a_colon_where_there_is_one() -> None:
    table = Table(("source",), cells=[("session:agent:main:telegram:1234567890",)])
    assert [line.strip() for line in table_lines(table, 18)[3:-1]] == [
        "session:agent:",
        "main:telegram:",
        "1234567890",
    ]


def test_numbers_are_never_folded_whatever_the_width() -> None:
    table = Table(("n",), frozenset({"n"}), cells=[("1234567890",)])
    assert table_lines(table, 6)[1] == "1234567890"


def test_a_text_is_wrapped_between_words_and_a_long_word_stays_whole() -> None:
    link = "https://example.org/" + "path/" * 20
    told = wrapped(f"see {link} for all\nof it", 30, whole=True)
    assert told == f"see\n{link}\nfor all\nof it"


def test_a_text_without_blanks_is_wrapped_by_the_cells_that_its_letters_take() -> None:
    lines = wrapped("港口的提单" * 20, 40, hang="  ").split("\n")
    assert max(map(cell_width, lines)) <= 40
    assert all(line.startswith("  ") for line in lines[1:])
