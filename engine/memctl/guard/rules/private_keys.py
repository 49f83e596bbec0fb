"""Private keys: PEM of every kind, PGP, PuTTY, JWK, XML, service accounts; whole or cut off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.shapes import is_placeholder, is_sequence
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["private_key_hits"]

_RULE = "private-key"
_FEWEST_DISTINCT = 8
_JUDGED_BODY = 400  # characters
_FEWEST_BODY = 12  # characters of key material that must follow a header

# A header survives copying in many forms: spaces lost or doubled, dashes cut, quoted, escaped.
_HEADER = Pattern(
    r"BEGIN[\s_]{0,4}(?:[A-Z0-9]{2,12}[\s_]{0,4}){0,3}?PRIVATE[\s_]{0,4}KEY(?:[\s_]{0,4}BLOCK)?[-\s]{0,10}",
    re.IGNORECASE,
)
_HEADER_LINE = Pattern(
    r"(?im)^[\s>|#\"'`]{0,12}-{3,6}\s?BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-{3,6}[\s\"'`]{0,6}$"
)
# A key as documents show one: dots, a slot to be filled in, or nothing between header and footer.
_SHOWN = Pattern(
    r"(?i)[\s>|#\"'`,+]{0,12}(?:\\[rn]|(?:\.{2,}|…|\*{3,}|x{3,}|<[^<>\n]{0,60}>|\[[^\[\]\n]{0,60}\]|\{{1,2}[^{}\n]{0,60}\}{1,2}|\$\{?\w{1,40}\}?|(?:your|my|the|redacted|base64|key|private|pem|data|material|content|contents|here|snip|omitted|goes|encoded|body|bytes|[ _-])+)[\s\"'`,+>|#]{0,12}){0,8}-{2,6}\s?END",
)
_FIELD = Pattern(
    r"(?:\[?\.{3}\]?|…|[A-Z][A-Za-z-]{2,24}:[^\n\\]{0,120}(?:\n|\\r|\\n)?|\s|\\[rn]|[>|#\"'+,]){0,24}"
)
_MATERIAL = Pattern(r"(?:[A-Za-z0-9+/=]|\s|\\[rn]|[>|\"',+#]){1,16384}")
_FOOTER = Pattern(r"-{0,6}END[^\n-]{0,60}-{0,6}")

# The first bytes of a key's DER form say that a private key follows, header or not:
# PKCS#1, PKCS#8 (RSA, EC, Ed25519, X25519, encrypted), SEC1, OpenSSH, and a PEM in base64.
_BARE = Pattern(
    r"(?<![A-Za-z0-9+/])(?:MII[A-J][A-Za-z0-9+/](?:gIBAAK|wIBAAK|AIBAAK|QIBAAK|[A-Za-z0-9+/]IBADANBgkqhkiG9w0BAQEFAAS)"
    r"|MIIC[A-Za-z0-9+/]{2}IBAAKBg|MC4CAQAwBQYD|MHcCAQEEI|MIGHAgEAMBMG|MIG2AgEAMBAG|MIGkAgEBBD|MIIE6TAbBgkqhkiG9w0BBQ"
    r"|MII[A-Z][A-Za-z0-9+/]{2}[A-Za-z0-9+/]{0,4}BgkqhkiG9w0BBQ0|b3BlbnNzaC1rZXktdjEA"
    r"|LS0tLS1CRUdJTi(?:BQUklWQVRFI|BSU0EgUFJJVkFURS|BFQyBQUklWQVRFI|BPUEVOU1NIIFBSSVZBVEUg|BFTkNSWVBURUQgUFJJVkFURS|BEU0EgUFJJVkFURS|BQR1AgUFJJVkFURS))"
    r"[A-Za-z0-9+/=\s]{16,16384}"
)
_LABELLED = Pattern(
    r"Private-(?:Lines|MAC|Hash):\s?[\w+/=\s]{20,16384}"
    r"|<(?:D|P|Q|DP|DQ|InverseQ)>[A-Za-z0-9+/=\s]{20,4096}</"
    r"|\bPrivateKey\s{0,3}=\s{0,3}[A-Za-z0-9+/]{42,44}=?"
    r"|(?i:private[\s_-]{0,2}key)[\"'\s]{0,3}(?:[:=]|is)[\"'\s]{0,4}(?:0x)?[0-9a-fA-F]{64}(?![0-9a-fA-F])"
)
# ethers.Wallet("0x..."), from_key("..."), and sixty-four digits that are called a private key
_WALLET = Pattern(
    r"(?i)(?:wallet|from_?key|privateKeyToAccount|addPrivateKey|importRawKey|keypair)\(\s?[\"'`](?:0x)?(?P<key>[0-9a-f]{64})[\"'`]"
    r"|(?<![0-9a-zA-Z])0x(?P<before>[0-9a-f]{64})(?![0-9a-f])[^\n]{0,24}?\b(?:private|deployer|signer|signing|owner)\s(?:private\s)?key\b"
)
_OPENS_NOTHING = Pattern(r"(?i)hash|fingerprint|digest|sha\d|tx|public")
_JWK = Pattern(r"\"(?:d|k|p|q|dp|dq|qi)\"\s{0,4}:\s{0,4}\"([\w-]{22,1400})\"")
# The row of words first, what it restores behind it.
_PHRASE_BEFORE = Pattern(
    r"(?<![\w,])((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?!\w)[^\n]{0,40}?(?:phrase|seed|mnemonic|wallet|metamask|ledger|trezor|助记词)"
)
# Small words in a row, numbered or not: a phrase has twelve or more, asked first as it costs least
_ROW = Pattern(r"(?:[a-z]{3,8}[\s,]{1,3}(?:\d{1,2}[.)]\s?)?){11}[a-z]{3}")
_ACCOUNT = Pattern(r"\"?private_key_id\"?\s{0,4}[:=]\s{0,4}\"?([0-9a-f]{20,64})")
_PHRASE_NEEDLES = Signs((
    "phrase", "seed", "mnemonic", "frase", "助记词", "助記詞", "シード", "니모닉", "시드", "сид", "мнемо", "wallet", "metamask", "ledger", "trezor",
))  # fmt: skip
_PHRASE = Pattern(
    r"(?:phrase|words?|wörter|palabras|mots|parole|seed|mnemonic|phrase\s(?:secrète|de\srécupération)|frase(?:\s(?:secreta|segreta|semilla|mnemonica|seed|di\srecupero|de\srecuper\w{3,5}))?|助记词|助記詞|フレーズ|니모닉|시드|фраза)"
    r"\s{0,2}(?:\([^()\n]{0,40}\)\s?|(?:for|of|to|from|für|vom|zum|de|del|du|pour|para)\s[^\n:.]{1,30}?(?=:|\s(?:is|are|ist|sind|lauten|es|son|est|sont)\s))?(?:\s?(?:is|are|es|son|ist|sind|lauten|est|sont|è|é)(?=\s)|是|は|[^\w\s]{0,2})[\s\"'`]{0,6}"
    r"((?:(?:\d{1,2}[.)]\s?)?(?-i:[a-z]{3,8})[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?(?-i:[a-z]{3,8}))(?!\w)",
    re.IGNORECASE,
)


def private_key_hits(view: TextView) -> Iterator[Hit]:
    """Yield private keys and what restores one: seed phrases, service account files."""
    text = view.text
    if "private" in view.lowered:
        yield from _headed(text)
    if "MI" in text or "MC4" in text or "MHc" in text or "b3Bl" in text or "LS0t" in text:
        yield from (Hit(_RULE, *found.span()) for found in _BARE.finditer(text))
    if "rivate" in view.lowered or "</" in text:
        yield from (Hit(_RULE, *found.span()) for found in _LABELLED.finditer(text))
    if "wallet" in view.lowered or "key" in view.lowered:
        yield from _of_wallets(text)
    if '"kty"' in text:
        yield from _of_group(_JWK, text, _RULE)
    if "private_key_id" in text:
        yield from _of_group(_ACCOUNT, text, "service-account")
    if view.holds(_PHRASE_NEEDLES) and _ROW.search(text) is not None:
        yield from (
            Hit("seed-phrase", *found.span(1))
            for pattern in (_PHRASE, _PHRASE_BEFORE)
            for found in pattern.finditer(text)
            if _odd_words(found[1])
        )


def _headed(text: str) -> Iterator[Hit]:
    for found in _HEADER_LINE.finditer(text):
        if _SHOWN.match(text, found.end()) is None:
            yield Hit(_RULE, *found.span())
    for header in _HEADER.finditer(text):
        start = _FIELD.match(text, header.end())
        at = start.end() if start else header.end()
        # A header is judged by what follows it at once: only a key is read to its end.
        begun = _MATERIAL.match(text, at, at + _JUDGED_BODY)
        if begun is None or not _is_material(begun.group()):
            continue
        body = _MATERIAL.match(text, at)
        if body is None:
            continue
        footer = _FOOTER.match(text, body.end())
        yield Hit(_RULE, header.start(), footer.end() if footer else body.end())


def _is_material(body: str) -> bool:
    """Whether base64 follows the header, not a sentence about headers."""
    packed = re.sub(r"\\[rn]|[^A-Za-z0-9+/=]", "", body)
    spaced = len(re.findall(r"[A-Za-z]+ [a-z]+ ", body[:200]))
    distinct = len(set(packed[:64]))
    mixed = packed[:64].lower() != packed[:64] and packed[:64].upper() != packed[:64]
    return len(packed) >= _FEWEST_BODY and distinct >= _FEWEST_DISTINCT and mixed and spaced <= 1


def _of_wallets(text: str) -> Iterator[Hit]:
    """Yield the private keys of wallets: sixty-four hexadecimal digits and what says so."""
    for found in _WALLET.finditer(text):
        group = "key" if found["key"] else "before"
        if not is_sequence(found[group]) and not _OPENS_NOTHING.search(found.group()):
            yield Hit(_RULE, *found.span(group))


def _of_group(pattern: Pattern, text: str, rule: str) -> Iterator[Hit]:
    for found in pattern.finditer(text):
        value = found.group(1)
        if not is_placeholder(value) and not is_sequence(value):
            yield Hit(rule, *found.span(1))


def _odd_words(text: str) -> bool:
    """Whether no word of the row is one that holds a sentence together."""
    held = words("function-word") - words("of-wallets")
    return held.isdisjoint(re.findall(r"[a-z]+", text.lower()))
