"""A host's configuration is changed in place, shown first, and given back as it was."""

from __future__ import annotations

import json
import subprocess
import sysconfig
import tomllib
import venv
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.calling import Answer, memctl_process

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE = """\
{
  "env": { "EDITOR": "vi" },
  "permissions": {
    "allow": ["Bash(ls:*)"]
  },
  "hooks": {
    "Stop": [
      { "matcher": "", "hooks": [ { "type": "command", "command": "say done" } ] }
    ]
  },
  "autoMemoryEnabled": true,
  "unknownKey": [1, 2.50, null]
}
"""
CLAUDE_STATE = (
    '{"numStartups":12,"mcpServers":{"docs":{"type":"http","url":"https://example.org"}}}'
)
CODEX = """\
model = "gpt-5.1"  # the large one

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]

# what is switched on
[features]
web_search = true
"""
CODEX_HOOKS = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}\n'
CURSOR = """\
{
\t"version": 1,
\t"hooks": {
\t\t"stop": [{ "command": "./audit.sh" }]
\t}
}
"""
OPENCLAW = """\
// my gateway
{
  agents: {
    defaults: { workspace: '~/clawd', }, // trailing commas are fine
  },
  plugins: {
    entries: { 'voice': { enabled: true } },
    slots: { memory: "memory-core" },
  },
  /* ports */ gateway: { port: 0x4A39 },
}
"""
FILES: dict[str, dict[str, str]] = {
    "claude-code": {".claude/settings.json": CLAUDE, ".claude.json": CLAUDE_STATE},
    "codex": {".codex/config.toml": CODEX, ".codex/hooks.json": CODEX_HOOKS},
    "cursor": {".cursor/hooks.json": CURSOR, ".cursor/mcp.json": '{\n  "mcpServers": {}\n}\n'},
    "openclaw": {".openclaw/openclaw.json": OPENCLAW},
}


def call(user: Path, *words: str | Path) -> Answer:
    home = ("--home", user / "memory")
    return memctl_process(*home, "--json", "hook", *words, environment={"HOME": str(user)})


def written(user: Path, host: str) -> dict[str, str]:
    return {name: (user / name).read_text() for name in FILES[host]}


def fill(user: Path, host: str) -> None:
    for name, text in FILES[host].items():
        (user / name).parent.mkdir(parents=True, exist_ok=True)
        (user / name).write_text(text)


@pytest.mark.parametrize("host", FILES)
def test_what_is_written_is_taken_back_to_the_byte(tmp_path: Path, host: str) -> None:
    fill(tmp_path, host)
    done = call(tmp_path, "install", host, "--write").data
    assert {one["file"] for one in done["files"]} == {str(tmp_path / name) for name in FILES[host]}
    assert all("+" in one["difference"] for one in done["files"])
    for one in done["files"]:
        name = one["file"].removeprefix(f"{tmp_path}/")
        assert (tmp_path / one["backup"]).read_text() == FILES[host][name]
    made = written(tmp_path, host)
    assert all("memctl" in text for text in made.values())
    assert call(tmp_path, "install", host, "--write").data["files"] == []
    assert written(tmp_path, host) == made
    call(tmp_path, "uninstall", host)
    assert written(tmp_path, host) == FILES[host]


@pytest.mark.parametrize("host", FILES)
def test_files_that_were_not_there_are_made_and_go_again(tmp_path: Path, host: str) -> None:
    call(tmp_path, "install", host, "--write")
    assert all((tmp_path / name).exists() for name in FILES[host])
    call(tmp_path, "uninstall", host)
    assert not any((tmp_path / name).exists() for name in FILES[host])


def test_a_dry_run_shows_the_difference_and_changes_nothing(tmp_path: Path) -> None:
    fill(tmp_path, "codex")
    done = call(tmp_path, "install", "codex", "--write", "--dry-run").data
    assert any("+[mcp_servers.memctl]" in one["difference"] for one in done["files"])
    assert written(tmp_path, "codex") == FILES["codex"]
    assert not (tmp_path / ".local").exists()


def test_what_others_wrote_stays_when_memctl_is_written_and_goes(tmp_path: Path) -> None:
    fill(tmp_path, "claude-code")
    call(tmp_path, "install", "claude-code", "--write")
    settings = tmp_path / ".claude" / "settings.json"
    told: dict[str, Any] = json.loads(settings.read_text())
    assert told["autoMemoryEnabled"] is False
    told["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "later"}]})
    settings.write_text(json.dumps(told))
    call(tmp_path, "uninstall", "claude-code")
    left = json.loads(settings.read_text())
    assert [one["hooks"][0]["command"] for one in left["hooks"]["Stop"]] == ["say done", "later"]
    assert list(left["hooks"]) == ["Stop"]
    assert left["autoMemoryEnabled"] is True


def test_another_project_replaces_the_lines_of_the_one_before(tmp_path: Path) -> None:
    fill(tmp_path, "codex")
    call(tmp_path, "install", "codex", "--write")
    done = call(tmp_path, "install", "codex", "--write", "--project", "lighthouse").data
    assert '"lighthouse"' in done["scope"]
    hooks = json.loads((tmp_path / ".codex/hooks.json").read_text())["hooks"]
    commands = [one["hooks"][0]["command"] for one in hooks["Stop"]]
    assert commands[0] == "say done"
    assert [one.endswith("--project lighthouse hook reply") for one in commands[1:]] == [True]
    server = tomllib.loads((tmp_path / ".codex/config.toml").read_text())["mcp_servers"]["memctl"]
    assert server["args"][-3:] == ["--project", "lighthouse", "mcp"]
    call(tmp_path, "uninstall", "codex")
    assert written(tmp_path, "codex") == FILES["codex"]


@pytest.mark.parametrize(
    ("host", "name", "text"),
    [
        ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": [}'),
        ("claude-code", ".claude/settings.json", '{"hooks": "none"}'),
        ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": "none"}}'),
        ("claude-code", ".claude/settings.json", "[]"),
        ("codex", ".codex/config.toml", "model = \n"),
        ("codex", ".codex/config.toml", 'mcp_servers = { docs = { command = "npx" } }\n'),
        ("openclaw", ".openclaw/openclaw.json", "{ $include: ./other.json5 }"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_refused_and_untouched(
    tmp_path: Path, host: str, name: str, text: str
) -> None:
    fill(tmp_path, host)
    (tmp_path / name).write_text(text)
    done = call(tmp_path, "install", host, "--write")
    assert done.code != 0
    assert "was left as it is" in done.out
    assert written(tmp_path, host) == {**FILES[host], name: text}


def test_hooks_of_another_store_are_taken_back_without_naming_it(tmp_path: Path) -> None:
    fill(tmp_path, "cursor")
    call(tmp_path, "install", "cursor", "--write")
    memctl_process("hook", "uninstall", "cursor", environment={"HOME": str(tmp_path)})
    assert written(tmp_path, "cursor") == FILES["cursor"]


@pytest.mark.parametrize(
    "receipt",
    [
        {"made": [], "changes": [""]},
        {"made": [{}], "changes": []},
        {"made": [], "changes": [{"path": ["hooks"], "value": {}, "how": "put"}]},
        {
            "made": [],
            "changes": [{"file": "x", "path": ["a"], "value": {}, "how": "put", "depth": -9}],
        },
        {"made": 5, "changes": []},
    ],
)
def test_without_a_whole_receipt_the_lines_that_are_memctls_go(
    tmp_path: Path, receipt: object
) -> None:
    fill(tmp_path, "codex")
    call(tmp_path, "install", "codex", "--write")
    (kept,) = tmp_path.rglob("hosts/codex.json")
    kept.write_text(json.dumps(receipt))
    call(tmp_path, "uninstall", "codex")
    assert written(tmp_path, "codex") == FILES["codex"]


def test_a_value_that_was_changed_since_is_left_and_told(tmp_path: Path) -> None:
    fill(tmp_path, "openclaw")
    call(tmp_path, "install", "openclaw", "--write")
    file = tmp_path / ".openclaw/openclaw.json"
    file.write_text(file.read_text().replace('memory: "none"', 'memory: "other"'))
    done = call(tmp_path, "uninstall", "openclaw").data
    assert "plugins.slots.memory was changed since" in done["remarks"][0]
    assert 'memory: "other"' in file.read_text()
    assert "memctl" not in file.read_text()


def test_the_mode_and_the_link_of_a_file_stay(tmp_path: Path) -> None:
    fill(tmp_path, "cursor")
    file, real = tmp_path / ".cursor/hooks.json", tmp_path / "dotfiles.json"
    file.rename(real)
    file.symlink_to(real)
    real.chmod(0o640)
    call(tmp_path, "install", "cursor", "--write")
    assert file.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert "memctl" in real.read_text()


def test_nothing_is_written_by_a_memctl_that_lies_in_a_cache(tmp_path: Path) -> None:
    environment = tmp_path / ".cache" / "uv" / "one"
    venv.create(environment, symlinks=True)
    packages = sysconfig.get_path("purelib")
    code = f"import site, sys; site.addsitedir({packages!r}); from memctl_cli import main; main()"
    words = ["hook", "install", "claude-code", "--write"]
    done = subprocess.run(
        [environment / "bin" / "python", "-c", code, *words],
        env={"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "uv tool install memctl-engine" in done.stderr
    assert not (tmp_path / ".claude").exists()
