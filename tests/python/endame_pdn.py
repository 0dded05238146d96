"""Replays a PDN file of this program with pydraughts, another program's move generator.

    endame_pdn.py FILE VARIANT

Every move must be one of the legal moves that pydraughts lists, in its text or by squares. Prints games and moves.
"""

import pathlib
import re
import sys

from draughts import Board

NAMES = {"international": "standard", "english": "english", "russian": "russian"}


def number(square):
    """The number of a square; letters count from a1, as pydraughts does."""
    return int(square) if square.isdigit() else (int(square[1]) - 1) * 4 + (ord(square[0]) - ord("a")) // 2 + 1


def squares(text):
    return [number(part) for part in re.split("[-x:]", text)]


def find(board, text):
    """The legal moves that `text` means: with the same squares, or else with these ends.

    pydraughts lists a capture once for every order of taking the same pieces; one of these is enough.
    """
    legal = board.legal_moves()
    found = [move for move in legal if squares(move.pdn_move) == squares(text)]
    if not found:
        ends = (squares(text)[0], squares(text)[-1])
        found = [move for move in legal if (squares(move.pdn_move)[0], squares(move.pdn_move)[-1]) == ends]
    return list({tuple(sorted(move.hub_move.split("x"))): move for move in found}.values())


def main(path, variant):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    games = moves = 0
    for game in re.split(r"\n\n(?=\[)", text):
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))
        body = re.sub(r"\[[^\]]*\]|\{[^}]*\}", "", game)
        board = Board(variant=NAMES[variant], fen=tags.get("FEN", "startpos"))
        tokens = [re.sub(r"^\d+\.+", "", token) for token in body.split()]
        tokens = [token for token in tokens if token]
        assert tokens.pop() == tags["Result"], (tags, tokens)
        for token in tokens:
            found = find(board, token)
            assert len(found) == 1, (board.fen, token, [move.pdn_move for move in found])
            board.push(found[0])
            moves += 1
        games += 1
    print(games, moves)


if __name__ == "__main__":
    main(*sys.argv[1:])
