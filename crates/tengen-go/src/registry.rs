//! Registries: what a program adds by name to the values of a setting.

use crate::registered_code::{call_registered, catch_registered_panic, told};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

/// A value that a setting names, such as a playout policy of a researcher's own. As text `NAME` or
/// `NAME:PARAMETERS`.
///
/// Two are equal if their texts and their versions are equal. It is [`Copy`]: the value is never freed,
/// so that a tuning keeps each one that it tried.
pub struct Named<T: ?Sized + 'static>(&'static Entry<T>);

struct Entry<T: ?Sized> {
    /// What it is, such as "playout policy".
    kind: &'static str,
    text: String,
    version: String,
    value: Box<T>,
}

impl<T: ?Sized> Named<T> {
    /// The text that names it: `NAME` or `NAME:PARAMETERS`.
    #[must_use]
    pub fn text(self) -> &'static str {
        &self.0.text
    }

    /// Its version, as it was registered.
    #[must_use]
    pub fn version(self) -> &'static str {
        &self.0.version
    }

    /// The value.
    #[must_use]
    pub fn value(self) -> &'static T {
        &self.0.value
    }

    /// Calls `work` with the value, which is code that the program has registered: a panic in it goes on as a
    /// [`RegisteredPanic`](crate::RegisteredPanic) that names the value.
    #[inline]
    pub fn call<R>(self, work: impl FnOnce(&'static T) -> R) -> R {
        call_registered(|| told(self.0.kind, self.text()), || work(self.value()))
    }
}

impl<T: ?Sized> Clone for Named<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Named<T> {}

impl<T: ?Sized> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: ?Sized> PartialEq for Named<T> {
    fn eq(&self, other: &Self) -> bool {
        (&self.0.text, &self.0.version) == (&other.0.text, &other.0.version)
    }
}

impl<T: ?Sized> Eq for Named<T> {}

impl<T: ?Sized> fmt::Debug for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.text, self.0.version)
    }
}

impl<T: ?Sized> fmt::Display for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.text)
    }
}

/// A name that cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {kind} `{name}` cannot be registered: {reason}")]
pub struct RegistryError {
    /// What was to be registered, such as "playout policy".
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

/// The values of a setting that a program has registered, by name.
///
/// # Examples
/// ```
/// use tengen_go::Registry;
///
/// static POWERS: Registry<dyn Fn(f64) -> f64 + Send + Sync> = Registry::new("power", &["square"]);
///
/// POWERS.register("power", "1", |parameters| {
///     let exponent: f64 = parameters.parse().map_err(|_| "write power:EXPONENT".to_owned())?;
///     Ok(Box::new(move |x| x.powf(exponent)))
/// })?;
/// let cube = POWERS.get("power:3")?.ok_or("not registered")?;
/// assert_eq!((cube.value()(2.0), cube.text(), cube.version()), (8.0, "power:3", "1"));
/// assert_eq!(POWERS.get("power"), Err("write power:EXPONENT".to_owned()));
/// assert_eq!(POWERS.get("root:2"), Ok(None));
///
/// let error = POWERS.register("square", "1", |_| Ok(Box::new(|x| x * x))).unwrap_err();
/// let said = "the power `square` cannot be registered: Tengen has one of this name";
/// assert_eq!(error.to_string(), said);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Registry<T: ?Sized + 'static> {
    kind: &'static str,
    built_in: &'static [&'static str],
    makers: RwLock<Vec<Maker<T>>>,
}

/// Makes a value from the parameters after its name; empty if there are none.
type Make<T> = dyn Fn(&str) -> Result<Box<T>, String> + Send + Sync;

struct Maker<T: ?Sized + 'static> {
    name: String,
    version: String,
    make: Arc<Make<T>>,
    /// What was made, so that a text is made once.
    made: Vec<Named<T>>,
}

impl<T: ?Sized> Registry<T> {
    /// A registry of the `kind` of value, such as "playout policy", beside those that Tengen has, `built_in`.
    #[must_use]
    pub const fn new(kind: &'static str, built_in: &'static [&'static str]) -> Self {
        Self { kind, built_in, makers: RwLock::new(Vec::new()) }
    }

    /// Registers `name` in this process: from now on `NAME` or `NAME:PARAMETERS` names what `make`
    /// makes of the parameters, in every text and file. The version is part of what tells one bot
    /// from another: runs of another version are not resumed. A name that is registered
    /// again is replaced, for texts that are read from then on. Parameters hold no comma, which
    /// separates settings.
    ///
    /// # Errors
    /// If the name is one of Tengen's own, or has other characters than ASCII letters and digits, `_`,
    /// `.` and `-`; if the version is empty.
    pub fn register(
        &self,
        name: impl Into<String>,
        version: impl Into<String>,
        make: impl Fn(&str) -> Result<Box<T>, String> + Send + Sync + 'static,
    ) -> Result<(), RegistryError> {
        let (name, version) = (name.into(), version.into());
        let error = |reason: &str| {
            Err(RegistryError { kind: self.kind, name: name.clone(), reason: reason.to_owned() })
        };
        if self.built_in.contains(&name.as_str()) {
            return error("Tengen has one of this name");
        }
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if name.is_empty() || !name.chars().all(allowed) {
            return error("expected letters, digits, `_`, `.` and `-`");
        }
        if version.is_empty() {
            return error("its version is empty");
        }
        let maker = Maker { name, version, make: Arc::new(make), made: Vec::new() };
        let mut makers = self.makers.write().unwrap_or_else(PoisonError::into_inner);
        let replaced = makers.iter().position(|other| other.name == maker.name);
        let replaced = replaced.map(|place| makers.remove(place));
        makers.push(maker);
        drop(makers);
        // Without the lock: what it holds may use the registry when it is dropped.
        drop(replaced);
        Ok(())
    }

    /// What `text` names, `NAME` or `NAME:PARAMETERS`; none if the name is not registered. What a
    /// text names is made once, and then lives as long as the process.
    ///
    /// # Errors
    /// What the maker says of the parameters, or its panic.
    pub fn get(&self, text: &str) -> Result<Option<Named<T>>, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let (make, version) = {
            let makers = self.makers.read().unwrap_or_else(PoisonError::into_inner);
            let Some(maker) = makers.iter().find(|maker| maker.name == name) else {
                return Ok(None);
            };
            if let Some(made) = maker.made.iter().find(|made| made.text() == text) {
                return Ok(Some(*made));
            }
            (maker.make.clone(), maker.version.clone())
        };
        // Without the lock: a maker may take its time, or register something itself.
        let call = || call_registered(|| told(self.kind, text), || make(parameters));
        let value = catch_registered_panic(call).map_err(|panic| panic.to_string())??;
        let entry = Entry { kind: self.kind, text: text.to_owned(), version, value };
        let named = Named(Box::leak(Box::new(entry)));
        let mut makers = self.makers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(maker) = makers.iter_mut().find(|maker| Arc::ptr_eq(&maker.make, &make)) {
            maker.made.push(named);
        }
        Ok(Some(named))
    }

    /// The names that are registered, in the order of registration.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let makers = self.makers.read().unwrap_or_else(PoisonError::into_inner);
        makers.iter().map(|maker| maker.name.clone()).collect()
    }

    /// What may be written, for errors: `built_in`, texts of values, and the names that are registered,
    /// each followed by `end`.
    #[must_use]
    pub fn expected(&self, built_in: &[&str], end: &str) -> String {
        let names = self.names().into_iter().map(|name| format!("{name}{end}"));
        let mut texts: Vec<String> =
            built_in.iter().map(|text| (*text).to_owned()).chain(names).collect();
        let last = texts.pop().unwrap_or_default();
        if texts.is_empty() { last } else { format!("{} or {last}", texts.join(", ")) }
    }
}

/// The text form of an enum whose variants have a text each, but for `Own`, a registered value, and
/// the version of that.
/// `expected` of errors are the texts and the registered names.
#[doc(hidden)]
#[macro_export]
macro_rules! text_or_registered {
    ($type:ident, $what:literal, $registered:ident: $($text:literal $variant:ident),*) => {
        impl std::str::FromStr for $type {
            type Err = $crate::ParseError;

            fn from_str(text: &str) -> Result<Self, $crate::ParseError> {
                match text {
                    $($text => return Ok(Self::$variant),)*
                    _ => {}
                }
                match $registered.get(text) {
                    Ok(Some(own)) => Ok(Self::Own(own)),
                    Ok(None) => Err(Self::refused(text)),
                    Err(expected) => Err($crate::ParseError::new($what, text, expected)),
                }
            }
        }

        impl $type {
            /// The version of a registered value; none of a built-in one.
            #[must_use]
            pub fn version(self) -> Option<&'static str> {
                match self {
                    Self::Own(own) => Some(own.version()),
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self {
                    $(Self::$variant => $text,)*
                    Self::Own(own) => own.text(),
                })
            }
        }

        $crate::text_setting!($type, $what, $registered.expected(&[$($text),*], ""));
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_registered_again_is_replaced() {
        static NUMBERS: Registry<u32> = Registry::new("number", &[]);
        let number = |text: &str| NUMBERS.get(text).unwrap().map(|named| *named.value());
        NUMBERS.register("n", "1", |_| Ok(Box::new(7))).unwrap();
        let first = NUMBERS.get("n").unwrap().unwrap();
        assert_eq!(Some(first), NUMBERS.get("n").unwrap());
        NUMBERS.register("n", "2", |text| Ok(Box::new(text.parse().unwrap_or(8)))).unwrap();
        assert_eq!((number("n"), number("n:9"), *first), (Some(8), Some(9), 7));
        assert_ne!(Some(first), NUMBERS.get("n").unwrap());
        assert_eq!(
            (NUMBERS.names(), NUMBERS.expected(&["zero", "one"], ":X")),
            (vec!["n".into()], "zero, one or n:X".into())
        );
    }

    #[test]
    fn a_wrong_registration_is_named() {
        static NUMBERS: Registry<u32> = Registry::new("number", &["zero"]);
        for (name, version, said) in [
            ("zero", "1", "the number `zero` cannot be registered: Tengen has one of this name"),
            ("", "1", "the number `` cannot be registered: expected letters"),
            ("a:b", "1", "the number `a:b` cannot be registered: expected letters"),
            ("a", "", "the number `a` cannot be registered: its version is empty"),
        ] {
            let error = NUMBERS.register(name, version, |_| Ok(Box::new(0))).unwrap_err();
            assert!(error.to_string().starts_with(said), "{error}");
        }
        assert!(NUMBERS.names().is_empty());
    }
}
