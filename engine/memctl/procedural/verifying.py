"""Checks apart from the screen: a server, a database or a program is asked whether it was done."""

from __future__ import annotations

import json
import shlex
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from memctl.base.arguments import shown
from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.guard import door
from memctl.scenes.wording import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

# The kinds of checks with what each needs.
KINDS: dict[str, tuple[str, ...]] = {
    "reload": (),
    "none": (),
    "http": ("url", "contains"),
    "sql": ("file", "query", "equals"),
    "command": ("command",),
}
_OPTIONAL = {"http": {"not"}, "command": {"contains"}}
_MOST = 10  # checks of a skill
_SECONDS, _BYTES = 15.0, 2_000_000


def checked_checks(given: Sequence[Mapping[str, Any] | str]) -> tuple[Mapping[str, Any], ...]:
    """Return checks in their plain form.

    Raises
    ------
    UsageError
        When one is of no kind that is known, or lacks what it needs.
    """
    if len(given) > _MOST:
        raise UsageError(f"a skill has at most {_MOST} checks, not {len(given)}")
    return tuple(_checked({"kind": check} if isinstance(check, str) else check) for check in given)


def _checked(check: Mapping[str, Any]) -> dict[str, str]:
    if not isinstance(check, Mapping):
        raise UsageError(f"{shown(check)} is no check", hint=json.dumps({"kind": "reload"}))
    kind = str(check.get("kind", ""))
    if kind not in KINDS:
        raise UsageError(f'there is no check "{kind:.40}"', hint=one_of(kind, tuple(KINDS)))
    needed, allowed = set(KINDS[kind]), {"kind", *KINDS[kind], *_OPTIONAL.get(kind, ())}
    if missing := sorted(needed - check.keys()):
        raise UsageError(
            f'the check "{kind}" needs "{missing[0]}"', hint=json.dumps(["kind", *KINDS[kind]])
        )
    if strange := sorted(check.keys() - allowed):
        raise UsageError(f'the check "{kind}" takes no "{strange[0]:.40}"')
    most = door.MAX_LABEL
    plain = {key: door.clean(str(value), what=key, limit=most) for key, value in check.items()}
    if kind == "http" and urlsplit(plain["url"]).scheme not in {"http", "https"}:
        raise UsageError("a check asks an http or https URL")
    return plain


def failed_check(
    check: Mapping[str, Any], values: Mapping[str, str], *, commands: bool
) -> tuple[bool, str]:
    """Ask a check whether the deed is done.

    Parameters
    ----------
    commands
        Whether the settings let checks run commands.

    Returns
    -------
    tuple
        Whether it said no (and not only that it could not be asked), and what it said; empty where
        it agrees.
    """
    kind = check["kind"]
    if kind == "command" and not commands:
        return (
            False,
            "a check by command is not allowed here: memctl config set skill_commands true --home-wide",
        )
    ask = {"http": _ask_http, "sql": _ask_sql, "command": _ask_command}[kind]
    try:
        why = ask(check, values)
    except (OSError, URLError, sqlite3.Error, subprocess.SubprocessError, ValueError) as error:
        return False, f"the check by {kind} could not be asked: {error}"
    return bool(why), why


def _ask_http(check: Mapping[str, Any], values: Mapping[str, str]) -> str:
    url = filled(check["url"], {key: quote(value, safe="") for key, value in values.items()}) or ""
    with urlopen(Request(url, headers={"Accept": "*/*"}), timeout=_SECONDS) as answer:  # noqa: S310  (checked)
        text = answer.read(_BYTES).decode("utf-8", "replace")
    wanted = filled(check["contains"], values) or ""
    said, aim = wanted in text, check.get("not", "") in {"", "false", "False"}
    return "" if said == aim else f'{url} {"says" if said else "does not say"} "{wanted}"'


def _ask_sql(check: Mapping[str, Any], values: Mapping[str, str]) -> str:
    file = Path(check["file"]).expanduser()
    where = f"{file.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(where, uri=True, timeout=_SECONDS)) as connection:
        row = connection.execute(check["query"], dict(values)).fetchone()
    is_now, wanted = "" if row is None else str(row[0]), filled(check["equals"], values) or ""
    return "" if is_now == wanted else f'{file.name} says "{is_now:.80}", not "{wanted:.80}"'


def _ask_command(check: Mapping[str, Any], values: Mapping[str, str]) -> str:
    # Words first, values then: a value is one word and never a command of its own.
    words = [filled(word, values) or "" for word in shlex.split(check["command"])]
    done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False)  # noqa: S603  (allowed by settings)
    wanted = filled(check.get("contains", ""), values) or ""
    if done.returncode == 0 and wanted in done.stdout:
        return ""
    said = (done.stdout or done.stderr).strip()[:120]
    return f'"{words[0]}" ended with {done.returncode} and says "{said}"'
