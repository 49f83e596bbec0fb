"""``memctl report``: tables for people, JSON for machines, files, bad stores among good ones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.reports.answers import cell_text
from memctl.reports.questions import REPORTS
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.reports.answers import Cell, Kind
    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


def remember(home: Path, app: str) -> Path:
    with memctl.open(app, home) as memory:
        memory.log("the only thing that was ever said")
        return memory.store.path


@pytest.mark.usefixtures("known")
@each("name", [*REPORTS, "all"])
def test_tables_fit_eighty_columns(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    answer = run("--app", "harbor", "report", name)
    assert (answer.code, answer.error) == (0, "")
    assert "\x1b" not in answer.out
    # A command that was cut into lines could not be copied.
    lines = [line for line in answer.out.splitlines() if not line.startswith("  memctl ")]
    assert max(map(len, lines)) <= 80


@pytest.mark.usefixtures("known")
def test_a_table_of_a_report_shows_as_many_rows_as_asked_and_says_how_many_more(run: Run) -> None:
    out = run("--app", "harbor", "report", "health", "--limit", "2").out
    (table,) = [part for part in out.split("\n\n") if part.startswith("What the memory holds")]
    assert len(table.splitlines()) == 4  # its title, its headings, two rows
    assert "\n  17 more rows: --limit 19\n" in out
    assert "not known of any row: least id" in out
    whole = run("--app", "harbor", "report", "health", "--limit", "19").out
    assert "more rows: --limit 19" not in whole
    machine = run("--app", "harbor", "--json", "report", "health", "--limit", "2")
    sizes = [len(answer["rows"]) for answer in machine.data["answers"]]
    assert max(sizes) == 2
    assert machine.envelope["count"] == sum(sizes)
    assert machine.envelope["more"] == machine.envelope["total"] - sum(sizes) >= 17


@pytest.mark.usefixtures("known")
def test_a_narrow_terminal_gets_records_instead_of_half_a_table(
    run: Run, known: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memctl.open("harbor", known) as memory:
        memory.store.connection().execute(
            "update component set consecutive_misses = 2, name = 'Filter', page = 'all customers'"
        )
    monkeypatch.setenv("COLUMNS", "40")
    out = run("--app", "harbor", "report", "health").out
    assert "\n1  name: Filter  type: button\n  page: all customers  misses: 2\n" in out


@pytest.mark.usefixtures("known")
def test_a_finding_is_shown_with_its_command(run: Run, known: Path) -> None:
    with memctl.open("harbor", known) as memory:
        memory.store.connection().execute("update component set consecutive_misses = 4")
    out = run("--app", "harbor", "report", "health").out
    assert "! medium harbor: 1 component was not seen where expected" in " ".join(out.split())
    command = f"  memctl --home {known} --app harbor components forget --missed 3"
    assert f"\n{command} --dry-run\n{command} --yes\n" in out


@pytest.mark.usefixtures("known")
def test_an_answer_without_rows_says_so_in_words(run: Run) -> None:
    out = run("--app", "harbor", "report", "recall").out
    assert "Words that found nothing\n  every word that was asked for stands somewhere\n" in out


@pytest.mark.usefixtures("known")
def test_json_has_the_house_envelope_and_every_column_described(run: Run) -> None:
    answer = run("--app", "harbor", "report", "decay", "--json")
    assert answer.envelope["command"] == "report"
    assert answer.envelope["app"] == "harbor"
    made = answer.data
    assert made["name"] == "decay"
    survival = made["answers"][0]
    assert [column["name"] for column in survival["columns"]][:3] == ["store", "grouping", "group"]
    assert all(column["about"] for column in survival["columns"])
    assert all(len(row) == len(survival["columns"]) for row in survival["rows"])
    rows = sum(len(one["rows"]) for one in made["answers"])
    assert answer.envelope["count"] == rows


@pytest.mark.usefixtures("known")
def test_all_is_every_report_in_one_list(run: Run) -> None:
    assert [one["name"] for one in run("--app", "harbor", "report", "all", "--json").data] == [
        *REPORTS
    ]


def test_a_bad_store_among_good_ones_is_named_and_exits_5_in_the_end(run: Run, home: Path) -> None:
    for app in ("harbor", "quay"):
        remember(home, app)
    remember(home, "middle").write_text("not a store")
    answer = run("report", "growth", "--all-stores")
    assert answer.code == 5
    assert "skipped  " in answer.out
    assert answer.out.count("middle.db") == 1
    assert "2 stores" in answer.out
    machine = run("report", "growth", "--all-stores", "--json")
    assert machine.code == 5
    assert [one["code"] for one in machine.data["skipped"]] == ["store_foreign"]
    assert machine.data["stores"] == ["harbor", "quay"]


def test_a_store_that_does_not_exist_is_not_found(run: Run) -> None:
    answer = run("--app", "nowhere", "report", "--json")
    assert (answer.code, answer.envelope["error"]["code"]) == (4, "not_found")


def test_a_home_without_stores_is_reported_as_none(run: Run) -> None:
    answer = run("report", "health", "--all-stores")
    assert answer.code == 0
    assert "0 stores" in answer.out


def test_a_folder_of_files_is_reported(run: Run, tmp_path: Path) -> None:
    remember(tmp_path / "one", "harbor")
    data = run("report", "growth", "--folder", tmp_path, "--json").data
    assert data["stores"] == ["one/apps/harbor"]


@pytest.mark.usefixtures("known")
@each(
    "words",
    [
        ["weather"],
        ["health", "--since", "2026-11-02", "--until", "2026-11-01"],
        ["health", "--since", "soon"],
        ["health", "--all-stores", "--folder", "."],
    ],
)
def test_what_cannot_be_meant_is_wrong_usage(words: list[str], run: Run) -> None:
    answer = run("--app", "harbor", "report", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.error.startswith("memctl: ")


@pytest.mark.parametrize("option", ["--csv", "--parquet"])
@pytest.mark.usefixtures("known")
def test_an_output_that_exists_is_refused_before_the_work(
    option: str, run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = run("--app", "harbor", "report", "health", option, out, "--json")
    assert first.code == 0
    assert len(first.envelope["written"]) > 5
    again = run("--app", "harbor", "report", "health", option, out)
    assert (again.code, again.out) == (3, "")
    assert "add --force" in again.error
    assert run("--app", "harbor", "report", "health", option, out, "--force").code == 0


@pytest.fixture
def earlier(run: Run, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A page, or the JSON of a report, from before a component was missed."""
    path = tmp_path / "earlier"
    if request.param == "page":
        run("--app", "harbor", "report", "health", "--html", path)
    else:
        path.write_text(run("--app", "harbor", "--json", "report", "health").out)
    return path


@pytest.mark.parametrize("earlier", ["page", "json"], indirect=True)
def test_a_page_is_told_in_one_line_and_held_against_an_earlier_report(
    run: Run, known: Path, earlier: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    with memctl.open("harbor", known) as memory:
        memory.store.connection().execute("update component set consecutive_misses = 2")
    answer = run("--app", "harbor", "report", "health", "--html", page, "--against", earlier)
    first, *table = answer.out.splitlines()
    assert first.startswith(f"written  {page}  ")
    assert " kB: 1 report, 1 store, " in first
    assert first.endswith(", too few data for a score")
    (stale,) = [line for line in table if "Stale components" in line]
    assert stale.split() == ["Stale", "components", "0", "1", "+1"]
    assert max(map(len, table)) <= 80
    html = page.read_text(encoding="utf-8")
    assert '<th scope="row">Stale components</th><td class="num">0</td>' in html
    machine = run("--app", "harbor", "--json", "report", "health", "--against", earlier)
    changes = {one["name"]: one for one in machine.envelope["against"]["changes"]}
    assert (changes["stale"]["before"], changes["stale"]["now"]) == (0, 1)


NO_NUMBER = b'{"figures": {"made_at": "", "stores": [], "figures": {"facts": NaN}}}'


@pytest.mark.parametrize(
    "content", [None, b"", b"{}", b"[1]", b"<!doctype html>", b"\xff\x00", NO_NUMBER]
)
@pytest.mark.usefixtures("known")
def test_what_is_no_report_is_not_compared_with(
    content: bytes | None, run: Run, tmp_path: Path
) -> None:
    path, page = tmp_path / "old.html", tmp_path / "page.html"
    if content is not None:
        path.write_bytes(content)
    answer = run("--app", "harbor", "report", "health", "--html", page, "--against", path)
    assert (answer.code, answer.out) == (2, "")
    assert "old.html" in answer.error
    assert not page.exists()


@pytest.mark.usefixtures("known")
def test_a_pipe_is_told_to_be_saved_first(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    answer = run("--app", "harbor", "report", "health", "--against", tmp_path / "pipe")
    assert answer.code == 2
    assert "is a pipe or device, not a report (save it in a file first)" in answer.error


@pytest.mark.usefixtures("known")
def test_a_report_of_other_stores_is_compared_and_says_so(
    run: Run, home: Path, tmp_path: Path
) -> None:
    remember(home, "quay")
    path = tmp_path / "quay.html"
    run("--app", "quay", "report", "growth", "--html", path)
    out = run("--app", "harbor", "report", "health", "--against", path).out
    assert "the earlier report was about other stores: quay" in " ".join(out.split())
    assert "not in the earlier report:" in out
    assert "made of others: growth" in out
    assert "Findings" not in out


@pytest.mark.parametrize("earlier", ["page", "json"], indirect=True)
@pytest.mark.usefixtures("known")
def test_a_report_of_another_time_is_compared_and_says_so(run: Run, earlier: Path) -> None:
    words = ["--app", "harbor", "report", "health", "--against", earlier]
    assert "about all time" not in run(*words).out
    assert "the earlier report was about all time" in run(*words, "--since", "2026-01-01").out


@pytest.mark.usefixtures("known")
def test_a_setting_for_this_call_counts(run: Run, known: Path) -> None:
    with memctl.open("harbor", known) as memory:
        memory.store.connection().execute("update component set consecutive_misses = 2")
    words = ["--app", "harbor", "--set", "forget_threshold=3", "report", "decay", "--json"]
    found = {one["name"]: one for one in run(*words).data["answers"]}["next_forgotten"]
    (row,) = found["rows"]
    assert row[[column["name"] for column in found["columns"]].index("misses_left")] == 1


def test_a_hand_edited_name_cannot_command_the_terminal(run: Run, known: Path) -> None:
    with memctl.open("harbor", known) as memory:
        memory.store.connection().execute(
            "update component set consecutive_misses = 2, name = 'a' || char(27) || '[2J'"
        )
    out = run("--app", "harbor", "report", "health").out
    assert "\x1b" not in out
    assert "a\\x1b[2J" in out


@each(
    ("value", "kind", "text"),
    [
        (None, "count", "-"),
        (1234567, "count", "1,234,567"),
        (0.9731, "share", "97.3%"),
        (12.34, "days", "12.3 d"),
        (0.5, "days", "12.0 h"),
        (1 / 96, "days", "15.0 min"),
        (0.0001, "days", "9 s"),
        (0.0, "days", "0 s"),
        (1234.56, "ms", "1,235 ms"),
        (999, "bytes", "999 B"),
        (2_273_280, "bytes", "2.3 MB"),
        (5e15, "bytes", "5000.0 TB"),
        ("2026-11-20T16:33:04Z", "at", "2026-11-20 16:33"),
        ("2026-11-20", "at", "2026-11-20"),
        (0.12345, "number", "0.123"),
        (2814.2, "number", "2,814"),
        (3.214, "ms", "3.21 ms"),
    ],
)
def test_a_cell_reads_as_people_write_it(value: Cell, kind: Kind, text: str) -> None:
    assert cell_text(value, kind) == text
