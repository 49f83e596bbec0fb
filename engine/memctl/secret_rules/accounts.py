# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Passwords that stand behind the name of a user or a network, with no name of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.pattern import Pattern
from memctl.secret_rules.gate import has_digit
from memctl.secret_rules.hit import Hit
from memctl.secret_rules.judge import is_password, is_strong, is_unmistakable
from memctl.secret_rules.oddness import MARKED, ROW, SHORT_NUMBER, is_product, oddness
from memctl.secret_rules.sayings import Saying
from memctl.secret_rules.shapes import is_dense, letters_and_digits
from memctl.secret_rules.signs import Signs
from memctl.secret_rules.values import Value
from memctl.secret_rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.secret_rules.text_view import TextView

__all__ = ["ACCOUNT_NEEDLES", "ACCOUNT_SIGNS", "account_hits"]

_RULE = "password-in-prose"
_SHORTEST = 5
_SHORTEST_ALONE = 8  # where nothing says that a user stands before it
_NEAR_PAIR = 30  # characters before a pair
_ROLES = frozenset(
    ("root", "admin", "administrator", "pi", "guest", "ubuntu", "oracle", "postgres", "sa", "user")
)
_NO_NAMES = ("login-choice", "code-word", "predicate", "stand-in", "function-word")
_LONGEST_LETTER = 2  # "p:" is too short to say that a word is a password

_LOGIN_NEEDLES = (
    "access:",
    "ログイン", "凭据", "данны", "accès", "inlog", "basic auth", "ssh ", "entra ", "connecte", "acceso", "login", "log in", "logged in", "logon", "log on", "signin", "sign in",
    "cred", "account", "zugang", "anmeldung", "anmelden", "identifiant", "accesso", "账号", "帐号", "账户", "アカウント", "계정", "логин",
)  # fmt: skip
_USER_NEEDLES = (
    "u:",
    "u :",
    "u=",
    "user",
    "usr",
    "uid",
    "id:",
    " id ",
    "id：",
    "utilisateur",
    "login",
    "usuario",
    "usuário",
    "benutzer",
    "identifiant",
    "utente",
    "логин",
    "用户",
    "账号",
    "帐号",
    "ユーザー",
    "사용자",
    "아이디",
)
_ROLE_NEEDLES = (
    "root",
    "admin",
    "postgres",
    "sa:",
    "pi:",
    "ubuntu",
    "guest",
    "sysadmin",
    "oracle",
    "jenkins",
    "deploy",
)
_NETWORK_NEEDLES = ("ssid", "wifi", "wi-fi", "wlan", "hotspot")
_OPEN_NEEDLES = (
    "open",
    "lock",
    "crypt",
    "protect",
    "secure",
    "wifi",
    "wi-fi",
    "unzip",
    "extract",
    "entsperr",
    "abre",
    "ouvr",
    "логин",
    "log in",
    "logged in",
    "login",
    "sign in",
    "signed in",
)
_SERVICES = (
    "netflix", "spotify", "hulu", "disney", "amazon", "prime", "facebook", "instagram", "twitter", "gmail", "google", "icloud", "apple",
    "outlook", "hotmail", "yahoo", "steam", "github", "gitlab", "linkedin", "dropbox", "paypal", "ebay", "reddit", "discord", "slack",
    "zoom", "nas", "router", "vpn", "jira", "wordpress", "cpanel", "ftp", "ssh", "rdp", "grafana", "mysql", "postgres", "mongo",
)  # fmt: skip
ACCOUNT_NEEDLES = (
    *_LOGIN_NEEDLES, *_USER_NEEDLES, *_ROLE_NEEDLES, *_NETWORK_NEEDLES, *_OPEN_NEEDLES, *_SERVICES, "@",
)  # fmt: skip

# Where a password without a digit may follow the name of its user.
_NAMES = Signs(
    (
        "pass",
        "cred",
        "pw",
        "kennwort",
        "contrase",
        "clave",
        "senha",
        "mot de",
        "mdp",
        "парол",
        "密码",
        "パスワード",
        "비밀번호",
    )
)
_NAME = r"[\"'`]?(?P<name>[^\s/|:,=\"'`]{2,64})[\"'`]?"
_VALUE = r"[\"'`]?(?P<value>(?![\w-]{1,20}=)[^\s\"'`]{4,64})"
_LOGIN = Pattern(
    r"(?:access(?=:)|basic\sauth|ssh(?:\sin)?|log(?:ged)?[\s-]?[io]ns?|sign(?:ed)?[\s-]?in|credentials?|creds?|account|zugang(?:sdaten)?|anmeld\w{1,4}|identifiants?|connecte\w{0,2}(?:-toi|-vous)?|entra(?=\s)|acceso|credenciales|credenziali|credenciais|accès|inloggegevens|ログイン情報|凭据|уч[её]тны[ей]\sданны[ей]"
    r"|accesso|账号|帐号|账户|アカウント|계정|логин)"
    rf"[^\n:=]{{0,40}}?(?:[:=→]|->|\s[-–—]\s|(?<=n)\s(?=[\w.+-]{{1,40}}@[\w.-]{{3,40}}:)|(?:(?<=creds)|(?<=credentials)|(?<=zugangsdaten))\s(?=[\w.+-]{{1,40}}:\S)|\s(?=[a-z][\w.-]{{1,23}}/)|\swith|\sas|\sis|\sare|\smit|\scon|\savec)\s{{0,3}}{_NAME}(?P<between>\s{{0,2}}[/|:,]\s{{0,2}}|\s(?:and|with|und|mit|y|con|et|avec|e|com)\s|\s){_VALUE}",
    re.IGNORECASE,
)
# "log in with jonas / bluebird", "the login is root/alpine"
_SLASHED = Pattern(r"\s?/\s?$")
_PLAIN_USER = Pattern(r"[A-Za-z][A-Za-z.]{1,20}$")
_PLAIN_WORD = Pattern(r"[A-Za-z]{5,20}$")
_ENDS_LOGIN = Pattern(
    r"[\"'`)]?\s*(?:$|\n|[.,;!)]|\s(?:on|for|to|in|at|auf|für|am|en|para|sur|pour|as|als|is|—|-)\s)"
)
# Login anna Rain1951!, with nothing between them.
_BESIDE = Pattern(
    rf"\blogin\s{_NAME}(?P<between>(?:\s[/|:])?\s){_VALUE}(?=\s*$|\n|[\"'.])", re.IGNORECASE
)
# "anna / Rain1951! is the login for the shop"
_LOGIN_BEHIND = Pattern(
    rf"(?<![\w/.-]){_NAME}(?P<between>\s?[/|]\s){_VALUE}\s(?:is|are|as|ist|sind|es|son|est|sont|é|è|—|-)\s(?:\S{{1,16}}\s){{0,4}}?(?:log-?in|credentials|creds|zugang|anmeldung|acceso|accès|accesso|acesso)",
    re.IGNORECASE,
)
# A user and a password before a host, with no scheme before them.
_AT_HOST = Pattern(
    r"(?<![\w/:.@-])[A-Za-z][\w.-]{1,30}:(?P<value>[^\s\"'`:/@]{6,64})@(?:[a-z][\w-]{0,40}(?:\.[\w-]{1,40}){1,4}|localhost)"
)
# A user and a password, each behind a sign or name of its own, however short.
_PAIR = Pattern(
    r"(?<![\w/.-])(?:u|user(?:\s?name)?|usr|uid|id|login|usuario|usuário|benutzer(?:name)?|identifiant|utilisateur|utente|логин|用户名?|账号|帐号|ユーザー(?:名|ID)?|사용자|아이디)"
    rf"(?:\s?[:=：]\s{{0,3}}|\sis\s|\s|は){_NAME}[\s,;/|，、]{{1,4}}(?:(?:and|with|und|mit|y|con|et|avec|e|com|the)\s){{0,2}}"
    r"(?P<sign>(?:p|pw|pwd|ps|key)\s?[:=：]|(?:pass(?:word|wort|code|phrase)?|pwd?|kennwort|contraseña|clave|senha|mot\sde\spasse|mdp|пароль|密码|パスワード|비밀번호)(?:\s?[:=：]|\sis\b|(?![^\W_])))"
    rf"\s{{0,3}}{_VALUE}",
    re.IGNORECASE,
)
_STATES = Pattern(r"[:=：,;/|，、は]|\sis\s")  # "user wants password prompts" states nothing
_ENDS = Pattern(r"\s*(?:$|\n|[.,;)!])")
_ROLE = Pattern(
    r"(?<![\w./@:-])(?:root|admin(?:istrator)?|postgres|sa|pi|ubuntu|guest|sysadmin|oracle|jenkins|deploy)"
    r"(?P<between>\s?:\s?|\s[/–—-]\s|/)(?P<value>[^\s\"'`<>,;|]{4,64})(?=$|[\s\"'`<>,;|])",
    re.IGNORECASE,
)
_MAIL = Pattern(
    r"(?<![\w.%/-])[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{2,40}){1,4}(?P<between>\s?[:|/,;\t]\s?|\s[-–—]{1,2}\s|\s)"
    r"(?P<value>[^\s\"'`<>|]{5,64})"
)
_SERVICE = Pattern(
    rf"(?<!\S)(?:{'|'.join(_SERVICES)})(?:\s\w{{1,12}})?\s?[|:/–—-]\s?{_NAME}\s?[|:/–—-]\s?{_VALUE}",
    re.IGNORECASE,
)
_NETWORK = Pattern(
    r"(?:ssid|wi-?fi|wlan|hotspot)\b[\w\s]{0,20}?(?:[:=]\s{0,3}|\s(?=[\"'“„«]))[^\n/|,;:=]{1,40}?(?:\s?[/|,;]\s{0,3}(?:key|schlüssel|clé|clave|chave|chiave|pass\w{0,8}|pw|psk)?\s?[:=]?|\s{1,4}key\s?(?:[:=]|(?=[\"'])))\s{0,3}"
    + _VALUE,
    re.IGNORECASE,
)
_OPENED = Pattern(
    r"(?:open|unlock|encrypt|protect|secur|lock|wi-?fi|decrypt|unzip|extract|entsperr|abr[ei]|ouvr|log(?:ged)?\s?in|sign(?:ed)?\s?in)\w{0,5}\b[^\n]{0,40}?\s(?:with|using|via|mit|con|avec)\s"
    + _VALUE,
    re.IGNORECASE,
)
# "anna:R@in_63" at the beginning of a line: nothing else looks like it.
_USER_NEAR = Pattern(r"(?i)user|admin|account|root|konto|cuenta|compte")
# "actions/checkout@37226ac", "pkg/tool@v2.1"
_AT_VERSION = Pattern(r"@(?:[0-9a-f]{7,64}|v?\d[\w.-]*|latest|main|master)$")
# "spotify:playlist:87DGam3DATx9mUTuc3XICy" is an address
_URN = Pattern(
    r"(?i)[a-z]{3,12}:(?:playlist|track|album|artist|episode|show|user|image|repo|issue|commit|project):"
)
_DATE = Pattern(r"\d{4}-\d\d-\d\d")
_BARE_PAIR = Pattern(r"(?m)^\s{0,4}[a-z][\w.-]{1,30}[:/](?P<value>[^\s\"'`<>:/]{6,64})(?=\s|$)")
# "wifi for mum's place? It's Cobblestone44", "le wifi chez mamie c'est Livebox et la clé Confiture_2022"
_NETWORK_KEY = Saying(
    r"<network>\b[^\n]{0,60}?(?:\?\s(?:it['’]?s|it\sis)\s|[\s,](?:and|und|y|et|e),?\s(?:the|its|der|la|le|a)\s(?:key|schlüssel|clave|llave|clé|chave|chiave|code)\s(?:(?:is|ist|es|est|é|è)\s)?"
    r"|\s(?:and|und)\syou\sget\s(?:in|on)\s(?:with|using)\s)" + _VALUE + r"(?=\s*$|\n|[.,;!])"
)
# Words and a number, and behind an arrow the network that they are for
_NETWORK_BEHIND = Saying(_VALUE + r"\s(?:<-+|←)\s[^\n]{0,20}<network>\b")
# The wallet, unlock: Copper-Otter-12
_SEALED_SIGN = Saying(
    r"\b(?:unlock|decrypt|entsperren|entschlüsseln|desbloquear|déverrouiller)\s?[:=]\s?" + _VALUE
)
# "ldapadmin / Snow!Leopard3"
_SLASH_PAIR = Pattern(r"(?<![\w/.-])[a-z][\w.-]{2,30}\s/\s" + _VALUE + r"(?=\s|$)")
_NAMED_USER = Pattern(r"\w+\s[\w.-]{2,40}:")
_SEALED = Pattern(
    r"(?i)unlock|encrypt|protect|lock|decrypt|entsperr"
)  # what nobody does with a program
_HOST = Pattern(r"@[\w-]{1,60}(?:\.[\w-]{1,40}){1,4}$")
# Use Rain1951$ to log in.
_USED = Pattern(
    rf"\b(?:use|try|usa|nimm)\s(?:[\w.-]{{2,40}}:)?{_VALUE}\s(?:to|for|para|um|zum|für)\s(?:\S{{1,12}}\s){{0,2}}?(?:log|sign|connect|auth|unlock|open|decrypt)",
    re.IGNORECASE,
)
_PLACE = Pattern(r"/|\.(?:[a-z]{2,5}|\d+)$|^~|\\")
_MARKED = Pattern(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9]+[!#$%^&*?~@+=][^\s@]*$")
_SIGNED = Pattern(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])\w*[!#$%^&*?~@][\w!#$%^&*?~@]*$")
_CLASSIC = Pattern(r"[A-Za-z]{3,20}\d{1,6}$")


def account_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords that stand where an account, a network or a lock is spoken of."""
    if not (has_digit(view.lowered) or view.holds(_NAMES) or "/" in view.text):
        return
    for signs, pattern, accepts in _RULES:
        if all(map(view.holds, signs)):
            for found in pattern.finditer(view.text):
                value = _value(found)
                if value is not None and accepts(found, value):
                    yield Hit(_RULE, value.start, value.end)


def _value(found: re.Match[str]) -> Value | None:
    said = found["value"]
    word = said.rstrip(".,;:)\"'`”»").lstrip("\"'`“«(")
    if (
        len(word) < _SHORTEST
        or not word.isascii()
        or is_product(word)
        or not (
            found.re in (_PAIR.compiled, _LOGIN.compiled, _LOGIN_BEHIND.compiled)
            or has_digit(word)
            or oddness(word) >= ROW
        )
    ):
        return None
    start = found.start("value") + said.index(word)
    ends = found.string[found.end("value") : found.end("value") + 1] in {"", "\n", " ", '"', "'"}
    return Value(word, start, start + len(word), quoted=False, ends_clause=ends, run=word)


def _is_login(found: re.Match[str], value: Value) -> bool:
    """Whether behind "creds: anna" a word that is no remark; apart from it by a space, a clear one."""
    between = found["between"]
    if found["name"].lower() in words("predicate") or _DATE.match(found["name"]):
        return False
    if between.strip() and oddness(value.text) >= ROW:
        return True
    if not has_digit(value.text):
        return _is_plain_login(found, value)
    return is_strong(value) and (bool(between.strip()) or _is_marked(value))


def _is_plain_login(found: re.Match[str], value: Value) -> bool:
    """Whether somebody's name and a word, no two things that one logs in with or as."""
    pair = found["name"].lower(), value.text.lower()
    return (
        _SLASHED.match(found["between"]) is not None
        and _PLAIN_USER.match(found["name"]) is not None
        and _PLAIN_WORD.match(value.text) is not None
        and _ENDS_LOGIN.match(found.string, value.end) is not None
        and (pair[0] in _ROLES or words("login-choice").isdisjoint(pair))
        and not any(pair[1] in words(section) for section in _NO_NAMES)
        and (pair[0] in _ROLES or not any(pair[0] in words(section) for section in _NO_NAMES))
    )


def _is_paired(found: re.Match[str], value: Value) -> bool:
    if found["name"].lower() in words("predicate") | words("stand-in"):
        return False
    before = found.string[found.start() : found.start("value")]
    return (is_strong(value) and has_digit(value.text)) or bool(
        len(found["sign"]) > _LONGEST_LETTER
        and (_STATES.search(before) or _ENDS.match(found.string, found.end("value")))
        and value.ends_clause
        and is_password(value, copula=True)
    )


def _is_of_service(found: re.Match[str], value: Value) -> bool:
    return _is_marked(value) and _URN.match(found.group()) is None


def _is_odd(_: re.Match[str], value: Value) -> bool:
    return oddness(value.text) >= SHORT_NUMBER


def _is_marked(value: Value) -> bool:
    """Whether a word with a mark in it, or a word and a number, as people choose passwords."""
    return not _PLACE.search(value.text) and (
        is_unmistakable(value.text.lstrip("!#*"))
        or oddness(value.text) > ROW
        or bool(_SIGNED.match(value.text))
        or (is_strong(value) and bool(_CLASSIC.match(value.text)))
    )


def _is_roles(found: re.Match[str], value: Value) -> bool:
    return (
        is_strong(value)
        and letters_and_digits(value.text)
        and ":" not in value.text
        and not _PLACE.search(_HOST.sub("", value.text))
        and value.text.rstrip("0123456789").lower()
        not in words("login-choice") | words("code-word")
        and (found["between"].strip() not in {"-", "–", "—"} or _is_marked(value))
    )


def _is_mails(found: re.Match[str], value: Value) -> bool:
    if _PLACE.search(value.text) or not letters_and_digits(value.text) or not is_strong(value):
        return False
    return bool(found["between"].strip()) or _is_marked(value)


def _is_generated(word: str) -> bool:
    """Whether random, with more digits than the number at the end of a name."""
    return is_dense(word) and sum(map(str.isdigit, word)) > 1


def _is_clear(found: re.Match[str], value: Value) -> bool:
    odd = oddness(value.text)
    if _SEALED.match(found.group()) and odd >= ROW:
        return True
    if _NAMED_USER.match(found.group()) and odd >= SHORT_NUMBER:
        return True
    return not _PLACE.search(value.text) and (
        is_unmistakable(value.text)
        or (is_strong(value) and (bool(_MARKED.match(value.text)) or _is_generated(value.text)))
    )


def _is_marked_oddly(found: re.Match[str], value: Value) -> bool:
    """Whether behind a slash and the name of a user what no name of a thing looks like."""
    if _USER_NEAR.search(found.string, max(0, found.start() - _NEAR_PAIR), found.end()):
        return oddness(value.text) >= ROW
    return len(value.text) >= _SHORTEST_ALONE and oddness(value.text) >= MARKED


def _is_signed(_: re.Match[str], value: Value) -> bool:
    return (
        is_strong(value) and bool(_SIGNED.match(value.text)) and not _AT_VERSION.search(value.text)
    )


# Each with the signs of which one of every group must stand in the text.
_RULES = (
    ((Signs(_LOGIN_NEEDLES),), _LOGIN, _is_login),
    ((Signs(("login",)),), _BESIDE, _is_login),
    ((Signs(("/ ", "| ")),), _LOGIN_BEHIND, _is_login),
    ((Signs(("@",)),), _AT_HOST, _is_odd),
    ((Signs(_USER_NEEDLES),), _PAIR, _is_paired),
    ((Signs(_ROLE_NEEDLES),), _ROLE, _is_roles),
    ((Signs(("@",)),), _MAIL, _is_mails),
    ((Signs(_SERVICES), Signs("|:/–—-")), _SERVICE, _is_of_service),
    ((Signs(_NETWORK_NEEDLES),), _NETWORK, lambda _, value: is_strong(value)),
    ((Signs(_OPEN_NEEDLES),), _OPENED, _is_clear),
    ((Signs(("log", "sign", "connect", "auth", "lock", "open", "crypt")),), _USED, _is_clear),
    ((Signs((":", "/")),), _BARE_PAIR, _is_signed),
    (
        (
            Signs(
                (
                    "wifi",
                    "wi-fi",
                    "wlan",
                    "hotspot",
                    "network",
                    "netz",
                    "réseau",
                    "internet",
                    "ssid",
                )
            ),
        ),
        _NETWORK_KEY,
        _is_odd,
    ),
    (
        (Signs(("unlock", "decrypt", "entsp", "entschl", "desbloquear", "déverrouiller")),),
        _SEALED_SIGN,
        _is_odd,
    ),
    ((Signs(("<-", "←")),), _NETWORK_BEHIND, _is_odd),
    ((Signs((" / ",)),), _SLASH_PAIR, _is_marked_oddly),
)
ACCOUNT_SIGNS = Signs(sign for signs, *_ in _RULES for sign in signs[0])
