"""What two batches at once save if a network works on another device: ``python outstanding.py``.

The network sleeps 5 ms, like one on a GPU that takes one batch at a time. Both loops search the
same positions with batches of the same size, in turns.
"""

from __future__ import annotations

import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import tengen

SLEEP = 0.005
ROUNDS = 7
SIMULATIONS = 40
BATCH = 1024
ALONE = threading.Lock()


def network(planes: Any, legal: Any) -> tuple[Any, Any]:
    """One batch at a time."""
    with ALONE:
        time.sleep(SLEEP)
    return np.ones(legal.shape, dtype=np.float32), planes[:, 0].mean(axis=(1, 2))


def spent(outstanding: int) -> tuple[float, Any]:
    """Seconds of the loop, and the visits."""
    positions = [tengen.Position(9)] * (2 * BATCH)
    searches = tengen.Searches(positions, evaluator="replies", batch=BATCH)
    began = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        for leaves in searches.steps(SIMULATIONS, outstanding=outstanding):
            leaves.reply_later(pool.submit(network, leaves.planes, leaves.legal))
    return time.perf_counter() - began, searches.visits()


def main() -> None:
    """Print the median of the ratios."""
    ratios = []
    for _ in range(ROUNDS):
        (one, first), (two, second) = spent(1), spent(2)
        assert (first == second).all()
        ratios.append(one / two)
        print(f"one batch at a time {one:.2f} s, two {two:.2f} s: {one / two:.2f} times as fast")
    print(f"median {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
