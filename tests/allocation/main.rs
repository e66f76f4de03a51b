//! Playouts allocate nothing once the lanes exist, and a search nothing while its
//! tree does not grow.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tengen::go::{Board, Game, Preset, Rules, Size, default_komi, with_words};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{BuiltInPolicy, EarlyStop, Isa, Job, PlayoutConfig, scalar};
use tengen::search::tree::Tree;
use tengen::search::uct::UctSearch;
use tengen::search::{Request, Search, SearchControl, UctConfig, Work};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every request goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no counter any more, nor need of one.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1_u8]))), 1);
}

/// Uniform, by the other policies, and with each rule that stops.
fn playout_configs() -> [PlayoutConfig; 5] {
    let policy = BuiltInPolicy::CaptureEscape { probability: 0.9 };
    let stops = [EarlyStop::Mercy { lead: 10 }, EarlyStop::Decided { margin: 5 }];
    let [mercy, decided] = stops.map(|stop| PlayoutConfig { stop, ..PlayoutConfig::default() });
    let shapes = BuiltInPolicy::Mogo { captures: 0.9, shapes: 1.0 };
    [PlayoutConfig::default(), policy.into(), shapes.into(), mercy, decided]
}

#[test]
fn playouts_allocate_nothing() {
    for side in [5, 7, 9, 10, 13, 19] {
        let size = Size::square(side).unwrap();
        with_words!(size, W => {
            let start = Board::<W>::new(size);
            for (isa, playout_config) in Isa::supported()
                .into_iter()
                .flat_map(|isa| playout_configs().map(|playout_config| (isa, playout_config)))
            {
                let mut lanes = Lanes::with_config(size, isa, playout_config);
                let mut seeds = 0..300;
                let mut plies = 0;
                let count = allocations(|| {
                    lanes.run(
                        || seeds.next().map(|seed| (Ticket(seed), Job { start, seed })),
                        |_, playout| plies += playout.plies,
                    );
                });
                assert_eq!(count, 0, "{isa} {size} {playout_config:?}");
                assert!(plies > 300);
            }
            // Reads the environment variable, once in a program.
            let _ = Isa::of_program();
            for playout_config in playout_configs() {
                let job = Job { start, seed: 1 };
                let once = || _ = std::hint::black_box(scalar::play_by(playout_config, &job));
                assert_eq!(allocations(once), 0, "{size} {playout_config:?}");
            }
        });
    }
}

/// Makes `simulations` simulations, or as many as the search still makes.
fn simulate(search: &mut UctSearch<1>, simulations: usize) {
    let Work::Playouts(playout_config) = search.work() else { panic!("playouts") };
    for _ in 0..simulations {
        if let Request::Playout { simulation, job } = search.select() {
            search.update(simulation, &scalar::play_by(playout_config, &job));
        }
    }
}

#[test]
fn a_search_whose_tree_is_full_allocates_nothing() {
    let size = Size::square(5).unwrap();
    let game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
    for spec in [
        "uct",
        "uct:exploration=0",
        "uct:exploration=0.3",
        "uct:selection=ucb1-tuned,prior=none",
        "uct:selection=kl-ucb",
        "uct:transpositions=true,proofs=true",
        "uct:rave=none",
        "uct:rave=none,prior=none,transpositions=true",
        "uct:rave=none,selection=puct,first_play=parent-0.1",
        "uct:rave=none,prior=none,selection=thompson",
    ] {
        let Some(config) = spec.parse::<tengen::bots::BotConfig>().unwrap().uct().cloned() else {
            panic!("{spec}")
        };
        let tree = Tree::new(config.extras());
        let mut search = UctSearch::new(&game, &config, 3_000, 1, tree);
        simulate(&mut search, 3_000);
        // In this tree, with leaves that stay leaves.
        let config = UctConfig { expansion: 1_000_000, max_nodes: 1_000, ..config };
        let tree = Box::new(search).report().tree;
        let mut search = UctSearch::new(&game, &config, 9_000, 2, tree);
        // Now and then the root gets a child, or a position its number.
        let counts = [(); 18].map(|()| allocations(|| simulate(&mut search, 500)));
        assert_eq!(search.simulations(), 9_000, "{spec}");
        assert_eq!(counts.iter().min(), Some(&0), "{spec}: {counts:?}");
    }
}
