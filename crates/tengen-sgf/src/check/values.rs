//! Whether a value is of the type of its property.

use super::super::place::Faults;
use super::super::tree::Property;
use super::super::value::{read_move, read_point, read_points, simple_text};
use super::properties::Type;
use encoding_rs::Encoding;
use std::borrow::Cow;
use tengen_go::Size;

/// Reports the values of `property` that are not of its type. Points are those of
/// a board of `size`; where it is not known they are not looked at.
pub fn check(property: &Property, wanted: Type, size: Option<Size>, faults: &mut Faults<'_>) {
    let is_list = matches!(wanted, Type::Points | Type::PointsOrNone | Type::Lines | Type::Labels);
    if !is_list && property.values.len() > 1 {
        let count = property.values.len();
        faults.error(property.offset, || {
            format!("{} has {count} values, and takes one", property.key)
        });
    }
    let empty = property.values.len() == 1 && property.values[0].trim().is_empty();
    for value in &property.values {
        let expected = match wanted {
            Type::PointsOrNone if empty => None,
            Type::Text | Type::Size => None,
            _ => expected(value, wanted, size),
        };
        let Some(expected) = expected else { continue };
        let shown: String = simple_text(value).chars().take(30).collect();
        let what = || format!("invalid {}[{shown}]: expected {expected}", property.key);
        if is_soft(wanted) || empty {
            faults.warning(property.offset, what);
        } else {
            faults.error(property.offset, what);
        }
    }
}

/// Whether a value of another form is read all the same by whoever shows it.
fn is_soft(wanted: Type) -> bool {
    matches!(
        wanted,
        Type::None
            | Type::Double
            | Type::Charset
            | Type::Result
            | Type::Dates
            | Type::Real
            | Type::Range(..)
    )
}

/// What is expected in place of `value`, if it is invalid.
fn expected(value: &str, wanted: Type, size: Option<Size>) -> Option<Cow<'static, str>> {
    let text = simple_text(value);
    let is_number = |text: &str| text.trim_start_matches('+').parse::<i64>().is_ok();
    let on_board = |is_good: &dyn Fn(Size) -> bool| size.is_none_or(is_good);
    let (is_good, what) = match wanted {
        Type::None => (text.is_empty(), "no value"),
        Type::Number => (is_number(&text), "a whole number"),
        Type::Range(from, to) => {
            let is_good = text.parse().is_ok_and(|number: i64| (from..=to).contains(&number));
            return (!is_good).then(|| format!("a number from {from} to {to}").into());
        }
        Type::Real => {
            let number = text.replace(',', ".").parse::<f64>();
            (number.is_ok_and(f64::is_finite), "a number")
        }
        Type::Double => (text == "1" || text == "2", "1 or 2"),
        Type::Color => (matches!(text.as_str(), "B" | "W" | "b" | "w"), "B or W"),
        Type::Move => (on_board(&|size| read_move(value, size).is_some()), "a point of the board"),
        Type::Points | Type::PointsOrNone => {
            (on_board(&|size| read_points(value, size).is_some()), "points of the board")
        }
        Type::Lines => {
            let is_good = |size| {
                let ends = value.split_once(':');
                ends.is_some_and(|(from, to)| {
                    read_point(from, size).is_some() && read_point(to, size).is_some()
                })
            };
            (on_board(&is_good), "two points of the board, as aa:bb")
        }
        Type::Labels => {
            let is_good = |size| {
                value.split_once(':').is_some_and(|(point, _)| read_point(point, size).is_some())
            };
            (on_board(&is_good), "a point of the board and a text, as aa:text")
        }
        Type::Charset => {
            (Encoding::for_label(text.as_bytes()).is_some(), "a charset such as UTF-8")
        }
        Type::Result => (is_result(&text), "a result such as B+3.5, W+R or Draw"),
        Type::Dates => (text.split(',').all(is_date), "dates such as 2001-12-31"),
        Type::Text | Type::Size => (true, ""),
    };
    (!is_good).then_some(what.into())
}

/// `0`, `Draw`, `Void`, `?`, or who has won and how.
fn is_result(text: &str) -> bool {
    if ["0", "Draw", "Void", "?", ""].contains(&text) {
        return true;
    }
    let Some(how) = text.strip_prefix("B+").or_else(|| text.strip_prefix("W+")) else {
        return false;
    };
    let words = ["", "R", "Resign", "T", "Time", "F", "Forfeit"];
    words.contains(&how) || how.parse::<f64>().is_ok_and(|lead| lead.is_finite() && lead >= 0.0)
}

/// `2001-12-31`, or its end alone where an earlier date has the rest.
fn is_date(text: &str) -> bool {
    let text = text.trim();
    let is_part =
        |part: &str| matches!(part.len(), 2 | 4) && part.bytes().all(|b| b.is_ascii_digit());
    text.is_empty() || (text.split('-').count() <= 3 && text.split('-').all(is_part))
}
