"""Go as an environment of PettingZoo (AEC, for two agents), for which PettingZoo must be installed.

env = tengen.pettingzoo.env(size=9)
env.reset()
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from operator import index
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tengen._tengen import Position
from tengen._types import Size
from tengen.env import ended_by_passes

__all__ = ["GoEnv", "env"]

Observation = dict[str, NDArray[Any]]

Action: TypeAlias = SupportsIndex | None
"""The number of a move, as `Discrete.sample` draws it; None from an agent whose game is over."""

BLACK, WHITE = "black_0", "white_0"
MOST_KOMI = 100.0


def env(size: Size = 9, **settings: Any) -> AECEnv[str, Observation, Action]:
    """`GoEnv` with PettingZoo's usual wrappers: an illegal move ends the game with -1 for the agent
    who made it, and steps out of order are errors."""
    game: AECEnv[str, Observation, Action] = GoEnv(size, **settings)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


class GoEnv(AECEnv[str, Observation, Action]):
    """A game of Go between the agents ``"black_0"`` and ``"white_0"``.

    Actions are the numbers of moves: of a point, 0 for A1, then row by row from the lowest line, or
    the number of points for the pass. An illegal move raises `IllegalMove` and leaves the game
    unchanged.

    An observation has `observation`, float32 [6, H, W]: the planes of `Position.planes` from the
    view of the agent, except that both agents see the same legal points and last moves. It also has
    `action_mask`, bool as int8 [points + 1]: the legal moves, superko considered, and all 0 for the
    agent who is not to move.

    Rewards at the end are 1 for the winner and -1 for the loser, 0 at jigo. Two passes terminate a
    game; at the limit of plies it is truncated and scored as the board stands. At the end `infos`
    have the `score`: Black's points minus White's minus komi.

    `size` and `settings` (`komi`, `rules`, `ko`, `suicide`, `max_plies`) are those of `Position`.
    With ``render_mode="ansi"``, `render` returns the board as text.
    """

    def __init__(self, size: Size = 9, *, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__()
        self.metadata = {
            "name": "tengen_go_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        if render_mode not in (None, "ansi"):
            raise ValueError(f"invalid render_mode {render_mode!r}: expected None or 'ansi'")
        self.render_mode = render_mode
        self._start = Position(size, **settings)
        self.position = self._start.copy()
        width, height = self._start.size
        actions = self._start.points + 1
        self.possible_agents = [BLACK, WHITE]
        self.agents = [BLACK, WHITE]
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(
                        -MOST_KOMI, MOST_KOMI, (6, height, width), np.float32
                    ),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of moves."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Planes and mask."""
        return self.observation_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What `agent` sees."""
        planes = self.position.planes(own_eyes=True)
        mask = self.position.legal().astype(np.int8)
        if agent != self._to_move():
            # Stones from the other side, and komi with the other sign.
            planes = planes[[1, 0, 2, 3, 4, 5]]
            planes[5] *= -1
            mask[:] = 0
        return {"observation": planes, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Nothing is drawn from `seed`."""
        self.position = self._start.copy()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, float]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def step(self, action: Action) -> None:
        """Play `action` for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"the action of {agent} is None: expected the number of a move")
        self.position.play(index(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.position.is_over:
            by_passes = ended_by_passes(self.position)
            score = self.position.score()
            for player, sign in ((BLACK, 1), (WHITE, -1)):
                self.rewards[player] = float(np.sign(score) * sign)
                self.terminations[player] = by_passes
                self.truncations[player] = not by_passes
                self.infos[player] = {"score": score}
        self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _to_move(self) -> str:
        return BLACK if self.position.to_play == 1 else WHITE
