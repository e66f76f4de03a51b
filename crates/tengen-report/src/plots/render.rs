//! Drawings written to SVG and PNG files.

use super::drawing::{Anchor, Drawing, Point, Shape};
use super::palette::PAPER;
use super::text;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Pixels of the PNG per logical pixel: enough for dense screens.
const PNG_SCALE: u32 = 2;

/// The two files of a plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedPlot {
    /// The picture as SVG.
    pub svg: PathBuf,
    /// The picture as PNG.
    pub png: PathBuf,
}

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
    /// Writes `stem`.svg and `stem`.png; a dot in the stem stays.
    ///
    /// # Errors
    /// If a file cannot be written; it names the file.
    pub fn save(&self, stem: &Path) -> Result<SavedPlot, PlotError> {
        let with = |extension: &str| {
            let mut name = OsString::from(stem);
            name.push(extension);
            PathBuf::from(name)
        };
        let saved = SavedPlot { svg: with(".svg"), png: with(".png") };
        let fail = |path: &Path, reason: String| PlotError { path: path.into(), reason };
        let svg = self.to_svg().map_err(|reason| fail(&saved.svg, reason))?;
        std::fs::write(&saved.svg, svg).map_err(|e| fail(&saved.svg, e.to_string()))?;
        let png = self.to_png().map_err(|reason| fail(&saved.png, reason))?;
        std::fs::write(&saved.png, png).map_err(|e| fail(&saved.png, e.to_string()))?;
        Ok(saved)
    }

    /// The picture as the bytes of a PNG file, two pixels per logical pixel.
    ///
    /// # Errors
    /// If the drawing library refuses a shape.
    pub fn to_png(&self) -> Result<Vec<u8>, String> {
        let (width, height) = (self.width * PNG_SCALE, self.height * PNG_SCALE);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // A plot is drawn once and kept: a tenth of the size is worth the time.
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
        writer.write_image_data(&self.pixels()?).map_err(|e| e.to_string())?;
        writer.finish().map_err(|e| e.to_string())?;
        Ok(bytes)
    }

    /// Red, green and blue of the pixels of the PNG, row by row.
    fn pixels(&self) -> Result<Vec<u8>, String> {
        let (width, height) = (self.width * PNG_SCALE, self.height * PNG_SCALE);
        let mut pixels = vec![0; 3 * width as usize * height as usize];
        BitMapBackend::with_buffer(&mut pixels, (width, height))
            .into_drawing_area()
            .render(self, Target { scale: f64::from(PNG_SCALE), text_drop: 0.13 })?;
        Ok(pixels)
    }

    /// The picture as the text of an SVG file.
    ///
    /// # Errors
    /// If the drawing library refuses a shape.
    pub fn to_svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        SVGBackend::with_string(&mut svg, (self.width, self.height))
            .into_drawing_area()
            .render(self, Target { scale: 1.0, text_drop: 0.07 })?;
        Ok(svg)
    }
}

/// The differences between SVG and PNG.
#[derive(Clone, Copy)]
struct Target {
    /// Pixels per logical pixel.
    scale: f64,
    /// How far below the backend's middle of a text the middle of its capitals
    /// and digits is to be, in heights of the font (found by eye for PNG, from
    /// Roboto's metrics for SVG, which centres small letters).
    text_drop: f64,
}

/// The drawing area of plotters for a [`Drawing`].
trait Render {
    /// Draws all shapes and finishes the picture.
    fn render(&self, drawing: &Drawing, target: Target) -> Result<(), String>;
}

impl<B: DrawingBackend> Render for DrawingArea<B, Shift> {
    fn render(&self, drawing: &Drawing, target: Target) -> Result<(), String> {
        let all = || {
            self.fill(&PAPER)?;
            for shape in &drawing.shapes {
                draw(self, shape, target)?;
            }
            self.present()
        };
        all().map_err(|e: DrawingAreaErrorKind<B::ErrorType>| e.to_string())
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // pixels of a page
fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    shape: &Shape,
    Target { scale, text_drop }: Target,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let pixel = |(x, y): Point| ((x * scale).round() as i32, (y * scale).round() as i32);
    let pixels = |points: &[Point]| points.iter().copied().map(pixel).collect::<Vec<_>>();
    match shape {
        Shape::Path { points, width, color } => {
            let width = (width * scale).round().max(1.0) as u32;
            area.draw(&PathElement::new(pixels(points), color.stroke_width(width)))
        }
        Shape::Polygon { points, color } => {
            area.draw(&Polygon::new(pixels(points), color.filled()))
        }
        Shape::Disc { center, radius, color } => {
            let radius = (radius * scale).round() as i32;
            area.draw(&Circle::new(pixel(*center), radius, color.filled()))
        }
        Shape::Text { at, content, size, color, anchor } => {
            let upright = text::font(size * scale);
            let drop = text_drop * size;
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
    fn png_has_twice_the_size_and_ink() {
        let directory = tempfile::tempdir().expect("a directory");
        let saved = sample().save(&directory.path().join("plot-0.7")).expect("writable");
        assert_eq!(saved.png.file_name().expect("a name"), "plot-0.7.png");
        let bytes = std::fs::read(&saved.png).expect("written");
        assert_eq!(&bytes[1..4], b"PNG");
        let number = |at: usize| bytes[at..at + 4].iter().fold(0, |n, &b| n * 256 + u32::from(b));
        assert_eq!((number(16), number(20)), (400, 200));
        let pixels = sample().pixels().expect("drawn");
        let dark = pixels.chunks(3).filter(|p| p[0] < 100).count();
        assert!((200..4000).contains(&dark), "{dark} dark pixels");
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
