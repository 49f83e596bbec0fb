"""A store that was opened for somebody, or in a project, answers with their rows alone."""

from __future__ import annotations

import pickle
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

import memctl
from memctl.base.errors import OutOfScopeError
from memctl.base.projects import project_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRETIVE = "the staging port is 5433"


def life(memory: memctl.Memory, told: str) -> None:
    """Leave a trace in every tier."""
    turn = memory.log(told, session=f"s {told[-8:]}")
    memory.remember(told, turns=[turn])
    memory.facts.store([told], category="technical")
    memory.journal.task(told)
    memory.journal.pending(told)
    memory.journal.snapshot()
    memory.cache.set("port", told)
    memory.tool_calls.add("shell", {"command": told})
    memory.recall(told)


def everything(memory: memctl.Memory) -> Iterator[Any]:
    """Yield what each part of the face answers."""
    yield memory.recall("staging port", limit=50)
    yield memory.turns.list()
    yield memory.episodes.list()
    yield memory.facts.list(status="any", show_expired=True)
    yield memory.facts.search("staging port")
    yield memory.journal.get()
    yield memory.journal.open_items()
    yield memory.journal.snapshots()
    yield memory.cache.list()
    yield memory.sessions.list()
    yield memory.tool_calls.list()
    yield [memory.recalls.hits(one.id) for one in memory.recalls.list()]
    yield memory.recalls.list()
    yield memory.context("what is the staging port?").text
    yield memory.active("what is the staging port?").text
    yield memory.dream.candidates()
    yield memory.dream.status()
    yield memory.dream.runs()
    yield memory.extract()


OWNERS = some.fixed_dictionaries(
    {
        "user": some.sampled_from([None, "ann", "o'hara"]),
        "agent": some.sampled_from([None, "", "scout"]),
        "project": some.sampled_from([None, "", "code/api"]),
    }
)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(theirs=OWNERS, ours=OWNERS)
def test_nothing_of_a_scope_that_was_not_opened_is_returned(
    tmp_path_factory: pytest.TempPathFactory, theirs: dict[str, Any], ours: dict[str, Any]
) -> None:
    home = tmp_path_factory.mktemp("home")
    written = {name: value or "" for name, value in theirs.items()}
    within = all(
        asked is None or written[name] in ({"", asked} if name == "project" else {asked})
        for name, asked in ours.items()
    )
    with memctl.open("agent", home, **theirs) as memory:
        life(memory, SECRETIVE)
        memory.dream.run(apply=True)
    with memctl.open("agent", home, **ours) as memory:
        seen = [SECRETIVE.encode() in pickle.dumps(answer) for answer in everything(memory)]
    assert any(seen) is within


def test_a_row_of_another_user_cannot_be_archived_or_read_by_its_number(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, user="ann") as memory:
        turn = memory.log(SECRETIVE)
    with memctl.open("agent", tmp_path, user="bob") as memory:
        with pytest.raises(memctl.NotFoundError):
            memory.turns.get(turn)
        with pytest.raises(memctl.NotFoundError):
            memory.turns.archive([turn])
    with memctl.open("agent", tmp_path) as memory:
        assert memory.turns.get(turn).archived_at is None


def test_another_users_session_is_refused_and_the_unnamed_one_is_ones_own(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, user="ann", session="s1") as memory:
        memory.journal.task("ship it")
    with (
        memctl.open("agent", tmp_path, user="bob", session="s1") as memory,
        pytest.raises(OutOfScopeError, match="another user's"),
    ):
        memory.journal.task("take it over")
    for user in ("ann", "bob"):
        with memctl.open("agent", tmp_path, user=user) as memory:
            memory.journal.task(f"{user}'s own")
    with memctl.open("agent", tmp_path, user="ann") as memory:
        task = memory.journal.get().task
        assert task is not None
        assert task.text == "ann's own"


def test_a_thread_that_a_dream_could_not_read_is_named_to_its_owner_alone(tmp_path: Path) -> None:
    unread = "insert into dream_failure values ('anns own', 1, '', '2027')"
    with memctl.open("agent", tmp_path, user="ann") as memory:
        memory.log(SECRETIVE, session="anns own")
        with memory.store.transaction():
            memory.store.execute(unread)
    for user in ("ann", "bob"):
        with memctl.open("agent", tmp_path, user=user) as memory:
            assert (b"anns own" in pickle.dumps(memory.dream.status())) is (user == "ann")


def test_what_is_about_the_user_holds_in_every_project(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, project="code/api") as memory:
        memory.facts.store(["Ann likes short commit messages"], category="preference")
        memory.facts.store(["The port of the api is 5433"], category="configuration")
    with memctl.open("agent", tmp_path, project="code/site") as memory:
        assert [fact.text for fact in memory.facts.list()] == ["Ann likes short commit messages"]


def test_two_people_who_say_the_same_have_a_candidate_and_a_fact_each(tmp_path: Path) -> None:
    for user in ("ann", "bob"):
        with memctl.open("agent", tmp_path, user=user) as memory:
            for day in ("2026-03-02", "2026-03-03", "2026-03-04"):
                memory.log(f"{user} here, on {day}", logged_at=day)
                memory.log("Remember that the gate code is at the desk", logged_at=day)
    with memctl.open("agent", tmp_path) as memory:
        memory.dream.run(apply=True)
        found = memory.dream.candidates()
        assert sum("gate code" in one.text for one in found) == 2


# -- which project ---------------------------------------------------------------------------


def git(folder: Path, *words: str) -> None:
    if shutil.which("git") is None:
        pytest.skip("no git here")
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "code" / "api"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def test_a_folder_in_a_repository_belongs_to_it(repository: Path) -> None:
    assert project_of(repository / "src") == "code/api"


def test_a_worktree_belongs_to_its_repository(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    assert project_of(tmp_path / "elsewhere") == "code/api"


def test_a_submodule_is_a_project_of_its_own(repository: Path, tmp_path: Path) -> None:
    outer = tmp_path / "code" / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository), "lib")
    assert project_of(outer / "lib") == "outer/lib"
    git(tmp_path, "init", "-q", "--bare", "api.git")
    assert project_of(tmp_path / "api.git").endswith("/api")
    assert project_of(tmp_path / "home" / "ann") == "home/ann"


def test_a_session_stays_in_its_project_wherever_the_agent_goes(
    repository: Path, tmp_path: Path
) -> None:
    for folder in (repository, tmp_path):
        with memctl.open("agent", tmp_path / "h", session="s", project=folder) as memory:
            memory.journal.task("build")
            turn = memory.log("now the tests", session="s")
            assert memory.turns.get(turn).project == "code/api"


def test_one_memory_for_all_projects_is_a_setting(repository: Path, tmp_path: Path) -> None:
    with memctl.open(
        "agent", tmp_path / "h", settings={"project": "none"}, project=repository
    ) as m:
        assert m.turns.get(m.log("hello there")).project == ""


def test_a_folder_narrows_what_was_opened_for_somebody(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path / "h", user="ann", project=tmp_path) as memory:
        assert memory.turns.get(memory.log("hello there")).user_id == "ann"
    with memctl.open("agent", tmp_path / "h", user="bob", project=tmp_path) as memory:
        assert not memory.turns


# -- what is done to the whole file ------------------------------------------------------------


@pytest.fixture
def scoped(tmp_path: Path) -> Iterator[memctl.Memory]:
    with memctl.open("agent", tmp_path, user="ann") as memory:
        yield memory


def test_an_erasure_counts_what_quotes_it_though_it_is_somebody_elses(
    scoped: memctl.Memory, tmp_path: Path
) -> None:
    turn = scoped.log(SECRETIVE)
    with memctl.open("agent", tmp_path, user="bob") as bob:
        bob.cache.set("told", SECRETIVE)
    receipt = scoped.erase(f"turn:{turn}", confirm=True)
    assert receipt.proof is not None
    assert receipt.proof.proven
    assert receipt.others == 1


def test_a_scoped_store_is_scoped_again_after_an_erasure_and_a_vacuum(
    scoped: memctl.Memory, tmp_path: Path
) -> None:
    with memctl.open("agent", tmp_path, user="bob") as bob:
        bob.log(SECRETIVE)
    turn = scoped.log("hello there")
    scoped.vacuum()
    scoped.turns.erase([turn])
    assert not scoped.turns


def test_an_erasure_that_is_only_tried_leaves_the_scope(scoped: memctl.Memory) -> None:
    turn = scoped.log("hello there")
    assert scoped.erase(f"turn:{turn}", dry_run=True).items
    assert [one.id for one in scoped.turns.list()] == [turn]


def test_a_run_of_a_scoped_dream_is_rolled_back(scoped: memctl.Memory) -> None:
    scoped.log("Remember that we always deploy to Lisbon on Fridays")
    run = scoped.dream.run(apply=True).run
    assert scoped.dream.candidates()
    assert run is not None
    scoped.dream.rollback(run)
    assert not scoped.dream.candidates()
    assert scoped.turns.list()[0].processed_at is None
