"""The catalogue: what is connected, taken over whole or not at all, by any number of threads."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace as Object
from typing import Any

import pytest

from toolrank import Pool, Tool, rank
from toolrank.mcp import Catalog, Refresh, tools
from toolrank.mcp._wire import content

NOTION: list[dict[str, Any]] = [
    {"name": "search", "description": "Search pages.", "inputSchema": {"type": "object", "properties": {"query": {}}}},
    {"name": "update_page", "annotations": {"readOnlyHint": False}},
]
LINEAR: list[dict[str, Any]] = [{"name": "list_issues"}]


def connected() -> Catalog:
    catalog = Catalog()
    catalog.set("Notion", NOTION)
    catalog.set("Linear", LINEAR)
    return catalog


def identities(catalog: Catalog) -> list[tuple[str, str]]:
    return [tool.identity for tool in catalog.pool]


def test_what_is_set_is_searched() -> None:
    catalog = connected()
    assert catalog.connectors == ("Linear", "Notion")
    assert [hit.tool.identity for hit in rank("linear issues", catalog.pool)] == [("Linear", "list_issues")]
    assert repr(catalog) == "<Catalog of 2 connectors, 3 tools, revision 2>"


def test_a_snapshot_stays_as_it_was() -> None:
    catalog = connected()
    before = catalog.pool
    catalog.set("Linear", [])
    catalog.remove("Notion")
    assert len(before) == 3
    assert (len(catalog.pool), catalog.connectors) == (0, ("Linear",))


@pytest.mark.parametrize(
    "again",
    [
        NOTION,
        {"tools": NOTION},
        {"result": {"tools": NOTION}},
        json.dumps(NOTION),
        json.dumps(NOTION, indent=2).encode(),
    ],
    ids=["list", "result", "response", "text", "bytes"],
)
def test_an_unchanged_listing_changes_nothing_in_whatever_shape_it_comes(again: object) -> None:
    catalog = connected()
    pool = catalog.pool
    assert catalog.set("Notion", again) is False
    assert catalog.pool is pool
    assert catalog.revision == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda tool: tool.update(description="Search all pages."),
        lambda tool: tool.update(title="Search"),
        lambda tool: tool["inputSchema"]["properties"]["query"].update(type="string"),
        lambda tool: tool.update(outputSchema={"type": "object"}),
    ],
    ids=["description", "title", "a type within the schema", "what is not read"],
)
def test_any_change_of_a_definition_is_taken_over(change: Any) -> None:
    catalog = connected()
    listing = json.loads(json.dumps(NOTION))
    change(listing[0])
    assert catalog.set("Notion", listing) is True
    assert catalog.revision == 3
    assert catalog.pool.tool("search").payload == listing[0]


def test_a_listing_changed_in_place_is_noticed() -> None:
    catalog = Catalog()
    listing = json.loads(json.dumps(NOTION))
    catalog.set("Notion", listing)
    listing[1]["description"] = "Change a page."
    assert catalog.set("Notion", listing) is True
    assert catalog.pool.tool("update_page").description == "Change a page."


def test_the_pool_is_the_one_that_a_fresh_start_would_build() -> None:
    catalog = connected()
    catalog.set("Notion", NOTION[:1])
    catalog.set("Slack", [{"name": "search"}, {"name": "post_message"}])
    catalog.remove("Linear")
    fresh = Pool([*tools(NOTION[:1], "Notion"), *tools([{"name": "search"}, {"name": "post_message"}], "Slack")])
    for query in ("search", "notion search", "list issues", "post message", "update page"):
        assert rank(query, catalog.pool) == rank(query, fresh)


def test_a_connector_without_tools_is_connected_all_the_same() -> None:
    catalog = Catalog()
    assert catalog.set("Empty", []) is True
    assert catalog.set("Empty", []) is False
    assert catalog.connectors == ("Empty",)


def test_removing_tells_whether_there_was_something() -> None:
    catalog = connected()
    assert catalog.remove("Linear") is True
    assert catalog.remove("Linear") is False
    assert (catalog.revision, identities(catalog)) == (3, [("Notion", "search"), ("Notion", "update_page")])


def test_tools_of_other_frameworks_are_compared_by_what_was_read() -> None:
    def listing(description: str) -> list[object]:
        return [Object(name="search", description=description, args_schema={"type": "object"})]

    catalog = Catalog()
    assert catalog.set("Chain", listing("Find.")) is True
    assert catalog.set("Chain", listing("Find.")) is False
    assert catalog.set("Chain", listing("Search.")) is True


@pytest.mark.parametrize(
    ("listing", "message"),
    [
        ([{"name": "ok"}, {"name": None}], "tools listing of 'Notion': tools[1].name must be a string, not None"),
        ("{", "tools listing of 'Notion': the listing must be JSON, not '{' ("),
        (
            {"error": {"code": -32000, "message": "gone"}},
            "tools listing of 'Notion': the response must be a result, not the error -32000: 'gone'",
        ),
        (
            [{"name": "a"}, {"name": "search_tools"}],
            "tools listing of 'Notion': tools[1].name must be another than the gateway's own, not 'search_tools'",
        ),
        ([{"name": "a", "inputSchema": {(): 1}}], "tools listing of 'Notion': tools must be JSON, not otherwise ("),
    ],
)
def test_a_bad_listing_raises_and_the_previous_one_stays(listing: object, message: str) -> None:
    catalog = connected()
    pool = catalog.pool
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        catalog.set("Notion", listing)
    assert str(caught.value).startswith(message)
    assert (catalog.pool, catalog.revision) == (pool, 2)
    assert catalog.set("Notion", NOTION) is False


def test_a_definition_that_holds_itself_is_refused() -> None:
    schema: dict[str, Any] = {}
    schema["properties"] = {"child": schema}
    with pytest.raises(ValueError, match=r"^tools listing of 'X': tools must be JSON, not otherwise \("):
        Catalog().set("X", [{"name": "a", "inputSchema": schema}])


def test_renamed_meta_tools_free_the_usual_names() -> None:
    catalog = Catalog(reserved=("find",))
    assert catalog.set("X", [{"name": "search_tools"}])
    with pytest.raises(ValueError, match=r"not 'find'$"):
        catalog.set("X", [{"name": "find"}])


def test_synonyms_hold_for_every_pool_of_the_catalogue() -> None:
    catalog = Catalog(synonyms=[("find", "search")])
    catalog.set("Notion", [{"name": "search_pages"}])
    assert [hit.tool.name for hit in rank("find pages", catalog.pool)] == ["search_pages"]
    assert catalog.pool.synonyms == (("find", "search"),)


def test_own_stop_words_are_kept() -> None:
    catalog = Catalog(stop_words=["page"])
    catalog.set("X", [{"name": "search", "description": "page"}])
    assert catalog.pool.stop_words == {"page"}


def test_threads_that_write_and_read_see_whole_listings_only() -> None:
    catalog = Catalog()
    sizes = {0, 5, 9}
    wrong: list[int] = []
    stop = threading.Event()

    def write(label: str) -> None:
        for turn in range(30):
            catalog.set(label, [{"name": f"{label}_{k}"} for k in range((5, 9)[turn % 2])])

    def read() -> None:
        while not stop.is_set():
            pool = catalog.pool
            for label in "abc":
                size = sum(tool.connector == label for tool in pool)
                if size not in sizes:
                    wrong.append(size)

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(label,)) for label in "abc"]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    reader.join()
    assert wrong == []
    assert (len(catalog.pool), catalog.revision) == (27, 90)


# --- refreshing -------------------------------------------------------------------------------------------------------


def pages(*listings: list[dict[str, Any]]) -> Object:
    """Make a session that answers page by page."""
    state = iter(listings)

    async def list_tools(cursor: str | None = None) -> dict[str, Any]:
        number = int(cursor or 0)
        return {"tools": next(state), "nextCursor": str(number + 1) if number + 1 < len(listings) else None}

    return Object(list_tools=list_tools)


def test_a_refresh_takes_sessions_and_functions_of_either_kind() -> None:
    async def later() -> list[dict[str, Any]]:
        return LINEAR

    catalog = Catalog()
    sources = {"Notion": pages(NOTION[:1], NOTION[1:]), "Linear": later, "Slack": lambda: [{"name": "post_message"}]}
    assert asyncio.run(catalog.refresh(sources)) == Refresh(("Notion", "Linear", "Slack"), {})
    assert len(catalog.pool) == 4
    sources["Notion"] = lambda: NOTION
    assert asyncio.run(catalog.refresh(sources)) == Refresh()


def test_sources_that_fail_keep_their_last_listing_and_are_reported() -> None:
    async def dead() -> object:
        raise ConnectionResetError("gone")

    async def cancelled() -> object:
        raise asyncio.CancelledError

    async def hung() -> object:
        return await asyncio.Event().wait()

    catalog = connected()
    catalog.set("Hung", [{"name": "wait"}])
    sources = {"Notion": dead, "Linear": cancelled, "Hung": hung, "Bad": lambda: [{}], "New": lambda: [{"name": "a"}]}
    done = asyncio.run(catalog.refresh(sources, timeout=0.05))
    assert done.changed == ("New",)
    assert {label: (type(error), str(error)) for label, error in done.failed.items()} == {
        "Notion": (ConnectionResetError, "gone"),
        "Linear": (ConnectionError, "'Linear' was disconnected while it was listed"),
        "Hung": (TimeoutError, "'Hung' did not list its tools within 0.05 seconds"),
        "Bad": (ValueError, "tools listing of 'Bad': tools[0].name must be a string, not None"),
    }
    assert catalog.connectors == ("Hung", "Linear", "New", "Notion")
    assert len(catalog.pool) == 5


def test_sources_are_listed_at_the_same_time() -> None:
    async def main() -> Refresh:
        both = [asyncio.Event(), asyncio.Event()]

        async def one(at: int) -> list[dict[str, Any]]:
            both[at].set()
            await both[1 - at].wait()
            return []

        return await Catalog().refresh({"a": lambda: one(0), "b": lambda: one(1)}, timeout=30)

    assert asyncio.run(main()).changed == ("a", "b")


def test_a_cancelled_refresh_is_cancelled() -> None:
    async def main() -> None:
        async def hung() -> object:
            return await asyncio.Event().wait()

        task = asyncio.create_task(Catalog().refresh({"a": hung}))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


@pytest.mark.parametrize(
    ("meanwhile", "left"),
    [
        (lambda catalog: catalog.set("Notion", NOTION[:1]), ["search"]),
        (lambda catalog: catalog.remove("Notion"), []),
        (lambda _: None, ["stale"]),
    ],
    ids=["set", "removed", "nothing"],
)
def test_an_answer_that_was_overtaken_is_dropped(meanwhile: Any, left: list[str]) -> None:
    catalog = Catalog()
    catalog.set("Notion", NOTION)

    async def slow() -> list[dict[str, Any]]:
        meanwhile(catalog)
        return [{"name": "stale"}]

    done = asyncio.run(catalog.refresh({"Notion": slow}))
    assert [tool.name for tool in catalog.pool] == left
    assert done.changed == (("Notion",) if left == ["stale"] else ())
    assert done.failed == {}


def test_what_was_overtaken_while_it_was_read_is_dropped_too() -> None:
    catalog = Catalog()

    class Slow(dict[str, Any]):
        """A definition whose description takes as long as a whole other `set`."""

        def get(self, key: str, default: Any = None) -> Any:
            if key == "description" and not len(catalog.pool):
                catalog.set("Notion", NOTION)
            return super().get(key, default)

    assert catalog.set("Notion", [Slow(name="stale")]) is False
    assert identities(catalog) == [("Notion", "search"), ("Notion", "update_page")]


def test_the_same_listing_set_twice_at_once_counts_once() -> None:
    catalog = Catalog()

    class Same(dict[str, Any]):
        """A definition during whose reading an earlier `set` of the same one ends."""

        def get(self, key: str, default: Any = None) -> Any:
            if key == "description" and not len(catalog.pool):
                catalog._take("X", [Tool("a", connector="X")], digest, 0)
            return super().get(key, default)

    listing = [Same(name="a")]
    digest = content(listing)
    assert catalog.set("X", listing) is False
    assert catalog.revision == 1


# --- saving and loading -----------------------------------------------------------------------------------------------


def test_a_restart_answers_before_its_servers_do(tmp_path: Path) -> None:
    before = connected()
    before.set("Empty", [])
    before.save(tmp_path / "catalogue.json")
    after = Catalog()
    assert after.load(tmp_path / "catalogue.json") is True
    assert after.connectors == before.connectors
    for query in ("search", "linear issues", "page"):
        assert rank(query, after.pool) == rank(query, before.pool)
    assert [tool.payload for tool in after.pool.restrict(["Notion"])] == NOTION
    for connector, listing in (("Notion", NOTION), ("Linear", LINEAR), ("Empty", [])):
        assert after.set(connector, listing) is False


def test_what_happened_since_the_start_is_fresher_than_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "catalogue.json")
    connected().save(path)
    catalog = Catalog()
    catalog.set("Notion", [])
    catalog.remove("Linear")
    assert catalog.load(path) is False
    assert len(catalog.pool) == 0


def test_saving_leaves_the_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.json"
    path.write_text("before")
    connected().save(path)
    assert json.loads(path.read_text())["version"] == 1
    assert [one.name for one in tmp_path.iterdir()] == ["catalogue.json"]


def test_a_save_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "catalogue.json"
    connected().save(path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        Catalog().save(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["catalogue.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "must be a saved catalogue, not other text ("),
        ("[]", "must be a saved catalogue, not []"),
        ('{"tools": []}', "must be a saved catalogue, not {'tools': []}"),
        ('{"format": "toolrank catalog", "version": 2}', "must be a saved catalogue of version 1, not 2"),
        (
            '{"format": "toolrank catalog", "version": 1, "listings": {"a": {}}}',
            "must hold a list of tools for each connector, not {'a': {}}",
        ),
        (
            '{"format": "toolrank catalog", "version": 1, "listings": []}',
            "must hold a list of tools for each connector, not []",
        ),
        (
            '{"format": "toolrank catalog", "version": 1, "listings": {"a": [{"name": "ok"}], "b": [{}]}}',
            "tools listing of 'b': tools[0].name must be a string, not None",
        ),
    ],
)
def test_a_file_that_is_no_catalogue_changes_nothing(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "catalogue.json"
    path.write_text(text)
    catalog = Catalog()
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        catalog.load(path)
    assert message in str(caught.value)
    assert (catalog.revision, catalog.connectors) == (0, ())


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before
