"""The keywords of the functions that make runs, from the declarations of the program.
``python python/tests/keywords.py`` writes this file: do not edit it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypedDict, Union

Value = Union[str, int, float, "os.PathLike[str]"]
One = Value | Mapping[str, Value]
Values = One | Sequence[Value]


class TournamentSettings(TypedDict, total=False):
    """Keywords of `tengen.tournament`."""

    config: One | None
    """Read the settings from a TOML file; options on the command line take precedence. The
    config.toml of an earlier run repeats that run."""

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

    memory: One | None
    """Most memory that the trees of all searches together may take, in mebibytes; a search that
    needs more ends the program with an error. The limit never changes a result, but that a tree
    which a bot keeps between moves (reuse) is dropped if it takes more than half of it [default: 60
    % of the memory that is free at the start]"""

    plan: One | None
    """As config, of a plan: the file is refused unless it has the key `rule` and is committed
    unmodified, so that the verdicts on the rule can be proved to be planned."""

    komi: One | None
    """Komi, the points that White receives for moving second, a multiple of 0.5 [default: 2.5 up to
    5x5, 8.5 on 7x7, else 7.5]"""

    rules: One | None
    """Rule set: ko, suicide and superko [default: tengen]"""

    ko: One | None
    """Ko rule, instead of that of the rule set [default: that of the rule set]"""

    suicide: One | None
    """Suicide rule, instead of that of the rule set [default: that of the rule set]"""

    max_plies: One | None
    """Longest game in plies (moves and passes), after which it is scored as it stands [range: 1 to
    100000] [default: 4 x points + 100]"""

    format: One | None
    """Tournament format: which bots meet [default: all-play-all]"""

    sprt: One | None
    """Sequential probability ratio test (SPRT) of two bots: stop as soon as it accepts elo0 or elo1
    as the number of Elo by which the first bot is stronger than the second, after pairs pairs at
    most. Example: "elo0=0 elo1=30 alpha=0.05 beta=0.05 model=logistic"."""

    openings: One | None
    """Source of the openings: random moves, shared (random, but the same for pair 0, pair 1 and so
    on of all pairings), balanced (random, but kept only if a search of 2,000 simulations gives
    Black a win rate of 35 to 65 %), none, or an SGF file or a folder of them, one opening per pair
    [default: random]"""

    opening_plies: One | None
    """Number of random moves before the bots begin, the same moves in both games of a pair [range:
    0 to 200] [default: 2 up to 5x5, 4 up to 9x9, else 8]"""

    comments: bool | None
    """Write visits, win rate and principal variation of each move into the column comments, from
    which `tengen sgf` copies them into the records."""

    seed: One | None
    """Random seed (master seed) of openings and bots [default: 1]"""

    name: One | None
    """Name of the run, part of its folder's name [default: tournament]"""

    games_per_thread: One | None
    """Games that a thread plays at once in a tournament with a bot of kind gtp, each with its own
    process of that program: the searches of other bots share the vector lanes, which is faster from
    4 games on. No effect with a bot that has `seconds` [range: 1 to 64] [default: 1]"""


class TuneSettings(TypedDict, total=False):
    """Keywords of `tengen.tune`."""

    config: One | None
    """Read the settings from a TOML file; options on the command line take precedence. The
    config.toml of an earlier run repeats that run."""

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

    memory: One | None
    """Most memory that the trees of all searches together may take, in mebibytes; a search that
    needs more ends the program with an error. The limit never changes a result, but that a tree
    which a bot keeps between moves (reuse) is dropped if it takes more than half of it [default: 60
    % of the memory that is free at the start]"""

    name: One | None
    """Name of the run, part of its folder's name [default: tune]"""

    synthetic: Values | None
    """Measure methods on a synthetic surface with a known optimum instead of games: LOG, FLAT,
    POWER, ANGLE, STEP, ROSENBROCK, CORRELATED, NARROW, BIMODAL, EDGE, RIDGE, WAVES, ASYMMETRIC,
    BOWL, or several with commas; method and games may then be lists too."""

    method: Values | None
    """Method: thompson (Thompson sampling over a Gaussian process), clop, sweep (a grid, equally
    many games each), halving (a grid, then its better half, and so on) or spsa [default:
    thompson]"""

    steps: One | None
    """Number of values per parameter of a grid: sweep and halving [range: 2 to 100] [default: 8]"""

    perturbation: One | None
    """Final perturbation of spsa, half a range being 1 [range: above 0 and at most 1] [default:
    0.25]"""

    step: One | None
    """Final step of spsa as a share of the perturbation [range: above 0 and at most 10] [default:
    0.02]"""

    look_ahead: One | None
    """Number of pairs of games (with synthetic of games) that may be played at once: the method has
    not yet seen the results of the last PAIRS pairs [range: 1 to 10000] [default: 24, or 4 for
    spsa, at most a tenth of all]"""

    validation: One | None
    """Number of pairs of games of each validation match, one against the default settings and one
    against the opponent [default: 200]"""

    seed: One | None
    """Random seed of the method, the openings and the bots [default: 1]"""

    repeats: One | None
    """With synthetic: number of repeats, each with a seed of its own [range: 1 to 1000000]
    [default: 200]"""

    fixed_opponent: bool | None
    """With synthetic: thompson plays a fixed opponent, as clop, sweep and halving do; otherwise two
    of its points play each other, as those of spsa always do."""

    opponent: One | None
    """Reference opponent: another bot, such as gtp:COMMAND (a GTP engine), or self [default:
    self]"""

    komi: One | None
    """Komi, the points that White receives for moving second, a multiple of 0.5 [default: 2.5 up to
    5x5, 8.5 on 7x7, else 7.5]"""

    rules: One | None
    """Rule set: ko, suicide and superko [default: tengen]"""

    max_plies: One | None
    """Longest game in plies (moves and passes), after which it is scored as it stands [range: 1 to
    100000] [default: 4 x points + 100]"""

    openings: One | None
    """Source of the openings: random moves, or balanced (random, but kept only if a search of 2,000
    simulations gives Black a win rate of 35 to 65 %) [default: random]"""

    opening_plies: One | None
    """Number of random moves before the bots begin, the same moves in both games of a pair [range:
    0 to 200] [default: 2 up to 5x5, 4 up to 9x9, else 8]"""


class ConvergenceSettings(TypedDict, total=False):
    """Keywords of `tengen.convergence`."""

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

    memory: One | None
    """Most memory that the trees of all searches together may take, in mebibytes; a search that
    needs more ends the program with an error. The limit never changes a result, but that a tree
    which a bot keeps between moves (reuse) is dropped if it takes more than half of it [default: 60
    % of the memory that is free at the start]"""

    name: One | None
    """Name of the run, part of its folder's name [default: convergence]"""

    simulations: One | None
    """Least number of simulations of a search [range: 1 to 1048576] [default: 16]"""

    doublings: One | None
    """How often it is doubled [range: 0 to 20] [default: 12]"""

    searches: One | None
    """Searches of each position by each bot, with seeds of their own [range: 1 to 1000] [default:
    2]"""

    seed: One | None
    """Random seed (master seed) of the searches [default: 1]"""


_LearnSettings = TypedDict("_LearnSettings", {"from": "Values | None"}, total=False)


class LearnSettings(_LearnSettings, total=False):
    """Keywords of `tengen.learn`."""

    config: One | None
    """Read the settings from a TOML file; options on the command line take precedence. The
    config.toml of an earlier run repeats that run."""

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

    memory: One | None
    """Most memory that the trees of all searches together may take, in mebibytes; a search that
    needs more ends the program with an error. The limit never changes a result, but that a tree
    which a bot keeps between moves (reuse) is dropped if it takes more than half of it [default: 60
    % of the memory that is free at the start]"""

    name: One | None
    """Name of the run, part of its folder's name [default: learn]"""

    window: One | None
    """Number of the last rounds whose positions a fit takes: those of a teacher that knew nothing
    are forgotten in time [range: 1 or more] [default: 3]"""

    games: One | None
    """Number of games of a round, which the teacher plays against itself: an even number [range: 2
    to 1000000] [default: 400]"""

    teacher_prior: One | None
    """How the learned prior counts in the searches of the teacher, from the second round on:
    EVEN:WEIGHT of prior=learned. A teacher whose prior counts fewer visits teaches more [default:
    14:60]"""

    student_prior: One | None
    """How the learned prior counts in the searches of the student: EVEN:WEIGHT of prior=learned
    [default: 14:100]"""

    sprt: One | None
    """The sequential test that ends the match of a round; weights are accepted where it accepts
    elo1 [default: alpha=0.05 beta=0.05 elo0=0 elo1=40 model=logistic]"""

    pairs: One | None
    """Number of pairs of games of that match at most; 0 for no match [range: 0 to 100000] [default:
    300; 0 with from]"""

    watch: One | None
    """Another opponent, such as gtp:COMMAND or uct:simulations=1000,prior=heuristic:20, that the
    student meets after each round, to see whether what is gained holds against others too."""

    watch_pairs: One | None
    """Number of pairs of games against it [range: 1 to 100000] [default: 10]"""

    positions: One | None
    """Learn from at most this many positions, evenly spread over all [range: 1 or more]"""

    leave_out: Values | None
    """Kinds of features to leave out, with commas: shape (the 3x3 pattern), crossing (the four
    neighbours and their liberties), line (distance from the edge), last and before (distance from
    the opponent's last move and from the own one before it), tactic, pass."""

    passes: One | None
    """Number of epochs of a fit, each of which goes through all positions [range: 1 to 1000]
    [default: 12]"""

    penalty: One | None
    """Penalty of squared weights, which keeps those of rare features near 0 [range: 0 to 1000000]
    [default: 2]"""

    sharpness: One | None
    """Power to which the teacher's shares of visits are raised before they are learned: above 1 the
    most visited moves count for more [range: 0.1 to 100] [default: 2]"""

    seed: One | None
    """Random seed of games, matches and fits [default: 1]"""

    komi: One | None
    """Komi, the points that White receives for moving second, a multiple of 0.5 [default: 2.5 up to
    5x5, 8.5 on 7x7, else 7.5]"""

    rules: One | None
    """Rule set: ko, suicide and superko [default: tengen]"""

    ko: One | None
    """Ko rule, instead of that of the rule set [default: that of the rule set]"""

    suicide: One | None
    """Suicide rule, instead of that of the rule set [default: that of the rule set]"""

    max_plies: One | None
    """Longest game in plies (moves and passes), after which it is scored as it stands [range: 1 to
    100000] [default: 4 x points + 100]"""

    openings: One | None
    """Source of the openings: random moves, shared (random, but the same for pair 0, pair 1 and so
    on of all pairings), balanced (random, but kept only if a search of 2,000 simulations gives
    Black a win rate of 35 to 65 %), none, or an SGF file or a folder of them, one opening per pair
    [default: random]"""

    opening_plies: One | None
    """Number of random moves before the bots begin, the same moves in both games of a pair [range:
    0 to 200] [default: 2 up to 5x5, 4 up to 9x9, else 8]"""


class ScalingSettings(TypedDict, total=False):
    """Keywords of `tengen.scaling`."""

    komi: One | None
    """Komi, the points that White receives for moving second [default: 2.5 up to 5x5, 8.5 on 7x7,
    else 7.5]"""

    seed: One | None
    """Random seed [default: 1]"""

    simulations: One | None
    """Simulations per search: of each search whose speed is measured [default: 20000], of the first
    bot of the doublings [default: 125], or of the sequential search that parallel search is
    compared with [default: 500]"""

    bot: Values | None
    """Search to measure, given once or more: uct[:key=value,...], or NAME=SPEC to name it;
    `in_flight=lanes` keeps as many leaves of one tree in flight as a thread plays playouts in
    lockstep [default: UCB1 with expansion at 1, 10 and 100 visits, RAVE, and a single tree with
    `in_flight=lanes`]"""

    searches: One | None
    """Number of searches that a thread runs at once, such as 1 for the speed of a search alone
    [default: as many as fill the lanes]"""

    moves: One | None
    """Number of moves that each search makes in turn, playing against itself from the empty board:
    bots with `reuse=true` keep their tree [default: 1]"""

    repeats: One | None
    """Number of repeats of each measurement [default: 5]"""

    doublings: One | None
    """Number of doublings of the simulations, for doubling [default: 6]"""

    parallel: Values | None
    """Degrees of parallelism n (workers, leaves in flight, playouts per leaf), for parallel
    [default: 2,4,8,16]"""

    factors: Values | None
    """Numbers of simulations on the doubling curve as factors of simulations, for parallel
    [default: 0.25,0.5,1,2,4,8,16]"""

    schemes: Values | None
    """Parallel searches to play, for parallel [default: all]"""

    work: Values | None
    """Numbers of simulations of the parallel searches, for parallel [default: both]"""

    reference: One | None
    """Factor of the sequential search that all others play against, for parallel; one in the middle
    of the strengths keeps win rates away from 0 and 100 %. Not with opponent [default: 1]"""

    opponent: One | None
    """Bot that all searches play against instead of the sequential one of reference, for parallel,
    such as "gnugo=gtp:gnugo mode gtp"; NAME=SPEC names it."""

    games_per_thread: One | None
    """With an opponent of kind gtp: games that a thread plays at once, each with its own process of
    that program, so that the searches share the vector lanes [default: 1]"""

    pairs: One | None
    """Colour-swapped pairs of games per pairing (two bots that meet) [default: 100]"""

    bot_settings: One | None
    """Further settings of all bots but the opponent, such as exploration=0.2,expansion=1."""

    extend: One | None
    """With resume: extend the run to N pairs per pairing."""

    memory: One | None
    """Most memory that the trees of all searches together may take, in mebibytes; a search that
    needs more ends the program with an error. The limit never changes a result, but that a tree
    which a bot keeps between moves (reuse) is dropped if it takes more than half of it [default: 60
    % of the memory that is free at the start]"""
