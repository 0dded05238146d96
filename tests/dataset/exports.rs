//! Positions as JSON lead back to positions and moves.

use std::collections::{HashMap, HashSet};
use std::fs;

use serde_json::Value;

use endame::dataset::{DatasetError, Ending, Player};
use endame::position::Fen;
use endame::rules::Russian;
use endame::selfplay::Openings;

use crate::setting::{Setting, folder, tables};

#[test]
fn every_line_has_the_fields_and_leads_to_the_next() {
    let (_tables, tables) = tables::<Russian>();
    let openings = Openings::material("KMvMM,KKvM").expect("materials");
    let setting = Setting::<Russian> { openings, play_on: true, ..Setting::new(Player::Depth(2), 60) };
    let (_games, dataset) = setting.dataset(&tables);
    let out = folder();
    let file = out.path().join("games.jsonl");
    let count = dataset.export_jsonl::<Russian>(&file).expect("written");
    assert_eq!(count, dataset.positions());
    assert!(matches!(dataset.export_jsonl::<Russian>(&file), Err(DatasetError::InTheWay(_))));

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
