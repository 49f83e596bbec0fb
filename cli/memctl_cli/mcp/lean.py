"""Schemas of tools as short as they can be said: every agent pays for them in every prompt.

Limits, nulls and second spellings are left out: a call that breaks a limit is refused with the
reason, and one that uses a second spelling is understood.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

UNLISTED: Any = Field(json_schema_extra={"unlisted": True})
"""Marks a parameter that is understood, and too seldom used to be listed."""

UNSAID: Any = Field(json_schema_extra={"unsaid": True})
"""Marks a parameter whose default is not told: what is only shown needs no choice."""

_PADDING = frozenset(
    {"title", "minimum", "maximum", "minItems", "maxItems", "additionalProperties"}
)


def lean_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a tool's parameters without padding."""
    listed = {
        name: _lean(one) for name, one in schema["properties"].items() if "unlisted" not in one
    }
    required = {"required": schema["required"]} if schema.get("required") else {}
    return {"type": "object", "properties": listed, **required}


def _lean(one: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one parameter, of the first type that it takes."""
    first: dict[str, Any] = next(iter(one.get("anyOf", ())), {})
    merged = {**first, **{name: value for name, value in one.items() if name != "anyOf"}}
    lean = {name: value for name, value in merged.items() if name not in _PADDING}
    unsaid = lean.pop("unsaid", False) or not lean.get("default", True)
    if unsaid or (lean.get("type") == "string" and "enum" not in lean):
        lean.pop("default", None)
    if lean.get("type") == "array":
        lean["items"] = _lean(lean["items"]) or {"type": "string"}
    return lean
