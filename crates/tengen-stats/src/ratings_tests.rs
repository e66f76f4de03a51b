//! Ratings against closed forms, and against the truth they were simulated from.

use super::*;
use crate::{Outcome, Pairs};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn names(count: usize) -> Vec<String> {
    ["random", "two-ply", "uct-100", "uct-1000", "uct-4000", "gnugo"][..count]
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn record(first_mover: usize, second_mover: usize, wins: u64, losses: u64) -> Record {
    Record { first_mover, second_mover, games: Games { losses, draws: 0, wins } }
}

/// A tournament of all against all with these true ratings.
fn simulate(truth: &[f64], advantage: f64, games: u64, seed: u64) -> Vec<Record> {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut records = Vec::new();
    for (i, first) in truth.iter().enumerate() {
        for (j, second) in truth.iter().enumerate().filter(|(j, _)| *j != i) {
            let p = Elo(first - second + advantage).score();
            let mut tally = Games::default();
            for _ in 0..games {
                let won = stream.random::<f64>() < p;
                tally.record(if won { Outcome::Win } else { Outcome::Loss });
            }
            records.push(Record { first_mover: i, second_mover: j, games: tally });
        }
    }
    records
}

#[test]
fn two_players_have_the_elo_of_their_score() {
    // So many games that half a game says nothing.
    let million = 1_000_000;
    let records =
        [record(0, 1, 60 * million, 40 * million), record(1, 0, 30 * million, 70 * million)];
    let ratings = rate(&names(2), &records).expect("connected");
    // Logits of the two sides: r + a = ln(60/40), -r + a = ln(30/70).
    let (one, other) = ((60.0_f64 / 40.0).ln(), (30.0_f64 / 70.0).ln());
    let unit = Elo::PER_LOGIT;
    assert!((ratings.difference(0, 1).value.0 - unit * (one - other) / 2.0).abs() < 1e-4);
    assert!((ratings.advantage().value.0 - unit * f64::midpoint(one, other)).abs() < 1e-4);
    assert!((ratings.rating(0).value.0 + ratings.rating(1).value.0).abs() < 1e-9);
    // Var r = (1/24 + 1/21) / 4 of the two logits' variances 1/(n p q).
    let expected = unit * ((1.0 / 24.0 + 1.0 / 21.0) / 4e6_f64).sqrt();
    let error = ratings.difference(0, 1).standard_error.0;
    assert!((error - expected).abs() < 1e-6, "{error} instead of {expected}");
    assert!((ratings.rating(0).standard_error.0 - expected / 2.0).abs() < 1e-6);
}

#[test]
fn two_players_have_half_a_win_and_half_a_loss_more_on_each_side() {
    // Two parameters for two records: Jeffreys' prior adds 1/2 to each cell, as Haldane (1955) and
    // Anscombe (1956) do (Firth 1993, section 3.3).
    for [won, lost, back_won, back_lost] in [[7, 3, 4, 6], [5, 0, 0, 5], [1, 0, 0, 1], [9, 1, 3, 0]]
    {
        let records = [record(0, 1, won, lost), record(1, 0, back_won, back_lost)];
        let ratings = rate(&names(2), &records).expect("connected");
        let logit = |won: u64, lost: u64| ((won as f64 + 0.5) / (lost as f64 + 0.5)).ln();
        let (there, back) = (logit(won, lost), logit(back_won, back_lost));
        let found = [ratings.difference(0, 1), ratings.advantage()];
        for (found, logits) in
            found.into_iter().zip([f64::midpoint(there, -back), f64::midpoint(there, back)])
        {
            assert!((found.value.0 - Elo::PER_LOGIT * logits).abs() < 1e-6, "{found:?} {logits}");
        }
    }
}

/// Three players, their games and the penalised likelihood, written out: the ratings of the second
/// and third player and the advantage are parameters, in logits.
fn penalised(games: &[[u8; 4]], [one, two, advantage]: [f64; 3]) -> f64 {
    let (mut value, mut m) = (0.0, [[0.0; 3]; 3]);
    for &[i, j, wins, losses] in games {
        let rating = |player| [0.0, one, two][usize::from(player)];
        let p = 1.0 / (1.0_f64 + f64::exp(rating(j) - rating(i) - advantage));
        let [wins, losses] = [wins, losses].map(f64::from);
        value += wins * p.ln() + losses * (1.0 - p).ln();
        let is = |player: u8, number: u8| f64::from(u8::from(player == number));
        let column = [is(i, 1) - is(j, 1), is(i, 2) - is(j, 2), 1.0];
        for a in 0..3 {
            for b in 0..3 {
                m[a][b] += (wins + losses) * p * (1.0 - p) * column[a] * column[b];
            }
        }
    }
    let minor = |a: usize, b: usize| m[1][a] * m[2][b] - m[1][b] * m[2][a];
    let determinant = m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1);
    value + determinant.ln() / 2.0
}

/// The maximum of `value` by steps along the axes in `free`, and where it is.
fn climb(value: impl Fn([f64; 3]) -> f64, start: [f64; 3], free: &[usize]) -> (f64, [f64; 3]) {
    let (mut at, mut best, mut step) = (start, value(start), 1.0);
    while step > 1e-7 {
        let mut has_risen = false;
        for &axis in free {
            for sign in [-1.0, 1.0] {
                let mut next = at;
                next[axis] += sign * step;
                if value(next) > best {
                    (at, best, has_risen) = (next, value(next), true);
                }
            }
        }
        if !has_risen {
            step /= 2.0;
        }
    }
    (best, at)
}

#[test]
fn ratings_and_intervals_are_those_of_a_search_for_the_maximum() {
    // First mover, second mover, wins, losses: a balanced tournament, one in which the last player
    // loses nearly all, one with few games, and one in which it loses all.
    let tournaments = [
        ([[0, 1, 12, 8], [1, 0, 14, 6], [1, 2, 9, 11], [2, 1, 10, 10], [2, 0, 15, 5]], 0.01),
        ([[0, 1, 12, 8], [1, 0, 14, 6], [1, 2, 20, 0], [2, 1, 1, 19], [0, 2, 19, 1]], 0.03),
        ([[0, 1, 3, 2], [1, 0, 3, 2], [1, 2, 4, 1], [2, 1, 2, 3], [2, 0, 1, 4]], 0.06),
        ([[0, 1, 3, 2], [1, 0, 4, 1], [1, 2, 5, 0], [2, 1, 0, 5], [2, 0, 0, 5]], 0.08),
    ];
    for (games, tolerance) in tournaments {
        let of = |[i, j, won, lost]: [u8; 4]| record(i.into(), j.into(), won.into(), lost.into());
        let records = games.map(of);
        let ratings = rate(&names(3), &records).expect("connected");
        let value = |at| penalised(&games, at);
        let (best, at) = climb(value, [0.0; 3], &[0, 1, 2]);
        let found = [ratings.difference(1, 0), ratings.difference(2, 0), ratings.advantage()];
        for (axis, found) in found.into_iter().enumerate() {
            let expected = at[axis] * Elo::PER_LOGIT;
            assert!((found.value.0 - expected).abs() < 0.01, "{axis}: {found:?} {expected}");
            // Where the profile has fallen by half the square of the quantile.
            let interval = found.interval(Level::P95);
            let free: Vec<usize> = (0..3).filter(|&other| other != axis).collect();
            let width = 2.0 * Level::P95.z() * found.standard_error.0;
            for (end, sign) in [(interval.low.0, -1.0), (interval.high.0, 1.0)] {
                if end.is_infinite() {
                    continue;
                }
                let (mut near, mut far) = (0.0, 20.0);
                while far - near > 1e-4 {
                    let middle = f64::midpoint(near, far);
                    let mut from = at;
                    from[axis] += sign * middle;
                    let fall = best - climb(value, from, &free).0;
                    let is_low = fall < Level::P95.z().powi(2) / 2.0;
                    if is_low { near = middle } else { far = middle }
                }
                let profile = found.value.0 + sign * near * Elo::PER_LOGIT;
                let missed = (end - profile) / width;
                assert!(missed.abs() < tolerance, "{games:?} {axis}: {end} {profile} {missed}");
            }
        }
    }
}

#[test]
fn who_won_all_games_has_no_upper_end() {
    let records = [record(0, 1, 300, 0), record(1, 0, 0, 300)];
    let ratings = rate(&names(2), &records).expect("connected");
    assert_eq!(ratings.reference(), [0, 1]);
    let lead = ratings.difference(0, 1);
    let interval = lead.interval(Level::P95);
    assert_eq!(interval.high.0, f64::INFINITY);
    // 600 wins have the probability 2.5 % at a score of 0.025^(1/600) (Clopper and Pearson 1934).
    // The interval is a little wider, since it also allows for an advantage of the first move.
    let exact = Elo::from_score(0.025_f64.powf(1.0 / 600.0)).0;
    assert!((exact - 40.0..exact).contains(&interval.low.0), "{interval:?} {exact}");
    assert!(lead.value.0.is_finite() && lead.value.0 > interval.low.0);
    let reverse = ratings.difference(1, 0).interval(Level::P95);
    assert_eq!((reverse.low.0, reverse.high.0), (f64::NEG_INFINITY, -interval.low.0));
    let [first, second] = [0, 1].map(|player| ratings.rating(player).interval(Level::P95));
    assert_eq!((first.high.0, second.low.0), (f64::INFINITY, f64::NEG_INFINITY));
    assert!((first.low.0 - interval.low.0 / 2.0).abs() < 1e-6);
    let advantage = ratings.advantage().interval(Level::P95);
    assert!(advantage.contains(&Elo(0.0)) && advantage.high.0.is_finite());
}

#[test]
fn a_hopeless_player_leaves_the_others_their_ratings() {
    let mut records = simulate(&[0.0, 100.0, 200.0], 0.0, 100, 3);
    let before = rate(&names(3), &records).expect("connected");
    for other in 0..3 {
        records.extend([record(other, 3, 50, 0), record(3, other, 0, 50)]);
    }
    let ratings = rate(&names(4), &records).expect("connected");
    assert_eq!(ratings.reference(), [0, 1, 2]);
    for player in 0..3 {
        let [one, other] = [&before, &ratings].map(|ratings| ratings.rating(player));
        assert!((one.value.0 - other.value.0).abs() < 2.0, "{one:?} {other:?}");
        let [one, other] = [one, other].map(|rating| rating.interval(Level::P95));
        assert!((one.low.0 - other.low.0).abs() < 4.0, "{one:?} {other:?}");
        assert!((one.high.0 - other.high.0).abs() < 4.0, "{one:?} {other:?}");
    }
    let last = ratings.rating(3).interval(Level::P95);
    assert!(last.low.0 == f64::NEG_INFINITY && last.high.0 < -500.0, "{last:?}");
}

#[test]
fn a_ladder_is_not_pulled_together_and_its_intervals_cover() {
    let truth = [0.0, 320.0, 640.0, 960.0];
    let (mut covered, mut sum) = ([0_u32; 6], 0.0);
    for seed in 0..400 {
        let ratings = rate(&names(4), &simulate(&truth, 0.0, 100, seed)).expect("connected");
        let rated = (0..4).map(|player| (ratings.rating(player), truth[player] - 480.0));
        let ends = [(ratings.difference(3, 0), 960.0), (ratings.difference(2, 1), 320.0)];
        for (count, (found, truth)) in covered.iter_mut().zip(rated.chain(ends)) {
            *count += u32::from(found.interval(Level::P95).contains(&Elo(truth)));
        }
        sum += ratings.difference(3, 0).value.0 - 960.0;
    }
    // The standard error of a share of 400 is 1.1 %, and that of the mean difference about 3 Elo.
    assert!(covered.iter().all(|&count| (365..=396).contains(&count)), "{covered:?}");
    assert!((sum / 400.0).abs() < 10.0, "{}", sum / 400.0);
}

#[test]
fn ratings_find_the_truth_within_their_errors() {
    let truth = [-300.0, -100.0, 0.0, 50.0, 120.0, 230.0];
    let mut outside = 0;
    for seed in 0..20 {
        let records = simulate(&truth, 35.0, 200, seed);
        let ratings = rate(&names(6), &records).expect("connected");
        for (i, rating) in truth.iter().enumerate() {
            let found = ratings.rating(i);
            outside += u32::from(!found.interval(Level::P95).contains(&Elo(*rating)));
            let z = (found.value.0 - rating) / found.standard_error.0;
            assert!(z.abs() < 4.5, "player {i}, seed {seed}: {z}");
        }
        outside += u32::from(!ratings.advantage().interval(Level::P95).contains(&Elo(35.0)));
    }
    // 5 % of 140 are 7; 17 is four standard errors more.
    assert!(outside <= 17, "{outside} of 140 outside 95 %");
}

#[test]
fn groups_that_never_met_are_named() {
    let records = [record(0, 1, 5, 5), record(2, 3, 5, 5), record(1, 2, 0, 0)];
    let error = rate(&names(5), &records).expect_err("three groups");
    assert_eq!(
        error.to_string(),
        "no games connect these groups of players: \
         {random, two-ply} and {uct-100, uct-1000} and {uct-4000}"
    );
    let joined = [&records[..], &[record(1, 2, 1, 0), record(3, 4, 0, 1)]].concat();
    assert!(rate(&names(5), &joined).is_ok());
}

#[test]
fn residuals_show_who_beats_whom_against_the_ratings() {
    // A circle: each beats the next by 70 %. All ratings are equal.
    let mut records = Vec::new();
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        records.extend([record(i, j, 35, 15), record(j, i, 15, 35)]);
    }
    records.push(record(1, 1, 10, 10));
    let ratings = rate(&names(3), &records).expect("connected");
    let residuals = ratings.residuals(&records);
    assert_eq!(residuals.len(), 3, "a player against itself is no pairing");
    for residual in residuals {
        assert_eq!(residual.games, 100);
        assert!((residual.expected - 0.5).abs() < 1e-6);
        assert!((residual.standard_error - 0.05).abs() < 1e-6);
        let sign = if (residual.player, residual.opponent) == (0, 2) { -1.0 } else { 1.0 };
        assert!((residual.z() - 4.0 * sign).abs() < 1e-4, "{residual:?}");
    }
}

#[test]
fn draws_count_half_and_one_side_is_enough() {
    let games = Games { losses: 10, draws: 80, wins: 10 };
    let records = [Record { first_mover: 0, second_mover: 1, games }];
    let ratings = rate(&names(2), &records).expect("connected");
    assert!(ratings.difference(0, 1).value.0.abs() < 1e-6);
    // The games cannot tell strength from the advantage of the first move.
    let ratings = rate(&names(2), &[record(0, 1, 90, 10)]).expect("connected");
    let open = Interval { low: Elo(f64::NEG_INFINITY), high: Elo(f64::INFINITY) };
    assert_eq!(ratings.advantage().value, Elo(0.0));
    let found = [ratings.advantage(), ratings.difference(0, 1), ratings.rating(1)];
    assert!(found.iter().all(|found| found.interval(Level::P95) == open), "{found:?}");
    assert!(ratings.difference(0, 1).value.0 > 0.0);
    // Two opponents of a player who always moves first can be compared.
    let records = [record(0, 1, 90, 10), record(0, 2, 80, 20)];
    let ratings = rate(&names(3), &records).expect("connected");
    let lead = ratings.difference(2, 1);
    let interval = lead.interval(Level::P95);
    let logit = |wins: f64, losses: f64| ((wins + 0.5) / (losses + 0.5)).ln();
    let expected = Elo::PER_LOGIT * (logit(90.0, 10.0) - logit(80.0, 20.0));
    assert!((lead.value.0 - expected).abs() < 1e-6, "{lead:?} {expected}");
    assert!(interval.low.0 < lead.value.0 && interval.high.0 < 400.0, "{interval:?}");
    // No game at all, and games of a player against itself.
    let alone = rate(&names(1), &[]).expect("a single player").rating(0);
    assert_eq!(alone.interval(Level::P95), Interval { low: Elo(0.0), high: Elo(0.0) });
    let itself = rate(&names(1), &[record(0, 0, 60, 40)]).expect("a single player").advantage();
    assert!((itself.value.0 - Elo::PER_LOGIT * (60.5_f64 / 40.5).ln()).abs() < 1e-6);
}

/// Pairs in which the first player wins both games, or one, with these probabilities, else none. In
/// a share `by_first` of the split pairs it wins the game in which it moves first.
fn simulate_pairs(
    [won, split]: [f64; 2],
    by_first: f64,
    pairs: u32,
    seed: u64,
) -> (Vec<Record>, PairRecord, Pairs) {
    use Outcome::{Loss, Win};
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut paired, mut counted) = (PairRecord::new(0, 1), Pairs::default());
    let (mut there, mut back) = (Games::default(), Games::default());
    for _ in 0..pairs {
        let drawn = stream.random::<f64>();
        let (first, second) = match drawn {
            _ if drawn < won => (Win, Win),
            _ if drawn >= won + split => (Loss, Loss),
            _ if stream.random::<f64>() < by_first => (Win, Loss),
            _ => (Loss, Win),
        };
        paired.record(first, second);
        counted.record(first, second);
        there.record(first);
        back.record(second.reversed());
    }
    let records = [(0, 1, there), (1, 0, back)];
    let record = |(first_mover, second_mover, games)| Record { first_mover, second_mover, games };
    (records.map(record).to_vec(), paired, counted)
}

#[test]
fn pairs_decide_the_errors() {
    // Pairs whose second game repeats the first, and pairs that are mostly split.
    for (won, split, is_wider) in [(0.55, 0.05, true), (0.15, 0.8, false)] {
        let truth = Elo::from_score(won + split / 2.0).0;
        let (mut outside, mut alone) = (0, 0);
        for seed in 0..200 {
            let (records, pairs, _) = simulate_pairs([won, split], 0.5, 150, seed);
            let with = rate_in_pairs(&names(2), &records, &[pairs]).expect("connected");
            let without = rate(&names(2), &records).expect("connected");
            assert_eq!(with.rating(0).value, without.rating(0).value);
            let [with, without] = [with, without].map(|ratings| ratings.difference(0, 1));
            assert_eq!(with.standard_error.0 > without.standard_error.0, is_wider);
            let covers = |found: Estimate| found.interval(Level::P95).contains(&Elo(truth));
            outside += u32::from(!covers(with));
            alone += u32::from(!covers(without));
        }
        assert!((2..=20).contains(&outside), "{outside} of 200 outside 95 %");
        assert_eq!(alone > 20, is_wider, "{alone} of 200 if the games are taken for independent");
    }
}

#[test]
fn the_errors_of_two_players_are_those_of_their_pairs() {
    let (records, pairs, counted) = simulate_pairs([0.3, 0.5], 0.7, 1_000, 1);
    let found = rate_in_pairs(&names(2), &records, &[pairs]).expect("connected").difference(0, 1);
    let of_pairs = Elo::interval(counted.interval(Level::P95).expect("pairs"));
    let interval = found.interval(Level::P95);
    assert!((interval.low.0 - of_pairs.low.0).abs() < 2.0, "{interval:?} {of_pairs:?}");
    assert!((interval.high.0 - of_pairs.high.0).abs() < 2.0, "{interval:?} {of_pairs:?}");
}

#[test]
fn pairs_of_which_hardly_any_is_lost_say_little_of_their_spread() {
    // All 20 pairs are won: the residuals are tiny, but the rating is not known better for it.
    let mut pairs = PairRecord::new(0, 1);
    (0..20).for_each(|_| pairs.record(Outcome::Win, Outcome::Win));
    let records = [record(0, 1, 20, 0), record(1, 0, 0, 20)];
    let with = rate_in_pairs(&names(2), &records, &[pairs]).expect("connected").difference(0, 1);
    let without = rate(&names(2), &records).expect("connected").difference(0, 1);
    let ratio = with.standard_error.0 / without.standard_error.0;
    assert!((0.7..1.0).contains(&ratio), "{ratio}");
}

/// A hundred players who all met must be rated, and all differences computed, at once.
#[test]
fn a_hundred_players_take_no_time() {
    let truth: Vec<f64> = (0..100).map(|player| 10.0 * f64::from(player)).collect();
    let names: Vec<String> = (0..100).map(|player| player.to_string()).collect();
    let records = simulate(&truth, 20.0, 10, 1);
    let started = std::time::Instant::now();
    let ratings = rate(&names, &records).expect("connected");
    let mut outside = 0;
    for one in 0..100 {
        for other in 0..one {
            let interval = ratings.difference(one, other).interval(Level::P95);
            outside += u32::from(!interval.contains(&Elo(truth[one] - truth[other])));
        }
    }
    // Far more than it takes, on a busy machine too.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    println!("{:?}", started.elapsed());
    // 5 % of 4,950; neighbouring differences depend on each other.
    assert!((100..500).contains(&outside), "{outside}");
}
