#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Measurements of speed: playouts per second and simulations per second, with
//! their rows.

mod cpu_time;
pub mod playouts;
pub mod searches;
