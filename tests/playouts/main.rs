//! Playouts, alone and in lanes.

mod lanes;
mod own;
mod plain;
mod policy;
#[path = "../shared/reference.rs"]
mod reference;
mod sample;
mod scalar;
mod sets;
mod shapes;
mod stop;
mod tactical;
