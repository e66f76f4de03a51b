"""Times the single steps of a Position, in nanoseconds a call, on positions of one random game."""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import timeit
from collections.abc import Callable

import numpy as np

import tengen


def game(size: int, seed: int) -> list[int]:
    """The moves of a random game that fills no own eyes."""
    draw, position = random.Random(seed), tengen.Position(size)
    while not position.is_over:
        legal = np.flatnonzero(position.legal(own_eyes=False)[:-1])
        position.play(int(draw.choice(legal)) if len(legal) else position.points)
    return [move for _, move in position.moves]


def main() -> None:
    """Measure, and write a line for each method."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--size", type=int, default=9)
    arguments.add_argument("--rounds", type=int, default=9)
    options = arguments.parse_args()
    size, moves = options.size, game(options.size, 1)
    start = tengen.Position(size)
    positions = [start.copy()]
    for move in moves[:-2]:
        start.play(move)
        positions.append(start.copy())

    def over(act: Callable[[tengen.Position], object]) -> Callable[[], None]:
        def run() -> None:
            for position in positions:
                act(position)

        return run

    def play() -> None:
        position = tengen.Position(size)
        play = position.play
        for move in moves:
            play(move)

    def steps() -> None:
        position = tengen.Position(size)
        for move in moves:
            position.play(move)
            position.legal()
            position.is_over  # noqa: B018

    cases: dict[str, tuple[Callable[[], None], int]] = {
        "play": (play, len(moves)),
        "play, legal, is_over": (steps, len(moves)),
        "legal": (over(lambda position: position.legal()), len(positions)),
        "legal without own eyes": (
            over(lambda position: position.legal(own_eyes=False)),
            len(positions),
        ),
        "is_over": (over(lambda position: position.is_over), len(positions)),
        "copy": (over(lambda position: position.copy()), len(positions)),
        "score": (over(lambda position: position.score()), len(positions)),
        "planes": (over(lambda position: position.planes()), len(positions)),
        "hash": (over(lambda position: position.hash), len(positions)),
    }
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(options.rounds):
        for name, (run, calls) in cases.items():
            found[name].append(min(timeit.repeat(run, number=10, repeat=3)) / 10 / calls * 1e9)
    sys.stdout.write(f"{size}x{size}, {len(moves)} moves; ns a call: median (range)\n")
    for name, times in found.items():
        sys.stdout.write(
            f"{name:24} {statistics.median(times):7.0f} ({min(times):.0f} to {max(times):.0f})\n"
        )


if __name__ == "__main__":
    main()
