//! A tournament from code to a table: its games are rows in memory, and no file is written.
//!
//! ```sh
//! cargo run --release --example tournament
//! ```

use std::error::Error;
use std::sync::atomic::AtomicBool;
use tengen::run::RunError;
use tengen::tournament::report::summarize;
use tengen::tournament::{GameRow, Outline, Tournament, play_games};

const SETTINGS: &str = "
    size = '5x5'
    pairs = 20
    bot = ['low=uct:exploration=0.2,simulations=200', 'high=uct:exploration=1,simulations=200']";

fn main() -> Result<(), Box<dyn Error>> {
    let tournament: Tournament = SETTINGS.parse()?;
    let games: Vec<usize> = (0..tournament.schedule().games()).collect();
    let mut rows: Vec<GameRow> = Vec::new();
    let stop = AtomicBool::new(false);
    // Games end in any order; which threads play them changes none.
    // On 2 threads.
    play_games(&tournament, 2, &games[..], &stop, |played| {
        rows.push(played.row);
        Ok::<_, RunError>(())
    })?;
    rows.sort_by_key(|row| row.game);

    let plies: u32 = rows.iter().map(|row| row.plies).sum();
    println!("{} games of {} plies in the mean", rows.len(), plies as usize / rows.len());
    println!("{}", summarize(&Outline::of(&toml::Table::try_from(&tournament)?)?, &rows));
    Ok(())
}
