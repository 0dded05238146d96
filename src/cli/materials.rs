//! Which materials a command is asked for.

use endame::index::{Material, MaterialError};
use endame::rules::Rules;

use crate::cli::args::Selection;
use crate::cli::error::Error;

/// The materials that `--pieces` or `--material` name, in order.
pub fn selected<R: Rules>(selection: &Selection) -> Result<Vec<Material>, Error> {
    let Some(pieces) = selection.pieces else {
        return selection.material.iter().map(|text| read::<R>(text)).collect();
    };
    let most = 2 * R::MOST_PIECES;
    if !(2..=most).contains(&pieces) {
        let what = format!("--pieces {pieces}: a position of {} has 2 to {most} pieces", R::NAME);
        return Err(Error::input(what, "choose a number between them"));
    }
    Ok(Material::all_up_to(pieces).into_iter().filter(|material| material.check::<R>().is_ok()).collect())
}

/// Reads one material and checks that the variant has it.
pub fn read<R: Rules>(text: &str) -> Result<Material, Error> {
    let parsed = text.parse::<Material>().and_then(|material| material.check::<R>().map(|()| material));
    parsed.map_err(|error| refused(text, &error))
}

/// The error for a text that names no material, or none of the variant.
pub fn refused(text: &str, error: &MaterialError) -> Error {
    let remedy = "write the pieces of the side to move, v, and the other side's, such as KKMvK";
    Error::input(format_args!("material {text:?}: {error}"), remedy)
}
