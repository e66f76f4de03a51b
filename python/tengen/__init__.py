"""Tengen: a research harness for Monte Carlo tree search on the game of Go."""

from tengen._playouts import Playouts, playouts
from tengen._tengen import IllegalMove, Position, RunError, __version__

BLACK = 1
"""The player who moves first in an even game; scores are positive for Black."""

WHITE = -1
"""The player who receives the komi."""

__all__ = [
    "BLACK",
    "WHITE",
    "IllegalMove",
    "Playouts",
    "Position",
    "RunError",
    "__version__",
    "playouts",
]
