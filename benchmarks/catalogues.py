"""Seeded catalogues that look like those of real gateways, and the mixed queries to ask of them.

The shape follows public tool listings: about a dozen tools a connector, names of two to five words in the connector's
own style, descriptions from none at all to several sentences (half of them under 80 characters), and a few parameters
whose names recur. All words are drawn with a long tail. The same seed and size give the same rows on every machine:
only `random.Random.random` is drawn from, whose sequence Python promises, and no power or logarithm is taken.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, count
from pathlib import Path
from typing import NamedTuple, TypeVar

__all__ = ["KINDS", "Query", "Row", "ask", "make", "read"]

T = TypeVar("T")


class Row(NamedTuple):
    """One tool of a catalogue."""

    name: str
    description: str
    connector: str
    parameters: tuple[str, ...]

    @property
    def text(self) -> int:
        """How many characters the tool's texts have."""
        return len(self.name) + len(self.description) + len(self.connector) + sum(map(len, self.parameters))


class Query(NamedTuple):
    """A query, its kind, and whether it names a product that is not connected."""

    text: str
    kind: str
    absent: bool


KINDS = ("name", "phrase", "sentence")


class Draw:
    """Draws from a seed, by nothing but `random()`."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed).random  # a string is hashed by SHA-512, not by the process's hash seed

    def below(self, n: int) -> int:
        return int(self.random() * n)

    def one(self, of: Sequence[T]) -> T:
        return of[self.below(len(of))]

    def tail(self, of: Sequence[T]) -> T:
        """Draw so that the first ones come most often: the k-th as often as 1 / k says."""
        steps = _tail_of(len(of))
        return of[min(bisect_right(steps, self.random() * steps[-1]), len(of) - 1)]

    def chance(self, share: float) -> bool:
        return self.random() < share

    def sample(self, of: Sequence[T], n: int) -> list[T]:
        """Draw `n` different ones, or all."""
        left = list(of)
        for at in range(min(n, len(left))):
            other = at + self.below(len(left) - at)
            left[at], left[other] = left[other], left[at]
        return left[:n]


@lru_cache(maxsize=256)
def _tail_of(n: int) -> list[float]:
    return list(accumulate(1 / k for k in range(1, n + 1)))


# ---- The vocabulary -------------------------------------------------------------------------------------------------

# Products that catalogues connect; labels and prefixes of names come from here first, and are made up after that.
_PRODUCTS = """
GitHub Slack Notion Linear Jira Gmail Asana Stripe HubSpot Salesforce Dropbox Figma Airtable Trello Zendesk Sentry
Discord Intercom Postgres Snowflake MongoDB Kubernetes Cloudflare Vercel Supabase Datadog PagerDuty Grafana Elastic
BigQuery Redis Confluence GitLab Bitbucket Outlook Calendly Typeform Webflow Contentful Sanity Algolia Segment Mixpanel
Amplitude Plaid QuickBooks Xero Brex Ramp Gusto Greenhouse Lever Workday Okta Twilio SendGrid Mailchimp Klaviyo
""".split()
_FIRST = """
Bright Cloud Data Deep Ever Fast Fire Flow Fresh Green Grid High Iron Key Lake Light Live Loop Map Mind Moon Net North
Ocean One Open Peak Pixel Point Prime Pulse Quick Rain River Rock Round Salt Sand Shift Signal Silver Sky Smart Snow
Spark Spring Star Steel Stone Storm Sun Swift Task Team Thunder Tide Time True Urban Vast Wave West Wild Wind Wise Word
""".split()
_SECOND = """
base beam bird board boat book bot box bridge cast chain chat craft deck desk dock drive field flake forge form frame
gate grain guard hive house hub kit lab lane layer ledger lens line link list lock loom mark mart meter mint nest node
pad path pay pilot pipe plan port post press pulse quest rail ramp reach ring room scale scope seed sense sheet shelf
shop signal space spot stack stage station stream suite sync table tap test thread tower track vault view wall ware way
wheel wire works yard zone
""".split()
# Products that no catalogue here connects, for the queries that ask in vain.
_ABSENT = """
Basecamp Wrike Smartsheet Pipedrive Freshdesk Gorgias Bamboohr Rippling Deel Lattice Miro Canva Loom Otter Fathom Gong
Outreach Apollo Zoominfo Clearbit Marketo Pardot Braze Iterable Yotpo Magento Bigcommerce Prestashop Etsy Ebay Wayfair
Expedia Opentable Doordash Instacart Lyft Strava Garmin Fitbit Spotify Soundcloud Twitch Pinterest Tumblr Mastodon
Telegram Whatsapp Wechat Naver Kakao Yandex Baidu Heroku Netlify Railway Linode Hetzner Ovhcloud Bamboo Teamcity
""".split()
_VERBS = """
list get create update delete search add remove set send fetch read find query run upload download export import move
copy archive restore assign invite approve cancel publish merge close reopen schedule start stop retry sync validate
generate convert analyze summarize compare attach detach enable disable lock unlock verify retrieve describe count
subscribe unsubscribe grant revoke rotate purge duplicate rename tag watch submit reject transfer refund charge
""".split()
_NOUNS = """
user issue page message file project task comment event record database table document team channel account customer
order invoice payment report contact workspace repository branch commit pull_request folder label ticket deal lead
campaign list_item webhook job run build deployment environment secret key token role permission group member
organization product price subscription plan coupon refund dispute balance transaction transfer charge card bank_account
budget expense employee department candidate interview offer schedule calendar meeting attendee room booking reminder
note template form field response survey question answer article category collection dataset column row view query
dashboard chart metric alert incident monitor log trace span service host container pod cluster node namespace volume
image snapshot backup bucket object queue topic stream function trigger workflow pipeline step approval policy rule
filter segment audience email thread attachment draft signature notification setting integration connection session
device location address route region zone network subnet firewall domain record_set certificate license release version
milestone sprint epic story board swimlane checklist reaction mention emoji poll file_version comment_reply time_entry
timesheet leave_request payroll benefit asset vendor purchase_order quote contract shipment package warehouse inventory
stock_level variant bundle discount gift_card tax_rate store theme menu asset_group experiment feature_flag cohort
funnel playlist track album episode podcast video caption thumbnail stream_key wallet ledger_entry exchange_rate
""".split()
_EXTRAS = """
by_id all details batch status history draft metadata summary recent members settings archived bulk public default
active custom count usage async v2 for_user permissions content raw
""".split()
_ADJECTIVES = """
new existing specific given current active archived shared public private recent default custom internal linked nested
pending failed open closed assigned unassigned recurring scheduled external primary encrypted historical verified
""".split()
_PARAMETERS = """
id name query limit cursor page title description user_id project_id workspace_id type status start_date end_date filter
sort fields page_size offset url email content body tags path format team_id channel_id file_id parent_id language
includeArchived maxResults orderBy accountId timezone priority assignee dry_run idempotency_key metadata region amount
currency due_date recipients message_id branch owner repo timeout
""".split()
_SECOND_SENTENCES = (
    "Returns the {noun} and its {other}.",
    "Supports filtering by {other} and pagination with a cursor.",
    "Use this when the user asks about a {noun}, its {other} or its status.",
    "Requires permission to read every {other} in the account.",
    "Results are sorted by date, newest first, and limited to 100 {noun}s per call.",
    "The {other} must exist; otherwise an error is returned.",
    "Call this before changing a {noun}, so that the right {other} is used.",
    "Optionally include the {other} of each {noun} in the response.",
    "This does not change any {other}.",
    "Provide the {noun} identifier, not its name or URL (see https://docs.example.com/{noun}).",
)
_STYLES = ("_", "_", "_", "_", "_", "-", "-", "camel", "camel", "SCREAMING", ".")


# ---- Catalogues -----------------------------------------------------------------------------------------------------


def make(size: int, seed: str = "toolrank") -> list[Row]:
    """Make a catalogue of `size` tools."""
    draw = Draw(f"{seed}/{size}")
    rows: list[Row] = []
    labels: set[str] = set()
    while len(rows) < size:
        label = _label(draw, labels)
        prefix = label.split()[0].lower() if draw.chance(0.25) else ""
        style = draw.one(_STYLES)
        nouns = draw.sample(_NOUNS[:60], 2 + draw.below(3)) + draw.sample(_NOUNS, 3 + draw.below(8))
        wanted = min(3 + draw.below(20), size - len(rows))
        names: set[str] = set()
        while len(names) < wanted:
            verb, noun = draw.tail(_VERBS), draw.tail(nouns)
            words = [prefix] if prefix else []
            words += [verb, *noun.split("_")]
            if verb in ("list", "search", "count", "export") or draw.chance(0.1):
                words[-1] += "s"
            if draw.chance(0.3):
                words += draw.tail(_EXTRAS).split("_")
            name = _spell(words, style)
            if name in names:
                nouns = [*nouns, draw.one(_NOUNS)]  # a connector with many tools has many things
                continue
            names.add(name)
            parameters = draw.sample(_PARAMETERS, min(draw.below(7), draw.below(7)))
            rows.append(Row(name, _describe(draw, label, verb, noun, nouns), label, tuple(parameters)))
    return rows


def _label(draw: Draw, labels: set[str]) -> str:
    for attempt in count():
        if len(labels) < len(_PRODUCTS) and draw.chance(0.8):
            label = draw.one(_PRODUCTS)
        else:
            label = draw.one(_FIRST) + draw.one(_SECOND)
        if draw.chance(0.15):
            label += " " + draw.one(("MCP Server", "Official", "Staging", "EU", "Sales", "Engineering", "Personal"))
        if attempt > 3:
            label += f" {1 + draw.below(1000)}"  # a gateway of that many connectors has many accounts of one product
        if label not in labels:
            labels.add(label)
            return label
    raise AssertionError("count() has no end")


def _spell(words: Sequence[str], style: str) -> str:
    if style == "camel":
        return words[0] + "".join(word.capitalize() for word in words[1:])
    return "_".join(words).upper() if style == "SCREAMING" else style.join(words)


def _describe(draw: Draw, label: str, verb: str, noun: str, nouns: Sequence[str]) -> str:
    if draw.chance(0.03):
        return ""
    said = noun.replace("_", " ")
    if draw.chance(0.5):
        said = f"{draw.tail(_ADJECTIVES)} {said}"
    first = f"{verb.capitalize()} {draw.one(('a', 'the', 'every', 'one or more'))} {said}"
    if draw.chance(0.5):
        first += f" {draw.one(('in', 'of', 'from', 'for'))} {draw.one(('a', 'the', 'your'))} {draw.tail(nouns)}"
    if draw.chance(0.4):
        first += f" in {label.split(maxsplit=1)[0]}"
    sentences = [first.replace("_", " ") + "."]
    while draw.chance(0.45) and len(sentences) < 8:
        template = draw.one(_SECOND_SENTENCES)
        sentences.append(template.format(noun=noun, other=draw.tail(nouns).replace("_", " ")))
    return " ".join(sentences)


def read(path: Path) -> tuple[list[Row], int]:
    """Read a catalogue of one JSON object a line; return it and how many rows repeated an earlier identity."""
    rows: list[Row] = []
    seen: set[tuple[str, str]] = set()
    repeated = 0
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            if not line.strip():
                continue
            tool = json.loads(line)
            label, name = tool.get("connector") or "", tool["name"]
            if (label, name) in seen:
                repeated += 1
                continue
            seen.add((label, name))
            schema = tool.get("input_schema") or tool.get("inputSchema") or {}
            parameters = schema.get("properties") if isinstance(schema, dict) else None
            rows.append(Row(name, tool.get("description") or "", label, tuple(parameters or ())))
    return rows, repeated


# ---- Queries --------------------------------------------------------------------------------------------------------

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SYNONYMS = {
    "list": ("get", "fetch", "list_all"),
    "get": ("retrieve", "fetch", "read"),
    "create": ("add", "new", "make"),
    "update": ("edit", "modify", "set"),
    "delete": ("remove", "destroy"),
    "search": ("find", "query", "lookup"),
    "send": ("post", "write"),
}
_SENTENCES = (
    "Can you {verb} the {noun} for {product}?",
    "I need to {verb} {noun} in my {product} account before tomorrow",
    "Please {verb} all {noun} that were {more} last week and send them to me",
    "What {noun} do we have with {more}, and who changed them?",
    "{verb} the {noun} named Q3 planning, then tell me its {more}",
    "How do I {verb} a {noun} by {more} from {product}",
)


def ask(rows: Sequence[Row], wanted: int = 200, seed: str = "toolrank") -> list[Query]:
    """Make mixed queries for a catalogue: guessed names, short phrases, sentences; a third name absent products."""
    draw = Draw(f"{seed}/queries/{len(rows)}")
    known = {word.lower() for row in rows for word in _WORDS.findall(f"{row.connector} {row.name}")}
    absent = [product for product in _ABSENT if product.lower() not in known]
    queries: list[Query] = []
    for at in range(wanted):
        kind, vain = KINDS[at % 3], (at // 3) % 3 == 2
        row = draw.one(rows)
        ours = (_WORDS.findall(row.connector) or ["our"])[0]
        words = [word.lower() for word in _WORDS.findall(row.name)] or ["search"]
        if len(words) > 1 and words[0] == ours.lower():
            del words[0]
        product = draw.one(absent) if vain else ours
        maker = {"name": _guessed, "phrase": _phrase, "sentence": _sentence}[kind]
        queries.append(Query(maker(draw, words, row, product, vain), kind, vain))
    return queries


def _guessed(draw: Draw, words: list[str], _row: Row, product: str, vain: bool) -> str:
    verb, rest = words[0], words[1:]
    if draw.chance(0.5):
        verb = draw.one(_SYNONYMS.get(verb, (verb,)))
    if vain or draw.chance(0.4):
        rest = [product.lower(), *rest]
    if len(rest) > 2 and draw.chance(0.3):
        rest = rest[:-1]
    name = _spell([*verb.split("_"), *rest], draw.one(("_", "_", "_", "camel", "-")))
    return f"mcp__{product.lower()}__{name}" if draw.chance(0.1) else name


def _phrase(draw: Draw, words: list[str], _row: Row, product: str, vain: bool) -> str:
    said = words[:1] * draw.chance(0.6) + words[1:3]
    said = said or words
    if vain or draw.chance(0.4):
        said = [product, *said] if draw.chance(0.5) else [*said, product]
    return " ".join(said)


def _sentence(draw: Draw, words: list[str], row: Row, product: str, vain: bool) -> str:
    prose = [word.lower() for word in _WORDS.findall(row.description) if len(word) > 4] or ["details"]
    template = draw.one([t for t in _SENTENCES if not vain or "{product}" in t])
    said = template.format(verb=words[0], noun=" ".join(words[1:3]) or words[0], product=product, more=draw.one(prose))
    return said[0].upper() + said[1:]
