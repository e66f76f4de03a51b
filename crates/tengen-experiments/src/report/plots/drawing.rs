//! A picture as data: shapes in logical pixels, from the top left corner; and the picture as SVG.

use super::palette::{GREY, INK, PAPER};
use super::{Heading, text};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A position in logical pixels: right, then down.
pub type Point = (f64, f64);

/// Alignment of a text: which point of the text lies at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The middle of the left edge.
    Left,
    /// The middle.
    Center,
    /// The middle of the right edge.
    Right,
    /// The middle of a text that reads upwards.
    CenterUpwards,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Straight segments from point to point.
    Path {
        /// The corners.
        points: Vec<Point>,
        /// The width of the stroke.
        width: f64,
        /// The colour of the stroke.
        color: RGBColor,
    },
    /// A filled area.
    Polygon {
        /// The corners.
        points: Vec<Point>,
        /// The colour of the inside.
        color: RGBColor,
    },
    /// A filled circle.
    Disc {
        /// The middle.
        center: Point,
        /// The radius.
        radius: f64,
        /// The colour of the inside.
        color: RGBColor,
    },
    /// A line of text.
    Text {
        /// The position of its `anchor`.
        at: Point,
        /// The text.
        content: String,
        /// The height of the font.
        size: f64,
        /// The colour.
        color: RGBColor,
        /// Which point of the text is at `at`.
        anchor: Anchor,
    },
}

/// A picture: its size and its shapes, the later over the earlier.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width in logical pixels.
    pub width: u32,
    /// Height in logical pixels.
    pub height: u32,
    /// The shapes.
    pub shapes: Vec<Shape>,
}

/// The margin of a page, in logical pixels.
pub(crate) const MARGIN: f64 = 24.0;

/// How far down a text is shifted, in font heights, so that its capitals and digits are centred:
/// SVG centres small letters. From the metrics of Roboto.
const TEXT_DROP: f64 = 0.07;

/// How many lines a title or a subtitle may take: the conditions of the plots of parallel search
/// need four.
const HEADING_LINES: usize = 4;

/// Sizes of text.
pub(crate) mod size {
    pub const TITLE: f64 = 24.0;
    pub const SUBTITLE: f64 = 16.0;
    pub const LABEL: f64 = 16.0;
    pub const SMALL: f64 = 14.0;
}

impl Drawing {
    /// An empty page of this width, its height still to be set.
    pub(crate) fn new(width: f64) -> Self {
        Self { width: pixels(width), height: 0, shapes: Vec::new() }
    }

    /// Sets the height to `bottom` and a margin.
    pub(crate) fn end_at(self, bottom: f64) -> Self {
        Self { height: pixels((bottom + MARGIN).max(1.0)), ..self }
    }

    /// Draws the heading and returns the height where it ends.
    pub(crate) fn heading(&mut self, heading: &Heading) -> f64 {
        let room = f64::from(self.width) - 2.0 * MARGIN;
        let mut y = MARGIN - 6.0;
        for (content, size, color) in
            [(&heading.title, size::TITLE, INK), (&heading.subtitle, size::SUBTITLE, GREY)]
        {
            for line in text::wrap(content, size, room, HEADING_LINES) {
                self.text((MARGIN, y + 0.7 * size), line, size, color, Anchor::Left);
                y += 1.4 * size;
            }
        }
        y + 14.0
    }

    /// Writes `content` in small letters in at most `lines` lines of the width `room`, the first
    /// one at `at`, and returns the height of the line after the last.
    pub(crate) fn note(
        &mut self,
        (x, y): Point,
        content: &str,
        (room, lines): (f64, usize),
        color: RGBColor,
    ) -> f64 {
        text::wrap(content, size::SMALL, room, lines).into_iter().fold(y, |y, line| {
            self.text((x, y), line, size::SMALL, color, Anchor::Left);
            y + 18.0
        })
    }

    /// A scale of colours from `(x, y)` down, with share 1 at the top: it has `steps` steps of
    /// `color`, and each label stands at its share.
    pub(crate) fn color_scale(
        &mut self,
        (x, y): Point,
        (height, steps): (f64, u32),
        color: impl Fn(f64) -> RGBColor,
        labels: impl IntoIterator<Item = (f64, String)>,
    ) {
        let at = |share: f64| y + height * (1.0 - share);
        for step in 0..steps {
            let [from, to] = [step, step + 1].map(|end| f64::from(end) / f64::from(steps));
            self.rectangle((x, at(to)), (x + 16.0, at(from)), color(f64::midpoint(from, to)));
        }
        for (share, label) in labels {
            self.line((x + 16.0, at(share)), (x + 20.0, at(share)), 1.0, INK);
            self.text((x + 25.0, at(share)), label, size::SMALL, INK, Anchor::Left);
        }
    }

    pub(crate) fn text(
        &mut self,
        at: Point,
        content: impl Into<String>,
        size: f64,
        color: RGBColor,
        anchor: Anchor,
    ) {
        self.shapes.push(Shape::Text { at, content: content.into(), size, color, anchor });
    }

    /// Lines of text, centred in height around `at`.
    pub(crate) fn lines(&mut self, at: Point, lines: &[String], size: f64, anchor: Anchor) {
        let first = at.1 - line_height(size) * (lines.len() as f64 - 1.0) / 2.0;
        for (i, line) in lines.iter().enumerate() {
            let y = first + line_height(size) * i as f64;
            self.text((at.0, y), line.as_str(), size, INK, anchor);
        }
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, width: f64, color: RGBColor) {
        self.shapes.push(Shape::Path { points: vec![from, to], width, color });
    }

    /// A straight line of dashes.
    pub(crate) fn dashed(&mut self, from: Point, to: Point, width: f64, color: RGBColor) {
        const DASH: f64 = 6.0;
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        let along = |s: f64| (from.0 + dx * s / length, from.1 + dy * s / length);
        let mut start = 0.0;
        while start < length {
            self.line(along(start), along((start + DASH).min(length)), width, color);
            start += 2.0 * DASH;
        }
    }

    pub(crate) fn rectangle(&mut self, from: Point, to: Point, color: RGBColor) {
        let points = vec![from, (to.0, from.1), to, (from.0, to.1)];
        self.shapes.push(Shape::Polygon { points, color });
    }

    /// The picture as an SVG element, which is also a whole file.
    ///
    /// # Panics
    /// Never: a text takes every shape.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, (self.width, self.height)).into_drawing_area();
        let all = || {
            area.fill(&PAPER)?;
            self.shapes.iter().try_for_each(|shape| shape.draw(&area))?;
            area.present()
        };
        all().expect("a text takes every shape");
        drop(area);
        svg
    }

    /// The texts and the boxes they fill: left, top, right, bottom.
    #[cfg(test)]
    fn text_boxes(&self) -> Vec<(&str, [f64; 4])> {
        let text_box = |shape| match shape {
            &Shape::Text { at: (x, y), ref content, size, anchor, .. } => {
                let (w, h) = (text::width(content, size), 0.8 * size);
                let bounds = match anchor {
                    Anchor::Left => [x, y - h / 2.0, x + w, y + h / 2.0],
                    Anchor::Center => [x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0],
                    Anchor::Right => [x - w, y - h / 2.0, x, y + h / 2.0],
                    Anchor::CenterUpwards => [x - h / 2.0, y - w / 2.0, x + h / 2.0, y + w / 2.0],
                };
                Some((content.as_str(), bounds))
            }
            _ => None,
        };
        self.shapes.iter().filter_map(text_box).collect()
    }

    /// Checks that no text leaves the page and that no two overlap.
    #[cfg(test)]
    #[track_caller]
    pub(crate) fn assert_legible(&self) {
        let boxes = self.text_boxes();
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        for (i, (a, [left, top, right, bottom])) in boxes.iter().enumerate() {
            assert!(*left >= 4.0 && *right <= width - 4.0, "`{a}` is clipped: {left} to {right}");
            assert!(*top >= 2.0 && *bottom <= height - 2.0, "`{a}` is clipped in height");
            for (b, [l, t, r, u]) in &boxes[..i] {
                let apart = left >= r || l >= right || top >= u || t >= bottom;
                assert!(apart, "`{a}` is written over `{b}`");
            }
        }
    }
}

impl Shape {
    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        #[allow(clippy::cast_possible_truncation)] // pixels of a page
        let round = |value: f64| value.round() as i32;
        let pixel = |(x, y): Point| (round(x), round(y));
        let all = |points: &[Point]| points.iter().copied().map(pixel).collect::<Vec<_>>();
        match self {
            Self::Path { points, width, color } => {
                let stroke = color.stroke_width(pixels(width.round().max(1.0)));
                area.draw(&PathElement::new(all(points), stroke))
            }
            Self::Polygon { points, color } => {
                area.draw(&Polygon::new(all(points), color.filled()))
            }
            Self::Disc { center, radius, color } => {
                area.draw(&Circle::new(pixel(*center), round(*radius), color.filled()))
            }
            Self::Text { at, content, size, color, anchor } => {
                let (font, drop) = (text::font(*size), TEXT_DROP * size);
                let below = (at.0, at.1 + drop);
                let (at, horizontal, font) = match anchor {
                    Anchor::Left => (below, HPos::Left, font),
                    Anchor::Right => (below, HPos::Right, font),
                    Anchor::Center => (below, HPos::Center, font),
                    Anchor::CenterUpwards => {
                        let upwards = font.transform(FontTransform::Rotate270);
                        ((at.0 + drop, at.1), HPos::Center, upwards)
                    }
                };
                let position = Pos::new(horizontal, VPos::Center);
                let style = TextStyle::from(font).color(color).pos(position);
                area.draw(&Text::new(content.as_str(), pixel(at), style))
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some thousands
fn pixels(length: f64) -> u32 {
    length.ceil() as u32
}

/// The distance between two lines of text.
pub(crate) fn line_height(size: f64) -> f64 {
    (1.15 * size).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svg_escapes_text() {
        let mut drawing = Drawing::new(200.0).end_at(76.0);
        drawing.text((100.0, 50.0), "a < b & c", 16.0, INK, Anchor::Center);
        let svg = drawing.to_svg();
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains("Roboto"), "{svg}");
    }
}
