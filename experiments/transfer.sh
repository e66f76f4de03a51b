#!/bin/sh
# Are learned priors good on another size of board than that of the games they were fitted to?
#
#   sh experiments/transfer.sh
#
# Fits weights to games on 13x13, and plays them against the built-in ones, which were fitted to games on 9x9, and against
# the heuristic prior on 9x9, 13x13 and 19x19.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked --bin learn --bin tournament
weights=runs/learn-13x13
if ! test -d $weights; then
    target/release/learn --config experiments/configs/learn-13x13.toml --out $weights
elif ! test -f $weights/weights.txt; then
    target/release/learn --resume $weights
fi
for size in 9x9 13x13 19x19; do
    target/release/tournament --plan experiments/configs/transfer-$size.toml
done
