"""The routing index: what has changed is read again, what is gone or erased leaves no byte."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import ChangedMeanwhileError, NotFoundError, StoreDamagedError, UsageError
from memctl.fleet.routing_index import RoutingDraft, routing_index
from memctl.reports.loading import engine

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.fleet import Run

TEXTS = {"harbor": "The ferry leaves at noon", "kitchen": "Paella needs saffron"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with two stores, of one turn each."""
    for name, text in TEXTS.items():
        log(tmp_path / "home", name, text)
    return tmp_path / "home"


def log(home: Path, name: str, text: str) -> None:
    with memctl.open(name, home) as memory:
        memory.log(text)


def index(home: Path) -> Run:
    """Bring the index beside a home up to date."""
    return memctl.fleet.run("index", home, index=home.parent / "fleet")


def texts_of(run: Run) -> dict[str, str]:
    return {outcome.name: outcome.text for outcome in run.outcomes}


def words_in(home: Path) -> set[str]:
    with routing_index(str(home.parent / "fleet")) as routes:
        return set(routes.between("", "z{", shortest=1, longest=100))


def cells_in(home: Path) -> set[object]:
    """Return every cell of every file of the index beside a home."""
    files = (path for path in (home.parent / "fleet").rglob("*") if path.is_file())
    with engine() as connection:
        return {
            cell
            for file in files
            for row in connection.read_parquet(str(file)).fetchall()
            for cell in row
        }


def test_it_holds_the_stems_of_each_store_and_no_text(home: Path) -> None:
    assert texts_of(index(home)) == {"harbor": "5 words", "kitchen": "3 words"}
    assert {"ferri", "saffron"} <= words_in(home)
    assert not {*TEXTS.values()} & cells_in(home)


def test_only_what_has_changed_or_is_new_is_read_again(home: Path) -> None:
    index(home)
    log(home, "kitchen", "Basil too")
    log(home, "attic", "Old skis")
    assert texts_of(index(home)) == {
        "attic": "2 words",
        "harbor": "nothing new",
        "kitchen": "5 words",
    }
    assert {"basil", "ski", "ferri"} <= words_in(home)


def test_what_was_erased_leaves_no_word(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        turn = memory.log("The chinchilla is called Maximilian")
    index(home)
    assert "chinchilla" in cells_in(home)
    with memctl.open("harbor", home) as memory:
        memory.turns.erase([turn], why="asked for")
    index(home)
    assert "chinchilla" not in cells_in(home)
    assert {"ferri", "saffron"} <= words_in(home)


def test_a_store_whose_file_is_gone_leaves_and_one_of_another_home_stays(home: Path) -> None:
    index(home)
    other = home.parent / "other"
    log(other, "garden", "Tulips in a row")
    (home / "apps" / "harbor.db").unlink()
    run = memctl.fleet.run("index", other, index=home.parent / "fleet")
    assert texts_of(run) == {"garden": "4 words", "harbor": "left the index: its file is gone"}
    assert {"tulip", "saffron"} <= words_in(home)
    assert not {"ferri", "harbor"} & cells_in(home)


def test_what_is_erased_in_another_home_leaves_with_any_run(home: Path) -> None:
    index(home)
    log(home, "kitchen", "Basil too")
    log(home.parent / "other", "garden", "Tulips in a row")
    run = memctl.fleet.run("index", home.parent / "other", index=home.parent / "fleet")
    assert texts_of(run) == {"garden": "4 words", "kitchen": "5 words"}


def test_a_damaged_store_is_named_and_leaves_and_the_others_stay(home: Path) -> None:
    index(home)
    file = home / "apps" / "harbor.db"
    file.write_bytes(file.read_bytes()[:9000])
    run = index(home)
    assert [(outcome.name, outcome.code) for outcome in run.failed] == [("harbor", "store_damaged")]
    assert words_in(home) == {"need", "paella", "saffron"}


def test_an_index_of_another_version_is_refused_and_made_anew_with_the_reason(home: Path) -> None:
    index(home)
    folder = home.parent / "fleet" / "routing"
    (file,) = folder.iterdir()
    file.rename(folder / "words-0.parquet")
    with pytest.raises(StoreDamagedError, match="of another version"):
        memctl.fleet.recall("ferry", index=home.parent / "fleet")
    assert "of another version of memctl: it was made anew" in index(home).note
    assert [path.name for path in folder.iterdir()] == [file.name]


def test_a_broken_index_is_refused_and_made_anew_with_the_reason(home: Path) -> None:
    index(home)
    (file,) = (home.parent / "fleet" / "routing").iterdir()
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(StoreDamagedError, match="is damaged"):
        memctl.fleet.recall("ferry", index=home.parent / "fleet")
    assert "is damaged" in index(home).note
    assert memctl.fleet.recall("ferry", index=home.parent / "fleet")


def test_an_index_whose_middle_is_broken_is_refused_and_made_anew(home: Path) -> None:
    index(home)
    file = next((home.parent / "fleet").rglob("*.parquet"))
    whole = file.read_bytes()
    for place in range(4, len(whole) - 8, 211):
        file.write_bytes(whole[:place] + b"\xff" * 40 + whole[place + 40 :])
        with suppress(StoreDamagedError):
            memctl.fleet.recall("Which ferry?", index=home.parent / "fleet")
        assert index(home).counts == {"done": 2}


def test_two_runs_at_once_do_not_undo_each_other(home: Path) -> None:
    index(home)
    with engine() as connection:
        draft = RoutingDraft(connection, str(home.parent / "fleet"))
        log(home, "kitchen", "Basil too")
        index(home)
        with pytest.raises(ChangedMeanwhileError, match="somebody else"):
            draft.write()
    assert "basil" in words_in(home)


def test_an_interrupted_run_keeps_what_it_has_read(home: Path) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memctl.fleet.run("index", home, index=home.parent / "fleet", progress=stop)
    assert len(words_in(home)) > 0
    assert "nothing new" in texts_of(index(home)).values()


def test_a_folder_with_signs_of_patterns_is_a_folder(home: Path) -> None:
    where = home.parent / "fleet [1]*"
    memctl.fleet.run("index", home, index=where)
    assert memctl.fleet.recall("saffron", index=where)


def test_the_index_lies_in_a_bucket_too(home: Path, bucket: str) -> None:
    memctl.fleet.run("index", home, index=bucket)
    assert [row.store for row in memctl.fleet.recall("saffron", index=bucket)] == ["kitchen"]
    log(home, "kitchen", "Basil too")
    memctl.fleet.run("index", home, index=bucket)
    assert [row.store for row in memctl.fleet.recall("basil", index=bucket)] == ["kitchen"]


def test_what_was_removed_from_a_bucket_leaves(home: Path, bucket: str) -> None:
    with engine() as connection:
        draft = RoutingDraft(connection, bucket)
        draft.add("lost", f"{bucket}/apps/lost.db.zst", "", "mark", {"opal": 1})
        draft.write()
    run = memctl.fleet.run("index", home, index=bucket)
    assert texts_of(run)["lost"] == "left the index: its file is gone"
    assert memctl.fleet.recall("opal", index=bucket).asked == 0


def test_no_index_and_a_verb_without_one_are_errors(home: Path) -> None:
    with pytest.raises(NotFoundError, match="holds no routing index"):
        memctl.fleet.recall("ferry", index=home.parent / "fleet")
    with pytest.raises(UsageError, match="needs an index"):
        memctl.fleet.run("index", home)
    with pytest.raises(UsageError, match="needs an index"):
        memctl.fleet.run("doctor", home, index=home.parent / "fleet")
