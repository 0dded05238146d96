//! Free slots are filled as FORMAT.md says.

use endame::table::{BlockEncoder, Coding, EncodedBlock, FREE};

use crate::Random;

/// The fill rule slot by slot, straight from its words.
fn filled_slowly(symbols: &[u16]) -> Vec<u16> {
    let run_length = |at: usize| {
        let belongs = |slot: &usize| symbols[*slot] == symbols[at] || symbols[*slot] == FREE;
        let equals = |slot: &usize| symbols[*slot] == symbols[at];
        let first = (0..=at).rev().take_while(belongs).filter(equals).last().unwrap_or(at);
        let last = (at..symbols.len()).take_while(belongs).filter(equals).last().unwrap_or(at);
        last - first + 1
    };
    (0..symbols.len())
        .map(|slot| {
            let before = (0..=slot).rev().find(|&s| symbols[s] != FREE);
            let after = (slot..symbols.len()).find(|&s| symbols[s] != FREE);
            match (before, after) {
                (None, None) => 0,
                (Some(at), None) | (None, Some(at)) => symbols[at],
                (Some(a), Some(b)) => symbols[if run_length(b) > run_length(a) { b } else { a }],
            }
        })
        .collect()
}

fn filled(symbols: &[u16]) -> Vec<u16> {
    let mut symbols = symbols.to_vec();
    BlockEncoder::new(Coding::Trits, 1).encode(&mut symbols);
    symbols
}

#[test]
fn a_gap_takes_the_symbol_of_the_longer_run() {
    const F: u16 = FREE;
    assert_eq!(filled(&[0, F, 1, 1]), [0, 1, 1, 1]);
    assert_eq!(filled(&[0, 0, F, 1]), [0, 0, 0, 1]);
    assert_eq!(filled(&[0, F, 1]), [0, 0, 1], "equally long: the earlier");
    assert_eq!(filled(&[0, F, 0, F, 1, 1]), [0, 0, 0, 0, 1, 1], "free slots inside count");
    assert_eq!(filled(&[F, 2, F, 1, 1, F]), [2, 2, 1, 1, 1, 1], "at an edge there is one neighbour");
    assert_eq!(filled(&[F, F]), [0, 0]);
}

#[test]
fn the_fill_rule_agrees_with_its_slow_twin() {
    let mut random = Random(7);
    for round in 0..2000 {
        let symbols: Vec<u16> = (0..=random.below(40))
            .map(|_| match random.below(6) {
                n @ 0..=2 => n as u16,
                _ => FREE,
            })
            .collect();
        assert_eq!(filled(&symbols), filled_slowly(&symbols), "round {round}: {symbols:?}");
    }
}

#[test]
fn a_block_that_can_be_filled_with_one_symbol_is_constant() {
    let mut encoder = BlockEncoder::new(Coding::Bytes, 3);
    assert_eq!(encoder.encode(&mut [FREE, 7, FREE, 7]), EncodedBlock::Constant(7));
    assert_eq!(encoder.encode(&mut [FREE; 9]), EncodedBlock::Constant(0));
    assert!(matches!(encoder.encode(&mut [FREE, 7, 8]), EncodedBlock::Compressed(_)));
}
