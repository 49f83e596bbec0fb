# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Codes and keys somewhere in a sentence that says what they open.

What stands between the name and the value does not matter: the value has a shape of its own, the
sentence names what it opens, and nothing beside it says that it is a date, an error or a checksum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.pattern import Pattern
from memctl.secret_rules.gate import has_digit
from memctl.secret_rules.hit import Hit
from memctl.secret_rules.odd_words import Ahead
from memctl.secret_rules.shapes import is_dense, is_random, is_sequence, letters_and_digits
from memctl.secret_rules.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.secret_rules.text_view import TextView

__all__ = ["SPOKEN_SIGNS", "spoken_hits"]

_DENIED_WITHIN = 44  # characters before a number; of a key, the whole sentence may say what it is
_FEWEST_PARTS = 3  # of a combination, then of two digits
_BEFORE, _BEHIND = 96, 36  # characters; a sentence, and what follows the value in it
_SENTENCE_END = Pattern(r"(?<=[^\W\d_]{3})[.!](?=\s)|[。！]|\n")


class _Place(NamedTuple):
    """What stands before a value and behind it in its sentence."""

    before: str
    behind: str


class Kind(NamedTuple):
    """One kind of value and the sentences that give it."""

    rule: str
    value: Pattern
    names: Pattern
    """One of these stands near; asked first, so that a text of numbers is not judged in vain."""
    given: tuple[tuple[Pattern, Pattern | None], ...]
    """Each: what must stand before the value, and what behind it (None: anything)."""
    unless_before: Pattern
    unless_behind: Pattern
    is_value: Callable[[str], bool]


_NOTHING = Pattern(r"(?!)")
_COUNTED = Pattern(
    r"(?i)^(?:[\"'»」)]{0,2}\s?(?:%|°|€|\$|£|eur|usd|digits?|chars?|characters?|tests?|passed|failed|times|years?|days?|hours?|min(?:ut\w+)?|ms|sec\w*|seg\w*|sek\w*|cm|mm|articles?|pages?|[a-z]{3,}(?<!s)s\b(?<!press)(?<!ss)|kg|km|points?|punkte|puntos|euros?"
    r"|stellen|zeichen|stück|uhr|cifras|dígitos|chiffres|caractères|pièces|members|people|users|steps|lines|rows|位|桁|厘米|ドット|ビット|センチ|个|個|次|字|年|月|日|元|円|人|号|號|番)"
    r"|[\s,(]{1,3}(?-i:[A-Z][a-z])|[\s,]{1,2}is\s)"
)
_NO_CODE = Pattern(
    r"(?i)\b(?:error|exit|status|response|http|zip|postal|postleitzahl|plz|erreur|fehler\w*|product|item|article|artikel|country|area|dial(?:ling|ing)?\scode|promo|discount|coupon|voucher|rabatt|review|source|room|raum|zimmer|habitación|sala|chambre|salle|versi[oó]n|build|port|ticket|issue|gpio|line|page|página|invoice|order|model|modell|modelo|modèle|serial|year|since|seit|depuis|desde|until|bis|hasta|jusqu\w*|about|over|costs?|level|niveau|nivel|gegen|id|phone\snumber|tel|telefonnummer|number\sis|sensor|qr|color|colour|hex|flight|gate\s\d)\W{0,3}(?:\w{1,12}\s){0,1}$"
    r"|(?i:(?<!punch\s)(?<!type\s)(?<!key\s)\b(?:in|im|en|em|nel|anno))\s$|\b(?:at|um|à|las|closes|has|have|hat|a|tiene|holds|costs|extension\sis|durchwahl|extension)\s$|(?:客服|怎么|画面|変更|窓口|窗口|错误|邮政|エラー|郵便|電話|房间|部屋|バージョン|受付|编号|編號)[^\d\n]{0,10}$"
    # "the zip code of the office": what kind of code it is stands before the word, or behind it.
    r"|\b(?:zip|post(?:al)?|product|airport|iata|dial(?:l?ing)?|colou?r|ral|fault|error|model|area|country|item|article|bar|promo|discount|farb|artikel|fehler|post)[\s-]?codes?\b"
    r"|\bral\b|\bcode\s(?:couleur|postal|produit|article|erreur)\b|\bcódigo\s(?:de\s(?:color|producto|área|error|artículo)|postal)\b"
)
_COMBINATION = Pattern(
    r"(?<![A-Za-z0-9_./-])\d{1,2}(?:-\d{1,2}){2,4}(?:-(?:star|pound|hash|stern|raute))?(?![A-Za-z0-9_-]|[./]\d)"
)
_DIALLED = (
    r"safe|vault|locker|pad\s?lock|key\s?box|combination|combo|keypad|dial|tresor|safe|zahlenschloss|schließfach|kombination|caja\sfuerte|candado|combinaci[óo]n|coffre|cadenas|combinaison"
    r"|保[险險]|密[码碼]锁|金庫|ダイヤル|ロッカー|暗証番号"
)
_OPENED = (
    r"open\w{0,2}|unlock\w{0,2}|combination|combo|code|keypad|dial|turn|geht|öffn\w+|kombination|zahlenkombination|abre|abrir|abr\w{1,4}|marca|clave|contraseña|combinaci[óo]n|contra|ouvr\w{0,4}|combinaison|codes?|número|numéro|nummer|number"
    r"|密[码碼]|番号|暗証|開|开"
)
_DATED = Pattern(
    r"(?i)\b(?:on|am|vom|el|le|du|since|seit|desde|depuis|arrived|came|bought|delivered|installed|dated|gekauft|geliefert|llegó|comprad[ao]|livré|acheté|until|by|built|made|from|triangles?|size|measures|mide|mesure|misst|steps|score)\s?$|(?:サイズ|尺寸|寸法|大きさ)[^\d\n]{0,6}$"
)
_NUMBER = Pattern(r"(?<![A-Za-z0-9_.,:/+#=&-])[#*]?\d{4,8}[#*]?(?![A-Za-z0-9_/:%€$-]|[.,]\d|\s\d)")
_NUMBER_OR_MIXED = Pattern(
    r"(?<![A-Za-z0-9_.,:/+#=&-])(?:[#*]?\d{4,6}[#*]?|\d{1,4}[A-Z]\d{1,4}|[A-F]\d{3,5}|\d{3,5}[A-F])(?![A-Za-z0-9_/:%€$-]|[.,]\d|\s\d)"
)
# What is typed where: "type", "tape", "pon"; or the sign, the verb, the particle before a value.
_TYPED = r"(?:with|using|by|types?|enter|press|punch(?:\sin)?|dial|wants|needs|takes|is|pin|mit|ist|den|tippe?|gib|con|pon|marca|teclea|introduce|es|el|avec|tape[rz]?|composez?|saisi\w{0,4}|faites|est|code|[:：,、]|は|で|是|用|密[码碼]|番号)"
_BESIDE = r"\s?[\"'“«「`(]?\s?$"
_UNLOCKS = r"(?:unlock\w{0,3}|entsperr\w{0,3}|déverrouill\w{0,4}|desbloque\w{0,3}|disarm\w{0,3}|désactiv\w{1,3}\sl['’]alarme|desactivar?\sla\salarma|解[锁鎖]|ロック解除|オートロック|のロック)"
_PIN = (
    r"(?:(?<![A-Za-z])pin(?:[\s-]?(?:code|number|nummer))?(?![A-Za-z])|暗証番号|pass\s?code|(?:unlock|entsperr|zugangs|tür|einmal|haustür|freischalt|sperr)[\s-]?code|einmal(?:passwort|kennwort)|geheimzahl|one[\s-]?time\s(?:password|code)"
    r"|(?:mot\sde\spasse|code)\sà\susage\sunique|contraseña\sde\sun\ssolo\suso|支付密[码碼]|解[锁鎖]密[码碼]|(?:银行)?卡的?密[码碼]|取款密[码碼]|开机密[码碼])"
)
_DOOR = (
    r"(?:door|gate|entrance|entry|front|lobby|building|garage|storage|shed|alarm|mail\s?room|key\s?box|lock\s?box|locker|office|barrier|parking|unit|haus|tür|\btor\b|hof|keller|büro|praxis|schuppen"
    r"|portal|puerta|entrada|garaje|alarma|cochera|oficina|trastero|porte|portail|entrée|immeuble|bureau|cave|alarme|digicode|门|門|玄関|入口|事務所|オートロック|仓库|倉庫)"
)
_CODE = r"(?:codes?|keypad|pin|passcode|código|clave|zugangscode|press|punch|tape|opens?|digicode|密[码碼]|暗証番号|番号|コード|口令)"


def _sentence(before: str, behind: str = "") -> tuple[Pattern, Pattern | None]:
    return Pattern(rf"(?i){before}"), Pattern(rf"(?i){behind}") if behind else None


def _is_letters_and_digits(word: str) -> bool:
    return letters_and_digits(word) and not _is_word_and_number(word)


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
        return len(word) == 32 and has_digit(word) and not word.isdigit()  # noqa: PLR2004 - MD5
    return is_random(word, minimum=20) and (is_dense(word) or word.islower())


_KEY_NAME = r"(?:(?<![a-z])keys?(?![a-z])|-key\b|(?-i:\bPATs?\b)|(?-i:(?<![A-Za-z])PAT(?![A-Za-z]))|personal\saccess\stoken|secret|schlüssel|geheimnis|clave|llave|secreto|(?<!\w)cl[ée]\b|密[钥鑰]|秘[钥鑰]|キー|シークレット)"
_NO_KEY = Pattern(
    r"(?i)\b(?:public|fingerprint|cache|cached|commit|hash|sha\d*|md5|digest|checksum|etag|primary|foreign|partition|idempotency|dedup\w*|s3|uuid|guid|tenant|trace|request|session\sid|id|ids|pública|publique|öffentlich\w*|primaria|primaire|étrangère|huella|empreinte|caché|encrypted|ciphertext|salt|nonce|placeholder|snapshot|publishable|anon|(?:i18n|translation|message|lookup|index|row|object|sort|map|dict)\skey)\b"
    r"|公[钥鑰]|公開鍵|指[纹紋]|缓存|提交|主键|外键|キャッシュ|コミット|フィンガープリント|ハッシュ|哈希"
)
_PAIR = r"(?<![a-z])(?:pair(?:s|ed|ing)?(?![a-z])|link\w{0,3}\scode|code\s(?:to|for)\slink|kopp(?:el|lung)\w{0,8}|gerätecode|device[\s-]code|appair\w{0,6}|jumel\w{0,6}|d['’]association|emparej\w{0,8}|vincula\w{0,6}|abbina\w{0,6})|配[对對]|ペアリング|連携"
_KINDS = (
    Kind(
        "one-time-code",
        Pattern(
            r"(?<![A-Za-z0-9_-])(?:(?=[A-Z]{0,7}\d)(?=\d{0,7}[A-Z])[A-Z0-9]{8}|(?=[A-Z-]{0,8}\d)[A-Z0-9]{4}-[A-Z0-9]{4})(?![A-Za-z0-9_-])"
        ),
        Pattern(rf"(?i){_PAIR}"),
        (
            _sentence(rf"^(?=.*(?:{_PAIR}))(?=.*(?:code|código|codigo|codice|[码碼]|コード|連携))"),
        ),
        Pattern(r"(?i)(?:error|serial|model|ticket|seriennummer|错误|エラー)\W{0,3}(?:code\s)?$"),
        _NOTHING,
        _is_letters_and_digits,
    ),
    Kind(
        "door-code",
        _COMBINATION,
        Pattern(rf"(?i){_DIALLED}"),
        (
            _sentence(rf"^(?=.*(?:{_DIALLED}))(?=.*(?:{_OPENED}))"),
            _sentence(rf"(?:{_OPENED})[^\d\n]{{0,24}}$", rf"[^\n]{{0,24}}(?:{_DIALLED})"),
            _sentence(rf"(?:{_DIALLED})[^\d\n]{{0,24}}$", rf"[^\n]{{0,16}}(?:{_OPENED}|auf\b)"),
            _sentence(rf"(?:{_DIALLED})[^\d\n]{{0,32}}(?:[?？:：=]|は|\s(?:is|ist|es|est))\s?$"),
        ),
        _DATED,
        _COUNTED,
        _is_combination,
    ),
    Kind(
        "door-code",
        _NUMBER_OR_MIXED,
        Pattern(rf"(?i){_DOOR}|{_CODE}|código"),
        (
            _sentence(rf"^(?=.*{_DOOR})(?=.*{_CODE})"),
            _sentence(r"(?:code|digicode|código)\s(?:de|d['’]|del|für|for)[^\d\n:]{0,40}[:：]\s?$"),
            _sentence(r"(?:tape[rz]?|punch(?:\sin)?|press|enter|marca|wants|takes)\s$", rf"[^\n]{{0,24}}(?:alarm|{_UNLOCKS}|disarm|door|porte|puerta|code)"),
        ),
        _NO_CODE,
        _COUNTED,
        _opens_something,
    ),
    Kind(
        "one-time-code",
        _NUMBER,
        Pattern(rf"(?i){_UNLOCKS}|{_PIN}"),
        (
            _sentence(rf"{_UNLOCKS}[^\d\n]{{0,48}}{_TYPED}{_BESIDE}"),
            _sentence(rf"{_TYPED}{_BESIDE}", r"[\"'”»」]?[^\n.]{0,6}(?:entsperr|unlock|to\sdisarm|pour\sdé|para\sdes|で(?:解除|開)|解[锁鎖])"),
            _sentence(rf"{_PIN}[^\d\n。]{{0,32}}{_BESIDE}"),
        ),
        _NO_CODE,
        _COUNTED,
        _opens_something,
    ),
    Kind(
        "secret-assignment",
        Pattern(r"(?<![A-Za-z0-9_./+=@#%&?~-])[A-Za-z0-9_~-]{20,128}(?![A-Za-z0-9_/+=@~-]|\.[A-Za-z0-9_])"),
        Pattern(rf"(?i){_KEY_NAME}"),
        (
            _sentence(_KEY_NAME),
            _sentence(r"(?:store|save|remember|note|keep)\b", rf"[^\n.]{{0,30}}{_KEY_NAME}"),
        ),
        _NO_KEY,
        _NO_KEY,
        _is_key,
    ),
)  # fmt: skip
SPOKEN_SIGNS = Signs((
    "pair", "link", "kopp", "gerätecode", "device", "jumel", "associat", "empar", "vincula", "abbina", "配", "ペアリング", "連携",
    "番号", "ロッカー", "open", "porte", "puerta", "safe", "vault", "lock", "key", "comb", "dial", "tresor", "schloss", "schließ", "kombination", "caja fuerte", "candado", "coffre", "cadenas",
    "保", "金庫", "ダイヤル", "ロック", "暗証", "码", "碼", "解", "code", "código", "clave", "codigo", "コード", "pin", "press", "punch", "tape", "alarm",
    "entsperr", "verrouil", "bloque", "disarm", "passwort", "kennwort", "geheimzahl", "one-time", "one time", "usage unique", "un solo uso",
    "pat", "token", "secret", "schlüssel", "geheimnis", "llave", "clé", "cle", "密", "秘", "キー", "シークレット", "door", "口令",
))  # fmt: skip


def spoken_hits(view: TextView) -> Iterator[Hit]:
    """Yield codes and keys in sentences that say what they open."""
    if not has_digit(view.text):
        return
    for kind in _KINDS:
        named = Ahead(view.text, kind.names)
        for found in kind.value.finditer(view.text):
            if not named.is_near(found.start() - _BEFORE, found.end() + _BEHIND):
                continue
            if not kind.is_value(found.group()) or not view.judged.is_new(kind.rule, found.start()):
                continue
            if _is_given(kind, _place(view.text, *found.span())):
                yield Hit(kind.rule, *found.span())


def _place(text: str, start: int, end: int) -> _Place:
    """Return the sentence around a value, as far as it is near."""
    before = text[max(0, start - _BEFORE) : start]
    behind = text[end : end + _BEHIND]
    return _Place(before[_last_stop(before) :], behind.split("\n")[0])


def _last_stop(before: str) -> int:
    return max((stop.end() for stop in _SENTENCE_END.finditer(before)), default=0)


def _is_given(kind: Kind, place: _Place) -> bool:
    denied_from = 0 if kind.unless_before is _NO_KEY else max(0, len(place.before) - _DENIED_WITHIN)
    if kind.unless_before.search(place.before, denied_from) or kind.unless_behind.search(
        place.behind
    ):
        return False
    return any(
        before.search(place.before) and (behind is None or behind.match(place.behind))
        for before, behind in kind.given
    )
