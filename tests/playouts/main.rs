//! Playouts, alone and in lanes.

mod lanes;
mod policy;
#[path = "../shared/reference.rs"]
mod reference;
mod scalar;
mod stop;
mod uniform;
