"""Examines a store and mends what can be mended without losing anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.config.settings import Settings
from memctl.episodic.segments import merge_segments, segments_of
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3

    from memctl.store.store import Store

__all__ = ["CheckResult", "examine", "mend"]

STORE = statements.load("store/store")
TEMPLATES = statements.load("store/template")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check.

    Parameters
    ----------
    check
        Its name: pages, references, pictures, features, word index, vectors.
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
    """Check a store's pages, references, pictures, features, vectors and word index.

    Nothing is written. Opening the store has checked its schema already.

    Parameters
    ----------
    settings
        Those that hold, flags and environment included; by default the store's.
    """
    store.refuse_stale()  # what is examined would not be the file that lies there
    chosen = settings or Settings(store)
    with store.snapshot():
        of_file = [_pages(store), _references(store), _pictures(store), _features(store)]
        return [*of_file, _word_index(store), _vectors(store, chosen)]


def mend(store: Store, settings: Settings | None = None) -> list[CheckResult]:
    """Rebuild features that are missing or of another version, and merge the word index.

    Returns the findings of a check afterwards.
    """
    if _has_pictures(store):
        _rebuild_features(store)
    merge_segments(store)
    return examine(store, settings)


def _rebuild_features(store: Store) -> None:
    from memctl.visual.matching import FEATURE_VERSION
    from memctl.visual.matching.features import extract_alone
    from memctl.visual.reading.image import decode_png

    with store.transaction():
        for row in store.rows(TEMPLATES.outdated, {"version": FEATURE_VERSION}):
            features = extract_alone(decode_png(row["png"]))
            values = {"id": row["id"], "features": features, "version": FEATURE_VERSION}
            store.execute(TEMPLATES.set_features, values)


def _pages(store: Store) -> CheckResult:
    said = [str(row[0]) for row in store.rows("pragma integrity_check(5)")]
    well = said == ["ok"]
    return CheckResult("pages", well, "whole" if well else "; ".join(said))


def _references(store: Store) -> CheckResult:
    broken = len(store.rows("pragma foreign_key_check"))
    return CheckResult(
        "references", not broken, f"{broken} point to nothing" if broken else "whole"
    )


def _pictures(store: Store) -> CheckResult:
    """Compare each picture with its digest: SQLite's pages carry no checksum of their own."""
    if not _has_pictures(store):
        return CheckResult("pictures", ok=True, detail="none")
    damaged = [row["id"] for row in store.rows(TEMPLATES.pictures) if not _is_whole(row)]
    listed = ", ".join(map(str, damaged[:10]))
    detail = f"{len(damaged)} damaged: templates {listed}" if damaged else "whole"
    return CheckResult("pictures", not damaged, detail)


def _word_index(store: Store) -> CheckResult:
    """Count the segments of the index of turns and episodes: one after `mend`."""
    number, pages, _ = segments_of(store)
    return CheckResult("word index", ok=True, detail=f"pages: {pages}, segments: {number}")


def _has_pictures(store: Store) -> bool:
    """Return whether the store has pictures: without any, no image library is loaded."""
    return store.row(TEMPLATES.any_picture) is not None


def _is_whole(row: sqlite3.Row) -> bool:
    from memctl.base.errors import UnusableInputError
    from memctl.visual.reading.image import decode_png, pixels_digest

    try:
        return pixels_digest(decode_png(row["png"])) == str(row["sha256"])
    except UnusableInputError:
        return False


def _features(store: Store) -> CheckResult:
    if not _has_pictures(store):
        return CheckResult("features", ok=True, detail="none")
    from memctl.visual.matching import FEATURE_VERSION

    count = len(store.rows(TEMPLATES.outdated, {"version": FEATURE_VERSION}))
    if not count:
        return CheckResult("features", ok=True, detail=f"all of version {FEATURE_VERSION}")
    command = f"memctl --app {store.address} doctor --fix"
    return CheckResult(
        "features", ok=False, detail=f"{count} templates to be rebuilt", mend=command
    )


def _vectors(store: Store, settings: Settings) -> CheckResult:
    """Count missing vectors; a store without them is whole, only found by fewer words."""
    from memctl.search.vectors.embed import missing_vectors

    waiting = missing_vectors(store, settings)
    command = f"memctl --app {store.address} reembed" if waiting else ""
    return CheckResult("vectors", ok=True, detail=waiting or "none wait", mend=command)
