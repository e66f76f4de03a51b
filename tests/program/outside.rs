//! A program of one's own is itself: its name, its version, and its bots, in every command.

use crate::common::{Scratch, fault, read, text};
use crate::fragile;
use crate::panics::run;
use std::path::Path;
use tengen::bots::{AnalysisError, BotConfig, LiveSearch};
use tengen::engine::Engine;
use tengen::go::{Game, Preset, Rules, Size, default_komi};
use tengen::speed::searches::SearchSpeedRow;

const OWN: &str = "fragile:every=0";

#[test]
fn gtp_and_manifest_name_the_program() {
    let output = run(Path::new("."), "gtp name version");
    let said = text(&output.stdout);
    let version = format!("Ok(\"0.3.0 of today (Tengen {})\")", env!("CARGO_PKG_VERSION"));
    assert!(said.contains("Ok(\"brittle\")") && said.contains(&version), "{said}");
    let scratch = Scratch::new();
    let line = format!("tournament --size 3 --pairs 1 --bot {OWN} --bot random --out run");
    let output = run(&scratch, &line);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let manifest = read(&scratch.join("run/manifest.toml"));
    assert!(manifest.contains("\nprogram = \"brittle 0.3.0 of today\"\n"), "{manifest}");
    assert!(manifest.contains("\ncommit = "), "{manifest}");
}

#[test]
fn a_registered_search_is_measured() {
    let scratch = Scratch::new();
    let line =
        "scaling --part speed --size 5 --simulations 20 --repeats 1 --threads 1 --out speed --bot";
    let output = run(&scratch, &format!("{line} {OWN}"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut file = csv::Reader::from_path(scratch.join("speed/speed.csv")).unwrap();
    let rows: Vec<SearchSpeedRow> = file.deserialize().map(Result::unwrap).collect();
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!((row.config.as_str(), row.simulations), (OWN, 20 * row.searches as u64));
        assert!(row.simulations_per_second > 0.0 && row.nodes > row.searches);
    }
    let other = run(&scratch, &format!("{line} random"));
    fault(&other, 2, &["bot `random` makes no simulations"]);
}

#[test]
fn a_registered_search_analyses() {
    fragile::register().unwrap();
    let mut engine = Engine::new(OWN.parse().unwrap(), 1, Preset::default(), None);
    let mut answer = |line: &str| engine.answer(line).unwrap().result.unwrap();
    answer("boardsize 5");
    for command in ["kata-analyze b 1", "lz-analyze b 1", "kata-genmove_analyze b"] {
        let said = answer(command);
        assert!(said.contains("info move ") && said.contains(" visits "), "{command}: {said}");
    }
    let size = Size::square(5).unwrap();
    let game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
    let analysis = |bot: &str| LiveSearch::analysis(&bot.parse().unwrap(), 1, &game, None);
    // What is seen is the search of the bot, as far as its budget goes.
    let mut search = analysis(OWN).unwrap();
    search.advance(Some(10), &|| false).unwrap();
    assert_eq!(search.simulations(), 10);
    search.advance(None, &|| false).unwrap();
    assert!(search.is_over() && search.report().unwrap().counts.simulations == 20);
    for bot in ["random", "two-ply"] {
        let config: BotConfig = bot.parse().unwrap();
        assert_eq!(analysis(bot).err(), Some(AnalysisError::NoSearch(Box::new(config))));
    }
}

/// A bot that searches by itself is shown when it has.
#[test]
fn a_report_of_a_decided_move_is_shown() {
    use std::sync::Arc;
    use tengen::bots::{Bot, BotFailure, BotKind, MoveAnswer};
    struct Alone;
    impl BotKind for Alone {
        fn help() -> &'static str {
            "alone"
        }
        fn build<'pool>(
            &self,
            seed: u64,
            pool: Option<&'pool tengen::rayon::ThreadPool>,
        ) -> Box<dyn Bot + 'pool> {
            let uct: BotConfig = "uct:simulations=30".parse().unwrap();
            Box::new(Player(uct.build(seed, pool)))
        }
        fn makes_simulations(&self) -> bool {
            true
        }
    }
    struct Player<'pool>(Box<dyn Bot + 'pool>);
    impl Bot for Player<'_> {
        fn genmove(&mut self, game: &Game) -> Result<MoveAnswer, BotFailure> {
            self.0.genmove(game)
        }
    }
    tengen::register::made_bot("alone", "1", "alone", Arc::new(Alone)).unwrap();
    let mut engine = Engine::new("alone".parse().unwrap(), 1, Preset::default(), None);
    let mut answer = |line: &str| engine.answer(line).unwrap().result.unwrap();
    answer("boardsize 5");
    for command in ["kata-analyze b 1", "kata-genmove_analyze b"] {
        let said = answer(command);
        assert!(said.contains("info move ") && said.contains(" visits "), "{command}: {said}");
    }
}

#[cfg(feature = "serve")]
#[test]
fn the_page_offers_registered_bots() {
    use tengen::page::{Limits, Offers};
    fragile::register().unwrap();
    let offers = Offers::default().list(&Limits::default());
    let own = offers.iter().find(|offer| offer.spec == "fragile").unwrap();
    assert!(own.searches && own.help.contains("a search that panics"), "{own:?}");
    assert!(offers.iter().any(|offer| offer.spec == "uct"));
}
