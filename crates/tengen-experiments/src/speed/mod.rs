//! Measurements of speed: playouts per second and simulations per second, with their rows and
//! reports.

pub mod playouts;
#[cfg(feature = "report")]
pub mod report;
pub mod searches;
