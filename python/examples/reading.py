"""Read a run: its tables as arrays, statistics of one pairing, and a plot.

    python reading.py [FOLDER]

Without a folder it plays a small tournament first.
"""

import sys

import numpy as np

import tengen

if len(sys.argv) > 1:
    run = tengen.read(sys.argv[1])
else:
    run = tengen.tournament(
        bot={
            "c0.4": "uct:simulations=200,exploration=0.4",
            "c1.0": "uct:simulations=200,exploration=1",
        },
        size=7,
        pairs=20,
        out="runs/python-reading",
        progress=False,
    )

print(run.conditions)
print(run.ratings)

# The first pairing by hand: two games on one opening with the colours swapped are a pair.
games = run.games
is_first = games["pairing"] == 0
name = games["black"][is_first][0]
points = {"black": 1.0, "white": 0.0, "jigo": 0.5}
results = np.array([points[outcome] for outcome in games["outcome"][is_first]])
results = np.where(games["black"][is_first] == name, results, 1 - results)
cells = np.bincount(games["pair"][is_first], weights=2 * results).astype(int)
counts = np.bincount(cells, minlength=5)
summary = tengen.stats.pairs(counts)
low, high = summary.elo_interval
elo = f"{summary.elo:+.0f} Elo ({low:+.0f} to {high:+.0f})"
print(f"{name}: pairs {counts}, {summary.score:.1%}, {elo}")

plot = "win_rates" if "win_rates" in run.plots else next(iter(run.plots))
run.plots[plot].save("python-reading.svg")
print("the plot", plot, "is in python-reading.svg")
