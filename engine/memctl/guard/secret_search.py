"""The questions that the door asks: has a text a secret, and how does it read without.

A cheap gate stands before the rules. Every rule begins with something that must stand in the
text: the name of a secret, a flag, the scheme of an address, a word as long as a key. Words of
talk come again and again, so the gate remembers which words hold nothing of the kind; a harmless
line costs one look into a set, and no rule is even imported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern
from memctl.guard.tables import heads, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.guard.decoding import SecretSpan, TextView

_MOST_SHOWN = 40  # characters before a secret that a refusal repeats
_MOST_ROUNDS = 4  # masking one secret may uncover another; each round removes at least one
_MOST_KNOWN = 20_000  # words, some megabytes; those of a language that anybody uses are fewer
_LONGEST_READ = 2_000  # characters; a longer text is searched as a whole
_NUMBER, _WEAKLY, _SURELY = 1, 2, 3

# Words with numbers are too many to be kept: they are looked up with each digit a nought.
_NOUGHTS = str.maketrans("123456789", "0" * 9)
_LONG = Pattern(r"[!-~]{15}")  # hardly a word of talk is as long
_DIGIT = Pattern(r"\d[ -]?\d|[^\W\d_]\d|[!#$%^&*?~]\S")
# A number, or letters and digits in one word, as a gate that knows no noun lets through
_ODD = Pattern(r"[^\W\d_]\w{2,40}0|\w0[^\W\d_]{3}|\w[!#$%&*@^~_]\w{2}")
# A number that nothing announces is a card's or a person's, or one of these stands beside it: a sign
# of a password, or what a row of twelve words is called.
_SEVEN_DIGITS = Pattern(r"(?:\d\D{0,40}){7}")
_BESIDE_NUMBER = (*"!#$%^&*?~@+", "word", "w\u00f6rter", "palabra", "parole", "\uc2dc\ub4dc")
_CODED = Pattern(r"\\|%[0-9a-fA-F]{2}|&[#\w]{2,8};")
_BROKEN_KEY = Pattern(r"[\w+/=.-]{6}\n[ \t>|]{0,16}[\w+/=.-]{6}")

_STRONG_NOUNS = ("pin", "password", "elsewhere", "answer", "person", "phrase")
_IN_TALK = {"one", "mot", "mots", "code", "safe"}  # begins "one-time code", and much else
_WEAK_NOUNS = ("pass", "code", "key", "token", "login", "account", "enter", "opens")


def find_secret(text: str, extra: Sequence[CustomRule] = ()) -> str | None:
    """Return the name of the first rule that finds a secret in the text.

    Examples
    --------
    >>> find_secret("the wifi password is sunflower42")
    'told-password'
    >>> find_secret("a password must have at least 12 characters") is None
    True
    """
    return next((span.rule for span in _spans(text, extra)), None)


def mask_secrets(text: str, extra: Sequence[CustomRule] = ()) -> str:
    """Return the text with each secret replaced by ``[secret:RULE]``."""
    for _ in range(_MOST_ROUNDS):
        if find_secret(text, extra) is None:
            break
        text = _replaced(text, list(_spans(text, extra, mapped=True)))
    return text


def told_place(text: str, extra: Sequence[CustomRule] = ()) -> str:
    """Return the words up to the first secret of a text, with the secret masked."""
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
    if leads == _SURELY:
        return True
    if leads == _WEAKLY and _DIGIT.search(text):
        return True
    if leads == _NUMBER and (
        any(map(low.__contains__, _BESIDE_NUMBER)) or _SEVEN_DIGITS.search(low)
    ):
        return True
    coded = any(map(text.__contains__, "\\%&")) and _CODED.search(text)
    return bool(coded or ("\n" in text and _BROKEN_KEY.search(text)))


@lru_cache(maxsize=_MOST_KNOWN)
def _leads(word: str) -> int:
    """Return whether a word leads to a secret: surely looked at, with a digit or as one, or not."""
    strong, weak = _signs()
    if _LONG.search(word) or _ODD.search(word) or any(sign in word for sign in strong):
        return _SURELY
    if any(sign in word for sign in weak):
        return _WEAKLY
    return _NUMBER if "0000" in word else 0


@cache
def _signs() -> tuple[frozenset[str], frozenset[str]]:
    """Return pieces of words that lead to a secret, and those that do with a digit or a mark."""
    strong = frozenset().union(*map(heads, _STRONG_NOUNS)) - _IN_TALK
    needles = {
        needle for row in rows("carriers.txt", 4) for needle in row[2].replace("~", ",").split(",")
    }
    weak = frozenset().union(*map(heads, _WEAK_NOUNS), needles, _IN_TALK) - {""}
    return strong, weak - strong


def _spans(text: str, extra: Sequence[CustomRule], *, mapped: bool = False) -> Iterator[SecretSpan]:
    """Yield every secret with its span in `text`, or in its plain view where not `mapped`."""
    suspicious = may_hold_secret(text)
    if not suspicious and not extra:
        return  # as with most texts, which need no rule loaded
    from memctl.guard import decoding

    view = decoding.plain_view(text, mapped=mapped)
    views = [view, *filter(None, (decoding.decoded(view), decoding.unpacked(view)))]
    for one in views if suspicious else ():
        for family in _families():
            yield from map(one.original, family(one))
        if (joined := decoding.joined_lines(one)) is not None:
            for family in _families()[:2]:
                yield from map(joined.original, family(joined))
    for one in views:
        for rule in extra:
            own = ((rule.name, *span) for span in rule.spans(one.text))
            yield from (one.original(decoding.SecretSpan(*span)) for span in own)


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
    for found in sorted(spans, key=lambda span: (span.start, -span.end)):
        if found.start >= done:
            pieces += [text[done : found.start], f"[secret:{found.rule}]"]
        done = max(done, found.end)
    return "".join([*pieces, text[done:]])


# --- rules of a store's own

_NAME = Pattern(r"[a-z0-9][a-z0-9-]{0,39}")
_LONGEST_PATTERN = 400
_WINDOW = 256  # characters a pattern sees at once; windows overlap by half
_MOST_OPEN_REPEATS = 2  # so that a window costs at most 256**3 / 6 = 2.8 million steps
_WIDE = 16  # a repeat of at most this many is not counted as open
_TOKEN = Pattern(
    r"(?s)\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\??"
    r"|(?P<group>\)?)(?P<repeat>[*+?]|\{(?=,?\d)(?P<low>\d*)(?P<comma>,?)(?P<high>\d*)\})[?+]?|."
)


@dataclass(frozen=True)
class CustomRule:
    """A pattern that a store refuses besides the built-in rules.

    Its name (lower-case letters, digits and hyphens, at most 40) is shown and counted; its
    pattern is a regular expression of Python's ``re``, at most 400 characters. It sees the text in
    windows of 256 characters: a secret of up to 128 is always seen whole, and the work grows
    linearly with the text. What cannot be used is a `UsageError`: broken syntax, a pattern that
    matches everything, a group that is repeated, more than two open repeats.
    """

    name: str
    pattern: str

    def __post_init__(self) -> None:
        """Refuse what cannot be run safely."""
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                f'the rule name "{self.name}" cannot be used',
                hint="use lower-case letters, digits and hyphens, at most 40",
            )
        for why, hint in self._faults():
            raise UsageError(f'the pattern of rule "{self.name}" cannot be used: {why}', hint=hint)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the pattern finds something."""
        compiled = re.compile(self.pattern)
        for start in range(0, max(len(text) - _WINDOW // 2, 1), _WINDOW // 2):
            matches = compiled.finditer(text, start, start + _WINDOW)
            yield from (match.span() for match in matches if match.end() > match.start())

    def _faults(self) -> Iterator[tuple[str, str]]:
        if len(self.pattern) > _LONGEST_PATTERN:
            yield f"it is longer than {_LONGEST_PATTERN} characters", "split it into several rules"
        try:
            empty = re.compile(self.pattern).search("")
        except (re.error, RecursionError, OverflowError) as error:
            yield str(error), "check it with Python's re.compile"
            return
        if empty is not None:
            yield "it matches the empty text", "ask for at least one character"
        repeats = [match for match in _TOKEN.finditer(self.pattern) if match["repeat"]]
        if any(repeat["group"] for repeat in repeats):
            hint = "repeat one character class instead, like [a-z0-9]{8,40}"
            yield "the repeat of a group can take forever", hint
        open_repeats = sum(map(_is_open, repeats))
        if open_repeats > _MOST_OPEN_REPEATS:
            hint = rf"bound them, like \s{{0,3}} for \s* (up to {_WIDE} is not counted)"
            yield f"it has {open_repeats} open repeats, {_MOST_OPEN_REPEATS} are allowed", hint


def _is_open(repeat: re.Match[str]) -> bool:
    """Return whether the repeat may run over more than a few characters."""
    if repeat["repeat"] in "*+":
        return True
    wide = not repeat["high"] or int(repeat["high"]) - int(repeat["low"] or 0) > _WIDE
    return bool(repeat["comma"]) and wide
