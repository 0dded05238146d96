"""Opens the exports of one dataset with the libraries people use, and compares them row by row.

    endame_dataset.py FOLDER VARIANT

FOLDER holds rows.parquet, rows.npy and rows.jsonl, each with all positions. Written from the data card alone: it shares
no code with the program. Prints the number of rows, or fails at the first difference.
"""

import json
import pathlib
import sys

import duckdb
import numpy
import pandas
import pyarrow.parquet

FLAGS = ["capture", "only-move", "opening", "duplicate", "table", "by-repetition", "by-count", "by-limit", "as-stated", "promotes"]


class Board:
    """The squares of a variant: names by number, seen by White."""

    def __init__(self, variant):
        width = 10 if variant == "international" else 8
        self.names = []
        for row in range(width):
            for column in range(width):
                if variant == "turkish" or (row + column) % 2 == 1:
                    letters = "abcdefgh"[column] + str(width - row) if variant in ("russian", "turkish") else None
                    self.names.append(letters or str(len(self.names) + 1))

    def name(self, square, mover):
        """The name of a square of a row, whose board is turned half round for Black."""
        return self.names[square - 1 if mover == 0 else len(self.names) - square]

    def squares(self, bits, mover):
        return [self.name(square + 1, mover) for square in range(64) if int(bits) >> square & 1]

    def side(self, men, kings, mover):
        pieces = [(name, "") for name in self.squares(men, mover)] + [(name, "K") for name in self.squares(kings, mover)]
        order = (lambda name: int(name)) if self.names[0].isdigit() else (lambda name: name)
        return ",".join(king + name for name, king in sorted(pieces, key=lambda piece: order(piece[0])))

    def fen(self, row):
        mover = row["mover"]
        ours = self.side(row["our_men"], row["our_kings"], mover)
        theirs = self.side(row["their_men"], row["their_kings"], mover)
        white, black = (ours, theirs) if mover == 0 else (theirs, ours)
        return f"{'WB'[mover]}:W{white}:B{black}"


def ends(text):
    """The first and last square of a move as text."""
    for sign in "x:-":
        text = text.replace(sign, " ")
    return text.split()[0], text.split()[-1]


def check_line(board, row, line):
    """A row against the same position as JSON."""
    assert board.fen(row) == line["fen"], (board.fen(row), line["fen"])
    assert (row["game"], row["ply"]) == (line["game"], line["ply"])
    for field in ("score", "played", "corrected", "wdl", "dtw"):
        assert row[field] == line[field], (field, row, line)
    assert [name for bit, name in enumerate(FLAGS) if row["flag_bits"] >> bit & 1] == line["flags"]
    if line["move"] is None:
        assert row["from_square"] is None and row["to_square"] is None and row["captured"] == 0
    else:
        assert (board.name(row["from_square"], row["mover"]), board.name(row["to_square"], row["mover"])) == ends(line["move"])
        assert (row["captured"] != 0) == ("capture" in line["flags"])
    pieces = sum(bin(row[name]).count("1") for name in ("our_men", "our_kings", "their_men", "their_kings"))
    assert pieces == row["pieces"]


def main(folder, variant):
    folder = pathlib.Path(folder)
    lines = [json.loads(line) for line in (folder / "rows.jsonl").read_text(encoding="utf-8").splitlines()]

    table = pyarrow.parquet.read_table(folder / "rows.parquet")
    assert all(str(field.type).strip("u").startswith("int") for field in table.schema), table.schema
    rows = table.to_pylist()
    assert len(rows) == len(lines)
    board = Board(variant)
    for row, line in zip(rows, lines):
        check_line(board, row, line)

    frame = pandas.read_parquet(folder / "rows.parquet", dtype_backend="pyarrow")
    assert list(frame.columns) == table.column_names and len(frame) == len(rows)

    array = numpy.load(folder / "rows.npy", mmap_mode="r")
    assert isinstance(array, numpy.memmap) and array.dtype.itemsize == 64 and len(array) == len(rows)
    assert list(array.dtype.names) == table.column_names
    absent = {"from_square": 0, "to_square": 0, "score": -(2**15), "dtw": -1, "played": -128, "corrected": -128, "wdl": -128}
    for name in array.dtype.names:
        values = [absent[name] if value is None else value for value in table.column(name).to_pylist()]
        assert array[name].tolist() == values, name

    database = duckdb.connect()
    path = str(folder / "rows.parquet").replace("'", "''")
    count, exact, wins, most = database.execute(
        f"select count(*), count(wdl), sum((wdl = 2)::int), max(bit_count(our_men | our_kings)) from '{path}'"
    ).fetchone()
    assert count == len(rows)
    assert exact == sum(line["wdl"] is not None for line in lines)
    assert (wins or 0) == sum(line["wdl"] == 2 for line in lines)
    assert most == max(bin(row["our_men"] | row["our_kings"]).count("1") for row in rows)
    print(len(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
