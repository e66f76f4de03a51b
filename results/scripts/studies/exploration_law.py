"""How the best exploration constant of plain UCT depends on the board and on the simulations."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tables import Fault, Interval, Row, estimate, read_rows, verdict

from studies import matches, regression
from studies.matches import Counts, Floats

NAME = re.compile(r"(\d+)x\1-(\d+)")
"""The name of a run: side of the board and simulations."""
COLUMNS = "exploration exploration_opponent wins losses"
SAMPLES = 500
PRIOR = 10.0
"""The deviation of the normal prior of each coefficient of a cubic."""
ENDS = (1, 99)
"""The percentiles of the played constants between which the best is sought."""
TESTED = 11
"""The side of the board whose tunings are not part of the fit."""
TERMS = ("intercept", "points", "simulations")
PUBLISHED = {
    "2026-11-22-tune-plain-5x5": (5, 1000),
    "2026-11-22-tune-plain-7x7": (7, 1000),
    "2026-11-22-tune-plain-9x9": (9, 1000),
    "2026-11-22-tune-ucb1-3000-9x9": (9, 3000),
}
"""Side of the board and simulations of published tunings, which are told beside the law."""


@dataclass(frozen=True)
class Duels:
    """The duels of a tuning: the logarithms of the constants of both sides, [duels, 2], and the
    games that the first side won and lost, [duels, 2]."""

    constants: Floats
    games: Floats

    @classmethod
    def read(cls, rows: list[Row]) -> Duels:
        """The duels in the samples of a tuning in self-play."""
        sides = [[float(row["exploration"]), float(row["exploration_opponent"])] for row in rows]
        games = [[float(row["wins"]), float(row["losses"])] for row in rows]
        return cls(np.log(np.array(sides)), np.array(games))

    def drawn(self, counts: Counts) -> Duels:
        """The duels, each as often as `counts` says."""
        return Duels(np.repeat(self.constants, counts, 0), np.repeat(self.games, counts, 0))

    def best(self) -> float:
        """The logarithm of the best constant: the maximum of the cubic."""
        coefficients = cubic(self)
        least, most = np.percentile(self.constants, ENDS)
        slopes = np.roots(coefficients[::-1] * (3, 2, 1))
        inner = [x.real for x in slopes if abs(x.imag) < 1e-12 and least < x.real < most]
        places = np.array([least, most, *inner])
        return float(places[np.argmax(powers(places) @ coefficients)])


def powers(x: Floats) -> Floats:
    """The first three powers of x: [..., 3]."""
    return np.stack([x, x**2, x**3], axis=-1)


def cubic(duels: Duels) -> Floats:
    """The coefficients of x, x² and x³, whose difference between both sides is the log-odds of a
    duel: the most likely ones with the prior, by Newton's method."""
    terms = powers(duels.constants[:, 0]) - powers(duels.constants[:, 1])
    wins, games = duels.games[:, 0], duels.games.sum(1)
    found, prior = np.zeros(3), np.eye(3) / PRIOR**2
    for _ in range(50):
        chances = 1 / (1 + np.exp(-terms @ found))
        slope = terms.T @ (wins - games * chances) - prior @ found
        weights = games * chances * (1 - chances)
        step = np.linalg.solve((terms * weights[:, None]).T @ terms + prior, slope)
        found = found + step
        if np.abs(step).max() < 1e-9:
            return found
    raise ValueError("Newton's method finds no cubic")


@dataclass(frozen=True)
class Optimum:
    """The best constant of a tuning: its logarithm with a standard error, and its interval."""

    run: str
    size: int
    simulations: int
    duels: int | None
    log: float
    error: float
    interval: Interval

    @classmethod
    def of(cls, run: str, rows: list[Row], streams: matches.Streams) -> Optimum:
        """The optimum of the tuning `run` with these samples."""
        found = NAME.fullmatch(run)
        if found is None:
            raise Fault(f"{run}: expected a run such as `5x5-100`")
        duels = Duels.read(rows)
        log = duels.best()
        samples = [duels.drawn(counts).best() for counts in streams.drawn(len(rows))]
        error = float(np.std(samples, ddof=1))
        low, high = matches.normal_interval(log, error)
        interval = math.exp(low), math.exp(high)
        return cls(run, int(found[1]), int(found[2]), len(rows), log, error, interval)

    @classmethod
    def published(cls, path: Path, size: int, simulations: int) -> Optimum:
        """The last estimate of a published tuning."""
        row = read_rows(path / "estimate.csv", "games exploration")[-1]
        best, low, high = (float(row[f"exploration{end}"]) for end in ("", "_low", "_high"))
        error = math.log(high / low) / 2 / regression.NORMAL.inv_cdf(0.975)
        return cls(path.name, size, simulations, None, math.log(best), error, (low, high))

    def terms(self) -> Floats:
        """The terms of the law."""
        return np.array([1, math.log(self.size**2), math.log(self.simulations)])

    def row(self, law: regression.Fit, part: str) -> Row:
        """The row of the optimum, which is the law's where it is fitted, and else is compared with
        the prediction for one tuning."""
        row = {"run": self.run, "part": part, "size": str(self.size)}
        row |= {"points": str(self.size**2), "simulations": str(self.simulations)}
        row |= {"duels": str(self.duels or ""), "log_error": f"{self.error:.4f}"}
        row |= estimate("best", math.exp(self.log), self.interval, 3)
        variance = 0.0 if part == "fit" else law.between + self.error**2
        low, high = law.interval(self.terms(), variance)
        ends = math.exp(low), math.exp(high)
        row |= estimate("law", math.exp(law.at(self.terms())[0]), ends, 3)
        holds = "yes" if low <= self.log <= high else "no"
        return row | {"in_prediction": "" if part == "fit" else holds}


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    streams = matches.Streams(samples=SAMPLES)
    runs = matches.joined(folder, "samples.csv", COLUMNS)
    optima = [Optimum.of(run, rows, streams) for run, rows in runs.items()]
    optima.sort(key=lambda each: (each.size, each.simulations))
    fitted = [each for each in optima if each.size != TESTED]
    tested = [each for each in optima if each.size == TESTED]
    logs = np.array([each.log for each in fitted])
    variances = np.array([each.error**2 for each in fitted])
    law = regression.by_likelihood(logs, variances, np.array([each.terms() for each in fitted]))
    rows = [law.row(number, name, 4) for number, name in enumerate(TERMS)]
    for row, below, above in zip(rows, ("", "falls", "falls"), ("", "rises", "rises"), strict=True):
        ends = float(row["coefficient_low"]), float(row["coefficient_high"])
        row["verdict"] = verdict(ends, 0, below, above) if row["term"] != "intercept" else ""
        row |= {"cells": str(len(fitted)), "between": f"{law.between**0.5:.4f}"}
    known = [
        Optimum.published(folder.parent / name, *about)
        for name, about in PUBLISHED.items()
        if (folder.parent / name).is_dir()
    ]
    parts = (("fit", fitted), ("test", tested), ("published", known))
    return {
        "optima.csv": [each.row(law, part) for part, own in parts for each in own],
        "coefficients.csv": rows,
    }
