"""The documents fit the code and one another: the reference is new, and every link leads somewhere.

Links to other hosts are not followed: the tests need no network.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
import subprocess
import tomllib
from functools import cache
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import markdown
import pytest

import memctl
from memctl_cli import main
from memctl_cli.app import command_of, hoisted
from memctl_cli.command import described, pages
from memctl_cli.hooks.install import HOSTS, lines_for
from tests.cli.test_mcp import talking_at_home
from tests.docs import figures
from tests.each import each

if TYPE_CHECKING:
    from memctl.store.store import Store
    from memctl_cli.command import CommandPage


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


_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


_LINE = re.compile(r"^(?:\$ )?(memctl [-a-z].*)$", re.MULTILINE)


_INLINE = re.compile(r"`(memctl [-a-z][^`\n]*)`")


_OPTION = re.compile(r"--[a-z][a-z-]*")


_END = re.compile(r"\s(?:\||>|;|&&|2>|<)\s?|\)\"?$|\s{3}")  # of the command: a pipe, a remark


_HELP = frozenset({"--help", "-h", "--version", "--json"})


_OLD = "CHANGELOG.md"  # tells of commands that were


@cache
def known() -> dict[str, CommandPage]:
    return {page.command: page for page in pages(described(command_of()))}


def unknown(shown: str) -> str:
    """Return what does not exist of a command line; nothing where all of it does."""
    words = shlex.split(_END.split(shown)[0], comments=True)[1:]
    rest = hoisted(words)[1]
    name = "memctl"
    while rest and f"{name} {rest[0]}" in known():
        name = f"{name} {rest.pop(0)}"
    for left_out in ("from", "to"):  # import from, export to
        if f"{name} {left_out}" in known():
            name = f"{name} {left_out}"
    page = known()[name]
    if page.commands and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]):
        return f"{name} {rest[0]}"
    options = {name for word in rest if _OPTION.fullmatch(name := word.partition("=")[0])}
    there = _HELP.union(*(word.spellings for word in page.options))
    return " ".join(sorted(options - there))


def test_a_document_shows_commands_that_exist() -> None:
    for document in DOCUMENTS:
        text = ROOT.joinpath(document).read_text("utf-8")
        shown = [
            *_LINE.findall("\n".join(_BLOCK.findall(text))),
            *_INLINE.findall(_BLOCK.sub("", text)),
        ]
        wrong = {line: unknown(line) for line in shown if unknown(line)}
        assert document == _OLD or not wrong, (document, wrong)


def test_what_does_not_exist_is_seen() -> None:
    assert unknown("memctl components delete 3") == "memctl components delete"
    assert unknown("memctl --app harbor learn a.png --boxen b.json") == "--boxen"
    assert unknown('memctl --app harbor recall "-- no" --explain | head') == ""


FIGURES = figures.read()


def test_the_page_of_figures_and_readme_are_made_of_the_file() -> None:
    assert figures.without_marks(figures.PAGE.read_text("utf-8")) == figures.page(FIGURES)
    for key, shown in figures.SHOWN.items():
        text = shown.read_text("utf-8")
        assert figures.with_rows(FIGURES, key, text) == text
    assert sum(one.get("readme", False) for one in FIGURES["figure"]) == 8


def test_a_figure_whose_rooms_have_changed_is_marked() -> None:
    first = FIGURES["figure"][0]
    marked = figures.page(FIGURES, lambda one: one["rooms"] if one is first else ())
    assert f"; older than a change of {', '.join(first['rooms'])} |" in marked
    assert marked.count("; older than a change") == 1
    assert figures.without_marks(marked) == figures.page(FIGURES)


def test_each_figure_names_a_benchmark_and_rooms_that_there_are() -> None:
    for one in FIGURES["figure"]:
        [name] = re.findall(r"python -m (benchmarks\.\w+)", one["command"])
        assert find_spec(name) is not None, one["command"]
        assert all((ROOT / "engine" / "memctl" / room).is_dir() for room in one["rooms"]), one


@each("host", HOSTS)
def test_the_page_shows_the_lines_of_each_host(host: str) -> None:
    page = ROOT.joinpath("docs/hooks.md").read_text("utf-8")
    lines = lines_for(host)
    assert f"`{lines.file}`" in page
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert json.loads(lines.text) in shown


_TOOL = re.compile(r"^\| `(\w+)` \| (.*) \| (.*) \|$", re.MULTILINE)


_PARAMETER = re.compile(r"`(\w+)(\?)?`(?: \(([^)]*)\))?")


def told() -> dict[str, dict[str, tuple[bool, str]]]:
    """Return of each tool on the page its parameters: may they be left out, and their default."""
    table = ROOT.joinpath("docs/mcp.md").read_text("utf-8").split("## Tools")[1].split("\n\n")[1]
    return {
        name: {one: (bool(may), default) for one, may, default in _PARAMETER.findall(parameters)}
        for name, parameters, _ in _TOOL.findall(table)
    }


def shown(default: Any) -> str:
    if default is None or default in (0, False, ""):
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_the_page_names_every_tool_with_its_parameters_and_defaults(tmp_path: Path) -> None:
    with talking_at_home(tmp_path) as talk:
        schemas = {name: tool.input_schema for name, tool in talk.tools().items()}
    served = {
        name: {
            one: (one not in schema.get("required", ()), shown(about.get("default")))
            for one, about in schema.get("properties", {}).items()
        }
        for name, schema in schemas.items()
    }
    assert told() == served
    assert list(told()) == list(served)


def test_the_page_tells_every_code_of_a_failure() -> None:
    text = ROOT.joinpath("docs/mcp.md").read_text("utf-8").split("## Failures")[1]
    codes = {
        *("missing_facts", "missing_param", "mixed_batch", "bad_filter", "usage"),
        *("unusable_input", "secret_refused", "recalled_text", "all_noise", "immutable"),
        *("confirmation_required", "out_of_scope", "subagent_blocked", "read_only", "disk_full"),
        *("not_found", "not_platform", "busy", "store_damaged", "store_foreign", "store_newer"),
        *("store_older", "store_stale", "file_access", "wrong_type"),
    }
    firsts = re.findall(r"^\| (.*?) \|", text, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", "".join(firsts))) == codes


UPKEEP_PAGE = (Path(__file__).parents[2] / "docs" / "upkeep.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", UPKEEP_PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMCTL_HOME", str(tmp_path / "home"))
    for line in block("sh").splitlines():
        with pytest.raises(SystemExit) as left:
            main(shlex.split(line)[1:])
        assert left.value.code == 0, line
    assert (tmp_path / "harbor-saved.db").exists()


def test_the_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMCTL_HOME", str(tmp_path))
    exec(block("python"), {})  # noqa: S102  (our own page)
    kept, lost = capsys.readouterr().out.split()
    assert (int(kept) > 0, lost) == (True, "0")
