"""When pairs with swapped colours save games: the correlation of the two games of a pair."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tables import Fault, Interval, Row, estimate, verdict

from studies import matches, regression
from studies.matches import HALVES, Counts, Floats
from tengen import stats

NAME = re.compile(r"(\d+)x\1-plies-(\d+)-komi\+(\d+)-(\d+)")
"""The name of a run: side of the board, plies of the opening, komi above the default, and the
simulations of the bot that has less."""
COLUMNS = "game pairing pair black white outcome"
MORE = 200
"""The simulations of the bot that has more."""
PSEUDO_PAIRS = (1, 0, 2, 0, 1)
"""Four pairs between equal players with independent games."""
TERMS = ("intercept", "color", "opening", "strength")
PLANNED = (4, 0)
"""Plies and komi above the default of the planned means: the default openings and komi."""


def correlations(cells: Counts) -> Floats:
    """The correlation of the results of the two games of a pair, from one bot's view, for counts of
    pairs by score, [..., 5], and the four pseudo-pairs: twice the variance of the score of a pair,
    divided by that of a game, less 1."""
    counts, scores = cells + np.array(PSEUDO_PAIRS), np.arange(5) / 4
    pairs = counts.sum(-1)
    mean = counts @ scores / pairs
    found: Floats = 2 * (counts @ scores**2 / pairs - mean**2) / (mean * (1 - mean)) - 1
    return found


class Estimate(NamedTuple):
    """An estimate with its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Cell:
    """A run: a board, openings, a komi and a gap between the bots."""

    size: int
    plies: int
    more_komi: int
    simulations: int
    black: float
    rate: float
    correlation: Estimate
    beyond_color: Estimate
    row: Row

    @classmethod
    def of(cls, name: str, rows: list[Row], streams: matches.Streams) -> Cell:
        """The run `name` with these games."""
        found = NAME.fullmatch(name)
        if found is None:
            raise Fault(f"{name}: expected a run such as `7x7-plies-0-komi+0-200`")
        size, plies, more_komi, simulations = map(int, found.groups())
        (match,) = matches.in_games(rows, name)
        of_black = np.zeros(len(match.halves))
        for row in rows:
            of_black[int(row["pair"])] += HALVES.get(row["outcome"], 0) / 4
        complete = match.halves >= 0
        # The first bot has more simulations.
        halves, of_black = 4 - match.halves[complete], of_black[complete]
        cells, black = np.bincount(halves, minlength=5), float(of_black.mean())
        correlation, drawn = float(correlations(cells)), streams.drawn(len(halves))
        samples = correlations(drawn @ np.eye(5, dtype=np.int64)[halves])
        error = float(samples.std(ddof=1))
        beyond = samples + (2 * (drawn @ of_black) / len(halves) - 1) ** 2
        pairs = stats.pairs(cells)
        row = {"cell": name, "size": str(size), "plies": str(plies), "more_komi": str(more_komi)}
        row |= {"simulations": str(simulations), "pairs": str(len(halves))}
        row |= {"won": str(cells[3:].sum()), "split": str(cells[2]), "lost": str(cells[:2].sum())}
        row["black"] = f"{black:.4f}"
        row |= estimate("win_rate", pairs.score, pairs.interval, 4)
        row["by_color"] = f"{-((2 * black - 1) ** 2):.4f}"
        row |= estimate("correlation", correlation, matches.normal_interval(correlation, error), 4)
        own = Estimate(correlation, error)
        left = Estimate(correlation + (2 * black - 1) ** 2, float(beyond.std(ddof=1)))
        return cls(size, plies, more_komi, simulations, black, pairs.score, own, left, row)

    def terms(self) -> list[float]:
        """The terms of the model: r = a - b·(2B - 1)² - d·(plies > 0) - e·(rate - ½)²."""
        return [1, -((2 * self.black - 1) ** 2), -float(self.plies > 0), -((self.rate - 0.5) ** 2)]


def mean_of(estimates: list[Estimate]) -> tuple[float, Interval]:
    """The mean of independent estimates, with its interval."""
    value = sum(each.value for each in estimates) / len(estimates)
    error = math.hypot(*(each.error for each in estimates)) / len(estimates)
    return value, matches.normal_interval(value, error)


def means(cells: list[Cell]) -> list[Row]:
    """The mean correlation of all gaps, by board, plies and komi."""
    groups: dict[tuple[int, int, int], list[Cell]] = defaultdict(list)
    for cell in cells:
        groups[cell.size, cell.plies, cell.more_komi].append(cell)
    rows = []
    for (size, plies, more_komi), own in sorted(groups.items()):
        value, interval = mean_of([cell.correlation for cell in own])
        row = {"size": str(size), "plies": str(plies), "more_komi": str(more_komi)}
        row |= {"cells": str(len(own)), **estimate("correlation", value, interval, 4)}
        row["planned"] = "yes" if (plies, more_komi) == PLANNED else ""
        rows.append(row | {"verdict": verdict(interval, 0, "pairs save games", "pairs cost games")})
    return rows


def beyond_color(cells: list[Cell]) -> list[Row]:
    """How far the correlation of equal bots is from the prediction by the colour alone, -(2B - 1)²,
    by board and plies. By the theory this is -4v, with the variance v of Black's chance over the
    openings."""
    groups: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for cell in cells:
        if cell.simulations == MORE:
            groups[cell.size, cell.plies].append(cell)
    rows = []
    for (size, plies), own in sorted(groups.items()):
        value, interval = mean_of([cell.beyond_color for cell in own])
        row = {"size": str(size), "plies": str(plies), "cells": str(len(own))}
        rows.append(row | estimate("beyond_color", value, interval, 4))
    return rows


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    streams = matches.Streams()
    runs = matches.joined(folder, "games.csv", COLUMNS)
    cells = [Cell.of(name, rows, streams) for name, rows in sorted(runs.items())]
    values = np.array([cell.correlation.value for cell in cells])
    variances = np.array([cell.correlation.error**2 for cell in cells])
    fit = regression.by_moments(values, variances, np.array([cell.terms() for cell in cells]))
    rows = [fit.row(number, name, 4) for number, name in enumerate(TERMS)]
    for row in rows:
        ends = float(row["coefficient_low"]), float(row["coefficient_high"])
        saves = verdict(ends, 0, "costs games", "saves games")
        row["verdict"] = saves if row["term"] in ("color", "opening") else ""
        row |= {"cells": str(len(cells)), "between": f"{fit.between**0.5:.4f}"}
    return {
        "cells.csv": [cell.row for cell in cells],
        "coefficients.csv": rows,
        "means.csv": means(cells),
        "beyond_color.csv": beyond_color(cells),
    }
