#!/bin/sh
# When does playing in colour-swapped pairs save games?
#
#   sh experiments/pair-savings.sh OUT
#
# In a match of n games of independent openings and colours the win rate p has the variance p(1 - p)/n. In pairs it is
# (1 + r) times as large, where r is the correlation of the results of the two games of a pair, from one bot's view. So a
# match in pairs needs 1 + r times the games, and pairs save games where r is below 0.
#
# The 72 cells are all mixes of
#   board        7x7 and 9x9
#   plies        0, 2, 4 and 8 random moves before the bots begin
#   komi         the default (8.5 on 7x7, 7.5 on 9x9), 4 more and 12 more
#   gap          200 simulations against 200, 141 and 100
# Both bots are plain UCT with c = 0.3. Each cell has 800 pairs on openings of its own.
#
# Planned before the first game:
# - r of a cell is from its pairs with four pseudo-pairs of equal players (1 lost, 2 split, 1 won), as the interval of a
#   match has them; its standard error is from 2,000 bootstrap samples of the pairs.
# - Theory: if the colour and the opening alone decided games between equal bots, r would be -(2B - 1)^2 - 4v, where B is
#   the win rate of Black and v the variance of Black's chance over openings.
# - Model: r = a - b (2B - 1)^2 - d (plies > 0) - e (rate - 1/2)^2 + cell noise, by least squares weighted by the
#   inverse variances, with a variance between cells by DerSimonian and Laird. Komi saves games if b is above 0, random
#   openings if d is above 0, both by 95 % intervals.
# - By default openings and komi, pairs save games on a board if the mean r of the three gaps at 4 plies is below 0 by its
#   95 % interval.
# - Openings without moves repeat the empty board: there d is 0, and r is due to the colour alone.
set -eu
test $# -eq 1 || { echo "usage: sh experiments/pair-savings.sh OUT" >&2; exit 2; }
out=$1
tournament=${TOURNAMENT:-$(dirname "$0")/../target/release/tournament}
seed=100
for board in 7:8.5 9:7.5; do
    for plies in 0 2 4 8; do
        for more in 0 4 12; do
            for simulations in 200 141 100; do
                seed=$((seed + 1))
                run=$out/${board%:*}x${board%:*}-plies-$plies-komi+$more-$simulations
                test -f "$run/summary.csv" && continue
                rm -rf "$run"
                "$tournament" --size "${board%:*}" --komi "$(echo "${board#*:} + $more" | bc)" --opening-plies $plies \
                    --bot "more=plain:simulations=200,exploration=0.3" \
                    --bot "less=plain:simulations=$simulations,exploration=0.3" \
                    --pairs 800 --seed $seed --threads "${THREADS:-1}" --name pair-savings --out "$run" >/dev/null
            done
        done
    done
done
