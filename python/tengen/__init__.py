"""Tengen: a research harness for Monte Carlo tree search on the game of Go."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen import env, register, stats, symmetry
from tengen._executor import Executor
from tengen._playouts import Playouts, playouts
from tengen._run import Plots, Run, SequentialTest, Svg, read
from tengen._runs import (
    RUNS,
    Setting,
    Settings,
    command,
    convergence,
    learn,
    scaling,
    settings,
    suite,
    tournament,
    tune,
)
from tengen._search import (
    Boards,
    Evaluator,
    Leaves,
    Searches,
    SearchResults,
    Tree,
    genmove,
    search,
)
from tengen._solve import ProvedValue, Solution, solve
from tengen._suite import SolvedPosition, solved_positions
from tengen._table import Table
from tengen._tengen import IllegalMove, Player, Position, RunError, Step, VectorEnv, __version__
from tengen.env import vector_env

BLACK = 1
"""The player who moves first in an even game; scores are positive for Black."""

WHITE = -1
"""The player who receives the komi."""

__all__ = [
    "BLACK",
    "WHITE",
    "Boards",
    "Evaluator",
    "Executor",
    "IllegalMove",
    "Leaves",
    "Player",
    "Playouts",
    "Plots",
    "Position",
    "ProvedValue",
    "Run",
    "RunError",
    "SearchResults",
    "Searches",
    "SequentialTest",
    "Setting",
    "Settings",
    "Solution",
    "SolvedPosition",
    "Step",
    "Svg",
    "Table",
    "Tree",
    "VectorEnv",
    "__version__",
    "command",
    "convergence",
    "env",
    "genmove",
    "learn",
    "playouts",
    "read",
    "register",
    "scaling",
    "search",
    "settings",
    "solve",
    "solved_positions",
    "stats",
    "suite",
    "symmetry",
    "tournament",
    "tune",
    "vector_env",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., Run]:
        """The function of an experiment of which this module names no keywords."""
        function = RUNS.get(name.replace("_", "-"))
        if function is None:
            raise AttributeError(f"module 'tengen' has no attribute {name!r}")
        return function
