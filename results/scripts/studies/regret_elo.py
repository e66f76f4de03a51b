"""Whether the regret of configurations on solved positions predicts their Elo, at each number of
simulations."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tables import Fault, Interval, Row, estimate, find, read_rows, verdict

from studies import matches
from studies.matches import Counts, Floats, Match

POSITIONS, SIZE = "positions", "5x5"
"""The run with the searches of solved positions, and the board size of the positions used."""
TWIN = "ucb1-tuned"
"""The configuration whose every search in the positions is the reference's: a repeat of the
reference, which is left out of the correlation."""
LEVEL = 0.98
"""The nominal level of the two intervals whose hull is published. By correlation_coverage.csv the
hull is the narrowest interval that covers 90 % for every truth by more than a standard error."""
EQUAL = 1e-12
"""Values that differ by less are equal."""


@dataclass(frozen=True)
class Correlation:
    """Spearman's correlation as measured and in bootstrap samples, and the share `kept` of it that
    the noise of a sample leaves."""

    measured: float
    drawn: Floats
    kept: float

    @classmethod
    def of(cls, one: Floats, other: Floats, ones: Floats, others: Floats) -> Correlation:
        """The correlation of two sides, measured [configurations] and drawn [samples,
        configurations]. What a sample keeps is estimated from its correlation with the measured
        values of the same side."""
        a, b, drawn_a, drawn_b = (ranks(side) for side in (one, other, ones, others))
        kept = float(linear(drawn_a, a).mean() * linear(drawn_b, b).mean())
        return cls(float(linear(a, b)), linear(drawn_a, drawn_b), max(kept, EQUAL))

    def corrected(self) -> Floats:
        """True correlations from which noise like that of the samples gives the measured one."""
        return (self.measured - (self.drawn - self.kept * self.measured)) / self.kept


def hull(drawn: Floats, corrected: Floats, level: float = LEVEL) -> Interval:
    """The hull of the percentile intervals of bootstrap samples and of corrected correlations. The
    first assumes that close configurations have no order, the second that they are ordered as the
    distant ones."""
    ends = [matches.percentile_interval(each, level) for each in (drawn, corrected)]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    return max(low, -1), min(high, 1)


@dataclass(frozen=True)
class Budget:
    """The configurations with one number of simulations, the reference first: the matches of the
    others against it, and the regrets in each position, [configurations, positions]."""

    simulations: int
    names: list[str]
    matches: list[Match]
    regrets: Floats

    def without(self, name: str) -> Budget:
        """These configurations without one that is not the reference."""
        kept = [number for number, own in enumerate(self.names) if own != name]
        played = [match for match in self.matches if match.second != name]
        names = [self.names[number] for number in kept]
        return Budget(self.simulations, names, played, self.regrets[kept])

    def means(self, positions: Counts, drawn: Counts) -> tuple[Floats, Floats]:
        """The mean regrets and the scores on the positions and openings of each sample: [samples,
        configurations] each. The reference scores ½ against itself."""
        regrets = positions @ self.regrets.T / positions.sum(axis=1, keepdims=True)
        scores = [np.full(len(drawn), 0.5), *(each.scores(drawn) for each in self.matches)]
        return regrets, np.stack(scores, axis=-1)

    def correlation(self, positions: Counts, drawn: Counts) -> Correlation:
        """The correlation of mean regret and score, and those of samples of positions and
        openings."""
        count, openings = self.regrets.shape[1], matches.openings(self.matches)
        (regrets,), (scores,) = self.means(matches.once(count), matches.once(openings))
        return Correlation.of(regrets, scores, *self.means(positions, drawn))

    def rows(self) -> list[Row]:
        """A row for each configuration: its regret, and its score against the reference."""
        found = []
        pairs = [None, *(each.pairs() for each in self.matches)]
        for name, regrets, own in zip(self.names, self.regrets, pairs, strict=True):
            mean, error = float(regrets.mean()), float(regrets.std(ddof=1)) / len(regrets) ** 0.5
            row = {"simulations": str(self.simulations), "bot": name}
            row["pairs"] = str(sum(own.counts)) if own else ""
            row |= estimate("regret", mean, matches.normal_interval(mean, error), 4)
            row |= estimate("win_rate", own and own.score, own and own.interval, 4)
            found.append(row | estimate("elo", own and own.elo, own and own.elo_interval, 1))
        return found


def ranks(values: Floats) -> Floats:
    """The ranks along the last axis, from 0: the number of smaller values and half that of other
    equal ones."""
    others, own = values[..., np.newaxis, :], values[..., :, np.newaxis]
    equal = (np.abs(others - own) <= EQUAL).sum(-1)
    found: Floats = (others < own - EQUAL).sum(-1) + (equal - 1) / 2
    return found


def linear(one: Floats, other: Floats) -> Floats:
    """The correlation of ranks along the last axis; 0 if all ranks of a side are equal."""
    middle = (one.shape[-1] - 1) / 2
    a, b = one - middle, other - middle
    scale = np.sqrt((a * a).sum(-1) * (b * b).sum(-1))
    found: Floats = (a * b).sum(-1) / np.where(scale > 0, scale, 1)
    return found


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    budgets, streams = read(folder), matches.Streams()
    # One sample of positions serves all numbers of simulations, since the searches are the same.
    positions = streams.drawn(budgets[0].regrets.shape[1])
    planned, distinct = [], []
    for budget in budgets:
        drawn = streams.drawn(matches.openings(budget.matches))
        planned.append(budget.correlation(positions, drawn))
        distinct.append(budget.without(TWIN).correlation(positions, drawn))
    return {
        "correlations.csv": correlations(budgets, planned, distinct),
        "configurations.csv": [row for budget in budgets for row in budget.rows()],
        "losing.csv": losing(budgets),
    }


def correlations(
    budgets: list[Budget], planned: list[Correlation], distinct: list[Correlation]
) -> list[Row]:
    """A row for each number of simulations, and one for their mean: the correlation of the distinct
    configurations with the hull, and that of all with the percentile interval, as planned."""
    rows = []
    for number in range(len(budgets) + 1):
        is_mean = number == len(budgets)
        chosen = slice(None) if is_mean else slice(number, number + 1)
        own, of_all = distinct[chosen], planned[chosen]
        value, drawn = mean(own)
        interval = hull(drawn, np.mean([each.corrected() for each in own], axis=0))
        row = {"simulations": "mean" if is_mean else str(budgets[number].simulations)}
        row["configurations"] = str(len(budgets[0].without(TWIN).names))
        row |= estimate("correlation", value, interval, 3) | {"verdict": by_rule(interval)}
        value, drawn = mean(of_all)
        interval = matches.percentile_interval(drawn)
        row |= estimate("planned_correlation", value, interval, 3)
        rows.append(row | {"planned_verdict": by_rule(interval)})
    return rows


def mean(correlations: list[Correlation]) -> tuple[float, Floats]:
    """The mean of measured correlations, and in each sample."""
    measured = sum(each.measured for each in correlations) / len(correlations)
    return measured, np.mean([each.drawn for each in correlations], axis=0)


def by_rule(interval: Interval) -> str:
    """The verdict of the plan's rule on an interval."""
    below = "predicts it well" if interval[1] < -0.5 else "predicts it"
    return verdict(interval, 0, below, "predicts the contrary")


def losing(budgets: list[Budget]) -> list[Row]:
    """The number of simulations from which on each configuration of RAVE loses to the reference."""
    rows = []
    for name in (name for name in budgets[0].names if name.startswith("rave-")):
        said = f"not within {budgets[-1].simulations}"
        for budget in reversed(budgets):
            own = [each.pairs() for each in budget.matches if each.second == name]
            if not own or own[0].interval[1] >= 0.5:
                break
            said = str(budget.simulations)
        rows.append({"bot": name, "loses_from": said})
    return rows


def read(folder: Path) -> list[Budget]:
    """The matches and regrets of each number of simulations, the smallest first."""
    regrets: dict[tuple[int, str], list[float]] = defaultdict(list)
    sizes = [row["size"] for row in read_rows(folder / POSITIONS / "positions.csv", "size")]
    searches = find(folder / POSITIONS, "searches.csv")
    rows = read_rows(searches, "position bot playouts regret")
    for row in sorted(rows, key=lambda row: int(row["position"])):
        if sizes[int(row["position"]) - 1] == SIZE:
            regrets[int(row["playouts"]), row["bot"]].append(float(row["regret"]))
    budgets = []
    for simulations in sorted(int(run.name) for run in folder.iterdir() if run.name.isdecimal()):
        played = matches.read(folder / str(simulations))
        names = [played[0].first, *(each.second for each in played)]
        for name in names:
            if (simulations, name) not in regrets:
                raise Fault(f"{searches}: no searches of `{name}` with {simulations} simulations")
        own = np.array([regrets[simulations, name] for name in names])
        budgets.append(Budget(simulations, names, played, own))
    if not budgets:
        raise Fault(f"{folder}: no run whose name is a number of simulations")
    return budgets
