//! Registries: the values of a setting by name, to which a program can add its own.

use crate::registered_code::{call_registered, catch_registered_panic, told};
use std::any::Any;
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
    built_in: &'static [BuiltIn<T>],
    /// Adds the built-in values at the first use.
    once: Once,
    components: Components,
}

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
        let list = RwLock::new(List { all: Vec::new(), places: BTreeMap::new() });
        let components = Components { kind, form, note, list };
        Self { built_in, once: Once::new(), components }
    }

    fn components(&self) -> &Components {
        self.once.call_once(|| {
            for &BuiltIn { name, parameters, make } in self.built_in {
                let made = move |label, given: &str| {
                    let made = make(given);
                    made.map(|made| entry(label, made))
                        .map_err(|expected| format!("{name}{parameters}, {expected}"))
                };
                let (name, version) = (name.to_owned(), String::new());
                self.components.add(Component::new(name, version, parameters, made));
            }
        });
        &self.components
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
        let make = move |label, parameters: &str| Ok(entry(label, make(parameters)?));
        let form = self.components.form;
        self.components().register(Component::new(name.into(), version.into(), form, make))
    }

    /// Unregisters `name`: from now on a text with this name is an error; texts read before keep
    /// their value. Returns false if the program has not registered the name.
    pub fn unregister(&self, name: &str) -> bool {
        self.components().remove(name)
    }

    /// The value that `text` names: `NAME` or `NAME:PARAMETERS`. It is made once, unless its
    /// parameters decide its version, and lives as long as the process.
    ///
    /// # Errors
    /// What is expected: the names that there are, or what the maker says of the parameters, or its panic.
    pub fn get(&self, text: &str) -> Result<Named<T>, String> {
        let found = self.components().get(text)?;
        // An entry always has the type of its registry.
        found.downcast_ref().map(Named).ok_or_else(|| self.expected())
    }

    /// The error that Tengen itself has the name `name`, for a name in another list.
    pub fn taken(&self, name: &str) -> RegistryError {
        self.components.refused(name, TAKEN)
    }

    /// All names: the built-in ones, then the registered ones in the order of registration.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let list = self.components().read();
        list.all.iter().flatten().map(|component| component.name.clone()).collect()
    }

    /// The valid texts, for errors: each name and its parameters.
    #[must_use]
    pub fn expected(&self) -> String {
        self.components().expected()
    }
}

/// An [`Entry`], whatever the type of its value.
type AnyEntry = &'static (dyn Any + Send + Sync);

fn entry<T: ?Sized + Send + Sync + 'static>(label: Label, made: Made<T>) -> New {
    let Made { value, parameters, version } = made;
    let (text, decides_version) = (with_parameters(&label.text, &parameters), version.is_some());
    let label = Label { text, version: version.unwrap_or(label.version), ..label };
    let key = (label.text.clone(), label.version.clone());
    New { key, decides_version, leak: Box::new(|| Box::leak(Box::new(Entry { label, value }))) }
}

/// A value just made; the registry may already hold one with its key.
struct New {
    /// Its text and version.
    key: (String, String),
    decides_version: bool,
    /// Makes the value live as long as the process.
    leak: Box<dyn FnOnce() -> AnyEntry>,
}

/// `NAME`, or `NAME:PARAMETERS` if there are any.
fn with_parameters(name: &str, parameters: &str) -> String {
    if parameters.is_empty() { name.to_owned() } else { format!("{name}:{parameters}") }
}

/// The part of a registry that is independent of the type of its values, and so compiled once.
struct Components {
    kind: &'static str,
    /// What help writes after the name of a registered value.
    form: &'static str,
    /// What help writes after all forms.
    note: fn() -> String,
    list: RwLock<List>,
}

/// The components of a registry.
struct List {
    /// In the order of addition; `None` where a component was removed.
    all: Vec<Option<Component>>,
    /// Indices in `all` by name. All maps here have one type, so that they are compiled once.
    places: BTreeMap<String, usize>,
}

impl List {
    fn named(&self, name: &str) -> Option<&Component> {
        self.all[*self.places.get(name)?].as_ref()
    }

    fn named_mut(&mut self, name: &str) -> Option<&mut Component> {
        self.all[*self.places.get(name)?].as_mut()
    }
}

/// Makes a value from the parameters after its name, which may be empty.
type Make = dyn Fn(Label, &str) -> Result<New, String> + Send + Sync;

struct Component {
    name: String,
    /// Empty for a built-in component.
    version: String,
    /// What help writes after the name.
    form: &'static str,
    make: Arc<Make>,
    /// The values made so far.
    made: Vec<AnyEntry>,
    /// Indices in `made` by version and text, and by the requested text unless the value is made
    /// each time.
    places: BTreeMap<String, usize>,
}

impl Component {
    fn new(
        name: String,
        version: String,
        form: &'static str,
        make: impl Fn(Label, &str) -> Result<New, String> + Send + Sync + 'static,
    ) -> Self {
        let make = Arc::new(make);
        Self { name, version, form, make, made: Vec::new(), places: BTreeMap::new() }
    }

    fn is_built_in(&self) -> bool {
        self.version.is_empty()
    }
}

const TAKEN: &str = "Tengen has one of this name";

impl Components {
    fn read(&self) -> RwLockReadGuard<'_, List> {
        self.list.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, List> {
        self.list.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn register(&self, component: Component) -> Result<(), RegistryError> {
        let Component { name, version, .. } = &component;
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let own = self.read().named(name).is_some_and(Component::is_built_in);
        let reason = if own {
            TAKEN
        } else if name.is_empty() || !name.chars().all(allowed) {
            "expected letters, digits, `_`, `.` and `-`"
        } else if version.is_empty() {
            "its version is empty"
        } else {
            self.add(component);
            return Ok(());
        };
        Err(self.refused(name, reason))
    }

    fn refused(&self, name: &str, reason: &str) -> RegistryError {
        RegistryError { kind: self.kind, name: name.to_owned(), reason: reason.to_owned() }
    }

    /// Adds `component`, which replaces one of the same name.
    fn add(&self, component: Component) {
        let mut list = self.write();
        let place = list.all.len();
        let replaced = list.places.insert(component.name.clone(), place);
        let replaced = replaced.and_then(|place| list.all[place].take());
        list.all.push(Some(component));
        drop(list);
        // Without the lock: dropping the component may run code that uses the registry.
        drop(replaced);
    }

    /// Removes what the program has registered under `name`; false if it registered nothing.
    fn remove(&self, name: &str) -> bool {
        let mut list = self.write();
        let is_registered = list.named(name).is_some_and(|one| !one.is_built_in());
        let place = if is_registered { list.places.remove(name) } else { None };
        let removed = place.and_then(|place| list.all[place].take());
        drop(list);
        removed.is_some()
    }

    fn get(&self, text: &str) -> Result<AnyEntry, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let (make, label) = {
            let list = self.read();
            let named = list.named(name);
            let takes_parameters =
                |one: &&Component| name == text || !one.is_built_in() || !one.form.is_empty();
            let Some(component) = named.filter(takes_parameters) else {
                drop(list);
                return Err(self.expected());
            };
            if let Some(&place) = component.places.get(text) {
                return Ok(component.made[place]);
            }
            let (version, is_built_in) = (component.version.clone(), component.is_built_in());
            let label = Label { kind: self.kind, text: name.to_owned(), version, is_built_in };
            (component.make.clone(), label)
        };
        // Without the lock: a maker may take its time, or register something itself.
        let call = || call_registered(|| told(self.kind, text), || make(label, parameters));
        let new = catch_registered_panic(call).map_err(|panic| panic.to_string())??;
        let mut list = self.write();
        let same = list.named_mut(name).filter(|one| Arc::ptr_eq(&one.make, &make));
        let Some(component) = same else {
            // Replaced or removed meanwhile.
            return Ok((new.leak)());
        };
        let (made_text, version) = new.key;
        // No text has a line break.
        let key = format!("{version}\n{made_text}");
        let place = component.places.get(&key).copied().unwrap_or_else(|| {
            component.made.push((new.leak)());
            component.made.len() - 1
        });
        component.places.insert(key, place);
        if !new.decides_version {
            component.places.insert(text.to_owned(), place);
        }
        Ok(component.made[place])
    }

    fn expected(&self) -> String {
        let list = self.read();
        let form = |component: &Component| format!("{}{}", component.name, component.form);
        let forms: Vec<_> = list.all.iter().flatten().map(form).collect();
        drop(list);
        one_of(&forms) + &(self.note)()
    }
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
