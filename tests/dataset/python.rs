//! Exports open in the libraries that people use, and hold the same rows there.

use std::path::Path;
use std::process::Command;

use endame::build::Silent;
use endame::dataset::Player;
use endame::dataset::export::{Export, Filter, Format};
use endame::rules::{English, International, Rules, Russian, Turkish};

use crate::setting::{Setting, folder, tables};

fn exports_hold_the_same_rows<R: Rules>() {
    if !Command::new("python3")
        .args(["-c", "import duckdb, numpy, pandas, pyarrow"])
        .output()
        .is_ok_and(|run| run.status.success())
    {
        eprintln!("skipped: python3 with duckdb, numpy, pandas and pyarrow is not here");
        return;
    }
    let (_tables, tables) = tables::<R>();
    let setting = Setting::<R> { play_on: true, ..Setting::new(Player::Depth(1), 20) };
    let (_games, dataset) = setting.dataset(&tables);
    let out = folder();
    for format in [Format::Parquet, Format::Npy, Format::Jsonl] {
        let export = Export { format, filter: Filter::default(), split: None, shard_rows: None, seed: 0 };
        dataset.export::<R>(&export, &out.path().join(format!("rows.{format}")), &Silent).expect("written");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/endame_dataset.py");
    let run = Command::new("python3").arg(script).arg(out.path()).arg(R::NAME).output().expect("python runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), dataset.positions().to_string());
}

#[test]
fn pandas_numpy_and_duckdb_read_the_same_rows() {
    exports_hold_the_same_rows::<International>();
    exports_hold_the_same_rows::<English>();
    exports_hold_the_same_rows::<Russian>();
    exports_hold_the_same_rows::<Turkish>();
}
