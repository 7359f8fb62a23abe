"""Golden answers: a few hundred queries, each with the whole answer, for every Python, machine, locale and hash seed.

A *book* is one pool and its questions. Some pools are the saved listings of `docs/examples`; the others are made by
code whose random numbers are its own, so they are the same wherever it runs. The answers were written by
`python -m tests.golden` from the plain statement of the rule in `tests/reference.py`, and the engine must give the
same files byte for byte: the files are where all versions meet.

A change of these files is a change of ranking, and belongs in the changelog.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from toolrank import Floor, Pool, Ranking, Tool, rank

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER.parent.parent / "docs" / "examples"


class Question(NamedTuple):
    """A query, the connectors that the caller may see (None: all), how many hits at most, and the floor's share."""

    query: str
    only: tuple[str, ...] | None = None
    limit: int | None = 10
    share: str = "1/2"


class Book(NamedTuple):
    name: str
    tools: list[Tool]
    questions: list[Question]
    generated: bool


# What gives the answer to one question of a book, ready for JSON.
Answerer = Callable[[Question], dict[str, Any]]


# ---- Numbers ---------------------------------------------------------------------------------------------------------


class Dice:
    """Random numbers by a formula of our own: those of the standard library may differ between versions.

    The generator is Knuth's for MMIX; its upper half is used, because its lowest bits have short periods.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, n: int) -> int:
        self._state = (6364136223846793005 * self._state + 1442695040888963407) % (1 << 64)
        return (self._state >> 32) % n

    def one_of(self, choices: Sequence[Any]) -> Any:
        return choices[self.below(len(choices))]

    def some_of(self, choices: Sequence[Any], least: int, most: int) -> list[Any]:
        return [self.one_of(choices) for _ in range(least + self.below(most - least + 1))]

    def shuffled(self, things: Sequence[Any]) -> list[Any]:
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


# ---- Saved listings --------------------------------------------------------------------------------------------------


def listing(path: Path) -> list[Tool]:
    """Read a saved tools/list result of any shape; the file's stem is the connector's label."""
    found = json.loads(path.read_text(encoding="utf-8"))
    while isinstance(found, dict):
        found = found["result"] if "result" in found else found["tools"]
    tools = []
    for definition in found:
        hints = definition.get("annotations", {})
        tools.append(
            Tool(
                definition["name"],
                definition.get("description"),
                path.stem,
                definition.get("title"),
                tuple(definition["inputSchema"]["properties"]),
                hints.get("readOnlyHint"),
                hints.get("destructiveHint"),
            )
        )
    return tools


NOTION_QUERIES = """
list_all_cal_com_schedules
list all users
list_all_users
notion users
who is the bot user
retrieve a page
page
a page
get the page
pages
create a database
create_a_database create_a_page
select:create_a_database,create_a_page,archive_a_page,delete_a_block,update_a_block,query_a_database
delete the page
put a page into the bin
restore an archived page
query database rows
filter and sort a database
search
search by title
title search
retrievePagePropertyItem
retrieve_a_page_property_item
updatePageProperties
block children
append text to a page
the
what is it
+page retrieve
+page +database create
+block delete a page
+calendar create a page
notion
notion page
mcp__notion__retrieve_a_page
mcp retrieve_a_page
page_size
propert
proper
databases and blocks
create github issue
slack_post_message
send an email
identify the identifier
""".strip("\n").splitlines()

BLANK = ("", " \u3000", "select:", "+ !? --", "\u200b", "\ud800", "\x00")

ACCOUNT_QUERIES = """
list_issues
list issues
linear list_issues
github__list_issues
mcp__linear__list_issues
create an issue
create issue in linear
createIssue
create_issue,create_invoice,create_refund
open a pull request
merge pull request
mergePullRequest
list_pull_requests
pull requests
search code
search the documentation
stripe docs
search_stripe_documentation
refund a payment
create_refund
refunds
cancel subscription
cancel the subscriptions
delete event
delete
delete file
delete the calendar event
calendar
google calendar events
list-events
list events
free busy
freebusy
freeBusy
what is the time now
post a message
slack message
slack_post_message
send a slack message to a channel
reply in thread
user profile
users
list users
get me
me
github
GitHub
GITHUB repos
repo
repos
repository
commit
commits
list comments
commenting
comment on the issue
+linear comment
+github +issue list
+slack users
+notion list
+stripe
update_dispute
dispute
customer invoice
invoice item
list_all_cal_com_schedules
notion pages
create page in notion
shopify orders
list shopify products
gitee issues
jira_create_issue
send email with gmail
create zoom meeting
set
set the label
connection
tool
mcp
tools for labels
label
labels and statuses
list
create
search
workflow run
run_workflow
latest release
getLatestRelease
releases and tags
get_commit get_issue get_project get-event
漢字検索
créer
list\u200b_issues
ＬＩＳＴ issues
""".strip("\n").splitlines()

ACCOUNT_VIEWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("list_issues", ("github",)),
    ("list_issues", ("slack", "stripe")),
    ("create issue", ("linear", "slack")),
    ("list", ("stripe",)),
    ("users", ("slack",)),
    ("comment", ("github",)),
    ("comment", ("linear",)),
    ("calendar events", ("google-calendar",)),
    ("calendar events", ("github", "linear")),
    ("GitHub", ("linear",)),
    ("+issue list", ("stripe", "slack")),
    ("the", ()),
    ("list_issues", ()),
    ("search documentation", ("linear", "stripe")),
)


def notion() -> Book:
    tools = listing(EXAMPLES / "notion.json")
    questions = [Question(query) for query in [*NOTION_QUERIES, *BLANK, *(tool.name for tool in tools)]]
    questions += [Question("list_all_cal_com_schedules", limit=None, share=share) for share in ("0", "1/5", "1/4", "1")]
    return Book("notion", tools, questions, generated=False)


def account() -> Book:
    tools = [tool for path in sorted((EXAMPLES / "account").glob("*.json")) for tool in listing(path)]
    questions = [Question(query) for query in ACCOUNT_QUERIES]
    questions += [Question(query, only) for query, only in ACCOUNT_VIEWS]
    dice = Dice(88)
    for tool in dice.shuffled(tools)[:30]:
        words = tool.description.split()
        start = dice.below(max(1, len(words) - 3))
        questions.append(Question(" ".join(words[start : start + 3])))
    for tool in dice.shuffled(tools)[:15]:
        questions.append(Question(f"mcp__{tool.connector}__{tool.name}", limit=3))
    return Book("account", tools, questions, generated=False)


def by_hand() -> Book:
    """Give a pool and questions in which seldom things happen, that neither the listings nor chance have."""
    tools = [
        Tool("z_GitHub", "The user's code."),
        Tool("b_c_github"),
        Tool("news_feed", "The latest."),
        Tool("new_feed", "Another one."),
        Tool("hooks_project_a"),
        Tool("a_project_b", "hook"),
        Tool("delete_file", destructive=False),
        Tool("move_file"),
        Tool("zip_file", destructive=True),
        Tool("select_rows", "user's rows", "Base"),
        Tool("select_rows", "user's rows", "Base", payload=1),
        Tool("drop_file", read_only=True),
        Tool("view_file", read_only=True),
        Tool("dont_ask", "Don't ask."),
    ]
    queries = (
        *(
            "",
            "!?",
            "github",
            "news",
            "new feed",
            "news feeds",
            "project +hook",
            "file",
            "user's",
            "users",
            "don't ask",
        ),
        *(
            "select:rows",
            "rows select:base",
            "rows",
            "base rows",
            "feed select:x",
            "GitHub +code",
            "mcp__Base__select_rows",
        ),
    )
    questions = [Question(query, only, None) for query in queries for only in (None, ("",), ())]
    return Book("by-hand", tools, questions, generated=True)


# ---- Generated pools -------------------------------------------------------------------------------------------------

VERBS = ("list", "get", "create", "delete", "remove", "update", "set", "add", "search", "Find", "do", "a")
NOUNS = (
    *("issue", "issues", "repo", "repository", "GitHub", "github", "git", "hub", "address", "add", "person", "user's"),
    *("URLs", "url", "getURLInfo", "S3", "v2API", "OAuth2", "shop", "shopify", "click", "clickup", "calendar", "cal"),
    *("settings", "set", "connection", "queries", "query", "news", "new", "planet", "plan", "planning", "box", "boxes"),
    *(
        "漢字",
        "検索",
        "漢字検索",
        "カレンダー",
        "검색",
        "поиск",
        "ПоискКода",
        "straße",
        "STRASSE",
        "café",
        "cafe\u0301",
    ),
    *("ﬁle", "file", "x\u200by", "xy", "i\u0307", "İ", "I", "ı", "1", "2FA", "the", "tool", "mcp", "\ud800", "é\u0323"),
)
LABELS = ("", "", "GitHub", "git hub", "github", "Notion", "mcp", "Shop", "カレンダー", "set up")
PROSE = (
    "<b>",
    "</b>",
    "https://github.com/issue",
    "of",
    "the",
    "frozen",
    "don't",
    "Connection",
    "sets",
    ",",
    ".",
    "<",
    ">",
)
JOINS = ("_", "_", "_", "-", ".", "__", "/", "camel", "")
GLUE = (" ", " ", " ", "_", ", ", ";", "")


def _spell(words: Sequence[str], join: str) -> str:
    if join == "camel":
        return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
    return join.join(words)


def _generated(number: int) -> Book:
    dice = Dice(1000 + number)
    nouns = dice.shuffled(NOUNS)[: 6 + dice.below(8)]
    labels = dice.shuffled(LABELS)[:3]
    tools: list[Tool] = []
    for _ in range((1, 2, 5, 9, 14, 20)[number % 6]):
        words = [*dice.some_of(VERBS, 0, 1), *dice.some_of(nouns, 1, 3)]
        tool = Tool(
            _spell(words, dice.one_of(JOINS)),
            " ".join(dice.some_of([*nouns, *PROSE], 0, 7)),
            dice.one_of(labels),
            _spell(dice.some_of(nouns, 1, 2), "camel") if dice.below(4) == 0 else "",
            tuple(dice.some_of(nouns, 0, 2)),
            dice.one_of((None, None, True, False)),
            dice.one_of((None, None, True, False)),
        )
        if tool.identity not in {other.identity for other in tools}:
            tools.append(tool)
            if dice.below(5) == 0:  # one name in two connectors, told apart by the last keys alone
                other = Tool(tool.name, tool.description, "Another", tool.title, tool.parameters)
                if other.identity not in {one.identity for one in tools}:
                    tools.append(other)
    return Book(f"generated-{number:02}", tools, list(_questions(dice, tools, nouns)), generated=True)


def _questions(dice: Dice, tools: Sequence[Tool], nouns: Sequence[str]) -> Iterator[Question]:
    labels = sorted({tool.connector for tool in tools})
    for _ in range(14):
        pieces: list[str] = []
        for _ in range(1 + dice.below(3)):
            tool = dice.one_of(tools)
            pieces.append(
                dice.one_of(
                    (
                        dice.one_of(nouns),
                        dice.one_of(nouns),
                        dice.one_of(nouns).lower() + "s",
                        dice.one_of(VERBS),
                        dice.one_of(NOUNS),
                        dice.one_of(nouns)[:4],
                        tool.name,
                        f"{tool.connector}__{tool.name}",
                        "+" + dice.one_of(nouns),
                        dice.one_of(("unheard", "of", "x")),
                    )
                )
            )
        query = dice.one_of(GLUE).join(pieces)
        yield Question(
            dice.one_of(("", "", "", "", "", "select:", "mcp ")) + query,
            tuple(label for label in labels if dice.below(4)) if dice.below(4) == 0 else None,
            dice.one_of((10, None, None, 2)),
            dice.one_of(("1/2", "1/2", "1/2", "0", "1/3", "2/3", "1")),
        )


def books() -> list[Book]:
    return [notion(), account(), by_hand(), *map(_generated, range(18))]


# ---- Answers ---------------------------------------------------------------------------------------------------------


def engine(tools: Sequence[Tool]) -> Answerer:
    """Answer by the engine: one pool, restricted for each caller."""
    pool = Pool(tools)

    def answer(question: Question) -> dict[str, Any]:
        only = question.only
        view = pool if only is None else pool.restrict(lambda tool: tool.connector in only)
        return _told(rank(question.query, view, question.limit, floor=Floor(question.share)))

    return answer


def _told(answer: Ranking) -> dict[str, Any]:
    return {
        "reason": answer.reason.value,
        "words": list(answer.query_words),
        "required": list(answer.required),
        "unmatched": list(answer.unmatched),
        "withheld": answer.withheld,
        "total": answer[0].total if answer else None,
        "hits": [[hit.tool.connector, hit.tool.name, hit.score, hit.covered, hit.named] for hit in answer],
        "fields": [[list(word.fields) for word in hit.words] for hit in answer[:3]],
    }


def share_of(question: Question) -> Fraction:
    return Fraction(question.share)


def text_of(book: Book, answer: Answerer) -> str:
    """Write one book as it stands in its file: a line for each tool and for each question."""
    lines = [f'{{"about": "Written by python -m tests.golden from tests/reference.py.", "book": {_line(book.name)},']
    if book.generated:
        lines += ['"tools": [', ",\n".join(_line(_fields(tool)) for tool in book.tools), "],"]
    lines += ['"answers": [', ",\n".join(_line({**_asked(q), **answer(q)}) for q in book.questions), "]}"]
    return "\n".join(lines) + "\n"


def _asked(question: Question) -> dict[str, Any]:
    only = None if question.only is None else list(question.only)
    return {"query": question.query, "only": only, "limit": question.limit, "share": question.share}


def _fields(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "connector": tool.connector,
        "title": tool.title,
        "parameters": list(tool.parameters),
        "read_only": tool.read_only,
        "destructive": tool.destructive,
    }


def _line(value: Any) -> str:
    return json.dumps(value)


def path_of(book: Book) -> Path:
    return FOLDER / f"{book.name}.json"
