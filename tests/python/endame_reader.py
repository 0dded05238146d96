"""A reader of endame tables, written from src/table/FORMAT.md alone.

Needs `zstandard` from PyPI; with `xxhash` it also checks the checksums.

    python3 endame_reader.py FILE..

prints one JSON object a file: the header, and how often each symbol occurs.
With --symbols the object also has all symbols, in order of slots.
"""

import json
import struct
import sys
from collections import Counter

import zstandard

try:
    import xxhash
except ImportError:
    xxhash = None

MAGIC = bytes.fromhex("89454e440d0a1a0a")
METRICS = ["wdl", "dtw", "dtc", "outcome", "dtr"]
CODINGS = ["trits", "bytes", "words"]
TRITS = [[byte // 3**place % 3 for place in range(5)] for byte in range(243)]


class TableError(Exception):
    """The file is not a sound table."""


def check_xxh3(what, data, expected, seed=0, bits=64):
    """Compares a checksum, where the package for it is installed."""
    if xxhash is not None and xxhash.xxh3_64_intdigest(data, seed) % 2**bits != expected:
        raise TableError(f"the {what} was altered")


class Cursor:
    """Takes fields off a header."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def text(self):
        length = self.data[self.at]
        self.at += 1 + length
        return self.data[self.at - length : self.at].decode("ascii")

    def varint(self):
        number = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number


class Table:
    """An open table: `header` is a dict, `symbols()` decodes everything."""

    def __init__(self, data):
        if data[:8] != MAGIC:
            raise TableError("not a table")
        major, minor, flags, header_length = struct.unpack_from("<BBHI", data, 8)
        if major != 1 or flags != 0:
            raise TableError(f"version {major}, flags {flags:#x}")
        names = "facts_hash positions slots block_slots dictionary metric coding order level blocks_checksum"
        names += " wins draws losses"
        header = dict(zip(names.split(), struct.unpack_from("<QQQIIBBBBQQQQ", data, 16)))
        if header.pop("dictionary") != 0:
            raise TableError("a dictionary")
        for field, offset in [("longest_win", 84), ("longest_loss", 102)]:
            plies, count, slot = struct.unpack_from("<HQQ", data, offset)
            header[field] = {"plies": plies, "count": count, "slot": slot} if count else None
        cursor = Cursor(data, 120)
        header["variant"] = cursor.text()
        header["material"] = cursor.text()
        (distances,) = struct.unpack_from("<H", data, cursor.at)
        cursor.at += 2
        histogram, least = [], 0
        for _ in range(distances):
            plies = least + cursor.varint()
            histogram.append({"plies": plies, "wins": cursor.varint(), "losses": cursor.varint()})
            least = plies + 1
        header["histogram"] = histogram
        if minor == 0 and cursor.at != header_length:
            raise TableError("the header does not end with its last distance")

        blocks = -(-header["slots"] // header["block_slots"])
        directory_end = header_length + 4 * blocks
        (front_checksum,) = struct.unpack_from("<Q", data, directory_end)
        check_xxh3("header", data[:directory_end], front_checksum)
        self.data = data
        self.blocks_at = directory_end + 8
        self.directory = struct.unpack_from(f"<{blocks}I", data, header_length)
        if self.blocks_at + sum(entry for entry in self.directory if entry < 2**31) != len(data):
            raise TableError("the file is too short or too long")
        check_xxh3("sum of all blocks", data[self.blocks_at :], header.pop("blocks_checksum"))
        header["metric"] = METRICS[header["metric"]]
        header["coding"] = CODINGS[header["coding"]]
        self.header = header

    def blocks(self):
        """Yields the symbols of each block, as a list."""
        at = self.blocks_at
        left = self.header["slots"]
        for number, entry in enumerate(self.directory):
            slots = min(left, self.header["block_slots"])
            left -= slots
            if entry >= 2**31:
                yield [entry - 2**31] * slots
                continue
            (checksum,) = struct.unpack_from("<I", self.data, at)
            frame = self.data[at + 4 : at + entry]
            check_xxh3(f"block {number}", frame, checksum, seed=number, bits=32)
            at += entry
            yield self.unpack(frame, slots)

    def unpack(self, frame, slots):
        """The symbols in a frame."""
        packed = zstandard.ZstdDecompressor().decompress(frame, max_output_size=2 * self.header["block_slots"])
        if self.header["coding"] == "trits":
            symbols = [digit for byte in packed for digit in TRITS[byte]]
            if (slots + 4) // 5 != len(packed):
                raise TableError("a block of another length")
            return symbols[:slots]
        symbols = list(packed) if self.header["coding"] == "bytes" else list(struct.unpack(f"<{slots}H", packed))
        if len(symbols) != slots:
            raise TableError("a block of another length")
        return symbols

    def symbols(self):
        """All symbols, in order of slots."""
        return [symbol for block in self.blocks() for symbol in block]


def main(arguments):
    for path in [argument for argument in arguments if argument != "--symbols"]:
        with open(path, "rb") as file:
            table = Table(file.read())
        counts, symbols = Counter(), []
        for block in table.blocks():
            counts.update(block)
            if "--symbols" in arguments:
                symbols += block
        answer = dict(table.header, counts={str(symbol): counts[symbol] for symbol in sorted(counts)})
        if "--symbols" in arguments:
            answer["symbols"] = symbols
        print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
