# ruff: noqa: RUF001 - full-width signs are under test
"""Secrets that the tests of the single rules share: made up, drawn at test time."""

from __future__ import annotations

import random
import string

ALPHANUMERIC = string.ascii_letters + string.digits
HEXADECIMAL = "0123456789abcdef"


def drawn(length: int, alphabet: str = ALPHANUMERIC, seed: int = 7) -> str:
    """Return made-up key material: random, and the same on every run."""
    return "".join(random.Random(seed * 1000 + length).choices(alphabet, k=length))  # noqa: S311 - no real key


KNOWN_FORMATS = {
    "anthropic-key": f"sk-ant-api03-{drawn(93)}AA",
    "openai-key": f"sk-proj-{drawn(60)}-_{drawn(30)}",
    "model-provider-key": f"sk-{drawn(48)}",
    "github-token": f"ghp_{drawn(36)}",
    "gitlab-token": f"glpat-{drawn(20)}",
    "clawhub-token": f"clh_{drawn(40)}",
    "mem0-key": f"m0-{drawn(40)}",
    "aws-access-key": "AKIA" + drawn(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "google-api-key": "AIza" + drawn(35),
    "slack-token": f"xoxb-{drawn(12, string.digits)}-{drawn(12, string.digits)}-{drawn(24)}",
    "stripe-key": f"sk_live_{drawn(24)}",
    "npm-token": f"npm_{drawn(36)}",
    "pypi-token": f"pypi-AgEIcHlwaS5vcmc{drawn(100)}",
    "huggingface-token": f"hf_{drawn(34)}",
    "digitalocean-token": f"dop_v1_{drawn(64, HEXADECIMAL)}",
    "databricks-token": f"dapi{drawn(32, HEXADECIMAL)}",
    "vault-token": f"hvs.{drawn(90)}",
    "sendgrid-key": f"SG.{drawn(22)}.{drawn(43)}",
    "twilio-key": f"SK{drawn(32, HEXADECIMAL)}",
    "mailgun-key": f"key-{drawn(32, HEXADECIMAL)}",
    "telegram-bot-token": f"{drawn(10, '123456789')}:AA{drawn(33)}",
    "discord-bot-token": f"MTA{drawn(23)}.{drawn(6)}.{drawn(38)}",
    "jwt": f"eyJ{drawn(17)}.eyJ{drawn(40)}.{drawn(43)}",
}

PRIVATE_KEYS = {
    "whole": f"-----BEGIN RSA PRIVATE KEY-----\n{drawn(64)}\n{drawn(64)}\n-----END RSA PRIVATE KEY-----",
    "encrypted": f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n{drawn(64)}\n",
    "openssh": f"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA{drawn(50)}",
    "pgp": f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{drawn(64)}\n=abcd",
    "one line": f"-----BEGIN PRIVATE KEY----- {drawn(64)} {drawn(40)} -----END PRIVATE KEY-----",
    "escaped line breaks": f'"-----BEGIN EC PRIVATE KEY-----\\n{drawn(64)}\\n{drawn(20)}"',
    "cut off": f"-----BEGIN PRIVATE KEY-----\n{drawn(30)}",
    "broken header": f"-----BEGIN RSA PRIVATE\nKEY-----\n{drawn(64)}",
    "quoted mail": f"> -----BEGIN DSA PRIVATE KEY-----\n> {drawn(64)}\n> {drawn(64)}",
    "no header": f"MIIEpAIBAAKCAQEA{drawn(64)}",
    "base64 of a PEM": f"LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{drawn(64)}",
}

CARRIED = {
    "url-credentials": "postgres://app:s3cr3t@db.internal:5432/app",
    "webhook-url": f"https://hooks.slack.com/services/T{drawn(8)}/B{drawn(8)}/{drawn(24)}",
    "bearer-token": f"Authorization: Bearer {drawn(32)}",
    "basic-auth": "Authorization: Basic YWRtaW46aHVudGVyMg==",
    "connection-string": f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={drawn(86)}==",
    "otpauth": "otpauth://totp/Acme:bob?secret=JBSWY3DPEHPK3PXP&issuer=Acme",
    "command-password": "curl -u admin:hunter2 https://a.example/status",
    "azure-sas": f"sv=2022-11-02&se=2027-01-01&sig={drawn(43)}%3D",
    "aws-secret-key": f"the secret half of the aws pair, {drawn(38)}/+ , goes into the pipeline",
}

STATED = [
    "my password is hunter2",
    "the wifi password is sunflower42",
    "the wifi password is sunflower",
    "password for the staging db is tr0ub4dor",
    "set the admin password to Winter2024",
    "use hunter2 as the password",
    "hunter2 is my password",
    "login: admin / P@ssw0rd1",
    "| password | hunter2 |",
    "`password`: `hunter2`",
    '{"user": "bob", "password": "hunter2"}',
    "<password>hunter2</password>",
    "mysql -u root -pS3cret99 shop",
    "my PIN is 4821",
    "密码：abc12345",
    "我的密码是hunter2，请保密",
    "パスワードはhunter2です",
    "비밀번호는 hunter2 입니다",
    "la contraseña es gatito99",
    "das Passwort lautet Sommer2024!",
    "le mot de passe est soleil42",
    "a senha é gato1234",
    "la password è gattino77",
    "пароль: qwerty123",
    "DB_PASSWORD=hunter2",
    "JWT_SECRET=mysupersecuresigning",
    "pairing code: 482-913",
    "Device code is WDJB-MJHT",
    "your verification code is 839201",
    "配对码：482913",
    "I use Fluffy12 for my password",
    "my password used to be Fluffy12",
    "Q: what's the password?\nA: Fluffy12!",
    "| user | password |\n|---|---|\n| bob | Fluffy12 |",
    '{"name": "password", "value": "Fluffy12"}',
    '"{\\"password\\": \\"Fluffy12\\"}"',
    "\\u5bc6\\u7801\\uff1aFluffy12",
    "密码还是abc12345",
    "мой пароль от почты Kotik2020",
    "API-Schlüssel: 7f3k9d8s7f6g5h4j3k2l",
    "123456 is your login code",
    "the password has always been Fluffy12",
    "a senha foi alterada para gatinho99",
    "Le mot de passe administrateur est soleil42",
    "The password is copper_lizard_monday_winter",
    "psk='copper lizard monday 7'",
    "la phrase secrète est « loutre gravier lampe violon »",
    "Mein Kennwort ist $iFyUwgCGUQ32c",
    "You need the password (hunter2fluffy) to open it",
    "PIN码是4821",
    "페어링 코드 482913",
    '{"pairingCode": "ZSHFEINX"}',
    "Device pairing: enter 506690 on the TV",
    "approve the pairing request with 6Y6SMWU9",
    "serial KTX92-8PLQ4-MMW3Z-77QRD-V2B6N",
    "page.locator('#password').fill('copper-lizard-monday')",
    "INSERT INTO users (name, password) VALUES ('bob', 'copper-lizard-monday')",
    "sql.Open('mysql', 'bob:Fluffy@tcp(db:3306)/shop')",
    "os.getenv('DB_PASSWORD', 'Fluffy12')",
]
