//! A position drawn as text, White at the bottom: `w` and `b` are men, `W` and `B` kings, a dot is a free square.

use endame::board::{Bitboard, Geometry};
use endame::position::{Fen, Move, Position};
use endame::rules::{Colour, Rules, SquareNames};

/// The most boards drawn of a line, besides the start and the end.
const MOST_BOARDS: usize = 12;
/// The most characters of a line of text.
const WIDTH: usize = 100;

/// Draws `position`, in which `mover` is to move; every row ends its line.
pub fn draw<R: Rules>(position: Position<R>, mover: Colour) -> String {
    let white_side = match mover {
        Colour::White => position,
        Colour::Black => position.turned(),
    };
    let (numbered, mirrored) = match R::SQUARE_NAMES {
        SquareNames::Numbers => (true, false),
        SquareNames::NumbersMirrored => (true, true),
        SquareNames::Letters | SquareNames::LettersOrNumbers => (false, false),
    };
    let mut text = String::new();
    for row in 0..R::Geometry::WIDTH {
        if numbered {
            text.push_str("  ");
        } else {
            text.push_str(&format!("{} ", R::Geometry::WIDTH - row));
        }
        for column in 0..R::Geometry::WIDTH {
            let column = if mirrored { R::Geometry::WIDTH - 1 - column } else { column };
            text.push(' ');
            text.push(R::Geometry::square_at(row, column).map_or(' ', |square| {
                let square = Bitboard::of(square);
                let king = white_side.kings().meets(square);
                match (white_side.ours().meets(square), white_side.theirs().meets(square)) {
                    (true, _) => {
                        if king {
                            'W'
                        } else {
                            'w'
                        }
                    }
                    (_, true) => {
                        if king {
                            'B'
                        } else {
                            'b'
                        }
                    }
                    _ => '.',
                }
            }));
        }
        if numbered {
            let numbers = (row * R::Geometry::ROW + 1, (row + 1) * R::Geometry::ROW);
            let turned = |number| R::Geometry::SQUARES + 1 - number;
            let (left, right) = if mirrored { (turned(numbers.0), turned(numbers.1)) } else { numbers };
            text.push_str(&format!("   {left:>2}-{right}"));
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    if !numbered {
        let files: String = ('a'..).take(R::Geometry::WIDTH as usize).flat_map(|file| [' ', file]).collect();
        text.push_str(&format!("  {files}\n"));
    }
    text
}

/// The boards along a line, side by side, each under the move that led to it; of long lines not every one.
pub fn draw_line<R: Rules>(fen: Fen<R>, line: &[Move]) -> String {
    let stride = line.len().div_ceil(MOST_BOARDS).max(1);
    let texts = fen.line_text(line);
    let mut boards = vec![("start".to_string(), draw(fen.position, fen.mover))];
    let mut now = fen;
    for (i, mv) in line.iter().enumerate() {
        now = now.play(mv);
        if (i + 1) % stride == 0 || i + 1 == line.len() {
            boards.push((format!("{}: {}", i + 1, texts[i]), draw(now.position, now.mover)));
        }
    }
    let width = 2 * R::Geometry::WIDTH as usize + 4;
    let mut text = String::new();
    for row in boards.chunks(WIDTH / width) {
        let captions = row.iter().map(|(caption, _)| caption.as_str()).collect();
        let drawn = row.iter().map(|(_, board)| board.lines().collect::<Vec<_>>());
        let drawn: Vec<Vec<&str>> = drawn.collect();
        let lines = (0..R::Geometry::WIDTH as usize).map(|i| drawn.iter().map(|lines| lines[i]).collect());
        for line in std::iter::once::<Vec<&str>>(captions).chain(lines) {
            // A board without the square numbers on its right.
            let cells = line.iter().map(|cell| format!("{:<width$.width$}", cell, width = width));
            text.push_str(cells.collect::<String>().trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use endame::rules::{English, Turkish};

    fn place<R: Rules>(row: u32, column: u32) -> Bitboard {
        Bitboard::of(R::Geometry::square_at(row, column).expect("a playing square"))
    }

    #[test]
    fn white_is_at_the_bottom_whoever_moves() {
        // White: a king on 1; Black: a man on 31.
        let king = place::<English>(0, 1);
        let white_to_move = Position::<English>::new(king, place::<English>(6, 3), king).expect("a position");
        let drawn = draw(white_to_move, Colour::White);
        assert!(drawn.starts_with("     W   .   .   .    1-4\n"), "{drawn}");
        assert_eq!(drawn.lines().filter(|line| line.contains('b')).count(), 1);
        assert_eq!(draw(white_to_move.turned(), Colour::Black), drawn);
    }

    #[cfg(feature = "related")]
    #[test]
    fn the_spanish_board_has_a_dark_corner_at_the_right() {
        use endame::position::Fen;
        use endame::rules::Spanish;
        let fen: Fen<Spanish> = "W:WK1:BK4".parse().expect("a position");
        let drawn = draw(fen.position, fen.mover);
        assert!(drawn.starts_with("   .   .   .   .     32-29\n"), "{drawn}");
        assert!(drawn.ends_with("     B   .   .   W    4-1\n"), "{drawn}");
    }

    #[test]
    fn lettered_boards_have_ranks_and_files() {
        let king = place::<Turkish>(7, 0);
        let position = Position::<Turkish>::new(king, place::<Turkish>(1, 7), king).expect("a position");
        let drawn = draw(position, Colour::White);
        assert!(drawn.ends_with("1  W . . . . . . .\n   a b c d e f g h\n"), "{drawn}");
    }
}
