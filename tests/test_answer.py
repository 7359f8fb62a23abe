"""What an answer says: hits, words, reasons, counts; as objects, as text and as JSON."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from tests.strategies import Case, cases, wild_cases
from toolrank import Explanation, Floor, Hit, Pool, Ranking, Reason, Tool, Weights, WordMatch, explain, rank
from toolrank._mass import mass

LIST = Tool("list_files", "Show files.", connector="Drive", payload={"raw": 1})
FIND = Tool("find_file", "Search by name.", connector="Drive")
SHARE = Tool("share_folder", "Let others in.", connector="Box")
POOL = Pool([LIST, FIND, SHARE])


# ---- A ranking is a sequence ---------------------------------------------------------------------------------------


def test_a_ranking_is_a_read_only_sequence_of_hits() -> None:
    answer = rank("file", POOL)
    assert isinstance(answer, Sequence)
    assert len(answer) == 2
    assert [hit.tool for hit in answer] == answer.tools == [LIST, FIND]  # 6 before 5
    assert answer[0].tool == LIST
    assert answer[-1].tool == FIND
    assert [hit.tool for hit in answer[1:]] == [FIND]
    assert [hit.tool for hit in reversed(answer)] == [FIND, LIST]
    assert answer[0] in answer
    assert answer.index(answer[1]) == 1
    with pytest.raises(IndexError):
        answer[2]
    with pytest.raises(TypeError):
        answer[0] = answer[1]  # type: ignore[index]


def test_an_empty_ranking_is_false_and_another_is_true() -> None:
    assert rank("file", POOL)
    assert not rank("unheard", POOL)


def test_rankings_that_say_the_same_are_equal() -> None:
    assert rank("file", POOL) == rank("file", Pool([SHARE, FIND, LIST]))
    assert hash(rank("file", POOL)) == hash(rank("file", Pool([SHARE, FIND, LIST])))
    assert rank("file", POOL) != rank("files", POOL)
    assert rank("file", POOL) != rank("file", POOL, 1)
    assert rank("file", POOL) != rank("file", Pool([LIST, FIND]))  # other masses
    assert rank("file", POOL) != rank("file", POOL).tools
    assert rank("file list", POOL, 1) != rank("file list", POOL, 1, floor=Floor(0))  # one more withheld


def test_a_hit_carries_its_tool_with_the_payload() -> None:
    assert rank("list", POOL)[0].tool.payload == {"raw": 1}
    assert rank("list", POOL)[0].tool is LIST


# ---- Hits and words ------------------------------------------------------------------------------------------------


def test_a_hit_tells_each_word_with_its_mass_and_fields() -> None:
    hit = rank("Files drive +show unheard", POOL, floor=Floor(0))[0]
    assert hit.words == (
        WordMatch("files", mass(3, 2), 2, ("name", "description"), 6),
        WordMatch("drive", mass(3, 2), 2, ("connector",), 2),
        WordMatch("show", mass(3, 1), 1, ("description",), 1, weighs=False),
        WordMatch("unheard", mass(3, 0), 0, (), 0),
    )
    assert hit.score == 8
    assert hit.covered == 2 * mass(3, 2)
    assert hit.total == 2 * mass(3, 2) + mass(3, 0)
    assert hit.coverage == Fraction(hit.covered, hit.total)
    assert isinstance(hit.coverage, Fraction)
    assert float(hit.coverage) == hit.covered / hit.total
    assert hit.matched == ("files", "drive", "show")
    assert not hit.named


def test_fields_are_told_from_name_to_description() -> None:
    tools = [Tool("issuer", "issue", "issue"), Tool("issue_x", title="issue", connector="issue")]
    assert [hit.words[0].fields for hit in rank("issue", Pool(tools[:1]))] == [("prefix", "connector", "description")]
    assert [hit.words[0].fields for hit in rank("issue", Pool(tools[1:]))] == [("name", "connector", "description")]


def test_a_hit_and_a_word_are_frozen() -> None:
    hit = rank("list", POOL)[0]
    with pytest.raises(AttributeError, match="cannot assign"):
        hit.score = 0  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot assign"):
        hit.words[0].score = 0  # type: ignore[misc]
    assert copy.deepcopy(hit) == hit


@settings(max_examples=60)
@given(cases(Tool, max_size=8))
def test_the_numbers_of_a_hit_add_up(case: Case) -> None:
    pool = Pool(case.visible)
    answer = rank(case.query, pool, None, floor=Floor(0))
    for hit in answer:
        weighing = [word for word in hit.words if word.weighs]
        assert hit.score == sum(word.score for word in weighing)
        assert hit.covered == sum(word.mass for word in weighing if word.fields)
        assert hit.total == sum(word.mass for word in weighing)
        assert 0 <= hit.covered <= hit.total
        assert [word.mass for word in hit.words] == [mass(len(pool), word.df) for word in hit.words]
        assert tuple(word.word for word in hit.words) == answer.query_words
        assert tuple(word.word for word in hit.words if word.df == 0) == answer.unmatched
        assert set(answer.required) <= set(hit.matched)


# ---- The words of the query ----------------------------------------------------------------------------------------


def test_query_words_stand_by_first_appearance_as_typed_and_casefolded() -> None:
    answer = rank("Unheard FILES of the drive +Show file lists", POOL)
    assert answer.query == "Unheard FILES of the drive +Show file lists"
    assert answer.query_words == ("unheard", "files", "drive", "show", "lists")
    assert answer.required == ("show",)
    assert answer.unmatched == ("unheard",)


def test_a_required_word_stands_where_the_query_first_has_it() -> None:
    assert rank("drive file +drive", POOL).query_words == ("drive", "file")
    assert rank("+show drive", POOL).query_words == ("show", "drive")


@pytest.mark.parametrize(
    ("query", "unmatched"),
    [
        ("Fetching SCHEDULES getURLs", ("fetching", "schedules", "get", "urls")),  # not stemmed
        ("file foo foos", ("foo",)),
        ("+foo file", ("foo",)),  # a required word is one of the query's
        ("of the", ("of", "the")),
        ("find", ()),
        ("fin", ()),  # a prefix match is one
        ("let", ()),
        ("drive", ()),
        ("漢字検索", ("漢字", "字検", "検索")),
    ],
)
def test_unmatched_words_are_those_that_no_visible_tool_has(query: str, unmatched: tuple[str, ...]) -> None:
    assert rank(query, POOL).unmatched == unmatched


def test_a_word_that_stands_only_where_it_is_stopped_is_known_and_covers_nothing() -> None:
    answer = rank("set", Pool([Tool("x_y", "set it")]))
    assert (answer.unmatched, answer.reason, answer.withheld) == ((), Reason.BELOW_FLOOR, 0)


# ---- Reasons -------------------------------------------------------------------------------------------------------

A, B, C = Tool("alpha"), Tool("beta"), Tool("gamma")


@pytest.mark.parametrize(
    ("query", "tools", "reason"),
    [
        ("alpha", [A], "matched"),
        ("", [A], "blank_query"),
        ("!? + -- \u200b", [A], "blank_query"),
        ("select:", [A], "blank_query"),
        ("", [], "blank_query"),  # a blank query before an empty pool
        ("alpha", [], "empty_pool"),
        ("+alpha", [], "empty_pool"),  # an empty pool before a missing word
        ("unheard", [A], "unknown_words"),
        ("the of", [A], "unknown_words"),
        ("alpha one two three", [A], "unknown_words"),
        ("alpha beta gamma", [A, B, C], "below_floor"),  # known, and no tool has two of three
        ("alpha beta gamma unheard", [A, B, C], "below_floor"),
        ("alpha +unheard", [A], "missing_required"),
        ("unheard +unheard_of", [A], "missing_required"),  # a missing word before unknown ones
        ("one two +alpha +beta", [A, B], "missing_required"),  # each has one
        ("unheard +alpha", [A, B, C], "unknown_words"),
        ("alpha beta +gamma", [A, B, C], "below_floor"),
    ],
)
def test_a_reason_has_its_cause_and_gives_way_to_those_before_it(query: str, tools: list[Tool], reason: str) -> None:
    answer = rank(query, Pool(tools))
    assert answer.reason == reason
    assert (answer.reason is Reason.MATCHED) == bool(answer)


def test_unknown_words_and_below_floor_part_at_the_need_itself() -> None:
    # The known words weigh exactly the half that the floor asks for, but no single tool has both.
    pool = Pool([A, B, C])
    known = 2 * mass(3, 1)
    whole = known + mass(3, 0)
    assert rank("alpha beta unheard", pool, floor=Floor(Fraction(known, whole))).reason is Reason.BELOW_FLOOR
    more = Fraction(known, whole) + Fraction(1, 1 << 80)
    assert rank("alpha beta unheard", pool, floor=Floor(more)).reason is Reason.UNKNOWN_WORDS


def test_a_reason_is_a_string_and_reads_as_one() -> None:
    assert [str(reason) for reason in Reason] == [
        "matched",
        "blank_query",
        "empty_pool",
        "unknown_words",
        "below_floor",
        "missing_required",
    ]
    assert json.dumps(Reason.MATCHED) == '"matched"'
    assert f"{Reason.BELOW_FLOOR}" == "below_floor"
    assert Reason("empty_pool") is Reason.EMPTY_POOL


# ---- Withheld ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "withheld"),
    [
        ("file", 0),  # both are returned
        ("list of unheard things", 1),
        ("file drive unheard_of things", 2),
        ("unheard", 0),
        ("", 0),
        ("file unheard things +list", 1),  # the other lacks the required word
        ("file unheard things +unheard", 0),
        ("share_folder", 0),
        ("share_folder file list drive name", 2),  # one is named whole, two fall short
    ],
)
def test_withheld_counts_tools_that_match_something_and_fall_short(query: str, withheld: int) -> None:
    assert rank(query, POOL).withheld == withheld


def test_a_limit_withholds_nothing() -> None:
    assert rank("file", POOL, 1).withheld == 0
    assert rank("file", POOL, 1).reason is Reason.MATCHED


def test_a_stopped_word_withholds_nothing() -> None:
    assert rank("set unheard", Pool([Tool("x_y", "set it")])).withheld == 0


# ---- Text ----------------------------------------------------------------------------------------------------------


def test_the_text_of_an_answer_is_a_table() -> None:
    assert str(rank("files drive unheard", POOL, floor=Floor("1/4"))).splitlines() == [
        "tool        connector  score  coverage  matched words",
        "list_files  Drive      8      31%       files drive",
        "find_file   Drive      7      31%       files drive",
    ]
    assert (
        str(rank("share_folder", POOL)).splitlines()[1] == "share_folder  Box        10     100% (named)  share folder"
    )


@pytest.mark.parametrize(
    ("query", "tools", "text"),
    [
        ("", [A], "Nothing fits '': the query has no words."),
        ("alpha", [], "Nothing fits 'alpha': no tools are visible."),
        (
            "one",
            [A],
            "Nothing fits 'one': no visible tool knows 'one', and its known words weigh less than the floor asks for.",
        ),
        (
            "one alpha two",
            [A],
            (
                "Nothing fits 'one alpha two': no visible tool knows 'one' or 'two', "
                "and its known words weigh less than the floor asks for."
            ),
        ),
        ("alpha beta gamma", [A, B, C], "Nothing fits 'alpha beta gamma': no single tool covers enough of it."),
        (
            "alpha +beta",
            [A, Tool("x", "beta")],
            "Nothing fits 'alpha +beta': no single tool covers enough of it.",
        ),
        (
            "gamma +alpha +beta",
            [A, B, C],
            "Nothing fits 'gamma +alpha +beta': no visible tool matches every required word.",
        ),
        (
            "alpha +one",
            [A],
            "Nothing fits 'alpha +one': no visible tool knows 'one', and no visible tool matches every required word.",
        ),
    ],
)
def test_the_text_of_an_empty_answer_is_one_sentence(query: str, tools: list[Tool], text: str) -> None:
    assert str(rank(query, Pool(tools))) == text


def test_the_repr_of_a_ranking_is_short() -> None:
    assert repr(rank("file", POOL)) == "<Ranking of 'file': matched, ['list_files', 'find_file'], withheld 0>"
    assert repr(rank("x_", POOL)) == "<Ranking of 'x_': unknown_words, [], withheld 0>"
    many = Pool([Tool(f"list_{letter}") for letter in "bcde"])
    assert repr(rank("list", many)) == "<Ranking of 'list': matched, ['list_b', 'list_c', 'list_d', ...], withheld 0>"


def test_control_characters_do_not_break_the_table() -> None:
    pool = Pool([Tool("list\n\x1b[2J\u202e", connector="a\rb")])
    lines = str(rank("list", pool)).split("\n")
    assert len(lines) == 2
    assert lines[1].startswith("list\\n\\x1b[2J\\u202e  a\\rb")
    assert "\x1b" not in str(explain("list", pool, next(iter(pool))))


# ---- JSON ----------------------------------------------------------------------------------------------------------


def test_the_dictionary_of_an_answer_is_all_of_it() -> None:
    assert rank("list unheard +drive", POOL, floor=Floor("1/4")).to_dict() == {
        "query": "list unheard +drive",
        "reason": "matched",
        "query_words": ["list", "unheard", "drive"],
        "required": ["drive"],
        "unmatched": ["unheard"],
        "withheld": 0,
        "hits": [
            {
                "name": "list_files",
                "connector": "Drive",
                "score": 5,
                "coverage": mass(3, 1) / (mass(3, 1) + mass(3, 0)),
                "covered": mass(3, 1),
                "total": mass(3, 1) + mass(3, 0),
                "named": False,
                "words": [
                    {"word": "list", "mass": mass(3, 1), "df": 1, "fields": ["name"], "score": 5, "weighs": True},
                    {"word": "unheard", "mass": mass(3, 0), "df": 0, "fields": [], "score": 0, "weighs": True},
                    {
                        "word": "drive",
                        "mass": mass(3, 2),
                        "df": 2,
                        "fields": ["connector"],
                        "score": 2,
                        "weighs": False,
                    },
                ],
            }
        ],
    }


def through_json(value: object) -> object:
    # Not escaped: JSON reads two escaped surrogates in a row as one character, whoever wrote them.
    return json.loads(json.dumps(value, allow_nan=False, ensure_ascii=False))


@settings(max_examples=60)
@given(wild_cases(Tool))
def test_every_answer_is_ready_for_json_and_for_reading(case: Case) -> None:
    pool = Pool(case.visible)
    answer = rank(case.query, pool, floor=Floor(0))
    assert through_json(answer.to_dict()) == answer.to_dict()
    assert len(str(answer).split("\n")) == (len(answer) + 1 if answer else 1)
    assert repr(answer).startswith("<Ranking of ")
    for tool in pool:
        told = explain(case.query, pool, tool)
        assert through_json(told.to_dict()) == told.to_dict()
        assert len(str(told).split("\n")) == 1 + len(answer.query_words)


# ---- Explanations --------------------------------------------------------------------------------------------------


def test_an_explanation_of_a_hit_has_the_hits_numbers() -> None:
    query = "files drive unheard"
    floor = Floor("1/4")
    for at, hit in enumerate(rank(query, POOL, floor=floor), 1):
        told = explain(query, POOL, hit.tool, floor=floor)
        assert (told.returned, told.position) == (True, at)
        assert (told.score, told.covered, told.total, told.coverage) == (
            hit.score,
            hit.covered,
            hit.total,
            hit.coverage,
        )
        assert (told.named, told.words, told.tool) == (hit.named, hit.words, hit.tool)
        assert told.need == floor.need([word.mass for word in hit.words])


@pytest.mark.parametrize(
    ("query", "tool", "verdict"),
    [
        ("list", LIST, "at 1: it covers 100.0% of the query's mass, and the floor asks for 50.0%"),
        ("file", FIND, "at 2: it covers 100.0% of the query's mass, and the floor asks for 50.0%"),
        ("file", SHARE, "absent: it covers 0.0% of the query's mass, and the floor asks for 50.0%"),
        ("", LIST, "absent: the query has no words"),
        ("list +box", LIST, "absent: it does not match the required 'box'"),
        ("list +box +in", LIST, "absent: it does not match the required 'box', 'in'"),
        ("list_files +box", LIST, "absent: it does not match the required 'box'"),
        (
            "find_file of many_unheard words",
            FIND,
            "at 1: the query names it whole; it covers 18.9% of the query's mass",
        ),
    ],
)
def test_a_verdict_says_why(query: str, tool: Tool, verdict: str) -> None:
    assert explain(query, POOL, tool).verdict == verdict


def test_an_explanation_is_told_word_by_word() -> None:
    assert str(explain("files set +drive unheard", Pool([*POOL, Tool("x", "set")]), FIND)).splitlines() == [
        "find_file absent: it covers 16.5% of the query's mass, and the floor asks for 50.0%",
        "  files       16.5%  df 2  name, score 5",
        "  set         28.7%  df 1  in none of its fields",
        "  drive    required  df 2  connector",
        "  unheard     54.8%  df 0  known to no visible tool",
    ]


def test_an_explanation_tells_the_missing_required_words() -> None:
    told = explain("list +box +drive", POOL, LIST)
    assert (told.missing, told.returned, told.position) == (("box",), False, None)
    assert explain("list +drive", POOL, LIST).missing == ()


def test_the_dictionary_of_an_explanation_is_all_of_it() -> None:
    told = explain("list +box", POOL, LIST)
    assert told.to_dict() == {
        "query": "list +box",
        "name": "list_files",
        "connector": "Drive",
        "returned": False,
        "position": None,
        "verdict": told.verdict,
        "score": 5,
        "coverage": 1.0,
        "covered": mass(3, 1),
        "total": mass(3, 1),
        "need": (mass(3, 1) + 1) // 2,
        "named": False,
        "missing": ["box"],
        "words": [word.to_dict() for word in told.words],
    }


def test_an_explanation_follows_floor_and_weights() -> None:
    assert explain("list unheard", POOL, LIST).returned is False
    assert explain("list unheard", POOL, LIST, floor=Floor(0)).returned is True
    assert explain("list", POOL, LIST, weights=Weights(name=7)).score == 7
    assert explain("file", POOL, FIND, weights=Weights(description=0)).position == 1  # a tie of 5: find before list


def test_an_explanation_of_a_blank_query_covers_nothing() -> None:
    told = explain("", POOL, LIST)
    assert (told.coverage, told.score, told.words, told.total) == (Fraction(0), 0, (), 0)
    assert str(told) == "list_files absent: the query has no words"


@settings(max_examples=60)
@given(cases(Tool, max_size=8))
def test_explanations_and_the_answer_tell_one_story(case: Case) -> None:
    pool = Pool(case.visible)
    answer = rank(case.query, pool, None)
    told: dict[int | None, list[Explanation]] = {}
    for tool in pool:
        found = explain(case.query, pool, tool)
        told.setdefault(found.position, []).append(found)
    absent = told.pop(None, [])
    assert sorted(told) == list(range(1, len(answer) + 1))  # type: ignore[type-var]
    assert [told[at][0].tool for at in sorted(told)] == answer.tools  # type: ignore[type-var]
    assert not any(found.returned for found in absent)
    assert sum(1 for found in absent if found.covered and not found.missing) == answer.withheld


def test_public_records_compare_by_their_fields() -> None:
    word: Any = WordMatch("w", 1, 1, ("name",), 5)
    assert word == WordMatch("w", 1, 1, ("name",), 5)
    assert word != WordMatch("w", 1, 1, ("name",), 5, weighs=False)
    assert Hit(LIST, 1, 1, 2, False, (word,)) == Hit(LIST, 1, 1, 2, False, (word,))
    assert isinstance(rank("list", POOL), Ranking)
