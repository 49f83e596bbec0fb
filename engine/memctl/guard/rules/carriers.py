"""Secrets inside something that carries them: addresses, headers, connection strings, commands."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.guard.rules.hit import Hit
from memctl.guard.rules.shapes import (
    is_code,
    is_dense,
    is_measure,
    is_placeholder,
    is_random,
    is_scrambled,
    is_sequence,
    letters_and_digits,
)
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["CARRIER_SIGNS", "carrier_hits"]

_SHORTEST_GIVEN = 2
_SHORTEST_BARE = 4  # where the place alone does not say that a secret must stand there
_SHORTEST_LONG = 16

_SHORTEST_MIXED = 24  # of capitals, small letters and digits
_SHORTEST_SMALL = 40  # of small letters and digits
_HEXADECIMAL = re.compile(r"[0-9a-fA-F-]+")
_WEAK_WORDS = {"password", "passwd", "pass", "pwd", "pw", "secret", "token", "port", "n"}


@dataclass(frozen=True)
class Carrier:
    """A pattern whose group 1 holds the secret, if ``accepts`` says so."""

    rule: str
    needles: tuple[str, ...]
    source: str
    accepts: Callable[[str], bool]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a needle was first seen."""
        return re.compile(self.source, re.IGNORECASE)


def carrier_hits(view: TextView) -> Iterator[Hit]:
    """Yield secrets that their surroundings give away."""
    present = view.signs & CARRIER_SIGNS
    for carrier in _CARRIERS:
        if present.isdisjoint(carrier.needles):
            continue
        for found in carrier.pattern.finditer(view.text):
            if carrier.accepts(found.group(1)):
                yield Hit(carrier.rule, *found.span(1))


def _given(value: str) -> bool:
    """Whether a person wrote a real value here, however weak."""
    return (
        len(value) >= _SHORTEST_GIVEN
        and not is_placeholder(value)
        and value.lower() not in _WEAK_WORDS
    )


def _given_and_no_code(value: str) -> bool:
    return (
        _given(value)
        and len(value) >= _SHORTEST_BARE
        and not is_code(value)
        and not is_measure(value)
    )


def _given_password(value: str) -> bool:
    return _given_and_no_code(value) and (letters_and_digits(value) or not value.isalnum())


def _given_community(value: str) -> bool:
    """Whether the word by which devices let themselves be asked, no word about it."""
    word = value.rstrip(".").lower()
    return (
        _given_word(value)
        and word not in words("code-word") | words("of-communities")
        and (value.islower() or letters_and_digits(value) or value.istitle() is False)
    )


def _given_default(value: str) -> bool:
    """Whether a real password stands where a variable is not set, no name and no number."""
    return _given_and_no_code(value) and letters_and_digits(value)


def _given_word(value: str) -> bool:
    return _given(value) and value.lower() not in words("predicate") | words("stand-in")


def _opaque(value: str) -> bool:
    """Whether the value is a key by its own look: long enough, mixed, no words."""
    return not is_placeholder(value) and not is_sequence(value) and is_random(value, minimum=8)


def _long_opaque(value: str) -> bool:
    return _opaque(value) and len(value) >= _SHORTEST_LONG


def _environment_key(value: str) -> bool:
    """Whether nothing but a generator makes the value of a variable: no digest, no id, no path."""
    packed = value.strip("=")
    cased = packed.lower() != packed != packed.upper()
    long_enough = len(packed) >= (_SHORTEST_MIXED if cased else _SHORTEST_SMALL)
    return (
        long_enough
        and _HEXADECIMAL.fullmatch(packed) is None
        and _opaque(packed)
        and (is_dense(packed) if cased else letters_and_digits(packed) and "_" not in packed)
    )


def _path_token(value: str) -> bool:
    """Whether the end of an address is an id nobody could guess: random in one piece or several."""
    packed = re.sub(r"[^A-Za-z0-9]", "", value)
    return not is_placeholder(value) and not is_sequence(packed) and is_random(packed, minimum=12)


def _basic(value: str) -> bool:
    """Whether base64 of ``user:password``."""
    padded = value + "=" * (-len(value) % 4)
    try:
        decoded = b64decode(padded, validate=True).decode()
    except ValueError:
        return False
    return ":" in decoded.strip(":") and decoded.isprintable()


def _aws_secret(value: str) -> bool:
    cases = value.lower() != value and value.upper() != value
    mixed = is_scrambled(value.replace("/", "").replace("+", ""))
    return cases and mixed and letters_and_digits(value) and not is_placeholder(value)


_HEADER_START = r"(?:authorization|proxy-authorization)[\"'\s]{0,3}[:=,][\"'\s]{0,4}"
_CARRIERS = (
    Carrier(
        "connection-string",
        ("accountkey", "sharedaccess", "accesskey="),
        r"(?:account|sharedaccess|access|sharedsecret)(?:key|signature)\s{0,2}=\s{0,2}([A-Za-z0-9+/%=&-]{16,200})",
        _opaque,
    ),
    Carrier("azure-sas", ("sig=",), r"\bsig=([A-Za-z0-9+/%]{24,120})", _opaque),
    Carrier(
        "otpauth",
        ("otpauth",),
        r"otpauth(?:-migration)?://[^\s]{0,300}?(?:secret|data)=([A-Z2-7a-z%0-9+/=]{8,300})",
        _given,
    ),
    Carrier(
        "url-credentials",
        ("://",),
        # What the documentation of a database gives, on the machine itself, is no secret.
        r"://(?!(?:postgres:postgres|root:root|guest:guest|mysql:mysql|minioadmin:minioadmin)@(?:localhost|127\.0\.0\.1|db|postgres|mysql|rabbitmq|minio)[:/])[^\s/?#:@\"'<>]{0,256}:(?!\d{2,5}[/?#])([^\s\"'<>]{1,128})@(?=[\w\[])",
        _given,
    ),
    Carrier("url-credentials", ("://",), r"://([\w.~%+-]{16,256})@(?![\w.-]*sentry)", _long_opaque),
    Carrier(
        "url-credentials",
        ("@tcp(", "@unix("),
        r"[\w.-]{1,40}:([^\s\"'/:\[\]]{3,80})@(?:tcp|unix)\(",
        _given,
    ),
    Carrier(
        "url-credentials", ("jdbc:",), r"jdbc:oracle:\w{2,8}:\w{1,40}/([^\s@/]{1,80})@", _given
    ),
    Carrier(
        "url-token",
        ("token=", "key=", "sig=", "secret=", "signature=", "code=", "auth=", "session="),
        r"[?&;#](?:[\w-]{0,24}(?:token|key|secret|signature)|sig|code|auth|session(?:_?id)?|password|pwd)=([\w%.~+/-]{12,1024})",
        _long_opaque,
    ),
    Carrier("url-token", ("appid=",), r"(?<!\w)appid=([0-9a-f]{32})(?![\w-])", _long_opaque),
    Carrier(
        "webhook-url",
        (
            "hooks.slack",
            "discord",
            "webhook",
            "logic.azure",
            "hooks.zapier",
            "ifttt",
            "hook.",
            "/hooks/",
            "/hook/",
            "infura.io/",
            "alchemy.com/",
        ),
        r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/"
        r"|discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{6,24}/"
        r"|webhook\.office(?:365)?\.com/webhookb2/|outlook\.office(?:365)?\.com/webhook/"
        r"|hooks\.zapier\.com/hooks/catch/|maker\.ifttt\.com/trigger/\w{1,60}/(?:json/)?with/key/"
        r"|hook\.[\w.]{0,12}make\.com/|hook\.integromat\.com/|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/"
        r"|\.infura\.io/(?:ws/)?v3/|\.alchemy\.com/v2/|/webhook(?:-test)?/(?=[0-9a-f]{8}-)|/hooks/(?=[a-z0-9]{26}\b)|api\.telegram\.org/bot(?=\d))"
        r"([\w@/.:%-]{12,400})",
        _path_token,
    ),
    Carrier(
        "webhook-url",
        ("webhook/send", "robot/send", "chat.googleapis"),
        r"(?:webhook/send\?key|robot/send\?access_token|chat\.googleapis\.com/v1/spaces/[\w-]{4,40}/messages\?[\w=&-]{0,60}key)"
        r"=([\w%-]{12,200})",
        _opaque,
    ),
    Carrier(
        "bearer-token",
        ("bearer", "token "),
        rf"{_HEADER_START}(?:bearer|token|apikey|key)\s{{1,3}}([\w.~+/=:-]{{8,4096}})",
        _given_and_no_code,
    ),
    Carrier(
        "bearer-token",
        ("bearer",),
        r"(?<![A-Za-z0-9])bearer[\s:=]{1,3}[\"'`]?([\w.~+/=-]{16,4096})",
        _opaque,
    ),
    Carrier(
        "basic-auth",
        ("basic",),
        rf"(?:{_HEADER_START}|-h\s[\"'])?(?<![A-Za-z0-9])basic\s{{1,3}}([A-Za-z0-9+/]{{8,400}}={{0,2}})",
        _basic,
    ),
    Carrier(
        "auth-header",
        ("authorization",),
        rf"{_HEADER_START}(?!bearer|basic|token)(?:[\w-]{{2,20}}\s)?([\w.~+/=-]{{16,4096}})",
        _opaque,
    ),
    Carrier(
        "session-cookie",
        ("cookie",),
        r"cookie2?[\"'\s]{0,3}[:=][^\n]{0,200}?(?:sess|sid|auth|token|jwt|login)\w{0,20}=([\w%.~+/:=-]{12,4096})",
        _long_opaque,
    ),
    Carrier(
        "session-cookie",
        (
            *("sessid=", "sessionid=", "session_id=", "connect.sid=", "_session=", "_sess="),
            *("li_at=", "session-token="),
        ),
        r"(?<![A-Za-z0-9])(?:php_?sessid|j_?sessionid|asp\.net_sessionid|connect\.sid|sessionid|\w{0,20}_sess(?:ion)?(?:_id)?|li_at|[\w.-]{0,30}session-token)=([\w%.~+/:=-]{16,4096})",
        _long_opaque,
    ),
    Carrier(
        "aws-secret-key",
        ("aws", "akia", "asia", "secret"),
        r"(?<![A-Za-z0-9/+=])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _aws_secret,
    ),
    Carrier(
        "snmp-community",
        (
            "snmp",
            "community string",
            "community-string",
            "rocommunity",
            "rwcommunity",
            "write community",
            "only community",
        ),
        r"(?:\b(?:snmp-server\scommunity|r[ow]community6?|set\ssnmp\scommunity)\s{1,2}"
        r"|(?:\bsnmp(?:\s?v[123]c?)?,?\s(?:read-only\s|read-write\s|ro\s|rw\s)?community|\bcommunity[\s-]string|read-(?:write|only)\scommunity|comunidad\ssnmp|communauté\ssnmp)(?:\s(?:name|string))?"
        r"(?:(?:\s(?:of|for|on|für|der|de|von)\s[^\n:=.]{1,40}?)?(?:\s?[:=]|\sis|\sist|\ses|\sest)\s{1,2}|\s(?=\S{4,64}\s*$)))[\"'`]?([\w.@!#$%^&*+-]{4,64})(?=[\"'`.,;)]{0,3}(?:\s|$))",
        _given_community,
    ),
    # Any variable of an environment file whose value only a generator makes.
    Carrier(
        "secret-assignment",
        ("=",),
        r"(?<![\w.$&?{-])(?-i:(?![A-Z0-9_]{0,60}(?:ID|IDS|URL|URI|SHA|HASH|DIGEST|SUM|ETAG|PUB|PUBLIC|ANON|COMMIT|TAG|BUILD|VERSION|NONCE|INTEGRITY|CERT|IMAGE|CURSOR|STATE)(?:[_\d][A-Z0-9_]{0,40})?=)"
        r"[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,6})=[\"']?([A-Za-z0-9+/_=~-]{24,256})(?![\w+/=.:@%-])",
        _environment_key,
    ),
    Carrier(
        "command-password",
        ("pgpass", ":5432:", ":*:"),
        r"(?m)^[\w.*-]{1,80}:[\d*]{1,5}:[\w*-]{1,60}:[\w*-]{1,60}:(?!\S{0,60}:/)(\S{4,80})$",
        _given,
    ),
    Carrier(
        "command-password",
        ("machine",),
        r"\bmachine\s\S{1,80}\s{1,8}login\s\S{1,80}\s{1,8}password\s(\S{3,80})",
        _given,
    ),
    Carrier(
        "basic-auth",
        ('"auth"', "'auth'"),
        r"[\"']auth[\"']\s{0,2}:\s{0,2}[\"']([A-Za-z0-9+/]{8,400}={0,2})[\"']",
        _basic,
    ),
    # A line of .htpasswd or of /etc/shadow: who has the file guesses at leisure.
    Carrier(
        "password-file",
        (":$apr1$", ":$2y$", ":$2b$", ":$5$", ":$6$", ":$y$", ":{sha}"),
        r"(?m)^[\w.@-]{1,40}:(\$(?:apr1|2[aby]|[56y])\$[\w./$=]{20,120}|\{SHA\}[\w+/=]{20,40})",
        bool,
    ),
    Carrier("wifi-password", ("wifi:",), r"\bWIFI:[^\n]{0,120}?\bP:([^;\n]{4,80});", _given),
    Carrier(
        "command-password",
        ("sudo -s", "chpasswd", "--password-stdin", "--stdin"),
        r"\b(?:echo|printf)\s(?:-n\s)?[\"']?([^\s\"'|\\]{4,80})(?:\\n)?[\"']?\s?\|[^\n]{0,60}?(?:sudo\s-S|chpasswd|--password-stdin|--stdin)",
        _given_password,
    ),
    Carrier(
        "command-password",
        ("<<<",),
        r"\b(?:kinit|sudo|ssh-add|passwd|cryptsetup|gpg|su)\b[^\n]{0,60}?<<<\s?[\"']?([^\s\"'$]{4,80})",
        _given,
    ),
    Carrier(
        "command-password",
        ("chpasswd",),
        r"\becho\s[\"']?\w{1,40}:([^\s\"'|]{3,80})[\"']?\s?\|",
        _given,
    ),
    Carrier(
        "basic-auth",
        ("_auth",),
        r"\b_auth[\"'\s]{0,3}[:=][\"'\s]{0,4}([A-Za-z0-9+/]{8,400}={0,2})",
        _basic,
    ),
    Carrier(
        "bearer-token",
        ("-u", "--user"),
        r"\b(?:curl|https?)\s[^\n]{0,160}?(?:-u|--user)[\s=][\"']?([\w-]{16,256}):(?=[\"'\s]|$)",
        _long_opaque,
    ),
    Carrier(
        "sql-password",
        ("identified", "password("),
        r"(?:\bidentified\s(?:with\s[\w'\"]{1,40}\s)?by\s(?:password\s)?|\bpassword\(\s?)['\"]([^'\"\n]{3,128})['\"]",
        _given_word,
    ),
    Carrier(
        "basic-auth",
        ("_auth", "_login", "_cred", "userpwd", "userpass"),
        r"(?:_auth|_login|_credentials?|userpwd|userpass)[\"']?\s?[:=]\s?[\"']?(?!\d{4}-\d\d-\d\d)[\w.@-]{1,60}:([^\s\"'@/]{4,64})",
        _given_password,
    ),
    # What a program takes where the variable of a password is not set.
    Carrier(
        "call-password",
        ("env", ".get("),
        r"(?:env|environ\.get|environ\.fetch|env\.get|env\.fetch)\(\s?[\"']\w{0,40}(?:pass|pw|pwd|secret|token|key)\w{0,12}[\"']\s?,\s?[\"']([^\"'\n\s]{4,128})[\"']",
        _given_default,
    ),
    Carrier(
        "call-password",
        ("env(",),
        r"(?:pass\w{0,8}|pwd)[\"']?\s{0,8}(?:=>|=|:)\s{0,4}env\(\s?[\"']\w{1,60}[\"']\s?,\s?[\"']([^\"'\n\s]{4,128})[\"']",
        _given_default,
    ),
    # login("anna", "Rain151"), auth=("anna", "Rain151"), Client("AC...", "...")
    Carrier(
        "call-password",
        (
            "login(",
            "auth(",
            "authenticate(",
            "connect(",
            "signin(",
            "sign_in(",
            "wifi.begin(",
            "log_in(",
            "auth=(",
            "auth = (",
            "credential(",
            "credentials(",
        ),
        r"(?:log_?in|wifi\.begin|auth|authenticate|connect|sign_?in|credentials?)(?:\s?=\s?)?\(\s{0,3}[\"'][^\"'\n]{1,80}[\"']\s?,\s{0,3}[\"']([^\"'\n\s]{4,128})[\"']",
        _given_password,
    ),
)
CARRIER_SIGNS = Signs(needle for carrier in _CARRIERS for needle in carrier.needles)
