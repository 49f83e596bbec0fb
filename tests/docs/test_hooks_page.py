"""The page about hooks shows the lines that the command prints."""

from __future__ import annotations

import json
import re
from pathlib import Path

from memctl_cli.hooks.install import HOSTS, lines_for
from tests.each import each

PAGE = (Path(__file__).parents[2] / "docs" / "hooks.md").read_text()


@each("host", HOSTS)
def test_the_page_shows_the_lines_of_each_host(host: str) -> None:
    lines = lines_for(host)
    assert f"`{lines.file}`" in PAGE
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    assert json.loads(lines.text) in shown
