//! Registries: what a program adds by name to the values of a setting.

use crate::registered_code::{call_registered, catch_registered_panic, told};
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::sync::{Arc, Once, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tengen_settings::Domain;

/// A value that a setting names, such as a playout policy of a researcher's own. As text `NAME` or
/// `NAME:PARAMETERS`.
///
/// Two are equal if their texts and their versions are equal. It is [`Copy`]: the value is never freed,
/// so a tuning holds all values that it tried.
pub struct Named<T: ?Sized + 'static>(&'static Entry<T>);

struct Entry<T: ?Sized> {
    label: Label,
    value: Box<T>,
}

/// What names a value.
struct Label {
    /// What it is, such as "playout policy".
    kind: &'static str,
    text: String,
    version: String,
    is_built_in: bool,
}

impl<T: ?Sized> Named<T> {
    /// The text that names it: `NAME` or `NAME:PARAMETERS`.
    #[must_use]
    pub fn text(self) -> &'static str {
        &self.0.label.text
    }

    /// The version: the one that the parameters decide, else the registered one; empty for any other built-in
    /// value.
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

    /// Calls `work` with the value: a panic in code that the program has registered goes on as a
    /// [`RegisteredPanic`](crate::RegisteredPanic) that names the value.
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
    /// What was to be registered, such as "playout policy".
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A built-in value under its name, or one for each choice of parameters.
pub struct BuiltIn<T: ?Sized> {
    /// The name.
    pub name: &'static str,
    /// The parameters as help writes them after the name, such as `:P:Q`; empty if there are none.
    pub parameters: &'static str,
    /// Makes the value of the parameters, which are empty if there are none. The error says what is
    /// expected of them.
    pub make: fn(&str) -> Result<Made<T>, String>,
}

/// What a name and its parameters stand for.
pub struct Made<T: ?Sized> {
    /// The value.
    pub value: Box<T>,
    /// The parameters in their one way of writing, which texts of the value have.
    pub parameters: String,
    /// The version that the parameters decide, such as the digest of a file that they name. The value is
    /// then made each time that a text names it, since the file may have changed.
    pub version: Option<String>,
}

impl<T: ?Sized> Made<T> {
    /// The value of a name without parameters, as the maker of one returns it.
    pub fn only(value: Box<T>) -> Result<Self, String> {
        Ok(Self::new(value, ""))
    }

    /// A value with these parameters.
    pub fn new(value: Box<T>, parameters: impl Into<String>) -> Self {
        Self { value, parameters: parameters.into(), version: None }
    }
}

/// The values of a setting by name: built-in ones, and those that a program registers.
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
    /// Adds those of Tengen.
    once: Once,
    components: Components,
}

impl<T: ?Sized + Send + Sync> Registry<T> {
    /// A registry of the `kind` of value, such as "playout policy", which lists the `built_in` values first.
    #[must_use]
    pub const fn new(kind: &'static str, built_in: &'static [BuiltIn<T>]) -> Self {
        Self::with_form(kind, built_in, "", String::new)
    }

    /// The same, where help writes `form` after the name of each value that a program registers, and `note`
    /// after all of them.
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
        let make = move |parameters: &str| Ok(Made::new(make(parameters)?, parameters));
        self.register_made(name, version, make)
    }

    /// Registers like [`Self::register`], but the maker also says how texts of the value write its parameters, and
    /// may decide its version.
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

    /// Unregisters `name`: a text with this name is an error from now on, and what was read before keeps its value.
    /// Returns false if the program has registered nothing of this name.
    pub fn unregister(&self, name: &str) -> bool {
        self.components().remove(name)
    }

    /// What `text` names, `NAME` or `NAME:PARAMETERS`. What a text names is made once, unless its
    /// parameters decide its version, and then lives as long as the process.
    ///
    /// # Errors
    /// What is expected: the names that there are, or what the maker says of the parameters, or its panic.
    pub fn get(&self, text: &str) -> Result<Named<T>, String> {
        let found = self.components().get(text)?;
        // An entry always has the type of its registry.
        found.downcast_ref().map(Named).ok_or_else(|| self.expected())
    }

    /// The error that Tengen itself has something of this name, for a name that is in another list.
    pub fn taken(&self, name: &str) -> RegistryError {
        self.components.refused(name, TAKEN)
    }

    /// All names: the built-in ones, then the registered ones in the order of registration.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let list = self.components().read();
        list.all.iter().flatten().map(|component| component.name.clone()).collect()
    }

    /// What may be written, for errors: each name and its parameters.
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

/// A value that was made, whose text may be known already.
struct New {
    /// Its text and version.
    key: (String, String),
    decides_version: bool,
    /// Makes it live as long as the process.
    leak: Box<dyn FnOnce() -> AnyEntry>,
}

/// `NAME`, or `NAME:PARAMETERS` if there are any.
fn with_parameters(name: &str, parameters: &str) -> String {
    if parameters.is_empty() { name.to_owned() } else { format!("{name}:{parameters}") }
}

/// The part of a registry that does not know the type of its values, so that it is compiled once.
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
    /// In the order in which they were added; none where one was removed.
    all: Vec<Option<Component>>,
    /// By name. All maps here have one type, so that they are compiled once.
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

/// Makes a value from the parameters after its name; empty if there are none.
type Make = dyn Fn(Label, &str) -> Result<New, String> + Send + Sync;

struct Component {
    name: String,
    /// Empty for one of Tengen's own.
    version: String,
    /// What help writes after the name.
    form: &'static str,
    make: Arc<Make>,
    /// What it has made.
    made: Vec<AnyEntry>,
    /// Where that is, by version and text, and by the text that asked for it unless it is made each time.
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
        // Without the lock: what it holds may use the registry when it is dropped.
        drop(replaced);
    }

    /// Removes what the program has registered under `name`; false if there is nothing.
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
        let forms = match &forms[..] {
            [] => String::new(),
            [one] => one.clone(),
            [others @ .., end] => format!("{} or {end}", others.join(", ")),
        };
        forms + &(self.note)()
    }
}

/// The numbers of `parameters`, separated by colons, each of which lies in `range`.
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

/// The text form of a setting whose values are those of a registry: `registered_setting!(Type, "what it
/// is", REGISTRY)`, where `Type` is a tuple struct of a [`Named`] value.
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

            /// Unregisters `name`: a text with this name is an error from now on, and what was read before
            /// keeps working. Returns false if the program has registered nothing of this name.
            pub fn unregister(name: &str) -> bool {
                $registry.unregister(name)
            }

            /// The text that names the value.
            #[must_use]
            pub fn text(self) -> &'static str {
                self.0.text()
            }

            /// The version of a registered value, or of the file that a built-in one reads; none
            /// of any other built-in one.
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
