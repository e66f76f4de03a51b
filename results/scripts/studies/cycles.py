"""How far bots are from a transitive order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from tables import Interval, Row, estimate

from studies import matches, regression
from studies.matches import Counts, Floats, Match, Streams
from tengen import stats

PER_LOG_ODDS = 400 / math.log(10)
"""Elo of one unit of log-odds."""
SCORES = np.arange(5) / 4
PSEUDO_PAIRS = np.array([1, 0, 2, 0, 1])


def log_odds(cells: Counts) -> tuple[Floats, Floats]:
    """The log-odds of the score of pairs counted by score, [..., 5], with half a pair won and half
    a pair lost added, and their variances by the delta method: the effective number of games is
    from the pairs and four pseudo-pairs, as in the interval of a match."""
    pairs = cells.sum(-1)
    score = (cells @ SCORES + 0.5) / (pairs + 1)
    games = pairs / ratio(cells)
    return np.log(score / (1 - score)), 1 / (games * score * (1 - score))


def ratio(cells: Counts) -> Floats:
    """The variance of the score of a pair, divided by that of a game, with the pseudo-pairs."""
    counts = cells + PSEUDO_PAIRS
    mean = counts @ SCORES / counts.sum(-1)
    found: Floats = (counts @ SCORES**2 / counts.sum(-1) - mean**2) / (mean * (1 - mean))
    return found


@dataclass(frozen=True)
class Hodge:
    """The split of log-odds into differences of ratings, by weighted least squares, and the cyclic
    part that is left: each [samples, pairings]. `expected` is the mean square of the cyclic part
    if strength is transitive: [samples]."""

    ratings: Floats
    predicted: Floats
    cyclic: Floats
    expected: Floats
    weights: Floats

    @classmethod
    def of(cls, values: Floats, variances: Floats, sides: Floats) -> Hodge:
        """The split of `values`, [samples, pairings], with `sides` of 1 and -1: [pairings, bots].
        The mean of all ratings is zero."""
        weights = np.broadcast_to(1 / variances, values.shape)
        inverse = np.linalg.pinv(np.einsum("pi,sp,pj->sij", sides, weights, sides))
        ratings = np.einsum("sij,pj,sp->si", inverse, sides, weights * values)
        predicted = ratings @ sides.T
        explained = np.einsum("pi,sij,pj->sp", sides, inverse, sides)
        expected = (1 / weights - explained).mean(-1)
        return cls(ratings, predicted, values - predicted, expected, weights)

    def q(self) -> Floats:
        """The weighted sum of squares of the cyclic part: [samples]."""
        found: Floats = (self.weights * self.cyclic**2).sum(-1)
        return found

    def size(self) -> Floats:
        """The mean square of the cyclic part, less its expectation: [samples]."""
        found: Floats = (self.cyclic**2).mean(-1) - self.expected
        return found


@dataclass(frozen=True)
class Budget:
    """The matches with one number of simulations."""

    simulations: int
    bots: list[str]
    played: list[Match]
    sides: Floats
    cells: Counts
    values: Floats
    variances: Floats
    hodge: Hodge

    @classmethod
    def of(cls, simulations: int, played: list[Match]) -> Budget:
        """The budget of the matches `played`."""
        names = dict.fromkeys(name for each in played for name in (each.first, each.second))
        bots = list(names)
        sides = np.zeros((len(played), len(bots)))
        for number, each in enumerate(played):
            sides[number, [bots.index(each.first), bots.index(each.second)]] = 1, -1
        # From the view of the first bot.
        cells = np.array([each.cells()[::-1] for each in played])
        values, variances = log_odds(cells)
        hodge = Hodge.of(values[None], variances, sides)
        return cls(simulations, bots, played, sides, cells, values, variances, hodge)

    def p_value(self, streams: Streams) -> float:
        """The probability of so large a cyclic part where the ratings are true and each pairing has
        its own error."""
        errors = streams.normal(len(self.values)) * np.sqrt(self.variances)
        null = Hodge.of(self.hodge.predicted + errors, self.variances, self.sides).q()
        return float((1 + (null >= self.hodge.q()).sum()) / (1 + len(null)))

    def interval(self, streams: Streams) -> Interval:
        """The interval of the mean square of the cyclic part, less its expectation. A bootstrap
        sample adds a second error to the observed log-odds, so that the expectation is subtracted
        from its mean square twice."""
        drawn = np.stack([resampled(cells, streams) for cells in self.cells], axis=1)
        samples = Hodge.of(*log_odds(drawn), self.sides).size() - self.hodge.expected[0]
        return matches.percentile_interval(samples)

    def pairings(self) -> list[Row]:
        """A row for each pairing: its Elo, and the Elo that the ratings predict."""
        rows = []
        for number, each in enumerate(self.played):
            row = {"simulations": str(self.simulations), "bot": each.first}
            row |= {"opponent": each.second, "pairs": str(self.cells[number].sum())}
            pairs = stats.pairs(self.cells[number])
            row |= estimate("win_rate", pairs.score, pairs.interval, 4)
            value, error = self.values[number], float(self.variances[number]) ** 0.5
            ends = matches.normal_interval(float(value), error)
            row |= estimate("elo", *in_elo(value, ends), 1)
            row["predicted"] = f"{PER_LOG_ODDS * self.hodge.predicted[0, number]:.1f}"
            rows.append(row | {"cyclic": f"{PER_LOG_ODDS * self.hodge.cyclic[0, number]:.1f}"})
        return rows

    def triples(self) -> list[Row]:
        """A row for each cycle of three, where each beats the next and the last the first, with p
        corrected by Holm's method for the number of all triples."""
        won = {}
        for each, cells in zip(self.played, self.cells, strict=True):
            found = stats.pairs(cells)
            won[each.first, each.second] = found.score, p_of_match(cells)
            won[each.second, each.first] = 1 - found.score, p_of_match(cells)
        rows, p_values = [], []
        for names in combinations(self.bots, 3):
            first, second, third = names
            for a, b, c in ((first, second, third), (first, third, second)):
                edges = [won[a, b], won[b, c], won[c, a]]
                if all(score > 0.5 for score, _ in edges):
                    row = {"simulations": str(self.simulations), "bots": f"{a} > {b} > {c} > {a}"}
                    row |= {f"win_rate_{n}": f"{edges[n - 1][0]:.4f}" for n in (1, 2, 3)}
                    rows.append((row, max(p for _, p in edges)))
                    p_values.append(rows[-1][1])
        # A triple without a cycle shows none: its p is 1.
        all_triples = math.comb(len(self.bots), 3)
        corrected = regression.holm([*p_values, *[1.0] * (all_triples - len(rows))])
        return [
            row | {"p": f"{p:.2g}", "p_holm": f"{holm:.2g}", "verdict": shown(holm)}
            for (row, p), holm in zip(rows, corrected, strict=False)
        ]


def shown(p: float) -> str:
    """The verdict of a corrected p-value on a cycle."""
    return "cyclic" if p < 0.05 else "undecided"


def in_elo(value: float, ends: Interval) -> tuple[float, Interval]:
    """Log-odds and the ends of their interval in Elo."""
    return PER_LOG_ODDS * value, (PER_LOG_ODDS * ends[0], PER_LOG_ODDS * ends[1])


def root(square: float) -> float:
    """The square root; 0 of what is below 0."""
    return math.sqrt(max(0.0, square))


def resampled(cells: Counts, streams: Streams) -> Counts:
    """The counts of pairs by score in each bootstrap sample of these pairs: [samples, 5]."""
    halves = np.repeat(np.arange(5), cells)
    found: Counts = streams.drawn(len(halves)) @ np.eye(5, dtype=np.int64)[halves]
    return found


def p_of_match(cells: Counts) -> float:
    """The probability of so uneven a match of equal bots, by the interval of pairs: its Student
    quantile, and its effective number of games."""
    pairs = int(cells.sum())
    score, games = float(cells @ SCORES) / pairs, pairs / float(ratio(cells))
    return regression.student_p((score - 0.5) * 2 * math.sqrt(games), pairs + 3)


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    runs = sorted(folder.glob("*/config.toml"), key=lambda path: int(path.parent.name))
    budgets = [Budget.of(int(run.parent.name), matches.read(run.parent)) for run in runs]
    streams = Streams()
    p_values = [budget.p_value(streams) for budget in budgets]
    corrected, rows = regression.holm(p_values), []
    for budget, p, holm in zip(budgets, p_values, corrected, strict=True):
        row = {"simulations": str(budget.simulations), "bots": str(len(budget.bots))}
        row |= {"q": f"{budget.hodge.q()[0]:.1f}"}
        row["freedom"] = str(len(budget.values) - len(budget.bots) + 1)
        row |= {"p": f"{p:.4f}", "p_holm": f"{holm:.4f}", "verdict": shown(holm)}
        low, high = budget.interval(streams)
        ends = PER_LOG_ODDS * root(low), PER_LOG_ODDS * root(high)
        size = PER_LOG_ODDS * root(float(budget.hodge.size()[0]))
        rows.append(row | estimate("cyclic", size, ends, 1))
    return {
        "cyclicity.csv": rows,
        "pairings.csv": [row for budget in budgets for row in budget.pairings()],
        "triples.csv": [row for budget in budgets for row in budget.triples()],
    }
