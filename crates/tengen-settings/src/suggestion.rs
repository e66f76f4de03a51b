//! Suggestions for names that are not known: "did you mean".

/// The similarity of Jaro that a suggestion must exceed.
const LEAST: f64 = 0.75;

/// The end of an error message about a `name` that is none of `names`: the one that may be meant,
/// or else all of them.
#[must_use]
pub fn suggestion(name: &str, names: &[&str]) -> String {
    let likeness = |other: &str| match strsim::osa_distance(name, other) {
        0 | 1 => 1.0, // one slip of the keyboard, also in a name of three letters
        _ => strsim::jaro(name, other),
    };
    match names.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
        Some(nearest) if likeness(nearest) > LEAST => format!("did you mean `{nearest}`?"),
        _ => {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("expected {}", one_of(&quoted))
        }
    }
}

/// `names` in words: "a, b or c".
#[must_use]
pub fn one_of<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(T::as_ref).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_alike_is_suggested() {
        let names = ["playouts", "seconds", "workers"];
        assert_eq!(suggestion("playout", &names), "did you mean `playouts`?");
        assert_eq!(suggestion("utc", &["random", "uct"]), "did you mean `uct`?");
        assert_eq!(suggestion("sceonds", &names), "did you mean `seconds`?");
        assert_eq!(suggestion("komi", &names), "expected `playouts`, `seconds` or `workers`");
        assert_eq!(suggestion("komi", &["a"]), "expected `a`");
    }
}
