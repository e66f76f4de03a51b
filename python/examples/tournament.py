"""A bot and a selection formula in Python, in a tournament beside built-in bots.

Both are slow, as Python is: they try out ideas before these are written in Rust.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import tengen

Floats = NDArray[np.float64]


def centre(position: tengen.Position, seed: int) -> int:
    """Play near the centre: the nearest legal point; `seed` breaks ties."""
    legal = position.legal(own_eyes=False)[:-1]
    if not legal.any():
        return position.points
    width, height = position.size
    row, column = np.divmod(np.arange(position.points), width)
    distance = abs(row - (height - 1) / 2) + abs(column - (width - 1) / 2)
    nearest = np.flatnonzero(legal & (distance == distance[legal].min()))
    return int(nearest[seed % len(nearest)])


def ucb_of_roots(visits: Floats, values: Floats, priors: Floats, parent: int, c: float) -> Any:
    """UCB1 with the square root of the node's visits in place of their logarithm."""
    return values + c * np.sqrt(np.sqrt(parent) / visits)


if __name__ == "__main__":
    bot = tengen.register.bot("centre", centre)
    plain = "uct:simulations=100,exploration=0.3,rave=none,prior=none"
    formula = tengen.register.selection("ucb-of-roots", ucb_of_roots)
    run = tengen.tournament(
        bot={"centre": bot, "own": f"{plain},{formula}", "plain": plain, "random": "random"},
        size=5,
        pairs=5,
        threads=1,
        out="runs/python-bots",
        progress=False,
    )
    print(run.text)
    print(run.ratings)
