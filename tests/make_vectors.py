"""Make the test vectors under toolrank/vectors from the plain statement of the rule, tests/reference.py.

    python -m tests.make_vectors           write the files
    python -m tests.make_vectors --check   exit with 1 where a file is not what would be written

What goes in is stated here; what comes out is computed by the reference, never by the engine. Nothing is random: tools
and queries are put together by counting, so that every Python writes the same bytes.
"""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests import reference
from toolrank import Tool

FOLDER = Path(__file__).parent.parent / "toolrank" / "vectors"

FORMAT = 1
"""Raised where a reader of the files would have to be changed."""

RULE = 1
"""Raised where any vector changes its answer; the changelog tells which."""

TEXTS = (
    *("", " ", "!!!", "list_all_notion_users", "listS3Objects", "addPerson", "getURLInfo", "getURLs", "URLsFor"),
    *("GitHub", "gitHub", "IDs", "iOS", "OAuth2", "oauth2", "v2API", "2FA", "EC2 instance", "create-issue.v2"),
    *("don't", "DON\u2019T", "user's", "USER'S", "users'", "O\u2019Brien", "'s", "a''b", "rock 'n' roll"),
    *("stra\u00dfe", "STRASSE", "cafe\u0301", "caf\u00e9", "E\u0301cole", "\ufb01le", "\uff21dd", "\u0130", "x\u0331Y"),
    *("lis\u200bt", "Git\u00adHub", "git\ufe0fhub", "\u202elist", "l\U000e0100ist", "\U000e0061dd", "\ufeff"),
    *("\u6f22\u5b57\u691c\u7d22", "\u6f22", "\u30ab\u30ec\u30f3\u30c0\u30fc", "\u304b\u3099", "\uac80\uc0c9"),
    *("GitHub\u6f22\u5b57", "\u6f22s\u5b57", "\u3005", "\u6f22\u0301\u5b57", "\u043f\u043e\u0438\u0441\u043a"),
    *("a <b>bold</b> word", "<a href='issue'>x</a>", "a < b > c", "a <b", "<!-- list -->", "<?set?>", "<\u00e9>"),
    *("see https://example.com/list_all for more", "(HTTPS://repo) next", "http://", "xhttp://url]y", "http:/list"),
    *("the settings of a Set", "queries and movies", "1\u0663\u2167", "a\u20dd", "mcp__github__list_issues"),
)

STEMS = (
    "query queries company companies movie movies create creating created creates address addresses list lists "
    "listing listed cache caches new news plan plans planet planning planned box boxes class classes status alias "
    "canvas atlas lens series species issue issues tie ties copy copied copies copying type typed typing using "
    "use used bus gas is as his this pass passed passing fall falling fell fill filled buzz buzzing map mapped "
    "mapping ship shipped add added adding agreed feed need needed being see seeing free freed day days play "
    "played boy key keys sky try tries trying cry fly dishes wishes matches taxes axes does goes shoes toes be he "
    "she the rate rated rating run running set sets setting settings s ss us ing ed ied es ies xes shes id ids "
    "api apis caf\u00e9s \u043f\u043e\u0438\u0441\u043a\u0438 2fas "
).split()

COUNTS = (1, 2, 3, 4, 5, 7, 10, 30, 31, 90, 100, 500, 1000, 4095, 4096, 10_000, 65_535, 1_000_000)


def words() -> Iterator[dict[str, Any]]:
    """Each text, as a name and as a description."""
    for text in TEXTS:
        for kind in ("name", "description"):
            found = [
                {
                    "parts": [{"typed": part.typed, "stem": part.stem} for part in run.parts],
                    "joined": run.joined and {"typed": run.joined.typed, "stem": run.joined.stem},
                }
                for run in reference.runs(text, kind)
            ]
            yield {"text": text, "kind": kind, "runs": found}


def stems() -> Iterator[dict[str, Any]]:
    for word in STEMS:
        yield {"typed": word, "stem": reference.stem(word)}


def masses() -> Iterator[dict[str, Any]]:
    for n in COUNTS:
        for df in sorted({0, 1, 2, 3, n // 3, n // 2, n - 1, n}):
            if 0 <= df <= n:
                yield {"n": n, "df": df, "mass": reference.mass(n, df)}


# ---- Whole answers --------------------------------------------------------------------------------------------------

NOTION = (
    Tool("list_all_notion_users", "List all users of the workspace.", "Notion", read_only=True),
    Tool("retrieve_a_page", "Retrieve a page by its id.", "Notion", parameters=["page_id"], read_only=True),
    Tool("update_page", "Change the properties of a page.", "Notion", parameters=["page_id", "properties"]),
    Tool("delete_page", "Move a page to the trash.", "Notion"),
    Tool("create_a_database", "Create a database in a page.", "Notion", "Create database", ["parent", "title"]),
    Tool("query_database", "Query a database with a filter.", "Notion", read_only=True),
    Tool("set_connection", "Set a frozen connection.", "Notion", destructive=False),
)
MANY = (
    *NOTION[:3],
    Tool("list_issues", "List the issues of a repository.", "GitHub", parameters=["owner", "repo"], read_only=True),
    Tool("list_issues", "List the issues of a team.", "Linear", parameters=["teamId"], read_only=True),
    Tool("mcp__github__create_issue", "Open an issue.", "GitHub", parameters=["owner", "repo", "title"]),
    Tool("deleteIssue", "Delete an issue for good.", "Linear", destructive=True),
    Tool("purgeIssueCache", "Empty the cache.", "Linear"),
    Tool("getURLs", "All the URLs; see <b>https://example.com/issues</b>.", "Web tools"),
    Tool("github.search-repositories", "Search GitHub.", "GitHub", "Search repositories"),
    Tool("add_address", "Add an address to a person's card.", "ClickUp"),
    Tool("addPerson", None, "ClickUp"),
    Tool("\u691c\u7d22", "\u6f22\u5b57\u3092\u691c\u7d22\u3059\u308b", "\u30ab\u30ec\u30f3\u30c0\u30fc"),
    Tool("", "A tool without a name."),
)
QUERIES = (
    *("", "   ", "!!!", "the", "my tool", "list_all_cal_com_schedules", "list all notion users", "notion users"),
    *("page", "pages", "the page", "get a page", "update_page", "delete_page, update_page; query_database"),
    *("select:update_page,delete_page", "select:", "mcp__notion__update_page", "mcp update page", "Notion update_page"),
    *("+page", "+page create", "page +calendar", "+page page", "++page", "+the page", "create +database title"),
    *("set", "settings", "connection frozen", "frozen page", "query", "queries database", "retrieving pages"),
    *("issue", "issues", "list_issues", "list-issues", "listIssues", "Linear list_issues", "github issue"),
    *("create github issue", "search repo", "repos", "repository", "gitHub", "GitHub search", "git", "hub"),
    *("add", "address", "add person", "addPerson", "addperson", "urls", "getURLs", "get urls", "clickup", "click"),
    *(
        "delete issue",
        "purge issue",
        "purge issue cache",
        "\u691c\u7d22",
        "\u6f22\u5b57",
        "\u30ab\u30ec\u30f3\u30c0\u30fc",
    ),
    *("page id", "team id", "page_id owner", "lis\u200bt iss\u00adues", "LIST ISSUES", "user's page", "e-mail archive"),
    *("page unknownword", "create page unknownword otherunknown", "database page filter trash", "a", "i", "+a"),
)
LIMITED = (("page", 1), ("issue", 2), ("list", 3), ("notion", None))


def told(tool: Tool) -> dict[str, Any]:
    fields = ("name", "description", "connector", "title")
    hints = {"read_only": tool.read_only, "destructive": tool.destructive}
    return {**{field: getattr(tool, field) for field in fields}, "parameters": list(tool.parameters), **hints}


def counted_pools() -> Iterator[tuple[str, Sequence[Tool]]]:
    """Make small pools of few words by counting, where ties, prefixes and exact halves are the rule."""
    few = ("git", "github", "gitHub", "repo", "repository", "list", "lists", "add", "address", "set")
    for number in range(60):
        at = [number * step + step // 2 for step in (3, 7, 11, 13, 17)]
        names = [
            f"{few[at[0] % 10]}_{few[at[1] % 10]}",
            few[at[2] % 10] + few[at[3] % 10].capitalize(),
            few[(at[4] + 1) % 10],
        ]
        tools = [
            Tool(name, " ".join([few[(place + number) % 10], few[at[place] % 10]]), ("", "git", "Acme")[number % 3])
            for place, name in enumerate(names)
        ]
        yield f"{few[number % 10]} {few[(number // 2 + 5) % 10]}", list({tool.name: tool for tool in tools}.values())


def asked() -> Iterator[tuple[str, Sequence[Tool], int | None]]:
    for query in QUERIES:
        yield query, NOTION, 10
        yield query, MANY, 10
    for query, limit in LIMITED:
        yield query, MANY, limit
    yield "page", (), 10
    for query, tools in counted_pools():
        yield query, tools, 10


def answers() -> Iterator[dict[str, Any]]:
    for query, tools, limit in asked():
        answer = reference.rank(query, tools, limit)
        places = {id(tool): place for place, tool in enumerate(tools)}
        yield {
            "query": query,
            "limit": limit,
            "tools": [told(tool) for tool in tools],
            "reason": answer.reason,
            "query_words": answer.query_words,
            "required": answer.required,
            "unmatched": answer.unmatched,
            "withheld": answer.withheld,
            "hits": [
                {
                    "tool": places[id(hit.tool)],
                    "score": hit.score,
                    "covered": hit.covered,
                    "total": hit.total,
                    "named": hit.named,
                    "words": [
                        {
                            "word": match.typed,
                            "mass": match.mass,
                            "fields": list(match.fields),
                            "score": match.score,
                            "weighs": match.weighs,
                        }
                        for match in hit.words
                    ],
                }
                for hit in answer.hits
            ],
        }


def pools_apart(vectors: list[dict[str, Any]]) -> dict[str, Any]:
    """Say each pool once: an answer names it by its place."""
    pools: list[Any] = []
    for vector in vectors:
        tools = vector.pop("tools")
        if tools not in pools:
            pools.append(tools)
        vector["pool"] = pools.index(tools)
    return {"pools": pools, "vectors": vectors}


@cache
def files() -> dict[str, str]:
    """Give the text of every file, by its name."""
    kinds = {"words": words, "stems": stems, "masses": masses}
    contents: dict[str, dict[str, Any]] = {kind: {"vectors": list(make())} for kind, make in kinds.items()}
    contents["answers"] = pools_apart(list(answers()))
    return {f"{kind}.json": written(kind, content) for kind, content in contents.items()}


def written(kind: str, content: dict[str, Any]) -> str:
    """Write one vector a line, so that a change is read as a change of that vector."""
    lines = [f'"format": {FORMAT}', f'"rule": {RULE}', f'"kind": "{kind}"']
    for key, values in content.items():
        rows = ",\n".join(json.dumps(value, ensure_ascii=True) for value in values)
        lines.append(f'"{key}": [\n{rows}\n]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: Sequence[str]) -> int:
    stale = []
    for name, text in files().items():
        path = FOLDER / name
        if arguments == ["--check"]:
            if not path.exists() or path.read_text("utf-8") != text:
                stale.append(name)
        else:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
    print(f"not as they would be written: {', '.join(stale)}" if stale else f"{len(files())} files")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
