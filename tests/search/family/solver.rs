//! Proofs, against exact values and against a plain search of the whole game.

use super::*;
use tengen::go::{Bits, Board, Color, Game, Ko, Move, Rules, default_komi};
use tengen::search::SearchControl;
use tengen::search::tree::{Proof, Tree};
use tengen::search::uct::UctSearch;

/// Whether the player to move wins, among the moves that a search makes, by
/// trying all of them; none after `most` positions.
fn wins(game: &mut Game, most: &mut u32) -> Option<bool> {
    let player = game.to_play();
    if game.end().is_some() {
        return Some(game.score().for_player(player) > 0);
    }
    *most = most.checked_sub(1)?;
    let plays = game.sensible_points();
    let plays = plays.iter().map(|index| Move::Play(Bits::<6>::vertex(index)));
    // A pass first: it ends games.
    for mv in [Move::Pass].into_iter().chain(plays) {
        game.play(player, mv).unwrap();
        let other_wins = wins(game, most);
        game.undo();
        if !other_wins? {
            return Some(true);
        }
    }
    Some(false)
}

/// A position of the table and its exact value for Black, where its history
/// holds nothing else.
struct Exact {
    board: Board<6>,
    ko: Ko,
    value: i16,
}

fn exact(file: &str) -> Vec<Exact> {
    let mut positions = Vec::new();
    for line in file.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let to_play = if fields[1] == "b" { Color::Black } else { Color::White };
        let board = Board::from_diagram(fields[0], to_play).unwrap();
        for (ko, value) in [(Ko::Psk, fields[4]), (Ko::Ssk, fields[5])] {
            positions.push(Exact { board, ko, value: value.parse().unwrap() });
        }
    }
    positions
}

/// The game with a komi half a point below or above the value, and whether the
/// player to move wins it.
fn decided(exact: &Exact, above: bool) -> (Game, bool) {
    let komi = 2 * exact.value + if above { 1 } else { -1 };
    let komi = tengen::go::Komi::from_half_points(komi).unwrap();
    let rules = rules(tengen::go::Preset::Tengen, exact.board.size(), "0.5");
    let game = Game::from_position(exact.board, Rules { ko: exact.ko, komi, ..rules });
    (game, (exact.board.to_play() == Color::White) == above)
}

fn solver(playouts: u64) -> UctConfig {
    UctConfig { simulations: Some(playouts), ..config("proofs = true\nexploration = 0.5") }
}

fn searched(game: &Game, config: &UctConfig) -> UctSearch<1> {
    let budget = config.simulations.unwrap();
    let mut search = UctSearch::<1>::new(game, config, budget, 7, Tree::new(config.extras()));
    run(&mut search);
    search
}

const TWO_BY_TWO: &str = include_str!("../../data/exact_2x2.csv");
const TWO_BY_THREE: &str = include_str!("../../data/exact_2x3.csv");
const THREE_BY_THREE: &str = include_str!("../../data/exact_3x3.csv");

/// Proofs of the root against the table, and those of all nodes against trying all moves.
#[test]
fn what_is_proven_is_true() {
    let (mut proven, mut below, mut tried) = (0, 0, 0);
    for (file, step, playouts) in
        [(TWO_BY_TWO, 1, 3_000), (TWO_BY_THREE, 3, 3_000), (THREE_BY_THREE, 61, 2_000)]
    {
        for position in exact(file).iter().step_by(step) {
            for above in [false, true] {
                let (mut game, player_wins) = decided(position, above);
                let search = searched(&game, &solver(playouts));
                let of = format!("{} with {}, {}", game.board(), game.rules().komi, position.ko);
                match search.proof() {
                    Some(proof) => assert_eq!(proof == Proof::Win, player_wins, "{of}"),
                    None => assert_eq!(search.simulations(), playouts, "{of}"),
                }
                proven += u32::from(search.proof().is_some());
                let tree = search.tree();
                let mut left = 40;
                walk(tree, Tree::ROOT, &mut game, &mut |node, game| {
                    let Some(proof) = tree.proof(node).filter(|_| node != Tree::ROOT) else {
                        return;
                    };
                    below += 1;
                    // The mark is that of the player who moved there.
                    if left > 0
                        && let Some(next_wins) = wins(&mut game.clone(), &mut 300)
                    {
                        (left, tried) = (left - 1, tried + 1);
                        assert_eq!(proof == Proof::Loss, next_wins, "{}\n{of}", game.board());
                    }
                });
            }
        }
    }
    assert!(proven > 300 && below > 1_000 && tried > 500, "{proven} {below} {tried}");
}

/// The bot makes a move that wins where its search has proven one, whatever was
/// visited most, and does not resign.
#[test]
fn a_proven_win_is_played() {
    let (mut played, mut overruled) = (0, 0);
    for position in exact(THREE_BY_THREE).iter().step_by(83) {
        for above in [false, true] {
            let (game, _) = decided(position, above);
            for rule in ["visits", "value", "lower-bound"] {
                let text =
                    format!("solver = true\nfinal_move = '{rule}'\nresign = 0.9\nworkers = 2");
                let config = UctConfig { simulations: Some(500), ..config(&text) };
                let turn = bot(&config, 3).genmove(&game).unwrap();
                let Some(report) = &turn.report else { continue };
                let won = report.moves.iter().filter(|m| m.proof == Some(Proof::Win));
                let won: Vec<Move> = won.map(|root_move| root_move.mv).collect();
                if won.is_empty() {
                    // A move that is known to lose is made only among its like.
                    let of = report.moves.iter().find(|m| Some(m.mv) == turn.mv());
                    let lost = |m: &tengen::search::RootMove| m.proof == Some(Proof::Loss);
                    assert!(!of.is_some_and(lost) || report.moves.iter().all(lost));
                    continue;
                }
                let mv = turn.mv().expect("the game is won");
                assert!(won.contains(&mv), "{mv} is not one of {won:?}\n{}", game.board());
                played += 1;
                overruled += u32::from(!won.contains(&report.moves[0].mv));
            }
        }
    }
    println!("{played} proven wins, {overruled} of them not the most visited move");
    assert!(played > 50 && overruled > 0, "{played} {overruled}");
}

/// A search ends as soon as its position is decided.
#[test]
fn a_proof_ends_the_search() {
    // White has two eyes and Black none: whatever happens, White wins.
    let game = drawn(".O./OOO/.O.", Color::Black, Ko::Psk, "0.5");
    let search = searched(&game, &solver(100_000));
    assert_eq!(search.proof(), Some(Proof::Loss));
    assert!(search.simulations() < 1_000, "{}", search.simulations());
    let without = UctConfig { proofs: false, ..solver(3_000) };
    let search = searched(&game, &without);
    assert_eq!((search.proof(), search.simulations()), (None, 3_000));
    assert_eq!(default_komi(game.size()).half_points(), 5);
}
