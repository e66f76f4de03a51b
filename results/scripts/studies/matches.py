"""The matches of a run, opening by opening, and bootstrap samples of their openings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from tables import Fault, Interval, Row, find, read_rows

from tengen import stats

SEED, SAMPLES = 20_261_124, 2_000
"""The seed and the number of the bootstrap samples of a study."""
HALVES = {"black": 2, "jigo": 1, "white": 0}
"""The points of Black by the outcome of a game, in halves. A void game has none."""
GAMMA = 0x9E37_79B9_7F4A_7C15

U64 = np.uint64
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Match:
    """The games of two bots, from the second bot's view. In a gauntlet the first bot meets all
    others. `halves` are the points of the second in the pair on each opening, in halves: 0 to 4,
    and -1 where the pair is not complete."""

    first: str
    second: str
    halves: Counts

    def cells(self) -> list[int]:
        """The numbers of pairs by the score of the second bot."""
        return [int((self.halves == halves).sum()) for halves in range(5)]

    def pairs(self) -> stats.Summary:
        """The statistics of the pairs for the second bot."""
        return stats.pairs(self.cells())

    def scores(self, drawn: Counts, bound: float = 0) -> Floats:
        """The score in each sample, ½ without a pair, clamped as if at least `bound` pairs were won
        and as many lost. `drawn` has the number of draws of each opening: [samples, openings]."""
        drawn = drawn[:, : len(self.halves)]
        units, points = drawn @ (self.halves >= 0), drawn @ np.maximum(self.halves, 0)
        least = bound / np.maximum(units, 1)
        scores = np.where(units > 0, points / (4 * np.maximum(units, 1)), 0.5)
        return np.clip(scores, least, 1 - least)

    def elos(self, drawn: Counts) -> Floats:
        """The Elo of the score, which counts at least half a pair won and half a pair lost."""
        return stats.elo(self.scores(drawn, 0.5))


def games(folder: Path) -> list[Row]:
    """The games of the run in `folder`."""
    columns = "game pairing pair komi black white opening_plies outcome"
    return read_rows(find(folder, "games.csv"), columns)


def joined(folder: Path, table: str, columns: str) -> dict[str, list[Row]]:
    """The rows of the table in each run of the study in `folder`, by the name of the run: of the
    joined table, whose column `run` has the names, or of the folders of the runs."""
    runs: dict[str, list[Row]] = defaultdict(list)
    path = find(folder, table)
    if path.exists():
        for row in read_rows(path, f"run {columns}"):
            runs[row["run"]].append(row)
        return dict(runs)
    configs = sorted(folder.glob("*/config.toml"))
    return {run.parent.name: read_rows(find(run.parent, table), columns) for run in configs}


def read(folder: Path) -> list[Match]:
    """The matches of the run in `folder`, in the order of its pairings."""
    return in_games(games(folder), folder)


def in_games(rows: list[Row], name: object) -> list[Match]:
    """The matches of the run `name` with these games, in the order of its pairings."""
    bots: dict[int, tuple[str, str]] = {}
    points: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        pairing, is_swapped = int(row["pairing"]), int(row["game"]) % 2 == 1
        black, white = row["black"], row["white"]
        bots[pairing] = (white, black) if is_swapped else (black, white)
        if row["outcome"] in HALVES:
            of_black = HALVES[row["outcome"]]
            points[pairing][int(row["pair"])].append(of_black if is_swapped else 2 - of_black)
    matches = []
    for pairing, (first, second) in sorted(bots.items()):
        complete = {pair: sum(both) for pair, both in points[pairing].items() if len(both) == 2}
        if not complete:
            raise Fault(f"{name}: {first} and {second} have played no pair")
        halves = [complete.get(pair, -1) for pair in range(max(complete) + 1)]
        matches.append(Match(first, second, np.array(halves)))
    return matches


def openings(matches: list[Match]) -> int:
    """The number of openings on which these matches were played."""
    return max(len(match.halves) for match in matches)


def once(count: int) -> Counts:
    """The sample that has each of `count` openings once."""
    return np.ones((1, count), dtype=np.int64)


def split_mix(state: Words) -> Words:
    """The outputs of SplitMix64 in these states (Steele, Lea and Flood 2014)."""
    z = state + U64(GAMMA)
    z = (z ^ (z >> U64(30))) * U64(0xBF58_476D_1CE4_E5B9)
    z = (z ^ (z >> U64(27))) * U64(0x94D0_49BB_1331_11EB)
    return z ^ (z >> U64(31))


def rotated(words: Words, bits: int) -> Words:
    """Words rotated to the left."""
    return (words << U64(bits)) | (words >> U64(64 - bits))


def mix(seed: int, index: Words) -> Words:
    """The seeds that Tengen derives from `seed`: those with the numbers `index`."""
    master = split_mix(np.array([seed], dtype=U64))
    return split_mix(master ^ rotated(split_mix(index + U64(0x6A09_E667_F3BC_C909)), 23))


class Streams:
    """Streams of random numbers by xoshiro256++, which advance together, one for each bootstrap
    sample. Stream n begins with the seed `mix(SEED, n)`, expanded by SplitMix64."""

    def __init__(self, seed: int = SEED, samples: int = SAMPLES) -> None:
        seeds = mix(seed, np.arange(samples, dtype=U64))
        self._state = [split_mix(seeds + U64(word * GAMMA % 2**64)) for word in range(4)]

    def next(self) -> Words:
        """The next number of each stream."""
        s = self._state
        found = rotated(s[0] + s[3], 23) + s[0]
        shifted = s[1] << U64(17)
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return found

    def normal(self, count: int) -> Floats:
        """Normal variables by Box and Muller (1958): [samples, count]."""
        words = np.stack([self.next() for _ in range(2 * count)], axis=-1)
        uniform = ((words >> U64(11)) + U64(1)) / 2.0**53
        radii = np.sqrt(-2 * np.log(uniform[:, ::2]))
        found: Floats = radii * np.cos(2 * np.pi * uniform[:, 1::2])
        return found

    def drawn(self, count: int) -> Counts:
        """The number of times that each of `count` numbers occurs in `count` draws with
        replacement, for each stream: [samples, count]. A draw is the high word of random number
        times count."""
        found = np.zeros((len(self._state[0]), count), dtype=np.int64)
        rows, half, below = np.arange(len(found)), U64(32), U64(count)
        for _ in range(count):
            words = self.next()
            low, high = (words & U64(0xFFFF_FFFF)) * below, (words >> half) * below
            found[rows, ((high + (low >> half)) >> half).astype(np.int64)] += 1
        return found


def percentile_interval(samples: Floats, level: float = 0.95) -> Interval:
    """The percentile interval of bootstrap samples. Samples may be infinite; undefined ones, such
    as 0/0, count as the lowest."""
    ordered = np.sort(np.where(np.isnan(samples), -np.inf, samples))
    cut = int(len(ordered) * (1 - level) / 2 + 1e-9)
    return float(ordered[cut]), float(ordered[len(ordered) - cut - 1])


def normal_interval(value: float, error: float, level: float = 0.95) -> Interval:
    """The interval of a normal variable with this standard error."""
    half = NormalDist().inv_cdf((1 + level) / 2) * error
    return value - half, value + half
