//! The properties of FF 4 for Go, and those of FF 3 that are gone.

/// What a property belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The root alone.
    Root,
    /// One node of a line.
    GameInfo,
    /// Stones that are put on the board.
    Setup,
    /// A move and what is said of it.
    Move,
    /// Any node.
    Any,
}

/// What its values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Nothing.
    None,
    /// A whole number.
    Number,
    /// A number from the first to the second.
    Range(i64, i64),
    /// A number.
    Real,
    /// 1, or 2 for "very".
    Double,
    /// `B` or `W`.
    Color,
    /// Text of one line, or of any number of lines.
    Text,
    /// A move.
    Move,
    /// Points, also as rectangles.
    Points,
    /// The same, or nothing.
    PointsOrNone,
    /// Pairs of points.
    Lines,
    /// Points with a text each.
    Labels,
    /// One number or two.
    Size,
    /// A charset.
    Charset,
    /// A result.
    Result,
    /// Dates.
    Dates,
}

/// What is known of the property `key`; none of a private one.
pub fn known(key: &str) -> Option<(Kind, Type)> {
    Some(match key {
        "B" | "W" => (Kind::Move, Type::Move),
        "KO" | "DO" | "IT" => (Kind::Move, Type::None),
        "MN" | "OB" | "OW" => (Kind::Move, Type::Number),
        "BL" | "WL" => (Kind::Move, Type::Real),
        "BM" | "TE" => (Kind::Move, Type::Double),
        "AB" | "AW" | "AE" => (Kind::Setup, Type::Points),
        "PL" => (Kind::Setup, Type::Color),
        "AP" => (Kind::Root, Type::Text),
        "CA" => (Kind::Root, Type::Charset),
        "FF" => (Kind::Root, Type::Range(1, 4)),
        "GM" => (Kind::Root, Type::Range(1, 40)),
        "ST" => (Kind::Root, Type::Range(0, 3)),
        "SZ" => (Kind::Root, Type::Size),
        "HA" => (Kind::GameInfo, Type::Number),
        "KM" | "TM" => (Kind::GameInfo, Type::Real),
        "RE" => (Kind::GameInfo, Type::Result),
        "DT" => (Kind::GameInfo, Type::Dates),
        "AN" | "BR" | "BT" | "CP" | "EV" | "GC" | "GN" | "ON" | "OT" | "PB" | "PC" | "PW"
        | "RO" | "RU" | "SO" | "US" | "WR" | "WT" => (Kind::GameInfo, Type::Text),
        "C" | "N" | "FG" => (Kind::Any, Type::Text),
        "V" => (Kind::Any, Type::Real),
        "DM" | "GB" | "GW" | "UC" | "HO" => (Kind::Any, Type::Double),
        "PM" => (Kind::Any, Type::Number),
        "AR" | "LN" => (Kind::Any, Type::Lines),
        "LB" => (Kind::Any, Type::Labels),
        "CR" | "MA" | "SL" | "SQ" | "TR" => (Kind::Any, Type::Points),
        "DD" | "VW" | "TB" | "TW" => (Kind::Any, Type::PointsOrNone),
        _ => return None,
    })
}
