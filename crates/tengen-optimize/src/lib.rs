#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Tuning: which settings of a bot win most.
//!
//! [`methods`] are parameter spaces, methods of tuning and synthetic surfaces, which play no
//! game; [`tuning`] plays what a method asks for.

pub mod methods;
pub mod tuning;
