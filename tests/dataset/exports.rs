//! Exports: positions as JSON lead back to positions and moves, filters take what they say, parts are parts.

use std::collections::{HashMap, HashSet};
use std::fs;

use serde_json::Value;

use endame::build::Silent;
use endame::dataset::export::{Export, Filter, Format, Fraction, Split};
use endame::dataset::{Dataset, DatasetError, Ending, Player};
use endame::position::Fen;
use endame::rules::Russian;
use endame::selfplay::Openings;

use crate::setting::{Setting, files, folder, tables};

/// Everything, in one file.
fn all(format: Format) -> Export {
    Export { format, filter: Filter::default(), split: None, shard_rows: None, seed: 0 }
}

/// The lines of a JSON export.
fn lines(dataset: &Dataset, export: &Export) -> Vec<Value> {
    let mut text = Vec::new();
    dataset.write_text::<Russian>(export, &mut text, &Silent).expect("lines");
    text.split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("JSON"))
        .collect()
}

#[test]
fn every_line_has_the_fields_and_leads_to_the_next() {
    let (_tables, tables) = tables::<Russian>();
    let openings = Openings::material("KMvMM,KKvM").expect("materials");
    let setting = Setting::<Russian> { openings, play_on: true, ..Setting::new(Player::Depth(2), 60) };
    let (_games, dataset) = setting.dataset(&tables);
    let out = folder();
    let file = out.path().join("games.jsonl");
    let written = dataset.export::<Russian>(&all(Format::Jsonl), &file, &Silent).expect("written");
    let count = written.counts.positions;
    assert_eq!(count, dataset.positions());
    let again = dataset.export::<Russian>(&all(Format::Jsonl), &file, &Silent);
    assert!(matches!(again, Err(DatasetError::InTheWay(_))));

    let text = fs::read_to_string(&file).expect("lines");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(lines.len() as u64, count);
    assert!(text.starts_with("{\"game\":0,\"ply\":0,\"fen\":\""));
    let mut seen = HashSet::new();
    let mut duplicates = 0;
    let mut games: HashMap<u64, u64> = HashMap::new();
    for (i, line) in lines.iter().enumerate() {
        let fen: Fen<Russian> = line["fen"].as_str().expect("text").parse().expect("a FEN");
        let (game, ply) = (line["game"].as_u64().expect("a number"), line["ply"].as_u64().expect("a number"));
        assert_eq!(std::mem::replace(games.entry(game).or_default(), ply + 1), ply);
        let has = |flag: &str| line["flags"].as_array().expect("a list").contains(&flag.into());
        let moves = fen.position.moves();
        assert_eq!(has("capture"), fen.position.must_capture());
        assert_eq!(has("only-move"), moves.len() == 1);
        assert_eq!(has("duplicate"), !seen.insert(fen.position));
        duplicates += u64::from(has("duplicate"));
        assert!(!has("opening"));
        let ending = dataset.game(game).expect("an archive").expect("a game").ending;
        assert_eq!(has("by-count"), matches!(ending, Ending::DrawRule(_)));
        assert_eq!(has("by-repetition"), ending == Ending::Repetition);
        assert_eq!(has("by-limit"), ending == Ending::Limit);
        match tables.probe(&fen.position) {
            Ok(value) if fen.position.occupied().len() <= 3 => {
                assert_eq!(line["wdl"].as_i64(), Some(2 * (value.wdl as i64 - 1)));
                assert_eq!(line["corrected"].as_i64(), Some(value.wdl as i64 - 1));
                assert_eq!(line["dtw"].as_u64(), value.dtw.map(|dtw| dtw.0.into()));
                assert!(has("table"));
            }
            _ => assert!(line["wdl"].is_null() && line["dtw"].is_null()),
        }
        match line["move"].as_str() {
            Some(text) => {
                let next = fen.play(&fen.read_move(text).expect("a legal move"));
                assert_eq!(lines[i + 1]["fen"], next.to_string());
                assert!(line["score"].is_i64());
                for result in ["played", "corrected"] {
                    let negated = lines[i + 1][result].as_i64().map(|result| -result);
                    // A position with a value of its own may be worth more than what was made of it.
                    assert!(line[result].as_i64() == negated || result == "corrected" && line["wdl"].is_i64());
                }
            }
            None => assert!(lines.get(i + 1).is_none_or(|next| next["ply"] == 0)),
        }
    }
    assert_eq!(games.len(), 60);
    assert_eq!(dataset.info::<Russian>().expect("counts").duplicates, duplicates);
}

#[test]
fn filters_take_what_they_say_and_nothing_else() {
    let (_tables, tables) = tables::<Russian>();
    let (_games, dataset) = Setting::<Russian>::new(Player::Depth(1), 40).dataset(&tables);
    let everything = lines(&dataset, &all(Format::Jsonl));
    let has = |line: &Value, flag: &str| line["flags"].as_array().expect("a list").contains(&flag.into());
    let pieces = |line: &Value| {
        let fen: Fen<Russian> = line["fen"].as_str().expect("text").parse().expect("a FEN");
        fen.position.occupied().len()
    };
    type Passes<'a> = &'a dyn Fn(&Value) -> bool;
    let cases: [(Filter, Passes<'_>); 6] = [
        (Filter { quiet: true, ..Filter::default() }, &|line| !has(line, "capture")),
        (Filter { no_duplicates: true, ..Filter::default() }, &|line| !has(line, "duplicate")),
        (Filter { no_opening: true, ..Filter::default() }, &|line| !has(line, "opening")),
        (Filter { exact: true, ..Filter::default() }, &|line| !line["wdl"].is_null()),
        (Filter { pieces: Some(5..=9), ..Filter::default() }, &|line| (5..=9).contains(&pieces(line))),
        (Filter { quiet: true, no_opening: true, pieces: Some(4..=12), ..Filter::default() }, &|line| {
            !has(line, "capture") && !has(line, "opening") && (4..=12).contains(&pieces(line))
        }),
    ];
    for (filter, passes) in cases {
        let expected: Vec<&Value> = everything.iter().filter(|line| passes(line)).collect();
        assert!(!expected.is_empty() && expected.len() < everything.len(), "{filter:?} chooses");
        let export = Export { filter, ..all(Format::Jsonl) };
        assert_eq!(lines(&dataset, &export).iter().collect::<Vec<_>>(), expected, "{:?}", export.filter);
    }
    // A sample is a part of the whole, about as large as asked for, another one with another seed.
    let sample = |seed| {
        let filter = Filter { sample: Fraction::new(0.25), ..Filter::default() };
        lines(&dataset, &Export { filter, seed, ..all(Format::Jsonl) })
    };
    let (one, other) = (sample(1), sample(2));
    assert!(one != other && one.len().abs_diff(everything.len() / 4) < everything.len() / 20);
    assert_eq!(one, sample(1));
    assert!(one.iter().all(|line| everything.contains(line)));
    let none = Export { filter: Filter { pieces: Some(90..=99), ..Filter::default() }, ..all(Format::Npy) };
    let out = folder();
    let refused = dataset.export::<Russian>(&none, &out.path().join("none.npy"), &Silent);
    assert!(matches!(refused, Err(DatasetError::NothingLeft)));
    assert!(files(out.path()).is_empty(), "nothing is left behind");
}

#[test]
fn parts_are_cut_by_game_and_files_by_rows() {
    let (_tables, tables) = tables::<Russian>();
    let (_games, dataset) = Setting::<Russian>::new(Player::Depth(0), 60).dataset(&tables);
    let everything = lines(&dataset, &all(Format::Jsonl));
    let export = Export { split: Split::new(&[6, 2, 2]), shard_rows: Some(500), seed: 9, ..all(Format::Jsonl) };
    let out = folder();
    let place = out.path().join("parts");
    let written = dataset.export::<Russian>(&export, &place, &Silent).expect("a folder");
    let files = files(&place);
    let mut part_of_game: HashMap<u64, String> = HashMap::new();
    let mut rows = Vec::new();
    for file in &written.files {
        let (_, bytes) = files.iter().find(|(name, _)| *name == file.name).expect("the file is there");
        assert_eq!(bytes.len() as u64, file.bytes);
        let lines: Vec<Value> = bytes
            .split(|&b| b == b'\n')
            .filter(|l| !l.is_empty())
            .map(|l| serde_json::from_slice(l).expect("JSON"))
            .collect();
        let (part, number) = file.name.split_once('-').expect("part and number");
        let is_last = !written.files.iter().any(|other| other.name > file.name && other.name.starts_with(part));
        assert!(lines.len() == 500 || is_last && lines.len() < 500, "{part} {number}");
        assert_eq!(lines.len() as u64, file.counts.positions);
        for line in lines {
            let game = line["game"].as_u64().expect("a number");
            assert_eq!(
                part_of_game.entry(game).or_insert_with(|| part.to_string()),
                part,
                "game {game} is in one part"
            );
            rows.push(line);
        }
    }
    assert_eq!(part_of_game.values().collect::<HashSet<_>>().len(), 3, "every part has games");
    rows.sort_by_key(|line| (line["game"].as_u64(), line["ply"].as_u64()));
    assert_eq!(rows, everything, "nothing is lost or doubled");
    assert_eq!(written.counts.games, 60);
    // The list of checksums names every file but itself.
    let sums = String::from_utf8(files.iter().find(|(name, _)| name == "SHA256SUMS").expect("a list").1.clone())
        .expect("text");
    let mut names: Vec<&str> = sums.lines().map(|line| line.split_once("  ").expect("sum and name").1).collect();
    names.push("SHA256SUMS");
    names.sort_unstable();
    assert_eq!(names, files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    // The same again is the same to the byte; a folder with something in it is left alone.
    let twin = out.path().join("twin");
    dataset.export::<Russian>(&export, &twin, &Silent).expect("a folder");
    assert_eq!(crate::setting::files(&twin), files);
    assert!(matches!(dataset.export::<Russian>(&export, &twin, &Silent), Err(DatasetError::InTheWay(_))));
}

#[test]
fn a_card_names_every_field_and_the_commands_that_repeat_it() {
    let (_tables, tables) = tables::<Russian>();
    let (_games, dataset) = Setting::<Russian>::new(Player::Depth(0), 10).dataset(&tables);
    for &format in Format::ALL {
        let out = folder();
        let name = format!("data.{format}");
        dataset.export::<Russian>(&all(format), &out.path().join(&name), &Silent).expect("written");
        let names: Vec<String> = files(out.path()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [name.clone(), format!("{name}.SHA256SUMS"), format!("{name}.card.md")]);
        let card = fs::read_to_string(out.path().join(format!("{name}.card.md"))).expect("a card");
        assert!(card.contains("endame selfplay russian --games 10 --seed 1 --openings random:4 --depth 0"), "{card}");
        assert!(card.contains(&format!("endame dataset export GAMES --format {format} --out OUT")), "{card}");
        if format == Format::Jsonl {
            let text = fs::read_to_string(out.path().join(&name)).expect("lines");
            let line: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
            for field in line.as_object().expect("an object").keys() {
                assert!(card.contains(&format!("| {field} | ")), "{field}");
            }
        }
    }
}
