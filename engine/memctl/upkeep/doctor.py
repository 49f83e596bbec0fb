"""Examines a store and mends what can be mended without losing anything."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.base.errors import (
    BusyError,
    FileAccessError,
    MemctlError,
    NotFoundError,
    StoreDamagedError,
    UsageError,
)
from memctl.base.whole_file import leftovers, sweep
from memctl.config.settings import Settings
from memctl.episodic.segments import merge_segments, segments_of
from memctl.store import statements
from memctl.store.results import Result
from memctl.store.sealing.seal import check_seal
from memctl.store.sqlite_errors import UNWRITABLE, translated
from memctl.store.store_file import beside
from memctl.upkeep.spool import forget_damaged, take_in, waiting_in
from memctl.upkeep.store_copies import back_up, dated_name

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from types import TracebackType

    from memctl.store.store import Store

UPKEEP = statements.load("store/upkeep")
ERASING = statements.load("store/erasing")
ROW_KEYS = statements.load("store/row_key")
TEMPLATES = statements.load("store/template")


@dataclass(frozen=True, slots=True)
class CheckResult(Result):
    """The result of one check.

    Parameters
    ----------
    check
        Its name: pages, references, texts, pictures, features, word index, seal, permissions,
        spool (where turns wait), dream (where the last one failed), leftovers (of killed processes),
        vectors, settings.
    ok
        False where the store is broken.
    detail
        The finding in words.
    mend
        The command that mends it; empty where nothing is wrong or only a backup helps.
    """

    check: str
    ok: bool
    detail: str
    mend: str = ""


def examine(store: Store, settings: Settings | None = None) -> list[CheckResult]:
    """Check a store's pages, references, texts, pictures, word index, permissions and settings.

    Nothing is written. Opening the store has checked its schema already.

    Parameters
    ----------
    settings
        Those that hold, flags and environment included; by default the store's.
    """
    store.unsealed = True
    store.refuse_stale()  # what is examined would not be the file that lies there
    chosen = settings or Settings(store)
    said = _settings(chosen)
    with store.snapshot():
        content = checks_of_content(store)
        vectors = [_vectors(store, chosen)] if said.ok else []
    around = [*_spool(store), *_failed_dream(store), *_leftovers(store)]
    content.append(_word_index(store))
    content.append(_seal(store, whole=all(one.ok for one in content)))
    return [*content, _permissions(store), *around, said, *vectors]


def _seal(store: Store, *, whole: bool = True) -> CheckResult:
    """Compare the file with its seal; where all else is `whole`, it may be taken as it is."""
    try:
        with translated(store.path):
            sealed_at = check_seal(store.connection(), store.path)
    except StoreDamagedError as error:
        return CheckResult(
            "seal", ok=False, detail=error.message, mend=_fix(store) if whole else ""
        )
    detail = f"whole, of {sealed_at}" if sealed_at else "none: it was changed since it was closed"
    return CheckResult("seal", ok=True, detail=detail)


def checks_of_content(store: Store, *, pictures: bool = True) -> list[CheckResult]:
    """Check the content of a store: pages, references, texts, pictures, features. Read-only.

    Without `pictures` neither they nor their features are read.
    """
    checks = {"pages": _pages, "references": _references, "texts": _texts}
    if pictures:
        checks |= {"pictures": _pictures, "features": _features}
    return [_readable(name, check, store) for name, check in checks.items()]


def _readable(name: str, check: Callable[[Store], CheckResult], store: Store) -> CheckResult:
    """Run a check; a page that it cannot read is its finding.

    A broken page gives values of any type, also where the schema allows none.
    """
    try:
        return check(store)
    except StoreDamagedError as error:
        detail = error.message
    except (AttributeError, TypeError, ValueError) as error:
        detail = f"holds what cannot stand there: {error}"
    return CheckResult(name, ok=False, detail=detail, mend=_command(store, "recover"))


def mend(store: Store, settings: Settings | None = None) -> list[CheckResult]:
    """Mend what can be mended, and return the findings of a check afterwards.

    Indexes are made anew, the word index too, and features that are missing or of another
    version; files and folders are made private. Before anything is taken away (a reference to
    nothing, a picture or a byte of a text that is broken), the store is backed up.

    Turns that hooks could not write are taken in. What killed processes left half written goes.

    A store with broken pages is left as it is, where it does not help to make its indexes anew:
    `recover` reads what SQLite cannot. One that is whole but for its seal is taken as it is.
    """
    store.unsealed = True
    _make_private(store)
    for folder in _folders(store):
        sweep(folder)
    if not checks_of_content(store)[0].ok and not _made_indexes(store):
        return examine(store, settings)
    if not all(one.ok for one in checks_of_content(store)[:4]):
        back_up(store)
        with store.transaction():
            store.execute(UPKEEP.rebuild_index)  # what follows is written into it by triggers
            mend_texts(store.connection())
            mend_references(store.connection())
            drop_broken_pictures(store.connection())
    if not _word_index(store).ok:
        with store.transaction():
            refill_index(store.connection())
    if _has_pictures(store):
        with store.transaction():
            rebuild_features(store.connection())
    merge_segments(store)
    forget_damaged(store.path)  # before the turns: what was set aside so far has been told of
    take_in(store)
    if not _seal(store).ok:
        with store.transaction(activity=True):
            pass  # it breaks the seal; the store is sealed anew as it is closed
    return examine(store, settings)


def _made_indexes(store: Store) -> bool:
    """Make the indexes anew; return whether the pages are whole then, else nothing was done."""
    with suppress(StoreDamagedError), store.transaction():
        store.execute(UPKEEP.make_indexes)
        pages = _pages(store)
        if pages.ok:
            return True
        raise StoreDamagedError(pages.detail)
    return False


def _pages(store: Store) -> CheckResult:
    said = [str(row[0]) for row in store.rows("pragma integrity_check(5)")]
    well = said == ["ok"]
    detail = "whole" if well else "; ".join(" ".join(one.split()) for one in said)
    return CheckResult("pages", well, detail, "" if well else _command(store, "recover"))


def _references(store: Store) -> CheckResult:
    broken = len(store.rows("pragma foreign_key_check"))
    detail = f"{broken} point to nothing" if broken else "whole"
    return CheckResult("references", not broken, detail, _fix(store) if broken else "")


def _texts(store: Store) -> CheckResult:
    with translated(store.path):
        broken = broken_texts(store.connection())
    columns = ", ".join(f"{table}.{name}" for table, names in broken.items() for name in names)
    detail = f"no UTF-8 in {columns}" if broken else "whole"
    return CheckResult("texts", not broken, detail, _fix(store) if broken else "")


def _pictures(store: Store) -> CheckResult:
    """Compare each picture with its digest or sums: SQLite's pages carry none of their own."""
    if not _has_pictures(store):
        return CheckResult("pictures", ok=True, detail="none")
    with translated(store.path):
        damaged = {
            "templates": broken_pictures(store.connection()),
            "row keys": _broken_row_keys(store.connection()),
        }
    lists = [f"{kind} {', '.join(map(str, ids[:10]))}" for kind, ids in damaged.items() if ids]
    detail = f"{sum(map(len, damaged.values()))} damaged: {'; '.join(lists)}" if lists else "whole"
    return CheckResult("pictures", not lists, detail, _fix(store) if lists else "")


def _word_index(store: Store) -> CheckResult:
    """Compare the index of turns, episodes and facts with its rows; one segment after `mend`.

    FTS5 compares only where the file may be written, though it writes nothing.
    """
    said, well = "", True
    try:
        number, pages, _ = segments_of(store)
        said = f"pages: {pages}, segments: {number}"
        if gaps := int(store.value(UPKEEP.index_gaps)):
            said, well = f"{gaps} rows too many or missing", False
        elif store.writable:
            with store.at_once(), store.snapshot():
                store.connection().execute(UPKEEP.check_index)
    except StoreDamagedError as error:
        said, well = error.message, False
    except (BusyError, *UNWRITABLE):
        said += "; its words were not compared: it cannot be written now"
    return CheckResult("word index", well, said, "" if well else _fix(store))


def _permissions(store: Store) -> CheckResult:
    """Look for files and folders of the store that others may read."""
    open_ones = [path.name for path, _ in _too_open(store)]
    detail = f"others may read {', '.join(open_ones)}" if open_ones else "private"
    return CheckResult("permissions", ok=True, detail=detail, mend=_fix(store) if open_ones else "")


def _spool(store: Store) -> list[CheckResult]:
    """Look for turns that hooks could not write, and for lines of them that nobody can read."""
    try:
        turns, damaged = waiting_in(store.path)
    except FileAccessError as error:
        return [CheckResult("spool", ok=False, detail=error.message, mend=error.hint)]
    told = [f"{counted(turns, 'turn')} of hooks to be taken in"] if turns else []
    told += [f"{counted(damaged, 'line')} of turns that cannot be read"] if damaged else []
    return [CheckResult("spool", ok=True, detail=", ".join(told), mend=_fix(store))] if told else []


def _failed_dream(store: Store) -> list[CheckResult]:
    """Look whether the last dream failed: in the background nobody sees it."""
    with store.unscoped():
        failed = store.value(UPKEEP.failed_dream)
    if failed is None:
        return []
    mend = _command(store, "dream run --apply")
    return [CheckResult("dream", ok=True, detail=f"the last one failed: {failed}", mend=mend)]


def _leftovers(store: Store) -> list[CheckResult]:
    """Look for unfinished files of dead processes: they may have copies of rows."""
    left = [path for folder in _folders(store) for path in leftovers(folder)]
    if not left:
        return []
    detail = f"{counted(len(left), 'file')} of killed processes: {', '.join(map(str, left[:5]))}"
    return [CheckResult("leftovers", ok=True, detail=detail, mend=_fix(store))]


def _folders(store: Store) -> list[Path]:
    """Return the folders in which a store's commands write what is not whole yet."""
    home = store.address.home_of(store.path)
    copies = dated_name(store.path, store.address).parent
    return sorted({store.path.parent, home or copies, copies, Path(gettempdir())})


def _make_private(store: Store) -> None:
    for path, mode in _too_open(store):
        with suppress(OSError):  # another user's
            path.chmod(mode)


def _too_open(store: Store) -> list[tuple[Path, int]]:
    """Return the files and folders that are others' to read, and the mode that each should have.

    A folder is looked at where the home is known: another may be shared on purpose.
    """
    if os.name != "posix":
        return []
    home = store.address.home_of(store.path)
    files = [store.path, *beside(store.path)]
    folders = [folder for folder in store.path.parents if home and folder.is_relative_to(home)]
    wanted = [*((file, 0o600) for file in files), *((folder, 0o700) for folder in folders)]
    return [(path, mode) for path, mode in wanted if path.exists() and path.stat().st_mode & 0o077]


def _command(store: Store, words: str) -> str:
    begin = store.address.command(store.path)
    return f"{begin} {words}" if begin else ""


def _fix(store: Store) -> str:
    return _command(store, "doctor --fix")


def _has_pictures(store: Store) -> bool:
    """Return whether the store has pictures: without any, no image library is loaded."""
    return store.row(TEMPLATES.any_picture) is not None


def _features(store: Store) -> CheckResult:
    if not _has_pictures(store):
        return CheckResult("features", ok=True, detail="none")
    from memctl.visual.matching.template import FEATURE_VERSION

    with translated(store.path):
        count = len(_outdated(store.connection()))
    if not count:
        return CheckResult("features", ok=True, detail=f"all of version {FEATURE_VERSION}")
    return CheckResult(
        "features", ok=False, detail=f"{count} templates to be rebuilt", mend=_fix(store)
    )


def _settings(settings: Settings) -> CheckResult:
    """Look for settings that are refused: in the environment, the store, the home's file."""
    try:
        settings.list()
    except (UsageError, FileAccessError) as error:
        detail = f"{error.message}; {error.hint}"
        return CheckResult("settings", ok=False, detail=detail)
    return CheckResult("settings", ok=True, detail="allowed")


def _vectors(store: Store, settings: Settings) -> CheckResult:
    """Count missing vectors; a store without them is whole, only found by fewer words."""
    from memctl.search.vectors.embed import missing_vectors

    waiting = missing_vectors(store, settings)
    command = _command(store, "reembed") if waiting else ""
    return CheckResult("vectors", ok=True, detail=waiting or "none wait", mend=command)


# -- damage behind an error ---------------------------------------------------------------


def damage_behind(error: BaseException, store: Store) -> StoreDamagedError | None:
    """Return the damage of a store that may have caused an error of the engine; ``None``: none has.

    An error that memctl raises on purpose has its reason already, but that something is not there
    may be the damage's doing: of its pages and texts, no picture hides a name. One that is raised outside of the engine has nothing to do with the
    store.
    """
    missing = isinstance(error, NotFoundError)
    if (isinstance(error, MemctlError) and not missing) or not isinstance(error, Exception):
        return None
    if not _passed_engine(error.__traceback__):
        return None
    try:
        wrong = [one for one in checks_of_content(store, pictures=not missing) if not one.ok]
    except StoreDamagedError as damage:
        return damage
    except MemctlError:
        return None  # it cannot be read now
    if not wrong:
        return None
    return StoreDamagedError(f'"{store.path}" is damaged: {wrong[0].check}: {wrong[0].detail}')


def _passed_engine(trace: TracebackType | None) -> bool:
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__")).startswith("memctl."):
            return True
        trace = trace.tb_next
    return False


# -- mending ------------------------------------------------------------------------------


@dataclass(slots=True)
class MendedReferences:
    """Rows by table: those whose reference was emptied, and those that went with their parent."""

    emptied: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


def mend_references(connection: sqlite3.Connection) -> MendedReferences:
    """Empty the references to rows that are gone; the rows go too where the schema demands it.

    What a deletion of the parent would have done is done now. Belongs inside a transaction.
    """
    done = MendedReferences()
    tables = {row[0] for row in connection.execute("pragma foreign_key_check")}
    while tables:
        for table in sorted(tables):
            _mend_table(connection, table, done)
        tables = {row[0] for row in connection.execute("pragma foreign_key_check")}
    return done


def _mend_table(connection: sqlite3.Connection, table: str, done: MendedReferences) -> None:
    keys: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for row in connection.execute(f'pragma foreign_key_list("{table}")'):
        keys[row[0]].append(row)
    for columns in keys.values():
        parent, on_delete = columns[0][2], columns[0][6]
        pairs = [(row[3], row[4]) for row in columns]
        same = " and ".join(f'parent."{theirs}" = "{table}"."{own}"' for own, theirs in pairs)
        given = " and ".join(f'"{own}" is not null' for own, _ in pairs)
        # The names are those of the schema, which is known to be ours.
        lost = f'{given} and not exists (select 1 from "{parent}" as parent where {same})'  # noqa: S608
        if on_delete == "CASCADE":
            sql = f'delete from "{table}" where {lost}'  # noqa: S608
            done.dropped[table] += connection.execute(sql).rowcount
        else:
            empty = ", ".join(f'"{own}" = null' for own, _ in pairs)
            sql = f'update "{table}" set {empty} where {lost}'  # noqa: S608
            done.emptied[table] += connection.execute(sql).rowcount


def refill_index(connection: sqlite3.Connection) -> None:
    """Make the index of words anew from the rows. Belongs inside a transaction."""
    connection.execute(UPKEEP.rebuild_index)
    connection.execute(UPKEEP.empty_index)
    connection.execute(UPKEEP.fill_index)


def broken_pictures(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of the pictures that do not match their digest."""
    found = connection.execute(TEMPLATES.pictures)
    return [number for number, png, digest in found if not _is_whole(png, digest)]


def _broken_row_keys(connection: sqlite3.Connection) -> list[int]:
    """Return the ids of the row keys whose picture cannot be read: a PNG has sums, no digest."""
    return [number for number, png in connection.execute(ROW_KEYS.pngs) if not _is_whole(png)]


def drop_broken_pictures(connection: sqlite3.Connection) -> None:
    """Delete the pictures that do not match their digest, and row keys without a readable one.

    A component is matched by its other pictures, and is pictured anew when it is seen.
    """
    for number in broken_pictures(connection):
        connection.execute(UPKEEP.drop_sighted_picture, {"id": number})
        connection.execute(UPKEEP.drop_picture, {"id": number})
    for number in _broken_row_keys(connection):
        connection.execute(ERASING.delete_row_key, {"id": number})


def _is_whole(png: bytes, digest: str | None = None) -> bool:
    from memctl.visual.reading.image import decode_png, pixels_digest

    try:
        pixels = decode_png(png)
    except StoreDamagedError:
        return False
    return digest is None or pixels_digest(pixels) == digest


def _outdated(connection: sqlite3.Connection) -> list[tuple[int, bytes]]:
    """Return the templates whose features are missing, damaged, or of another version."""
    from memctl.visual.matching.template import FEATURE_VERSION, is_current

    return [
        (number, png)
        for number, png, features, version in connection.execute(TEMPLATES.featured)
        if version != FEATURE_VERSION or not is_current(features)
    ]


def rebuild_features(connection: sqlite3.Connection) -> None:
    """Make the features anew that are missing, damaged, or of another version.

    Belongs inside a transaction.
    """
    from memctl.visual.matching.template import FEATURE_VERSION, extract_alone
    from memctl.visual.reading.image import decode_png

    for number, png in _outdated(connection):
        features = extract_alone(decode_png(png))
        values = {"id": number, "features": features, "version": FEATURE_VERSION}
        connection.execute(TEMPLATES.set_features, values)


def broken_texts(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns with texts that are no UTF-8, by table."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in connection.execute(UPKEEP.text_columns).fetchall():
        table, column = row[0], row[1]
        read = f'select cast("{column}" as blob) from "{table}" where "{column}" is not null'  # noqa: S608
        if any(not _is_text(value) for (value,) in connection.execute(read)):
            found[table].append(column)
    return dict(found)


def mend_texts(connection: sqlite3.Connection) -> None:
    """Put U+FFFD for each byte of a text that is no UTF-8. Belongs inside a transaction.

    A text that names its row stays, where another row has the name that it would get.
    """
    # Triggers copy a fact's former text into its history: that is mended next.
    while sum(
        _mend_column(connection, table, column)
        for table, columns in broken_texts(connection).items()
        for column in columns
    ):
        pass


def _mend_column(connection: sqlite3.Connection, table: str, column: str) -> int:
    read = f'select distinct cast("{column}" as blob) from "{table}" where "{column}" is not null'  # noqa: S608
    write = f'update or ignore "{table}" set "{column}" = ? where cast("{column}" as blob) = ?'  # noqa: S608
    return sum(
        connection.execute(write, (value.decode(errors="replace"), value)).rowcount
        for (value,) in connection.execute(read).fetchall()
        if not _is_text(value)
    )


def _is_text(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True
