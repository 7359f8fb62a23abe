"""Claims about any ranker, and rankers that each break one of them.

A test suite is tested by what it catches. A *claim* is a function over an implementation: it asks some questions and
holds the answers to one property of the rule. A *saboteur* is the plain statement of the rule with one change in its
text, by which one property no longer holds. `tests/test_saboteurs.py` holds the engine and the plain code to every
claim, and every saboteur to being caught: by the claim that is named beside it, and by the golden answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from toolrank import Floor, Pool, Tool, Weights
from toolrank import rank as engine_rank

SOURCE = Path(__file__).with_name("reference.py")


class Said(NamedTuple):
    """What a ranker answers, in plain values."""

    names: list[str]
    scores: list[int]
    covered: list[int]
    total: int
    reason: str
    unmatched: list[str]
    withheld: int
    words: list[str]


# Query and tools, and by keyword `limit`, `share` and `weights`.
Ranker = Callable[..., Said]


def by_engine(
    query: str,
    tools: Sequence[Tool],
    limit: int | None = None,
    share: Fraction = Fraction(1, 2),
    weights: tuple[int, int, int, int] = (5, 3, 2, 1),
) -> Said:
    answer = engine_rank(query, Pool(tools), limit, floor=Floor(share), weights=Weights(*weights))
    return Said(
        [tool.name for tool in answer.tools],
        [hit.score for hit in answer],
        [hit.covered for hit in answer],
        answer[0].total if answer else 0,
        answer.reason.value,
        list(answer.unmatched),
        answer.withheld,
        list(answer.query_words),
    )


def by_reference(module: ModuleType) -> Ranker:
    def ask(
        query: str,
        tools: Sequence[Tool],
        limit: int | None = None,
        share: Fraction = Fraction(1, 2),
        weights: tuple[int, int, int, int] = (5, 3, 2, 1),
    ) -> Said:
        answer = module.rank(query, tools, limit, share, weights)
        return Said(
            [hit.tool.name for hit in answer.hits],
            [hit.score for hit in answer.hits],
            [hit.covered for hit in answer.hits],
            answer.hits[0].total if answer.hits else 0,
            answer.reason,
            answer.unmatched,
            answer.withheld,
            answer.query_words,
        )

    return ask


# ---- Claims --------------------------------------------------------------------------------------------------------

ALL = Fraction(0)  # a floor that lets everything through that covers a word
T = Tool


def nothing_is_returned_where_nothing_fits(rank: Ranker) -> None:
    said = rank("list_all_cal_com_schedules", [T("list_all_notion_users"), T("retrieve_a_page"), T("create_a_page")])
    assert (said.names, said.reason, said.withheld) == ([], "unknown_words", 1)
    assert said.unmatched == ["cal", "com", "schedules"]


def exactly_half_is_enough(rank: Ranker) -> None:
    assert rank("alpha beta", [T("alpha_x"), T("beta_x"), T("gamma_x")]).names == ["alpha_x", "beta_x"]


def a_little_less_than_half_is_not_enough(rank: Ranker) -> None:
    tools = [T("alpha_x"), T("alpha_y"), T("beta_z"), T("gamma_z")]
    assert rank("alpha beta", tools).names == ["beta_z"]
    assert rank("alpha beta", tools[2:], share=Fraction(1, 2) + Fraction(1, 1 << 80)).names == []


def a_rare_word_weighs_more_than_a_common_one(rank: Ranker) -> None:
    tools = [*(T(f"list_{letter}{letter}") for letter in "abcdef"), T("get_rare")]
    assert rank("list rare", tools).names == ["get_rare"]


def masses_are_exact_and_never_nought(rank: Ranker) -> None:
    said = rank("alpha", [T("alpha"), T("alpha_b")])
    assert said.total == 1129724170  # floor(2^32 * log2(6 / 5))
    assert rank("alpha beta", [T("alpha"), T("beta")], share=ALL).total == 2 << 32  # log2(6 / 3) each


def frequency_counts_tools_and_not_fields(rank: Ranker) -> None:
    loud = T("alpha_x", "alpha alpha", "alpha", "alpha", ("alpha",))
    assert rank("alpha", [loud, T("b"), T("c")]).total == rank("alpha", [T("alpha_x"), T("b"), T("c")]).total


def a_stop_word_counts_where_it_stands(rank: Ranker) -> None:
    tools = [T("get_aa", "frozen"), T("get_bb", "frozen"), T("get_cc", "frozen")]
    said = rank("frozen aa", tools)
    assert (said.names, said.scores, said.unmatched) == (["get_aa"], [5], [])


def a_stop_word_matches_no_description(rank: Ranker) -> None:
    assert rank("frozen", [T("get_aa", "frozen"), T("get_bb")]).names == []
    assert rank("set", [T("get_aa", "settings"), T("get_bb")]).names == ["get_aa"]
    assert rank("set", [T("set_aa"), T("get_bb", "", "set")], share=ALL).names == ["set_aa", "get_bb"]


def function_words_are_dropped(rank: Ranker) -> None:
    assert rank("list of the x pages", [T("list_pages")]).words == ["list", "pages"]


def a_function_word_stays_that_a_name_has(rank: Ranker) -> None:
    assert rank("list the pages of x", [T("list_the_x")]).words == ["list", "the", "pages", "x"]


def a_query_of_function_words_keeps_them(rank: Ranker) -> None:
    assert rank("the of", [T("list_pages", "the")]).words == ["the", "of"]


def a_word_counts_once(rank: Ranker) -> None:
    said = rank("page pages page", [T("page_page", "a page, this page")])
    assert (said.words, said.scores) == (["page"], [6])


def fields_score_five_three_two_and_one(rank: Ranker) -> None:
    tools = [T("issue_a"), T("b_c", connector="issue"), T("d_e", "issue"), T("f_g", title="Issue")]
    said = rank("issue", [*tools, T("h_i", parameters=["issue"])])
    assert (said.names, said.scores) == (["issue_a", "b_c", "d_e", "f_g", "h_i"], [5, 2, 1, 1, 1])
    said = rank("iss", [T("issue_a", "iss", "iss"), T("j", "iss", "iss")])
    assert said.scores == [6, 3]


def weights_are_the_callers(rank: Ranker) -> None:
    tools = [T("issue_a"), T("b_c", "issue", "issue")]
    assert rank("issue", tools, weights=(1, 1, 1, 1)).names == ["b_c", "issue_a"]


def a_short_name_word_is_no_prefix_of_a_long_query_word(rank: Ranker) -> None:
    for query, name in (("shopify", "shop"), ("clickup", "click"), ("gitee", "git"), ("abcd", "abc")):
        assert rank(query, [T(name)]).names == []
    assert rank("abcdz", [T("abcd")]).names == ["abcd"]


def a_prefix_has_three_characters(rank: Ranker) -> None:
    assert rank("re", [T("repository")]).names == []
    assert rank("rep", [T("repository")]).names == ["repository"]


def an_exact_name_stops_prefixes(rank: Ranker) -> None:
    assert rank("add", [T("add_person"), T("find_address")]).names == ["add_person"]


def prefixes_are_for_names(rank: Ranker) -> None:
    assert rank("repo", [T("x", "repository", "repository", "repository", ("repository",))]).names == []


def words_meet_by_stem(rank: Ranker) -> None:
    assert rank("queries", [T("query_a")]).scores == [5]
    assert rank("creating", [T("created_x")]).scores == [5]
    assert rank("news", [T("new_x")]).names == []


def invisible_characters_hide_nothing(rank: Ranker) -> None:
    assert rank("git\u200bhub", [T("git\ufe0fhub_x")]).scores == [5]
    assert rank("ＬＩＳＴ", [T("list_x")]).scores == [5]


def markup_and_urls_are_no_words(rank: Ranker) -> None:
    assert rank("github", [T("x", "See https://github.com/x.")]).names == []
    assert rank("github", [T("x", "<github>")]).names == []


def case_splits_names_and_queries(rank: Ranker) -> None:
    assert rank("list issues", [T("listIssues")]).names == ["listIssues"]
    assert rank("listIssues now", [T("list_issues_a"), T("b", "now")], share=ALL).words == ["list", "issues", "now"]
    assert rank("getURLs", [T("get_urls")]).words == ["get", "urls"]
    assert rank("issues", [T("x", "listIssues")]).names == []


def a_joined_form_is_a_word(rank: Ranker) -> None:
    assert rank("github", [T("GitHub_x")]).scores == [5]
    assert rank("GitHub", [T("a", "github")]).words == ["github"]
    assert rank("GitHub", [T("git_hub")]).words == ["git", "hub"]


def apostrophes_split_nothing(rank: Ranker) -> None:
    assert rank("user's", [T("user_x")]).words == ["user"]
    assert rank("don't", [T("dont_x")]).scores == [5]


def han_is_matched_by_pairs(rank: Ranker) -> None:
    assert rank("検索", [T("漢字検索")]).scores == [5]


def a_tool_named_whole_clears_the_floor(rank: Ranker) -> None:
    tools = [T("list_a_b"), T("get_c_d"), T("put_e_f"), T("other")]
    assert sorted(rank("list_a_b,get_c_d;put_e_f", tools).names) == ["get_c_d", "list_a_b", "put_e_f"]


def a_tool_named_whole_comes_first(rank: Ranker) -> None:
    tools = [T("get_item"), T("a_get_item_all", "Get all items, each item.")]
    assert rank("get_item all", tools).names == ["get_item", "a_get_item_all"]


def a_label_and_a_leaf_name_a_tool(rank: Ranker) -> None:
    assert rank("web_find and much of what nobody knows", [T("find", connector="web")]).names == ["find"]
    assert rank("get_page and much of what nobody knows", [T("v1__get_page")]).names == ["v1__get_page"]
    assert rank("mcp_get_page and much of what nobody knows", [T("get_page")]).names == ["get_page"]


def one_word_names_a_tool_only_as_the_whole_query(rank: Ranker) -> None:
    assert rank("fetch, some unheard things", [T("fetch")]).names == []


def a_required_word_must_match(rank: Ranker) -> None:
    tools = [T("list_files", connector="Box"), T("list_files_x", connector="Drive")]
    assert rank("list +drive", tools).names == ["list_files_x"]
    assert rank("list +nowhere", tools).reason == "missing_required"
    assert rank("list_files +drive", tools).names == ["list_files_x"]


def a_required_word_does_not_weigh(rank: Ranker) -> None:
    said = rank("list unheard +box", [T("list_files", connector="Box"), T("a")])
    assert (said.names, said.withheld) == ([], 1)
    assert rank("list +box", [T("list_files", connector="Box"), T("a")]).scores == [5]
    assert rank("+box +file", [T("list_files", connector="Box")]).scores == [7]


def select_is_removed(rank: Ranker) -> None:
    assert rank("select:get_page", [T("get_page")]).words == ["get", "page"]
    assert rank(" select:get_page", [T("get_page")], share=ALL).words == ["select", "get", "page"]


def the_resource_comes_before_its_parts(rank: Ranker) -> None:
    assert rank("project", [T("project_a_b"), T("z_projects"), T("project_x_x")]).names == [
        "project_x_x",
        "z_projects",
        "project_a_b",
    ]
    assert rank("github", [T("b_c_github"), T("z_GitHub")]).names == ["z_GitHub", "b_c_github"]
    required = [T("hooks_project_a"), T("a_project_b", "hook")]
    assert rank("project +hook", required).names == ["hooks_project_a", "a_project_b"]
    assert rank("proj", [T("a_b_project"), T("x_project")]).names == ["x_project", "a_b_project"]


def what_destroys_comes_last(rank: Ranker) -> None:
    tools = [
        T("b_page"),
        T("a_page", destructive=True),
        T("z_page", read_only=True),
        T("delete_page"),
        T("drop_page", read_only=True),
        T("erase_page", destructive=False),
        T("deletes_page"),
    ]
    assert rank("page", tools).names == [
        *("drop_page", "z_page"),
        *("b_page", "deletes_page", "erase_page"),
        *("a_page", "delete_page"),
    ]


def names_and_labels_break_ties(rank: Ranker) -> None:
    tools = [T("page_b"), T("page_B"), T("page_a"), T("page_é")]
    assert rank("page", tools).names == ["page_B", "page_a", "page_b", "page_é"]


def the_pools_order_is_nothing(rank: Ranker) -> None:
    tools = [T(f"page_{letter}", connector=letter) for letter in "cabd"]
    assert rank("page", tools) == rank("page", tools[::-1])
    twins = [T("page", "also", "b"), T("page", "", "a")]  # told apart by what they cover
    said = rank("page also", twins, share=ALL, weights=(5, 3, 2, 0))
    assert said.covered == sorted(said.covered)
    assert rank("page also", twins[::-1], share=ALL, weights=(5, 3, 2, 0)) == said


def a_larger_limit_only_extends(rank: Ranker) -> None:
    tools = [T(f"page_{letter}") for letter in "cabd"]
    whole = rank("page", tools)
    for limit in (1, 2, 3, 4, 5):
        assert rank("page", tools, limit).names == whole.names[:limit]
        assert rank("page", tools, limit).withheld == whole.withheld


def equal_entries_are_one_tool(rank: Ranker) -> None:
    tools = [T("alpha", payload=1), T("beta")]
    assert rank("alpha", [*tools, T("alpha", payload=2)]) == rank("alpha", tools)


def a_higher_score_comes_before_a_shorter_name(rank: Ranker) -> None:
    tools = [T("page_z_z_y", "A page.", connector="page"), T("page_b", "A page."), T("page")]
    assert rank("page x", tools, share=ALL).names == ["page_z_z_y", "page_b", "page"]


def known_words_and_tools_are_counted(rank: Ranker) -> None:
    assert rank("alpha one two three", [T("alpha"), T("beta"), T("gamma")]).withheld == 1


def a_blank_query_and_an_empty_pool_have_reasons(rank: Ranker) -> None:
    assert rank("?", [T("a")]).reason == "blank_query"
    assert rank("?", []).reason == "blank_query"
    assert rank("a", []).reason == "empty_pool"


def known_words_that_no_tool_joins_are_below_the_floor(rank: Ranker) -> None:
    tools = [T("alpha"), T("beta"), T("gamma")]
    said = rank("alpha beta gamma", tools)
    assert (said.reason, said.withheld, said.unmatched) == ("below_floor", 3, [])
    assert rank("set", [T("x", "set")]).reason == "below_floor"


def unmatched_words_are_told_as_typed(rank: Ranker) -> None:
    assert rank("Listing Schedules", [T("list_x")]).unmatched == ["schedules"]


CLAIMS: dict[str, Callable[[Ranker], None]] = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__annotations__", {}).get("rank") == "Ranker"
}


# ---- Saboteurs -----------------------------------------------------------------------------------------------------


class Saboteur(NamedTuple):
    """A change of the plain code, what it breaks, and the claim that must catch it."""

    name: str
    old: str
    new: str
    claim: Callable[[Ranker], None]

    def ranker(self) -> ModuleType:
        return changed(self.old, self.new)


@cache
def changed(old: str, new: str) -> ModuleType:
    """Load the plain code with one place of its text changed."""
    source = SOURCE.read_text(encoding="utf-8")
    if source.count(old) != 1:
        raise ValueError(f"old must be at one place of {SOURCE.name}, not at {source.count(old)}: {old!r}")
    module = ModuleType("sabotaged")
    sys.modules.setdefault(module.__name__, module)  # where typing looks the names of annotations up
    exec(compile(source.replace(old, new), f"{SOURCE.name} sabotaged", "exec"), module.__dict__)
    return module


SABOTEURS = [
    Saboteur(
        "no floor",
        "covered * share.denominator >= total * share.numerator",
        "True",
        nothing_is_returned_where_nothing_fits,
    ),
    Saboteur(
        "more than the floor",
        "covered * share.denominator >= total * share.numerator",
        "covered * share.denominator > total * share.numerator",
        exactly_half_is_enough,
    ),
    Saboteur(
        "a lower floor",
        "covered * share.denominator >= total * share.numerator",
        "10 * covered * share.denominator >= 7 * total * share.numerator",
        a_little_less_than_half_is_not_enough,
    ),
    Saboteur(
        "all words weigh alike",
        "mass_of = {word.stem: mass(len(visible), frequency[word.stem]) for word in asked.counting}",
        "mass_of = {word.stem: mass(len(visible), 0) for word in asked.counting}",
        a_rare_word_weighs_more_than_a_common_one,
    ),
    Saboteur(
        "a pool too small by one",
        "numerator, denominator = 2 * n + 2, 2 * df + 1",
        "numerator, denominator = 2 * n + 1, 2 * df + 1",
        masses_are_exact_and_never_nought,
    ),
    Saboteur(
        "mass in whole bits",
        "            return digits\n",
        "            return digits >> 32 << 32\n",
        masses_are_exact_and_never_nought,
    ),
    Saboteur(
        "frequency summed over fields",
        "return sum(scoring_fields(word, entry, visible, stop_words=frozenset()) != () for entry in visible)",
        "return min(len(visible), sum(len(scoring_fields(word, e, visible, frozenset())) for e in visible))",
        frequency_counts_tools_and_not_fields,
    ),
    Saboteur(
        "stopped words do not count",
        "return sum(scoring_fields(word, entry, visible, stop_words=frozenset()) != () for entry in visible)",
        "return sum(scoring_fields(word, entry, visible, stop_words=STOP_WORDS) != () for entry in visible)",
        a_stop_word_counts_where_it_stands,
    ),
    Saboteur(
        "no stop words",
        "if word in stems(other for other in entry.description if other.typed not in stop_words):",
        "if word in stems(entry.description):",
        a_stop_word_matches_no_description,
    ),
    Saboteur(
        "stop words by stem",
        "if word in stems(other for other in entry.description if other.typed not in stop_words):",
        "if word in stems(other for other in entry.description if other.stem not in stop_words):",
        a_stop_word_matches_no_description,
    ),
    Saboteur(
        "function words kept",
        "kept = [word for word in all_plain if not is_droppable(word, visible)]",
        "kept = [word for word in all_plain if word]",
        function_words_are_dropped,
    ),
    Saboteur(
        "function words dropped though a name has them",
        "(word.typed in FUNCTION_WORDS or single_letter) and not in_some_name(word.stem, visible)",
        "word.typed in FUNCTION_WORDS or single_letter",
        a_function_word_stays_that_a_name_has,
    ),
    Saboteur(
        "single letters kept",
        "word.typed in FUNCTION_WORDS or single_letter",
        "word.typed in FUNCTION_WORDS",
        function_words_are_dropped,
    ),
    Saboteur(
        "a query of function words is blank",
        "    if not kept and not all_required:\n        kept = all_plain\n",
        "",
        a_query_of_function_words_keeps_them,
    ),
    Saboteur(
        "each occurrence counts",
        "        if word.stem not in stems(kept):\n",
        "        if word not in kept:\n",
        a_word_counts_once,
    ),
    Saboteur(
        "name and prefix the other way round",
        'weight_of = dict(zip(("name", "prefix", "connector", "description"), weights, strict=True))',
        'weight_of = dict(zip(("prefix", "name", "connector", "description"), weights, strict=True))',
        fields_score_five_three_two_and_one,
    ),
    Saboteur(
        "label and description the other way round",
        'weight_of = dict(zip(("name", "prefix", "connector", "description"), weights, strict=True))',
        'weight_of = dict(zip(("name", "prefix", "description", "connector"), weights, strict=True))',
        fields_score_five_three_two_and_one,
    ),
    Saboteur(
        "only the best field counts",
        "sum(weight_of[field] for field in fields[word.stem])",
        "max([weight_of[field] for field in fields[word.stem]], default=0)",
        a_word_counts_once,
    ),
    Saboteur(
        "weights are the rule's and not the caller's",
        'weight_of = dict(zip(("name", "prefix", "connector", "description"), weights, strict=True))',
        'weight_of = {"name": 5, "prefix": 3, "connector": 2, "description": 1}',
        weights_are_the_callers,
    ),
    Saboteur(
        "prefixes without the three quarters",
        "(word.startswith(name_word) and 4 * len(name_word) > 3 * len(word))",
        "word.startswith(name_word)",
        a_short_name_word_is_no_prefix_of_a_long_query_word,
    ),
    Saboteur(
        "three quarters are enough",
        "4 * len(name_word) > 3 * len(word)",
        "4 * len(name_word) >= 3 * len(word)",
        a_short_name_word_is_no_prefix_of_a_long_query_word,
    ),
    Saboteur(
        "prefixes of two characters",
        "if len(word) < 3 or len(name_word) < 3",
        "if len(word) < 2 or len(name_word) < 2",
        a_prefix_has_three_characters,
    ),
    Saboteur(
        "prefixes beside an exact name",
        "elif any(begin_alike(word, other) for other in stems(entry.name)) and not in_some_name(word, visible):",
        "elif any(begin_alike(word, other) for other in stems(entry.name)):",
        an_exact_name_stops_prefixes,
    ),
    Saboteur(
        "prefixes in labels",
        "    if word in stems(entry.label):\n",
        "    if any(other.startswith(word) for other in stems(entry.label)):\n",
        prefixes_are_for_names,
    ),
    Saboteur(
        "words as typed",
        "    word = typed\n    if not all",
        "    return typed\n    if not all",
        words_meet_by_stem,
    ),
    Saboteur(
        "no exceptions for stems",
        "    if word in STEM_EXCEPTIONS:\n        return word\n",
        "",
        words_meet_by_stem,
    ),
    Saboteur(
        "invisible characters split words",
        'if unicodedata.category(character) != "Cf" and not selector:',
        "if True:",
        invisible_characters_hide_nothing,
    ),
    Saboteur("no NFKC", 'return unicodedata.normalize("NFKC", kept)', "return kept", invisible_characters_hide_nothing),
    Saboteur(
        "markup is words",
        "        text = without_markup(text)\n",
        "        text = text + ''\n",
        markup_and_urls_are_no_words,
    ),
    Saboteur(
        "nothing is split by case",
        'split = [stretch] if kind == "description" else split_by_case(stretch)',
        "split = [stretch]",
        case_splits_names_and_queries,
    ),
    Saboteur(
        "descriptions are split by case",
        'split = [stretch] if kind == "description" else split_by_case(stretch)',
        "split = split_by_case(stretch)",
        case_splits_names_and_queries,
    ),
    Saboteur(
        "no plural acronyms",
        "lower(at + 1) and not plural_acronym(at)",
        "lower(at + 1)",
        case_splits_names_and_queries,
    ),
    Saboteur(
        "no joined forms on a tool's side",
        "        if run.joined is not None:\n            found.append(run.joined)\n    return found",
        "    return found",
        a_joined_form_is_a_word,
    ),
    Saboteur(
        "a split run of a query is always joined",
        "if run.joined is not None and in_some_field(run.joined.stem, visible):",
        "if run.joined is not None:",
        case_splits_names_and_queries,
    ),
    Saboteur(
        "a split run of a query is never joined",
        "if run.joined is not None and in_some_field(run.joined.stem, visible):",
        "if run.joined is not None and not visible:",
        a_joined_form_is_a_word,
    ),
    Saboteur(
        "apostrophes split words",
        "        if is_run_character(character) or inside:\n",
        "        if is_run_character(character):\n",
        apostrophes_split_nothing,
    ),
    Saboteur(
        "stretches of Han whole",
        "    return [stretch[at : at + 2] for at in range(len(stretch) - 1)]",
        "    return [stretch]",
        han_is_matched_by_pairs,
    ),
    Saboteur(
        "names whole do not clear the floor",
        "if named or (covered > 0",
        "if (covered > 0",
        a_tool_named_whole_clears_the_floor,
    ),
    Saboteur("names whole do not come first", "            not hit.named,\n", "", a_tool_named_whole_comes_first),
    Saboteur(
        "a leaf names nothing",
        '        [part.stem for part in parts(leaf(tool.name), "name")],\n',
        "",
        a_label_and_a_leaf_name_a_tool,
    ),
    Saboteur(
        "a label and a name name nothing",
        '        [part.stem for part in parts(label_of(tool), "label")] + name,\n',
        "",
        a_label_and_a_leaf_name_a_tool,
    ),
    Saboteur(
        "no mcp before a name",
        'for reading in [said, said[1:]] if said[:1] == ["mcp"] else [said]:',
        "for reading in [said]:",
        a_label_and_a_leaf_name_a_tool,
    ),
    Saboteur(
        "one word names a tool anywhere",
        "(len(reading) > 1 or (len(reading) == 1 and is_whole_query))",
        "len(reading) > 0",
        one_word_names_a_tool_only_as_the_whole_query,
    ),
    Saboteur(
        "required words are a wish",
        "        if not all(fields[word.stem] for word in asked.required):\n            continue\n",
        "",
        a_required_word_must_match,
    ),
    Saboteur(
        "a tool named whole needs no required word",
        "if not all(fields[word.stem] for word in asked.required):",
        "if not all(fields[word.stem] for word in asked.required) and not names_whole(asked.text, entry.tool):",
        a_required_word_must_match,
    ),
    Saboteur(
        "required words weigh",
        "return Query(text, not in_order, required, plain or required, counting)",
        "return Query(text, not in_order, required, counting, counting)",
        a_required_word_does_not_weigh,
    ),
    Saboteur(
        "required words never weigh",
        "return Query(text, not in_order, required, plain or required, counting)",
        "return Query(text, not in_order, required, plain, counting)",
        a_required_word_does_not_weigh,
    ),
    Saboteur("select stays", 'clean(text.removeprefix("select:"))', "clean(text)", select_is_removed),
    Saboteur(
        "select goes anywhere",
        'clean(text.removeprefix("select:"))',
        'clean(text.replace("select:", ""))',
        select_is_removed,
    ),
    Saboteur(
        "left-over parts do not matter",
        "            untouched_parts(asked, entry, visible),\n",
        "",
        the_resource_comes_before_its_parts,
    ),
    Saboteur(
        "left-over parts before scores",
        "            -hit.score,\n            untouched_parts(asked, entry, visible),\n",
        "            untouched_parts(asked, entry, visible),\n            -hit.score,\n",
        a_higher_score_comes_before_a_shorter_name,
    ),
    Saboteur(
        "a joined form touches nothing",
        "run.joined is not None and run.joined.stem == word.stem:",
        "False:",
        the_resource_comes_before_its_parts,
    ),
    Saboteur(
        "a required word touches nothing",
        "    for word in query.counting:\n        for run in entry.name_runs:",
        "    for word in query.weighing:\n        for run in entry.name_runs:",
        the_resource_comes_before_its_parts,
    ),
    Saboteur("risk does not matter", "            risk(entry.tool),\n", "", what_destroys_comes_last),
    Saboteur(
        "the hints alone are risk",
        "(tool.destructive is None and first and first[0] in DESTRUCTIVE)",
        "False",
        what_destroys_comes_last,
    ),
    Saboteur(
        "a destructive name whatever the hint",
        "(tool.destructive is None and first and first[0] in DESTRUCTIVE)",
        "(first and first[0] in DESTRUCTIVE)",
        what_destroys_comes_last,
    ),
    Saboteur(
        "destructive names by stem",
        'first = [part.typed for part in parts(tool.name, "name")][:1]',
        'first = [part.stem + "e" * (part.stem == "delet") for part in parts(tool.name, "name")][:1]',
        what_destroys_comes_last,
    ),
    Saboteur(
        "read-only is no better", "    if tool.read_only is True:\n        return 0\n", "", what_destroys_comes_last
    ),
    Saboteur(
        "names before scores",
        "            -hit.score,\n",
        "            entry.tool.name,\n            -hit.score,\n",
        a_higher_score_comes_before_a_shorter_name,
    ),
    Saboteur(
        "names without case",
        "            entry.tool.name,\n",
        "            entry.tool.name.lower(),\n",
        names_and_labels_break_ties,
    ),
    Saboteur(
        "ties by the pool's order",
        "            entry.tool.name,\n            label_of(entry.tool),\n",
        "",
        the_pools_order_is_nothing,
    ),
    Saboteur(
        "labels do not break ties",
        "            entry.tool.name,\n            label_of(entry.tool),\n",
        "            entry.tool.name,\n",
        the_pools_order_is_nothing,
    ),
    Saboteur(
        "the limit before the order",
        "    hits = [hit for _, hit in sorted(found, key=order)]\n",
        "    hits = [hit for _, hit in sorted(found[:limit], key=order)]\n",
        a_larger_limit_only_extends,
    ),
    Saboteur(
        "equal entries are several tools",
        "        kept.append(tool)\n    return kept\n\n\n# ---- 2",
        "        kept.append(tool)\n    return list(tools)\n\n\n# ---- 2",
        equal_entries_are_one_tool,
    ),
    Saboteur(
        "a blank query is an unknown one",
        '    elif asked.blank:\n        reason = "blank_query"\n',
        "",
        a_blank_query_and_an_empty_pool_have_reasons,
    ),
    Saboteur(
        "an empty pool before a blank query",
        '    elif asked.blank:\n        reason = "blank_query"\n    elif not visible:\n        reason = "empty_pool"\n',
        '    elif not visible:\n        reason = "empty_pool"\n    elif asked.blank:\n        reason = "blank_query"\n',
        a_blank_query_and_an_empty_pool_have_reasons,
    ),
    Saboteur(
        "nothing is below the floor",
        "elif known == 0 or known * share.denominator < total * share.numerator:",
        "elif True:",
        known_words_that_no_tool_joins_are_below_the_floor,
    ),
    Saboteur(
        "withheld counts what matches nothing",
        "        elif covered > 0:\n            withheld += 1",
        "        else:\n            withheld += 1",
        known_words_and_tools_are_counted,
    ),
    Saboteur(
        "unmatched words by stem",
        "unmatched=[word.typed for word in asked.counting if frequency[word.stem] == 0]",
        "unmatched=[word.stem for word in asked.counting if frequency[word.stem] == 0]",
        unmatched_words_are_told_as_typed,
    ),
]
