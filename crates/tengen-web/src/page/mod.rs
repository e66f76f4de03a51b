//! What the page asks for, as JSON: positions, game records and searches.
//!
//! Nothing here knows a network or keeps a game: every question carries the whole game
//! ([`GameText`]), so that any answer can be given by a server or by WebAssembly in the
//! browser, and a position can be sent as a link.
//!
//! [`answer`] answers a question by its name; [`Thinking`] is a search that is looked at
//! while it goes on. [`Limits`] bound what a question may cost.

mod answer;
mod bots;
mod game_text;
mod limits;
mod position;
mod record;
mod refusal;
mod thinking;

pub use answer::{Method, answer};
pub use bots::{BotOffer, Offers};
pub use game_text::{GameText, Player};
pub use limits::Limits;
pub use position::{PlayRequest, Position};
pub use record::RecordText;
pub use refusal::Refusal;
pub use thinking::{Purpose, RootMove, ThinkRequest, Thinking, Update};
