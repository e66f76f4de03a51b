#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Tuning: which settings of a bot win most.
//!
//! [`methods`] has parameter spaces, methods of tuning and synthetic surfaces, and plays no game;
//! [`tuning`] plays the trials that a method requests.

pub mod methods;
pub mod tuning;
