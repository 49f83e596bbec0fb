# ruff: noqa: RUF001 - other scripts and long values are what is tried
"""The rules by example: what is refused beside what looks like it and is stored."""

from __future__ import annotations

from memctl.guard.secret_search import find_secret
from tests.each import each
from tests.guard.samples import CARRIED, HEXADECIMAL, KNOWN_FORMATS, PRIVATE_KEYS, STATED, drawn

ASSIGNED = [
    "DB_PASSWORD=Kestrel!4471",
    'api_key: "x7pZSV8YsOGftkgM4UyG0R1A"',
    "<password>Fluffy12!</password>",
    '{"name": "password", "value": "Rain1951!"}',
    f"client-key-data: {drawn(60)}==",
    "mysql -u root -pKestrel44 shop",
    "curl -u anna:Rain1951! https://shop.example.org",
    "alter user anna identified by 'Rain1951'",
    "postgres://anna:Rain1951@db.example.org/shop",
    "the api key is x7pZSV8YsOGftkgM4UyG0R1A",
    "| user | password |\n|---|---|\n| anna | Tin_Roof_88 |",
]
TOLD = [
    "the wifi password is sunflower42",
    "Das Passwort für den Router lautet Lerche!271",
    "la contraseña del wifi es gatito99",
    "le mot de passe de la box : Galet#Gris55",
    "la password del NAS è Cipresso.77",
    "мой пароль Ryabina2020!",
    "家里Wi-Fi密码是 taohuayuan88",
    "パスワードは「Sakura2019」です",
    "use Walnut2024! as my password",
    "Rain1951! is the password for the shop",
    'my passphrase is "four grey cats under the moon"',
    "creds: anna / Rain1951!",
    "anna@example.org:Fluffy12!",
]
CODES = [
    "my PIN is 4821",
    "482913 is your verification code",
    "Your pairing code is KX7M2PQR",
    "the code for the front door is 4821",
    "验证码：482913",
    "her phone unlocks with 953380",
    "card 4539 1488 0343 6467, 11/29",
]
DECODED = [
    f"https://example.org/?next=%2Fa%3Ftoken%3D{KNOWN_FORMATS['github-token']}",
    f"token%253D{KNOWN_FORMATS['npm-token']}",
    "password%3A%20Rain1951!",
    "password&#61;Rain1951!",
    '<input value="pwd=&quot;Rain1951!&quot;">',
    '{"text": "\\u5bc6\\u7801\\u662f Rain1951"}',
]
HARMLESS = [
    "max token: 4096",
    "Secret: Santa",
    "password must be at least 12 characters",
    "forgot your password?",
    "the password is required",
    "password: string",
    "Password: ********",
    "password = getpass()",
    'key = os.environ["API_KEY"]',
    "api_key = <YOUR_API_KEY>",
    "token: ${TOKEN}",
    "Authorization: Bearer $TOKEN",
    f"commit {drawn(40, HEXADECIMAL)}",
    "run 550e8400-e29b-41d4-a716-446655440000",
    f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{drawn(80)} bob@laptop",
    f"SHA256:{drawn(43)} bob@laptop (ED25519)",
    f"the key's fingerprint is SHA256:{drawn(43)}",
    "key fingerprint: MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
    "gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
    f"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{drawn(30)}",
    "密码必须至少8位",
    "パスワードは8文字以上です",
    "das Passwort ist falsch",
    "primary key: customer_id",
    "error code: 404404",
    "verification code must be 6 digits",
    "boarding pass: A12B34",
    "The password in the film is swordfish",
    "https://example.org/search?q=password%20manager",
    "POSTGRES_PASSWORD=postgres",
    "Tests: 3 failed, 284 passed, 287 total",
]


@each("rule", sorted(KNOWN_FORMATS))
def test_a_key_of_a_known_vendor_is_refused_wherever_it_stands(rule: str) -> None:
    key = KNOWN_FORMATS[rule]
    assert find_secret(key) == rule
    assert find_secret(f"why does {key} fail?") == rule
    assert find_secret(f'{{"note": "{key}"}}') == rule


@each("kind", sorted(PRIVATE_KEYS))
def test_a_private_key_is_refused_whole_or_cut_off(kind: str) -> None:
    assert find_secret(PRIVATE_KEYS[kind]) is not None


@each("text", [*ASSIGNED, *CARRIED.values(), *STATED])
def test_a_secret_beside_its_name_is_refused(text: str) -> None:
    assert find_secret(text) is not None


@each("text", TOLD)
def test_a_password_that_a_sentence_tells_is_refused(text: str) -> None:
    assert find_secret(text) is not None


@each("text", CODES)
def test_a_code_that_opens_something_is_refused(text: str) -> None:
    assert find_secret(text) is not None


@each("text", DECODED)
def test_a_coded_text_is_decoded_before_it_is_judged(text: str) -> None:
    assert find_secret(text) is not None


@each("text", HARMLESS)
def test_a_harmless_text_is_stored(text: str) -> None:
    assert find_secret(text) is None
