//! What a set of rules must state.
//!
//! Every rule that differs between variants is a constant of [`Rules`]; code above asks the constants and never the
//! variant's name. Rules that hold everywhere are not stated: capturing is obligatory, a capture must be continued
//! as long as it can be, no piece is jumped twice, a side without a piece or without a move has lost.

use std::fmt::{self, Debug};
use std::hash::Hash;

use xxhash_rust::xxh3::Xxh3;

use crate::board::Geometry;
use crate::rules::{DrawRule, Place, Saying, Showpiece, Side};

/// The colour of a side. It lives only in text: positions are kept from the mover's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Colour {
    /// White, at the bottom of the board.
    White,
    /// Black, at the top of the board.
    Black,
}

impl Colour {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// `W` or `B`, as in FEN.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Colour::White => 'W',
            Colour::Black => 'B',
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::White => "White",
            Colour::Black => "Black",
        })
    }
}

/// Which captures may be chosen where there are several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Priority {
    /// Any; but a capture, and a landing square, that goes on is obligatory before one that does not.
    Free,
    /// Those that take the most pieces; men and kings count alike.
    MostPieces,
    /// As [`Priority::Free`], but a capture by a king is obligatory before one by a man.
    KingsFirst,
    /// Those that take the most pieces, and of these those that take the most kings.
    MostPiecesThenKings,
}

impl Priority {
    /// Whether the number of pieces taken does not matter, so that a landing square must be chosen that goes on.
    #[inline]
    #[must_use]
    pub const fn ignores_numbers(self) -> bool {
        matches!(self, Priority::Free | Priority::KingsFirst)
    }
}

/// What happens to a man that reaches the last row during a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Promotion {
    /// It goes on as a man, and becomes a king only if the capture ends there.
    AtEnd,
    /// It becomes a king at once and goes on as a king.
    InPassing,
    /// It becomes a king and the move ends.
    EndsMove,
}

/// How squares are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SquareNames {
    /// Numbers from 1 at the top left as White sees the board.
    Numbers,
    /// Numbers from 1 at White's lower right, on a board with a dark corner there; it is kept as its mirror image.
    NumbersMirrored,
    /// A file letter and a rank digit, a1 at White's left. Numbers are not read: programs disagree where they begin.
    Letters,
    /// As letters; numbers from 1 at the top left are read too.
    LettersOrNumbers,
}

/// The rules of one variant.
pub trait Rules: Copy + Clone + Debug + Default + PartialEq + Eq + Hash + Send + Sync + 'static {
    /// The board.
    type Geometry: Geometry;

    /// The name used on the command line and in files, in lower case.
    const NAME: &'static str;
    /// The side that moves first in the start position.
    const FIRST_MOVER: Colour;
    /// The rows of our men in the start position, counted from our own side, 0 nearest.
    const START_ROWS: std::ops::Range<u32>;
    /// Whether a king moves any distance along a line.
    const FLYING_KINGS: bool;
    /// Whether men also capture backward.
    const MEN_CAPTURE_BACKWARD: bool;
    /// Which captures may be chosen.
    const PRIORITY: Priority;
    /// Whether a captured piece leaves the board at once rather than at the end of the move.
    const REMOVES_DURING_CAPTURE: bool;
    /// Whether a piece may not turn half round between two captures of one move.
    const FORBIDS_HALF_TURN: bool;
    /// Whether a flying king lands right behind the piece it takes, rather than on any free square beyond.
    const KINGS_LAND_BEHIND: bool = false;
    /// What happens to a man that reaches the last row during a capture.
    const PROMOTION: Promotion;
    /// How squares are written.
    const SQUARE_NAMES: SquareNames;
    /// The sign between the squares of a capture when written.
    const CAPTURE_SIGN: char;
    /// The number of the variant in the GameType tag of PDN.
    const PDN_GAME_TYPE: u32;
    /// The points of a win where PDN writes the result: 2 for `2-0` and `1-1`, 1 for `1-0` and `1/2-1/2`.
    const PDN_WIN_POINTS: u32 = 1;
    /// The rules that draw a game by a count of moves.
    const DRAW_RULES: &'static [DrawRule];
    /// What books say about its small endings.
    const SAYINGS: &'static [Saying];
    /// Positions of up to four pieces worth seeing.
    const SHOWPIECES: &'static [Showpiece];
    /// Openings that tournaments draw by lot, thought to be level: a line each, moves from the start position; empty
    /// where none are known.
    const BALLOTS: &'static str = "";

    /// Pieces of one side in the start position: no position has more.
    const MOST_PIECES: u32 = (Self::START_ROWS.end - Self::START_ROWS.start) * <Self::Geometry as Geometry>::ROW;
    /// By direction, whether a man of ours may make a quiet step that way.
    const MAN_MOVES: [bool; 4] = man_directions::<Self>(false);
    /// By direction, whether a man of ours may capture that way.
    const MAN_CAPTURES: [bool; 4] = man_directions::<Self>(Self::MEN_CAPTURE_BACKWARD);

    /// A hash of the facts that values depend on: a table made under other facts is refused.
    ///
    /// Draw counts are not among them: wdl and distances do not depend on counts.
    #[must_use]
    fn facts_hash() -> u64 {
        let mut facts = format!(
            "{} {} {} {} {} {:?} {} {} {:?}",
            <Self::Geometry as Geometry>::WIDTH,
            <Self::Geometry as Geometry>::ROW,
            Self::FLYING_KINGS,
            Self::MEN_CAPTURE_BACKWARD,
            <Self::Geometry as Geometry>::DARK_SQUARES_ONLY,
            Self::PRIORITY,
            Self::REMOVES_DURING_CAPTURE,
            Self::FORBIDS_HALF_TURN,
            Self::PROMOTION,
        );
        if Self::KINGS_LAND_BEHIND {
            facts.push_str(" lands behind");
        }
        let mut hash = Xxh3::new();
        hash.update(facts.as_bytes());
        hash.digest()
    }

    /// A hash of the facts and the draw rules together, for values that depend on counts.
    ///
    /// The scope of a rule is taken over all materials of up to 8 pieces a side.
    #[must_use]
    fn counted_facts_hash() -> u64 {
        let sides = || (1..=8).flat_map(|pieces| (0..=pieces).map(move |kings| Side { kings, men: pieces - kings }));
        let mut hash = Xxh3::new();
        hash.update(&Self::facts_hash().to_le_bytes());
        for rule in Self::DRAW_RULES {
            // These words are in files.
            let place = match rule.place {
                Place::Anywhere => "false",
                Place::OnMainRoad => "true",
                Place::OffMainRoad => "off",
            };
            hash.update(format!("{} {:?} {place}", rule.plies, rule.resets_on).as_bytes());
            let scope: Vec<u8> = sides().flat_map(|a| sides().map(move |b| u8::from(rule.counts_in(a, b)))).collect();
            hash.update(&scope);
        }
        hash.digest()
    }
}

/// Forward and sideways, and backward where asked.
const fn man_directions<R: Rules>(backward: bool) -> [bool; 4] {
    let mut allowed = [backward; 4];
    let (forward, sideways) = (<R::Geometry as Geometry>::FORWARD, <R::Geometry as Geometry>::SIDEWAYS);
    let mut i = 0;
    while i < forward.len() {
        allowed[forward[i].index()] = true;
        i += 1;
    }
    i = 0;
    while i < sideways.len() {
        allowed[sideways[i].index()] = true;
        i += 1;
    }
    allowed
}
