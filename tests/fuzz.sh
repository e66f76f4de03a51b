#!/usr/bin/env bash
# The long form of tests/fuzz: random valid bots, some of which call registered
# code that panics, under random rules on random boards. Each case runs the release program at one thread and at two and on
# each instruction set of the machine, now and then in chunks, extended, or
# stopped by SIGTERM and kill -9 and resumed, and every row and record must be
# that of the game played by itself. A case that fails is made simpler and
# printed as a command line.
#
# Usage: tests/fuzz.sh [CASES [SEED]], 2000 cases of seed 1 unless told
# otherwise: about a quarter of an hour on two cores.
#   TENGEN_FUZZ_PROGRAM=PATH      runs another `tournament` than the release one of
#                                 tests/fuzz/fragile_program.rs, which registers bots that panic
#   TENGEN_FUZZ_FIRST=NUMBER      begins at that case of the seed
#   TENGEN_FUZZ_LINE='--size ...' tries this command line instead
set -euo pipefail
cd "$(dirname "$0")/.."
export TENGEN_FUZZ_CASES=${1:-2000}
export TENGEN_FUZZ_SEED=${2:-1}
if [ -z "${TENGEN_FUZZ_PROGRAM:-}" ]; then
    cargo build --release --example fragile
    TENGEN_FUZZ_PROGRAM=$(realpath "${CARGO_TARGET_DIR:-target}/release/examples/fragile")
fi
export TENGEN_FUZZ_PROGRAM
unset TENGEN_ISA
cargo test --test fuzz -- --ignored --exact --nocapture random_runs_of_the_program
