//! The list of variants, and the one place that chooses between them.

use std::fmt;
use std::str::FromStr;

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

variants! { International English Russian Turkish }

/// The name is not that of a variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown variant {0:?}: expected one of international, english, russian, turkish")]
pub struct UnknownVariant(pub String);

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
