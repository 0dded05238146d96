//! The list of variants, and the one place that chooses between them.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "related")]
use crate::rules::{Brazilian, Czech, Pool, Spanish, Thai};
use crate::rules::{English, International, Rules, Russian, Turkish};

macro_rules! variants {
    ($($name:ident)*) => {
        /// A variant, known only at run time. [`with_rules!`](crate::with_rules) turns it into its [`Rules`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Variant {
            $(#[doc = concat!("See [`", stringify!($name), "`](crate::rules::", stringify!($name), ").")] $name,)*
        }

        impl Variant {
            /// Every variant.
            pub const ALL: &'static [Variant] = &[$(Variant::$name),*];

            /// The variant with the rules `R`.
            #[must_use]
            pub fn of<R: Rules>() -> Variant {
                *Variant::ALL.iter().find(|v| v.name() == R::NAME).expect("every set of rules is listed")
            }

            /// Its name on the command line and in files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Variant::$name => <$name as Rules>::NAME),* }
            }
        }

        /// Runs an expression with a type alias bound to the rules of a variant.
        ///
        /// # Examples
        /// ```
        /// use endame::rules::{Rules, Variant};
        /// let variant = Variant::Russian;
        /// assert!(endame::with_rules!(variant, R => R::FLYING_KINGS));
        /// ```
        #[macro_export]
        macro_rules! with_rules {
            ($variant:expr, $rules:ident => $body:expr) => {
                match $variant {
                    $($crate::rules::Variant::$name => { type $rules = $crate::rules::$name; $body })*
                }
            };
        }
    };
}

// Not one list with a condition in it: `with_rules!` expands elsewhere, where the features are those of another crate.
#[cfg(not(feature = "related"))]
variants! { International English Russian Turkish }
#[cfg(feature = "related")]
variants! { International English Russian Turkish Brazilian Pool Czech Spanish Thai }

/// The names of the variants of the feature `related`.
const RELATED: &[&str] = &["brazilian", "pool", "czech", "spanish", "thai"];

/// The name is not that of a variant of this build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownVariant(pub String);

impl UnknownVariant {
    /// Whether a build with the feature `related` has the variant.
    #[must_use]
    pub fn is_related(&self) -> bool {
        RELATED.contains(&self.0.as_str())
    }
}

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_related() {
            return write!(f, "this build has no {}; build with --features related", self.0);
        }
        let names: Vec<&str> = Variant::ALL.iter().map(|v| v.name()).collect();
        write!(f, "unknown variant {:?}: expected one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownVariant {}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        Variant::ALL.iter().copied().find(|v| v.name() == name).ok_or_else(|| UnknownVariant(name.to_string()))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_read_by_its_name() {
        for &variant in Variant::ALL {
            assert_eq!(variant.name().parse(), Ok(variant));
        }
        let unknown = "dutch".parse::<Variant>().expect_err("no variant").to_string();
        assert!(unknown.starts_with("unknown variant \"dutch\": expected one of international, "), "{unknown}");
    }

    #[test]
    fn a_related_variant_is_there_or_the_error_says_how_to_get_it() {
        let is_related = |v: &&Variant| RELATED.contains(&v.name());
        let expected = if cfg!(feature = "related") { RELATED.len() } else { 0 };
        assert_eq!(Variant::ALL.iter().filter(is_related).count(), expected);
        for &name in RELATED {
            let says = UnknownVariant(name.to_string()).to_string();
            assert_eq!(says, format!("this build has no {name}; build with --features related"));
        }
    }
}
