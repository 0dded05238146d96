"""From position to slot, written from src/index/INDEX.md alone. Needs nothing but Python.

    python3 endame_index.py < POSITIONS

Each line is a JSON array: variant, material, number of the square order, then the places (from 0, row by row from the
top left corner as the side to move sees the board) of our men, their men, their kings, our kings. Prints the rank and
the slot of each, one line a position.
"""

import json
import sys
from functools import cache
from itertools import combinations
from math import comb

BOARDS = {"international": (50, 5, 10), "english": (32, 4, 8), "russian": (32, 4, 8), "turkish": (64, 8, 8)}
BOARDS |= dict.fromkeys(["brazilian", "pool", "czech", "spanish", "thai"], (32, 4, 8))
LIST_A = [lambda r, c, x: (x - 1 - r, x - 1 - c), lambda r, c, x: (x - 1 - c, x - 1 - r), lambda r, c, x: (c, r)]
LIST_B = [
    lambda r, c, x: (r, x - 1 - c),
    lambda r, c, x: (x - 1 - r, c),
    lambda r, c, x: (x - 1 - r, x - 1 - c),
    lambda r, c, x: (c, r),
    lambda r, c, x: (x - 1 - c, r),
    lambda r, c, x: (c, x - 1 - r),
    lambda r, c, x: (x - 1 - c, x - 1 - r),
]


class Slice:
    """The numbering of one slice."""

    def __init__(self, variant, material, order):
        self.n, self.w, self.rows = BOARDS[variant]
        self.is_dark = self.n < 64
        places = range(self.n)
        self.squares = sorted(places, key=lambda p: (p // self.w % 2, p)) if order == 1 else list(places)
        ours, theirs = material.split("v")
        self.m, self.k = ours.count("M"), ours.count("K")
        self.m2, self.k2 = theirs.count("M"), theirs.count("K")
        self.bottom = set(range(self.n - self.w, self.n))
        self.inner = set(range(self.w, self.n - self.w))
        self.board = set(places)
        free = self.n - self.m - self.m2
        self.kings2, self.kings = comb(free, self.k2), comb(free - self.k2, self.k)
        self.lead, self.maps = self.symmetries()

    def symmetries(self):
        """The lead, as a place in the list of sets, and the maps of places."""
        identity, mirror = (lambda r, c, x: (r, c)), (lambda r, c, x: (r, x - 1 - c))
        if self.m + self.m2 == 0 and self.k2 <= 5:
            lead, maps = 2, [identity] + (LIST_A if self.is_dark else LIST_B)
        elif not self.is_dark and 1 <= self.m <= 5:
            lead, maps = 0, [identity, mirror]
        elif not self.is_dark and self.m == 0 and 1 <= self.m2 <= 5:
            lead, maps = 1, [identity, mirror]
        else:
            lead, maps = None, [identity]
        return lead, [self.map_of_places(one) for one in maps]

    def map_of_places(self, symmetry):
        def coordinates(place):
            row, rest = divmod(place, self.w)
            return row, (2 * rest + (row % 2 == 0) if self.is_dark else rest)

        by_coordinates = {coordinates(place): place for place in range(self.n)}
        return [by_coordinates[symmetry(*coordinates(place), self.rows)] for place in range(self.n)]

    def set_number(self, chosen, free):
        ordinals = [i for i, square in enumerate(s for s in self.squares if s in free) if square in chosen]
        return sum(comb(ordinal, i + 1) for i, ordinal in enumerate(ordinals))

    def sizes(self, h):
        theirs = comb(self.n - self.w - (self.m - h), self.m2)
        return comb(self.w, h), comb(self.n - 2 * self.w, self.m - h), theirs

    def group_size(self, h):
        home, inner, theirs = self.sizes(h)
        return home * inner * theirs * self.kings2 * self.kings

    def digits(self, sets):
        """Group, then our men, their men, their kings, our kings, each as one number."""
        men, men2, kings2, kings = sets
        h = len(men & self.bottom)
        a, b = self.set_number(men & self.bottom, self.bottom), self.set_number(men - self.bottom, self.inner)
        return h, [
            a * self.sizes(h)[1] + b,
            self.set_number(men2, self.board - self.bottom - men),
            self.set_number(kings2, self.board - men - men2),
            self.set_number(kings, self.board - men - men2 - kings2),
        ]

    def rank(self, sets):
        h, (ab, c, d, e) = self.digits(sets)
        in_group = ((ab * self.sizes(h)[2] + c) * self.kings2 + d) * self.kings + e
        return sum(map(self.group_size, range(h))) + in_group

    def lead_number(self, h, lead):
        sets = [set(), set(), set(), set()]
        sets[self.lead] = lead
        return self.digits(sets)[1][self.lead]

    def image(self, places, symmetry):
        return {symmetry[place] for place in places}

    @cache
    def kept(self, h):
        """The numbers of the kept lead sets of a group, ascending."""
        if self.lead == 0:
            at_home, inner = combinations(self.bottom, h), list(combinations(self.inner, self.m - h))
            leads = [set(one) | set(other) for one in at_home for other in inner]
        elif self.lead == 1:
            leads = map(set, combinations(self.board - self.bottom, self.m2))
        else:
            leads = map(set, combinations(self.board, self.k2))
        least = lambda lead: min(self.lead_number(h, self.image(lead, one)) for one in self.maps)
        return sorted({least(lead) for lead in leads})

    def tail(self, h):
        return [self.sizes(h)[2] * self.kings2 * self.kings, self.kings2 * self.kings, self.kings][self.lead]

    def slot(self, sets):
        if self.lead is None:
            return self.rank(sets)
        h = len(sets[0] & self.bottom)
        images = [[self.image(places, one) for places in sets] for one in self.maps]
        numbers = [self.lead_number(h, image[self.lead]) for image in images]
        stored = images[numbers.index(min(numbers))]
        t = (self.rank(stored) - sum(map(self.group_size, range(h)))) % self.tail(h)
        before = sum(len(self.kept(g)) * self.tail(g) for g in range(h))
        return before + self.kept(h).index(min(numbers)) * self.tail(h) + t


def main():
    slices = {}
    for line in sys.stdin:
        variant, material, order, *sets = json.loads(line)
        key = (variant, material, order)
        if key not in slices:
            slices[key] = Slice(*key)
        sets = [set(places) for places in sets]
        print(slices[key].rank(sets), slices[key].slot(sets))


if __name__ == "__main__":
    main()
