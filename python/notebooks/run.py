"""Runs the notebooks of this folder, each in an empty folder of its own, and keeps nothing.

    python run.py [--write] [NOTEBOOK ...]

With TENGEN_QUICK set, `gumbel` and `your_own_evaluator` take seconds each. `--write`
writes the notebooks with their outputs. Needs nbclient, ipykernel, and torch for `gumbel` and
`your_own_evaluator`; where torch is missing, these two are skipped by name.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER.parents[1] / "results"
NEEDS_TORCH = {"gumbel", "your_own_evaluator"}


def run(path: Path, *, write: bool) -> None:
    """Run the notebook `path`; an exception in a cell is raised."""
    began = time.monotonic()
    notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    with tempfile.TemporaryDirectory() as scratch:
        # The published runs are found from the folder of the notebooks.
        os.environ["TENGEN_RESULTS"] = str(RESULTS)
        client = NotebookClient(notebook, timeout=7200, kernel_name="python3")
        client.execute(cwd=scratch)
    if write:
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        notebook.metadata.get("language_info", {}).pop("version", None)
        # The path for a reader who runs the notebook in its folder.
        path.write_text(nbformat.writes(notebook).replace(str(RESULTS), "../../results") + "\n")
    print(f"{path.stem}: {time.monotonic() - began:.0f} s", flush=True)


def main() -> None:
    """Run the named notebooks, or all."""
    names = [Path(name).stem for name in sys.argv[1:] if name != "--write"]
    names = names or sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    for name in names:
        if name in NEEDS_TORCH and importlib.util.find_spec("torch") is None:
            print(f"skipped: {name}: torch is not installed")
            continue
        run(FOLDER / f"{name}.ipynb", write="--write" in sys.argv)


if __name__ == "__main__":
    main()
