"""Proof that erased texts and pictures are in no file of a store any more: its bytes are read.

What is looked for are pieces of what has gone, as SQLite would store them, and the words that nothing
says any more, as the word index would. A piece that is found is no leak where a row that is left
holds it, too.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

# Bytes of a piece. Shorter ones stand in a file by chance.
_SHORTEST = 6
_LONGEST = 48
_SLICE = 32
_SLICES = 8  # of one text or picture
_FEWEST_VALUES = 4  # different bytes: a plain area is no picture of anything
_CHUNK = 16 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A piece that stands in a file, and the byte where it begins."""

    piece: bytes
    at: int


def pieces_of(value: str | bytes) -> set[bytes]:
    """Return pieces of a text or a picture that tell that it is there; none of a short one."""
    if isinstance(value, bytes):
        return _sliced(value)
    found = _sliced(value.encode("utf-8", "surrogatepass"))
    if not value.isascii():  # JSON may have it in another form
        found |= _sliced(json.dumps(value)[1:-1].encode("ascii"))
    return found


def _sliced(content: bytes) -> set[bytes]:
    if len(content) <= _LONGEST:
        pieces = {content}
    else:
        step = max(_SLICE, (len(content) - _SLICE) // (_SLICES - 1))
        pieces = {content[at : at + _SLICE] for at in range(0, len(content), step)}
    return {one for one in pieces if len(one) >= _SHORTEST and len(set(one)) >= _FEWEST_VALUES}


def places_in(file: BinaryIO, pieces: Iterable[bytes], *, every: bool = False) -> Iterator[Found]:
    """Yield the first place of each piece that a file holds, or every one.

    The first bytes of all pieces are compared with those of every place at once.
    """
    import numpy as np

    by_key: dict[int, list[bytes]] = defaultdict(list)
    for piece in pieces:
        by_key[int.from_bytes(piece[:_SHORTEST], "little")].append(piece)
    keys = np.array(sorted(by_key), dtype="<u8")
    begin = 0
    file.seek(0)
    left = b""
    while keys.size and (more := file.read(_CHUNK)):
        content = left + more
        for place in _candidates(content, keys):
            key = int.from_bytes(content[place : place + _SHORTEST], "little")
            for piece in list(by_key.get(key, ())):
                if content.startswith(piece, place):
                    if not every:
                        by_key[key].remove(piece)
                    yield Found(piece, begin + place)
        left = content[-(_LONGEST - 1) :]
        begin += len(content) - len(left)


def _candidates(content: bytes, keys: NDArray[np.uint64]) -> Iterator[int]:
    """Yield the places where one of the keys stands: looked up by pairs of bytes, then compared."""
    import numpy as np

    padded = np.frombuffer(content + bytes(_SHORTEST), "u1")
    pairs = padded[:-1] | padded[1:].astype("u2") << 8
    count = len(content)
    places = np.flatnonzero(_table_of(keys, 0)[pairs[:count]])
    for pair in (2, 4):
        places = places[_table_of(keys, pair)[pairs[places + pair]]]
    values = pairs[places].astype("u8")
    for pair in (2, 4):
        values |= pairs[places + pair].astype("u8") << np.uint64(8 * pair)
    nearest = np.minimum(np.searchsorted(keys, values), len(keys) - 1)
    yield from places[keys[nearest] == values].tolist()


def _table_of(keys: NDArray[np.uint64], byte: int) -> NDArray[np.bool_]:
    """Return which pairs of bytes the keys have at a place."""
    import numpy as np

    table = np.zeros(1 << 16, bool)
    table[(keys >> np.uint64(8 * byte)) & np.uint64(0xFFFF)] = True
    return table
