//! Variants as arguments.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};

use endame::rules::Variant;

/// Reads a variant by name; the names appear in help texts and completions.
pub(super) fn variants() -> impl TypedValueParser<Value = Variant> {
    VariantParser(PossibleValuesParser::new(Variant::ALL.iter().map(|v| v.name())))
}

/// The names of this build, and a word of its own on those that another build has.
#[derive(Clone)]
struct VariantParser(PossibleValuesParser);

impl TypedValueParser for VariantParser {
    type Value = Variant;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Variant, clap::Error> {
        if let Some(Err(unknown)) = value.to_str().map(str::parse::<Variant>)
            && unknown.is_related()
        {
            return Err(clap::Error::raw(ErrorKind::InvalidValue, format!("{unknown}\n")).with_cmd(command));
        }
        self.0.clone().try_map(|name| name.parse::<Variant>()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}
