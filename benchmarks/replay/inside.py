"""Runs the calls of one group inside the environment of one checkout.

It is started by path with that checkout's Python, so it imports nothing of this project but the
public `memctl`. ``python inside.py CALLS ANSWERS`` reads a JSON list of ``[kind, text]`` (see
`benchmarks.replay.recorded`) and writes a line of JSON for each: standard output, standard error
and exit code.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO, Any, cast

Answer = tuple[str, str, int]
_ID = re.compile(r"\b([fs])_[0-9a-f]{6,16}\b")
_NAMED = re.compile(r"\{[fs]\d+\}")


class Ids:
    """Numbers the ids of facts and states by their first appearance: ``{f1}``, ``{s2}``."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def hidden(self, text: str) -> str:
        """Return a text with the number of each id in its place."""
        return _ID.sub(lambda found: self._name(found[0], found[1]), text)

    def filled(self, text: str) -> str:
        """Return a text with the ids that its numbers stand for."""
        known = {name: real for real, name in self._names.items()}
        return _NAMED.sub(lambda found: known.get(found[0], found[0]), text)

    def _name(self, real: str, letter: str) -> str:
        same = sum(name[1] == letter for name in self._names.values())
        return self._names.setdefault(real, f"{{{letter}{same + 1}}}")


class Player:
    """Plays calls one after the other; the MCP server and Python's names live between them."""

    def __init__(self) -> None:
        # The first one found is this environment's own, whatever else is on its path.
        self._main = next(iter(entry_points(group="console_scripts", name="memctl"))).load()
        self._names: dict[str, Any] = {}
        self._server: subprocess.Popen[str] | None = None
        self._sent = 0

    def play(self, kind: str, text: str) -> Answer:
        """Run one call of a kind."""
        plays = {"$": self._command, "!": self._shell, "@": self._serve, ">": self._tool}
        return plays.get(kind, self._python)(text)

    def close(self) -> None:
        """End the MCP server, as its host does: by closing its standard input."""
        if self._server is not None:
            self._to.close()
            self._server.wait(20)

    def _command(self, text: str) -> Answer:
        words = shlex.split(text)
        given = b""
        if words[-2:-1] in (["<"], ["<<<"]):
            *words, sign, source = words
            given = Path(source).read_bytes() if sign == "<" else f"{source}\n".encode()
        begin = words.index("memctl")
        before = dict(os.environ)
        os.environ.update(dict(word.split("=", 1) for word in words[:begin]))
        try:
            return _called(self._main, words[begin + 1 :], given)
        finally:
            os.environ.clear()
            os.environ.update(before)

    @staticmethod
    def _shell(text: str) -> Answer:
        command = ["bash", "-o", "pipefail", "-c", text]
        # The recorded calls are this project's own; the shell is what they are about.
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603
        return _text(done.stdout), _text(done.stderr), done.returncode

    def _serve(self, text: str) -> Answer:
        self.close()
        self._server = subprocess.Popen(  # noqa: S603  (a call of the recorded set)
            shlex.split(text),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        self._to = cast("IO[str]", self._server.stdin)
        self._from = cast("IO[str]", self._server.stdout)
        client = {"name": "replay", "version": "1"}
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        begun = self._asked("initialize", about)
        self._send({"method": "notifications/initialized"})
        return json.dumps({"begun": begun, "tools": self._asked("tools/list", {})}), "", 0

    def _tool(self, text: str) -> Answer:
        name, _, arguments = text.partition(" ")
        given = {"name": name, "arguments": json.loads(arguments or "{}")}
        answer = self._asked("tools/call", given)
        failed = "error" in answer or answer.get("result", {}).get("isError", False)
        return json.dumps(answer), "", int(failed)

    def _asked(self, method: str, parameters: object) -> dict[str, Any]:
        self._sent += 1
        self._send({"id": self._sent, "method": method, "params": parameters})
        for line in self._from:
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == self._sent:
                return {key: message[key] for key in ("result", "error") if key in message}
        return {"error": "the server has ended"}

    def _send(self, message: dict[str, Any]) -> None:
        self._to.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._to.flush()

    def _python(self, text: str) -> Answer:
        import memctl

        self._names["memctl"] = memctl
        try:
            try:
                code = compile(text, "<call>", "eval")
            except SyntaxError:
                exec(text, self._names)  # noqa: S102  (a call of the recorded set)
                return "", "", 0
            return json.dumps(plain(eval(code, self._names))), "", 0  # noqa: S307  (the same)
        except Exception as error:  # noqa: BLE001  (an error is an answer)
            told = {name: getattr(error, name, None) for name in ("code", "hint", "exit_code")}
            told |= {"type": type(error).__name__, "message": str(error)}
            return "", json.dumps(told), 1


def plain(value: Any) -> Any:
    """Return a value of the public API as JSON holds it; a class's name is no part of it."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, bytes):
        return f"{len(value)} bytes {hashlib.sha256(value).hexdigest()}"
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.name[0] != "_"]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, Iterable):
        return [plain(one) for one in value]
    return str(value)


def _called(main: Any, words: list[str], given: bytes) -> Answer:
    """Call `main` with streams as Python opens them in a pipe, in a locale of UTF-8."""
    kept = sys.stdin, sys.stdout, sys.stderr
    out, error = io.BytesIO(), io.BytesIO()
    code: object = 0
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        sys.stdin = io.TextIOWrapper(file, "utf-8", "surrogateescape")
        sys.stdout = io.TextIOWrapper(out, "utf-8", "surrogateescape")
        sys.stderr = io.TextIOWrapper(error, "utf-8", "backslashreplace")
        try:
            main(words)
        except SystemExit as left:
            code = left.code
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            told = _text(out.getvalue()), _text(error.getvalue())
            sys.stdin, sys.stdout, sys.stderr = kept
    return *told, code if isinstance(code, int) else int(code is not None)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _play_all(calls: Path, answers: Path) -> None:
    ids, player = Ids(), Player()
    with answers.open("w", encoding="utf-8") as file:
        for kind, text in json.loads(calls.read_text("utf-8")):
            out, error, code = player.play(kind, ids.filled(text))
            file.write(json.dumps([ids.hidden(out), ids.hidden(error), code]) + "\n")
            file.flush()
    player.close()


if __name__ == "__main__":
    _play_all(Path(sys.argv[1]), Path(sys.argv[2]))
