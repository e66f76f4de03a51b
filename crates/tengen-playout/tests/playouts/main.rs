//! Playouts, alone and in lanes, and what no random play takes.

mod lanes;
mod own;
mod plain;
mod policy;
#[path = "../../../tengen-go/tests/rules/reference.rs"]
mod reference;
mod safety;
mod sample;
mod scalar;
mod sequence;
mod sets;
mod shapes;
mod stop;
mod tactical;
