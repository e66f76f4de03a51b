#!/usr/bin/env bash
# The long form of tests/program/parts.rs: a run of 200 games is killed with -9 twenty
# times at random moments and resumed each time; its games must be those of the
# run in one piece.
#
# Usage: tests/kill.sh [SEED], after cargo build --release
set -euo pipefail
cd "$(dirname "$0")/.."
RANDOM=${1:-1}
program=${CARGO_TARGET_DIR:-target}/release/tournament
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
settings=(--size 5 --pairs 100 --seed 5 --bot uct:simulations=2000 --bot two-ply)

"$program" "${settings[@]}" --out "$scratch/whole" > "$scratch/whole.txt"
begin=("$program" "${settings[@]}" --out "$scratch/killed")
"${begin[@]}" > /dev/null 2>&1 &
child=$!
kills=0
while [ "$kills" -lt 20 ]; do
    sleep "0.$((RANDOM % 5))$((RANDOM % 10))"
    if ! kill -9 "$child" 2> /dev/null; then
        echo "the run ended after $kills kills: make it longer" >&2
        exit 1
    fi
    wait "$child" 2> /dev/null || true
    kills=$((kills + 1))
    if [ -f "$scratch/killed/config.toml" ]; then
        "$program" --resume "$scratch/killed" > "$scratch/killed.txt" 2>&1 &
    else
        rm -rf "$scratch/killed"
        "${begin[@]}" > "$scratch/killed.txt" 2>&1 &
    fi
    child=$!
done
wait "$child"

# All columns but those of seconds, and the check.
games() { sed 's/,[^,]*$//' "$1/games.csv" | cut -d, -f2-16,19-; }
numbers() { tail -n +2 "$1/games.csv" | cut -d, -f2 | sort -n; }
diff <(games "$scratch/whole") <(games "$scratch/killed")
diff <(numbers "$scratch/killed") <(seq 0 199)
diff "$scratch/whole/summary.csv" "$scratch/killed/summary.csv"
sessions=$(grep -c '^\[\[session\]\]' "$scratch/killed/manifest.toml")
echo "killed $kills times, $sessions sessions: 200 games, none twice, none missing, all equal"
