"""Search by tantivy (Lucene's BM25 in Rust), stemmed, over the words of the bare FTS5 table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.retrieval.engines import cleaned_words
from benchmarks.retrieval.measures import CUT

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["tantivy_search"]

_FOLDER = "tantivy-{rows}"


def tantivy_search(
    place: Path, exact: sqlite3.Connection, rows: int
) -> Callable[[str], list[int]] | None:
    """Return a search of the same rows for the best ten, or None without the package.

    Its index is made beside the store where it is not there yet.
    """
    try:
        import tantivy
    except ImportError:
        return None
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("words", tokenizer_name="en_stem")
    schema.add_integer_field("row", stored=True)
    folder = place / _FOLDER.format(rows=rows)
    made = folder.exists()
    folder.mkdir(exist_ok=True)
    index = tantivy.Index(schema.build(), path=str(folder))
    if not made:
        writer = index.writer(num_threads=1)
        for row, words in exact.execute("select rowid, words from turn"):
            writer.add_document(tantivy.Document(words=words, row=row))
        writer.commit()
        writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(question: str) -> list[int]:
        query = index.parse_query(" ".join(cleaned_words(question)), ["words"])
        hits = searcher.search(query, CUT, count=False).hits
        return [searcher.doc(address)["row"][0] for _, address in hits]

    return search
