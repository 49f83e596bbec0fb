"""The page on the MCP server tells every tool and every parameter that the server has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_mcp import talking_at_home

PAGE = Path(__file__).parents[2] / "docs" / "mcp.md"
_ROW = re.compile(r"^\| `(\w+)` \| (.*) \| (.*) \|$", re.MULTILINE)
_PARAMETER = re.compile(r"`(\w+)(\?)?`(?: \(([^)]*)\))?")


def told() -> dict[str, dict[str, tuple[bool, str]]]:
    """Return of each tool on the page its parameters: may they be left out, and their default."""
    text = PAGE.read_text(encoding="utf-8")
    table = text.split("## Tools")[1].split("\n\n")[1]
    return {
        name: {one: (bool(may), default) for one, may, default in _PARAMETER.findall(parameters)}
        for name, parameters, _ in _ROW.findall(table)
    }


def shown(default: Any) -> str:
    if default is None or default in (0, False, ""):
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    with talking_at_home(tmp_path_factory.mktemp("page")) as talk:
        return {name: tool.input_schema for name, tool in talk.tools().items()}


def test_the_page_lists_the_tools_in_the_servers_order(schemas: dict[str, dict[str, Any]]) -> None:
    assert list(told()) == list(schemas)


def test_the_page_names_every_parameter_its_default_and_whether_it_is_needed(
    schemas: dict[str, dict[str, Any]],
) -> None:
    served = {
        name: {
            one: (one not in schema.get("required", ()), shown(about.get("default")))
            for one, about in schema.get("properties", {}).items()
        }
        for name, schema in schemas.items()
    }
    assert told() == served


def test_the_page_tells_every_code_of_a_failure() -> None:
    text = PAGE.read_text(encoding="utf-8").split("## Failures")[1]
    codes = {
        *("missing_facts", "missing_param", "mixed_batch", "bad_filter", "usage"),
        *("unusable_input", "secret_refused", "recalled_text", "all_noise", "immutable"),
        *("confirmation_required", "out_of_scope", "subagent_blocked", "read_only", "disk_full"),
        *("not_found", "not_platform", "busy", "store_damaged", "store_foreign", "store_newer"),
        *("store_older", "store_stale", "file_access", "wrong_type"),
    }
    assert (
        set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", text, re.MULTILINE))))
        == codes
    )
