//! Word type, words per set, grid columns and number of lanes for each board size.
//!
//! | board | word | words per set | columns | lanes |
//! |---|---|---|---|---|
//! | up to 5×5 | `u32` | 1 | 6 | 64 |
//! | up to 7×8 | `u64` | 1 | 8 | 32 |
//! | up to 9×9 | `u32` | 3, interleaved | 10 | 32 |
//! | up to 10×11 | `u64` | 2 | 11 | 16 |
//! | up to 13×13 | `u32` | 6, interleaved | 14 | 32 |
//! | up to 19×19 | `u64` | 6, interleaved | 20 | 16 |
//!
//! WebAssembly plays on the grids of 7×8 and 10×11 in place of the smaller ones ([`SPARES_CODE`]).

use super::Engine;
use super::early_stop::EarlyStopLanes;
use super::engine::LaneEngine;
use super::kernel::Kernel;
use super::layout::pack;
use crate::policy::{LaneForm, LanePolicy, OnAllGrids, OnGrid};
use crate::sets::lane_word::{INTERLEAVED, LaneWord};
use crate::simd::Target;
use crate::{LaneConfig, PlayoutConfig, SPARES_CODE, max_plies};
use std::any::Any;
use tengen_go::{Bits, Size, words};

/// The lanes for boards of `size`, which callers pack in `W` words.
///
/// With words of 32 bits a vector holds twice as many games, drawing a point takes one
/// halving less, and all that is not a set takes half the time; 9×9 needs three such
/// words, or two of 64 bits. On small boards some game ends in nearly every step, and all
/// games that end in one step share the cost of leaving the loop: there more lanes are
/// faster.
///
/// # Panics
/// If `W` is not [`words`]`(size)`: lanes for other word
/// counts are not compiled.
pub(super) fn new_engine<const W: usize>(
    size: Size,
    target: Target,
    playout_config: LaneConfig,
) -> Box<dyn Engine<W>> {
    assert_eq!(W, words(size), "lanes for {size} are made for boards of its own number of words");
    // The functions below are not generic, so that the kernels are compiled once, in this
    // crate, and never in a crate that uses lanes.
    let engine: Box<dyn Any> = match W {
        1 => Box::new(of_one_word(size, target, playout_config)),
        2 => Box::new(of_two_words(size, target, playout_config)),
        3 => Box::new(of_three_words(size, target, playout_config)),
        _ => Box::new(of_six_words(size, target, playout_config)),
    };
    *engine.downcast().expect("the lanes of W words")
}

fn of_one_word(size: Size, target: Target, playout_config: LaneConfig) -> Box<dyn Engine<1>> {
    if !SPARES_CODE && size.width() <= 5 && size.height() <= 5 {
        lane_engine::<u32, 1, 1, 6, 64>(size, target, playout_config, |sets| sets)
    } else {
        lane_engine::<u64, 1, 1, 8, 32>(size, target, playout_config, |sets| sets)
    }
}

fn of_two_words(size: Size, target: Target, playout_config: LaneConfig) -> Box<dyn Engine<2>> {
    if !SPARES_CODE && size.width() <= 9 && size.height() <= 9 {
        lane_engine::<u32, 2, 3, 10, 32>(size, target, playout_config, |sets| sets)
    } else {
        lane_engine::<u64, 2, 2, 11, 16>(size, target, playout_config, |sets| sets)
    }
}

fn of_three_words(size: Size, target: Target, playout_config: LaneConfig) -> Box<dyn Engine<3>> {
    lane_engine::<u32, 3, 6, 14, 32>(size, target, playout_config, |sets| sets)
}

fn of_six_words(size: Size, target: Target, playout_config: LaneConfig) -> Box<dyn Engine<6>> {
    lane_engine::<u64, 6, 6, 20, 16>(size, target, playout_config, |sets| sets)
}

fn lane_engine<T: LaneWord, const W: usize, const N: usize, const S: usize, const L: usize>(
    size: Size,
    target: Target,
    playout_config: LaneConfig,
    on_grid: fn(&'static dyn OnAllGrids) -> &'static dyn OnGrid<T, N, S, L>,
) -> Box<dyn Engine<W>> {
    const {
        assert!(L <= 64, "lanes are told apart in 64 bits");
        assert!(N < INTERLEAVED || N == 3 || N == 6, "words that can be interleaved");
    }
    let pack = |set| pack::<T, W, N, S>(set, target);
    let (board, edge) = (pack(Bits::board(size)), pack(Bits::edge(size)));
    let LaneConfig { form, config: PlayoutConfig { policy, stop, komi } } = playout_config;
    let policy = match form {
        LaneForm::BuiltIn(built_in) => LanePolicy::built_in(built_in),
        LaneForm::Sets(sets) => LanePolicy::Sets(on_grid(sets), policy),
    };
    let kernel = Kernel::<T, N, S, L>::new(board, edge, max_plies(size), policy, target);
    let early_stop = EarlyStopLanes::new(stop, stop.thresholds(size, komi));
    Box::new(LaneEngine { kernel, size, target, early_stop })
}
