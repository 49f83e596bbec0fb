"""gui-memory's folders are taken with their pictures, and written so that they come in again."""

from __future__ import annotations

import json
import shutil
import zlib
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

import memctl
from memctl.base.errors import UnusableInputError
from tests.each import each
from tests.porting.gui_app import (
    AT,
    HOME,
    TRAVEL,
    airline,
    component,
    drawn,
    harbor_app,
    home_screen,
    put,
    state,
    travel_screen,
    write_crop,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory
    from memctl_cli.demo.bundle import Shot

WAY = "s_a3f2c1|click:Travel_info|s_b7d4e2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The seed's own example, as gui-memory writes it."""
    return airline(tmp_path / "united_com")


def changed(folder: Path, name: str, change: Callable[[Any], object]) -> None:
    """Change a JSON file in place."""
    content = json.loads((folder / name).read_text("utf-8"))
    change(content)
    put(folder, name, content)


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_seeds_example_comes_in_whole_and_a_match_finds_it(
    memory: Memory, folder: Path
) -> None:
    imported = memory.import_from(folder)
    assert (imported.source, imported.refused) == ("gui-memory", [])
    assert imported.taken == {"component": 7, "state": 2, "transition": 1, "skill": 1, "fact": 1}
    kept = memory.components.get("Travel_info")
    assert (kept.type, kept.label, kept.page, kept.seen_count) == ("text", "Travel info", "main", 2)
    assert kept.last_seen_at == "2026-03-24T10:05:00Z"
    step = memory.transitions.path("home", "travel info").steps[0]
    assert (step.action, step.component_id) == ("click:Travel_info", kept.id)
    assert next(iter(memory.transitions)).successes == 4
    (skill,) = memory.skills
    assert (skill.name, skill.status, skill.origin) == ("open-travel-info", "draft", "imported")
    assert [step.words for step in skill.steps] == ["click Travel_info"]
    assert (skill.steps[0].from_state, skill.steps[0].to_state) == ("s_a3f2c1", "s_b7d4e2")
    assert [fact.text for fact in memory.facts.list()] == [
        "The cookie banner covers the search button until it is closed."
    ]
    seen = memory.match(home_screen())
    assert seen.state is not None
    assert (seen.state.id, seen.state.name, seen.absent) == ("s_a3f2c1", "home", [])
    found = {one.name: (one.x + one.w // 2, one.y + one.h // 2) for one in seen.sightings}
    assert found == {name: (x + w // 2, y + h // 2) for name, (x, y, w, h) in HOME.items()}


def exported(memory: Memory, folder: Path, name: str) -> Any:
    memory.export_to(folder, "gui-memory")
    (file,) = folder.rglob(name)
    return json.loads(file.read_text("utf-8"))


def test_the_count_of_learned_screens_goes_on(memory: Memory, folder: Path, tmp_path: Path) -> None:
    changed(folder, "meta.json", lambda meta: meta.update(detect_count=47))
    memory.import_from(folder)
    assert memory.status().learn_count == 47
    memory.learn(home_screen())
    assert exported(memory, tmp_path / "out", "meta.json")["detect_count"] == 48


def test_the_texts_of_an_imported_state_are_exported(
    memory: Memory, folder: Path, tmp_path: Path
) -> None:
    read = ["12:30", "My trips", "Welcome back"]
    changed(folder, "states.json", lambda all_: all_["s_a3f2c1"].update(visible_texts=read))
    memory.import_from(folder)
    states = exported(memory, tmp_path / "out", "states.json")
    assert states["s_a3f2c1"]["visible_texts"] == read
    assert states["s_b7d4e2"]["visible_texts"] == [
        "Airport maps", "Baggage", "Book", "Check-in", "My trips", "Travel info",
    ]  # fmt: skip


def test_a_state_that_only_lists_texts_is_defined_by_what_bears_them(
    memory: Memory, folder: Path
) -> None:
    seen = {
        "visible_texts": ["Baggage", "Airport maps", "Sunny"],
        "appeared": [],
        "disappeared": [],
    }
    changed(folder, "states.json", lambda all_: all_.update(after_click=seen))
    memory.import_from(folder)
    state = memory.states.get("after_click")
    assert {one.name for one in state.components} == {"Baggage", "Airport_maps"}
    assert state.texts == ["Airport maps", "Baggage", "Sunny"]


def test_importing_again_adds_nothing_and_a_later_folder_raises_counts_and_doubles_nothing(
    memory: Memory, folder: Path
) -> None:
    first = memory.import_from(folder)
    again = memory.import_from(folder)
    assert (again.written, again.known) == (0, first.met)
    changed(folder, "components.json", lambda all_: all_["Book"].update(seen_count=9))
    changed(folder, "states.json", lambda all_: all_["s_a3f2c1"].update(visit_count=8))
    changed(folder, "transitions.json", lambda all_: all_[WAY].update(count=6))
    assert memory.import_from(folder).taken == {"component": 1, "state": 1, "transition": 1}
    assert memory.components.get("Book").seen_count == 9
    assert memory.states.get("home").visit_count == 8
    assert [way.count for way in memory.transitions] == [6]
    assert (len(memory.components), len(memory.states)) == (7, 2)


def test_steps_of_old_workflows_and_meta_workflows_are_inert_text(
    memory: Memory, folder: Path
) -> None:
    steps = ["click:Book", {"action": "type", "text": "rm -rf /", "component": "Search_flights"}]
    old = {"app": "chromium", "workflow": "Search", "description": "Look for", "steps": steps}
    put(folder, "workflows/search.json", old)
    call = {"call": True, "app": "mail", "workflow": "send", "params": {"to": "Ann"}}
    put(folder, "meta_workflows/tell.json", {"name": "Tell Ann", "steps": [call]})
    memory.import_from(folder)
    search, tell = memory.skills.get("search"), memory.skills.get("tell-ann")
    assert [step.words for step in search.steps] == ["click Book", "type Search_flights rm -rf /"]
    assert search.steps[0].component_id == memory.components.get("Book").id
    assert tell.steps[0].words == 'call mail/send {"to": "Ann"}'
    assert {search.status, tell.status} == {"draft"}


def test_an_old_profile_with_a_list_of_transitions_comes_in(memory: Memory, folder: Path) -> None:
    parts = {
        name: json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name in ("meta", "components", "states")
    }
    for name in ("meta", "components", "states", "transitions", "workflows"):
        (folder / f"{name}.json").unlink()
    way = {"from": "s_a3f2c1", "click": "Travel_info", "to": "s_b7d4e2", "count": 2}
    rest = {key: parts[key] for key in ("components", "states")}
    put(folder, "profile.json", {**parts["meta"], **rest, "transitions": [way, way]})
    memory.import_from(folder / "profile.json")
    (kept,) = memory.transitions
    assert (kept.action, kept.count) == ("click:Travel_info", 4)
    assert memory.match(travel_screen()).state is not None


def test_states_named_after_clicks_keep_their_ways(memory: Memory, folder: Path) -> None:
    clicked = {"visible": [*TRAVEL], "trigger": "Travel_info", "appeared": [*TRAVEL]}
    put(folder, "states.json", {"initial": {"visible": [*HOME]}, "click:Travel_info": clicked})
    put(folder, "transitions.json", {"initial|click:Travel_info|click:Travel_info": {"count": 1}})
    memory.import_from(folder)
    path = memory.transitions.path("initial", "click:Travel_info")
    assert [step.action for step in path.steps] == ["click:Travel_info"]


def test_the_index_of_old_templates_comes_in(memory: Memory, folder: Path) -> None:
    for name in ("meta", "components", "states", "transitions", "workflows"):
        (folder / f"{name}.json").unlink()
    (folder / "components").rename(folder / "templates")
    about = {"template": "Book.png", "original_region": [196, 26, 58, 28], "match_count": 4}
    put(folder / "templates", "index.json", {"Book": about})
    memory.import_from(folder)
    assert memory.components.get("Book").seen_count == 5
    assert [one.x for one in memory.match(home_screen()).sightings] == [196]


def test_a_state_whose_id_another_screen_has_gets_one_of_its_own(
    memory: Memory, folder: Path, tmp_path: Path
) -> None:
    memory.import_from(folder)
    other = airline(tmp_path / "other")
    put(
        other,
        "states.json",
        {"s_a3f2c1": state("list", [*TRAVEL]), "s_b7d4e2": state("x", ["Book"])},
    )
    memory.import_from(other)
    assert {one.name for one in memory.states} == {"home", "travel info", "list", "x"}
    assert [one.action for one in memory.transitions.path("list", "x").steps] == [
        "click:Travel_info"
    ]
    assert memory.states.get("s_a3f2c1").name == "home"


def test_a_workflow_in_a_ring_of_screens_ends(memory: Memory, folder: Path) -> None:
    back = {"s_b7d4e2|click:Book|s_a3f2c1": {"count": 9}, "s_b7d4e2|click:My_trips|s_b7d4e2": {}}
    changed(folder, "transitions.json", lambda all_: all_.update(back))
    memory.import_from(folder)
    assert [step.words for step in next(iter(memory.skills)).steps] == ["click Travel_info"]
    assert len(memory.transitions) == 3


def test_pages_without_a_state_become_states(memory: Memory, folder: Path) -> None:
    put(folder, "states.json", {})
    page = {"components": [*TRAVEL], "learned_at": AT}
    changed(folder, "meta.json", lambda meta: meta.update(pages={"travel": page}))
    memory.import_from(folder)
    assert memory.states.get("travel").page == "travel"


def test_a_site_is_named_with_the_command_that_takes_it(memory: Memory, tmp_path: Path) -> None:
    app = airline(tmp_path / "chromium")
    shutil.move(airline(tmp_path / "site"), app / "sites" / "united_com")
    (remark,) = memory.import_from(app).remarks
    assert 'memctl --app "chromium/united.com" import gui-memory' in remark
    assert len(memory.components) == 7


def test_a_folder_of_apps_is_named_one_by_one(memory: Memory, tmp_path: Path) -> None:
    airline(tmp_path / "memory" / "apps" / "chromium")
    airline(tmp_path / "memory" / "apps" / "mail")
    with pytest.raises(UnusableInputError, match="2 apps: chromium, mail") as refused:
        memory.import_from(tmp_path / "memory")
    assert refused.value.hint is not None
    assert "memctl --app chromium import gui-memory" in refused.value.hint


def test_equal_pixels_at_one_place_are_joined_and_elsewhere_are_twins(
    memory: Memory, folder: Path
) -> None:
    def twice(all_: dict[str, Any]) -> None:
        all_["Book_again"] = {**all_["Book"], "page": "other"}
        x, y, w, h = HOME["Book"]
        all_["Book_below"] = component((x, y + 300, w, h), "Book")

    changed(folder, "components.json", twice)
    memory.import_from(folder)
    assert "Book_again" not in memory.components
    assert "Book_below" in memory.components
    assert len(memory.components) == 8


def test_what_was_erased_does_not_come_back(memory: Memory, folder: Path) -> None:
    memory.import_from(folder)
    memory.components.erase("Travel_info")
    changed(folder, "components.json", lambda all_: all_["Travel_info"].update(seen_count=5))
    (refused,) = memory.import_from(folder).refused
    assert "erased" in refused.why
    assert "Travel_info" not in memory.components


def test_a_pages_screenshot_tells_the_words_of_its_state(
    memory: Memory, harbor: dict[str, Shot], tmp_path: Path
) -> None:
    app = harbor_app(tmp_path / "app", harbor, ("invoices", "settings"))
    memory.import_from(app)
    seen = memory.match(harbor["invoices"].png)
    assert seen.state is not None
    assert seen.state.name == "invoices"
    changed_look = memory.match(harbor["invoices-hover"].png)
    assert changed_look.state is not None
    assert changed_look.state.name == "invoices"


def test_a_screenshot_that_does_not_show_a_state_says_nothing_of_it(
    memory: Memory, folder: Path
) -> None:
    (folder / "pages").mkdir()
    cv2.imwrite(str(folder / "pages" / "main.png"), travel_screen())
    memory.import_from(folder)
    query = "select id, words is not null as told from state"
    told = {row["id"]: row["told"] for row in memory.store.rows(query)}
    assert told == {"s_a3f2c1": 0, "s_b7d4e2": 1}


# -- bad input -----------------------------------------------------------------------------


BAD_PICTURES = {
    None: "no picture is named",
    "components/gone.png": "there is no file",
    "../secret.png": "outside of the folder",
    "/etc/hostname": "outside of the folder",
    "components/link.png": "outside of the folder",
    "components/\0.png": "impossible name",
    "components/" + "x" * 5000: "",
    "components": "is a folder",
    "components/text.png": "is not an image",
    "components/cut.png": "damaged or cut off",
    "components/bomb.png": "pixels",
    "components/flat.png": "flat",
    "components/tiny.png": "smaller than 8 x 8",
}


def test_a_picture_that_cannot_serve_is_named_and_the_rest_is_taken(
    memory: Memory, folder: Path
) -> None:
    pictures = folder / "components"
    whole = (pictures / "Book.png").read_bytes()
    (folder.parent / "secret.png").write_bytes(whole)
    (pictures / "link.png").symlink_to(folder.parent / "secret.png")
    (pictures / "text.png").write_text("no picture")
    (pictures / "cut.png").write_bytes(whole[:-40])
    head = bytearray(cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes())
    head[16:24] = (60_000).to_bytes(4, "big") * 2
    head[29:33] = zlib.crc32(bytes(head[12:29])).to_bytes(4, "big")
    (pictures / "bomb.png").write_bytes(bytes(head))
    for name, side in (("flat", 40), ("tiny", 4)):
        cv2.imwrite(str(pictures / f"{name}.png"), np.full((side, side, 3), 128, np.uint8))
    bad = {
        f"bad {number}": {**component((200, 100 + 60 * number, 50, 20), "Book"), "icon_file": icon}
        for number, icon in enumerate(BAD_PICTURES)
    }
    changed(folder, "components.json", lambda all_: all_.update(bad))
    imported = memory.import_from(folder)
    whys = {one.where.removeprefix("components.json: "): one.why for one in imported.refused}
    assert whys.keys() == bad.keys()
    assert all(why in whys[name] for name, why in zip(bad, BAD_PICTURES.values(), strict=True))
    assert imported.taken["component"] == 7
    assert memory.match(home_screen()).state is not None


@each("name", ["profile", "meta", "components", "states", "transitions"])
def test_a_list_where_an_object_is_due_ends_the_import_and_writes_nothing(
    tmp_path: Path, name: str
) -> None:
    folder = airline(tmp_path / "united_com")
    if name == "profile":
        (folder / "meta.json").unlink()
    put(folder, f"{name}.json", [1, 2])
    with memctl.open("harbor", tmp_path) as memory:
        with pytest.raises(UnusableInputError, match=r"list where an object is due"):
            memory.import_from(folder)
        assert not memory.store.exists


def test_a_json_that_leads_out_of_the_folder_is_not_followed(memory: Memory, folder: Path) -> None:
    outside = put(folder.parent, "other.json", {})
    (folder / "states.json").unlink()
    (folder / "states.json").symlink_to(outside)
    with pytest.raises(UnusableInputError, match="leads out of its folder"):
        memory.import_from(folder)


def test_a_json_of_a_gigabyte_is_refused_unread(memory: Memory, folder: Path) -> None:
    with (folder / "components.json").open("wb") as file:
        file.truncate(1_000_000_000)
    with pytest.raises(UnusableInputError, match="larger than 20 MB"):
        memory.import_from(folder)


def test_broken_entries_are_named_and_the_rest_is_taken(memory: Memory, folder: Path) -> None:
    changed(folder, "components.json", lambda all_: all_.update(odd=[], worse="x"))
    broken: dict[str, Any] = {"s_c0ffee": 7, "s_dddddd": state("none", ["Nowhere"])}
    changed(folder, "states.json", lambda all_: all_.update(broken))
    ways = {"nonsense": {}, "s_a3f2c1|click:Book|s_dddddd": {"count": "many"}}
    changed(folder, "transitions.json", lambda all_: all_.update(ways))
    imported = memory.import_from(folder)
    assert sorted(one.where.split(":")[0] for one in imported.refused) == [
        "components.json", "components.json", "states.json", "states.json", "transitions.json",
        "transitions.json",
    ]  # fmt: skip
    assert any("Nowhere" in remark for remark in imported.remarks)
    assert imported.taken["state"] == 2


def test_odd_names_and_values_come_in_without_harm(memory: Memory, folder: Path) -> None:
    odd = ["../../etc", "a|b", "con", "保存 💾", "x: y\nz", "9" * 70]
    screen = drawn({f"part {n}": (40, 100 + 60 * n, 90, 20) for n in range(len(odd))})
    parts = {}
    for number, name in enumerate(odd):
        place = (40, 100 + 60 * number, 90, 20)
        write_crop(folder, screen, place, f"odd{number}")
        parts[name] = component(place, f"odd{number}", label=name)
    parts["a|b"].update(seen_count=-3, confidence="high", rel_x=10**400, last_seen="yesterday")
    changed(folder, "components.json", lambda all_: all_.update(parts))
    way = {"s_a3f2c1|click:a|b|s_b7d4e2": {"count": 2}, "s_b7d4e2|click:con|s_a3f2c1": {}}
    changed(folder, "transitions.json", lambda all_: all_.update(way))
    imported = memory.import_from(folder)
    assert [one.why for one in imported.refused] == [
        r'the name "x: y\nz" has control characters',
    ]
    piped = memory.components.get("a|b")
    assert piped.seen_count == 1
    assert ("click:a|b", piped.id) in {(one.action, one.component_id) for one in memory.transitions}


def test_a_secret_is_refused_and_the_rest_is_taken(memory: Memory, folder: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    changed(folder, "components.json", lambda all_: all_["Book"].update(label=secret))
    imported = memory.import_from(folder)
    assert (imported.refusals, imported.taken["component"]) == (1, 6)
    assert secret.encode() not in memory.store.path.read_bytes()


# -- export --------------------------------------------------------------------------------


def written(memory: Memory, folder: Path) -> dict[str, bytes]:
    memory.export_to(folder, "gui-memory")
    return {name: data for name, data in files_of(folder).items() if name != "memctl-export.jsonl"}


def round_trip(memory: Memory, tmp_path: Path) -> None:
    """Export a memory, take that into an empty store, export it: byte for byte the same."""
    first = written(memory, tmp_path / "first")
    with memctl.open("harbor", tmp_path / "other-home") as other:
        assert other.import_from(tmp_path / "first").refused == []
        second = written(other, tmp_path / "second")
    assert first.keys() == second.keys()
    assert {name for name in first if first[name] != second[name]} == set()


def test_an_imported_folder_round_trips(memory: Memory, folder: Path, tmp_path: Path) -> None:
    odd = {name: component(TRAVEL["Baggage"], "Baggage", page=name) for name in ("a|b", "行李 🧳")}
    for number, one in enumerate(odd.values()):
        one["rel_y"] += 200 * (number + 1)
    changed(folder, "components.json", lambda all_: all_.update(odd))
    memory.import_from(folder)
    round_trip(memory, tmp_path)
    assert "s_a3f2c1|click:Travel_info|s_b7d4e2" in json.loads(
        (tmp_path / "first" / "transitions.json").read_text("utf-8")
    )


def test_learned_screens_round_trip(
    memory: Memory, harbor: dict[str, Shot], tmp_path: Path
) -> None:
    for name in ("login", "settings", "settings-at-1.5"):
        shot = harbor[name]
        memory.learn(shot.png, boxes=shot.boxes_file(), page=shot.page)
    one, other = [state.id for state in memory.states][:2]
    memory.transitions.record(one, "click:Sign in", other)
    memory.transitions.record(other, "key:Escape|twice", one)
    memory.transitions.commit()
    memory.transitions.record(other, "key:Escape|twice", one)
    memory.transitions.commit(failed=True)
    round_trip(memory, tmp_path)
