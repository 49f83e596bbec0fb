# ruff: noqa: RUF001 - full-width and Cyrillic letters are the languages under test
"""Ordinary texts that look close to secrets and that the guard must let through.

Written before the patterns and by another hand.  The rules it was written by:

- a text that names a secret without giving its value is harmless;
- a placeholder (``<YOUR_API_KEY>``, ``sk-...``, ``${TOKEN}``, ``xxxx``, ``****``) is harmless;
- a reference to where a secret lives (vault path, file, variable) is harmless;
- what is public by design is harmless: public keys, certificates, fingerprints, digests, ids;
- well-known example credentials in a real format are left out: refusing them is right.

``«alphabet:length»`` stands for a value filled in from the hash of its own line, so that the
file stays readable, every run sees the same text, and no digest here belongs to anybody.
"""

import base64
import hashlib
import re
from collections.abc import Iterator

_ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "digit": "0123456789",
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "crockford": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    "base32": "abcdefghijklmnopqrstuvwxyz234567",
    "base58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "alnum": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "nano": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
    "std": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "dna": "ACGT",
}
_MARK = re.compile(r"«(\w+):(\d+)»")

_LINES: dict[str, str] = {
    # ---- the words themselves, in English ------------------------------------------------
    "password_prose": r"""
forgot your password?
I forgot my password again and had to reset it twice this week
the password field is empty
reset password link was sent
A link to reset your password has been sent to your inbox.
password must be at least 12 characters
Your password must contain one number, one symbol and one capital letter.
I changed my password yesterday
my password is not working on the new laptop
the password is wrong, it says
The password is required.
The password is case-sensitive.
The password is too short
password is incorrect, two attempts left
Password is about to expire in 5 days
the password is stored as an argon2id hash
My password is stronger than yours, trust me
the password is in 1Password, shared vault Platform
the password is on the sticky note under the keyboard, sadly
The Wi-Fi password is printed on the back of the router.
The password is sent separately by post.
Ask Maria for the password, she is the only one who knows it.
password: see Bitwarden
Password: ask Tom
Password: required
Password: at least 8 characters
Password: 12-64 characters, spaces allowed
password: optional
Password (optional)
Password policy: 14 characters, rotated yearly
Password strength: weak
password strength: very strong
password length: 16
password expiry: 90d
Password last changed: 3 months ago
Password age: 42 days
Passwords do not match
Passwords: a history of a bad idea
The two passwords you entered are different.
Never share your password with anyone, not even with support.
We will never ask for your password by e-mail or phone.
Change the default password before you plug the camera into the network.
A passphrase of four random words beats a short password.
The passphrase is asked for once per session.
The user keeps passwords in KeePassXC and syncs the file over Syncthing.
User asked how to export saved passwords from Firefox to a CSV file.
Password manager adoption went from 31 % to 64 % after the training.
Passwordless sign-in is on by default since the May release.
he guessed the password: nobody had changed it
Two things protect the account: password and second factor.
password = something you know, token = something you have
Is it possible to log in without a password?
Please enter your current password, then the new password twice.
The password protected PDF opens fine in Evince.
Password-protected zip archives cannot be scanned for viruses.
password reset requested for account 48213
The login form has two inputs: username, password.
username and password: both fields are mandatory
username/password authentication will be removed in version 5
incorrect username or password
Wrong password. Try again or click Forgot password to reset it.
My kid used "password" as the password and was proud of it
Sign-in needs a password of your own choosing
old password, new password, new password again, Save
The password will be generated for you and shown once.
pwd is short for print working directory
passwd changes a user's password, chpasswd does it in bulk
The password itself never leaves the device; only a verifier does.
The password was reset by the administrator on Tuesday.
password has been updated successfully
Password cannot be the same as your last five passwords
password may not contain your name
Master password prompt appears every 15 minutes
Guest password changes daily at midnight
""",
    "token_prose": r"""
max token: 4096
max tokens: 8192, temperature: 0.2
tokens per second: 87.4
about 42 tokens per second on the M2
token ring networks lost to Ethernet in the nineties
Token Ring: 4 or 16 Mbit/s
token: a unit of text, about four characters in English
token: 0.002 USD per thousand
tokens: 1532
Token budget: 400-800
token limit reached, compacting the conversation
Token usage: prompt 12,345, completion 678
The context payload stays under 800 tokens.
token count = 8191
Token: EOF
Token #3: NUMBER at line 14, column 9
Unexpected token '<' in JSON at position 0
SyntaxError: unexpected token: identifier
unexpected end of input, expected token: RPAREN
The tokenizer splits "tokenization" into token + ization
a token of our appreciation
As a token of thanks, every speaker gets a mug.
by the same token, the second test should fail too
He was the token skeptic on the committee.
The bus still takes tokens: one per ride
subway token, 1970, brass, good condition
token bucket: capacity 100, refill 10/s
The game uses wooden tokens: meeples, coins and cubes.
Non-fungible token: what it is and why I sold mine
Your session token has expired, please sign in again.
Invalid token
invalid_token: The access token expired
token expired 5 minutes ago
Access token lifetime: 15 min
Refresh token: rotated on every use
Refresh tokens are kept in the keychain, never on disk.
A bearer token is like cash: whoever holds it can spend it.
Create a personal access token under Settings, Developer settings.
Where do I revoke a personal access token?
token: see vault
CSRF token missing or incorrect.
csrf token mismatch, reload the page
Hardware tokens: 14 in stock, 3 lost
The YubiKey is a hardware token; keep a spare in the safe.
pad_token: "[PAD]"
eos_token: "</s>"
special token: <|endoftext|>
pad_token_id=50256
stop token = newline
first token latency: 310 ms
time to first token: 0.42s
nextPageToken is missing on the last page
token_type: bearer
"token_type": "Bearer", "expires_in": 3600
tokens_in=2113 tokens_out=97
The model has a 200k token context and costs less per token than last year's.
""",
    "key_prose": r"""
key: value
key=value pairs are separated by commas
Key: F# minor
Key: C major, tempo 96
key: ArrowLeft
Key: Enter
Press any key to continue
Key West
Key West: three nights, no car needed
Key Largo (1948) is on tonight
Alicia Keys: live in Berlin
primary key
primary key: id
foreign key: orders.customer_id
Composite key: (tenant_id, invoice_no)
public key infrastructure
The partition key is user_id, the sort key: created_at
API key is stored in the vault
where do I find my API key?
How do I rotate an API key without downtime?
The user rotates API keys every 90 days.
API key: none needed
API key: not set
API key: (hidden)
API Key: configured
API key: required for the paid plan
api key missing
Error: API key is invalid or has been revoked
your api key is wrong or the account has no credit
You exceeded your current quota, please check your plan and API key settings.
Incorrect API key provided: sk-****. You can find your API key in the dashboard.
No API key found. Run the login command first.
API keys start with a prefix so that scanners can spot them.
The encryption key is derived from the passphrase with scrypt.
Secret key: stored in the HSM, cannot be exported
private key: never leaves the secure element
Private keys belong in the agent, not in the repository.
The private key is encrypted with a passphrase.
The key is under the doormat
The key is to start early and keep the batch small.
The spare key is with our neighbour, Mrs. Lindqvist.
the car keys are in the blue bowl
key takeaway: measure before you optimise
Key results: churn down 2 points, NPS up 5
Answer key: 1B 2C 3D 4A 5E
answer key: A C D B B A
Map key: red = closed, green = open
Legend key: dashed line is the forecast
Product key: printed on the sticker under the laptop
The product key has 25 characters in five groups.
License key: sent by e-mail after purchase
license key expired, renewal is due in March
Volume licence keys are handed out by procurement.
Hotkey: Ctrl+Shift+P
shortcut key: Alt+F4
Modifier keys: Shift, Ctrl, Alt, Super
Function keys F1-F12 need Fn on this keyboard
Sticky Keys was turned on by pressing Shift five times.
cache key: users:list:v2
Redis key: session:active:count
registry key: HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows\CurrentVersion\Run
The key signature has four sharps.
Allen key: 5 mm
Allen key size 4, torque 6 Nm
Piano with 88 keys, weighted
monkey, turkey, hockey, jockey
Keynote: 9:30, room 2
Keyboard layout: US International
low-key dinner, nothing fancy
key account manager: Jonas
Florida Keys weather: 29 C, humid
accessKey attribute: one letter
Object key: reports/2024/q3/summary.pdf
idempotency key: any unique string, kept for 24 hours
KeyError: 'api_key'
KeyError: 'password'
KeyError: 'Authorization'
duplicate key value violates unique constraint "users_email_key"
key_len: 32
key rotation: every 90 days
keyid: release-2024
Passkeys replace passwords: the private half stays on the phone.
""",
    "secret_prose": r"""
Secret: Santa
Secret Santa: budget 25 euros, draw on 1 December
Secret Garden
The Secret Garden, chapter 4
secret ingredient: smoked paprika
The secret is patience.
the secret to a good risotto is stirring
The secret: salt the water
secret: true
Secret level: 3
Top Secret! (1984)
top secret: not for distribution
It is an open secret that the launch slipped.
trade secret: any information that gives an edge
secret ballot: 41 yes, 12 no
The Secret Service closed the street.
secretary: Ms. Okafor
secretariat@un.example is the list address
Victoria's Secret returns: 30 days
Secret of Mana is on sale
The secret handshake of our book club
client_secret: from Vault
client_secret is required for confidential clients
Client secret: [redacted]
The client secret expires on 14 May, renew it in Entra.
client secret: hidden, click Show to reveal
secretName: web-tls
secretKeyRef: name and key
Kubernetes secret: type Opaque, 3 keys
Secrets: 12 active, 2 expired
secrets are mounted at /run/secrets
Secret scanning: enabled
Secret scanning found no leaked credentials in the last 30 days.
Do not commit secrets. The pre-commit hook will stop you.
secret sharing after Shamir, three of five
Dirty little secret: we never tested the backup
Your secret's safe with me, said the cat.
a secret admirer left flowers at the desk
webhook secret: set one to verify signatures
The shared secret is agreed by Diffie-Hellman, never sent.
credentials: include
credentials: same-origin
credentials are read from the environment
Credentials expired; run aws sso login
Your credentials could not be verified.
""",
    "auth_prose": r"""
basic auth is deprecated
Basic auth over plain HTTP is a bad idea
Basic understanding of French is enough
Basic Instinct was on TV
Basic plan: 9 EUR a month
Basic authentication will be switched off for Exchange Online.
Authorization: required
Authorization: none
authorization: pending
Authorization: Basic is refused, use Bearer
WWW-Authenticate: Basic realm="staging"
WWW-Authenticate: Bearer realm="api", error="invalid_token"
Authorization: Bearer <token>
Authorization: Bearer YOUR_ACCESS_TOKEN
Authorization: Bearer $TOKEN
Authorization: Bearer ...
Authorization: Basic <base64 of user:password>
Proxy-Authorization header is stripped by the gateway
bearer of bad news
the bearer of this letter is my nephew
Bearer bonds were abolished in 1982.
ring bearer: cousin Leo, age 5
pallbearer, standard-bearer, cup-bearer
Bearer authentication means the token alone is enough.
The bearer plant is on the north wall.
A JWT has three parts: header, payload and signature, joined by dots.
JWT: issued by the gateway, checked by every service
The JWT header starts with eyJ because that is base64 for an opening brace and a quote.
JWTs are signed, not encrypted, so put nothing private in them.
jwt malformed
jwt expired at 2024-11-02T10:14:07Z
auth: none
auth=false
Auth method: certificate
OAuth scopes: read:user, repo, workflow
OAuth flow: the browser opens, you agree, the window closes.
SSO: on for all staff accounts since March
Login: alice, role: editor
login: octocat
user: postgres
User: deploy, shell: /bin/bash
Sign in with Google, Apple or a passkey
401 Unauthorized: missing credentials
403 Forbidden: token lacks scope repo:write
ssh: connect with the agent, no password needed
Kerberos tickets last ten hours.
""",
    "codes_and_2fa": r"""
the pin code of the postcode
PIN code 560034 is Koramangala, Bengaluru
pin: GPIO17
Pin 13: LED
pin 4 to ground, pin 5 to VCC
Pin this tab
pinned message: office closed on Friday
PIN pad is broken, use contactless
Your PIN has four digits.
PIN: 4 to 8 digits
the PIN is printed inside the envelope
Enter the PIN you chose when you set up the card.
PIN blocked after three attempts, bring the PUK
Windows Hello PIN: not set up
bowling pins, hairpins and drawing pins
pairing wine and cheese
pairing code expired
pairing code: shown on the TV
The pairing code is valid for ten minutes.
pairing mode: hold both buttons for 5 seconds
Bluetooth pairing failed, try again
pair programming at 14:00 with Ines
food pairing: Riesling and goat cheese
Two-factor authentication is on.
2FA: authenticator app, backup: security key
Your verification code was sent by SMS.
The verification code has expired, request a new one.
Enter the 6-digit code from your authenticator app
one-time codes change every 30 seconds
OTP not received? Resend in 59 s
Recovery codes: 7 of 10 left
Print the recovery codes and keep them in a drawer.
backup codes downloaded on 3 June
zip code: 94103
Postal code: 10115
postcode: SW1A 1AA
area code 415
country code: +49
Error code: 0x80070057
error code: ECONNREFUSED
exit code: 137
HTTP status code: 401
Promo code: SUMMER24
Discount code WELCOME10 gives ten percent off
dress code: smart casual
colour code: #ff8800
airport code: HEL
QR code: scan to open the menu
Morse code: ... --- ...
Source code: see the repository
Building code: fire doors on every floor
door code: ask at reception
The gate code was changed, call the office.
SWIFT code: DEUTDEFF
ICD-10 code: J45.909
NAICS code: 541511
currency code: CHF
language code: pt-BR
access code: will be e-mailed the day before
Class code: on the board
unlock code is not needed for this phone
activation code: see the card in the box
bar code: 4006381333931
""",
    # ---- "X is Y" and "X: Y" where Y tells about the secret and is not the secret -----------
    "near_misses": r"""
my password is 16 characters long
the password is 20 characters, generated
my password is super long
My password is awful, I know
My password is secure enough, thank you.
the password is: required
what is the password?
The password isn't stored anywhere.
password is now mandatory
Password: n/a
Password: none
Password: unchanged
password: 3 failed attempts
password: 2/5 rules satisfied
password: Argon2id, 64 MiB, 3 passes
password: SHA-256 hashed, salted
password: changed on 12 May 2024
Password: what it is and what it is not
password: Settings > Security > Sign-in options
password - required, 12+ characters
password => bcrypt
password → hashed before it is stored
Password / PIN / fingerprint
Password was last used 2024-11-02T09:14:07Z
password (min. 8, max. 64): both checked on the server
Password reset: done, ticket #48213
About the password: it must be changed on Monday.
Two words on passwords: use passphrases
the new password: how long should it be?
Password: I still need one from you
password: same as last year? No, please choose a new one.
password: false
password: True
password: undefined
password: [object Object]
password: string (required)
password: {{ password }}
password: &db_password
password: *db_password
password: @Model.Password
password=password
password=args.password,
--password PASSWORD
--token TOKEN, -t TOKEN
-p, --password  ask for the password
usage: login [-h] --user USER [--password PASSWORD]
Token: ERC-20
token: USDC, amount: 250.00
token=BTC-USDT
token: 0x«hex:40» (contract)
token is valid until 2025-01-01T00:00:00Z
The token is good for 3600 seconds.
Token: issued 2024-11-02, expires 2025-02-02
Token: ci-readonly (last used 3 days ago)
API key: OpenAI (work), created 2024-03-18
API key: v2 only, v1 keys stop on 30 June
API Key: Settings > Developer > Keys
API key ID: 4471
API key ends in ...9f2c
Key ending in 4821 was revoked
The key is 256 bits, the nonce 96 bits
key: AES-256-GCM
key size: RSA-4096
key = sha256(password + salt)
Key: 0 = off, 1 = on, 2 = auto
KEY=VALUE lines, one per row
SECRET=VALUE is all the parser understands
secret: Opaque, age 214d
Secret: prod/db, version 14, rotated 2024-10-30
The secret is 32 bytes, base32, shown once as a QR code.
The PIN is disabled on this device.
The PIN is 6 digits from now on, not 4.
PIN: changed 3 times in 2024
code: 200, message: OK
Code: expires in 10 minutes
auth: Bearer
Bearer: see RFC 6750
Bearer tokens
Bearer authentication
Bearer certificates, warrants and other instruments
Basic cGF is how the header starts in the screenshot, the rest is cut off
Authorization: AWS4-HMAC-SHA256
login/password: both in the vault
user/pass: never in the URL
credentials: 2 stored, 1 stale
passphrase: six words from the EFF list
Passphrase: not set
Passcode: Turn Off, Change
passcode: required immediately
Encryption password: optional
Zip password: sent by Signal
Root password: locked
root password is disabled, use sudo
admin password: set on first start
Default password: none, you choose one during setup
BIOS password: not set
DB password: rotated on 2024-10-30 by the vault
Wi-Fi password: changed, new card on the fridge
the old password was "too weak", said the audit
He said "password" three times in one sentence.
"password": "must not be blank"
"password": ["This field is required."]
"token": "expired"
"api_key": "missing"
"secret": "optional"
La contraseña es segura.
La contraseña es de 16 caracteres
contraseña: cambiada el 12 de mayo
Mein Passwort ist 16 Zeichen lang.
Das Passwort ist sicher verwahrt
Passwort: geändert am 12.05.2024
Das Passwort lautet nicht mehr wie früher.
Le mot de passe est long de 16 caractères
Mon mot de passe est sûr.
Mot de passe : modifié le 12/05/2024
密码是什么？
密码是多少？
密码是加密保存的
我的密码是不是太短了？
密码：2024年5月12日已修改
密码：16位，随机生成
密码为空
パスワードは何ですか？
パスワードは16文字です
パスワード：2024年5月12日に変更済み
パスワードは暗号化されています
비밀번호는 16자입니다
Пароль состоит из 16 символов
A senha é segura e tem 16 caracteres
""",
    "stored_facts": r"""
User works at Keyence in Osaka and commutes by train.
User's favourite film is The Secret in Their Eyes.
The team agreed on 2024-10-14 to keep API keys in Vault because the audit asked for it.
Deployments need a short-lived token; the user gets it with `gh auth token` and never stores it.
The staging login is shared through 1Password, item "Staging (web)".
User changed the password policy to 14 characters after the October audit.
User wants the agent to stop when a page asks for a password and to hand over the mouse.
On the sign-in page click "Forgot password?", then wait for the mail from no-reply@example.com.
The Settings screen has a field labelled API key; it is empty until the plan is upgraded.
The learn step masks every box whose label reads Password, PIN or Secret.
The build fails with KeyError: 'SECRET_KEY' when .env is missing; copy .env.example first.
The pairing code of the TV changes every time, so ask the user to read it out.
The tokenizer of the old model counts Chinese text at roughly 1.6 tokens per character.
Export needs the key column first: key, token_count, updated_at.
User is allergic to peanuts, prefers aisle seats, and keeps her passport number to herself.
Project Keystone ships on 14 March; project Passkey on 2 May.
Rate limit is 60 requests per minute per API key, 429 after that.
Retry with exponential backoff when the response says "token_expired".
Mia's birthday is 1987-06-05; Secret Santa gift idea: fountain pen.
In the terminal the user types `ssh web1` and confirms with the YubiKey, no password.
""",
    # ---- placeholders and references ------------------------------------------------------
    "placeholders": r"""
api_key: <YOUR_API_KEY>
API_KEY=your-api-key-here
API_KEY=your_api_key
API_KEY=
API_KEY=""
api_key: null
api_key = None
api_key: ${API_KEY}
api_key: "{{ api_key }}"
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ANTHROPIC_API_KEY=sk-ant-...
export ANTHROPIC_API_KEY="<your key>"
export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}
token: ${{ secrets.NPM_TOKEN }}
//registry.npmjs.org/:_authToken=${NPM_TOKEN}
password: ****
password: ********
Password: ••••••••
password=xxxx
password: <redacted>
password=REDACTED
password: [FILTERED]
"password"=>"[FILTERED]", "commit"=>"Sign in"
password: "<password>"
password: null
password: ""
password: ''
password=None
password: ${DB_PASSWORD}
password: $DB_PASSWORD
password: %DB_PASSWORD%
password: !vault
password: !env_var DB_PASSWORD
PASSWORD={{ vault_db_password }}
secret: <redacted>
secret: "***"
secret = "..."
SECRET_KEY=<generate one with openssl rand>
SECRET_KEY=replace-me
SECRET_KEY=insert-secret-key-here
token=***
token: <token>
token: YOUR_TOKEN_HERE
TOKEN=<paste token here>
ACCESS_TOKEN=[your access token]
access_token: TODO
bot token: 123456789:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
https://hooks.slack.com/services/XXX/YYY/ZZZ
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
https://discord.com/api/webhooks/<id>/<token>
postgres://USER:PASSWORD@HOST:5432/DATABASE
postgres://<user>:<password>@<host>/<db>
postgresql://app:${DB_PASSWORD}@db:5432/app
mysql://root:***@localhost/shop
redis://:$REDIS_PASSWORD@cache:6379/0
https://<username>:<password>@proxy.example.com:3128
amqp://{user}:{password}@{host}:5672/
mongodb+srv://<username>:<password>@cluster0.example.net/
AccountName=devstore;AccountKey=<your-account-key>;EndpointSuffix=core.windows.net
aws_access_key_id = <access key>
aws_secret_access_key = <secret key>
aws_secret_access_key = ****************
AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX
AIzaSy... is what a browser key looks like
the docs say changeme, and half the internet still runs on changeme
Replace changeme in the compose file before you deploy.
x-api-key: {apiKey}
X-API-Key: :apiKey
curl -H "X-Api-Key: $KEY" https://api.example.com/v1/me
curl -u "$USER:$PASS" https://example.com/private
curl -H "Authorization: Bearer ${ACCESS_TOKEN}" https://api.example.com/v2/orders
https://api.nasa.gov/planetary/apod?api_key=DEMO_KEY
https://maps.example.com/js?key=YOUR_KEY&callback=init
Use test card number 4242 4242 4242 4242 with any future date.
""",
    "prefixes_explained": r"""
AKIA is the prefix of AWS keys
ASIA marks temporary AWS credentials, AKIA long-lived ones.
Keys that begin with sk-proj- belong to a project, plain sk- keys are older.
sk-ant- is Anthropic's prefix
ghp_ is a classic token, github_pat_ a fine-grained one, gho_ comes from OAuth
A Slack bot token starts with xoxb-, a user token with xoxp-.
npm tokens look like npm_ and 36 characters
PyPI upload tokens start with pypi- and are long
Stripe: sk_live_ must stay on the server, pk_live_ may be shipped in the page
AIza is how Google browser keys begin
glpat- for GitLab, hf_ for Hugging Face, SG. for SendGrid
mem0 keys have the prefix m0-
whsec_ is the prefix of Stripe's webhook signing secrets
A private key file has a line that says BEGIN OPENSSH PRIVATE KEY.
re.compile(r"AKIA[0-9A-Z]{16}")
re.compile(r"sk-[A-Za-z0-9]{48}")
ghp_[A-Za-z0-9]{36,}
xox[baprs]-[0-9A-Za-z-]{10,48}
^eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$
-----BEGIN (RSA |EC |OPENSSH )?PRIVATE KEY-----
(?i)password\s*[:=]\s*\S+
://[^/\s:]+:[^/\s@]+@
bearer\s+[a-z0-9._~+/-]+=*
refused: looks like a password stated in prose (rule prose-password)
guard: 3 refusals today, tier semantic, rule aws-key
The scanner flags strings over 4.5 bits of entropy per character.
""",
    "references_to_vaults": r"""
op://Platform/postgres/password
vault kv get -field=password secret/data/app
arn:aws:secretsmanager:eu-central-1:000000000000:secret:prod/db-«alnum:6»
projects/demo/secrets/db-password/versions/latest
password_file: /run/secrets/db_password
POSTGRES_PASSWORD_FILE=/run/secrets/postgres_password
API_KEY_FILE=/etc/app/api_key
GOOGLE_APPLICATION_CREDENTIALS=/home/alice/keys/service.json
SSH_AUTH_SOCK=/run/user/1000/keyring/ssh
IdentityFile ~/.ssh/id_ed25519
ssl_certificate_key /etc/nginx/ssl/example.com.key;
--key-file=/etc/kubernetes/pki/apiserver.key
export OPENAI_API_KEY=$(pass show openai/office)
export TOKEN=$(gh auth token)
PGPASSWORD=$(cat /run/secrets/pg) psql -h db -U app
password = keyring.get_password("mail", "alice")
PGPASSFILE=~/.pgpass
gpg --export-secret-keys is run only on the offline machine
@Microsoft.KeyVault(SecretUri=https://demo.vault.azure.net/secrets/db-password/)
ssm:/prod/api/token
valueFrom: secretKeyRef
bws secret list --output table
keychain item: "Mail (alice)"
git credential-osxkeychain get
secret-tool lookup service mail user alice
""",
    # ---- code and configuration -----------------------------------------------------------
    "code": r"""
password = getpass()
password = getpass.getpass("Password: ")
os.environ["API_KEY"]
api_key = os.environ["OPENAI_API_KEY"]
api_key = os.getenv("API_KEY", "")
const apiKey = process.env.API_KEY;
const token = localStorage.getItem("token");
let token: Token = lexer.next();
token = tokens[i + 1]
tokens = tokenizer.encode(text)
token = self.advance()
def check_password(password: str) -> bool:
def __init__(self, api_key: str | None = None, *, timeout: float = 30.0) -> None:
async def rotate_secret(secret_id: str, *, token: SecretStr) -> None: ...
password: str
password: str = Field(min_length=12)
password: Optional[str] = None
password: string;
token?: string | null;
apiKey: string,
api_key: str,
secret: bytes
secret = secrets.token_hex(32)
secret_key = hashlib.scrypt(password, salt=salt, n=16384, r=8, p=1)
key = lambda item: item[1]
sorted(rows, key=lambda r: r.created_at)
max(scores, key=scores.get)
for key, value in settings.items():
dict(key="value", token=None)
if password != confirm_password: raise ValidationError
if (!password) return res.status(400).json({ error: "password is required" });
if (password.length < 12) showError("Password too short");
assert "password" not in response.text
assert user.check_password(new_password)
user.set_password(form.cleaned_data["password1"])
password=settings.DB_PASSWORD,
password = var.db_password
password = data.vault_generic_secret.db.data["password"]
client = OpenAI(api_key=api_key)
client = Client(token=token, timeout=10)
headers = {"Authorization": f"Bearer {token}"}
headers: { Authorization: `Bearer ${token}` },
headers["X-Api-Key"] = api_key
request.headers.get("Authorization", "")
req.Header.Set("Authorization", "Bearer "+token)
Password string `json:"password" validate:"required,min=12"`
private final String password;
private static final String TOKEN_HEADER = "X-Auth-Token";
String password = request.getParameter("password");
$password = $_POST['password'];
$password = Read-Host -AsSecureString
read -rs -p "Password: " password
echo "$DOCKER_PASSWORD" | docker login -u "$DOCKER_USER" --password-stdin
mysql -u root -p shop < dump.sql
kubectl create secret generic db --from-file=password=./password.txt
sshpass is not installed
<input type="password" name="password" autocomplete="current-password">
<label for="password">Password:</label>
<Input.Password placeholder="Password" />
<li key={item.id}>{item.name}</li>
<button accesskey="s">Save</button>
.password-strength-meter { width: 100%; }
.token--keyword, .token--string { color: #569cd6; }
input[type="password"]:focus { outline: none; }
#forgot-password-link:hover { text-decoration: underline; }
.hljs-keyword{color:#a626a4}.hljs-string{color:#50a14f}
@keyframes secret-fade { from { opacity: 0 } to { opacity: 1 } }
SELECT password_hash FROM users WHERE email = :email
ALTER TABLE users ADD COLUMN password_changed_at TEXT;
CREATE TABLE api_key (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL);
id,username,password,created_at
| Password | string | yes | at least 12 characters |
{"password": {"type": "string", "minLength": 12}}
{"type": "password", "label": "API key", "required": true}
{"key": "value", "token": null, "secret": false}
{"name": "token", "in": "query", "schema": {"type": "string"}}
"passwordResetUrl": "/account/reset"
i18n.t("auth.password.mismatch")
"auth.password.label": "Password",
enum TokenKind { Ident, Number, String, LParen, RParen }
Token(type=STRING, value='hello', lineno=3)
#define KEY_ENTER 0x0D
val keyStore = KeyStore.getInstance("PKCS12")
!function(e,t){"use strict";var n=e.token||(e.token={});n.key=t}(window,document);
var a=function(e){return e&&e.__esModule?e:{default:e}},o=n(41),s=a(o),k=s.default.key;e.exports={p:k,a:o}
!(function(){var t="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=";window.b64=t})();
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
git config --global user.signingkey 0x«HEX:16»
pytest -k "password or token" -q
grep -rn "api_key" src/ | wc -l
rg -i 'secret|token|passw' --type py
trap 'unset TOKEN' EXIT
def tokenize(source: str) -> Iterator[Token]:
match token.kind:
print(f"{key}: {value}")
logger.info("token refreshed", extra={"expires_in": 3600})
raise AuthError("token expired")
@pytest.fixture(params=["password", "token", "cookie"])
authToken: AuthToken
passwordEncoder.matches(raw, encoded)
Authorization = Annotated[str, Header(alias="Authorization")]
""",
    "settings": r"""
MAX_TOKENS=2048
TOKEN_LIMIT=4096
PASSWORD_MIN_LENGTH=12
PASSWORD_HASHER=argon2id
PASSWORD_RESET_TIMEOUT=3600
AUTH_TOKEN_TTL=3600
JWT_ALGORITHM=RS256
JWT_ISSUER=https://login.example.com/
SECRET_SANTA_BUDGET=25
SECRET_NAME=prod/db
SECRET_ROTATION_DAYS=90
KEY_REPEAT_DELAY=250
KEYBOARD_LAYOUT=us
KEYMAP=de-latin1-nodeadkeys
API_KEY_HEADER=X-Api-Key
CACHE_KEY_PREFIX=shop_v2
PRIMARY_KEY=id
SORT_KEY=created_at
PUBLIC_KEY_PATH=/etc/app/jwt.pub
TOKENIZERS_PARALLELISM=false
TOKENIZER_MODEL=cl100k_base
SESSION_COOKIE_NAME=sid
AWS_REGION=eu-central-1
AWS_PROFILE=staging-readonly
AWS_DEFAULT_OUTPUT=json
NODE_ENV=production
PORT=3000
PWD=/var/www/html
OLDPWD=/root
pwd=/home/alice/projects
DATABASE_URL=sqlite:///./app.db
DATABASE_URL=postgres://localhost:5432/app
REDIS_URL=redis://localhost:6379/0
SENTRY_DSN=https://examplePublicKey@o0.ingest.sentry.io/0
NPM_CONFIG_REGISTRY=https://registry.npmjs.org/
npm_config_user_agent=npm/10.8.2 node/v20.17.0 linux x64
npm_package_version=1.4.2
npm_lifecycle_script=vite build --mode production
password_authentication = no
PasswordAuthentication no
PubkeyAuthentication yes
PermitRootLogin prohibit-password
AuthorizedKeysFile .ssh/authorized_keys
passwordStrengthThreshold: 3
password_encryption = scram-sha-256
require_password: true
token_expiry: 1h
tokenLimit: 128000
tokens: { prompt: 812, completion: 64 }
max_token_length: 512
max_new_tokens=256
api_key_required: false
apiKeyLocation: header
key_bindings: vim
key_file_mode: 0600
secret_store: keyring
secretBackend: vault
enable_secrets = false
auth_type = oauth2
auth_basic off;
auth_basic_user_file /etc/nginx/.htpasswd;
requirepass is commented out by default
DefaultEndpointsProtocol=https;AccountName=devstore;EndpointSuffix=core.windows.net
Server=db;Database=shop;Integrated Security=true;
pass_filenames: false
passenv = HOME,CI
passthrough: true
bypass_list=localhost,127.0.0.1
sort_keys: true
fetch-depth: 0
persist-credentials: false
id-token: write
root:x:0:0:root:/root:/bin/bash
""",
    # ---- look-alike words and names -------------------------------------------------------
    "names_and_packages": r"""
sk-learn
sk-image
sk-learn and sk-image share the same release manager
sk-SK
pip install scikit-learn==1.5.2 scikit-image
risk-assessment-for-the-2024-annual-budget-review
disk-usage-by-directory-and-file-extension
task-runner-configuration-with-parallel-execution
desk-lamp-with-usb-charging-port-and-dimmer
mask-rcnn-resnet50-fpn-v2-coco-pretrained
flask-sqlalchemy-migrations-tutorial-part-two
brisk-walking-thirty-minutes-every-single-day
sk-toggleable__label-arrow:before
sk-estimator-doc-link, sk-parallel-item and other class names of the HTML repr
sk-dashed-wrapped div.sk-container{display:inline-block}
sk-fading-circle sk-circle-bounce sk-folding-cube
gpt-4o-mini
gpt-4o-mini-2024-07-18
claude-3-5-sonnet-20241022
text-embedding-3-small
meta-llama/Llama-3.1-8B-Instruct
Qwen/Qwen2.5-Coder-32B-Instruct-GGUF
sentence-transformers/all-MiniLM-L6-v2
mistral-7b-instruct-v0.3.Q4_K_M.gguf
stable-diffusion-xl-base-1.0
hf_hub_download(repo_id="bert-base-uncased", filename="config.json")
hf_transfer speeds up downloads
npm_and_yarn group: 4 updates
pypi-publish-on-release-workflow.yml
pypi-attestations
ghost_theme_casper
gho_st is not how you spell it
ghp_tools is my scripts folder
clh_total: 412, clh_missing: 3
clh_mean is the mean chlorophyll per hectare
m0-m3 are the four match groups
m0-plus core, 48 MHz
the Cortex-M0-plus draws 9 uA per MHz
SG.Singapore office: 14 people
XOXO, grandma
xoxb was our band's name in school
AKIA Restaurant, Helsinki, table for four
Akiane, Akito and Asia are coming to the party
EAAC conference, Nairobi
ya29 was the last ferry
pkgconf, libsecret-1-0, libpam-pwquality
gnome-keyring, seahorse, kwallet, pass
passlib, bcrypt, argon2-cffi, python-jose, authlib
detect-secrets, gitleaks, trufflehog
actions/create-github-app-token@v1
docker/login-action@v3
@auth/core, next-auth, passport-local
tokio, tokenizers, tokei
com.google.android.gms:play-services-auth:20.7.0
org.springframework.security:spring-security-oauth2-jose:6.3.1
v1.2.3-rc.4+build.5678
Python 3.11.7 (main, Dec  8 2023, 18:56:57) [GCC 12.2.0]
linux-image-6.1.0-18-amd64
KB5034441
SM-G991B/DS
WH-1000XM5
RTX 4070 Ti SUPER
iPhone15,2
ThinkPad X1 Carbon Gen 11 21HM004RGE
""",
    "wifi_and_devices": r"""
Wi-Fi: FRITZ!Box 7590 KQ
Wi-Fi network: Vodafone-A3F2
SSID: eduroam
SSID: CafeLumen_Guest, no password
Connected to TP-Link_5G_8C21, signal strong
Wi-Fi password: ask at the bar
wifi password on the menu card
Security: WPA2-PSK
WPA3 is on, WPS is off
Guest Wi-Fi is open until 22:00
hostname: raspberrypi-kitchen
Bluetooth device: JBL Flip 5
MAC: 3c:52:82:1a:9f:0e
AirDrop: Contacts Only
serial number: C02XL0GTJGH5
Model: HP LaserJet Pro MFP M428fdw
""",
    # ---- URLs, mail, paths, logs -----------------------------------------------------------
    "urls": r"""
https://example.com/search?key=value&sort=asc
https://example.com/login?next=/settings/password
https://example.com/reset-password?lang=de
https://example.com/account/tokens
https://platform.openai.com/api-keys
https://console.anthropic.com/settings/keys
https://github.com/settings/tokens
https://en.wikipedia.org/wiki/Bearer_token
https://en.wikipedia.org/wiki/Password#Choosing_a_secure_and_memorable_password
https://www.google.com/maps/@52.5200066,13.4049540,15z
https://medium.com/@ines.k/token-bucket-explained-5f2e8a7c91d0
https://unpkg.com/vue@3.4.21/dist/vue.global.prod.js
https://esm.sh/react@18.2.0
http://localhost:3000/@vite/client
http://localhost:8080/users/@me
https://example.com:8443/share?email=bob@example.com
https://matrix.to/#/@alice:example.org
https://mastodon.example:443/@bob
http://127.0.0.1:9000/minio/bucket@2024
git@github.com:owner/repo.git
ssh://git@github.com:22/owner/repo.git
git clone https://alice@bitbucket.org/team/repo.git
ssh deploy@203.0.113.9 -p 2222
rsync -av build/ deploy@web1:/srv/www/
ftp://anonymous@ftp.example.org/pub/
mailto:support@example.com?subject=Forgot%20password
npm i @types/node@20.11.5
pip install "memctl @ git+https://example.com/memctl.git@v1.0"
docker pull registry.example.com:5000/team/app@sha256:«hex:64»
https://docs.google.com/document/d/1«nano:43»/edit
https://www.youtube.com/watch?v=«nano:11»&list=PL«nano:32»
https://www.figma.com/file/«alnum:22»/Settings-screen
https://open.spotify.com/track/«alnum:22»?si=«hex:16»
https://www.amazon.de/dp/B08N5WRWNW
https://doi.org/10.1145/3292500.3330701
https://web.archive.org/web/20230314151926/https://example.com/
https://example.com/p?utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale_2024&gclid=Cj0KCQ«nano:40»
https://lh3.googleusercontent.com/a/ACg8oc«nano:44»=s96-c
https://cdn.example.com/assets/index-«nano:8».js
https://discord.com/developers/docs/resources/webhook
https://api.example.com/webhooks/orders
https://hooks.example.com/services is where the events go
https://t.me/BotFather
wss://stream.example.com:9443/ws/btcusdt@trade
jdbc:postgresql://db.internal:5432/shop?sslmode=require
data:text/plain;charset=utf-8,hello%20world
chrome-extension://«base32:32»/popup.html
intent://scan/#Intent;scheme=zxing;package=com.example;end
""",
    "mail_and_paths": r"""
password-reset@example.com
no-reply+token@example.com
keys@example.org, secretary@example.org
From: Security Team <security@example.com>
Subject: Your password was changed
Subject: Re: Re: API key for the new intern
Message-ID: <CA+«alnum:48»@mail.example.com>
DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=mail; bh=«b64:32»; h=From:To:Subject
default._domainkey IN TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ«std:120»IDAQAB"
google-site-verification=«nano:43»
~/.aws/credentials
~/.ssh/authorized_keys
/etc/shadow is readable by root only
/etc/pam.d/common-password
C:\Users\Alice\AppData\Local\KeePass\passwords.kdbx
src/auth/password_reset/tokens.py
tests/fixtures/secrets/README.md
app/views/passwords/edit.html.erb
docs/how-to/rotate-api-keys.md
node_modules/js-tokens/index.js
Documents/Taxes/2023/secret-santa-list.xlsx
/var/folders/zz/«alnum:30»/T/tmp«base32:8»
/nix/store/«base32:32»-openssl-3.0.13
s3://backups/2024/11/02/«hex:32»/part-00000.snappy.parquet
.git/objects/4f/«hex:38»
dist/assets/vendor-«nano:8».css
IMG_20240817_142311_«digit:9».jpg
uploads/«nano:21».webp
""",
    "log_lines": r"""
Failed password for invalid user admin from 203.0.113.7 port 52114 ssh2
Failed password for root from 198.51.100.23 port 40022 ssh2
Accepted publickey for deploy from 10.0.0.5 port 51122 ssh2: ED25519 SHA256:«std:43»
pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=203.0.113.7
sudo: alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/usr/bin/apt update
[sudo] password for alice:
Enter passphrase for key '/home/alice/.ssh/id_ed25519':
Password for 'https://alice@github.com':
2024-11-02T09:14:07Z INFO auth token refreshed user=alice ttl=3600
2024-11-02 09:14:08,113 WARNING password attempt 3/5 for user bob
level=info msg="secret rotated" name=prod/db version=14
ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)
FATAL: password authentication failed for user "app"
fe_sendauth: no password supplied
psql: error: connection refused, is the server running on host "db" (10.0.0.8) and accepting TCP/IP connections on port 5432?
redis: NOAUTH Authentication required.
AADSTS50126: invalid username or password
remote: Support for password authentication was removed on August 13, 2021.
fatal: could not read Password for 'https://bob@example.com': terminal prompts disabled
npm ERR! code E401
npm ERR! need auth This command requires you to be logged in.
requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.example.com/v1/keys
openai.RateLimitError: tokens per min (TPM): Limit 30000, Used 28114, Requested 4096.
anthropic.BadRequestError: max_tokens: 9000 > 8192
127.0.0.1 - - [02/Nov/2024:09:14:07 +0000] "POST /password/reset HTTP/1.1" 302 512
10.0.0.5 - alice [02/Nov/2024:09:15:31 +0000] "GET /api/tokens?page=2 HTTP/1.1" 200 8841
Filter chain: usernamePasswordAuthenticationFilter, bearerTokenAuthenticationFilter
request_id=req_«alnum:24» status=200 duration=48ms
x-amzn-RequestId: «hex:8»-«hex:4»-4«hex:3»-9«hex:3»-«hex:12»
x-amz-id-2: «b64:56»
traceparent: 00-«hex:32»-«hex:16»-01
X-Request-Id: «hex:32»
CF-RAY: «hex:16»-FRA
ETag: W/"«hex:32»"
etag: "«nano:27»"
Set-Cookie: theme=dark; Path=/; Secure; HttpOnly
kernel: usb 1-2: New USB device found, idVendor=1050, idProduct=0407
kernel: usb 1-2: Product: YubiKey OTP+FIDO+CCID
gpg: Good signature from "Release Team <release@example.org>"
gpg: using RSA key «HEX:40»
W: GPG error: NO_PUBKEY «HEX:16»
Key fingerprint = «HEX:4» «HEX:4» «HEX:4» «HEX:4» «HEX:4»  «HEX:4» «HEX:4» «HEX:4» «HEX:4» «HEX:4»
Started session 4211 of user deploy.
pairing request from 'iPad (Mia)' expired after 60 s
Successfully copied 2.05kB to app:/tmp/token.json
panic: runtime error: invalid memory address or nil pointer dereference [signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x4a5f3e]
""",
    # ---- high entropy, public by nature ----------------------------------------------------
    "hashes": r"""
commit «hex:40»
Fixed in «hex:7», released with v2.3.1
Revert "Cache tokens per user" this reverts commit «hex:40».
git bisect says the first bad commit is «hex:40»
index «hex:7»..«hex:7» 100644
100644 blob «hex:40»	src/tokens.py
HEAD is now at «hex:8» Rename secret to seed
Merge «hex:40» into «hex:40»
sha256: «hex:64»
sha256:«hex:64»
«hex:64»  memctl-1.0.0.tar.gz
«hex:128»  debian-12.5.0-amd64-netinst.iso
MD5 (backup.tar) = «hex:32»
SHA1 checksum of the firmware: «hex:40»
Digest: sha256:«hex:64» Status: Image is up to date for python:3.11-slim
FROM python:3.11-slim@sha256:«hex:64»
uses: actions/checkout@«hex:40» # v4.1.7
"integrity": "sha512-«b64:64»",
integrity sha512-«b64:64»
resolved "https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#«hex:40»"
<script src="https://cdn.example.com/htmx.min.js" integrity="sha384-«b64:48»" crossorigin="anonymous"></script>
golang.org/x/crypto v0.21.0 h1:«b64:32»
golang.org/x/oauth2 v0.18.0/go.mod h1:«b64:32»
checksum = "«hex:64»"
--hash=sha256:«hex:64» \
{file = "tokenizers-0.19.1.tar.gz", hash = "sha256:«hex:64»"},
sha256 = "sha256-«b64:32»";
Content-MD5: «b64:16»
Content-Security-Policy: script-src 'self' 'sha256-«b64:32»'
Public-Key-Pins: pin-sha256="«b64:32»"; max-age=5184000
CRC32: «HEX:8», size: 48,213,004
perceptual hash of the icon: «hex:16»
blake3 «hex:64» models/token_embedding.bin
the state id is s_«hex:6»
Key ID «HEX:16» was extended until 2027
magnet:?xt=urn:btih:«hex:40»&dn=debian-12.5.0
Block 840000 hash 0000000000000000000«hex:45»
tx 0x«hex:64» confirmed after 12 blocks
cache key: npm-Linux-x64-«hex:64»
turbo: cache hit, replaying logs «hex:16»
certificate serial: 04:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»
SHA256 Fingerprint=«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»:«HEX:2»
""",
    "ids": r"""
«hex:8»-«hex:4»-4«hex:3»-8«hex:3»-«hex:12»
user id: «hex:8»-«hex:4»-4«hex:3»-b«hex:3»-«hex:12»
{«HEX:8»-«HEX:4»-4«HEX:3»-A«HEX:3»-«HEX:12»}
urn:uuid:«hex:8»-«hex:4»-1«hex:3»-9«hex:3»-«hex:12»
client_id: «hex:8»-«hex:4»-4«hex:3»-a«hex:3»-«hex:12»
tenant «hex:8»-«hex:4»-4«hex:3»-8«hex:3»-«hex:12» has 3 subscriptions
ULID 01J«crockford:23»
order 01HZ«crockford:22» was shipped
ObjectId("66«hex:22»")
nanoid file name: «nano:21».png
ksuid 2«alnum:26»
container «hex:12» exited with code 0
pod web-7d9c5b8f6d-«base32:5» restarted twice
job run-«base32:10» finished
i-0«hex:17» is running in eu-central-1a
vpc-0«hex:17», subnet-0«hex:17»
ami-0«hex:17» (Debian 12)
arn:aws:iam::000000000000:role/deploy-readonly
price_1N«alnum:22» is the monthly plan
customer cus_«alnum:14», invoice in_1«alnum:23»
chatcmpl-«alnum:29»
msg_01«alnum:22»
toolu_01«alnum:22» returned 3 rows
thread_«alnum:24» holds the conversation
file-«alnum:24» was uploaded
Notion page «hex:32»
Airtable base app«alnum:14», table tbl«alnum:14»
Slack channel C0«upper:9», user U0«upper:9»
Discord message «digit:19» in guild «digit:18»
tweet 17«digit:17»
place_id: ChIJ«nano:23»
bafybei«base32:52»
Qm«base58:44»
0x«hex:40» is the contract's address
donations: bc1q«base32:38»
correlation id «hex:16»
build «digit:8».3 from branch release/token-ring
session: s-«digit:6» (screen recording 12)
test id 4f: seed «digit:10»
css-1«base32:6»-MuiButton-root
Button_primary__«nano:5» Card_token__«nano:5»
sc-«alnum:6» «alnum:6» styled-components class names
chunk-«HEX:8».js 142 kB
_next/static/chunks/pages/login-«hex:16».js
""",
    "encoded_blobs": r"""
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAA«b64:900»" alt="key icon">
background-image: url("data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
![logo](data:image/jpeg;base64,/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQN«b64:600»)
src: url(data:font/woff2;base64,d09GMgABAAAAA«b64:450») format("woff2");
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbInRva2VuLnRzIl0sIm5hbWVzIjpbXSwibWFwcGluZ3MiOiJBQUFBIn0=
the base64 of hello is aGVsbG8=
aGVsbG8gd29ybGQsIHRoaXMgaXMganVzdCBhIGdyZWV0aW5n
=?utf-8?B?UGFzc3dvcnQgenVyw7xja3NldHplbg==?=
=?UTF-8?Q?Passwort_zur=C3=BCcksetzen?=
<svg viewBox="0 0 24 24"><path d="M12.65 10A5.99 5.99 0 0 0 7 6c-3.31 0-6 2.69-6 6s2.69 6 6 6a5.99 5.99 0 0 0 5.65-4H17v4h4v-4h2v-4H12.65z"/></svg>
M0 0h24v24H0zM7 14c-1.66 0-3-1.34-3-3s1.34-3 3-3 3 1.34 3 3-1.34 3-3 3z
blurhash: LEHV6nWB2yk8pyo0adR*.7kCMdnj
\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR
%E5%BF%98%E8%AE%B0%E5%AF%86%E7%A0%81
0xdeadbeef 0xcafebabe 0x8badf00d
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
abcdefghijklmnopqrstuvwxyz0123456789
>sp|P69905|HBA_HUMAN MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSH
primer: «dna:24», second primer: «dna:26»
InChIKey=RYYVLZVUVIJVGH-UHFFFAOYSA-N
InChIKey: BSYNRYMUTXBXSQ-UHFFFAOYSA-N (aspirin)
SMILES: CN1C=NC2=C1C(=O)N(C(=O)N2C)C
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7
\begin{equation}\label{eq:key} K = \sum_{i=1}^{n} k_i x_i^{2} \end{equation}
\usepackage[backend=biber,style=alphabetic,sortkeys=true]{biblatex}
\cite{Diffie1976NewDirections} introduced public-key cryptography.
@article{rivest1978method, title={A Method for Obtaining Digital Signatures}, key={RSA}}
:root{--token-color-bg:#0d1117;--token-color-fg:#c9d1d9;--key-size:2.25rem}
grid-template-areas:"key key value" "token token secret"
class="flex items-center gap-2 rounded-md bg-slate-900/80 px-3 py-1.5 text-[13px] hover:bg-slate-800"
lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor
AGE: age1«base32:58»
""",
    "public_keys": r"""
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI«std:43» alice@laptop
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC«std:336»== bob@desk
ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBB«std:86»= ci@runner
sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAI«std:58» alice@yubikey
github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI«std:43»
|1|«b64:20»|«b64:20» ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI«std:43»
256 SHA256:«std:43» alice@laptop (ED25519)
ED25519 key fingerprint is SHA256:«std:43».
RSA key fingerprint is MD5:«hex:2»:«hex:2»:«hex:2»:«hex:2»:«hex:2»:«hex:2»:«hex:2»:«hex:2».
PublicKey = «b64:32»
public_key: «hex:64»
vapidPublicKey: B«nano:86»
untrusted comment: minisign public key «HEX:16»
RW«std:54»
{"kty":"OKP","crv":"Ed25519","x":"«nano:43»","kid":"2024-10","use":"sig"}
{"keys":[{"kty":"RSA","e":"AQAB","use":"sig","alg":"RS256","kid":"«nano:27»","n":"«nano:342»"}]}
npub1«base32:58»
trusted-public-keys = cache.nixos.org-1:«b64:32»
example.com. IN DNSKEY 257 3 13 «b64:64»
_443._tcp.example.com. IN TLSA 3 1 1 «hex:64»
example.com. IN SSHFP 4 2 «hex:64»
""",
    "numbers": r"""
ISBN 978-3-16-148410-0
ISBN-10: 0-306-40615-2
ISSN 2049-3630
Order number: 302-4471983-1127546
order no. A-2024-000481 ships on Monday
Tracking number: 1Z999AA10123456784
tracking RR123456785DE, handed to the post office
DHL 00340434161094042557
Invoice 2024-11-0093, due in 30 days
PO 4500017823
phone: +1 (415) 555-0132
Call +49 30 901820 between 9 and 5
06 12 34 56 78 is the plumber
tel:+442079460958
IBAN DE89 3704 0044 0532 0130 00 is the specimen in every handbook
VAT number: DE123456789
VIN: 1M8GDM9AXKP042788
IMEI 490154203237518
EAN 4006381333931
flight LH 1234 at 07:40, gate A16, seat 14C
Boarding pass: gate B42, seat 21F
booking reference: on the ticket, top right
Ticket INC0012345 is closed
JIRA-4821, SEC-17 and AUTH-203 go into the next sprint
case no. 3:21-cv-01234
CVE-2021-44228
patent US 4405829 A
arXiv:1706.03762v7
doi:10.1038/s41586-021-03819-2
RFC 6749, RFC 7519 and RFC 6750
GPS 60.1699 N, 24.9384 E
51.5007,-0.1246
2001:db8:85a3::8a2e:370:7334
fe80::1ff:fe23:4567:890a%eth0
10.0.0.0/8, 172.16.0.0/12
2024-11-02T09:14:07.123456+01:00
1730538847
epoch ms 1730538847123
speedtest: 941.27 down, 38.90 up, ping 4
pi = 3.14159265358979323846264338327950288
steps today: 11,482, pass: 10,000
pass: 12, fail: 3, skipped: 1
ski pass: 240 EUR for six days
Amount: 1.234,56 EUR, account ending 4471
plate B-KX 4821
shoe size 42, shirt M, glove 8.5
Paint: RAL 7016, key line 3 mm
Resolution 2560x1440@165Hz
Score 6-4 3-6 7-6(5)
what3words ///filled.count.soap
""",
    # ---- everyday life ---------------------------------------------------------------------
    "chat": r"""
lol my password manager crashed again
what's the token limit on that model?
can someone send me the invite, the link says token expired
who has the key to room 204?
pls don't paste keys in here, use the vault
did you try turning off 2FA and on again
I'm locked out, can an admin reset my password?
my api key stopped working this morning, anyone else?
yes I rotated it, the old key is dead
which key do I use for staging, the blue one or the green one? (physical key!)
ok so the secret is out: we're moving to Lisbon
shhh it's a secret: surprise party on Friday
password123 is what everyone picks, that's why it's on every list
is "correct horse battery staple" still a good example?
brb, forgot my badge, need a visitor pass
pass me the salt
I'll pass: too tired
hard pass: that flat has no windows
key question: do we ship on Thursday?
Is that a token gesture or a real offer?
got it, thx! token's working now
dm me if you need access, I'll add you to the group
the bot asks me for a pairing code, where does it come from?
My password? A gentleman never tells.
User: how do I hide my API key in a React app?
Assistant: You cannot; move the call to your own server.
run: pytest
note to self: renew passport, key cutting, call mum
The user said the login page shows Password twice.
User prefers dark mode and short answers.
User wants to be asked before anything is deleted.
""",
    "meeting_notes": r"""
Decision: passkeys first, password as fallback. Owner: Ines.
Action: Jonas checks why the reset mail lands in spam.
Agenda: 1. token costs 2. key hires 3. AOB
Key risks: one supplier, one region, one Tom
Token spend in October: 1.2 M prompt, 310 k completion
We agreed that secrets live in Vault and nowhere else.
Security review: no hard-coded credentials found.
Parking lot: single sign-on: Okta or Entra?
Retro: what went well: key rotation took nine minutes
Postmortem: the certificate expired, not the password.
Open question: who owns the signing key after Petra leaves?
OKR 2: key result 3: password resets down by half
Next step: token bucket in front of the search endpoint, limit: 50 rps
Legal: "trade secret" needs a definition in clause 4
Interview notes: strong on public-key cryptography, weak on SQL
Project deadline: 14 March; password rules are out of scope
Wiki page: "How we store secrets", last edited by Bea
We keep basic auth: internal tools only.
Budget: 12 hardware keys: 540 EUR
The auditor asked for: password policy, access list, key ceremony minutes
""",
    "kitchen_and_arts": r"""
Key lime pie: 4 egg yolks, 400 g condensed milk, 120 ml lime juice
Grandma's secret sauce: more butter
Secret to fluffy pancakes: rest the batter for 20 minutes
pairing: Comté with Vin Jaune
Wine pairing: off-dry Riesling
pass: the potatoes through a sieve twice
Preheat to 220 C, then lower to 180 after 15 min
Song: Secret Garden, Bruce Springsteen
Secret Love, Password and Token are three songs on one mix tape
Passwords, by Einaudi? No, that was Passaggio
Songs in the Key of Life (1976)
Prelude in key: C sharp minor
film: The Secret Life of Walter Mitty
film: Token's Revenge, unrated
book: The Key to Rebecca
Book: Secrets of the Baby Whisperer
game: Keycard: red, found in the sewers
Quest item: Key of Eternity x1
Board game: Password (1961), ages 10 and up
crossword: "secret" in six letters: ARCANE
crossword: PASS word, four letters
Chord chart: key: G | G C D Em |
the compass points north, the bypass is closed
Passover starts on the evening of 12 April
passport number is required for check-in
passenger: one adult, one child
Passion fruit: 6, halved
knit row 14: k2tog, yo, pass slipped stitch over
tokonoma, Tokaj, Tokyo
authentic ramen: broth takes 18 hours
Author: Keyes, Daniel
Secretariat won by 31 lengths.
""",
    "ui_labels": r"""
Password
Show password
Hide password
Confirm new password
Save password?
Change Password...
Forgot Password?
Saved Passwords
Password: (leave blank to keep the current one)
Password *
Passwords & Accounts
Enter your PIN
Sign in with a passkey
Use your security key
Remember me
Keep me signed in
API keys
API Keys (3)
Create new secret key
Create API key
Revoke token
Regenerate token
Copy token
Copy secret
Show secret key
Add SSH key
Deploy keys
Personal access tokens (classic)
Fine-grained tokens
Tokens (beta)
No tokens yet
Expires: never
Last used: within the last week
Key name: laptop
Token name: ci-readonly
Token description
Scopes: repo, gist
Client ID
Client secret
Webhook URL
Secret (optional)
Bot token
Access key ID
Secret access key
Recovery key
Unlock keychain
Keychain Access
Passwords app: 214 items
Lock after: 5 minutes
Two-factor authentication: On
Trust this device?
Enter passphrase
Username or e-mail
Enter code
Resend code
Pair new device
Pairing...
Pass-through: Off
Key repeat: Fast
Secret chat
Start secret chat
Secret mode
Max tokens 4096
Max output tokens
Token count: 0 / 8192
Authorization: OAuth 2.0
Auth type: Bearer Token
Auth Type: Basic Auth
Add header: Authorization
Connection string
Encryption: AES-256-GCM
Product key: Activated
Change product key
Guest access: Disabled
""",
    # ---- other languages -------------------------------------------------------------------
    "chinese": r"""
忘记密码怎么办
忘记密码？
密码学
密码学导论，第三章：公钥密码
密码强度不足
密码强度：弱
密码：必填
密码：********
密码：至少八位，包含字母和数字
密码：请输入
密码: 未设置
密码错误，请重试
密码不能为空
密码是必填项
密码已过期，请联系管理员
密码已通过短信发送
两次输入的密码不一致
我昨天改了密码
我的密码又忘了
请输入密码
请输入新密码
修改密码
密码长度：8-20个字符
确认密码
支付密码和登录密码不能相同
密码在保险箱里
密码问小王
初始密码请咨询前台
无线密码写在路由器背面
口令不正确
达芬奇密码
摩斯密码
验证码已发送
验证码：请查收短信
验证码错误
密钥存放在保险库中
密钥管理服务
公钥可以公开，私钥不可以
在哪里可以找到我的 API 密钥？
API 密钥：未配置
令牌已过期
每秒令牌数：42
令牌桶算法
最大 token 数：4096
秘密花园
用户名和密码均为必填
""",
    "japanese": r"""
パスワードを忘れた場合
パスワードをお忘れですか？
パスワード：必須
パスワード：8文字以上
パスワード：********
パスワードは8文字以上で入力してください
パスワードが間違っています
パスワードが一致しません
パスワードは金庫に保管してあります
パスワードを変更しました
パスワードの有効期限が切れました
パスワード：未設定
パスワード再設定のリンクを送信しました
新しいパスワード（確認用）
パスワードは田中さんに聞いてください
パスワードマネージャーを使っています
暗証番号は4桁です
秘密の花園
秘密鍵は公開しないでください
公開鍵暗号の仕組み
合言葉は何でしたっけ？
トークンの上限：4096
APIキーはどこにありますか
APIキー：未登録
認証コードの有効期限が切れました
ワンタイムパスワードは届きましたか
""",
    "korean": r"""
비밀번호를 잊으셨나요?
비밀번호: 필수 입력
비밀번호: 8자 이상
비밀번호가 일치하지 않습니다
비밀번호가 틀렸습니다
비밀번호를 변경했습니다
비밀번호 재설정 링크를 보냈습니다
비밀번호는 금고에 있습니다
비밀의 화원
암호학 개론
암호화 키는 90일마다 교체됩니다
토큰이 만료되었습니다
최대 토큰: 4096
API 키는 어디에서 찾나요?
인증번호가 발송되었습니다
""",
    "spanish": r"""
contraseña olvidada
¿Olvidaste tu contraseña?
La contraseña es obligatoria.
La contraseña debe tener al menos 12 caracteres
La contraseña es incorrecta
contraseña: obligatoria
contraseña: ********
Contraseña: mínimo ocho caracteres
Contraseña: (sin cambios)
Las contraseñas no coinciden
Ayer cambié mi contraseña.
La contraseña está en la caja fuerte
la contraseña es demasiado corta
Mi contraseña no funciona en el portátil nuevo
Te enviamos un enlace para restablecer la contraseña
Pregúntale la contraseña a Lucía
usuario y contraseña: campos obligatorios
la clave del éxito es la paciencia
clave: valor
Clave primaria: id
palabra clave: sostenibilidad
El jardín secreto
ingrediente secreto: comino
límite de tokens: 4096
¿Dónde encuentro mi clave de API?
""",
    "german": r"""
Passwort zurücksetzen
Passwort vergessen?
Das Passwort ist falsch.
Das Passwort ist zu kurz
Passwort: erforderlich
Passwort: mindestens 12 Zeichen
Passwort: ********
Passwort: siehe Tresor
Passwort bestätigen
Mein Passwort ist abgelaufen
Gestern habe ich mein Passwort geändert.
Das Passwort steht auf dem Zettel am Kühlschrank.
Das Passwort lautet wie immer anders als gedacht.
Kennwort: wird per Post zugestellt
Kennwort ändern
Das WLAN-Passwort bitte an der Rezeption erfragen
Die Passwörter stimmen nicht überein
Schlüsselbund
Schlüsselbund entsperren
Der Schlüssel liegt beim Nachbarn
Schlüssel: Violinschlüssel, Bassschlüssel
Primärschlüssel: Kundennummer
Öffentlicher Schlüssel: frei verteilbar
Geheimzutat: Muskat
Geheimnis: Geduld
Losungswort der Herrnhuter
Zugangsdaten kommen mit getrennter Post
PIN vergessen? Karte gesperrt
Postleitzahl: 10115
""",
    "french": r"""
mot de passe oublié
Mot de passe oublié ?
Le mot de passe est incorrect.
Le mot de passe est obligatoire
Mot de passe : obligatoire
Mot de passe : ********
Mot de passe : 12 caractères minimum
mot de passe: voir le coffre
Les mots de passe ne correspondent pas
J'ai changé mon mot de passe hier.
Mon mot de passe ne marche plus depuis ce matin
Le mot de passe est trop court
Le mot de passe est affiché à l'accueil
Nous vous avons envoyé un lien de réinitialisation
Le mot de passe Wi-Fi ? Demandez au bar.
mot clé : durable
clé : valeur
Clé primaire : identifiant
clé publique, clé privée : le principe
Le Jardin secret
ingrédient secret : un carré de chocolat noir
laissez-passer A38
code postal : 75011
jetons par seconde : 42
Où trouver ma clé d'API ?
""",
    "other_languages": r"""
Забыли пароль?
Пароль: обязательное поле
Пароль: не менее 12 символов
Пароль: ********
Неверный пароль
Пароль слишком короткий
Вчера я сменил пароль.
Пароль лежит в сейфе
Ключ: значение
Ключ от квартиры у соседки
Таинственный сад
Лимит токенов: 4096
Забули пароль?
Esqueceu a senha?
Esqueci minha senha de novo
Senha: obrigatória
Senha: mínimo de 8 caracteres
A senha é muito curta
A senha está incorreta
Palavra-passe: obrigatória
Mudei a minha senha ontem.
chave: valor
Chave pública e chave privada
Password dimenticata?
La password è troppo corta
La password è obbligatoria
Parola chiave: pazienza
Wachtwoord vergeten?
Wachtwoord: verplicht
Het wachtwoord is onjuist
Glömt lösenordet?
Lösenord: minst tolv tecken
Unohditko salasanan?
Salasana: pakollinen
Nie pamiętasz hasła?
Hasło: wymagane
Hasło jest nieprawidłowe
Parolanızı mı unuttunuz?
Şifre: zorunlu
Şifre en az 8 karakter olmalı
Quên mật khẩu?
Mật khẩu: bắt buộc
ลืมรหัสผ่าน
รหัสผ่านไม่ถูกต้อง
هل نسيت كلمة المرور؟
كلمة المرور مطلوبة
שכחת סיסמה?
पासवर्ड भूल गए?
Ξεχάσατε τον κωδικό;
Zapomenuté heslo
Elfelejtett jelszó
Ai uitat parola?
""",
}

# Several lines each, a blank line between two texts: what stands under "Password:" on a screen
# is the next label, not a password.
_BLOCKS: dict[str, str] = {
    "screens": r"""
Username:
Password:
Remember me
Sign in

E-mail
Password
Forgot your password?
Log in

Passwort:
Passwort vergessen?
Anmelden

密码：
忘记密码？
登录

Contraseña:
¿Olvidaste tu contraseña?
Iniciar sesión

Mot de passe :
Se souvenir de moi
Connexion

パスワード：
ログイン状態を保持する
ログイン

API key:
Create one in the dashboard
Token:
None

Access token
Copy
Regenerate
Revoke

[sudo] password for alice:
Sorry, try again.

Enter passphrase (empty for no passphrase):
Enter same passphrase again:
Your identification has been saved in /home/alice/.ssh/id_ed25519

PIN:
Forgot PIN?
Cancel
""",
    "snippets": r"""
db:
  image: postgres:16
  environment:
    POSTGRES_USER: app
    POSTGRES_PASSWORD_FILE: /run/secrets/pg
    POSTGRES_DB: shop

env:
  - name: API_KEY
    valueFrom:
      secretKeyRef:
        name: api
        key: token

apiVersion: v1
kind: Secret
metadata:
  name: web-tls
type: kubernetes.io/tls

variable "db_password" {
  type      = string
  sensitive = true
}

# .env.example
API_KEY=
SECRET_KEY=
DATABASE_URL=sqlite:///app.db
DEBUG=false

interface Login {
  username: string;
  password: string;
  token?: string;
}

class User(BaseModel):
    name: str
    password: SecretStr
    api_key: str | None = None

with:
  token: ${{ secrets.GITHUB_TOKEN }}
  persist-credentials: false

- password = input("Password: ")
+ password = getpass.getpass()

[profile staging]
region = eu-central-1
sso_session = team
credential_process = aws-vault export staging

machine example.com
  login alice
  password <from the keychain>

| field    | type   | note     |
|----------|--------|----------|
| username | string | required |
| password | string | required |
| token    | string | optional |
""",
    "public_blocks": r"""
-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE«std:28»
«std:64»
-----END PUBLIC KEY-----

-----BEGIN RSA PUBLIC KEY-----
MIIBCgKCAQEA«std:52»
«std:64»
«std:64»
IDAQAB
-----END RSA PUBLIC KEY-----

-----BEGIN CERTIFICATE-----
MIIDdzCCAl+gAwIBAgIE«std:44»
«std:64»
«std:64»
«std:64»
-----END CERTIFICATE-----

-----BEGIN CERTIFICATE REQUEST-----
MIICvDCCAaQCAQAw«std:48»
«std:64»
-----END CERTIFICATE REQUEST-----

-----BEGIN DH PARAMETERS-----
MIIBCAKCAQEA«std:52»
«std:64»
-----END DH PARAMETERS-----

---- BEGIN SSH2 PUBLIC KEY ----
Comment: "alice@laptop"
AAAAC3NzaC1lZDI1NTE5AAAAI«std:43»
---- END SSH2 PUBLIC KEY ----

-----BEGIN PGP PUBLIC KEY BLOCK-----
Version: GnuPG v2
«std:64»
«std:64»
=«std:4»
-----END PGP PUBLIC KEY BLOCK-----

-----BEGIN PGP SIGNATURE-----
iHUEABYKAB0WIQ«std:50»
«std:56»
=«std:4»
-----END PGP SIGNATURE-----

[Peer]
PublicKey = «b64:32»
AllowedIPs = 10.8.0.2/32
Endpoint = vpn.example.com:51820

untrusted comment: minisign public key
RWQ«std:53»
""",
}


def _filled(text: str) -> str:
    """Put a value derived from the text's own hash in the place of each mark."""

    def value(mark: re.Match[str]) -> str:
        alphabet, length = mark[1], int(mark[2])
        stream = hashlib.shake_256(f"{mark.start()} {text}".encode())
        if alphabet == "b64":
            return base64.b64encode(stream.digest(length)).decode()
        letters = _ALPHABETS[alphabet]
        return "".join(letters[byte % len(letters)] for byte in stream.digest(length))

    return _MARK.sub(value, text)


def _texts() -> Iterator[tuple[str, str]]:
    for kind, lines in _LINES.items():
        for line in lines.strip("\n").split("\n"):
            yield kind, _filled(line)
    for kind, blocks in _BLOCKS.items():
        for block in blocks.strip("\n").split("\n\n"):
            yield kind, _filled(block)


HARMLESS: tuple[tuple[str, str], ...] = tuple(_texts())
"""Every ordinary text as ``(kind, text)``, in the order of the file."""
