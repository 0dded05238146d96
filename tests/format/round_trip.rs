//! What is written is read again.

use endame::table::{BlockCache, BlockEncoder, Table};

use crate::{CODINGS, Random, encode, header, random_symbols, table_bytes};

#[test]
fn every_coding_reads_back_what_was_written() {
    let mut random = Random(1);
    let cache = BlockCache::new(1 << 20);
    for coding in CODINGS {
        // Whole blocks, a last block of every remainder of five, one block, less than one.
        for slots in [4096, 4097, 4098, 4099, 4100, 4101, 512, 511, 7, 1] {
            let header = header(coding, slots, 512);
            let mut symbols = random_symbols(&mut random, coding, slots as usize);
            let table = Table::from_bytes(table_bytes(&header, &mut symbols)).expect("a sound table opens");
            assert_eq!(table.header(), &header);
            assert_eq!(table.block_count(), slots.div_ceil(512));
            table.check().expect("a sound table passes its check");
            let (mut read, mut block) = (Vec::new(), Vec::new());
            for number in 0..table.block_count() {
                table.decode_block(number, &mut block).expect("a sound block decodes");
                read.extend_from_slice(&block);
            }
            assert!(read == symbols, "{coding:?}, {slots} slots, by blocks");
            for (slot, &symbol) in symbols.iter().enumerate() {
                assert_eq!(table.symbol(slot as u64, &cache).expect("a sound slot reads"), symbol, "slot {slot}");
            }
        }
    }
}

#[test]
fn the_largest_symbol_of_every_coding_is_kept() {
    for coding in CODINGS {
        let mut symbols = [0, coding.largest_symbol(), 1];
        let table = Table::from_bytes(table_bytes(&header(coding, 3, 16), &mut symbols)).expect("opens");
        assert_eq!(table.symbol(1, &BlockCache::new(0)).expect("reads"), coding.largest_symbol());
    }
}

#[test]
fn a_table_without_slots_has_no_blocks() {
    for coding in CODINGS {
        let table = Table::from_bytes(table_bytes(&header(coding, 0, 16), &mut [])).expect("opens");
        assert_eq!(table.block_count(), 0);
        table.check().expect("passes its check");
    }
}

#[test]
fn constant_blocks_cost_four_bytes() {
    let header = header(crate::Coding::Trits, 65_536 * 10, 65_536);
    let bytes = table_bytes(&header, &mut vec![1; 65_536 * 10]);
    let without = table_bytes(&crate::header(crate::Coding::Trits, 0, 65_536), &mut []);
    assert_eq!(bytes.len() - without.len(), 4 * 10);
    assert!(without.len() <= 200, "a header of win, draw, loss is small, not {} bytes", without.len());
}

#[test]
fn the_bytes_do_not_depend_on_what_an_encoder_did_before() {
    let mut random = Random(3);
    for coding in CODINGS {
        let header = header(coding, 2048, 512);
        let symbols = random_symbols(&mut random, coding, 2048);
        let once = encode(&header, &mut symbols.clone());
        let fresh: Vec<_> = symbols
            .chunks(512)
            .map(|block| BlockEncoder::new(coding, header.level).encode(&mut block.to_vec()))
            .collect();
        assert!(once == fresh, "{coding:?}");
    }
}

#[test]
fn a_header_says_which_table_it_is_of() {
    use endame::value::Metric::{Dtw, Wdl};
    let header = header(crate::Coding::Trits, 100, 16);
    let facts = header.facts_hash;
    header.expect("international", facts, "KKMvKM", Wdl).expect("all as asked for");
    let others = [
        header.expect("russian", facts, "KKMvKM", Wdl),
        header.expect("international", facts + 1, "KKMvKM", Wdl),
        header.expect("international", facts, "KMvKKM", Wdl),
        header.expect("international", facts, "KKMvKM", Dtw),
    ];
    let messages = others.map(|other| other.expect_err("another table").to_string());
    for (message, words) in messages.iter().zip(["russian", "rule facts", "KMvKKM", "dtw"]) {
        assert!(message.contains(words) && message.contains("build it again"), "{message}");
    }
}
