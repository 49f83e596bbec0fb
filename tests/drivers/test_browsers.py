"""Finding an installed browser, or the one that is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError, UsageError
from memctl.drivers.browsers import find_browser

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory


def test_a_missing_browser_is_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotFoundError, match="no Chromium, Chrome or Edge is installed") as raised:
        find_browser()
    assert "install Chromium, Chrome or Edge" in raised.value.hint


def test_a_browser_is_found_on_the_path_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edge = tmp_path / "msedge"
    edge.write_text("#!/bin/sh\n", encoding="utf-8")
    edge.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() == str(edge)
    with pytest.raises(NotFoundError, match="there is no browser"):
        find_browser(str(tmp_path / "nowhere"))


def test_the_environment_names_a_browser_and_a_store_may_not(
    memory: Memory, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match='"browser_path" cannot be "/bin/true"'):
        memory.settings.set("browser_path", "/bin/true")
    with memory.store.transaction():  # as a file that somebody gave may hold it
        row = ("browser_path", "/bin/true", "2026-01-01T00:00:00Z")
        memory.store.connection().execute("insert into setting values (?, ?, ?)", row)
    with memctl.open("harbor", home) as given, pytest.raises(UsageError, match="in the store"):
        given.browser()
    monkeypatch.setenv("MEMCTL_BROWSER_PATH", "/usr/bin/msedge")
    with memctl.open("harbor", home) as again:
        assert again.browser().browser_path == "/usr/bin/msedge"
