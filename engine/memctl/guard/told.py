# ruff: noqa: RUF001 - quotes, dashes and letters of all scripts are what is searched
"""Secrets beside their name: ``DB_PASSWORD=…``, "the wifi password is sunflower42".

A noun of ``tables/nouns.txt`` leads to a value: by a sign ("password: x"), by a verb ("the PIN for
the card is 4821"), by nothing ("PIN 4821"), from behind ("4821 is my PIN", "use x as password"),
or from further on in its clause, where only a value that no talk holds is taken. What kind of noun
asks for which kind of value is the table `_TAKEN`; words that speak against a secret ("reset",
"too short") end the search.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.decoding import SecretSpan, lowered
from memctl.guard.tables import plain_letters, sections
from memctl.guard.values import Kind, Value, judged, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

_LONGEST_HEADING, _SHORTEST_ALONE = 24, 7  # characters
_FAR = 90  # characters from a noun to its value
# Which values are taken, by the kind of a noun and by what leads from it to the value. Of two kinds
# of nouns that begin at one place, the first counts.
_MIXED = Kind.WEAK | Kind.STRONG | Kind.RANDOM
_WRITTEN = _MIXED | Kind.NUMBER | Kind.JOINED | Kind.LONG | Kind.CODE | Kind.HEX | Kind.PHRASE
_COUNTED = _MIXED | Kind.NUMBER | Kind.CODE
_STATED = _MIXED | Kind.NUMBER | Kind.JOINED | Kind.PHRASE
_OPAQUE = Kind.RANDOM | Kind.HEX
_PASSWORD = {
    "sign": _WRITTEN,
    "verb": _WRITTEN | Kind.NAME,
    **dict.fromkeys(("mark", "near"), _MIXED | Kind.NUMBER),
    "to": _WRITTEN,
    **dict.fromkeys(("bare", "before"), _STATED),
    "pointed": _MIXED | Kind.JOINED | Kind.LONG,
    "far": Kind.STRONG,
}
_CODE = dict.fromkeys(("sign", "mark", "verb", "to", "bare", "near", "pointed"), _COUNTED)
_CODE |= {"before": Kind.NUMBER | Kind.CODE}
_KEY = {
    "sign": _OPAQUE | Kind.STRONG | Kind.LONG,
    **dict.fromkeys(("mark", "verb", "bare", "near", "pointed", "before"), _OPAQUE),
}
_TAKEN: dict[str, dict[str, Kind]] = {
    "pin": _CODE | {"before": Kind.NUMBER | Kind.CODE | Kind.STRONG, "far": Kind.NUMBER},
    "password": _PASSWORD | {how: _PASSWORD[how] | Kind.WORD for how in ("sign", "verb")},
    "elsewhere": _PASSWORD,
    "pass": {"sign": _MIXED | Kind.PHRASE, "bare": Kind.STRONG, "pointed": Kind.STRONG},
    "code": _CODE,
    "answer": dict.fromkeys(("sign", "verb", "pointed"), _MIXED | Kind.WORD | Kind.JOINED),
    "key": _KEY,
    "token": _KEY,
    "login": {"pointed": Kind.WEAK | Kind.STRONG, "far": Kind.STRONG},
    "account": {"far": Kind.STRONG},
    "enter": dict.fromkeys(("bare", "before"), Kind.NUMBER),
    "opens": {"with": _COUNTED},
}
_RULES = dict.fromkeys(_TAKEN, "told-password")
_RULES |= dict.fromkeys(("pin", "code", "enter", "opens"), "told-code")
_RULES |= dict.fromkeys(("key", "token"), "told-key")
_PASSWORDS = {"password", "elsewhere"}

# --- what leads from a noun to its value

_TAIL = r"(?:\s?[(\[][^()\[\]\n]{1,40}[)\]])?[\"'`*\])}’”»]{0,4}"
_OF = (
    r"(?:[^\S\n](?:of|for|from|to|in|on|at|de|del|para|du|pour|für|fuer|vom|von|zum|zur|der|des|от|для|к|на)"
    r"[^\S\n][^\n:=,;.]{1,40}?)?"
)
_SIGN = Pattern(
    rf"(?i){_TAIL}(?:{_OF}|(?<=\w)[^\S\n][\w-]{{2,14}})[\"'`]?(?:\s{{0,3}}(?::=|=>|->|==|[→➜:=]|(?<=\w)>"
    r"|[\"']?,?\s{0,4}\{?\s{0,6}[\"']?(?:value|default)[\"']?\s?[:=])\s{0,6}"
    r"(?:(?:[\w.]{1,16}\s?=(?=[\s\"'])|(?-i:[A-Z])[\w.<>?]{1,14}(?=\s?[=(])|str(?:ing)?(?=\s?=)|[bfrN](?=[\"']))"
    r"\s{0,2}[=(]?\s{0,2})?){1,2}"
)
_MARK = Pattern(rf"(?i){_TAIL}{_OF}[^\S\n]?(?:[|»,–—-][^\S\n]{{1,2}}|\?\s{{1,2}}(?:A: )?)")
_CALL = Pattern(
    r"[\"'\])}]{1,4}\s{0,2}[.,]\s{0,12}(?:fill|type|val|send_keys|set\w{0,12})?\(?\s?(?=[\"'])"
)
# A verb, and how many words may stand before it in the clause
_COPULA = Pattern(
    r"(?i)(?:(?<=\s)(?:(?P<to>to be|be|to|est|è|é|jest|auf|zu|in|siendo|por|para|na|на|теперь|has|as)|is|was|are|been|becomes?|became|remains?"
    r"|reads?|equals?|ist|sind|war|lautet|lauten|hei(?:ß|ss)t|bleibt|es|son|era|será|это|такой|такая|будет)"
    r"|['’]s|(?<=\w)s(?=\s\S*\d))"
    r"(?:[^\S\n](?:still|now|again|just|always|currently|simply|actually|probably|jetzt|noch|immer|weiterhin|übrigens|ahora"
    r"|todavía|теперь|пока|всё|ещё|(?:wie|as|como|как) \w{4,8}|the|le|la|el|der|die)){0,2}:?[^\S\n]"
)
_CLAUSE = Pattern(r"(?:,[^,.;:\n]{1,60},|,?(?:[^\S\n][^\s,.;:=!?|]{1,24}){0,9})[^\S\n]?$")
_CJK = Pattern(
    r"(?:(?<=[\u3040-\ud7af])|(?=[\u3040-\ud7af]))[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af ]{0,8}?(?:是|为|為|は|を|는|은|이|가|成|用|:)?\s?(?=[\"'「『“(\[!-~])"
)
_BARE = Pattern(r"[\"'`]?[^\S\n](?=[^\s,.;:])")
_BARE_OF = Pattern(rf"(?:{_OF}|[^\S\n][\w-]{{2,14}})[^\S\n]")
_WITH = Pattern(
    r"(?i)(?:[^\S\n][^\s,.;:=!?|]{1,24}){0,5}?(?:[^\S\n](?:with|by|using|via|mit|con|avec|code|с|кодом|is|takes|wants|needs|ist|war|es|est)[^\S\n]{1,2}|: )"
    r"|['’]s "
)
_BRIDGES = (
    *(("sign", _SIGN), ("sign", _CALL), ("verb", _CJK), ("verb", _COPULA), ("mark", _MARK)),
    *(("bare", _BARE), ("near", _BARE_OF), ("with", _WITH)),
)
_FEW = r"(?:[^\S\n][\w'’.-]{1,20}){0,4}"
_BEFORE = Pattern(
    r"(?P<quote>[\"'`“„«]?)(?P<value>\d[\d -]{1,12}\d|(?<![^\s\"'`“”„«»])[^\s\"'`“”„«»]{3,90})[\"'`”»]?(?:"
    rf",?[^\S\n](?:is|are|was|will[^\S\n]be|ist|war|es|это|—|-){_FEW}"
    rf"|[^\S\n](?:as|for|into|in|als|como|как){_FEW}|は)[^\S\n]?[\"'`(]?$"
)
_JUST = Pattern(r"(?P<quote>[\"„]?)(?P<value>\d{3,12})[\"“]?[^\S\n]$")  # "4821 eintippen"
_NEVER = Pattern(r"(?i)(?:\b(?:never|not|nie|nicht|nunca|no|не)|n['’]t)(?:[^\S\n]\w+){0,2}[^\S\n]$")
_STEP = Pattern(r"\S+")
_ENDS = Pattern(r"\n|[.!。](?=\s|$)(?!\sIt(?:'s)?\b)")
_PROSE = Pattern(r"[\w\s,;'’\"“”„«»()?:→–/|&-]*$")
_POINTS = Pattern(
    r"(?i)(?:[:→=–—-]|->)[^\S\n]?[\"'`“„«(]?$|[\"“„«(]$|[?,|/] $|\b(?:and|und|y|и|type|typed|enter|say|answer|put|namely|then"
    r"|it['’]?s|(?:it|hers|his|mine|ours|theirs) is(?: now| still)?|made it|gib|tippe?|tippst du|escribe|pon|введи|набери|tapez|tape|digita|c['’]est) $"
)

# --- what tells a value from a part of a sentence

# What a noun is a part of: "password_min_length", "tokenType"
_PART = Pattern(
    r"(?i)[_-]?(?:min|max|len|length|ids?|name|type|url|uri|path|file|field|input|ttl|expir\w*|limit|count|policy"
    r"|rules?|hint|manager|reset|prompt|label|placeholder|version|ref|regex|hash\w*|algo\w*|vault|arn|chain|less)(?![a-z])"
)
_UNIT = Pattern(
    r"[^\S\n]?(?:[%°€$£]|(?:days?|times?|characters?|chars?|digits?|lines?|min(?:utes?)?|seconds?|hours?|months?|years?"
    r"|bits?|bytes?|tokens?|members?|people|points?|attempts?|percent|zeichen|tage|mal|stellen|minuten|jahre|caracteres"
    r"|días|líneas|veces|дней|строк|символ\w*|раз|минут|ms|px|km|kg|mm|cm|gb|mb|kb|euros?|dollars?|of)\b"
    r"|[天次位个行年元字]|[.:/,]\d)"
)
_MANY = Pattern(r"[^\S\n][a-z]{3,}s\b")  # "opens with 4821 words"
_YEAR = Pattern(r"(?:19|20)\d\d$")
_CLOSES = Pattern(r"[^\S\n]{0,3}(?:[.,;!?)\n»”\"]|$|(?:and|but|for|und|y|и|if|in case)\b)")


# What must stand near a noun, so that it is looked at closely
_NEEDED = dict.fromkeys(_TAKEN, Pattern(r"\S")) | {
    **dict.fromkeys(("code", "enter", "opens"), Pattern(r"\d")),
    **dict.fromkeys(("key", "token"), Pattern(r"\S{8}")),
    **dict.fromkeys(("login", "account"), Pattern(r"\d|[!#$%^&*?~@+]")),
}


def told_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield the values that a noun of a credential leads to."""
    text = view.text
    for noun in nouns(text):
        near = _NEEDED[noun.kind].search(text, max(0, noun.start - _FAR), noun.end + _FAR)
        if near and _opens_something(text, noun):
            for value in _values(text, noun):
                yield SecretSpan(_RULES[noun.kind], value.start, value.end)
    yield from _by_themselves(view)


def _by_themselves(view: TextView) -> Iterator[SecretSpan]:
    """Yield passwords without a noun: behind an address of mail, or with every kind of sign."""
    for found in _MAIL.finditer(view.text) if "@" in view.text else ():
        value = value_at(view.text, found.end())
        before = view.text[max(0, found.start() - _FAR) : found.start()]
        loose = found["loose"] and _ACCOUNT.search(before) is None
        sure = Kind.STRONG if loose else Kind.STRONG | Kind.WEAK
        alone = value and _CLOSES.match(view.text, value.end) and "/" not in value.text
        if value and alone and value.kind & sure and len(value.text) >= _SHORTEST_ALONE:
            yield SecretSpan("told-password", value.start, value.end)
    for match in _EVERY_SIGN.finditer(view.text):
        value = value_at(view.text, match.start())
        if value and value.kind & Kind.STRONG and value.end == match.end():
            yield SecretSpan("password-like", value.start, value.end)


_ACCOUNT = Pattern(r"(?i)\b(?:account|log-?in|credentials|konto|zugang|cuenta|аккаунт|учётк)")
_MAIL = Pattern(
    r"[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{2,40}"
    r"(?:[\"']?\s?[:/|]\s?[\"']?|, pw |(?P<loose>,? (?:and |und |y |и )?(?:then |with |dann )?|[\"']?\s?,\s?[\"']?))(?=[^\s\d<])"
)
_EVERY_SIGN = Pattern(
    r"(?<![^\s\"'(])(?=\S{8})(?=[^\s]{0,30}[A-Z])(?=[^\s]{0,30}[a-z])(?=[^\s]{0,30}\d)"
    r"[A-Za-z0-9_+-]{1,20}[!#$%^&*?~@][A-Za-z0-9!#$%^&*?~@_+-]{3,24}(?=[\s\"'),.;]|$)"
)


def _opens_something(text: str, noun: Noun) -> bool:
    """Return whether a noun names a credential: no error code, no primary key, no token limit."""
    if speaks_of(text[max(0, noun.start - 24) : noun.start], "public", at_end=True):
        return False
    if noun.kind in {"code", "enter"}:
        what = ("locked", "signing", *("qualified",)[noun.kind == "enter" :])
        return speaks_of(text[max(0, noun.start - 70) : noun.end + 40], *what)
    word = text[max(0, noun.start - 80) : noun.start].rpartition(" ")[2]
    return _PART.match(text, noun.stem) is None and "://" not in word and "arn:" not in word


def _values(text: str, noun: Noun) -> Iterator[Value]:
    kind = noun.kind
    if kind in {"key", "code", "pass"} and _NETWORK.search(
        text, max(0, noun.start - 60), noun.start
    ):
        kind = "password"  # of a network
    taken = _TAKEN[kind]
    value = _behind(text, noun, taken) or _before(text, noun, taken) or _further(text, noun, taken)
    if value is None and taken.get("sign"):
        yield from _under(text, noun, taken["sign"])
    while value is not None:
        yield value
        # Codes stand in a row: 8836 9364, 0805 1520
        more = _LISTED.match(text, value.end) if value.kind & (Kind.NUMBER | Kind.CODE) else None
        value = value_at(text, more.end()) if more else None


_NETWORK = Pattern(r"(?i)\b(?:wi-?fi|wlan|ssid|network|netzwerk|router|hotspot)\b")
_LINE = Pattern(r".+")
_ASIDE = Pattern(r",[^,]*,")
# "a long password is better": none in particular
_ANY = Pattern(r"(?i)\b(?:an?|any|every|each|eine?|un[ae]?|любой)(?:[^\S\n]\w+){0,2}[^\S\n]$")
_THE = Pattern(r"(?i)\b(?:the|le|la|el|der|die)\s$")
_LISTED = Pattern(r"[ ,/|]{1,3}(?=[a-zA-Z]{0,4}\d)")


def _behind(text: str, noun: Noun, taken: dict[str, Kind]) -> Value | None:
    """Return the value that a sign, a verb or nothing parts from its noun."""
    for how, end in _bridges(text, noun, taken):
        value = value_at(text, end)
        if value and value.kind & taken[how] and _stands(text, value, how):
            bridge = text[noun.end : end]
            plain = not value.kind & Kind.STRONG
            if value.kind & (Kind.WORD | Kind.PHRASE) and not value.quoted:
                any_of = _ANY.search(text, max(0, noun.start - 40), noun.start)
                if any_of or _THE.search(bridge) or not _is_told(text, noun, value, bridge, how):
                    continue
            listed = how == "mark" and "," in bridge and noun.kind in _PASSWORDS
            if listed and (plain or text.startswith("(", noun.start - 1)):
                continue
            # A sign points at a password even where the text says that it is wrong.
            if how == "sign" and not plain:
                return value
            if not speaks_of(_ASIDE.sub("", bridge), "against"):
                return value
    return None


def _is_told(text: str, noun: Noun, value: Value, bridge: str, how: str) -> bool:
    """Return whether a plain word behind a verb is a password: "the wifi password is sunflower"."""
    name = text[noun.start : noun.end].lower()
    a_word = name.endswith("word") and "passw" not in name  # "the code word is x"
    if how != "verb" or not value.kind & Kind.WORD or noun.kind == "answer" or a_word:
        return True
    before = text[max(0, noun.start - 60) : noun.start]
    things = ("locked", "qualified", "login", "account")
    named = _NETWORK.search(before) is not None or speaks_of(before, *things)
    named = named or _MINE.search(before) is not None
    return _GERMAN.search(bridge) is not None or (named and value.text.islower())


_MINE = Pattern(r"(?i)\b(?:my|our|mi|mon|meu|minha|\u043c\u043e\u0439)(?: \w+)?\s$")
_GERMAN = Pattern(r"(?i)\b(?:ist|lautet|hei(?:ß|ss)t)\b")


def _bridges(text: str, noun: Noun, taken: dict[str, Kind]) -> Iterator[tuple[str, int]]:
    """Yield what may lead from a noun to its value, and where it ends."""
    for how, bridge in _BRIDGES:
        if bridge is _COPULA:
            for verb in bridge.finditer(text, noun.end, noun.end + _FAR):
                by = "to" if verb["to"] else "verb"
                far = verb.start() > noun.end and verb.group()[0] in "'’"  # "is Petra's"
                if by in taken and not far and _CLAUSE.match(text[noun.end : verb.start()]):
                    yield by, verb.end()
        elif how in taken and (led := bridge.match(text, noun.end)):
            yield how, led.end()


def _under(text: str, noun: Noun, taken: Kind) -> Iterator[Value]:
    """Yield the values under a noun that heads a column of a table."""
    begin, end = text.rfind("\n", 0, noun.start) + 1, text.find("\n", noun.end)
    above = text[text.rfind("\n", 0, max(begin - 1, 0)) + 1 : begin]
    for sign in "|,;\t" if end > 0 else ():
        column = text.count(sign, begin, noun.start)
        cells = text[begin:end].split(sign)
        if sign in above or len(cells) == 1 or len(cells[column].strip()) > _LONGEST_HEADING:
            continue  # in the middle of a table, or no table
        for line in _LINE.finditer(text, end + 1):
            row = line.group().split(sign)
            if len(row) != len(cells):
                break
            start = line.start() + sum(len(cell) + 1 for cell in row[:column])
            value = value_at(text, start + len(row[column]) - len(row[column].lstrip()))
            if value and value.kind & taken and value.end <= start + len(row[column]):
                yield value


def _is_prose(between: str) -> bool:
    return _PROSE.match(between) is not None and not speaks_of(between, "against")


def _before(text: str, noun: Noun, taken: dict[str, Kind]) -> Value | None:
    """Return the value before its noun: "4821 is my PIN", "use x as password"."""
    if "before" not in taken:
        return None
    start = max(0, noun.start - _FAR)
    match = (_JUST if noun.kind == "enter" else _BEFORE).search(text[start : noun.start])
    if match is not None and _NEVER.search(text, start, start + match.start("value")) is None:
        span = (start + at for at in match.span("value"))
        value = judged(text, *span, quoted=bool(match["quote"]))
        return value if value and value.kind & taken["before"] else None
    if noun.kind in _PASSWORDS:  # "just type x when it asks for the password"
        for word in reversed([*_STEP.finditer(text, start, noun.start)]):
            value = value_at(text, word.start())
            if _ENDS.search(text, word.start(), noun.start):
                return None
            if value and value.kind & Kind.STRONG and value.end < noun.start:
                return value if _is_prose(text[value.end : noun.start]) else None
    return None


def _further(text: str, noun: Noun, taken: dict[str, Kind]) -> Value | None:
    """Return a value from further on in the clause that no talk has, or that is pointed at."""
    if "far" not in taken and "pointed" not in taken:
        return None
    ends = _ENDS.search(text, noun.end, noun.end + _FAR)
    last = ends.start() if ends else min(noun.end + _FAR, len(text))
    for word in _STEP.finditer(text, noun.end, last):
        value = value_at(text, word.start())
        between = text[noun.end : value.start] if value else ""
        if value is None or len(between) <= 1:
            continue
        how = "pointed" if _POINTS.search(between) else "far"
        wanted = taken.get(how, Kind.NOTHING) | taken.get("far", Kind.NOTHING)
        if value.kind & Kind.WORD and between.endswith(", "):
            continue  # "her maiden name was changed, Anna"
        if value.kind & wanted and _stands(text, value, how):
            sure = how == "pointed" and value.kind & Kind.STRONG
            return value if sure or _is_prose(between) else None
    return None


def _stands(text: str, value: Value, how: str) -> bool:
    """Return whether a number or a plain word is a value, not a part of a sentence."""
    if value.kind & Kind.NUMBER:
        year = how in {"far", "pointed"} and _YEAR.match(value.text)
        other = how in {"far", "pointed", "near"} and _is_of_a_thing(text, value)
        counted = _UNIT.match(text, value.end) or (how == "with" and _MANY.match(text, value.end))
        return not (year or other or counted)
    if how == "bare" and value.kind & (Kind.PHRASE | Kind.JOINED):
        return value.quoted or len(re.findall(r"[-_]", value.text)) > 1
    if value.kind == Kind.WEAK and how in {"bare", "near"}:
        return not _is_of_a_thing(text, value)
    if value.kind & Kind.WORD and not value.quoted:
        return _CLOSES.match(text, value.end) is not None
    return True


def _is_of_a_thing(text: str, value: Value) -> bool:
    """Return whether another thing is numbered: "terminal 4471"."""
    return speaks_of(text[max(0, value.start - 30) : value.start], "numbered", at_end=True)


# --- the nouns of a text

_KINDS = [*_TAKEN]
_WORD = Pattern(r"[^\W\d_]+")
_ALPHABET = "a-z\u00df-\u024f\u0430-\u045f"  # of languages that set blanks between words
_REST = Pattern(rf"(?<=[{_ALPHABET}_])[{_ALPHABET}0-9_]{{1,40}}")


class Noun(NamedTuple):
    """A word of a credential in a text, and its letters behind the known ones: "passw", "ort"."""

    kind: str
    start: int
    stem: int
    end: int


def nouns(text: str) -> Iterator[Noun]:
    """Yield the nouns of credentials, from left to right."""
    low, done = lowered(text), 0
    for word in _WORD.finditer(low):
        for offset, kind, at_edge in _places(word.group()):
            start = word.start() + offset
            if start < done or (at_edge and not _begins(text, start)):
                continue
            if match := _pattern(kind, at_edge).match(low, start):
                done = match.end()
                rest = _REST.match(low, done)
                yield Noun(kind, start, done, rest.end() if rest else done)


def _begins(text: str, at: int) -> bool:
    """Return whether a word begins here, or a new one in a name like "dbPassword"."""
    before = text[at - 1] if at else " "
    return not before.isalnum() or (before.islower() and text[at].isupper())


def speaks_of(text: str, *names: str, at_end: bool = False) -> bool:
    """Return whether a piece of a text has an entry of one of the sections, or ends with it."""
    return _said(names, at_end).search(lowered(text)) is not None


@cache
def _said(names: tuple[str, ...], at_end: bool) -> re.Pattern[str]:
    begins = rf"(?<![{_ALPHABET}])"
    entries = sorted(
        (section for name in names for section in sections("nouns.txt")[name]), reverse=True
    )
    choices = "|".join((begins if entry[0] == "_" else "") + _source(entry) for entry in entries)
    return re.compile(rf"(?:{choices})[\s_#-]{{0,2}}$" if at_end else choices)


@lru_cache(maxsize=20_000)
def _places(word: str) -> tuple[tuple[int, str, bool], ...]:
    """Return where in a word a noun may begin, of what kind, and whether only at a word's edge."""
    result: set[tuple[int, int, bool]] = set()
    for head, begun in _begun().items():
        at = word.find(head)
        while at >= 0:
            result.update((at, rank, edge) for rank, edge in begun)
            at = word.find(head, at + 1)
    return tuple((at, _KINDS[rank], edge) for at, rank, edge in sorted(result))


@cache
def _begun() -> dict[str, set[tuple[int, bool]]]:
    """Return, for the letters that nouns begin with, the kinds of the nouns."""
    result: dict[str, set[tuple[int, bool]]] = {}
    for rank, kind in enumerate(_KINDS):
        for entry in sections("nouns.txt")[kind]:
            result.setdefault(plain_letters(entry), set()).add((rank, entry[0] == "_"))
    return result


@cache
def _pattern(kind: str, at_edge: bool) -> re.Pattern[str]:
    entries = [section for section in sections("nouns.txt")[kind] if (section[0] == "_") == at_edge]
    return re.compile("|".join(map(_source, sorted(entries, key=len, reverse=True))))


def _source(entry: str) -> str:
    ends = rf"(?![{_ALPHABET}])" if entry[-1] == "_" else ""
    return entry.strip("_").replace("~", "[ _-]?") + ends
