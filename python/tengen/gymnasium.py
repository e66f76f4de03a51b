"""Go for Gymnasium: one agent against a bot, and Gymnasium's interface to a vector environment.

The import registers "tengen/Go-5x5-v0" and the same for 7, 9, 13 and 19::

    import gymnasium
    import tengen.gymnasium

    env = gymnasium.make("tengen/Go-9x9-v0", opponent="uct:simulations=100")
"""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tengen._tengen import IllegalMove, Player, Position, Step, VectorEnv
from tengen._types import Bot, Size
from tengen.env import ended_by_passes

Observations = NDArray[np.float32]
Actions = NDArray[np.int64]


class Go(gymnasium.Env[Observations, np.int64]):
    """A game of Go against a bot, from the view of one agent.

    An observation is `Position.planes` of the position in which the agent is to move: float32 [6,
    H, W]. An action is the number of a move, the pass last; ``info["action_mask"]`` has the legal
    ones, bool [P + 1]. The reward is 0 until the game ends, then 1 if the agent has won, -1 if it
    has lost, and 0 for a jigo. An illegal move loses the game (``info["illegal_move"]``). A game
    that reaches the limit of plies is truncated, unless two passes end it at this ply.

    Args:
        size: the board: 9, (9, 7) as width and height, or "9x7".
        opponent: the bot: a text, or a function ``choose(position, seed) -> move``.
        color: 1 if the agent has Black, -1 if it has White, None to draw it for each game.
        own_eyes: whether moves that fill an own eye are in the mask.
        render_mode: "ansi" for the board as text, or None.
        rules: keywords of `Position`, such as ``komi=5.5`` or ``rules="chinese"``.

    All random draws, of the colour and of the opponent, follow from the `seed` of `reset`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        size: Size = 9,
        opponent: Bot = "uct:simulations=100",
        *,
        color: int | None = 1,
        own_eyes: bool = True,
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        if color not in (1, -1, None):
            raise ValueError(f"invalid color {color}: expected 1 (Black), -1 (White) or None")
        if render_mode not in (None, "ansi"):
            raise ValueError(f'invalid render_mode {render_mode}: expected "ansi" or None')
        self.render_mode = render_mode
        self.position = Position(size, **rules)
        """The game."""
        self.color = color or 1
        """The colour of the agent in the present game."""
        self._start, self._opponent, self._given = self.position.copy(), opponent, color
        self._own_eyes = own_eyes
        self._player = Player(opponent)
        self._has_ended = False
        shape = self.position.planes().shape
        # Komi is at most 1,000 points and a point for each handicap stone.
        self.observation_space = gymnasium.spaces.Box(-100.0, 100.0, shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.position.points + 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin a game; where the agent has White, the opponent makes the first move.

        Raises `ValueError` if the game ends with this move.
        """
        super().reset(seed=seed)
        self.position = self._start.copy()
        drawn = int(self.np_random.integers(2))
        self.color = self._given if self._given is not None else 1 - 2 * drawn
        self._player = Player(self._opponent, seed=int(self.np_random.integers(2**63)))
        self._has_ended = True
        if self.position.to_play != self.color and not self._reply():
            raise ValueError(
                "the opponent resigns before the agent's first move: "
                "change its setting resign, or komi"
            )
        if self.position.is_over:
            raise ValueError("the game ends before the agent's first move: increase max_plies")
        self._has_ended = False
        return self.position.planes(), self._info()

    def step(self, action: np.int64) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Play `action`, and the opponent's reply."""
        if self._has_ended or self.position.is_over:
            raise ValueError("the game is over: call reset()")
        try:
            self.position.play(index(action))
        except IllegalMove:
            self._has_ended = True
            return self.position.planes(), -1.0, True, False, {**self._info(), "illegal_move": True}
        resigned = not self.position.is_over and not self._reply()
        is_over = self.position.is_over
        reward = 1.0 if resigned else 0.0
        if is_over:
            reward = float(np.sign(self.position.score()) * self.color)
        is_truncated = is_over and not ended_by_passes(self.position)
        is_ended = resigned or (is_over and not is_truncated)
        self._has_ended = is_ended or is_truncated
        return self.position.planes(), reward, is_ended, is_truncated, self._info()

    def _reply(self) -> bool:
        """Play the opponent's move; return False if the opponent resigns."""
        move = self._player.choose(self.position)
        if move is not None:
            self.position.play(move)
        return move is not None

    def _info(self) -> dict[str, Any]:
        mask = self.position.legal(own_eyes=self._own_eyes)
        return {"action_mask": mask, "color": self.color, "score": self.position.score()}

    def render(self) -> str | None:  # type: ignore[override]
        """The board as text, with "ansi"."""
        return str(self.position) if self.render_mode == "ansi" else None


for _side in (5, 7, 9, 13, 19):
    gymnasium.register(
        f"tengen/Go-{_side}x{_side}-v0",
        entry_point="tengen.gymnasium:Go",
        kwargs={"size": _side},
    )


class GymnasiumVectorEnv(gymnasium.vector.VectorEnv[Observations, Actions, NDArray[Any]]):
    """See `tengen.env.gymnasium_vector_env`."""

    def __init__(self, env: VectorEnv) -> None:
        self.env = env
        self.num_envs = env.n
        view = env.reset()
        if not hasattr(view, "observations"):
            raise ValueError("the environment has observations=False: Gymnasium needs observations")
        shape = view.observations.shape[1:]
        mode = gymnasium.vector.AutoresetMode
        self.metadata = {"autoreset_mode": mode.SAME_STEP if env.auto_reset else mode.DISABLED}
        # Komi is at most 1,000 points and a point for each handicap stone.
        self.single_observation_space = gymnasium.spaces.Box(-100.0, 100.0, shape, np.float32)
        self.single_action_space = gymnasium.spaces.Discrete(env.points + 1)
        self.observation_space = batch_space(self.single_observation_space, env.n)
        self.action_space = batch_space(self.single_action_space, env.n)
        self._to_play = view.to_play

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin all games again, or those for which ``options["reset_mask"]`` is true. Nothing is
        drawn from `seed`."""
        mask = None if options is None else options.get("reset_mask")
        view = self.env.reset(mask)
        return self._show(view), self._info(view)

    def step(
        self, actions: Actions
    ) -> tuple[
        Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Play one of `actions` in each game."""
        player = self._to_play
        view = self.env.step(actions)
        own = np.where(player == 1, view.rewards[:, 0], view.rewards[:, 1]).astype(np.float64)
        return self._show(view), own, view.terminated, view.truncated, self._info(view)

    def _show(self, view: Step) -> Observations:
        self._to_play = view.to_play
        return view.observations

    def _info(self, view: Step) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": view.legal,
            "to_play": view.to_play,
            "scores": view.scores,
            "rewards": view.rewards,
        }
        if len(view.ended) and self.env.auto_reset:
            final = np.full(self.num_envs, None, dtype=object)
            for game, planes in zip(view.ended, view.final_observations, strict=True):
                final[game] = planes
            has_final = np.zeros(self.num_envs, dtype=np.bool_)
            has_final[view.ended] = True
            info |= {"final_obs": final, "_final_obs": has_final}
        return info
