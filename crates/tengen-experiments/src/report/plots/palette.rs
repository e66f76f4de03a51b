//! Colours that can be distinguished with any colour vision.

use plotters::style::RGBColor;

/// Text and axes.
pub const INK: RGBColor = RGBColor(34, 34, 34);
/// Secondary text.
pub const GREY: RGBColor = RGBColor(102, 102, 102);
/// Grid lines.
pub const GRID: RGBColor = RGBColor(226, 226, 226);
/// The page.
pub const PAPER: RGBColor = RGBColor(255, 255, 255);

/// Colours of series: Okabe and Ito 2008, "Color universal design", without
/// the yellow that is too light for lines.
const SERIES: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// The colour of the series number `index`.
pub fn series(index: usize) -> RGBColor {
    SERIES[index % SERIES.len()]
}

/// A light form of `color`, for areas behind lines.
pub fn tint(RGBColor(red, green, blue): RGBColor) -> RGBColor {
    let light = |channel: u8| 255 - (255 - channel) / 5;
    RGBColor(light(red), light(green), light(blue))
}

/// Stops of the diverging scale at scores 0, ¼, ½, ¾, 1: orange, white, blue
/// (after the schemes of Brewer).
const DIVERGING: [RGBColor; 5] = [
    RGBColor(179, 88, 6),
    RGBColor(241, 163, 64),
    RGBColor(247, 247, 247),
    RGBColor(103, 169, 207),
    RGBColor(33, 102, 172),
];

/// The colour of a score from 0 to 1, white at ½.
pub fn diverging(score: f64) -> RGBColor {
    between(&DIVERGING, score)
}

/// Stops of the sequential scale at 0, ¼, ½, ¾, 1: from near white to blue
/// (after the schemes of Brewer).
const SEQUENTIAL: [RGBColor; 5] = [
    RGBColor(235, 243, 251),
    RGBColor(198, 219, 239),
    RGBColor(107, 174, 214),
    RGBColor(33, 113, 181),
    RGBColor(8, 48, 107),
];

/// The colour of a share from 0 to 1, the darker the greater.
pub fn sequential(share: f64) -> RGBColor {
    between(&SEQUENTIAL, share)
}

/// The colour at `position`, 0 to 1, between evenly spaced stops.
fn between(stops: &[RGBColor; 5], position: f64) -> RGBColor {
    let position = position.clamp(0.0, 1.0) * 4.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 3
    let index = (position.floor() as usize).min(3);
    let part = position - index as f64;
    let (a, b) = (stops[index], stops[index + 1]);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between two bytes
    let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - part) + f64::from(b) * part).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Dark or white text, whichever has more contrast on `background`.
pub fn ink_on(background: RGBColor) -> RGBColor {
    let light = luminance(background);
    // Contrast to white is (1.05 / (L + 0.05)), to ink (L + 0.05) / (ink + 0.05).
    if 1.05 * (luminance(INK) + 0.05) > (light + 0.05).powi(2) { PAPER } else { INK }
}

/// Relative luminance (WCAG 2.1).
fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
    let linear = |channel: u8| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_on_every_score() {
        for i in 0..=100 {
            let score = f64::from(i) / 100.0;
            for (colour, least) in [(diverging(score), 4.0), (sequential(score), 3.95)] {
                let (a, b) = (luminance(colour), luminance(ink_on(colour)));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= least, "{i} %: contrast {contrast:.1}");
            }
        }
    }

    #[test]
    fn the_scale_diverges_around_one_half() {
        assert_eq!(diverging(0.5), RGBColor(247, 247, 247));
        assert!(diverging(0.1).0 > diverging(0.1).2, "losses are orange");
        assert!(diverging(0.9).2 > diverging(0.9).0, "wins are blue");
        assert_eq!(diverging(-1.0), diverging(0.0));
    }
}
