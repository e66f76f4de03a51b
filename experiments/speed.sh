#!/bin/sh
# How fast are Tengen's playouts and searches on this machine, and where does the time of a search go?
#
#   cargo build --release && cargo build --release --example policy
#   git clone https://github.com/lukaszlew/libego && git -C libego checkout 9ca2b07
#   LIBEGO=libego OLD=old/target/release/tengen sh experiments/speed.sh OUT [ROUNDS]
#
# Each round (7 by default, a minute each) goes once through sizes and programs on one thread, so that other load affects all of them alike.
# OUT becomes a study (docs/how-to/publish-a-run.md):
#   measurements.csv  a row per measurement, per second of CPU time (of searches of libego: user time)
#   speeds.csv        medians of the rounds, and their ratios to the faster build of libego
#   speed.csv         what `scaling --part speed` says of each search
#   parts.csv         medians of the microseconds per simulation by part
#   study.toml, and machine.txt with processor, compiler and commits
# LIBEGO is the folder of libego (Lew, September 2008); without it there are no ratios. It is built for each size with -O2 and
# with -O3 for this machine, its mercy rule off. Its UCT is left as it is: a node gets children after 100 visits.
# OLD is the program `tengen` of another commit, for a comparison of games of self-play through GTP. The policy of sets of
# examples/policy.rs is measured where that example is built.
# experiments/instructions.sh adds counts of instructions, and results/scripts/study.py --plots draws plots.
set -eu
test $# -ge 1 || { echo "usage: [LIBEGO=DIR] [OLD=PROGRAM] sh experiments/speed.sh OUT [ROUNDS]" >&2; exit 2; }
libego=${LIBEGO:+$(cd "$LIBEGO" && pwd)}
test -z "$libego" || test -f "$libego/playout.cpp" || { echo "$LIBEGO is no folder of libego: playout.cpp is not there" >&2; exit 2; }
old=${OLD:+$(cd "$(dirname "$OLD")" && pwd)/$(basename "$OLD")}
test -z "$old" || test -x "$old" || { echo "$OLD is no program" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
rounds=${2:-7}
cd "$(dirname "$0")/.."
tengen=target/release
for program in playouts scaling tengen; do
    test -x $tengen/$program || { echo "$tengen/$program is not there: run cargo build --release" >&2; exit 2; }
done
command -v python3 >/dev/null || { echo "python3 is missing" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# side:playouts of libego:simulations of each of many searches:simulations per move of one search:the same through GTP
sizes="9:60000:3000:50000:50000 13:30000:1000:10000:16000 19:12000:600:4000:6000"
moves=4
levels="${libego:+O2 O3}"
for size in $sizes; do
    for level in $levels; do
        side=${size%%:*}
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
    test -z "$libego" || g++ --version | head -n 1
    $tengen/playouts --version
    git rev-parse HEAD
    test -z "$old" || (cd "$(dirname "$old")" && git rev-parse HEAD)
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

# playouts SIZE NAME ISA POLICY PROGRAM...
playouts() {
    side=$1 name=$2 isa=$3 policy=$4
    shift 4
    of="$work/of-$round-$side-$name-$isa"
    "$@" --size "$side" --isa "$isa" --policy "$policy" --seconds 0.2 --repeats 1 --out "$of" >/dev/null
    column playouts_per_cpu_second "$of/playouts.csv" | measured playouts "$side" "$name $isa"
}

# search SIZE SIMULATIONS NAME SPEC [OPTIONS]: its row of speed.csv is a repeat of the searches of all rounds.
search() {
    of="$work/of-$round-$1-$3"
    $tengen/scaling --part speed --size "$1" --simulations "$2" --repeats 1 --bot "$3=$4" ${5:-} --out "$of" >/dev/null
    column simulations_per_cpu_second "$of/speed.csv" | measured simulations "$1" "$3"
    test -s "$out/speed.csv" || head -n 1 "$of/speed.csv" >"$out/speed.csv"
    awk -F, -v OFS=, -v repeat="$((round - 1))" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "repeat") at = i; next } { $at = repeat; print }' \
        "$of/speed.csv" >>"$out/speed.csv"
}

# seconds COMMAND...: its CPU seconds, those of the kernel included.
seconds() {
    bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1 </dev/null' of "$@" 2>&1 | awk '{ print $1 + $2 }'
}

# self_play SIZE SIMULATIONS NAME SETTINGS PROGRAM: a program plays the first moves of a game against itself through GTP.
# Old programs call the number of simulations `playouts`, which new ones read too.
self_play() {
    for count in 0 $moves; do
        { printf 'boardsize %s\nclear_board\n' "$1"
        for move in $(seq "$count"); do
            test $((move % 2)) = 1 && echo "genmove b" || echo "genmove w"
        done; echo quit; } >"$work/dialogue"
        seconds sh -c "'$5' gtp --threads 1 --bot 'uct:$4,playouts=$2' <'$work/dialogue'" >"$work/time-$count"
    done
    echo "$((moves * $2)) $(cat "$work/time-0") $(cat "$work/time-$moves")" | awk '{ print $1 / ($3 - $2) }' |
        measured simulations "$1" "$3"
}

ucb1="uct:expansion=1,exploration=0.5,rave=none,prior=none,policy=uniform,in_flight=1"
before="prior=learned:14:100,expansion=2,policy=mogo:0.9:1,in_flight=16,reuse=true"
architecture=$(uname -m)
echo "quantity,architecture,size,program,round,measurement,per_second" >"$out/measurements.csv"
: >"$out/speed.csv"
for round in $(seq "$rounds"); do
    for size in $sizes; do
        IFS=: read -r side of_libego many alone through_gtp <<FIELDS
$size
FIELDS
        for level in $levels; do
            echo "benchmark $of_libego" >"$work/benchmark"
            (cd "$work/$side-$level" && ./ego "$work/benchmark" </dev/null 2>/dev/null) |
                awk '/kpps$/ { print $1 * 1000 }' | measured playouts "$side" "libego -$level"
        done
        # The move of libego is 50,000 simulations. The user time of a program that searches is compared with one that does not.
        for of in ${libego:+0 1}; do
            { test "$of" = 0 || printf 'clear_board\ngenmove b\n'; echo quit; } >"$work/moves-$of"
            (cd "$work/$side-O2" && bash -c "TIMEFORMAT=%U; time ./ego '$work/moves-$of' </dev/null >/dev/null 2>&1") 2>"$work/time-$of"
        done
        test -z "$libego" || echo "$(cat "$work/time-0") $(cat "$work/time-1")" | awk '{ print 50000 / ($2 - $1) }' |
            measured simulations "$side" "libego -O2"
        for isa in $isas; do
            playouts "$side" uniform "$isa" uniform $tengen/playouts
            playouts "$side" mogo "$isa" mogo:0.9:1 $tengen/playouts
            playouts "$side" tactical "$isa" tactical:1:0.9:0.9:1:1 $tengen/playouts
            test ! -x $tengen/examples/policy || playouts "$side" near "$isa" near:4 $tengen/examples/policy playouts
        done
        search "$side" "$many" ucb1-many "$ucb1"
        search "$side" "$many" heuristic-many uct:prior=heuristic:20,expansion=8,policy=capture-escape:0.9
        search "$side" "$many" strong-many strong:reuse=false,in_flight=1
        for in_flight in 1 16 32; do
            search "$side" "$alone" "strong-$in_flight" "strong:reuse=false,in_flight=$in_flight" "--searches 1 --moves $moves"
        done
        search "$side" "$alone" strong-16-kept strong "--searches 1 --moves $moves"
        test -z "$old" || self_play "$side" "$through_gtp" "gtp before" "$before" "$old"
        self_play "$side" "$through_gtp" gtp "$before,epoch=0.001" $tengen/tengen
    done
    echo "round $round of $rounds" >&2
done
python3 results/scripts/study.py "$out"
