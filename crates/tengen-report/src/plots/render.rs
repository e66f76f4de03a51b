//! Drawings written to SVG files.

use super::drawing::{Anchor, Drawing, Point, Shape};
use super::palette::PAPER;
use super::text;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How far below the backend's middle of a text the middle of its capitals and digits is to be, in
/// heights of the font: from the metrics of Roboto, since SVG centres small letters.
const TEXT_DROP: f64 = 0.07;

/// A plot that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the plot {path}: {reason}", path = path.display())]
pub struct PlotError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub reason: String,
}

impl Drawing {
    /// Writes `stem`.svg; a dot in the stem stays.
    ///
    /// # Errors
    /// If the file cannot be written; it names the file.
    pub fn save(&self, stem: &Path) -> Result<(), PlotError> {
        let mut name = OsString::from(stem);
        name.push(".svg");
        let path = PathBuf::from(name);
        let written =
            self.to_svg().and_then(|svg| std::fs::write(&path, svg).map_err(|e| e.to_string()));
        written.map_err(|reason| PlotError { path, reason })
    }

    /// The picture as the text of an SVG file.
    ///
    /// # Errors
    /// If the drawing library refuses a shape.
    pub fn to_svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, (self.width, self.height)).into_drawing_area();
        let all = || {
            area.fill(&PAPER)?;
            for shape in &self.shapes {
                draw(&area, shape)?;
            }
            area.present()
        };
        all().map_err(|e: DrawingAreaErrorKind<_>| e.to_string())?;
        drop(area);
        Ok(svg)
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // pixels of a page
fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    shape: &Shape,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let pixel = |(x, y): Point| (x.round() as i32, y.round() as i32);
    let pixels = |points: &[Point]| points.iter().copied().map(pixel).collect::<Vec<_>>();
    match shape {
        Shape::Path { points, width, color } => {
            let width = width.round().max(1.0) as u32;
            area.draw(&PathElement::new(pixels(points), color.stroke_width(width)))
        }
        Shape::Polygon { points, color } => {
            area.draw(&Polygon::new(pixels(points), color.filled()))
        }
        Shape::Disc { center, radius, color } => {
            let radius = radius.round() as i32;
            area.draw(&Circle::new(pixel(*center), radius, color.filled()))
        }
        Shape::Text { at, content, size, color, anchor } => {
            let upright = text::font(*size);
            let drop = TEXT_DROP * size;
            let below = (at.0, at.1 + drop);
            let (at, horizontal, font) = match anchor {
                Anchor::Left => (below, HPos::Left, upright),
                Anchor::Right => (below, HPos::Right, upright),
                Anchor::Center => (below, HPos::Center, upright),
                Anchor::CenterUpwards => {
                    let font = upright.transform(FontTransform::Rotate270);
                    ((at.0 + drop, at.1), HPos::Center, font)
                }
            };
            let style = TextStyle::from(font).color(color).pos(Pos::new(horizontal, VPos::Center));
            area.draw(&Text::new(content.as_str(), pixel(at), style))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::palette::INK;

    fn sample() -> Drawing {
        let mut drawing = Drawing::new(200).end_at(76.0);
        drawing.text((100.0, 50.0), "a < b & c", 16.0, INK, Anchor::Center);
        drawing
    }

    #[test]
    fn svg_escapes_text() {
        let svg = sample().to_svg().expect("drawn");
        assert!(svg.contains("a &lt; b &amp; c"), "{svg}");
        assert!(svg.contains("Roboto"));
    }

    #[test]
    fn an_unwritable_file_is_named() {
        let error = sample().save(Path::new("/nonexistent/plot")).expect_err("no such folder");
        assert!(error.to_string().contains("/nonexistent/plot.svg"), "{error}");
    }
}
