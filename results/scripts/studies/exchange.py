"""How much Elo in self-play is worth against another program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tables import Fault, Row, estimate, verdict

from studies import matches
from studies.matches import Counts, Floats, Match, percentile_interval

INSIDE, OUTSIDE = "self", "gnugo"
"""The run of each change against the unchanged bot, and the run of all against the other
program."""
CHI_SQUARED = (3.84, 5.99, 7.81, 9.49, 11.07, 12.59, 14.07, 15.51, 16.92)
"""The 95 % quantiles of chi-squared with 1 to 9 degrees of freedom."""


@dataclass(frozen=True)
class Effects:
    """Elo of each change in each sample, in self-play and against the other program:
    [samples, changes]."""

    inside: Floats
    outside: Floats

    @classmethod
    def of(cls, runs: list[list[Match]], drawn: list[Counts]) -> Effects:
        """The effects on the drawn openings of both runs. The unchanged bot plays the first match
        against the other program."""
        both = zip(runs, drawn, strict=True)
        inside, outside = (np.stack([each.elos(of) for each in run], axis=-1) for run, of in both)
        return cls(inside, outside[:, 1:] - outside[:, :1])

    def rates(self) -> Floats:
        """The common rate Σ o·s / Σ s² of each sample."""
        found: Floats = (self.inside * self.outside).sum(-1) / (self.inside**2).sum(-1)
        return found


def heterogeneity(found: Effects, samples: Effects) -> float:
    """Cochran's Q of o - e·s over the changes, with the variances of `samples`, e being the common
    rate of `found`."""
    rate = found.rates()[0]
    variances = (samples.outside - rate * samples.inside).var(axis=0, ddof=1)
    return float(((found.outside[0] - rate * found.inside[0]) ** 2 / variances).sum())


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    runs = [matches.read(folder / INSIDE), matches.read(folder / OUTSIDE)]
    names = [each.second for each in runs[0]]
    if [runs[0][0].first, *names] != [each.second for each in runs[1]]:
        raise Fault(f"{folder}: the bots of `{INSIDE}` and of `{OUTSIDE}` differ")
    counts, streams = [matches.openings(run) for run in runs], matches.Streams()
    found = Effects.of(runs, [matches.once(count) for count in counts])
    samples = Effects.of(runs, [streams.drawn(count) for count in counts])
    with np.errstate(divide="ignore", invalid="ignore"):
        singles = samples.outside / samples.inside
    rows = []
    for number, name in enumerate(names):
        s, o = found.inside[0, number], found.outside[0, number]
        row = {"bot": name}
        row |= estimate("self_play", s, percentile_interval(samples.inside[:, number]), 1)
        row |= estimate("outside", o, percentile_interval(samples.outside[:, number]), 1)
        rows.append(row | estimate("rate", o / s, percentile_interval(singles[:, number]), 3))
    interval, q = percentile_interval(samples.rates()), heterogeneity(found, samples)
    limit = dict(enumerate(CHI_SQUARED, 2)).get(len(names))
    row = {"changes": str(len(names)), **estimate("rate", found.rates()[0], interval, 3)}
    row["verdict"] = verdict(interval, 1, "overstates", "understates")
    row |= {"q": f"{q:.2f}", "q_limit": f"{limit:.2f}" if limit else ""}
    row["kinds"] = "differ" if limit and q > limit else "undecided"
    return {"changes.csv": rows, "rate.csv": [row]}
