//! `data/mobydam.json`: the files of another program, rebuilt from our tables, have its sizes and checksums.

use endame::board::Geometry;
use endame::position::Position;
use endame::rules::{International, Rules};
use endame::tablebase::Value;
use endame::value::{Dtw, Wdl};
use rayon::prelude::*;

use crate::solved::{data, material_of, number, positions, value};

/// CRC-16/CCITT-FALSE.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| crc << 1 ^ if crc >> 15 == 1 { 0x1021 } else { 0 })
    })
}

/// The slot of a position in its file: squares from 0 as digits to the base 50, White to move.
fn slot(position: &Position<International>) -> usize {
    [position.our_men(), position.our_kings(), position.their_men(), position.their_kings()]
        .into_iter()
        .flatten()
        .fold(0, |slot, square| slot * 50 + <International as Rules>::Geometry::place(square) as usize)
}

/// Its byte for a value: plies, negative for a loss, 100 for a draw.
fn byte(value: Value) -> u8 {
    let plies = |dtw: Option<Dtw>| i8::try_from(dtw.expect("a distance").0).expect("fewer than 100 plies");
    match value.wdl {
        Wdl::Win => plies(value.dtw).to_le_bytes()[0],
        Wdl::Loss => (-plies(value.dtw)).to_le_bytes()[0],
        Wdl::Draw => 100,
    }
}

#[test]
fn the_checksum_is_the_usual_one() {
    assert_eq!(crc16(b"123456789"), 0x29b1);
}

#[test]
fn international_tables_of_two_and_three_pieces_have_the_checksums_of_mobydam() {
    let files = data(include_str!("../../data/mobydam.json"), "files");
    assert_eq!(files.len(), 16);
    for file in &files {
        let material = material_of(file);
        let mut bytes = vec![100; 50usize.pow(material.pieces())];
        assert_eq!(Some(bytes.len() as u64), number(file, "bytes"));
        let values: Vec<(usize, u8)> =
            positions(material).map(|position| (slot(&position), byte(value(&position)))).collect();
        for (slot, value) in values {
            bytes[slot] = value;
        }
        assert_eq!(format!("{:#06x}", crc16(&bytes)), file["crc16_ccitt_false"], "{file}");
    }
}
