//! The properties of FF 4 for Go, and those of FF 3 that are gone.

/// What a property belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
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
pub fn known(key: &str) -> Option<(PropertyKind, Type)> {
    Some(match key {
        "B" | "W" => (PropertyKind::Move, Type::Move),
        "KO" | "DO" | "IT" => (PropertyKind::Move, Type::None),
        "MN" | "OB" | "OW" => (PropertyKind::Move, Type::Number),
        "BL" | "WL" => (PropertyKind::Move, Type::Real),
        "BM" | "TE" => (PropertyKind::Move, Type::Double),
        "AB" | "AW" | "AE" => (PropertyKind::Setup, Type::Points),
        "PL" => (PropertyKind::Setup, Type::Color),
        "AP" => (PropertyKind::Root, Type::Text),
        "CA" => (PropertyKind::Root, Type::Charset),
        "FF" => (PropertyKind::Root, Type::Range(1, 4)),
        "GM" => (PropertyKind::Root, Type::Range(1, 40)),
        "ST" => (PropertyKind::Root, Type::Range(0, 3)),
        "SZ" => (PropertyKind::Root, Type::Size),
        "HA" => (PropertyKind::GameInfo, Type::Number),
        "KM" | "TM" => (PropertyKind::GameInfo, Type::Real),
        "RE" => (PropertyKind::GameInfo, Type::Result),
        "DT" => (PropertyKind::GameInfo, Type::Dates),
        "AN" | "BR" | "BT" | "CP" | "EV" | "GC" | "GN" | "ON" | "OT" | "PB" | "PC" | "PW"
        | "RO" | "RU" | "SO" | "US" | "WR" | "WT" => (PropertyKind::GameInfo, Type::Text),
        "C" | "N" | "FG" => (PropertyKind::Any, Type::Text),
        "V" => (PropertyKind::Any, Type::Real),
        "DM" | "GB" | "GW" | "UC" | "HO" => (PropertyKind::Any, Type::Double),
        "PM" => (PropertyKind::Any, Type::Number),
        "AR" | "LN" => (PropertyKind::Any, Type::Lines),
        "LB" => (PropertyKind::Any, Type::Labels),
        "CR" | "MA" | "SL" | "SQ" | "TR" => (PropertyKind::Any, Type::Points),
        "DD" | "VW" | "TB" | "TW" => (PropertyKind::Any, Type::PointsOrNone),
        _ => return None,
    })
}
