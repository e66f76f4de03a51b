"""The keywords of the functions that make runs, from the declarations of the program.
``python python/tests/keywords.py`` writes this file: do not edit it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypedDict, Union

Value = Union[str, int, float, "os.PathLike[str]"]
One = Value | Mapping[str, Value]
Values = One | Sequence[Value]


class OfTournamentAndTuneAndLearn(TypedDict, total=False):
    """Keywords of tournament, tune, learn."""

    config: One | None
    """Read the settings from a TOML file."""

    komi: One | None
    """Komi in points, a multiple of 0.5 from -1000 to 1000."""

    rules: One | None
    """Rule set, which decides ko and suicide."""

    max_plies: One | None
    """Longest game in plies (moves and passes)."""

    opening_plies: One | None
    """Number of random moves before the bots begin."""


class OfTournamentAndTuneAndConvergenceAndLearn(TypedDict, total=False):
    """Keywords of tournament, tune, convergence, learn."""

    chunk: One | None
    """Make only chunk K of N, such as 3/8, in the folder out."""

    merge: One | None
    """Merge the chunks in DIR into one run, and write its tables, plots and report."""

    report: One | None
    """Write tables, plots and report of the run in DIR again."""

    json: bool | None
    """Print the result as one JSON object instead of tables."""

    name: One | None
    """Name of the run, part of its folder's name."""


class OfTournamentAndTuneAndConvergenceAndLearnAndScaling(TypedDict, total=False):
    """Keywords of tournament, tune, convergence, learn, scaling."""

    memory: One | None
    """Memory limit of all search trees together, in mebibytes."""


class OfTournamentAndLearn(TypedDict, total=False):
    """Keywords of tournament, learn."""

    ko: One | None
    """Ko rule, in place of the ko rule of the rule set."""

    suicide: One | None
    """Suicide rule, in place of the suicide rule of the rule set."""

    openings: One | None
    """Source of the openings: random, shared, balanced, none, or a PATH of game records."""


class TournamentSettings(
    OfTournamentAndTuneAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearnAndScaling,
    OfTournamentAndLearn,
    total=False,
):
    """Keywords of `tengen.tournament`."""

    extend: One | None
    """With resume: extend the run to N pairs."""

    plan: One | None
    """Read the settings from a plan: a committed TOML file with the key `rule`."""

    format: One | None
    """Tournament format: which bots meet."""

    sprt: One | None
    """Sequential probability ratio test (SPRT), which ends a match of two bots."""

    eliminate: One | None
    """Find the best opponent of the first bot in a gauntlet, with this error rate."""

    comments: bool | None
    """Keep visits, win rate and principal variation of each move in the rows."""

    seed: One | None
    """Random seed of the run (master seed), for openings and bots."""

    games_per_thread: One | None
    """Number of games that a thread plays at once, for a tournament with a bot of kind gtp."""


class TuneSettings(
    OfTournamentAndTuneAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearnAndScaling,
    total=False,
):
    """Keywords of `tengen.tune`."""

    extend: One | None
    """With resume: refused, since a method plans its games by their number: begin a new run with
    more games."""

    synthetic: Values | None
    """Measure methods on a synthetic surface with a known optimum, instead of by games."""

    method: Values | None
    """Method of tuning: thompson, clop, sweep, halving or spsa."""

    steps: One | None
    """Number of values per parameter of the grid of sweep and halving."""

    perturbation: One | None
    """Final perturbation of spsa; 1 is half of the range of a parameter."""

    step: One | None
    """Final step of spsa, as a share of perturbation."""

    look_ahead: One | None
    """Number of pairs of games that are played at once."""

    validation: One | None
    """Number of pairs of games per match of the validation."""

    seed: One | None
    """Random seed of the run (master seed), for the method, the openings and the bots."""

    repeats: One | None
    """With synthetic: number of repeats of each measurement."""

    fixed_opponent: bool | None
    """With synthetic: thompson plays a fixed opponent, and no duels."""

    opponent: One | None
    """Opponent of the candidate: self, or a bot such as gtp:COMMAND."""

    openings: One | None
    """Source of the openings: random or balanced."""


class ConvergenceSettings(
    OfTournamentAndTuneAndConvergenceAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearnAndScaling,
    total=False,
):
    """Keywords of `tengen.convergence`."""

    extend: One | None
    """With resume: refused, since a run keeps the positions that it began with: begin a new run
    with a larger file of positions."""

    simulations: One | None
    """Smallest number of simulations of a search."""

    doublings: One | None
    """Number of doublings of the smallest number of simulations."""

    searches: One | None
    """Number of searches of each position by each bot."""

    seed: One | None
    """Random seed of the run (master seed), for the searches."""


_LearnSettings = TypedDict("_LearnSettings", {"from": "Values | None"}, total=False)


class LearnSettings(
    OfTournamentAndTuneAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearnAndScaling,
    OfTournamentAndLearn,
    _LearnSettings,
    total=False,
):
    """Keywords of `tengen.learn`."""

    extend: One | None
    """With resume: extend the run to N rounds."""

    window: One | None
    """Number of recent rounds per fit."""

    games: One | None
    """Number of games per round that the teacher plays against itself, an even number."""

    teacher_prior: One | None
    """How the learned prior counts in the searches of the teacher, as EVEN:WEIGHT."""

    student_prior: One | None
    """How the learned prior counts in the searches of the student, as EVEN:WEIGHT."""

    sprt: One | None
    """Sequential probability ratio test (SPRT), which ends the match of a round."""

    pairs: One | None
    """Largest number of pairs of games of the match of a round; 0 for no match."""

    watch: One | None
    """Further opponent that the student meets after each round, such as gtp:COMMAND."""

    watch_pairs: One | None
    """Number of pairs of games per round against the opponent of watch."""

    positions: One | None
    """Largest number of positions per fit, evenly spread over all positions."""

    leave_out: Values | None
    """Kinds of features to leave out, separated by commas, such as shape,last."""

    passes: One | None
    """Number of epochs per fit."""

    penalty: One | None
    """Penalty of squared weights."""

    sharpness: One | None
    """Power to which a fit raises the teacher's shares of visits."""

    seed: One | None
    """Random seed of the run (master seed), for games, matches and fits."""


class ScalingSettings(OfTournamentAndTuneAndConvergenceAndLearnAndScaling, total=False):
    """Keywords of `tengen.scaling`."""

    komi: One | None
    """Komi in points, a multiple of 0.5."""

    seed: One | None
    """Random seed."""

    simulations: One | None
    """Simulations per search."""

    bot: Values | None
    """Search to measure, given once or more, such as fast=uct:expansion=10."""

    searches: One | None
    """Number of searches that a thread runs at once."""

    moves: One | None
    """Number of moves that each search makes in turn."""

    repeats: One | None
    """Number of repeats of each measurement."""

    doublings: One | None
    """With part doubling: number of doublings of the simulations."""

    parallel: Values | None
    """With part parallel: degrees of parallelism n, 2 to 256."""

    factors: Values | None
    """With part parallel: factors of simulations on the curve."""

    schemes: Values | None
    """With part parallel: parallel searches to play, separated by commas."""

    work: Values | None
    """With part parallel: simulations of the parallel searches, separated by commas."""

    reference: One | None
    """With part parallel: reference opponent, as a factor of simulations."""

    opponent: One | None
    """With part parallel: bot that replaces the reference opponent."""

    games_per_thread: One | None
    """With opponent gtp:COMMAND: number of games that a thread plays at once."""

    pairs: One | None
    """Number of colour-swapped pairs of games per pairing (two bots that meet)."""

    bot_settings: One | None
    """Settings of every bot but opponent, such as exploration=0.2,expansion=1."""

    extend: One | None
    """With resume: extend the run to N pairs per pairing."""
