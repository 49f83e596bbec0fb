# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Passwords that stand behind the name of their user, with no name of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.gate import has_digit
from memctl.guard.rules.judge import is_password, is_strong
from memctl.guard.rules.oddness import MARKED, ROW, oddness
from memctl.guard.rules.shapes import letters_and_digits
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.unnamed import (
    PLACE,
    SIGNED,
    VALUE,
    Unnamed,
    is_marked,
    is_odd,
    unnamed_hits,
)
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.hit import Hit
    from memctl.guard.rules.text_view import TextView
    from memctl.guard.rules.values import Value

__all__ = ["ACCOUNT_NEEDLES", "ACCOUNT_SIGNS", "account_hits"]

_SHORTEST_ALONE = 8  # where nothing says that a user stands before it
_NEAR_PAIR = 30  # characters before a pair
_ROLES = frozenset(
    ("root", "admin", "administrator", "pi", "guest", "ubuntu", "oracle", "postgres", "sa", "user")
)
_NO_NAMES = ("login-choice", "code-word", "predicate", "stand-in", "function-word")
_IN_DATA_URL = ";base64,"
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
_SERVICES = (
    "netflix", "spotify", "hulu", "disney", "amazon", "prime", "facebook", "instagram", "twitter", "gmail", "google", "icloud", "apple",
    "outlook", "hotmail", "yahoo", "steam", "github", "gitlab", "linkedin", "dropbox", "paypal", "ebay", "reddit", "discord", "slack",
    "zoom", "nas", "router", "vpn", "jira", "wordpress", "cpanel", "ftp", "ssh", "rdp", "grafana", "mysql", "postgres", "mongo",
)  # fmt: skip
ACCOUNT_NEEDLES = (
    *_LOGIN_NEEDLES, *_USER_NEEDLES, *_ROLE_NEEDLES, *_SERVICES, "@",
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
_LOGIN = Pattern(
    r"(?:access(?=:)|basic\sauth|ssh(?:\sin)?|log(?:ged)?[\s-]?[io]ns?(?![a-z]*\d)|sign(?:ed)?[\s-]?in|credentials?|creds?(?![a-z])|account|zugang(?:sdaten)?|anmeld\w{1,4}|identifiants?|connecte\w{0,2}(?:-toi|-vous)?|entra(?=\s)|acceso|credenciales|credenziali|credenciais|accès|inloggegevens|ログイン情報|凭据|уч[её]тны[ей]\sданны[ей]"
    r"|accesso|账号|帐号|账户|アカウント|계정|логин)"
    rf"[^\n:=]{{0,40}}?(?:[:=→]|->|\s[-–—]\s|(?<=n)\s(?=[\w.+-]{{1,40}}@[\w.-]{{3,40}}:)|(?:(?<=creds)|(?<=credentials)|(?<=zugangsdaten))\s(?=[\w.+-]{{1,40}}:\S)|\s(?=[a-z][\w.-]{{1,23}}/)|\swith|\sas|\sis|\sare|\smit|\scon|\savec)\s{{0,3}}{_NAME}(?P<between>\s{{0,2}}[/|:,]\s{{0,2}}|\s(?:and|with|und|mit|y|con|et|avec|e|com)\s|\s){VALUE}",
    re.IGNORECASE,
)
# "log in with jonas / bluebird", "the login is root/alpine"
_SLASHED = Pattern(r"\s?/\s?$")
# A bare "account" is one with names, a bare "access" that of a house.
_SAYS_LOGIN = Pattern(
    r"(?i)\b(?:ssh\s|log(?:ged)?\s?in|sign\s?in|cred|anmeld|zugangsdaten|identifiant|connecte|entra\s)"
)
_PLAIN_USER = Pattern(r"[A-Za-z][A-Za-z.]{1,20}$")
_PLAIN_WORD = Pattern(r"[A-Za-z]{5,20}$")
_ENDS_LOGIN = Pattern(
    r"[\"'`)]?\s*(?:$|\n|[.,;!)]|\s(?:on|for|to|in|at|auf|für|am|en|para|sur|pour|as|als|is|—|-)\s)"
)
# Login anna Rain1951!, with nothing between them.
_BESIDE = Pattern(
    rf"\blogin\s{_NAME}(?P<between>(?:\s[/|:])?\s){VALUE}(?=\s*$|\n|[\"'.])", re.IGNORECASE
)
# "anna / Rain1951! is the login for the shop"
_LOGIN_BEHIND = Pattern(
    rf"(?<![\w/.-]){_NAME}(?P<between>\s?[/|]\s){VALUE}\s(?:is|are|as|ist|sind|es|son|est|sont|é|è|—|-)\s(?:\S{{1,16}}\s){{0,4}}?(?:log-?in|credentials|creds|zugang|anmeldung|acceso|accès|accesso|acesso)",
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
    rf"\s{{0,3}}{VALUE}",
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
    r"(?<![\w.%/-])[\w.+-]{1,64}@(?!\d+\.\d+\.\d+\s)[\w-]{1,60}(?:\.[\w-]{2,40}){1,4}(?P<between>\s?[:|/,;\t]\s?|\s[-–—]{1,2}\s|\s)"
    r"(?P<value>[^\s\"'`<>|]{5,64})"
)
_SERVICE = Pattern(
    rf"(?<!\S)(?:{'|'.join(_SERVICES)})(?:\s\w{{1,12}})?\s?[|:/–—-]\s?{_NAME}\s?[|:/–—-]\s?{VALUE}",
    re.IGNORECASE,
)
# "anna:R@in_63" at the beginning of a line: nothing else looks like it.
_USER_NEAR = Pattern(r"(?i)user|admin|account|root|konto|cuenta|compte")
# "actions/checkout@37226ac", "pkg/tool@v2.1"
_AT_VERSION = Pattern(r"@(?:[0-9a-f]{7,64}|v?\d[\w.-]*|latest|main|master)$|#\d+$")
# "spotify:playlist:87DGam3DATx9mUTuc3XICy" is an address
_URN = Pattern(
    r"(?i)[a-z]{3,12}:(?:playlist|track|album|artist|episode|show|user|image|repo|issue|commit|project):"
)
# A repository before a sign: google/gemma-4-26B-it
_REPOSITORY = Pattern(r"(?i)[a-z]+/(?:[\w.]+-){2}")
_SIGN = Pattern(r"[!#$%^&*?~@_]")
_DATE = Pattern(r"\d{4}-\d\d-\d\d")
_BARE_PAIR = Pattern(r"(?m)^\s{0,4}[a-z][\w.-]{1,30}[:/](?P<value>[^\s\"'`<>:/]{6,64})(?=\s|$)")
# "ldapadmin / Snow!Leopard3"
_SLASH_PAIR = Pattern(r"(?<![\w/.-])[a-z][\w.-]{2,30}\s/\s" + VALUE + r"(?=\s|$)")
_CALCULATED = Pattern(r"[*+=(-]\s?\w+\s/|\*\*\d")
_HOST = Pattern(r"@[\w-]{1,60}(?:\.[\w-]{1,40}){1,4}$")


def account_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords that stand behind the name of their user."""
    if has_digit(view.lowered) or view.holds(_NAMES) or "/" in view.text:
        yield from unnamed_hits(view, _RULES)


def _is_login(found: re.Match[str], value: Value) -> bool:
    """Whether behind "creds: anna" a word that is no remark; apart from it by a space, a clear one."""
    between, name = found["between"], found["name"].lower()
    if name in words("predicate") or _DATE.match(name) or value.text.startswith("//"):
        return False
    if found["between"] == "/" and (PLACE.search(value.text) or _IN_DATA_URL in value.text):
        return False  # man/passwd.1, data:image/png;base64,...
    if name in words("login-choice") and _SIGN.search(value.text) is None:
        return False
    if between.strip() and oddness(value.text) >= ROW:
        return True
    if not has_digit(value.text):
        return _is_plain_login(found, value)
    return is_strong(value) and (bool(between.strip()) or is_marked(value))


def _is_plain_login(found: re.Match[str], value: Value) -> bool:
    """Whether somebody's name and a word, no two things that one logs in with or as."""
    pair = found["name"].lower(), value.text.lower()
    return (
        _SLASHED.match(found["between"]) is not None
        and _SAYS_LOGIN.search(found.group()) is not None
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
    return (
        is_marked(value)
        and _URN.match(found.group()) is None
        and _REPOSITORY.match(found.group()) is None
    )


def _is_roles(found: re.Match[str], value: Value) -> bool:
    return (
        is_strong(value)
        and letters_and_digits(value.text)
        and ":" not in value.text
        and not PLACE.search(_HOST.sub("", value.text))
        and value.text.rstrip("0123456789").lower()
        not in words("login-choice") | words("code-word")
        and (found["between"].strip() not in {"-", "–", "—"} or is_marked(value))
    )


def _is_mails(found: re.Match[str], value: Value) -> bool:
    if PLACE.search(value.text) or not letters_and_digits(value.text) or not is_strong(value):
        return False
    return bool(found["between"].strip()) or is_marked(value)


def _is_marked_oddly(found: re.Match[str], value: Value) -> bool:
    """Whether behind a slash and the name of a user what no name of a thing looks like."""
    if _CALCULATED.search(found.string, max(0, found.start() - 2), found.end()):
        return False
    if _USER_NEAR.search(found.string, max(0, found.start() - _NEAR_PAIR), found.end()):
        return oddness(value.text) >= ROW
    return len(value.text) >= _SHORTEST_ALONE and oddness(value.text) >= MARKED


def _is_signed(_: re.Match[str], value: Value) -> bool:
    return (
        is_strong(value) and bool(SIGNED.match(value.text)) and not _AT_VERSION.search(value.text)
    )


_RULES = (
    Unnamed((Signs(_LOGIN_NEEDLES),), _LOGIN, _is_login, plain=True),
    Unnamed((Signs(("login",)),), _BESIDE, _is_login),
    Unnamed((Signs(("/ ", "| ")),), _LOGIN_BEHIND, _is_login, plain=True),
    Unnamed((Signs(("@",)),), _AT_HOST, is_odd),
    Unnamed((Signs(_USER_NEEDLES),), _PAIR, _is_paired, plain=True),
    Unnamed((Signs(_ROLE_NEEDLES),), _ROLE, _is_roles),
    Unnamed((Signs(("@",)),), _MAIL, _is_mails),
    Unnamed((Signs(_SERVICES), Signs("|:/–—-")), _SERVICE, _is_of_service),
    Unnamed((Signs((":", "/")),), _BARE_PAIR, _is_signed),
    Unnamed((Signs((" / ",)),), _SLASH_PAIR, _is_marked_oddly),
)
ACCOUNT_SIGNS = Signs(sign for rule in _RULES for sign in rule.signs[0])
