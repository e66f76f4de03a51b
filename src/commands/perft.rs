//! `tengen perft`: counts legal move sequences, to test the rules.

use super::Failure;
use super::setting_options::choices;
use crate::go::{Color, Ko, Komi, Preset, Rules, Size, Suicide, perft};
use std::io::Write;

/// Count legal move sequences (perft), to test the rules
///
/// The command prints a line `depth count` for each depth from 1: the number of legal sequences of
/// exactly that many moves. Passes count as moves. Two passes in a row end a sequence.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tengen perft --size 5 --depth 6 --ko simple --suicide no")]
pub struct Arguments {
    /// Board size, such as 9 or 9x7; not needed with --position
    ///
    /// 9x7 has 9 columns and 7 rows.
    #[arg(long, required_unless_present = "position")]
    size: Option<Size>,
    /// Length of the longest sequences, in moves including passes, 1 to 100
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Ko rule
    #[arg(long, default_value_t = Ko::Simple, value_parser = choices::<Ko>())]
    ko: Ko,
    /// Suicide rule
    #[arg(long, default_value_t = Suicide::No, value_parser = choices::<Suicide>())]
    suicide: Suicide,
    /// Starting position as rows from the top, joined by /, such as X.O/.../O.X
    ///
    /// X is Black, O is White, . is empty.
    #[arg(long, value_name = "ROWS")]
    position: Option<String>,
    /// Colour to move in the starting position: b or w
    #[arg(long, value_name = "COLOR", default_value = "b")]
    to_play: Color,
}

pub fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<(), Failure> {
    let start = super::position(arguments.position.as_deref(), arguments.size, arguments.to_play)?;
    let Arguments { ko, suicide, .. } = *arguments;
    let rules = Rules { ko, suicide, ..Rules::new(Preset::Tengen, start.size(), Komi::default()) };
    for depth in 1..=arguments.depth {
        writeln!(output, "{depth} {}", perft(&start, rules, depth))?;
        output.flush()?;
    }
    Ok(())
}
