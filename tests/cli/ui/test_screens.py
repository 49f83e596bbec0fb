"""Screens, components, skills and reports on the pages: seen with their pictures, renamed, decided."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl_cli.demo import bundle
from tests.cli.ui.site import browsing, forms_of, send

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

    from memctl.visual.graph.components import Component


HTML = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    harbor = {shot.name: shot for shot in bundle.shots()}
    home = tmp_path_factory.mktemp("learned")
    with memctl.open("harbor", home) as memory:
        for name in ("login", "settings"):
            memory.learn(harbor[name].png, boxes=harbor[name].boxes_file(), page=name)
        (button,) = memory.components.called("Sign_in")
        steps = (SkillStep(1, "click", button.id, button.name),)
        memory.skills.add(SkillDraft("sign-in", steps, description=HTML))
        memory.store.connection().execute(
            "insert into skill_run (skill_id, status, step, started_at)"
            " select id, 'done', 1, '2026-11-01T00:00:00Z' from skill"
        )
    return home


@pytest.fixture
def home(learned: Path, tmp_path: Path) -> Path:
    with memctl.open("harbor", learned) as memory:
        (tmp_path / "apps").mkdir()
        memory.backup(tmp_path / "apps" / "harbor.db")
    return tmp_path


@pytest.fixture
def client(home: Path) -> TestClient:
    return browsing(home)


def sign_in(home: Path) -> Component:
    with memctl.open("harbor", home) as memory:
        return memory.components.get(memory.skills.get("sign-in").steps[0].component_id or 0)


def test_a_screen_is_drawn_with_its_components(client: TestClient) -> None:
    page = client.get("/harbor/screens")
    paths = re.findall(r'href="(/harbor/screens/s_\w+)"', page.text)
    assert page.text.count("data:image/webp") == 2
    for path in paths:
        screen = client.get(path).text
        assert "data:image/webp" in screen
        assert screen.count('class="place"') == screen.count("/harbor/components/")


def test_ignored_areas_are_named_below_the_picture(client: TestClient, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        state = memory.states.get("login")
        memory.states.ignore(state.id, [(10, 20, 300, 40, "clock")])
    page = client.get(f"/harbor/screens/{state.id}").text
    assert "does not count: <code>10,20,300,40</code> (clock)" in page


def test_a_screen_is_renamed(client: TestClient, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        state = memory.states.get("login")
    page = client.get(f"/harbor/screens/{state.id}")
    done = send(client, page, f"/harbor/screens/{state.id}/rename", name="Door")
    assert "Renamed: Door" in done.text
    with memctl.open("harbor", home) as memory:
        assert memory.states.get("Door").id == state.id


def test_components_are_found_by_a_part_of_their_name(client: TestClient) -> None:
    page = client.get("/harbor/components", params={"q": "SIGN IN"})
    assert "Sign_in" in page.text
    assert "Currency" not in page.text


def test_a_component_is_renamed_and_undone(client: TestClient, home: Path) -> None:
    path = f"/harbor/components/{sign_in(home).id}"
    done = send(client, client.get(path), f"{path}/rename", name="Enter")
    assert "Renamed: Sign_in is now Enter" in done.text
    undone = client.post(f"{path}/rename", data=forms_of(done)[f"{path}/rename"])
    assert undone.status_code == 200


def test_a_name_that_is_taken_is_refused_with_what_was_typed(
    client: TestClient, home: Path
) -> None:
    path = f"/harbor/components/{sign_in(home).id}"
    with memctl.open("harbor", home) as memory:
        taken = next(c.name for c in memory.components if c.name != "Sign_in")
    refused = send(client, client.get(path), f"{path}/rename", name=taken)
    assert refused.status_code == 400
    assert f'value="{taken}"' in refused.text
    assert sign_in(home).name == "Sign_in"


def test_a_forgotten_component_comes_back(client: TestClient, home: Path) -> None:
    path = f"/harbor/components/{sign_in(home).id}"
    done = send(client, client.get(path), f"{path}/forget")
    assert "Sign_in" in client.get("/harbor/components?forgotten=1").text
    send(client, done, f"{path}/restore")
    assert sign_in(home).forgotten_at is None


def test_a_second_window_does_not_forget_what_was_pinned_meanwhile(
    client: TestClient, home: Path
) -> None:
    path = f"/harbor/components/{sign_in(home).id}"
    first, second = client.get(path), client.get(path)
    send(client, first, f"{path}/pin")
    assert send(client, second, f"{path}/forget").status_code == 409
    assert sign_in(home).forgotten_at is None


def test_a_skill_is_approved_and_its_steps_are_seen(client: TestClient, home: Path) -> None:
    assert "1 skill</a> to be approved" in client.get("/harbor/").text
    with memctl.open("harbor", home) as memory:
        skill = memory.skills.get("sign-in")
    page = client.get(f"/harbor/skills/{skill.id}")
    assert "data:image/webp" in page.text
    assert "click Sign_in" in page.text
    assert HTML not in page.text
    send(client, page, f"/harbor/skills/{skill.id}/approve")
    with memctl.open("harbor", home) as memory:
        assert memory.skills.get("sign-in").status == "active"


def test_a_run_is_told_to_be_wrong(client: TestClient, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        path = f"/harbor/skills/{memory.skills.get('sign-in').id}/runs/1"
    send(client, client.get(path), f"{path}/wrong")
    with memctl.open("harbor", home) as memory:
        assert memory.skills.runs("sign-in")[0].feedback == "wrong"


def test_a_run_of_another_skill_is_not_judged(client: TestClient, home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        other = memory.skills.add(SkillDraft("leave", (SkillStep(1, "key", detail="Escape"),)))
        path = f"/harbor/skills/{memory.skills.get('sign-in').id}/runs/1"
    fields = forms_of(client.get(path))[f"{path}/wrong"]
    assert client.post(f"/harbor/skills/{other.id}/runs/1/wrong", data=fields).status_code == 404
    with memctl.open("harbor", home) as memory:
        assert memory.skills.runs("sign-in")[0].feedback is None


def test_the_whole_report_runs_no_script_but_its_own(client: TestClient) -> None:
    assert "What the memory holds" in client.get("/harbor/report").text
    whole = client.get("/harbor/report/whole")
    rules = whole.headers["content-security-policy"]
    assert "script-src 'sha256-" in rules
    assert "frame-ancestors 'none'" in rules


@pytest.mark.parametrize("path", ["screens/s_none", "components/0", "components/x", "skills/none"])
def test_what_is_not_there_is_said_so(client: TestClient, path: str) -> None:
    assert client.get(f"/harbor/{path}").status_code == 404


def test_pages_of_a_store_without_screens_say_what_fills_them(tmp_path: Path) -> None:
    with memctl.open(home=tmp_path) as memory:
        memory.log("Hello")
    client = browsing(tmp_path, readonly=True)
    pages = [client.get(f"/agent/{name}") for name in ("screens", "components", "skills", "report")]
    assert [page.status_code for page in pages] == [200] * 4
    assert "memctl learn" in pages[0].text
