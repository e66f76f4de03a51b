//! A picture as data: shapes in logical pixels, from the top left corner.

use super::palette::{GREY, INK};
use super::{Heading, text};
use plotters::style::RGBColor;

/// A position in logical pixels: right, then down.
pub type Point = (f64, f64);

/// Alignment of a text: which point of it is at its position.
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

/// The distance of everything from the edge of the page.
pub(super) const MARGIN: f64 = 24.0;

/// How many lines a title or a subtitle may take: the conditions of the plots of parallel search
/// need four.
const HEADING_LINES: usize = 4;

/// Sizes of text.
pub(super) mod size {
    pub const TITLE: f64 = 24.0;
    pub const SUBTITLE: f64 = 16.0;
    pub const LABEL: f64 = 16.0;
    pub const SMALL: f64 = 14.0;
}

impl Drawing {
    /// An empty page of this width, its height still to be set.
    pub(super) fn new(width: u32) -> Self {
        Self { width, height: 0, shapes: Vec::new() }
    }

    /// Sets the height to `bottom` and a margin.
    pub(super) fn end_at(mut self, bottom: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some thousands
        let height = (bottom + MARGIN).max(1.0).ceil() as u32;
        self.height = height;
        self
    }

    /// Draws the heading and returns the height where it ends.
    pub(super) fn heading(&mut self, heading: &Heading) -> f64 {
        let room = f64::from(self.width) - 2.0 * MARGIN;
        let mut y = MARGIN - 6.0;
        for (content, size, color) in
            [(&heading.title, size::TITLE, INK), (&heading.subtitle, size::SUBTITLE, GREY)]
        {
            for line in text::wrap(content, size, room, HEADING_LINES) {
                y += 0.7 * size;
                self.text((MARGIN, y), line, size, color, Anchor::Left);
                y += 0.7 * size;
            }
        }
        y + 14.0
    }

    pub(super) fn text(
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
    pub(super) fn lines(&mut self, at: Point, lines: &[String], size: f64, anchor: Anchor) {
        let first = at.1 - line_height(size) * (lines.len() as f64 - 1.0) / 2.0;
        for (i, line) in lines.iter().enumerate() {
            let y = first + line_height(size) * i as f64;
            self.text((at.0, y), line.as_str(), size, INK, anchor);
        }
    }

    pub(super) fn line(&mut self, from: Point, to: Point, width: f64, color: RGBColor) {
        self.shapes.push(Shape::Path { points: vec![from, to], width, color });
    }

    /// A straight line of dashes.
    pub(super) fn dashed(&mut self, from: Point, to: Point, width: f64, color: RGBColor) {
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

    pub(super) fn rectangle(&mut self, from: Point, to: Point, color: RGBColor) {
        let points = vec![from, (to.0, from.1), to, (from.0, to.1)];
        self.shapes.push(Shape::Polygon { points, color });
    }

    /// The texts and the boxes they fill: left, top, right, bottom.
    #[cfg(test)]
    pub(super) fn text_boxes(&self) -> Vec<(&str, [f64; 4])> {
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
    pub(super) fn assert_legible(&self) {
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

/// The distance between two lines of text.
pub(super) fn line_height(size: f64) -> f64 {
    (1.15 * size).round()
}
