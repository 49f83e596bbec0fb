"""The file of a pack: a zip of a manifest, what the memory says as JSON, its pictures, a signature.

The same memory makes the same bytes. What is read is held to limits, and to the names that a pack
has, before any of it is unpacked: a file that lies about its size is refused where it is read.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.errors import (
    FileAccessError,
    NewerStoreError,
    RefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.base.whole_file import whole_file
from memctl.porting.packs.app_memory import AppMemory
from memctl.porting.packs.shape_checks import check_memory, one_of_keys
from memctl.porting.packs.signing import Signature, sign, verify
from memctl.visual.reading.image import load_frame, pixels_digest
from memctl.visual.reading.input_files import quoted, read_limited

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

__all__ = ["read_pack", "write_pack"]

FORMAT = "memctl pack"
VERSION = 1
_MANIFEST, _MEMORY, _SIGNATURE = "manifest.json", "memory.json", "signature.json"
_PICTURE = re.compile(r"pictures/([0-9a-f]{64})\.png")
_MEGA = 1 << 20
_MOST_FILE = 512 * _MEGA  # bytes
_MOST_TEXT = 64 * _MEGA
_MOST_PICTURE = 16 * _MEGA
_MOST_MEMBERS = 100_000
_MOST_UNPACKED = 1024 * _MEGA
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can tell
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
_KNOWN = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


def write_pack(
    memory: AppMemory, path: str | os.PathLike[str], *, key: str | None, replace: bool
) -> int:
    """Write a memory as a pack; return its size in bytes.

    Parameters
    ----------
    key
        The file of a private key that signs it; ``None``: unsigned.
    replace
        Write over a file that is there.

    Raises
    ------
    UsageError
        When there is a file, and nobody said to replace it.
    FileAccessError
        When it cannot be written.
    """
    if not replace and Path(path).exists():
        raise UsageError(f"{quoted(path)} is there already", hint="--replace writes over it")
    members = {_MEMORY: _json(memory.told)}
    members |= {f"pictures/{sha}.png": png for sha, png in sorted(memory.pngs.items())}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "address": memory.address,
        "origin": memory.origin,
        "origins": memory.origins,
        "members": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
    }
    head = {_MANIFEST: _json(manifest)}
    if key is not None:
        head[_SIGNATURE] = _json(sign(head[_MANIFEST], key))
    return _written(Path(path), {**head, **members})


def _written(path: Path, members: Mapping[str, bytes]) -> int:
    """Write a zip beside its place, and move it there once it is whole."""
    try:
        with whole_file(path) as file, zipfile.ZipFile(file, "w") as packed:
            for name, data in members.items():
                about = zipfile.ZipInfo(name, _EPOCH)
                about.external_attr = 0o644 << 16
                stored = name.endswith(".png")
                about.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
                packed.writestr(about, data)
        path.chmod(0o644)  # a pack is for others
        return path.stat().st_size
    except OSError as error:
        raise FileAccessError(
            f"{quoted(path)} cannot be written: {error.strerror}", hint="name another file"
        ) from error


def read_pack(
    path: str | os.PathLike[str], *, key: str | None, unsigned: bool
) -> tuple[AppMemory, str | None]:
    """Read a pack, all of it checked; return it, and the public key that signed it.

    Parameters
    ----------
    key
        The public key that must have signed it, or a file with that.
    unsigned
        Take a pack that nobody vouches for: unsigned, or signed while no key is expected.

    Raises
    ------
    RefusedError
        When it is not signed by `key`, or nobody vouches for it and `unsigned` does not say so.
    NewerStoreError
        When a newer memctl wrote it.
    UnusableInputError
        When it is no pack, or not whole.
    """
    data = read_limited(path, most=_MOST_FILE, what="a pack")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return _read(packed, quoted(path), key, unsigned=unsigned)
    except _BROKEN as error:
        raise UnusableInputError(
            f"{quoted(path)} is no whole pack: {error}", hint="get it again"
        ) from error


def _read(
    packed: zipfile.ZipFile, name: str, key: str | None, *, unsigned: bool
) -> tuple[AppMemory, str | None]:
    _check_members(packed, name)
    raw = _member(packed, _MANIFEST)
    manifest = _parsed(raw, _MANIFEST)
    one_of_keys(manifest, _MANIFEST, ("format", "address", "origin"))
    version = manifest.get("version")
    if manifest["format"] != FORMAT or type(version) is not int:
        raise UnusableInputError(
            f"{name} is no pack of memctl", hint="memctl export pack makes one"
        )
    if version > VERSION:
        raise NewerStoreError(
            f"{name} is a pack of version {version}; this memctl knows {VERSION}",
            hint="update memctl; nothing was written",
        )
    signed_by = _signed_by(packed, raw, key, unsigned=unsigned)
    told, pngs = _contents(packed, manifest)
    check_memory(told, manifest.get("origins"), pngs)
    _check_pictures(told, pngs)
    memory = AppMemory(manifest["origin"], manifest["address"], manifest["origins"], pngs=pngs)
    for part, value in told.items():
        setattr(memory, part, value)
    return memory, signed_by


def _check_members(packed: zipfile.ZipFile, name: str) -> None:
    """Refuse a file with names that a pack has not, or that would unpack to too much."""
    members = packed.infolist()
    if len(members) > _MOST_MEMBERS or sum(one.file_size for one in members) > _MOST_UNPACKED:
        raise UnusableInputError(f"{name} unpacks to more than a pack may hold")
    names = [one.filename for one in members]
    for one in members:
        known = one.filename in {_MANIFEST, _MEMORY, _SIGNATURE} or _PICTURE.fullmatch(one.filename)
        if not known or one.compress_type not in _KNOWN or one.flag_bits & 1:
            raise UnusableInputError(f"{name} holds {quoted(one.filename)}, which no pack does")
    if len(set(names)) != len(names) or not {_MANIFEST, _MEMORY} <= set(names):
        raise UnusableInputError(
            f"{name} is no pack of memctl", hint="memctl export pack makes one"
        )


def _member(packed: zipfile.ZipFile, name: str) -> bytes:
    most = _MOST_PICTURE if _PICTURE.fullmatch(name) else _MOST_TEXT
    with packed.open(name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UnusableInputError(f"the pack is broken: {name} has over {most:,} bytes")
    return data


def _signed_by(
    packed: zipfile.ZipFile, manifest: bytes, key: str | None, *, unsigned: bool
) -> str | None:
    """Return the key that signed a pack, once it is known to have."""
    if _SIGNATURE not in packed.namelist():
        if key is not None or not unsigned:
            raise RefusedError(
                "the pack is not signed", hint="--unsigned takes it, if you trust who gave it"
            )
        return None
    signature: Signature = _parsed(_member(packed, _SIGNATURE), _SIGNATURE)
    one_of_keys(signature, _SIGNATURE, ("algorithm", "key", "signature"))
    if key is None:
        if unsigned:
            return None
        raise RefusedError(
            f"the pack is signed by {signature['key']:.60}, and nobody says that this is right",
            hint="--key PUBLIC_KEY says whose it must be; --unsigned asks for nobody's",
        )
    verify(manifest, signature, key)
    return signature["key"]


def _contents(packed: zipfile.ZipFile, manifest: Any) -> tuple[Any, dict[str, bytes]]:
    """Return what a pack says and its pictures, each as the manifest has it."""
    members = manifest.get("members")
    names = set(packed.namelist()) - {_MANIFEST, _SIGNATURE}
    if not isinstance(members, dict) or set(members) != names:
        raise RefusedError("the pack was changed: it holds other files than its manifest says")
    told, pngs, left = None, {}, _MOST_UNPACKED
    for name in sorted(names):
        data = _member(packed, name)
        left -= len(data)
        if left < 0:
            raise UnusableInputError("the pack unpacks to more than a pack may hold")
        if hashlib.sha256(data).hexdigest() != members[name]:
            raise RefusedError(f"the pack was changed: {name} is not what its manifest says")
        picture = _PICTURE.fullmatch(name)
        if picture:
            pngs[picture[1]] = data
        else:
            told = _parsed(data, name)
    return told, pngs


def _check_pictures(told: Any, pngs: Mapping[str, bytes]) -> None:
    """Refuse pictures that are none, or not the ones that they are said to be."""
    sizes = {}
    for sha, png in pngs.items():
        pixels = load_frame(png).bgr
        if pixels_digest(pixels) != sha:
            raise UnusableInputError(f"the pack is broken: picture {sha:.12} shows something else")
        sizes[sha] = pixels.shape[1::-1]
    for entry in told["components"]:
        for look in entry["pictures"]:
            if (look["w"], look["h"]) != sizes[look["sha256"]]:
                raise UnusableInputError("the pack is broken: a picture has another size")


def _json(value: Any) -> bytes:
    told = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return told.encode()


def _parsed(data: bytes, name: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    try:
        return json.loads(data, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise UnusableInputError(f"the pack is broken: {name} is no JSON") from error
