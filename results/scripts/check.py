"""Compare the published tables and texts with what follows from the games.

Computes the tables in the folder results that follow from games, and compares them with the
files. Then looks up each figure with an interval in README.md, docs and results in these tables: on
the page of a run in the tables of that run and of the runs that it links to, elsewhere in those of
all runs. Figures that no table has are listed in results/elsewhere.csv, with what they come from.
Compares results/datapackage.json with columns.csv and the files.

Prints a line for each fault, and ends with exit code 1 if there is one. The program `tournament` is
that of the environment variable TENGEN_TOURNAMENT, else of target/release, target/debug or PATH.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import package
import study
from figures import Triples, figures, triples
from tables import Fault, csv_text, find, parse, read_rows, read_text

import tengen

ELSEWHERE = "results/elsewhere.csv"
"""The sources of those figures in texts that are in no table."""
ROWS = ("games.csv", "searches.csv", "samples.csv", "measurements.csv")
"""Tables that list single games or searches, positions or settings: rows, not figures."""
LEFT_OUT = "kind pairs black_wins forfeits limit pairs_won pairs_split pairs_lost".split()
"""The columns of summary.csv that validation.csv leaves out."""


def program() -> str:
    """The path of the program `tournament`."""
    target = Path(__file__).resolve().parents[2] / "target"
    built = [str(target / mode / "tournament") for mode in ("release", "debug")]
    named = os.environ.get("TENGEN_TOURNAMENT")
    places = [named] if named else [*built, "tournament"]
    path = next(filter(None, map(shutil.which, places)), None)
    if path is None:
        remedy = "run `cargo build --release --bin tournament`, or set TENGEN_TOURNAMENT"
        raise Fault(f"no program `{named or 'tournament'}`: {remedy}")
    return path


def published(results: Path) -> dict[str, Path]:
    """The published runs by name; a run of a study as STUDY/RUN, after the study."""
    runs = [path for path in results.iterdir() if path.is_dir()]
    for path in results.glob(f"*/{study.STUDY}"):
        runs += [config.parent for config in path.parent.glob("*/config.toml")]
    return {path.relative_to(results).as_posix(): path for path in sorted(runs)}


def computed(folder: Path) -> dict[str, str]:
    """The tables of a run that follow from games alone: all of a tournament, the validation of a
    tuning, and all of a study, from the rows of its runs."""
    if (folder / study.STUDY).exists():
        return {name: csv_text(rows) for name, rows in study.tables(folder).items()}
    validation = folder / "validation"
    tables = reported(validation if validation.is_dir() else folder)
    if not (tables and validation.is_dir()):
        return tables
    _, rows = parse(tables["summary.csv"], validation)
    left = [
        {name.removeprefix("win_rate_"): cell for name, cell in row.items() if name not in LEFT_OUT}
        for row in rows
        if row["kind"] == "pairing"
    ]
    return {"validation.csv": csv_text(left)}


def reported(folder: Path) -> dict[str, str]:
    """The tables that `tournament --report` writes of a run, in a copy; none if the run is no
    tournament."""
    games = find(folder, "games.csv")
    if not (folder / "config.toml").exists() or not games.exists():
        return {}
    try:
        config = tengen.read(folder).config
    except ValueError as why:
        raise Fault(str(why)) from why
    # The games of a tuning or of searches belong to no schedule.
    if "bot" not in config or "param" in config or "positions" in config:
        return {}
    with tempfile.TemporaryDirectory() as copy:
        for path in (folder / "config.toml", folder / "manifest.toml", games):
            if path.exists():
                shutil.copy(path, copy)
        command = [program(), "--report", copy]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = done.stderr.strip().split("\n")[-1].removeprefix("error: ")
            raise Fault(f"{folder}: {said.replace(f'{copy}/', '')}")
        return tables_in(Path(copy))


def tables_in(folder: Path) -> dict[str, str]:
    """The tables with figures in a folder, by name."""
    paths = (path for path in sorted(folder.glob("*.csv")) if path.name not in ROWS)
    return {path.name: read_text(path) for path in paths}


def compare_tables(results: Path, faults: list[str]) -> dict[str, list[Triples]]:
    """Compare the tables of all runs with those that follow from their games, and return per run
    the numbers with an interval in both; a study includes the numbers of its runs."""
    runs, count, taken = published(results), Counter[str](), Counter[str]()
    known: dict[str, list[Triples]] = defaultdict(list)
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(computed, runs.values()))
    for (run, folder), wanted in zip(runs.items(), outcomes, strict=True):
        count.update(runs=bool(wanted), tables=len(wanted))
        there = tables_in(folder)
        taken.update(there.keys() - wanted.keys())
        for name, table in wanted.items():
            # An unpublished table is correct: it was computed from the games.
            line = package.first_difference(there.get(name, table), table)
            if line:
                faults.append(f"results/{run}/{name}, line {line}: the games say otherwise")
        for name, table in [*wanted.items(), *there.items()]:
            known[run.split("/")[0]].append(triples(table, folder / name))
    print(f"tables: {count['tables']} computed again from the games of {count['runs']} runs")
    if taken:
        names = ", ".join(f"{number} {name}" for name, number in sorted(taken.items()))
        print(f"tables taken as they are, since games alone do not make them: {names}")
    return known


def compare_texts(root: Path, known: dict[str, list[Triples]], faults: list[str]) -> None:
    """Look up the figures of README.md, the manual and the pages of results in the tables, and in
    the list of figures from elsewhere."""
    path = root / ELSEWHERE
    rows = read_rows(path, "file figure source") if path.exists() else []
    for row in rows:
        if not row["source"].strip():
            raise Fault(f"{ELSEWHERE}: `{row['figure']}` has no source")
    elsewhere, used = {(row["file"], row["figure"]) for row in rows}, set()
    pages = [root / "README.md"]
    for pattern in ("docs/**/*.md", "results/*.md", "results/*/README.md"):
        pages += sorted(root.glob(pattern))
    found = 0
    for page in pages:
        name, text = page.relative_to(root).as_posix(), read_text(page)
        run = page.parent.name if page.parent.parent == root / "results" else None
        linked = [
            own for other, own in known.items() if run in (None, other) or f"{other}/" in text
        ]
        numbers = np.concatenate([np.empty((0, 3)), *(three for own in linked for three in own)])
        for figure in figures(text):
            if figure.is_in(numbers):
                found += 1
            elif (name, figure.text) in elsewhere:
                used.add((name, figure.text))
            else:
                what = f"no table of the runs has `{figure.text}`"
                faults.append(f"{name}, line {figure.line}: {what}")
    for name, what in sorted(elsewhere - used):
        faults.append(f"{ELSEWHERE}: {name} has no `{what}` that tables lack; remove the row")
    print(
        f"texts: {found} figures with an interval in {len(pages)} files are in these tables;",
        end="",
    )
    print(f" {len(used)} {'is' if len(used) == 1 else 'are'} from elsewhere ({ELSEWHERE})")


def check(root: Path, *, writes_package: bool) -> list[str]:
    """Compare all, print the counts, and return the faults, one line each."""
    results, faults = root / "results", list[str]()
    if not results.is_dir():
        raise Fault(f"{results}: expected a folder with published runs")
    known = compare_tables(results, faults)
    if writes_package or (results / package.COLUMNS).exists():
        wanted = package.text(results, faults)
        if writes_package:
            package.write(results, wanted)
        package.compare(results, wanted, faults)
    compare_texts(root, known, faults)
    return faults


def main() -> int:
    """Print the faults; 1 if there is one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    told = "the folder with README.md, docs and results"
    parser.add_argument("root", type=Path, nargs="?", default=Path(), help=told)
    told = "write results/datapackage.json again"
    parser.add_argument("--package", action="store_true", help=told)
    given = parser.parse_args()
    try:
        faults = check(given.root, writes_package=given.package)
    except Fault as why:
        print(f"error: {why}", file=sys.stderr)
        return 1
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        many = "1 thing differs" if len(faults) == 1 else f"{len(faults)} things differ"
        remedy = "compute the tables of a run again with `tournament --report`, and mend the texts"
        print(f"error: {many}: {remedy}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
