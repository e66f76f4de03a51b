"""Environments for reinforcement learning: many games stepped by arrays, and Gymnasium's interface
to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen._tengen import Position, Step, VectorEnv
from tengen._types import names_counts

if TYPE_CHECKING:
    from tengen.gymnasium import GymnasiumVectorEnv

__all__ = ["Step", "VectorEnv", "gymnasium_vector_env", "vector_env"]

Size = int | tuple[int, int] | str


@names_counts
def vector_env(
    n: int,
    size: Size = 9,
    *,
    komi: float | None = None,
    rules: str = "tengen",
    ko: str | None = None,
    suicide: str | None = None,
    max_plies: int | None = None,
    own_eyes: bool = True,
    auto_reset: bool = True,
    observations: bool = True,
    threads: int = 1,
) -> VectorEnv:
    """A vector environment of `n` games on empty boards. `env.step(actions)` plays one move in each
    game and returns a `Step`: arrays of the new state of all games.

    `size`, `komi`, `rules`, `ko`, `suicide` and `max_plies` are those of `Position`;
    `VectorEnv.from_positions` begins at other positions. The environment draws nothing at random:
    games are functions of the actions.

    **Legal moves.** `Step.legal` says which moves `step` accepts, superko considered. Any other
    move raises `IllegalMove` (a `ValueError`) that names game, player and move, and leaves all
    games unchanged. With ``own_eyes=False``, points that fill an own eye are not accepted.

    **Rewards.** `Step.rewards[i]` is (Black's, White's): (1, -1) at the ply with which Black wins
    game i, (-1, 1) if White wins, (0, 0) at jigo and before the end. A game that reaches the limit
    of plies is `truncated`, and rewarded by the score as the board stands; a game that two passes
    end is `terminated`.

    **Ends.** With `auto_reset` a game that ends begins again in the same step, as in Pgx and in
    Gymnasium's mode `SAME_STEP`: `rewards`, `terminated`, `truncated` and `scores` belong to the
    ended game, `observations`, `legal` and `to_play` to the new one. `Step.ended` has the numbers
    of the games that ended, and `Step.final_observations` the planes of their final positions.
    Without `auto_reset` an ended game stays as it is until `reset`; it has no legal move, and its
    action is ignored.

    **Arrays** are new ones in each step, and stay as they are. ``observations=False`` leaves the
    planes out, which is quicker. `threads` changes no result.

    Raises `ValueError` for wrong arguments.
    """
    start = Position(size, komi=komi, rules=rules, ko=ko, suicide=suicide, max_plies=max_plies)
    return VectorEnv.from_positions(
        start,
        copies=n,
        own_eyes=own_eyes,
        auto_reset=auto_reset,
        observations=observations,
        threads=threads,
    )


def gymnasium_vector_env(env: VectorEnv) -> GymnasiumVectorEnv:
    """`env` as a `gymnasium.vector.VectorEnv`, for which Gymnasium must be installed. All its games
    begin again.

    Observations are the planes [N, 6, H, W], actions the numbers of moves, rewards [N] those of the
    player who has just moved: 1 for a won game, -1 for a lost one, else 0. The environment plays
    both sides. The mode of automatic resets is `SAME_STEP`, and `DISABLED` without `auto_reset`.
    `info` has the arrays `action_mask` [N, points + 1], `to_play`, `scores` and `rewards` of the
    `Step`; where games ended, `final_obs` and `_final_obs` as Gymnasium describes them.
    """
    from tengen.gymnasium import GymnasiumVectorEnv

    return GymnasiumVectorEnv(env)


def ended_by_passes(position: Position) -> bool:
    """Whether the last two moves of `position` are passes."""
    return [move for _, move in position.moves[-2:]] == [position.points] * 2
