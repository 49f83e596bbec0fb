# ruff: noqa: RUF001 - other scripts and their punctuation are what is read
"""The forms of plain sentences that claims are read from, listed by language.

Each form spans the whole sentence, so that nothing of it is left out; its groups are
``subject`` (the user where it has none), ``value`` (or ``datum``), and where it has them
``former``, ``negation`` and ``change``. The reason that may follow is taken off before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memctl.base.pattern import Pattern

__all__ = [
    "APART",
    "ENDED",
    "OPEN_WORDS",
    "THING_DE",
    "THING_EN",
    "THING_ES",
    "THING_FR",
    "TOGETHER",
    "TRAILING",
    "ClaimForm",
    "without_reason",
]

NAME = r"[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff][\w.'-]*"
NAMES = rf"{NAME}(?:\s+{NAME}){{0,2}}"

# A person, or a thing in a few words: the billing service, our daily sync, Dark mode.
_WORDS = r"(?:\s+(?!(?:is|are|was|were|can|will)\b)[\w-]+)"
THING_EN = (
    rf"(?P<subject>I|(?:[Tt]he\s+)?[Uu]ser(?:'s{_WORDS}{{1,2}}?)?|"
    rf"(?:[Tt]he|[Oo]ur|[Mm]y){_WORDS}{{1,4}}?|{NAME}{_WORDS}{{0,2}}?)"
)
THING_DE = rf"(?P<subject>[Ii]ch|(?:(?:[Dd](?:er|ie|as)|[Uu]nsere?|[Mm]eine?)\s+)?{NAMES})"
THING_ES = rf"(?P<subject>[Yy]o|(?:[Ee]l|[Ll]a|[Ll]os|[Ll]as|[Nn]uestr[oa]|[Mm]i)(?:\s+[\w-]+){{1,3}}?|{NAMES})"
THING_FR = (
    r"(?P<subject>[Jj]e|(?:(?:[Ll]e|[Ll]a|[Ll]es|[Nn]otre|[Mm]on|[Mm]a)\s+|[Ll]')[\w-]+"
    rf"(?:\s+[\w-]+){{0,2}}?|{NAMES})"
)


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """One form of sentence."""

    predicate: str  # of its claim, whatever the language: ``like``, ``live``, ...
    pattern: Pattern  # the whole sentence
    signs: tuple[str, ...]  # it holds one of these; pieces of words where those are not apart
    negated: bool = False  # the verb itself denies: hates, dislikes
    kinds: frozenset[str] = (
        frozenset()
    )  # of its datum (`datum`); empty where it says something else
    gate: Literal["", "datum", "state", "count"] = ""  # its last words must be able to end that


# Why something is so is no part of what is so.
_REASONS = (
    *("because", "since", "as it", "as they", "weil", "da es", "da sie", "porque", "ya que"),
    *("parce qu", "puisqu", "因为", "なぜなら"),
)
_BEFORE_REASON = (" ", "\t", "\n", ",", ";", "(", "\u2014", "，", "、")
_AFTER_REASON = Pattern(r"e\b|'|\b|(?<=因为)|(?<=なら)")
# At the end of a value: it was otherwise before.
TRAILING = Pattern(
    r"\s+(?:now|(?:once )?again|any ?more|any longer|these days|nowadays|jetzt|wieder|ahora|"
    r"de nuevo|otra vez|maintenant|(?:à|de) nouveau)\Z"
)
# Denials that say so too.
ENDED = frozenset({"no longer", "nicht mehr", "ya no", "plus", "不再", "もう"})
# A value with one of these is more than one thing, or not quite that one.
OPEN_WORDS = Pattern(
    r"[;:?!\n\u2026。？！；：、，]|\.\s|"
    r"\b(?:and|or|but|nor|neither|not|no|none|nothing|never|except|unless|if|when|whenever|while|"
    r"who|that|yet|only|und|oder|aber|nicht|kein\w{0,2}|nichts|wenn|außer|y|o|pero|ni|nada|nunca|"
    r"si|cuando|salvo|et|ou|mais|pas|rien|jamais|quand|sauf)\b|[和与或但跟]|[ァ-ヶ一-龥](?:と|や)[ァ-ヶ一-龥]",
    re.IGNORECASE,
)

_VALUE = r"(?P<value>[^\n]{1,80})\Z"
_FROM_TO = r"(?P<former>[^\n]{1,40}?)\s+%s\s+(?P<value>[^\n]{1,40})\Z"


def _form(predicate: str, signs: str, *parts: str, negated: bool = False) -> ClaimForm:
    return ClaimForm(predicate, Pattern("".join(parts)), tuple(signs.split()), negated)


def _either(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


# -- English: I; the user; Ann Lee; the billing service -------------------------------------

_EN = rf"(?P<subject>I|(?:[Tt]he\s+)?[Uu]ser|[Tt]he(?:\s+[\w-]+){{1,3}}?|{NAMES})"
_EN_HEAD = rf"{_EN}\s+(?:(?P<change>now|again)\s+|(?:currently|still|also|really|always|already|actually)\s+)*"
_EN_NOT = r"(?:(?P<negation>do not|does not|don't|doesn't|never|no longer)\s+)?"
_EN_IS = r"(?:'m|\s+am|\s+is|\s+are)"
_EN_HAS = r"(?:has\s+|have\s+)?"
_ABILITY = r"(?P<value>[\w'-]+(?:\s+[\w'-]+){0,3})\Z"
_EN_IS_NOT = r"(?:(?P<change>now)\s+)?(?:(?P<negation>not|no longer)\s+)?"


def _verb(predicate: str, verbs: str, after: str = "", *, negated: bool = False) -> ClaimForm:
    tail = rf"{_either(verbs)}\s+{after}"
    return _form(predicate, verbs, _EN_HEAD, _EN_NOT, tail, _VALUE, negated=negated)


_ENGLISH = (
    _verb("like", "like likes"),
    _verb("like", "love loves"),
    _verb("like", "enjoy enjoys"),
    _verb("like", "dislike dislikes", negated=True),
    _verb("like", "hate hates detest detests", negated=True),
    _form("like", "stand", _EN_HEAD, r"(?:can't|cannot|can not)\s+stand\s+", _VALUE, negated=True),
    _form(
        "can", "can can't cannot",
        # What one cannot wait for, or stand, is no ability.
        _EN_HEAD, r"can(?:\s*(?P<negation>not|'t|no longer))?\s+(?!(?:stand|bear|wait|help)\b)",
        _ABILITY,
    ),
    _form("can", "able", _EN, _EN_IS, r"\s+", _EN_IS_NOT, r"able\s+to\s+", _ABILITY),
    _form(
        "can", "unable",
        _EN, _EN_IS, r"\s+(?:(?P<change>now)\s+)?unable\s+to\s+", _ABILITY, negated=True,
    ),
    _verb("prefer", "prefer prefers"),
    _form(
        "use", "switched migrated changed",
        _EN_HEAD, _EN_HAS, r"(?:switched|migrated|changed)\s+from\s+", _FROM_TO % "to",
    ),
    _form("move", "moved", _EN_HEAD, _EN_HAS, r"moved\s+from\s+", _FROM_TO % "to"),
    _verb("use", "use uses"),
    _verb("live", "live lives reside resides", r"in\s+"),
    _form("live", "based", _EN, _EN_IS, r"\s+(?:(?P<change>now)\s+)?based\s+in\s+", _VALUE),
    _verb("work", "work works", r"(?:at|for)\s+"),
    _form("work", "employed", _EN, _EN_IS, r"\s+employed\s+(?:at|by)\s+", _VALUE),
    _form(
        "age", "old",
        _EN, _EN_IS, r"\s+(?:(?P<change>now)\s+)?(?P<value>\d{1,3})\s+years?\s+old\Z",
    ),
    *(
        _verb("manner", f"{verb} {verb}s")
        for verb in ("work", "live", "sleep", "write", "commute", "drive", "sit", "wake", "get", "pay")
    ),
    *(
        _verb(verb, f"{verb} {verb}s")
        for verb in ("drink", "eat", "speak", "smoke", "own", "drive", "play", "want", "need", "know")
    ),
    _verb("have", "has have", r"(?!\w+(?:ed|en)\b)"),
    _form(
        "be", "am is are isn't aren't i'm",
        _EN, rf"(?:{_EN_IS}(?=\s)|\s+(?=isn't|aren't))\s*(?:(?P<change>now)\s+)?",
        r"(?:(?P<negation>isn't|aren't|not|no longer)\s+)?",
        r"(?P<value>an?\s+(?:morning|evening|night|early)\s+(?:person|owl|bird)|"
        r"(?:an?\s+)?[\w'-]+(?:\s+(?:to|of|with)\s+[\w'-]+)?)\Z",
    ),
)  # fmt: skip

# -- German ---------------------------------------------------------------------------------

_DE = rf"(?P<subject>[Ii]ch|(?:[Dd](?:er|ie)\s+)?{NAMES})\s+"
_DE_NOW = r"\s+(?:(?P<change>jetzt|nun|inzwischen|wieder)\s+|(?:derzeit|immer noch|noch)\s+)?"
_DE_VALUE = r"(?P<value>[^\n]{1,80}?)(?:\s+(?P<negation>nicht mehr|nicht))?\Z"
_DE_NONE = r"(?P<negation>kein(?:e|en|em)?)\s+"


def _verb_de(predicate: str, verbs: str, after: str = "") -> tuple[ClaimForm, ClaimForm]:
    """Return the two forms of a German verb: with kein before the value, or nicht behind it."""
    start = (_DE, _either(verbs), _DE_NOW, after)
    return (
        _form(predicate, "kein keine keinen keinem", *start, _DE_NONE, _VALUE),
        _form(predicate, verbs, *start, _DE_VALUE),
    )


# Who works at night or by daylight works for nobody of that name: German nouns have capitals too.
_NO_FIRM = (
    "Nacht|Tag|Tageslicht|Licht|Dunkelheit|Regen|Schnee|Wind|Sturm|Gewitter|Wetter|Sonne|"
    "Sonnenschein|Hitze|Kälte|Frost|Nebel|Musik|Lärm|Stille|Ruhe|Kerzenlicht|Mondschein|Bedarf|Gelegenheit|Problemen"
)
_GERMAN = (
    _form(
        "like", "kann",
        _DE, "kann", _DE_NOW, r"(?P<value>[^\n]{1,60}?)\s+nicht\s+(?:leiden|ausstehen)\Z",
        negated=True,
    ),
    _form(
        "can", "kann",
        _DE, "kann", _DE_NOW, r"(?:(?P<negation>nicht mehr|nicht|kein(?:e|en)?)\s+)?", _VALUE,
    ),
    _form("manner", "arbeite arbeitet", _DE, "arbeitet?", _DE_NOW, _DE_VALUE),
    _form("manner", "lebe lebt wohne wohnt", _DE, "(?:lebt?e?|wohnt?e?)", _DE_NOW, _DE_VALUE),
    *_verb_de("like", "mag"),
    *_verb_de("like", "liebe liebt"),
    *_verb_de("prefer", "bevorzugt bevorzuge"),
    *_verb_de("use", "nutzt nutze benutzt benutze verwendet verwende"),
    _form(
        "use", "umgestiegen gewechselt",
        _DE, r"(?:ist|bin|hat|habe)\s+von\s+(?P<former>[^\n]{1,40}?)\s+(?:auf|zu)\s+",
        r"(?P<value>[^\n]{1,40}?)\s+(?:umgestiegen|gewechselt)\Z",
    ),
    *_verb_de("live", "wohnt wohne lebt lebe", r"in\s+"),
    *_verb_de("work", "arbeitet arbeite", rf"bei\s+(?!(?:{_NO_FIRM})\b)"),
    *_verb_de("eat", "isst esse"),
    *_verb_de("drink", "trinkt trinke"),
    _form("age", "jahre", _DE, r"(?:ist|bin)", _DE_NOW, r"(?P<value>\d{1,3}) Jahre alt\Z"),
)  # fmt: skip

# -- Spanish: the subject may stand in the verb ---------------------------------------------

_ES = rf"(?:[Yy]o|(?P<subject>[Ee]l\s+usuario|[Ll]a\s+usuaria|{NAMES}))\s+"
_ES_NOT = r"(?:(?P<negation>[Yy]a no|[Nn]o)\s+)?"
_ES_NOW = r"(?:(?P<change>[Aa]hora)\s+)?"


def _verb_es(
    predicate: str, first: str, third: str, after: str = ""
) -> tuple[ClaimForm, ClaimForm]:
    """Return the forms of a verb in the first person, where it needs no subject, and the third."""
    either_case = f"[{first[0].upper()}{first[0]}]{first[1:]}"
    alone = (r"(?:[Yy]o\s+)?", _ES_NOW, _ES_NOT, rf"{either_case}\s+{after}", _VALUE)
    return (
        _form(predicate, first, *alone),
        _form(predicate, third, _ES, _ES_NOW, _ES_NOT, rf"{third}\s+{after}", _VALUE),
    )


_SPANISH = (
    *_verb_es("can", "puedo", "puede"),
    *_verb_es("know", "sé", "sabe"),
    _form("like", "gusta gustan", _ES_NOT, r"[Mm]e\s+gustan?\s+", _VALUE),
    _form(
        "like", "gusta gustan",
        rf"[Aa](?:l\s+|\s+)(?P<subject>usuario|{NAMES})\s+", _ES_NOT, r"le\s+gustan?\s+", _VALUE,
    ),
    *_verb_es("prefer", "prefiero", "prefiere"),
    *_verb_es("live", "vivo", "vive", r"en\s+"),
    *_verb_es("work", "trabajo", "trabaja", r"(?:en|para)\s+"),
    *_verb_es("use", "uso", "usa"),
    *_verb_es("drink", "bebo", "bebe"),
    *_verb_es("eat", "como", "come"),
    _form("use", "cambió", _ES, r"cambió\s+de\s+", _FROM_TO % "a"),
    _form("age", "años", _ES, r"tiene\s+(?P<value>\d{1,3})\s+años\Z"),
)  # fmt: skip

# -- French ---------------------------------------------------------------------------------

_FR = rf"(?:(?P<subject>[Jj]e|[Ll]'utilisat(?:eur|rice)|{NAMES})\s+|[Jj]')"
_FR_NOW = r"(?:(?P<change>désormais|maintenant|(?:à|de) nouveau)\s+)?"


def _verb_fr(predicate: str, verbs: str, after: str = "") -> ClaimForm:
    verb = _either(verbs)
    denied = rf"(?:n'|ne\s+){verb}\s+(?P<negation>pas|plus)\s+(?:d'|de\s+)?"
    # "J'aime" is one word to whoever splits at spaces.
    signs = " ".join(f"{one} n'{one} j'{one}" for one in verbs.split())
    return _form(predicate, signs, _FR, rf"(?:{denied}|{verb}\s+)", _FR_NOW, after, _VALUE)


_FRENCH = (
    _verb_fr("can", "peut peux"),
    _verb_fr("know", "sait sais"),
    _verb_fr("like", "aime"),
    _verb_fr("like", "adore"),
    _form("like", "déteste", _FR, r"déteste\s+", _VALUE, negated=True),
    _verb_fr("prefer", "préfère"),
    _verb_fr("live", "habite vit vis", r"(?:à|en)\s+"),
    _verb_fr("work", "travaille", r"(?:chez|pour)\s+"),
    _verb_fr("use", "utilise"),
    _verb_fr("drink", "boit bois"),
    _verb_fr("eat", "mange"),
    _form("use", "passé passée", _FR, r"(?:est|suis)\s+passée?\s+de\s+", _FROM_TO % "à"),
    _form("age", "ans", _FR, r"(?:a|ai)\s+(?P<value>\d{1,3})\s+ans\Z"),
)

# -- Chinese --------------------------------------------------------------------------------

_ZH = r"(?P<subject>用户|使用者|我|[A-Za-z]{2,20}|[一-鿿]{2,3}?)\s*(?:(?P<change>现在|又)|目前|一直|也|还|很)?"
_ZH_NOT = r"(?P<negation>不再|不|没有)?"


def _verb_zh(predicate: str, verbs: str, *, negated: bool = False) -> ClaimForm:
    return _form(predicate, verbs, _ZH, _ZH_NOT, _either(verbs), _VALUE, negated=negated)


# States that take no verb; 会 alone would be a meeting, or what will happen.
_ZH_STATES = "单身|未婚|已婚|离异|左撇子|右撇子"
_JA_STATES = "独身|未婚|既婚|左利き|右利き"
_CHINESE = (
    _form("can", "会 能", _ZH, r"(?P<negation>不)?(?:会|能)(?!议)", _VALUE),
    _form(
        "be", _ZH_STATES.replace("|", " "),
        _ZH, rf"(?P<negation>不)?是?(?P<value>{_ZH_STATES})(?:的|了)?\Z",
    ),
    _verb_zh("prefer", "更喜欢 偏好 偏爱"),
    _verb_zh("like", "喜欢"),
    _verb_zh("like", "讨厌", negated=True),
    _form("use", "改用 换到", _ZH, r"从(?P<former>[^\n]{1,30}?)(?:改用|换到)了?", _VALUE),
    _verb_zh("live", "住在"),
    _form("work", "工作", _ZH, _ZH_NOT, r"在(?P<value>[^\n]{1,30})工作\Z"),
    _verb_zh("use", "使用"),
    _verb_zh("drink", "喝"),
    _verb_zh("eat", "吃"),
    _form("age", "岁", _ZH, r"今?年?(?P<value>\d{1,3})岁了?\Z"),
)  # fmt: skip

# -- Japanese -------------------------------------------------------------------------------

_JA = r"(?P<subject>ユーザー?|私|僕|[A-Za-z]{2,20}|[一-鿿ァ-ヶー]{1,10}?)(?:さん)?は(?:(?P<change>今|また)、?)?"
_JA_WHAT = r"(?P<value>[^\n]{1,60}?)"
_JA_BE = r"(?:です|だ)?\Z"
_JA_IS = r"(?:いる|います|(?P<negation>いない|いません))\Z"
_JAPANESE = (
    _form(
        "can", "でき",
        _JA, _JA_WHAT, r"(?:が|は|ことが)でき(?:る|ます|(?P<negation>ない|ません))\Z",
    ),
    _form(
        "be", _JA_STATES.replace("|", " "),
        _JA, rf"(?P<value>{_JA_STATES})(?P<negation>(?:では|じゃ)(?:ない|ありません))?", _JA_BE,
    ),
    _form("prefer", "の方が のほうが", _JA, _JA_WHAT, "(?:の方|のほう)が好き", _JA_BE),
    _form(
        "like", "好き",
        _JA, _JA_WHAT, r"が好き(?P<negation>(?:では|じゃ)(?:ない|ありません))?", _JA_BE,
    ),
    _form("like", "嫌い", _JA, _JA_WHAT, "が嫌い", _JA_BE, negated=True),
    _form(
        "use", "乗り換え 切り替え",
        _JA, r"(?P<former>[^\n]{1,30}?)から", _JA_WHAT, r"に(?:乗り換え|切り替え)(?:た|ました)\Z",
    ),
    _form("live", "住ん", _JA, _JA_WHAT, "に住んで", _JA_IS),
    _form("work", "働い 勤め", _JA, _JA_WHAT, "(?:で働いて|に勤めて)", _JA_IS),
    _form("use", "使", _JA, _JA_WHAT, "を使って", _JA_IS),
    _form("age", "歳", _JA, r"(?P<value>\d{1,3})歳", _JA_BE),
)  # fmt: skip


def without_reason(text: str) -> str:
    """Return `text` without the reason that it gives at its end."""
    # Few sentences give one: to look for the words is cheaper than any pattern.
    end = len(text)
    for word in _REASONS:
        if word in text:
            at = text.find(word)
            if text[:at].endswith(_BEFORE_REASON) and _AFTER_REASON.match(text, at + len(word)):
                end = min(end, at)
    return text[:end].rstrip("".join(_BEFORE_REASON)) if end < len(text) else text


# Of scripts that write words apart, and of those that do not.
APART = (*_ENGLISH, *_GERMAN, *_SPANISH, *_FRENCH)
TOGETHER = (*_CHINESE, *_JAPANESE)
