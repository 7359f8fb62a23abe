"""The plain statement of the rule, held against a second opinion and against the rule's own examples.

The second opinion on characters is the `regex` package, which carries Unicode tables of its own. They may be newer than
the interpreter's, so only characters that the interpreter's table has assigned are compared.
"""

from __future__ import annotations

import sys
import unicodedata
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tests import reference
from tests.reference import Answer, clean, mass, parts, rank, runs, stem, words
from tests.strategies import PlainTool, clashing_pools, pools, texts, wild_texts

# ---- A second opinion on characters ---------------------------------------------------------------------------------

ASSIGNED = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) != "Cn"]
RUN_CHARACTER = r"[\p{L}\p{M}\p{N}]"
CJK = (
    r"[\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\U00020000-\U0003ffff]"
)
UPPER = r"[\p{Lu}\p{Lt}]"
CASE_CUT = regex.compile(
    rf"(?V1)(?<=[\p{{Ll}}\p{{N}}]\p{{M}}*)(?={UPPER})"
    rf"|(?<={UPPER}\p{{M}}*)(?={UPPER}\p{{M}}*\p{{Ll}})(?!{UPPER}\p{{M}}*s(?!\p{{M}}|\p{{Ll}}))"
)
MARKUP = regex.compile(r"""<[\p{L}/!?][^>]*>|[hH][tT][tT][pP][sS]?://[^\s\x1c-\x1f<>"')\]]*""")


def assigned(text: str) -> str:
    return "".join(character for character in text if unicodedata.category(character) != "Cn")


any_texts = (texts() | wild_texts()).map(assigned)


def test_letters_marks_and_numbers_are_what_unicode_says() -> None:
    expected = set(regex.findall(RUN_CHARACTER, "".join(ASSIGNED)))
    assert {c for c in ASSIGNED if reference.is_run_character(c)} == expected


def test_format_characters_and_variation_selectors_alone_are_dropped() -> None:
    expected = set(regex.findall(r"[\p{Cf}\p{Variation_Selector}--[\u180b-\u180d\u180f]]", "".join(ASSIGNED), regex.V1))
    assert {c for c in ASSIGNED if clean(c) == ""} == expected


def test_cleaning_is_nfkc_of_what_is_left() -> None:
    text = "x".join(ASSIGNED)
    left = regex.sub(r"\p{Cf}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]", "", text)
    assert clean(text) == unicodedata.normalize("NFKC", left)


def test_every_word_character_of_the_named_ranges_is_of_a_named_script() -> None:
    named = "".join(c for c in ASSIGNED if reference.is_cjk(c) and reference.is_run_character(c))
    assert len(named) > 80_000
    assert regex.findall(r"[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]", named) == []


def test_the_named_ranges_are_those_that_pairs_are_made_of() -> None:
    assert {c for c in ASSIGNED if reference.is_cjk(c)} == set(regex.findall(CJK, "".join(ASSIGNED)))


@given(any_texts)
def test_runs_are_maximal_and_go_on_over_an_apostrophe_between_two_characters(text: str) -> None:
    text = clean(text)
    expected = regex.findall(rf"{RUN_CHARACTER}+(?:['\u2019]{RUN_CHARACTER}+)*", text)
    assert reference.split_into_runs(text) == expected


@given(any_texts)
def test_stretches_are_cut_where_a_regular_expression_cuts_them(text: str) -> None:
    for run in reference.split_into_runs(clean(text)):
        assert reference.cut_at_cjk(run) == regex.findall(rf"{CJK}+|(?:(?!{CJK}).)+", run, regex.S)


@given(any_texts)
def test_case_splits_where_a_regular_expression_splits(text: str) -> None:
    for run in regex.findall(rf"{RUN_CHARACTER}+", clean(text)):
        assert reference.split_by_case(run) == CASE_CUT.split(run)


@given(any_texts)
def test_markup_and_urls_are_what_a_regular_expression_finds(text: str) -> None:
    text = clean(text)
    assert reference.without_markup(text) == MARKUP.sub(" ", text)


@given(any_texts, st.sampled_from(("name", "description")))
def test_words_are_what_a_pipeline_of_regular_expressions_makes(text: str, kind: str) -> None:
    text = clean(text)
    expected = []
    for run in regex.findall(rf"(?:{RUN_CHARACTER}|(?<={RUN_CHARACTER})['\u2019](?={RUN_CHARACTER}))+", text):
        run = regex.sub("['\u2019]", "", regex.sub("['\u2019][sS]$", "", run))
        for stretch in regex.findall(rf"{CJK}+|(?:(?!{CJK}).)+", run, regex.S):
            if regex.match(CJK, stretch):
                expected += regex.findall(f"{CJK}{{2}}", stretch, overlapped=True) or [stretch]
            else:
                split = [stretch] if kind == "description" else CASE_CUT.split(stretch)
                expected += [part.casefold() for part in split]
                expected += [stretch.casefold()] if len(split) > 1 else []
    if kind == "description" and MARKUP.search(text):
        return  # markup has its own test above
    assert [word.typed for word in words(text, kind)] == expected


@given(any_texts)
def test_only_words_of_a_to_z_are_stemmed_and_no_stem_is_empty(text: str) -> None:
    for typed, stemmed in words(text, "name"):
        assert stemmed
        assert typed == stemmed or regex.fullmatch("[a-z]+", typed)


# ---- Words, by the rule's examples ----------------------------------------------------------------------------------


def typed(text: str, kind: str = "name") -> list[str]:
    return [part.typed for part in parts(text, kind)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("listS3Objects", ["list", "s3", "objects"]),
        ("addPerson", ["add", "person"]),
        ("getURLInfo", ["get", "url", "info"]),
        ("getURLs", ["get", "urls"]),
        ("URLsFor", ["urls", "for"]),
        ("getURLs2", ["get", "urls2"]),
        ("getURLset", ["get", "ur", "lset"]),  # a lower-case letter after the s: no plural
        ("As", ["as"]),
        ("ABs", ["abs"]),
        ("ABe", ["a", "be"]),
        ("oauth2", ["oauth2"]),
        ("v2", ["v2"]),
        ("ec2", ["ec2"]),
        ("v2API", ["v2", "api"]),
        ("2FA", ["2", "fa"]),
        ("GitHub", ["git", "hub"]),
        ("GITHUB", ["github"]),
        ("list_all-cal.com/x:y", ["list", "all", "cal", "com", "x", "y"]),
        ("E\u0301coleE\u0301cole", ["école", "école"]),
        ("x\u0331Y", ["x\u0331", "y"]),  # a mark goes with its letter
        ("X\u0331Yz", ["x\u0331", "yz"]),
        ("ПоискКода", ["поиск", "кода"]),
        ("STRASSE straße", ["strasse", "strasse"]),
        ("ǅabc", ["džabc"]),
        ("", []),
        ("!!! -- __", []),
    ],
)
def test_names_are_split_by_case(text: str, expected: list[str]) -> None:
    assert typed(text) == expected


@pytest.mark.parametrize("text", ["listS3Objects", "GitHub", "getURLs", "addPerson"])
def test_descriptions_are_not_split_by_case(text: str) -> None:
    assert typed(text, "description") == [text.casefold()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't", ["dont"]),
        ("DON\u2019T", ["dont"]),
        ("user's", ["user"]),
        ("USER\u2019S", ["user"]),
        ("users' list", ["users", "list"]),
        ("'quoted'", ["quoted"]),
        ("rock'n'roll's", ["rocknroll"]),
        ("its's's", ["itss"]),  # one final 's is dropped, the other apostrophe vanishes
        ("a''b", ["a", "b"]),  # no apostrophe that stands inside a run
        ("'s", ["s"]),
        ("user＇s", ["user"]),  # full-width, by NFKC
    ],
)
def test_apostrophes_inside_a_run_do_not_split_it(text: str, expected: list[str]) -> None:
    assert typed(text, "description") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("漢", ["漢"]),
        ("漢字", ["漢字"]),
        ("漢字検索", ["漢字", "字検", "検索"]),
        ("カレンダー", ["カレ", "レン", "ンダ", "ダー"]),
        ("ｶﾚﾝﾀﾞｰ", ["カレ", "レン", "ンダ", "ダー"]),  # half-width, by NFKC
        ("か\u3099く", ["がく"]),
        ("검색", ["검색"]),
        ("漢字かな", ["漢字", "字か", "かな"]),
        ("GitHub漢字list", ["git", "hub", "漢字", "list"]),
        ("漢's", ["漢"]),
        ("漢'字", ["漢字"]),
        ("カ・ナ", ["カ", "ナ"]),  # the middle dot is punctuation
    ],
)
def test_cjk_stretches_become_overlapping_pairs(text: str, expected: list[str]) -> None:
    assert typed(text) == expected
    assert all(word.typed == word.stem for word in parts("漢字検索", "name"))


@pytest.mark.parametrize(
    "text", ["git\u200bhub", "git\ufe0fhub", "git\u00adhub", "\u202egithub", "git\U000e0061hub", "g\U000e0100ithub"]
)
def test_invisible_characters_neither_split_a_word_nor_hide_one(text: str) -> None:
    assert typed(text) == ["github"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>bold</b>face", ["bold", "face"]),
        ("a<br/>b", ["a", "b"]),
        ("x <!-- list --> y", ["x", "y"]),
        ("x <?xml?> y", ["x", "y"]),
        ("a < b > c", ["a", "b", "c"]),
        ("a <2> c", ["a", "2", "c"]),
        ("open <tag and no more", ["open", "tag", "and", "no", "more"]),
        ("<a href='x>y'>z", ["y", "z"]),  # the first > ends a tag
        ("see https://github.com/list?x=1 now", ["see", "now"]),
        ("see (HTTP://github.com) now", ["see", "now"]),
        ("[x](https://e.org/y) z", ["x", "z"]),
        ('"https://e.org"quoted', ["quoted"]),
        ("xhttps://e.org y", ["x", "y"]),
        ("https:// y", ["y"]),
        ("http:/e", ["http", "e"]),
        ("<b http://e.org>c", ["c"]),
        ("https://e.org<b>c", ["c"]),
        ("ｈｔｔｐｓ：／／ｅ.org c", ["c"]),  # cleaned first
    ],
)
def test_markup_and_urls_separate_words_in_descriptions(text: str, expected: list[str]) -> None:
    assert typed(text, "description") == expected


def test_markup_and_urls_are_words_everywhere_else() -> None:
    assert typed("<b>list</b>") == ["b", "list", "b"]
    assert typed("https://e.org", "query") == ["https", "e", "org"]


def test_a_run_that_case_splits_has_a_joined_form() -> None:
    assert [word.typed for word in words("myGitHub_list", "name")] == ["my", "git", "hub", "mygithub", "list"]
    assert [run.joined for run in runs("git_hub", "name")] == [None, None]
    assert [word.typed for word in words("GitHub", "description")] == ["github"]
    assert words("getURLs", "name")[-1] == ("geturls", "geturl")


# ---- Stems ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family",
    [
        "query queries",
        "company companies",
        "movie movies",
        "create creating created creates",
        "address addresses",
        "list listing lists listed",
        "cache caches cached caching",
        "plan plans",
        "box boxes",
        "branch branches",
        "dish dishes",
        "class classes",
        "call calls called calling",
        "copy copies copied copying",
        "issue issues",
        "tie ties",
        "type types",
        "stopped stopping",
        "needed need",
        "process processes processed",
        "buzz buzzing",
    ],
)
def test_the_forms_of_one_word_meet(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    [
        "new news",
        "plan planet",
        "len lens",
        "canva canvas",
        "atla atlas",
        "serie series",
        "specie species",
        "statu status",
        "clas class",
        "thi this",
        "a as",
        "add adding",  # fewer than four letters would remain
        "str string",
        "r red",
        "us use",
        "key ky",
        "s3 s3s",  # not of a to z only
    ],
)
def test_other_words_do_not_meet(pair: str) -> None:
    one, other = pair.split()
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("queries", "queri"),
        ("query", "queri"),
        ("movie", "movi"),
        ("ties", "tie"),
        ("axes", "axe"),
        ("fixes", "fix"),
        ("gases", "gase"),
        ("bus", "bus"),
        ("ids", "ids"),
        ("tags", "tag"),
        ("analysis", "analysis"),
        ("planning", "plan"),
        ("filling", "fill"),
        ("seeing", "seeing"),
        ("sing", "sing"),
        ("agreed", "agre"),  # a doubled vowel stays; then a final e goes
        ("string", "string"),
        ("settings", "set"),
        ("type", "type"),
        ("scope", "scop"),
        ("play", "play"),
        ("pay", "pay"),
        ("fly", "fly"),
        ("verify", "verifi"),
        ("news", "news"),
        ("lens", "lens"),
        ("série", "série"),
        ("v2s", "v2s"),
        ("поиски", "поиски"),
        ("漢字", "漢字"),
    ],
)
def test_stems_follow_the_steps_in_their_order(word: str, expected: str) -> None:
    assert stem(word) == expected


# ---- Mass -----------------------------------------------------------------------------------------------------------


def decimal_mass(n: int, df: int) -> int:
    """Say the mass by decimal logarithms of 80 digits, and that 80 are enough to tell the floor."""
    with localcontext() as context:
        context.prec = 80
        ratio = Decimal(2 * n + 2) / Decimal(2 * df + 1)
        exact = Decimal(2**32) * ratio.ln() / Decimal(2).ln()
        nearest = exact.to_integral_value()
        if abs(exact - nearest) < Decimal("1e-40"):
            assert Fraction(2 * n + 2, 2 * df + 1) == Fraction(2) ** (int(nearest) >> 32)  # a power of two, exactly
            return int(nearest)
        return int(exact.to_integral_value(ROUND_FLOOR))


def test_mass_is_that_of_decimal_logarithms_for_every_small_pool() -> None:
    for n in range(41):
        for df in range(n + 1):
            assert mass(n, df) == decimal_mass(n, df)


@given(st.integers(0, 10**7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_mass_is_that_of_decimal_logarithms(pair: tuple[int, int]) -> None:
    assert mass(*pair) == decimal_mass(*pair)


@given(st.integers(0, 2000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_first_ten_binary_places_of_mass_are_proved_by_powers(pair: tuple[int, int]) -> None:
    n, df = pair
    at = mass(n, df) >> 22
    power, base = (2 * n + 2) ** 1024, (2 * df + 1) ** 1024
    assert base << at <= power < base << (at + 1)


@pytest.mark.parametrize(
    ("n", "df", "expected"),
    [
        (0, 0, 2**32),
        (1, 0, 2 * 2**32),
        (7, 0, 4 * 2**32),
        (5, 1, 2 * 2**32),  # 12 / 3
        (1, 1, 1782572486),  # log2(4 / 3), of which 0.4150374992788438 * 2**32 is 1782572486.18
        (3, 1, 6077539782),
    ],
)
def test_mass_of_known_ratios(n: int, df: int, expected: int) -> None:
    assert mass(n, df) == expected


def test_mass_is_positive_and_falls_with_document_frequency() -> None:
    for n in (1, 2, 10, 1000):
        masses = [mass(n, df) for df in range(n + 1)]
        assert masses == sorted(masses, reverse=True)
        assert len(set(masses)) == len(masses)
        assert masses[-1] > 0


# ---- Pools ----------------------------------------------------------------------------------------------------------


@given(pools())
def test_equal_entries_collapse_into_the_first(tools: list[PlainTool]) -> None:
    kept = reference.pool(tools)
    identities = [(tool.connector or "", tool.name) for tool in tools]
    assert [(reference.label_of(tool), tool.name) for tool in kept] == list(dict.fromkeys(identities))
    assert all(tool is tools[identities.index((tool.connector or "", tool.name))] for tool in kept)


@given(clashing_pools())
def test_two_different_tools_of_one_identity_are_an_error(tools: list[PlainTool]) -> None:
    with pytest.raises(ValueError, match="two different tools"):
        reference.pool(tools)


# ---- Ranking, by the rule's examples --------------------------------------------------------------------------------


def order(answer: Answer) -> list[str]:
    return [hit.tool.name for hit in answer.hits]


def scores(query: str, *tools: PlainTool) -> dict[str, int]:
    return {hit.tool.name: hit.score for hit in rank(query, tools, share=Fraction(0)).hits}


def test_the_incident_is_answered_with_nothing_and_the_words_nobody_knows() -> None:
    notion = [
        PlainTool("list_all_notion_users", "List everyone in the workspace.", "Notion"),
        PlainTool("list_all_notion_pages", "List pages.", "Notion"),
        PlainTool("create_notion_page", "Create a page.", "Notion"),
    ]
    answer = rank("list_all_cal_com_schedules", notion)
    assert answer.hits == []
    assert answer.unmatched == ["cal", "com", "schedules"]
    assert answer.reason == "unknown_words"
    assert answer.withheld == 2


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (PlainTool("github_repo"), 5),
        (PlainTool("GitHub_list"), 5),  # joined
        (PlainTool("list", connector="GitHub"), 2),
        (PlainTool("list", connector="github"), 2),
        (PlainTool("list", "Files on GitHub."), 1),
        (PlainTool("list", title="GitHub files"), 1),
        (PlainTool("list", parameters=("githubToken",)), 1),
        (PlainTool("list", "GitHub", title="GitHub", parameters=("github",)), 1),  # within a field, once
        (PlainTool("github_github"), 5),
        (PlainTool("github", "GitHub", "GitHub"), 8),  # the parts add up
    ],
)
def test_each_row_of_the_table_scores(tool: PlainTool, expected: int) -> None:
    assert scores("github", tool) == {tool.name: expected}


@pytest.mark.parametrize(
    ("query", "name", "expected"),
    [
        ("repo", "list_repository", 3),
        ("repository", "list_repositor", 3),  # 9 characters of 10
        ("calendars", "cal_x", None),  # stems: calendar, cal
        ("shopify", "shop_x", None),
        ("clickup", "click_x", None),
        ("gitee", "git_x", None),
        ("abcd", "abc_x", None),  # three quarters, not more
        ("abcdz", "abcd_x", 3),
        ("re", "repo_x", None),  # fewer than three characters
        ("gith", "GitHub_x", 3),  # a joined form is a word of the name
        ("repo", "x", None),
    ],
)
def test_the_prefix_of_either_direction(query: str, name: str, expected: int | None) -> None:
    assert scores(query, PlainTool(name)) == ({} if expected is None else {name: expected})


def test_a_word_that_some_name_has_gets_no_prefix_matches() -> None:
    assert scores("add", PlainTool("add_person"), PlainTool("find_address")) == {"add_person": 5}
    assert scores("add", PlainTool("find_address")) == {"find_address": 3}


def test_prefixes_are_for_names_alone() -> None:
    assert scores("repo", PlainTool("x", "repository", "repository", "repository", ("repository",))) == {}


def test_description_stop_words_match_no_description_but_count_where_they_stand() -> None:
    tools = [
        PlainTool("a_b", "set it", "c"),
        PlainTool("c_d", "settings"),
        PlainTool("e_f", title="set", connector="g"),
    ]
    answer = rank("set", tools, share=Fraction(0))
    assert order(answer) == ["c_d"]  # settings has the stem set, and is not stopped as typed
    assert answer.hits[0].words[0].mass == mass(3, 3)
    assert rank("set", [tools[0]]).reason == "below_floor"
    assert rank("set", [tools[0]]).unmatched == []
    assert scores("set", PlainTool("set_x", connector="set")) == {"set_x": 7}


def test_stop_words_can_be_replaced() -> None:
    tools = [PlainTool("x_y", "set a frobnicator")]
    assert order(rank("set", tools, stop_words=frozenset({"frobnicator"}))) == ["x_y"]
    assert order(rank("frobnicator", tools, stop_words=frozenset({"frobnicator"}))) == []


def test_a_split_run_counts_as_its_joined_form_where_some_field_has_it() -> None:
    snake, described = PlainTool("git_hub_x"), PlainTool("y", "github")
    assert rank("GitHub", [snake]).query_words == ["git", "hub"]
    assert rank("GitHub", [snake, described]).query_words == ["github"]


def test_function_words_and_single_letters_are_dropped_unless_a_name_has_them() -> None:
    assert rank("list the x files", [PlainTool("list_files")]).query_words == ["list", "files"]
    assert rank("list the x files", [PlainTool("list_x_files")]).query_words == ["list", "x", "files"]
    assert rank("the a", [PlainTool("list_files")]).query_words == ["the", "a"]
    assert rank("the +list a", [PlainTool("list_files")]).query_words == ["list"]
    assert rank("the é 1", [PlainTool("list_files")]).query_words == ["é", "1"]


def test_required_words_must_match_and_do_not_weigh() -> None:
    tools = [PlainTool("list_files", connector="Drive"), PlainTool("list_files", connector="Box")]
    answer = rank("list files +box", tools)
    assert [(hit.tool.connector, hit.score, hit.coverage) for hit in answer.hits] == [("Box", 10, Fraction(1))]
    assert answer.required == ["box"]
    assert [hit.score for hit in rank("box +box", tools).hits] == [2]  # no plain word is left
    assert rank("list files +dropbox", tools).reason == "missing_required"
    assert order(rank("+dropbox list_files", tools)) == []  # named whole, and out all the same
    assert [hit.tool.connector for hit in rank("+the +box list", tools).hits] == []  # never dropped


def test_every_word_of_a_required_piece_must_match() -> None:
    tools = [PlainTool("list_files"), PlainTool("list_folders")]
    assert order(rank("list +list_folders", tools)) == ["list_folders"]


def test_select_is_removed_where_the_query_begins_with_it() -> None:
    tools = [PlainTool("select_row"), PlainTool("get_file"), PlainTool("get_folder")]
    assert rank("select:get_file,get_folder", tools).query_words == ["get", "file", "folder"]
    assert rank(" select:get_file", tools).query_words == ["select", "get", "file"]
    assert rank("select:+file get", tools).required == ["file"]


def test_exactly_half_of_the_mass_is_enough() -> None:
    answer = rank("alpha beta", [PlainTool("alpha_x"), PlainTool("beta_x"), PlainTool("gamma_x")])
    assert order(answer) == ["alpha_x", "beta_x"]
    assert {hit.coverage for hit in answer.hits} == {Fraction(1, 2)}
    assert (
        rank("alpha beta", [PlainTool("alpha_x"), PlainTool("beta_x")], share=Fraction(51, 100)).reason == "below_floor"
    )


def test_a_pool_of_one_tool_answers() -> None:
    assert order(rank("list", [PlainTool("list_x")])) == ["list_x"]
    answer = rank("list files", [PlainTool("list_x")])
    assert (order(answer), answer.reason, answer.unmatched, answer.withheld) == ([], "unknown_words", ["files"], 1)


def test_words_that_every_tool_has_still_weigh() -> None:
    answer = rank("list", [PlainTool("list_b"), PlainTool("list_a")])
    assert [(hit.tool.name, hit.covered) for hit in answer.hits] == [("list_a", mass(2, 2)), ("list_b", mass(2, 2))]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("list_pull_requests", True),
        ("listPullRequests", True),
        ("list pull request", True),  # the whole query as one piece, stemmed
        ("github__list_pull_requests", True),
        ("Github list pull requests", True),
        ("GitHub list pull requests", False),  # its parts are git and hub, the label's is github
        ("mcp__github__list_pull_requests", True),
        ("mcp list_pull_requests", True),
        ("other x, list-pull-requests; y", True),
        ("pull_requests_list", False),
        ("list_the_pull_requests", False),
        ("slack__list_pull_requests", False),
        ("mcp__mcp__list_pull_requests", False),
        ("list pull requests now", False),
    ],
)
def test_a_query_names_a_tool_whole_in_these_spellings(query: str, named: bool) -> None:
    assert reference.names_whole(clean(query), PlainTool("list_pull_requests", connector="github")) is named


@pytest.mark.parametrize("name", ["mcp__git__list_files", "git.list_files", "git:list_files", "a/b/list_files"])
def test_a_leaf_names_its_tool(name: str) -> None:
    assert reference.names_whole("x list_files", PlainTool(name))
    assert reference.names_whole("x " + name, PlainTool(name))
    assert not reference.names_whole("x files", PlainTool(name))


def test_a_form_of_one_word_names_a_tool_only_as_the_whole_query() -> None:
    assert reference.names_whole("fetch", PlainTool("fetch"))
    assert reference.names_whole("fetch;", PlainTool("fetch"))
    assert reference.names_whole("mcp fetch", PlainTool("fetch"))
    assert not reference.names_whole("fetch it", PlainTool("fetch"))
    assert reference.names_whole("web_fetch it", PlainTool("fetch", connector="web"))
    assert not reference.names_whole("!!!", PlainTool("???"))


def test_a_query_that_lists_six_names_returns_those_six() -> None:
    tools = [PlainTool(f"tool_{letter}", "Does a job.", "lab") for letter in "abcdefgh"]
    answer = rank("select:tool_a,tool_b, tool_c;tool_d tool_e,tool_f", tools)
    assert [hit.tool.name for hit in answer.hits if hit.named] == [f"tool_{letter}" for letter in "abcdef"]


@pytest.mark.parametrize(
    ("query", "tools", "expected"),
    [
        (  # 1. named whole before a higher score
            "get_file",
            [PlainTool("get_file_list", "get file", "get file"), PlainTool("get_file")],
            ["get_file", "get_file_list"],
        ),
        ("file", [PlainTool("a_b", "file"), PlainTool("file_b")], ["file_b", "a_b"]),  # 2. score
        ("file x", [PlainTool("file_list_b"), PlainTool("file_z")], ["file_z", "file_list_b"]),  # 3. fewer parts left
        (
            "file",  # distinct parts: one is left of file_b_b
            [PlainTool("file_z"), PlainTool("file_a_b"), PlainTool("file_b_b")],
            ["file_b_b", "file_z", "file_a_b"],
        ),
        ("github", [PlainTool("github_x"), PlainTool("GitHub_b")], ["GitHub_b", "github_x"]),  # joined: git and hub too
        (  # 4. risk
            "file",
            [
                PlainTool("delete_file"),
                PlainTool("edit_file"),
                PlainTool("view_file", read_only=True),
                PlainTool("file_drop", destructive=True),
                PlainTool("purge_file", destructive=False),
                PlainTool("remove_file", read_only=False),
                PlainTool("wipe_file", read_only=True, destructive=True),
            ],
            ["view_file", "wipe_file", "edit_file", "purge_file", "delete_file", "file_drop", "remove_file"],
        ),
        (
            "file",
            [PlainTool("file_b"), PlainTool("file_B"), PlainTool("file_a")],
            ["file_B", "file_a", "file_b"],
        ),  # 5. name
    ],
)
def test_the_order_by_each_key(query: str, tools: list[PlainTool], expected: list[str]) -> None:
    assert order(rank(query, tools)) == expected
    assert order(rank(query, tools[::-1])) == expected
    assert order(rank(query, tools, limit=2)) == expected[:2]


def test_connector_labels_decide_last() -> None:
    tools = [PlainTool("file_x", connector=label) for label in ("b", "", "a", "B")]
    assert [hit.tool.connector for hit in rank("file", tools).hits] == ["", "B", "a", "b"]


@pytest.mark.parametrize(
    ("query", "tools", "reason"),
    [
        ("list", [PlainTool("list_x")], "matched"),
        ("", [PlainTool("list_x")], "blank_query"),
        (" +, !", [], "blank_query"),
        ("list", [], "empty_pool"),
        ("calendar", [PlainTool("list_x")], "unknown_words"),
        ("alpha beta gamma", [PlainTool("alpha"), PlainTool("beta"), PlainTool("gamma")], "below_floor"),
        ("list +drive", [PlainTool("list_x"), PlainTool("drive_a")], "below_floor"),  # known, but to another tool
        ("calendar +drive", [PlainTool("list_x"), PlainTool("drive_a")], "unknown_words"),
        ("list +box", [PlainTool("list_x")], "missing_required"),
    ],
)
def test_every_reason_has_its_cause(query: str, tools: list[PlainTool], reason: str) -> None:
    assert rank(query, tools).reason == reason


def test_unmatched_words_are_told_as_typed_and_casefolded() -> None:
    assert rank("Listing SCHEDULES getURLs", [PlainTool("list_x")]).unmatched == ["schedules", "get", "urls"]
