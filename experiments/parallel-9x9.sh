#!/bin/sh
# How much is parallel search worth on 9x9, against itself and against GNU Go?
#
#   sh experiments/parallel-9x9.sh RUN...    plays each RUN into runs/<date>-parallel-RUN-9x9;
#                                            a RUN is self-4-C, self-16-C or gnugo-C, C is 0.3 or 0.02
#
# Chaslot, Winands and van den Herik (2008), 13x13, 16 threads: root parallel search is worth
# 14.9 times the simulations, tree parallel search with virtual loss 8.5, leaf parallel 2.4.
# Hypothesis: root is ahead of tree with the small exploration constant only (0.02; 0.3 won most
# of seven constants at 3,000 simulations, results/2026-11-21-plain-9x9). Leaf search is expected near
# tree search here, where every node tries all its moves first; a run with a finite first play, to
# which it would owe less, is not among these.
#
# Planned before the runs: n times the simulations for n processors (no clock runs), plain UCT.
# - self-4-C, self-16-C: root, tree and leaf search at n = 4 or 16, 400 games each against a
#   sequential search of about equal strength; 400 each against it by sequential searches of 250 to
#   4,000 or 500 to 8,000 simulations, which are the doubling curve. Factor 1 is 250 simulations.
# - gnugo-C: the same six parallel searches and sequential ones of 1,000 to 32,000 simulations
#   against GNU Go 3.8 level 1, 200 games each. Factor 1 is 1,000 simulations.
# Root is found ahead of tree where the interval of its strength-speedup lies above that of tree,
# behind where it lies below; if they overlap, no difference is shown. The same holds between
# the two kinds of opponents.
set -eu
cd "$(dirname "$0")/.."
scaling="cargo run --release --bin scaling --"

test $# -gt 0 || { echo "name a run: self-4-0.3, self-16-0.3, gnugo-0.3 or with 0.02" >&2; exit 2; }
for run in "$@"; do
    case $run in
    self-4-0.3 | self-4-0.02)
        set -- --simulations 250 --parallel 4 --factors 1,2,4,8,16 --reference 4 --pairs 200 --seed 20261201 ;;
    self-16-0.3 | self-16-0.02)
        set -- --simulations 250 --parallel 16 --factors 2,4,8,16,32 --reference 8 --pairs 200 --seed 20261202 ;;
    gnugo-0.3 | gnugo-0.02)
        set -- --simulations 1000 --parallel 4,16 --factors 1,2,4,8,16,32 --pairs 100 --seed 20261203 \
            --games-per-thread 16 --opponent \
            "gnugo-1=gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --play-out-aftermath" ;;
    *) echo "$run: the runs are self-4-C, self-16-C and gnugo-C, and C is 0.3 or 0.02" >&2; exit 2 ;;
    esac
    $scaling --part parallel --size 9 --schemes root,tree,leaf --work fixed_time \
        --bot-settings "rave=none,prior=none,policy=uniform,expansion=2,exploration=${run##*-}" \
        --out "runs/$(date +%F)-parallel-$run-9x9" "$@"
done
