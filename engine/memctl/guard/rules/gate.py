# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""The cheap question before the dear one, whether a text may hold a secret at all.

Every rule begins with something that must stand in the text: the name of a secret, a flag, the
scheme of an address, a word as long as a key. `may_hold_secret` looks for those alone, so a
harmless line of talk is let through after some plain searches, and no rule is even imported.
What it lets through is judged by the rules; what it stops, no rule would have found
(``tests/guard/test_gate.py``).
"""

from __future__ import annotations

import re

from memctl.base.pattern import Pattern
from memctl.guard.rules.signs import (
    SHORTEST_KEY,
    Signs,
    has_long_word,
    is_harmless,
    lowered,
    signs_in,
)
from memctl.guard.rules.wrapping import BREAK

__all__ = ["FLAGS", "has_any", "has_digit", "long_words", "may_hold_secret"]

_LONG_WORD = Pattern(rf"[\w.+/=~:$-]{{{SHORTEST_KEY},}}", re.ASCII)
_DIGIT = Pattern(r"\d")

# What a password or key on a command line stands behind.
FLAGS = Signs((
    "-u", " -p", " -w", " -k", " -a", " -x", " -c", " -h", "--", "/p:", "/user:", "pass", "rabbitmqctl", "net use",
    "cmdkey", "runas", "enable secret", "bindpw", "rootpw", "privilege", "encrypt_string", "ssh-keygen",
))  # fmt: skip
_ALONE = Signs((
    # passwords, as they are called and misspelt
    *("pass", "pin is ", "pin ist ", "pin es ", "pin est ", "pin: ", "pw", "p@s", "p4s", "pa$", "p a s", "p.a.s", "p-a-s", "p_a_s", "pasw", "pssw", "psw", "psk", "p/w", "wpa", "mdp"),
    *("security answer", "security question", "secret question", "recovery question", "maiden", "memorable word", "memorable name", "sicherheitsfrage", "geheimfrage", "geburtsname", "mädchenname", "pregunta", "soltera", "question secr", "question de s", "jeune fille", "domanda di sic", "first pet", "first school", "first car", "контрольн", "девичья", "旧姓", "質問", "安全问题", "安全問題", "clave", "kennwort", "contrase", "la contra ", "mi contra ", "su contra ", "senha", "palavra", "palabra", "losung", "mot de", "parol", "wachtwoord", "haslo", "sifre"),
    *("adgangskode", "salasana", "masterauth", "kata sandi", "heslo"),
    # keys and codes
    *("key", "api_hash", "api hash", "licen", "token", "secret", "cred", "cookie", "geheimnis", "cle ", "jeton", "llave", "chave", "chiave", "segreto"),
    *("code", "otp", "one-time", "one time", "codice", "codici", "codigo", "seed", "phrase", "frase", "mnemonic", "wallet", "metamask"),
    *("ledger", "trezor", "private", "</", '"kty"', "mii", "mc4c", "mhcc", "mighag", "mig2", "migk", "b3bl", "ls0t"),
    # what carries one
    *("://", "jdbc:", "sig=", "signature=", "auth", "session=", "snmp", "community string", "community-string", "rocommunity", "rwcommunity", "write community", "only community", "sharedaccess", "hook", "discord", "logic.azure", "ifttt"),
    *("robot/send", "googleapis", "bearer", "basic", "aws", "akia", "asia", ":5432:", ":*:", "machine", "wifi:", "sudo -s"),
    *("stdin", "<<<", "sessid=", "connect.sid=", "_sess=", "li_at=", "identified", "pairing approve", "adb pair", "bluetoothctl", "login(", "connect(", "signin(", "sign_in(", "log_in(", "_login", "userp"),
    *FLAGS,
    # elsewhere
    "hasł", "şifre", "lösenord", "jelszó", "mật", "парол", "кодовое", "пин", "κωδικός", "סיסמה", "كلمة", "รหัสผ่าน", "पासवर्ड",
    "密", "口令", "パス", "暗証番号", "合言葉", "비밀번호", "패스워드", "비번", "암호", "핀", "schlüssel", "clé", "ключ", "токен", "секрет",
    "金鑰", "令牌", "秘钥", "私钥", "凭证", "凭据", "トークン", "シークレット", "キー", "鍵", "토큰", "시크릿", "키", "código", "код",
    "码", "碼", "コード", "인증", "코드", "助记", "助記", "恢复短语", "フレーズ", "bitwarden", "wiederherstellungssatz", "シード", "니모닉", "시드", "сид", "мнемо",
))  # fmt: skip
# Without a digit these lead to nothing: names of users and networks, codes of digits alone.
_WITH_DIGIT = Signs((
    *("pin", "puk", "tan", "2fa", "mfa", "combo", "combinat", "combinaison", "kombination", "lock", "login", "log in", "logged in"),
    *("logon", "log on", "signin", "sign", "account", "zugang", "anmeld", "identifiant", "acces", "inlog", "u:", "u :", "u="),
    *("user", "usr", "uid", "id:", " id ", "usuario", "benutzer", "utente", "utilisateur", "root", "admin", "postgres", "sa:"),
    *("pi:", "ubuntu", "guest", "oracle", "jenkins", "deploy", "ssid", "wifi", "wi-fi", "wlan", "hotspot", "open", "crypt"),
    *("protect", "secure", "unzip", "extract", "entsperr", "abr", "ouvr", "verif", "log", "confirm", "complet", "reset"),
    *("safe", "vault", "dial", "tresor", "schloss", "schließ", "caja fuerte", "candado", "porte", "puerta", "coffre", "cadenas", "press ", "punch", "tape", "alarm"),
    *("verrouil", "bloque", "vincula", "jumel", "door", "保", "金庫", "ダイヤル", "ロック", "解", "連携", "番号", "geheimzahl", "usage unique", "un solo uso"),
    *("activ", "aktiv", "connect", "inici", "acced", "disarm", "pair", "kopp", "empar", "abbina", "@"),
    *("netflix", "spotify", "hulu", "disney", "amazon", "prime", "facebook", "instagram", "twitter", "gmail", "google", "icloud"),
    *("apple", "outlook", "hotmail", "yahoo", "steam", "github", "gitlab", "linkedin", "dropbox", "paypal", "ebay", "reddit"),
    *("slack", "zoom", "nas", "router", "vpn", "jira", "wordpress", "cpanel", "ftp", "ssh", "rdp", "grafana", "mysql", "mongo"),
    *("accès", "vérif", "bestätig", "combinación", "данны", "логин", "账号", "帐号", "账户", "用户", "ログイン", "アカウント"),
    *("cvv", "cvc", "cvn", "card", "visa", "amex", "karte", "tarjeta", "carte", "carta", "prüf", "cryptogramme", "卡", "カード", "карт"),
    "unscharf", "packstation", "abholcode", "알람", "경보", "allarme",
    # what codes are typed at
    *("sudo", "tablet", "laptop", "sesión", "logging in", "einlogg", "signing in", "entra ", "connecte", "accedi", "登", "sms", "texted", "text message", "短信", "suitcase", "building ent", "armed", "entrance", " gate", "gate:", "tür", " tor ", "tor:", "tor =", "shed", "intercom", "barrier", "lobby", "schranke", "sprechanlage"),
    *("portal", "garaje", "garage", "cancela", "portón", "telefonillo", "portail", "interphone", "boîte", "boite", "entrée", "entrada"),
    *("portone", "cancello", "portão", "poort", "kluis", "deur", "cassaforte", "lucchetto", "cofre", "cadeado", "kasa ", "kłódk"),
    *("сейф", "домофон", "калитк", "ворот", "подъезд", "двер", "гараж", "шлагбаум", "furtk", "brama", "sejf", "domofon"),
    *("门", "門", "储物柜", "行李箱", "快递柜", "玄関", "宅配", "南京錠", "ガレージ", "裏口", "현관", "대문", "금고", "도어락", "자물쇠"),
    *(" kod", "kod ", "kodu", "kode", "koodi", "kód", "mã ", "κωδικ"),
    *("ユーザー", "계정", "사용자", "아이디", "id：", "usuário"),
))  # fmt: skip
# With a slash: "log in with anna / bluebird".
_LOGIN = Signs(
    (
        "login",
        "log in",
        "logged in",
        "sign in",
        "signin",
        "ssh ",
        "credential",
        "creds",
        "anmeld",
        "zugang",
        "acceso",
        "identifiant",
        "connecte",
        "entra ",
    )
)
_PAIRED = (":", "/")
_MARKS = "!#$%^&*?~@"


def may_hold_secret(text: str) -> bool:
    """Whether a rule could find something in `text`; False is certain, True is not.

    Parameters
    ----------
    text
        Any text, of any length. The work grows linearly with it.
    """
    if "\\" in text:
        return True
    if not text.isascii():
        from memctl.guard.rules.text_view import plain_view

        text = plain_view(text).text
    low = lowered(text)
    if is_harmless(low):
        return False
    signs = signs_in(low)
    return (
        not _ALONE.isdisjoint(signs)
        or (_is_account(low, signs) and has_digit(text))
        or ("/" in text and not _LOGIN.isdisjoint(signs))
        or (has_long_word(low) and bool(long_words(text)))
        or ("\n" in text and bool(long_words(BREAK.sub("", text))))
    )


def has_any(text: str, signs: tuple[str, ...]) -> bool:
    """Whether one of some pieces stands in the text."""
    for sign in signs:  # noqa: SIM110 - twice as fast as any() with a generator
        if sign in text:
            return True
    return False


def has_digit(text: str) -> bool:
    """Whether a digit stands in the text, in any script."""
    return _DIGIT.search(text) is not None


def long_words(text: str) -> str:
    """Return the words that are long enough for a key, and no plain words, in one line."""
    if max(map(len, text.split()), default=0) < SHORTEST_KEY:
        return ""  # as most texts
    return " ".join(filter(_could_be_key, _LONG_WORD.findall(text)))


def _could_be_key(word: str) -> bool:
    return not word.islower() or any(map(str.isdigit, word))


def _is_account(low: str, signs: set[str]) -> bool:
    """Whether a text, if it has a digit, may hold who somebody is and their password."""
    if not _WITH_DIGIT.isdisjoint(signs):
        return True
    return has_any(low, _PAIRED) and any(mark in low for mark in _MARKS)
