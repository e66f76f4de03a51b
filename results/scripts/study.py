"""Compute the tables of a study, a question that several runs answer together, and print them.

The folder of a study has its runs as folders, and the file study.toml, whose key `kind` is
a key of PLOTS. A study of the speed of programs has the rows of its measurements in place of runs,
and needs no package; the others need numpy and tengen. Many small runs can have one table of their
games, or of their samples, whose column `run` names the run.

Example: python results/scripts/study.py results/2026-11-24-openings-7x7
"""

from __future__ import annotations

import argparse
import importlib
import math
import re
import sys
from pathlib import Path
from typing import NamedTuple

from tables import Fault, Row, csv_text, read_text, shown

STUDY = "study.toml"
"""The file that makes a folder a study."""


class Plot(NamedTuple):
    """A plot of a table: the columns of both axes, and the columns that name a series. Only series
    whose name contains `only` are drawn. With `diagonal` the line of equal coordinates is drawn."""

    table: str
    x: str
    y: str
    by: list[str]
    only: str = ""
    line: str = ""
    diagonal: bool = False


PLOTS = {
    "regret-elo": {
        "regret": Plot("configurations.csv", "regret", "elo", ["simulations"]),
        "rave": Plot("configurations.csv", "simulations", "win_rate", ["bot"], "rave-", "-"),
    },
    "openings": {"information": Plot("cells.csv", "cell", "normalized_elo", ["verdict"])},
    "exchange": {"exchange": Plot("changes.csv", "self_play", "outside", ["bot"])},
    "pair-savings": {
        "correlation": Plot("cells.csv", "by_color", "correlation", ["plies"], diagonal=True)
    },
    "exploration-law": {"constants": Plot("optima.csv", "law", "best", ["part"], diagonal=True)},
    "cycles": {"elo": Plot("pairings.csv", "predicted", "elo", ["simulations"], diagonal=True)},
    "judgement": {"error": Plot("stages.csv", "from_ply", "error", ["policy"], line="-")},
    "doublings": {"gains": Plot("gains.csv", "per_point", "gain", ["size"], line="-")},
    "speed": {
        name: Plot("speeds.csv", "size", y, ["quantity", "program"], "playouts", "-")
        for name, y in (("playouts_by_size", "per_second"), ("ratio_by_size", "to_libego"))
    },
}
"""The plots of each kind by name."""


def kind_of(folder: Path) -> str:
    """The kind of the study in `folder`."""
    path = folder / STUDY
    if not path.exists():
        raise Fault(f"{folder} is no study: it has no {STUDY}")
    text = read_text(path)
    found = re.fullmatch(r"\s*kind\s*=\s*(['\"])([\w-]+)\1\s*", text)
    if not found or found[2] not in PLOTS:
        raise Fault(f"{path}: `{text.strip()}`: expected `kind`, one of {', '.join(PLOTS)}")
    return found[2]


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`, by the names of their files."""
    module = importlib.import_module("studies." + kind_of(folder).replace("-", "_"))
    try:
        found: dict[str, list[Row]] = module.tables(folder)
    except (OSError, ValueError, IndexError) as why:
        raise Fault(f"{folder}: {why}") from why
    return found


def draw(path: Path, rows: list[Row], plot: Plot) -> None:
    """Write a plot of `rows` as SVG, with intervals or ranges where the table has them."""
    try:
        figure = importlib.import_module("matplotlib.figure").Figure((10, 7), layout="tight")
    except ModuleNotFoundError as why:
        raise Fault("plots need matplotlib: pip install matplotlib") from why
    axes, x, y = figure.subplots(), plot.x, plot.y
    axes.set(xlabel=x, ylabel=y)
    series: dict[str, list[tuple[float | str, float, float, float]]] = {}
    for row in rows:
        name, value = " ".join(row[column] for column in plot.by), float(row[y] or "nan")
        low = float(row.get(f"{y}_low") or row.get(f"{y}_least") or value)
        high = float(row.get(f"{y}_high") or row.get(f"{y}_most") or value)
        if plot.only in name and math.isfinite(value):
            place = row[x] if x == "cell" else float(row[x])
            series.setdefault(name, []).append((place, value, value - low, high - value))
    for name, points in series.items():
        places, values, *ends = zip(*points, strict=True)
        axes.errorbar(places, values, ends, label=name, fmt=f"o{plot.line}", capsize=3)
        for scale, numbers in ((axes.set_xscale, places), (axes.set_yscale, values)):
            # A range of more than a decade is easier to read on a log axis.
            if x != "cell" and min(numbers) > 0 and max(numbers) > 10 * min(numbers):
                scale("log")
    if plot.diagonal:
        axes.set_xscale(axes.get_yscale())
        all_x = [float(row[x]) for row in rows]
        equal = [min(all_x), max(all_x)]
        axes.plot(equal, equal, color="gray", linewidth=1)
    axes.tick_params("x", rotation=90 if x == "cell" else 0)
    axes.legend(fontsize="small", title=", ".join(plot.by))
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path)


def main() -> int:
    """Write the tables of a study, and its plots if they are requested."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder of the study")
    parser.add_argument("--plots", action="store_true", help="draw the plots too, by matplotlib")
    given = parser.parse_args()
    try:
        found = tables(given.folder)
        for name, rows in found.items():
            (given.folder / name).write_bytes(csv_text(rows).encode())
        print("\n".join(shown(rows) for rows in found.values()), end="")
        for name, plot in PLOTS[kind_of(given.folder)].items() if given.plots else ():
            draw(given.folder / "plots" / f"{name}.svg", found[plot.table], plot)
    except Fault as why:
        print(f"error: {why}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
