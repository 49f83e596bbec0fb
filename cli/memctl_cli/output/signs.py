"""Signs for terminals that know no Unicode: the nearest of ASCII."""

from __future__ import annotations

import codecs
import io
import sys

# What memctl and its libraries draw with. Everything else becomes "?".
_NEAREST = {
    **dict.fromkeys("─━═—", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
    "…": "...",
    "\xd7": "x",
    "\xa0": " ",
}


def show_what_can_be_shown() -> None:
    """Let the standard streams write "?", or a sign like it, for what their encoding lacks.

    Without it a name in another script would end a command in the middle of its answer.
    """
    codecs.register_error("memctl", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="memctl")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_NEAREST.get(sign, "?") for sign in text), error.end
