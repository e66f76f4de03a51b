"""How fast programs are on one machine, measured in turns.

The programs whose names begin with "libego" are builds of one program, the reference. Every other
program is compared with the fastest of these builds on each board, for the same quantity and
architecture. For rows of `scaling --part speed`, shares of the time become microseconds per
simulation.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tables import Fault, Row, read_rows

MEASUREMENTS, INSTRUCTIONS = "measurements.csv", "instructions.csv"
"""A row for each measurement of a speed, and for each count of instructions, if there are any."""
SEARCHES = "speed.csv"
"""A row for each measurement of a search, if there are any."""


class Subject(NamedTuple):
    """A measured quantity of a program, by architecture and board."""

    quantity: str
    architecture: str
    size: int
    program: str

    def is_reference_of(self, other: Subject) -> bool:
        """Whether this is a build of the reference with which `other` is compared."""
        return self.program.startswith("libego") and self[:3] == other[:3]


Rounds = dict[Subject, dict[int, float]]
"""The medians of the rounds of each subject, by round."""


def read(folder: Path) -> tuple[Rounds, dict[Subject, float]]:
    """The rounds and the instructions per playout of each subject."""
    speeds: dict[Subject, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    columns = "quantity architecture size program round per_second"
    for row in read_rows(folder / MEASUREMENTS, columns):
        speed = float(row["per_second"])
        if not 0 < speed < float("inf"):
            what = f"{speed} {row['quantity']} per second of {row['program']}"
            raise Fault(f"{folder / MEASUREMENTS}: {what}: expected a number above 0")
        subject = Subject(row["quantity"], row["architecture"], int(row["size"]), row["program"])
        speeds[subject][int(row["round"])].append(speed)
    counts = {}
    columns = "architecture size program instructions_per_playout"
    path = folder / INSTRUCTIONS
    for row in read_rows(path, columns) if path.exists() else []:
        subject = Subject("playouts", row["architecture"], int(row["size"]), row["program"])
        counts[subject] = float(row["instructions_per_playout"])
    rounds = {
        subject: {round: median(repeats) for round, repeats in by_round.items()}
        for subject, by_round in speeds.items()
    }
    return rounds, counts


def ratios(all: Rounds, subject: Subject) -> tuple[float, float, float] | None:
    """The ratio to the fastest build of the reference, and its least and greatest value in a round;
    None without a reference that was measured in the same rounds."""
    references = [other for other in all if other.is_reference_of(subject)]
    if not references:
        return None
    reference = max(references, key=lambda other: (median(all[other].values()), other))
    own, others = all[subject], all[reference]
    by_round = [own[round] / others[round] for round in own if round in others]
    ratio = median(own.values()) / median(others.values())
    return (ratio, min(by_round), max(by_round)) if by_round else None


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    all, counts = read(folder)
    rows = []
    for subject in sorted({*all, *counts}):
        row = {name: str(value) for name, value in subject._asdict().items()}
        rounds, count = all.get(subject), counts.get(subject)
        row["rounds"] = str(len(rounds)) if rounds else ""
        row["per_second"] = f"{median(rounds.values()):.0f}" if rounds else ""
        found = (rounds and ratios(all, subject)) or (None, None, None)
        for end, ratio in zip(("", "_least", "_most"), found, strict=True):
            row[f"to_libego{end}"] = "" if ratio is None else f"{ratio:.2f}"
        row["instructions"] = "" if count is None else f"{count:.0f}"
        fewest = [counts[other] for other in counts if other.is_reference_of(subject)]
        row["instructions_to_libego"] = f"{count / min(fewest):.2f}" if count and fewest else ""
        rows.append(row)
    return {"speeds.csv": rows} | parts(folder)


def microseconds(row: Row) -> dict[str, float]:
    """The CPU time per simulation of a search and of its parts, which sum up to it."""
    share = {name.removesuffix("_share"): float(row[name]) for name in row if "_share" in name}
    of_parts = {
        "microseconds": 1.0,
        "select": share["selection"] - share["expansion"] - share["prior"],
        "expand": share["expansion"],
        "prior": share["prior"],
        "busy": share["playout"] - share["waiting"],
        "waiting": share["waiting"],
        "update": share["update"],
        "keep": share["keep"],
    }
    each = 1e6 / float(row["simulations_per_cpu_second"])
    return {name: part * each for name, part in of_parts.items()}


def parts(folder: Path) -> dict[str, list[Row]]:
    """The medians of the microseconds of each search by part; no table without searches."""
    columns = "size config repeat moves simulations_per_cpu_second selection_share keep_share"
    path = folder / SEARCHES
    if not path.exists():
        return {}
    by_search: dict[tuple[str, str, str], list[dict[str, float]]] = defaultdict(list)
    for row in read_rows(path, columns):
        by_search[row["size"], row["config"], row["moves"]].append(microseconds(row))
    rows = []
    for (size, config, moves), repeats in by_search.items():
        row = {"size": size, "config": config, "moves": moves, "rounds": str(len(repeats))}
        medians = {name: median(each[name] for each in repeats) for name in repeats[0]}
        rows.append(row | {name: f"{value:.3f}" for name, value in medians.items()})
    return {"parts.csv": rows}
