//! Measurements of speed: playouts per second and simulations per second, with
//! their rows.

mod cpu_time;
pub mod playouts;
pub mod searches;

pub(crate) use cpu_time::cpu_seconds;
