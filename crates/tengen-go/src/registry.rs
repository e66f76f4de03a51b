//! Registries: the values of a setting by name, to which a program can add its own.

use crate::registered_code::{call_registered, catch_registered_panic, told};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::sync::{Arc, Once, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tengen_settings::{Domain, one_of};

/// A value that a setting names, such as a playout policy that a program registered. Its text is
/// `NAME` or `NAME:PARAMETERS`.
///
/// Two values are equal if their texts and their versions are equal. It is [`Copy`], since values
/// are never freed: a tuning holds all values that it tried.
pub struct Named<T: ?Sized + 'static>(&'static Entry<T>);

struct Entry<T: ?Sized> {
    label: Label,
    value: Box<T>,
}

/// The name of a value, with its kind and version.
struct Label {
    /// The kind of value, such as "playout policy".
    kind: &'static str,
    text: String,
    version: String,
    is_built_in: bool,
}

impl<T: ?Sized> Named<T> {
    /// The text that names the value: `NAME` or `NAME:PARAMETERS`.
    #[must_use]
    pub fn text(self) -> &'static str {
        &self.0.label.text
    }

    /// The version: decided by the parameters, else the registered one; empty for any other
    /// built-in value.
    #[must_use]
    pub fn version(self) -> &'static str {
        &self.0.label.version
    }

    /// Whether the value is built in.
    #[inline]
    #[must_use]
    pub fn is_built_in(self) -> bool {
        self.0.label.is_built_in
    }

    /// The value.
    #[must_use]
    pub fn value(self) -> &'static T {
        &self.0.value
    }

    /// Calls `work` with the value. If the program registered the value, a panic in `work`
    /// continues as a [`RegisteredPanic`](crate::RegisteredPanic) that names the value.
    #[inline]
    pub fn call<R>(self, work: impl FnOnce(&'static T) -> R) -> R {
        if self.is_built_in() {
            return work(self.value());
        }
        call_registered(|| told(self.0.label.kind, self.text()), || work(self.value()))
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
        (self.text(), self.version()) == (other.text(), other.version())
    }
}

impl<T: ?Sized> Eq for Named<T> {}

impl<T: ?Sized> fmt::Debug for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.text(), self.version())
    }
}

impl<T: ?Sized> fmt::Display for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// A name that cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {kind} `{name}` cannot be registered: {reason}")]
pub struct RegistryError {
    /// The kind of value, such as "playout policy".
    pub kind: &'static str,
    /// The refused name.
    pub name: String,
    /// Why the name is refused.
    pub reason: String,
}

/// A built-in name, and how to make its value from parameters.
pub struct BuiltIn<T: ?Sized> {
    /// The name.
    pub name: &'static str,
    /// The parameters as help writes them after the name, such as `:P:Q`; empty if there are none.
    pub parameters: &'static str,
    /// Makes the value from the parameters, which may be empty. The error describes the parameters
    /// that are expected.
    pub make: fn(&str) -> Result<Made<T>, String>,
}

impl<T: ?Sized> BuiltIn<T> {
    /// The built-in `name`, in one line of a list.
    pub const fn new(
        name: &'static str,
        parameters: &'static str,
        make: fn(&str) -> Result<Made<T>, String>,
    ) -> Self {
        Self { name, parameters, make }
    }
}

/// The value that a name and its parameters denote.
pub struct Made<T: ?Sized> {
    /// The value.
    pub value: Box<T>,
    /// The parameters in the one form that texts of the value use.
    pub parameters: String,
    /// The version, if the parameters decide it, such as the digest of a file that they name. The
    /// value is then made each time that a text names it, since the file may have changed.
    pub version: Option<String>,
}

impl<T: ?Sized> Made<T> {
    /// A value without parameters, as [`BuiltIn::make`] returns it.
    pub fn only(value: Box<T>) -> Result<Self, String> {
        Ok(Self::new(value, ""))
    }

    /// A value with these parameters, which do not decide its version.
    pub fn new(value: Box<T>, parameters: impl Into<String>) -> Self {
        Self { value, parameters: parameters.into(), version: None }
    }
}

/// The values of a setting by name, both built-in and registered by a program.
///
/// # Examples
/// ```
/// use tengen_go::{BuiltIn, Made, Registry};
///
/// static POWERS: Registry<dyn Fn(f64) -> f64 + Send + Sync> = Registry::new(
///     "power",
///     &[BuiltIn { name: "square", parameters: "", make: |_| Made::only(Box::new(|x| x * x)) }],
/// );
///
/// POWERS.register("power", "1", |parameters| {
///     let exponent: f64 = parameters.parse().map_err(|_| "write power:EXPONENT".to_owned())?;
///     Ok(Box::new(move |x| x.powf(exponent)))
/// })?;
/// let cube = POWERS.get("power:3")?;
/// assert_eq!((cube.value()(2.0), cube.text(), cube.version()), (8.0, "power:3", "1"));
/// assert_eq!(POWERS.get("power"), Err("write power:EXPONENT".to_owned()));
/// let error = POWERS.get("root:2").unwrap_err();
/// assert_eq!(error, "square or power");
///
/// let error = POWERS.register("square", "1", |_| Ok(Box::new(|x| x * x))).unwrap_err();
/// let said = "the power `square` cannot be registered: Tengen has one of this name";
/// assert_eq!(error.to_string(), said);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Registry<T: ?Sized + 'static> {
    kind: &'static str,
    built_in: &'static [BuiltIn<T>],
    /// What help writes after the name of a registered value.
    form: &'static str,
    /// What help writes after all forms.
    note: fn() -> String,
    /// Adds the built-in values at the first use.
    once: Once,
    /// In the order of addition; no two have one name.
    list: RwLock<Vec<Component<T>>>,
}

struct Component<T: ?Sized + 'static> {
    name: String,
    /// Empty for a built-in component.
    version: String,
    /// What help writes after the name.
    form: &'static str,
    make: Arc<Make<T>>,
    /// The values made so far.
    made: Vec<Named<T>>,
    /// Places in `made`, by version and text, and by the requested text unless the value is made
    /// each time. A map of the values would be compiled for each `T`.
    places: BTreeMap<String, usize>,
}

/// Makes a value from the parameters after its name, which may be empty.
type Make<T> = dyn Fn(&str) -> Result<Made<T>, String> + Send + Sync;

impl<T: ?Sized> Component<T> {
    fn is_built_in(&self) -> bool {
        self.version.is_empty()
    }

    fn made(&self, text: &str) -> Option<Named<T>> {
        self.places.get(text).map(|&place| self.made[place])
    }
}

const TAKEN: &str = "Tengen has one of this name";

impl<T: ?Sized + Send + Sync> Registry<T> {
    /// A registry of the `kind` of value, such as "playout policy", which lists the `built_in` values first.
    #[must_use]
    pub const fn new(kind: &'static str, built_in: &'static [BuiltIn<T>]) -> Self {
        Self::with_form(kind, built_in, "", String::new)
    }

    /// Like [`Self::new`]; help also writes `form` after the name of each registered value, and
    /// `note` after all values.
    #[must_use]
    pub const fn with_form(
        kind: &'static str,
        built_in: &'static [BuiltIn<T>],
        form: &'static str,
        note: fn() -> String,
    ) -> Self {
        Self { kind, built_in, form, note, once: Once::new(), list: RwLock::new(Vec::new()) }
    }

    /// The list, with the built-in values.
    fn list(&self) -> &RwLock<Vec<Component<T>>> {
        self.once.call_once(|| {
            for &BuiltIn { name, parameters, make } in self.built_in {
                let make = move |given: &str| {
                    make(given).map_err(|expected| format!("{name}{parameters}, {expected}"))
                };
                self.add(name.to_owned(), String::new(), parameters, Arc::new(make));
            }
        });
        &self.list
    }

    fn read(&self) -> RwLockReadGuard<'_, Vec<Component<T>>> {
        self.list().read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Vec<Component<T>>> {
        self.list().write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a component, which replaces one of the same name.
    fn add(&self, name: String, version: String, form: &'static str, make: Arc<Make<T>>) {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        let replaced = list.iter().position(|one| one.name == name).map(|place| list.remove(place));
        let places = BTreeMap::new();
        list.push(Component { name, version, form, make, made: Vec::new(), places });
        drop(list);
        // Without the lock: dropping the component may run code that uses the registry.
        drop(replaced);
    }

    /// Registers `name` in this process: from now on `NAME` or `NAME:PARAMETERS` names, in every
    /// text and file, the value that `make` makes from the parameters. The version is part of the
    /// identity of a bot: runs of another version are not resumed. Registering a name again
    /// replaces it for texts that are read from then on. Parameters contain no comma, which
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
        let make = move |parameters: &str| Ok(Made::new(make(parameters)?, parameters));
        self.register_made(name, version, make)
    }

    /// Like [`Self::register`], but the maker also returns the form of the parameters in texts, and
    /// may decide the version.
    pub fn register_made(
        &self,
        name: impl Into<String>,
        version: impl Into<String>,
        make: impl Fn(&str) -> Result<Made<T>, String> + Send + Sync + 'static,
    ) -> Result<(), RegistryError> {
        let (name, version) = (name.into(), version.into());
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let own = self.read().iter().any(|one| one.name == name && one.is_built_in());
        let reason = if own {
            TAKEN
        } else if name.is_empty() || !name.chars().all(allowed) {
            "expected letters, digits, `_`, `.` and `-`"
        } else if version.is_empty() {
            "its version is empty"
        } else {
            self.add(name, version, self.form, Arc::new(make));
            return Ok(());
        };
        Err(self.refused(&name, reason))
    }

    /// Unregisters `name`: from now on a text with this name is an error; texts read before keep
    /// their value. Returns false if the program has not registered the name.
    pub fn unregister(&self, name: &str) -> bool {
        let mut list = self.write();
        let place = list.iter().position(|one| one.name == name && !one.is_built_in());
        let removed = place.map(|place| list.remove(place));
        // The component is dropped without the lock, as in `add`.
        drop(list);
        removed.is_some()
    }

    /// The value that `text` names: `NAME` or `NAME:PARAMETERS`. It is made once, unless its
    /// parameters decide its version, and lives as long as the process.
    ///
    /// # Errors
    /// What is expected: the names that there are, or what the maker says of the parameters, or its panic.
    pub fn get(&self, text: &str) -> Result<Named<T>, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let (make, version) = {
            let list = self.read();
            let takes_parameters =
                |one: &&Component<T>| name == text || !one.is_built_in() || !one.form.is_empty();
            let named = list.iter().find(|one| one.name == name);
            let Some(component) = named.filter(takes_parameters) else {
                drop(list);
                return Err(self.expected());
            };
            if let Some(named) = component.made(text) {
                return Ok(named);
            }
            (component.make.clone(), component.version.clone())
        };
        // Without the lock: a maker may take its time, or register something itself.
        let call = || call_registered(|| told(self.kind, text), || make(parameters));
        let Made { value, parameters, version: decided } =
            catch_registered_panic(call).map_err(|panic| panic.to_string())??;
        let (is_built_in, decides_version) = (version.is_empty(), decided.is_some());
        let version = decided.unwrap_or(version);
        let full = with_parameters(name, &parameters);
        // No text has a line break.
        let key = format!("{version}\n{full}");
        let leak = || {
            let label = Label { kind: self.kind, text: full, version, is_built_in };
            Named(Box::leak(Box::new(Entry { label, value })))
        };
        let mut list = self.write();
        let same = list.iter_mut().find(|one| Arc::ptr_eq(&one.make, &make));
        let Some(component) = same else {
            // Replaced or removed meanwhile.
            return Ok(leak());
        };
        let place = *component.places.entry(key).or_insert(component.made.len());
        if place == component.made.len() {
            component.made.push(leak());
        }
        if !decides_version {
            component.places.insert(text.to_owned(), place);
        }
        Ok(component.made[place])
    }

    /// The error that Tengen itself has the name `name`, for a name in another list.
    pub fn taken(&self, name: &str) -> RegistryError {
        self.refused(name, TAKEN)
    }

    fn refused(&self, name: &str, reason: &str) -> RegistryError {
        RegistryError { kind: self.kind, name: name.to_owned(), reason: reason.to_owned() }
    }

    /// All names: the built-in ones, then the registered ones in the order of registration.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.each(|name, _| name.to_owned())
    }

    /// The valid texts, for errors: each name and its parameters.
    #[must_use]
    pub fn expected(&self) -> String {
        one_of(&self.each(|name, form| format!("{name}{form}"))) + &(self.note)()
    }

    /// What `text` makes of the name and the form of each component, in the order of addition.
    fn each(&self, text: impl Fn(&str, &str) -> String) -> Vec<String> {
        self.read().iter().map(|one| text(&one.name, one.form)).collect()
    }
}

/// `NAME`, or `NAME:PARAMETERS` if there are any.
fn with_parameters(name: &str, parameters: &str) -> String {
    if parameters.is_empty() { name.to_owned() } else { format!("{name}:{parameters}") }
}

/// Parses `parameters`: `N` numbers separated by colons, each in `range`.
///
/// # Errors
/// Which numbers are expected.
pub fn numbers<const N: usize>(
    parameters: &str,
    range: RangeInclusive<f64>,
) -> Result<[f64; N], String> {
    let read = |text: &str| text.parse().ok().filter(|number| range.contains(number));
    let numbers: Option<Vec<f64>> = parameters.split(':').map(read).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
        let what = if N == 1 { "a number" } else { "numbers" };
        format!("{what} from {}", Domain::from(range))
    })
}

/// Implements the text form of a setting whose values a registry holds: `registered_setting!(Type,
/// "what it is", REGISTRY)`, where `Type` is a tuple struct of a [`Named`] value.
#[doc(hidden)]
#[macro_export]
macro_rules! registered_setting {
    ($type:ident, $what:literal, $registry:ident) => {
        impl std::str::FromStr for $type {
            type Err = $crate::ParseError;

            fn from_str(text: &str) -> Result<Self, $crate::ParseError> {
                let named = $registry.get(text);
                named.map(Self).map_err(|expected| $crate::ParseError::new($what, text, expected))
            }
        }

        impl $type {
            /// The built-in value of a text.
            ///
            /// # Panics
            /// If it has none.
            #[must_use]
            pub fn built_in(text: &str) -> Self {
                let named = $registry.get(text);
                Self(named.unwrap_or_else(|_| panic!("{text} is no {} of Tengen's", $what)))
            }

            /// Unregisters `name`: from now on a text with this name is an error; values read
            /// before keep working. Returns false if the program has not registered the name.
            pub fn unregister(name: &str) -> bool {
                $registry.unregister(name)
            }

            /// The text that names the value.
            #[must_use]
            pub fn text(self) -> &'static str {
                self.0.text()
            }

            /// The version of a registered value, or of the file that a built-in value reads; else
            /// `None`.
            #[must_use]
            pub fn version(self) -> Option<&'static str> {
                Some(self.0.version()).filter(|version| !version.is_empty())
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.text())
            }
        }

        $crate::text_setting!($type, $what, $registry.expected());
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    const ZERO: [BuiltIn<u32>; 1] =
        [BuiltIn { name: "zero", parameters: "", make: |_| Made::only(Box::new(0)) }];

    #[test]
    fn a_name_registered_again_is_replaced() {
        static NUMBERS: Registry<u32> =
            Registry::with_form("number", &ZERO, ":X", || "!".to_owned());
        let number = |text: &str| *NUMBERS.get(text).unwrap().value();
        NUMBERS.register("n", "1", |_| Ok(Box::new(7))).unwrap();
        let first = NUMBERS.get("n").unwrap();
        assert_eq!(first, NUMBERS.get("n").unwrap());
        NUMBERS.register("n", "2", |text| Ok(Box::new(text.parse().unwrap_or(8)))).unwrap();
        assert_eq!((number("n"), number("n:9"), *first), (8, 9, 7));
        assert_ne!(first, NUMBERS.get("n").unwrap());
        assert_eq!(
            (NUMBERS.names().join(" "), NUMBERS.expected()),
            ("zero n".into(), "zero or n:X!".into())
        );
        let second = NUMBERS.get("n:9").unwrap();
        assert_eq!([NUMBERS.unregister("n"), NUMBERS.unregister("n")], [true, false]);
        assert!(!NUMBERS.unregister("zero"), "Tengen's own stay");
        assert_eq!((NUMBERS.get("n:9"), *second), (Err("zero!".to_owned()), 9));
    }

    #[test]
    fn a_wrong_registration_is_named() {
        static NUMBERS: Registry<u32> = Registry::new("number", &ZERO);
        for (name, version, said) in [
            ("zero", "1", "the number `zero` cannot be registered: Tengen has one of this name"),
            ("", "1", "the number `` cannot be registered: expected letters"),
            ("a:b", "1", "the number `a:b` cannot be registered: expected letters"),
            ("a", "", "the number `a` cannot be registered: its version is empty"),
        ] {
            let error = NUMBERS.register(name, version, |_| Ok(Box::new(0))).unwrap_err();
            assert!(error.to_string().starts_with(said), "{error}");
        }
        assert_eq!(NUMBERS.names(), ["zero"]);
    }

    #[test]
    fn parameters_are_written_in_one_way_and_may_decide_the_version() {
        static NUMBERS: Registry<f64> = Registry::new(
            "number",
            &[
                BuiltIn {
                    name: "half",
                    parameters: "",
                    make: |_| Ok(Made::new(Box::new(0.5), "")),
                },
                BuiltIn {
                    name: "share",
                    parameters: ":X",
                    make: |given| {
                        let [x] = numbers(given, 0.0..=1.0)?;
                        Ok(Made::new(Box::new(x), x.to_string()))
                    },
                },
                BuiltIn {
                    name: "count",
                    parameters: "",
                    make: |_| {
                        static CALLS: AtomicU32 = AtomicU32::new(0);
                        let calls = CALLS.fetch_add(1, Ordering::Relaxed) / 2;
                        let version = Some(calls.to_string());
                        Ok(Made { version, ..Made::new(Box::new(f64::from(calls)), "") })
                    },
                },
            ],
        );
        let share = NUMBERS.get("share:0.50").unwrap();
        assert_eq!((share, share.text()), (NUMBERS.get("share:.5").unwrap(), "share:0.5"));
        assert_eq!((share.version(), share.is_built_in()), ("", true));
        for text in ["share", "share:2", "share:x", "share:0.1:0.2", "share:"] {
            assert_eq!(
                NUMBERS.get(text),
                Err("share:X, a number from 0 to 1".to_owned()),
                "{text}"
            );
        }
        for text in ["half:1", "halves", ""] {
            assert_eq!(NUMBERS.get(text), Err("half, share:X or count".to_owned()), "{text}");
        }
        let [first, second, third] = [0; 3].map(|_| NUMBERS.get("count").unwrap());
        assert!(std::ptr::eq(first.value(), second.value()), "the version is the same");
        assert_eq!((second.version(), third.version(), *third), ("0", "1", 1.0));
    }
}
