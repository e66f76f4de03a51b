"""Least squares over cells whose estimates have known variances, with a variance between the cells,
and the quantiles and corrections that studies share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from tables import Interval, Row, estimate

from studies.matches import Floats

STEPS = 20_001
"""The points at which the density of Student's distribution is added up."""
NORMAL = NormalDist()


def student_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's distribution with `freedom` degrees of freedom at a probability of
    at least ½."""
    angles, within = student(freedom)
    angle = np.interp(2 * probability - 1, within, angles)
    return float(np.sqrt(freedom) * np.tan(angle))


def student_p(value: float, freedom: float) -> float:
    """The probability that a number from Student's distribution is as far from 0 as `value`."""
    angles, within = student(freedom)
    return float(1 - np.interp(np.arctan(abs(value) / np.sqrt(freedom)), angles, within))


@cache
def student(freedom: float) -> tuple[Floats, Floats]:
    """Angles θ, and the probabilities that |T| is at most √freedom·tan θ: the density of θ is
    cos(θ)^(freedom - 1) up to a constant."""
    angles = np.linspace(0, np.pi / 2, STEPS)
    density = np.cos(angles) ** (freedom - 1)
    within = np.concatenate([[0], np.cumsum(density[1:] + density[:-1])])
    return angles, within / within[-1]


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for their number by Holm's method (1979), in the order given."""
    adjusted, greatest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        greatest = max(greatest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = greatest
    return adjusted


def greatest(function: Callable[[float], float], least: float, most: float) -> float:
    """Where a function with one peak is greatest between two numbers."""
    while True:
        points = np.linspace(least, most, 21)
        best = int(np.argmax([function(float(point)) for point in points]))
        least, most = float(points[max(best - 1, 0)]), float(points[min(best + 1, 20)])
        if most - least <= 1e-9 * max(1.0, abs(most)):
            return float(points[best])


@dataclass(frozen=True)
class Fit:
    """Least squares of estimates on terms, weighted by the inverse of the variances. Intervals use
    `quantile`; `between` is the variance between cells that no term explains."""

    coefficients: Floats
    covariance: Floats
    between: float
    quantile: float

    def at(self, terms: Floats) -> tuple[float, float]:
        """The value that the fit predicts for `terms`, and its standard error."""
        return float(terms @ self.coefficients), float(np.sqrt(terms @ self.covariance @ terms))

    def interval(self, terms: Floats, variance: float = 0) -> Interval:
        """The interval of the value at `terms`, widened by a further `variance`."""
        value, error = self.at(terms)
        half = self.quantile * float(np.sqrt(error**2 + variance))
        return value - half, value + half

    def row(self, term: int, name: str, decimals: int) -> Row:
        """The row of a coefficient."""
        chosen = np.eye(len(self.coefficients))[term]
        interval = self.interval(chosen)
        return {"term": name, **estimate("coefficient", self.at(chosen)[0], interval, decimals)}


def solved(values: Floats, variances: Floats, terms: Floats) -> tuple[Floats, Floats, Floats]:
    """The coefficients of weighted least squares, their covariance, and what is left."""
    weighted = terms / variances[:, None]
    covariance = np.asarray(np.linalg.inv(weighted.T @ terms), dtype=np.float64)
    coefficients = covariance @ (weighted.T @ values)
    return coefficients, covariance, values - terms @ coefficients


def by_moments(values: Floats, variances: Floats, terms: Floats) -> Fit:
    """The fit with the variance between cells by DerSimonian and Laird (1986), and normal
    intervals."""
    _, covariance, left = solved(values, variances, terms)
    weights = 1 / variances
    q, freedom = float((weights * left**2).sum()), len(values) - terms.shape[1]
    squared = (terms * weights[:, None] ** 2).T @ terms
    scale = float(weights.sum() - np.trace(covariance @ squared))
    between = max(0.0, (q - freedom) / scale)
    coefficients, covariance, _ = solved(values, variances + between, terms)
    return Fit(coefficients, covariance, between, NORMAL.inv_cdf(0.975))


def by_likelihood(values: Floats, variances: Floats, terms: Floats) -> Fit:
    """The fit with the variance between cells by restricted maximum likelihood, and intervals by
    Hartung and Knapp (2001): the covariance is scaled by the mean square of what is left, and the
    quantile is Student's."""

    def likelihood(between: float) -> float:
        _, covariance, left = solved(values, variances + between, terms)
        sizes = np.log(variances + between).sum() - np.linalg.slogdet(covariance)[1]
        return -float(sizes + (left**2 / (variances + between)).sum()) / 2

    between = greatest(likelihood, 0, float(((values - values.mean()) ** 2).sum()))
    coefficients, covariance, left = solved(values, variances + between, terms)
    freedom = len(values) - terms.shape[1]
    scale = float((left**2 / (variances + between)).sum()) / freedom
    return Fit(coefficients, covariance * scale, between, student_quantile(0.975, freedom))
