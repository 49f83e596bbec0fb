# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""The kinds of codes and keys that sentences give, each with an example; names: ``sayings.txt``."""

from __future__ import annotations

from memctl.base.pattern import Pattern
from memctl.guard.rules.gate import has_digit
from memctl.guard.rules.sayings import Saying, signs_of
from memctl.guard.rules.sentences import BEFORE, Given, Kind
from memctl.guard.rules.shapes import is_dense, is_random, is_sequence, letters_and_digits
from memctl.guard.rules.signs import Signs

__all__ = ["KINDS", "SPOKEN_SIGNS"]

_FEWEST_TURNS = 2
_FEWEST_PARTS = 3  # of a combination, then of two digits
_DIGESTS = {40, 56, 64, 96, 128}  # hexadecimal characters: of SHA-1 and its successors


def _is_letters_and_digits(word: str) -> bool:
    return letters_and_digits(word) and not _is_word_and_number(word)


def _is_pairing_code(word: str) -> bool:
    """Whether letters and digits, or digits in the groups that accessories of a home print."""
    return _is_letters_and_digits(word) or _HOME_CODE.match(word) is not None


def _is_word_and_number(word: str) -> bool:
    letters = word.rstrip("0123456789")
    return letters.isalpha() and sum(letter in "AEIOU" for letter in letters) > 1


def _is_combination(word: str) -> bool:
    """Whether no triangle ("3-4-5") and no score."""
    parts = word.split("-")
    return len(parts) > _FEWEST_PARTS or sum(map(len, parts)) > _FEWEST_PARTS


def _opens_something(word: str) -> bool:
    return len(set(word)) > 1


def _is_key(word: str) -> bool:
    """Whether only a generator makes it, and no checksum is as long."""
    if "-" in word or is_sequence(word):
        return False
    if all(char in "0123456789abcdef" for char in word):
        return len(word) not in _DIGESTS and has_digit(word) and not word.isdigit()
    return is_random(word, minimum=20) and (is_dense(word) or word.islower())


def _has_turns(row: str) -> bool:
    """Whether a dial is turned to three numbers, to and fro."""
    turns = _TURN.findall(row)
    return len(turns) >= _FEWEST_TURNS and len(_DIALLED_NUMBER.findall(row)) >= _FEWEST_PARTS


def _is_marked(word: str) -> bool:
    """Whether keypads have a key for what stands around the digits; or no year."""
    return not word.isdigit() or _YEAR.match(word) is None


_DIALS, _DOOR, _CODE = signs_of("dialled"), signs_of("door"), signs_of("code")
_NOTHING, _ANYTHING = Pattern(r"(?!)"), Pattern(r"")
_HOME_CODE = Pattern(r"\d{3}-\d\d-\d{3}$")
_YEAR = Pattern(r"(?:19|20)\d\d$")
_NO_YEAR = Pattern(r"^(?!(?:19|20)\d\d$)")
_DIALLED_NUMBER = Pattern(r"\d{1,2}(?!\d)")
_TURN = Saying(r"<direction>|(?-i:(?<![A-Za-z])[LR])")
_OPENING = r"\s?[\"'“«「`(]?\s?$"
_COUNTED = Saying(
    r"^(?:[\"'»」)]{0,2}\s?<counted>|[\s,(]{1,3}(?-i:[A-Z][a-z])|[\s,]{1,2}is\s(?!what\s))"
)
_DATED = Saying(r"\b<dated>\s?$|(?:サイズ|尺寸|寸法|大きさ)[^\d\n]{0,6}$")
_NO_CODE = Saying(
    r"\b<no-code>\W{0,3}(?:\w{1,12}\s){0,1}$|<no-code-glued>[^\d\n]{0,10}$|\b<has-number>\s$"
    r"|(?<!punch\s)(?<!type\s)(?<!key\s)\b(?:in|im|en|em|nel|anno)\s$|<coded>|(?-i:\bPIN\scode\s(?:of|for)\s[A-Z])"
)
_NO_KEY = Saying(r"\b<no-key>\b|<no-key-glued>")
# "PAT" is a token, Pat is a woman.
_KEY_NAME = r"(?:<key>|(?-i:\bPATs?\b|(?<![A-Za-z])PAT(?![A-Za-z])))"

_PAIRED = Kind(  # "the pairing code she read to me was JXKKG9V2"
    "one-time-code",
    Pattern(
        r"(?<![A-Za-z0-9_-])(?:(?=[A-Z]{0,7}\d)(?=\d{0,7}[A-Z])[A-Z0-9]{8}|(?=[A-Z-]{0,8}\d)[A-Z0-9]{4}-[A-Z0-9]{4}|\d{3}-\d\d-\d{3})(?![A-Za-z0-9_-])"
    ),
    _is_pairing_code,
    Saying("<pairing>"),
    (Given(Saying(r"^(?=.*<pairing>)(?=.*<pairing-code>)")),),
    Saying(r"(?:error|serial|model|ticket|seriennummer|错误|エラー)\W{0,3}(?:code\s)?$"),
    _NOTHING,
    signs_of("pairing"),
)
_COMBINED = Kind(  # "the safe opens with 31-07-64"
    "door-code",
    Pattern(
        r"(?<![A-Za-z0-9_./-])\d{1,2}(?:-\d{1,2}){2,4}(?:-(?:star|pound|hash|stern|raute))?(?![A-Za-z0-9_-]|[./]\d)"
    ),
    _is_combination,
    Saying("<dialled>"),
    (
        Given(Saying(r"^(?=.*<dialled>)(?=.*<opened>)")),
        Given(Saying(r"<opened>[^\d\n]{0,24}$"), Saying(r"[^\n]{0,24}<dialled>")),
        Given(Saying(r"<dialled>[^\d\n]{0,24}$"), Saying(r"[^\n]{0,16}(?:<opened>|auf\b)")),
        Given(Saying(r"<dialled>[^\d\n]{0,32}(?:[?？:：=]|は|\s(?:is|ist|es|est))\s?$")),
    ),
    _DATED,
    _COUNTED,
    _DIALS,
)
_TURNED = Kind(  # "the safe: left 12, right 34, left 8", "L45 R12 L63"
    "door-code",
    Saying(
        r"(?:(?:<direction>|(?-i:(?<![A-Za-z])[LR]))(?:\sto|\sbis|\sa|\sà|\sauf|に)?\W{0,3}\d{1,2}(?!\d)"
        r"(?:[^\d\n]{1,24}\d{1,2}(?!\d)){2,4}|(?<![\d-])\d{1,2}\s(?:<direction>|(?-i:[LR]\b))(?:[^\d\n]{1,8}\d{1,2}\s(?:<direction>|(?-i:[LR]\b))){2,4})"
    ),
    _has_turns,
    Saying("<dialled>"),
    (Given(Saying("<dialled>")), Given(_ANYTHING, Saying(r"[^\n]{0,24}<dialled>"))),
    _NOTHING,
    Saying(r"^\s?(?:m|km|px|cm|mm|metres|meters|米)\b"),
    _DIALS,
)
_SIGN = (
    rf"(?:\s?(?:[:：=]|\s[–—-])|\s(?:is\sset\sto|ist\sauf|está\sen|est\sréglée?\ssur))\s?{_OPENING}"
)
_LABEL = r"(?:^|[\s,;:(])(?<!\bat\s)(?<!\bat\sthe\s)(?<!\ban\sder\s)(?<!\bin\sthe\s)"
_ABOUT = r"(?:\s<place-of>\s[^\d\n:=,]{1,24})?"
_ENDING = r"[\"'”»」)]?\s{0,2}(?:$|\n|[.,;!)，。、]|\b(?:then|and|or|dann|und|luego|y|puis|et)\b)"
_CLAUSE_ENDS = rf"(?={_ENDING})"
_END_OF_CLAUSE = Pattern(_ENDING)
_NO_TIME = Pattern(r"^(?!(?:[01]\d|2[0-3])[0-5][05]$)")
_LABELLED = Kind(  # "Front door: 4821#", "Bike lock: 7351"
    "door-code",
    Pattern(
        r"(?<![A-Za-z0-9_.,/+#=&-])(?<!\d:)(?:[#*]?\d{3,6}[#*]?|\d{1,4}[A-ZА-Я]\d{1,4}|[A-F]\d{3,5}|\d{3,5}[A-F])(?![A-Za-z0-9_/:%€$-]|[.,]\d|\s\d)"
        + _CLAUSE_ENDS
    ),
    _is_marked,
    Saying("<locked>"),
    (
        Given(Saying(rf"{_LABEL}<locked>{_ABOUT}{_SIGN}"), _END_OF_CLAUSE),
        Given(Saying(rf"{_LABEL}alarm{_ABOUT}{_SIGN}"), _END_OF_CLAUSE, _NO_TIME),
        Given(Saying(rf"<door>[^\d\n:=,]{{0,24}}{_SIGN}"), _END_OF_CLAUSE, Pattern(r"[#*]$")),
        Given(Saying(r"<door>[^\d\n]{0,24}c['’]est\sle\s$"), None, Pattern(r"[A-Z]")),
    ),
    _NO_CODE,
    _COUNTED,
    signs_of("locked", "door"),
    Pattern(r"(?i)(?:[:：=–—-]|\b(?:to|auf|en|sur|le))\s?[\"'“«「`(]?\s?$"),
)
_OF_SMALL_LOCK = Kind(  # "the key box 4471"
    "door-code",
    Pattern(r"(?<=\s)\d{4,5}(?![A-Za-z0-9_/:%€$-]|[.,]\d|\s\d)" + _CLAUSE_ENDS),
    _is_marked,
    Saying("<small-lock>"),
    (Given(Saying(r"<small-lock>\s$"), _END_OF_CLAUSE),),
    _NO_CODE,
    _COUNTED,
    signs_of("small-lock"),
)
_ANSWERS = r"(?:[^\s:：>]{1,12}\s?[:：>]|[-–—])?\s?(?:it['’]s|its|es|c['’]est|是)?\s?"
_OF_DOOR = Kind(  # "the parking barrier code is 7714", "Tape 27B41 pour la porte"
    "door-code",
    Pattern(
        r"(?<![A-Za-z0-9_.,:/+#=&-])(?:(?:(?<!\[)[#*])?\d{4,6}[#*]?|\d{1,4}[A-ZА-Я]\d{1,4}|[A-F]\d{3,5}|\d{3,5}[A-F])(?![A-Za-z0-9_/:%€$-]|[.,]\d|\s\d)"
    ),
    _opens_something,
    Saying(r"<door>|<code>"),
    (
        Given(Saying(r"^(?=.*<door>)(?=.*<code>)"), signs=(_DOOR, _CODE)),
        Given(Saying(r"(?:code|digicode|código)\s(?:de|d['’]|del|für|for)[^\d\n:]{0,40}[:：]\s?$")),
        Given(
            Saying(r"(?:tape[rz]?|punch(?:\sin)?|press|enter|marca|wants|takes)\s$"),
            Saying(r"[^\n]{0,24}(?:alarm|<unlocks>|disarm|door|porte|puerta|code)"),
        ),
        # "The code for downstairs?", and what is said to it
        Given(Saying(rf"(?:<code>|<locked>)[^\n\d]{{0,40}}[?？。]\n{_ANSWERS}$")),
        Given(Saying(r"<code>\s(?:for|of|to|für|vom|del?|du|pour|para)\s[^\d\n]{0,30}[?？]\s$")),
        # "code 4471 for the gate"
        Given(
            Saying(r"<code>\s$"),
            Saying(r"\s(?:for|to|of|für|am|vom|del?|du|pour|para)\s[^\n.]{0,20}<door>"),
            _NO_YEAR,
        ),
        # "7319 opens the front door"
        Given(
            Saying(r"^\W{0,3}$"),
            Saying(
                r"\s(?:opens|unlocks|öffnet|abre|ouvre|apre|打开|is\swhat\syou\s(?:type|press|dial|enter))\s?[^\n.]{0,24}(?:<door>|<dialled>)"
            ),
        ),
        # "Buzz 1984 at the gate"
        Given(
            Saying(r"(?<!\w)<types>\s(?:(?:the|den|el|le|il|o)\s)?(?:code\s)?$"),
            Saying(
                r"\s(?:at|on|into|in|by|en|a|à|au|am|an|beim|no|al|на|у|w|przy)\s[^\d\n.,]{0,16}(?:<door>|<dialled>)"
            ),
        ),
        Given(Saying(r"<door>[^\d\n.]{0,20}<types>\s?$")),
        Given(
            Saying(r"<door>[^\d\n.]{0,20}$"),
            Saying(r"\s?(?:(?:einfach|dann|kurz)\s)?(?:<typed-behind>)"),
        ),
        Given(
            Saying(r"(?<!\w)<types>\s(?:an|am|beim|en|à|au|at)\s[^\d\n.]{0,20}<door>\w{0,4}\s$"),
            Saying(r"\s(?:ein\b|und|and|y|et)|[.!]?$"),
        ),
    ),
    _NO_CODE,
    _COUNTED,
    Signs(_DOOR | _CODE),
)
_SIX_DIGITS = Pattern(r"^\d{6,8}$")
_UNLOCKING = Kind(  # "Omas iPad entsperrt man mit 140352", "my phone PIN, 5837"
    "one-time-code",
    Pattern(
        r"(?<![A-Za-z0-9_.,:/+#=&-])(?:(?<!\[)[#*])?\d{4,8}[#*]?(?![A-Za-z0-9_/:%€$-]|[.,]\d|\s\d)"
    ),
    _opens_something,
    Saying("<unlocks>|<pin>|<texted>"),
    (
        Given(Saying(rf"<unlocks>[^\d\n]{{0,48}}<typed>{_OPENING}")),
        Given(
            Saying(rf"<typed>{_OPENING}"),
            Saying(
                r"[\"'”»」]?[^\n.]{0,6}(?:entsperr|unlock|to\sdisarm|pour\sdé|para\sdes|で(?:解除|開)|解[锁鎖])"
            ),
        ),
        Given(Saying(r"<unlocks>[^\d\n]{0,32}$"), Saying(r"\s?<typed-behind>")),
        Given(Saying(rf"<pin>[^\d\n。]{{0,32}}{_OPENING}")),
        Given(
            Saying(r"^\W{0,3}$"),
            Saying(
                r"\s<unlocks>\w{0,2}\s(?:the|my|his|her|our|your|das|den|die|mein\w{0,2}|el|la|mi|le|mon|ma|\w{2,12}['’]?s)\s[^\n.]{0,16}(?:phone|tablet|ipad|laptop|handy|móvil|portable|téléphone)"
            ),
        ),
        Given(
            Saying(r"^\W{0,3}$"),
            Saying(r"\s?\((?:your|the|ihr|dein|tu|su|votre|ton)\s[^)\n]{0,16}<code>"),
        ),
        Given(Saying(r"<texted>[^\d\n]{0,24}$"), Saying(r"[^\n]{0,30}<confirms>"), _SIX_DIGITS),
    ),
    _NO_CODE,
    _COUNTED,
    signs_of("unlocks", "pin", "texted"),
)
_KEYED = Kind(  # "Azure: endpoint https://eu.example.org key 7Kq2..."
    "secret-assignment",
    Pattern(
        r"(?<![A-Za-z0-9_./+=@#%&?~-])[A-Za-z0-9_~-]{20,128}(?![A-Za-z0-9_/+=@~-]|\.[A-Za-z0-9_])"
    ),
    _is_key,
    Saying(_KEY_NAME),
    (
        Given(Saying(_KEY_NAME)),
        Given(
            Saying(r"(?:store|save|remember|note|keep)\b"), Saying(rf"[^\n.]{{0,30}}{_KEY_NAME}")
        ),
    ),
    _NO_KEY,
    _NO_KEY,
    Signs((*signs_of("key"), "pat")),
    denied_within=BEFORE,
)
KINDS = (_PAIRED, _COMBINED, _TURNED, _LABELLED, _OF_SMALL_LOCK, _OF_DOOR, _UNLOCKING, _KEYED)
SPOKEN_SIGNS = Signs(sign for kind in KINDS for sign in kind.signs)
