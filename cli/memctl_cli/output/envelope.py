"""The JSON envelope, and one line for an error."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UsageError
from memctl.store.pages import ListPage
from memctl_cli.output.words import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.base.errors import MemctlError


def jsonable(value: Any) -> Any:
    """Return dataclasses as dicts, everything else as it is."""
    if hasattr(value, "as_plain"):  # it makes a part of itself when asked
        return jsonable(value.as_plain())
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, dict):
        return {name: jsonable(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(one) for one in value]
    return value


def json_object(value: Mapping[str, Any] | str | None, what: str) -> Mapping[str, Any] | None:
    """Return an object that is given as it is, or as JSON text; ``None`` for none.

    Raises
    ------
    UsageError
        When it is no JSON, or no object.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{what} is not JSON: {error}", hint='{"field": "value"}') from error
    if not isinstance(value, dict):
        raise UsageError(f"{what} is not a JSON object", hint='{"field": "value"}')
    return value


def envelope(
    data: Any, command: str, app: str, ms: float, count: int | None, extra: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the envelope of an answer; that of a page has the length of the whole list, too."""
    plain = jsonable(data)
    page = {"total": data.total, "more": data.left} if isinstance(data, ListPage) else {}
    rows = len(plain) if count is None and isinstance(plain, list) else count
    return {
        "status": "ok",
        "command": command,
        "app": app,
        "duration_ms": round(ms, 3),
        "count": 1 if rows is None else rows,
        "data": plain,
        **page,
        **jsonable(dict(extra)),
    }


def as_json(value: Mapping[str, Any]) -> str:
    """Return one line of JSON, in ASCII: any terminal or pipe carries it, and no lone surrogate."""
    return json.dumps(value, ensure_ascii=True)


def print_json(value: Mapping[str, Any]) -> None:
    """Print an envelope on standard output."""
    print(as_json(value))  # noqa: T201  (this is the CLI)


def print_failure(error: MemctlError, command: str, *, as_json: bool) -> None:
    """Print an error: the envelope on standard output, or one line on standard error."""
    if as_json:
        detail = {"code": error.code, "message": error.message, "hint": error.hint}
        print_json({"status": "error", "command": command, "error": detail})
        return
    line = f"memctl: {error.message}" + (f" ({error.hint})" if error.hint else "")
    print(shown(" ".join(line.split())), file=sys.stderr)  # noqa: T201  (this is the CLI)
