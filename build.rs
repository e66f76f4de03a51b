//! Tells the program which sources it was built from, for the manifests of its
//! runs.

use std::process::Command;

/// What decides the program: a change elsewhere leaves it clean.
const SOURCES: [&str; 6] = ["crates", "src", "experiments", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    let commit = output("git", &["rev-parse", "HEAD"]);
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(SOURCES);
    let dirty = output("git", &status).map(|changes| !changes.is_empty());
    let compiler = std::env::var("RUSTC").ok().and_then(|rustc| output(&rustc, &["--version"]));
    set("TENGEN_COMMIT", commit.as_deref());
    set("TENGEN_DIRTY", dirty.map(|dirty| if dirty { "true" } else { "false" }));
    set("TENGEN_COMPILER", compiler.as_deref());
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    // The commit moves without a change to a file: watch what git keeps of it.
    if let Some(folder) = output("git", &["rev-parse", "--git-dir"]) {
        println!("cargo:rerun-if-changed={folder}/HEAD");
        println!("cargo:rerun-if-changed={folder}/logs/HEAD");
    }
}

fn set(variable: &str, value: Option<&str>) {
    println!("cargo:rustc-env={variable}={}", value.unwrap_or("unknown"));
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
