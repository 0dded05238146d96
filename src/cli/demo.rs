//! `endame demo [VARIANT]`: what the program is for, in about a minute.

use std::fs;
use std::io::{self, Write};

use endame::dataset::export::{Export, Filter, Format};
use endame::dataset::{AtLimit, Dataset, Player, Settings};
use endame::engine::Tables;
use endame::position::Fen;
use endame::proof::{Claim, usual_materials};
use endame::rules::{Rules, Variant};
use endame::selfplay::{Conditions, Openings, Share};
use endame::with_rules;

use crate::cli::Session;
use crate::cli::board::draw_line;
use crate::cli::dataset::print_summary;
use crate::cli::error::Error;
use crate::cli::on_demand::OnDemand;
use crate::cli::progress::progress;
use crate::cli::prove::{find_out, show as show_claim};
use crate::cli::query::{Answer, show};

/// Solves small endgames, proves the draw rules, answers three positions, and plays games with labels.
pub fn run(variant: Variant, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    with_rules!(variant, R => run_for::<R>(session, output))
}

fn run_for<R: Rules>(session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    let mut tables = OnDemand::<R>::open(session)?;
    writeln!(output, "1. Solve every endgame of {} of up to 3 pieces, and 3 against 1.\n", R::NAME)?;
    output.flush()?;
    tables.ensure(&usual_materials())?;
    writeln!(output, "   The tables are in {}.\n", session.tables()?.join(R::NAME).display())?;

    writeln!(output, "2. Hold the draw rules and the sayings of books against them.\n")?;
    output.flush()?;
    for findings in find_out(&Claim::all::<R>(), &mut tables, session)? {
        show_claim(&findings, output)?;
    }

    writeln!(output, "3. Answer three positions.\n")?;
    for piece in R::SHOWPIECES {
        let fen: Fen<R> = piece.fen.parse().map_err(|error| Error::input(error, "this is a fault of the program"))?;
        let mut answer = Answer::new(fen, &tables, true, None)?;
        if tables.build(&answer.missing)? {
            answer = Answer::new(fen, &tables, true, None)?;
        }
        writeln!(output, "-- {}\n", piece.shows)?;
        show(&answer, output)?;
        write!(output, "\n{}", draw_line(fen, &answer.line.unwrap_or_default()))?;
    }

    play(&tables, session, output)?;

    let example = R::SHOWPIECES.first().map_or("FEN", |piece| piece.fen);
    Ok(writeln!(
        output,
        "Next:\n  endame query {name} {example} --line\n  endame build {name} --pieces 4\n  \
         endame stats {name} KKvKM\n  endame selfplay {name} --games 10000 --out games\n  endame --help",
        name = R::NAME
    )?)
}

/// The games that are played.
const GAMES: u64 = 200;

/// Plays games, labels them, writes them out and shows the card.
fn play<R: Rules>(tables: &OnDemand<'_, R>, session: &Session, output: &mut dyn Write) -> Result<(), Error> {
    writeln!(output, "4. Play {GAMES} games, with the tables at the leaves, and label every position.\n")?;
    output.flush()?;
    let nowhere = |error: io::Error| Error::input(error, "name a folder that can be written with TMPDIR");
    let folder = tempfile::Builder::new().prefix("endame-demo-").tempdir().map_err(nowhere)?.keep();
    let openings = Openings::<R>::random(8);
    let settings = Settings {
        openings: openings.name().to_string(),
        player: Player::Depth(4),
        // So that there are results for the tables to correct.
        play_on: true,
        max_plies: 400,
        at_limit: AtLimit::Unknown,
    };
    let conditions = Conditions { openings: &openings, settings, seed: 1, tables: Tables::new(tables.tablebase())? };
    let games = folder.join("games");
    let summary = endame::selfplay::run(&conditions, GAMES, Share::ALL, &games, &*progress(&session.signals))?;
    print_summary(&summary, output)?;
    // The first format is the one that most will want.
    let format = Format::ALL[0];
    let file = folder.join(format!("positions.{format}"));
    let export = Export { format, filter: Filter::default(), split: None, shard_rows: None, seed: 0 };
    Dataset::open(&[games])?.export::<R>(&export, &file, &*progress(&session.signals))?;
    let card = folder.join(format!("positions.{format}.card.md"));
    writeln!(output, "\n-- The card of the dataset, {}\n", card.display())?;
    writeln!(output, "{}", fs::read_to_string(&card)?)?;
    writeln!(output, "-- To open it in Python:\n\n{}\n", format.opens_in_python(&file.display().to_string()))?;
    Ok(())
}
