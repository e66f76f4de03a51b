"""Evaluations per second of CPU time by an evaluator that costs nothing: in Python, and in Rust.

    python bench/evaluator.py [ROUNDS]

64 searches of 800 simulations from the empty 9x9 board, policy 1 everywhere, value 0.5; both write
the planes of each leaf. Python uses `tengen.search`, Rust uses `cargo bench --bench evaluator --
uniform`, which must be built. Both are measured in turns, each in a process of its own, and the
medians printed."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

SEARCHES, SIMULATIONS, TIMES = 64, 800, 4
REPOSITORY = Path(__file__).parents[2]


def python() -> float:
    """Evaluations per second of CPU time of this process, in thousands."""
    from tengen import Position, search

    calls = 0
    policy = np.ones((SEARCHES, 82), np.float32)
    value = np.full(SEARCHES, 0.5, np.float32)

    def free(planes: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal calls
        calls += len(planes)
        return policy[: len(planes)], value[: len(planes)]

    positions = [Position(9) for _ in range(SEARCHES)]
    speeds = []
    for _ in range(TIMES):
        calls, began = 0, time.process_time()
        found = search(positions, f"uct:simulations={SIMULATIONS}", evaluator=free, batch=SEARCHES)
        speeds.append(calls / (time.process_time() - began) / 1_000)
        assert (found.visits.sum(axis=1) == SIMULATIONS - 1).all()
    return statistics.median(speeds)


def rust() -> float:
    """Evaluations per second of CPU time of the Rust benchmark, in thousands."""
    command = [
        "cargo",
        "bench",
        "--locked",
        "--bench",
        "evaluator",
        "--",
        "--rounds",
        "5",
        "uniform",
    ]
    told = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout
    speed = re.search(r"uniform: (\d+) thousand a second", told)
    assert speed is not None, told
    return float(speed.group(1))


def main() -> None:
    """Measures in turns."""
    if sys.argv[1:] == ["--once"]:
        print(json.dumps(python()))
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    speeds: dict[str, list[float]] = {"Rust": [], "Python": []}
    for _ in range(rounds):
        speeds["Rust"].append(rust())
        once = subprocess.run(
            [sys.executable, __file__, "--once"], capture_output=True, text=True, check=True
        )
        speeds["Python"].append(json.loads(once.stdout))
    for name, of in speeds.items():
        print(
            f"{name}: {statistics.median(of):.0f} thousand a second "
            f"({min(of):.0f} to {max(of):.0f})"
        )
    ratios = [one / other for one, other in zip(speeds["Python"], speeds["Rust"], strict=True)]
    print(
        f"Python / Rust: {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
    )


if __name__ == "__main__":
    main()
