//! Plots as functions of plain data: nothing here knows Go, runs or bots.
//!
//! [`WinRates`], [`CrossTable`], [`Lines`], [`HeatMap`] and [`ContourMap`] each turn into a [`Drawing`], a
//! list of shapes in logical pixels, and [`Drawing::save`] renders that list
//! as SVG, and tests can check the
//! list, for example that no texts overlap.

mod axis;
mod contour_map;
mod cross_table;
mod drawing;
mod heat_map;
mod lines;
mod palette;
mod render;
mod text;
mod win_rates;

pub use axis::{Axis, Scale};
pub use contour_map::ContourMap;
pub use cross_table::{Cell, CrossTable};
pub use drawing::{Anchor, Drawing, Point, Shape};
pub use heat_map::{Crossing, HeatMap, Stone};
pub use lines::{DataPoint, Lines, ReferenceLine, Series, Style};
pub use render::PlotError;
pub use win_rates::{WinRate, WinRates};

/// Title and subtitle of a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The title: what the plot shows.
    pub title: String,
    /// The subtitle: the conditions, such as board size, komi, pairs and seed.
    pub subtitle: String,
}

#[cfg(test)]
mod tests {
    use super::{Drawing, Heading};
    use std::path::Path;

    pub fn heading() -> Heading {
        Heading {
            title: "Win rates on 5×5".into(),
            subtitle: "komi 2.5, rules tengen, 50 pairs per pairing, openings of 2 plies, seed 1"
                .into(),
        }
    }

    /// Short and long names of bots.
    pub fn names(count: usize) -> Vec<String> {
        let short = ["random".to_string(), "two-ply".to_string()];
        let long = (0..).map(|i| {
            let workers = if i % 3 == 0 { "" } else { ",workers=2,rave=3500,reuse=true" };
            format!("uct:playouts={},exploration=0.{i}{workers}", 1000 << (i % 5))
        });
        short.into_iter().chain(long).take(count).collect()
    }

    /// Saves a picture for people to look at.
    pub fn save(drawing: &Drawing, name: &str) {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/plots");
        std::fs::create_dir_all(&directory).expect("a directory");
        drawing.save(&directory.join(name)).expect("writable");
    }
}
