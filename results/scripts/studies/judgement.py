"""How well the playouts of policies tell the winner of positions from published games.

The folder has runs.csv, whose column `run` names the published runs, and policies.csv, whose column
`policy` names the policies. The first policy is the one that the others are compared with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tables import Interval, Row, estimate, find, read_rows

import tengen
from studies import matches
from studies.matches import Floats

PER_GAME = 4
"""Positions of a game: one of each quarter of its plies after the opening."""
PLAYOUTS = 32
"""Playouts of a position, half of them in each of two estimates."""
STAGES = (0, 15, 30, 45)
"""The plies with which the stages of a game begin."""


@dataclass(frozen=True)
class Judged:
    """A position, and the result of its game for Black: 1 or 0."""

    game: int
    ply: int
    position: tengen.Position
    black_won: float


def positions(runs: list[Path]) -> list[Judged]:
    """The positions of all decided games of `runs`, which have one board size. A position in which
    the player passes is left out: what follows is counting.
    """
    found: list[Judged] = []
    game = 0
    for run in runs:
        columns = "size komi opening_plies outcome moves"
        for row in read_rows(find(run, "games.csv"), columns):
            moves = row["moves"].split()
            opening = int(row["opening_plies"])
            span = len(moves) - opening
            if row["outcome"] not in ("black", "white") or span < PER_GAME:
                continue
            game += 1
            numbers = np.arange(game * PER_GAME, (game + 1) * PER_GAME, dtype=np.uint64)
            draws = matches.mix(matches.SEED, numbers) / 2.0**64
            shares = (np.arange(PER_GAME) + draws) / PER_GAME
            plies = {opening + int(share * span) for share in shares}
            position = tengen.Position(row["size"], komi=float(row["komi"]))
            for ply, move in enumerate(moves):
                if ply in plies and move != "pass":
                    won = float(row["outcome"] == "black")
                    found.append(Judged(game, ply, position.copy(), won))
                position.play(move)
    return found


def errors(judged: list[Judged], policy: str) -> Floats:
    """Estimates of the squared difference of Black's win rate by playouts and the result, for each
    position; an estimate may be below 0. It is the product of two independent differences, so that
    the noise of the playouts adds nothing to the mean.
    """
    each = [one.position for one in judged]
    found = tengen.playouts(each, PLAYOUTS, seed=matches.SEED, policy=policy)
    wins = found.scores > found.komi[:, None]
    results = np.array([one.black_won for one in judged])
    halves = [wins[:, half::2].mean(axis=-1) - results for half in range(2)]
    product: Floats = halves[0] * halves[1]
    return product


def mean_by_game(values: Floats, games: Floats) -> tuple[float, Interval]:
    """The mean of `values` with its interval, where positions of one game depend on each other."""
    mean = float(values.mean())
    sums = np.bincount(np.unique(games, return_inverse=True)[1], values - mean)
    count = len(sums)
    error = math.sqrt(float((sums**2).sum()) * count / max(1, count - 1)) / len(values)
    return mean, matches.normal_interval(mean, error)


def tables(folder: Path) -> dict[str, list[Row]]:
    """The tables of the study in `folder`."""
    runs = [folder.parent / row["run"] for row in read_rows(folder / "runs.csv", "run")]
    policies = [row["policy"] for row in read_rows(folder / "policies.csv", "policy")]
    judged = positions(runs)
    plies = np.array([one.ply for one in judged])
    games = np.array([float(one.game) for one in judged])
    whole: list[Row] = []
    stages: list[Row] = []
    first = None
    for policy in policies:
        found = errors(judged, policy)
        first = found if first is None else first

        def row(chosen: NDArray[np.bool_], found: Floats = found, first: Floats = first) -> Row:
            own = games[chosen]
            row = {"positions": str(int(chosen.sum())), "games": str(len(np.unique(own)))}
            row |= estimate("error", *mean_by_game(found[chosen], own), 4)
            return row | estimate("change", *mean_by_game((found - first)[chosen], own), 4)

        whole.append({"policy": policy, **row(plies >= 0)})
        for low, high in zip(STAGES, [*STAGES[1:], None], strict=True):
            stage = {"policy": policy, "from_ply": str(low), "below_ply": str(high or "")}
            stages.append(stage | row((plies >= low) & (plies < (high or math.inf))))
    return {"judgement.csv": whole, "stages.csv": stages}
