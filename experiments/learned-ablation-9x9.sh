#!/bin/sh
# Which features, and how many positions, do learned priors on 9x9 need?
#
#   sh experiments/learned-ablation-9x9.sh
#
# Fits weights to the games of learn-9x9-taught, each time without one kind of feature or with fewer positions, and plays
# them against those of all features and positions, which are the built-in ones. The games of the teacher are played
# first, unless runs/learn-9x9-taught is there.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked --bin learn --bin tournament
games=runs/learn-9x9-taught
if ! test -d $games; then
    target/release/learn --config experiments/configs/learn-9x9-taught.toml --out $games
elif ! test -f $games/weights.txt; then
    target/release/learn --resume $games
fi
fit() {
    name=$1
    shift
    test -f "runs/ablation-9x9/$name/weights.txt" ||
        target/release/learn --from $games/round-1/games --seed 39 --pairs 0 "$@" --out "runs/ablation-9x9/$name"
}
for kind in shape crossing line last before tactic; do
    fit "no-$kind" --leave-out "$kind"
done
for positions in 750 3000 12000; do
    fit "positions-$positions" --positions "$positions"
done
target/release/tournament --plan experiments/configs/learned-ablation-9x9.toml
