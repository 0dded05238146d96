//! The header: everything about a table but its values.
//!
//! See FORMAT.md for the layout. The header is read before its checksum can be checked (its length says where the
//! checksum is), so nothing in it is trusted: no length is used before it is compared with the bytes there are.

use crate::table::codec::Coding;
use crate::table::error::TableError;
use crate::value::Metric;

/// The first bytes of every table: not text, and broken by any program that translates line ends.
pub(super) const MAGIC: &[u8; 8] = b"\x89END\r\n\x1a\n";
/// Changes with the layout; another one is refused.
pub(super) const MAJOR: u8 = 1;
/// Grows with fields added at the end of the header, which an older reader skips.
pub(super) const MINOR: u8 = 0;
/// The flags this program knows. A reader refuses any other.
pub(super) const FLAGS: u16 = 0;
/// The largest number of slots a block may have, which bounds what a reader allocates for one.
pub const LARGEST_BLOCK_SLOTS: u32 = 1 << 20;
/// Where the checksum of all blocks is.
pub(super) const BLOCKS_CHECKSUM_AT: usize = 52;
/// The length of the header without texts and distances.
const FIXED_LEN: usize = 120;

/// Everything about a table but its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name of the variant, ASCII, at most 255 bytes.
    pub variant: String,
    /// A hash of the rule facts that the values depend on.
    pub facts_hash: u64,
    /// The material, mover's pieces first, such as `KMMvKM`; ASCII, at most 255 bytes.
    pub material: String,
    /// What the values mean.
    pub metric: Metric,
    /// In which order squares are numbered; see "From position to slot" in FORMAT.md.
    pub order: u8,
    /// Placements of the material, symmetric ones counted each.
    pub positions: u64,
    /// Slots, `0..slots`: placements of which symmetric ones share a slot.
    pub slots: u64,
    /// Slots a block, a power of two up to [`LARGEST_BLOCK_SLOTS`]; the last block may have fewer.
    pub block_slots: u32,
    /// How symbols are packed.
    pub coding: Coding,
    /// The zstd level the blocks were compressed at, for information.
    pub level: u8,
    /// What is to be said of the whole table.
    pub statistics: Statistics,
}

/// Counts over every placement, those with a capture due included, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Positions won by the side to move.
    pub wins: u64,
    /// Positions drawn.
    pub draws: u64,
    /// Positions lost by the side to move.
    pub losses: u64,
    /// The longest win, where distances are known and there is one.
    pub longest_win: Option<Longest>,
    /// The longest loss, where distances are known and there is one.
    pub longest_loss: Option<Longest>,
    /// How many positions are won and lost at each distance, ascending, distances without any left out. Empty where
    /// distances are not known.
    pub histogram: Vec<Distance>,
}

/// The longest win or loss of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    /// Its length in plies.
    pub plies: u16,
    /// How many positions are as long; at least 1.
    pub count: u64,
    /// The slot of one of them: the first in order of slots.
    pub slot: u64,
}

/// How many positions end after a number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Plies to the end.
    pub plies: u16,
    /// Positions won in so many plies.
    pub wins: u64,
    /// Positions lost in so many plies.
    pub losses: u64,
}

impl Header {
    /// The number of blocks: one directory entry each.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        self.slots.div_ceil(u64::from(self.block_slots))
    }

    /// How many slots block `number` has: `block_slots`, the last block perhaps fewer.
    ///
    /// # Panics
    /// If there is no such block.
    #[must_use]
    pub fn slots_in_block(&self, number: u64) -> usize {
        assert!(number < self.block_count(), "no block {number}");
        let left = self.slots - number * u64::from(self.block_slots);
        left.min(u64::from(self.block_slots)) as usize
    }

    /// Compares what the header says with what a reader looks for.
    ///
    /// # Errors
    /// [`TableError::Foreign`] with the first of variant, rule facts, material and metric that differs.
    pub fn expect(&self, variant: &str, facts_hash: u64, material: &str, metric: Metric) -> Result<(), TableError> {
        let check = |what, expected: String, got: String| {
            if expected == got { Ok(()) } else { Err(TableError::Foreign { what, expected, got }) }
        };
        check("variant", variant.to_string(), self.variant.clone())?;
        check("rule facts", format!("{facts_hash:016x}"), format!("{:016x}", self.facts_hash))?;
        check("material", material.to_string(), self.material.clone())?;
        check("metric", metric.to_string(), self.metric.to_string())
    }

    /// What contradicts itself in the header, if anything.
    fn contradiction(&self) -> Option<String> {
        let Statistics { wins, draws, losses, longest_win, longest_loss, histogram } = &self.statistics;
        if !self.block_slots.is_power_of_two() || self.block_slots > LARGEST_BLOCK_SLOTS {
            return Some(format!("a power of two up to {LARGEST_BLOCK_SLOTS} slots a block, not {}", self.block_slots));
        }
        if [wins, draws, losses].into_iter().try_fold(0u64, |sum, &n| sum.checked_add(n)) != Some(self.positions) {
            return Some(format!("{wins} wins, {draws} draws, {losses} losses to be {} positions", self.positions));
        }
        if !self.coding.is_for(self.metric) {
            return Some(format!("a coding for {}, not {:?}", self.metric, self.coding));
        }
        let counts: [fn(&Distance) -> u64; 2] = [|d| d.wins, |d| d.losses];
        for (longest, count) in [longest_win, longest_loss].into_iter().zip(counts) {
            let last = histogram.iter().rfind(|d| count(d) > 0).map(|d| (d.plies, count(d)));
            if longest.map(|l| (l.plies, l.count)) != last {
                return Some("a longest win and loss that are the last of the distances".to_string());
            }
            if longest.is_some_and(|l| l.slot >= self.slots) {
                return Some(format!("a longest win or loss in one of {} slots", self.slots));
            }
        }
        if !histogram.is_empty() {
            let total = |count: fn(&Distance) -> u64| histogram.iter().try_fold(0u64, |n, d| n.checked_add(count(d)));
            if total(|d| d.wins) != Some(*wins) || total(|d| d.losses) != Some(*losses) {
                return Some(format!("distances that add up to {wins} wins and {losses} losses"));
            }
            if !histogram.is_sorted_by(|a, b| a.plies < b.plies) {
                return Some("distances in ascending order".to_string());
            }
        }
        None
    }

    /// The bytes of the header, the checksum of all blocks left 0.
    ///
    /// # Panics
    /// If the header contradicts itself, or a text is no ASCII or too long.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        if let Some(expected) = self.contradiction() {
            panic!("a header has {expected}");
        }
        let mut bytes = Vec::with_capacity(256);
        bytes.extend(MAGIC);
        bytes.extend([MAJOR, MINOR]);
        bytes.extend(FLAGS.to_le_bytes());
        bytes.extend([0; 4]); // The length of the header, known at the end.
        bytes.extend(self.facts_hash.to_le_bytes());
        bytes.extend(self.positions.to_le_bytes());
        bytes.extend(self.slots.to_le_bytes());
        bytes.extend(self.block_slots.to_le_bytes());
        bytes.extend([0; 4]); // The length of a dictionary, of which there is none.
        bytes.extend([metric_code(self.metric), coding_code(self.coding), self.order, self.level]);
        bytes.extend([0; 8]); // The checksum of all blocks, known at the end.
        for count in [self.statistics.wins, self.statistics.draws, self.statistics.losses] {
            bytes.extend(count.to_le_bytes());
        }
        for longest in [self.statistics.longest_win, self.statistics.longest_loss] {
            let Longest { plies, count, slot } = longest.unwrap_or(Longest { plies: 0, count: 0, slot: 0 });
            bytes.extend(plies.to_le_bytes());
            bytes.extend(count.to_le_bytes());
            bytes.extend(slot.to_le_bytes());
        }
        debug_assert_eq!(bytes.len(), FIXED_LEN);
        for text in [&self.variant, &self.material] {
            assert!(is_text(text.as_bytes()), "variant and material are visible ASCII, not {text:?}");
            bytes.push(u8::try_from(text.len()).expect("variant and material have at most 255 letters"));
            bytes.extend(text.as_bytes());
        }
        let distances = u16::try_from(self.statistics.histogram.len()).expect("there are fewer than 65536 distances");
        bytes.extend(distances.to_le_bytes());
        let mut least = 0;
        for &Distance { plies, wins, losses } in &self.statistics.histogram {
            for number in [u64::from(plies) - least, wins, losses] {
                push_varint(&mut bytes, number);
            }
            least = u64::from(plies) + 1;
        }
        let length = u32::try_from(bytes.len()).expect("texts and distances are shorter than 4 GB");
        bytes[12..16].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    /// Reads the header at the beginning of a file, without checking its checksum.
    ///
    /// Returns it with its length in bytes and the checksum of all blocks.
    pub(super) fn from_bytes(file: &[u8]) -> Result<(Header, usize, u64), TableError> {
        if file.is_empty() {
            return Err(TableError::Empty);
        }
        let beginning = &file[..file.len().min(MAGIC.len())];
        if !MAGIC.starts_with(beginning) {
            return Err(TableError::NotATable { expected: MAGIC, got: beginning.to_vec() });
        }
        let truncated = |expected: usize| TableError::Truncated { expected: expected as u64, got: file.len() as u64 };
        if file.len() < FIXED_LEN {
            return Err(truncated(FIXED_LEN));
        }
        let mut fields = Fields { bytes: file, at: MAGIC.len() };
        let [major, minor] = fields.array()?;
        if major != MAJOR {
            return Err(TableError::Version { supported: MAJOR, got: major });
        }
        let flags = u16::from_le_bytes(fields.array()?);
        if flags & !FLAGS != 0 {
            return Err(TableError::Flags { known: FLAGS, got: flags });
        }
        let length = fields.u32()? as usize;
        if length < FIXED_LEN {
            return Err(fields.corrupt(format!("expected a header of at least {FIXED_LEN} bytes, got {length}")));
        }
        if file.len() < length {
            return Err(truncated(length));
        }
        fields.bytes = &file[..length];
        let (facts_hash, positions, slots) = (fields.u64()?, fields.u64()?, fields.u64()?);
        let block_slots = fields.u32()?;
        let dictionary = fields.u32()?;
        if dictionary != 0 {
            return Err(fields.corrupt(format!("expected no dictionary, got one of {dictionary} bytes")));
        }
        let [metric, coding, order, level] = fields.array()?;
        let metric = match metric {
            0 => Metric::Wdl,
            1 => Metric::Dtw,
            2 => Metric::Dtc,
            3 => Metric::Outcome,
            4 => Metric::Dtr,
            other => return Err(fields.corrupt(format!("expected metric 0 to 4, got {other}"))),
        };
        let coding = match coding {
            0 => Coding::Trits,
            1 => Coding::Bytes,
            2 => Coding::Words,
            other => return Err(fields.corrupt(format!("expected coding 0, 1 or 2, got {other}"))),
        };
        let blocks_checksum = fields.u64()?;
        let (wins, draws, losses) = (fields.u64()?, fields.u64()?, fields.u64()?);
        let (longest_win, longest_loss) = (fields.longest()?, fields.longest()?);
        let (variant, material) = (fields.text()?, fields.text()?);
        let histogram = fields.distances()?;
        if minor == MINOR && fields.at != length {
            return Err(fields.corrupt(format!("expected the header to end at {}, got {length}", fields.at)));
        }
        let statistics = Statistics { wins, draws, losses, longest_win, longest_loss, histogram };
        let header = Header {
            variant,
            facts_hash,
            material,
            metric,
            order,
            positions,
            slots,
            block_slots,
            coding,
            level,
            statistics,
        };
        match header.contradiction() {
            Some(expected) => Err(TableError::Corrupt { offset: 0, what: format!("expected {expected}") }),
            None => Ok((header, length, blocks_checksum)),
        }
    }
}

const fn metric_code(metric: Metric) -> u8 {
    match metric {
        Metric::Wdl => 0,
        Metric::Dtw => 1,
        Metric::Dtc => 2,
        Metric::Outcome => 3,
        Metric::Dtr => 4,
    }
}

const fn coding_code(coding: Coding) -> u8 {
    match coding {
        Coding::Trits => 0,
        Coding::Bytes => 1,
        Coding::Words => 2,
    }
}

fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_graphic)
}

/// Appends `number`, seven bits a byte, the least significant first, the top bit set on all bytes but the last.
fn push_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes fields off the bytes of a header, one after another.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Fields<'_> {
    fn corrupt(&self, what: String) -> TableError {
        TableError::Corrupt { offset: self.at as u64, what }
    }

    fn take(&mut self, length: usize) -> Result<&[u8], TableError> {
        let rest = self.bytes.len() - self.at;
        if rest < length {
            return Err(self.corrupt(format!("expected {length} more bytes in the header, got {rest}")));
        }
        self.at += length;
        Ok(&self.bytes[self.at - length..self.at])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        Ok(self.take(N)?.try_into().expect("take returns as many bytes as asked for"))
    }

    fn u32(&mut self) -> Result<u32, TableError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, TableError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn longest(&mut self) -> Result<Option<Longest>, TableError> {
        let plies = u16::from_le_bytes(self.array()?);
        let (count, slot) = (self.u64()?, self.u64()?);
        match (plies, count, slot) {
            (0, 0, 0) => Ok(None),
            (_, 0, _) => Err(self.corrupt("expected a longest win or loss of some positions, got 0".to_string())),
            _ => Ok(Some(Longest { plies, count, slot })),
        }
    }

    fn text(&mut self) -> Result<String, TableError> {
        let [length] = self.array()?;
        let bytes = self.take(usize::from(length))?.to_vec();
        if !is_text(&bytes) {
            return Err(self.corrupt(format!("expected visible ASCII, got {bytes:02x?}")));
        }
        Ok(String::from_utf8(bytes).expect("ASCII is UTF-8"))
    }

    fn varint(&mut self) -> Result<u64, TableError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            let digit = u64::from(byte & 0x7f);
            if (digit << shift) >> shift != digit {
                break;
            }
            number |= digit << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.corrupt("expected a number of at most 64 bits".to_string()))
    }

    fn distances(&mut self) -> Result<Vec<Distance>, TableError> {
        let count = u16::from_le_bytes(self.array()?);
        let mut distances = Vec::new();
        let mut least = 0;
        for _ in 0..count {
            let plies = self.varint()?.checked_add(least).and_then(|plies| u16::try_from(plies).ok());
            let Some(plies) = plies else {
                return Err(self.corrupt(format!("expected a distance of at most {} plies", u16::MAX)));
            };
            let (wins, losses) = (self.varint()?, self.varint()?);
            distances.push(Distance { plies, wins, losses });
            least = u64::from(plies) + 1;
        }
        Ok(distances)
    }
}
