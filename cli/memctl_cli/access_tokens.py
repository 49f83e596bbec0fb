"""Tokens that requests over HTTP carry: made, kept for their owner alone, compared."""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import re
import secrets
import stat
from typing import TYPE_CHECKING

from memctl.base.errors import FileAccessError, RefusedError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

ENVIRONMENT = "MEMCTL_TOKEN"
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")  # what a header carries as it is


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """Return what is kept of a token; it has so many bits that it needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_token(given: str, digest: str) -> bool:
    """Return whether a token has this digest, in the same time for each wrong one."""
    return hmac.compare_digest(digest_of(given), digest)


def own_token(path: Path) -> str:
    """Return the token of ``MEMCTL_TOKEN``, else of a file, which is made at the first start.

    Raises
    ------
    UsageError
        When it is too short, or no header can carry it.
    RefusedError
        When others may read the file.
    FileAccessError
        When it cannot be read or made.
    """
    if token := os.environ.get(ENVIRONMENT, ""):
        return _checked(token, ENVIRONMENT)
    kept = read_private(path)
    if kept is None:
        kept = new_token()
        create_private(path, kept)
    return _checked(kept.strip(), f'"{path}"')


def _checked(token: str, where: str) -> str:
    if not _TOKEN.fullmatch(token):
        raise UsageError(
            f"{where} holds no token", hint="16 or more letters, digits and any of ._~+/=-"
        )
    return token


def read_private(path: Path) -> str | None:
    """Return the text of a file that is its owner's alone; ``None`` where there is none.

    Raises
    ------
    RefusedError
        When it is a link, no plain file, or others may read or change it.
    FileAccessError
        When it cannot be read.
    """
    # A pipe would be waited for.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise RefusedError(f'"{path}" is a link', hint="put the file itself there") from None
        raise FileAccessError(
            f'"{path}" cannot be read: {error.strerror}', hint="see its owner and mode", cause=error
        ) from None
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise RefusedError(f'"{path}" is no plain file', hint="remove it")
        if os.name == "posix" and mode & 0o077:
            raise RefusedError(
                f'others may read "{path}": its mode is {stat.S_IMODE(mode):04o}',
                hint=f"chmod 600 '{path}', and make a new token if others use this machine",
            )
        with os.fdopen(handle, encoding="utf-8", errors="replace", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def create_private(path: Path, text: str) -> None:
    """Write a new file that is its owner's alone.

    Raises
    ------
    FileAccessError
        When it cannot be made, or there is one of this name meanwhile.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be made: {error.strerror}',
            hint=f"set {ENVIRONMENT} to a token of your own",
            cause=error,
        ) from None
