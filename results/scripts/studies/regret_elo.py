"""Whether the regret of configurations on solved positions predicts their Elo, at each number of
simulations."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tables import Fault, Row, estimate, find, read_rows, verdict

from studies import matches
from studies.matches import Counts, Floats, Match

POSITIONS, SIZE = "positions", "5x5"
"""The run with the searches of solved positions, and the board size of the positions used."""
EQUAL = 1e-12
"""Values that differ by less are equal."""


@dataclass(frozen=True)
class Budget:
    """The configurations with one number of simulations, the reference first: the matches of the
    others against it, and the regrets in each position, [configurations, positions]."""

    simulations: int
    names: list[str]
    matches: list[Match]
    regrets: Floats

    def correlations(self, positions: Counts, drawn: Counts) -> Floats:
        """Spearman's correlation of the mean regret in the positions and the score on the openings
        that each sample draws: [samples]. The reference scores ½ against itself."""
        regrets = positions @ self.regrets.T / positions.sum(axis=1, keepdims=True)
        scores = [np.full(len(drawn), 0.5), *(each.scores(drawn) for each in self.matches)]
        return spearman(regrets, np.stack(scores, axis=-1))

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


def spearman(one: Floats, other: Floats) -> Floats:
    """Spearman's rank correlation along the last axis, the correlation of ranks; 0 if all values
    of a side are equal."""
    middle = (one.shape[-1] - 1) / 2
    a, b = ranks(one) - middle, ranks(other) - middle
    scale = np.sqrt((a * a).sum(-1) * (b * b).sum(-1))
    found: Floats = (a * b).sum(-1) / np.where(scale > 0, scale, 1)
    return found


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    budgets, streams = read(folder), matches.Streams()
    count = budgets[0].regrets.shape[1]
    # One sample of positions serves all numbers of simulations, since the searches are the same.
    positions = streams.drawn(count)
    found, samples = [], []
    for budget in budgets:
        openings = matches.openings(budget.matches)
        found.append(float(budget.correlations(matches.once(count), matches.once(openings))[0]))
        samples.append(budget.correlations(positions, streams.drawn(openings)))
    names = [*(str(budget.simulations) for budget in budgets), "mean"]
    found.append(sum(found) / len(found))
    samples.append(np.mean(samples, axis=0))
    correlations = []
    for name, value, drawn in zip(names, found, samples, strict=True):
        interval = matches.percentile_interval(drawn)
        row = {"simulations": name, "configurations": str(len(budgets[0].names))}
        row |= estimate("correlation", value, interval, 3)
        below = "predicts it well" if interval[1] < -0.5 else "predicts it"
        row["verdict"] = verdict(interval, 0, below, "predicts the contrary")
        correlations.append(row)
    return {
        "correlations.csv": correlations,
        "configurations.csv": [row for budget in budgets for row in budget.rows()],
        "losing.csv": losing(budgets),
    }


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
