//! The rules, against a slow twin, counted positions and drawn examples.

mod game;
mod perft;
mod positions;
#[path = "../shared/reference.rs"]
mod reference;
#[allow(clippy::module_inception)]
mod rules;
mod safety;
mod superko;
mod twin;
