#!/usr/bin/env bash
# The rules, the playouts and the search on 64-bit ARM (aarch64), emulated: the same tests as
# on this machine, which hold scalar playouts and lanes against each other move for move. Its lanes
# are the portable ones, which the compiler turns into NEON. Says nothing of speed.
#
# Usage: tests/aarch64.sh [TEST...], by default rules and playouts.
# Needs `rustup target add aarch64-unknown-linux-musl` and Debian's qemu-user-static (or its program
# in TENGEN_QEMU) and gcc-aarch64-linux-gnu, since a dependency of the benchmarks has a line of C.
set -euo pipefail
cd "$(dirname "$0")/.."
target=aarch64-unknown-linux-musl
qemu=${TENGEN_QEMU:-$(command -v qemu-aarch64-static qemu-aarch64 | head -n 1 || true)}
if test -z "$qemu"; then
    echo "qemu-aarch64-static is missing: apt-get install qemu-user-static" >&2
    exit 2
fi
if ! rustup target list --installed | grep -qx "$target"; then
    echo "the target $target is missing: rustup target add $target" >&2
    exit 2
fi
if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    echo "aarch64-linux-gnu-gcc is missing: apt-get install gcc-aarch64-linux-gnu" >&2
    exit 2
fi
export CC_aarch64_unknown_linux_musl=aarch64-linux-gnu-gcc
# The linker is that of rustup.
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER
CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=$(rustc --print sysroot)/lib/rustlib/$host/bin/rust-lld
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER=$qemu
unset TENGEN_ISA
test $# -gt 0 || set -- rules playouts
tests=()
for test; do tests+=(--test "$test"); done
cargo check --locked --target "$target" --lib --bins
cargo test --locked --target "$target" -p tengen -p tengen-go -p tengen-playout "${tests[@]}"
