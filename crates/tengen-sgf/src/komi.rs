//! The komi that KM names.

use super::error::{SgfError, SgfWarning};
use super::tree::{Node, Property};
use tengen_go::Komi;

/// The komi of KM, 0 if KM is missing or empty; with a warning if it is read as another number than
/// written.
pub fn read_komi(root: &Node) -> Result<(Komi, Option<SgfWarning>), SgfError> {
    let text = root.get("KM").map(Property::line);
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return Ok((Komi::default(), None));
    };
    let written: Option<f64> = text.replace(',', ".").parse().ok();
    let converted = written.and_then(|written| converted(root, written));
    let Some(komi) = converted.or(written).and_then(|points| Komi::equivalent(points).ok()) else {
        return Err(SgfError::Komi(text));
    };
    let warning = match (converted, written == Some(komi.into())) {
        (_, true) => None,
        (Some(_), _) => Some(SgfWarning::Unit { text, komi }),
        (None, _) => Some(SgfWarning::Rounded { text, komi }),
    };
    Ok((komi, warning))
}

/// The points that `written` means in the units of some servers and collections, as KataGo reads
/// them.
fn converted(root: &Node, written: f64) -> Option<f64> {
    let has = |key: &str, value: &str| {
        let mut properties = root.properties.iter().filter(|property| property.key == key);
        properties.any(|property| property.text().trim().starts_with(value))
    };
    // Fox writes hundredths of a point, or of the Chinese unit of two points; its earlier
    // records name GNU Go and have an empty GN.
    let is_early =
        has("AP", "GNU Go:3.8") && root.get("GN").is_some_and(|name| name.text().trim().is_empty());
    if has("AP", "foxwq") || has("AP", "SGFC:2.0") || is_early {
        return [5.5, 6.5, 7.0, 7.5]
            .into_iter()
            .find(|points| [points * 50.0, points * 100.0].contains(&written));
    }
    // GoGoD has Chinese komi in the unit of two points: 3.75 is 7.5.
    let is_chinese = has("US", "GoGoD") && has("RU", "Chinese");
    (is_chinese && (written * 2.0).fract().abs() == 0.5).then_some(written * 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn komi(root: &str) -> (String, Option<String>) {
        let games = parse(&format!("(;{root})")).unwrap();
        let (komi, warning) = read_komi(games[0].root()).unwrap();
        (komi.to_string(), warning.map(|warning| warning.to_string()))
    }

    #[test]
    fn komi_in_units_of_servers() {
        for (root, expected) in [
            ("KM[325]AP[GNU Go:3.8]AP[foxwq]", "6.5"),
            ("KM[650]AP[foxwq]", "6.5"),
            ("KM[375]RU[chinese]AP[foxwq]", "7.5"),
            ("KM[750]AP[SGFC:2.0]", "7.5"),
            ("KM[275]GN[]AP[GNU Go:3.8]", "5.5"),
            ("KM[350]AP[foxwq]", "7"),
            ("KM[3.75]US[GoGoD95]RU[Chinese]", "7.5"),
            ("KM[2.75]US[GoGoD]RU[Chinese, Pair Go]", "5.5"),
        ] {
            let (komi, warning) = komi(root);
            assert_eq!(komi, expected, "{root}");
            assert!(warning.unwrap().ends_with(&format!("is read as {expected}")), "{root}");
        }
        // Read as written: nothing names another unit.
        for (root, expected) in [
            ("KM[325]AP[GNU Go:3.8]GN[a game]", "325"),
            ("KM[375]", "375"),
            ("KM[0]AP[foxwq]", "0"),
            ("KM[6.5]AP[foxwq]", "6.5"),
            ("KM[6,5]", "6.5"),
            ("KM[7.5]US[GoGoD]RU[Chinese]", "7.5"),
            ("KM[]", "0"),
        ] {
            assert_eq!(komi(root), (expected.to_owned(), None), "{root}");
        }
        let (rounded, warning) = komi("KM[7.25]");
        assert_eq!(rounded, "7.5");
        assert!(warning.unwrap().contains("is read as 7.5, by which the same player wins"));
    }
}
