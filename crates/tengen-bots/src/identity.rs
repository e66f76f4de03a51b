//! Name and version of the program that runs: Tengen, or one that has registered its own ideas.

use std::fmt;
use std::sync::{PoisonError, RwLock};
use tengen_go::RegistryError;

/// A program outside of Tengen that runs Tengen's commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its version, which may name a commit; none where the program does not say.
    pub version: Option<String>,
}

/// The program that runs, unless it is Tengen.
static PROGRAM: RwLock<Option<Program>> = RwLock::new(None);

/// Registers the running program as `name` in `version`, in place of Tengen. GTP and `--version`
/// then tell this name and version, and manifests of runs hold them beside Tengen's. Refuses a text
/// that is empty or has a control character, such as a line break.
pub fn register_program(
    name: impl Into<String>,
    version: impl Into<String>,
) -> Result<(), RegistryError> {
    let (name, version) = (name.into(), version.into());
    let is_text = |text: &str| !text.trim().is_empty() && !text.chars().any(char::is_control);
    if !is_text(&name) || !is_text(&version) {
        let reason = "expected a name and a version, each on one line".to_owned();
        return Err(RegistryError {
            kind: "program",
            name: name.escape_debug().to_string(),
            reason,
        });
    }
    set(Program { name, version: Some(version) });
    Ok(())
}

/// Names the program that runs, without a version, unless [`register_program`] or an earlier call
/// has named it.
pub fn name_program(name: String) {
    if program().is_none() {
        set(Program { name, version: None });
    }
}

fn set(program: Program) {
    *PROGRAM.write().unwrap_or_else(PoisonError::into_inner) = Some(program);
}

/// The program that runs; none if it is Tengen.
#[must_use]
pub fn program() -> Option<Program> {
    PROGRAM.read().unwrap_or_else(PoisonError::into_inner).clone()
}

impl Program {
    /// Its version, and the version `tengen` of Tengen, whose commands it runs.
    #[must_use]
    pub fn versions(&self, tengen: &str) -> String {
        match &self.version {
            Some(version) => format!("{version} (Tengen {tengen})"),
            None => format!("unknown (Tengen {tengen})"),
        }
    }
}

impl fmt::Display for Program {
    /// Name and version.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(f, "{} {version}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
