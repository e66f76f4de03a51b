#!/bin/sh
# How much is parallel search worth on 9x9, against itself and against GNU Go?
#
#   sh experiments/parallel-9x9.sh RUN...    plays RUN into results/<date>-RUN; a RUN is
#                                            self-4-C, self-16-C or gnugo-C, C is 0.3 or 0.02
#
# Chaslot, Winands and van den Herik (2008), 13x13, 16 threads: root parallel search is worth
# 14.9 times the simulations, tree parallel search with virtual loss 8.5, leaf parallel 2.4.
# Hypotheses: root is ahead of tree with the small exploration constant only (0.02; 0.3 is the best
# one of plain UCT, results/2026-11-21-plain-9x9); leaf is good only because every node
# tries all its moves first, as it does here with either constant.
#
# Planned before the runs: n times the simulations for n processors (no clock runs), plain UCT, so
# that factor 1 is 250 simulations a move in self-play, 1,000 against GNU Go.
# - self-4-C, self-16-C: root, tree and leaf search at n = 4 or 16, 400 games each against one
#   sequential search of about their strength, as have those of the doubling curve near them.
# - gnugo-C: the same six searches and the curve against GNU Go 3.8 level 1, 200 games each.
# Root is found ahead of tree where its strength-speedup has an interval above that of tree
# without overlap, behind where below; else neither is shown. The speedups of both kinds of
# opponents agree where their intervals overlap.
set -eu
cd "$(dirname "$0")/.."
scaling="cargo run --release --bin scaling --"

for run in "$@"; do
    c=${run##*-}
    case $c in 0.3 | 0.02) ;; *) echo "$run: the exploration constant is 0.3 or 0.02" >&2; exit 2 ;; esac
    set -- --part parallel --size 9 --schemes root,tree,leaf --work fixed_time \
        --bot-settings "rave=none,prior=none,exploration=$c" --out "results/$(date +%F)-parallel-$run-9x9"
    case $run in
    self-4-*)
        $scaling "$@" --playouts 250 --parallel 4 --factors 1,2,4,8,16 --reference 4 \
            --pairs 200 --seed 20261201 ;;
    self-16-*)
        $scaling "$@" --playouts 250 --parallel 16 --factors 2,4,8,16,32 --reference 8 \
            --pairs 200 --seed 20261202 ;;
    gnugo-*)
        $scaling "$@" --playouts 1000 --parallel 4,16 --factors 1,2,4,8,16,32 --pairs 100 \
            --seed 20261203 --games-per-thread 16 \
            --opponent "gnugo-1=gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --play-out-aftermath" ;;
    *) echo "$run: no such run" >&2; exit 2 ;;
    esac
done
