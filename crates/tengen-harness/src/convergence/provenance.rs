//! What decides the rows of a run: its settings, its positions, and the results of this program's
//! searches.

use crate::convergence::measurement::measure;
use crate::convergence::settings::Settings;
use crate::convergence::solved::SolvedPosition;
use crate::run::{
    BotSignature, Digest, Provenance, RunError, SCHEMA, WeightsOf, files, keep_what_decides_rows,
};
use std::sync::atomic::AtomicBool;
use tengen_settings::Settings as _;

/// The measurement for a bot's signature: upper bounds of its smallest number of simulations, of
/// the doublings and of the positions.
const SIMULATIONS: u64 = 40;
const DOUBLINGS: u32 = 2;
const POSITIONS: usize = 2;

/// The provenance of the rows that this program measures for `settings` and `positions`; it does not
/// depend on the machine.
///
/// A bot's signature is a digest of a short measurement: one search of each of the first positions
/// with few simulations.
pub fn provenance(
    settings: &Settings,
    positions: &[SolvedPosition],
) -> Result<Provenance, RunError> {
    let most_workers = settings.searches().map(|config| u64::from(config.workers)).max();
    let short = Settings {
        simulations: settings.simulations.min(SIMULATIONS).max(most_workers.unwrap_or(1)),
        doublings: settings.doublings.min(DOUBLINGS),
        searches: 1,
        ..settings.clone()
    };
    let mut rows = Vec::new();
    for (number, position) in positions.iter().take(POSITIONS).enumerate() {
        rows.extend(
            measure(&short, number, position, &AtomicBool::new(false))?.unwrap_or_default(),
        );
    }
    let bots = settings.bot.iter().map(|bot| {
        let mut digest = Digest::default();
        bot.config.versions().iter().for_each(|version| digest.text(version));
        for row in rows.iter().filter(|row| row.bot == bot.name) {
            for figure in [row.optimal, row.regret, row.value_error] {
                digest.number(figure.to_bits());
            }
        }
        let weights = WeightsOf::bot(&bot.config);
        BotSignature { name: bot.name.clone(), signature: digest.to_string(), weights }
    });
    Ok(Provenance {
        settings: settings_digest(settings, positions)?,
        openings: Digest::default(),
        bots: bots.collect(),
    })
}

fn settings_digest(
    settings: &Settings,
    positions: &[SolvedPosition],
) -> Result<Digest, toml::ser::Error> {
    let mut table = toml::Table::try_from(settings)?;
    // The digest covers the positions themselves.
    keep_what_decides_rows(&mut table, Settings::ALL);
    files::without_paths(&mut table);
    let mut digest = Digest::default();
    digest.number(SCHEMA.into());
    digest.value(&toml::Value::Table(table));
    for line in positions.iter().map(SolvedPosition::line) {
        for text in [&line.to_play, &line.position, &line.moves] {
            digest.text(text);
        }
    }
    Ok(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = "name = 'a'\npositions = 'a.csv'\nsimulations = 16\ndoublings = 6\n\
                            searches = 4\nseed = 3\nbot = ['a=uct:rave=none', 'b=uct']";
    const FILE: &str = "size,source,ply,to_play,position,value,moves\n\
                             2x2,random,2,white,X./.O,-4,A1:-4 B2:1 pass:4\n";

    fn of(settings: &str, positions: &str) -> Provenance {
        let positions = crate::convergence::read(positions).unwrap();
        provenance(&settings.parse().unwrap(), &positions).unwrap()
    }

    #[test]
    fn all_that_decides_a_row_is_in_the_fingerprint() {
        let whole = of(SETTINGS, FILE);
        assert_eq!(whole, of(SETTINGS, FILE));
        let renamed = SETTINGS.replace("'a'", "'b'").replace("a.csv", "b.csv");
        assert_eq!(whole, of(&renamed, &FILE.replace("random,2", "published,3")));
        for (from, to) in [
            ("simulations = 16", "simulations = 17"),
            ("doublings = 6", "doublings = 5"),
            ("searches = 4", "searches = 3"),
            ("seed = 3", "seed = 4"),
            ("a=uct:rave=none", "a=uct:rave=none,exploration=0.7"),
            ("a=uct", "c=uct"),
        ] {
            let other = of(&SETTINGS.replacen(from, to, 1), FILE);
            assert_ne!(whole.settings, other.settings, "{to}");
        }
        let other = of(SETTINGS, &FILE.replace("-4", "-3"));
        assert_ne!(whole.settings, other.settings);
        assert_ne!(whole.bots[0].signature, whole.bots[1].signature);
    }
}
