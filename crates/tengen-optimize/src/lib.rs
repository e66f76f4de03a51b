#![deny(missing_docs, unsafe_code)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation))]
//! Tuning: which values of some parameters win most, found by noisy comparisons. Nothing here plays
//! a game: a method requests trials, and its caller plays them.
//!
//! - [`space`]: the parameters, by name, with range and scale.
//! - [`trial`]: trials, their scores, and the estimate of the optimum.
//! - [`method`](mod@method): the trait of all methods.
//! - [`kind`]: the methods by name: [`thompson`] over a Gaussian [`process`], [`clop`], [`spsa`],
//!   and, over a [`grid`], [`sweep`] and [`halving`].
//! - [`optimum`]: the interval of the optimum, which all methods compute alike.
//! - [`logistic`], [`quadratic`]: the regression that most methods use.
//! - [`tuner`]: drives a method whose trials are played several at once.
//! - [`surface`], [`regret`]: synthetic surfaces, and what a method loses on them.

pub mod clop;
pub mod grid;
pub mod halving;
pub mod kind;
pub mod logistic;
pub mod method;
pub mod optimum;
pub mod process;
pub mod quadratic;
pub mod regret;
pub mod space;
pub mod spsa;
pub mod surface;
pub mod sweep;
pub mod thompson;
pub mod trial;
pub mod tuner;
