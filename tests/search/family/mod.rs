//! Each setting, at the level of the search: nodes computed by hand, and
//! independent recounts.

mod ends;
mod knowledge;
mod selection;
mod shared;
mod solver;

use super::common::*;
use tengen::search::UctConfig;
