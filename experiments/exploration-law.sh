#!/bin/sh
# Is there a law for the best exploration constant of plain UCT?
#
#   sh experiments/exploration-law.sh OUT
#
# Thompson sampling tunes c of plain UCT in self-play, by 2,000 games in each of 20 cells: 5x5 to 9x9 with 100, 250, 640
# and 1,600 simulations. Two tunings on 11x11, with 250 and 640 simulations, are not part of the fit.
#
# Planned before the first game:
# - In each cell, the log-odds of a duel are the difference of a cubic in ln c at both sides, fitted by maximum likelihood
#   with a normal prior of deviation 10 for each coefficient. The best c* of the cell is the maximum of the cubic between
#   the 1st and the 99th percentile of the played constants. Its standard error is that of 500 bootstrap samples of the
#   duels.
# - Law: ln c* = a + b ln(points) + g ln(simulations) + cell noise, by least squares weighted by the inverse variances,
#   with the variance between cells by restricted maximum likelihood and intervals by Student's t with 17 degrees of
#   freedom (Hartung, Knapp 2001). c* falls with the board if b is below 0 by its 95 % interval; it depends on the number
#   of simulations if the interval of g excludes 0.
# - The law predicts 11x11 if both best constants there lie in its 95 % prediction intervals, widened by their own errors.
# - The published tunings tune-plain-5x5, -7x7 and -9x9 (1,000 simulations) and tune-ucb1-3000-9x9 are told beside the
#   law, as they are.
set -eu
test $# -eq 1 || { echo "usage: sh experiments/exploration-law.sh OUT" >&2; exit 2; }
out=$1
tune=${TUNE:-$(dirname "$0")/../target/release/tune}
seed=200
for size in 5 6 7 8 9 11; do
    for simulations in 100 250 640 1600; do
        seed=$((seed + 1))
        case $size-$simulations in 11-100 | 11-1600) continue ;; esac
        run=$out/${size}x$size-$simulations
        test -f "$run/validation.csv" && continue
        rm -rf "$run"
        "$tune" --size $size --bot plain:simulations=$simulations --param exploration=0.03..3:log --games 2000 \
            --validation 1 --seed $seed --threads "${THREADS:-1}" --name exploration-law --out "$run" >/dev/null
    done
done
