//! Ranks as threads: searches against the same number of workers in one process, and ranks
//! that fall silent, die, or speak again.

mod front_end;

use crate::mailbox::{HEARTBEAT, Mailbox, Message};
use crate::{Coordinator, End, Helper, RanksBot, Unsuitable};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tengen_bots::{Bot, BotConfig, Decision};
use tengen_go::{Color, Game, Ko, Komi, Move, Preset, Rules, Size};
use tengen_search::{SearchReport, UctConfig, shared};

/// Ranks in this process. A carrier for each helper brings its messages, with the signs of life
/// that `mpi.rs` sends.
struct Ranks {
    coordinator: Coordinator,
    /// By helper: whether nothing of it arrives.
    is_cut: Vec<Arc<AtomicBool>>,
    notes: Arc<Mutex<Vec<String>>>,
    ends: Vec<thread::JoinHandle<End>>,
}

const PATIENCE: Duration = Duration::from_millis(2_500);

fn ranks(count: usize) -> Ranks {
    let (outgoing, to_send) = channel::<Message>();
    let (arrived, incoming) = channel::<Message>();
    let notes = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&notes);
    let note = Box::new(move |note| taken.lock().unwrap().push(note));
    let coordinator = Coordinator::new(Mailbox::new(outgoing, incoming), count, PATIENCE, note);
    let (mut is_cut, mut ends, mut inboxes) = (Vec::new(), Vec::new(), Vec::new());
    for rank in 1..count {
        let (inbox, helper_incoming) = channel();
        let (helper_outgoing, helper_to_send) = channel();
        let mailbox = Mailbox::new(helper_outgoing, helper_incoming);
        ends.push(thread::spawn(move || Helper::new(mailbox).serve(4 * PATIENCE)));
        let cut = Arc::new(AtomicBool::new(false));
        is_cut.push(Arc::clone(&cut));
        let arrived = arrived.clone();
        thread::spawn(move || carry(rank, &helper_to_send, &arrived, &cut));
        inboxes.push(inbox);
    }
    thread::spawn(move || deliver(&to_send, &inboxes));
    Ranks { coordinator, is_cut, notes, ends }
}

fn message(rank: usize, content: Vec<u8>) -> Message {
    Message { rank, at: Instant::now(), content }
}

/// Carries the messages of a helper to rank 0.
fn carry(rank: usize, to_send: &Receiver<Message>, arrived: &Sender<Message>, cut: &AtomicBool) {
    let mut heartbeat = Instant::now();
    loop {
        let content = match to_send.recv_timeout(HEARTBEAT / 4) {
            Ok(message) => message.content,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => Vec::new(),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return,
        };
        let is_due = !content.is_empty() || heartbeat.elapsed() >= HEARTBEAT;
        if is_due && !cut.load(Ordering::Relaxed) {
            heartbeat = Instant::now();
            if arrived.send(message(rank, content)).is_err() {
                return;
            }
        }
    }
}

/// Carries the messages of rank 0.
fn deliver(to_send: &Receiver<Message>, inboxes: &[Sender<Message>]) {
    while let Ok(Message { rank, content, .. }) = to_send.recv() {
        // A helper may have ended.
        let _ = inboxes[rank - 1].send(message(0, content));
    }
}

fn uct(settings: &str) -> UctConfig {
    let bot: BotConfig = format!("uct:{settings}").parse().unwrap();
    bot.uct().unwrap().clone()
}

fn untimed(report: &SearchReport) -> SearchReport {
    SearchReport { seconds: 0.0, bytes: 0, ..report.clone() }
}

/// A position after random moves.
fn position(random: &mut Xoshiro256PlusPlus) -> Game {
    let size = Size::square(random.random_range(3..=9)).unwrap();
    let preset = [Preset::Tengen, Preset::TrompTaylor, Preset::Simple][random.random_range(0..3)];
    let komi = Komi::default();
    let mut game = Game::new(size, Rules::new(preset, size, komi));
    for _ in 0..random.random_range(0..40) {
        if game.end().is_some() {
            game.give_turn(!game.to_play());
        }
        let mut moves: Vec<Move> = tengen_go::Vertex::all(size).map(Move::Play).collect();
        moves.push(Move::Pass);
        moves.retain(|&mv| game.check(game.to_play(), mv).is_ok());
        let mv = moves[random.random_range(0..moves.len())];
        game.play(game.to_play(), mv).unwrap();
    }
    if random.random_range(0..4) == 0 {
        game.give_turn(!game.to_play());
    }
    game
}

#[test]
fn ranks_find_what_workers_find() {
    let mut ranks = ranks(4);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for (number, settings) in [
        "simulations=203,rave=none,prior=none,exploration=0.4",
        "simulations=100",
        "simulations=160,rave=none,prior=none",
        "simulations=400,proofs=true,expansion=1,in_flight=3",
        "simulations=401,rave=none,prior=none,sharing=upper-tree:10:0.05:3",
        "simulations=250,sharing=upper-tree:7:0:2,rave=none",
        "simulations=300,sharing=upper-tree:20:0.1:4,proofs=true,selection=puct,rave=none,first_play=parent",
    ]
    .into_iter()
    .cycle()
    .take(42)
    .enumerate()
    {
        let (game, seed) = (position(&mut random), number as u64);
        let config = UctConfig { workers: 4, ..uct(settings) };
        let (alone, _) = shared::search(&game, &config, seed, Vec::new(), None).unwrap();
        let together = ranks.coordinator.search(&game, &uct(settings), seed).unwrap();
        assert_eq!(untimed(&together), untimed(&alone), "{settings}\n{}", game.board());
    }
    assert!(ranks.coordinator.quit());
    assert!(ranks.ends.into_iter().all(|end| end.join().unwrap() == End::OfAll));
    assert_eq!(*ranks.notes.lock().unwrap(), [""; 0]);
}

#[test]
fn a_bot_by_ranks_plays_what_workers_play() {
    let Ranks { mut coordinator, .. } = ranks(3);
    let search = move |game: &_, config: &_, seed| coordinator.search(game, config, seed);
    let config = UctConfig { workers: 3, ..uct("simulations=90") };
    let mut by_ranks = RanksBot::new(config.clone(), 5, Arc::new(Mutex::new(search)));
    let mut by_workers = BotConfig::from(config).build(5, None);
    let size = Size::square(4).unwrap();
    let mut game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
    while game.end().is_none() {
        let decision = by_workers.genmove(&game).unwrap().decision;
        assert_eq!(by_ranks.genmove(&game).unwrap().decision, decision);
        let Decision::Move(mv) = decision else { break };
        game.play(game.to_play(), mv).unwrap();
    }
    assert!(game.ply() > 10, "only {} plies", game.ply());
}

#[test]
fn a_search_goes_on_without_a_rank_that_falls_silent() {
    let mut ranks = ranks(4);
    let size = Size::square(5).unwrap();
    let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
    let config = uct("simulations=400,rave=none,prior=none,sharing=upper-tree:10:0.05:3");
    let with = |workers| UctConfig { workers, ..config.clone() };
    let of = |workers| shared::search(&game, &with(workers), 1, Vec::new(), None).unwrap().0;
    // Silent in the middle of a search: its share is missing.
    ranks.is_cut[1].store(true, Ordering::Relaxed);
    let report = ranks.coordinator.search(&game, &config, 1).unwrap();
    assert_eq!(report.counts.simulations, 300);
    assert_eq!(
        *ranks.notes.lock().unwrap(),
        ["rank 2 has been silent for 2.5 s: 3 of 4 ranks search"]
    );
    // The others then have its share.
    assert_eq!(untimed(&ranks.coordinator.search(&game, &config, 1).unwrap()), untimed(&of(3)));
    ranks.is_cut[1].store(false, Ordering::Relaxed);
    thread::sleep(2 * HEARTBEAT);
    assert_eq!(untimed(&ranks.coordinator.search(&game, &config, 1).unwrap()), untimed(&of(4)));
    assert_eq!(
        ranks.notes.lock().unwrap()[1..],
        ["rank 2 answers again, and takes part in the next search"]
    );
    for cut in &ranks.is_cut {
        cut.store(true, Ordering::Relaxed);
    }
    assert_eq!(ranks.coordinator.search(&game, &config, 1).unwrap().counts.simulations, 100);
    assert_eq!(untimed(&ranks.coordinator.search(&game, &config, 1).unwrap()), untimed(&of(1)));
    assert!(!ranks.coordinator.quit());
}

#[test]
fn ranks_that_are_left_hear_at_the_end_that_one_is_lost() {
    let Ranks { mut coordinator, is_cut, mut ends, .. } = ranks(3);
    let size = Size::square(5).unwrap();
    let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
    is_cut[0].store(true, Ordering::Relaxed);
    coordinator.search(&game, &uct("simulations=30"), 1).unwrap();
    // MPI would wait for it for ever.
    assert!(!coordinator.quit());
    assert_eq!(ends.remove(1).join().unwrap(), End::OfThoseLeft);
}

#[test]
fn a_search_ends_though_a_lost_rank_speaks_again() {
    let Ranks { mut coordinator, is_cut, notes, .. } = ranks(3);
    let size = Size::square(5).unwrap();
    let game = Game::new(size, Rules::new(Preset::Tengen, size, Komi::default()));
    // Until some time after the rank is heard of again.
    let config = uct("seconds=5,rave=none,prior=none,sharing=upper-tree:10:0.05:3");
    let (ended, end) = channel();
    let cut = Arc::clone(&is_cut[0]);
    cut.store(true, Ordering::Relaxed);
    thread::spawn(move || {
        let report = coordinator.search(&game, &config, 1).unwrap();
        let _ = ended.send(report.counts.simulations);
    });
    let started = Instant::now();
    let is_lost = || !notes.lock().unwrap().is_empty();
    while !is_lost() {
        assert!(started.elapsed() < Duration::from_secs(60), "the rank is not lost");
        thread::sleep(HEARTBEAT / 20);
    }
    cut.store(false, Ordering::Relaxed);
    assert!(end.recv_timeout(Duration::from_secs(60)).expect("the search ends") > 0);
    assert_eq!(
        *notes.lock().unwrap(),
        [
            "rank 1 has been silent for 2.5 s: 2 of 3 ranks search",
            "rank 1 answers again, and takes part in the next search"
        ]
    );
}

#[test]
fn a_helper_ends_when_rank_0_is_silent() {
    let (_inbox, incoming) = channel();
    let (outgoing, _to_send) = channel();
    let end = Helper::new(Mailbox::new(outgoing, incoming)).serve(Duration::from_millis(50));
    assert_eq!(end, End::OfSilence);
}

#[test]
fn a_position_is_the_same_on_every_rank() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    for _ in 0..200 {
        let mut game = position(&mut random);
        if game.end().is_none() && game.rules().ko == Ko::Simple {
            game.give_turn(Color::White);
        }
        let copy = crate::position::Position::of(&game).game().unwrap();
        assert_eq!(copy.board(), game.board());
        assert_eq!(copy.rules(), game.rules());
        assert!(copy.moves().eq(game.moves()));
        assert_eq!(copy.legal_points(), game.legal_points());
    }
}

#[test]
fn unsuitable_bots_are_refused() {
    let refused = |text: &str| Coordinator::config_for(&text.parse().unwrap(), 4).unwrap_err();
    assert_eq!(refused("random"), Unsuitable::NoSearch("random".into()));
    assert_eq!(refused("uct:reuse=true"), Unsuitable::Reuse);
    assert_eq!(refused("uct:workers=3"), Unsuitable::Workers { workers: 3, ranks: 4 });
    let suited = Coordinator::config_for(&"uct:simulations=50".parse().unwrap(), 4).unwrap();
    assert_eq!(suited.to_string(), "uct:simulations=50,workers=4");
}
