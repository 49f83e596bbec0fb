"""Tokens that requests over HTTP carry: made, kept for their owner alone, compared."""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import os
import re
import secrets
import stat
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import (
    FileAccessError,
    MemctlError,
    NotFoundError,
    RefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.base.home import names_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ENVIRONMENT = "MEMCTL_TOKEN"
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")  # what a header carries as it is
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """Return the digest of a token, which has so many bits that it needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_token(given: str, digest: str) -> bool:
    """Return whether a token has this digest, in the same time for each wrong one."""
    return hmac.compare_digest(digest_of(given), digest)


def own_token(path: Path, *, make: bool = True) -> str | None:
    """Return the token of ``MEMCTL_TOKEN``, else of a file; with `make` that is made at first.

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
    if kept is None and not make:
        return None
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


# -- tokens with a name --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grant:
    """The store, owners and tools that a token opens; of the token itself its digest alone.

    ``None`` is what the server was started with.
    """

    name: str = ""
    app: str | None = None
    user: str | None = None
    agent: str | None = None
    session: str | None = None
    project: str | None = None
    tools: str | None = None
    readonly: bool = False
    added_at: str = ""
    digest: str = ""

    def described(self) -> dict[str, str | bool | None]:
        """Return all but the digest."""
        return {name: value for name, value in asdict(self).items() if name != "digest"}


class NamedTokens:
    """The tokens of a home, one file each, its owner's alone: ``tokens/NAME.json``."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "tokens"

    def add(self, grant: Grant) -> None:
        """Keep a new token.

        Raises
        ------
        UsageError
            When the name is none, or another token has it.
        FileAccessError
            When it cannot be written.
        """
        path = self._path(grant.name)
        if path in self._files():
            raise UsageError(
                f'there is a token "{grant.name}"', hint=f"memctl tokens revoke {grant.name}"
            )
        create_private(path, json.dumps(asdict(grant)))

    def revoke(self, name: str) -> None:
        """Remove a token; from now on it opens nothing.

        Raises
        ------
        NotFoundError
            When there is none of this name.
        """
        try:
            self._path(name).unlink()
        except FileNotFoundError:
            raise NotFoundError(f'there is no token "{name}"', hint="memctl tokens list") from None

    def list(self) -> Sequence[Grant]:
        """Return the grants of all tokens, by name.

        Raises
        ------
        RefusedError, FileAccessError, UnusableInputError
            When a file is not its owner's alone, or holds no token.
        """
        return [grant for path in self._files() if (grant := _read(path))]

    def of(self, token: str) -> Grant | None:
        """Return the grant of a token; ``None`` for a wrong one. A broken file holds no token."""
        found = None
        for path in self._files():
            try:
                grant = _read(path)
            except MemctlError:
                continue
            # All are compared: the time says nothing about which comes near.
            if grant is not None and is_token(token, grant.digest):
                found = grant
        return found

    def holds(self, grant: Grant) -> bool:
        """Return whether a token is there as it was."""
        try:
            return _read(self._path(grant.name)) == grant
        except MemctlError:
            return False

    def _files(self) -> Sequence[Path]:
        names = names_in(self._folder, within=self._folder.parent)
        return [self._folder / name for name in names if name.endswith(".json")]

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise UsageError(
                f'"{name:.40}" is no name of a token',
                hint="1 to 64 small letters, digits, - and _; a letter or digit first",
            )
        return self._folder / f"{name}.json"


def _read(path: Path) -> Grant | None:
    """Read the grant in a file; ``None`` where the file is just being made or removed."""
    if not (text := read_private(path)):
        return None
    try:
        grant = Grant(**json.loads(text))
    except (ValueError, TypeError):
        raise UnusableInputError(
            f'"{path}" holds no token', hint=f"memctl tokens revoke {path.stem}"
        ) from None
    return grant if grant.name == path.stem else None
