"""Try whether a binding of an encrypted SQLite can carry stores; exit 1 where it lacks something.

    python -m benchmarks.cipher [sqlcipher3.dbapi2] [--rows 20000] [--rooms tests/store,tests/upkeep]

The binding is installed for it (``pip install sqlcipher3``); ``sqlite3`` is Python's own, which lacks
secrecy alone. With `--rooms` those tests run with every file in the hands of the binding, and a key: what
is in memory stays with Python's own, a new store is encrypted as it is first opened, and its errors
are taken for Python's. `docs/encryption.md` has what came of it.
"""

from __future__ import annotations

import importlib
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import types
from contextlib import closing, suppress
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_KEY = f"pragma key = \"x'{'ab' * 32}'\""
_WORD = "zebrafinch"
_ROW = 3_500  # bytes: one to a page
_MAGIC = b"SQLite format 3\0"
_LOOK = """
import importlib, sys
c = importlib.import_module(sys.argv[1]).connect(sys.argv[2])
c.execute(sys.argv[3])
c.execute("insert into t values (2, 'another process')")
c.commit()
c.close()
"""


class Trial:
    """One file of a binding, with a row and an index of words."""

    def __init__(self, binding: Any, folder: Path) -> None:
        self.binding, self.path = binding, folder / "trial.db"
        self.connection = self.open()
        for sql in (
            "pragma journal_mode = wal",
            "create table t (id integer primary key, text)",
            "create virtual table words using fts5 (text)",
        ):
            self.connection.execute(sql)
        for table in ("t (text)", "words"):
            self.connection.execute(f"insert into {table} values (?)", (_WORD,))  # noqa: S608

    def open(self, mode: str = "mode=rwc", key: str = _KEY, **options: Any) -> Any:
        """Open the file once more."""
        uri = f"{self.path.as_uri()}?{mode}"
        made = self.binding.connect(uri, uri=True, isolation_level=None, **options)
        made.execute("pragma cipher_log_level = none")
        made.execute(key)
        return made

    def rows(self, connection: Any = None) -> int:
        """Count the rows of the table."""
        said = (connection or self.connection).execute("select count(*) from t").fetchone()
        return int(said[0])

    def raised(self, sql: str) -> Any:
        """Return the error of a statement."""
        try:
            self.connection.execute(sql)
        except Exception as error:  # noqa: BLE001  (which one is the question)
            return error
        return None

    def copied(self, target: Any) -> bool:
        """Copy the file by SQLite's backup; return whether the row came along."""
        self.connection.backup(target)
        return self.rows(target) == self.rows()

    def readable_without_key(self) -> bool:
        """Return whether another key, or none, reads the rows."""
        for key in (_KEY.replace("ab", "cd"), "select 1"):
            with suppress(self.binding.DatabaseError), closing(self.open("mode=ro", key)) as other:
                self.rows(other)
                return True
        return False

    def keeps_locks(self) -> bool:
        """Return whether the log is still there after Python's own sqlite3 has looked at the file.

        Its closing takes the locks of this process: the next process to close takes itself for the last.
        """
        with suppress(sqlite3.Error), closing(sqlite3.connect(self.path)) as look:
            look.execute("select * from t")
        words = [self.binding.__name__, str(self.path), _KEY]
        subprocess.run([sys.executable, "-c", _LOOK, *words], check=True)  # noqa: S603
        return self.path.with_name("trial.db-wal").exists()


# What a store needs, and how it is seen.
NEEDS: dict[str, Callable[[Trial], object]] = {
    "no word of a row is in the file or its log": lambda it: (
        not any(_WORD.encode() in file.read_bytes() for file in it.path.parent.iterdir())
    ),
    "no row is read without the key": lambda it: not it.readable_without_key(),
    "FTS5": lambda it: it.connection.execute(
        "select text from words where words match ?", (_WORD,)
    ).fetchone(),
    "mode=ro": lambda it: it.rows(it.open("mode=ro")) == it.rows(),
    "a class of one's own": lambda it: it.open(factory=type("Own", (it.binding.Connection,), {})),
    "functions in SQL": lambda it: not it.connection.create_function("own", 1, len),
    "a copy with the same key": lambda it: it.copied(
        Trial.open(_beside(it, "copy.db"), "mode=rwc")
    ),
    "a copy without (packs, other stores)": lambda it: it.copied(it.binding.connect(":memory:")),
    "its errors are sqlite3's": lambda it: isinstance(it.raised("?"), sqlite3.Error),
    "its errors say which (a full disk, a lock)": lambda it: (
        it.raised("insert into t values (1, 1)").sqlite_errorname == "SQLITE_CONSTRAINT_PRIMARYKEY"
    ),
    "serialize, deserialize": lambda it: it.connection.serialize(),
    "iterdump": lambda it: list(it.connection.iterdump()),
    "dbstat": lambda it: it.connection.execute("select count(*) from dbstat").fetchone(),
    "a look by Python's sqlite3 leaves its locks": lambda it: it.keeps_locks(),
}


def _beside(trial: Trial, name: str) -> Trial:
    made = object.__new__(Trial)
    made.binding, made.path = trial.binding, trial.path.with_name(name)
    return made


def lacks(binding: Any) -> dict[str, str]:
    """Return what a store needs and a binding lacks, each with what came instead."""
    missing = {}
    for need, has in NEEDS.items():
        with tempfile.TemporaryDirectory(prefix="memctl-cipher-") as folder:
            trial = Trial(binding, Path(folder))
            try:
                if not has(trial):
                    missing[need] = "no"
            except Exception as error:  # noqa: BLE001  (of any class: that is what is asked)
                missing[need] = f"{type(error).__name__}: {error}"
            trial.connection.close()
    return missing


def seconds(binding: Any, rows: int) -> list[float]:
    """Return how long writing rows of a page each, opening, reading all and a thousand took."""
    ids = random.Random(1).choices(range(1, rows + 1), k=1_000)
    with tempfile.TemporaryDirectory(prefix="memctl-cipher-") as folder:
        trial = Trial(binding, Path(folder))
        marks = [time.perf_counter()]
        with closing(trial.connection) as connection:
            connection.execute("begin")
            texts = ((os.urandom(_ROW),) for _ in range(rows))
            connection.executemany("insert into t (text) values (?)", texts)
            connection.execute("commit")
        marks.append(time.perf_counter())
        with closing(trial.open()) as connection:
            trial.rows(connection)
            marks.append(time.perf_counter())
            connection.execute("select max(text) from t").fetchone()
            marks.append(time.perf_counter())
        with closing(trial.open()) as connection:
            marks.append(time.perf_counter())
            for number in ids:
                connection.execute("select text from t where id = ?", (number,)).fetchone()
            marks.append(time.perf_counter())
    return [marks[1] - marks[0], marks[3] - marks[2], marks[5] - marks[4]]


# -- the tests over a binding ---------------------------------------------------------------


def install(name: str) -> None:
    """Put a binding in the place of `sqlite3`, for files alone."""
    binding: Any = importlib.import_module(name)
    for kind in ("InterfaceError", "DatabaseError"):
        getattr(binding, kind).__bases__ = (binding.Error, getattr(sqlite3, kind))
    for kind in ("Internal", "Operational", "Programming", "Integrity", "Data", "NotSupported"):
        error = f"{kind}Error"
        getattr(binding, error).__bases__ = (binding.DatabaseError, getattr(sqlite3, error))

    def connect(database: Any, timeout: float = 5.0, *, uri: bool = False, **options: Any) -> Any:
        text = os.fsdecode(database)
        path = unquote(urlsplit(text).path) if uri and text.startswith("file:") else text
        if path in {"", ":memory:"} and "factory" not in options:
            return sqlite3.connect(database, timeout, uri=uri, **options)
        _encrypt(binding, Path(path))
        made = binding.connect(database, timeout, uri=uri, **options)
        made.execute("pragma cipher_log_level = none")
        made.execute(_KEY)
        return made

    def row(cursor: Any, values: Any) -> Any:
        return (binding if isinstance(cursor, binding.Cursor) else sqlite3).Row(cursor, values)

    changed = {"connect": connect, "Row": row, "dbapi2": None}
    changed |= {"Connection": binding.Connection, "Cursor": binding.Cursor}
    stand_in: Any = types.ModuleType("sqlite3")
    stand_in.__dict__.update({**vars(sqlite3), **changed})
    stand_in.dbapi2 = stand_in
    sys.modules["sqlite3"] = sys.modules["sqlite3.dbapi2"] = stand_in


def _encrypt(binding: Any, path: Path) -> None:
    """Encrypt a plain file that has no log: a new store is the copy of a plain one."""
    with suppress(OSError, binding.Error):
        log = path.with_name(f"{path.name}-wal")
        head = path.read_bytes()[:20]
        if head[:16] != _MAGIC or (log.exists() and log.stat().st_size):
            return
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        with closing(binding.connect(path, isolation_level=None)) as plain:
            plain.execute(
                f"attach ? as made {_KEY.partition('pragma ')[2].replace('=', '')}", (str(part),)
            )
            plain.execute("select sqlcipher_export('made')")
            for pragma in ("user_version", "application_id"):
                number = plain.execute(f"pragma main.{pragma}").fetchone()[0]
                plain.execute(f"pragma made.{pragma} = {number}")
        with closing(binding.connect(part)) as made:
            made.execute(_KEY)
            made.execute(f"pragma journal_mode = {'wal' if head[18] > 1 else 'delete'}")
        path.write_bytes(part.read_bytes())
        part.unlink()


def run_rooms(binding: str, rooms: Sequence[str]) -> list[tuple[str, str]]:
    """Run the tests of some folders over a binding; return the last line of each."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="memctl-cipher-") as folder:
        begin = f"""
            import os, traceback
            try:
                from benchmarks.cipher import install
                install({binding!r})
            except BaseException:  # else Python goes on with its own
                traceback.print_exc()
                os._exit(1)
        """
        Path(folder, "sitecustomize.py").write_text(dedent(begin), "utf-8")
        paths = [folder, str(Path.cwd()), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        for room in rooms:
            words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--tb=no", "-rN", room]
            said = subprocess.run(  # noqa: S603
                words, env=environment, capture_output=True, text=True, check=False
            )
            lines.append((room, (said.stdout.strip() or said.stderr.strip()).splitlines()[-1]))
    return lines


def main(words: Sequence[str] | None = None) -> int:
    """Try a binding, print what it lacks and what it costs; return 1 where it lacks something."""
    from benchmarks.running import arguments, keep, listed, print_table

    parser = arguments(__doc__, "cipher")
    parser.add_argument("binding", nargs="?", default="sqlcipher3.dbapi2")
    parser.add_argument("--rows", type=int, default=20_000, help="pages to write and read")
    parser.add_argument("--rooms", type=listed, default=(), help="folders of tests, with commas")
    options = parser.parse_args(words)
    binding: Any = importlib.import_module(options.binding)
    missing = lacks(binding)
    rows = [(need, missing.get(need, "yes").partition(":")[0]) for need in NEEDS]
    print_table(f"{options.binding}, SQLite {binding.sqlite_version}", ("need", ""), rows)
    names = ("write", "read all", "read 1,000")
    both = [seconds(which, options.rows) for which in (sqlite3, binding)]
    costs = [
        (name, *(f"{took:.3f}" for took in pair)) for name, *pair in zip(names, *both, strict=False)
    ]
    print_table(f"seconds, {options.rows:,} pages", ("", "sqlite3", options.binding), costs)
    rooms = run_rooms(options.binding, options.rooms)
    if rooms:
        print_table("tests over it", ("room", ""), rooms)
    figures = {
        "missing": missing,
        "seconds": dict(zip(names, zip(*both, strict=False), strict=False)),
        "rooms": rooms,
    }
    keep("cipher", figures, options.out)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
