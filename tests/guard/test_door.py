"""Every public method that writes passes the door; a secret in any of its texts ends the call.

The methods are found by reading the engine's source: whoever opens a transaction, or calls
one of its own methods that does. A new one that is not guarded fails here, by name.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from collections import Counter, deque
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import memctl
from memctl.base.errors import SecretRefusedError, SubagentBlockedError, UnusableInputError
from memctl.base.home import Address
from memctl.config.settings import Settings
from memctl.guard.door import Guarded, guarded
from memctl.semantic.fact_input import FactInput
from memctl.semantic.facts import Facts
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.memory import Memory
    from memctl_cli.demo.bundle import Shot


ENGINE = Path(memctl.__file__).parent


# The mechanism itself: what a transaction is.
MECHANISM = {"memctl.store.store", "memctl.guard.door"}


# A step of a run: a transaction that is recorded, opened by methods that pass the door.
STEPS = {"Work"}


# Functions that write a text and are no methods, and why nothing secret gets through them.
ELSEWHERE = {
    "recall/recalls.py:record": "masks what looks like a secret in the question",
    "recall/recalls.py:record_injected": "writes names of rows, and of a session that was opened",
    "recall/recalls.py:mark_used": "writes a time beside such names",
    "recall/recalls.py:forget_told": "likewise",
    "semantic/deciding/doubts.py:raise_doubts": "repeats what a fact said that was stored",
    "semantic/finding.py:note_served": "writes a time alone",
    "recall/recalls.py:give_feedback": "writes one of two words, and ids that it knows",
}


# What answers where nothing may be written; `classify` then writes nothing, or is refused.
# What they keep passes a door of its own, or is a count of what was seen.
BY_THE_WAY = {
    ("Visual", "match"), ("Embedder", "ready"),
    ("Embedder", "catch_up"), ("Facts", "classify"), ("Dream", "run"),
    ("Skills", "detect"),
}  # fmt: skip


SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


class Method(NamedTuple):
    module: str
    owner: str
    name: str

    @property
    def function(self) -> Any:
        return getattr(getattr(importlib.import_module(self.module), self.owner), self.name)


@cache
def writing_modules() -> list[tuple[Path, ast.Module]]:
    """Find every file of the engine that opens a transaction, and what stands in it."""
    texts = ((path, path.read_text("utf-8")) for path in sorted(ENGINE.rglob("*.py")))
    return [(path, ast.parse(text)) for path, text in texts if ".transaction(" in text]


def write_methods() -> list[Method]:
    found: list[Method] = []
    for path, tree in writing_modules():
        dotted = ".".join(["memctl", *path.relative_to(ENGINE).with_suffix("").parts])
        module = dotted.removesuffix(".__init__")
        if module not in MECHANISM:
            for node in tree.body:
                if not (isinstance(node, ast.ClassDef) and node.name in STEPS):
                    found += _of(module, node)
    return found


def _of(module: str, node: ast.stmt) -> Iterator[Method]:
    if isinstance(node, ast.ClassDef):
        methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
        writing = {name for name, method in methods.items() if _opens(method)}
        calls = {name: _own_calls(method) for name, method in methods.items()} if writing else {}
        while True:
            more = {name for name, called in calls.items() if called & writing} | writing
            if more == writing:
                break
            writing = more
        for name in sorted(writing):
            if not name.startswith("_"):
                yield Method(module, node.name, name)


def _opens(node: ast.AST) -> bool:
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "transaction"
        for call in ast.walk(node)
    )


def _own_calls(node: ast.AST) -> set[str]:
    return {
        call.func.attr
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "self"
    }


def open_functions() -> list[str]:
    """Public functions outside of classes that open a transaction for a text: they pass no door."""
    return [
        f"{path.relative_to(ENGINE).as_posix()}:{node.name}"
        for path, tree in writing_modules()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and _opens(node)
        if path.name != "door.py"
        and any(
            "str" in ast.unparse(argument) for argument in [*node.args.args, *node.args.kwonlyargs]
        )
    ]


METHODS = write_methods()


TEXTS = [
    (method, name)
    for method in METHODS
    for name, parameter in inspect.signature(method.function).parameters.items()
    if name != "self"
    and ("str" in str(parameter.annotation) or "Any" in str(parameter.annotation))
    and name not in getattr(method.function, "guarded", Guarded("", ())).unwritten
]


@dataclass
class Anything:
    """Stands for any object with a store; the door looks before the method begins."""

    _store: Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "agent.db", Address("agent")) as opened:
        yield opened


def test_the_search_finds_the_write_methods() -> None:
    names = {f"{method.owner}.{method.name}" for method in METHODS}
    assert names >= {
        "Facts.store",
        "Facts.update",
        "Facts.forget",
        "Facts.restore",
        "Facts.reject",
        "Settings.set",
        "Components.rename",
        "Transitions.record",
        "Visual.learn",
        "Visual.match",
    }


def test_no_public_function_writes_beside_the_door() -> None:
    assert set(open_functions()) == set(ELSEWHERE)


def test_every_public_write_method_passes_the_door() -> None:
    open_ones = [
        f"{method.owner}.{method.name} in {method.module} writes and has no @guarded"
        for method in METHODS
        if not isinstance(getattr(method.function, "guarded", None), Guarded)
    ]
    assert open_ones == []


def test_every_write_of_a_subagent_is_blocked_at_the_door(store: Store) -> None:
    with Store(store.path, store.address, subagent=True) as subagents:
        for method in METHODS:
            if method.function.guarded.by_the_way:
                assert (method.owner, method.name) in BY_THE_WAY or method.owner == "EndpointRows"
                continue
            with pytest.raises(SubagentBlockedError) as blocked:
                method.function(Anything(subagents))
            assert (blocked.value.code, blocked.value.exit_code) == ("subagent_blocked", 3), method


@pytest.mark.parametrize(
    "wrap", [str, lambda s: [s], lambda s: {"x": [{"y": s}]}, lambda s: {s: 1}]
)
def test_a_secret_in_any_text_is_refused_and_counted_and_nowhere(store: Store, wrap: Any) -> None:
    refusals: Counter[str] = Counter()
    for method, name in TEXTS:
        with pytest.raises(SecretRefusedError) as refused:
            method.function(Anything(store), **{name: wrap(SECRET)})
        assert refused.value.exit_code == 3, (method, name)
        assert SECRET not in str(refused.value) + refused.value.hint
        refusals[method.function.guarded.tier] += 1
        rows = store.rows("select tier, refusals from guard_refusal")
        counted = {row["tier"]: row["refusals"] for row in rows}
        assert counted == refusals, (method, name)
    for path in store.path.parent.iterdir():
        assert SECRET.encode() not in path.read_bytes()


@pytest.mark.parametrize(
    "given",
    [
        {"text": f"The key is {SECRET}"},
        {"subject": "Kestrel", "attribute": "token", "value": SECRET},
        {"text": "Kestrel is fast", "metadata": {"note": {"of": [SECRET]}}},
        {"text": "Kestrel is fast", "source": SECRET},
    ],
)
def test_a_secret_in_any_field_of_a_fact_that_is_handed_in_is_refused(
    store: Store, given: dict[str, Any]
) -> None:
    with pytest.raises(SecretRefusedError, match=r"facts\[1\]"):
        Facts(store, Settings(store)).store_all([FactInput(text="Tea is hot"), FactInput(**given)])
    assert store.value("select count(*) from fact") == 0
    assert store.value("select refusals from guard_refusal") == 1


def test_a_key_and_its_value_are_looked_at_together(store: Store) -> None:
    facts = Facts(store, Settings(store))
    said = {"subject": "router", "attribute": "password", "value": "sunflower42x"}
    with pytest.raises(SecretRefusedError):
        facts.store([said])
    with pytest.raises(SecretRefusedError):
        facts.store("The router is set up", metadata={"password": "sunflower42x"})
    assert store.value("select count(*) from fact") == 0


def test_the_door_looks_into_every_iterable(store: Store) -> None:
    facts = Facts(store, Settings(store))
    texts: Any
    for texts in (iter([SECRET]), map(str, [SECRET]), {"a": SECRET}.values(), deque([SECRET])):
        with pytest.raises(SecretRefusedError):
            facts.store(texts)
    harmless: Any = (text for text in ["Tea is served at noon"])
    assert len(facts.store(harmless).ids) == 1


def test_a_refusal_inside_a_transaction_is_counted_once_it_is_over(store: Store) -> None:
    facts = Facts(store, Settings(store))

    class Joined:
        """Like a hook that writes to several tiers at once."""

        def __init__(self) -> None:
            self._store = store

        @guarded("joined")
        def write(self, text: bytes) -> None:
            with store.transaction():
                facts.store("Tea is served at noon")
                facts.store(text.decode())

    with pytest.raises(SecretRefusedError):
        Joined().write(SECRET.encode())
    assert facts.list() == []
    assert [tuple(row) for row in store.rows("select tier, refusals from guard_refusal")] == [
        ("fact", 1)
    ]


def test_a_read_only_store_refuses_without_counting(store: Store) -> None:
    Facts(store, Settings(store)).store("Tea is served at noon")
    with Store(store.path, store.address, readonly=True) as readonly:
        with pytest.raises(SecretRefusedError):
            Facts(readonly, Settings(readonly)).store(SECRET)
        assert readonly.value("select count(*) from guard_refusal") == 0


def test_a_text_too_large_to_look_at_is_refused(store: Store) -> None:
    with pytest.raises(UnusableInputError, match="1000001 characters"):
        Facts(store, Settings(store)).store("x" * 1_000_001)


def bytes_of(memory: Memory) -> bytes:
    folder: Path = memory.store.path.parent
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_a_label_that_holds_a_secret_is_refused_and_the_rest_is_learned(
    memory: Memory, harbor: dict[str, Shot]
) -> None:
    boxes = harbor["login"].boxes_file()
    boxes[0]["label"] = f"token {SECRET}"
    answer = memory.learn(harbor["login"].png, boxes)
    assert [one.why for one in answer.refused].count("shows text that looks like a secret") == 1
    assert len(answer.learned) > 5
    assert SECRET.encode() not in bytes_of(memory)


@pytest.mark.parametrize("where", ["app", "session", "agent", "user", "key", "speaker"])
def test_a_secret_in_a_name_is_refused(where: str, memory: Memory, tmp_path: Path) -> None:
    attempts: dict[str, Callable[[], object]] = {
        "app": lambda: memctl.open(SECRET, tmp_path / "home"),
        "session": lambda: memory.journal.of(SECRET).task("Buy rope"),
        "agent": lambda: memctl.open("harbor", tmp_path / "home", agent=SECRET),
        "user": lambda: memctl.open("harbor", tmp_path / "home", user=SECRET),
        "key": lambda: memory.journal.context("wifi password", "sunflower42"),
        "speaker": lambda: memory.log("hello", speaker=SECRET),
    }
    with pytest.raises(memctl.SecretRefusedError):
        attempts[where]()


def test_a_secret_in_a_file_of_ten_megabytes_is_refused_by_its_place(
    memory: Memory, tmp_path: Path
) -> None:
    # A record is its text; what else its line holds is not taken, and is read all the same.
    padding = "".join(f"{number} " for number in range(100_000))
    texts = [f"Buoy {at} drifts" for at in range(18)]
    texts[7] = f"token {SECRET}"
    lines = [json.dumps({"role": "user", "text": text, "padding": padding}) for text in texts]
    (tmp_path / "log.jsonl").write_text("\n".join(lines), "utf-8")
    done = memory.import_from(tmp_path / "log.jsonl")

    assert (tmp_path / "log.jsonl").stat().st_size > 10_000_000
    assert [one.where for one in done.refused] == ["log.jsonl:8"]
    assert done.written == 17
    assert SECRET.encode() not in bytes_of(memory)
