//! The rules, against a slow twin, counted positions and drawn examples.

mod game;
mod perft;
mod positions;
mod reference;
#[allow(clippy::module_inception)]
mod rules;
mod superko;
mod twin;
