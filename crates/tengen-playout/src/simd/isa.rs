//! The instruction sets that playouts and searches are compiled for.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use strum::{IntoStaticStr, VariantArray};

/// An instruction set of the processor. It changes speed, never a result.
///
/// # Examples
/// ```
/// use tengen_playout::Isa;
///
/// let isa = Isa::parse("auto")?;
/// assert_eq!(isa, Isa::fastest());
/// assert!(Isa::supported().contains(&Isa::Baseline));
/// assert!(Isa::parse("sse").is_err());
/// # Ok::<(), tengen_playout::IsaError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Isa {
    /// The instructions of every processor of the architecture.
    Baseline,
    /// x86-64 with AVX2, BMI1 and BMI2 (Haswell, Zen).
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ, VL, VBMI, VBMI2, BITALG and VPOPCNTDQ
    /// (Ice Lake, Zen 4).
    Avx512,
}

/// An error in the choice of an instruction set.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum IsaError {
    /// The text names no instruction set.
    #[error("invalid instruction set `{0}`: expected auto, avx512, avx2 or baseline")]
    Unknown(String),
    /// The machine does not have the instruction set.
    #[error("this machine does not support {0}: it supports {list}", list = names(&Isa::supported()))]
    Unsupported(Isa),
}

fn names(isas: &[Isa]) -> String {
    isas.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Isa {
    /// The name of the environment variable that chooses the instruction set of the
    /// program.
    pub const VARIABLE: &'static str = "TENGEN_ISA";

    /// Whether code for this instruction set may use `pext` and `pdep`, and gains by it.
    pub(crate) fn has_fast_bmi2(self) -> bool {
        static FOUND: OnceLock<bool> = OnceLock::new();
        self != Self::Baseline && *FOUND.get_or_init(has_fast_bmi2)
    }

    /// Whether this machine has the instructions.
    #[must_use]
    pub fn is_supported(self) -> bool {
        static FOUND: OnceLock<[bool; 3]> = OnceLock::new();
        FOUND.get_or_init(|| [true, has_avx2(), has_avx2() && has_avx512()])[self as usize]
    }

    /// The instruction sets of this machine, slowest first.
    #[must_use]
    pub fn supported() -> Vec<Self> {
        Self::VARIANTS.iter().copied().filter(|isa| isa.is_supported()).collect()
    }

    /// The fastest instruction set of this machine.
    #[must_use]
    pub fn fastest() -> Self {
        let fastest = Self::VARIANTS.iter().rev().find(|isa| isa.is_supported());
        fastest.copied().unwrap_or(Self::Baseline)
    }

    /// The instruction set that the environment variable [`Self::VARIABLE`] names; the
    /// fastest if the variable is not set. One that this machine lacks is an error.
    pub fn from_environment() -> Result<Self, IsaError> {
        match std::env::var(Self::VARIABLE) {
            Ok(text) => Self::parse(&text),
            Err(_) => Ok(Self::fastest()),
        }
    }

    /// The instruction set of this program: [`Self::from_environment`], or the fastest
    /// where that fails, which programs check when they start. The variable is read once.
    #[must_use]
    pub fn of_program() -> Self {
        static CHOSEN: OnceLock<Isa> = OnceLock::new();
        *CHOSEN.get_or_init(|| Self::from_environment().unwrap_or_else(|_| Self::fastest()))
    }

    /// The instruction set named `text`; `auto` is [`Self::fastest`]. One that this machine lacks
    /// is an error.
    pub fn parse(text: &str) -> Result<Self, IsaError> {
        if text == "auto" {
            return Ok(Self::fastest());
        }
        let isa: Self = text.parse()?;
        if isa.is_supported() { Ok(isa) } else { Err(IsaError::Unsupported(isa)) }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.into())
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(text: &str) -> Result<Self, IsaError> {
        let named = Self::VARIANTS.iter().find(|isa| <&str>::from(*isa) == text);
        named.copied().ok_or_else(|| IsaError::Unknown(text.to_owned()))
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// Whether this machine executes `pext` and `pdep` of BMI2 in a few cycles. All machines
/// with AVX2 do, except AMD's before Zen 3 (family 19h), which take hundreds.
#[cfg(target_arch = "x86_64")]
fn has_fast_bmi2() -> bool {
    #[allow(unsafe_code, unused_unsafe)] // not unsafe in newer versions of Rust
    // SAFETY: every x86-64 processor has the instruction `cpuid`, with leaves 0 and 1.
    let [names, features] = [0, 1].map(|leaf| unsafe { std::arch::x86_64::__cpuid(leaf) });
    let vendor = [names.ebx, names.edx, names.ecx].map(u32::to_le_bytes).concat();
    let family = (features.eax >> 8 & 0xF) + (features.eax >> 20 & 0xFF);
    let is_amd = [b"AuthenticAMD", b"HygonGenuine"].iter().any(|name| vendor == name[..]);
    is_x86_feature_detected!("bmi2") && (!is_amd || family >= 0x19)
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fast_bmi2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for isa in Isa::supported() {
            assert_eq!(Isa::parse(&isa.to_string()), Ok(isa));
        }
        assert_eq!(Isa::parse("auto"), Ok(Isa::fastest()));
        let error = Isa::parse("sse").unwrap_err().to_string();
        assert!(error.contains("`sse`") && error.contains("avx512"), "{error}");
        assert!(IsaError::Unsupported(Isa::Avx512).to_string().contains("baseline"));
    }
}
