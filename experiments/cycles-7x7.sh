#!/bin/sh
# How far are variants of Monte Carlo tree search from a transitive order?
#
#   sh experiments/cycles-7x7.sh OUT
#
# Twelve bots play each other on 7x7 with equal numbers of simulations: 66 pairings of 200 pairs, with 100 simulations and
# with 400. Eleven are plain UCT with one change.
#
# Planned before the first game:
# - y is the log-odds of the score of a pairing, with half a pair won and half a pair lost added; its variance is by the
#   delta method from the pairs, with the pseudo-pairs of the interval of a match.
# - Hodge decomposition (Jiang, Lim, Yao, Ye 2011): ratings are the weighted least squares fit of y. What is left, in a
#   complete graph, is cyclic.
# - Test: the weighted sum of squares of what is left, against 2,000 samples in which the ratings are true and each
#   pairing has its own error. Holm over the two budgets. Variants are cyclic if p is below 5 %.
# - Size: the root mean square of what is left, less its expected square under the test's null, in Elo, with a 95 %
#   interval from 2,000 bootstrap samples of the pairs of each pairing. This is the error, in Elo, of a match that is
#   predicted from perfectly known ratings.
# - A cycle of three is shown if its three matches are each won beyond chance, by Holm over the 220 triples: p of a triple
#   is the greatest of its three.
set -eu
test $# -eq 1 || { echo "usage: sh experiments/cycles-7x7.sh OUT" >&2; exit 2; }
out=$1
tournament=${TOURNAMENT:-$(dirname "$0")/../target/release/tournament}
for simulations in 100 400; do
    run=$out/$simulations
    test -f "$run/summary.csv" && continue
    rm -rf "$run"
    set --
    while read -r name settings; do
        set -- "$@" --bot "$name=$settings,simulations=$simulations"
    done <<END
plain plain:exploration=0.5
c-0.2 plain:exploration=0.2
thompson plain:selection=thompson
rave plain:rave=equivalence:300,exploration=0
min-mse plain:rave=min-mse:0.1,exploration=0
heuristic plain:prior=heuristic:20
learned plain:prior=learned
capture-escape plain:policy=capture-escape:1
mogo plain:policy=mogo:0.9:1
tactical plain:policy=tactical:1:0.9:0.9:1:1
workers plain:workers=4
default uct:prior=heuristic:20,expansion=8,policy=capture-escape:0.9
END
    "$tournament" --size 7 "$@" --pairs 200 --seed "7$simulations" --threads "${THREADS:-1}" \
        --name "cycles-7x7-$simulations" --out "$run" >/dev/null
done
