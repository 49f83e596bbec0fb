"""The questions that the door asks: does a text hold a secret, and how does it read without.

A cheap gate stands before the rules. Every rule begins with something that must stand in the
text: the name of a secret, a flag, the scheme of an address, a word as long as a key. Words of
talk come again and again, so the gate remembers which words hold nothing of the kind; a harmless
line costs one look into a set, and no rule is even imported.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.tables import heads, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memctl.guard.custom_patterns import CustomRule
    from memctl.guard.decoding import SecretSpan, TextView

_MOST_SHOWN = 40  # characters before a secret that a refusal repeats
_MOST_ROUNDS = 4  # masking one secret may uncover another; each round removes at least one
_MOST_KNOWN = 20_000  # words, some megabytes; those of a language that anybody uses are fewer
_LONGEST_READ = 2_000  # characters; a longer text is searched as a whole
_SURELY = 2

# Words with numbers are too many to be kept: they are looked up with each digit a nought.
_NOUGHTS = str.maketrans("123456789", "0" * 9)
_LONG = Pattern(r"[!-~]{15}")  # hardly a word of talk is as long
_DIGIT = Pattern(r"\d\d|[^\W\d_]\d|[!#$%^&*?~]\S")
# A number, or letters and digits in one word, as a gate that knows no noun lets through
_ODD = Pattern(r"0{4}|[^\W\d_]\w{2,40}0|\w0[^\W\d_]{3}|\w[!#$%&*@^~_]\w{2}")
_CODED = Pattern(r"\\|%[0-9a-fA-F]{2}|&[#\w]{2,8};")
_BROKEN_KEY = Pattern(r"[\w+/=.-]{6}\n[ \t>|]{0,16}[\w+/=.-]{6}")

_STRONG_NOUNS = ("pin", "password", "elsewhere", "answer", "person", "phrase")
_IN_TALK = {"one", "mot", "mots", "code", "safe"}  # begins "one-time code", and much else
_WEAK_NOUNS = ("pass", "code", "key", "token", "login", "account", "enter", "opens")


def find_secret(text: str, *, extra: Sequence[CustomRule] = ()) -> str | None:
    """Return the name of the first rule that finds a secret in the text.

    Examples
    --------
    >>> find_secret("the wifi password is sunflower42")
    'told-password'
    >>> find_secret("a password must have at least 12 characters") is None
    True
    """
    suspicious = may_hold_secret(text)
    if not suspicious and not extra:
        return None  # as most texts
    for found in _spans(text, extra, suspicious=suspicious):
        return found.rule
    return None


def mask_secrets(text: str, extra: Sequence[CustomRule] = ()) -> str:
    """Return the text with each secret replaced by ``[secret:RULE]``.

    Examples
    --------
    >>> mask_secrets("log in with password hunter2")
    'log in with password [secret:told-password]'
    """
    for _ in range(_MOST_ROUNDS):
        if find_secret(text, extra=extra) is None:
            break
        suspicious = may_hold_secret(text)
        text = _replaced(text, list(_spans(text, extra, suspicious=suspicious, mapped=True)))
    return text


def told_place(text: str, extra: Sequence[CustomRule] = ()) -> str:
    """Return where the first secret of a text stands, with the secret masked.

    Examples
    --------
    >>> told_place("hi, the wifi password is sunflower42, see you")
    'hi, the wifi password is [secret:told-password]'
    """
    masked = " ".join(mask_secrets(text, extra).split())
    begin, _, rest = masked.partition("[secret:")
    before = begin[-_MOST_SHOWN:].partition(" ")[2] if len(begin) > _MOST_SHOWN else begin
    return f"{before}[secret:{rest.partition(']')[0]}]"


def may_hold_secret(text: str) -> bool:
    """Return whether a rule could find something in the text; False is certain, True is not."""
    if not text.isascii():
        from memctl.guard.decoding import plain_view

        text = plain_view(text).text
    low = text.lower().translate(_NOUGHTS)
    if len(low) > _LONGEST_READ:
        leads = _leads.__wrapped__(low)
    else:
        leads = max(map(_leads, low.split()), default=0)
    if leads == _SURELY or (leads and _DIGIT.search(text)) or _CODED.search(text):
        return True
    return "\n" in text and _BROKEN_KEY.search(text) is not None


@lru_cache(maxsize=_MOST_KNOWN)
def _leads(word: str) -> int:
    """Return whether a word leads to a secret: surely looked at, with a digit only, or not."""
    strong, weak = _signs()
    if _LONG.search(word) or _ODD.search(word) or _holds(word, strong):
        return _SURELY
    return int(_holds(word, weak))


def _holds(low: str, signs: Iterable[str]) -> bool:
    for sign in signs:  # noqa: SIM110 - twice as fast as any() with a generator
        if sign in low:
            return True
    return False


@cache
def _signs() -> tuple[frozenset[str], frozenset[str]]:
    """Return pieces of words that lead to a secret, and those that do with a digit or a mark."""
    strong = frozenset().union(*map(heads, _STRONG_NOUNS)) - _IN_TALK
    needles = {
        one for row in rows("carriers.txt", 4) for one in row[2].replace("~", ",").split(",")
    }
    weak = frozenset().union(*map(heads, _WEAK_NOUNS), needles, _IN_TALK) - {""}
    return strong, weak - strong


def _spans(
    text: str, extra: Sequence[CustomRule], *, suspicious: bool, mapped: bool = False
) -> Iterator[SecretSpan]:
    """Yield every secret with its span in `text`, or in its plain view where not `mapped`."""
    # Most texts never need them.
    from memctl.guard import decoding

    view = decoding.plain_view(text, mapped=mapped)
    views = [view, *filter(None, (decoding.decoded(view), decoding.unpacked(view)))]
    for one in views if suspicious else ():
        for family in _families():
            yield from map(one.original, family(one))
        if (joined := decoding.joined_lines(one)) is not None:
            for family in _families()[:2]:
                yield from map(joined.original, family(joined))
    if extra:
        from memctl.guard.custom_patterns import custom_spans

        for one in views:
            for rule in extra:
                yield from map(one.original, custom_spans(one, rule))


@cache
def _families() -> tuple[Callable[[TextView], Iterator[SecretSpan]], ...]:
    """Return the rules, first those of what may be cut over two lines."""
    from memctl.guard import known_patterns as known
    from memctl.guard.told import told_spans

    private, carried = known.private_key_spans, known.carried_spans
    return known.format_spans, known.identity_spans, private, carried, told_spans


def _replaced(text: str, spans: Sequence[SecretSpan]) -> str:
    """Replace spans from left to right; of spans that overlap, the union is replaced once."""
    pieces: list[str] = []
    done = 0
    for found in sorted(spans, key=lambda found: (found.start, -found.end)):
        if found.start >= done:
            pieces += [text[done : found.start], f"[secret:{found.rule}]"]
        done = max(done, found.end)
    return "".join([*pieces, text[done:]])
