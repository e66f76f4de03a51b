//! Settings written as `none`, or as numbers separated by colons.

/// Implements the text form of the setting `$type`, whose value is `None` or `$variant`: `none`, or
/// `$prefix` and the fields, each in its range. `$forms` describes the texts.
macro_rules! none_or_numbers {
    (
        $type:ident, $what:literal, $prefix:literal,
        $variant:ident { $($field:ident: $number:ty = $range:expr),* }, $forms:literal
    ) => {
        impl std::str::FromStr for $type {
            type Err = tengen_go::ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                if text == "none" {
                    return Ok(Self::None);
                }
                let numbers = || {
                    let mut parts = text.strip_prefix($prefix)?.split(':');
                    $(let $field: $number = parts.next()?.parse().ok()?;)*
                    let allowed = $($range.contains(&$field) &&)* parts.next().is_none();
                    allowed.then_some(Self::$variant { $($field),* })
                };
                numbers().ok_or_else(|| Self::refused(text))
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    Self::None => f.pad("none"),
                    Self::$variant { $($field),* } => {
                        let numbers = [$($field.to_string()),*].join(":");
                        f.pad(&format!("{}{numbers}", $prefix))
                    }
                }
            }
        }

        tengen_go::text_setting!($type, $what, $forms);
    };
}

pub(crate) use none_or_numbers;
