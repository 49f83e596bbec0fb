# ruff: noqa: RUF001 - full-width letters are under test
from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.errors import UsageError
from memctl.secret_rules import CustomRule, find_secret, mask_secrets
from memctl.secret_rules.formats import formats
from memctl.secret_rules.shapes import entropy, is_measure, is_placeholder, is_random
from memctl.secret_rules.text_view import joined_lines, plain_view

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


@pytest.mark.parametrize("rule", KNOWN_FORMATS)
def test_a_key_of_a_known_format_is_named_by_its_rule(rule: str) -> None:
    assert find_secret(f"deploy with {KNOWN_FORMATS[rule]} on Friday") == rule


@pytest.mark.parametrize("rule", KNOWN_FORMATS)
def test_a_key_inside_a_longer_word_is_not_a_key(rule: str) -> None:
    assert find_secret(f"x{KNOWN_FORMATS[rule][:9]}") is None


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


@pytest.mark.parametrize("form", PRIVATE_KEYS)
def test_a_private_key_is_found_in_every_form(form: str) -> None:
    assert find_secret(PRIVATE_KEYS[form]) == "private-key"


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


@pytest.mark.parametrize("rule", CARRIED)
def test_a_secret_is_found_by_what_carries_it(rule: str) -> None:
    assert find_secret(CARRIED[rule]) == rule


STATED = [
    "my password is hunter2",
    "the wifi password is sunflower42",
    "the wifi password is sunflower",
    "Password: correct horse battery staple",
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
]


@pytest.mark.parametrize("text", STATED)
def test_a_stated_secret_is_found(text: str) -> None:
    assert find_secret(text) is not None


HARMLESS = [
    "max token: 4096",
    "Secret: Santa",
    "password must be at least 12 characters",
    "forgot your password?",
    "the password is required",
    "the password is stored in the vault",
    "password: string",
    "Password: ********",
    "password: see the vault",
    "password = getpass()",
    'key = os.environ["API_KEY"]',
    "api_key = <YOUR_API_KEY>",
    "token: ${TOKEN}",
    "sk-...",
    "Authorization: Bearer $TOKEN",
    "Bearer of bad news",
    "postgres://user:password@localhost/db",
    f"commit {drawn(40, HEXADECIMAL)}",
    "run 550e8400-e29b-41d4-a716-446655440000",
    f"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{drawn(80)}",
    f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{drawn(80)} bob@laptop",
    f"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl{drawn(54)}\n-----END CERTIFICATE-----",
    f"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{drawn(30)}",
    "A key file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----",
    "密码必须至少8位",
    "密码：至少8个字符",
    "忘记密码？",
    "パスワードは8文字以上です",
    "비밀번호를 잊으셨나요?",
    "la contraseña es obligatoria",
    "das Passwort ist falsch",
    "le mot de passe est incorrect",
    "пароль неверный",
    "PASSWORD_MIN_LENGTH=12",
    "primary key: customer_id",
    "error code: 404404",
    "verification code must be 6 digits",
    "Password1 is a terrible password",
    "boarding pass: A12B34",
    "Enter the password with passwd(1) on ubuntu22.04",
    'button "Show password" #btn-pw-toggle2 was pressed',
    "account with user_id=42/role=admin1",
    "PIN code 560034 is a part of the town",
    "next page token: 7f3k9d8s7f6g5h4j3k2l",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_text_is_left_alone(text: str) -> None:
    assert find_secret(text) is None


def test_zero_width_characters_do_not_hide_a_key() -> None:
    key = KNOWN_FORMATS["github-token"]
    assert find_secret(key[:9] + "\u200b" + key[9:20] + "\ufeff" + key[20:]) == "github-token"


def test_full_width_letters_do_not_hide_a_key() -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) for char in KNOWN_FORMATS["github-token"])
    assert find_secret(wide) == "github-token"


def test_decomposed_letters_do_not_hide_the_name_of_a_password() -> None:
    assert find_secret("la contrasen\u0303a es gatito99") == "password-in-prose"


def test_a_key_that_was_wrapped_over_two_lines_is_found() -> None:
    key = KNOWN_FORMATS["github-token"]
    assert find_secret(f"token:\n  {key[:20]}\n  {key[20:]}") == "github-token"


def test_masking_replaces_the_secret_and_nothing_else() -> None:
    key = KNOWN_FORMATS["github-token"]
    assert mask_secrets(f"why does {key} fail?") == "why does [secret:github-token] fail?"


def test_masking_replaces_every_secret() -> None:
    text = f"{KNOWN_FORMATS['github-token']} and {KNOWN_FORMATS['npm-token']}"
    assert mask_secrets(text) == "[secret:github-token] and [secret:npm-token]"


def test_masking_leaves_a_harmless_text_as_it_is() -> None:
    assert (
        mask_secrets("ｆｕｌｌ width, e\u0301 and \u200b stay")
        == "ｆｕｌｌ width, e\u0301 and \u200b stay"
    )


def test_masking_keeps_what_stands_around_a_hidden_secret() -> None:
    key = KNOWN_FORMATS["github-token"]
    masked = mask_secrets(f"ｔｏｋｅｎ：{key[:9]}\u200b{key[9:]}，ｏｋ")
    assert masked == "ｔｏｋｅｎ：[secret:github-token]，ｏｋ"


@pytest.mark.parametrize(
    "text", [*KNOWN_FORMATS.values(), *PRIVATE_KEYS.values(), *CARRIED.values(), *STATED]
)
def test_a_masked_text_holds_no_secret(text: str) -> None:
    assert find_secret(mask_secrets(text)) is None


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_gets_an_answer_that_names_a_rule_only(text: str) -> None:
    rule = find_secret(text)
    assert rule is None or re.fullmatch(r"[a-z0-9-]+", rule)


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(sorted(KNOWN_FORMATS)))
def test_masking_never_leaves_the_key(before: str, after: str, rule: str) -> None:
    key = KNOWN_FORMATS[rule]
    assert key not in mask_secrets(f"{before} {key} {after}")


@given(st.text(max_size=200))
def test_a_view_leads_back_into_its_source(text: str) -> None:
    view = plain_view(text, mapped=True)
    for at in range(len(view.text)):
        start, end = view.original_span(at, at + 1)
        assert 0 <= start < end <= len(text)


def test_joining_lines_keeps_the_way_back() -> None:
    joined = joined_lines(plain_view("ab\n  cd ef"))
    assert joined is not None
    assert joined.text == "abcd ef"
    assert joined.original_span(1, 3) == (1, 6)


ADVERSARIAL = {
    "one letter": "a" * 10**6,
    "prefixes": "sk-" * 330_000,
    "headers": "-----BEGIN PRIVATE KEY-----" * 20_000,
    "addresses": "://a:" * 200_000,
    "names": "password " * 50_000,
    "assignments": "pwd=x;" * 50_000,
    "open quotes": 'password="' * 30_000,
    "hexadecimal": "0123456789abcdef" * 62_000,
    "lines": "a\n" * 300_000,
}


@pytest.mark.parametrize("kind", ADVERSARIAL)
def test_a_huge_text_made_to_slow_the_rules_down_is_answered(kind: str) -> None:
    assert find_secret(ADVERSARIAL[kind]) is None


def test_every_repeat_of_the_format_table_is_bounded() -> None:
    for known in formats():
        bare = re.sub(r"\\.|\[[^]]*\]", "x", known.source)
        assert not re.search(r"[*+]|\{\d+,\}", bare), known.rule


def test_a_format_is_announced_by_its_needles() -> None:
    assert all(known.needles and all(known.needles) for known in formats())


def test_a_custom_rule_is_asked_after_the_built_in_ones() -> None:
    rule = CustomRule("staff-number", r"\bEMP\d{6}\b")
    assert find_secret("badge EMP123456", extra=[rule]) == "staff-number"
    assert find_secret("badge EMP123456") is None


def test_a_custom_rule_masks_too() -> None:
    rule = CustomRule("staff-number", r"\bEMP\d{6}\b")
    assert mask_secrets("badge EMP123456 lost", [rule]) == "badge [secret:staff-number] lost"


def test_a_custom_rule_sees_the_whole_of_a_long_text() -> None:
    rule = CustomRule("staff-number", r"EMP\d{6}")
    for at in range(100, 600, 37):
        assert find_secret(" " * at + "EMP123456", extra=[rule]) == "staff-number"


@pytest.mark.parametrize("pattern", ["(", "[a-", "*a", r"\p{L}", "(?P<a>x)(?P<a>y)"])
def test_a_broken_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="cannot be used"):
        CustomRule("mine", pattern)


@pytest.mark.parametrize("pattern", ["", "a*", "x?", "(?:a|b){0,3}", "^"])
def test_a_pattern_that_matches_everything_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        CustomRule("mine", pattern)


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|aa)+$", "(?:a*)*b", "((ab?)*c)+d", "(x+x+)+y", "([a-z]+){2,}!"]
)
def test_a_repeat_inside_a_repeat_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="repeat"):
        CustomRule("mine", pattern)


def test_a_third_open_repeat_is_refused() -> None:
    with pytest.raises(UsageError, match="3 open repeats"):
        CustomRule("mine", ".*a.*b.*c")


@pytest.mark.parametrize(
    "pattern",
    [
        r"ACME-[A-Z0-9]{8,40}",
        r"(?i)project\s{1,3}falcon",
        r"(?:ab|cd)\d+",
        r"corp_[a-z]+_\d+",
        r"[*+]x\*+",
        r"(a+)b",
    ],
)
def test_a_sound_pattern_is_taken(pattern: str) -> None:
    assert CustomRule("mine", pattern).pattern == pattern


@pytest.mark.parametrize("name", ["", "With Space", "ÄRA", "a" * 41, "-x"])
def test_a_bad_rule_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="rule name"):
        CustomRule(name, "abc")


def test_a_pattern_that_backtracks_is_stopped_by_its_window() -> None:
    rule = CustomRule("mine", "a+a+b")
    assert find_secret("a" * 2_000, extra=[rule]) is None


@pytest.mark.parametrize(
    "value",
    ["<API_KEY>", "${X}", "****", "sk-...", "your_token_here", "xxxxxxxx", "{{ token }}", "None"],
)
def test_a_placeholder_is_recognised(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    [
        "my-app-config-file",
        "us-east-1-cluster",
        "claude-sonnet-4-20250514",
        "MyApplicationSettings",
    ],
)
def test_words_are_not_random(value: str) -> None:
    assert not is_random(value, minimum=10)


@pytest.mark.parametrize("value", ["12-character", "v2.3.1", "2024-01-31", "sha256", "30s", "8+"])
def test_a_quantity_or_technique_is_a_measure(value: str) -> None:
    assert is_measure(value)


def test_entropy_is_that_of_shannon() -> None:
    assert entropy("abab") == pytest.approx(1.0)
    assert entropy("abcd") == pytest.approx(2.0)
