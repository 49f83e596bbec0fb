"""README's first example works for a newcomer: a page is learned, matched and located by URL."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.browsers import needs_browser
from tests.cli.calling import memctl_process
from tests.drivers.serving import served

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
EXAMPLE = README.split("## Start with your own app")[1].split("\n## ")[0]
TOLD = "http://localhost:8000/"
ORDERS = """<!doctype html><title>Orders</title><h1>Orders</h1><label>Search <input></label>
    <button>New order</button><ul><li>Anchor chain</li><li>Mooring line</li></ul>"""


def test_it_is_the_first_example_of_the_page() -> None:
    assert README.split("\n## ")[1].startswith("Start with your own app")
    assert "'.[browser]'" in EXAMPLE


@needs_browser
def test_its_commands_run_one_after_another(home: Path) -> None:
    with served({"/": ORDERS}) as url:
        learn, match, locate = (
            memctl_process(
                *shlex.split(line.replace(TOLD, url + "/")), environment={"MEMCTL_HOME": str(home)}
            )
            for line in re.findall(r"^\$ memctl (.+)$", EXAMPLE, re.MULTILINE)
        )
    for answer in (learn, match, locate):
        assert (answer.code, answer.error) == (0, "")
    assert "a new state" in learn.out
    assert "New_order" in learn.out
    assert "unknown" not in match.out
    (printed,) = re.findall(r"^New_order: .+$", EXAMPLE, re.MULTILINE)
    assert re.sub(r"\d+", "0", locate.out.strip()) == re.sub(r"\d+", "0", printed)


def test_the_page_on_eyes_is_linked_and_its_options_exist() -> None:
    page = (ROOT / "docs" / "eyes.md").read_text("utf-8")
    assert "(docs/eyes.md)" in README
    told = memctl_process("wait", "--help").out + memctl_process("learn", "--help").out
    for option in set(re.findall(r"`(?:memctl [^`]*)?(--[a-z]+)", page)) - {"--set"}:
        assert option in told
