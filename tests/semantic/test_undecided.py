"""Both of two near facts hold, the newer first, until the caller decides: replaces, keep_both, approve."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import memctl
from memctl.base.errors import (
    ImmutableFactError,
    NotFoundError,
    RefusedError,
    UnusableInputError,
    UsageError,
)
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.memory import Memory
    from memctl.semantic.records import Stored


MUNICH = "User rents a flat in Munich near the river."
BERLIN = "User rents a flat in Berlin close to work."
DATA = Path(__file__).parents[1] / "data" / "week_of_facts.txt"


class Statement(NamedTuple):
    """A statement of the week, and the number of the one that it changes."""

    number: str
    changes: str | None
    text: str


def week() -> list[Statement]:
    lines = (one for one in DATA.read_text("utf-8").splitlines() if not one.startswith("#"))
    parts = ([part.strip() for part in line.split("|")] for line in lines)
    return [Statement(number, None if old == "-" else old, text) for number, old, text in parts]


@pytest.fixture
def m(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as memory:
        yield memory


def only(stored: Stored) -> str:
    (one,) = stored.ids
    return one


@pytest.fixture
def two(m: Memory) -> tuple[str, str]:
    """The ids of an older and a newer fact, between which nobody has decided."""
    return only(m.facts.store(text=MUNICH)), only(m.facts.store(text=BERLIN))


def test_a_week_of_facts_is_right_once_the_caller_has_decided(m: Memory) -> None:
    """Changes that memctl names are decided by the caller, who knows which they are."""
    ids: dict[str, str] = {}
    named = changes = 0
    replaced: set[str] = set()
    for one in week():
        (written,) = m.facts.store(text=one.text).written
        assert written.id is not None
        ids[one.number] = written.id
        if one.changes is None:
            assert written.event == "ADD", one.text
            continue
        changes += 1
        old = ids[one.changes]
        replaced.add(old)
        named += old in {written.other, *(near.id for near in written.related)}
        if written.event == "ADD":
            m.facts.store(text=one.text, replaces=old)
    assert (changes, named >= 0.9 * changes) == (25, True)
    held = {fact.id for fact in m.facts.list()}
    assert held == set(ids.values()) - replaced
    assert len(m.facts.undecided()) <= 0.1 * changes


def test_what_is_stored_names_the_nearest_facts_that_hold(m: Memory) -> None:
    old = only(m.facts.store(text=MUNICH))
    m.facts.store(text="Kestrel's invoices are printed in Dutch.")
    (written,) = m.facts.store(text=BERLIN).written
    (near,) = written.related
    assert (near.id, near.text, near.may_replace) == (old, MUNICH, True)
    assert 0.2 <= near.likeness <= 1
    (written,) = m.facts.store(text="User rents a flat in Bern by the lake.", related=0).written
    assert written.related == ()


def test_any_number_of_pairs_is_listed(m: Memory, two: tuple[str, str]) -> None:
    old, _ = two
    columns = [row["name"] for row in m.store.rows("select name from pragma_table_info('fact')")]
    same = ", ".join(name for name in columns if name not in {"number", "id"})
    m.store.connection().executescript(
        f"""
        with recursive counting (n) as (select 1 union all select n + 1 from counting where n < 600)
        insert into fact (id, {same})
        select 'f_' || n, {same} from counting cross join fact where fact.may_replace = '{old}'
        """
    )
    assert len(m.facts.undecided()) == 601


def test_approving_the_newer_replaces_the_older(m: Memory, two: tuple[str, str]) -> None:
    old, new = two
    m.facts.approve(new)
    ended = m.facts.get(old)
    assert (ended.status, ended.superseded_by) == ("superseded", new)
    assert m.facts.undecided() == []


def test_rejecting_the_newer_lets_both_hold(m: Memory, two: tuple[str, str]) -> None:
    old, new = two
    m.facts.reject(new)
    assert {m.facts.get(old).status, m.facts.get(new).status} == {"active"}
    assert m.facts.undecided() == []
    assert m.facts.history(new)[-1].why == f"holds beside {old}"


def test_a_caller_says_what_a_text_replaces(m: Memory) -> None:
    old = only(m.facts.store(text="User's manager is Carla."))
    (written,) = m.facts.store(text="User reports to Tomas.", replaces=old).written
    assert (written.event, written.other) == ("SUPERSEDE", old)
    assert m.facts.get(old).superseded_by == written.id


def test_a_text_that_is_known_replaces_too(m: Memory, two: tuple[str, str]) -> None:
    old, new = two
    (written,) = m.facts.store(text=BERLIN, replaces=old).written
    assert (written.event, written.id) == ("SUPERSEDE", new)
    assert m.facts.get(old).status == "superseded"
    assert m.facts.undecided() == []


def test_a_caller_keeps_both(m: Memory) -> None:
    m.facts.store(text="Falcon's deadline is 1 December.")
    (written,) = m.facts.store(text="Falcon's deadline is 8 December.", keep_both=True).written
    assert written.event == "ADD"
    assert len(m.facts.lookup("Falcon", "deadline")) == 2
    assert m.facts.undecided() == []


@pytest.mark.parametrize("kept", ["immutable", "surer"])
def test_what_replaces_something_immutable_or_surer_waits_until_it_is_approved(
    m: Memory, kept: str
) -> None:
    category, confidence = ("identity", "medium") if kept == "immutable" else (None, "low")
    old = only(m.facts.store(text="User was born in Oslo.", category=category))
    (written,) = m.facts.store(
        text="User comes from Bergen.", replaces=old, confidence=confidence
    ).written
    assert (written.event, m.facts.get(old).status) == ("PENDING", "active")
    m.facts.approve(str(written.id))
    assert m.facts.get(old).superseded_by == written.id


def test_a_session_overrides_what_is_long_term_and_does_not_end_it(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path, session="s1") as m:
        old = only(m.facts.store(text="User's manager is Carla."))
        stored = m.facts.store(text="User reports to Tomas.", replaces=old, long_term=False)
        assert stored.written[0].other == old
        assert m.facts.get(old).status == "active"


def test_a_choice_that_cannot_be_meant_is_refused(m: Memory) -> None:
    old = only(m.facts.store(text=MUNICH))
    with pytest.raises(UsageError, match="replace one"):
        m.facts.store(["User likes tea in the morning.", BERLIN], replaces=old)
    with pytest.raises(UsageError, match="exclude"):
        m.facts.store(text=BERLIN, replaces=old, keep_both=True)
    with pytest.raises(NotFoundError):
        m.facts.store(text=BERLIN, replaces="f_nothing")
    m.facts.forget(old)
    with pytest.raises(RefusedError, match="forgotten"):
        m.facts.store(text=BERLIN, replaces=old)
    assert len(m.facts.list()) == 0


@each(
    ("attribute", "value"),
    [
        ("e-mail address", "lena at meridian"),
        ("port", "99999"),
        ("deadline", "2027-02-30"),
        ("birthday", "31 April"),
        ("website", "not a site"),
        ("IP address", "10.0.0.300"),
    ],
)
def test_a_value_that_cannot_be_is_refused(m: Memory, attribute: str, value: str) -> None:
    with pytest.raises(UnusableInputError, match=value):
        m.facts.store([{"subject": "Kestrel", "attribute": attribute, "value": value}])
    assert not m.facts.list(status="any")


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("e-mail address", "lena.hartwig@meridian.example"),
        ("port", "8443"),
        ("port", "the one of staging"),
        ("birthday", "29 February"),
        ("deadline", "next Friday"),
        ("website", "https://kestrel.example:8443/a?b=c"),
        ("IP address", "10.0.0.0/8"),
        ("version", "13.13.2020"),
    ],
)
def test_a_value_that_may_be_is_kept(m: Memory, attribute: str, value: str) -> None:
    stored = m.facts.store([{"subject": "Kestrel", "attribute": attribute, "value": value}])
    assert stored.written[0].event == "ADD"


def test_facts_of_another_user_are_neither_named_nor_replaced(m: Memory) -> None:
    bobs = only(m.facts.store(text=MUNICH, user_id="bob"))
    (written,) = m.facts.store(text=BERLIN).written
    assert written.related == ()
    with pytest.raises(RefusedError, match="another user"):
        m.facts.store(text="User sleeps in a tent by the lake.", replaces=bobs)
    assert m.facts.get(bobs).status == "active"


def test_a_text_that_is_to_replace_itself_is_known_already(m: Memory) -> None:
    old = only(m.facts.store(text=MUNICH))
    assert m.facts.store(text=MUNICH, replaces=old).written[0].event == "SKIP"
    assert m.facts.get(old).status == "active"


@pytest.mark.parametrize("act", ["erase", "update"])
def test_a_pair_is_no_pair_once_one_of_it_is_erased_or_changed(
    m: Memory, two: tuple[str, str], act: str
) -> None:
    old, new = two
    if act == "erase":
        m.facts.erase(old)
    else:
        m.facts.update(new, "User owns a bicycle of green steel.")
    assert (m.facts.undecided(), m.facts.get(new).may_replace) == ([], None)
    with pytest.raises(RefusedError, match="does not wait"):
        m.facts.approve(new)


def test_a_forgotten_older_one_is_not_decided_of(m: Memory, two: tuple[str, str]) -> None:
    old, new = two
    m.facts.forget(old)
    with pytest.raises(RefusedError, match="does not wait"):
        m.facts.reject(new)
    m.facts.restore(old)
    assert len(m.facts.undecided()) == 1


def test_a_pinned_older_one_is_not_replaced(m: Memory, two: tuple[str, str]) -> None:
    old, new = two
    m.facts.pin(old)
    with pytest.raises(ImmutableFactError, match="pinned"):
        m.facts.approve(new)
    assert m.facts.get(old).status == "active"


def test_a_pair_whose_newer_fact_is_to_come_is_decided_for_the_day_on_which_it_comes(
    m: Memory,
) -> None:
    older = only(m.facts.store("The meeting room is Amber on Tuesdays"))
    newer = only(m.facts.store("The meeting room is Birch on Tuesdays", valid_from="2099-01-01"))
    m.facts.approve(newer)
    assert [fact.id for fact in m.facts.list()] == [older]
    assert m.facts.get(older).valid_to == "2099-01-01T00:00:00Z"


def test_what_only_a_session_says_is_no_newer_statement_of_what_is_long_term(
    m: Memory, tmp_path: Path
) -> None:
    m.facts.store("The office printer stands by the window")
    with memctl.open("agent", tmp_path, session="s1") as session:
        stored = session.facts.store("The office printer stands by the stairs", long_term=False)
    assert [near.may_replace for near in stored.written[0].related] == [False]
    assert not m.facts.undecided()


def test_what_waits_to_replace_a_pinned_fact_waits_once_and_for_a_person(m: Memory) -> None:
    pinned = only(m.facts.store("The vault is in Oslo"))
    m.facts.pin(pinned)
    events = [
        m.facts.store("The vault is in Bergen", replaces=pinned).written[0].event for _ in range(2)
    ]
    assert events == ["PENDING", "SKIP"]
    m.facts.store("The vault is in Bergen")
    (waiting,) = m.facts.pending()
    m.facts.reject(waiting.id)
    assert m.facts.store("The vault is in Bergen", replaces=pinned).written[0].event == "SKIP"
    assert not m.facts.pending()


def test_what_began_earlier_is_no_newer_statement(m: Memory) -> None:
    m.facts.store(BERLIN)
    stored = m.facts.store(MUNICH, valid_from="2020-01-01")
    assert [near.may_replace for near in stored.written[0].related] == [False]


def test_what_has_expired_replaces_nothing(m: Memory) -> None:
    older = only(m.facts.store(MUNICH))
    written = m.facts.store(BERLIN, replaces=older, expires_at="2020-01-01").written[0]
    assert f"{older} holds on" in written.why
    assert [fact.id for fact in m.facts.list()] == [older]


def test_what_is_kept_beside_another_stays_so_when_it_is_approved(m: Memory) -> None:
    first = only(m.facts.store("Falcon's deadline is 1 December"))
    second = m.facts.store("Falcon's deadline is 8 December", keep_both=True, confidence="low")
    m.facts.approve(only(second))
    assert {fact.id for fact in m.facts.list()} == {first, only(second)}


NEXT_DAY, LATER = "2026-11-21T12:00:00Z", "2026-11-25T12:00:00Z"


def found(memory: Memory, question: str) -> list[str]:
    return [row.text for row in memory.recall(question, record=False)]


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("The rent is 900 euros", "The rent is 950 euros", "How much is the rent?"),
        ("User works at Acme", "User works at Globex", "Where does the user work?"),
        ("User lives in Porto", "User moved to Lisbon", "Where does the user live?"),
        ("User is vegetarian", "User is not vegetarian", "Is the user vegetarian?"),
    ],
)
def test_recall_and_context_give_the_newer_first_and_both_are_listed(
    old: str, new: str, question: str, memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store(old)
    clock(NEXT_DAY)
    memory.facts.store(new)
    rows = list(memory.recall(question, record=False))
    assert [row.text for row in rows] == [new, old]
    assert [bool(row.earlier_than) for row in rows] == [False, True]
    assert new in memory.context(question).text
    (pair,) = memory.facts.undecided()
    assert (pair.newer.text, pair.older.text) == (new, old)


def test_a_correction_answers_to_the_words_of_what_it_corrects(
    memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store("Launch is planned for 12 May.")
    clock(NEXT_DAY)
    memory.facts.store("We slipped again; customers get their hands on it on 2 June.")
    assert found(memory, "When is the launch?")[0].endswith("2 June.")


def test_a_correction_of_a_correction_stands_first(
    memory: Memory, clock: Callable[[str], None]
) -> None:
    memory.facts.store("The rent is 900 euros")
    clock(NEXT_DAY)
    memory.facts.store("The rent is 950 euros")
    clock(LATER)
    memory.facts.store("The rent is 990 euros")
    assert found(memory, "How much is the rent?")[0] == "The rent is 990 euros"


def test_a_batch_that_contradicts_itself_gives_its_last_word_first(memory: Memory) -> None:
    memory.facts.store(["The rent is 900 euros", "The rent is 950 euros"])
    assert found(memory, "How much is the rent?")[0] == "The rent is 950 euros"
    assert len(memory.facts.undecided()) == 1


def test_two_projects_have_a_port_each(memory: Memory) -> None:
    memory.facts.store("The staging server listens on 7410", agent_id="one")
    memory.facts.store("The staging server listens on 7430 now", agent_id="two")
    assert memory.facts.count() == 2
    assert memory.facts.undecided() == []


@pytest.mark.parametrize(
    ("order", "may"),
    [
        ("From now on, answer User in English, please.", True),
        ("Always keep answers short, please.", False),
    ],
)
def test_an_order_that_begins_as_another_and_goes_on_otherwise_may_replace_it(
    memory: Memory, order: str, may: bool
) -> None:
    memory.facts.store("Always answer User in German, please.")
    (written,) = memory.facts.store(order).written
    assert any(near.may_replace for near in written.related) is may
