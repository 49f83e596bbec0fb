"""The documents fit the code and one another: the reference is new, and every link leads somewhere.

Links to other hosts are not followed: the tests need no network.
"""

from __future__ import annotations

import posixpath
import re
import subprocess
import tomllib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import markdown

import memctl

if TYPE_CHECKING:
    from memctl.store.store import Store

ROOT = Path(__file__).parents[2]
TRACKED = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
).stdout.splitlines()
DOCUMENTS = [name for name in TRACKED if name.endswith(".md") and "/data/" not in name]


class Links(HTMLParser):
    """What a document links to, shows and can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors = {""}
        self.feed(markdown.markdown(text, extensions=["toc", "tables", "fenced_code", "attr_list"]))

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.anchors.add(given.get("id", ""))
        self.targets += [given[name] for name in ("href", "src") if name in given]


@cache
def links(name: str) -> Links:
    return Links(ROOT.joinpath(name).read_text("utf-8"))


def leads_nowhere(document: str, target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return False
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document), unquote(parts.path)))
    name = path if parts.path else document
    if not ROOT.joinpath(name).exists():
        return True
    return name.endswith(".md") and parts.fragment not in links(name).anchors


def test_every_link_of_a_document_leads_somewhere() -> None:
    for document in DOCUMENTS:
        lost = [to for to in links(document).targets if leads_nowhere(document, to)]
        assert lost == [], document


def test_a_link_that_leads_nowhere_is_seen() -> None:
    for target in ("no-such.md", "eyes.md#no-such", "#no-such", "no-such.png"):
        assert leads_nowhere("docs/skills.md", target)
    assert not leads_nowhere("docs/skills.md", "eyes.md#waiting")


def test_the_reference_is_what_the_code_says() -> None:
    from tests.docs import reference  # imports what reads the engine's source

    for file, text in reference.pages().items():
        written = reference.FOLDER.joinpath(file).read_text("utf-8")
        assert written == text, f"{file}: write it anew: python -m tests.docs.reference"


def test_the_site_has_every_page_in_its_navigation() -> None:
    def pages(entry: Any) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        parts = entry.values() if isinstance(entry, dict) else entry
        return [page for part in parts for page in pages(part)]

    listed = pages(tomllib.loads(ROOT.joinpath("zensical.toml").read_text())["project"]["nav"])
    kept = [name.removeprefix("docs/") for name in DOCUMENTS if name.startswith("docs/")]
    assert sorted(listed) == sorted(kept)


def test_troubleshooting_tells_every_error_by_its_code() -> None:
    # Those that are exported: docs/mcp.md tells what MCP alone answers.
    codes = {
        kind.code
        for kind in vars(memctl).values()
        if isinstance(kind, type) and issubclass(kind, memctl.MemctlError)
    }
    told = ROOT.joinpath("docs/troubleshooting.md").read_text("utf-8")
    assert [code for code in sorted(codes) if f"`{code}`" not in told] == []


def test_the_concepts_name_tables_and_views_that_exist(store: Store) -> None:
    text = ROOT.joinpath("docs/concepts.md").read_text("utf-8")
    told = re.findall(r"^Tables? ((?:`\w+`|,| |views?)+)", text, re.MULTILINE)
    names = {name for line in told for name in re.findall(r"`(\w+)`", line)}
    with store.transaction():
        there = {row["name"] for row in store.rows("select name from sqlite_schema")}
    assert len(names) > 10
    assert names <= there
