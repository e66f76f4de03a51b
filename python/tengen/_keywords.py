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
    """Read the settings from a TOML file; options on the command line take precedence. The
    config.toml of an earlier run repeats that run."""

    komi: One | None
    """Komi, the points that White receives for moving second, a multiple of 0.5."""

    rules: One | None
    """Rule set: ko, suicide and superko."""

    max_plies: One | None
    """Longest game in plies (moves and passes), after which it is scored as it stands."""

    opening_plies: One | None
    """Number of random moves before the bots begin, the same moves in both games of a pair."""


class OfTournamentAndTuneAndConvergenceAndLearn(TypedDict, total=False):
    """Keywords of tournament, tune, convergence, learn."""

    extend: One | None
    """With resume: extend the run to N pairs per pairing (a tournament) or N rounds (a learning
    run); no other run can be extended."""

    chunk: One | None
    """Make only chunk K of N; all chunks write into the same folder out, from any machine that can
    access it. A tuning, a learning run and a sequential test have no chunks."""

    merge: One | None
    """Merge the chunks in DIR into one run and write its report; no setting is allowed with it."""

    report: One | None
    """Write tables, plots and report of the run in DIR again, and make nothing; no setting is
    allowed with it."""

    json: bool | None
    """Print the result as one JSON object in place of the tables."""

    name: One | None
    """Name of the run, part of its folder's name."""


class OfTournamentAndTuneAndConvergenceAndLearnAndScaling(TypedDict, total=False):
    """Keywords of tournament, tune, convergence, learn, scaling."""

    memory: One | None
    """Most memory that the trees of all searches together may take, in mebibytes; a search that
    needs more ends the program with an error. The limit never changes a result, but that a tree
    which a bot keeps between moves (reuse) is dropped if it takes more than half of it."""


class OfTournamentAndLearn(TypedDict, total=False):
    """Keywords of tournament, learn."""

    ko: One | None
    """Ko rule, instead of that of the rule set."""

    suicide: One | None
    """Suicide rule, instead of that of the rule set."""

    openings: One | None
    """Source of the openings: random moves, shared (random, but the same for pair 0, pair 1 and so
    on of all pairings), balanced (random, but kept only if a search of 2,000 simulations gives
    Black a win rate of 35 to 65 %), none, or an SGF file or a folder of them, one opening per
    pair."""


class TournamentSettings(
    OfTournamentAndTuneAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearnAndScaling,
    OfTournamentAndLearn,
    total=False,
):
    """Keywords of `tengen.tournament`."""

    plan: One | None
    """As config, of a plan: the file is refused unless it has the key `rule` and is committed
    unmodified, so that the verdicts on the rule can be proved to be planned."""

    format: One | None
    """Tournament format: which bots meet."""

    sprt: One | None
    """Sequential probability ratio test (SPRT) of two bots: stop as soon as it accepts elo0 or elo1
    as the number of Elo by which the first bot is stronger than the second, after pairs pairs at
    most. Example: "elo0=0 elo1=30 alpha=0.05 beta=0.05 model=logistic"."""

    comments: bool | None
    """Write visits, win rate and principal variation of each move into the column comments, from
    which `tengen sgf` copies them into the records."""

    seed: One | None
    """Random seed (master seed) of openings and bots."""

    games_per_thread: One | None
    """Games that a thread plays at once in a tournament with a bot of kind gtp, each with its own
    process of that program: the searches of other bots share the vector lanes, which is faster from
    4 games on. No effect with a bot that has `seconds`."""


class TuneSettings(
    OfTournamentAndTuneAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearnAndScaling,
    total=False,
):
    """Keywords of `tengen.tune`."""

    synthetic: Values | None
    """Measure methods on a synthetic surface with a known optimum instead of games: LOG, FLAT,
    POWER, ANGLE, STEP, ROSENBROCK, CORRELATED, NARROW, BIMODAL, EDGE, RIDGE, WAVES, ASYMMETRIC,
    BOWL, or several with commas; method and games may then be lists too."""

    method: Values | None
    """Method: thompson (Thompson sampling over a Gaussian process), clop, sweep (a grid, equally
    many games each), halving (a grid, then its better half, and so on) or spsa."""

    steps: One | None
    """Number of values per parameter of a grid: sweep and halving."""

    perturbation: One | None
    """Final perturbation of spsa, half a range being 1."""

    step: One | None
    """Final step of spsa as a share of the perturbation."""

    look_ahead: One | None
    """Number of pairs of games (with synthetic of games) that may be played at once: the method has
    not yet seen the results of the last PAIRS pairs."""

    validation: One | None
    """Number of pairs of games of each validation match, one against the default settings and one
    against the opponent."""

    seed: One | None
    """Random seed of the method, the openings and the bots."""

    repeats: One | None
    """With synthetic: number of repeats, each with a seed of its own."""

    fixed_opponent: bool | None
    """With synthetic: thompson plays a fixed opponent, as clop, sweep and halving do; otherwise two
    of its points play each other, as those of spsa always do."""

    opponent: One | None
    """Reference opponent: another bot, such as gtp:COMMAND (a GTP engine), or self."""

    openings: One | None
    """Source of the openings: random moves, or balanced (random, but kept only if a search of 2,000
    simulations gives Black a win rate of 35 to 65 %)."""


class ConvergenceSettings(
    OfTournamentAndTuneAndConvergenceAndLearn,
    OfTournamentAndTuneAndConvergenceAndLearnAndScaling,
    total=False,
):
    """Keywords of `tengen.convergence`."""

    simulations: One | None
    """Least number of simulations of a search."""

    doublings: One | None
    """How often it is doubled."""

    searches: One | None
    """Searches of each position by each bot, with seeds of their own."""

    seed: One | None
    """Random seed (master seed) of the searches."""


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

    window: One | None
    """Number of the last rounds whose positions a fit takes: those of a teacher that knew nothing
    are forgotten in time."""

    games: One | None
    """Number of games of a round, which the teacher plays against itself: an even number."""

    teacher_prior: One | None
    """How the learned prior counts in the searches of the teacher, from the second round on:
    EVEN:WEIGHT of prior=learned. A teacher whose prior counts fewer visits teaches more."""

    student_prior: One | None
    """How the learned prior counts in the searches of the student: EVEN:WEIGHT of prior=learned."""

    sprt: One | None
    """The sequential test that ends the match of a round; weights are accepted where it accepts
    elo1."""

    pairs: One | None
    """Number of pairs of games of that match at most; 0 for no match."""

    watch: One | None
    """Another opponent, such as gtp:COMMAND or uct:simulations=1000,prior=heuristic:20, that the
    student meets after each round, to see whether what is gained holds against others too."""

    watch_pairs: One | None
    """Number of pairs of games against it."""

    positions: One | None
    """Learn from at most this many positions, evenly spread over all."""

    leave_out: Values | None
    """Kinds of features to leave out, with commas: shape (the 3x3 pattern), crossing (the four
    neighbours and their liberties), line (distance from the edge), last and before (distance from
    the opponent's last move and from the own one before it), tactic, pass."""

    passes: One | None
    """Number of epochs of a fit, each of which goes through all positions."""

    penalty: One | None
    """Penalty of squared weights, which keeps those of rare features near 0."""

    sharpness: One | None
    """Power to which the teacher's shares of visits are raised before they are learned: above 1 the
    most visited moves count for more."""

    seed: One | None
    """Random seed of games, matches and fits."""


class ScalingSettings(OfTournamentAndTuneAndConvergenceAndLearnAndScaling, total=False):
    """Keywords of `tengen.scaling`."""

    komi: One | None
    """Komi, the points that White receives for moving second."""

    seed: One | None
    """Random seed."""

    simulations: One | None
    """Simulations per search: of each search whose speed is measured."""

    bot: Values | None
    """Search to measure, given once or more: uct[:key=value,...], or NAME=SPEC to name it;
    `in_flight=lanes` keeps as many leaves of one tree in flight as a thread plays playouts in
    lockstep."""

    searches: One | None
    """Number of searches that a thread runs at once, such as 1 for the speed of a search alone."""

    moves: One | None
    """Number of moves that each search makes in turn, playing against itself from the empty board:
    bots with `reuse=true` keep their tree."""

    repeats: One | None
    """Number of repeats of each measurement."""

    doublings: One | None
    """Number of doublings of the simulations, for doubling."""

    parallel: Values | None
    """Degrees of parallelism n (workers, leaves in flight, playouts per leaf), for parallel."""

    factors: Values | None
    """Numbers of simulations on the doubling curve as factors of simulations, for parallel."""

    schemes: Values | None
    """Parallel searches to play, for parallel."""

    work: Values | None
    """Numbers of simulations of the parallel searches, for parallel."""

    reference: One | None
    """Factor of the sequential search that all others play against, for parallel; one in the middle
    of the strengths keeps win rates away from 0 and 100 %. Not with opponent."""

    opponent: One | None
    """Bot that all searches play against instead of the sequential one of reference, for parallel,
    such as "gnugo=gtp:gnugo mode gtp"; NAME=SPEC names it."""

    games_per_thread: One | None
    """With an opponent of kind gtp: games that a thread plays at once, each with its own process of
    that program, so that the searches share the vector lanes."""

    pairs: One | None
    """Colour-swapped pairs of games per pairing (two bots that meet)."""

    bot_settings: One | None
    """Further settings of all bots but the opponent, such as exploration=0.2,expansion=1."""

    extend: One | None
    """With resume: extend the run to N pairs per pairing."""
