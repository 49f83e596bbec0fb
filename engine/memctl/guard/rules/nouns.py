# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""The names under which people and programs write secrets down, in many languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = [
    "CODES",
    "KEYS",
    "PASSWORDS",
    "Nouns",
    "is_definition",
    "is_no_password",
    "is_qualified",
    "word_before",
    "writes_no_spaces",
]

_AMBIGUOUS = {"pass", "clave", "pin"}
_CONTEXT = 40  # characters before a name that may qualify it
# What a run of tests prints behind it: how many, the file, how long.
_OF_TESTS = Pattern(
    r"(?i)\s?[:=]?\s{0,3}(?:\(?\d[\d.,]*\s?(?:passed|passing|failed|skipped|tests?|checks?|specs|cases|of\s|out\sof|/|%|m?s\b|sec)|\d+[^\w\n]{1,3}\(?(?:fail|skip|warn|error|x?pass)|(?-i:Test[A-Z_]|test_)\w+|[\w.-]*tests?/|\S{1,80}\.(?:py|tsx?|jsx?|mjs|rs|go|rb|java|cs|kt|php)(?![a-z])|\[\s?\d+%|\d{1,2}\s\([a-z.])"
)
# "Pass the option", "pass it on"
_AS_VERB = Pattern(
    r"(?i)\s(?:the|an?|it|them|this|that|these|those|your|its|in|on|via|through|over|along|around|directly|explicitly|either|both|all|any|each|only|no|none|true|false|:[a-z]+:)(?![\w!#$%&*@:=])"
)
# What is handed to a program, at the beginning of a sentence; and the statement that does nothing
_TOLD = Pattern(r"Pass\s(?:[^\s:=]{1,24}\s){1,5}(?:to|as|into|for|when|if|so|instead)\b")
_STARTS = Pattern(r"(?:^|[.:;)]\s{1,2}|[*#-]\s)[\"'`(]?$")
_ALONE = Pattern(r"\s*(?:$|\n|#)")
_BLOCK = Pattern(r"[)\w\]]:\s$")
# A pass in the mountains and its height: Gotthard, 2106 m
_OF_MOUNTAINS = Pattern(
    r"(?i)\s?[:=-]?\s{0,3}(?:\S{1,20}\s?){1,3}[,(:-]?\s{0,2}\(?\d[\d.,' ]*\s?(?:m|km|mi|ft|metres?|meters?|feet|m\s?ü\.\s?m\.?)(?![\w!#$%&*-])"
)
_OF_TABLES = Pattern(
    r"(?i)\s(?:primaria|for[áa]nea|externa|compuesta|pública|candidata|del\séxito|de\s(?:sol|fa|caché|cache|búsqueda|ordenación)\b)"
)
_DEFINITION = Pattern(r"\s{0,40}(?:class|interface|struct|enum|trait)\s\w*$")
_LAST_WORD = Pattern(r"([^\W_]+)[\s_.-]{0,2}$")

# What may stand between a name and its value: the end of quotes and brackets, "for the router",
# "(admin)", then a sign or a verb.
_SUFFIX = (
    r"(?:(?:s|m|im|em|n|en|et)(?![^\W_])|[\s_#-]{0,2}\d{1,2}(?![^\W_])|\s(?:one|two|three)(?=\s(?:is|was)\s|\s?[:=])"
    r"|[_-]?(?:prod|dev|staging|test|live|local|new|old|confirm|confirmation|value|string|id|key|base)(?![^\W_]))?"
)
_CLOSERS = r"[\\\"'`*\])}»”」』】]{0,5}"
_ABOUT = (
    r"(?:\s?\([^()\n]{1,60}\)|\s(?:displayed|shown|printed|generated|created|issued|erstellt|provided|given|mentioned|above|below|angezeigt|affichée?|mostrad[ao]|indicad[ao]|wi-?fi|wlan|vpn|ssh|ftp|admin|root|e-?mail|gmail|google|icloud|outlook|github|gitlab|netflix|amazon|paypal|actual(?:mente)?|nueva|nuevo|antigua|vieja|anterior|temporal|maestra|actuel|nouveau|ancien|provisoire|atual|nova|antiga|attuale|nuova|vecchia|provvisoria)|\s(?:for|of|to|on|at|in|al|all|de|del|dell[ao]|du|des|da|do|für|fürs|von|vom|zum|zur|im|beim|ans|pelo|per|pour|para|au|aux|sur|auf|nel|sul|для|от|к|на|карты|here|van|voor|der|des|meiner|deiner|my|our|your|you|we|i|that|which)"
    r"[\s'\u2019](?:[^\n.:=!?;\"]|[.:](?=\w)){1,48}?)?"
)
_TAGS = r"(?:\s{0,3}</?\w{1,12}[^<>]{0,60}>){"
_SIGN = (
    r"\s{0,3}(?:=>|->|→|⇒|:=|::|[:=]-|>{1,3}|=(?!=)|:(?![=/]))[ \t]{0,8}(?:[|>][+-]?(?=\n))?\n?[ \t]{0,8}"
    rf"{_TAGS}0,3}}"
    # The value is a field of its own: {"name": "password", "value": ...}, <input type="password" value=...>
    r"|[\\\"'\s,\]){}]{1,12}(?:\w{1,16}=\S{1,24}\s){0,2}[\"']?(?:value|text|content|default)[\"']?(?:\s{0,2}[:=]\s{0,4}|\s(?=[\"']))"
)
_VERB = (
    r"\s(?:was\s|is\snow\s|has\sbeen\s|had\sbeen\s|got\s|be\s)?"
    r"(?:set|changed|updated|reset|switched|rotated|geändert|gesetzt|cambiada|changé|alterada|cambiata)"
    r"\s(?:to|as|auf|a|en|para|in(?!\s(?:19|20)\d\d(?!\d)))\s{1,3}:?\s{0,2}"
    r"|(?:['\u2019]s(?!\s(?:is|was|are))|,?\sc['\u2019](?:est|était)|,?\sit['\u2019]s|,?\sit\sis|,?\ses\sist"
    r"|\s(?!(?:foi|è\sstat[ao])\s\w{4,14}\s(?:para|in|con|su|a)\s)(?:is|was|are|(?:has|had)\s(?:always\s|long\s|never\s)?been|will\sbe|used\sto\sbe|equals|reads|remains|stays|stayed|ist|lautet|lautete|war|heißt|hieß|bleibt|es|era|será|sigue\ssiendo|est|reste|était|sera|é|è|sarà|foi|jest|(?<=hasło\s)to|är|blir|là|είναι|(?<=salasana\s)on|(?<=heslo\s)je|(?<=adgangskoden\s)er|(?<=kodeord\s)er|(?<=passordet\s)er"
    r"|это|был|будет|теперь|adalah|este|هي|है))"
    r"(?:\s(?:now|currently|still|just|set\sto|changed\sto|jetzt|nun|bisher|weiterhin|immer\snoch|ahora|siempre|toujours|sempre|maintenant|désormais|agora|adesso|ora|теперь|diventata|simply|literally|actually|always|all\slowercase|all\suppercase|in\slowercase|all\scaps))?"
    r"\s{0,1}:?\s{1,8}"
    r"|\s(?:was\s|is\snow\s|has\sbeen\s|got\s|be\s)?"
    r"(?:set|changed|updated|reset|switched|rotated)\sfrom\s\S{1,64}\sto\s{1,3}"
    r"|\s?(?:不?是|还是|依然是|一直是|为|為|就是|改为|改成了?|换成了?|设为|设置为|设置成|设成了?|设定为|变更为|变成了?|改為|設為|叫做?|は、?|が|を|는|은|이|가|를|을)\s{0,2}:?\s{0,2}"
)
_LOOSE = (
    r"\s(?:field|box|input)\s(?:contains|holds|has|shows|reads|says)\s{1,3}|\s(?:should|must|shall|has\sto|needs\sto|ought\sto)\s(?:now\s)?be\s{1,3}"
    r"|\s(?:(?:hab|habe|nehme|benutze|verwende|nutze)\sich|dient|wurde\sauf)\s"
    r"|\s(?:ha\ssido|fue|a\sété|foi|è\sstat[ao])\s\w{4,14}\s(?:a|à|en|para|in|por|con|su)\s{1,3}(?!(?:19|20)\d\d\b)"
    r"|\s(?:to|as|from|auf|with|using|mit|con|avec|com|a|en|para|por|in|на|naar|em|al)\s{1,3}"
    r"|\?\s{0,3}\n?\s{0,4}(?:[AaRr]:|[Ii]t['\u2019]?s)\s{1,3}"
    r"|\s(?:wi-?fi|wlan|vpn|nas|router|e-?mail|gmail|google|netflix|amazon|paypal|icloud|github|spotify|outlook)\s{1,3}"
    r"|[\"'`]?\)\.(?:send_?keys|fill|type|type_?text|set_?value|set_?text|press_sequentially)\(\s?"
    r"|\s\((?=[^()\s]{6,64}\))|(?:\s?\([^()\n]{1,60}\))?\s{1,3}"
    r"|,\s{0,2}(?=[\"'])|,\s(?=[!-+\--~]{6,64},\s)"
    rf"|{_TAGS}2,4}}\s{{0,3}}"
    r"|(?<=[\u0e00-\u9fff\uac00-\ud7af])(?=[!-~])"
    r"|(?<=】)"
)
_DASH = r"\s{0,3}[^\w\s\"'`()\[\]{}<>.,;:=!?%$@\\/&*+]{1,3}\s{1,3}"


@dataclass(frozen=True)
class Nouns:
    """Names of one kind of secret.

    Attributes
    ----------
    needles
        Every name begins with one of these, in lower case; a plain search finds them far
        faster than the pattern would.
    source
        Pattern of the names.
    """

    needles: Signs
    source: str

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(
            rf"(?P<noun>{self.source}){_SUFFIX}{_CLOSERS}"
            rf"(?:(?P<sign>{_ABOUT}(?:{_SIGN}))|(?P<verb>{_ABOUT}(?:{_VERB}))|(?P<loose>{_ABOUT}{_DASH}|{_LOOSE}))",
            re.IGNORECASE,
        )

    def stated(self, view: TextView) -> Iterator[re.Match[str]]:
        """Yield each name that a value may follow.

        The groups are ``noun`` and one of ``sign`` (":", "="), ``verb`` ("is") and ``loose``
        (a space, a dash, the bar of a table).
        """
        done, judged, rule = 0, view.judged, self.source
        for at in self.spots(view):
            if at < done:
                continue
            if (length := judged.get(rule, at)) is not None:
                done = at + length
                continue
            found = self._pattern.match(view.text, at)
            judged.keep(rule, at, found.end() - at if found else 0)
            if found is not None:
                done = found.end()
                yield found

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """Return the name that begins here; None where there is none."""
        return self._name.match(text, at)

    def name_at(self, text: str, at: int) -> bool:
        """Whether a name begins here."""
        return self.match(text, at) is not None

    @cached_property
    def _name(self) -> re.Pattern[str]:
        return re.compile(self.source, re.IGNORECASE)

    def spots(self, view: TextView) -> list[int]:
        """Return where a name may begin, in order."""
        if self.source not in view.spots:
            present = view.signs & self.needles
            view.spots[self.source] = sorted(
                {at for needle in present for at in _places(view.lowered, needle)}
            )
        return view.spots[self.source]


def _places(text: str, needle: str) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)


def word_before(text: str, at: int) -> str:
    """Return the word before a name, in lower case; empty where there is none."""
    found = _LAST_WORD.search(text, max(0, at - _CONTEXT), at)
    return found[1].lower() if found else ""


def is_no_password(text: str, noun: str, at: int) -> bool:
    """Whether a "pass" is a ticket, a road or that of a test, a "clave" a word one searches by."""
    if noun.lower() not in _AMBIGUOUS:
        return False
    if word_before(text, at) in words("pass-context") or _is_statement(text, noun, at):
        return True
    behind = {"pass": (_OF_TESTS, _OF_MOUNTAINS, _AS_VERB), "clave": (_OF_TABLES,)}.get(
        noun.lower(), ()
    )
    return any(one.match(text, at + len(noun)) is not None for one in behind)


def _is_statement(text: str, noun: str, at: int) -> bool:
    """Whether "pass" is a verb: "Pass 0 as the level to it", "def go(self): pass"."""
    start = max(text.rfind("\n", 0, at) + 1, at - _CONTEXT)
    said = _TOLD.match(text, at) is not None and _STARTS.search(text, start, at) is not None
    alone = noun == "pass" and _ALONE.match(text, at + len(noun)) is not None
    return said or (alone and _BLOCK.search(text, start, at) is not None)


def is_definition(found: re.Match[str]) -> bool:
    """Whether a program defines there what it calls so: "class Credentials(Base):"."""
    start = found.string.rfind("\n", 0, found.start()) + 1
    return _DEFINITION.match(found.string, start, found.start()) is not None


def is_qualified(text: str, at: int, section: str) -> bool:
    """Whether the word before a name is one of a section, or ends with one."""
    return word_before(text, at).endswith(_endings(section))


@cache
def _endings(section: str) -> tuple[str, ...]:
    return tuple(words(section))


def writes_no_spaces(noun: str) -> bool:
    """Whether the name is in a script that writes no spaces, or hardly any."""
    return not noun.isascii() and any(
        "\u0e00" <= c <= "\u0e7f" or "\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af"
        for c in noun
    )


PASSWORDS = Nouns(
    needles=Signs((
        "pass", "pasw", "pssw", "passs", "pasw", "p@s", "p4s", "pa$", "wpa", "p a s", "p.a.s", "p-a-s", "p_a_s", "pw", "p/w", "psw", "psk", "security answer", "secret answer", "security question", "pin", "mdp", "clave", "kennwort", "contrase", "la contra ", "mi contra ", "su contra ", "senha", "palavra", "mot de", "parol",
        "wachtwoord", "hasł", "haslo", "şifre", "sifre", "lösenord", "adgangskode", "salasana", "jelszó", "mật", "requirepass", "palabra", "losung", "phrase ", "frase ", "通关密语", "通關密語", "핀",
        "masterauth", "kata sandi", "heslo", "парол", "кодовое", "пин", "κωδικός", "סיסמה", "كلمة", "รหัสผ่าน", "पासवर्ड",
        "密", "口令", "パス", "暗証番号", "合言葉", "비밀번호", "패스워드", "비번", "암호",
    )),
    source=(
        # Long enough to stand inside another word: DB_PASSWORD, Datenbankpasswort.
        r"pass[\s_-]?(?:word|wort|phrase|code|wd)|passord|(?-i:(?<=[A-Z0-9])PASS(?=[=:])|(?<=[a-z])Pass(?=[\"']?\s?[:=]))|(?<![a-z0-9])wpa[23]?(?=\s?[:=])|p[a@4][s5$]{1,3}[\s_-]?w{1,2}[o0]rd|pas{1,3}w?(?:wrd|owrd|wrod|wd|wod)|ps{1,2}w(?:or)?d"
        r"|p(?P<spaced>[ ._-])a(?P=spaced)s(?P=spaced)s(?P=spaced)w(?P=spaced)o(?P=spaced)r(?P=spaced)d|(?:security|secret)\sanswer|security\squestion[^\n.]{0,60}?\banswer|kennwort|losung(?:swort)?|contrase[ñn]a|(?:la|mi|su)\scontra(?=\s(?:del?|da|nueva|vieja|es|wi-?fi)\s)|senha|palavra[\s-]passe|palabra\sde\spaso|frase\sde\spaso|mot\sde\spasse|phrase\s(?:de\spasse|secrète)|frase\s(?:secreta|segreta|d'accesso)|requirepass|masterauth"
        r"|parola\sd'ordine|wachtwoord|has[łl]o|[şs]ifre(?:si|miz|niz|m|n)?|lösenord|adgangskode|salasana|jelszó|mật\skhẩu|kata\ssandi"
        r"|парол[а-яё]{0,3}(?:\sот\s[а-яё]{2,12})?|кодовое\sслово|κωδικός|סיסמה|كلمة\s(?:المرور|السر)|รหัสผ่าน|पासवर्ड"
        r"|密\s?[码碼]|口\s?令|パスワード|パスフレーズ|パスコード|パス(?=[はを、：:＝=])|暗証番号|合言葉|通[关關]密[语語]|비밀\s?번호|패스워드|비번|암호"
        # Short names must stand alone.
        r"|(?<![A-Za-z0-9\u00c0-\u052f])(?:pwd?|p/w|psw|psk|passw?|mdp|clave(?:\s(?:secreta|de\sacceso|personal))?|heslo|parol[ăae]|pin(?:[\s-]?(?:code|number|nummer|код)|\s?(?:码|碼|コード|番号|번호))?|핀\s?번호|пин(?:-?код)?(?:\sкарты)?)(?![a-zß-ÿ]{3}|(?![ie]m|e[nt])[a-zß-ÿ]{2}|(?![smn])[a-zß-ÿ])"
    ),
)  # fmt: skip

KEYS = Nouns(
    needles=Signs((
        "key", "token", "secret", "cred", "licen", "totp seed", "otp seed", "2fa seed", "mfa seed", "authenticator seed", "api_hash", "api hash", "session cookie", "auth cookie", "login cookie", "cookie", "schlüssel", "geheimnis", "clé", "cle ", "jeton", "clave", "llave", "chave",
        "chiave", "segreto", "ключ", "токен", "секрет", "密钥", "金鑰", "令牌", "秘钥", "私钥", "凭证",
        "トークン", "シークレット", "キー", "鍵", "토큰", "시크릿", "키",
    )),
    source=(
        r"keys?|licen[sc]es?|(?:totp|otp|2fa|mfa|authenticator)\sseed|api[_\s]hash|(?:session|auth|login)\scookies?|cookie|(?:token|jeton)\s(?:de\sacceso|d['\u2019]acc[eè]s|di\saccesso|de\sacesso)|token|secret|credentials?|creds|schlüssel|geheimnis|cl[ée]\s(?:(?:d['\u2019]\s?)?(?:du\s)?(?:de\ssécurité\s)?(?:du\s)?wi-?fi|wpa2?|réseau)|cl[ée]\s(?:d['\u2019]\s?)?(?:api|secrète|privée|accès)|jeton"
        r"|(?:clave|llave|chave|chiave)\s(?:(?:de|da|di)\s)?(?:la\s)?(?:wi-?fi|wpa2?|api|secreta|privada|acceso|acesso|segreta|accesso|privata)"
        r"|segreto|secreto|ключ(?:\s(?:api|доступа|апи))?|токен[а-яё]{0,2}(?:\sдоступа)?|секрет"
        r"|密钥|金鑰|令牌|秘钥|私钥|凭证|トークン|シークレット|キー|鍵|토큰|시크릿|키"
    ),
)  # fmt: skip

CODES = Nouns(
    needles=Signs((
        "code", "otp", "totp", "one-time", "one time", "passcode", "digicode", "combination", "combinaison", "combinación", "kombination", "puk", "tan", "2fa", "mfa", "keypad", "lockbox", "lock box", "combo", "código", "codigo", "codice", "код",
        "短信码", "取件码", "取件碼", "验证码", "驗證碼", "配对码", "配對碼", "激活码", "动态码", "设备码", "校验码", "门禁码", "恢复码", "授权码", "提取码", "访问码", "分享码",
        "解锁码", "解鎖碼", "通行码", "通行碼", "登录码", "登錄碼", "登入码", "登入碼", "安全码", "安全碼", "连接码", "連接碼", "绑定码", "綁定碼",
        "コード", "인증", "코드",
    )),
    source=(
        r"codes?\sde\ssecours|codes?\s(?:de\s|d['\u2019]\s?)(?:vérification|appairage|jumelage|sécurité|accès|activation|confirmation|entrée|l['\u2019](?:entrée|immeuble)|la\sporte"
        r"|récupération|association)|code\s(?:secret|wi-?fi|du\s\w{2,12}|de\sla\s\w{2,12})|digicode|codes?|(?<![a-z])t?otp(?![a-z])|combination|combinaison|combinación|(?:(?<=zahlen)|(?<=tresor)|(?<=safe)|(?<=schloss))kombination|(?<![a-z])puk(?:[12](?!\d))?(?![a-z])|(?<![a-hj-ln-z])tan(?![a-z])|(?<![a-z0-9])[2m]fa(?![a-z])|keypad|lock\s?box|combo(?![a-z])|passcode|one[\s-]?time\s(?:password|passcode|pin)"
        r"|c[óo]digo\s(?:de\s)?(?:verificaci[óo]n|verifica[çc][ãa]o|emparejamiento|emparelhamento|pareamento|vincula[çc][ãa]o|seguridad|segurança|acceso|acesso"
        r"|activaci[óo]n|ativa[çc][ãa]o|vinculaci[óo]n|confirmaci[óo]n|confirma[çc][ãa]o|recuperaci[óo]n|recupera[çc][ãa]o)"
        r"|codice\s(?:di\s)?(?:verifica|abbinamento|associazione|sicurezza|accesso|attivazione|conferma|recupero)"
        r"|код\s(?:из\s(?:смс|sms|сообщения|письма)|домофона|подъезда|двери|сейфа|ворот|сигнализации|подтверждения|сопряжения|доступа|активации|безопасности|от\sдомофона|восстановления|привязки)"
        r"|短信码|取件[码碼]|验证码|驗證碼|配对码|配對碼|激活码|动态码|设备码|校验码|门禁码|恢复码|授权码|提取码|访问码|分享码|解[锁鎖][码碼]|通行[码碼]|登[录錄入][码碼]|安全[码碼]|[连連]接[码碼]|[绑綁]定[码碼]|c[óo]digos?|codici|codice|(?<![а-яё])код(?![а-яё])|コード|인증\s?번호|코드"
    ),
)  # fmt: skip
