"""The forms of sentences that say a datum or a state: when it is, what it costs, single or married.

They are read as those of `memctl.semantic.sentences.claim_forms`; the group ``datum`` holds what
`memctl.semantic.sentences.datum` reads. Only verbs of state and habit are listed, and of the past what
happens once: who was born in 1990 was not born in 1991, who was in Rome then may be again.
"""

from __future__ import annotations

from typing import Literal

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.claim_forms import THING_DE, THING_EN, THING_ES, THING_FR, ClaimForm

__all__ = ["CJK_DATA", "DATA", "STATES"]

_STATE_WORD = r"(?P<value>[\w-]+)\Z"


def _state_form(signs: str, *parts: str) -> ClaimForm:
    return ClaimForm(
        "be", Pattern("".join((*parts, _STATE_WORD))), tuple(signs.split()), gate="state"
    )


STATES = (
    _state_form(
        "is are am i'm isn't aren't",
        *(THING_EN, r"(?:'m(?=\s)|\s+(?:am|is|are)(?=\s|n't))\s*"),
        r"(?:(?P<change>now)\s+|(?:currently|still)\s+)?",
        r"(?:(?P<negation>n't|not|no longer)\s+)?(?:an?\s+)?",
    ),
    _state_form(
        "ist sind bin",
        *(THING_DE, r"\s+(?:ist|sind|bin)\s+"),
        r"(?:(?P<change>jetzt|nun|inzwischen|wieder)\s+|(?:derzeit|noch|immer noch)\s+)?",
        r"(?:(?P<negation>nicht mehr|nicht|keine?)\s+)?(?:eine?\s+)?",
    ),
    _state_form(
        "soy estoy",
        r"(?:[Yy]o\s+)?(?:(?P<change>[Aa]hora)\s+)?(?:(?P<negation>[Yy]a no|[Nn]o)\s+)?",
        r"(?:[Ss]oy|[Ee]stoy)\s+",
    ),
    _state_form(
        "es est\u00e1 son est\u00e1n",
        *(THING_ES, r"\s+(?:(?P<change>ahora)\s+)?(?:(?P<negation>ya no|no)\s+)?"),
        r"(?:es|son|est\u00e1n?)\s+",
    ),
    _state_form(
        "est sont suis n'est",
        *(THING_FR, r"\s+(?:(?:ne\s+|n')(?:est|sont|suis)\s+(?P<negation>pas|plus)|est|sont|suis)"),
        r"\s+(?:(?P<change>d\u00e9sormais|maintenant)\s+)?",
    ),
)


_WHEN = frozenset({"clock", "weekday", "calendar"})
# A shop opens on several days, at one time.
_HOURS = frozenset({"clock", "calendar"})
_HABIT = _WHEN | {"often"}
_STATE = _HABIT | {"amount", "number"}
_ONCE = frozenset({"calendar", "number"})
_MUCH = frozenset({"amount"})
_DATUM = r"(?P<datum>[^\n]{1,40}?)"


def _form(
    sense: str,
    signs: str,
    *parts: str,
    kinds: frozenset[str] = _WHEN,
    gate: Literal["", "datum", "count"] = "datum",
) -> ClaimForm:
    source = "".join(parts) + r"\Z"
    return ClaimForm(sense, Pattern(source), tuple(signs.split()), kinds=kinds, gate=gate)


def _either(verbs: str) -> str:
    return f"(?:{verbs.replace(' ', '|').replace('_', ' ')})"


# -- English --------------------------------------------------------------------------------

_TRAFFIC = "bus train tram ferry shuttle subway metro"
_EN_HOW = r"(?:(?P<change>now)\s+|(?:currently|still|always|already|actually)\s+)*"
_EN_NOT = r"(?:(?P<negation>do not|does not|don't|doesn't|never|no longer)\s+)?"


def _en(sense: str, verbs: str, kinds: frozenset[str] = _WHEN, not_of: str = "") -> ClaimForm:
    """Return the form of verbs; ``_`` joins the words of one of them, whose first is its sign.

    ``not_of`` names what does so again and again, in other ways: a bus leaves at eight and at nine.
    """
    signs = " ".join(verb.split("_")[0] for verb in verbs.split())
    of = "".join(rf"(?<!(?i:\b{word}))(?<!(?i:\b{word}s))" for word in not_of.split())
    verb = rf"{_either(verbs)}\s+"
    return _form(sense, signs, THING_EN, of, r"\s+", _EN_HOW, _EN_NOT, verb, _DATUM, kinds=kinds)


def _once(sense: str, participles: str) -> ClaimForm:
    was = r"\s+(?:was|were)(?P<negation>n't|\s+not)?\s+"
    return _form(
        sense, participles, THING_EN, was, _either(participles), r"\s+", _DATUM, kinds=_ONCE
    )


def _is(sense: str, participles: str, kinds: frozenset[str]) -> ClaimForm:
    return _form(
        sense, "is are isn't aren't",
        THING_EN, r"(?:\s+(?:is|are)|\s+(?:is|are)(?=n't))\s*", _EN_HOW,
        r"(?:(?P<negation>n't|not|no longer)\s+)?", participles, _DATUM, kinds=kinds,
    )  # fmt: skip


_ENGLISH = (
    _is("be", r"(?:(?:held|scheduled|set|planned)\s+)?", _STATE),
    _is("due", r"due\s+", _WHEN),
    _is("close", r"open\s+(?=until|till)", frozenset({"clock"})),
    _is("kept", r"(?:kept|retained|stored|valid)\s+for\s+", _MUCH),
    _form(
        "be", "moved rescheduled postponed shifted pushed",
        THING_EN, r"\s+(?:(?:is|are|was|were|has been|have been|got)\s+)?(?:now\s+)?",
        r"(?P<change>moved|rescheduled|postponed|shifted|pushed)\s+(?:back\s+)?",
        r"(?:from\s+[^\n]{1,20}?\s+)?(?P<datum>to\s+[^\n]{1,30})",
    ),
    _en("be", "happens happen occurs occur takes_place take_place meets meet", _HABIT),
    # A course that runs in May may run in June; what runs daily does not run weekly.
    _en("be", "runs run", _HABIT - {"calendar"}, _TRAFFIC),
    _en("start", "starts start begins begin kicks_off"),
    _en("end", "ends end finishes finish"),
    _en("open", "opens open", _HOURS),
    _en("close", "closes close shuts shut", _HOURS),
    _en("leave", "leaves leave departs depart", not_of=_TRAFFIC),
    _en("arrive", "arrives arrive lands land", not_of=_TRAFFIC),
    _en("wake", "wakes_up wake_up"),
    _en("get up", "gets_up get_up"),
    _en("sleep", "goes_to_bed go_to_bed"),
    _en("expire", "expires expire", frozenset({"calendar"})),
    _once("born", "born"),
    _once("founded", "founded established"),
    _once("built", "built"),
    _once("released", "released published"),
    _form("died", "died", THING_EN, r"\s+died\s+", _DATUM, kinds=_ONCE),
    _en("version", "runs uses is", frozenset({"version"}), "CI matrix pipeline"),
    _en("port", "listens listen", frozenset({"port"})),
    _en("cost", "costs cost", _MUCH),
    _en("earn", "earns earn", _MUCH),
    _en("last", "takes take lasts last", _MUCH),
    _en("weigh", "weighs weigh", _MUCH),
    _form(
        "have", "has have",
        THING_EN, r"\s+", _EN_HOW, r"(?:has|have)\s+", _DATUM, kinds=frozenset({"count"}), gate="count",
    ),
)  # fmt: skip

# -- German ---------------------------------------------------------------------------------

_DE_NOW = r"(?:(?P<change>jetzt|nun|ab jetzt)\s+|(?:derzeit|immer)\s+)?"
_DE_NOT = r"(?:(?P<negation>nicht mehr|nicht)\s+)?"


def _de(sense: str, verbs: str, kinds: frozenset[str] = _WHEN, after: str = "") -> ClaimForm:
    told = (_either(verbs), r"\s+", _DE_NOW, _DE_NOT, _DATUM, after)
    return _form(sense, verbs, THING_DE, r"\s+", *told, kinds=kinds)


_GERMAN = (
    _de("born", "ist bin wurde", _ONCE, r"\s+geboren"),
    _de("be", "ist sind", _STATE),
    _de("be", "findet finden", _HABIT, r"\s+statt"),
    _de("start", "beginnt beginnen startet starten"),
    _de("end", "endet enden"),
    _de("open", "öffnet öffnen", _HOURS),
    _de("close", "schließt schließen", _HOURS),
    _de("version", "läuft nutzt", frozenset({"version"})),
    _de("port", "lauscht hört", frozenset({"port"})),
    _de("cost", "kostet kosten", _MUCH),
    _de("last", "dauert dauern", _MUCH),
    _de("weigh", "wiegt", _MUCH),
)

# -- Spanish and French ---------------------------------------------------------------------


def _es(sense: str, verbs: str, kinds: frozenset[str] = _WHEN) -> ClaimForm:
    how = r"\s+(?:(?P<change>ahora)\s+)?(?:(?P<negation>ya no|no)\s+)?"
    return _form(sense, verbs, THING_ES, how, _either(verbs), r"\s+", _DATUM, kinds=kinds)


def _fr(sense: str, verbs: str, kinds: frozenset[str] = _WHEN) -> ClaimForm:
    signs = " ".join(verb.split("_")[-1] for verb in verbs.split())
    verb = _either(verbs)
    told = rf"(?:(?:ne\s+|n'){verb}\s+(?P<negation>pas|plus)|{verb}(?:\s+(?P<change>désormais|maintenant))?)\s+"
    return _form(sense, signs, THING_FR, r"\s+", told, _DATUM, kinds=kinds)


_SPANISH = (
    _es("be", "es son", _STATE),
    _es("start", "empieza comienza"),
    _es("end", "termina acaba"),
    _es("open", "abre", _HOURS),
    _es("close", "cierra", _HOURS),
    _es("born", "nació nací", _ONCE),
    _es("version", "usa", frozenset({"version"})),
    _es("cost", "cuesta cuestan", _MUCH),
    _es("last", "dura duran", _MUCH),
    _es("weigh", "pesa", _MUCH),
)
_FRENCH = (
    _fr("born", "est_né est_née suis_né suis_née", _ONCE),
    _fr("be", "est sont", _STATE),
    _fr("be", "a_lieu ont_lieu"),
    _fr("start", "commence commencent"),
    _fr("end", "finit se_termine"),
    _fr("open", "ouvre", _HOURS),
    _fr("close", "ferme", _HOURS),
    _fr("version", "utilise tourne", frozenset({"version"})),
    _fr("cost", "coûte coûtent", _MUCH),
    _fr("last", "dure durent", _MUCH),
    _fr("weigh", "pèse", _MUCH),
)
DATA = (*_ENGLISH, *_GERMAN, *_SPANISH, *_FRENCH)

# -- Chinese and Japanese: no spaces, so the datum has a shape of its own -------------------

_ZH_WHAT = r"(?P<subject>用户|使用者|我|[A-Za-z]{2,20}|[一-鿿]{2,6}?)\s*"
_ZH = rf"{_ZH_WHAT}(?:(?P<change>现在)|目前)?"
_ZH_WHEN = (
    r"(?P<datum>每?(?:周|星期|礼拜)[一二三四五六日天]|"
    r"(?:上午|早上|下午|晚上)?(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点(?:半|\d{1,2}分)?)"
)
_JA = (
    r"(?P<subject>ユーザー?|私|僕|[A-Za-z]{2,20}|[一-鿿ァ-ヶー]{1,10}?)(?:さん)?は"
    r"(?:(?P<change>今)、?)?"
)
_JA_WHEN = (
    r"(?P<datum>(?:午前|午後)?\d{1,2}時(?:半|\d{1,2}分)?|\d{1,2}:\d{2}|"
    r"(?:毎週)?[月火水木金土日]曜日?)"
)
_JA_YEAR = r"(?P<datum>\d{4}年(?:\d\d?月(?:\d\d?日)?)?)"


def _cjk(sense: str, signs: str, *parts: str) -> ClaimForm:
    return _form(sense, signs, *parts, kinds=_HABIT, gate="")


CJK_DATA = (
    _cjk("be", "改", _ZH_WHAT, "(?P<change>改到|改在|改为)了?", _ZH_WHEN),
    _cjk("start", "开始", _ZH, "[在于]?", _ZH_WHEN, "开始"),
    _cjk("end", "结束", _ZH, "[在于]?", _ZH_WHEN, "结束"),
    _cjk("be", "周 星期 礼拜 点", _ZH, "(?:是|在|定在|安排在)?", _ZH_WHEN, "(?:举行|进行)?"),
    _cjk("open", "开门", _ZH, "[在于]?", _ZH_WHEN, "开门"),
    _cjk("close", "关门", _ZH, "[在于]?", _ZH_WHEN, "关门"),
    _cjk("open", "開き 開く", _JA, _JA_WHEN, "に開(?:く|きます)"),
    _cjk("close", "閉ま", _JA, _JA_WHEN, "に閉ま(?:る|ります)"),
    _cjk("born", "生于", _ZH, "出?生于", _JA_YEAR),
    _cjk("born", "出生", _ZH, "[是在]?", _JA_YEAR, "出生的?"),
    _cjk("start", "から 始ま", _JA, _JA_WHEN, "(?:から(?:です)?|(?:に|から)始まり?(?:る|ます))"),
    _cjk("end", "まで 終わ", _JA, _JA_WHEN, "(?:まで(?:です)?|に終わり?(?:る|ます))"),
    _cjk("be", "時 曜", _JA, _JA_WHEN, "(?:です|だ|にあります)?"),
    _cjk("born", "生まれ", _JA, _JA_YEAR, "(?:に生まれ(?:た|ました)|生まれ)(?:です|だ)?"),
)
