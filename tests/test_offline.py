"""Nothing reaches out: learning and matching work where every socket is forbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.processes import python

if TYPE_CHECKING:
    from pathlib import Path

FORBID = """
    import sys

    def forbid(event, arguments):
        if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
            raise RuntimeError(f"somebody reached out: {event} {arguments}")
        if event in {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"}:
            raise RuntimeError(f"somebody started a program: {arguments}")

    sys.addaudithook(forbid)
"""


def test_import_learn_match_and_locate_open_no_socket_and_start_no_program(home: Path) -> None:
    printed = python(
        f"""{FORBID}
    import memctl
    from memctl_cli.demo import bundle

    shot = bundle.shot("login")
    with memctl.open("harbor", sys.argv[1]) as memory:
        print(len(memory.learn(shot.png, shot.boxes_file()).learned) > 5)
        print(len(memory.match(shot.png).sightings) > 5)
        print(memory.locate("Sign_in", shot.png).found)
        print(memory.learn(shot.png).state is not None)
    """,
        home,
    )
    assert printed.split() == ["True"] * 4


def test_recall_sessions_and_active_memory_open_no_socket_where_no_endpoint_is_named(
    home: Path,
) -> None:
    printed = python(
        f"""{FORBID}
    import memctl

    with memctl.open("agent", sys.argv[1], session="s1") as memory:
        memory.settings.set("fallback", "store")
        memory.settings.set("endpoint_model", "small")
        memory.settings.set("active_mode", "always")
        memory.log("The ferry to Bornholm leaves at nine")
        memory.journal.task("Book the ferry")
        print(len(memory.recall("quokka")) == 0)
        print("nine" in memory.active("When does the ferry to Bornholm leave?").text)
        print(memory.sessions.end("s1").session.ending)
    """,
        home,
    )
    assert printed.split() == ["True", "True", "ended"]


def test_reading_texts_opens_no_socket(home: Path) -> None:
    pytest.importorskip("rapidocr", reason='the extra "ocr" is not installed')
    printed = python(
        f"""{FORBID}
    import memctl
    from memctl_cli.demo import bundle

    with memctl.open("harbor", sys.argv[1]) as memory:
        memory.learn(bundle.shot("login").png, ocr=True)
        print("Sign_in" in {{one.name for one in memory.components.list()}})
    """,
        home,
    )
    assert printed == "True"


def test_the_command_line_opens_no_socket_and_starts_no_program(home: Path) -> None:
    printed = python(
        f"""{FORBID}
    from memctl_cli import main

    try:
        main(["--json", "--home", sys.argv[1], "config", "set", "forgetting", "everywhere"])
    except SystemExit as left:
        print(left.code)
    """,
        home,
    )
    assert printed.splitlines()[-1] == "0"


def test_the_guard_of_this_test_sees_a_socket() -> None:
    printed = python(
        f"""{FORBID}
    import socket

    try:
        socket.create_connection(("127.0.0.1", 9))
    except RuntimeError as error:
        print(error)
    """
    )
    assert "somebody reached out: socket." in printed
