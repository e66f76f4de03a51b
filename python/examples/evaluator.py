"""An evaluator in numpy: judge leaves by stones and liberties instead of playouts.

The search calls `judge` with batches of leaves of all positions, as it would call a network.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import tengen


def judge(planes: NDArray[np.float32], legal: NDArray[np.bool_]) -> tuple[Any, Any]:
    """Value and priors of N leaves: planes [N, 6, H, W], legal moves [N, H * W + 1]."""
    own, other, komi = planes[:, 0], planes[:, 1], planes[:, 5, 0, 0] * 20
    lead = own.sum(axis=(1, 2)) - other.sum(axis=(1, 2)) + (space(own) - space(other)) + komi
    value = 1 / (1 + np.exp(-lead / 10))
    # Weights of moves: the points beside the last stones, then all others; the pass last.
    near = np.maximum(dilated(planes[:, 3]), dilated(planes[:, 4])).reshape(len(planes), -1)
    policy = np.concatenate([1 + 9 * near, np.full((len(planes), 1), 0.1)], axis=1)
    return policy, value


def dilated(boards: NDArray[np.float32]) -> NDArray[np.float32]:
    """The points of each board, and those beside them."""
    padded = np.pad(boards, ((0, 0), (1, 1), (1, 1)))
    beside = [padded[:, :-2, 1:-1], padded[:, 2:, 1:-1], padded[:, 1:-1, :-2], padded[:, 1:-1, 2:]]
    union: NDArray[np.float32] = np.maximum.reduce([boards, *beside])
    return union


def space(stones: NDArray[np.float32]) -> NDArray[np.float32]:
    """The number of points that are stones or lie beside one."""
    count: NDArray[np.float32] = dilated(stones).sum(axis=(1, 2))
    return count


if __name__ == "__main__":
    position, positions = tengen.Position(7), []
    for move in ("D4", "E5", "C5"):
        position.play(move)
        positions.append(position.copy())
    found = tengen.search(positions, "uct:simulations=800", evaluator=judge, seed=1)
    for place, position in enumerate(positions):
        best, visits, values = found.best[place], found.visits[place], found.values[place]
        print(
            f"ply {position.ply}: {position.name(best)}, {visits[best]} visits, {values[best]:.3f}"
        )
