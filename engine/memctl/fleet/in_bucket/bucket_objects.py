"""Stores as objects of a bucket: packed against an empty store, described, proved after writing.

::

    PREFIX/apps/harbor.db.zst                       harbor
    PREFIX/apps/chromium/sites/united.com.db.zst    chromium/united.com
    PREFIX/dictionaries/SHA256.db                   an empty store, without any content
    PREFIX/leases/harbor                            who works on it

An object is zstd with the empty store as raw dictionary: ``zstd -d --patch-from`` unpacks it too.
"""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing, suppress
from functools import lru_cache
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from memctl.base.errors import (
    ChangedMeanwhileError,
    NotFoundError,
    RefusedError,
    StoreDamagedError,
    UsageError,
)
from memctl.base.home import Address, parse_address
from memctl.base.whole_file import whole_file
from memctl.fleet.buckets import BucketObject, below, fetch, put, sizes
from memctl.store import migrations, statements
from memctl.store.connections import connect, reading, usual_timeout
from memctl.store.sqlite_errors import translated
from memctl.store.store_file import make_folders
from memctl.upkeep.store_copies import checked_copy, copy_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

STORE = statements.load("store/store")

_ENDING = ".db.zst"
_LEVEL = 9
SEAL = statements.load("store/seal")
_HEADER = 100  # bytes of the first page of a SQLite file
# A frame that zstd skips; a nonce in it makes each writing another one to the bucket.
_SKIPPED = (0x184D2A50).to_bytes(4, "little") + (16).to_bytes(4, "little")


def url_of(prefix: str, address: Address) -> str:
    """Return the URL of a store's object."""
    sites = f"/sites/{address.site}" if address.site else ""
    return below(prefix, f"apps/{address.app}{sites}{_ENDING}")


def parted(url: str) -> tuple[str, Address | None]:
    """Return the prefix in a URL, and the address of the store whose object it names, if any."""
    prefix, apps, name = url.rpartition("/apps/")
    address = _address_in(name) if apps else None
    return (prefix, address) if address else (url.rstrip("/"), None)


def _address_in(name: str) -> Address | None:
    if not name.endswith(_ENDING):
        return None
    with suppress(UsageError):
        address = parse_address(name.removesuffix(_ENDING).replace("/sites/", "/", 1))
        return address if url_of("", address) == f"/apps/{name}" else None
    return None


def stores_below(url: str) -> Iterator[tuple[Address, str, int]]:
    """Yield the stores of a prefix, or the single one that is named: address, URL, size in bytes."""
    prefix, single = parted(url)
    for name, size in sorted(sizes(below(prefix, "apps")).items()):
        address = _address_in(name)
        if address is not None and single in {None, address}:
            yield address, url_of(prefix, address), size


# -- what is in a store, and beside its object ---------------------------------------------


def heading(path: Path) -> dict[str, str]:
    """Return the address, origin and schema of a store, and how often something was erased."""
    with translated(path):
        connection = connect(path, readonly=True, busy_timeout_ms=usual_timeout())[0]
        with closing(connection), reading(connection):
            address, origin, schema, erasures = connection.execute(STORE.heading).fetchone()
    return {
        "address": str(address),
        "origin": str(origin),
        "schema": str(schema),
        "erasures": str(erasures),
        "memctl": version_of("memctl-engine"),
    }


def copied(source: sqlite3.Connection | Path, copy: Path) -> dict[str, str]:
    """Copy a store as it is now into a new file, check that, and return its heading with its digest."""
    if isinstance(source, sqlite3.Connection):
        copy_pages(source, copy)
    else:
        with translated(source):
            opened = connect(source, readonly=True, busy_timeout_ms=usual_timeout())[0]
            with closing(opened):
                copy_pages(opened, copy)
    checked_copy(copy)
    return heading(copy) | {"digest": hashlib.sha256(copy.read_bytes()).hexdigest()}


def have_same_pages(path: Path, other: Path) -> bool:
    """Return whether two files of a store differ in nothing but SQLite's own counters of writes, and the seal."""
    return _without_seal(path) == _without_seal(other)


def _without_seal(path: Path) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        size = connection.execute("pragma page_size").fetchone()[0]
        row = connection.execute(SEAL.page_of_seal).fetchone()
    pages = path.read_bytes()
    if row is not None:  # a version that knew no seal has none
        pages = pages[: (row[0] - 1) * size] + pages[row[0] * size :]
    return pages[_HEADER:]


# -- packing -------------------------------------------------------------------------------


def save(
    url: str, path: Path, metadata: Mapping[str, str], known: BucketObject | None
) -> BucketObject:
    """Write a checked copy as a store's object on the condition of `known`; read it back to prove it.

    Raises
    ------
    ChangedMeanwhileError
        When somebody else has written it since.
    StoreDamagedError
        When the bucket gives back something else.
    """
    dictionary = _kept_dictionary(parted(url)[0])
    data = packed(path) + _SKIPPED + uuid4().bytes
    made = put(url, data, {**metadata, "dictionary": dictionary}, known)
    there = fetch(url)
    if there is None or (there.e_tag == made.e_tag and there.data != data):
        raise StoreDamagedError(f'"{url}" came back other than it was written', hint="push again")
    return made


def packed(path: Path) -> bytes:
    """Return a store's file as an object has it."""
    packer = _zstandard().ZstdCompressor(level=_LEVEL, dict_data=_raw(_empty_store()))
    content: bytes = packer.compress(path.read_bytes())
    return content


def unpack(url: str, kept: BucketObject | None, path: Path) -> None:
    """Write the store of an object into a new file, private, and compare its digest.

    Raises
    ------
    NotFoundError
        When there is no object, or not the dictionary that it was packed with.
    StoreDamagedError
        When it is not what was written.
    RefusedError
        When it is the store of another address.
    """
    if kept is None:
        raise NotFoundError(f'"{url}" is not there', hint="memctl fleet stores lists a bucket")
    zstandard = _zstandard()
    prefix, address = parted(url)
    said = kept.metadata.get("address")
    if said and address and said != str(address):
        raise RefusedError(
            f'"{url}" holds the store of "{said}"', hint="somebody has copied it there: remove it"
        )
    unpacker = zstandard.ZstdDecompressor(
        dict_data=_raw(_dictionary(prefix, kept.metadata.get("dictionary", "")))
    )
    digest = hashlib.sha256()
    make_folders(path.parent)
    with whole_file(path) as file:  # piece by piece: a hostile object may unpack to anything
        try:
            for piece in unpacker.read_to_iter(kept.data):
                digest.update(piece)
                file.write(piece)
        except zstandard.ZstdError as error:
            raise _damaged(url) from error
        if digest.hexdigest() != kept.metadata.get("digest"):
            raise _damaged(url)


def _damaged(url: str) -> StoreDamagedError:
    return StoreDamagedError(
        f'"{url}" is not what was written there',
        hint="push it again from the machine that holds it",
    )


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise UsageError(
            "packing stores for a bucket needs zstandard", hint="pip install 'memctl-engine[fleet]'"
        ) from None
    return zstandard


def _raw(data: bytes) -> Any:
    zstandard = _zstandard()
    return zstandard.ZstdCompressionDict(data, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


@lru_cache(maxsize=1)
def _empty_store() -> bytes:
    """Return an empty store of this schema, the same bytes on each machine with this SQLite."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(migrations.empty_store(migrations.migrations()))
        connection.execute(STORE.renew_migrations, {"now": "2000-01-01T00:00:00Z"})
        return connection.serialize()


@lru_cache(maxsize=64)
def _kept_dictionary(prefix: str) -> str:
    """Put this memctl's dictionary into a bucket, where it is not there yet; return its name."""
    name = hashlib.sha256(_empty_store()).hexdigest()
    with suppress(ChangedMeanwhileError):
        put(below(prefix, f"dictionaries/{name}.db"), _empty_store(), {}, None)
    return name


@lru_cache(maxsize=4)
def _dictionary(prefix: str, name: str) -> bytes:
    """Return the dictionary of a name: this memctl's own, or an earlier one that the bucket keeps."""
    own = _empty_store()
    if hashlib.sha256(own).hexdigest() == name:
        return own
    url = below(prefix, f"dictionaries/{name}.db")
    kept = fetch(url)
    if kept is None:
        raise NotFoundError(
            f'the dictionary "{url}" is not there', hint="its memctl version puts it there: push"
        )
    if hashlib.sha256(kept.data).hexdigest() != name:
        raise _damaged(url)
    return kept.data
