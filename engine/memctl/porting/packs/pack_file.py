"""The file of a pack: a zip of a manifest, the lists of a memory as JSON, its pictures, a signature.

The same memory makes the same bytes. What is read is held to limits, and to the names that a pack
has, before any of it is unpacked: a file that lies about its size is refused where it is read.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
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
from memctl.guard.door import MAX_LABEL, MAX_NAME, MAX_TEXT, clean
from memctl.porting.packs.app_memory import SHARED, AppMemory
from memctl.porting.packs.signing import Signature, sign, verify
from memctl.porting.safe_files import unzipped
from memctl.store import schema_text
from memctl.visual.reading.image import load_frame, pixels_digest
from memctl.visual.reading.input_files import quoted, read_limited

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    Check = Callable[[Any, str], object]

FORMAT = "memctl pack"
VERSION = 2
_MANIFEST, _MEMORY, _SIGNATURE = "manifest.json", "memory.json", "signature.json"
_PICTURE = re.compile(r"pictures/([0-9a-f]{64})\.png")
_MEGA = 1 << 20
_MOST_FILE = 512 * _MEGA  # bytes
_MOST_TEXT = 64 * _MEGA
_MOST_PICTURE = 16 * _MEGA
_MOST_MEMBERS = 100_000
_MOST_UNPACKED = 1024 * _MEGA
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip has
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
    members = {_MEMORY: _json(memory.lists)}
    members |= {f"pictures/{sha}.png": png for sha, png in sorted(memory.pngs.items())}
    manifest = {
        "format": FORMAT,
        "version": 1 if memory.facts is None else VERSION,
        "address": memory.address,
        "origin": memory.origin,
        "origins": memory.origins,
        "members": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
    }
    if memory.facts is not None:
        manifest["shared_at"] = memory.shared_at
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
    with unzipped(io.BytesIO(data), quoted(path)) as packed:
        return _read(packed, quoted(path), key, unsigned=unsigned)


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
    lists, pngs = _contents(packed, manifest)
    check_memory(lists, manifest.get("origins"), pngs)
    _check_pictures(lists, pngs)
    memory = AppMemory(manifest["origin"], manifest["address"], manifest["origins"], pngs=pngs)
    if "facts" in lists:
        _AT(manifest.get("shared_at"), "shared_at")
        _like(_ORIGIN, "origin")(memory.origin, "origin")
        memory.shared_at = manifest["shared_at"]
    for part, value in lists.items():
        setattr(memory, part, value)
    return memory, signed_by


def _check_members(packed: zipfile.ZipFile, name: str) -> None:
    """Refuse a file with names that a pack has not, or that would unpack to too much."""
    members = packed.infolist()
    if len(members) > _MOST_MEMBERS or sum(member.file_size for member in members) > _MOST_UNPACKED:
        raise UnusableInputError(f"{name} unpacks to more than a pack may hold")
    names = [member.filename for member in members]
    for member in members:
        file = member.filename
        known = file in {_MANIFEST, _MEMORY, _SIGNATURE} or _PICTURE.fullmatch(file)
        if not known or member.compress_type not in _KNOWN or member.flag_bits & 1:
            raise UnusableInputError(f"{name} holds {quoted(file)}, which no pack does")
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
    """Return the lists of a pack and its pictures, each as the manifest has it."""
    members = manifest.get("members")
    names = set(packed.namelist()) - {_MANIFEST, _SIGNATURE}
    if not isinstance(members, dict) or set(members) != names:
        raise RefusedError("the pack was changed: it holds other files than its manifest says")
    lists, pngs, left = None, {}, _MOST_UNPACKED
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
            lists = _parsed(data, name)
    return lists, pngs


def _check_pictures(lists: Any, pngs: Mapping[str, bytes]) -> None:
    """Refuse pictures that are none, or not those of their digests."""
    sizes = {}
    for sha, png in pngs.items():
        pixels = load_frame(png).bgr
        if pixels_digest(pixels) != sha:
            raise UnusableInputError(f"the pack is broken: picture {sha:.12} shows something else")
        sizes[sha] = pixels.shape[1::-1]
    for entry in lists["components"]:
        for look in entry["pictures"]:
            if (look["w"], look["h"]) != sizes[look["sha256"]]:
                raise UnusableInputError("the pack is broken: a picture has another size")


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def _parsed(data: bytes, name: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    try:
        return json.loads(data, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise UnusableInputError(f"the pack is broken: {name} is no JSON") from error


# --- the shape of the lists, value by value

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_KEY = re.compile(r"[0-9a-f]{32}:(?:[1-9][0-9]{0,17}|s_[0-9a-f]{1,64}(?:_[0-9]{1,6})*)")
_ORIGIN = re.compile(r"[0-9a-f]{32}")
_SHA = re.compile(r"[0-9a-f]{64}")
_MOST = 1_000_000_000_000
_SIDE = 100_000  # pixels


def _wrong(where: str, what: str) -> UnusableInputError:
    return UnusableInputError(f"the pack is broken: {where} is no {what}", hint="get it again")


def _text(limit: int) -> Check:
    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or len(value) > limit or clean(value, what=where) != value:
            raise _wrong(where, f"text of at most {limit} characters")

    return check


def _like(pattern: re.Pattern[str], what: str) -> Check:
    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise _wrong(where, what)

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) is not int or not least <= value <= most:
            raise _wrong(where, f"number from {least} to {most}")

    return check


def _real(least: float, most: float) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) not in {int, float} or not least <= value <= most:
            raise _wrong(where, f"number from {least} to {most}")

    return check


def _or_null(check: Check) -> Check:
    return lambda value, where: None if value is None else check(value, where)


def _list(check: Check, *, most: int = 1_000_000, least: int = 0) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise _wrong(where, f"list of {least} to {most}")
        for at, item in enumerate(value):
            check(item, f"{where}[{at}]")

    return each


def _row(*checks: Check) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) != len(checks):
            raise _wrong(where, f"list of {len(checks)}")
        for at, (check, item) in enumerate(zip(checks, value, strict=True)):
            check(item, f"{where}[{at}]")

    return each


def _counts(key: Check, check: Check, *, least: int = 1) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, dict) or len(value) < least:
            raise _wrong(where, "object")
        for name, item in value.items():
            key(name, where)
            check(item, f"{where}.{name:.80}")

    return each


def _object(**checks: Check) -> Check:
    def each(value: Any, where: str) -> None:
        if not isinstance(value, dict) or value.keys() != checks.keys():
            raise _wrong(where, f"object of {', '.join(checks)}")
        for name, check in checks.items():
            check(value[name], f"{where}.{name}")

    return each


def one_of_keys(value: Any, where: str, names: Iterable[str]) -> None:
    """Refuse what is no object with these texts."""
    if not isinstance(value, dict) or not all(isinstance(value.get(name), str) for name in names):
        raise _wrong(where, f"object of {', '.join(names)}")


_FLAG = _whole(0, 1)
_AT = _like(_TIME, "time")
_LENGTH = _whole(-_SIDE, _SIDE)
_SIZE = _whole(1, _SIDE)
_COUNT = _whole(0, _MOST)
_KEYS = _counts(_like(_KEY, "key"), _COUNT)
_PLACE = _whole(0, _MOST)
_NAME = _text(MAX_NAME)
_LABEL = _text(MAX_LABEL)


def _declared(table: str, **own: Check | None) -> Check:
    """Return the check of what travels of a table: each column by its kind, but for checks of its own.

    ``None`` leaves a column out.
    """
    kinds = {
        "text": _LABEL, "time": _AT, "flag": _FLAG, "whole": _COUNT, "number": _real(-_MOST, _MOST),
    }  # fmt: skip
    declared: dict[str, Check | None] = {
        name: _or_null(kinds[column.kind]) if column.nullable else kinds[column.kind]
        for name, column in schema_text.columns()[table].items()
        if column.travels("pack") and name not in own
    }
    return _object(**{name: check for name, check in (declared | own).items() if check})


_LOOK = _declared(
    "template", png=None, sha256=_like(_SHA, "digest"), w=_SIZE, h=_SIZE, scale=_real(0.1, 16),
)  # fmt: skip
_COMPONENT = _declared(
    "component", seen_count=None, keys=_KEYS, name=_or_null(_NAME), type=_NAME, source=_NAME,
    scale=_real(0.1, 16), rel_x=_LENGTH, rel_y=_LENGTH, w=_SIZE, h=_SIZE, confidence=_real(0, 1),
    pictures=_list(_LOOK, least=1, most=1000),
)  # fmt: skip
_STATE = _declared(
    "state", visit_count=None, keys=_KEYS, name=_or_null(_NAME), img_w=_SIZE, img_h=_SIZE,
    status=_like(re.compile("provisional|confirmed"), "status"),
    known_by=_like(re.compile("components|words"), "kind of screen"),
    components=_list(_row(_PLACE, _FLAG, _LENGTH, _LENGTH), least=1),
)  # fmt: skip
_EDGE = _object(
    **{"from": _PLACE}, to=_PLACE, action=_NAME, component=_or_null(_PLACE),
    detail=_or_null(_LABEL), recorded_at=_AT, last_used_at=_AT,
    shares=_counts(_like(_ORIGIN, "origin"), _row(_COUNT, _COUNT, _COUNT, _COUNT)),
)  # fmt: skip
_STEP = _object(
    number=_SIZE, action=_NAME, component=_or_null(_PLACE), target=_or_null(_LABEL),
    beside=_or_null(_LABEL), detail=_or_null(_LABEL), from_state=_or_null(_PLACE),
    to_state=_or_null(_PLACE), output=_or_null(_NAME), irreversible=_FLAG,
    mean_ms=_or_null(_real(0, _MOST)),
)  # fmt: skip
_SKILL = _object(
    name=_NAME, description=_text(1024), triggers=_list(_LABEL, most=100), facts=_list(_LABEL, most=0),
    url=_or_null(_LABEL), steps=_list(_STEP, least=1, most=200),
    parameters=_counts(_NAME, _text(0), least=0),
)  # fmt: skip
_FACT = _object(
    **{name: _or_null(_LABEL) for name in ("subject", "attribute", "value")},
    id=_like(re.compile(r"\S{1,80}"), "id"), text=_text(MAX_TEXT), project=_LABEL,
    category=_like(re.compile("|".join(SHARED)), f"one of {', '.join(SHARED)}"),
    valid_from=_AT, expires_at=_or_null(_AT), created_at=_AT,
)  # fmt: skip
_LISTS = {
    "components": _list(_COMPONENT), "states": _list(_STATE), "transitions": _list(_EDGE),
    "skills": _list(_SKILL),
    "forgotten": _list(_object(keys=_KEYS, forgotten_at=_AT, last_seen_at=_AT)),
}  # fmt: skip
_WHOLE, _WITH_FACTS = _object(**_LISTS), _object(**_LISTS, facts=_list(_FACT))
_ORIGINS = _counts(_like(_ORIGIN, "origin"), _NAME, least=0)  # none: nothing is known yet


def check_memory(lists: Any, origins: Any, pictures: Mapping[str, object]) -> None:
    """Refuse lists that no pack can have.

    Parameters
    ----------
    lists
        Plain objects out of JSON.
    origins
        Origins whose counts are in it, with their addresses.
    pictures
        Digests of the pictures that came along.

    Raises
    ------
    UnusableInputError
        With the place of what is wrong: ``components[3].w``.
    """
    _ORIGINS(origins, "origins")
    (_WITH_FACTS if isinstance(lists, dict) and "facts" in lists else _WHOLE)(lists, "memory")
    ids = [fact["id"] for fact in lists.get("facts", ())]
    if len(set(ids)) < len(ids):
        raise _wrong("facts", "list of facts that are each there once")
    for name, origin in _origins_of(lists):
        if origin not in origins:
            raise _wrong(name, "thing of a known origin")
    for at, entry in enumerate(lists["components"]):
        for look in entry["pictures"]:
            if look["sha256"] not in pictures:
                raise _wrong(f"components[{at}].pictures", "list of pictures that came along")
    sizes = len(lists["components"]), len(lists["states"])
    for where, place, size in _places(lists, *sizes):
        if place is not None and place >= size:
            raise _wrong(where, "place in a list")


def _origins_of(lists: Any) -> Iterable[tuple[str, str]]:
    for kind in ("components", "states", "forgotten"):
        for at, entry in enumerate(lists[kind]):
            for key in entry["keys"]:
                if (":s_" in key) != (kind == "states"):
                    raise _wrong(f"{kind}[{at}].keys", "key of its kind")
                yield f"{kind}[{at}]", key.partition(":")[0]
    for at, edge in enumerate(lists["transitions"]):
        for origin in edge["shares"]:
            yield f"transitions[{at}]", origin


def _places(lists: Any, components: int, states: int) -> Iterable[tuple[str, int | None, int]]:
    for at, state in enumerate(lists["states"]):
        for place in state["components"]:
            yield f"states[{at}].components", place[0], components
    for at, edge in enumerate(lists["transitions"]):
        yield f"transitions[{at}].component", edge["component"], components
        yield f"transitions[{at}].from", edge["from"], states
        yield f"transitions[{at}].to", edge["to"], states
    for at, skill in enumerate(lists["skills"]):
        for step in skill["steps"]:
            yield f"skills[{at}].steps", step["component"], components
            yield f"skills[{at}].steps", step["from_state"], states
            yield f"skills[{at}].steps", step["to_state"], states
