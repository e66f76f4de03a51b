#![deny(missing_docs)]
//! What the page asks for, as WebAssembly in a worker of the browser.
//!
//! A call goes in three steps: [`input`] makes room for the question, which the caller
//! writes there; the call itself returns 0, or 1 where it refuses; [`output`] and
//! [`output_bytes`] say where the answer lies until the next call. Questions and answers
//! are JSON as `tengen_web::page` has them, refusals are one line of text.
//!
//! Without the feature `search` there is only [`ask`], about positions and records.
//!
//! There is no clock here: the worker measures the time, and asks for slices of so many
//! simulations.
// An exported name is `unsafe` because two of them could be the same; nothing else is.
#![allow(unsafe_code)]

#[cfg(feature = "search")]
mod search;

use std::cell::RefCell;
use tengen_web::page::{Limits, Refusal};

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What a question may cost in a browser.
fn limits() -> Limits {
    // The solver reads a clock, which is not there.
    Limits { bytes: 512 << 20, solver_nodes: 0, workers: 16, ..Limits::default() }
}

/// Makes room for a question of `bytes` bytes, and returns where.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Where the answer to the last call is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

/// The number of bytes of that answer.
#[unsafe(no_mangle)]
pub extern "C" fn output_bytes() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

/// Keeps an answer; 1 for a refusal.
fn put(answered: Result<String, Refusal>) -> u32 {
    let (text, code) = match answered {
        Ok(text) => (text, 0),
        Err(refusal) => (refusal.to_string(), 1),
    };
    OUTPUT.set(text.into_bytes());
    code
}

fn question() -> Result<String, Refusal> {
    String::from_utf8(INPUT.take()).map_err(|_| Refusal::new("invalid question: expected UTF-8"))
}

/// Answers a question: its name, a line break, its JSON.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> u32 {
    put(question().and_then(|text| {
        let (name, json) = text.split_once('\n').unwrap_or((&text, ""));
        let answer = answer(name, json)?;
        answer.ok_or_else(|| Refusal::new(format!("unknown question `{name}`")))
    }))
}

#[cfg(feature = "search")]
use search::answer;

#[cfg(not(feature = "search"))]
fn answer(name: &str, json: &str) -> Result<Option<String>, Refusal> {
    tengen_web::page::rules_answer(name, json, &limits())
}
