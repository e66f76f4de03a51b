#!/bin/sh
# How does the worth of a doubling fall with the simulations per point of the board?
#
#   sh experiments/doublings.sh OUT
#
# Plain UCT with c = 0.3 plays itself with half the simulations: 500 pairs at each of eight doublings, from 32 to 8,192
# simulations, on 5x5, 7x7 and 9x9.
#
# Planned before the first game:
# - The gain of a doubling is the Elo of its match, by the win rate of the pairs. Only neighbours meet, so no rating and no
#   prior stands between.
# - Model: gain = a + b log2(simulations / points) + q log2(simulations / points)^2 + s by board + noise of the match, by
#   least squares weighted by the inverse variances, where simulations are the greater number, with a variance between
#   matches by restricted maximum likelihood, and intervals by Student's t.
# - One curve serves all boards if both intervals of s (7x7 and 9x9 against 5x5) lie within 50 Elo of 0; boards differ if
#   one excludes 0; else that is undecided.
# - Returns diminish if the gain at the greatest number of simulations per point is below the greatest gain of its board,
#   by 95 % intervals of the difference with Holm over the three boards.
set -eu
test $# -eq 1 || { echo "usage: sh experiments/doublings.sh OUT" >&2; exit 2; }
out=$1
tournament=${TOURNAMENT:-$(dirname "$0")/../target/release/tournament}
for size in 5 7 9; do
    run=$out/${size}x$size
    test -f "$run/summary.csv" && continue
    rm -rf "$run"
    set --
    for simulations in 32 64 128 256 512 1024 2048 4096 8192; do
        set -- "$@" --bot "$simulations=plain:simulations=$simulations,exploration=0.3"
    done
    "$tournament" --size $size "$@" --format neighbors --pairs 500 --seed "30$size" --threads "${THREADS:-1}" \
        --name "doublings-${size}x$size" --out "$run" >/dev/null
done
