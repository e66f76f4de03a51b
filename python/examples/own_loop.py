"""The loop of the searches in one's own hands: 32 games of self-play on 5x5 by batches of leaves.

`steps` hands out the leaves of all games; whoever loops answers them, here with a stand-in for a
network. The visits and results of the games are what a network would learn from.
"""

import numpy as np

import tengen

GAMES = 32
SIMULATIONS = 64

start = tengen.Position(5, max_plies=60)
searches = tengen.Searches(
    [start] * GAMES, "uct:temperature=1:8,root_noise=0.3:0.25", seed=1, evaluator="replies"
)
batches, leaves_seen, learned = 0, 0, 0
while not searches.is_over.all():
    for leaves in searches.steps(SIMULATIONS):
        # A network goes here. This one knows komi and counts stones.
        lead = (leaves.planes[:, 0] - leaves.planes[:, 1]).sum(axis=(1, 2))
        value = 1 / (1 + np.exp(-lead / 4 - leaves.planes[:, 5, 0, 0] * 5))
        leaves.reply(leaves.legal.astype(np.float32), value)
        batches, leaves_seen = batches + 1, leaves_seen + len(leaves)
    found = searches.results()
    # What the policy would learn: the visits, as shares, where a search visited a move.
    seen = found.visits.sum(axis=1) > 0
    targets = found.visits[seen] / found.visits[seen].sum(axis=1, keepdims=True)
    learned += len(targets)
    searches.advance(found.best, keep=False)

scores = np.array([position.score() for position in searches.positions])
print(f"{GAMES} games, {learned} positions, {leaves_seen} leaves in {batches} batches")
print(f"Black won {(scores > 0).sum()} games; mean score {scores.mean():+.1f} points")
