"""Write what is published beside the wheel: ``python -m tests.docs.publishing``.

The plugins of the hosts and their marketplaces, the entry of the registry of MCP servers, and
``llms.txt``. Hooks and servers are those of ``memctl hook install``, the rest is of pyproject, of
``skills`` and of ``docs``.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl_cli.hooks.install import changes_for, lines_for

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
# Who publishes: whose name the registry checks against the account that calls it.
OWNER = "memctl"
_PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]
_SKILL = ROOT / "skills" / "memctl" / "SKILL.md"
# By host: the folder of its manifest, its file of MCP servers, and where it looks for marketplaces.
_HOSTS = {
    "claude-code": (".claude-plugin", ".mcp.json", ".claude-plugin/marketplace.json"),
    "codex": (".codex-plugin", ".mcp.json", ".agents/plugins/marketplace.json"),
    "cursor": (".cursor-plugin", "mcp.json", ".cursor-plugin/marketplace.json"),
}
_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_LLMS = """# memctl

> {summary}

The distribution is `memctl-engine`, the import and the command are `memctl`. An agent that works with it reads
[the skill](skills/memctl/SKILL.md) first.
"""


def files() -> dict[str, str]:
    """Return the text of each file, by its path in the project."""
    made: dict[str, Any] = {"server.json": _server()}
    for host, (folder, servers, marketplace) in _HOSTS.items():
        plugin = f"integrations/{host}"
        lines = json.loads(lines_for(host).text)
        told = {name: lines[name] for name in ("version", "hooks") if name in lines}
        made[f"{plugin}/{folder}/plugin.json"] = _manifest(host, servers)
        made[f"{plugin}/hooks/hooks.json"] = told
        made[f"{plugin}/{servers}"] = {"mcpServers": {"memctl": changes_for(host)[-1].value}}
        made[marketplace] = _marketplace(host, f"./{plugin}")
    texts = {name: json.dumps(value, indent=2) + "\n" for name, value in made.items()}
    skill = _SKILL.read_text("utf-8")
    texts |= {f"integrations/{host}/skills/memctl/SKILL.md": skill for host in _HOSTS}
    return {**texts, "llms.txt": "".join(_llms())}


def _about() -> dict[str, Any]:
    names = ("version", "description", "license", "keywords")
    return {"name": "memctl", **{name: _PROJECT[name] for name in names}}


def _manifest(host: str, servers: str) -> dict[str, Any]:
    made = {**_about(), "author": {"name": "The memctl authors"}}
    if host == "claude-code":  # it finds the parts by itself
        return made
    made |= {
        "skills": "./skills/",
        "hooks": "./hooks/hooks.json",
        "mcpServers": f"./{servers}",
    }
    if host == "codex":
        made["interface"] = {
            "displayName": "memctl",
            "shortDescription": "Memory of what was said, what is true and what is on screens",
            "longDescription": _PROJECT["description"],
            "developerName": made["author"]["name"],
            "category": "Productivity",
            "capabilities": ["Read", "Write"],
            "defaultPrompt": ["What do you remember about this project?"],
        }
    return made


def _marketplace(host: str, plugin: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": "memctl", "source": plugin}
    if host == "codex":
        entry["source"] = {"source": "local", "path": plugin}
        entry["policy"] = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
        entry["category"] = "Productivity"
        return {"name": "memctl", "interface": {"displayName": "memctl"}, "plugins": [entry]}
    about = {"description": _PROJECT["description"]}
    return {
        "name": "memctl",
        "owner": {"name": "The memctl authors"},
        **({"metadata": about} if host == "cursor" else about),
        "plugins": [{**entry, **about}],
    }


def _server() -> dict[str, Any]:
    version = _PROJECT["version"]
    package = {
        "registryType": "pypi",
        "identifier": _PROJECT["name"],
        "version": version,
        "runtimeHint": "uvx",
        # A client runs the package by its own name: its extra comes in by this.
        "runtimeArguments": [
            {"type": "named", "name": "--with", "value": f"{_PROJECT['name']}[mcp]=={version}"}
        ],
        "packageArguments": [{"type": "positional", "value": "mcp"}],
        "environmentVariables": [
            {"name": "MEMCTL_HOME", "description": "Folder of all stores.", "format": "filepath"}
        ],
        "transport": {"type": "stdio"},
    }
    return {
        "$schema": _SCHEMA,
        "name": f"io.github.{OWNER}/memctl",
        "title": "memctl",
        "description": _PROJECT["description"],
        "version": version,
        "packages": [package],
    }


def _llms() -> Iterator[str]:
    nav = tomllib.loads(ROOT.joinpath("zensical.toml").read_text("utf-8"))["project"]["nav"]
    for part in nav:
        ((title, pages),) = part.items()
        if isinstance(pages, str):
            yield _LLMS.format(summary=_first(pages))
            continue
        yield f"\n## {title}\n\n"
        for page in pages:
            ((name, file),) = page.items()
            yield f"- [{name}](docs/{file}): {_first(file)}\n"


def _first(page: str) -> str:
    """Return the first sentence of a page, without its links."""
    text = ROOT.joinpath("docs", page).read_text("utf-8")
    plain = next(
        block
        for block in re.split(r"\n\s*\n", text)
        if not block.startswith(("#", "<!--", "```", "|", "!["))
    )
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(plain.split()))
    return re.split(r"(?<=\.) (?=[A-Z`])", words)[0].rstrip(":")


if __name__ == "__main__":
    for name, text in files().items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
