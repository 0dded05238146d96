//! The card of an export: what a stranger must know to use the data, in Markdown.
//!
//! It depends on the data and the options alone, not on time or place: equal exports have equal cards.

use std::fmt::Write;

use crate::board::Geometry;
use crate::dataset::export::column::{COLUMNS, SCORE};
use crate::dataset::export::format::{Format, Holds};
use crate::dataset::export::row::FLAGS;
use crate::dataset::export::{Counts, Export, Exported, Split};
use crate::dataset::metadata::{Metadata, Player, program};
use crate::dataset::record::Ending;
use crate::rules::{DrawRule, Rules};

/// The fields of `jsonl`: name, type, what it is.
const LINES: [(&str, &str, &str); 10] = [
    ("game", "number", "number of the game in the run, from 0"),
    ("ply", "number", "plies from the start of the game"),
    ("fen", "text", "the position as PDN writes it"),
    ("move", "text or null", "the move played; null in the last position of a game"),
    ("score", "number or null", SCORE),
    ("played", "1, 0, -1 or null", "result as played"),
    ("corrected", "1, 0, -1 or null", "result corrected by the tables"),
    ("wdl", "2, 0, -2 or null", "value by the tables, counts of moves ignored"),
    ("dtw", "number or null", "plies to the end of the game by the tables"),
    ("flags", "list of text", "see below"),
];

/// The card of what was exported from the run that `metadata` describes.
pub(super) fn card<R: Rules>(metadata: &Metadata, export: &Export, exported: &Exported) -> String {
    let mut text = String::new();
    write_card::<R>(&mut text, metadata, export, exported).expect("writing into text does not fail");
    text
}

fn write_card<R: Rules>(
    text: &mut String,
    metadata: &Metadata,
    export: &Export,
    exported: &Exported,
) -> std::fmt::Result {
    let total = &exported.counts;
    writeln!(text, "# {} of {} draughts\n", if holds_games(export) { "Games" } else { "Positions" }, R::NAME)?;
    writeln!(
        text,
        "{} positions of {} games, each with its labels. {}.\n",
        total.positions,
        total.games,
        share_text(total)
    )?;
    let first = &exported.files[0].name;
    writeln!(text, "```python\n{}\n```\n", export.format.opens_in_python(first))?;
    files(text, exported)?;
    labels(text)?;
    match export.format {
        Format::Jsonl => lines(text)?,
        Format::Pdn => games(text)?,
        _ => columns::<R>(text, export.format)?,
    }
    if !holds_games(export) {
        flags(text, export.format)?;
    }
    if export.format != Format::Jsonl {
        endings::<R>(text, export.format)?;
    }
    origin(text, metadata)?;
    selection(text, export, exported)?;
    writeln!(text, "```text\n{}\n{}\n```", command_of_run(metadata), command_of_export(export))
}

fn holds_games(export: &Export) -> bool {
    export.format.holds() == Holds::Games
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn share_text(counts: &Counts) -> String {
    let (exact, double) = (percent(counts.exact, counts.positions), percent(counts.duplicates, counts.positions));
    format!("{exact} have an exact value; {double} repeat an earlier position of the dataset")
}

fn files(text: &mut String, exported: &Exported) -> std::fmt::Result {
    writeln!(text, "## Files\n")?;
    writeln!(text, "| file | positions | games | exact | won | drawn | lost | unknown | bytes | SHA-256 |")?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|---|")?;
    for file in &exported.files {
        let Counts { games, positions, exact, won, drawn, lost, unknown, .. } = file.counts;
        let exact = percent(exact, positions);
        writeln!(
            text,
            "| {} | {positions} | {games} | {exact} | {won} | {drawn} | {lost} | {unknown} | {} | `{}` |",
            file.name, file.bytes, file.sha256
        )?;
    }
    writeln!(
        text,
        "\nWon, drawn and lost are positions by their corrected result, seen by the mover. A game that is cut by the end of \
         a file counts in both.\n"
    )
}

fn labels(text: &mut String) -> std::fmt::Result {
    writeln!(
        text,
        "## Whose view\n\n\
         Every label is seen by the side to move in its position: a positive score, a 1 or a win is good for the side to \
         move.\n\n\
         * **played** is how the game ended, which is the opinion of its players.\n\
         * **wdl**, **dtw** are facts: the solved value of the position, counts of moves and repetition ignored. A count \
         that began before the tables can still draw the game (Russian: three or more kings against one).\n\
         * **corrected** is the exact value of the position or of the first one after it that has one, else the result \
         as played. It is never wrong inside the tables; before them it is as good as the play up to there.\n\n\
         **played** and **corrected** are 1, 0, -1; **wdl** is 2, 0, -2, the scale on which draw rules have their own \
         values. The last position of a game has labels but no move and no score.\n"
    )
}

fn columns<R: Rules>(text: &mut String, format: Format) -> std::fmt::Result {
    let absent = if format == Format::Npy { "none is" } else { "may be null" };
    writeln!(text, "## Fields\n\n| field | type | {absent} | meaning |\n|---|---|---|---|")?;
    for column in &COLUMNS {
        let none = match column.none {
            None => String::new(),
            Some(none) if format == Format::Npy => none.to_string(),
            Some(_) => "yes".to_string(),
        };
        writeln!(text, "| {} | {} | {none} | {} |", column.name, column.kind.name(), column.meaning)?;
    }
    let squares = R::Geometry::SQUARES;
    writeln!(
        text,
        "\nSquares are numbered row by row from the top left, from 1 to {squares}; in a set, square s is bit s - 1. The \
         board is that of the mover, whose men move towards square 1: with Black to move it is turned half round, so that \
         square s of the row is square {} - s of the board.",
        squares + 1
    )?;
    writeln!(text, "\n```text\n{}```\n", board::<R>())
}

/// The squares of the board with their numbers.
fn board<R: Rules>() -> String {
    let width = R::Geometry::WIDTH;
    let mut text = String::new();
    for row in 0..width {
        for column in 0..width {
            let number = R::Geometry::square_at(row, column).map(|square| R::Geometry::place(square) + 1);
            text += &number.map_or("  .".to_string(), |number| format!("{number:3}"));
        }
        text.push('\n');
    }
    text
}

fn lines(text: &mut String) -> std::fmt::Result {
    writeln!(text, "## Fields\n\n| field | type | meaning |\n|---|---|---|")?;
    for (name, kind, meaning) in LINES {
        writeln!(text, "| {name} | {kind} | {meaning} |")?;
    }
    writeln!(text)
}

fn games(text: &mut String) -> std::fmt::Result {
    writeln!(
        text,
        "## Fields\n\nPortable Draughts Notation 3.0. `Result` is the result as played, the first number that of the side \
         that begins in the variant. `Round` is the number of the game in the run, from 1. `Corrected` is the result \
         corrected by the tables, where it is another.\n"
    )
}

fn flags(text: &mut String, format: Format) -> std::fmt::Result {
    if format == Format::Jsonl {
        writeln!(text, "## Flags\n\n| flag | meaning |\n|---|---|")?;
        for (name, meaning) in FLAGS {
            writeln!(text, "| {name} | {meaning} |")?;
        }
    } else {
        writeln!(text, "## Bits of flag_bits\n\n| bit | flag | meaning |\n|---|---|---|")?;
        for (bit, (name, meaning)) in FLAGS.iter().enumerate() {
            writeln!(text, "| {bit} | {name} | {meaning} |")?;
        }
    }
    writeln!(text)
}

fn endings<R: Rules>(text: &mut String, format: Format) -> std::fmt::Result {
    let column = if format.holds() == Holds::Games { "`Termination`" } else { "`ending`" };
    writeln!(text, "## How games end: {column}\n\n| number | ending | meaning |\n|---|---|---|")?;
    for ending in Ending::ALL {
        writeln!(text, "| {} | {} | {} |", ending.code(), ending.name::<R>(), ending.meaning())?;
    }
    for (number, DrawRule { name, source, plies, .. }) in R::DRAW_RULES.iter().enumerate() {
        let code = Ending::DrawRule(number as u8).code();
        writeln!(text, "| {code} | {name} | a draw: {plies} plies are counted, {source} |")?;
    }
    writeln!(text)
}

fn origin(text: &mut String, metadata: &Metadata) -> std::fmt::Result {
    let Metadata { variant, facts, seed, run_games, program: made_by, table_pieces, tables, .. } = metadata;
    let settings = &metadata.settings;
    writeln!(text, "## Where it comes from\n")?;
    writeln!(text, "* variant {variant}, rule facts {facts}")?;
    match settings.player {
        Player::Depth(0) => writeln!(text, "* games of random moves")?,
        Player::Depth(depth) => writeln!(text, "* games of the program with itself, {depth} plies deep")?,
        Player::Nodes(nodes) => writeln!(text, "* games of the program with itself, {nodes} positions a move")?,
        Player::Read(games) => writeln!(text, "* {run_games} of {games} games read from files, {}", settings.openings)?,
    }
    if !matches!(settings.player, Player::Read(_)) {
        writeln!(text, "* seed {seed}, {run_games} games in the run, openings {}", settings.openings)?;
        writeln!(
            text,
            "* games {} the tables; stopped after {} plies, which counts as {}",
            if settings.play_on { "play on inside" } else { "end at the entry into" },
            settings.max_plies,
            settings.at_limit.name()
        )?;
    }
    match table_pieces {
        0 => writeln!(text, "* no tables: no value is exact but that of a game that is over")?,
        pieces => {
            let named = tables.iter().map(|(name, hash)| format!("{name} {}", &hash[..hash.len().min(8)]));
            writeln!(
                text,
                "* {} tables of up to {pieces} pieces; with others, games and labels may be others (the first digits of the \
                 hash of each): {}",
                tables.len(),
                named.collect::<Vec<_>>().join(", ")
            )?;
        }
    }
    writeln!(text, "* played by {made_by}, exported by {}\n", program())
}

fn selection(text: &mut String, export: &Export, exported: &Exported) -> std::fmt::Result {
    let filter = &export.filter;
    writeln!(text, "## Which positions\n")?;
    if let Some((first, last)) = exported.missing {
        writeln!(text, "* **a part of the run**: games {first} to {last}, at least, are not here")?;
    }
    if filter.is_open() {
        writeln!(text, "* all of every game")?;
    }
    let named = [
        (filter.quiet, "no capture is due"),
        (filter.no_duplicates, "none that repeats an earlier position of the dataset"),
        (filter.no_opening, "none whose move belongs to the opening"),
        (filter.exact, "only with an exact value"),
    ];
    for (_, what) in named.iter().filter(|(is_set, _)| *is_set) {
        writeln!(text, "* {what}")?;
    }
    if let Some(pieces) = &filter.pieces {
        writeln!(text, "* {} to {} pieces", pieces.start(), pieces.end())?;
    }
    if let Some(sample) = filter.sample {
        writeln!(text, "* of these a share of {} by chance, seed {}", sample.get(), export.seed)?;
    }
    if let Some(split) = &export.split {
        let parts: Vec<String> =
            Split::NAMES.iter().zip(split.weights()).map(|(name, weight)| format!("{name} {weight}")).collect();
        writeln!(text, "* split by whole games, by chance, seed {}: {}", export.seed, parts.join(", "))?;
        for part in &exported.empty_parts {
            writeln!(text, "* no game fell into {part}, so it has no file")?;
        }
        if !filter.no_duplicates && !holds_games(export) {
            writeln!(
                text,
                "* **a position that stands in several games may be in several parts**: leave out those with the flag \
                 `duplicate`, or export with --no-duplicates"
            )?;
        }
    }
    writeln!(text)
}

/// The command that plays the games again.
fn command_of_run(metadata: &Metadata) -> String {
    let settings = &metadata.settings;
    let player = match settings.player {
        Player::Depth(depth) => format!("--depth {depth}"),
        Player::Nodes(nodes) => format!("--nodes {nodes}"),
        Player::Read(_) => return format!("endame dataset import {} FILES --out GAMES", metadata.variant),
    };
    // The name of a list is a hash of it: the file itself must be at hand.
    let openings = match settings.openings.strip_prefix("file:") {
        Some(hash) => format!("LIST{}", hash.find('+').map_or("", |at| &hash[at..])),
        None => settings.openings.clone(),
    };
    format!(
        "endame selfplay {} --games {} --seed {} --openings {} {player}{} --max-plies {} --at-limit {} --out GAMES",
        metadata.variant,
        metadata.run_games,
        metadata.seed,
        openings,
        if settings.play_on { " --play-on" } else { "" },
        settings.max_plies,
        settings.at_limit.name()
    )
}

/// The command that writes the export again.
fn command_of_export(export: &Export) -> String {
    let filter = &export.filter;
    let mut command = format!("endame dataset export GAMES --format {}", export.format);
    let named = [
        (filter.quiet, " --quiet"),
        (filter.no_duplicates, " --no-duplicates"),
        (filter.no_opening, " --no-opening"),
        (filter.exact, " --exact"),
    ];
    named.iter().filter(|(is_set, _)| *is_set).for_each(|(_, option)| command += option);
    if let Some(pieces) = &filter.pieces {
        command += &format!(" --pieces {}-{}", pieces.start(), pieces.end());
    }
    if let Some(sample) = filter.sample {
        command += &format!(" --sample {}", sample.get());
    }
    if let Some(split) = &export.split {
        let weights: Vec<String> = split.weights().iter().map(u32::to_string).collect();
        command += &format!(" --split {}", weights.join("/"));
    }
    if let Some(rows) = export.shard_rows {
        command += &format!(" --shard-rows {rows}");
    }
    if export.seed != 0 && (filter.sample.is_some() || export.split.is_some()) {
        command += &format!(" --seed {}", export.seed);
    }
    command + " --out OUT"
}
