//! The programs as a whole, and the engines that they talk to.

mod boards;
mod chunks;
mod cli;
mod common;
mod gtp_client;
mod gtp_dialogue;
mod gtp_engine;
mod gtp_gnugo;
mod gtp_lifetime;
mod gtp_live;
mod gtp_match;
mod input;
mod inspect;
mod layers;
mod manual;
mod memory;
mod openings;
mod parsers;
mod provenance;
mod published;
mod records;
mod resume;
mod scaling;
mod solve;
mod speed;
mod tournament;
