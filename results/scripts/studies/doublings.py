"""How the Elo of a doubling of the simulations falls with the simulations per point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tables import Row, estimate

from studies import matches, regression
from studies.matches import Floats
from tengen import stats

PER_LOG_ODDS = 400 / math.log(10)
EQUAL = 50.0
"""Boards share one curve if they differ by less Elo."""
TERMS = ("intercept", "log2_per_point", "log2_per_point_squared")


@dataclass(frozen=True)
class Gain:
    """The Elo of a search over another with half the simulations, with its standard error."""

    size: int
    simulations: int
    pairs: stats.Summary
    error: float

    @classmethod
    def of(cls, size: int, match: matches.Match) -> Gain:
        """The gain in a match. Its error is by the delta method, with the effective number of games
        of the pairs."""
        cells, simulations = match.cells(), int(match.second)
        if int(match.first) > simulations:
            cells, simulations = cells[::-1], int(match.first)
        pairs = stats.pairs(cells)
        squared = pairs.effective_games * pairs.score * (1 - pairs.score)
        return cls(size, simulations, pairs, PER_LOG_ODDS / math.sqrt(squared))

    def per_point(self) -> float:
        """The simulations per point of the board."""
        return self.simulations / self.size**2

    def terms(self, sizes: list[int]) -> Floats:
        """The terms of the model; the first of `sizes` has no term of its own."""
        x = math.log2(self.per_point())
        return np.array([1, x, x * x, *(float(self.size == size) for size in sizes[1:])])

    def row(self, fit: regression.Fit, sizes: list[int]) -> Row:
        """The row of the gain, with the curve's."""
        row = {"size": str(self.size), "simulations": str(self.simulations)}
        row |= {"per_point": f"{self.per_point():.4f}", "pairs": str(sum(self.pairs.counts))}
        row |= estimate("win_rate", self.pairs.score, self.pairs.interval, 4)
        row |= estimate("gain", self.pairs.elo, self.pairs.elo_interval, 1)
        terms = self.terms(sizes)
        return row | estimate("curve", fit.at(terms)[0], fit.interval(terms), 1)


def one_curve(intervals: list[tuple[float, float]]) -> str:
    """The verdict on the differences between boards."""
    if all(-EQUAL <= low and high <= EQUAL for low, high in intervals):
        return "one curve"
    return "boards differ" if any(low > 0 or high < 0 for low, high in intervals) else "undecided"


def falls(gains: list[Gain]) -> list[Row]:
    """The greatest gain of each board less the gain at its greatest number of simulations, with p
    corrected for the number of boards by Holm's method."""
    rows, p_values = [], []
    for size in sorted({gain.size for gain in gains}):
        own = [gain for gain in gains if gain.size == size]
        greatest = max(own, key=lambda gain: gain.pairs.elo)
        last = max(own, key=lambda gain: gain.simulations)
        less = greatest.pairs.elo - last.pairs.elo
        error = math.hypot(greatest.error, last.error) if greatest is not last else 0.0
        row = {"size": str(size), "greatest_at": str(greatest.simulations)}
        row |= {"last_at": str(last.simulations)}
        rows.append(row | estimate("fall", less, matches.normal_interval(less, error), 1))
        p_values.append(2 * regression.NORMAL.cdf(-less / error) if error else 1.0)
    corrected = regression.holm(p_values)
    return [
        row | {"p_holm": f"{p:.2g}", "verdict": "diminish" if p < 0.05 else "undecided"}
        for row, p in zip(rows, corrected, strict=True)
    ]


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    gains = []
    for config in sorted(folder.glob("*/config.toml")):
        size = int(config.parent.name.split("x")[0])
        gains += [Gain.of(size, match) for match in matches.read(config.parent)]
    gains.sort(key=lambda gain: (gain.size, gain.simulations))
    sizes = sorted({gain.size for gain in gains})
    terms = np.array([gain.terms(sizes) for gain in gains])
    values = np.array([gain.pairs.elo for gain in gains])
    fit = regression.by_likelihood(values, np.array([gain.error**2 for gain in gains]), terms)
    names = [*TERMS, *(f"{size}x{size}" for size in sizes[1:])]
    rows = [fit.row(number, name, 1) for number, name in enumerate(names)]
    intervals = [fit.interval(chosen) for chosen in np.eye(len(names))[len(TERMS) :]]
    for number, row in enumerate(rows):
        row["verdict"] = one_curve(intervals) if number >= len(TERMS) else ""
        row |= {"cells": str(len(gains)), "between": f"{fit.between**0.5:.1f}"}
    return {
        "gains.csv": [gain.row(fit, sizes) for gain in gains],
        "coefficients.csv": rows,
        "falls.csv": falls(gains),
    }
