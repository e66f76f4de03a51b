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
    """`n` games on empty boards side by side. `env.step(actions)` plays one move in each and
    returns a `Step`, arrays of what all of them look like then.

    `size`, `komi`, `rules`, `ko`, `suicide` and `max_plies` are those of `Position`;
    `VectorEnv.from_positions` begins at other positions. The environment draws nothing at random:
    games are functions of the actions.

    **Legal moves.** `Step.legal` says which moves `step` accepts, superko considered. Any other
    raises `IllegalMove` (a `ValueError`) that names game, player and move, and then nothing has
    changed. With ``own_eyes=False``, points that fill an own eye are not accepted.

    **Rewards.** `Step.rewards[i]` is (Black's, White's): (1, -1) at the ply with which Black has
    won game i, (-1, 1) where White has, (0, 0) at jigo and before the end. A game that reaches the
    limit of plies is `truncated`, and rewarded by the score as it stands; two passes make it
    `terminated`.

    **Ends.** With `auto_reset` a game that ends begins again in the same step, as in Pgx and in
    Gymnasium's mode `SAME_STEP`: `rewards`, `terminated`, `truncated` and `scores` are those of the
    end, and `observations`, `legal` and `to_play` those of the new game. `Step.ended` has the
    numbers of the games that ended, and `Step.final_observations` the planes of the positions in
    which they did. Without `auto_reset` an ended game stays as it is until `reset`; it has no legal
    move, and its action is ignored.

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
    """`env` as a `gymnasium.vector.VectorEnv`, for which Gymnasium must be installed.

    Observations are the planes [N, 6, H, W], actions the numbers of moves, rewards [N] those of the
    player who has just moved: 1 for a won game, -1 for a lost one, else 0. The environment plays
    both sides. The mode of automatic resets is `SAME_STEP`, and `DISABLED` without `auto_reset`.
    `info` has the arrays `action_mask` [N, points + 1], `to_play`, `scores` and `rewards` of the
    `Step`; where games ended, `final_obs` and `_final_obs` as Gymnasium describes them.
    """
    from tengen.gymnasium import GymnasiumVectorEnv

    return GymnasiumVectorEnv(env)
