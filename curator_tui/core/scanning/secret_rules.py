"""The rules about secrets of a known form, as data: family ``secret``.

Here live the formats that vendors document for their keys and tokens, and the forms in which a password
stands in a header, an address or an assignment. Placeholders (``changeme``, ``<YOUR_TOKEN>``, ``$VAR``,
``xxxx``) are no secrets. Passwords in free prose are not looked for here. In samples ``«20w»`` stands for
generated characters; no secret is written in this file.
"""

from __future__ import annotations

from curator_tui.core.patterns import late
from curator_tui.core.scanning.findings import Severity
from curator_tui.core.scanning.rules import Rule

_PLACEHOLDER = late(
    r"(?i)x{4,}|\*{3,}|\.{3}|_{4,}|<|>|\{|\}|\$|%\w+%|…|change.?(?:me|it|this)|example|placeholder|dummy|redacted|sample"
    r"|your|insert|replace|12345678|abcdefgh|todo|fake|mock|none|null|secret.?(?:here|goes)|(?:my|the|a)[-_]?(?:password"
    r"|secret|token|key)"
)


def _is_real(value: str) -> bool:
    """Whether a value that must be kept secret is no placeholder."""
    return len(set(value)) > 4 and _PLACEHOLDER.search(value[:48]) is None


def _is_random(value: str) -> bool:
    """Whether a token reads as generated: digits and letters, many different ones, no placeholder."""
    return (
        len(set(value)) > 9
        and any(char.isdigit() for char in value)
        and any(char.isalpha() for char in value)
        and _is_real(value)
    )


_PROSE = ("keep tokens out of notes", "the API key lives in 1Password")


def _token(name: str, owner: str, needs: str, pattern: str, hits: tuple[str, ...], *misses: str) -> Rule:
    """Build the rule for a token with a prefix of its own."""
    return Rule(
        name,
        "secret",
        Severity.HARD,
        f"{owner} stands in the text in full.",
        hits=hits,
        misses=(*misses, *_PROSE),
        needs=tuple(needs.split()),
        pattern=pattern,
        cased=True,
        accept=_is_random,
    )


def _value(name: str, reason: str, needs: str, pattern: str, hits: tuple[str, ...], *misses: str) -> Rule:
    """Build the rule for a value (a group) that its surroundings call a secret."""
    return Rule(
        name,
        "secret",
        Severity.HARD,
        reason,
        hits=hits,
        misses=(*misses, *_PROSE),
        needs=tuple(needs.split()),
        pattern=pattern,
        accept=_is_real,
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "private-key",
        "secret",
        Severity.HARD,
        "A private key stands in the text.",
        hits=("-----BEGIN OPENSSH PRIVATE KEY-----\n«64b»\n", "-----BEGIN PRIVATE KEY-----\\n«40b»"),
        misses=(
            "files begin with -----BEGIN PRIVATE KEY-----",
            "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0B",
        ),
        needs=("private key",),
        pattern=(
            r"-----begin (?:[a-z0-9]{1,12} ){0,3}private key(?: block)?-----(?:\\n|\\r|\s)*+"
            r"(?:(?:proc-type|dek-info|comment|version)\s?:[^\n]{0,200}\n\s*+){0,4}[a-z0-9+/]{16}"
        ),
    ),
    _token(
        "github-token",
        "A GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{40,255})",
        ("ghp_«36w»", "CI: github_pat_«22w»_«59w»"),
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_ is the prefix",
    ),
    _token(
        "gitlab-token",
        "A GitLab token",
        "glpat- gldt- glrt-",
        r"\bgl(?:pat|dt|rt)-[\w-]{20,255}",
        ("glpat-«20w»", "gldt-«24w»"),
        "glpat-xxxxxxxxxxxxxxxxxxxx",
    ),
    _token(
        "aws-key",
        "An AWS access key",
        "akia asia abia acca",
        r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",
        ("AKIA«16u»", "key ASIA«16u»."),
        "AKIAIOSFODNN7EXAMPLE",
    ),
    _token(
        "slack-token",
        "A Slack token",
        "xoxb- xoxp- xoxa- xoxe- xoxo- xoxr- xoxs- xapp- hooks.slack.com",
        r"\b(?:xox[abeoprs]-|xapp-)[\w-]{20,255}|hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16,}",
        ("xoxb-«12d»-«13d»-«24w»", "xapp-1-A«10d»-«40w»", "https://hooks.slack.com/services/T«9w»/B«9w»/«24w»"),
        "xoxb-your-token-goes-here-please",
    ),
    _token(
        "google-key",
        "A Google key",
        "aiza ya29. gocspx-",
        r"\bAIza[\w-]{35}(?![\w-])|\bya29\.[\w-]{30,255}|\bGOCSPX-[\w-]{20,64}",
        ("AIza«35w»", "GOCSPX-«28w»", "ya29.«60w»"),
        "AIza is the prefix",
    ),
    _token(
        "model-key",
        "A key of a model provider",
        "sk-",
        r"(?<![\w-])sk-[\w-]{20,255}",
        ("sk-ant-api03-«60w»", "sk-proj-«48w»", "sk-«48w»"),
        "sk-your-key-goes-here-000000",
        "sk-learn-pipelines-and-models",
    ),
    _token(
        "payment-key",
        "A key of a payment provider",
        "sk_live_ rk_live_ whsec_ sq0csp-",
        r"\b(?:[rs]k_live_|whsec_|sq0csp-)[\w-]{16,255}",
        ("sk_live_«24w»", "whsec_«32w»"),
        "sk_live_xxxxxxxxxxxxxxxxxxxx",
    ),
    _token(
        "mail-key",
        "A key of a mail provider",
        "sg. key-",
        r"\b(?:SG\.[\w-]{16,64}\.[\w-]{16,64}|key-[0-9a-f]{32}\b)",
        ("SG.«22w».«43w»", "key-«32h»"),
        "SG.example.example",
    ),
    _token(
        "registry-token",
        "A token of a package registry",
        "pypi- npm_ rubygems_ dckr_pat_ cio",
        r"\b(?:pypi-[\w-]{40,512}|npm_[A-Za-z0-9]{30,64}|rubygems_[0-9a-f]{40,64}|dckr_pat_[\w-]{20,64}|cio[A-Za-z0-9]{32})\b",
        ("pypi-«80w»", "npm_«36w»", "rubygems_«48h»", "dckr_pat_«27w»", "cio«32w»"),
        "npm_config_registry is set",
        "pypi-mirror",
    ),
    _token(
        "hub-token",
        "A Hugging Face token",
        "hf_",
        r"\bhf_[A-Za-z0-9]{30,64}\b",
        ("hf_«34w»", "(hf_«37w»)"),
        "HF_TOKEN is set",
    ),
    _token(
        "vault-token",
        "A Vault token",
        "hvs. hvb. hvr.",
        r"\bhv[sbr]\.[\w-]{20,512}",
        ("hvs.«24w»", "hvb.«90w»"),
        "hvs. begins it",
    ),
    _token(
        "service-token",
        "A token of a hosted service",
        "dop_v1_ doo_v1_ dor_v1_ lin_api_ dapi shpat_ shpss_ shpca_ shppa_ sntrys_ glsa_ nfp_ "
        "fly age-secret-key- pul- atatt3 secret_ ntn_ figd_",
        r"\b(?:do[opr]_v1_[0-9a-f]{40,64}|lin_api_\w{32,64}|dapi[0-9a-f]{32}|shp(?:at|ss|ca|pa)_[0-9a-f]{32}|sntrys_[\w=]{30,255}"
        r"|glsa_\w{32,64}|nfp_\w{30,64}|fly(?:v1 fm|_o1)[\w-]{24,255}|AGE-SECRET-KEY-1[0-9A-Z]{50,64}"
        r"|pul-[0-9a-f]{40}"
        r"|ATATT3[\w=-]{40,255}|(?:secret_|ntn_)[A-Za-z0-9]{40,64}|figd_[\w-]{36,64})",
        ("dop_v1_«64h»", "lin_api_«40w»", "ntn_«46w»", "shpca_«32h»", "shppa_«32h»", "flyv1 fm«40w»"),
        "secret_santa_list_for_december",
    ),
    _token(
        "bot-token",
        "A bot token",
        ":aa",
        r"\b\d{8,10}:AA[\w-]{30,40}",
        ("«9d»:AA«33w»", "bot «10d»:AA«33w»"),
        "at 12345678:AAA",
    ),
    _token(
        "json-web-token",
        "A signed web token (JWT)",
        "eyj",
        r"\beyJ[\w-]{8,4096}\.eyJ[\w-]{8,4096}\.[\w-]{10,1024}",
        ("eyJ«20w».eyJ«40w».«43w»", "Bearer eyJ«30w».eyJ«60w».«43w»"),
        "a JWT begins with eyJ",
    ),
    _value(
        "address-password",
        "A password stands in an address.",
        "://",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@<>\"']{0,80}:([^\s/@<>\"']{3,120})@[\w\[]",
        ("postgresql://app:«14w»@db.corp.example:5432/app", "redis://:«20w»@cache:6379"),
        "postgresql://app:$PGPASS@db/app",
        "https://a.example:8443/x@y",
        "ftp://user:<password>@host",
    ),
    _value(
        "authorization-header",
        "Credentials stand in an authorization header.",
        "authorization",
        r"authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:basic|bearer|token|apikey)\s{1,4}([a-z0-9+/=._~-]{12,2048})",
        ("Authorization: Basic «24b»==", "'Authorization': 'Bearer «40w»'"),
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <YOUR_TOKEN>",
        "the Authorization: header is required",
    ),
    _value(
        "command-password",
        "A password stands in a command.",
        "-u --user -p --password sshpass",
        r"\s(?:-u|--user|--proxy-user)[ =]{1,2}[\"']?[\w.@\\-]{1,80}:([^\s\"'<$]{6,120})"
        r"|\s--password[ =]{1,2}[\"']?([^\s\"'<$]{6,120})",
        (
            "curl -u admin:«16w» https://a.example",
            "tool --user=ci:«20w» up",
            "tool --password=«16w»",
            "mysql --password '«20w»' app",
        ),
        "curl -u admin:$PASS https://a.example",
        "docker run -u 100000:100000 app",
        "ssh -p 2222 host",
    ),
    _value(
        "connection-string",
        "A key stands in a connection string.",
        "accountkey sharedaccesskey sharedaccesssignature",
        r"\b(?:accountkey|sharedaccesskey|sharedaccesssignature)\s{0,2}=\s{0,2}([a-z0-9+/%=_-]{30,512})",
        ("AccountName=a;AccountKey=«86b»==;", "SharedAccessKey=«43b»="),
        "AccountKey=<key>",
        "AccountKey=$KEY",
    ),
    _value(
        "assigned-secret",
        "A secret is assigned in quotation marks.",
        "password passwd pwd passphrase secret token key",
        r"(?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key)"
        r"[\"']?\s{0,4}(?::=|=>|[=:])\s{0,4}[\"'`]([^\s\"'`]{12,512})[\"'`]",
        ('password = "«20w»"', "api_key: '«32w»'", '{"token": "«24w»"}'),
        'password: "changeme-changeme-changeme"',
        'token = "<YOUR_TOKEN_HERE_PLEASE>"',
        'key: "Ctrl+Shift+P"',
    ),
    Rule(
        "exported-secret",
        "secret",
        Severity.HARD,
        "A secret is assigned to a variable.",
        hits=("export AWS_SECRET_ACCESS_KEY=«40w»", "API_TOKEN=«32w»"),
        misses=("HF_TOKEN=$OTHER_TOKEN", "CACHE_KEY=linux-node-modules-cache-v", *_PROSE),
        needs=("key=", "token=", "secret=", "password=", "passwd="),
        pattern=r"\b[A-Z][A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)=[\"']?([A-Za-z0-9+/=_.~!@#%^&*-]{16,512})",
        cased=True,
        accept=_is_random,
    ),
)
