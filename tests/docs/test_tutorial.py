"""Every command of docs/tutorial.md runs, in its order, and prints what stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browsers import needs_browser
from tests.docs import tutorial
from tests.forking import forking_command

if TYPE_CHECKING:
    from tests.docs.tutorial import Step

TOLD = tutorial.steps(tutorial.PAGE.read_text("utf-8"))

pytestmark = needs_browser


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    commands = forking_command(tmp_path_factory.mktemp("commands")).parent
    return list(tutorial.run(TOLD, tmp_path_factory.mktemp("tutorial"), commands))


@pytest.mark.parametrize("number", range(len(TOLD)), ids=[step.command[:40] for step in TOLD])
def test_a_command_prints_what_the_page_shows(number: int, done: list[Step]) -> None:
    told, printed = TOLD[number].text, done[number].text
    assert tutorial.same_words(tutorial.as_shown(printed, told)) == tutorial.same_words(told), (
        "write it anew: python -m tests.docs.tutorial"
    )


def test_the_page_shows_what_it_promises() -> None:
    commands = " ".join(step.command for step in TOLD)
    for verb in ("learn", "match", "locate", "skills record", "skills approve", "skills run"):
        assert f" {verb} " in commands
    assert "halted" in "".join(step.text for step in TOLD)
