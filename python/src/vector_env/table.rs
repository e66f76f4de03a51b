//! The games of a vector environment, whatever the size of their board.

use super::one::{OneGame, Refusal, Start};
use crate::arguments::sign;
use crate::arrays::write_bools;
use crate::position::Position;
use std::sync::{Arc, Mutex, PoisonError};
use tengen::go::{Color, End, Game, Score, Size, with_words};
use tengen::search::evaluator::Leaf;
use tengen::seed::mix;

/// How the games are played and shown.
#[derive(Clone, Copy)]
pub struct Settings {
    pub own_eyes: bool,
    pub auto_reset: bool,
    pub observations: bool,
    pub threads: usize,
}

/// Where games write what Python sees, game after game; `observations` is empty if there are none.
#[derive(Default)]
pub struct Views<'a> {
    pub observations: &'a mut [f32],
    pub legal: &'a mut [bool],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub to_play: &'a mut [i8],
    pub scores: &'a mut [f32],
}

impl Views<'_> {
    /// Takes the places of the first `games` games away, on boards of `size`.
    fn split(&mut self, games: usize, size: Size) -> Self {
        let planes = if self.observations.is_empty() { 0 } else { Leaf::plane_values(size) };
        let moves = size.points() + 1;
        Views {
            observations: self.observations.split_off_mut(..games * planes).unwrap_or_default(),
            legal: self.legal.split_off_mut(..games * moves).unwrap_or_default(),
            rewards: self.rewards.split_off_mut(..games * 2).unwrap_or_default(),
            terminated: self.terminated.split_off_mut(..games).unwrap_or_default(),
            truncated: self.truncated.split_off_mut(..games).unwrap_or_default(),
            to_play: self.to_play.split_off_mut(..games).unwrap_or_default(),
            scores: self.scores.split_off_mut(..games).unwrap_or_default(),
        }
    }
}

/// An operation on all games.
#[derive(Clone, Copy)]
pub enum Deed<'a> {
    /// Each plays its action, which is not refused.
    Step(&'a [i64]),
    /// The games whose flag is true begin again; without flags all games.
    Reset(Option<&'a [bool]>),
}

/// The games that ended in a step, in order, and the planes of their last positions.
#[derive(Default)]
pub struct Ended {
    pub games: Vec<i64>,
    pub observations: Vec<f32>,
}

/// Games on boards of one size.
pub trait Table: Send + Sync {
    fn len(&self) -> usize;
    /// The first of `actions`, one for each game, that its game refuses, with the player to move.
    fn refused(&self, actions: &[i64]) -> Option<(usize, Color, Refusal)>;
    /// Does `deed`, and shows all games.
    fn act(&mut self, deed: Deed<'_>, settings: Settings, views: Views<'_>) -> Ended;
    /// A move for each game by [`OneGame::sample`].
    fn sample(&self, seed: u64, actions: &mut [i64]);
    /// The games with their moves.
    fn positions(&self) -> Vec<Position>;
    /// The number of plies made in each game.
    fn plies(&self) -> Vec<i64>;
}

/// The table of `games`, which begin anew at their positions; one game stands for `copies` of it.
pub fn table(size: Size, games: &[Game], copies: usize, own_eyes: bool) -> Box<dyn Table> {
    with_words!(size, W => {
        let mut all = Vec::with_capacity(games.len() * copies);
        for game in games {
            let start = Arc::new(Start::<W>::new(game.clone(), own_eyes));
            all.extend((0..copies).map(|_| OneGame::new(Arc::clone(&start))));
        }
        Box::new(Games { size, games: all })
    })
}

struct Games<const W: usize> {
    size: Size,
    games: Vec<OneGame<W>>,
}

/// The least number of games that is worth a thread of its own.
const PER_THREAD: usize = 64;

impl<const W: usize> Table for Games<W> {
    fn len(&self) -> usize {
        self.games.len()
    }

    fn refused(&self, actions: &[i64]) -> Option<(usize, Color, Refusal)> {
        let mut games = self.games.iter().zip(actions).enumerate();
        games.find_map(|(number, (game, &action))| {
            let refusal = if game.end().is_some() { None } else { game.checked(action).err() };
            refusal.map(|refusal| (number, game.board().to_play(), refusal))
        })
    }

    fn act(&mut self, deed: Deed<'_>, settings: Settings, mut views: Views<'_>) -> Ended {
        let size = self.size;
        let threads = settings.threads.min(self.games.len() / PER_THREAD).max(1);
        if threads == 1 {
            return act(&mut self.games, 0, deed, settings, size, views);
        }
        let share = self.games.len().div_ceil(threads);
        let mut ended: Vec<Ended> = (0..threads).map(|_| Ended::default()).collect();
        let parts = self.games.chunks_mut(share).zip(&mut ended).enumerate();
        let parts = parts.map(|(part, (games, ended))| {
            let views = views.split(games.len(), size);
            (part * share, games, views, ended)
        });
        let parts = Mutex::new(parts.collect::<Vec<_>>());
        let work = || {
            // The lock is released before the work: `while let` would hold it.
            loop {
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let Some((first, games, views, ended)) = part else { break };
                *ended = act(games, first, deed, settings, size, views);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // This thread does the work of one that cannot be started.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut all = Ended::default();
        for part in ended {
            all.games.extend(part.games);
            all.observations.extend(part.observations);
        }
        all
    }

    fn sample(&self, seed: u64, actions: &mut [i64]) {
        for (number, (game, action)) in (0..).zip(self.games.iter().zip(actions)) {
            #[allow(clippy::cast_possible_wrap)] // at most 361
            let drawn = game.sample(mix(seed, number)) as i64;
            *action = drawn;
        }
    }

    fn positions(&self) -> Vec<Position> {
        self.games.iter().map(|game| Position::of(game.game())).collect()
    }

    fn plies(&self) -> Vec<i64> {
        self.games.iter().map(|game| game.ply().into()).collect()
    }
}

/// Does `deed` to `games`, whose first one has the number `first`.
fn act<const W: usize>(
    games: &mut [OneGame<W>],
    first: usize,
    deed: Deed<'_>,
    settings: Settings,
    size: Size,
    views: Views<'_>,
) -> Ended {
    let mut ended = Ended::default();
    let (points, planes) = (size.points(), Leaf::plane_values(size));
    for (place, game) in games.iter_mut().enumerate() {
        let number = first + place;
        let now = match deed {
            Deed::Step(actions) => step(game, actions[number], settings),
            Deed::Reset(which) => {
                if which.is_none_or(|which| which[number]) {
                    game.reset();
                }
                None
            }
        };
        let end = game.end();
        let score = end.map(|_| game.score());
        if now.is_some() {
            #[allow(clippy::cast_possible_wrap)] // a number of games in memory
            ended.games.push(number as i64);
            if settings.observations {
                let filled = ended.observations.len();
                ended.observations.resize(filled + planes, 0.0);
                game.write_planes(&mut ended.observations[filled..]);
            }
            if settings.auto_reset {
                game.reset();
            }
        }
        views.terminated[place] = end == Some(End::Passes);
        views.truncated[place] = end == Some(End::Limit);
        let winner = now.and(score).and_then(Score::winner);
        for color in Color::BOTH {
            let reward = winner.map_or(0.0, |winner| if winner == color { 1.0 } else { -1.0 });
            views.rewards[2 * place + color.index()] = reward;
        }
        #[allow(clippy::cast_possible_truncation)] // a multiple of ½
        let points_ahead = score.map_or(f32::NAN, |score| score.points() as f32);
        views.scores[place] = points_ahead;
        views.to_play[place] = sign(game.board().to_play());
        let legal = &mut views.legal[place * (points + 1)..][..=points];
        write_bools(game.legal(), &mut legal[..points]);
        legal[points] = game.end().is_none();
        if settings.observations {
            game.write_planes(&mut views.observations[place * planes..][..planes]);
        }
    }
    ended
}

/// Plays `action`, unless the game is over; returns how the ply ends the game, if it does.
fn step<const W: usize>(game: &mut OneGame<W>, action: i64, settings: Settings) -> Option<End> {
    if game.end().is_some() {
        return None;
    }
    // Nothing is refused here.
    game.checked(action).ok().and_then(|mv| game.play(mv, settings.own_eyes))
}
