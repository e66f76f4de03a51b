//! Measurements of speed: playouts per second and simulations per second, with
//! their rows.

pub mod playouts;
pub mod searches;
