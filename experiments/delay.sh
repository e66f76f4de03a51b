#!/bin/sh
# How much regret does delay cost each tuning method on synthetic surfaces?
#
#   sh experiments/delay.sh OUT [GAMES:REPEATS]...
#
# Runs `tune --synthetic` for each surface and number of games in flight, by default with 1,000 games and 100 repeats and
# with 4,000 games and 30 repeats. Each surface has its own seed, so that sums over surfaces have independent terms.
# A second call skips runs that are in OUT already. TUNE names the program (target/release/tune), THREADS the number of
# its threads (1). Writes into OUT:
#   runs/        the runs
#   regret.csv   their rows, with a column look_ahead
#   delay.csv    for each method, number of games and look-ahead the regret summed over the surfaces, and the cost of delay
set -eu
test $# -ge 1 || { echo "usage: sh experiments/delay.sh OUT [GAMES:REPEATS]..." >&2; exit 2; }
out=$1
shift
test $# -ge 1 || set -- 1000:100 4000:30
tune=${TUNE:-$(dirname "$0")/../target/release/tune}
mkdir -p "$out/runs"
for cell in "$@"; do
    for ahead in 1 16 64 256; do
        methods=thompson,clop,spsa
        # Delay changes no game of a grid: the ends suffice.
        case $ahead in 1 | 256) methods=$methods,halving,sweep ;; esac
        seed=0
        for surface in LOG FLAT POWER ANGLE STEP ROSENBROCK CORRELATED; do
            seed=$((seed + 1))
            run=$out/runs/${cell%:*}-$ahead-$surface
            test -d "$run" && continue
            rm -rf "$out/part"
            "$tune" --synthetic $surface --method $methods --games "${cell%:*}" --repeats "${cell#*:}" \
                --look-ahead $ahead --seed $seed --threads "${THREADS:-1}" --out "$out/part" >/dev/null
            mv "$out/part" "$run"
        done
    done
done
for file in "$out"/runs/*/regret.csv; do
    ahead=${file%/regret.csv}
    ahead=${ahead%-*}
    sed "1d; s/^/${ahead##*-},/" "$file"
done | LC_ALL=C sort -t, -k3,3 -k5,5n -k1,1n -s | awk -F, -v OFS=, '
    BEGIN { print "surface,method,duels,games,look_ahead,repeats,mean_regret,low,high,coverage,width" }
    { print $2, $3, $4, $5, $1, $6, $7, $8, $9, $10, $11 }' >"$out/regret.csv"
awk -F, -v OFS=, '
    function flush() {
        if (!key) return
        if (ahead == 1) { base = sum; base_squares = squares }
        cost = sum - base
        # Equal sums come from equal games.
        half = cost == 0 ? 0 : sqrt(squares + base_squares)
        print key, repeats, sum, sum - sqrt(squares), sum + sqrt(squares), \
            (ahead == 1 ? OFS OFS : cost OFS cost - half OFS cost + half)
    }
    NR == 1 { print "method,duels,games,look_ahead,repeats,regret,regret_low,regret_high,cost,cost_low,cost_high"; next }
    { now = $2 OFS $3 OFS $4 OFS $5 }
    now != key { flush(); key = now; ahead = $5; sum = squares = 0 }
    { repeats = $6; sum += $7; squares += ($9 - $7) ^ 2 }
    END { flush() }' "$out/regret.csv" >"$out/delay.csv"
