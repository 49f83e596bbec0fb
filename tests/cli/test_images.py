"""The commands on screenshots: files, standard input, windows, and what is no picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import pytest

import memctl
from tests.cli.calling import Answer, memctl_process
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Answer]

BROKEN = {
    "empty": b"",
    "text": b"this is no picture\n",
    "cut off": None,
    "signature alone": b"\x89PNG\r\n\x1a\n",
}


@pytest.fixture
def broken(request: pytest.FixtureRequest, login: Path, tmp_path: Path) -> Path:
    content = BROKEN[request.param]
    path = tmp_path / "broken.png"
    path.write_bytes(login.read_bytes()[:3000] if content is None else content)
    return path


each_broken = pytest.mark.parametrize("broken", BROKEN, indirect=True)


@each_broken
@pytest.mark.parametrize("command", ["learn", "match"])
def test_a_broken_picture_is_unusable_input_and_changes_nothing(
    command: str, broken: Path, run: Run, known: Path
) -> None:
    before = (known / "apps" / "harbor.db").read_bytes()
    answer = run("--app", "harbor", "--json", command, broken)
    assert answer.code == 2
    assert answer.envelope["command"] == command
    assert answer.envelope["error"]["code"] == "unusable_input"
    assert "broken.png" in answer.envelope["error"]["message"]
    assert (known / "apps" / "harbor.db").read_bytes() == before


@each_broken
def test_a_broken_picture_makes_no_store(broken: Path, run: Run, home: Path) -> None:
    assert run("--app", "harbor", "learn", broken).code == 2
    assert not home.exists()


@each(
    "boxes",
    ["", "{", "7", '{"x": 1}', "[1]", '[{"x": 0}]', '[{"x":0,"y":0,"w":NaN,"h":9}]', "[" * 9999],
)
def test_broken_boxes_are_unusable_input_and_make_no_store(
    boxes: str, run: Run, login: Path, home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "boxes.json"
    path.write_text(boxes)
    answer = run("--app", "harbor", "--json", "learn", login, "--boxes", path)
    assert answer.code == 2
    assert answer.envelope["error"]["code"] == "unusable_input"
    assert not home.exists()


def test_a_picture_too_large_to_read_is_refused_unread(run: Run, login: Path) -> None:
    answer = run("--set", "max_pixels=1000", "--app", "harbor", "learn", login)
    assert answer.code == 2
    assert "at most 1,000" in answer.error


def test_what_was_learned_is_matched_located_listed_and_shown(
    run: Run, login: Path, home: Path, tmp_path: Path
) -> None:
    learned = run("--app", "harbor", "--json", "learn", login).data
    assert learned["state_created"]
    assert len(learned["learned"]) > 5
    seen = run("--app", "harbor", "--json", "match", login, "--png", tmp_path / "seen.png").data
    assert seen["state"]["id"] == learned["state"]["id"]
    assert {one["component_id"] for one in seen["sightings"]} == {
        one["component_id"] for one in learned["learned"]
    }
    assert (tmp_path / "seen.png").read_bytes().startswith(b"\x89PNG")
    name = learned["learned"][0]["name"]
    found = run("--app", "harbor", "--json", "locate", name, login).data
    assert (found["found"], found["x"], found["y"]) == (
        True,
        learned["learned"][0]["x"],
        learned["learned"][0]["y"],
    )
    sheet = tmp_path / "sheet.png"
    assert run("--app", "harbor", "components", "list", "--unlabelled", "--png", sheet).code == 0
    assert sheet.read_bytes().startswith(b"\x89PNG")
    unwritable = run("--app", "harbor", "components", "list", "--png", tmp_path / "no" / "x.png")
    assert unwritable.code in {1, 2}
    assert "x.png" in unwritable.error
    assert unwritable.error.count("\n") == 1
    with memctl.open("harbor", home, readonly=True) as memory:
        kinds = memory.store.rows("select kind from observation order by id")
    assert [row["kind"] for row in kinds] == ["learn", "match"]


def test_with_no_record_the_store_stays_as_it_is(run: Run, login: Path, home: Path) -> None:
    run("--app", "harbor", "learn", login)
    before = (home / "apps" / "harbor.db").read_bytes()
    assert run("--app", "harbor", "match", login, "--no-record").code == 0
    assert (home / "apps" / "harbor.db").read_bytes() == before


def test_a_window_beside_all_components_has_nothing_to_know_it_by(run: Run, login: Path) -> None:
    answer = run("--app", "harbor", "learn", login, "--window", "0,0,20,20")
    assert answer.code == 0
    assert "seen before" not in answer.out


def test_areas_of_a_state_are_named_added_and_removed(run: Run, login: Path) -> None:
    app = ("--app", "harbor")
    run(*app, "learn", login, "--page", "login", "--ignore", "300,10,40,40=clock")
    ignored = ("states", "ignore", "login")
    assert run(*app, *ignored).out == "ignored   300,10,40,40=clock\n"
    added = run(*app, "--json", *ignored, "0,0,200,60=the bar", "0,70,9,9")
    assert added.data == [[0, 0, 200, 60, "the bar"], [300, 10, 40, 40, "clock"], [0, 70, 9, 9]]
    removed = run(*app, *ignored, "--remove", "0,0,200,60", "--remove", "0,70,9,9")
    assert removed.out == "ignored   300,10,40,40=clock\n"
    assert "ignored   300,10,40,40=clock" in run(*app, "states", "show", "login").out
    again = run(*app, *ignored, "--remove", "0,0,200,60")
    assert (again.code, "has no ignored area 0,0,200,60" in again.error) == (4, True)
    both = run(*app, *ignored, "0,0,9,9", "--clear")
    assert (both.code, "exclude each other" in both.error) == (2, True)
    assert run(*app, *ignored, "--clear").out == "ignored   nothing\n"
    assert run(*app, "--json", "states", "show", "login").data["ignored"] == []


def test_areas_of_one_call_are_told_drawn_and_not_kept(
    run: Run, login: Path, tmp_path: Path
) -> None:
    app, area = ("--app", "harbor"), ("--ignore", "0,0,200,60=bar")
    run(*app, "learn", login, "--page", "login")
    pictures = [tmp_path / f"{name}.png" for name in ("all", "hatched")]
    whole = run(*app, "match", login, "--png", pictures[0])
    matched = run(*app, "match", login, *area, "--png", pictures[1])
    assert "ignored" not in whole.out
    assert "ignored   0,0,200,60=bar" in matched.out
    assert run(*app, "states", "ignore", "login").out == "ignored   nothing\n"
    plain, hatched = (cv2.imread(str(one)) for one in pictures)
    assert plain is not None
    assert hatched is not None
    assert 0.05 < (plain[:60, :200] != hatched[:60, :200]).any(axis=2).mean() < 0.6
    assert run("diff", login, login, *area).out == "no difference\n"
    alone = run(*app, "diff", "login", *area)
    assert (alone.code, "--ignore needs two images" in alone.error) == (2, True)


@each(
    ("area", "message"),
    [
        ("1,2,3", '--ignore "1,2,3" is not X,Y,W,H'),
        ("9000,0,5,5", "the ignored area 9000,0,5,5 lies outside"),
        ("0,0,0,5", "the ignored area 0,0,0,5 is empty"),
        ("0,0,9999,9999", "all of the screen is ignored"),
    ],
)
def test_an_area_that_cannot_be_ignored_is_an_error(
    run: Run, login: Path, home: Path, area: str, message: str
) -> None:
    answer = run("learn", login, "--ignore", area)
    assert answer.code == 2
    assert message in answer.error
    assert not list(home.rglob("*.db"))


def test_matching_before_anything_was_learned_is_not_found(
    run: Run, login: Path, home: Path
) -> None:
    answer = run("--app", "harbor", "match", login)
    assert answer.code == 4
    assert not home.exists()


def test_standard_input_is_a_picture_like_any_other(login: Path, tmp_path: Path) -> None:
    words = ("--home", tmp_path, "--app", "harbor", "--json")
    first = memctl_process(*words, "learn", "-", stdin=login.read_bytes())
    assert (first.code, first.error) == (0, "")
    again = memctl_process(*words, "match", "-", stdin=login.read_bytes())
    assert again.data["state"]["id"] == first.data["state"]["id"]


@each("stdin", [b"", b"no picture"])
def test_standard_input_without_a_picture_is_unusable(stdin: bytes, tmp_path: Path) -> None:
    answer = memctl_process("--home", tmp_path, "--json", "learn", "-", stdin=stdin)
    assert answer.code == 2
    assert answer.envelope["error"]["code"] == "unusable_input"


def test_standard_input_without_an_end_is_refused_at_the_limit(tmp_path: Path) -> None:
    answer = memctl_process(
        *("--home", tmp_path, "--json", "--set", "max_pixels=1000", "learn", "-"),
        stdin=bytes(3_000_000),
    )
    assert answer.code == 2
    assert "standard input is too large" in answer.envelope["error"]["message"]


def test_an_erased_component_is_listed_by_its_place_and_can_be_lifted(
    run: Run, login: Path
) -> None:
    run("--app", "harbor", "learn", login)
    assert run("--app", "harbor", "components", "erase", "1", "--yes").code == 0
    again = run("--app", "harbor", "learn", login)
    assert "x erased by you on 20" in again.out
    (place,) = run("--app", "harbor", "components", "erased", "--json").data
    listed = run("--app", "harbor", "components", "erased")
    assert place["erased_at"] in listed.out
    assert max(map(len, listed.out.splitlines())) <= 80
    assert run("--app", "harbor", "components", "erased", "--lift", place["id"]).code == 0
    assert run("--app", "harbor", "components", "erased").out.strip() == "no erased places"
    assert "erased" not in run("--app", "harbor", "learn", login).out
    assert run("--app", "harbor", "components", "erased", "--lift", place["id"]).code == 4
