"""Tengen: a research harness for Monte Carlo tree search on the game of Go."""

from tengen import stats
from tengen._playouts import Playouts, playouts
from tengen._run import Plots, Run, Svg, read
from tengen._runs import (
    Setting,
    Settings,
    command,
    convergence,
    scaling,
    settings,
    tournament,
    tune,
)
from tengen._solve import ProvedValue, Solution, solve
from tengen._table import Table
from tengen._tengen import IllegalMove, Position, RunError, __version__
from tengen._tengen import IllegalMove, Position, RunError, Step, VectorEnv, __version__
from tengen._tengen import IllegalMove, Player, Position, RunError, Step, VectorEnv, __version__
from tengen.env import vector_env

BLACK = 1
"""The player who moves first in an even game; scores are positive for Black."""

WHITE = -1
"""The player who receives the komi."""

__all__ = [
    "BLACK",
    "WHITE",
    "IllegalMove",
    "Player",
    "Playouts",
    "Plots",
    "Position",
    "ProvedValue",
    "Run",
    "RunError",
    "Setting",
    "Settings",
    "Solution",
    "Svg",
    "Table",
    "Step",
    "VectorEnv",
    "__version__",
    "command",
    "convergence",
    "playouts",
    "read",
    "scaling",
    "settings",
    "solve",
    "tournament",
    "tune",
    "stats",
    "vector_env",
]
