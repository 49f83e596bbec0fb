"""Facts in packs: a person lets them out, they arrive marked as shared, and the next pack withdraws them."""

from __future__ import annotations

import itertools
import os
import pickle
import pty
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import NotFoundError, RefusedError, UsageError
from memctl.porting.packs.app_memory import SHARED
from tests.cli.calling import memctl_process
from tests.porting.test_pack_file import changed, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.porting.packs.app_memory import MergeReport

    Team = Callable[[str], Memory]

RULE, CHOICE = "Never deploy on a Friday", "We chose Kafka for its replay"
NEW_RULE = "Never deploy on a Thursday"


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Team]:
    """Stores of people, by name; the clock goes on by a minute with each that is asked for."""
    minutes = itertools.count(10)
    opened: dict[str, Memory] = {}

    def of(name: str) -> Memory:
        monkeypatch.setenv("MEMCTL_NOW", f"2026-11-20T09:{next(minutes)}:00Z")
        if name not in opened:
            opened[name] = memctl.open("agent", tmp_path / name)
        return opened[name]

    yield of
    for memory in opened.values():
        memory.close()


def stored(memory: Memory, text: str, category: str = "rule", **given: Any) -> str:
    return memory.facts.store(text, category=category, **given).ids[0]


def packed(memory: Memory, path: Path) -> Path:
    """Share all that may leave."""
    may = [fact.id for fact in memory.packs.contents(facts=SHARED).facts]
    memory.packs.export_pack(path, facts=SHARED, approved=may, replace=True)
    return path


def taken(memory: Memory, pack: Path) -> MergeReport:
    return memory.packs.import_pack(pack, unsigned=True)


def holding(memory: Memory) -> set[str]:
    return {fact.text for fact in memory.facts}


def dumped(memory: Memory) -> list[str]:
    """All rows of facts and their history, as text."""
    return [line for line in memory.store.connection().iterdump() if '"fact' in line]


def test_what_a_person_let_out_arrives_as_shared(team: Team, tmp_path: Path) -> None:
    ann = team("ann")
    rule = stored(
        ann, RULE, about="deploy.day", metadata={"by": "Ann"}, source="turn:7", importance=0.3
    )
    choice = stored(ann, CHOICE, "decision")
    made = ann.packs.export_pack(tmp_path / "ann.pack", facts=["rule", "decision"], approved=[rule])
    assert [fact.id for fact in made.facts] == [rule]
    merged = taken(team("ben"), tmp_path / "ann.pack")
    (fact,) = team("ben").facts
    assert (merged.added["fact"], fact.text, fact.shared) == (1, RULE, "ann.pack")
    assert (fact.source, fact.metadata, fact.about) == ("shared: ann.pack", {}, None)
    assert (fact.importance, fact.confidence) == (0.9, "medium")
    assert fact.shared_as is not None
    assert fact.shared_as.endswith(rule)
    assert choice not in repr(dumped(team("ben")))
    assert [change.event for change in team("ben").facts.history(fact.id)] == ["SHARE"]
    withheld = team("ben").packs.contents(facts=["rule"]).withheld
    assert [out.why for out in withheld] == ["came in ann.pack: its own store shares it"]


def test_shared_is_said_wherever_a_fact_is_shown(team: Team, tmp_path: Path) -> None:
    from memctl_cli.mcp import answers

    stored(team("ann"), RULE)
    name = "<b>ann.pack"
    taken(team("ben"), packed(team("ann"), tmp_path / f"\u202e{name}"))
    (fact,), (row,) = team("ben").facts, team("ben").recall("deploy on which day?")
    assert (row.shared, row.prompt) == (name, f"{RULE} (shared in {name})")
    assert row.as_plain()["shared"] == name
    assert "shared in &lt;b&gt;ann.pack" in team("ben").context("deploy on which day?").text
    assert "shared in &lt;b&gt;ann.pack" in answers.line(fact)
    listed = memctl_process("--home", tmp_path / "ben", "memory", "list").out
    assert f"shared: {name}" in listed
    known = team("ben").store.rows("select text, pack, state from fact_shared")
    assert [tuple(row) for row in known] == [(RULE, name, "active")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The token is ghp_" + "a1B2" * 9, "looks like a secret: by its form a prefixed key"),
        ("Write to ann.berg@example.com first", "shows an e-mail address"),
        ("Templates are in /home/ann/templates", "names somebody's folder"),
        ("See https://wiki.example.com/x?user=7", "has a URL with a user, a query or a fragment"),
        ("Clara reviews each migration", "names a person: Clara"),
        ('A client said "we never skip the tests"', "quotes a turn"),
    ],
)
def test_what_looks_personal_or_secret_is_not_offered(
    text: str, why: str, team: Team, tmp_path: Path
) -> None:
    ann = team("ann")
    ann.log("Hm, we never skip the tests, do we?", speaker="Clara Berg")
    id_ = stored(ann, "Something harmless is true of the build")
    with ann.store.transaction():  # as a store of other rules has it
        ann.store.execute("update fact set text = :text", {"text": text})
    contents = ann.packs.contents(facts=["rule"])
    assert contents.facts == ()
    assert [(fact.id, fact.why) for fact in contents.withheld] == [(id_, why)]
    assert b"a1B2" not in pickle.dumps(contents)
    with pytest.raises(RefusedError, match="does not leave: it"):
        ann.packs.export_pack(tmp_path / "ann.pack", facts=["rule"], approved=[id_])
    assert not (tmp_path / "ann.pack").exists()


def test_what_is_no_fact_of_the_team_is_refused_by_its_reason(team: Team, tmp_path: Path) -> None:
    ann = team("ann")
    ids = {
        "is pending": stored(ann, "Deploys may need two reviews", confidence="low"),
        "is forgotten": stored(ann, "Reviews are done in pairs"),
        "is of one user": stored(ann, "Tests run before each commit", user_id="ann"),
        "is of the category preference": stored(ann, "Green tea is best", "preference"),
    }
    ann.facts.forget(ids["is forgotten"])
    for why, id_ in ids.items():
        with pytest.raises(RefusedError, match=why):
            ann.packs.export_pack(tmp_path / "ann.pack", facts=["rule"], approved=[id_])
    with pytest.raises(NotFoundError, match="no fact"):
        ann.packs.export_pack(tmp_path / "ann.pack", facts=["rule"], approved=["f_none"])
    with pytest.raises(RefusedError, match=r"preference.*do not leave: what the user likes"):
        ann.packs.contents(facts=["preference"])
    with pytest.raises(UsageError, match="no category"):
        ann.packs.contents(facts=["rules"])
    with pytest.raises(RefusedError, match="nobody has said which facts"):
        ann.packs.export_pack(tmp_path / "ann.pack", facts=["rule"])
    assert not (tmp_path / "ann.pack").exists()


def test_the_next_pack_changes_and_withdraws_and_can_be_undone(team: Team, tmp_path: Path) -> None:
    rule, choice = stored(team("ann"), RULE), stored(team("ann"), CHOICE, "decision")
    first = packed(team("ann"), tmp_path / "1.pack")
    taken(team("ben"), first)
    before = dumped(team("ben"))
    again = taken(team("ben"), first)
    assert (dumped(team("ben")), again.united["fact"]) == (before, 2)
    team("ann").facts.update(rule, NEW_RULE)
    team("ann").facts.forget(choice)
    merged = taken(team("ben"), packed(team("ann"), tmp_path / "2.pack"))
    assert holding(team("ben")) == {NEW_RULE}
    assert {*merged.withdrawn.values()} == {f"{RULE} -> {NEW_RULE}", CHOICE}
    (gone,) = team("ben").facts.list(status="forgotten")
    assert gone.status_why == "withdrawn: its store's pack of 2026-11-20 does not carry it"
    assert team("ben").facts.history(gone.id)[-1].event == "WITHDRAW"
    older = taken(team("ben"), first)
    assert older.refused["facts: a later pack of that store was taken in already"] == 2
    assert team("ben").facts.restore(gone.id).shared == ""
    taken(team("ben"), packed(team("ann"), tmp_path / "3.pack"))
    assert holding(team("ben")) == {NEW_RULE, CHOICE}


def test_a_pack_that_says_nothing_of_facts_withdraws_none_and_an_empty_one_all(
    team: Team, tmp_path: Path
) -> None:
    stored(team("ann"), RULE)
    taken(team("ben"), packed(team("ann"), tmp_path / "1.pack"))
    both = packed(team("ann"), tmp_path / "2.pack")
    team("ann").packs.export_pack(tmp_path / "none.pack", facts=["rule"], approved=[])
    taken(team("ben"), tmp_path / "none.pack")
    assert holding(team("ben")) == set()
    taken(team("ben"), both)
    assert holding(team("ben")) == set()
    taken(team("ben"), packed(team("ann"), tmp_path / "3.pack"))
    assert holding(team("ben")) == {RULE}


@pytest.mark.parametrize(
    ("act", "own"),
    [
        (
            lambda facts, id_: facts.update(id_, "Never deploy on a Monday"),
            "Never deploy on a Monday",
        ),
        (lambda facts, id_: facts.pin(id_), RULE),
        (lambda facts, _: facts.store(RULE, category="rule"), RULE),
    ],
)
def test_what_somebody_made_his_own_is_not_withdrawn(
    act: Any, own: str, team: Team, tmp_path: Path
) -> None:
    rule = stored(team("ann"), RULE)
    taken(team("ben"), packed(team("ann"), tmp_path / "1.pack"))
    (fact,) = team("ben").facts
    act(team("ben").facts, fact.id)
    taken(team("ben"), packed(team("ann"), tmp_path / "2.pack"))
    assert holding(team("ben")) == {own}
    team("ann").facts.forget(rule)
    taken(team("ben"), packed(team("ann"), tmp_path / "3.pack"))
    assert holding(team("ben")) == {own}
    assert [fact.shared for fact in team("ben").facts] == [""]


@pytest.mark.parametrize("how", ["forget", "erase", "delete"])
def test_what_was_forgotten_here_does_not_come_back(how: str, team: Team, tmp_path: Path) -> None:
    rule = stored(team("ann"), RULE)
    taken(team("ben"), packed(team("ann"), tmp_path / "1.pack"))
    ben = team("ben")
    (fact,) = ben.facts
    if how == "delete":
        with ben.store.transaction():
            ben.store.execute("delete from fact")
    else:
        getattr(ben.facts, how)(fact.id)
    merged = taken(team("ben"), packed(team("ann"), tmp_path / "2.pack"))
    assert (holding(ben), sum(merged.refused.values())) == (set(), 1)
    if how == "forget":  # its store has changed it: that is asked about, not believed
        team("ann").facts.update(rule, NEW_RULE)
        taken(team("ben"), packed(team("ann"), tmp_path / "3.pack"))
        (waits,) = ben.facts.pending()
        assert (waits.text, holding(ben)) == (NEW_RULE, set())
        assert "which was forgotten here" in waits.status_why


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_shared_fact_waits_beside_the_fact_that_it_contradicts(
    decision: str, team: Team, tmp_path: Path
) -> None:
    own = stored(team("ben"), "Deploy on a Friday", confidence="low")
    team("ben").facts.approve(own)
    rule = stored(team("ann"), RULE)
    merged = taken(team("ben"), packed(team("ann"), tmp_path / "1.pack"))
    assert [conflict.kind for conflict in merged.conflicts] == ["fact"]
    assert holding(team("ben")) == {"Deploy on a Friday"}
    (pair,) = team("ben").store.rows("select * from fact_pending")
    assert (pair["text"], pair["known_text"]) == (RULE, "Deploy on a Friday")
    getattr(team("ben").facts, decision)(pair["id"])
    team("ann").facts.forget(rule)
    for pack in ("1.pack", "2.pack"):
        taken(team("ben"), packed(team("ann"), tmp_path / pack))
    held = {"approve": RULE, "reject": "Deploy on a Friday"}[decision]
    assert (holding(team("ben")), team("ben").facts.pending()) == ({held}, [])


def test_what_waits_can_be_approved_once_the_other_is_erased(team: Team, tmp_path: Path) -> None:
    own = stored(team("ben"), "Deploy on a Friday")
    stored(team("ann"), RULE)
    taken(team("ben"), packed(team("ann"), tmp_path / "1.pack"))
    (waits,) = team("ben").facts.pending()
    team("ben").facts.erase(own)
    assert team("ben").facts.approve(waits.id).status == "active"


def test_what_two_people_share_holds_until_both_withdraw_it(team: Team, tmp_path: Path) -> None:
    ids = {name: stored(team(name), RULE) for name in ("ann", "eve")}
    for name in ids:
        taken(team("ben"), packed(team(name), tmp_path / f"{name}.pack"))
    assert [fact.text for fact in team("ben").facts] == [RULE]
    for name, left in (("ann", {RULE}), ("eve", set())):
        team(name).facts.forget(ids[name])
        taken(team("ben"), packed(team(name), tmp_path / f"{name}.pack"))
        assert holding(team("ben")) == left


@pytest.mark.parametrize("order", [*itertools.permutations((0, 1, 2))])
def test_two_machines_agree_whatever_came_first(
    order: tuple[int, ...], team: Team, tmp_path: Path
) -> None:
    rule, choice = stored(team("ann"), RULE), stored(team("ann"), CHOICE, "decision")
    packs = [packed(team("ann"), tmp_path / "0.pack")]
    team("ann").facts.update(rule, NEW_RULE)
    packs.append(packed(team("ann"), tmp_path / "1.pack"))
    team("ann").facts.forget(choice)
    stored(team("eve"), "Deploy on a Thursday")
    packs.append(packed(team("eve"), tmp_path / "2.pack"))
    stored(team("desk"), CHOICE, "decision")
    for place in order:
        taken(team("lap"), packs[place])
    taken(team("desk"), packs[order[0]])
    for _ in range(2):
        for to, of in (("lap", "desk"), ("desk", "lap")):
            copy = tmp_path / f"{of}.db"
            team(of).store.connection().execute("pragma wal_checkpoint(truncate)")
            shutil.copy(team(of).store.path, copy)
            team(to).packs.import_store(copy)
    lap, desk = (
        sorted((f.id, f.status) for f in team(it).facts.list(status="any"))
        for it in ("lap", "desk")
    )
    assert lap == desk
    assert holding(team("lap")) == {NEW_RULE, CHOICE, "Deploy on a Thursday"}
    assert {pair.newer.text for pair in team("lap").facts.undecided()} <= {
        NEW_RULE,
        "Deploy on a Thursday",
    }


def test_a_secret_in_a_pack_is_refused_by_name_and_the_rest_arrives(
    team: Team, tmp_path: Path
) -> None:
    rule, _ = stored(team("ann"), RULE), stored(team("ann"), CHOICE, "decision")
    pack = packed(team("ann"), tmp_path / "ann.pack")

    def poison(memory: Any) -> None:
        bad = next(fact for fact in memory["facts"] if fact["id"] == rule)
        bad["text"] = "The password of the build is hunter2!Xy9"

    forged = changed(tmp_path, lambda members: told(members, poison), pack.name)
    merged = taken(team("ben"), forged)
    assert [*merged.refused] == [f"fact {rule} (a password beside its name)"]
    assert holding(team("ben")) == {CHOICE}
    assert "hunter2" not in repr(dumped(team("ben")))


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("memory.json", lambda memory: memory["facts"][0].update(category="identity")),
        ("memory.json", lambda memory: memory["facts"][0].update(user_id="ann")),
        ("memory.json", lambda memory: memory["facts"].append(memory["facts"][0])),
        ("manifest.json", lambda manifest: manifest.update(shared_at="soon")),
    ],
)
def test_a_pack_that_none_could_have_made_is_refused_whole(
    member: str, change: Any, team: Team, tmp_path: Path
) -> None:
    stored(team("ann"), RULE)
    pack = packed(team("ann"), tmp_path / "ann.pack")
    with pytest.raises(memctl.UnusableInputError):
        taken(team("ben"), changed(tmp_path, lambda it: told(it, change, member), pack.name))
    with pytest.raises(RefusedError, match="not signed"):
        team("ben").packs.import_pack(pack)
    assert not team("ben").store.exists


def test_where_nobody_can_answer_facts_leave_by_their_ids_alone(team: Team, tmp_path: Path) -> None:
    rule, _ = stored(team("ann"), RULE), stored(team("ann"), "Review each migration in pairs")
    pack = tmp_path / "ann.pack"
    call = ("--home", tmp_path / "ann", "export", "pack", pack, "--facts", "rule")
    for sure in ((), ("--yes",)):
        unasked = memctl_process(*call, *sure)
        assert (unasked.code, pack.exists()) == (3, False)
        assert "--approve ID" in unasked.error
    listed = memctl_process("--json", *call, "--dry-run").data
    assert ({fact["text"] for fact in listed["facts"]}, pack.exists()) == (
        {RULE, "Review each migration in pairs"},
        False,
    )
    done = memctl_process("--json", *call, "--approve", rule)
    assert [fact["id"] for fact in done.data["facts"]] == [rule]
    unnamed = memctl_process("--home", tmp_path / "ann", "export", "pack", pack, "--approve", rule)
    assert (unnamed.code, "no category of facts is named" in unnamed.error) == (2, True)


@pytest.mark.parametrize(("typed", "left"), [("y", 2), ("s", 1), ("n", None)])
def test_a_person_is_asked_for_all_or_for_each(
    typed: str, left: int | None, team: Team, tmp_path: Path
) -> None:
    stored(team("ann"), RULE)
    stored(team("ann"), "Review each migration in pairs")
    team("ann").close()
    pack = tmp_path / "ann.pack"
    child, terminal = pty.fork()
    if not child:
        words = ["--home", str(tmp_path / "ann"), "export", "pack", str(pack), "--facts", "rule"]
        os.execv(sys.executable, [sys.executable, "-m", "memctl", *words])  # noqa: S606
    lines = {"y": "y\ny\n", "s": "s\ny\nn\ny\n", "n": "n\n"}[typed]
    os.write(terminal, lines.encode())
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 10_000)
        except OSError:
            break
    os.waitpid(child, 0)
    assert b"may 2 facts leave? y: all, n: none, s: select" in shown
    assert pack.exists() is (left is not None)
    if left is not None:
        assert taken(team("ben"), pack).added["fact"] == left
