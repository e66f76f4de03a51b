//! Version, commit and compiler of the running program, for manifests.

use crate::run::Build;

/// The running program: its version, and the sources and the compiler of its build.
#[must_use]
pub fn build() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("TENGEN_COMMIT").to_owned(),
        dirty: env!("TENGEN_DIRTY").parse().ok(),
        compiler: env!("TENGEN_COMPILER").to_owned(),
        program: crate::bots::program().map(|program| program.to_string()),
        profile: if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned(),
    }
}
