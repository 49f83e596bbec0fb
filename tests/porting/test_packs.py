"""A pack holds an app's controls, screens, graph and skills, and nothing personal."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import FileAccessError, NotFoundError, UsageError
from memctl.porting.packs.impersonal import plain_detail
from memctl.procedural.skill_records import SkillDraft, SkillStep
from tests.each import each
from tests.porting.small_stores import HOME, MENU, SCREENS, made
from tests.visual.drawn import Widget

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

# Words that are told to every door of a store, and that no pack may hold.
PERSONAL = "Zanzibar"


@pytest.fixture
def told(tmp_path: Path) -> Memory:
    """A store that was told personal things in every way that the API has."""
    memory = made(tmp_path, "a")
    row = Widget(PERSONAL, 20, 200)
    button = {**Widget("Open", 200, 200).box(), "row": PERSONAL}
    screen = HOME.plus(row, Widget("Open", 200, 200), Widget(f"{PERSONAL} text", 20, 250))
    boxes = [one for one in screen.boxes if one["label"] not in {PERSONAL, "Open"}]
    boxes[-1]["type"] = "text"
    boxes += [{**row.box(), "row": PERSONAL}, button]
    memory.learn(screen.image, boxes, page="home", title=f"Inbox of {PERSONAL}")
    memory.facts.store(f"Ann lives in {PERSONAL}")
    memory.log(f"We meet in {PERSONAL}")
    memory.remember(f"Met Ann in {PERSONAL}", participants=["Ann"])
    memory.transitions.record("home", f"type:{PERSONAL}", "orders")
    memory.transitions.commit()
    search = memory.components.get("Search").id
    typed = SkillStep(1, "type", search, "Search", detail="{where}")
    memory.skills.add(
        SkillDraft(
            "search",
            (typed, SkillStep(2, "key", search, "Search", detail="Enter")),
            description=f"Search for {PERSONAL}",
            triggers=("look it up", f"find {PERSONAL}"),
            url=f"http://localhost/orders?q={PERSONAL}",
            facts=(f"{PERSONAL} is far",),
            parameters={"where": PERSONAL},
        )
    )
    memory.skills.add(SkillDraft("fixed", (replace(typed, detail=PERSONAL),)))
    for name in ("search", "fixed"):
        memory.skills.approve(name)
    return memory


def everything_in(path: Path) -> bytes:
    with zipfile.ZipFile(path) as packed:
        return b"\n".join(packed.read(name) for name in packed.namelist())


def test_nothing_personal_is_in_a_pack(told: Memory, tmp_path: Path) -> None:
    contents = told.packs.export_pack(tmp_path / "app.pack")
    inside = everything_in(tmp_path / "app.pack")
    assert b"Print" in inside
    assert PERSONAL.lower().encode() not in inside.lower()
    assert "Open" in contents.components
    assert contents.skills == ("search",)
    assert contents.left_out["names a row"] == 1
    assert contents.left_out["content of one screen"] == 1
    shown = told.components.get(PERSONAL)
    pictures = [
        row[0]
        for row in told.store.rows(f"select sha256 from template where component_id = {shown.id}")
    ]
    assert pictures
    assert not any(digest.encode() in inside for digest in pictures)


def test_no_e_mail_address_and_no_query_of_a_url_is_in_a_pack(tmp_path: Path) -> None:
    address = "ann.berg@example.com"
    with made(tmp_path, "a") as memory:
        screen = HOME.plus(Widget(address, 20, 200), Widget("Save", 200, 200))
        memory.learn(screen.image, screen.boxes, page=f"http://localhost/orders?of={PERSONAL}")
        memory.components.rename("Save", f"Save for {address}")
        memory.states.rename("orders", f"orders of {address}")
        contents = memory.packs.export_pack(tmp_path / "app.pack")
    inside = everything_in(tmp_path / "app.pack")

    assert contents.left_out["shows an e-mail address"] == 2
    assert b"http://localhost/orders" in inside
    assert PERSONAL.encode() not in inside
    assert address.encode() not in inside


def test_texts_of_one_screen_go_in_where_the_caller_says_so(told: Memory) -> None:
    assert f"{PERSONAL} text" in told.packs.contents(texts=True).components
    without = told.packs.contents(texts=True, without=[f"{PERSONAL} text", "Print"])
    assert {f"{PERSONAL} text", "Print"} & set(without.components) == set()
    assert without.left_out["left out by name"] == 2


@each(
    ("action", "detail", "kept"),
    [
        ("type", "{who}", True),
        ("type", "{first} {last}", True),
        ("type", "Ann", False),
        ("key", "Enter", True),
        ("key", "ctrl+s", True),
        ("key", "a", False),
        ("scroll", "0, 400", True),
        ("goto", "/orders/new", True),
        ("goto", "/orders/1234", False),
        ("goto", "/orders?who=Ann", False),
        ("lookup", '{"city": "Porto"}', False),
    ],
)
def test_of_what_acts_were_done_with_only_the_plain_goes_in(
    action: str, detail: str, kept: bool
) -> None:
    assert plain_detail(action, detail) == (detail if kept else None)


def test_the_same_store_makes_the_same_bytes(tmp_path: Path) -> None:
    with made(tmp_path, "a") as memory:
        for name in ("one", "two"):
            memory.packs.export_pack(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_skill_that_came_in_waits_for_a_person(told: Memory, tmp_path: Path) -> None:
    told.packs.export_pack(tmp_path / "app.pack")
    with made(tmp_path, "b") as other:
        other.packs.import_pack(tmp_path / "app.pack", unsigned=True)
        [skill] = other.skills.list()
        assert (skill.name, skill.status, skill.origin) == ("search", "draft", "imported")
        assert [step.words for step in skill.steps] == ["type Search {where}", "key Search Enter"]
        assert (skill.url, skill.triggers) == ("http://localhost/orders", ("look it up",))
        other.skills.reject("search", why="not here")
        again = other.packs.import_pack(tmp_path / "app.pack", unsigned=True)
        assert again.united["skill"] == 1
        assert other.skills.list() == []


def test_a_skill_of_the_same_name_with_other_steps_is_said_and_kept_apart(
    told: Memory, tmp_path: Path
) -> None:
    told.packs.export_pack(tmp_path / "app.pack")
    with made(tmp_path, "b") as other:
        other.skills.add(SkillDraft("search", (SkillStep(1, "click", target="Sort"),)))
        merged = other.packs.import_pack(tmp_path / "app.pack", unsigned=True)
        assert ("skill", "search") in [(one.kind, one.name) for one in merged.conflicts]
        assert {skill.name for skill in other.skills.list()} == {"search", "search-2"}


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path: Path) -> None:
    with made(tmp_path, "a") as memory:
        memory.packs.export_pack(tmp_path / "app.pack")
    with made(tmp_path, "b") as other:
        before = other.store.connection().serialize()
        tried = other.packs.import_pack(tmp_path / "app.pack", unsigned=True, dry_run=True)
        assert other.store.connection().serialize() == before
        done = other.packs.import_pack(tmp_path / "app.pack", unsigned=True)
        assert (tried.added, tried.united) == (done.added, done.united)
        assert (tried.written, done.written) == (False, True)


def test_a_dry_run_makes_no_store(memory: Memory, tmp_path: Path) -> None:
    with made(tmp_path, "a") as other:
        other.packs.export_pack(tmp_path / "app.pack")
    tried = memory.packs.import_pack(tmp_path / "app.pack", unsigned=True, dry_run=True)
    assert tried.added["component"] == len(set(HOME.widgets) | set(SCREENS["a"][1][1].widgets))
    assert not memory.store.exists


def test_a_label_that_looks_like_a_secret_stays_out_and_the_rest_comes(
    memory: Memory, tmp_path: Path
) -> None:
    memory.settings.set("secret_patterns", "Print")
    with made(tmp_path, "a") as other:
        other.packs.export_pack(tmp_path / "app.pack")
    merged = memory.packs.import_pack(tmp_path / "app.pack", unsigned=True)
    names = {component.name for component in memory.components}
    assert "Print" not in names
    assert {one.label for one in MENU.widgets} <= names
    assert merged.refused["components that look like a secret (own-1)"] == 1


def test_a_pack_is_not_written_over_what_is_there(tmp_path: Path) -> None:
    with made(tmp_path, "a") as memory:
        path = tmp_path / "app.pack"
        path.write_text("mine")
        with pytest.raises(UsageError, match="is there already"):
            memory.packs.export_pack(path)
        assert path.read_text() == "mine"
        with pytest.raises(UsageError, match="is the store itself"):
            memory.packs.export_pack(memory.store.path, replace=True)
        with pytest.raises(FileAccessError):
            memory.packs.export_pack(tmp_path / "none" / "app.pack")
        assert memory.packs.export_pack(path, replace=True).size == path.stat().st_size


def test_no_store_makes_no_pack(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        memory.packs.export_pack(tmp_path / "app.pack")
