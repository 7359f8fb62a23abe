"""Whole orders, each with its reasons, and which words match what.

An order is written as the tools stand in the answer, a reason beside each. Every order is asked of the pool as written,
reversed and rotated, with every limit, and with weights that are equal to those given but not the same object: nothing
here can hold by the order in which a pool was given, nor by what an engine does for the usual weights alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings

from tests.strategies import Case, cases
from toolrank import HALF, WEIGHTS, Floor, Pool, Ranking, Tool, Weights, explain, rank

ANY = Floor(0)  # for tests about matching: whatever covers a word is returned


def check_order(
    query: str,
    expected: Sequence[Tool],
    others: Sequence[Tool] = (),
    *,
    floor: Floor = HALF,
    weights: Weights = WEIGHTS,
) -> None:
    """Hold an answer to these tools in this order, `others` being in the pool and not in the answer."""
    given = [*expected, *others]
    for tools in (given, given[::-1], given[1:] + given[:1]):
        pool = Pool(tools)
        for limit in (None, *range(1, len(given) + 1)):
            assert rank(query, pool, limit, floor=floor, weights=weights).tools == list(expected)[:limit]
            assert rank(query, pool, limit, floor=floor, weights=weights.__replace__()).tools == list(expected)[:limit]
        for at, tool in enumerate(expected, 1):
            assert explain(query, pool, tool, floor=floor, weights=weights).position == at
        for tool in others:
            assert explain(query, pool, tool, floor=floor, weights=weights).position is None


def score_of(query: str, *tools: Tool, weights: Weights = WEIGHTS) -> int | None:
    """Give the score of the first tool in the pool of them all, None where it covers nothing."""
    hits = [hit for hit in rank(query, Pool(tools), None, floor=ANY, weights=weights) if hit.tool == tools[0]]
    return hits[0].score if hits else None


def fields_of(query: str, *tools: Tool) -> list[tuple[str, ...]]:
    """Give the fields in which each word of the query scores on the first tool."""
    return [word.fields for word in explain(query, Pool(tools), tools[0]).words]


# ---- What each field scores ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "score"),
    [
        (Tool("github"), 5),
        (Tool("list_github_repos"), 5),
        (Tool("listGitHub"), None),  # split and joined whole: list, git, hub, listgithub
        (Tool("list_GitHub"), 5),  # joined
        (Tool("githubs"), 5),  # by stem
        (Tool("githubber"), 3),
        (Tool("x", connector="github"), 2),
        (Tool("x", connector="My GitHub account"), 2),
        (Tool("x", "About GitHub."), 1),
        (Tool("x", title="GitHub"), 1),
        (Tool("x", parameters=("user", "githubToken", "github_id")), 1),
        (Tool("x", "GitHub github, github!", title="GitHub", parameters=("github",)), 1),  # once within a field
        (Tool("github_github_githubber"), 5),  # a name and not also a prefix
        (Tool("githubber_githubbery"), 3),
        (Tool("github", "GitHub", "GitHub", "GitHub", ("github",)), 8),  # the fields add up
        (Tool("githubber", "GitHub", "GitHub"), 6),
        (Tool("x", "githubber", "githubber", "githubber", ("githubber",)), None),  # a prefix is for names alone
        (Tool("x"), None),
    ],
)
def test_a_word_scores_five_three_two_and_one(tool: Tool, score: int | None) -> None:
    assert score_of("github", tool) == score


def test_a_score_is_the_sum_over_distinct_words() -> None:
    tool = Tool("create_issue", "Create an issue.", connector="Linear")
    assert score_of("create issue linear", tool) == 6 + 6 + 2
    assert score_of("create create created issues issue", tool) == 6 + 6
    assert fields_of("create issue linear other", tool) == [
        ("name", "description"),
        ("name", "description"),
        ("connector",),
        (),
    ]


# ---- Prefixes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "name", "score"),
    [
        ("rep", "repository", 3),  # a query word may be any prefix of three characters or more
        ("re", "repository", None),
        ("repository", "rep", None),
        ("repositor", "repositoriums", 3),
        ("abcdefgh", "abcdefg", 3),  # seven of eight
        ("abcdefgh", "abcdef", None),  # six of eight is three quarters, and not more
        ("abcdefg", "abcdef", 3),
        ("abcdz", "abcd", 3),
        ("abcd", "abc", None),
        ("shopify", "shop", None),
        ("clickup", "click", None),
        ("gitee", "git", None),
        ("shop", "shopify", 3),
        ("github", "gith", None),
        ("gith", "GitHub", 3),  # a joined form is a word of the name
        ("calendars", "calendar", 5),  # by stem, no prefix
        ("comments", "commented", 5),
        ("commit", "comment", None),
        ("планета", "планет", 3),  # of any script
        ("v2x", "v2x1", 3),
        ("漢字", "漢字検索", 5),
        ("漢", "漢字", None),  # one character
        ("created", "creat", 5),
        ("create", "creation", 3),  # on stems: creat
        ("queries", "queried", 5),  # queri both
    ],
)
def test_a_word_and_a_name_word_that_begin_alike_score_three(word: str, name: str, score: int | None) -> None:
    assert score_of(word, Tool(name)) == score


def test_a_word_that_some_visible_name_has_exactly_gets_no_prefix_matches() -> None:
    address, person = Tool("find_address"), Tool("add_person")
    assert score_of("add", address) == 3
    assert score_of("add", address, person) is None
    assert score_of("add", address, Tool("addPerson")) is None
    assert score_of("addperson", Tool("addpersons_now"), Tool("addPerson")) == 5
    assert score_of("addper", Tool("addPerson")) == 3
    assert score_of("add", address, Tool("x", "add", "add", "add", ("add",))) == 3  # names alone stop prefixes
    view = Pool([address, person]).restrict(lambda tool: tool == address)
    assert [hit.score for hit in rank("add", view)] == [3]


def test_a_joined_form_of_some_name_stops_prefixes_too() -> None:
    assert score_of("github", Tool("githubber"), Tool("GitHub")) is None


# ---- Stop words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "score"),
    [
        (Tool("x", "set it"), None),
        (Tool("x", "Set it"), None),
        (Tool("x", "it is SET"), None),
        (Tool("x", title="Set"), None),
        (Tool("x", parameters=("set",)), None),
        (Tool("x", parameters=("setValue",)), None),  # the part `set`
        (Tool("x", "settings"), 1),  # its stem is set, as typed it is not stopped
        (Tool("x", "set the sets"), 1),
        (Tool("set_x"), 5),  # never in a name
        (Tool("x", connector="set"), 2),  # nor in a label
        (Tool("set_x", "set", "set"), 7),
    ],
)
def test_a_stop_word_matches_no_description_where_it_stands_as_typed(tool: Tool, score: int | None) -> None:
    assert score_of("set", tool) == score


def test_a_stop_word_counts_towards_document_frequency_where_it_stands() -> None:
    tools = [
        Tool("set_a"),
        Tool("b", "set"),
        Tool("c", title="set"),
        Tool("d", parameters=["set"]),
        Tool("e", "", "set"),
    ]
    (word,) = explain("set", Pool([*tools, Tool("f")]), tools[0]).words
    assert word.df == 5


def test_a_stop_word_in_a_query_weighs_next_to_nothing() -> None:
    frozen = [Tool(f"do_{letter}{letter}", "A frozen tool.") for letter in "abcdefgh"]
    check_order("frozen aa", frozen[:1], frozen[1:])
    assert rank("frozen zz", Pool(frozen)).tools == []


# ---- Document frequency --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tools", "df"),
    [
        ([Tool("issue"), Tool("x", "issue"), Tool("y", connector="issue"), Tool("z", title="issue")], 4),
        ([Tool("issue", "issue", "issue")], 1),  # a tool counts once, not a field
        ([Tool("issues"), Tool("x", "issued")], 2),  # by stem
        ([Tool("issuer"), Tool("issuance")], 2),  # by prefix of the stem `issu`
        ([Tool("issue"), Tool("issuer")], 1),  # no prefixes beside an exact name
        ([Tool("x")], 0),
    ],
)
def test_document_frequency_counts_visible_tools(tools: list[Tool], df: int) -> None:
    (word,) = explain("issue", Pool(tools), tools[0]).words
    assert word.df == df


# ---- Joined forms --------------------------------------------------------------------------------------------------


def test_a_split_run_of_a_query_is_its_joined_form_where_some_visible_field_has_that() -> None:
    for field in ({"description": "github"}, {"connector": "github"}, {"title": "github"}, {"parameters": ["github"]}):
        pool = Pool([Tool("git_hub"), Tool("x", **field)])
        assert rank("GitHub", pool).query_words == ("github",)
        assert rank("GitHub", pool.restrict(lambda tool: tool.name == "git_hub")).query_words == ("git", "hub")
    assert rank("GitHub", Pool([Tool("GitHub")])).query_words == ("github",)
    assert rank("GitHub", Pool([Tool("Git_Hub")])).query_words == ("git", "hub")
    # A longer name word makes no joined form: a field must have the word itself.
    assert rank("GitHub", Pool([Tool("githubber")])).query_words == ("git", "hub")
    assert rank("setConnection", Pool([Tool("x", "setconnection")])).query_words == ("setconnection",)


def test_a_joined_form_that_only_a_stop_word_has_is_one() -> None:
    pool = Pool([Tool("x", "setup")], stop_words={"setup"})
    assert rank("setUp", pool).query_words == ("setup",)


def test_a_query_word_without_capitals_finds_the_joined_form_of_a_name() -> None:
    check_order("listissues", [Tool("listIssues")], [Tool("list_issues")])
    check_order("list issues", [Tool("listIssues"), Tool("list_issues")])  # both named whole; code point order


# ---- Function words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "names", "words"),
    [
        ("list the issues of a repo", ["list_issues"], "list issues repo"),
        ("list the issues", ["the_list"], "list the issues"),  # a visible name has it
        ("list all issues for me", ["list_all"], "list all issues"),
        ("list x issues", ["list_y"], "list issues"),  # a single letter
        ("list x issues", ["list_x"], "list x issues"),
        ("list X issues", ["list_y"], "list issues"),
        ("toDo list", ["todo"], "todo list"),  # the joined form is the word
        ("toDo list", ["list"], "list"),
        ("list é 7 漢 ü", ["list_y"], "list é 7 漢 ü"),  # neither a to z nor on the list
        ("does it", ["doe"], "does"),  # `does` has the stem of a name's word
        ("does list", ["list"], "list"),
        ("the tool", ["list"], "the tool"),  # none are dropped where nothing would be left
        ("a", ["list"], "a"),
        ("the +list", ["list"], "list"),  # required words are left
        ("+the list", ["list"], "the list"),  # a required word is never dropped
        ("The MCP Tools", ["list"], "the mcp tools"),
        ("mcp list tools", ["list"], "list"),
    ],
)
def test_function_words_are_dropped_unless_a_visible_name_has_them(query: str, names: list[str], words: str) -> None:
    assert rank(query, Pool([Tool(name) for name in names])).query_words == tuple(words.split())


def test_a_function_word_in_a_description_alone_is_dropped() -> None:
    assert rank("list the issues", Pool([Tool("list", "the", "the", "the", ("the",))])).query_words == (
        "list",
        "issues",
    )


def test_a_function_word_is_kept_for_a_joined_form_of_a_name() -> None:
    assert rank("list with", Pool([Tool("wiTh")])).query_words == ("list", "with")


def test_words_are_distinct_by_stem_and_told_as_first_typed() -> None:
    pool = Pool([Tool("list_issues")])
    assert rank("Issues ISSUE issued list lists", pool).query_words == ("issues", "list")


# ---- Required words ------------------------------------------------------------------------------------------------

DRIVE, BOX = Tool("list_files", "Show files.", connector="Drive"), Tool("list_files", "Show files.", connector="Box")


def test_a_required_word_admits_only_tools_that_match_it() -> None:
    check_order("list files", [BOX, DRIVE])
    check_order("list files +box", [BOX], [DRIVE])
    check_order("list files +drive", [DRIVE], [BOX])
    check_order("list files +box +drive", [], [BOX, DRIVE])
    check_order("list +show", [BOX, DRIVE])  # a description will do
    check_order("list +fil", [BOX, DRIVE])  # and so will a prefix
    check_order("list +set", [], [Tool("list_a", "set")])  # a stopped word matches nothing


def test_a_required_word_neither_scores_nor_weighs() -> None:
    hit = rank("list +box +files", Pool([BOX, DRIVE]))[0]
    assert (hit.score, hit.coverage) == (5, Fraction(1))
    assert [(word.word, word.weighs) for word in hit.words] == [("list", True), ("box", False), ("files", False)]
    assert rank("list +box", Pool([BOX, DRIVE])).required == ("box",)


def test_a_word_required_anywhere_is_required_only() -> None:
    answer = rank("files list +file", Pool([BOX]))
    assert (answer.query_words, answer.required) == (("files", "list"), ("files",))
    assert answer[0].score == 5


def test_where_no_plain_word_is_left_the_required_ones_score_and_weigh() -> None:
    assert rank("+box +files", Pool([BOX, DRIVE]))[0].score == 2 + 6
    assert rank("box +box the", Pool([BOX, DRIVE]))[0].score == 2
    assert rank("the +box", Pool([BOX, DRIVE]))[0].score == 2


def test_every_word_of_a_required_piece_must_match() -> None:
    check_order("list +box_files", [BOX], [DRIVE])
    check_order("list +box_photos", [], [BOX, DRIVE])


def test_a_required_word_holds_for_a_tool_named_whole_too() -> None:
    check_order("list_files", [BOX, DRIVE])
    check_order("list_files +box", [BOX], [DRIVE])
    check_order("drive_list_files +box", [], [BOX, DRIVE])  # the one is named, the other covers too little


# ---- Named whole ---------------------------------------------------------------------------------------------------

PULLS = Tool("list_pull_requests", connector="github")


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("list_pull_requests", True),
        ("listPullRequests", True),
        ("LIST-PULL-REQUESTS", True),
        ("list pull request", True),  # the whole query, by stem
        ("list pull, requests", True),  # the whole query is one piece
        ("+list_pull_requests", True),
        ("unheard list_pull_requests of", True),
        ("a,list_pull_requests;b", True),
        ("select:a,list_pull_requests", True),
        ("github__list_pull_requests", True),
        ("github.list.pull.requests other", True),
        ("github list pull requests", True),
        ("mcp__github__list_pull_requests", True),
        ("mcp__list_pull_requests", True),
        ("mcp list pull requests", True),
        ("unheard list pull requests", False),  # three pieces, none of them the name
        ("list_pull", False),
        ("list_pull_requests_now", False),
        ("pull_list_requests", False),
        ("list_the_pull_requests", False),  # nothing is dropped
        ("gitlab__list_pull_requests", False),
        ("GitHub list pull requests", False),  # git, hub: not the parts of `github`
        ("mcp__mcp__list_pull_requests", False),
        ("github__mcp__list_pull_requests", False),
        ("github", False),
    ],
)
def test_a_piece_names_a_tool_by_its_parts(query: str, named: bool) -> None:
    told = explain(query, Pool([PULLS, Tool("other")]), PULLS)
    assert told.named is named
    assert told.returned or not named


@pytest.mark.parametrize("separator", ["__", ".", ":", "/", "a__b.", "a.b__", "___"])
def test_a_leaf_names_its_tool(separator: str) -> None:
    tool = Tool(f"server{separator}get_page")
    pool = Pool([tool])
    assert explain("unheard get_page", pool, tool).named
    assert explain("unheard mcp_get_page", pool, tool).named
    assert not explain("unheard page", pool, tool).named


@pytest.mark.parametrize("separator", ["_", "-", " ", "|", "\\"])
def test_other_separators_make_no_leaf(separator: str) -> None:
    tool = Tool(f"server{separator}get_page")
    assert not explain("unheard get_page", Pool([tool]), tool).named


@pytest.mark.parametrize("name", ["get_page.", "get_page__", ".", "__", "/get_page", ":get_page", "a__get_page__"])
def test_a_leaf_is_what_follows_the_last_separator_be_it_nothing(name: str) -> None:
    tool = Tool(name)
    assert explain("x get_page", Pool([tool]), tool).named is (name != "." and name != "__" and name != "a__get_page__")


def test_a_leaf_is_that_of_the_cleaned_name() -> None:
    tool = Tool("server_\u200b_get_page")
    assert explain("x get_page", Pool([tool]), tool).named
    wide = Tool("server：get_page")
    assert explain("x get_page", Pool([wide]), wide).named


def test_a_label_goes_with_the_whole_name_and_not_with_its_leaf() -> None:
    tool = Tool("v1.get_page", connector="Wiki")
    pool = Pool([tool])
    assert explain("x wiki_v1_get_page", pool, tool).named
    assert not explain("x wiki_get_page", pool, tool).named


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("fetch", True),
        ("Fetch!", True),
        ("select:fetch", True),
        ("mcp fetch", True),
        ("mcp__fetch", True),
        ("fetch fetch", False),
        ("fetch it", False),
        ("fetch, it", False),
        ("web fetch", True),  # label and name are two words
        ("it web_fetch", True),
        ("web", False),
    ],
)
def test_a_form_of_a_single_word_names_a_tool_only_as_the_whole_query(query: str, named: bool) -> None:
    tool = Tool("fetch", connector="web")
    assert explain(query, Pool([tool]), tool).named is named


def test_a_label_names_no_tool_that_has_no_word_in_its_name() -> None:
    tool = Tool("!!!", connector="list issues")
    assert not explain("list issues", Pool([tool]), tool).named


def test_a_query_that_lists_six_names_returns_those_six() -> None:
    six = [Tool(f"get_{word}") for word in ("account", "box", "call", "draft", "event", "file")]
    others = [Tool("get_users"), Tool("list_users"), Tool("delete_users")]
    check_order("get_file,get_event;get_draft get_call,get_box get_account", six, others)


# ---- Order: every key decides alone --------------------------------------------------------------------------------


def test_first_come_tools_named_whole() -> None:
    check_order(
        "list_items and more of list items",
        [
            Tool("list_items", connector="Shop"),  # named whole; 10
            Tool("list_items_more", "List items.", connector="Items"),  # 5 + 5 + 5 for its name, and more
        ],
    )


def test_then_the_higher_score() -> None:
    check_order(
        "github issue",
        [
            Tool("github_issue_zz", "An issue on GitHub.", "github"),  # 5 + 2 + 1 and 5 + 1
            Tool("github_issue_yy", "", "github"),  # 5 + 2 and 5
            Tool("github_issue_xx", "An issue."),  # 5 and 5 + 1
            Tool("github_issue_ww"),  # 5 and 5
            Tool("issue_vv", "On GitHub"),  # 5 and 1
        ],
        [Tool("user_tt", "Who")],
    )


def test_then_the_fewer_parts_left_over() -> None:
    check_order(
        "list projects",
        [
            Tool("list_project_hooks_hook"),  # hook is left over, which stands twice
            Tool("list_z_projects"),  # z is
            Tool("list_a_project_b"),  # a and b
            Tool("list_projects_a_b_c"),  # three
        ],
    )
    check_order(
        "zones",
        [
            Tool("zones_of_zones_zone"),  # of
            Tool("get_a_zones"),  # get and a
        ],
    )


def test_a_part_is_touched_by_a_prefix_and_by_a_required_word() -> None:
    check_order(
        "repo",
        [
            Tool("z_repository"),  # z is left over
            Tool("a_b_repository"),  # a and b
        ],
    )
    check_order(
        "list +file",
        [
            Tool("list_file_z"),  # z
            Tool("list_a_b", "file"),  # a and b
        ],
    )
    check_order(
        "gitee abcdefgh",
        [
            Tool("git_gitee_abcdefg"),  # git; abcdefg is touched by a prefix
            Tool("a_b_gitee_abcdefg"),  # a and b
        ],
    )


def test_a_prefix_touches_no_part_where_a_visible_name_has_the_word() -> None:
    check_order(
        "add +address",
        [
            Tool("add_address"),  # nothing
            Tool("add_addresses_b"),  # b
            Tool("add_bb_cc", "address"),  # bb and cc
        ],
        [Tool("find_address")],
    )


def test_a_joined_form_touches_all_its_parts() -> None:
    check_order(
        "github",
        [
            Tool("a_GitHub"),  # a; git and hub are touched by the joined form
            Tool("a_b_GitHub"),  # a and b
        ],
    )
    check_order(
        "GitHub github_x",
        [
            Tool("GitHub_hub_git_y"),  # y: the parts are touched wherever they stand
            Tool("GitHub_a_b"),  # a and b
        ],
    )


def test_a_joined_form_touched_by_a_mere_prefix_touches_no_part() -> None:
    check_order(
        "githu",
        [
            Tool("aa_GitHub"),  # aa, git and hub: three
            Tool("aa_bb_cc_GitHub"),  # five
        ],
    )
    check_order(
        "githu",
        [
            Tool("zz_githubs"),  # zz
            Tool("aa_GitHub"),  # aa, git and hub
        ],
    )
    check_order(
        "githu",
        [
            Tool("bb_cc_githubs"),  # bb and cc
            Tool("aa_GitHub"),  # aa, git and hub: the joined form is no part
        ],
    )


def test_a_joined_form_is_no_part_that_could_be_touched_beside_its_own() -> None:
    check_order(
        "github",
        [
            Tool("github_a_b"),  # a and b
            Tool("x_y_GitHub"),  # x and y
        ],
    )


def test_then_the_lower_risk() -> None:
    check_order(
        "page",
        [
            Tool("delete_page", read_only=True),  # read-only by its hint, whatever its name
            Tool(
                "x_page", read_only=True, destructive=True
            ),  # the hint to destroy means nothing where nothing is written
            Tool("drop_page", destructive=False),  # said not to destroy, whatever its name
            Tool("page_delete"),  # the list is about first words
            Tool("x_page_", read_only=False),  # nothing said
            Tool("a_page", destructive=True),  # by its hint
            Tool("b_page", read_only=False, destructive=True),
            Tool("delete_page_", read_only=False),  # by its name
            Tool("purge_page"),
        ],
    )


@pytest.mark.parametrize(
    "word", "delete remove destroy drop purge wipe erase revoke terminate kill truncate uninstall".split()
)
def test_names_that_begin_with_these_words_destroy(word: str) -> None:
    check_order("page", [Tool("x_page"), Tool(f"{word}_page")])
    check_order("page", [Tool("x_page"), Tool(f"{word.upper()}-page")])
    check_order("page", [Tool(f"{word}s_page"), Tool("x_page")])  # as typed, not by stem
    check_order("page", [Tool("x_page"), Tool(f"{word}Page")])
    check_order("page", [Tool(f"{word}_page", read_only=True), Tool("a_page")])


def test_then_the_name_by_code_point() -> None:
    check_order(
        "file",
        [
            Tool("file-a"),  # - before .
            Tool("file.a"),  # . before 1
            Tool("file1_file"),  # 1 before B
            Tool("file_B"),  # _ before a; capitals before small letters
            Tool("file_a"),
            Tool("file_z"),
            Tool("file_é"),  # no locale: é after z
        ],
    )


def test_then_the_label_by_code_point() -> None:
    check_order(
        "file",
        [Tool("file_x", connector=label) for label in ("", "A", "B", "a", "z", "é")],
    )


def test_a_name_decides_before_a_label() -> None:
    check_order("file", [Tool("file_a", connector="z"), Tool("file_b", connector="a")])


def test_keys_decide_in_their_order() -> None:
    check_order(
        "create_issue",
        [
            Tool("create_issue", destructive=True, connector="z"),  # named, at the risk of all
            Tool("create_a_b_issue", "Create an issue."),  # 12, two parts left over
            Tool("z_create_issue", destructive=True),  # 10, one part, risk
            Tool("a_b_create_issue", read_only=True),  # 10, two parts
            Tool("b_c_create_issue"),  # 10, two parts, no hint
            Tool("a_a_b_create_issue", destructive=True),  # 10, two parts, risk
        ],
    )


# ---- Weights -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "usual", "weights"),
    [
        ("alpha beta", [Tool("alpha_x"), Tool("x_y", connector="alpha")], Weights(name=1)),
        ("alp bet", [Tool("alpha_x"), Tool("x_y", connector="alp")], Weights(prefix=1)),
        ("alpha beta", [Tool("x_y", connector="alpha"), Tool("w_v", "alpha")], Weights(connector=0)),
        ("alpha beta", [Tool("x_y", connector="alpha"), Tool("w_v", "alpha")], Weights(description=3)),
    ],
)
def test_every_weight_changes_some_order(query: str, usual: list[Tool], weights: Weights) -> None:
    check_order(query, usual, floor=ANY)
    check_order(query, usual[::-1], floor=ANY, weights=weights)


def test_weights_change_the_order_and_never_who_is_in() -> None:
    tools = [Tool("alpha_x"), Tool("x_y", "alpha")]
    answer = rank("alpha", Pool(tools), weights=Weights(0, 0, 0, 0))
    assert [(hit.tool.name, hit.score, hit.coverage) for hit in answer] == [
        ("alpha_x", 0, Fraction(1)),
        ("x_y", 0, Fraction(1)),
    ]


def test_a_large_weight_is_exact() -> None:
    huge = 10**30
    answer = rank("alpha beta", Pool([Tool("alpha_beta"), Tool("alpha_x", "beta")]), weights=Weights(name=huge))
    assert [hit.score for hit in answer] == [2 * huge, huge + 1]


# ---- Whatever the pool and the query -------------------------------------------------------------------------------


@settings(max_examples=60)
@given(cases(Tool, max_size=10))
def test_a_larger_limit_only_extends_the_list(case: Case) -> None:
    pool = Pool(case.visible)
    whole = rank(case.query, pool, None, floor=ANY)
    for limit in range(1, len(whole) + 2):
        assert list(rank(case.query, pool, limit, floor=ANY)) == list(whole)[:limit]


@settings(max_examples=60)
@given(cases(Tool, max_size=10))
def test_the_order_of_the_pool_is_nothing_to_the_answer(case: Case) -> None:
    tools = {tool.identity: tool for tool in case.visible}  # copies that differ in payload alone would change places
    answer: Ranking = rank(case.query, Pool(tools.values()), None)
    assert rank(case.query, Pool(reversed(tools.values())), None) == answer


@settings(max_examples=60)
@given(cases(Tool, max_size=10))
def test_asking_again_gives_the_same_answer(case: Case) -> None:
    pool = Pool(case.visible)
    first = rank(case.query, pool, None).to_dict()
    rank("another query of GitHub the a list", pool)
    assert rank(case.query, pool, None).to_dict() == first
