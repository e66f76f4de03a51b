"""Statistics of matches, on anybody's numbers: intervals, Elo, sequential tests, ratings,
strength-speedup, and plans.

A *score* is a number from 0 (all lost) to 1 (all won) in which a draw is 0.5, seen from the first
of two players. Elo is the logistic scale on which 400 points are odds of ten to one. The best unit
of a match is the *pair*: two games on one opening with the colours swapped, whose results depend on
each other. Pairs are counted in five cells by their score 0, ¼, ½, ¾, 1: LL, LD, WL or DD, WD, WW;
games in three: lost, drawn, won. Undefined values, such as the score of no games, are NaN.

The formulas are those of Tengen's tables; each function names their source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from os import PathLike
from typing import Literal, SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen import _tengen
from tengen._types import names_counts

__all__ = [
    "Courses",
    "Plan",
    "Ratings",
    "Speedups",
    "Sprt",
    "Summary",
    "elo",
    "elo_interval",
    "games",
    "pairs",
    "plan",
    "ratings",
    "score",
    "strength_speedup",
    "wilson",
]

Floats: TypeAlias = NDArray[np.float64]


def wilson(score: ArrayLike, n: ArrayLike, *, level: float = 0.95) -> Floats:
    """The Wilson interval of mean scores over `n` independent games: [..., 2], its lower and upper
    ends.

    Wilson 1927, "Probable inference, the law of succession, and statistical inference": centre (p +
    z²/2n) / (1 + z²/n), half-width z·sqrt(p(1-p)/n + z²/4n²) / (1 + z²/n). `n` need not be whole:
    it may be `Summary.effective_games`. `score` and `n` are numbers or arrays, broadcast against
    each other. NaN where `n` is not positive. Raises `ValueError` for a score that is not 0 to 1.
    """
    scores, games = np.broadcast_arrays(_scores(score), _floats(n))
    found = _tengen.wilson_intervals(scores.ravel(), games.ravel(), level)
    return np.stack([end.reshape(scores.shape) for end in found], axis=-1)


def elo(score: ArrayLike) -> Floats:
    """The rating differences in Elo that predict these scores: -400·log10(1/s - 1); infinite at 0
    and at 1, NaN for NaN. Raises `ValueError` for a score that is not 0 to 1."""
    scores = _scores(score)
    return _tengen.elos(scores.ravel()).reshape(scores.shape)


def score(elo: ArrayLike) -> Floats:
    """The scores that these rating differences in Elo predict: 1 / (1 + 10^(-x/400))."""
    elos = _floats(elo)
    return _tengen.scores(elos.ravel()).reshape(elos.shape)


def elo_interval(score: ArrayLike, n: ArrayLike, *, level: float = 0.95) -> Floats:
    """Elo at the ends of the Wilson interval of mean scores over `n` independent games: [..., 2].
    Its ends are equally far from :func:`elo` of the score, since a Wilson interval is symmetric in
    log-odds. An end is infinite if the end of the Wilson interval is 0 or 1."""
    return elo(wilson(score, n, level=level))


@final
@dataclass(frozen=True)
class Summary:
    """Statistics of a match, from :func:`games` or :func:`pairs`, for the first player. Intervals
    are pairs of their lower and upper ends.

    Attributes:
        counts: The counts by score: three of games, five of pairs.
        score: The mean score of the first player.
        standard_error: The standard error of the score: σ/√N over games or pairs.
        effective_games: The number of independent games with as much information. For N pairs it is
            N·p(1-p)/s² with mean p and population variance s² of the scores of these pairs and of
            four more: one lost, two split, one won. It is at least N, 2N if the games of a pair are
            independent, and more if their results tend to differ. For games it is their number
            without draws, and more with draws.
        interval: The Wilson interval of the score at the effective number of games, for pairs with
            the quantile of Student's distribution.
        elo: The rating difference that predicts the score.
        elo_interval: Elo at the ends of `interval`.
        normalized_elo: (μ - ½)/σ of a game times 800/ln 10 (Van den Bergh 2019, "Normalized Elo").
        normalized_elo_interval: The interval of `normalized_elo`, by the delta method: μ and σ are
            both estimated. Chess match runners take σ as known and print a narrower interval.
        los: Likelihood of superiority, Φ((μ - ½)/(σ/√N)). Not valid for a match that could have
            been stopped before its end.
    """

    counts: tuple[int, ...]
    score: float
    standard_error: float
    effective_games: float
    interval: tuple[float, float]
    elo: float
    elo_interval: tuple[float, float]
    normalized_elo: float
    normalized_elo_interval: tuple[float, float]
    los: float


@names_counts
def games(
    lost: SupportsIndex, drawn: SupportsIndex, won: SupportsIndex, *, level: float = 0.95
) -> Summary:
    """Statistics of the first player of a match from the numbers of independent games lost, drawn
    and won."""
    cells = (index(lost), index(drawn), index(won))
    return Summary(counts=cells, **_tengen.summary(cells, level))


def pairs(counts: Sequence[int] | NDArray[np.integer], *, level: float = 0.95) -> Summary:
    """Statistics of the first player from counts of pairs by score: five (LL, LD, WL or DD, WD, WW)
    or, without draws, three (LL, WL, WW)."""
    cells = _pairs(np.asarray(counts)[np.newaxis])[0]
    as_tuple = tuple(int(cell) for cell in cells)
    return Summary(counts=as_tuple, **_tengen.summary(as_tuple, level))


Model: TypeAlias = Literal["logistic", "normalized", "wald"]


@final
class Sprt:
    """A sequential probability ratio test of "the difference is `elo0`" (H0) against "it is `elo1`"
    (H1). The error rates are `alpha` for accepting H1 if H0 holds, and `beta` for accepting H0 if
    H1 holds.

    `model` is ``"logistic"`` (generalized test on Elo), ``"normalized"`` (on normalized Elo) or
    ``"wald"`` (exact for games that are won or lost; a draw counts as half a win and half a loss).
    With ``pairs=False`` the units are single games. Bounds are ln(β/(1-α)) and ln((1-β)/α) (Wald
    1945, "Sequential tests of statistical hypotheses"); the likelihood ratio of the generalized
    test is that of the most likely distributions with the mean scores of H0 and of H1 (Van den
    Bergh 2020, "Comments on normalized Elo").

    Add results in the order of the schedule: the order in which games end favours the player whose
    wins are quick.
    """

    def __init__(
        self,
        elo0: float = 0.0,
        elo1: float = 30.0,
        *,
        alpha: float = 0.05,
        beta: float = 0.05,
        model: Model = "logistic",
        pairs: bool = True,
    ) -> None:
        self._test = _tengen.Sprt(elo0, elo1, alpha, beta, model, pairs)
        self._of_pairs = pairs

    def add(self, results: ArrayLike) -> int:
        """Add results of the first player: 1 for a win, 0.5 for a draw, 0 for a loss. Of pairs,
        both games: [2] or [N, 2]; of games a number or [N]. Results after the decision do not
        count; returns how many pairs or games did."""
        values = _floats(results)
        if self._of_pairs:
            both = values[np.newaxis] if values.ndim == 1 else values
            if both.ndim != 2 or both.shape[1] != 2:
                raise ValueError(
                    f"results has shape {values.shape}: expected (2,) or (N, 2), games of a pair"
                )
            return self._test.add(both)
        if values.ndim > 1:
            raise ValueError(f"results has shape {values.shape}: expected a number or (N,)")
        return self._test.add(values.reshape(-1, 1))

    @property
    def counts(self) -> NDArray[np.int64]:
        """The counts by score: [5] of pairs, [3] of games. Assign counts to test all of them at
        once."""
        return np.array(self._test.counts, dtype=np.int64)

    @counts.setter
    def counts(self, counts: Sequence[int] | NDArray[np.integer]) -> None:
        cells = np.asarray(counts)
        if self._of_pairs:
            cells = _pairs(cells[np.newaxis])[0]
        self._test.set_counts([index(cell) for cell in cells])

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far: positive for H1, 0 before the first result.

        Raises `ValueError` if the counts are too many (more than 10^9) to fit the normalized model.
        """
        return self._test.llr

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at or below which H0, and at or above which H1 is accepted."""
        return self._test.bounds

    @property
    def decision(self) -> Literal["H0", "H1"] | None:
        """The accepted hypothesis; None while the test continues."""
        return self._test.decision

    def __copy__(self) -> Sprt:
        copied = Sprt.__new__(Sprt)
        copied._test, copied._of_pairs = self._test.copy(), self._of_pairs
        return copied

    def __deepcopy__(self, _: dict[int, object]) -> Sprt:
        return self.__copy__()

    def __repr__(self) -> str:
        return repr(self._test)


@final
@dataclass(frozen=True)
class Ratings:
    """Ratings of P players in Elo, by `ratings`. Only differences are known: the mean is zero of
    the players whose ratings the games bound, or of all if the games bound none. A player who won
    or lost every game has no bound on one side: `values` has a finite estimate, `intervals` an
    infinite end.

    Attributes:
        names: The players.
        values: The ratings: [P].
        standard_errors: Their standard errors, as differences from the mean: [P].
        intervals: The ends of their intervals: [P, 2].
        differences: The rating of the player of the row minus that of the column: [P, P].
        difference_errors: Standard errors of `differences`: [P, P].
        difference_intervals: The ends of the intervals of `differences`: [P, P, 2]. Compare two
            players by these, not by `intervals`.
        expected: The score of the player of the row, who moves first, against that of the column:
            [P, P].
        deviations: The score of the row against the column minus the predicted score, in standard
            errors: [P, P]; NaN if they did not meet. Large deviations show that strength is not
            transitive.
        advantage: The advantage of the first move, in Elo; 0 with an infinite interval if the games
            cannot tell it from strength.
        advantage_interval: The interval of `advantage`.
    """

    names: tuple[str, ...]
    values: Floats
    standard_errors: Floats
    intervals: Floats
    differences: Floats
    difference_errors: Floats
    difference_intervals: Floats
    expected: Floats
    deviations: Floats
    advantage: float
    advantage_interval: tuple[float, float]


def ratings(
    wins: ArrayLike,
    *,
    losses: ArrayLike,
    draws: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Ratings:
    """Bradley-Terry ratings with an advantage of the first move: P(i beats j, i first) = 1 / (1 +
    10^(-(r_i - r_j + a)/400)).

    `wins`, `losses` and `draws` are tables [P, P] of numbers of games: the row is the player who
    moves first, the column that who moves second, and the results are those of the first.

    The ratings are the most likely ones under Jeffreys' prior, which removes most of their bias
    (Bradley and Terry 1952; Firth 1993, "Bias reduction of maximum likelihood estimates"). The
    intervals follow the shape of the likelihood of independent games. Time grows with the square of
    the number of players times the number of pairings: 100 players who all met take a second.

    Raises `ValueError` where no games connect two groups of players.
    """
    table = _counts(wins, "wins")
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"wins has shape {table.shape}: expected (players, players)")
    players = [str(number) for number in range(len(table))] if names is None else list(names)
    if len(players) != len(table):
        raise ValueError(f"{len(players)} names: expected {len(table)}, one for each row of wins")
    if len(set(players)) < len(players):
        raise ValueError(f"names {players}: expected another name for each player")
    drawn = np.zeros_like(table) if draws is None else _counts(draws, "draws")
    lost = _counts(losses, "losses")
    for name, other in (("draws", drawn), ("losses", lost)):
        if other.shape != table.shape:
            raise ValueError(
                f"{name} has shape {other.shape}: expected that of wins, {table.shape}"
            )
    return Ratings(names=tuple(players), **_tengen.ratings(table, drawn, lost, players, level))


@final
@dataclass(frozen=True)
class Speedups:
    """Strength-speedups of M searches, by `strength_speedup`.

    Attributes:
        factor: The factor by which a sequential search of equal Elo has more work than the base:
            [M]; NaN beyond the ends of the curve.
        interval: The ends of its 95 % interval: [M, 2]. An end beyond the measured
            curve is 0 below it and infinite above it, also both ends.
        curve: The doubling curve: factors, and smoothed Elo over the opponent: [K, 2].
    """

    factor: Floats
    interval: Floats
    curve: Floats


@names_counts
def strength_speedup(
    work: ArrayLike,
    sequential: ArrayLike,
    searches: ArrayLike,
    *,
    base: float | None = None,
    opponent: float | None = None,
    seed: int = 0,
) -> Speedups:
    """The strength-speedup of searches: the factor by which a sequential search of equal Elo has
    more simulations.

    All searches have met one opponent. `work` [K] are the simulations, or any measure of work, of
    sequential searches and `sequential` the counts of their pairs by score, seen from the search:
    [K, 5], or [K, 3] without draws. They give the doubling curve: Elo by the logarithm of the work,
    made monotone and straight between its points. `searches` [M, 5] or [M, 3] are the pairs of the
    searches in question. `base` is the work of factor 1 (default: the first of `work`), and
    `opponent` the work of the opponent if it is itself such a sequential search: it is then a point
    of the curve with 0 Elo.

    Elo is computed after adding half a won and half a lost pair, so that it is finite. The
    intervals are percentile intervals of 1,000 resamples of all pairs, drawn by `seed`. An opponent
    that nearly always loses cannot tell searches apart: choose one near the middle of the
    strengths.
    """
    works = np.atleast_1d(_floats(work))
    of_sequential, of_searches = _pairs(np.asarray(sequential)), _pairs(np.asarray(searches))
    if works.ndim != 1 or len(works) != len(of_sequential) or len(works) == 0:
        raise ValueError(
            f"work has shape {works.shape}: expected one number or more, as many as sequential "
            f"has rows, {len(of_sequential)}"
        )
    unit = float(works[0]) if base is None else base
    values = np.array([*works, unit, *([] if opponent is None else [opponent])])
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError("work, base and opponent: expected numbers above 0")
    found, curve = _tengen.speedups(
        np.log2(works / unit),
        of_sequential,
        of_searches,
        None if opponent is None else float(np.log2(opponent / unit)),
        seed,
    )
    return Speedups(factor=found[:, 0], interval=found[:, 1:], curve=curve)


@final
@dataclass(frozen=True)
class Courses:
    """Expected courses of a sequential test of pairs at T true differences, by `plan`.

    Attributes:
        truths: The true differences in Elo: [T].
        pairs: Expected numbers of pairs: [T].
        errors: Their standard errors: [T]; 0 if the courses are computed exactly. The standard
            error of a simulated probability p is sqrt(p(1-p)/simulated).
        nine_tenths: Numbers of pairs within which nine tenths of such tests end: [T].
        accepts_h0: Probabilities of accepting H0: [T].
        accepts_h1: Probabilities of accepting H1: [T].
        undecided: Probabilities of no decision within the pairs: [T].
        simulated: Number of simulated tests of each truth; None for the model wald, which is
            computed exactly.
        fixed_pairs: Number of pairs of a match of fixed length with the error rates of the test.
    """

    truths: Floats
    pairs: Floats
    errors: Floats
    nine_tenths: Floats
    accepts_h0: Floats
    accepts_h1: Floats
    undecided: Floats
    simulated: int | None
    fixed_pairs: float


@final
@dataclass(frozen=True)
class Plan:
    """What matches that are not played yet can show, by `plan`.

    Attributes:
        split: The share of pairs of which each of two equally strong players wins one game.
        correlation: The correlation of the two games of a pair.
        jigo: The share of drawn games.
        seconds_per_game: Seconds that one thread takes for a game of `run`; NaN if not known.
        pairs_needed: The pairs that show each difference of `elo`: [K]; NaN if none do.
        half_widths: Half-widths of the interval of the win rate of two equal players, for each
            number of `pairs`: [M].
        half_widths_elo: Half-widths of the interval of their difference in Elo: [M].
        smallest_elo: The smallest differences in Elo that so many pairs show with the power: [M];
            NaN if `within` is given.
        power_at_equality: The probabilities of showing the claim if the players are equal: [M].
        courses: The courses of the sequential test; None without one.
    """

    split: float
    correlation: float
    jigo: float
    seconds_per_game: float
    pairs_needed: Floats
    half_widths: Floats
    half_widths_elo: Floats
    smallest_elo: Floats
    power_at_equality: Floats
    courses: Courses | None


@names_counts
def plan(
    elo: ArrayLike = (),
    *,
    pairs: ArrayLike = (),
    sprt: str | None = None,
    truths: ArrayLike | None = None,
    margin: float = 0.0,
    within: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    split: float | None = None,
    correlation: float | None = None,
    jigo: float = 0.0,
    run: str | PathLike[str] | None = None,
    most_pairs: int = 10_000,
    tests: int = 1_000,
    seed: int = 1,
) -> Plan:
    """How many games a question takes: the pairs that show the differences `elo`, what numbers of
    `pairs` show, and the courses of the sequential test `sprt`, as `tengen plan` computes them.

    A match of fixed length shows a difference if its interval (:func:`pairs`) of this `level` lies
    above `margin` Elo, or, if `within` is given, between minus and plus `within` Elo. `power` is
    the probability of this. The power is Φ((s - m - t·sqrt(m(1-m)/n))·√N/σ) for N pairs with the
    expected score s, deviation σ of a pair and n effective games, and the score m at the margin.

    `sprt` is a text such as "elo0=0 elo1=30 alpha=0.05 beta=0.05 model=logistic", the default
    values; its courses are computed at each of `truths`, in Elo, and end after `most_pairs`.
    `tests` tests are simulated with this `seed`.

    The two games of a pair depend on each other: give `split`, the share of split pairs of equally
    strong players, or their `correlation`; by default the games are independent. `run` reads both,
    and the share of `jigo`, from the folder or the games.csv of a run.

    Raises `ValueError` for values out of range, and for a run without a complete pair.
    """
    seconds = float("nan")
    if run is not None:
        if split is not None or correlation is not None or jigo != 0.0:
            raise ValueError(
                "run has the pairs and the jigo: leave out split, correlation and jigo"
            )
        found, drawn, share, seconds = _tengen.pilot(run)
    elif split is not None and correlation is not None:
        raise ValueError("split and correlation: give one of them")
    else:
        found, drawn, share = _tengen.pair_kind(split, correlation or 0.0, jigo)
    elos = [float(value) for value in np.atleast_1d(_floats(elo)).ravel()]
    counts = [float(value) for value in np.atleast_1d(_floats(pairs)).ravel()]
    shown = _tengen.plan(found, drawn, level, power, margin, within, elos, counts)
    courses = None
    if sprt is not None:
        given = None if truths is None else [float(it) for it in np.atleast_1d(_floats(truths))]
        courses = Courses(**_tengen.courses(found, drawn, sprt, given, most_pairs, tests, seed))
    elif truths is not None:
        raise ValueError("truths are of a test: give sprt too")
    return Plan(
        split=share,
        correlation=found,
        jigo=drawn,
        seconds_per_game=seconds,
        courses=courses,
        **shown,
    )


def _scores(values: ArrayLike) -> Floats:
    """Scores from 0 to 1; NaN stands for one that is not defined."""
    scores = _floats(values)
    wrong = scores[(scores < 0) | (scores > 1)]
    if wrong.size:
        score = float(wrong[0])
        share = f": for {score:g} % give {score / 100:g}" if 1.01 < score <= 100 else ""
        shown = f"{score:g}" if float(f"{score:g}") == score else f"{score}"
        raise ValueError(f"score is {shown}: expected 0 to 1{share}")
    return scores


def _floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _counts(values: ArrayLike, name: str) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{name} is an array of {array.dtype}: expected whole numbers of games")
    if array.dtype == np.uint64:
        # Greater numbers would turn negative; the program refuses this one too.
        array = np.minimum(array, np.iinfo(np.int64).max)
    return array.astype(np.int64)


def _pairs(values: NDArray[np.generic]) -> NDArray[np.int64]:
    """Counts of pairs in rows of five."""
    rows = _counts(values, "pairs")
    if rows.ndim != 2 or rows.shape[1] not in (3, 5):
        raise ValueError(
            f"counts of pairs of shape {rows.shape}: expected 5 for each match, or 3 without draws"
        )
    if rows.shape[1] == 5:
        return rows
    five = np.zeros((len(rows), 5), dtype=np.int64)
    five[:, ::2] = rows
    return five
