"""Front matter: the YAML between two lines of dashes at the head of a Markdown file."""

from __future__ import annotations

import re
from typing import Any

from memctl.base.errors import UnusableInputError

__all__ = ["read_front_matter"]

_HEAD = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


def read_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Return the front matter of a Markdown file, empty where there is none, and what stands below.

    Raises
    ------
    UnusableInputError
        When it is no YAML, no object, or has anchors or tags.
    """
    found = _HEAD.match(text)
    if found is None:
        return {}, text
    import yaml

    try:
        for event in yaml.parse(found[1], Loader=yaml.SafeLoader):
            if getattr(event, "anchor", None) or getattr(event, "tag", None):
                raise UnusableInputError("its front matter has anchors or tags, which are not read")
        given = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnusableInputError(f"its front matter is no YAML: {error}") from None
    if not isinstance(given, dict | None):
        raise UnusableInputError("its front matter is no object")
    return {str(key): value for key, value in (given or {}).items()}, text[found.end() :]
