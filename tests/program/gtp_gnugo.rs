//! The real GNU Go, with the flags that every figure of this project uses.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tengen::engine::Engine;
use tengen::go::{Preset, Size, Vertex};
use tengen::tournament::Termination;
use tengen::tournament::{Tournament, play, preflight};

const GNUGO: &str = "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko \
                     --capture-all-dead --play-out-aftermath";

fn tournament(size: &str, other: &str, pairs: usize) -> Tournament {
    let text = format!("size = '{size}'\npairs = {pairs}\nbot = ['gnugo={GNUGO}', '{other}']");
    text.parse::<Tournament>().unwrap()
}

#[test]
#[ignore = "needs gnugo: .ci/run installs it"]
fn every_game_ends_and_both_name_the_same_winner() {
    for (size, other, pairs) in
        [("9x9", "uct:simulations=100", 5), ("5x5", "two-ply", 5), ("13x13", "random", 1)]
    {
        let tournament = tournament(size, other, pairs);
        let schedule = tournament.schedule();
        for game in 0..schedule.games() {
            let row = play(&tournament, &schedule.plan(game)).unwrap();
            assert!(
                matches!(row.termination, Termination::Passes | Termination::Resign),
                "{row:?}"
            );
            assert_eq!(row.reason, "", "{row:?}");
            let counted = row.black_engine_score.or(row.white_engine_score);
            if row.termination == Termination::Passes {
                // The margin may differ: a search passes with dead stones on
                // the board once they cannot change who has won.
                let winner = |score: Option<f64>| score.map(f64::signum);
                assert_eq!(winner(counted), winner(row.score), "{row:?}");
                assert!(counted == row.score || other.starts_with("uct"), "{row:?}");
            }
        }
    }
}

#[test]
#[ignore = "needs gnugo: .ci/run installs it"]
fn a_seed_repeats_the_game() {
    let tournament = tournament("9x9", "random", 1);
    let plan = tournament.schedule().plan(0);
    let row = play(&tournament, &plan).unwrap();
    let again = play(&tournament, &plan).unwrap();
    assert_eq!(row.without_times(), again.without_times());
}

#[test]
#[ignore = "needs gnugo: .ci/run installs it"]
fn the_preflight_knows_it() {
    let programs = preflight(&tournament("9x9", "random", 1)).unwrap();
    assert_eq!(programs, [Some("GNU Go 3.8".to_owned()), None]);
    let fault = preflight(&tournament("7x5", "random", 1)).unwrap_err().to_string();
    assert!(fault.contains("rectangular_boardsize"), "{fault}");
}

fn sorted(vertices: &str) -> Vec<String> {
    let mut vertices: Vec<String> = vertices.split_whitespace().map(str::to_owned).collect();
    vertices.sort();
    vertices
}

/// A random game as commands, with our answers: the legality of every point for the
/// player to move, and the stones of both colours, before every move.
fn random_game(size: Size, seed: u64) -> (String, Vec<String>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut engine = Engine::new("random".parse().unwrap(), seed, Preset::Chinese, None);
    let mut commands = String::new();
    let mut answers = Vec::new();
    let mut give = |command: &str, answers: &mut Vec<String>| {
        let answer = engine.answer(command).unwrap().result.unwrap();
        commands.push_str(command);
        commands.push('\n');
        answers.push(answer.clone());
        answer
    };
    give(&format!("boardsize {}", size.width()), &mut answers);
    give("clear_board", &mut answers);
    for number in 0..3 * size.points() {
        let color = ["black", "white"][number % 2];
        let mut legal = Vec::new();
        for vertex in Vertex::all(size) {
            if give(&format!("is_legal {color} {vertex}"), &mut answers) == "1" {
                legal.push(vertex.to_string());
            }
        }
        for of in ["black", "white"] {
            give(&format!("list_stones {of}"), &mut answers);
        }
        let draw = random.next_u64();
        let mv = match legal.len() {
            count if count > 0 && draw % 32 > 0 => &legal[(draw >> 32) as usize % count],
            _ => "pass",
        };
        give(&format!("play {color} {mv}"), &mut answers);
    }
    (commands, answers)
}

/// Every point of every position of a thousand random games, which GNU Go judges as
/// we do.
#[test]
#[ignore = "needs gnugo: .ci/run installs it"]
fn a_thousand_random_games_are_judged_alike() {
    let words = ["--mode", "gtp", "--positional-superko", "--forbid-suicide"];
    let debian = Path::new("/usr/games/gnugo");
    let program = if debian.is_file() { debian } else { Path::new("gnugo") };
    let mut gnugo = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = gnugo.stdin.take().unwrap();
    let mut output = BufReader::new(gnugo.stdout.take().unwrap());
    let (mut judged, mut moves) = (0_u64, 0_u64);
    for number in 0..1_000_u64 {
        // Small boards have most of what is hard; a few are large.
        let points = match (number % 500, number % 100) {
            (0, _) => 19,
            (_, 0) => 13,
            (_, 1..=4) => 9,
            (_, 5..=24) => 7,
            (_, 25..=49) => 6,
            _ => 5,
        };
        let size = Size::square(points).unwrap();
        let (commands, answers) = random_game(size, number);
        std::thread::scope(|scope| {
            // Whoever writes and reads in turn waits forever once a pipe is full.
            scope.spawn(|| input.write_all(commands.as_bytes()).and_then(|()| input.flush()));
            for (command, own) in commands.lines().zip(&answers) {
                let mut answer = String::new();
                while !answer.ends_with("\n\n") {
                    assert!(output.read_line(&mut answer).unwrap() > 0, "{command}");
                }
                let other =
                    answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
                let is_list = command.starts_with("list_stones");
                let sort = |text: &str| {
                    if is_list { sorted(text).join(" ") } else { text.trim().to_owned() }
                };
                assert_eq!(sort(own), sort(other), "game {number} on {size}: {command}");
                judged += u64::from(command.starts_with("is_legal"));
                moves += u64::from(command.starts_with("play"));
            }
        });
    }
    drop(input);
    gnugo.wait().unwrap();
    println!("{judged} points judged in {moves} moves");
    assert!(judged > 1_000_000, "{judged}");
}
