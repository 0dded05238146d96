//! Tables as files: under its own name there is a whole table or none.

use std::fs;
use std::io::ErrorKind;

use endame::table::{BlockCache, Coding, Table, TableError, TableWriter, is_unfinished};

use crate::{Random, encode, header, random_symbols, table_bytes};

#[test]
fn a_table_gets_its_name_when_it_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("KvK.wdl.end");
    let header = header(Coding::Trits, 1000, 64);
    let mut symbols = random_symbols(&mut Random(2), Coding::Trits, 1000);
    let blocks = encode(&header, &mut symbols);
    let mut writer = TableWriter::create(&path, &header).expect("a writer");
    for block in &blocks {
        writer.push_block(block).expect("writes");
    }
    assert!(!path.exists());
    let names: Vec<_> = fs::read_dir(folder.path()).expect("lists").map(|e| e.expect("lists").file_name()).collect();
    assert!(names.len() == 1 && is_unfinished(names[0].to_str().expect("text")), "{names:?}");
    writer.finish().expect("finishes");
    assert_eq!(fs::read(&path).expect("reads"), table_bytes(&header, &mut symbols));
    assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
    // Mapped or owned, the bytes are the same.
    for table in [Table::open(&path), Table::from_bytes(fs::read(&path).expect("reads"))] {
        let table = table.expect("opens");
        table.check().expect("is sound");
        let cache = BlockCache::new(1 << 16);
        for (slot, &symbol) in symbols.iter().enumerate() {
            assert_eq!(table.symbol(slot as u64, &cache).expect("reads"), symbol, "slot {slot}");
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::write(folder.path().join("plain"), "").expect("writes");
        let mode = |name| fs::metadata(folder.path().join(name)).expect("is there").permissions().mode();
        assert_eq!(mode("KvK.wdl.end"), mode("plain"), "a table is as readable as any new file");
    }
}

#[test]
fn a_writer_dropped_unfinished_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = header(Coding::Bytes, 1000, 64);
    let mut writer = TableWriter::create(&folder.path().join("KvK.dtw.end"), &header).expect("a writer");
    writer.push_block(&encode(&header, &mut random_symbols(&mut Random(2), Coding::Bytes, 1000))[0]).expect("writes");
    drop(writer);
    assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 0);
}

#[test]
#[should_panic(expected = "as many blocks as the header says")]
fn a_table_with_a_block_missing_is_not_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = header(Coding::Bytes, 1000, 64);
    let writer = TableWriter::create(&folder.path().join("KvK.dtw.end"), &header).expect("a writer");
    let _ = writer.finish();
}

#[test]
fn an_open_table_outlives_its_replacement() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("KvK.wdl.end");
    let cache = BlockCache::new(1 << 20);
    let header = header(Coding::Trits, 4, 64);
    let write = |symbols: &mut [u16]| {
        let mut writer = TableWriter::create(&path, &header).expect("a writer");
        writer.push_block(&encode(&header, symbols)[0]).expect("writes");
        writer.finish().expect("finishes");
    };
    write(&mut [0, 1, 2, 0]);
    let old = Table::open(&path).expect("opens");
    assert_eq!(old.symbol(2, &cache).expect("reads"), 2);
    write(&mut [2, 1, 0, 0]);
    let new = Table::open(&path).expect("opens");
    // The same cache serves both: blocks are known by content, not by name.
    assert_eq!((old.symbol(0, &cache).expect("reads"), new.symbol(0, &cache).expect("reads")), (0, 2));
    assert_eq!((old.symbol(2, &cache).expect("reads"), new.symbol(2, &cache).expect("reads")), (2, 0));
}

#[test]
fn what_is_no_file_is_a_plain_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let kind = |path: &std::path::Path| match Table::open(path) {
        Err(TableError::Read(error)) => error.kind(),
        other => panic!("{other:?}"),
    };
    assert_eq!(kind(folder.path()), ErrorKind::IsADirectory);
    assert_eq!(kind(&folder.path().join("missing.end")), ErrorKind::NotFound);
    #[cfg(unix)]
    assert_eq!(kind("/dev/null".as_ref()), ErrorKind::InvalidInput);
    let empty = folder.path().join("empty.end");
    fs::write(&empty, "").expect("writes");
    assert!(matches!(Table::open(&empty), Err(TableError::Empty)));
}

#[test]
fn a_table_cannot_be_begun_where_no_file_can_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = header(Coding::Trits, 4, 64);
    let error = TableWriter::create(&folder.path().join("missing/KvK.wdl.end"), &header).expect_err("no folder");
    assert_eq!(error.kind(), ErrorKind::NotFound);
}
