"""Commands that need no image load no image library: agents call them often.

NumPy is heavy as well (0.1 s); these commands do without it too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import memctl
from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = [
    "cv2",
    "skimage",
    "scipy",
    "PIL",
    "duckdb",
    "sqlite_utils",
    "numpy",
    "rapidocr",
    "torch",
    "mcp",
    "matplotlib",
    "graphlay",
    "jinja2",
    "httpx",
    "watchfiles",
]

RUN = """
    import contextlib, io, json, sys
    from memctl_cli import main

    reached = {}
    for words in json.loads(sys.argv[2]):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                main(["--home", sys.argv[1], "--app", "harbor", *words])
            except SystemExit as left:
                reached[" ".join(words)] = left.code
    loaded = [name for name in json.loads(sys.argv[3]) if name in sys.modules]
    print(json.dumps([reached, loaded]))
"""

DONE = [
    ["--help"],
    ["--version"],
    ["learn", "--help"],
    ["match", "--help"],
    ["demo", "--help"],
    ["components", "list"],
    ["components", "show", "Save"],
    ["components", "rename", "Save", "Keep"],
    ["components", "pin", "Keep"],
    ["states", "list"],
    ["states", "show", "s_one"],
    ["states", "rename", "s_one", "First"],
    ["transitions", "record", "s_one", "click:Keep", "s_two"],
    ["transitions", "pending"],
    ["transitions", "commit"],
    ["transitions", "record", "s_one", "click:Keep", "s_two"],
    ["transitions", "discard", "--yes"],
    ["transitions", "list"],
    ["path", "s_one", "s_two"],
    ["states", "merge", "s_one", "s_two"],
    ["states", "restore", "s_two"],
    ["config", "list"],
    ["config", "get", "forgetting"],
    ["config", "set", "forgetting", "everywhere"],
    ["config", "unset", "forgetting"],
    ["skills", "list"],
    ["stores"],
    ["status"],
    ["schema"],
    ["doctor"],
    ["doctor", "--fix"],
    ["components", "erase", "Keep", "--yes"],
]
FAILED = {("nonsense",): 2, ("components", "show", "nobody"): 4, ("path", "a", "b"): 4}


@pytest.fixture
def filled(home: Path) -> Path:
    """A home whose store "harbor" holds two states and a component, written by hand."""
    with memctl.open("harbor", home) as memory:
        with memory.store.transaction():
            pass
        memory.store.connection().executescript(
            """
            insert into component (
                name, type, source, scale, rel_x, rel_y, w, h, confidence,
                learned_at, last_seen_at, seen_count
            )
            values ('Save', 'button', 'dom', 1, 0, 0, 9, 9, 1, '', '', 2);
            insert into state (
                id, status, visit_count, first_seen_at, last_seen_at, img_w, img_h, words
            )
            values
                ('s_one', 'confirmed', 2, '', '', 9, 9, x''),
                ('s_two', 'confirmed', 1, '', '', 9, 9, x'');
            insert into state_component (state_id, component_id, defining, x, y)
            values ('s_one', 1, 1, 0, 0), ('s_two', 1, 1, 0, 0);
            """
        )
    return home


def test_no_command_without_an_image_loads_a_heavy_library(filled: Path) -> None:
    calls = [*DONE, *map(list, FAILED)]
    reached, loaded = json.loads(python(RUN, filled, json.dumps(calls), json.dumps(HEAVY)))
    expected = {" ".join(words): 0 for words in DONE}
    expected |= {" ".join(words): code for words, code in FAILED.items()}
    assert reached == expected
    assert loaded == []


def test_importing_memctl_loads_neither_a_heavy_library_nor_the_command_line() -> None:
    loaded = python(
        """
        import sys
        import memctl

        memctl.open("harbor", "/nowhere").close()
        print(*sorted({name.partition(".")[0] for name in sys.modules}))
        """
    ).split()
    assert not {*HEAVY, "typer", "rich", "memctl_cli"} & set(loaded)


# What takes longer to load than what agents call most takes to run.
SLOW = [
    "pydantic",
    "rich",
    "importlib.resources",
    "importlib.metadata",
    "memctl.semantic.facts",
    "memctl.semantic.writing",
    "memctl.guard.told",
]


def test_what_agents_call_most_loads_no_more_than_it_needs(home: Path) -> None:
    calls = [
        ["log", "Ann moved the launch to 3 March", "--speaker", "Ann"],
        ["remember", "The launch was moved", "--tag", "launch"],
        ["recall", "when is the launch?", "--limit", "3", "--explain"],
        ["recall", "when is the launch?", "--json"],
        ["recall", "nothing of this kind"],
        ["turns", "list"],
        ["status"],
    ]
    reached, loaded = json.loads(python(RUN, home, json.dumps(calls), json.dumps(SLOW)))
    assert reached == {" ".join(words): 0 for words in calls}
    assert loaded == []


def test_a_recall_loads_what_finds_facts_where_there_is_one_and_nothing_that_writes_them(
    home: Path,
) -> None:
    with memctl.open("harbor", home) as memory:
        memory.facts.store("Ann's time zone is Europe/Lisbon", category="configuration")
    reads = [
        "memctl.semantic.facts",
        "memctl.semantic.writing",
        "memctl.semantic.triage",
    ]
    calls = [["recall", "Ann's time zone"]]
    _, loaded = json.loads(python(RUN, home, json.dumps(calls), json.dumps(reads)))
    assert loaded == ["memctl.semantic.facts"]
