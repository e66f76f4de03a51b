#!/bin/sh
# How many uniform playouts per second does Tengen make, and how many libego, in turns on this machine?
#
#   git clone https://github.com/lukaszlew/libego && git -C libego checkout 9ca2b07
#   sh experiments/libego.sh libego OUT [ROUNDS]
#
# libego (Lew, September 2008) is built for each size with -O2 and with -O3 for this machine, its mercy rule off.
# Each round goes once through sizes and programs, so that other load affects all of them alike. OUT gets
#   libego_rounds.csv  a row per measurement: playouts per second of CPU time
#   libego.csv         the medians over the rounds, and their ratio to the better build of libego
#   machine.txt        processor, compiler, commit
# The program `playouts` of target/release is measured on one thread, with each instruction set of the machine.
set -eu
test $# -ge 2 || { echo "usage: sh experiments/libego.sh LIBEGO OUT [ROUNDS]" >&2; exit 2; }
libego=$(cd "$1" && pwd)
test -f "$libego/playout.cpp" || { echo "$1 is no folder of libego: playout.cpp is not there" >&2; exit 2; }
mkdir -p "$2"
out=$(cd "$2" && pwd)
rounds=${3:-7}
cd "$(dirname "$0")/.."
playouts=target/release/playouts
test -x $playouts || { echo "$playouts is not there: run cargo build --release" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sizes="5:800000 7:400000 9:250000 13:120000 19:50000"
for size in $sizes; do
    for level in O2 O3; do
        side=${size%:*}
        cp -r "$libego" "$work/$side-$level"
        sed -i "s/^\(const uint board_size *= \)9;/\1$side;/" "$work/$side-$level/config.cpp"
        (cd "$work/$side-$level" && g++ -$level -march=native -fomit-frame-pointer -DDEBUG -w -o ego main.cpp)
    done
done

isas="baseline"
for isa in avx2 avx512; do
    $playouts --size 5 --isa $isa --playouts 100 --repeats 1 >"$work/probe" 2>&1 && isas="$isas $isa"
done

{
    grep -m 1 "model name" /proc/cpuinfo | sed 's/.*: //'
    g++ --version | head -n 1
    $playouts --version
    git rev-parse HEAD
} >"$out/machine.txt"

echo "round,size,program,playouts_per_second" >"$out/libego_rounds.csv"
for round in $(seq "$rounds"); do
    for size in $sizes; do
        side=${size%:*}
        for level in O2 O3; do
            (cd "$work/$side-$level" && printf 'benchmark %s\nquit\n' "${size#*:}" | ./ego 2>/dev/null) |
                awk -v begin="$round,$side,libego -$level" '/kpps$/ { printf "%s,%d\n", begin, $1 * 1000 }' >>"$out/libego_rounds.csv"
        done
        for isa in $isas; do
            $playouts --size "$side" --isa "$isa" --seconds 1 --repeats 1 --out "$work/of-$round-$side-$isa" >/dev/null
            awk -F, -v begin="$round,$side,tengen $isa" \
                'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "playouts_per_cpu_second") at = i; next }
                 { printf "%s,%d\n", begin, $at }' "$work/of-$round-$side-$isa/playouts.csv" >>"$out/libego_rounds.csv"
        done
    done
    echo "round $round of $rounds" >&2
done

sort -t, -k2,2n -k3,3 -k4,4n "$out/libego_rounds.csv" | awk -F, '
    $1 == "round" { next }
    { of = $2 "," $3; number[of]++; value[of, number[of]] = $4; if (!(of in order)) { order[of] = ++all; name[all] = of } }
    END {
        for (i = 1; i <= all; i++) {
            of = name[i]; n = number[of]
            median[of] = n % 2 ? value[of, (n + 1) / 2] : (value[of, n / 2] + value[of, n / 2 + 1]) / 2
            split(of, part, ",")
            if (part[2] ~ /^libego/ && median[of] > best[part[1]]) best[part[1]] = median[of]
        }
        print "size,program,playouts_per_second,to_libego"
        for (i = 1; i <= all; i++) {
            of = name[i]; split(of, part, ",")
            printf "%s,%d,%.2f\n", of, median[of], median[of] / best[part[1]]
        }
    }' >"$out/libego.csv"
cat "$out/libego.csv"
