"""Replays a PDN file of this program with pydraughts, another program's move generator.

    endame_pdn.py FILE VARIANT

Every move must be one of the legal moves that pydraughts lists, in its text or by squares. Prints games and moves.
"""

import re
import sys

from draughts import Board

NAMES = {"international": "standard", "english": "english", "russian": "russian"}


def squares(text):
    return [part for part in re.split("[-x:]", text.lower())]


def find(board, text):
    """The legal move that `text` means: the same squares, or the only one with these ends."""
    legal = board.legal_moves()
    same = [move for move in legal if squares(move.pdn_move) == squares(text)]
    if not same:
        ends = (squares(text)[0], squares(text)[-1])
        same = [move for move in legal if (squares(move.pdn_move)[0], squares(move.pdn_move)[-1]) == ends]
    return same


def main(path, variant):
    text = open(path, encoding="utf-8").read()
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
