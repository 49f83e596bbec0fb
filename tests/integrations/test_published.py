"""What is published beside the wheel is new, is what hosts and registries read, and names what exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any, get_args

from memctl.semantic.records import Outcome
from memctl_cli.mcp.build import PROFILES
from tests.cli.test_mcp import talking_at_home
from tests.docs.publishing import ROOT, files

if TYPE_CHECKING:
    from pathlib import Path

FILES = files()
SERVER = json.loads(FILES["server.json"])


def linted(folder: Path) -> subprocess.CompletedProcess[str]:
    """Look at every plugin, marketplace, hook, skill and server below a folder."""
    command = [sys.executable, "-m", "skillsaw", "lint", "--quiet", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_each_file_is_what_the_command_writes() -> None:
    for name, text in FILES.items():
        written = ROOT.joinpath(name).read_text("utf-8")
        assert written == text, f"{name}: write it anew: python -m tests.docs.publishing"


def test_a_plugin_holds_nothing_that_nobody_writes() -> None:
    for host in ("claude-code", "codex", "cursor"):
        folder = ROOT / "integrations" / host
        there = {str(file.relative_to(ROOT)) for file in folder.rglob("*") if file.is_file()}
        assert there == {name for name in FILES if name.startswith(f"integrations/{host}/")} | {
            f"integrations/{host}/README.md"
        }


def test_hosts_and_the_registry_can_read_them() -> None:
    done = linted(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_wrong_one_is_seen(tmp_path: Path) -> None:
    wrong: dict[str, dict[str, Any]] = {
        "server.json": {"description": "x" * 101},
        ".claude-plugin/marketplace.json": {"plugins": [{"name": "memctl"}]},
        "integrations/codex/.codex-plugin/plugin.json": {"hooks": "./no.json"},
        "integrations/cursor/.cursor-plugin/plugin.json": {"name": "No Name"},
    }
    for name, text in FILES.items():
        broken = json.dumps({**json.loads(text), **wrong[name]}) if name in wrong else text
        tmp_path.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        tmp_path.joinpath(name).write_text(broken, "utf-8")
    done = linted(tmp_path)
    assert done.returncode == 1
    assert [name for name in wrong if name not in done.stdout] == []


def test_the_page_of_the_index_names_the_server() -> None:
    """The registry looks there for who owns the package."""
    readme = ROOT.joinpath("README.md").read_text("utf-8")
    assert re.findall(r"<!-- mcp-name: (\S+) -->", readme) == [SERVER["name"]]


def test_the_skill_names_tools_and_words_that_exist(tmp_path: Path) -> None:
    text = FILES["integrations/codex/skills/memctl/SKILL.md"]
    named = set(re.findall(r"`([A-Za-z_]+)`", text))
    with talking_at_home(tmp_path) as talk:
        schemas = [tool.input_schema for tool in talk.tools().values()]
    parameters = {name for schema in schemas for name in schema.get("properties", {})}
    actions = set(re.findall(r'"(\w+)"', json.dumps(schemas)))
    assert set(PROFILES["all"]) & named > {"recall", "match", "locate", "memory_store", "pending"}
    assert named - {*PROFILES["all"], *parameters, *actions, *get_args(Outcome), "memctl"} == set()
