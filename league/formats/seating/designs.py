"""Compute rounds without repeated meetings, if a formula exists.

A transversal design: with m tables of s, players are (i, y) for i < s and y in a ring of m elements. In round a, table
b seats (i, a·i + b) for every i. Two players meet in two rounds a and a' only if (a - a')(i - i') = 0, so it is enough
that differences of the i, or else of the rounds, are invertible. The ring is a product of fields, one for each prime
power in m. Players with the same i never meet; if they fill tables, they give more rounds. Missing players all have
the same i, so no table lacks more than one.

For some sizes whose m is no prime power, `_STARTERS` has a first round that is developed in a cyclic group instead.
"""

from collections.abc import Iterator

Tables = list[list[int]]
"""One round: players 0, 1, … by table."""

Point = tuple[int, int] | None

# (players, tables): (modulus m, tables of the first round). A point is (x, c) for x modulo m and c modulo 3, numbered
# 3x + c, or None for one that never moves. A table stands for three, with c, c + 1 and c + 2; in round r all x grow by
# r. Where None moves with c, there are three such points.
_STARTERS: dict[tuple[int, int], tuple[int, list[list[Point]]]] = {
    (24, 6): (7, [[None, (0, 0), (1, 1), (3, 2)], [(2, 0), (4, 0), (5, 0), (6, 2)]]),
    (40, 10): (
        13,
        [
            [(1, 0), (5, 1), (12, 0), (8, 1)],
            [(3, 0), (2, 1), (10, 0), (11, 1)],
            [(9, 0), (6, 1), (4, 0), (7, 1)],
        ],
    ),
}


def perfect_rounds(players: int, tables: int) -> Iterator[Tables]:
    """Yield the rounds that the formulas give, without repeated meetings; at least one, of balanced tables."""
    if (players, tables) in _STARTERS:
        yield from _develop(players, *_STARTERS[players, tables])
        return
    size = -(-players // tables)
    if size > tables:
        yield _balanced_round(players, tables)
        return
    ring = _Ring(tables)
    if size <= ring.units:
        slopes, groups = list(range(tables)), [ring.unit(i) for i in range(size)]
    else:
        slopes, groups = [ring.unit(a) for a in range(ring.units)], list(range(size))

    def number(i: int, y: int) -> int:
        return i * tables + y

    for slope in slopes:
        rows = [ring.multiply(slope, i) for i in groups]
        seats = [[number(place, ring.add(row, b)) for place, row in enumerate(rows)] for b in range(tables)]
        yield [[player for player in table if player < players] for table in seats]
    if size * tables == players and tables % size == 0:
        for inner in perfect_rounds(tables, tables // size):
            yield [[number(place, y) for y in table] for place in range(size) for table in inner]


def _balanced_round(players: int, tables: int) -> Tables:
    return [list(range(table, players, tables)) for table in range(tables)]


def _develop(players: int, modulus: int, first: list[list[Point]]) -> Iterator[Tables]:
    def number(point: Point, shift: int, by: int) -> int:
        if point is None:
            return 3 * modulus + shift
        x, c = point
        return (x + by) % modulus * 3 + (c + shift) % 3

    for by in range(modulus):
        tables = [[number(point, shift, by) for point in table] for table in first for shift in range(3)]
        if players == 3 * modulus + 1:
            tables.append([3 * modulus, *(number((0, c), 0, by) for c in range(3))])
        yield tables


class _Ring:
    """The product of a field for each prime power in `size`; elements are numbers 0 to size - 1 in mixed radix."""

    def __init__(self, size: int) -> None:
        self.fields = [_Field(prime, power) for prime, power in _prime_powers(size)]
        self.units = min((field.size for field in self.fields), default=1)
        """The size of the largest set of elements in which the difference of any two can be divided by."""

    def unit(self, n: int) -> int:
        return self._number([n] * len(self.fields))

    def add(self, first: int, second: int) -> int:
        return self._number(
            [field.add(a, b) for field, a, b in zip(self.fields, self._parts(first), self._parts(second), strict=True)]
        )

    def multiply(self, first: int, second: int) -> int:
        return self._number(
            [
                field.multiply(a, b)
                for field, a, b in zip(self.fields, self._parts(first), self._parts(second), strict=True)
            ]
        )

    def _parts(self, number: int) -> list[int]:
        parts = []
        for field in self.fields:
            number, part = divmod(number, field.size)
            parts.append(part)
        return parts

    def _number(self, parts: list[int]) -> int:
        number = 0
        for field, part in zip(reversed(self.fields), reversed(parts), strict=True):
            number = number * field.size + part
        return number


class _Field:
    """The field of prime ** power elements: polynomials over the prime, as numbers with the coefficients as digits."""

    def __init__(self, prime: int, power: int) -> None:
        self.prime, self.power, self.size = prime, power, prime**power
        self.modulus = next(
            _digits(number, prime)
            for number in range(self.size, 2 * self.size)
            if not any(_divides(_digits(d, prime), _digits(number, prime), prime) for d in self._divisors())
        )

    def _divisors(self) -> Iterator[int]:
        """The monic polynomials of which at least one divides a reducible polynomial of this degree."""
        for degree in range(1, self.power // 2 + 1):
            yield from range(self.prime**degree, 2 * self.prime**degree)

    def add(self, first: int, second: int) -> int:
        total, place = 0, 1
        while first or second:
            total += (first + second) % self.prime * place
            first, second, place = first // self.prime, second // self.prime, place * self.prime
        return total

    def multiply(self, first: int, second: int) -> int:
        a, b = _digits(first, self.prime), _digits(second, self.prime)
        product = [0] * (len(a) + len(b))
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                product[i + j] += x * y
        rest = _remainder(product, self.modulus, self.prime)
        return sum(digit * self.prime**place for place, digit in enumerate(rest))


def _prime_powers(number: int) -> list[tuple[int, int]]:
    powers, prime = [], 2
    while number > 1:
        power = 0
        while number % prime == 0:
            number, power = number // prime, power + 1
        if power:
            powers.append((prime, power))
        prime += 1
    return powers


def _digits(number: int, base: int) -> list[int]:
    """The lowest first."""
    digits = []
    while number:
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits


def _remainder(of: list[int], by: list[int], prime: int) -> list[int]:
    """`by` has the leading coefficient 1."""
    rest = [digit % prime for digit in of]
    for place in range(len(rest) - len(by), -1, -1):
        times = rest[place + len(by) - 1]
        for step, digit in enumerate(by):
            rest[place + step] = (rest[place + step] - times * digit) % prime
    return rest


def _divides(divisor: list[int], of: list[int], prime: int) -> bool:
    return not any(_remainder(of, divisor, prime))
