//! One cache for many tables and threads.

use endame::table::{BlockCache, Coding, Table};

use crate::{CODINGS, Random, header, random_symbols, table_bytes};

const SLOTS: u64 = 200_000;

fn table(seed: u64, coding: Coding) -> (Table, Vec<u16>) {
    let mut symbols = random_symbols(&mut Random(seed), coding, SLOTS as usize);
    let bytes = table_bytes(&header(coding, SLOTS, 4096), &mut symbols);
    (Table::from_bytes(bytes).expect("opens"), symbols)
}

#[test]
fn tables_and_caches_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Table>();
    shared::<BlockCache>();
}

#[test]
fn threads_hammering_one_cache_read_right_values_within_its_bound() {
    let tables: Vec<_> = (0..6).map(|seed| table(seed, CODINGS[seed as usize % 3])).collect();
    // All decoded blocks would take 1.3 MB. The smallest cache holds one block, and none of words.
    for bytes in [0, 6_000, 100_000, 2 << 20] {
        let cache = BlockCache::new(bytes);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (tables, cache) = (&tables, &cache);
                scope.spawn(move || {
                    let mut random = Random(100 + thread);
                    let probes = if bytes < 2 << 20 { 2_000 } else { 100_000 };
                    for _ in 0..probes {
                        let (table, symbols) = &tables[random.below(6) as usize];
                        let slot = random.below(SLOTS);
                        let symbol = table.symbol(slot, cache).expect("a sound table reads");
                        assert_eq!(symbol, symbols[slot as usize], "slot {slot}");
                    }
                    assert!(cache.len_bytes() <= bytes);
                });
            }
        });
        assert!(cache.len_bytes() <= bytes);
        assert_eq!(cache.len_bytes() > 0, bytes > 0, "a cache of {bytes} bytes is used");
    }
}

#[test]
fn a_block_in_use_is_not_the_one_to_leave() {
    let (table, symbols) = table(1, Coding::Bytes);
    // Three slots, one for every 8192 bytes.
    let cache = BlockCache::new(3 * 8192);
    let held = |slot: u64| {
        let before = cache.misses();
        assert_eq!(table.symbol(slot, &cache).expect("reads"), symbols[slot as usize]);
        cache.misses() == before
    };
    let block = |number: u64| number * 4096;
    for number in 1..20 {
        held(block(0));
        held(block(number));
    }
    assert!(held(block(0)), "the block that was read all the time is still there");
    assert!(!held(block(1)), "one read long ago is not");
}
