//! Registries: what a program adds by name to the values of a setting.

use crate::registered_code::{call_registered, catch_registered_panic, told};
use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Once, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

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
}

impl<T: ?Sized> Named<T> {
    /// The text that names it: `NAME` or `NAME:PARAMETERS`.
    #[must_use]
    pub fn text(self) -> &'static str {
        &self.0.label.text
    }

    /// Its version, as it was registered; empty for one of Tengen's own.
    #[must_use]
    pub fn version(self) -> &'static str {
        &self.0.label.version
    }

    /// Whether it is one of Tengen's own.
    #[inline]
    #[must_use]
    pub fn is_built_in(self) -> bool {
        self.version().is_empty()
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

/// A value that Tengen itself has under a name.
pub struct BuiltIn<T: ?Sized> {
    /// The name.
    pub name: &'static str,
    /// Makes the value.
    pub make: fn() -> Box<T>,
}

/// The values of a setting by name: those of Tengen, and those that a program has registered.
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
    built_in: &'static [BuiltIn<T>],
    /// Adds those of Tengen.
    once: Once,
    components: Components,
}

impl<T: ?Sized + Send + Sync> Registry<T> {
    /// A registry of the `kind` of value, such as "playout policy". `taken` are names that Tengen defines
    /// elsewhere, and that nobody can register.
    #[must_use]
    pub const fn new(kind: &'static str, taken: &'static [&'static str]) -> Self {
        Self::with(kind, &[], taken)
    }

    /// A registry of the `kind` of value that begins with Tengen's own, `built_in`.
    #[must_use]
    pub const fn of(kind: &'static str, built_in: &'static [BuiltIn<T>]) -> Self {
        Self::with(kind, built_in, &[])
    }

    const fn with(
        kind: &'static str,
        built_in: &'static [BuiltIn<T>],
        taken: &'static [&'static str],
    ) -> Self {
        let components = Components { kind, taken, list: RwLock::new(Vec::new()) };
        Self { built_in, once: Once::new(), components }
    }

    fn components(&self) -> &Components {
        self.once.call_once(|| {
            for BuiltIn { name, make } in self.built_in {
                let make = move |label, _: &str| Ok(entry(label, make()));
                self.components.add(Component::new((*name).to_owned(), String::new(), make));
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
        let make = move |label, parameters: &str| Ok(entry(label, make(parameters)?));
        self.components().register(Component::new(name.into(), version.into(), make))
    }

    /// What `text` names, `NAME` or `NAME:PARAMETERS`; none if the name is not registered. What a
    /// text names is made once, and then lives as long as the process.
    ///
    /// # Errors
    /// What the maker says of the parameters, or its panic.
    pub fn get(&self, text: &str) -> Result<Option<Named<T>>, String> {
        let found = self.components().get(text)?;
        Ok(found.and_then(|value| value.downcast_ref()).map(Named))
    }

    /// The names that are registered, in the order of registration.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.components().names(false)
    }

    /// What may be written, for errors: the names of Tengen's own, `others`, then each registered name followed by
    /// `end`.
    #[must_use]
    pub fn expected(&self, others: &[&str], end: &str) -> String {
        self.components().expected(others, end)
    }
}

/// An [`Entry`], whatever the type of its value.
type AnyEntry = &'static (dyn Any + Send + Sync);

fn entry<T: ?Sized + Send + Sync + 'static>(label: Label, value: Box<T>) -> AnyEntry {
    Box::leak(Box::new(Entry { label, value }))
}

/// The part of a registry that does not know the type of its values, so that it is compiled once.
struct Components {
    kind: &'static str,
    /// Names of values that Tengen has without the registry.
    taken: &'static [&'static str],
    list: RwLock<Vec<Component>>,
}

/// Makes a value from the parameters after its name; empty if there are none.
type Make = dyn Fn(Label, &str) -> Result<AnyEntry, String> + Send + Sync;

struct Component {
    name: String,
    /// Empty for one of Tengen's own.
    version: String,
    make: Arc<Make>,
    /// What was made by its text, so that a text is made once.
    made: Vec<(String, AnyEntry)>,
}

impl Component {
    fn new(
        name: String,
        version: String,
        make: impl Fn(Label, &str) -> Result<AnyEntry, String> + Send + Sync + 'static,
    ) -> Self {
        Self { name, version, make: Arc::new(make), made: Vec::new() }
    }

    fn is_built_in(&self) -> bool {
        self.version.is_empty()
    }
}

impl Components {
    fn read(&self) -> RwLockReadGuard<'_, Vec<Component>> {
        self.list.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Vec<Component>> {
        self.list.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn register(&self, component: Component) -> Result<(), RegistryError> {
        let Component { name, version, .. } = &component;
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let is_own = |own: &Component| own.is_built_in() && own.name == *name;
        let reason = if self.taken.contains(&name.as_str()) || self.read().iter().any(is_own) {
            "Tengen has one of this name"
        } else if name.is_empty() || !name.chars().all(allowed) {
            "expected letters, digits, `_`, `.` and `-`"
        } else if version.is_empty() {
            "its version is empty"
        } else {
            self.add(component);
            return Ok(());
        };
        Err(RegistryError { kind: self.kind, name: name.clone(), reason: reason.to_owned() })
    }

    /// Adds `component`, which replaces one of the same name.
    fn add(&self, component: Component) {
        let mut list = self.write();
        let replaced = list.iter().position(|other| other.name == component.name);
        let replaced = replaced.map(|place| list.remove(place));
        list.push(component);
        drop(list);
        // Without the lock: what it holds may use the registry when it is dropped.
        drop(replaced);
    }

    fn get(&self, text: &str) -> Result<Option<AnyEntry>, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let (make, version) = {
            let list = self.read();
            let Some(component) = list.iter().find(|component| component.name == name) else {
                return Ok(None);
            };
            if component.is_built_in() && name != text {
                return Ok(None);
            }
            if let Some((_, made)) = component.made.iter().find(|(made, _)| made == text) {
                return Ok(Some(*made));
            }
            (component.make.clone(), component.version.clone())
        };
        let label = Label { kind: self.kind, text: text.to_owned(), version };
        // Without the lock: a maker may take its time, or register something itself.
        let call = || call_registered(|| told(self.kind, text), || make(label, parameters));
        let value = catch_registered_panic(call).map_err(|panic| panic.to_string())??;
        let mut list = self.write();
        if let Some(component) = list.iter_mut().find(|one| Arc::ptr_eq(&one.make, &make)) {
            component.made.push((text.to_owned(), value));
        }
        Ok(Some(value))
    }

    /// The names of Tengen's own, or those that are registered.
    fn names(&self, of_tengen: bool) -> Vec<String> {
        let list = self.read();
        let wanted = list.iter().filter(|component| component.is_built_in() == of_tengen);
        wanted.map(|component| component.name.clone()).collect()
    }

    fn expected(&self, others: &[&str], end: &str) -> String {
        let mut texts = self.names(true);
        texts.extend(others.iter().map(|&other| other.to_owned()));
        texts.extend(self.names(false).into_iter().map(|name| name + end));
        let last = texts.pop().unwrap_or_default();
        if texts.is_empty() { last } else { format!("{} or {last}", texts.join(", ")) }
    }
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
                match $registry.get(text) {
                    Ok(Some(named)) => Ok(Self(named)),
                    Ok(None) => Err(Self::refused(text)),
                    Err(expected) => Err($crate::ParseError::new($what, text, expected)),
                }
            }
        }

        impl $type {
            /// The value that Tengen itself has under `name`.
            ///
            /// # Panics
            /// If it has none.
            #[must_use]
            pub fn built_in(name: &str) -> Self {
                let named = $registry.get(name).ok().flatten();
                Self(named.unwrap_or_else(|| panic!("{name} is no {} of Tengen's", $what)))
            }

            /// The text that names the value.
            #[must_use]
            pub fn text(self) -> &'static str {
                self.0.text()
            }

            /// The version of a registered value; none of a built-in one.
            #[must_use]
            pub fn version(self) -> Option<&'static str> {
                (!self.0.is_built_in()).then(|| self.0.version())
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.text())
            }
        }

        $crate::text_setting!($type, $what, $registry.expected(&[], ""));
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
