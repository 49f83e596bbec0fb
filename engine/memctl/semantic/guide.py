"""The words for an agent's system prompt: what to store, how to search."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS

if TYPE_CHECKING:
    from memctl.config.settings import Settings

__all__ = ["guide"]

_COMPANION = (
    "You accompany a person: people and pets in their life, plans, health that they speak of, "
    "routines and feelings in their own words are worth keeping."
)


def guide(settings: Settings) -> str:
    """Return the protocol as Markdown, with the store's own rules, under 600 tokens without them."""
    found = settings.several("domain", "include_rules", "exclude_rules", "importance_threshold")
    own = [_COMPANION] if found["domain"] == "companion" else []
    if found["include_rules"]:
        own.append(f"Always worth keeping: {found['include_rules']}.")
    if found["exclude_rules"]:
        own.append(f"Never keep: {found['exclude_rules']}.")
    if found["importance_threshold"]:
        own.append(f"Facts below importance {found['importance_threshold']} are not kept.")
    overlay = "\n## Here\n" + "\n".join(f"- {line}" for line in own) if own else ""
    text = resources.files("memctl.semantic").joinpath("guide.md").read_text(encoding="utf-8")
    return text.format(categories=", ".join(KINDS), overlay=overlay).rstrip() + "\n"
