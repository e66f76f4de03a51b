//! Reads a run and counts anew: how often Black won, for each bot.
//!
//! ```sh
//! cargo run --release --example reading -- results/2026-11-29-default
//! ```

use std::error::Error;
use std::path::PathBuf;
use tengen::commands::build;
use tengen::run::{CONFIG, MANIFEST, manifest_at};
use tengen::stats::{Level, percent, percent_range, wilson};
use tengen::tournament::{GameRow, Outcome, Outline};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "results/2026-11-29-default".to_owned());
    let folder = PathBuf::from(folder);
    let manifest = manifest_at(&folder.join(MANIFEST))?;
    let config = folder.join(CONFIG);
    let text = std::fs::read_to_string(&config);
    let text = text.map_err(|error| format!("{}: {error}", config.display()))?;
    let outline = Outline::of(&text.parse()?)?;
    println!("{}, {}", outline.conditions(), manifest.origin(&build()));

    let (games, _) = outline.counted(outline.read(&folder)?);
    for bot in outline.names() {
        let black: Vec<&GameRow> = games.iter().filter(|game| game.black == bot).collect();
        let won = black.iter().filter(|game| game.outcome == Outcome::Black).count();
        let drawn = black.iter().filter(|game| game.outcome == Outcome::Jigo).count();
        let rate = (won as f64 + 0.5 * drawn as f64) / black.len() as f64;
        if let Some(interval) = wilson(rate, black.len() as f64, Level::P95) {
            let (rate, interval) = (percent(rate), percent_range(interval));
            println!("{bot} as Black: {rate} of {} games ({interval})", black.len());
        }
    }
    Ok(())
}
