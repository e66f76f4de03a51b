//! The policy `tactical`: each rule on positions drawn by hand, and whole playouts by a twin that follows
//! chains stone by stone.

use crate::reference::{Point, Position, point, vertex};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;
use tengen_go::{Bits, Board, Color, Move, Size};
use tengen_playout::policy::{Tactical, Turn};
use tengen_playout::{BuiltInPolicy, Ending, Job, max_plies, scalar};

type Points = BTreeSet<Point>;

/// A position as the player to move sees it, point by point.
struct Seen {
    position: Position,
    own: Points,
    other: Points,
    last: Points,
}

/// The last liberties of chains in atari, of the player to move and of the opponent.
#[derive(Clone, Default)]
struct Memory {
    own: Points,
    other: Points,
}

fn points<const W: usize>(set: Bits<W>) -> Points {
    set.iter().map(Bits::<W>::vertex).map(point).collect()
}

fn set<const W: usize>(points: &Points) -> Bits<W> {
    points.iter().map(|&at| vertex(at)).collect()
}

impl Seen {
    fn of<const W: usize>(board: &Board<W>, last: Bits<W>) -> Self {
        let stones = |color| points(board.stones(color));
        let (own, other) = (stones(board.to_play()), stones(!board.to_play()));
        Self { position: Position::of(board), own, other, last: points(last) }
    }

    fn beside(&self, at: Point) -> impl Iterator<Item = Point> {
        self.position.neighbors(at)
    }

    fn is_empty(&self, at: Point) -> bool {
        !self.position.stones.contains_key(&at)
    }

    fn empty_beside(&self, at: Point) -> usize {
        self.beside(at).filter(|&beside| self.is_empty(beside)).count()
    }

    fn liberties(&self, chain: &Points) -> Points {
        let beside = chain.iter().flat_map(|&stone| self.beside(stone));
        beside.filter(|&at| self.is_empty(at) && !chain.contains(&at)).collect()
    }

    /// The chain that a stone of the player to move makes at `at`.
    fn chain_with(&self, at: Point) -> Points {
        let mut stones = self.position.stones.clone();
        stones.insert(at, self.position.to_play);
        self.position.chain(&stones, at)
    }

    /// One step along the rows, then one along the columns.
    fn spread(&self, from: &Points, stones: &Points) -> Points {
        let mut reached = from.clone();
        for along_row in [true, false] {
            let step =
                |&at: &Point| self.beside(at).filter(move |next| (next.1 == at.1) == along_row);
            let next: Vec<Point> = reached.iter().flat_map(step).collect();
            reached.extend(next.into_iter().filter(|at| stones.contains(at)));
        }
        reached
    }

    fn safe(&self, stones: &Points) -> Points {
        let has_two = |stone: &&Point| self.empty_beside(**stone) >= 2;
        self.spread(&stones.iter().filter(has_two).copied().collect(), stones)
    }

    fn in_atari(&self, touched: impl Iterator<Item = Point>) -> Points {
        let chain = |stone| self.position.chain(&self.position.stones, stone);
        let liberties = touched.map(|stone| self.liberties(&chain(stone)));
        liberties.filter(|liberties| liberties.len() == 1).flatten().collect()
    }

    fn all_in_atari(&self) -> Memory {
        let [own, other] =
            [&self.own, &self.other].map(|stones| self.in_atari(stones.iter().copied()));
        Memory { own, other }
    }

    /// The sets that a turn prefers, each with its probability, and what is remembered then.
    fn preferred(&self, rules: &Tactical, before: &Memory) -> (Vec<(f64, Points)>, Memory) {
        let [safe_own, safe_other] = [&self.own, &self.other].map(|stones| self.safe(stones));
        let own_beside = self.last.iter().flat_map(|&stone| self.beside(stone));
        let touched =
            own_beside.filter(|stone| self.own.contains(stone) && !safe_own.contains(stone));
        let found_own = self.in_atari(touched);
        let last = self.last.difference(&safe_other).copied();
        let found_other = self.in_atari(last);
        let remembered = |before: &Points, found: &Points| -> Points {
            before.iter().filter(|&&at| self.is_empty(at)).chain(found).copied().collect()
        };
        let own = remembered(&before.own, &found_own);
        let other = remembered(&before.other, &found_other);
        let is_good = |at: &&Point| {
            self.empty_beside(**at) >= 2
                || other.contains(*at)
                || self.beside(**at).any(|beside| safe_own.contains(&beside))
        };
        let mut captures: Points = found_own.iter().filter(is_good).copied().collect();
        captures.extend(&found_other);
        if !found_own.is_empty() {
            captures.extend(&other);
        }
        let anywhere = own.iter().filter(is_good).chain(&other).copied().collect();
        let sets = vec![
            (rules.captures, captures),
            (rules.anywhere, anywhere),
            (rules.atari, self.ataris(&safe_other)),
        ];
        (sets, Memory { own, other })
    }

    fn ataris(&self, safe: &Points) -> Points {
        let [_, _, two, three] = [0, 1, 2, 3].map(|rounds| {
            (0..rounds).fold(self.last.clone(), |chain, _| self.spread(&chain, &self.other))
        });
        let liberties = self.liberties(&two);
        if three != two || liberties.len() != 2 {
            return Points::new();
        }
        let gains = |&&at: &&Point| {
            let room = self.beside(at).filter(|it| self.is_empty(*it) && !liberties.contains(it));
            room.count() >= 2 || self.beside(at).any(|it| safe.contains(&it) && !two.contains(&it))
        };
        let gaining: Points = liberties.iter().filter(gains).copied().collect();
        if gaining.is_empty() { liberties } else { gaining }
    }

    /// The liberties that a bad self-atari at `at` leaves its chain; none if it is not bad.
    fn self_atari(&self, at: Point, memory: &Memory) -> Option<Points> {
        let beside_own = self.beside(at).any(|beside| self.own.contains(&beside));
        if self.empty_beside(at) >= 2 || memory.other.contains(&at) || !beside_own {
            return None;
        }
        let liberties = self.liberties(&self.chain_with(at));
        (liberties.len() < 2).then_some(liberties)
    }

    /// Whether the chain that a stone at `at` makes lies with its liberties in an eye of the
    /// opponent, and has a killing shape.
    fn is_nakade(&self, at: Point) -> bool {
        let chain = self.chain_with(at);
        let room: Points = chain.union(&self.liberties(&chain)).copied().collect();
        let mut around = room.iter().flat_map(|&it| self.beside(it));
        if !around.all(|it| room.contains(&it) || self.other.contains(&it)) {
            return false;
        }
        // How many stones of the chain each stone touches, which tells the small shapes apart.
        let touched = |&stone: &Point| self.beside(stone).filter(|it| chain.contains(it)).count();
        let mut degrees: Vec<usize> = chain.iter().map(touched).collect();
        degrees.sort_unstable();
        chain.len() <= 3
            || [&[2, 2, 2, 2][..], &[1, 1, 1, 3], &[1, 1, 1, 1, 4], &[1, 2, 2, 2, 3]]
                .contains(&&degrees[..])
    }
}

/// The moves of a playout of `job` without shapes, by the twin.
fn twin<const W: usize>(rules: &Tactical, job: &Job<W>) -> Vec<Move> {
    let (mut board, mut random) = (job.start, Xoshiro256PlusPlus::seed_from_u64(job.seed));
    let mut memory = Seen::of(&board, Bits::EMPTY).all_in_atari();
    let (mut last, mut moves) = (Bits::EMPTY, Vec::new());
    while !board.is_over() && moves.len() < max_plies(board.size()) as usize {
        let mut candidates =
            board.empty() - (board.eyes() | board.ko_set() | board.evident_suicides(3));
        let seen = Seen::of(&board, last);
        let (sets, now) = seen.preferred(rules, &memory);
        let (mut is_first, mut instead) = (true, Points::new());
        let played = loop {
            let number = random.next_u64();
            let turn = Turn { board, candidates, last, is_first, number };
            if candidates.is_empty() {
                board.pass();
                break Bits::EMPTY;
            }
            let applied = sets.iter().filter(|(rule, _)| is_first && turn.coin(*rule));
            let mut preferred = applied.map(|(_, points)| points).chain([&instead]);
            let drawn_from = preferred.find_map(|points| {
                let preferred = set::<W>(points) & candidates;
                (!preferred.is_empty()).then_some(preferred)
            });
            drop(preferred);
            let index = turn.one_of(drawn_from.unwrap_or(candidates));
            let at = point(Bits::<W>::vertex(index));
            let is_nakade = turn.coin(rules.nakade) && seen.is_nakade(at);
            let is_vetoed = turn.coin(rules.veto) && !is_nakade;
            let bad = seen.self_atari(at, &now).filter(|_| is_vetoed);
            if bad.is_none() && board.play_unless_suicide(index) {
                break Bits::point(index);
            }
            instead = bad.unwrap_or_default();
            candidates = candidates - Bits::point(index);
            is_first = false;
        };
        let index = (!played.is_empty()).then(|| played.nth(0));
        moves.push(index.map_or(Move::Pass, |index| Move::Play(Bits::<W>::vertex(index))));
        memory = Memory { own: now.other, other: now.own };
        last = played;
    }
    moves
}

#[test]
fn playouts_are_those_of_a_twin_stone_by_stone() {
    fn compare<const W: usize>(size: Size, rules: Tactical) {
        let policy = BuiltInPolicy::Tactical(rules);
        let empty = Board::<W>::new(size);
        for seed in 0_u8..12 {
            // From the empty board, and from the middle of a playout, with chains in atari.
            let mut start = empty;
            let other = Job { start, seed: 100 + u64::from(seed) };
            let (_, moves) = scalar::record(policy, &other);
            moves.iter().take(usize::from(seed) * 5).for_each(|&mv| start.play_unchecked(mv));
            let job = Job { start, seed: seed.into() };
            let (playout, moves) = scalar::record(policy, &job);
            assert_eq!(twin(&rules, &job), moves, "{size} {seed} {rules:?}");
            assert!(playout.ending != Ending::Stopped);
        }
    }
    let all = Tactical { shapes: 0.0, ..Tactical::default() };
    for rules in [
        Tactical { captures: 0.9, ..NONE },
        Tactical { anywhere: 0.9, ..NONE },
        Tactical { atari: 0.9, ..NONE },
        Tactical { veto: 0.8, ..NONE },
        Tactical { veto: 0.9, nakade: 0.7, ..NONE },
        all,
    ] {
        compare::<1>(Size::new(4, 5).unwrap(), rules);
        compare::<1>(Size::square(7).unwrap(), rules);
        compare::<2>(Size::square(9).unwrap(), rules);
        compare::<3>(Size::square(13).unwrap(), rules);
    }
}

const NONE: Tactical =
    Tactical { captures: 0.0, anywhere: 0.0, atari: 0.0, shapes: 0.0, veto: 0.0, nakade: 0.0 };

fn drawn(rows: &str, to_play: Color, last: &str) -> (Board<2>, Bits<2>) {
    let board = Board::from_diagram(rows, to_play).unwrap();
    let last = Bits::point(Bits::<2>::index(last.parse().unwrap()));
    (board, last - board.empty())
}

/// The points that the first attempt of Black's turn draws from, after White's stone `last`, by rules of
/// probability 0 or 1; `all` for all candidates.
fn first(rules: Tactical, rows: &str, last: &str) -> String {
    let (board, last) = drawn(rows, Color::Black, last);
    let policy = BuiltInPolicy::Tactical(rules);
    let found = policy.drawn_from(&board, last, board.empty(), 0);
    if found == board.empty() {
        return "all".to_owned();
    }
    let names: Vec<_> = found.iter().map(|it| Bits::<2>::vertex(it).to_string()).collect();
    names.join(" ")
}

#[test]
fn each_rule_prefers_on_drawn_positions() {
    let captures = Tactical { captures: 1.0, ..NONE };
    let anywhere = Tactical { anywhere: 1.0, ..NONE };
    let atari = Tactical { atari: 1.0, ..NONE };
    for (rules, rows, last, expected) in [
        // A1 leaves the chain of A2 with B1 alone.
        (captures, "...../...../O..../XO.../.....", "A3", "all"),
        // A stone in a ladder runs while it comes to two liberties.
        (captures, "...../.O.../OXO../...../.....", "C3", "B2"),
        // A1 escapes to nowhere; A4 captures A3, which put A2 in atari.
        (captures, "...../.X.../OX.../XO.../.O...", "A3", "A4"),
        // B1 is a false eye, and the last liberty of A1 and A2; it joins them to a safe chain.
        (captures, "...../...../OOXX./XOX../X.X..", "B2", "B1"),
        // E5 is in atari, far from the last stone.
        (captures, "...XO/...../...../...../O....", "A1", "all"),
        (anywhere, "...XO/...../...../...../O....", "A1", "E4"),
        // White at A2 could run to B2 alone: Black plays there.
        (atari, "...../...../X..../O..../.....", "A2", "B2"),
        // A chain of three liberties is left alone, as is one in atari.
        (atari, "...../...../.O.../.X.../.....", "B3", "all"),
        (atari, "...../...../OX.../X..../.....", "A3", "all"),
    ] {
        assert_eq!(first(rules, rows, last), expected, "{rows}");
    }
}

/// Whether 200 playouts of only the veto, and of the rule nakade with this probability, never begin at
/// `point`.
fn is_vetoed(rows: &str, to_play: Color, point: &str, nakade: f64) -> bool {
    let (start, _) = drawn(rows, to_play, "A1");
    let policy = BuiltInPolicy::Tactical(Tactical { veto: 1.0, nakade, ..NONE });
    let point = Move::Play(point.parse().unwrap());
    let begins = |seed| scalar::record(policy, &Job { start, seed }).1.first() == Some(&point);
    !(0..200).any(begins)
}

#[test]
fn bad_self_ataris_are_vetoed_on_drawn_positions() {
    let (black, white) = (Color::Black, Color::White);
    for (rows, to_play, point, expected) in [
        // White at B1 has one liberty, and no own stone beside it: a throw-in.
        ("...../...../OOO../XXXO./X..X.", white, "B1", false),
        // C1 captures, and then has one liberty: a snapback.
        ("...../...../OOOO./XXXO./XO.O.", black, "C1", false),
        // Three stones with A5 and D4: A5 leaves one, D4 runs.
        (".OO../XXX../OOO../...../.....", black, "A5", true),
        (".OO../XXX../OOO../...../.....", black, "D4", false),
        // Two chains share E1 and E2: whoever plays there is captured.
        (".XOO.XXO./.XOO.XXO.", black, "E1", true),
        (".XOO.XXO./.XOO.XXO.", white, "E2", true),
        // A1 joins six stones whose liberties, F3 and G2, are at the other end.
        ("OOOOO../XXXXXX./.OOOOO.", black, "A1", false),
    ] {
        assert_eq!(is_vetoed(rows, to_play, point, 0.0), expected, "{rows} {point}");
    }
}

#[test]
fn stones_of_a_killing_shape_in_an_eye_are_spared_on_drawn_positions() {
    for (rows, point, expected) in [
        // The second stone in three points, and the third in four: one point stays empty.
        ("...OOO/...O.X/...O.O/...OOO", "E3", false),
        ("...OOO/..OO.X/..O.XO/..OOOO", "E3", false),
        // White's other eye, E1, changes nothing: only the eye that Black plays in counts.
        ("..OOOO/..O.X./..OOOO/..OO.O", "D3", false),
        // The fourth stone: a square kills, and so does a T; a row lives.
        (".OOOO../.OXX.O./.OX.OO./.OOOO..", "D2", false),
        ("OOOOOOO/OX.X.OO/OOXOOOO/OOOOO.O", "C3", false),
        ("OOOOOOO/OXX.X.O/OOOOOOO/OOOOO.O", "D3", true),
        // The fifth: a square with a tail kills; four in a row with a side stone lives.
        ("OOOOOOO/OXX..OO/OXXOOOO/OOOOO.O", "D3", false),
        ("OOOOOOO/OXX.X.O/OXOOOOO/OOOOO.O", "D3", true),
        // Beside the last liberty, D3, is another stone of Black: the eye has more room.
        ("OOOOOOO/OX..XOO/OOOO.OO/OOOOO.O", "C3", true),
        // Black's square gets a tail. White, who captures five stones at E2, has one eye there.
        (".XOO.XXO./.XOO.XXO.", "E1", false),
    ] {
        assert!(is_vetoed(rows, Color::Black, point, 0.0), "{rows} {point}");
        assert_eq!(is_vetoed(rows, Color::Black, point, 1.0), expected, "{rows} {point}");
    }
}
