"""Signatures of packs, by Ed25519. The extra ``packs`` brings what is loaded here, when it is used."""

from __future__ import annotations

import base64
import binascii
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.errors import FileAccessError, RefusedError, UnusableInputError, UsageError
from memctl.visual.reading.input_files import quoted, read_limited

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Signature = dict[str, str]

_MOST = 10_000  # bytes of a key's file
_PUBLIC = re.compile(r"[A-Za-z0-9+/]{43}=")
_PREFIX = b"memctl pack\n"  # so that a signature under a pack signs nothing else


def new_key(path: str | os.PathLike[str]) -> str:
    """Write a new private key (PEM, readable by its owner alone); return its public key, Base64.

    Raises
    ------
    UsageError
        When there is a file of this name: a key that is lost is lost.
    FileAccessError
        When it cannot be written.
    """
    serialization, ed25519 = _library()
    key = ed25519.Ed25519PrivateKey.generate()
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(f"{quoted(path)} is there already", hint="name a new file") from None
    except OSError as error:
        raise FileAccessError(
            f"{quoted(path)} cannot be written: {error.strerror}", hint="name another file"
        ) from error
    with os.fdopen(handle, "wb") as file:
        file.write(pem)
    return _as_base64(key)


def sign(message: bytes, path: str | os.PathLike[str]) -> Signature:
    """Return a signature of `message` with the private key in a file.

    Raises
    ------
    UnusableInputError
        When the file holds no private key of Ed25519.
    """
    key = _private(path)
    signed = base64.b64encode(key.sign(_PREFIX + message)).decode()
    return {"algorithm": "ed25519", "key": _as_base64(key), "signature": signed}


def verify(message: bytes, signature: Signature, expected: str) -> None:
    """Refuse a message that the holder of the expected key did not sign.

    Parameters
    ----------
    expected
        The public key: Base64, or a file that holds it.

    Raises
    ------
    RefusedError
        When it was signed by another key, or changed since.
    UnusableInputError
        When `expected` is no key.
    """
    wanted = public_key(expected)
    if signature["key"] != wanted:
        raise RefusedError(
            f"the pack is signed by another key, {signature['key']}",
            hint="ask its author for the public key; --key takes it",
        )
    from cryptography.exceptions import InvalidSignature

    _, ed25519 = _library()
    key = ed25519.Ed25519PublicKey.from_public_bytes(base64.b64decode(wanted))
    try:
        key.verify(base64.b64decode(signature["signature"], validate=True), _PREFIX + message)
    except (InvalidSignature, binascii.Error):
        raise RefusedError(
            "the signature is wrong: the pack was changed", hint="get it again from its author"
        ) from None


def public_key(text: str) -> str:
    """Return the public key in a text, or in a file of this name, in Base64.

    The file holds it in Base64 or is a private key, whose public one is meant.

    Raises
    ------
    UnusableInputError
        When it is none.
    """
    if _PUBLIC.fullmatch(text):
        return text
    if Path(text).is_file():
        text_in_file = (
            read_limited(text, most=_MOST, what="a key").decode("ascii", "replace").strip()
        )
        if _PUBLIC.fullmatch(text_in_file):
            return text_in_file
        return _as_base64(_private(text))
    raise UnusableInputError(
        f"{quoted(text)} is no public key", hint="44 characters of Base64, or a file with them"
    )


def _private(path: str | os.PathLike[str]) -> Ed25519PrivateKey:
    serialization, ed25519 = _library()
    pem = read_limited(path, most=_MOST, what="a key")
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise UnusableInputError(
            f"{quoted(path)} holds no private key of Ed25519",
            hint="make one: memctl export pack --new-key FILE",
        )
    signing_key: Ed25519PrivateKey = key
    return signing_key


def _as_base64(key: Ed25519PrivateKey) -> str:
    return base64.b64encode(key.public_key().public_bytes_raw()).decode()


def _library() -> tuple[Any, Any]:
    """Return the modules that read keys and that sign."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise UsageError(
            "signatures need the package cryptography",
            hint="pip install 'memctl-engine[packs]', or leave the pack unsigned",
        ) from error
    return serialization, ed25519
