"""What an executor costs: ``python executors.py [capacity EXECUTOR... | waste]``.

Capacity: blocks per second of the coordinator and its executor, and CPU time of this process per
block, with blocks that cost nothing (a pair of random games on 2x2), 64 in flight. Waste: games
that sequential tests begin but do not count, by number of worker processes.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent import futures
from pathlib import Path
from typing import Any

import tengen

BLOCKS = 4_000
ROUNDS = 5
TESTS = {
    "60 against 20 simulations, elo0=0 elo1=60": (60, "elo0=0 elo1=60", 20),
    "20 against 20 simulations, elo0=0 elo1=20": (20, "elo0=0 elo1=20", 6),
}


def capacity(executors: list[str]) -> None:
    """Print the speed of each executor, medians of rounds in turns."""
    found: dict[str, list[tuple[float, float]]] = {text: [] for text in executors}
    for _ in range(ROUNDS):
        for text, speeds in found.items():
            with tempfile.TemporaryDirectory() as folder:
                begun, spent = time.perf_counter(), time.process_time()
                tengen.tournament(
                    bot={"a": "random", "b": "random"},
                    size=2,
                    pairs=BLOCKS,
                    openings="none",
                    executor=tengen.Executor(text, block=2, in_flight=64),
                    out=Path(folder) / "run",
                    progress=False,
                )
                spent = time.process_time() - spent
                speeds.append((BLOCKS / (time.perf_counter() - begun), spent / BLOCKS))
    for text, speeds in found.items():
        rates, costs = zip(*speeds, strict=True)
        low, middle, high = min(rates), statistics.median(rates), max(rates)
        print(f"{text}: {middle:.0f} blocks/s ({low:.0f} to {high:.0f}), ", end="")
        print(f"{1e6 * statistics.median(costs):.0f} µs of processor time here per block")


QUANTILES = {6: 2.571, 20: 2.093}
"""97.5 % quantiles of Student's t by the number of values of a mean."""


def mean(values: Sequence[int]) -> str:
    """The mean with its 95 % interval by Student's t."""
    middle, half = statistics.mean(values), QUANTILES[len(values)]
    half *= statistics.stdev(values) / len(values) ** 0.5
    return f"{middle:.0f} ({middle - half:.0f} to {middle + half:.0f})"


class Many:
    """Pretends to have many workers, and counts the games that they would begin."""

    def __init__(self, workers: int) -> None:
        self.num_workers = workers
        self.begun = 0
        self._pool = futures.ThreadPoolExecutor(2)

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Submit a block."""
        block = json.loads(args[0].split(b"\n", 1)[0])
        # A process asks for the settings of a run once, and then gets its block again.
        if not block["parts"]:
            self.begun += len(block["work"]["Games"])
        return self._pool.submit(fn, *args)


def waste() -> None:
    """Print the games that tests begin and those that count."""
    for name, (simulations, sprt, seeds) in TESTS.items():
        for workers in (1, 4, 16, 64, 256):
            begun: list[int] = []
            counted = []
            for seed in range(seeds):
                pool = Many(workers)
                with tempfile.TemporaryDirectory() as folder:
                    run = tengen.tournament(
                        bot={"a": f"uct:simulations={simulations}", "b": "uct:simulations=20"},
                        size=5,
                        sprt=sprt,
                        seed=seed,
                        executor=pool,
                        out=Path(folder) / "run",
                        progress=False,
                    )
                    counted.append(len(run.games["game"]))
                    begun.append(pool.begun)
            vain = [all - own for all, own in zip(begun, counted, strict=True)]
            print(
                f"{name}: {workers} workers begin {mean(begun)} games, {mean(counted)} count, ",
                end="",
            )
            print(f"{mean(vain)} are in vain")


if __name__ == "__main__":
    if sys.argv[1:2] == ["waste"]:
        waste()
    else:
        capacity(sys.argv[2:] or ["processes:2"])
