//! Builds small tables and asks them: the library in one page.
//!
//! ```text
//! cargo run --release --example probe -- [FOLDER [FEN]]
//! ```
//!
//! Without a folder a temporary one is used. The FEN is of international draughts; by default three kings hunt one,
//! with the move. Prints the value of the position, every move with the value after it, and a line of best play.

use std::error::Error;
use std::path::PathBuf;

use endame::build::{BuildOptions, Silent, build};
use endame::position::Fen;
use endame::rules::International;
use endame::tablebase::{Tablebase, Value};
use endame::value::{Dtw, Metric, Wdl};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let temporary = tempfile::tempdir()?;
    let folder = arguments.next().map_or_else(|| temporary.path().to_path_buf(), PathBuf::from);
    let text = arguments.next().unwrap_or_else(|| "W:WK46,K47,K48:BK26".to_string());
    let fen = Fen::<International>::parse(text.as_bytes())?;

    // Tables that are there are kept; whatever a position can lead to is built with it.
    let tables = Tablebase::<International>::open(&folder)?;
    let missing = tables.missing(&fen.position)?;
    if missing.iter().any(|material| material.pieces() > 4) {
        return Err("this example builds tables of up to four pieces".into());
    }
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
        println!("building {} in {}", names.join(", "), folder.display());
        build::<International>(&folder, &missing, Metric::Dtw, &BuildOptions::default(), &Silent)?;
        tables.refresh();
    }

    println!("{fen}: {}", words(tables.probe(&fen.position)?));
    let legal = fen.position.moves();
    for valued in tables.moves(&fen.position)? {
        let after = valued.value.map_or_else(|| "unknown".to_string(), words);
        println!("  {:8} then the opponent: {after}", fen.move_text(&valued.mv, &legal));
    }

    let mut fen = fen;
    let mut line = Vec::new();
    for mv in tables.best_line(&fen.position)? {
        line.push(fen.move_text(&mv, &fen.position.moves()));
        fen = fen.play(&mv);
    }
    println!("best play: {}", if line.is_empty() { "a draw has no end".to_string() } else { line.join(" ") });
    Ok(())
}

fn words(value: Value) -> String {
    let what = match value.wdl {
        Wdl::Win => "wins",
        Wdl::Draw => "draws",
        Wdl::Loss => "loses",
    };
    match value.dtw {
        Some(Dtw(plies)) => format!("{what} in {plies} plies"),
        None => what.to_string(),
    }
}
