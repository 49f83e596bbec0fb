"""One question to many stores: the right one answers, each row names it, and scopes hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UsageError
from memctl.fleet.routing_index import RoutingDraft
from memctl.reports.loading import engine
from tests.cli.calling import memctl_process
from tests.fleet.homes import a_home

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {
    "harbor": "The ferry leaves at noon",
    "kitchen": "Paella needs saffron and patience",
    "office": "Die Miete zahlt Müller am ersten",
    "archive": "会议改到星期三下午",
    "garden": "Tulips grow beside the old ferry ticket office",
}


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a home of some stores, and the folder of their index."""
    root = tmp_path_factory.mktemp("fleet")
    home = root / "home"
    for name, text in TEXTS.items():
        log(home, name, text)
    for number in range(20):
        log(home, f"filler-{number}", f"Entry {number} says nothing of interest")
    memctl.fleet.run("index", home, index=root / "index")
    return home, root / "index"


def log(home: Path, name: str, text: str, user: str | None = None) -> None:
    with memctl.open(name, home, user=user) as memory:
        memory.log(text)


def test_the_right_store_answers_and_its_rows_name_it(fleet: tuple[Path, Path]) -> None:
    recalled = memctl.fleet.recall("When does the ferry leave?", index=fleet[1])
    assert (recalled[0].store, recalled[0].row.text) == ("harbor", TEXTS["harbor"])
    assert recalled[0].where == str(fleet[0] / "apps" / "harbor.db")
    assert (recalled.stores, recalled.asked) == (25, 2)


def test_rows_of_several_stores_come_by_their_score(fleet: tuple[Path, Path]) -> None:
    recalled = memctl.fleet.recall("ferry", index=fleet[1])
    scores = [row.row.score for row in recalled]
    assert {row.store for row in recalled} == {"harbor", "garden"}
    assert scores == sorted(scores, reverse=True)


def test_most_stores_and_the_limit_hold(fleet: tuple[Path, Path]) -> None:
    recalled = memctl.fleet.recall("entry", index=fleet[1], most_stores=3, limit=2, min_worth=0.0)
    assert (recalled.asked, len(recalled)) == (3, 2)


def test_without_an_index_every_store_is_asked_and_says_the_same(fleet: tuple[Path, Path]) -> None:
    routed = memctl.fleet.recall("saffron", index=fleet[1])
    every = memctl.fleet.recall("saffron", fleet[0])
    assert every.asked == 25
    assert [row.row for row in every] == [row.row for row in routed]


@pytest.mark.parametrize(
    ("question", "store"),
    [
        ("what needs safron?", "kitchen"),
        ("Mueller", "office"),
        ("星期三", "archive"),
        ("did the tulip grow", "garden"),
        ("what left at noon", "harbor"),
    ],
)
def test_words_are_read_as_each_store_reads_them(
    fleet: tuple[Path, Path], question: str, store: str
) -> None:
    recalled = memctl.fleet.recall(question, index=fleet[1])
    assert [row.store for row in recalled] == [store]


def test_what_a_word_was_taken_for_is_told(fleet: tuple[Path, Path]) -> None:
    assert memctl.fleet.recall("safron", index=fleet[1]).corrected == {"safron": "saffron"}


def test_an_alias_of_a_store_leads_to_it(tmp_path: Path) -> None:
    log(tmp_path / "home", "trip", "New York was cold")
    with memctl.open("trip", tmp_path / "home") as memory:
        memory.aliases.add("NYC", "New York")
    memctl.fleet.run("index", tmp_path / "home", index=tmp_path)
    assert [row.store for row in memctl.fleet.recall("NYC", index=tmp_path)] == ["trip"]


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("zebra xylophone", 'none of the likeliest stores holds "zebra", "xylophone"'),
        ("", "empty"),
        ("?!", "no word"),
    ],
)
def test_a_question_without_known_words_brings_nothing_and_says_why(
    fleet: tuple[Path, Path], question: str, note: str
) -> None:
    recalled = memctl.fleet.recall(question, index=fleet[1])
    assert not recalled
    assert note in recalled.note
    assert recalled.asked == 0


def test_a_users_question_brings_no_row_of_another_and_does_not_tell_its_words(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    log(home, "a", "Ann moors the ferry", user="ann")
    log(home, "b", "Bob hides the zirconium", user="bob")
    memctl.fleet.run("index", home, index=tmp_path)
    assert memctl.fleet.recall("zirconium", index=tmp_path, user="bob")[0].store == "b"
    for index in (tmp_path, None):
        for question in ("zirconium", "zirkonium"):
            recalled = memctl.fleet.recall(question, home, index=index, user="ann")
            assert (len(recalled), recalled.corrected) == (0, {})
            assert recalled.note.endswith(f'holds "{question}"')


def test_the_places_that_are_named_are_asked_alone(fleet: tuple[Path, Path]) -> None:
    recalled = memctl.fleet.recall("ferry", fleet[0] / "apps" / "garden.db", index=fleet[1])
    assert ([row.store for row in recalled], recalled.stores) == (["garden"], 1)


def test_what_changed_came_and_went_since_the_index_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("a", "b", "c"):
        log(home, name, f"The ferry {name} leaves at noon")
    memctl.fleet.run("index", home, index=tmp_path)
    log(home, "a", "The ferry is late")
    log(home, "d", "The ferry is new")
    (home / "apps" / "c.db").unlink()
    recalled = memctl.fleet.recall("ferry", home, index=tmp_path)
    assert (recalled.changed, recalled.unindexed, recalled.gone) == (1, 1, ("c",))
    assert {row.store for row in recalled} == {"a", "b"}


def test_a_damaged_store_is_named_and_the_others_answer(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("a", "b"):
        log(home, name, "The ferry leaves at noon")
    memctl.fleet.run("index", home, index=tmp_path)
    file = home / "apps" / "a.db"
    file.write_bytes(file.read_bytes()[:9000])
    recalled = memctl.fleet.recall("ferry", index=tmp_path)
    assert [row.store for row in recalled] == ["b"]
    assert [(each.name, each.code) for each in recalled.failed] == [("a", "store_damaged")]


def test_nothing_is_recorded_in_the_stores(fleet: tuple[Path, Path]) -> None:
    memctl.fleet.recall("ferry", index=fleet[1])
    with memctl.open("harbor", fleet[0], readonly=True) as memory:
        assert len(memory.recalls) == 0


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"most_stores": 0}, {"kinds": ("song",)}, {"since": "yesteryear"}]
)
def test_a_wrong_limit_is_one_error(fleet: tuple[Path, Path], wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        memctl.fleet.recall("ferry", index=fleet[1], **wrong)  # type: ignore[arg-type]


def test_the_command_prints_each_rows_store_and_what_is_stale(tmp_path: Path) -> None:
    home = tmp_path / "home"
    log(home, "harbor", TEXTS["harbor"])
    log(home, "kitchen", TEXTS["kitchen"])
    made = memctl_process("fleet", "run", "index", home, "--index", tmp_path)
    assert (made.code, made.out) == (0, "index: 2 stores, 2 done\n")
    log(home, "kitchen", "Basil too")
    answer = memctl_process("fleet", "recall", "ferry", home, "--index", tmp_path)
    assert answer.code == 0
    assert "harbor" in answer.out
    assert "1 of 2 stores asked" in answer.out
    assert "1 of 2 stores changed since the index was made" in answer.out
    file = home / "apps" / "harbor.db"
    file.write_bytes(file.read_bytes()[:9000])
    answer = memctl_process("--json", "fleet", "recall", "ferry", "--index", tmp_path)
    about = answer.envelope["recall"]
    assert (answer.code, answer.data, about["asked"]) == (1, [], 1)
    assert [failure["name"] for failure in about["failed"]] == ["harbor"]


def test_the_command_without_an_index_says_that_one_helps(tmp_path: Path) -> None:
    log(tmp_path, "harbor", TEXTS["harbor"])
    answer = memctl_process("fleet", "recall", "ferry", tmp_path)
    assert "harbor" in answer.out
    assert "an index asks few of them: memctl fleet run index" in answer.out


def test_a_store_of_another_machine_is_not_taken_for_the_file_of_that_path_here(
    tmp_path: Path,
) -> None:
    home = a_home(tmp_path / "home", "harbor")
    with engine() as connection:
        draft = RoutingDraft(connection, str(tmp_path / "fleet"))
        draft.add("harbor", str(home / "apps" / "harbor.db"), "ship", "mark", {"ann": 1})
        draft.write()
    recalled = memctl.fleet.recall("Ann", index=tmp_path / "fleet")
    assert [outcome.name for outcome in recalled.failed] == ["harbor"]
    assert "is on the machine ship" in recalled.failed[0].text
    assert not recalled
