# ruff: noqa: RUF001 - quotes, dashes and letters of all scripts are what is searched
"""Values that could be a secret: where one begins and ends, and of what kind it is."""

from __future__ import annotations

import re
from enum import Flag, auto
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.tables import words

_TEMPLATE = Pattern(
    r"^(?:<[^<>]*>?|\[[^\[\]]*\]?|\{[^{}]*\}?|\$[{(]|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]\w*|(?:[A-Z][a-z]+)"
    r"+)(?:[.:\[/}\"')-]|$)|%\(|%[sdrq]$|%[A-Z_]{2,}%|@[A-Z_]+@|__\w+__$|ENC\[)|\$\{|\{\{|\}\}|\$\(|<"
    r"[A-Za-z_ -]{2,40}>|%\([a-z]|\{[A-Za-z_]{2,40}\}"
)
_CLOSED = Pattern(r"[{}()<>]")
_MASKED = Pattern(r"\.{3}|…|\*{3}|[•●∙·]{3}|#{4}|_{5}|-{5}|(?i:x{4})|█|▒|░")
_REPEATED = Pattern(r"([1-9])\1{3,}$")
# Hashes, fingerprints, addresses of mail, ids; then quantities, dates, versions, names of techniques
_SOMETHING = Pattern(
    r"\$(?:2[abxy]?|argon2\w*|[156y]|apr1|pbkdf2[\w-]*|scrypt|7)\$"
    r"|(?i:\{s?sha\d*\}|sha\d+[:-]|md5:|pbkdf2[_:]|bcrypt:|scrypt:|argon2)"
    r"|(?i:(?:MD5:)?[0-9a-f]{2}(?::[0-9a-f]{2}){7,63})$|[0-9A-F]{40}$"
    r"|[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{2,40}$"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$|[a-z]{1,3}_[0-9a-f]{12}$"
    r"|(?i:[<>=~]{0,2}\d[\d.,_]*(?:[-–]?(?:\d+[-–])?(?:[a-z]{0,2}|%|\+|(?:rem|min|sec|hrs|char|caract|zeichen|bit"
    r"|byte|day|hour|month|year|week|digit|letter|word|symbol|time|token|attempt)[a-z]{0,6}))$"
    r"|[a-z]{2,12}-?\d{1,2}(?:\.\d{1,3}){1,3}$|[a-z]{3,20}:\d{1,2}(?:\.\d{1,2}){0,2}(?:-[a-z]{1,10})?$"
    r"|\d{1,3}(?:\.\d{1,3}){0,3}-[a-z]{3,12}(?:\d{1,2}(?:\.\d{1,2}){0,2})?$"
    r"|v\d+(?:\.\d+){0,3}(?:[-+.][a-z0-9.]{1,12})?$|\d{4}-\d\d(?:-\d\d)?(?:t[\d:.z+-]*)?$"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}$|\d{1,2}:\d\d(?::\d\d)?$|\d{1,6}/\d{1,6}$)"
    r"|(?i:(?:sha|md|aes|rsa|wpa|utf|x|http/|tls|ssl|iso|rfc|cve|issue|pr|step|section|chapter|page|line|figure"
    r"|table|room|gpio|h|mp|win|oauth|base|ipv|argon|pbkdf|hmac\w{0,24}|[a-z]{2,6}[:#]{1,2})-?v?\d[\d.]{0,8}[a-z]?"
    r"|k8s|i18n|l10n|s3|ec2|ed25519|2fa|mfa|1password|arm64|amd64)(?-i:[-_.:/](?:[a-z0-9.:/_-]{0,24}|[A-Z]{2,8}))?$"
)
# Calls, chains of names, references, paths, files, selectors, what a form asks of a value
_PROGRAM = Pattern(
    r"[@A-Za-z_$][\w.$:]{0,80}(?:\(.{0,120}\)|\($|\[.{0,80}\])|(?=[A-Za-z_]\w*[._]\w)[A-Za-z_]\w*(?:\.\w+)*\("
    r"|[a-z]{3,40}\([a-z_]{2,40}[.\[(]"
    r"|[@$:#]?(?:[A-Za-z_]+(?:\??\.|::|->))+[A-Za-z_]+;?$|(?:[a-z_]\w*\.){2,8}[A-Z]\w*$"
    r"|(?i:(?:os|process|sys|self|this|env|secrets|vars?|config|settings|local|data|module|context)\."
    r"|import\.meta|getenv|environ|(?:vault|op|arn|file|ssm|sops|gsm|keyring|pass|env):|ref\+|!vault|!ref|!sub)"
    r"|(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*$"
    r"|[\w.@ -]{1,80}\.(?:pdf|txt|md|docx?|xlsx?|csv|json|ya?ml|toml|ini|cfg|conf|py|[jt]sx?|html?|css|png|jpe?g"
    r"|svg|zip|gz|sh|sql|pem|crt|log|lock|xml|env|kdbx|java|go|rs|rb|php|cs)$"
    r"|[#.][A-Za-z_-]+$|[@:][a-z_]+$|@/[\w./-]+$|(?:[a-z_]{2,20}(?::[\w,]{1,20})?\|){1,8}[a-z_]{2,20}(?::[\w,]{1,20})?$"
)
_EXPRESSION = Pattern(r"\.[*+]|\\[sSwWdD]|\[\^|\(\?|\(\\|\[[A-Za-z0-9]-[A-Za-z0-9]")
_CAMEL = Pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

# Mean lengths of the pieces between changes of case: words have five, random letters about two.
_LONGEST_WORDLIKE, _LONGEST_SCRAMBLED = 3.2, 2.7
_LEAST_CHANGES, _LEAST_OF_A_KIND = 0.36, 0.04
_FEW, _FEWEST_PIECES = 3, 4
_SHORTEST, _SHORTEST_WORD, _SHORTEST_CODE, _SHORTEST_SCRAMBLED = 3, 4, 6, 8
_SHORTEST_ODD, _SHORTEST_KEY, _SHORTEST_HEX = 10, 12, 16
_LONG_WORD = 18  # letters, as two words or three have
_LONGEST, _JUDGED, _LONGEST_PHRASE = 2_000, 300, 24  # characters, twice; words
_DIGITS = range(3, 26)
_RUNS = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "9abcdef01")
_MASK = "[secret:"
_CLOSERS, _OPENERS = ".,:;)]}>\\", {")": "(", "]": "[", "}": "{", ">": "<"}

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_QUOTES = "\"'`“”„«»‘’「」『』《》"
_OPENING = Pattern(rf"[ \t*_(\[|]{{0,3}}?(?P<quote>[{_QUOTES}]?)[ \u00a0\u202f]?(?=[^\s{_QUOTES}])")
_QUOTED = Pattern(rf"[^{_QUOTES}\n]{{3,80}}(?=[{_QUOTES}])")
_NUMBER = Pattern(r"[#*]?\d{1,25}(?:[ -]\d{1,6}){0,5}[#*]?(?![\w:/%]|[.,]\d)")
_RUN = Pattern(rf"[^\s\"`“”„«»「」『』《》、。{_CJK}]{{3,{_LONGEST}}}")
_NEXT_PART = Pattern(r"[;&,]\s?[\w.-]{1,24}=|</|['\"]|\\n|\|")
_PHRASE = Pattern(r"[^\W\d_]{1,14}(?: [^\W\d_]{1,14}){3,11}(?=[.,;!?)\"'\n]|$)")

_COUNT = Pattern(r"[#*]?\d+(?:[ -]\d+)*[#*]?$")
_DATE = Pattern(
    r"(?:19|20)\d\d-\d\d?(?:-\d\d?)?$|\d{1,2}[.:h]\d\d|(?:19|20)\d\d-(?:19|20)\d\d$|0\d{2,4} \d{4,}"
)
_CODE = Pattern(
    r"(?=[A-Z-]*\d)[A-Z0-9]{4,12}$|G-\d{6}$|[A-Z]{4}-[A-Z]{4}$|(?=.*\d)[A-Za-z0-9]{3,6}(?:-[A-Za-z0-9]{3,6})+$"
)
# A key in small letters: letters and digits are mixed over a long stretch
_MIXED = Pattern(rf"(?=[A-Za-z0-9]{{{_SHORTEST_KEY}}})[A-Za-z]*\d+[A-Za-z]+\d")
_HEX = Pattern(r"(?:0x)?[0-9a-f]{7,}$|[0-9A-F]{16,}$")
_MARK = Pattern(r"[!#$%^&*?~@+]")
_MARK_AT_END = Pattern(r"^[!#$%*]\w|.*\w[!#$%*?]{1,2}$")
_LETTERS = Pattern(r"[^\W\d_]+$")
_ROW = Pattern(r"[^\W\d_]+(?:[-_.][^\W\d_]+)+$")
_NAMED = Pattern(r"[a-z]+(?:[A-Z][a-z]+)+$|(?:[A-Z][a-z]+){2,}$|[A-Z]+(?:_[A-Z]+)+$")


class Kind(Flag):
    """What a value looks like; a value may be of several kinds."""

    NOTHING = 0
    NUMBER = auto()  # 4821, 14-33-7, 3884#
    CODE = auto()  # KX7M2PQR, az1nr-pxg7l
    WORD = auto()  # sunflower
    NAME = auto()  # velvetPickaxe, as programs name things
    JOINED = auto()  # copper_lizard_monday
    LONG = auto()  # mysupersecuresigning
    PHRASE = auto()  # four grey cats asleep
    HEX = auto()  # 28d41ee8884900fab41fccc072f87ed8
    WEAK = auto()  # sunflower42
    STRONG = auto()  # Rain1951!
    RANDOM = auto()  # x7pZSV8YsOGftkgM4UyG


class Value(NamedTuple):
    """A piece of text where a secret would be."""

    start: int
    end: int
    text: str
    kind: Kind
    quoted: bool


@lru_cache(maxsize=256)
def value_at(text: str, at: int) -> Value | None:
    """Return the value that begins here, behind quotes or brackets or not; None without one."""
    opening = _OPENING.match(text, at)
    if opening is None:
        return None
    start = opening.end()
    if opening["quote"] and (inside := _QUOTED.match(text, start)):
        return judged(text, *inside.span(), quoted=True)
    for pattern in (_NUMBER, _PHRASE, _RUN):
        match = pattern.match(text, start)
        value = judged(text, *match.span(), quoted=False) if match else None
        if value is not None:
            return value
    return None


def judged(text: str, start: int, end: int, *, quoted: bool) -> Value | None:
    """Return a piece of a text as a value, without the punctuation behind it."""
    if quoted:
        end -= len(text[start:end]) - len(text[start:end].rstrip())
    else:
        part = _NEXT_PART.search(text, start + 1, end)
        end = part.start() if part and "://" not in text[start:end] else end
        start += text[start] in "(["
        while end > start and text[end - 1] in _CLOSERS:
            if _OPENERS.get(text[end - 1], "\n") in text[start:end]:
                break
            end -= 1
    if _MASK in text[max(0, start - 16) : end]:
        return None
    word = text[start:end]
    core = word.rstrip("!?")
    kind = kind_of(core, quoted) if not quoted and core != word else kind_of(word, quoted)
    if core != word and kind & Kind.WEAK and any(map(str.isupper, core)):
        kind = kind_of(word, quoted)  # "Rain1951!", no "mira88!" at a sentence's end
    return Value(start, end, word, kind, quoted) if kind else None


@lru_cache(maxsize=4096)
def kind_of(word: str, quoted: bool) -> Kind:
    """Return the kind of a value; nothing for what was left to be filled in, or is no secret."""
    if not _SHORTEST <= len(word) <= _LONGEST or not any(map(str.isalnum, word)):
        return Kind.NOTHING
    word = word[:_JUDGED]
    if _COUNT.match(word):
        digits = sum(map(str.isdigit, word))
        return Kind.NUMBER if digits in _DIGITS and not _DATE.match(word) else Kind.NOTHING
    if is_placeholder(word) or is_something(word) or (not quoted and is_code(word)):
        return Kind.NOTHING
    if " " in word:
        return Kind.PHRASE if _is_phrase(word, quoted) else Kind.NOTHING
    if any(map(str.isdigit, word)) or _CODE.match(word):
        return _with_digits(word)
    return _of_letters(word, quoted=quoted) if _LETTERS.match(word) else _with_marks(word)


def _of_letters(word: str, *, quoted: bool) -> Kind:
    if is_scrambled(word):
        strong = Kind.STRONG if len(word) >= _SHORTEST_ODD else Kind.WEAK
        return Kind.RANDOM if len(word) > _SHORTEST_KEY else strong
    if not quoted and _NAMED.match(word):
        return Kind.NAME
    if word.isupper():
        rare = quoted and sum(char in "AEIOU" for char in word) <= len(word) // 4
        return Kind.CODE if rare and len(word) >= _SHORTEST_CODE else Kind.NOTHING
    long = Kind.LONG if len(word) >= _LONG_WORD and word.isascii() else Kind.NOTHING
    return Kind.WORD | long if _is_word(word) else long


def _with_digits(word: str) -> Kind:
    if _HEX.match(word):
        return Kind.HEX if len(word) >= _SHORTEST_HEX else Kind.WEAK
    dense = len(word) >= _SHORTEST_KEY and (
        is_dense(word) or is_scrambled(re.sub("[/+]", "", word))
    )
    kind = Kind.CODE if _CODE.match(word) else Kind.NOTHING
    if _is_marked(word, "") or _MARK_AT_END.match(word):
        return kind | Kind.STRONG | (Kind.RANDOM if len(word) >= _SHORTEST_KEY else Kind.NOTHING)
    if dense:
        return kind | Kind.STRONG | Kind.RANDOM
    if len(word) >= 2 * _SHORTEST_KEY - 4 and _MIXED.search(word):
        return kind | Kind.RANDOM
    return kind if kind and word.isupper() else kind | Kind.WEAK


def _with_marks(word: str) -> Kind:
    if _ROW.match(word):
        pieces = re.split(r"[-_.]", word)
        named = _NAMED.match(word) is not None or set(map(str.lower, pieces)) & words("predicate")
        return Kind.NOTHING if named or len(word) < _SHORTEST_KEY else Kind.JOINED
    marked = _is_marked(word, "_") and len(word) > _SHORTEST_WORD + 2
    return Kind.STRONG if marked or is_scrambled(word) else Kind.NOTHING


def _is_marked(word: str, also: str) -> bool:
    """Return whether a mark is between two letters or digits; before it one of `also` will do.

    Each end is looked for once: an expression would try all pairs of a long word.
    """
    letters = [char.isalnum() for char in word]
    begin = next((at for at, char in enumerate(word) if letters[at] or char in also), len(word))
    end = next((at for at in range(len(word) - 1, -1, -1) if letters[at] or word[at] == "_"), 0)
    return begin < end and _MARK.search(word, begin + 1, end) is not None


def _is_word(word: str) -> bool:
    low = word.lower()
    return (
        len(word) >= _SHORTEST_WORD
        and low not in words("predicate") | words("function-word") | words("stand-in")
        and _ABOUT.search(low) is None
    )


# Endings of words that say how a password is, and what is done with it.
_ABOUT = Pattern(
    r"(?:[^aeiou]ed|ing|able|ible|ous|ful|less|ive|ical|ently|ally|tive|[ao]ry|iert|lich|isch|bar|ad[oa]|id[oa]|ный|ная|тся|ть|ен|ена)$"
)


def _is_phrase(text: str, quoted: bool) -> bool:
    """Return whether words in a row are a pass phrase, no sentence about one."""
    if not quoted and not text.islower():
        return False
    parts = re.findall(r"[^\W\d_]+", text.lower())
    if not (3 if quoted else 4) <= len(parts) <= _LONGEST_PHRASE:
        return False
    small = sum(part in words("function-word") for part in parts)
    about = sum(part in words("predicate") or _ABOUT.search(part) is not None for part in parts)
    return about <= 1 and small <= len(parts) // (3 if quoted else 6)


def is_placeholder(value: str) -> bool:
    """Return whether the value was left for somebody to fill in, or was blacked out."""
    low = value.lower()
    variable = _TEMPLATE.search(value) is not None
    if variable and value.startswith("$") and len(value) >= _SHORTEST_ODD:
        # "$iFyUwgCGUQ32c": a dollar by chance, not the name of a variable
        variable = _CLOSED.search(value) is not None or not is_scrambled(value[1:])
    return (
        variable
        or (len(set(low)) <= 1 and not _REPEATED.match(low))
        or low in words("stand-in")
        or _MASKED.search(value) is not None
        or any(word in low for word in words("filler"))
    )


def is_something(value: str) -> bool:
    """Return whether the value is a hash, an address, an id, a date, a quantity or a version."""
    return _SOMETHING.match(value) is not None or "://" in value


def is_code(value: str) -> bool:
    """Return whether an unquoted value is an expression: a call, a reference, a path, a file."""
    return _PROGRAM.match(value) is not None or _EXPRESSION.search(value) is not None


def is_scrambled(word: str) -> bool:
    """Return whether capitals are among the letters as in no word or name: "KiA-QnNlDT"."""
    pieces = _CAMEL.findall(word)
    letters = sum(map(str.isalpha, word))
    return (
        letters >= _SHORTEST_SCRAMBLED
        and len(pieces) >= _FEWEST_PIECES
        and letters < _LONGEST_SCRAMBLED * len(pieces)
        and word.upper() != word != word.lower()
        and "/" not in word
    )


def is_sequence(value: str) -> bool:
    """Return whether most of the value is a run along the digits, the alphabet or the keyboard."""
    low = re.sub(r"[^a-z0-9]", "", value.lower())
    along = sum(any(a + b in run for run in _RUNS) for a, b in pairwise(low))
    return len(low) > 1 and (along >= 0.6 * (len(low) - 1) or len(set(low)) <= _FEW)


def is_dense(value: str) -> bool:
    """Return whether capitals, small letters and digits are mixed as only a generator mixes them."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    changes = sum(a != b for a, b in pairwise(kinds))
    return (
        min(kinds.count(kind) for kind in "dul") >= _LEAST_OF_A_KIND * len(kinds)
        and changes >= _LEAST_CHANGES * (len(kinds) - 1)
        and len(kinds) < _LONGEST_WORDLIKE * max(len(_CAMEL.findall(value)), 1)
    )
