"""The names under which people and programs write secrets down, in many languages."""

from __future__ import annotations

import re
from functools import cache

__all__ = [
    "CODE_NEEDLES",
    "KEY_NEEDLES",
    "PASSWORD_NEEDLES",
    "code_nouns",
    "key_nouns",
    "password_nouns",
]

# Names that are long enough to stand inside another word (DB_PASSWORD, Datenbankpasswort).
_PASSWORD = (
    r"pass[\s_-]?(?:word|wort|phrase|code|wd)|passord|kennwort|contrase[ñn]a|senha|palavra[\s-]passe|mot\sde\spasse|parola\sd'ordine"
    r"|wachtwoord|has[łl]o|[şs]ifre|lösenord|adgangskode|salasana|jelszó|mật\skhẩu|kata\ssandi"
    r"|парол[а-яё]{0,3}|кодовое\sслово|κωδικός|סיסמה|كلمة\s(?:المرور|السر)|รหัสผ่าน|पासवर्ड"
    r"|密码|密碼|口令|パスワード|パスフレーズ|パスコード|暗証番号|合言葉|비밀번호|패스워드|비번|암호"
)
# Short names that must stand alone.
_SHORT = r"pw|pwd|psw|pass|mdp|clave|heslo|parol[ăae]|pin(?:[\s-]?(?:code|number|nummer|код))?|пин(?:-?код)?"
_KEY = (
    r"(?:api|access|secret|private|auth|client|consumer|signing|signature|encryption|decryption|master|app|application|account|shared|session|"
    r"service|storage|webhook|jwt|hmac|aes|fernet|license|licence|bot|refresh|deploy|admin|root|subscription|bearer|oauth|security|personal|id|"
    r"user|identity|csrf|xsrf|registry|integration|project|team|org|server|database|db)[\s_.-]{0,2}"
    r"(?:access[\s_.-]{0,2})?(?:key|token|secret|credential)(?:[\s_.-]{0,2}(?:id|key|base))?"
    r"|apikey|authkey|secret|token|credentials?|creds|[A-Z0-9]{2,20}_KEY|(?:api|zugangs|geheim)[\s-]?(?:schlüssel|token)|geheimnis"
    r"|cl[ée]\s(?:d['’]\s?)?(?:api|secrète|privée|d['’]accès)|jeton|clave\s(?:de\s)?(?:la\s)?(?:api|secreta|privada|acceso)"
    r"|llave\s(?:de\s)?(?:api|secreta)|chave\s(?:de\s|da\s)?(?:api|secreta|acesso)|chiave\s(?:di\s)?(?:api|segreta|accesso|privata)|segreto|secreto"
    r"|токен[а-яё]{0,2}|(?:api|апи)[\s-]?ключ|ключ\s(?:api|доступа|апи)|секретный\sключ|секрет"
    r"|密钥|金鑰|令牌|秘钥|私钥|凭证|トークン|シークレット(?:キー)?|(?:api|秘密|アクセス)\s?(?:キー|鍵)|토큰|시크릿|(?:api|비밀|액세스)\s?키"
)
_CODE = (
    r"(?:pairing|device|verification|activation|setup|set-up|recovery|backup|login|log-in|sign-in|one[\s-]?time|otp|2fa|mfa|two-factor|security|"
    r"access|auth|authentication|authorization|authorisation|confirmation|unlock|door|gate|alarm|entry|safe|lock|garage|keypad|linking|link|user|"
    r"invite|reset|sms|temporary|homekit|bluetooth)[\s_-]{1,2}(?:pass)?codes?|otp|totp|passcode|authenticator\scode|one[\s-]?time\spassword"
    r"|c[óo]digo\s(?:de\s)?(?:verificaci[óo]n|verifica[çc][ãa]o|emparejamiento|pareamento|seguridad|segurança|acceso|acesso|activaci[óo]n|ativa[çc][ãa]o|vinculaci[óo]n|confirmaci[óo]n|confirma[çc][ãa]o|recuperaci[óo]n|recupera[çc][ãa]o)"
    r"|(?:bestätigungs|kopplungs|sicherheits|zugangs|verifizierungs|aktivierungs|freischalt|tür|tor|geräte|wiederherstellungs)-?code"
    r"|code\s(?:de\s|d['’]\s?)(?:vérification|appairage|jumelage|sécurité|accès|activation|confirmation|la\sporte|récupération|association)|code\ssecret|digicode"
    r"|codice\s(?:di\s)?(?:verifica|abbinamento|associazione|sicurezza|accesso|attivazione|conferma|recupero)"
    r"|код\s(?:подтверждения|сопряжения|доступа|активации|безопасности|от\sдомофона|восстановления|привязки)"
    r"|验证码|驗證碼|配对码|配對碼|激活码|动态码|设备码|校验码|门禁码|恢复码|授权码|認証コード|確認コード|ペアリングコード|セキュリティコード|デバイスコード|인증\s?번호|인증\s?코드|페어링\s?코드|보안\s?코드|기기\s?코드"
)

PASSWORD_NEEDLES = (
    "pass", "pw", "psw", "pin", "mdp", "clave", "kennwort", "contrase", "senha", "mot de", "parol", "wachtwoord", "has",
    "şifre", "sifre", "lösenord", "adgangskode", "salasana", "jelszó", "mật", "kata sandi", "heslo", "парол", "кодовое", "пин",
    "κωδικός", "סיסמה", "كلمة", "รหัสผ่าน", "पासवर्ड", "密码", "密碼", "口令", "パス", "暗証番号", "合言葉", "비밀번호", "패스워드", "비번", "암호",
)  # fmt: skip
KEY_NEEDLES = (
    "key", "token", "secret", "cred", "schlüssel", "geheim", "clé", "cle ", "jeton", "clave", "llave", "chave", "chiave", "segreto", "secreto",
    "ключ", "токен", "секрет", "密钥", "金鑰", "令牌", "秘钥", "私钥", "凭证", "トークン", "シークレット", "キー", "鍵", "토큰", "시크릿", "키",
)  # fmt: skip
CODE_NEEDLES = (
    "code", "otp", "one-time", "one time", "código", "codigo", "codice", "код", "码", "碼", "コード", "인증", "코드",
)  # fmt: skip

# What may stand between a name and its value: the end of quotes and brackets, "for the router",
# "(admin)", then a sign or a verb.
_CLOSERS = r"[\\\"'`*\])}»”」』]{0,5}"
_ABOUT = r"(?:\s?\([^()\n]{1,40}\)|\s(?:for|of|to|on|at|in|de|del|du|des|da|do|für|von|zum|zur|per|pour|para|para el|для|от|к|на|wifi|here)\s[^\n.:=!?;\"]{1,48}?)?"
_SIGN = r"\s{0,3}(?:=>|->|→|⇒|:=|::|>|[:=](?![=/]))[ \t]{0,8}\n?[ \t]{0,8}"
_VERB = (
    r"(?:['’]s|\s(?:is|was|are|will\sbe|equals|reads|remains|ist|lautet|war|heißt|es|era|est|était|é|è|era|sarà|foi|jest|to|är|er|on))"
    r"(?:\s(?:now|currently|still|just|set\sto|changed\sto|jetzt|nun|ahora|maintenant|désormais|agora|adesso|ora|теперь))?\s{0,1}:?\s{1,3}"
    r"|\s(?:was\s|is\snow\s|has\sbeen\s|got\s|be\s)?(?:set|changed|updated|reset|switched|rotated|geändert|gesetzt|cambiada|changé|alterada|cambiata)\s(?:to|as|auf|a|en|para|in)\s{1,3}:?\s{0,2}"
    r"|\s?(?:是|为|為|就是|改为|改成|设为|设置为|设成|设定为|变更为|变成了?|改為|設為|叫做?|は|が|を|는|은|이|가|를|을)\s{0,2}:?\s{0,2}"
    r"|\s(?:это|был|будет|теперь|такой)\s{1,2}|は\s?"
)
_LOOSE = r"\s{0,3}[|—–-]\s{1,3}|\s{1,3}|,\s{0,2}(?=[\"'])"
_SUFFIX = r"(?:s(?![a-z])|[_-]?(?:\d{1,2}|prod|dev|staging|test|live|local|new|old|confirm|confirmation|value|string)(?![a-z]))?"


def _compiled(noun: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<noun>{noun}){_SUFFIX}{_CLOSERS}"
        rf"(?:(?P<sign>{_ABOUT}{_SIGN})|(?P<verb>{_ABOUT}(?:{_VERB}))|(?P<loose>{_LOOSE}))",
        re.IGNORECASE,
    )


@cache
def password_nouns() -> re.Pattern[str]:
    """Return the pattern of "password" and what leads to its value."""
    return _compiled(rf"{_PASSWORD}|(?<![^\W_]){_SHORT_GROUP}")


@cache
def key_nouns() -> re.Pattern[str]:
    """Return the pattern of keys, tokens and secrets and what leads to their value."""
    return _compiled(rf"(?:{_KEY})")


@cache
def code_nouns() -> re.Pattern[str]:
    """Return the pattern of pairing, device and one-time codes and what leads to them."""
    return _compiled(rf"(?<![^\W_])(?:{_CODE})")


_SHORT_GROUP = rf"(?:{_SHORT})"
