"""Playouts as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen import _tengen
from tengen._tengen import Position
from tengen._types import names_counts


@dataclass(frozen=True, repr=False, eq=False)
class Playouts:
    """The results of :func:`playouts` for P positions with n playouts each, on boards of height H
    and width W. For a single `Position`, the first axis is missing.

    Attributes:
        komi: Points that White receives in each position, komi and points for handicap stones: [P].
        scores: Black's area minus White's at the end of each playout, in points, before komi: [P,
            n]. For a playout that `stop` ended, the difference that this rule counts.
        lengths: Plies (moves and passes) of each playout: [P, n].
        ownership: Mean owner of each point at the end, from 1 (Black) to -1 (White): [P, H, W].
            This array and the two below raise `AttributeError` unless they were requested.
        first_plays: Number of playouts in which Black (index 0) or White (index 1) was the first to
            play on each point: [P, 2, H, W]. All moves as first (AMAF) counts these.
        first_play_wins: Sum of the results of the playouts in `first_plays` for the player who was
            first, 1 for a win, 0.5 for jigo: [P, 2, H, W].
    """

    komi: NDArray[np.float64]
    scores: NDArray[np.int16]
    lengths: NDArray[np.int16]
    ownership: NDArray[np.float32]
    first_plays: NDArray[np.int64]
    first_play_wins: NDArray[np.float64]

    if not TYPE_CHECKING:

        def __init__(self, **arrays: NDArray[Any]) -> None:
            self.__dict__.update(arrays)

        def __getattr__(self, name: str) -> Any:
            asked = {"ownership": "ownership"}
            asked |= dict.fromkeys(("first_plays", "first_play_wins"), "first_plays")
            if name in asked:
                said = f"{name} was not asked for: playouts(..., {asked[name]}=True)"
                raise AttributeError(said)
            raise AttributeError(name)

    @property
    def win_rates(self) -> NDArray[np.float64]:
        """Black's mean result after komi, 1 for a win, 0.5 for jigo: [P]."""
        margin = self.scores - np.expand_dims(self.komi, -1)
        rates: NDArray[np.float64] = ((np.sign(margin) + 1) / 2).mean(axis=-1)
        return rates

    def __repr__(self) -> str:
        shape = self.scores.shape
        count = "1 position" if len(shape) == 1 else f"{shape[0]} positions"
        return f"<tengen.Playouts: {shape[-1]} of each of {count}>"


@names_counts
def playouts(
    positions: Position | Sequence[Position],
    n: int,
    *,
    seed: int = 0,
    policy: str = "uniform",
    stop: str = "none",
    ownership: bool = False,
    first_plays: bool = False,
    threads: int = 1,
) -> Playouts:
    """Play `n` random games to their end from each of `positions`, whose boards have one size.

    Playout number i of position number p depends only on the position, `policy`, `stop` and a seed
    derived from `seed`, p and i: not on other positions, `threads` or the machine.

    `policy` is a policy of playouts as in ``uct:policy=…``, such as ``"uniform"``,
    ``"capture-escape:0.9"``, ``"mogo:0.9:1"`` or ``"tactical"``; `stop` a rule that stops decided
    playouts early, such as ``"decided:10"``. `ownership` and `first_plays` request the arrays of
    :class:`Playouts`. Raises `ValueError` for wrong arguments. Other threads of Python run
    meanwhile.
    """
    arrays = _tengen.playouts(
        positions,
        n,
        seed=seed,
        policy=policy,
        stop=stop,
        ownership=ownership,
        first_plays=first_plays,
        threads=threads,
    )
    return Playouts(**arrays)
