//! The programs as a whole, and the engines that they talk to.

mod boards;
mod called;
mod cli;
mod common;
mod convergence;
#[path = "../shared/fragile.rs"]
mod fragile;
mod gtp_client;
mod gtp_dialogue;
mod gtp_engine;
mod gtp_finished;
mod gtp_gnugo;
mod gtp_lifetime;
mod gtp_live;
mod gtp_match;
mod inspect;
mod learn;
mod limits;
mod manual;
#[cfg(unix)]
mod manual_commands;
mod npz;
mod openings;
mod outside;
mod panics;
mod parsers;
mod parts;
mod plan;
mod provenance;
mod published;
mod records;
mod refusals;
mod reproduce;
mod scaling;
mod sizes;
mod snapshots;
mod solve;
mod speed;
mod tournament;
mod training;
mod training_positions;
mod tune;
