//! The program `playouts` and its sample: what it writes, and what it refuses.

use crate::common::{PLAYOUTS, Scratch, printed, read};
use std::fs;
use std::time::Duration;
use tengen::go::{Board, Size, default_komi};
use tengen::playout::lanes::{Lanes, Ticket};
use tengen::playout::{EarlyStop, Isa, Job, PlayoutConfig};
use tengen::speed::playouts::{Amount, COMPARED, Setting, SpeedRow, Start, sample};

fn setting(width: u8, stop: EarlyStop, start: Start) -> Setting {
    let size = Size::square(width).unwrap();
    Setting {
        size,
        isa: Isa::fastest(),
        playout_config: PlayoutConfig {
            stop,
            komi: default_komi(size),
            ..PlayoutConfig::default()
        },
        threads: 1,
        start,
        amount: Amount::Time(Duration::ZERO),
        seed: 1,
        repeat: 0,
    }
}

#[test]
fn writes_rows_with_bias_and_attempts_and_draws_references() {
    let folder = Scratch::new();
    let reference = folder.join("libego.csv");
    let table = "program,source,size,playouts_per_second\n\
                 libego 9ca2b07,measured here,5,400000\nlibego 9ca2b07,measured here,9,120000\n";
    fs::write(&reference, table).unwrap();
    let out = folder.join("out");
    let line = "--size 5,9 --playouts 500 --repeats 2 --stop none,mercy:9 \
                --reference libego.csv --out out";
    let said = printed(PLAYOUTS, &folder, line);
    assert!(said.contains("same winner") && said.contains("att/ply"), "{said}");
    assert!(said.contains("  range ") && !said.contains("spread"), "{said}");
    assert!(said.contains("\nrange: lowest and highest of 2 repeats"), "{said}");

    let text = read(&out.join("playouts.csv"));
    let first = "size,isa,threads,policy,repeat,playouts_per_second,";
    assert!(text.starts_with(first), "{text}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<SpeedRow> = reader.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 8);
    for row in &rows {
        assert!((1.0..2.0).contains(&row.attempts_per_move), "{row:?}");
        assert!(row.attempts_per_move < row.steps_per_move, "{row:?}");
        let stops = row.stop != EarlyStop::Never;
        assert_eq!(row.stopped > 100, stops, "{row:?}");
        assert_eq!(row.compared, stops.then_some(COMPARED));
        assert_eq!(row.winner_agreement.is_some(), stops);
        // On 5x5 nine stones are nearly all; on 9x9 they decide little.
        let least = if row.size == Size::square(5).unwrap() { 0.98 } else { 0.7 };
        assert!(row.winner_agreement.is_none_or(|share| least < share && share < 1.0), "{row:?}");
    }
    let svg = read(&out.join("plots/playouts_by_size.svg"));
    // As other programs are measured; some systems have no CPU time of a thread.
    let clock = rows.iter().all(|row| row.playouts_per_cpu_second.is_some());
    let clock = if clock { "CPU time" } else { "wall-clock time" };
    assert!(svg.contains(&format!("playouts per second of {clock}")), "{svg}");
    // The legend may break a name into lines.
    for name in ["9ca2b07", "measured", "libego 2008", "published", "mercy:9"] {
        assert!(svg.contains(name), "{name} is not in the plot");
    }
}

#[test]
fn a_rule_that_never_stops_has_no_bias_and_a_hasty_one_much() {
    let never = sample(&setting(7, EarlyStop::Mercy { lead: 1_000 }, Start::Leaves)).bias.unwrap();
    assert_eq!((never.winner_agreement, never.win_rate_shift, never.shift_error), (1.0, 0.0, 0.0));
    assert!(never.interval.high > 0.999_999 && never.interval.low > 0.999);
    // White has the komi: it wins before the first move.
    let hasty = sample(&setting(5, EarlyStop::Mercy { lead: 0 }, Start::Empty)).bias.unwrap();
    let start = Board::<1>::new(Size::square(5).unwrap());
    let mut wins = 0;
    let mut numbers = 0..u64::from(COMPARED);
    Lanes::<1>::new(start.size(), Isa::fastest()).run(
        || numbers.next().map(|seed| (Ticket(seed), Job { start, seed })),
        |_, playout| wins += u32::from(playout.score.half_points() > 5),
    );
    let rate = f64::from(wins) / f64::from(COMPARED);
    // Other seeds: the same within five standard errors.
    assert!((hasty.win_rate_shift + rate).abs() < 5.0 * 1.42 * hasty.shift_error, "{hasty:?}");
    assert!((hasty.winner_agreement - (1.0 - rate)).abs() < 0.025, "{hasty:?}");
    assert_eq!(sample(&setting(7, EarlyStop::Never, Start::Empty)).bias, None);
}

#[test]
fn a_sample_depends_on_neither_machine_nor_repeat() {
    let first = setting(9, EarlyStop::Decided { margin: 20 }, Start::Leaves);
    let expected = sample(&first);
    for isa in Isa::supported() {
        assert_eq!(sample(&Setting { isa, repeat: 3, threads: 2, ..first }), expected);
    }
    assert_ne!(sample(&Setting { seed: 2, ..first }), expected);
}
