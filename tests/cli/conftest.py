"""The command line called in the test's own process, and stores for it to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl_cli import main
from tests.cli.calling import Answer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl_cli.demo.bundle import Shot


@pytest.fixture
def run(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Call ``memctl`` with some words, in a home of its own."""
    monkeypatch.setenv("MEMCTL_HOME", str(home))

    def call(*words: str | Path) -> Answer:
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        out, error = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return Answer(left.value.code, out, error)

    return call


@pytest.fixture
def login(tmp_path: Path, harbor: dict[str, Shot]) -> Path:
    """A screenshot of the demo's smallest screen."""
    path = tmp_path / "login.png"
    path.write_bytes(harbor["login"].png)
    return path


@pytest.fixture
def known(home: Path) -> Path:
    """A home with a store "harbor" of two states and one component, made without an image."""
    with memctl.open("harbor", home) as memory:
        with memory.store.transaction():
            pass
        memory.store.connection().executescript(
            """
            insert into component (
                name, type, source, scale, rel_x, rel_y, w, h, confidence,
                learned_at, last_seen_at, seen_count
            )
            values (
                'Save', 'button', 'dom', 1, 0, 0, 9, 9, 1,
                '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 2
            );
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
