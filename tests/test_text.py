"""Text to words: each sentence of the rule's section on words, by example, and then held against the plain code."""

from __future__ import annotations

import string
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reference
from tests.strategies import texts, wild_texts
from toolrank import STOP_WORDS
from toolrank._text import FUNCTION_WORDS, clean, label_runs, prose_words, query_pieces, read_run, spelled_pieces, stem


def parts(text: str) -> list[str]:
    return [part for run in label_runs(text) for part in run.parts]


def joined(text: str) -> list[str]:
    return [run.joined for run in label_runs(text) if run.joined is not None]


# ---- 1. What is invisible, and what only looks different -----------------------------------------------------------


@pytest.mark.parametrize(
    "hidden",
    [
        "\u200b",  # zero-width space
        "\u200d",  # zero-width joiner
        "\u00ad",  # soft hyphen
        "\ufeff",  # byte order mark
        "\u202e",  # right-to-left override
        "\u2066",  # isolate
        "\U000e0061",  # tag letter
        "\ufe00",  # first and last variation selectors of both blocks
        "\ufe0f",
        "\U000e0100",
        "\U000e01ef",
    ],
)
def test_an_invisible_character_neither_splits_a_word_nor_hides_one(hidden: str) -> None:
    assert parts(f"git{hidden}hub") == ["github"]
    assert parts(f"{hidden}list{hidden}_{hidden}issues") == ["list", "issues"]
    assert prose_words(f"git{hidden}hub") == {"github"}
    assert query_pieces(f"git{hidden}hub").plain == ["github"]


@pytest.mark.parametrize("kept", ["\ufdff", "\ufe10", "\U000e00ff", "\U000e01f0", "\u180b"])
def test_what_stands_beside_the_variation_selectors_is_kept(kept: str) -> None:
    assert clean(f"a{kept}b") == unicodedata.normalize("NFKC", f"a{kept}b") != "ab"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＬＩＳＴ", "LIST"),
        ("ﬁle", "file"),
        ("e\u0301", "é"),
        ("①", "1"),
        ("ſet", "set"),
        ("\uff07", "'"),
        ("\u212b", "Å"),
        ("か\u3099", "が"),
        ("ｶﾞ", "ガ"),
        ("\u1112\u1161\u11ab", "한"),
    ],
)
def test_nfkc_makes_one_of_what_only_looks_different(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_invisible_characters_go_before_nfkc_puts_marks_together() -> None:
    assert clean("e\u200b\u0301") == "é"


MARKS = ("\u0301", "\u0323", "\u0327", "\u0345", "\u05b0", "\u3099", "\u0334", "\u1dce", "\u0308")


@settings(max_examples=60)
@given(
    st.text(
        st.sampled_from((*MARKS, "a", "e", "e\u0323"[:1], "ệ", "가", "\u11a8", "ﬁ", "\ufdfa", "\u0344")), max_size=40
    )
)
def test_a_long_text_is_cleaned_as_nfkc_cleans_it(text: str) -> None:
    long = "x" + text * (1 + 600 // max(1, len(text)))
    assert clean(long) == unicodedata.normalize("NFKC", long)
    assert clean(text) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize("size", range(505, 520))
def test_the_length_of_a_text_changes_nothing_about_its_cleaning(size: int) -> None:
    text = ("a\u0301\u0323" * 200)[:size]
    assert clean(text) == unicodedata.normalize("NFKC", text)


def test_every_character_is_cleaned_alike_alone_and_in_a_long_text() -> None:
    points = [
        chr(c) for c in range(sys.maxunicode + 1) if unicodedata.decomposition(chr(c)) or unicodedata.combining(chr(c))
    ]
    shown = [c for c in points if unicodedata.category(c) != "Cf" and not "\ufe00" <= c <= "\ufe0f"]
    for start in range(0, len(shown), 2000):
        some = "\n".join(shown[start : start + 2000])
        assert clean(some) == unicodedata.normalize("NFKC", some)


# ---- 2. Markup and addresses, in descriptions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<b>c", "a c"),
        ("a</b>c", "a c"),
        ("a<!-- x --> c", "a c"),
        ("a<?x?>c", "a c"),
        ("a<é x>c", "a c"),  # any letter
        ("a<1>c", "a 1 c"),
        ("a< b>c", "a b c"),
        ("a<>c", "a c"),
        ("a<b c", "a b c"),  # never closed
        ("a>b<c", "a b c"),
        ("a<b<c>d", "a d"),  # up to the next >
        ("a<b>c<d", "a c d"),
        ("a<", "a"),
        ("x http://e.org/y z", "x z"),
        ("x HTTPS://e.org/y z", "x z"),
        ("xhttp://e.org z", "x z"),
        ("http:///e z", "z"),
        ("x http:/e z", "x http e z"),
        ("x ftp://e z", "x ftp e z"),
        ("x httpss://e z", "x httpss e z"),
        ("http://a<b>c", "c"),
        ("http://a>b", "b"),
        ('http://a"b', "b"),
        ("http://a'b", "b"),
        ("http://a)b", "b"),
        ("http://a]b", "b"),
        ("http://a(b[c}d", ""),
        ("http://a\tb\u3000c\u2028d\x1ce", "b c d e"),
        ("http://ahttp://b c", "c"),
        ("<a href=http://x>y</a>", "y"),
        ("<a http://x y>z", "z"),
        ("<a <http://x y", "a y"),
    ],
)
def test_tags_and_urls_separate_words_and_are_none(text: str, expected: str) -> None:
    assert prose_words(text) == set(expected.split())


def test_markup_and_urls_are_words_everywhere_else() -> None:
    assert parts("<list>http://e.org") == ["list", "http", "e", "org"]
    assert query_pieces("<list> http://e.org").plain == ["list", "http", "e", "org"]


# ---- 3. Runs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("list_all-cal.com/x:y z", ["list", "all", "cal", "com", "x", "y", "z"]),
        ("a\x00b\x1fc", ["a", "b", "c"]),
        ("½ x² \u0663", ["1", "2", "x2", "\u0663"]),  # NFKC makes ½ 1, a slash, and 2
        ("a\u0301\u20ddb", ["á\u20ddb"]),  # marks are of the run
        ("\u0301", ["\u0301"]),
        ("\ud800x\udfff", ["x"]),  # surrogates are none of the three
        ("😀list😀", ["list"]),
        ("", []),
        ("__--", []),
        ("don't", ["dont"]),
        ("DON\u2019T", ["dont"]),
        ("user's", ["user"]),
        ("USER'S", ["user"]),
        ("user\u2019s", ["user"]),
        ("user's's", ["users"]),  # only the final one
        ("s's", ["s"]),
        ("user'sx", ["usersx"]),
        ("users'", ["users"]),
        ("'s", ["s"]),
        ("''s", ["s"]),
        ("a''b", ["a", "b"]),
        ("a'\u2019b", ["a", "b"]),
        ("a'b'c'", ["abc"]),
        ("'a'", ["a"]),
        ("a'_b", ["a", "b"]),
        ("O'Brien's", ["obrien"]),
        ("é's", ["é"]),
        ("é'é", ["éé"]),
    ],
)
def test_a_run_is_letters_marks_and_numbers_and_goes_on_over_an_apostrophe(text: str, expected: list[str]) -> None:
    assert [run.joined or run.parts[0] for run in label_runs(text)] == expected


def test_a_description_has_the_same_runs() -> None:
    assert prose_words("The user's list, don't 'quote' it") == {"the", "user", "list", "dont", "quote", "it"}
    assert prose_words("L'été café's") == {"lété", "café"}


CJK_RANGES = (
    (0x1100, 0x11FF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


@pytest.mark.parametrize(("first", "last"), CJK_RANGES)
def test_a_range_of_paired_characters_ends_where_the_rule_says(first: int, last: int) -> None:
    def inner(code: int) -> bool:
        """Whether this character is cut off from a letter, so that the run has more than one part."""
        return len(query_pieces(f"a{chr(code)}").plain) == 2

    def survives(code: int) -> bool:
        c = chr(code)
        return clean(c) == c and unicodedata.category(c)[0] in "LN"  # of one character, and not a mark on the `a`

    inside = [code for code in range(first, last + 1) if survives(code)]
    assert inside
    assert all(inner(code) for code in (inside[0], inside[len(inside) // 2], inside[-1]))
    outside = [code for code in range(max(first - 0x200, 0), last + 0x200) if survives(code)]
    outside = [code for code in outside if not any(a <= code <= b for a, b in CJK_RANGES)]
    assert not any(inner(code) for code in outside)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("漢", ["漢"]),
        ("漢字", ["漢字"]),
        ("漢字検索", ["漢字", "字検", "検索"]),
        ("カレンダー", ["カレ", "レン", "ンダ", "ダー"]),
        ("ｶﾚﾝﾀﾞｰ", ["カレ", "レン", "ンダ", "ダー"]),
        ("漢かカ한", ["漢か", "かカ", "カ한"]),
        ("検索API", ["検索", "api"]),
        ("GitHub検索v2", ["git", "hub", "検索", "v2"]),
        ("漢1字", ["漢", "1", "字"]),
        ("漢'字", ["漢字"]),
        ("漢's", ["漢"]),
        ("漢's字", ["漢", "s", "字"]),
        ("漢\u0301字", ["漢", "\u0301", "字"]),  # a mark is of none of the scripts
        ("人々", ["人々"]),
        ("ㄅㄆ", ["ㄅㄆ"]),  # Bopomofo is a run like any other
        ("𠮷野家", ["𠮷野", "野家"]),
    ],
)
def test_a_stretch_of_han_kana_or_hangul_becomes_overlapping_pairs(text: str, expected: list[str]) -> None:
    assert parts(text) == expected
    assert prose_words(text.replace("GitHub", "git hub")) == set(expected)
    assert [part for run in query_pieces(text).plain for part in read_run(run).parts] == expected


def test_pairs_have_no_joined_form() -> None:
    assert joined("漢字検索") == []
    assert joined("GitHub検索") == ["github"]


# ---- 4. Case -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("listS3Objects", "list s3 objects"),
        ("addPerson", "add person"),
        ("AddPerson", "add person"),
        ("getURLInfo", "get url info"),
        ("getURLs", "get urls"),
        ("URLs", "urls"),
        ("URLsFor", "urls for"),
        ("getURLs2", "get urls2"),
        ("URLsx", "ur lsx"),  # a lower-case letter follows the s
        ("As", "as"),
        ("ABs", "abs"),
        ("ABS", "abs"),
        ("ABe", "a be"),
        ("aBs", "a bs"),
        ("oauth2", "oauth2"),
        ("OAuth2Token", "o auth2 token"),
        ("v2", "v2"),
        ("ec2", "ec2"),
        ("v2API", "v2 api"),
        ("2FA", "2 fa"),
        ("iOS", "i os"),
        ("IDs", "ids"),
        ("userIDsAndNames", "user ids and names"),
        ("HTTPServer", "http server"),
        ("A", "a"),
        ("ALL", "all"),
        ("aB", "a b"),
        ("Ab", "ab"),
        ("ПоискКода", "поиск кода"),
        ("ПОИСККода", "поиск кода"),
        ("éCole", "é cole"),
        ("ÉCOLES", "écoles"),
        ("ÉCs", "écs"),
        ("ÉCsx", "é csx"),
        ("aᾼ", "a αι"),  # title case is upper case
        ("x\u0331Y", "x\u0331 y"),  # a mark goes with its letter
        ("X\u0331Yz", "x\u0331 yz"),
        ("XY\u0331z", "x y\u0331z"),
        ("XYs\u0331", "x ys\u0331"),  # an s with a mark is no plural
        ("XYs\u0331z", "x ys\u0331z"),
        ("XYéz", "x yéz"),
        ("\u0301Ab", "\u0301ab"),
        ("1\u0331B", "1\u0331 b"),
        ("عAb", "عab"),  # a letter without case is neither
        ("\u0663B", "\u0663 b"),
        ("STRASSEß", "strass ess"),
    ],
)
def test_case_splits_where_a_word_begins(text: str, expected: str) -> None:
    assert parts(text) == expected.split()
    assert parts(text) == [part.typed for part in reference.parts(text, "name")]


@pytest.mark.parametrize("text", ["listS3Objects", "GitHub", "getURLs", "éCole"])
def test_a_description_is_not_split_by_case(text: str) -> None:
    assert prose_words(text) == {text.casefold()}


# ---- 5 and 6. Casefold, joined forms -------------------------------------------------------------------------------


def test_words_are_casefolded_and_not_only_lowered() -> None:
    assert parts("straße STRASSE") == ["strasse", "strasse"]
    assert parts("ΑΣ ας") == ["ασ", "ασ"]
    assert prose_words("Straße Ας") == {"strasse", "ασ"}
    assert parts("İ") == ["i\u0307"]


def test_a_run_that_case_splits_has_a_joined_form() -> None:
    assert joined("GitHub_list_getURLs") == ["github", "geturls"]
    assert joined("git_hub Github github GITHUB") == []
    assert joined("Straße STRASSEße") == ["strassesse"]


# ---- 7. Stems ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("query queries querying", "queri"),
        ("company companies", "compani"),
        ("movie movies", "movi"),
        ("create creates created creating", "creat"),
        ("address addresses addressed addressing", "address"),
        ("list lists listed listing", "list"),
        ("cache caches cached caching", "cach"),
        ("box boxes boxed boxing", "box"),
        ("ties tie", "tie"),
        ("pies", "pie"),  # four letters: no `ies`
        ("axes axe", "axe"),
        ("buses buse", "buse"),
        ("dishes dish", "dish"),
        ("branches branch", "branch"),
        ("ids", "ids"),
        ("tags tag", "tag"),
        ("gas", "gas"),
        ("class", "class"),
        ("bus", "bus"),
        ("status", "status"),
        ("basis", "basis"),
        ("planned planning plan plans", "plan"),
        ("planet planets", "planet"),
        ("called calling call", "call"),
        ("missed miss", "miss"),
        ("buzzed buzz", "buzz"),
        ("agreed agree", "agre"),
        ("tattooed tattooing tattoo", "tattoo"),  # a doubled vowel stays
        ("seeing", "seeing"),  # three letters would remain
        ("adding", "adding"),
        ("string", "string"),
        ("sting", "sting"),
        ("seed need", "seed"),
        ("being", "being"),
        ("scope scopes scoped", "scop"),
        ("type types typed", "type"),
        ("key keys", "key"),
        ("play plays played", "play"),
        ("copy copies", "copi"),
        ("sky", "sky"),  # three letters
        ("ally", "alli"),
        ("yy", "yy"),
        ("try", "try"),
        ("ies", "ies"),
        ("s", "s"),
        ("as", "as"),
        ("ing", "ing"),
        ("eses", "ese"),
    ],
)
def test_stems_follow_the_steps(words: str, expected: str) -> None:
    found = [stem(word) for word in words.split()]
    assert found[0] == expected
    assert found == [reference.stem(word) for word in words.split()]


@pytest.mark.parametrize(
    "pair",
    [
        "new news",
        "plan planet",
        "len lens",
        "alia alias",
        "canva canvas",
        "atla atlas",
        "serie series",
        "specie species",
    ],
)
def test_words_that_must_not_meet_do_not(pair: str) -> None:
    one, other = pair.split()
    assert stem(one) != stem(other)
    assert stem(other) == other


def test_only_words_of_a_to_z_are_stemmed() -> None:
    for word in ("series2", "é" + "ing" * 3, "poиски", "listés", "v2s", "x's", "LISTS", ""):
        assert stem(word) == word


@settings(max_examples=300)
@given(
    st.text(string.ascii_lowercase, max_size=4),
    st.sampled_from("ies sses shes ches xes s ss us is ing ed e y ey nning".split()),
    st.sampled_from(("", "s", "ed", "ing")),
)
def test_stems_are_those_of_the_plain_code(base: str, ending: str, more: str) -> None:
    assert stem(base + ending + more) == reference.stem(base + ending + more)


# ---- The query -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "plain", "required"),
    [
        ("list issues", "list issues", ""),
        ("+list issues", "issues", "list"),
        ("+list_all issues", "issues", "list all"),
        ("list +", "list", ""),
        ("list + issues", "list issues", ""),
        ("list+issues", "list issues", ""),
        ("++list", "", "list"),
        ("+-list", "", "list"),
        ("\uff0blist", "", "list"),  # a full-width plus, by NFKC
        ("\u200b+list", "", "list"),
        ("a\u3000+b\x1c+c\u2028d", "a d", "b c"),
        ("select:list", "list", ""),
        ("select:+list x", "x", "list"),
        ("select:select:list", "select list", ""),
        (" select:list", "select list", ""),
        ("Select:list", "Select list", ""),
        ("select list", "select list", ""),
        ("", "", ""),
        ("select:", "", ""),
    ],
)
def test_a_query_has_plain_and_required_runs(query: str, plain: str, required: str) -> None:
    pieces = query_pieces(query)
    assert pieces.plain == plain.split()
    assert pieces.required == required.split()


def test_a_query_spells_names_in_pieces_between_space_commas_and_semicolons() -> None:
    spelled = spelled_pieces(query_pieces("list_a,get_b;+put_c del_d").text)
    assert [runs for runs in spelled if len(runs) == 2] == [["list", "a"], ["get", "b"], ["put", "c"], ["del", "d"]]


# ---- The lists -----------------------------------------------------------------------------------------------------


def test_the_lists_are_the_rules() -> None:
    assert FUNCTION_WORDS == reference.FUNCTION_WORDS
    assert STOP_WORDS == reference.STOP_WORDS
    assert len(FUNCTION_WORDS) == 96


# ---- Any text, against the plain code ------------------------------------------------------------------------------

any_texts = texts() | wild_texts()


@settings(max_examples=200)
@given(any_texts)
def test_labels_are_read_as_the_plain_code_reads_them(text: str) -> None:
    assert clean(text) == reference.clean(text)
    expected = reference.runs(text, "name")
    assert parts(text) == [part.typed for run in expected for part in run.parts]
    assert joined(text) == [run.joined.typed for run in expected if run.joined is not None]


@settings(max_examples=200)
@given(any_texts)
def test_descriptions_are_read_as_the_plain_code_reads_them(text: str) -> None:
    assert prose_words(text) == {word.typed for word in reference.words(text, "description")}


@settings(max_examples=100)
@given(any_texts)
def test_stems_of_any_word_are_those_of_the_plain_code(text: str) -> None:
    for word in prose_words(text):
        assert stem(word) == reference.stem(word)
