//! Plots as functions of data.
//!
//! [`Lines`], [`HeatMap`] and [`ContourMap`] each turn into a [`Drawing`], a list of shapes in logical
//! pixels. [`Drawing::to_svg`] renders the list as SVG. Tests check the list, for example that no
//! texts overlap.

mod axis;
mod contour_map;
pub(crate) mod drawing;
mod heat_map;
mod lines;
pub(crate) mod palette;
pub(crate) mod text;

pub use axis::{Axis, Scale};
pub use contour_map::ContourMap;
pub use drawing::{Anchor, Drawing, Point, Shape};
pub use heat_map::HeatMap;
pub use lines::{DataPoint, Lines, ReferenceLine, Series, Style};

use crate::run::{RunDirectory, RunError};
use std::fmt::Display;

/// Plots with the names of their files, without the ending.
pub type Plots = Vec<(String, Drawing)>;

/// Writes `plots` as SVG into the folder `plots` of `directory`.
pub fn save<Name: Display>(
    directory: &RunDirectory,
    plots: impl IntoIterator<Item = (Name, Drawing)>,
) -> Result<(), RunError> {
    directory.subfolder("plots")?;
    plots.into_iter().try_for_each(|(name, drawing)| {
        directory.write(&format!("plots/{name}.svg"), drawing.to_svg())
    })
}

/// Title and subtitle of a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The title: what the plot shows.
    pub title: String,
    /// The subtitle: the conditions, such as board size, komi, pairs and seed.
    pub subtitle: String,
}

impl Heading {
    /// The heading of this title and subtitle.
    pub fn new(title: impl Into<String>, subtitle: impl Into<String>) -> Self {
        Self { title: title.into(), subtitle: subtitle.into() }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Heading;

    pub fn heading() -> Heading {
        let conditions =
            "komi 2.5, rules tengen, 50 pairs per pairing, openings of 2 plies, seed 1";
        Heading::new("Win rates on 5×5", conditions)
    }

    /// Short and long names of bots.
    pub fn names(count: usize) -> Vec<String> {
        let short = ["random".to_string(), "two-ply".to_string()];
        let long = (0..).map(|i| {
            let workers = if i % 3 == 0 { "" } else { ",workers=2,rave=3500,reuse=true" };
            format!("uct:simulations={},exploration=0.{i}{workers}", 1000 << (i % 5))
        });
        short.into_iter().chain(long).take(count).collect()
    }
}
