#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Tengen, a research harness for Monte Carlo tree search on the game of Go.

pub mod arena;
pub mod bot;
pub mod cli;
pub mod go;
pub mod gtp;
pub mod gtp_engine;
pub mod lab;
pub mod playout;
pub mod run;
pub mod search;
pub mod seed;
pub mod sgf;
pub mod stats;
