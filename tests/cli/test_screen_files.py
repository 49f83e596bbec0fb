"""``memctl learn FOLDER`` and ``memctl watch``: exit codes, counts, what is named, Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl_cli.demo.bundle import Shot
    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


@pytest.fixture
def shots(tmp_path: Path, harbor: dict[str, Shot]) -> Path:
    """A folder with one screenshot of a page, twice, and one that is cut off."""
    folder = tmp_path / "shots"
    folder.mkdir()
    for name in ("login-1", "login-2"):
        (folder / f"{name}.png").write_bytes(harbor["login"].png)
    (folder / "cut.png").write_bytes(harbor["login"].png[:3000])
    return folder


def process(home: Path, *words: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "memctl", "--home", str(home), "--app", "harbor"]
    return subprocess.Popen(
        [*command, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def test_a_folder_is_learned_and_what_is_broken_is_named(run: Run, shots: Path) -> None:
    answer = run("--app", "harbor", "learn", shots)
    assert answer.code == 2
    first, known, skipped, why = answer.out.splitlines()
    assert first.startswith("learned   1 screenshot of 3: 1 new state, ")
    assert (known, skipped) == ("known     1, learned before", "skipped   1")
    assert why == f'  "{shots}/cut.png" is damaged or cut off'
    assert answer.error == ""  # a pipe has no bar
    (shots / "cut.png").unlink()
    again = run("--app", "harbor", "--json", "learn", shots / "login-1.png", shots / "login-2.png")
    assert again.code == 0
    assert [row["status"] for row in again.data] == ["known", "known"]
    assert (again.envelope["known"], again.envelope["total"]) == (2, 2)


@each(
    ("words", "message"),
    [
        (["--page-from", "("], '--page-from "(" is no regular expression'),
        (["--page-from", "z"], '--page-from "z" fits none of the 3 files'),
        (["--page-from", "(l)", "--page", "a"], "exclude each other"),
        (["--boxes", "boxes.json"], "the boxes of many screenshots lie beside them"),
        (["--dark"], "--dark needs a URL"),
        (["screen"], '"screen" is learned alone'),
        (["none/*.png"], '"none/*.png" fits no screenshot'),
    ],
)
def test_options_that_do_not_go_with_many_are_errors(
    run: Run, shots: Path, home: Path, words: list[str], message: str
) -> None:
    answer = run("learn", shots, *words)
    assert answer.code == 2
    assert message in answer.error
    assert not home.exists()


def test_an_interrupted_folder_keeps_what_was_learned_and_goes_on(
    home: Path, tmp_path: Path, harbor: dict[str, Shot]
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(40):
        (folder / f"login-{number}.png").write_bytes(harbor["login"].png)
    with process(home, "watch", folder, "--existing", "--json") as watch:
        assert watch.stdout is not None
        line = json.loads(watch.stdout.readline())
        watch.send_signal(signal.SIGINT)
        *_, last = watch.stdout.read().splitlines()
    assert (line["status"], line["page"], watch.returncode) == ("learned", "login", 0)
    with process(home, "learn", folder, "--again") as learn:
        assert learn.stderr is not None
        # It says nothing until it ends: the store's log shows that it is at work.
        log = home / "apps" / "harbor.db-wal"
        while learn.poll() is None and not (log.exists() and log.stat().st_size):
            pass
        learn.send_signal(signal.SIGINT)
        out, _ = learn.communicate(timeout=60)
    assert (learn.returncode, "stopped   after" in out) == (130, True)
    assert json.loads(last)["data"]["learned"] == 1


def test_a_watch_without_its_extra_says_what_to_install(
    run: Run, shots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    answer = run("watch", shots)
    assert answer.code == 2
    assert "pip install 'memctl-engine[watch]'" in answer.error
