//! Files of every version of the format still open, here and in a reader that knows FORMAT.md alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use endame::build::{BuildOptions, Silent, build};
use endame::index::Material;
use endame::rules::Russian;
use endame::table::{BlockCache, Coding, Distance, FREE, Header, Longest, Statistics, Table, TableWriter};
use endame::tablebase::table_path;
use endame::value::Metric;

use crate::encode;

/// The samples of version 1.0. Their values mean nothing; they are chosen to show all that a file can hold.
const SAMPLES: [(&str, Coding); 3] =
    [("v1.0-wdl.end", Coding::Trits), ("v1.0-dtw.end", Coding::Bytes), ("v1.0-dtw-wide.end", Coding::Words)];

/// The header of a sample and its symbols, free slots marked. Version 1.0 samples were written from this and stay.
fn sample(coding: Coding) -> (Header, Vec<u16>) {
    let slots: u16 = 1003;
    let symbols: Vec<u16> = (0..slots)
        .map(|slot| match (coding, slot) {
            (_, 256..512) => 1,
            (_, _) if slot % 7 == 3 || slot % 31 == 0 => FREE,
            (Coding::Trits, _) => ((slot / 10).pow(2) / 37) % 3,
            (Coding::Bytes, _) => ((slot / 10).pow(2) / 37) % 255,
            (Coding::Words, _) => slot / 3 * 195,
        })
        .collect();
    let mut statistics = Statistics { wins: 500, draws: 1200, losses: 306, ..Statistics::default() };
    let (metric, variant) = match coding {
        Coding::Trits => (Metric::Wdl, "international"),
        Coding::Bytes => (Metric::Dtw, "english"),
        Coding::Words => (Metric::Dtw, "turkish"),
    };
    if metric == Metric::Dtw {
        let longest = if coding == Coding::Bytes { 253 } else { 65_001 };
        statistics.histogram = vec![
            Distance { plies: 0, wins: 0, losses: 6 },
            Distance { plies: 1, wins: 200, losses: 0 },
            Distance { plies: 130, wins: 0, losses: 300 },
            Distance { plies: longest, wins: 300, losses: 0 },
        ];
        statistics.longest_win = Some(Longest { plies: longest, count: 300, slot: 77 });
        statistics.longest_loss = Some(Longest { plies: 130, count: 300, slot: 1002 });
    }
    let header = Header {
        variant: variant.to_string(),
        facts_hash: 0xfeed_f00d_0000_0001,
        material: "KMvMM".to_string(),
        metric,
        order: 2,
        positions: 2006,
        slots: slots.into(),
        block_slots: 128,
        coding,
        level: 19,
        statistics,
    };
    (header, symbols)
}

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/format").join(name)
}

/// Writes a sample afresh, below the folder that cargo gives to tests, and returns its path and symbols.
fn write_afresh(folder: &str, name: &str, coding: Coding) -> (PathBuf, Header, Vec<u16>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    let (header, mut symbols) = sample(coding);
    let mut writer = TableWriter::create(&path, &header).expect("a writer");
    for block in encode(&header, &mut symbols) {
        writer.push_block(&block).expect("writes");
    }
    writer.finish().expect("finishes");
    (path, header, symbols)
}

#[test]
fn kept_samples_of_version_1_0_still_open() {
    let afresh = SAMPLES.map(|(name, coding)| (name, write_afresh("format-afresh", name, coding)));
    for (name, (_, header, symbols)) in afresh {
        let table = Table::open(&kept(name)).expect("a kept sample opens");
        table.check().expect("a kept sample is sound");
        assert_eq!(table.header(), &header, "{name}");
        let cache = BlockCache::new(1 << 20);
        for (slot, &symbol) in symbols.iter().enumerate() {
            assert_eq!(table.symbol(slot as u64, &cache).expect("a kept sample reads"), symbol, "{name}, slot {slot}");
        }
    }
}

/// The symbols that the reader in Python finds in a file; `None` where it cannot run.
fn read_by_python(path: &Path) -> Option<serde_json::Value> {
    if !Command::new("python3").args(["-c", "import zstandard"]).output().is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: python3 with zstandard is not here");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/endame_reader.py");
    let run = Command::new("python3").arg(script).arg("--symbols").arg(path).output().expect("python runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    Some(serde_json::from_slice(&run.stdout).expect("the reader prints JSON"))
}

#[test]
fn a_reader_written_from_the_format_alone_reads_what_a_build_writes_in_every_metric() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let material: Material = "KMvK".parse().expect("a material");
    for &metric in Metric::ALL {
        let options = BuildOptions::default();
        build::<Russian>(folder.path(), &[material], metric, &options, &Silent).expect("a small build");
        let path = table_path(folder.path(), "russian", material, metric);
        let Some(answer) = read_by_python(&path) else { return };
        let table = Table::open(&path).expect("a table");
        let (mut symbols, mut block) = (Vec::new(), Vec::new());
        for number in 0..table.block_count() {
            table.decode_block(number, &mut block).expect("a sound block");
            symbols.extend(block.iter().map(|&symbol| u64::from(symbol)));
        }
        let read = answer["symbols"].as_array().expect("a list").iter().filter_map(serde_json::Value::as_u64);
        assert!(read.eq(symbols), "{metric}");
        assert_eq!(answer["metric"], metric.name());
        let wins = if metric.counts_moves() {
            // The 5-moves rule takes some of the wins away.
            table.header().statistics.wins
        } else {
            7241
        };
        assert_eq!(answer["wins"], wins, "RULES: 7,241 placements are won with king and man to move");
    }
}

/// Where the second reader can run: Python 3 with zstandard. Elsewhere this test has nothing to say, and says so.
#[test]
fn a_reader_written_from_the_format_alone_reads_the_same() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/endame_reader.py");
    if !Command::new("python3").args(["-c", "import zstandard"]).output().is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: python3 with zstandard is not here");
        return;
    }
    for (name, coding) in SAMPLES {
        let (path, header, symbols) = write_afresh("format-python", name, coding);
        for path in [path, kept(name)] {
            let run = Command::new("python3").arg(&script).arg("--symbols").arg(&path).output().expect("python runs");
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
            let answer: serde_json::Value = serde_json::from_slice(&run.stdout).expect("the reader prints JSON");
            let read: Vec<u64> =
                answer["symbols"].as_array().expect("a list").iter().filter_map(|s| s.as_u64()).collect();
            assert!(read.iter().copied().eq(symbols.iter().map(|&symbol| u64::from(symbol))), "{name}");
            for (field, expected) in [
                ("facts_hash", header.facts_hash),
                ("positions", header.positions),
                ("slots", header.slots),
                ("block_slots", header.block_slots.into()),
                ("order", header.order.into()),
                ("level", header.level.into()),
                ("wins", header.statistics.wins),
                ("draws", header.statistics.draws),
                ("losses", header.statistics.losses),
            ] {
                assert_eq!(answer[field], expected, "{name}: {field}");
            }
            assert_eq!(answer["variant"], header.variant);
            assert_eq!(answer["material"], header.material);
            assert_eq!(answer["metric"], header.metric.name());
            for (field, longest) in
                [("longest_win", header.statistics.longest_win), ("longest_loss", header.statistics.longest_loss)]
            {
                let expected = longest.map_or(serde_json::Value::Null, |Longest { plies, count, slot }| {
                    serde_json::json!({ "plies": plies, "count": count, "slot": slot })
                });
                assert_eq!(answer[field], expected, "{name}: {field}");
            }
            let histogram: Vec<_> = (header.statistics.histogram.iter())
                .map(|d| serde_json::json!({ "plies": d.plies, "wins": d.wins, "losses": d.losses }))
                .collect();
            assert_eq!(answer["histogram"], serde_json::Value::Array(histogram), "{name}");
        }
    }
}

/// The second reader refuses what ours refuses, where it has the package for checksums.
#[test]
fn a_reader_written_from_the_format_alone_notices_altered_bytes() {
    let script = r#"
import sys, zstandard, xxhash
sys.path.insert(0, sys.argv[1])
from endame_reader import Table
data = open(sys.argv[2], "rb").read()
Table(data).symbols()
for at in range(len(data)):
    damaged = bytearray(data)
    damaged[at] ^= 0x20
    try:
        Table(bytes(damaged)).symbols()
    except Exception:
        continue
    sys.exit(f"byte {at} altered and not noticed")
"#;
    if !Command::new("python3").args(["-c", "import zstandard, xxhash"]).output().is_ok_and(|run| run.status.success())
    {
        eprintln!("skipped: python3 with zstandard and xxhash is not here");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python");
    for (name, _) in SAMPLES {
        let mut python = Command::new("python3");
        let run = python.args(["-B", "-c", script]).arg(&folder).arg(kept(name)).output().expect("python runs");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    }
}
