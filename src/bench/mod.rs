//! What measures: playouts and searches per second, with their rows and plots.

pub mod playouts;
pub mod searches;
