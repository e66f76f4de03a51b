//! The error of parsing a text: a vertex, a komi, the value of a setting.

pub use tengen_settings::{ParseError, written_as_text};

/// Makes a type the value of a setting, written as text: `text_setting!(Type, "what it is",
/// forms)`, where `forms` describes the valid texts. Adds `refused`, the error of any other text.
#[doc(hidden)]
#[macro_export]
macro_rules! text_setting {
    ($type:ty, $what:literal, $forms:expr) => {
        $crate::written_as_text!($type);

        impl $type {
            /// The error that `text` is not a valid value.
            #[allow(dead_code)]
            fn refused(text: &str) -> $crate::ParseError {
                $crate::ParseError::new($what, text, $forms)
            }
        }

        impl $crate::settings::TextValue for $type {
            fn domain() -> $crate::settings::Domain {
                $crate::settings::Domain::Text($forms.into())
            }
        }
    };
}
