"""A vector environment: 256 games of 9x9, stepped by arrays, until 1,000 have ended.

The moves are drawn by a policy that prefers points next to the last stone.
"""

import numpy as np

import tengen

env = tengen.vector_env(256, 9, own_eyes=False)
draw = np.random.default_rng(1)
step = env.reset()
black_wins, scores, lengths = 0.0, list[float](), list[int]()
while len(scores) < 1000:
    # Weights of moves: 1, but 4 beside the last stone; the pass only if no other move is legal.
    last = np.pad(step.observations[:, 3], ((0, 0), (1, 1), (1, 1)))
    beside = last[:, :-2, 1:-1] + last[:, 2:, 1:-1] + last[:, 1:-1, :-2] + last[:, 1:-1, 2:]
    weights = np.full((env.n, env.points + 1), 1e-9)
    weights[:, :-1] = 1 + 3 * beside.reshape(env.n, -1)
    # The smallest of exponential draws, each divided by a weight, is a draw by these weights.
    waits = draw.exponential(size=weights.shape) / (weights * step.legal + 1e-300)
    plies = env.plies
    step = env.step(waits.argmin(axis=1))
    # The games of `ended` have begun again; rewards and scores belong to the ended games.
    black_wins += (step.rewards[step.ended, 0] > 0).sum()
    scores += step.scores[step.ended].tolist()
    lengths += (plies[step.ended] + 1).tolist()

print(f"{len(scores)} games of {np.mean(lengths):.0f} plies on average")
print(f"Black won {black_wins / len(scores):.1%}; mean score {np.mean(scores):+.1f} points")
