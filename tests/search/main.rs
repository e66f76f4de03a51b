//! UCT: the contract of a search, its determinism, superko, passing, reuse,
//! and that it finds what anybody sees.

mod bots;
mod common;
mod contract;
#[path = "../shared/driven.rs"]
mod driven;
mod evaluated_games;
mod evaluators;
mod family;
mod features;
#[path = "../shared/fragile.rs"]
mod fragile;
mod gumbel;
mod in_flight;
mod judged_by_playouts;
mod learned;
mod move_priors;
mod own;
mod own_eyes;
mod panics;
mod passing;
mod rave;
#[path = "../../crates/tengen-go/tests/rules/reference.rs"]
mod reference;
mod reuse;
mod self_play;
mod settings;
mod signatures;
mod stops;
mod strength;
mod superko;
