"""Everything in a store is somebody's text: the page shows it and never obeys it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.reports.answers import Answer, Column, Finding, Report, Skipped
from memctl.reports.key_figures import EarlierReport
from memctl.reports.page.page import write_page
from memctl.reports.sources import stores_at
from tests.browsers import needs_browser
from tests.reports.page.made import Size, fill

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

HOSTILE = (
    "<script>window.obeyed = 1</script>",
    '"><img src=x onerror="window.obeyed = 1">',
    "' onmouseover='window.obeyed = 1' x='",
    "</text></svg><script>window.obeyed = 1</script>",
    "</style><script>window.obeyed = 1</script>",
    "{{ 7 * 7 }}{% raw %} ${7*7} $\\frac{",
    "javascript:window.obeyed = 1",
    "--><svg onload=window.obeyed=1>",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on which every text that can be somebody's is hostile."""
    home = tmp_path_factory.mktemp("hostile")
    count = len(HOSTILE)
    fill(home, "harbor", Size(states=count, components=4 * count, links=2 * count, stale=2))
    with memctl.open("harbor", home) as memory, memory.store.transaction():
        connection = memory.store.connection()
        for number, text in enumerate(HOSTILE):
            connection.execute("update state set name = ? where id = ?", (text, f"s_{number:06x}"))
        for number in range(4 * count):
            text = HOSTILE[number % count]
            connection.execute(
                "update component set name = ?, label = ?, type = ? where id = ?",
                (f"{number}{text}", text, text, number + 1),
            )
            connection.execute(
                "update component set forgotten_why = ? where id = ? and forgotten_at is not null",
                (text, number + 1),
            )
        connection.execute("update transition set detail = id || ?", (HOSTILE[3],))
    columns = (Column("name", "text", HOSTILE[0]), Column("number", "count", HOSTILE[1]))
    answer = Answer("a", HOSTILE[0], HOSTILE[1], columns, tuple((text, 1) for text in HOSTILE))
    findings = tuple(
        Finding(text, text, "high", 1, (text,), None, text, text, text, text) for text in HOSTILE
    )
    skipped = (Skipped(HOSTILE[0], HOSTILE[1], HOSTILE[3]),)
    at = "2026-11-20T16:33:04Z"
    report = Report("health", at, None, None, HOSTILE, skipped, (answer,), findings)
    earlier = EarlierReport(HOSTILE[0], (f"QUAY {HOSTILE[4]}",), {"findings": 1})
    return write_page([report], stores_at(home), home / "report.html", against=earlier)


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_no_element_or_attribute_comes_from_a_text(page: Path) -> None:
    found = Elements(page.read_text(encoding="utf-8")).found
    scripts = [attributes for tag, attributes in found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "memctl-figures"}, {}]
    assert not [name for _, attributes in found for name in attributes if name.startswith("on")]
    addresses = [
        value or ""
        for _, attributes in found
        for name, value in attributes.items()
        if name in {"src", "href"}
    ]
    assert len(addresses) > 40
    assert {address.partition(":")[0][:4] for address in addresses if address[0] != "#"} == {"data"}


def test_every_text_is_shown_as_it_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;window.obeyed = 1&lt;/script&gt;" in text
    assert "The earlier report was about other stores: QUAY &lt;/style&gt;" in text
    assert "{{ 7 * 7 }}" in text
    assert not re.search(r"(?<!\d)49(?!\d)\{%", text)


def test_the_policy_in_its_head_allows_its_own_script_alone(page: Path) -> None:
    policy = next(
        attributes["content"] or ""
        for tag, attributes in Elements(page.read_text(encoding="utf-8")).found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    assert re.fullmatch(r"'sha256-[\w+/=]{44}'", rules["script-src"])


@needs_browser
def test_a_browser_obeys_none_of_it(page: Path, browser: Browser) -> None:
    with browser.new_page() as opened:
        complaints: list[str] = []
        opened.on("console", lambda said: complaints.append(said.text))
        opened.goto(page.as_uri())
        opened.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        opened.locator("svg.states .node").first.hover()
        assert opened.evaluate("window.obeyed") is None
        assert complaints == []
        assert opened.locator(".findings li strong").all_inner_texts() == list(HOSTILE)
        shown = opened.locator("svg.states .node").first.get_attribute("aria-label")
        assert shown is not None
        assert shown.startswith(HOSTILE[0])
