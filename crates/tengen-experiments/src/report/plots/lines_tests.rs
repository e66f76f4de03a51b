use super::super::Scale;
use super::super::tests::{heading, names};
use super::*;

/// Elo against playouts, doubled.
fn doubling(count: usize) -> Lines {
    let series = names(count)
        .into_iter()
        .enumerate()
        .map(|(i, name)| {
            let points = (0..11).map(|k| {
                let (x, y) = (2_f64.powi(k + 7), 60.0 * f64::from(k) - 20.0 * i as f64);
                DataPoint::new(x, y, Some(Interval { low: y - 25.0, high: y + 40.0 }))
            });
            Series::line(name, points.collect())
        })
        .collect();
    Lines {
        heading: heading(),
        x: Axis::new("simulations per move (logarithmic)", Scale::Log2),
        y: Axis::new("Elo over 128 playouts", Scale::Linear),
        series,
        references: vec![ReferenceLine::new(0.0, "equal to 128 playouts")],
    }
}

/// A fit with its band, samples around it, and a reference through both.
fn fit() -> Lines {
    let point = |x: f64, y: f64, half: f64| {
        DataPoint::new(x, y, Some(Interval { low: y - half, high: y + half }))
    };
    let hill = |k: i32| (0.05 * 1.1_f64.powi(k), -0.1 * f64::from((k - 20).pow(2)));
    let band = (0..40).map(hill).map(|(x, y)| point(x, y, 12.0)).collect();
    let samples = (0..40).step_by(5).map(hill).map(|(x, y)| point(x, y + 4.0, 30.0)).collect();
    Lines {
        heading: heading(),
        x: Axis::new("exploration", Scale::Log10),
        y: Axis::new("Elo", Scale::Linear),
        series: vec![
            Series { style: Style::Band, name: "fitted mean".into(), points: band },
            Series { style: Style::Marks, name: "samples".into(), points: samples },
        ],
        references: vec![ReferenceLine::new(0.0, "default settings")],
    }
}

#[test]
fn a_band_lies_below_all_else() {
    let drawing = fit().draw();
    drawing.assert_legible();
    let is_area =
        |shape: &Shape| matches!(shape, Shape::Polygon { points, .. } if points.len() == 80);
    let band = drawing.shapes.iter().position(is_area).unwrap();
    let line = drawing.shapes.iter().position(|s| matches!(s, Shape::Path { .. })).unwrap();
    assert!(band < line);
    // The samples have bars and marks, and no line joins them.
    let joined = |s: &&Shape| matches!(s, Shape::Path { points, .. } if points.len() > 2);
    assert_eq!(drawing.shapes.iter().filter(joined).count(), 1);
}

/// A log-likelihood ratio between its bounds.
fn llr() -> Lines {
    let mut y = 0.0;
    let points = (1..=1500).map(|i| {
        y += if (i * 7919) % 13 < 7 { 0.06 } else { -0.058 };
        DataPoint::new(f64::from(i), y, None)
    });
    let [upper, lower] = [(2.94, "2.94: accept H1"), (-2.94, "−2.94: accept H0")];
    Lines {
        heading: heading(),
        x: Axis::new("pairs", Scale::Linear),
        y: Axis::new("log-likelihood ratio", Scale::Linear),
        series: vec![Series::line("", points.collect())],
        references: [upper, lower].map(|(y, label)| ReferenceLine::new(y, label)).into(),
    }
}

/// Speeds over five powers of ten, one interval open.
fn speeds() -> Lines {
    let points = [(25.0, 2.4e6), (49.0, 1.3e6), (81.0, 6e5), (169.0, 2.1e5), (361.0, 6e4)];
    let points = points.map(|(x, y)| {
        let low = if x > 300.0 { 0.0 } else { y * 0.9 };
        DataPoint::new(x, y, Some(Interval { low, high: y * 1.1 }))
    });
    Lines {
        heading: heading(),
        x: Axis::new("points of the board", Scale::Linear),
        y: Axis::new("playouts per second", Scale::Log10),
        series: vec![Series::line("lanes", points.into())],
        references: vec![],
    }
}

#[test]
fn plots_are_legible() {
    for plot in [doubling(1), doubling(2), doubling(6), doubling(20), llr(), speeds()] {
        plot.draw().assert_legible();
    }
    Lines::default().draw().assert_legible();
}

#[test]
fn labels_are_whole() {
    let svg = doubling(2).draw().to_svg();
    for label in ["65,536", "128", "Elo over 128 playouts", "equal to 128", "two-ply"] {
        assert!(svg.contains(label), "{label}");
    }
}

#[test]
fn what_has_no_place_is_left_out() {
    let mut plot = speeds();
    plot.series[0].points[2].y = f64::NAN;
    plot.series[0].points[0].y = 0.0;
    let drawing = plot.draw();
    drawing.assert_legible();
    let discs = drawing.shapes.iter().filter(|s| matches!(s, Shape::Disc { .. })).count();
    assert_eq!(discs, 3 + 1, "three points and the legend");
}
