#!/bin/sh
# How fast are Tengen and libego in turns on this machine: uniform playouts, and searches?
#
#   git clone https://github.com/lukaszlew/libego && git -C libego checkout 9ca2b07
#   sh experiments/libego.sh libego OUT [ROUNDS]
#
# libego (Lew, September 2008) is built for each size with -O2 and with -O3 for this machine, its mercy rule off. Its UCT
# is left as it is: a node gets children after 100 visits. Each round (7 by default) goes once through sizes and programs, so
# that other load affects all of them alike. The programs `playouts` and `scaling` of target/release are measured on
# one thread, playouts with each instruction set of the machine. OUT becomes a study (docs/results.md):
#   measurements.csv  a row per measurement, per second of CPU time (of searches of libego: user time)
#   speeds.csv        medians of the rounds, and their ratios to the faster build of libego
#   study.toml, and machine.txt with processor, compiler and commit
# experiments/instructions.sh adds counts of instructions, and results/scripts/study.py --plots draws plots.
set -eu
test $# -ge 2 || { echo "usage: sh experiments/libego.sh LIBEGO OUT [ROUNDS]" >&2; exit 2; }
libego=$(cd "$1" && pwd)
test -f "$libego/playout.cpp" || { echo "$1 is no folder of libego: playout.cpp is not there" >&2; exit 2; }
mkdir -p "$2"
out=$(cd "$2" && pwd)
rounds=${3:-7}
cd "$(dirname "$0")/.."
tengen=target/release
for program in playouts scaling; do
    test -x $tengen/$program || { echo "$tengen/$program is not there: run cargo build --release" >&2; exit 2; }
done
command -v python3 >/dev/null || { echo "python3 is missing" >&2; exit 2; }
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
    $tengen/playouts --size 5 --isa $isa --playouts 100 --repeats 1 >"$work/probe" 2>&1 && isas="$isas $isa"
done

echo 'kind = "speed"' >"$out/study.toml"
{
    grep -m 1 "model name" /proc/cpuinfo | sed 's/.*: //'
    g++ --version | head -n 1
    $tengen/playouts --version
    git rev-parse HEAD
} >"$out/machine.txt"

# Prints the column of the first argument of the CSV file of the second, for rows of measurements.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$2"
}

# measured QUANTITY SIZE PROGRAM: a row for each speed on standard input, of which there must be one.
measured() {
    awk -v begin="$1,$architecture,$2,$3,$round" '$1 > 0 { printf "%s,%d,%d\n", begin, NR, $1; found = 1 } END { exit !found }' \
        >>"$out/measurements.csv" || { echo "$3 gave no speed on $2x$2" >&2; exit 1; }
}

# search SIZE SIMULATIONS NAME SETTINGS [OPTIONS]
search() {
    of="$work/of-$round-$1-$3"
    $tengen/scaling --part speed --size "$1" --simulations "$2" --repeats 1 --bot "$3=uct${4:+:$4}" ${5:-} --out "$of" >/dev/null
    column simulations_per_cpu_second "$of/speed.csv" | measured simulations "$1" "$3"
}

ucb1="expansion=1,exploration=0.5,rave=none,prior=none,policy=uniform"
play="prior=learned:14:100,expansion=2,policy=mogo:0.9:1"
architecture=$(uname -m)
echo "quantity,architecture,size,program,round,measurement,per_second" >"$out/measurements.csv"
for round in $(seq "$rounds"); do
    for size in $sizes; do
        side=${size%:*}
        for level in O2 O3; do
            echo "benchmark ${size#*:}" >"$work/benchmark"
            (cd "$work/$side-$level" && ./ego "$work/benchmark" </dev/null 2>/dev/null) |
                awk '/kpps$/ { print $1 * 1000 }' | measured playouts "$side" "libego -$level"
        done
        for isa in $isas; do
            $tengen/playouts --size "$side" --isa "$isa" --seconds 1 --repeats 1 --out "$work/of-$round-$side-$isa" >/dev/null
            column playouts_per_cpu_second "$work/of-$round-$side-$isa/playouts.csv" | measured playouts "$side" "tengen $isa"
        done
    done
    for size in 9:10000:6 19:2500:2; do
        side=${size%%:*}
        for level in O2 O3; do
            # One move of libego is 50,000 simulations, from the empty board each time. The user time of a program that
            # searches is compared with one that does not.
            moves=${size##*:}
            for of in 0 "$moves"; do
                { yes "clear_board
genmove b" | head -n $((2 * of)); echo quit; } >"$work/moves-$of"
                (cd "$work/$side-$level" && bash -c "TIMEFORMAT=%U; time ./ego '$work/moves-$of' </dev/null >/dev/null 2>&1") 2>"$work/time-$of"
            done
            echo "$moves $(cat "$work/time-0") $(cat "$work/time-$moves")" | awk '{ print $1 * 50000 / ($3 - $2) }' |
                measured simulations "$side" "libego -$level"
        done
        simulations=${size#*:}
        simulations=${simulations%:*}
        search "$side" "$simulations" ucb1 "$ucb1"
        search "$side" "$simulations" default ""
        search "$side" "$simulations" play "$play"
        many=$((10 * simulations))
        search "$side" "$many" ucb1-alone "$ucb1" "--searches 1"
        search "$side" "$many" default-alone "" "--searches 1"
        search "$side" "$many" default-alone-16 in_flight=16 "--searches 1"
        search "$side" "$many" play-alone-16 "$play,in_flight=16" "--searches 1"
    done
    echo "round $round of $rounds" >&2
done
python3 results/scripts/study.py "$out"
