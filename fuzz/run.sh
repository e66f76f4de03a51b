#!/usr/bin/env bash
# Fuzzes a target with libFuzzer on the stable toolchain; needs a C++ compiler.
#
# Usage: fuzz/run.sh sgf|gtp|config [SECONDS]
#
# New inputs go to fuzz/found, and one that fails is written to fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?sgf, gtp or config}
seconds=${2:-60}
triple=$(rustc -vV | sed -n 's/^host: //p')
passes="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
passes+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
passes+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
mkdir -p "found/$target" artifacts
RUSTFLAGS="$passes --cfg fuzzing -Ccodegen-units=1" \
    cargo build --release --target "$triple" --bin "$target"
exec "target/$triple/release/$target" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
    -rss_limit_mb=2048 -artifact_prefix=artifacts/ "found/$target" "corpus/$target"
