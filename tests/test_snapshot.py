"""A pool on disk and in pickles: what is read is what was written, and a bad write loses nothing."""

from __future__ import annotations

import copy
import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.strategies import Case, wild_cases
from tests.test_rank_oracle import told
from toolrank import Pool, Tool, _snapshot, rank

FULL = Tool("read_page", "Reads.", "Notion", "Read a page", ("page_id",), True, False, {"name": "read_page"})


def test_a_loaded_pool_has_the_tools_their_order_and_their_payloads(tmp_path: Path) -> None:
    pool = Pool([Tool("z"), FULL, Tool("a", connector="Notion")], stop_words=["frozen"])
    pool.save(tmp_path / "pool.json")
    loaded = Pool.load(tmp_path / "pool.json")
    assert list(loaded) == list(pool)
    assert [tool.payload for tool in loaded] == [None, {"name": "read_page"}, None]
    assert loaded.stop_words == {"frozen"}
    assert [file.name for file in tmp_path.iterdir()] == ["pool.json"]


@settings(max_examples=60)
@given(wild_cases(Tool))
def test_pickles_copies_and_snapshots_answer_as_the_pool_they_are_of(case: Case) -> None:
    pool = Pool(case.tools)
    visible = {tool.identity for tool in case.visible}
    view = pool.restrict(lambda tool: tool.identity in visible)
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"toolrank-{os.getpid()}.json"
    try:
        view.save(path)
        others = [Pool.load(path), pickle.loads(pickle.dumps(view)), copy.copy(view), copy.deepcopy(view)]
    finally:
        path.unlink(missing_ok=True)
    for other in others:
        assert list(other) == list(view)
        assert told(rank(case.query, other)) == told(rank(case.query, view))


def test_a_pickle_of_a_view_holds_nothing_hidden() -> None:
    view = Pool([Tool("open_door"), Tool("secret_lever")]).restrict(lambda tool: tool.name == "open_door")
    assert b"secret" not in pickle.dumps(view)


def test_a_payload_that_json_cannot_hold_is_an_error_and_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "pool.json"
    Pool([FULL]).save(path)
    before = path.read_bytes()
    with pytest.raises(TypeError, match="not JSON serializable"):
        Pool([Tool("x", payload=object())]).save(path)
    assert path.read_bytes() == before
    Pool([Tool("x", payload={1, 2})]).save(path, default=sorted)
    assert Pool.load(path).tool("x").payload == [1, 2]


def test_a_write_that_fails_midway_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pool.json"
    Pool([FULL]).save(path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        Pool([Tool("x")]).save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["pool.json"]


def test_a_folder_that_cannot_be_opened_is_not_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError("not here")

    monkeypatch.setattr(os, "open", refuse)
    _snapshot._sync(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must be a whole JSON snapshot of a pool, not a file with: Expecting value"),
        (b'{"format": "toolrank pool", "vers', "must be a whole JSON snapshot of a pool"),
        (b"\xff\xfe\x00", "must be a whole JSON snapshot of a pool"),
        (b"[" * 100_000, "must be a whole JSON snapshot of a pool"),
        (b"[]", "must be a snapshot of a pool, not another JSON document"),
        (b'{"tools": []}', "must be a snapshot of a pool, not another JSON document"),
        ({"version": 2, "tools": []}, "must be a snapshot of version 1 or older, not of version 2"),
        ({"version": 1}, "must have a list of tools, not NoneType"),
        ({"version": 1, "tools": [{}]}, r"tools\[0\] must be an object with a name, not {}"),
        ({"version": 1, "tools": [{"name": "a"}, {"name": 7}]}, r"tools\[1\]: name must be a string, not 7"),
        ({"version": 1, "tools": [{"name": "a"}, {"name": "a", "title": "A"}]}, "at 0 and 1"),
        ({"version": 1, "tools": [], "stop_words": 7}, "stop_words must be an iterable of strings, not 7"),
    ],
)
def test_a_file_that_is_no_snapshot_is_told_by_name(tmp_path: Path, content: Any, message: str) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(
        content if isinstance(content, bytes) else json.dumps({"format": "toolrank pool", **content}).encode()
    )
    with pytest.raises(ValueError, match=message) as raised:
        Pool.load(path)
    assert str(path) in str(raised.value)


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Pool.load(tmp_path / "none.json")
