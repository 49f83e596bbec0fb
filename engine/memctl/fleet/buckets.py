"""Files of a folder and objects of a bucket, by their URL; in a bucket also on conditions.

::

    names("s3://team/memory/parts")           what is below it, as in a folder
    read("s3://team/memory/parts/a.parquet")
    write("/srv/parts/a.parquet", data)       whole or not at all, in a folder too

A bucket's address, keys and rights come from the usual environment: AWS_ENDPOINT_URL,
AWS_ACCESS_KEY_ID, GOOGLE_APPLICATION_CREDENTIALS, AZURE_STORAGE_ACCOUNT_NAME, as obstore reads them.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote
from uuid import uuid4

from memctl.base.errors import (
    ChangedMeanwhileError,
    FileAccessError,
    MemctlError,
    NotFoundError,
    RefusedError,
    UsageError,
)
from memctl.base.whole_file import whole_file
from memctl.store.store_file import make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from obstore.store import ObjectStore

_SCHEMES = ("s3", "s3a", "gs", "az", "azure", "abfs", "abfss")
_OF_BUCKETS = ("AWS_", "GOOGLE_", "AZURE_")
_WITHOUT = "pip install 'memctl-engine[fleet]'"
# Of one request, its answer included; of trying again, while a server is away.
_LONGEST, _CONNECTING, _TRYING = timedelta(minutes=10), timedelta(seconds=5), timedelta(seconds=20)
_MOST_TRIES = 4
_NO_RIGHT = ("PermissionError", "PermissionDeniedError", "UnauthenticatedError")


@dataclass(frozen=True, slots=True)
class BucketObject:
    """An object as a bucket has it: its bytes, its marks, and what was written beside it.

    Parameters
    ----------
    data
        Empty where only the rest was asked for.
    e_tag, version
        The bucket's marks of this very writing; `version` is empty where it keeps no old ones.
    modified
        When it was written, by the bucket's clock.
    """

    data: bytes
    e_tag: str
    version: str
    modified: datetime
    metadata: dict[str, str] = field(default_factory=dict)


def is_bucket(place: str | os.PathLike[str]) -> bool:
    """Return whether a place is in a bucket: a URL that names no file."""
    return "://" in os.fspath(place) and not os.fspath(place).startswith("file://")


def below(url: str, name: str) -> str:
    """Return the URL of a name in a folder or under a prefix."""
    return f"{url.rstrip('/')}/{name}"


def names(url: str) -> list[str]:
    """Return the names of all files below a folder or prefix, sorted; none where there is nothing."""
    return sorted(sizes(url))


def sizes(url: str) -> dict[str, int]:
    """Return the size in bytes of each file below a folder or prefix, by its name there."""
    if not is_bucket(url):
        root = _path(url)
        files = (file for file in root.rglob("*") if file.is_file())
        return {file.relative_to(root).as_posix(): file.stat().st_size for file in files}
    bucket, prefix = _bucket_of(url)
    with _translated(url, "list"):
        import obstore

        cut = len(prefix) + 1 if prefix else 0
        pages = obstore.list(bucket, prefix or None, chunk_size=1000)
        return {entry["path"][cut:]: entry["size"] for page in pages for entry in page}


def read(url: str) -> bytes:
    """Return the content of a file or object.

    Raises
    ------
    NotFoundError
        When there is none, or no such bucket.
    FileAccessError
        When the bucket cannot be reached, or gives no right to it.
    """
    with _translated(url, "read"):
        if not is_bucket(url):
            return _path(url).read_bytes()
        if (stored := fetch(url)) is None:
            raise FileNotFoundError
        return stored.data


def write(url: str, data: bytes) -> None:
    """Write a file or object wholly, whatever is there now."""
    with _translated(url, "write"):
        if is_bucket(url):
            bucket, key = _bucket_of(url)
            import obstore

            obstore.put(bucket, key, data)
            return
        path = _path(url)
        make_folders(path.parent)
        with whole_file(path) as file:
            file.write(data)


def remove(url: str) -> None:
    """Remove a file or object; nothing where there is none."""
    with _translated(url, "remove"):
        if not is_bucket(url):
            _path(url).unlink(missing_ok=True)
            return
        bucket, key = _bucket_of(url)
        import obstore

        try:
            obstore.delete(bucket, key)
        except FileNotFoundError as error:
            if _no_bucket(str(error)):
                raise


# -- on conditions, in a bucket ----------------------------------------------------------


def fetch(url: str, *, version: str = "", content: bool = True) -> BucketObject | None:
    """Return an object of a bucket, or an old version of it; ``None`` where there is none."""
    bucket, key = _bucket_of(url)
    with _translated(url, "read"):
        import obstore

        options: Any = {"head": not content} | ({"version": version} if version else {})
        try:
            got = obstore.get(bucket, key, options=options)
            data = got.bytes().to_bytes() if content else b""
        except FileNotFoundError as error:
            if _no_bucket(str(error)):
                raise
            return None
        meta, kept = got.meta, got.attributes
        metadata = {name: unquote(value) for name, value in kept.items() if name != "Content-Type"}
        return BucketObject(
            data, meta["e_tag"] or "", meta["version"] or "", meta["last_modified"], metadata
        )


def put(
    url: str, data: bytes, metadata: Mapping[str, str], known: BucketObject | None
) -> BucketObject:
    """Write an object if it is still the known one, or still not there where that is ``None``.

    The bytes should differ from those of any other writing: the bucket compares its marks of them.
    An answer that is lost on the way is told from another's write by a mark of our own beside it.

    Raises
    ------
    ChangedMeanwhileError
        When somebody else has written it; nothing of ours was.
    FileAccessError
        When the bucket cannot be reached, or gives no right to write there.
    """
    bucket, key = _bucket_of(url)
    written = {**metadata, "writing": uuid4().hex}
    # Other characters come back as an error from some buckets.
    attributes = {name: quote(value, safe="/:@+=,.-_~") for name, value in written.items()}
    mode: Any = "create"
    if known is not None:
        mode = {"e_tag": known.e_tag} | ({"version": known.version} if known.version else {})
    try:
        with _translated(url, "write"):
            import obstore

            made = obstore.put(bucket, key, data, attributes=attributes, mode=mode)
    except (ChangedMeanwhileError, FileAccessError, NotFoundError):
        there = None
        with suppress(MemctlError):  # then what was wrong with the writing is said
            there = fetch(url, content=False)
        if there is None or there.metadata.get("writing") != written["writing"]:
            raise
        return BucketObject(data, there.e_tag, there.version, there.modified, written)
    return BucketObject(
        data, made["e_tag"] or "", made["version"] or "", datetime.now(UTC), written
    )


def server_now(url: str) -> datetime:
    """Return the time by the bucket's own clock, to about a second; refuse one without conditions.

    The first call of a process tries it: it writes a probe twice, once more than is allowed. After
    that the seconds are counted, whatever this machine's clock says.

    Raises
    ------
    RefusedError
        When the bucket writes although the condition does not hold, or knows no conditions.
    """
    if not is_bucket(url):
        raise RefusedError(
            f'"{url}" is a folder: it cannot write on a condition, and two writers would undo '
            "each other's work",
            hint="name a bucket: s3://BUCKET/PREFIX",
        )
    then, counted = _probed(url.rstrip("/"), _environment())
    return then + timedelta(seconds=time.monotonic() - counted)


@lru_cache(maxsize=64)
def _probed(url: str, _environment: tuple[tuple[str, str], ...]) -> tuple[datetime, float]:
    """Return the bucket's time, and this process's count of seconds then; try its conditions."""
    probe = below(url, f"leases/probe-{uuid4().hex}")
    first = put(probe, b"1", {}, None)
    counted = time.monotonic()
    try:
        there = fetch(probe, content=False) or first
        for known in (None, replace(there, e_tag='"another"')):
            with suppress(ChangedMeanwhileError):
                put(probe, b"2", {}, known)
                raise RefusedError(
                    f'"{url}" ignores the conditions of a write: two writers would undo each '
                    "other's work",
                    hint="use a bucket that knows If-None-Match and If-Match",
                )
    finally:
        remove(probe)
    return there.modified, counted


# -- the bucket behind a URL, and what can be wrong with it ------------------------------


def _path(url: str) -> Path:
    return Path(unquote(url.removeprefix("file://")) if url.startswith("file://") else url)


def _environment() -> tuple[tuple[str, str], ...]:
    return tuple(sorted(pair for pair in os.environ.items() if pair[0].startswith(_OF_BUCKETS)))


def _bucket_of(url: str) -> tuple[ObjectStore, str]:
    """Return the client of the bucket that a URL names, and the key in it."""
    scheme, _, rest = url.partition("://")
    name, _, key = rest.partition("/")
    if scheme not in _SCHEMES or not name:
        raise UsageError(
            f'"{url}" names no bucket', hint="s3://BUCKET/PREFIX, gs://… or az://…; or a folder"
        )
    return _client(f"{scheme}://{name}", _environment()), key.strip("/")


@lru_cache(maxsize=16)
def _client(root: str, environment: tuple[tuple[str, str], ...]) -> ObjectStore:
    try:
        from obstore.store import from_url
    except ImportError:
        raise UsageError(f'"{root}" needs obstore', hint=_WITHOUT) from None
    endpoint = dict(environment).get("AWS_ENDPOINT_URL", "")
    options: Any = {"timeout": _LONGEST, "connect_timeout": _CONNECTING}
    if endpoint.startswith("http://"):  # who writes it means it
        options["allow_http"] = True
    again: Any = {"max_retries": _MOST_TRIES, "retry_timeout": _TRYING}
    with _translated(root, "open"):
        return from_url(root, client_options=options, retry_config=again)


def _no_bucket(said: str) -> bool:
    return "NoSuchBucket" in said or "ContainerNotFound" in said


@contextmanager
def _translated(url: str, act: str) -> Iterator[None]:
    """Raise the error of a bucket or a folder as one of ours, with what to do about it."""
    try:
        yield
    except MemctlError:
        raise
    except Exception as error:
        raise _as_ours(error, url, act) from error


def _as_ours(error: Exception, url: str, act: str) -> MemctlError:
    kind, said = type(error).__name__, str(error)
    if _no_bucket(said):
        return NotFoundError(
            f'there is no bucket "{url.partition("://")[2].partition("/")[0]}"',
            hint="make it first, or check AWS_ENDPOINT_URL and its region",
        )
    if isinstance(error, FileNotFoundError):
        return NotFoundError(f'"{url}" is not there', hint="memctl fleet stores lists a bucket")
    if kind in {"AlreadyExistsError", "PreconditionError"}:
        return ChangedMeanwhileError(
            f'"{url}" was written by somebody else meanwhile', hint="nothing was overwritten: again"
        )
    if kind in _NO_RIGHT or "403 Forbidden" in said:
        return FileAccessError(
            f'no right to {act} "{url}"',
            hint="ask for that right on this prefix, or name another one",
        )
    if kind in {"NotSupportedError", "NotImplementedError"} or "501 Not" in said:
        return RefusedError(
            f'"{url}" cannot {act} on a condition',
            hint="use a bucket that knows If-None-Match and If-Match",
        )
    cause = error if isinstance(error, OSError) else None
    what = re.split(r"\n|<\?xml", said)[0].rsplit(" - ", 1)[-1].strip(" :")
    hint = "check the network and AWS_ENDPOINT_URL; the same command goes on where it stopped"
    if "169.254.169.254" in said:  # where a machine in a cloud has them
        what, hint = "no keys", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    if cause is not None and not is_bucket(url):
        what, hint = cause.strerror or said, ""
    return FileAccessError(f'cannot {act} "{url}": {what}', hint=hint, cause=cause)
