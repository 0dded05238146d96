//! Symbols as bytes.
//!
//! A slot's symbol is a small number whose meaning the metric gives. A block of symbols is packed into bytes before it
//! is compressed, and a cached block stays packed, so that one symbol can be read without unpacking the others:
//!
//! ```text
//! Trits   five a byte, the first least significant: s0 + 3 s1 + 9 s2 + 27 s3 + 81 s4
//! Bytes   one a byte, 0..=254
//! Words   two bytes each, little-endian, 0..=65534
//! ```
//!
//! Bytes from 243 (trits), 255 (bytes) and 65535 (words) are written by nobody, and `unpack` refuses them.

use crate::value::Metric;

/// The longest distance, in plies, of a table with one byte a slot.
const LONGEST_BYTE: u16 = 253;

/// How symbols are packed into bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Coding {
    /// Symbols 0 to 2, five a byte.
    Trits,
    /// Symbols 0 to 254, one a byte.
    Bytes,
    /// Symbols 0 to 65534, two bytes each.
    Words,
}

/// The five trits of every byte.
const TRITS: [[u16; 5]; 256] = {
    let mut trits = [[0; 5]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut place) = (byte, 0);
        while place < 5 {
            trits[byte][place] = (rest % 3) as u16;
            rest /= 3;
            place += 1;
        }
        byte += 1;
    }
    trits
};

impl Coding {
    /// The coding of a table of `metric` whose longest distance is `longest` plies: of no account for win, draw, loss;
    /// for outcomes 0 where no count changes a value.
    #[must_use]
    pub const fn of(metric: Metric, longest: u16) -> Coding {
        match metric {
            Metric::Wdl => Coding::Trits,
            Metric::Outcome if longest == 0 => Coding::Trits,
            Metric::Outcome => Coding::Bytes,
            Metric::Dtw if longest <= LONGEST_BYTE => Coding::Bytes,
            Metric::Dtc | Metric::Dtr if longest <= LONGEST_BYTE / 2 => Coding::Bytes,
            Metric::Dtw | Metric::Dtc | Metric::Dtr => Coding::Words,
        }
    }

    /// Whether tables of `metric` may be coded so.
    #[must_use]
    pub const fn is_for(self, metric: Metric) -> bool {
        match metric {
            Metric::Wdl => matches!(self, Coding::Trits),
            Metric::Outcome => matches!(self, Coding::Trits | Coding::Bytes),
            Metric::Dtw | Metric::Dtc | Metric::Dtr => !matches!(self, Coding::Trits),
        }
    }

    /// The largest symbol it can hold.
    #[must_use]
    pub const fn largest_symbol(self) -> u16 {
        match self {
            Coding::Trits => 2,
            Coding::Bytes => 254,
            Coding::Words => u16::MAX - 1,
        }
    }

    /// Slots a block in new tables; see "Sizes" in FORMAT.md.
    #[must_use]
    pub const fn block_slots(self) -> u32 {
        match self {
            Coding::Trits => 1 << 16,
            Coding::Bytes => 1 << 15,
            Coding::Words => 1 << 14,
        }
    }

    /// The zstd level for new tables of so many slots.
    ///
    /// Measured on twenty tables of four pieces, English and International, a core of a small server: distances at
    /// level 9, 14, 19 take 1.00, 0.87, 0.83 bit a slot and 18, 82, 420 ns of work; win, draw, loss at level 9, 12, 17,
    /// 19 take 0.377, 0.350, 0.338, 0.338 bit and 8, 14, 55, 53 ns. So small tables, where a kilobyte counts and time
    /// does not, take the best level, and large ones the knee of the curve.
    #[must_use]
    pub const fn level(self, slots: u64) -> u8 {
        match self {
            Coding::Trits if slots <= 1 << 21 => 19,
            Coding::Trits => 12,
            Coding::Bytes | Coding::Words => 14,
        }
    }

    /// The length in bytes of `slots` packed symbols.
    #[must_use]
    pub const fn packed_len(self, slots: usize) -> usize {
        match self {
            Coding::Trits => slots.div_ceil(5),
            Coding::Bytes => slots,
            Coding::Words => slots * 2,
        }
    }

    /// Packs `symbols`, none of which may be larger than [`Self::largest_symbol`], replacing what is in `packed`.
    ///
    /// A last byte with fewer than five trits is filled with the last of them.
    pub(super) fn pack(self, symbols: &[u16], packed: &mut Vec<u8>) {
        packed.clear();
        match self {
            Coding::Trits => packed.extend(symbols.chunks(5).map(|five| {
                let last = five[five.len() - 1];
                (0..5).rev().fold(0, |byte, place| byte * 3 + *five.get(place).unwrap_or(&last) as u8)
            })),
            Coding::Bytes => packed.extend(symbols.iter().map(|&symbol| symbol as u8)),
            Coding::Words => packed.extend(symbols.iter().flat_map(|symbol| symbol.to_le_bytes())),
        }
    }

    /// The place of the first byte of `packed` that no writer writes.
    pub(super) fn first_foreign(self, packed: &[u8]) -> Option<usize> {
        match self {
            Coding::Trits => packed.iter().position(|&byte| byte >= 243),
            Coding::Bytes => packed.iter().position(|&byte| byte == u8::MAX),
            Coding::Words => packed.chunks_exact(2).position(|word| word == [u8::MAX; 2]).map(|word| word * 2),
        }
    }

    /// Unpacks the first `slots` symbols, replacing what is in `symbols`.
    pub(super) fn unpack(self, packed: &[u8], slots: usize, symbols: &mut Vec<u16>) {
        symbols.clear();
        match self {
            Coding::Trits => {
                symbols.resize(packed.len() * 5, 0);
                for (five, &byte) in symbols.chunks_exact_mut(5).zip(packed) {
                    five.copy_from_slice(&TRITS[usize::from(byte)]);
                }
                symbols.truncate(slots);
            }
            Coding::Bytes => symbols.extend(packed.iter().map(|&byte| u16::from(byte))),
            Coding::Words => {
                symbols.extend(packed.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]])));
            }
        }
        debug_assert_eq!(symbols.len(), slots, "a packed block has the length of its slots");
    }

    /// The symbol at `place` of a packed block.
    #[inline]
    pub(super) fn symbol_at(self, packed: &[u8], place: usize) -> u16 {
        match self {
            Coding::Trits => TRITS[usize::from(packed[place / 5])][place % 5],
            Coding::Bytes => u16::from(packed[place]),
            Coding::Words => u16::from_le_bytes([packed[place * 2], packed[place * 2 + 1]]),
        }
    }
}
