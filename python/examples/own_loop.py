"""Self-play with your own loop: 32 games on 5x5, whose leaves the loop answers in batches.

`steps` hands out the leaves of all games, and the body of the loop answers them, here with a
stand-in for a network. It keeps the training data of a network: planes, shares of visits, results.
"""

import numpy as np

import tengen

GAMES = 32
SIMULATIONS = 64

start = tengen.Position(5, max_plies=60)
searches = tengen.Searches(
    [start] * GAMES, "uct:temperature=1:8,root_noise=0.3:0.25", seed=1, evaluator="replies"
)
batches, data = 0, []
while not searches.is_over.all():
    for leaves in searches.steps(SIMULATIONS):
        # A network goes here. This one knows komi and counts stones.
        lead = (leaves.planes[:, 0] - leaves.planes[:, 1]).sum(axis=(1, 2))
        value = 1 / (1 + np.exp(-lead / 4 - leaves.planes[:, 5, 0, 0] * 5))
        leaves.reply(leaves.legal.astype(np.float32), value)
        batches += 1
    found = searches.results()
    for game, position in enumerate(searches.positions):
        if not position.is_over:
            shares = found.visits[game] / found.visits[game].sum()
            data.append((position.planes(), shares, game, position.to_play))
    searches.advance(found.best, keep=False)

scores = np.array([position.score() for position in searches.positions])
planes = np.stack([planes for planes, _, _, _ in data])
policies = np.stack([shares for _, shares, _, _ in data])
results = np.array([(np.sign(scores[game] * player) + 1) / 2 for _, _, game, player in data])
print(f"{GAMES} games in {batches} batches: {planes.shape}, {policies.shape}, {results.shape}")
print(f"Black won {(scores > 0).sum()} games; mean score {scores.mean():+.1f} points")
