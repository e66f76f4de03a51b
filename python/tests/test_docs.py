"""The Python of README and manual does what the text beneath it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """The blocks of Python on a page, each with the text beneath it."""
    found = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert found, f"{page} has no Python"
    return found


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/clusters.md"])
def test_blocks_print_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": page}
    for number, (code, expected) in enumerate(blocks(page), 1):
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(code, f"{page}, block {number}", "exec"), names)
        except ImportError as missing:
            # Optional packages: what needs them comes last, or stands alone.
            print(f"{page}, block {number} left out: {missing}")
            continue
        if expected:
            assert without_spaces(said.getvalue()) == without_spaces(expected), f"block {number}"


def test_the_readme_passes_a_strict_check_of_types(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    file = tmp_path / "readme.py"
    file.write_text("\n".join(code for code, _ in blocks("README.md")), encoding="utf-8")
    said, faults, code = api.run(["--strict", "--cache-dir", str(tmp_path), str(file)])
    assert code == 0, said + faults


def without_spaces(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]
