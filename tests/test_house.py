"""The house: who may import whom, what importing costs, and what every public name carries."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import toolrank

PACKAGE = Path(toolrank.__file__).parent
CHECKOUT = PACKAGE.parent
# Text to tools to pools to matches to masses to the floor to scores to the order to answers: each from those before it.
FLOW = (
    "_record _text _tool _bits _snapshot _synonyms _index _pool _match _mass _floor _score _keys _lanes _order _bm25 "
    "_answer _rank _sift _explain"
).split()


def tree_of(module: str) -> ast.Module:
    return ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))


def for_type_checkers(tree: ast.Module) -> set[ast.AST]:
    """Give the nodes under `if TYPE_CHECKING:`, which no run imports."""
    guarded = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {inner for node in guarded for statement in node.body for inner in ast.walk(statement)}


def imports_of(module: str) -> set[str]:
    """Give the dotted names of the modules that a module imports when it runs, wherever in it the import stands."""
    tree = tree_of(module)
    passed = for_type_checkers(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in passed:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports by a relative name"
            found.add(node.module or "")
    return found


def reached_from(module: str) -> set[str]:
    """Give the modules of the package that importing this one runs."""
    found: set[str] = set()
    todo = [module]
    while todo:
        for name in imports_of(todo.pop()):
            package, _, inner = name.partition(".")
            if package == "toolrank" and inner and inner not in found:
                found.add(inner)
                todo.append(inner)
    return found


# What stands around the core, such as the command line, may import any of it; the core is what `import toolrank` runs.
CORE = sorted(reached_from("__init__"))


@pytest.mark.parametrize("module", CORE)
def test_a_module_imports_only_what_stands_above_it_in_the_flow(module: str) -> None:
    inner = {name for name in imports_of(module) if name.split(".")[0] == "toolrank"}
    assert inner <= {f"toolrank.{name}" for name in FLOW[: FLOW.index(module)]}


def test_the_flow_names_every_core_module() -> None:
    assert sorted(FLOW) == CORE


def test_text_and_mass_know_nothing_of_tools() -> None:
    for module in ("_text", "_tool", "_bits", "_mass"):
        assert not [name for name in imports_of(module) - {"toolrank._record"} if name.startswith("toolrank")]


@pytest.mark.parametrize("module", [*CORE, "__init__"])
def test_the_core_imports_the_standard_library_alone(module: str) -> None:
    roots = {name.split(".")[0] for name in imports_of(module)}
    assert roots <= {*sys.stdlib_module_names, "toolrank"}


def test_importing_toolrank_loads_the_core_and_the_standard_library_alone() -> None:
    code = (
        "import sys; before = set(sys.modules); import toolrank; print(*sorted(set(sys.modules) - before), sep='\\n')"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert {name for name in loaded if name.startswith("toolrank")} == {
        "toolrank",
        *(f"toolrank.{name}" for name in FLOW if name != "_snapshot"),  # loaded when a pool is saved or read
    }
    assert {name.split(".")[0] for name in loaded} <= {*sys.stdlib_module_names, "toolrank"}
    # Nothing of what a ranker has no use for, and of what would make importing dear.
    assert not {"asyncio", "socket", "json", "argparse", "locale", "random"} & set(loaded)


def test_importing_toolrank_reads_no_file_and_warns_of_nothing() -> None:
    code = (
        "import sys, pathlib, re\n"
        "import dataclasses, enum, fractions, unicodedata, functools, bisect, collections.abc, typing\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        "import toolrank\n"
        "print([name for name in opened if not re.search(r'[.]pyc?([.][0-9]+)?$', name)])"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    assert (run.stdout.strip(), run.stderr) == ("[]", "")


def test_all_is_sorted_and_each_name_can_be_imported() -> None:
    assert toolrank.__all__ == sorted(toolrank.__all__, key=lambda name: (not name.isupper(), name))
    assert len(set(toolrank.__all__)) == len(toolrank.__all__)
    for name in toolrank.__all__:
        assert hasattr(toolrank, name)
    public = {
        name for name in vars(toolrank) if not name.startswith("_") and not inspect.ismodule(getattr(toolrank, name))
    }
    assert public == set(toolrank.__all__)


@pytest.mark.parametrize("module", CORE)
def test_a_module_lists_what_it_gives(module: str) -> None:
    loaded = importlib.import_module(f"toolrank.{module}")
    assert set(loaded.__all__) <= set(vars(loaded))
    assert len(set(loaded.__all__)) == len(loaded.__all__)


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


PUBLIC = [getattr(toolrank, name) for name in toolrank.__all__]
CALLABLES = [thing for thing in PUBLIC if callable(thing)]


@pytest.mark.parametrize("thing", CALLABLES, ids=lambda thing: thing.__name__)
def test_every_public_callable_is_documented(thing: type) -> None:
    text = inspect.getdoc(thing) or ""
    first = text.split("\n")[0]
    assert first.endswith((".", ":")), first
    assert len(text) > 40
    assert ">>> " in text


@pytest.mark.parametrize("thing", [t for t in CALLABLES if inspect.isclass(t)], ids=lambda thing: thing.__name__)
def test_every_public_method_is_documented(thing: type) -> None:
    for name, member in vars(thing).items():
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        assert inspect.getdoc(member), f"{thing.__name__}.{name}"


@pytest.mark.parametrize("module", CORE)
def test_a_module_opens_with_the_rule_it_keeps(module: str) -> None:
    assert len(ast.get_docstring(tree_of(module)) or "") > 60


def test_rank_and_judge_fit_one_screen() -> None:
    tree = tree_of("_rank")
    lines = {node.name: (node.lineno, node.end_lineno or 0) for node in tree.body if isinstance(node, ast.FunctionDef)}
    first, last = lines["rank"], lines["judge"]
    assert last[0] > first[0], "judge stands below rank"
    assert last[1] - first[0] + 1 <= 60


@pytest.mark.parametrize("module", CORE)
def test_a_function_fits_one_screen(module: str) -> None:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, node.name


# ---- No float takes part in a decision -----------------------------------------------------------------------------

# What shows a number to people, and decides nothing.
SHOWN = {
    ("_answer", "Hit.to_dict"),  # coverage as a JSON number
    ("_answer", "table"),  # what another scorer gave, rounded
    ("_explain", "Explanation.to_dict"),
    ("_explain", "_percent"),
}


def floats_in(module: str) -> set[tuple[str, str]]:
    """Give the functions of a module that make a float: by a literal, a true division, `float`, `round` or `math`."""
    found: set[tuple[str, str]] = set()

    def walk(node: ast.AST, where: str) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            where = f"{where}.{node.name}" if where else node.name
        makes = (
            (isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)))
            or (isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div))
            or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("float", "round"))
            or (isinstance(node, ast.Name) and node.id in ("math", "cmath", "statistics", "decimal"))
        )
        if makes:
            found.add((module, where))
        for child in ast.iter_child_nodes(node):
            walk(child, where)

    walk(tree_of(module), "")
    return found


def test_no_float_takes_part_in_a_decision() -> None:
    assert {place for module in CORE for place in floats_in(module)} == SHOWN


@pytest.mark.parametrize("module", CORE)
def test_no_core_module_imports_floating_point(module: str) -> None:
    assert not imports_of(module) & {"math", "cmath", "statistics", "decimal", "random", "locale", "time"}


def test_floats_are_found_where_they_are() -> None:
    assert {where for _, where in floats_in("_explain")} == {"Explanation.to_dict", "_percent"}
