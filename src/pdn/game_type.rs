//! The GameType tag: a number for the variant, and how its squares are named.
//!
//! Only the number is read. What follows is often wrong in files (`20,W,10,10,N1,0`), and the squares decide.

use crate::pdn::PdnErrorKind;
use crate::rules::Rules;

/// The numbers that are in use.
const GAME_TYPES: &[(u32, &str)] = &[
    (20, "international draughts"),
    (21, "english draughts"),
    (22, "italian draughts"),
    (23, "american pool"),
    (24, "spanish draughts"),
    (25, "russian draughts"),
    (26, "brazilian draughts"),
    (27, "canadian draughts"),
    (28, "portuguese draughts"),
    (29, "czech draughts"),
    (30, "turkish draughts"),
    (31, "thai draughts"),
    (40, "frisian draughts"),
    (41, "spantsiretti"),
    (96, "breakthrough draughts"),
    (97, "frysk"),
    (98, "losing draughts"),
];

/// Whether a value of the tag is that of the variant, or says nothing.
///
/// # Errors
/// If it is that of another variant, or does not begin with a number.
pub(super) fn check_game_type<R: Rules>(value: &str) -> Result<(), PdnErrorKind> {
    let number = value.split(',').next().unwrap_or_default().trim();
    if number.is_empty() || number == "?" {
        return Ok(());
    }
    let Ok(number) = number.parse::<u32>() else {
        return Err(PdnErrorKind::NotAGameType(R::PDN_GAME_TYPE));
    };
    if number == R::PDN_GAME_TYPE {
        return Ok(());
    }
    let theirs = GAME_TYPES.iter().find(|(known, _)| *known == number).map_or("another variant", |&(_, name)| name);
    Err(PdnErrorKind::OtherVariant { theirs, ours: R::NAME, number: R::PDN_GAME_TYPE })
}
