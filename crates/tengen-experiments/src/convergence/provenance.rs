//! What decides the rows of a run: its settings, its positions, and the results of this program's
//! searches.

use crate::convergence::measurement::measure;
use crate::convergence::settings::Settings;
use crate::convergence::solved::SolvedPosition;
use crate::run::{BotSignature, Digest, Provenance, RunError, WeightsOf};
use std::sync::atomic::AtomicBool;
use tengen_bots::{NamedBot, SideBySide};
use tengen_search::UctConfig;
use tengen_settings::Settings as _;

/// The measurement for a bot's signature: upper bounds of its smallest number of simulations, of
/// the doublings and of the positions.
const SIMULATIONS: u64 = 40;
const DOUBLINGS: u32 = 2;
const POSITIONS: usize = 2;

/// The provenance of the rows that this program measures for `settings` and `positions`; it does not
/// depend on the machine.
///
/// A bot's signature is a digest of a short measurement, without a clock: one search of each of the
/// first positions with few simulations. Of a GTP program it is name and version.
///
/// # Errors
/// A bot cannot play on one of the sizes of board.
pub fn provenance(
    settings: &Settings,
    positions: &[SolvedPosition],
) -> Result<Provenance, RunError> {
    let bots = settings.bot.iter().map(|bot| {
        let signature = match program(bot, positions)? {
            Some(program) => program,
            None => signature(settings, bot, positions)?.to_string(),
        };
        let weights = WeightsOf::bot(&bot.config);
        Ok(BotSignature { name: bot.name.clone(), signature, weights })
    });
    Ok(Provenance {
        settings: settings_digest(settings, positions)?,
        openings: Digest::default(),
        bots: bots.collect::<Result<_, RunError>>()?,
    })
}

/// Name and version of the GTP program behind `bot`, after it was set up on each size of board; none
/// for other bots.
fn program(bot: &NamedBot, positions: &[SolvedPosition]) -> Result<Option<String>, RunError> {
    if bot.config.side_by_side() != SideBySide::PerProcess {
        return Ok(None);
    }
    let mut sizes = Vec::new();
    let mut program = String::new();
    for position in positions {
        if sizes.contains(&position.size()) {
            continue;
        }
        sizes.push(position.size());
        let mut player = bot.config.build(0, None);
        player.begin(&position.game(), "preflight").map_err(|failure| {
            let refused = |failure| {
                let (name, size) = (&bot.name, position.size());
                let said = format!(
                    "bot {name} cannot play on {size}: {failure}; `size` leaves boards out"
                );
                RunError::Input(said)
            };
            failure.lacking().map_or_else(refused, RunError::from)
        })?;
        player.program().unwrap_or_default().clone_into(&mut program);
    }
    Ok(Some(program))
}

fn signature(
    settings: &Settings,
    bot: &NamedBot,
    positions: &[SolvedPosition],
) -> Result<Digest, RunError> {
    let mut quick = bot.clone();
    let workers = bot.config.uct().map_or(1, |config| u64::from(config.workers));
    let least = |simulations: u64| simulations.min(SIMULATIONS).max(workers);
    if let Some(config) = bot.config.uct() {
        let simulations = Some(least(config.simulations.unwrap_or(SIMULATIONS)));
        quick.config = UctConfig { simulations, seconds: None, ..config.clone() }.into();
    }
    let short = Settings {
        simulations: settings.simulations.map(least),
        doublings: settings.doublings.min(DOUBLINGS),
        searches: 1,
        bot: vec![quick],
        ..settings.clone()
    };
    let mut digest = Digest::default();
    bot.config.versions().iter().for_each(|version| digest.text(version));
    for (number, position) in positions.iter().take(POSITIONS).enumerate() {
        let rows = measure(&short, number, position, &AtomicBool::new(false))?;
        for row in rows.unwrap_or_default() {
            for figure in [row.optimal, row.regret, row.value_error.unwrap_or_default()] {
                digest.number(figure.to_bits());
            }
        }
    }
    Ok(digest)
}

fn settings_digest(
    settings: &Settings,
    positions: &[SolvedPosition],
) -> Result<Digest, toml::ser::Error> {
    let mut digest = Digest::of_settings(toml::Table::try_from(settings)?, Settings::ALL);
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
        provenance(&Settings::from_toml(settings).unwrap(), &positions).unwrap()
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
            ("simulations = 16\ndoublings = 6\n", ""),
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
