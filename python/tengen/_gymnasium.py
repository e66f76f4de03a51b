"""Gymnasium's interface to a vector environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tengen._tengen import Step, VectorEnv

Observations = NDArray[np.float32]
Actions = NDArray[np.int64]


class GymnasiumVectorEnv(gymnasium.vector.VectorEnv[Observations, Actions, NDArray[Any]]):
    """See `tengen.env.gymnasium_vector_env`."""

    def __init__(self, env: VectorEnv) -> None:
        self.env = env
        self.num_envs = env.n
        view = env.reset()
        if view.observations is None:
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
        assert view.observations is not None
        return view.observations

    def _info(self, view: Step) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": view.legal,
            "to_play": view.to_play,
            "scores": view.scores,
            "rewards": view.rewards,
        }
        if len(view.ended) and self.env.auto_reset:
            assert view.final_observations is not None
            final = np.full(self.num_envs, None, dtype=object)
            for game, planes in zip(view.ended, view.final_observations, strict=True):
                final[game] = planes
            has_final = np.zeros(self.num_envs, dtype=np.bool_)
            has_final[view.ended] = True
            info |= {"final_obs": final, "_final_obs": has_final}
        return info
