"""The vectors are what the reference says, the engine agrees with every one, and they are as their schema tells."""

from __future__ import annotations

import importlib.resources
import json
from typing import Any

import pytest

from tests import make_vectors
from toolrank import Floor, Pool, Ranking, Tool, rank

KINDS = ("words", "stems", "masses", "answers")
EVERYTHING = Floor(0)


def load(name: str) -> Any:
    return json.loads(
        importlib.resources.files("toolrank").joinpath("vectors").joinpath(f"{name}.json").read_text("utf-8")
    )


@pytest.mark.parametrize("name", [f"{kind}.json" for kind in KINDS])
def test_the_files_are_what_the_reference_makes(name: str) -> None:
    assert make_vectors.files()[name] == (make_vectors.FOLDER / name).read_text("utf-8")


def test_the_command_checks_and_writes(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert make_vectors.main(["--check"]) == 0
    monkeypatch.setattr(make_vectors, "FOLDER", tmp_path / "vectors")
    assert make_vectors.main(["--check"]) == 1
    assert "not as they would be written: words.json, stems.json" in capsys.readouterr().out
    assert make_vectors.main([]) == 0
    (tmp_path / "vectors" / "stems.json").write_text("{}", "utf-8")
    assert make_vectors.main(["--check"]) == 1
    assert capsys.readouterr().out.endswith("not as they would be written: stems.json\n")


# ---- The schema -----------------------------------------------------------------------------------------------------


def fits(value: Any, schema: Any, root: Any) -> bool:
    """The part of JSON Schema that the file uses; another keyword is an error."""
    holds: dict[str, Any] = {
        "$schema": lambda _: True,
        "$defs": lambda _: True,
        "title": lambda _: True,
        "$ref": lambda where: fits(value, root["$defs"][where.removeprefix("#/$defs/")], root),
        "const": lambda wanted: type(value) is type(wanted) and value == wanted,
        "enum": lambda wanted: any(type(value) is type(one) and value == one for one in wanted),
        "oneOf": lambda schemas: sum(fits(value, one, root) for one in schemas) == 1,
        "type": lambda wanted: type(value).__name__ == NAMES[wanted],
        "minimum": lambda least: value >= least,
        "items": lambda one: all(fits(item, one, root) for item in value),
        "required": lambda keys: set(keys) <= set(value),
        "properties": lambda known: all(fits(value[key], known[key], root) for key in value if key in known),
        "additionalProperties": lambda _: set(value) <= set(schema["properties"]),
    }
    if "type" in schema and not holds["type"](schema["type"]):
        return False
    return all(holds[keyword](schema[keyword]) for keyword in schema)


NAMES = {"object": "dict", "array": "list", "string": "str", "integer": "int", "boolean": "bool", "null": "NoneType"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_fits_the_schema_and_a_changed_one_does_not(kind: str) -> None:
    schema, file = load("schema"), load(kind)
    assert fits(file, schema, schema)
    assert (file["format"], file["rule"], file["kind"]) == (make_vectors.FORMAT, make_vectors.RULE, kind)
    for change in ({"kind": "others"}, {"format": 2}, {"vectors": [*file["vectors"], {}]}, {"more": 1}):
        assert not fits({**file, **change}, schema, schema)


# ---- The engine -----------------------------------------------------------------------------------------------------


def told(answer: Ranking, tools: list[Tool]) -> dict[str, Any]:
    return {
        "reason": answer.reason.value,
        "query_words": list(answer.query_words),
        "required": list(answer.required),
        "unmatched": list(answer.unmatched),
        "withheld": answer.withheld,
        "hits": [
            {
                "tool": tools.index(hit.tool),
                "score": hit.score,
                "covered": hit.covered,
                "total": hit.total,
                "named": hit.named,
                "words": [
                    {
                        "word": match.word,
                        "mass": match.mass,
                        "fields": list(match.fields),
                        "score": match.score,
                        "weighs": match.weighs,
                    }
                    for match in hit.words
                ],
            }
            for hit in answer
        ],
    }


def test_the_engine_gives_every_answer() -> None:
    file = load("answers")
    for vector in file["vectors"]:
        tools = [Tool(**tool) for tool in file["pools"][vector["pool"]]]
        answer = told(rank(vector["query"], Pool(tools), vector["limit"]), tools)
        assert {**vector, **answer} == vector, vector["query"]
    assert {vector["reason"] for vector in file["vectors"]} == {
        *("matched", "blank_query", "empty_pool", "unknown_words", "below_floor", "missing_required")
    }


def exact(query: str, pool: Pool, field: str) -> set[Tool]:
    hits = rank(query, pool, None, floor=EVERYTHING)
    return {hit.tool for hit in hits if any(field in match.fields for match in hit.words)}


def test_the_engine_lets_words_meet_that_have_one_stem_and_no_others() -> None:
    vectors = load("stems")["vectors"]
    tools = {vector["typed"]: Tool(vector["typed"]) for vector in vectors}
    pool = Pool(tools.values())
    for vector in vectors:
        wanted = {tools[other["typed"]] for other in vectors if other["stem"] == vector["stem"]}
        assert exact(vector["typed"], pool, "name") == wanted, vector["typed"]


def test_the_engine_reads_every_word_of_a_text() -> None:
    for vector in load("words")["vectors"]:
        text, in_name = vector["text"], vector["kind"] == "name"
        tool = Tool(text) if in_name else Tool("", text)
        pool = Pool([tool], stop_words=())
        for run in vector["runs"]:
            for word in [*run["parts"], *([run["joined"]] if run["joined"] else [])]:
                assert exact(word["typed"], pool, "name" if in_name else "description") == {tool}, (text, word)
        if not vector["runs"]:
            assert not rank(text, pool)


def test_the_engine_weighs_words_as_told() -> None:
    vectors = [vector for vector in load("masses")["vectors"] if vector["n"] <= 500]
    for n in {vector["n"] for vector in vectors}:
        dfs = {vector["df"]: vector["mass"] for vector in vectors if vector["n"] == n}
        pool = Pool(
            [
                Tool(f"t{place}", " ".join(["everywhere", *[f"df{df}" for df in dfs if place < df]]))
                for place in range(n)
            ]
        )
        for df, mass in dfs.items():
            hit = rank(f"everywhere df{df}", pool, floor=EVERYTHING)[0]
            assert hit.words[1].mass == mass, (n, df)
    assert len(vectors) > 50


def test_masses_fall_as_words_are_commoner_and_fit_in_a_double() -> None:
    by_count: dict[int, list[int]] = {}
    for vector in load("masses")["vectors"]:
        by_count.setdefault(vector["n"], []).append(vector["mass"])
    for masses in by_count.values():
        assert masses == sorted(masses, reverse=True)
        assert 0 < masses[-1] <= masses[0] < 2**53
