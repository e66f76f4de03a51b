"""The Python code in README and manual prints the output beneath it, and passes a type check."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Pages whose code needs a run, or a table, that the reader has made.
OF_A_RUN = {
    "docs/how-to/read-the-files.md",
    "docs/reference/training-data.md",
    "docs/tutorials/own-question.md",
}
PAGES = [
    name
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "\n```python\n" in path.read_text(encoding="utf-8")
    and (name := path.relative_to(ROOT).as_posix()) not in OF_A_RUN
]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """The blocks of Python on a page, each with the text beneath it."""
    found = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert found, f"{page} has no Python"
    return found


@pytest.mark.parametrize("page", PAGES)
def test_blocks_print_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # A module of its own, so that its functions and classes can be pickled.
    module = types.ModuleType(re.sub(r"\W", "_", page))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    names = vars(module)
    for number, (code, expected) in enumerate(blocks(page), 1):
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(code, f"{page}, block {number}", "exec"), names)
        except ImportError as missing:
            # An optional package is missing: blocks that need it come last, or stand alone.
            print(f"{page}, block {number} left out: {missing}")
            continue
        if expected:
            assert without_spaces(said.getvalue()) == without_spaces(expected), f"block {number}"


def test_printed_code_passes_a_strict_check_of_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = pytest.importorskip("mypy.api")
    # Not beside the sources, since users check against the installed package.
    monkeypatch.chdir(tmp_path)
    files = []
    for name, code in joined().items():
        # Callables are printed without annotations, which would triple an evaluator of three lines.
        # The examples show them with annotations.
        defines = re.search(r"^ *def ", code, re.MULTILINE)
        first = "# mypy: allow-untyped-defs, allow-untyped-calls\n" if defines else ""
        files.append(tmp_path / f"{name}.py")
        files[-1].write_text(first + code, encoding="utf-8")
    # PyTorch may be missing: then its classes are of any type.
    missing = ["--ignore-missing-imports", "--allow-subclassing-any"]
    settings = ["--strict", "--config-file", str(ROOT / "python" / "pyproject.toml"), *missing]
    said, faults, code = api.run([*settings, "--cache-dir", str(tmp_path), *map(str, files)])
    assert code == 0, said + faults


def joined() -> dict[str, str]:
    """The code of each page and of each notebook, in the order in which it runs."""
    pages = {Path(page).stem.lower(): "\n".join(code for code, _ in blocks(page)) for page in PAGES}
    notebooks = {
        file.stem: "\n\n".join(
            "".join(cell["source"])
            for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "code"
        )
        for file in (ROOT / "python" / "notebooks").glob("*.ipynb")
    }
    assert notebooks, "no notebooks"
    # A notebook would replace a page with its name.
    assert not pages.keys() & notebooks.keys()
    return pages | notebooks


def without_spaces(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]
