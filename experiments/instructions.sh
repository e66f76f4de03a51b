#!/usr/bin/env bash
# How many instructions does a uniform playout take, of Tengen and of libego, on x86-64 and on 64-bit ARM (NEON)?
#
#   LIBEGO=libego sh experiments/speed.sh OUT
#   bash experiments/instructions.sh libego OUT
#
# Counts under emulation by QEMU, whose x86-64 has AVX2 but no AVX-512. A count says nothing of speed on a
# processor that starts other numbers of instructions at once, and is the only figure here for ARM, of which there is no
# machine. Each count is the difference of two runs divided by the difference of their playouts, so that what a program does
# besides is left out. OUT gets instructions.csv, and its speeds.csv is computed again.
#
# Needs `rustup target add aarch64-unknown-linux-musl` and Debian's qemu-user, g++-aarch64-linux-gnu and python3.
set -euo pipefail
test $# -ge 2 || { echo "usage: bash experiments/instructions.sh LIBEGO OUT" >&2; exit 2; }
libego=$(cd "$1" && pwd)
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
for program in qemu-x86_64 qemu-aarch64 aarch64-linux-gnu-g++ python3; do
    command -v $program >/dev/null || { echo "$program is missing: apt-get install qemu-user g++-aarch64-linux-gnu python3" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The header of QEMU's plugins is not part of Debian's packages; these are the functions that are called.
cat >"$work/count.c" <<'C'
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
struct qemu_plugin_tb;
int qemu_plugin_version = 1;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void *), void *);
static uint64_t count;
static void executed(unsigned cpu, void *length) { count += (uintptr_t)length; }
static void translated(uint64_t id, struct qemu_plugin_tb *block) {
    qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)qemu_plugin_tb_n_insns(block));
}
static void ended(uint64_t id, void *data) { fprintf(stderr, "\ninstructions %" PRIu64 "\n", count); }
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
C
gcc -O2 -shared -fPIC -w -o "$work/count.so" "$work/count.c"

# The instructions of a command on an architecture: instructions ARCHITECTURE COMMAND...
instructions() {
    local architecture=$1
    shift
    "qemu-$architecture" -cpu max -plugin "$work/count.so" "$@" 2>&1 >/dev/null </dev/null |
        awk '$1 == "instructions" { print $2; found = 1 } END { exit !found }' ||
        { echo "$* gave no count under qemu-$architecture" >&2; exit 1; }
}

# counted ARCHITECTURE SIZE PROGRAM FEW MANY COMMAND...: a row of the table; the command gets a number of playouts behind it
counted() {
    local begin="$1,$2,$3" architecture=$1 few=$4 many=$5 less more
    shift 5
    less=$(instructions "$architecture" "$@" "$few")
    more=$(instructions "$architecture" "$@" "$many")
    echo "$begin,$(((more - less) / (many - few)))" | tee -a "$out/instructions.csv"
}

target=aarch64-unknown-linux-musl
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER
CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=$(rustc --print sysroot)/lib/rustlib/$host/bin/rust-lld
cargo build --release --locked --bin playouts
cargo build --release --locked --bin playouts --target $target

echo "architecture,size,program,instructions_per_playout" >"$out/instructions.csv"
for size in 5:40000 7:20000 9:12000 13:6000 19:3000; do
    side=${size%:*}
    many=${size#*:}
    few=$((many / 3))
    for architecture in x86_64 aarch64; do
        if test $architecture = x86_64; then
            compiler="g++ -march=x86-64-v3" at=target/release isas="baseline avx2"
        else
            compiler=aarch64-linux-gnu-g++ at=target/$target/release isas=baseline
        fi
        for level in O2 O3; do
            of=$work/$side-$architecture-$level
            cp -r "$libego" "$of"
            sed -i "s/^\(const uint board_size *= \)9;/\1$side;/" "$of/config.cpp"
            # Its clock counts cycles, which is an instruction of x86; counts need none.
            sed -i 's/__asm__.*rdtsc.*/ret = 0;/' "$of/utils.cpp"
            (cd "$of" && $compiler -static -$level -fomit-frame-pointer -DDEBUG -w -o ego main.cpp)
            for playouts in $few $many; do
                echo "benchmark $playouts" >"$of/$playouts"
            done
            (cd "$of" && counted $architecture "$side" "libego -$level" "$few" "$many" ./ego)
        done
        for isa in $isas; do
            name=$isa
            test $architecture = x86_64 || name=neon
            counted $architecture "$side" "tengen $name" "$few" "$many" \
                $at/playouts --size "$side" --isa $isa --repeats 1 --playouts
        done
    done
done
python3 results/scripts/study.py "$out"
