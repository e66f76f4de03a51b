"""Print how often intervals of the rank correlation of regret and Elo contain the true one.

Simulates runs of the study regret-elo from populations whose true regrets and scores are known.
A simulated run draws positions and openings of the measured run with replacement, so that noise
has the size and the shape measured at each number of simulations. Each cell of a drawn row takes
the value of a configuration that the truth chooses, in the same position or opening:

- `estimates`: its own. The measured means are the truth.
- `shrunken`: at times any configuration's, so often that the means of simulated runs spread as
  the measured means do. Without it they spread more, since the measured means have noise too.
- `tied`: any of the configurations within a standard error, which are then truly equal.
- `resampled`: its own, but positions and openings have random weights, others for each run.
- `correlation R`: as `shrunken`, with the regrets of other configurations, drawn for each run, so
  that the true correlation is R at each number of simulations.

Example: python results/scripts/regret_elo_coverage.py results/2026-11-24-regret-elo-5x5
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.random import Generator
from studies import regret_elo
from studies.matches import Counts, Floats, percentile_interval
from studies.regret_elo import TWIN, Correlation, linear, ranks
from tables import Fault, Interval, Row, csv_text

SEED, RUNS, SAMPLES, DRAWS = 20_261_128, 400, 400, 400
"""The seed, the simulated runs of each truth, and the bootstrap samples and the draws from the
posterior in each run."""
TARGETS = (0.0, -0.3, -0.6, -0.9)
NEAR, CHOICES = 0.05, 50
"""How near to its target a true correlation is, and among how many such truths a run chooses."""
LEVELS = (0.95, 0.97, 0.98, 0.99)
"""The nominal levels of each kind of interval."""
GRID = np.tanh(np.linspace(-2.6, 2.6, 21))
"""Correlations of the prior of the posterior; their density is made even by `1 - GRID**2`."""


@dataclass(frozen=True)
class Table:
    """The rows of one number of simulations: regrets [positions, configurations], and scores
    [openings, configurations], which are ½ for the reference, the first."""

    regrets: Floats
    scores: Floats

    def sides(self) -> tuple[Floats, Floats]:
        """Both sides."""
        return self.regrets, self.scores


def correlation(regrets: Floats, scores: Floats) -> float:
    """Spearman's correlation of these means."""
    return float(linear(ranks(regrets), ranks(scores)))


def noise(side: Floats) -> Floats:
    """The covariance of the means of a side."""
    found: Floats = np.cov(side.T) / len(side)
    return found


def spreads(side: Floats) -> tuple[float, float]:
    """The variance of the means of a side among configurations, and what noise adds to it."""
    count, covariance = side.shape[1], noise(side)
    added = (np.trace(covariance) - covariance.sum() / count) / (count - 1)
    return float(side.mean(axis=0).var(ddof=1)), float(added)


def shrinking(side: Floats) -> Floats:
    """The mixing of configurations that reduces the spread of means by the part of noise."""
    count, (spread, added) = side.shape[1], spreads(side)
    own = max(0.0, 1 - added / spread) ** 0.5
    found: Floats = own * np.eye(count) + (1 - own) / count
    return found


def tying(side: Floats) -> Floats:
    """The mixing of configurations that makes those equal that are, in the order of their means,
    within a standard error of the first of them."""
    means, covariance = side.mean(axis=0), noise(side)
    groups: list[list[int]] = []
    for own in np.argsort(means, kind="stable"):
        first = groups[-1][0] if groups else own
        variance = covariance[first, first] + covariance[own, own] - 2 * covariance[first, own]
        if groups and means[own] - means[first] <= max(variance, 0) ** 0.5:
            groups[-1].append(int(own))
        else:
            groups.append([int(own)])
    mixing = np.zeros((len(means), len(means)))
    for group in groups:
        mixing[np.ix_(group, group)] = 1 / len(group)
    return mixing


def of_scores(mixing: Floats) -> Floats:
    """The mixing of scores, in which the reference stays apart."""
    found = np.eye(len(mixing) + 1)
    found[1:, 1:] = mixing
    return found


def drawn_cells(side: Floats, mixing: Floats, rows: Counts, random: Generator) -> Floats:
    """Rows of a side, where each cell takes the value of a configuration drawn by `mixing`."""
    picked = side[rows]
    below = mixing.cumsum(axis=1)[:, :-1]
    columns = (random.random(picked.shape)[:, :, np.newaxis] > below + 1e-12).sum(axis=-1)
    return np.take_along_axis(picked, columns, axis=1)


class Population:
    """The measured run, from which runs of each truth are simulated."""

    def __init__(self, tables: list[Table], random: Generator) -> None:
        self.tables, self.random = tables, random
        same = [(np.eye(t.regrets.shape[1]), np.eye(t.regrets.shape[1])) for t in tables]
        self.shrunken = [
            (shrinking(t.regrets), of_scores(shrinking(t.scores[:, 1:]))) for t in tables
        ]
        tied = [(tying(t.regrets), of_scores(tying(t.scores[:, 1:]))) for t in tables]
        self.mixings = {"estimates": same, "shrunken": self.shrunken, "tied": tied}
        self.mixings["resampled"] = same
        self.orders = {
            f"correlation {target}": [self.reordered(table, target) for table in tables]
            for target in TARGETS
        }

    def truths(self) -> list[str]:
        """The names of all truths."""
        return [*self.mixings, *self.orders]

    def reordered(self, table: Table, target: float) -> list[list[int]]:
        """Random orders of the regrets that have the target as their correlation with scores."""
        regrets, scores = table.regrets.mean(axis=0), table.scores.mean(axis=0)
        found: list[list[int]] = []
        while len(found) < CHOICES:
            order = self.random.permutation(len(regrets))
            away = abs(correlation(regrets[order], scores) - target)
            # Exchanges that lead nearer; an order that does not arrive is given up.
            for _ in range(500):
                if away <= NEAR:
                    found.append([int(number) for number in order])
                    break
                other = order.copy()
                one, two = self.random.integers(len(regrets), size=2)
                other[[one, two]] = other[[two, one]]
                if abs(correlation(regrets[other], scores) - target) < away:
                    order, away = other, abs(correlation(regrets[other], scores) - target)
        return found

    def run(self, truth: str) -> tuple[list[float], list[Table]]:
        """The true correlation and the rows of a simulated run at each number of simulations. The
        same positions serve all; the openings are the same where the run has equally many."""
        weights: dict[int, Floats | None] = {}
        drawn: dict[int, Counts] = {}
        correlations, rows = [], []
        for number, table in enumerate(self.tables):
            for count in map(len, table.sides()):
                if count not in drawn:
                    is_weighted = truth == "resampled"
                    chances = self.random.dirichlet(np.ones(count)) if is_weighted else None
                    weights[count] = chances
                    drawn[count] = self.random.choice(count, count, p=chances)
            mixings = self.mixings.get(truth, self.shrunken)[number]
            if truth in self.orders:
                choices = self.orders[truth][number]
                mixings = (mixings[0][choices[self.random.integers(CHOICES)]], mixings[1])
            both = list(zip(table.sides(), mixings, strict=True))
            means = [
                mixing @ np.average(side, axis=0, weights=weights[len(side)])
                for side, mixing in both
            ]
            correlations.append(correlation(*means))
            cells = [
                drawn_cells(side, mixing, drawn[len(side)], self.random) for side, mixing in both
            ]
            rows.append(Table(*cells))
        return correlations, rows


class Intervals:
    """All kinds of intervals, from bootstrap samples that all simulated runs share."""

    def __init__(self, tables: list[Table], random: Generator) -> None:
        self.random = random
        counts = {len(side) for table in tables for side in table.sides()}
        self.samples = {
            count: random.multinomial(count, np.full(count, 1 / count), SAMPLES) / count
            for count in sorted(counts)
        }
        # A configuration without regret might have erred in one position more.
        self.errors = [float(t.regrets[t.regrets > 0].mean()) for t in tables]

    def of(self, tables: list[Table]) -> Iterator[tuple[int, str, float, Interval]]:
        """The intervals of a run: the number of the table or that after the last for the mean of
        all, the kind, the level, and the interval."""
        found, posterior = [], []
        for table, error in zip(tables, self.errors, strict=True):
            means = [side.mean(axis=0) for side in table.sides()]
            drawn = [self.samples[len(side)] @ side for side in table.sides()]
            found.append(Correlation.of(means[0], means[1], drawn[0], drawn[1]))
            posterior.append(self.posterior(table, error))
        for number in range(len(tables) + 1):
            chosen = slice(number, number + 1) if number < len(tables) else slice(None)
            own = found[chosen]
            measured = sum(each.measured for each in own) / len(own)
            drawn_here: Floats = np.mean([each.drawn for each in own], axis=0)
            corrected: Floats = np.mean([each.corrected() for each in own], axis=0)
            centred = 2 * measured - drawn_here
            for level in LEVELS:
                kinds = {
                    "percentile": percentile_interval(drawn_here, level),
                    "basic": clipped(percentile_interval(centred, level)),
                    "bias-corrected": bias_corrected(measured, drawn_here, level),
                    "disattenuated": clipped(percentile_interval(corrected, level)),
                    "posterior": percentile_interval(np.mean(posterior[chosen], axis=0), level),
                    "percentile or basic": regret_elo.hull(drawn_here, centred, level),
                    "percentile or disattenuated": regret_elo.hull(drawn_here, corrected, level),
                }
                for kind, interval in kinds.items():
                    yield number, kind, level, interval

    def posterior(self, table: Table, error: float) -> Floats:
        """Draws of the true rank correlation. True regrets and scores of a configuration are
        normal with a correlation whose prior is even; means and spreads are the measured ones."""
        count, sides = table.regrets.shape[1], table.sides()
        covariance = np.zeros((2 * count, 2 * count))
        covariance[:count, :count] = noise(sides[0])
        covariance[:count, :count] += np.eye(count) * (error / len(sides[0])) ** 2
        # The score of the reference is known; its small variance keeps the matrix regular.
        covariance[count:, count:] = noise(sides[1]) + 1e-9 * np.eye(count)
        means = [side.mean(axis=0) for side in sides]
        away = np.concatenate([mean - mean.mean() for mean in means])
        spread = [max(total - added, 0.1 * total) for total, added in map(spreads, sides)]
        likelihoods, conditional = [], []
        for tie in GRID:
            mixed = tie * (spread[0] * spread[1]) ** 0.5
            prior = np.kron(np.array([[spread[0], mixed], [mixed, spread[1]]]), np.eye(count))
            total = prior + covariance
            gain = np.linalg.solve(total, prior).T
            sign, size = np.linalg.slogdet(total)
            likelihoods.append(-0.5 * (away @ np.linalg.solve(total, away) + sign * size))
            variances, axes = np.linalg.eigh(prior - gain @ prior)
            conditional.append((gain @ away, axes * np.maximum(variances, 0) ** 0.5))
        chances = np.exp(np.array(likelihoods) - max(likelihoods)) * (1 - GRID**2)
        shift = np.repeat([mean.mean() for mean in means], count)
        counts = self.random.multinomial(DRAWS, chances / chances.sum())
        draws = np.concatenate(
            [
                shift + centre + self.random.standard_normal((number, 2 * count)) @ root.T
                for (centre, root), number in zip(conditional, counts, strict=True)
            ]
        )
        self.random.shuffle(draws)
        return linear(ranks(draws[:, :count]), ranks(draws[:, count:]))


def clipped(interval: Interval) -> Interval:
    """An interval within -1 and 1."""
    return max(interval[0], -1), min(interval[1], 1)


def bias_corrected(measured: float, drawn: Floats, level: float) -> Interval:
    """Efron's bias-corrected interval, without an acceleration: percentiles shifted by the share of
    samples below the measured value."""
    normal = NormalDist()
    share = float((drawn < measured).mean() + (drawn == measured).mean() / 2)
    bias = normal.inv_cdf(min(max(share, 0.5 / len(drawn)), 1 - 0.5 / len(drawn)))
    half = normal.inv_cdf((1 + level) / 2)
    low, high = np.quantile(drawn, [normal.cdf(2 * bias - half), normal.cdf(2 * bias + half)])
    return float(low), float(high)


def coverage(tables: list[Table], names: list[str], runs: int) -> list[Row]:
    """A row for each truth, number of simulations, kind and level."""
    random = np.random.default_rng(SEED)
    population, intervals = Population(tables, random), Intervals(tables, random)
    rows = []
    for truth in population.truths():
        print(f"{truth}: {runs} runs", file=sys.stderr)
        true, found = [], defaultdict(list)
        for _ in range(runs):
            correlations, simulated = population.run(truth)
            own = [*correlations, sum(correlations) / len(correlations)]
            true.append(own)
            for number, kind, level, (low, high) in intervals.of(simulated):
                holds = low - 1e-9 <= own[number] <= high + 1e-9
                found[number, kind, level].append((holds, high - low, high < 0))
        means = np.mean(true, axis=0)
        for (number, kind, level), of_runs in found.items():
            held, width, below = np.mean(of_runs, axis=0)
            row = {"truth": truth, "simulations": names[number], "interval": kind}
            row |= {"level": f"{level:.2f}", "runs": str(runs)}
            row |= {"correlation": f"{means[number]:.3f}", "coverage": f"{held:.4f}"}
            rows.append(row | {"width": f"{width:.3f}", "below": f"{below:.4f}"})
    return rows


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder of the study")
    told = f"simulated runs of each truth ({RUNS})"
    parser.add_argument("--runs", type=int, default=RUNS, help=told)
    given = parser.parse_args()
    try:
        budgets = [budget.without(TWIN) for budget in regret_elo.read(given.folder)]
    except (Fault, OSError) as why:
        print(f"error: {why}", file=sys.stderr)
        return 2
    tables = []
    for budget in budgets:
        scores = [match.halves / 4 for match in budget.matches]
        if any((each < 0).any() for each in scores):
            print(f"error: {given.folder}: expected complete pairs only", file=sys.stderr)
            return 2
        halves = np.full(len(scores[0]), 0.5)
        tables.append(Table(budget.regrets.T, np.stack([halves, *scores], axis=-1)))
    names = [*(str(budget.simulations) for budget in budgets), "mean"]
    print(csv_text(coverage(tables, names, given.runs)), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
