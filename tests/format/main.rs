//! The table format: what is written is read again, and what was damaged is refused.

mod damage;
mod file;
mod fill;
mod round_trip;
mod sample;
mod sharing;

use endame::table::{BlockEncoder, Coding, Distance, EncodedBlock, FREE, Header, Longest, Statistics, table_to_bytes};
use endame::value::Metric;

/// Numbers that look random and are the same on every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Symbols in runs, some of them free, with whole stretches of one symbol so that some blocks are constant.
fn random_symbols(random: &mut Random, coding: Coding, slots: usize) -> Vec<u16> {
    let mut symbols = Vec::new();
    while symbols.len() < slots {
        let longest = [3, 20, 400][random.below(3) as usize];
        let symbol = match random.below(u64::from(coding.largest_symbol()) + 2) {
            n if n > u64::from(coding.largest_symbol()) => FREE,
            n => n as u16,
        };
        symbols.extend((0..=random.below(longest)).map(|_| if random.below(5) == 0 { FREE } else { symbol }));
    }
    symbols.truncate(slots);
    symbols
}

/// A header whose statistics agree with themselves, and with nothing else.
fn header(coding: Coding, slots: u64, block_slots: u32) -> Header {
    let (metric, longest) = match coding {
        Coding::Trits => (Metric::Wdl, 0),
        Coding::Bytes => (Metric::Dtw, 253),
        Coding::Words => (Metric::Dtw, 65_533),
    };
    assert_eq!(Coding::of(metric, longest), coding);
    let (wins, losses) = (slots / 2, slots / 3);
    let mut statistics = Statistics { wins, draws: slots - wins - losses, losses, ..Statistics::default() };
    if metric == Metric::Dtw && wins > 3 && losses > 0 {
        statistics.histogram = vec![
            Distance { plies: 0, wins: 0, losses: losses - 1 },
            Distance { plies: 1, wins: wins - 2, losses: 0 },
            Distance { plies: 112, wins: 0, losses: 1 },
            Distance { plies: longest, wins: 2, losses: 0 },
        ];
        statistics.longest_win = Some(Longest { plies: longest, count: 2, slot: slots - 1 });
        statistics.longest_loss = Some(Longest { plies: 112, count: 1, slot: 0 });
    }
    Header {
        variant: "international".to_string(),
        facts_hash: 0x0123_4567_89ab_cdef,
        material: "KKMvKM".to_string(),
        metric,
        order: 3,
        positions: slots,
        slots,
        block_slots,
        coding,
        level: 5,
        statistics,
    }
}

/// Encodes all blocks of a table; `symbols` afterwards has its free slots filled.
fn encode(header: &Header, symbols: &mut [u16]) -> Vec<EncodedBlock> {
    let mut encoder = BlockEncoder::new(header.coding, header.level);
    symbols.chunks_mut(header.block_slots as usize).map(|block| encoder.encode(block)).collect()
}

/// The bytes of a table with these symbols.
fn table_bytes(header: &Header, symbols: &mut [u16]) -> Vec<u8> {
    let blocks = encode(header, symbols);
    table_to_bytes(header, blocks)
}

const CODINGS: [Coding; 3] = [Coding::Trits, Coding::Bytes, Coding::Words];
